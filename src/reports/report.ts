/** The common machinery of reports: one literal in a separate file says what a report reads and shows. */
import { formatDate, addDays, instantOf, wallClockNow } from "../base/wall-clock.ts"
import { FreightError } from "../base/errors.ts"
import { parsePast } from "../base/past.ts"
import {
  chooseFileFormat,
  type CommandDefinition,
  findFileFormat,
  type Flag,
  type Flags,
  FORCE_FLAG,
  type OptionsOf,
  OUTPUT,
  writeOutput,
} from "../command/index.ts"
import type { Deps, Memory, Services, Session } from "../session/index.ts"
import type { Store } from "../ledger/index.ts"
import {
  type Column,
  FORMATS,
  type Plot,
  print,
  type Table,
  toHeading,
  toNotes,
  toTableRow,
} from "../output/index.ts"

type Needs = Memory & Services & Session

export const REPORT_FORMATS = [...FORMATS, "html"] as const

export const HTML_NOTES = `--format takes ${REPORT_FORMATS.join(", ")}.
An html page is one file that needs nothing else, and can be mailed and printed.`

/** The format of a report's file by default. */
const PAGE = "html"
const DEFAULT_SINCE = "90d"

/** @param subjects the report's subjects, in the plural: `bookings` */
const describeSpanFlags = (subjects: string) =>
  ({
    since: {
      takes: "<when>",
      about: `${subjects} since then: 2026-11-01, 1 Nov, 7d, 4w (default: ${DEFAULT_SINCE})`,
    },
    until: { takes: "<when>", about: `${subjects} up to then; a day counts whole (default: now)` },
    output: {
      ...OUTPUT,
      writes: "report",
      about:
        "write the report to a file: an HTML page with charts, unless its ending is csv, xlsx, json or ndjson",
    },
    ...FORCE_FLAG,
  }) as const satisfies Flags

type SpanOptions = OptionsOf<ReturnType<typeof describeSpanFlags>>

export interface Span {
  scopes: readonly string[] | undefined
  /** Milliseconds since the epoch: inclusive start, exclusive end. */
  since: number
  until: number
}

interface Sources extends Pick<Session, "settings"> {
  store: Store
  span: Span
}

interface ReportDefinition<F extends Flags>
  extends Pick<CommandDefinition, "about" | "columns" | "examples"> {
  /** In addition to `--since`, `--until`, `--output` and `--force`, and listed before them. */
  flags?: F
  /** The subjects that `--since` and `--until` select; by default bookings. */
  subjects?: string
  read(sources: Sources, options: OptionsOf<F>): Promise<Sheet>
}

/** A command that reads the ledger for a period, and prints a sheet or writes it to a file. */
export function report<const F extends Flags = Record<never, Flag>>({
  flags,
  subjects = "bookings",
  read,
  ...words
}: ReportDefinition<F>): CommandDefinition {
  return {
    ...words,
    flags: { ...flags, ...describeSpanFlags(subjects) },
    formats: REPORT_FORMATS,
    notes: HTML_NOTES,
    async run(deps: Deps, options: OptionsOf<F> & SpanOptions) {
      const times = await readSpan(deps, options)
      const { store, scopes } = await deps.readLedger()
      const span = { ...times, scopes }
      const { write } = await read({ store, span, settings: deps.settings }, options)
      await write(deps, options.output, span)
      return undefined
    },
  }
}

interface SheetContent<Row, Known, Details> {
  title: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  /** How much the report knows about the bookings, in numbers. */
  known: Known
  /** Additional JSON data, besides span, rows and `known`. */
  details?: Details
  bar?: {
    rank: number
    /** Characters of a full bar. */
    longest: number
    /** From 0 to 1; undefined for no bar. */
    getPart(row: Row): number | undefined
  }
  /** The text if there are no rows. */
  empty?: string
  /** The data that the report relies on, a sentence each. */
  notes: readonly string[]
  plots?: readonly Omit<Plot, "kind">[]
}

/** The result of `read`: the rows of each sheet have their own type. */
interface Sheet {
  /** @param file undefined for standard output */
  write(deps: Needs, file: string | undefined, span: Span): Promise<void>
}

/** Checks a sheet, and keeps the types of its rows, which `--json-schema` is generated from. */
export function sheet<Row, Known extends object, Details extends object>(
  content: SheetContent<Row, Known, Details>,
): Sheet {
  return { write: (deps, file, span) => writeSheet(deps, file, span, content) }
}

async function writeSheet<Row, Known extends object, Details extends object>(
  deps: Needs,
  file: string | undefined,
  span: Span,
  { title, rows, columns, known, bar, notes, plots = [], ...more }: SheetContent<Row, Known, Details>,
): Promise<void> {
  const { empty = `Nothing was booked from ${formatSpan(span)}.`, details = {} as Details } = more
  await writeOutput(
    deps,
    file,
    async ({ stdout, output }) => {
      if ((output.format as string) === "html") {
        const { renderHtml } = await import("../output/pages/html.ts")
        const head = {
          title: `${title}, ${formatSpan(span)}`,
          notes: toNotes(rows.length > 0 ? notes : [empty]),
        }
        await stdout.write(renderHtml({ ...head, blocks: describeBlocks(rows, columns, plots) }))
        return
      }
      const toMoment = (instant: number) => new Date(instant).toISOString()
      const [since, until] = [toMoment(span.since), toMoment(span.until)]
      const summary = { since, until, ...details, known }
      const isTable = output.format === "table"
      const shown =
        isTable && !output.fields && bar ? [...columns, toBarColumn(deps.terminal.unicode, bar)] : columns
      await print(
        { terminal: { ...deps.terminal, stdout }, output, warnings: deps.warnings, signal: deps.signal },
        { summary, rows, columns: shown, empty },
      )
      if (isTable && rows.length > 0) for (const note of notes) await deps.note(note)
    },
    PAGE,
  )
  if (file !== undefined && file !== "-") await deps.note(`Written to ${file}.`)
}

function describeBlocks<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  plots: readonly Omit<Plot, "kind">[],
): (Plot | Table)[] {
  if (rows.length === 0) return []
  const drawn = plots.filter(({ bars }) => bars.length > 0).map((plot): Plot => ({ kind: "plot", ...plot }))
  const lines = rows.map((row) => toTableRow(columns, row))
  return [...drawn, { kind: "table", columns: toHeading(columns), rows: lines }]
}

function toBarColumn<Row>(
  unicode: boolean,
  { rank, longest, getPart }: NonNullable<SheetContent<Row, never, never>["bar"]>,
): Column<Row> {
  return {
    key: "bar",
    value: () => undefined,
    title: "",
    rank,
    gives: "nothing",
    brief: (bar) => bar.slice(0, Math.ceil(bar.length / 2)),
    show: (row) =>
      (unicode ? "█" : "#").repeat(Math.round(Math.min(Math.max(getPart(row) ?? 0, 0), 1) * longest)),
  }
}

export type Bar = Omit<Plot["bars"][number], "label">

/**
 * A chart with a bar for each row with a known value.
 * @param most the value of a full bar; by default that of the longest
 */
export function plotRows<Row>(
  title: string,
  rows: readonly Row[],
  toLabel: (row: Row) => string,
  toBar: (row: Row) => Bar | undefined,
  most?: number,
): Omit<Plot, "kind"> {
  const bars = rows.flatMap((row) => {
    const bar = toBar(row)
    return bar ? [{ label: toLabel(row), ...bar }] : []
  })
  return { title, bars, ...(most !== undefined && { most }) }
}

/** Reads start and end, and refuses a file that cannot be written. */
async function readSpan(
  deps: Needs,
  { since = DEFAULT_SINCE, until, output }: SpanOptions,
): Promise<Omit<Span, "scopes">> {
  const format = chooseFileFormat(deps, output, PAGE)
  const named = output === undefined ? undefined : findFileFormat(output)
  if (named !== undefined && named !== format)
    throw new FreightError(
      "usage",
      `${output} is the name of ${named}, and --format says ${format}: leave one out`,
    )
  if (deps.output.fields && format === "html")
    throw new FreightError("usage", "--fields does not apply to an HTML page")
  const now = await deps.serviceNow()
  const from = parsePast(since, "--since", now)
  const to = until === undefined ? now + 1 : getEndOfSpan(parsePast(until, "--until", now))
  if (from >= to) throw new FreightError("usage", "--since must be before --until")
  return { since: from, until: to }
}

/** The end of a day whose start is given. */
function getEndOfSpan(instant: number): number {
  const local = wallClockNow(instant)
  const isMidnight = local.hour + local.minute + local.second === 0
  return isMidnight ? instantOf(addDays(local, 1)) : instant
}

/** The first and the last day of a span, by this machine's clock: `yyyy-mm-dd`. */
export function toDays({ since, until }: Span): { since: string; until: string } {
  const day = (instant: number) => formatDate(wallClockNow(instant))
  return { since: day(since), until: day(until - 1) }
}

/** `2026-11-01 to 2026-11-22`, by this machine's clock. */
export function formatSpan(span: Span): string {
  const { since, until } = toDays(span)
  return `${since} to ${until}`
}
