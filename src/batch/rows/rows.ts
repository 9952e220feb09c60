/** Reads a batch in CSV, NDJSON or JSON as a stream. Memory holds only the references. */
import { type Moment, momentAt } from "../../contract/collection-times.ts"
import { quoted } from "../../contract/parsed.ts"
import { batchColumns, type Columns } from "../columns/columns.ts"
import type { BatchSource, Row, RowDefaults } from "./row.ts"
import { compose } from "./booking.ts"
import { checkedBooking } from "./check.ts"
import { type Draft, draftOf, type Note, problemOf } from "./cells.ts"
import { mappingOf } from "../columns/header.ts"
import { type WrittenRow, writtenRows } from "./written.ts"
import { wishOf } from "./service.ts"
import { EXAMPLE_REFERENCE } from "../columns/template.ts"

/**
 * Streams the rows of a source, each with every mistake in it; a row with mistakes does not end the stream.
 * @throws FreightError `input` when the source is no batch at all: not UTF-8, empty, columns that are not clear, a
 * quote or list that is never closed; `usage` when `--map` is wrong
 */
export async function* readRows(source: BatchSource, defaults: RowDefaults): AsyncGenerator<Row> {
  const columns = await batchColumns()
  const mapping = mappingOf(columns, defaults)
  const moment = momentAt(defaults.nowMs, defaults.allowPast)
  const earlier = new Map<string, { row: number; line: number }>()
  let row = 0
  for await (const input of writtenRows(source, mapping, defaults)) {
    row++
    const checked = checkedRow(columns, input, defaults, row, moment)
    const before = checked.reference === "" ? undefined : earlier.get(checked.reference)
    const column = input.cells.find(({ field }) => field.name === "reference")?.column
    if (before) yield repeated(checked, before, column)
    else {
      if (checked.reference !== "") earlier.set(checked.reference, { row, line: input.line })
      yield checked
    }
  }
}

function checkedRow(
  columns: Columns,
  input: WrittenRow,
  defaults: RowDefaults,
  row: number,
  moment: Moment,
): Row {
  const { line, written, cells, faults } = input
  const place = { row, line, cells: written }
  if (faults.some(({ rule }) => rule === "json" || rule === "ragged" || rule === "long")) {
    const residential = { collection: false, receiver: false }
    const notes = faults.map((note) => ({ ...note, row, line }))
    return { ...place, reference: "", residential, notes, booking: undefined, wish: undefined }
  }
  const draft = draftOf(cells, defaults)
  const composed = compose(draft, defaults)
  const { wish, carrier, notes: wishes } = wishOf(draft, defaults)
  const checked = checkedBooking(columns, draft, composed, { wish, carrier, moment })
  const reference = String(draft.values.get("reference")?.value ?? "")
  const found = [
    ...draft.notes,
    ...faults,
    ...referenceNotes(draft, reference, defaults),
    ...composed.notes,
    ...wishes,
    ...checked.notes,
  ]
  const order = new Map(written.map(([column], index) => [column, index]))
  const position = ({ column }: Note) => order.get(column ?? "") ?? written.length
  const notes = found
    .sort((one, other) => position(one) - position(other))
    .map((note) => ({ row, line, ...note }))
  const shared = { ...place, reference, residential: composed.residential, notes }
  const good = !notes.some(({ severity }) => severity === "error")
  const late = checked.late.map((note) => ({ row, line, ...note }))
  return good && checked.booking && wish
    ? { ...shared, booking: checked.booking, wish, late }
    : { ...shared, booking: undefined, wish }
}

function referenceNotes(draft: Draft, reference: string, { sandbox }: RowDefaults): Note[] {
  if (reference === "" && !draft.failed.has("reference")) {
    const hint = draft.columns.has("reference") ? "fill in the cell" : "add a column reference (or Order, PO)"
    return [
      problemOf(
        draft,
        "reference",
        "required",
        "reference is missing: it keeps a row from being booked twice",
        hint,
      ),
    ]
  }
  if (reference !== EXAMPLE_REFERENCE || sandbox) return []
  return [problemOf(draft, "reference", "example", "this is the template's example", "take the row out")]
}

/** A repeated reference makes both rows untrustworthy. */
function repeated(row: Row, before: { row: number; line: number }, column: string | undefined): Row {
  const shared = { ...(column !== undefined && { column }), rule: "unique", severity: "error" } as const
  const name = quoted(row.reference)
  const hint = "give each row a reference of its own; several packages of one consignment go into one row"
  const notes = [
    ...row.notes,
    {
      ...shared,
      row: row.row,
      line: row.line,
      hint,
      message: `the reference ${name} is also in row ${before.row} (line ${before.line})`,
    },
    {
      ...shared,
      ...before,
      hint,
      message: `the reference ${name} is also in row ${row.row} (line ${row.line})`,
    },
  ]
  return { ...row, notes, booking: undefined }
}
