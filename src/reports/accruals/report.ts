import path from "node:path"
import {
  ACCRUAL_COLUMNS,
  type AccrualRow,
  type AccrualSpan,
  type AccrualsRead,
  type AccrualTotals,
  accrualPages,
  createAccrualTotals,
  describeAccruals,
  formatAccrualsRead,
} from "./accruals.ts"
import type { JournalOptions } from "./journal.ts"
import { adviseOffline, BILL_CURRENCY, connectToAudit, type Program, PROGRAMS } from "../../bills/index.ts"
import { counted } from "../../base/counted.ts"
import { FreightError } from "../../base/errors.ts"
import { amountOf, formatMoney } from "../../base/money.ts"
import { valueOrThrow } from "../../base/parsed.ts"
import { addDays, formatDate, instantOf, parseDate, wallClockNow } from "../../base/wall-clock.ts"
import { parseDay } from "../../base/when.ts"
import { PAST, parsePast } from "../../base/past.ts"
import {
  command,
  type Flags,
  FORCE_FLAG,
  nonEmpty,
  type OptionsOf,
  OUTPUT,
  writeOutput,
} from "../../command/index.ts"
import type { Deps, Session } from "../../session/index.ts"
import {
  createProgress,
  createSpool,
  printPages,
  type Spool,
  toHeading,
  toNotes,
  toTableRow,
  UNFINISHED,
} from "../../output/index.ts"
import { HTML_NOTES, REPORT_FORMATS } from "../report.ts"

export const ACCRUAL_FLAGS = {
  since: { takes: "<when>", about: `booked since then: ${PAST}`, read: parsePast },
  offline: {
    about: "do not ask the API: what was cancelled, booked elsewhere or never collected is not checked",
  },
  output: {
    ...OUTPUT,
    writes: "report",
    about: "write the report to a file; its ending chooses the format",
  },
  ...FORCE_FLAG,
} as const satisfies Flags

/** Flags that only `freight report accruals` has. */
const JOURNAL_FLAGS = {
  asAt: {
    takes: "<day>",
    about:
      "as it was known at the end of that day, whatever was booked or audited since: 30 Nov (default: now)",
  },
  for: {
    takes: "<program>",
    about:
      "write the journal for this accounting program, without GST, and its reversal on the first of the next month: xero, myob (AccountRight) or quickbooks (Online); -o names its file",
    choices: PROGRAMS,
  },
  account: {
    takes: "<text>",
    about: "with --for: account of freight, by its name for QuickBooks (default: the setting freightAccount)",
    read: nonEmpty,
    needs: "for",
  },
  accrued: {
    takes: "<text>",
    about: "with --for: account of what is owed and not billed yet (default: the setting accrualAccount)",
    read: nonEmpty,
    needs: "for",
  },
  unknownGst: {
    takes: "<basis>",
    about: "with --for: whether quotes that do not say it hold GST: included or excluded",
    choices: ["included", "excluded"],
    needs: "for",
  },
  tracking: {
    takes: "<name>",
    about: "with --for xero: the tracking category for cost centres (default: Cost Centre)",
    read: nonEmpty,
    needs: "for",
  },
} as const satisfies Flags

export default command({
  about:
    "Lists what was booked but is not on any audited bill yet, with its totals by GST basis. Cancelled bookings, and those that the receiver or a third party pays, are left out. It is the same as freight audit --accruals.",
  flags: { ...ACCRUAL_FLAGS, ...JOURNAL_FLAGS },
  formats: REPORT_FORMATS,
  columns: ACCRUAL_COLUMNS,
  examples: [
    "freight report accruals --sandbox",
    "freight report accruals --sandbox --since 30d -o accruals.csv",
    "freight report accruals --sandbox --as-at yesterday --for xero --account 429 --accrued 801 --unknown-gst excluded -o journal.csv",
  ],
  notes: HTML_NOTES,
  run: async (deps, options) => void (await printAccruals(deps, options)),
})

type AccrualOptions = OptionsOf<typeof ACCRUAL_FLAGS> & Partial<OptionsOf<typeof JOURNAL_FLAGS>>

/** Prints, or writes to a file, the bookings on no audited bill, in constant memory. */
export async function printAccruals(deps: Deps, options: AccrualOptions): Promise<void> {
  const { since, offline, output: file, asAt, for: program } = options
  const now = () => wallClockNow(deps.clock.now())
  const day = asAt === undefined ? undefined : valueOrThrow(parseDay(asAt, now, "past"), "--as-at")
  const span = { since, before: day === undefined ? undefined : getEndOfDay(day) }
  if (span.before !== undefined && since !== undefined && since >= span.before)
    throw new FreightError("usage", "--since must be before --as-at")
  const accounts = program && findAccounts(deps, options)
  const spool = createSpool<AccrualRow>(path.join(deps.stateDir, UNFINISHED), deps.signal)
  try {
    const totals = await readAccruals(deps, spool, span, offline === true).catch(adviseOffline)
    const lines = describeAccruals(totals, { isOffline: offline === true, day })
    if (program && accounts) {
      await printJournal(deps, options, { program, accounts, spool, day: day ?? formatDate(now()) })
      if (file === undefined || file === "-") return
    }
    const empty = "Everything that was booked is on an audited bill."
    await writeOutput(deps, program ? undefined : file, async ({ stdout, output }) => {
      if ((output.format as string) === "html") {
        const notes = totals.consignments > 0 ? lines : [empty]
        for await (const piece of drawPage(notes, spool.pages())) await stdout.write(piece)
        return
      }
      await printPages(
        { terminal: { ...deps.terminal, stdout }, output, warnings: deps.warnings, signal: deps.signal },
        { summary: { totals }, pages: spool.pages, columns: ACCRUAL_COLUMNS, empty },
      )
      if (output.format === "table" && totals.consignments > 0) await stdout.write(`${lines.join("\n")}\n`)
    })
  } finally {
    await spool.close()
  }
}

/** Writes the HTML page in pieces, so that a list of any length fits in memory. @param notes also says that there are no rows */
async function* drawPage(
  notes: readonly string[],
  pages: AsyncIterable<readonly AccrualRow[]>,
): AsyncGenerator<string> {
  const { createHtmlPage, createHtmlTable } = await import("../../output/pages/html.ts")
  const page = createHtmlPage({ title: "Booked and not yet billed", notes: toNotes(notes) })
  const table = createHtmlTable(toHeading(ACCRUAL_COLUMNS))
  let hasRows = false
  yield `${page.begin}`
  for await (const rows of pages) {
    if (!hasRows && rows.length > 0) yield `${table.begin}`
    hasRows ||= rows.length > 0
    yield rows.map((row) => `${table.row(toTableRow(ACCRUAL_COLUMNS, row))}`).join("")
  }
  yield `${hasRows ? table.end : ""}${page.end}`
}

/** The first instant of the next day, by this machine's clock. @param day `yyyy-mm-dd` */
function getEndOfDay(day: string): number {
  const date = valueOrThrow(parseDate(day), "--as-at")
  return instantOf({ ...addDays(date, 1), hour: 0, minute: 0, second: 0 })
}

function findAccounts({ settings }: Session, { account, accrued, tracking }: AccrualOptions): JournalOptions {
  const need = (value: string | undefined, flag: string, setting: string, what: string) => {
    if (value !== undefined) return value
    throw new FreightError("usage", `no account is given for ${what}: give it with ${flag}`, {
      hint: `Or for always: freight config set ${setting} ACCOUNT. Nothing was written.`,
    })
  }
  return {
    expense: need(account ?? settings.value("freightAccount"), "--account", "freightAccount", "freight"),
    accrued: need(
      accrued ?? settings.value("accrualAccount"),
      "--accrued",
      "accrualAccount",
      "what is owed and not billed yet",
    ),
    tracking: tracking ?? "Cost Centre",
  }
}

async function printJournal(
  deps: Deps,
  { output: file = "-", unknownGst }: AccrualOptions,
  {
    program,
    accounts,
    spool,
    day,
  }: { program: Program; accounts: JournalOptions; spool: Spool<AccrualRow>; day: string },
): Promise<void> {
  const { createJournalSums, findReversalDay, writeJournal } = await import("./journal.ts")
  const sums = createJournalSums(unknownGst)
  for await (const rows of spool.pages()) sums.add(rows)
  const { cents, left } = sums.get()
  if (left.unknown > 0)
    throw new FreightError(
      "input",
      `${counted(left.unknown, "quote")} ${left.unknown === 1 ? "does" : "do"} not say whether GST is in ${left.unknown === 1 ? "it" : "them"}, and a journal is without GST`,
      { hint: "Say so: --unknown-gst included, or excluded. Nothing was written." },
    )
  const text = writeJournal(program, cents, day, accounts)
  if (file === "-") await deps.terminal.stdout.write(text)
  else await deps.outputs.write(file, text)
  const all = [...cents.values()].reduce((sum, each) => sum + each, 0)
  await deps.note(
    `Journal of ${formatMoney(amountOf(all), BILL_CURRENCY)} without GST on ${day}, and its reversal on ${findReversalDay(day)}${file === "-" ? "" : `, in ${file}`}.`,
  )
  if (left.others > 0)
    await deps.warn(
      `${counted(left.others, "consignment")} without a price in ${BILL_CURRENCY} ${left.others === 1 ? "is" : "are"} not in the journal`,
    )
}

/** Reads everything before printing: a booking or audit in between must not separate the rows from their totals. */
async function readAccruals(
  deps: Deps,
  spool: Spool<AccrualRow>,
  span: AccrualSpan,
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
    for await (const rows of accrualPages({ store, scopes, api, onRead }, span)) {
      totals.add(rows)
      await spool.add(rows)
    }
  } finally {
    await progress.clear()
  }
  return totals.get()
}
