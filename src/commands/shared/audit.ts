/** What `audit` and `report accruals` share. */
import path from "node:path"
import { createFreightApi, type FreightApi } from "../../api/freight.ts"
import {
  ACCRUAL_COLUMNS,
  type AccrualRow,
  type AccrualsRead,
  type AccrualTotals,
  accrualPages,
  createAccrualTotals,
  describeAccruals,
  formatAccrualsRead,
} from "../../bills/accruals/accruals.ts"
import type { Flags, OptionsOf } from "../../command/command.ts"
import type { SupplierSigns } from "../../bills/supplier.ts"
import type { Asking, Ledgers, Services, Session } from "../../command/deps.ts"
import { FreightError, withOptions } from "../../base/errors.ts"
import type { InputKind } from "../../invoice/documents.ts"
import type { ReadOptions } from "../../bills/open.ts"
import { chooseStage, type DRAFT_FLAGS } from "./draft-flags.ts"
import { chooseBy, type SHEET_FLAGS } from "./sheet-flags.ts"
import { STDIN } from "../../invoice/sources/files.ts"
import { UNFINISHED } from "../../output/terminal/files.ts"
import { createProgress } from "../../output/terminal/progress.ts"
import { createSpool, type Spool } from "../../output/terminal/spool.ts"
import type { OutputStream } from "../../output/terminal/terminal.ts"
import { type Output, printPages } from "../../output/terminal/view.ts"
import { askAboutColumns } from "./columns.ts"
import { limitLongRun } from "./long-run.ts"
import { applySavedMap, findSupplierMap, keepMap, listOwnAbns } from "./maps.ts"
import { chooseFormat } from "./output-file.ts"
import { PAST, parsePast } from "./past.ts"

type Needs = Ledgers & Services & Session

export const ACCRUAL_FLAGS = {
  since: { takes: "<when>", about: `booked since then: ${PAST}`, read: parsePast },
  offline: {
    about: "do not ask the API: what was cancelled, booked elsewhere or never collected is not checked",
  },
  output: {
    short: "-o",
    takes: "<file>",
    about: "write the report to a file; its ending chooses the format",
  },
} as const satisfies Flags

export interface BillOptions extends OptionsOf<typeof DRAFT_FLAGS>, OptionsOf<typeof SHEET_FLAGS> {
  map?: string[]
  saveMap?: string
  useMap?: string
  ignoreUnknown?: boolean
  input?: InputKind
}

type ReadDeps = Asking & Session

/**
 * Does some work that reads bills, with the saved map of each supplier; where columns are not clear and a person says
 * what they are, once more. Saves the answers where `--save-map` asks for it.
 * @param words of the command with its files, without flags
 */
export async function withBillColumns<Options extends BillOptions, Result>(
  deps: ReadDeps,
  given: Options,
  words: readonly string[],
  work: (reading: ReadOptions) => Promise<Result>,
): Promise<Result> {
  let signs: SupplierSigns[] = []
  const done = await askAboutColumns(deps, applySavedMap(deps, given), words, async (options) => {
    signs = []
    const result = await work(readBillOptions(deps, options, (each) => signs.push(each)))
    return { result, options }
  })
  const own = listOwnAbns(deps)
  const suppliers = signs.flatMap(({ names, abns }) => [
    ...names,
    ...abns.filter((abn) => !own.includes(abn)),
  ])
  await keepMap(deps, done.options, [...new Set(suppliers)])
  return done.result
}

/** How bills are read. */
function readBillOptions(
  deps: ReadDeps,
  options: BillOptions,
  note: (signs: SupplierSigns) => void,
): ReadOptions {
  return {
    map: options.map ?? [],
    async findMap(signs, file) {
      note(signs)
      if (options.useMap !== undefined) return undefined
      const saved = await findSupplierMap(deps, signs, file)
      return saved && { map: saved.map ?? [], headerRow: saved.headerRow }
    },
    ignoreUnknown: options.ignoreUnknown === true,
    nowMs: deps.clock.now(),
    tell: deps.note,
    warn: deps.warn,
    stage: chooseStage(options),
    input: options.input,
    choices: { ...chooseBy(deps, options), mayBeSeveral: true },
    stdin: (signal) => deps.terminal.stdin.chunks(signal),
    signal: deps.signal,
  }
}

/** Prints, or writes to a file, what was booked and is on no audited bill, in constant memory. */
export async function printAccruals(
  deps: Needs,
  { since, offline, output: file }: OptionsOf<typeof ACCRUAL_FLAGS>,
): Promise<void> {
  const spool = createSpool<AccrualRow>(path.join(deps.stateDir, UNFINISHED), deps.signal)
  try {
    const totals = await readAccruals(deps, spool, since, offline === true).catch(adviseOffline)
    const lines = describeAccruals(totals, offline === true)
    const empty = "Everything that was booked is on an audited bill."
    await writeOutput(deps, file, async ({ stdout, output }) => {
      if ((output.format as string) === "html") {
        const { drawReport } = await import("../../bills/report/page.ts")
        const title = "Booked and not yet billed"
        const notes = totals.consignments > 0 ? lines : [empty]
        const report = { title, columns: ACCRUAL_COLUMNS, notes }
        for await (const piece of drawReport(report, spool.pages())) await stdout.write(piece)
        return
      }
      const json = () => ({ totals, consignments: spool.pages() })
      await printPages(
        { terminal: { ...deps.terminal, stdout }, output, signal: deps.signal },
        { json, pages: spool.pages, columns: ACCRUAL_COLUMNS, empty },
      )
      if (output.format === "table" && totals.consignments > 0) await stdout.write(`${lines.join("\n")}\n`)
    })
  } finally {
    await spool.close()
  }
}

/** Reads once what is printed: what is booked or audited meanwhile cannot come between the rows and their totals. */
async function readAccruals(
  deps: Needs,
  spool: Spool<AccrualRow>,
  since: number | undefined,
  isOffline: boolean,
): Promise<AccrualTotals> {
  const { store, scopes } = await deps.readLedger()
  const api = isOffline ? undefined : await connectToAudit(deps)
  const totals = createAccrualTotals()
  const progress = createProgress(deps.terminal, deps.clock, undefined, formatAccrualsRead)
  const isShown = deps.terminal.stderr.isTTY && !deps.globals.quiet
  const onRead = async (read: AccrualsRead) => {
    if (isShown) await progress.show(read)
  }
  try {
    for await (const rows of accrualPages({ store, scopes, api, onRead }, since)) {
      totals.add(rows)
      await spool.add(rows)
    }
  } finally {
    await progress.clear()
  }
  return totals.get()
}

/** A connection of its own: thousands of consignments may have to be asked about. */
export async function connectToAudit(deps: Needs): Promise<FreightApi> {
  try {
    const endpoint = await deps.endpoint("freight")
    return createFreightApi(await deps.connect("freight", endpoint, limitLongRun(deps)))
  } catch (error) {
    return adviseOffline(error)
  }
}

const OUT_OF_REACH = ["unavailable", "timeout", "rateLimited", "badReply", "unauthenticated", "config"]

/** Without the API an audit can say less, and still much. */
export function adviseOffline(error: unknown): never {
  if (!(error instanceof FreightError) || !OUT_OF_REACH.includes(error.kind)) throw error
  const hint = "--offline uses the ledger only."
  throw withOptions(error, { hint: error.hint === undefined ? hint : `${error.hint} ${hint}` })
}

export interface OutputTarget {
  stdout: OutputStream
  output: Output
}

const FILE_COLUMNS = 120

/** Writes to standard output, or to a file that is there whole or not at all. */
export async function writeOutput(
  deps: Needs,
  file: string | undefined,
  act: (target: OutputTarget) => Promise<void>,
): Promise<void> {
  const { terminal, output } = deps
  if (file === undefined || file === STDIN) return act({ stdout: terminal.stdout, output })
  const format = chooseFormat(deps, file, ["csv", "xlsx", "json", "ndjson", "html"])
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
