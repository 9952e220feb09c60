/** The mistakes of a batch, for a person and for a program. */
import { type ErrorDetail, FreightError } from "../../errors.ts"
import type { Row, RowNote } from "./row.ts"

/** A note with how many rows say the very same; the others' numbers are in `rows`. */
interface ToldNote extends RowNote {
  /** Every row that it holds for, as `1-40, 44`. */
  rows: string
  count: number
}

export interface RowsReport {
  add(row: Pick<Row, "row" | "notes">): void
  /** Rows so far. */
  readonly total: number
  /** Rows that cannot be booked, by their number: an earlier row may become one when its reference comes again. */
  readonly bad: ReadonlySet<number>
  /** Notes in the order in which they first came, errors before warnings before repairs. */
  told(): ToldNote[]
}

interface Group {
  note: RowNote
  /** Rows in ranges, so that what is wrong with every row of a long file takes one. */
  ranges: [first: number, last: number][]
}

/** Notes that differ in nothing but their row are one; repairs of a column are one whatever they repaired. */
function keyOf({ severity, column, rule, message, hint }: RowNote): string {
  return JSON.stringify(
    severity === "repaired" ? [severity, column, rule] : [severity, column, rule, message, hint],
  )
}

/** A report with nothing in it yet: rows are added as they are read. */
export function rowsReport(): RowsReport {
  const groups = new Map<string, Group>()
  const bad = new Set<number>()
  let total = 0
  return {
    bad,
    get total() {
      return total
    },
    add({ notes }) {
      total++
      for (const note of notes) {
        if (note.severity === "error") bad.add(note.row)
        const key = keyOf(note)
        const group = groups.get(key)
        if (!group) groups.set(key, { note, ranges: [[note.row, note.row]] })
        else extend(group.ranges, note.row)
      }
    },
    told() {
      const order = ["error", "warning", "repaired"]
      const rank = ({ severity }: RowNote) => order.indexOf(severity)
      return [...groups.values()]
        .toSorted((one, other) => rank(one.note) - rank(other.note) || one.note.row - other.note.row)
        .map(({ note, ranges }) => ({ ...note, rows: shownRanges(ranges), count: countOf(ranges) }))
    },
  }
}

function extend(ranges: Group["ranges"], row: number): void {
  const last = ranges.at(-1)
  if (!last || row > last[1] + 1 || row < last[0]) ranges.push([row, row])
  else last[1] = Math.max(last[1], row)
}

function shownRanges(ranges: Group["ranges"]): string {
  return ranges.map(([first, last]) => (first === last ? first : `${first}-${last}`)).join(", ")
}

function countOf(ranges: Group["ranges"]): number {
  return ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0)
}

/** The notes as an error, when there are rows that cannot be booked: what `--json` prints on standard error. */
export function rowsRefused(file: string, report: RowsReport): FreightError | undefined {
  const { size } = report.bad
  if (size === 0) return undefined
  const errors = report
    .told()
    .filter(({ severity }) => severity === "error")
    .map(detailOf)
  return new FreightError(
    "input",
    `${file}: ${size} of ${report.total} rows cannot be booked; nothing was sent`,
    {
      errors,
      hint: "Mend them and run this again, or book the others with --skip-invalid.",
    },
  )
}

/** `row 7, receiver.postcode`. */
export function placeOf({ row, rows, count, column }: ToldNote): string {
  const where = count > 1 ? `rows ${rows}` : `row ${row}`
  return column === undefined ? where : `${where}, ${column}`
}

function detailOf(note: ToldNote): ErrorDetail {
  const { line, column, message, hint, rule } = note
  return {
    message: `${placeOf(note)}: ${message}${hint === undefined ? "" : `: ${hint}`}`,
    ...(column !== undefined && { field: column }),
    code: rule,
    line,
  }
}
