import type { Audit, PreparedAudit } from "../bills/audit/audit.ts"
import type { Kept } from "../bills/disputes/keep.ts"
import type { Tolerance } from "../bills/audit/price.ts"
import type { GivenLink } from "../bills/matching/links.ts"
import {
  AUDIT_COLUMNS,
  AUDIT_FORMATS,
  auditHtml,
  auditJson,
  billLines,
  chooseRows,
  describeWhole,
  disputesSheet,
  summaryLines,
  withLines,
} from "../bills/audit/report.ts"
import { command } from "../command/command.ts"
import { nonEmpty } from "../command/flags.ts"
import { valueOrThrow } from "../base/parsed.ts"
import { wallClockNow } from "../base/wall-clock.ts"
import { parseDay } from "../base/when.ts"
import { counted } from "../base/counted.ts"
import { centsOf } from "../base/money.ts"
import type { Asking, Ledgers, Memory, Services, Session, LedgerReader } from "../command/deps.ts"
import { EXIT, FreightError } from "../base/errors.ts"
import { BILL_FILES, findInputs, STDIN } from "../invoice/sources/files.ts"
import { refuseKeyboard } from "../output/terminal/terminal.ts"
import { print } from "../output/terminal/view.ts"
import { wrap } from "../output/terminal/width.ts"
import type { TrackingUpdate } from "../ledger/records/journeys.ts"
import { rememberSeen } from "../orders/tracking/booked.ts"
import { ACCRUAL_FLAGS, printAccruals } from "../bills/accruals/print.ts"
import { withBillColumns } from "../bills/ask-columns.ts"
import { adviseOffline, connectToAudit } from "../bills/audit/connect.ts"
import { type OutputTarget, writeOutput } from "../command/output-file.ts"
import { FORCE_FLAG } from "../command/flags.ts"
import { MAP_FLAGS } from "../command/maps.ts"
import { BILL_SHEET_FLAGS } from "../command/sheet-flags.ts"
import { noteToMove } from "../bills/books/note-moves.ts"
import { readAuthor } from "../bills/disputes/author.ts"
import { DRAFT_FLAGS } from "../invoice/draft-flags.ts"

type Needs = Asking & Ledgers & Memory & Services & Session

const DEFAULT_TOLERANCE: Tolerance = { percent: 1, cents: 50 }

export default command({
  about:
    "Compares carriers' bills with what was quoted and booked, consignment by consignment, and says what to dispute. It asks the API for what the ledger cannot know. It remembers audited bills, and so finds a consignment that is billed again.",
  args: [
    {
      takes: "[bill...]",
      about: "INV documents, CSV, .xlsx or PDF files, folders, patterns, or - for standard input",
      isInput: true,
    },
  ],
  flags: {
    ...DRAFT_FLAGS,
    ...MAP_FLAGS,
    ...BILL_SHEET_FLAGS,
    tolerance: {
      takes: "<amount>",
      about:
        "what may be billed above or below the quote: 2%, 1.00, or 2%,1.00 for the greater (default: 1%,0.50)",
      isRepeatable: true,
      read: parseTolerance,
    },
    all: { about: "also show what agrees" },
    disputes: {
      takes: "<file>",
      about: "write what to dispute for the carrier, as CSV, or as a workbook into FILE.xlsx",
      writes: "file",
    },
    raise: {
      about: "keep what to dispute until it is settled, once for each consignment and bill: freight disputes",
      conflicts: "noRemember",
    },
    link: {
      takes: "<number=shipment>",
      about:
        "say which shipment a number on the bill is that nothing known has; kept for this bill; without a shipment behind the = it is taken back (repeatable)",
      isRepeatable: true,
      read: parseLink,
    },
    always: { about: "with --link: for that number on every bill from now on", needs: "link" },
    output: ACCRUAL_FLAGS.output,
    ...FORCE_FLAG,
    accruals: {
      about: "list what was booked but is not on any bill yet; the same as freight report accruals",
    },
    since: {
      ...ACCRUAL_FLAGS.since,
      about: `with --accruals: ${ACCRUAL_FLAGS.since.about}`,
      needs: "accruals",
    },
    statement: {
      takes: "<file>",
      about:
        "compare a carrier's statement of account (its list of invoices, as CSV, .xlsx or PDF) with the bills that were audited: which are missing, ask for another amount, are disputed or posted, or were paid twice",
      isInput: true,
      conflicts: ["accruals", "raise", "link", "disputes"],
    },
    offline: ACCRUAL_FLAGS.offline,
    number: {
      takes: "<text>",
      about: "the bill's number, where the file has none or another is right",
      read: nonEmpty,
      conflicts: ["accruals", "statement"],
    },
    date: {
      takes: "<day>",
      about: "the bill's day, where the file has none or another is right",
      conflicts: ["accruals", "statement"],
    },
    corrected: {
      about:
        "the bill is the one that was audited under its number, corrected, although it names other consignments",
      conflicts: ["accruals", "statement"],
    },
    showRows: {
      about:
        "print the rows of a PDF as freight reads them, and judge nothing (--format csv or xlsx for a file)",
      conflicts: ["accruals", "statement", "raise", "link", "disputes", "saveMap", "total"],
    },
    noRemember: { about: "do not keep the bills in the ledger" },
    input: {
      takes: "<kind>",
      about: "json: each input is one document or a list; ndjson: a document on each line",
      choices: ["json", "ndjson"],
    },
  },
  formats: AUDIT_FORMATS,
  columns: AUDIT_COLUMNS,
  examples: [
    "freight audit carrier.csv --sandbox",
    "freight audit carrier.csv --sandbox -o audit.html --disputes disputes.csv",
    "freight audit carrier.csv --sandbox --raise",
    "freight audit --accruals --sandbox --since 30d",
    "freight audit --statement statement.csv --sandbox",
  ],
  notes: `Verdicts, worst first: billed twice, not ours, cancelled, payer is another, not collected, wrong service, wrong weight,
over; dispute these. GST that is not 10 % (wrong GST) asks for a correct tax invoice.
The others are under, cannot tell, no price and agrees.
Where neither quote nor bill says whether GST is included, both readings are tried: an amount that fits one of them is not disputed.
--format takes ${AUDIT_FORMATS.join(", ")}.
The rows of a PDF must come to the sum that it states, or nothing is judged; a number that is not found there cannot be told.
Columns that may change what amounts mean are asked about, or refused with the --map line that answers it.
With --statement, a row is missing, other amount, paid twice, overpaid or listed twice (exit code 1), withheld (it asks for what was kept back when the bill was paid), in dispute, not posted or posted.
Exit code: 0 nothing to dispute, 1 something to dispute or wrong GST, 2 a bill cannot be read, or a column is not clear.`,
  async run(deps, files, options) {
    const { accruals, output, disputes, offline, remember, all = false } = options
    if (accruals) {
      if (files.length > 0)
        throw new FreightError(
          "usage",
          "--accruals lists what is not on any bill: audit the bills first, and name none here",
        )
      await printAccruals(deps, options)
      return EXIT.done
    }
    if (options.statement !== undefined) {
      if (files.length > 0)
        throw new FreightError(
          "usage",
          "--statement names the statement: audit bills apart from it, and before it",
        )
      const { printStatement } = await import("../bills/statement/print.ts")
      return printStatement(deps, options.statement, options)
    }
    if (files.length === 0)
      throw new FreightError("usage", "there is no bill to audit: name files or folders", {
        hint: "Or - for standard input: freight audit - < bill.csv",
      })
    const tolerance = toTolerance(options.tolerance)
    const { stdin } = deps.terminal
    if (files.includes(STDIN)) refuseKeyboard(stdin, "pipe a bill in, or name files")
    if (options.showRows) {
      const { printPdfRows } = await import("../bills/show-rows.ts")
      const inputs = [...(await findInputs(files, output, BILL_FILES))]
      await withBillColumns(deps, options, ["audit", ...files], (reading) =>
        writeOutput(deps, output, (target) => printPdfRows(deps, target, inputs, reading)),
      )
      return EXIT.done
    }
    const ledger = await (remember ? deps.writeLedger() : deps.readLedger())
    const { prepareAudit, checkAnything } = await import("../bills/audit/audit.ts")
    const auditDeps = {
      store: ledger.store,
      scopes: ledger.scopes,
      api: offline ? undefined : await connectToAudit(deps),
      ids: deps.ids,
      note: deps.note,
      rememberSeen: async (updates: readonly TrackingUpdate[]) => {
        if (remember) await rememberSeen(deps, updates, await deps.serviceNow())
      },
    }
    const isToRaise = options.raise === true
    const given = (options.link ?? []).flat().map((link) => ({ ...link, isAlways: options.always === true }))
    const { number, date, corrected: isCorrected = false } = options
    const head = {
      ...(number !== undefined && { number }),
      ...(date !== undefined && {
        date: valueOrThrow(
          parseDay(date, () => wallClockNow(deps.clock.now()), "past"),
          "--date",
        ),
      }),
    }
    const inputs = [...(await findInputs(files, output, BILL_FILES))]
    const prepared = await withBillColumns(deps, options, ["audit", ...files], async (reading) => {
      const prepare = (links: readonly GivenLink[]) =>
        prepareAudit(auditDeps, inputs, { tolerance, reading, links, given: head, isCorrected }).catch(
          adviseOffline,
        )
      const first = await prepare(given)
      if (!isToRaise || !deps.interactive) return first
      const { askForLinks } = await import("../bills/audit/ask-links.ts")
      const more = await askForLinks(deps, ledger.store.database, first)
      return more.length === 0 ? first : prepare([...given, ...more])
    })
    checkAnything(prepared)
    const asked = deps.interactive ? await askCorrected(deps, ledger, prepared) : prepared
    const { audit, kept, failed: writeError } = await judge(deps, ledger, asked, { remember, isToRaise })
    for (const note of audit.notes) await deps.note(note)
    for (const warning of audit.warnings) await deps.warn(warning)
    for (const line of audit.bills.flatMap(billLines)) await deps.warn(line)
    const { failed = 0, failure = "" } = audit.asked ?? {}
    if (failed > 0)
      await deps.warn(
        `${counted(failed, "consignment")} could not be looked up (${failure}): audit again to include them.`,
      )
    await writeOutput(deps, output, (target) => writeAudit(deps, target, audit, tolerance, all))
    if (disputes !== undefined) await writeDisputes(deps, disputes, audit)
    if (writeError)
      throw new FreightError(
        "stepFailed",
        `the audit is done, but the bills could not be remembered: ${writeError.message}`,
        {
          hint: "Nothing was remembered, and nothing raised. Run it again when the ledger can be written.",
          cause: writeError,
        },
      )
    if (kept) await tellKept(deps, kept, isToRaise)
    const { toDispute, withWrongGst, billsWithWrongGst } = audit.totals
    return toDispute + withWrongGst + billsWithWrongGst > 0 ? EXIT.no : EXIT.done
  },
})

/** Asks whether a bill with an earlier one's number and other consignments is that one; if not, it is refused as in a script. */
async function askCorrected(
  deps: Needs,
  { store }: LedgerReader,
  prepared: PreparedAudit,
): Promise<PreparedAudit> {
  if (prepared.isCorrected) return prepared
  const { findReused } = await import("../bills/audit/remember.ts")
  const reused = await findReused(prepared, store.database)
  if (reused.length === 0) return prepared
  for (const each of reused) await deps.note(`${each}.`)
  const isCorrected = await (await deps.prompt()).confirm("Is it the earlier bill, corrected?", false)
  return { ...prepared, isCorrected }
}

interface Judged {
  audit: Audit
  /** What was raised and paid, where the bills were remembered. */
  kept?: Kept
  /** Why nothing was written. */
  failed?: FreightError
}

/** Judges bills, and keeps what is to be kept of it; where the ledger cannot be written, they are judged all the same. */
async function judge(
  deps: Needs,
  { store, scope }: LedgerReader,
  prepared: PreparedAudit,
  { remember, isToRaise }: { remember: boolean; isToRaise: boolean },
): Promise<Judged> {
  const { judgeBills } = await import("../bills/audit/audit.ts")
  const { recordAudit } = await import("../bills/disputes/keep.ts")
  if (!remember) return { audit: await judgeBills(prepared, store.database) }
  try {
    const author = { ...readAuthor(deps), scope: scope ?? "" }
    return await recordAudit(store.database, prepared, author, isToRaise)
  } catch (error) {
    if (!(error instanceof FreightError)) throw error
    return { audit: await judgeBills(prepared, store.database), failed: error }
  }
}

async function tellKept(deps: Needs, kept: Kept, isToRaise: boolean): Promise<void> {
  const { describeKept } = await import("../bills/disputes/told.ts")
  const { notes, warnings } = describeKept(kept, isToRaise)
  for (const note of notes) await deps.note(note)
  for (const warning of warnings) await deps.warn(warning)
  const changed = [
    ...kept.raised.map(({ id }) => id),
    ...kept.payments.map(({ dispute }) => dispute.id),
    ...kept.mistaken.map(({ dispute }) => dispute.id),
  ]
  await noteToMove(deps, [...new Set(changed)])
}

async function writeAudit(
  deps: Needs,
  { stdout, output }: OutputTarget,
  audit: Audit,
  tolerance: Tolerance,
  all: boolean,
): Promise<void> {
  const format: string = output.format
  if (format === "json" && !output.fields) {
    for (const piece of auditJson(audit, tolerance, deps.warnings)) await stdout.write(piece)
    return
  }
  if (format === "html") {
    for (const piece of auditHtml(audit, tolerance, all, "Audit of bills")) await stdout.write(piece)
    return
  }
  const isTable = format === "table"
  const chosen = chooseRows(audit, !isTable || all)
  // A long bill has half a million lines: they are made as objects only where fields of them may be asked for.
  const rows = output.fields ? chosen.map(withLines) : chosen
  await print(
    { terminal: { ...deps.terminal, stdout }, output, warnings: deps.warnings },
    {
      summary: describeWhole(audit, tolerance),
      rows,
      columns: AUDIT_COLUMNS,
    },
  )
  if (!isTable) return
  const width = stdout.isTTY ? stdout.columns : Number.POSITIVE_INFINITY
  const lines = summaryLines(audit, tolerance).flatMap((line) => wrap(line, width))
  await stdout.write(`${lines.join("\n")}\n`)
}

async function writeDisputes(deps: Needs, file: string, audit: Audit): Promise<void> {
  await writeOutput(deps, file, async ({ stdout }) => {
    const format = /\.xlsx$/i.test(file) ? "xlsx" : "csv"
    for await (const piece of disputesSheet(audit, format)) await stdout.write(piece)
  })
  await deps.note(`${counted(audit.totals.toDispute, "dispute")} in ${file}.`)
}

/** `SBX123=shp-1` @throws FreightError `usage` */
function parseLink(text: string, flag: string): Omit<GivenLink, "isAlways">[] {
  const [, number = "", shipment = ""] = /^(.*?)=(.*)$/.exec(text) ?? []
  if (number.trim() === "")
    throw new FreightError("usage", `${flag} takes the number on the bill and a shipment: SBX123=SBA00000001`)
  return [{ number: number.trim(), shipment: shipment.trim() }]
}

type Limit = Partial<Tolerance>

/** `2%`, `1.00`, or both. @throws FreightError `usage` */
function parseTolerance(text: string, flag: string): Limit[] {
  return text.split(",").map((each) => {
    const [, number, sign] = /^(\d{1,6}(?:\.\d{1,2})?)\s*(%?)$/.exec(each.trim()) ?? []
    if (number === undefined)
      throw new FreightError("usage", `${flag} takes 2%, 1.00, or both as 2%,1.00, not '${each.trim()}'`)
    return sign === "%" ? { percent: Number(number) } : { cents: centsOf(number) }
  })
}

function toTolerance(limits: readonly Limit[] | undefined): Tolerance {
  return limits ? Object.assign({ percent: 0, cents: 0 }, ...limits) : DEFAULT_TOLERANCE
}
