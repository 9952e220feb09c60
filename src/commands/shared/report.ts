/** What the reports share: their span of time, and how they are written. */
import type { Command } from "commander"
import { formatCents } from "../../contract/money.ts"
import { formatDate, instantOf, wallClockNow, addDays } from "../../contract/wall-clock.ts"
import type { Deps } from "../../deps.ts"
import { FreightError } from "../../errors.ts"
import type { GstBasis } from "../../ledger/entry.ts"
import type { Span } from "../../report/read.ts"
import type { Column } from "../../terminal/columns.ts"
import { FORMATS, print } from "../../terminal/view.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import type { Html } from "../../terminal/html.ts"
import { parsePast } from "./past.ts"

export const REPORT_FORMATS = [...FORMATS, "html"] as const

export interface ReportFlags {
  since?: string
  until?: string
  output?: string
  force?: boolean
}

const DEFAULT_SINCE = "90d"

export function addReportFlags(command: Command): Command {
  return command
    .option("--since <when>", `bookings from then on: 2026-11-01, 1 Nov, 7d, 4w (default: ${DEFAULT_SINCE})`)
    .option("--until <when>", "bookings up to then; a day counts whole (default: now)")
    .option("-o, --output <file>", "write the report as an HTML page, with charts, to this file")
    .option("--force", "overwrite a file that freight did not write")
}

export const HTML_HELP = `
--format takes ${REPORT_FORMATS.join(", ")}. An html page is one file that
needs nothing else, and can be mailed and printed.`

/** @throws FreightError `usage` */
export async function spanOf(
  deps: Deps,
  { since = DEFAULT_SINCE, until }: ReportFlags,
): Promise<Omit<Span, "scopes">> {
  const now = await deps.serviceNow()
  const from = parsePast(since, "--since", now)
  const to = until === undefined ? now + 1 : getEndOfSpan(parsePast(until, "--until", now))
  if (from >= to) throw new FreightError("usage", "--since must be before --until")
  return { since: from, until: to }
}

/** The end of a day, where an instant is its start. */
function getEndOfSpan(instant: number): number {
  const local = wallClockNow(instant)
  const isMidnight = local.hour + local.minute + local.second === 0
  return isMidnight ? instantOf(addDays(local, 1)) : instant
}

/** `2026-11-01 to 2026-11-22`, by this machine's clock. */
export function spanText({ since, until }: Omit<Span, "scopes">): string {
  const day = (instant: number) => formatDate(wallClockNow(instant))
  return `${day(since)} to ${day(until - 1)}`
}

const BASES: Readonly<Record<GstBasis, string>> = {
  excluded: "+ GST",
  included: "GST included",
  unknown: "GST not stated",
}

export function basisText(basis: GstBasis | ""): string {
  return basis === "" ? "" : BASES[basis]
}

/** Totals of each basis and currency, which must not be added to each other. */
export function totalsText(
  rows: readonly { cents: number; count: number; currency: string; gstBasis: GstBasis | "" }[],
): string {
  const totals = new Map<string, { cents: number; count: number }>()
  for (const { cents, count, currency, gstBasis } of rows) {
    if (gstBasis === "") continue
    const key = `${currency}\n${basisText(gstBasis)}`
    const before = totals.get(key) ?? { cents: 0, count: 0 }
    totals.set(key, { cents: before.cents + cents, count: before.count + count })
  }
  return Array.from(totals, ([key, { cents, count }]) => {
    const [currency = "", basis = ""] = key.split("\n")
    const amount = `${currency} ${formatCents(cents)}`
    return `${basis.startsWith("+") ? `${amount} ${basis}` : `${amount}, ${basis}`} (${count})`
  }).join("; ")
}

/** How a column shows the GST basis of its row. */
export const GST = {
  gives: "nothing",
  show: ({ gstBasis }: { gstBasis: GstBasis | "" }) => basisText(gstBasis),
  brief: (text: string) => text.replace(/^GST /, ""),
} as const

/** A bar of at most that many characters. @param part from 0 to 1 */
export function barOf(part: number, longest: number, { unicode }: Pick<Terminal, "unicode">): string {
  return (unicode ? "█" : "#").repeat(Math.round(Math.min(Math.max(part, 0), 1) * longest))
}

/** Half a bar, where a terminal is narrow. */
export function shortBar(bar: string): string {
  return bar.slice(0, Math.ceil(bar.length / 2))
}

interface Page<Row> {
  title: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  /** What the report rests on, a sentence each. */
  notes: readonly string[]
  empty: string
  plots?(): Html[]
}

interface Report<Row> extends Page<Row> {
  /** The whole, as JSON. */
  json: unknown
}

/** Prints a report, or writes its page to a file. @throws FreightError `usage` for --output with another format */
export async function writeReport<Row>(
  deps: Deps,
  { output, force }: ReportFlags,
  report: Report<Row>,
): Promise<void> {
  const format: string = deps.output.format
  if (format === "html" || output !== undefined) {
    const file = output ?? "-"
    const page = await buildPage(report)
    await deps.outputs.check(file, force)
    await deps.outputs.write(file, page)
    if (file !== "-") await deps.note(`Written to ${file}.`)
    return
  }
  const { title: _, notes, plots: __, ...view } = report
  await print(deps, view)
  if (format === "table" && report.rows.length > 0) for (const note of notes) await deps.note(note)
}

/** Refuses, before anything is read, what cannot be written. */
export async function checkReportOutput(deps: Deps, { output, force }: ReportFlags): Promise<void> {
  const format: string = deps.output.format
  if (deps.output.fields && (format === "html" || output !== undefined))
    throw new FreightError("usage", "--fields does not apply to an HTML page, which has all fields")
  if (output === undefined) return
  if (format !== "html" && format !== "table")
    throw new FreightError(
      "usage",
      `-o writes an HTML page: leave out --format ${format}, or write > ${output}`,
    )
  await deps.outputs.check(output, force)
}

/** A report as one HTML page. */
export async function buildPage<Row>(report: Page<Row>): Promise<string> {
  const { title, rows, columns, notes, empty, plots } = report
  const { createHtmlPage, createHtmlTable, html } = await import("../../terminal/html.ts")
  const { begin, end } = createHtmlPage(title)
  const table = createHtmlTable(columns)
  const told = (rows.length === 0 ? [empty] : notes).map(
    (note) => html`<p>${note}</p>
`,
  )
  const body =
    rows.length === 0 ? html`` : html`${plots?.() ?? []}${table.begin}${rows.map(table.row)}${table.end}`
  return `${begin}${html`${told}`}${body}${end}`
}
