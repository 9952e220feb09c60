import { type Command, Option } from "commander"
import {
  BASIS,
  AUDIT_COLUMNS,
  AUDIT_FORMATS,
  auditHtml,
  auditJson,
  billLines,
  chooseRows,
  disputesCsv,
  summaryLines,
} from "../audit/report.ts"
import { createFreightApi, type FreightApi } from "../api/freight.ts"
import type { Audit } from "../audit/audit.ts"
import type { Tolerance } from "../audit/price.ts"
import { BILL_CURRENCY } from "../contract/bills.ts"
import { counted } from "../contract/counted.ts"
import { centsOf, formatMoney } from "../contract/money.ts"
import type { Deps, LedgerReader } from "../deps.ts"
import { EXIT, FreightError, withOptions } from "../errors.ts"
import type { InputKind } from "../invoice/documents.ts"
import { findInputs, getFileId, STDIN } from "../invoice/sources/files.ts"
import type { AccrualTotals } from "../audit/accruals.ts"
import { rememberSeen } from "../tracking/booked.ts"
import { wrap } from "../terminal/width.ts"
import { type Output, print } from "../terminal/view.ts"
import { type OutputStream, refuseKeyboard } from "../terminal/terminal.ts"
import { limitLongRun } from "./shared/long-run.ts"
import { addDraftFlags, chooseStage, type DraftFlags } from "./shared/draft-flags.ts"
import { repeat } from "./shared/flags.ts"
import { chooseFormat } from "./shared/output-file.ts"
import { PAST, parsePast } from "./shared/past.ts"

interface Options extends DraftFlags {
  map?: string[]
  ignoreUnknown?: boolean
  tolerance?: string[]
  accruals?: boolean
  since?: string
  offline?: boolean
  remember: boolean
  all?: boolean
  disputes?: string
  output?: string
  input?: InputKind
}

const DEFAULT_TOLERANCE: Tolerance = { percent: 1, cents: 50 }

export function define(command: Command): void {
  addDraftFlags(
    command
      .description(
        "Compares carriers' bills with what was quoted and booked, consignment by consignment, and says what to dispute. It asks the API for what the ledger cannot know. It remembers audited bills, and so finds a consignment that is billed again.",
      )
      .argument("[bill...]", "INV documents or CSV files, folders, patterns, or - for standard input"),
  )
    .option(
      "--map <column=field>",
      "use this column of a CSV as that field; COLUMN= ignores the column (repeatable)",
      repeat,
    )
    .option("--ignore-unknown", "ignore unknown columns of a CSV, without a note")
    .option(
      "--tolerance <amount>",
      "what may be billed above or below the quote: 2%, 1.00, or 2%,1.00 for the greater (default: 1%,0.50)",
      repeat,
    )
    .option("--all", "also show what agrees")
    .option("--disputes <file>", "write what to dispute as CSV, for the carrier")
    .option("-o, --output <file>", "write the report to a file; its ending chooses the format")
    .option("--accruals", "list what was booked but is not on any bill yet")
    .option("--since <when>", `with --accruals: booked since then: ${PAST}`)
    .option(
      "--offline",
      "do not ask the API: what was cancelled, booked elsewhere or never collected is not checked",
    )
    .option("--no-remember", "do not keep the bills in the ledger")
    .addOption(
      new Option(
        "--input <kind>",
        "json: each input is one document or a list; ndjson: a document on each line",
      ).choices(["json", "ndjson"] satisfies InputKind[]),
    )
    .addHelpText(
      "after",
      `
Verdicts, worst first: billed twice, not ours, cancelled, payer is another, not collected, wrong service, wrong weight,
over, wrong GST; dispute these. The others are under, cannot tell, no price and agrees.
Where neither quote nor bill says whether GST is included, both readings are tried: an amount that fits one of them is not disputed.
--format takes table, json, ndjson, csv and html.
Exit code: 0 nothing to dispute, 1 something to dispute, 2 a bill cannot be read.`,
    )
}

export const examples = [
  "freight audit carrier.csv --sandbox",
  "freight audit carrier.csv --sandbox -o audit.html --disputes disputes.csv",
  "freight audit --accruals --sandbox --since 30d",
]

export const formats = AUDIT_FORMATS

export async function run(deps: Deps, words: string[], options: Options): Promise<number> {
  if (options.accruals) return runAccruals(deps, words, options)
  if (options.since !== undefined) throw new FreightError("usage", "--since needs --accruals")
  if (words.length === 0)
    throw new FreightError("usage", "there is no bill to audit: name files or folders", {
      hint: "Or - for standard input: freight audit - < bill.csv",
    })
  const tolerance = parseTolerance(options.tolerance)
  const { stdin } = deps.terminal
  if (words.includes(STDIN)) refuseKeyboard(stdin, "pipe a bill in, or name files")
  for (const [flag, target] of [
    ["-o", options.output],
    ["--disputes", options.disputes],
  ] as const)
    if (
      target !== undefined &&
      target !== STDIN &&
      words.some((word) => getFileId(word) === getFileId(target))
    )
      throw new FreightError("usage", `${flag} ${target} would overwrite a bill that is being audited`)

  const ledger = await (options.remember ? deps.writeLedger() : deps.readLedger())
  const { auditBills, checkAnything } = await import("../audit/audit.ts")
  const audit = await auditBills(
    {
      store: ledger.store,
      scopes: ledger.scopes,
      api: options.offline ? undefined : await connectApi(deps).catch(adviseOffline),
      clock: deps.clock,
      ids: deps.ids,
      signal: deps.signal,
      note: deps.note,
      warn: deps.warn,
      rememberSeen: async (updates) => {
        if (options.remember) await rememberSeen(deps, updates, await deps.serviceNow())
      },
    },
    await findInputs(words, options.output, /\.(json|ndjson|jsonl|csv)$/i),
    {
      tolerance,
      reading: {
        map: options.map ?? [],
        ignoreUnknown: options.ignoreUnknown === true,
        nowMs: deps.clock.now(),
        tell: deps.note,
        warn: deps.warn,
        stage: chooseStage(options),
        input: options.input,
        stdin: (signal) => stdin.chunks(signal),
        signal: deps.signal,
      },
    },
  ).catch(adviseOffline)
  checkAnything(audit.totals)
  for (const line of audit.bills.flatMap(billLines)) await deps.warn(line)
  const { failed = 0, failure = "" } = audit.asked ?? {}
  if (failed > 0)
    await deps.warn(
      `${counted(failed, "consignment")} could not be looked up (${failure}): audit again to include them.`,
    )
  await write(deps, options.output, (out) => report(deps, out, audit, tolerance, options))
  if (options.disputes !== undefined) await writeDisputes(deps, options.disputes, audit)
  if (options.remember) await remember(deps, ledger, audit)
  return audit.totals.toDispute + audit.totals.billsWithWrongGst > 0 ? EXIT.no : EXIT.done
}

/** A way to the API of its own: thousands of consignments may have to be asked about. */
async function connectApi(deps: Deps): Promise<FreightApi> {
  const { ASKED_AT_ONCE } = await import("../audit/ask.ts")
  const endpoint = await deps.endpoint("freight")
  return createFreightApi(await deps.connect("freight", endpoint, limitLongRun(deps, ASKED_AT_ONCE)))
}

const OUT_OF_REACH = ["unavailable", "timeout", "rateLimited", "badReply", "unauthenticated", "config"]

/** Without the API an audit can say less, and still much. */
function adviseOffline(error: unknown): never {
  if (!(error instanceof FreightError) || !OUT_OF_REACH.includes(error.kind)) throw error
  const hint = "freight audit --offline uses the ledger only."
  throw withOptions(error, { hint: error.hint === undefined ? hint : `${error.hint} ${hint}` })
}

async function remember(deps: Deps, { scope }: LedgerReader, audit: Audit): Promise<void> {
  try {
    await audit.remember({ ...deps.sender, scope: scope ?? "" })
  } catch (error) {
    if (!(error instanceof FreightError)) throw error
    throw new FreightError(
      "stepFailed",
      `the audit is done, but the bills could not be remembered: ${error.message}`,
      {
        hint: "Next month's audit will not know them. Run it again when the ledger can be written.",
        cause: error,
      },
    )
  }
}

async function report(
  deps: Deps,
  { stdout, output }: Target,
  audit: Audit,
  tolerance: Tolerance,
  { all = false }: Options,
): Promise<void> {
  const { fields } = output
  const format: string = output.format
  if (format === "json" && !fields) {
    for (const piece of auditJson(audit, tolerance)) await stdout.write(piece)
    return
  }
  if (format === "html") {
    for (const piece of auditHtml(audit, tolerance, all, "Audit of bills")) await stdout.write(piece)
    return
  }
  const isTable = format === "table"
  await print(
    { terminal: { ...deps.terminal, stdout }, output },
    { rows: chooseRows(audit, !isTable || all), columns: AUDIT_COLUMNS },
  )
  if (!isTable) return
  const width = stdout.isTTY ? stdout.columns : Number.POSITIVE_INFINITY
  const lines = summaryLines(audit, tolerance).flatMap((line) => wrap(line, width))
  await stdout.write(`${lines.join("\n")}\n`)
}

async function writeDisputes(deps: Deps, file: string, audit: Audit): Promise<void> {
  await write(deps, file, async ({ stdout }) => {
    for await (const piece of disputesCsv(audit)) await stdout.write(piece)
  })
  await deps.note(`${counted(audit.totals.toDispute, "dispute")} in ${file}.`)
}

interface Target {
  stdout: OutputStream
  output: Output
}

const FILE_COLUMNS = 120

/** Writes to standard output, or to a file that is there whole or not at all. */
async function write(
  deps: Deps,
  file: string | undefined,
  act: (target: Target) => Promise<void>,
): Promise<void> {
  const { terminal, output } = deps
  if (file === undefined || file === STDIN) return act({ stdout: terminal.stdout, output })
  const format = chooseFormat(deps, file, ["csv", "json", "ndjson", "html"])
  const draft = await deps.files.create(file)
  try {
    const stdout = {
      write: (text: string | Uint8Array) => draft.write(text),
      isTTY: false,
      colour: false,
      columns: FILE_COLUMNS,
    }
    await act({ stdout, output: { ...output, format: format as Output["format"] } })
    await draft.keep()
  } finally {
    await draft.discard()
  }
}

async function runAccruals(deps: Deps, words: readonly string[], options: Options): Promise<number> {
  if (words.length > 0)
    throw new FreightError(
      "usage",
      "--accruals lists what is not on any bill: audit the bills first, and name none here",
    )
  const since =
    options.since === undefined ? undefined : parsePast(options.since, "--since", deps.clock.now())
  const { ACCRUAL_COLUMNS, listAccruals, totalAccruals } = await import("../audit/accruals.ts")
  const { store, scopes } = await deps.readLedger()
  const api = options.offline ? undefined : await connectApi(deps).catch(adviseOffline)
  const rows = await listAccruals({ store, scopes, api }, since).catch(adviseOffline)
  const totals = totalAccruals(rows)
  const lines = accrualLines(totals, options.offline === true)
  const empty = "Everything that was booked is on an audited bill."
  await write(deps, options.output, async ({ stdout, output }) => {
    if ((output.format as string) === "html") {
      const { describeReport } = await import("../report/page.ts")
      const { renderHtml } = await import("../pages/html.ts")
      const title = "Booked and not yet billed"
      const report = describeReport({ title, rows, columns: ACCRUAL_COLUMNS, notes: lines, empty })
      return stdout.write(renderHtml(report))
    }
    const json = { totals, consignments: rows }
    await print(
      { terminal: { ...deps.terminal, stdout }, output },
      { json, rows, columns: ACCRUAL_COLUMNS, empty },
    )
    if (output.format === "table" && rows.length > 0) await stdout.write(`${lines.join("\n")}\n`)
  })
  return EXIT.done
}

function accrualLines(
  { consignments, unpriced, amounts, otherCurrencies }: AccrualTotals,
  isOffline: boolean,
): string[] {
  const sums = [
    ...Object.entries(amounts).map(([gst, amount]) => ({ gst, amount, currency: BILL_CURRENCY })),
    ...otherCurrencies,
  ].map(({ gst, amount, currency }) => `${formatMoney(amount, currency)} ${BASIS[gst as keyof typeof BASIS]}`)
  return [
    `${counted(consignments, "consignment")} not yet billed: ${sums.join(", ") || "no price known"}${unpriced > 0 ? `; ${unpriced} without a known price` : ""}.`,
    ...(isOffline ? ["Not checked (--offline): what was cancelled or booked elsewhere."] : []),
  ]
}

/** @throws FreightError `usage` */
function parseTolerance(given: readonly string[] | undefined): Tolerance {
  if (given === undefined) return DEFAULT_TOLERANCE
  const tolerance = { percent: 0, cents: 0 }
  for (const text of given.flatMap((each) => each.split(",")).map((each) => each.trim())) {
    const [, number, sign] = /^(\d{1,6}(?:\.\d{1,2})?)\s*(%?)$/.exec(text) ?? []
    if (number === undefined)
      throw new FreightError("usage", `--tolerance takes 2%, 1.00, or both as 2%,1.00, not '${text}'`)
    if (sign === "%") tolerance.percent = Number(number)
    else tolerance.cents = centsOf(number)
  }
  return tolerance
}
