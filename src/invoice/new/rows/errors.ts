/** Errors in rows, with the heading of the column that they are in. */
import { type CellFinding, errorFinding, type RowFinding } from "../../../sheets/findings.ts"

/** The heading of a field's column; undefined where no column has the field. */
export type ColumnOf = (field: string) => string | undefined

export const FILL_IN = "fill it in, or take the row out"

/** What to do with a column that is in the way. */
export function leaveOut(columnOf: ColumnOf, field: string): string {
  return `leave the column out with --map "${columnOf(field) ?? field}="`
}

export function errorAt(
  columnOf: ColumnOf,
  field: string,
  rule: string,
  message: string,
  hint: string,
): CellFinding {
  return withColumn(columnOf, field, errorFinding(rule, message, { hint }))
}

/** A finding at a row; `field` is undefined where it concerns no column, or names it already. */
export function findingAt(
  { columnOf }: { columnOf: ColumnOf },
  { row, line }: Pick<RowFinding, "row" | "line">,
  field: string | undefined,
  finding: CellFinding,
): RowFinding {
  return { row, line, ...(field === undefined ? finding : withColumn(columnOf, field, finding)) }
}

function withColumn(columnOf: ColumnOf, field: string, finding: CellFinding): CellFinding {
  const column = columnOf(field)
  return { ...finding, ...(column !== undefined && { column }) }
}
