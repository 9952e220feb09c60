/** Findings in the rows of a sheet, grouped for people and programs. */
import type { ErrorDetail } from "../../base/errors.ts"
import { withHint } from "../../base/parsed.ts"

export interface RowFinding {
  /** As a spreadsheet numbers it, the headings being row 1; in JSON the rows are counted from 1. */
  row: number
  /** Line in the file on which the row begins, from 1. */
  line: number
  /** Header, or key of the object. */
  column?: string
  /** For grouping: `lost-zero`, `blanks`, `required`. */
  rule: string
  message: string
  hint?: string
  severity: "error" | "repaired" | "warning"
  /** The field that the row lacks. */
  missing?: string
}

/** A finding before its row is known. */
export type CellFinding = Omit<RowFinding, "row" | "line">

export function errorFinding(
  rule: string,
  message: string,
  more: Pick<CellFinding, "column" | "hint" | "missing"> = {},
): CellFinding {
  return { ...more, rule, message, severity: "error" }
}

interface GroupedFinding extends RowFinding {
  rows: string
  count: number
  /** Every row of the sheet has it. */
  isAll: boolean
}

export type RowsReport = ReturnType<typeof createRowsReport>

interface Group {
  note: RowFinding
  /** Rows as ranges: an error of every row of a long file takes one. */
  ranges: [first: number, last: number][]
}

/** Findings that differ only in their row are one; so are all repairs of a column. */
function buildGroupKey({ severity, column, rule, message, hint }: RowFinding): string {
  return JSON.stringify(
    severity === "repaired" ? [severity, column, rule] : [severity, column, rule, message, hint],
  )
}

export function createRowsReport() {
  const groups = new Map<string, Group>()
  const bad = new Set<number>()
  let total = 0
  let hasHeadings = false
  return {
    /** Numbers of rows with errors. A repeated reference makes an earlier row one of them. */
    bad: bad as ReadonlySet<number>,
    /** Row numbers count the headings. */
    get hasHeadings() {
      return hasHeadings
    },
    get total() {
      return total
    },
    add({ row, findings }: { row: number; findings: readonly RowFinding[] }): void {
      if (total === 0) hasHeadings = row > 1
      total++
      for (const note of findings) {
        if (note.severity === "error") bad.add(note.row)
        const key = buildGroupKey(note)
        const group = groups.get(key)
        if (!group) groups.set(key, { note, ranges: [[note.row, note.row]] })
        else extend(group.ranges, note.row)
      }
    },
    /** In order of appearance, errors before warnings before repairs. */
    list(): GroupedFinding[] {
      const order = ["error", "warning", "repaired"]
      const rank = ({ severity }: RowFinding) => order.indexOf(severity)
      return [...groups.values()]
        .toSorted((one, other) => rank(one.note) - rank(other.note) || one.note.row - other.note.row)
        .map(({ note, ranges }) => {
          const count = countRows(ranges)
          return { ...note, rows: shownRanges(ranges), count, isAll: count > 1 && count === total }
        })
    },
  }
}

/** Row numbers, in order, as ranges: `3, 7-9`. */
export function shownRows(rows: readonly number[]): string {
  const ranges: Group["ranges"] = []
  for (const row of rows) extend(ranges, row)
  return shownRanges(ranges)
}

function extend(ranges: Group["ranges"], row: number): void {
  const last = ranges.at(-1)
  if (!last || row > last[1] + 1 || row < last[0]) ranges.push([row, row])
  else last[1] = Math.max(last[1], row)
}

/** A person does not read more; the first are enough to see the mistake. */
const MAX_RANGES = 20

function shownRanges(ranges: Group["ranges"]): string {
  const shown = ranges.slice(0, MAX_RANGES)
  const text = shown.map(([first, last]) => (first === last ? first : `${first}-${last}`)).join(", ")
  const left = countRows(ranges) - countRows(shown)
  return left > 0 ? `${text} and ${left} more` : text
}

function countRows(ranges: Group["ranges"]): number {
  return ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0)
}

/** `row 7, receiver.postcode`. @param most maximum number of named rows; of more, only their number is given */
export function placeOf(found: GroupedFinding, most = Number.POSITIVE_INFINITY): string {
  const where = rowsText(found, most)
  return found.column === undefined ? where : `${where}, ${found.column}`
}

function rowsText({ row, rows, count, isAll }: GroupedFinding, most: number): string {
  if (isAll) return `all ${count} rows`
  if (count > most) return `${count} rows`
  return count > 1 ? `rows ${rows}` : `row ${row}`
}

/** Repairs that leave the meaning as it was. */
const HARMLESS = ["blanks", "apostrophe", "quotes", "state", "html"]
/** The rule of a number that was written in another unit than the field's. */
const UNIT = "unit"
const FEW = 3

/**
 * Warnings, a line each, and all repairs in one, for readers who want a few lines.
 * @param isMeant those of these rules only
 */
export function digestFindings(report: RowsReport, isMeant: (rule: string) => boolean): string[] {
  const list = report
    .list()
    .filter(({ rule }) => isMeant(rule))
    .filter((each) => each.severity !== "error" && !HARMLESS.includes(each.rule) && !isConversion(each))
  const repairs = list.filter(({ severity }) => severity === "repaired")
  const shown = repairs.length > 1 ? list.filter((each) => !repairs.includes(each)) : list
  const lines = shown.map((each) => `${placeOf(each, FEW)}: ${each.message}`)
  const repaired = repairs.map((each) => `${each.column ?? each.rule} in ${rowsText(each, FEW)}`)
  return repairs.length > 1 ? [...lines, `repaired: ${repaired.join("; ")}`] : lines
}

function isConversion({ severity, rule }: RowFinding): boolean {
  return severity === "repaired" && rule === UNIT
}

/** Conversions of numbers in other units, a line for each column: `Weight: 600 g, read as 0.6 kg (row 2)`. */
export function listConversions(report: RowsReport): string[] {
  return report
    .list()
    .filter(isConversion)
    .map((each) => `${each.column}: ${each.message} (${rowsText(each, FEW)})`)
}

export function errorsIn(report: RowsReport): ErrorDetail[] {
  return report
    .list()
    .filter(({ severity }) => severity === "error")
    .map(toErrorDetail)
}

function toErrorDetail(note: GroupedFinding): ErrorDetail {
  const { line, column, message, hint, rule } = note
  return {
    message: `${placeOf(note)}: ${withHint(message, hint)}`,
    ...(column !== undefined && { field: column }),
    code: rule,
    line,
  }
}
