/** Errors in rows, with the heading of the column that they are in. */
import { type CellFinding, errorFinding, type RowFinding } from "../../../input/index.ts"

/** The heading of a field's column; undefined if no column has the field. */
export type ColumnOf = (field: string) => string | undefined

export const FILL_IN = "fill it in, or take the row out"

/** The advice for a column that is in the way. */
export function leaveOut(columnOf: ColumnOf, field: string): string {
  return `leave the column out with --map "${columnOf(field) ?? field}="`
}

/** @param field the wrong field; undefined for the whole row */
export function errorAt(
  columnOf: ColumnOf,
  field: string | undefined,
  rule: string,
  message: string,
  hint?: string,
): CellFinding {
  const column = field === undefined ? undefined : columnOf(field)
  return errorFinding(rule, message, {
    ...(column !== undefined && { column }),
    ...(hint !== undefined && { hint }),
  })
}

/** As `errorAt`, in one row of a source. */
export function rowErrorAt(
  { columnOf }: { columnOf: ColumnOf },
  { row, line }: Pick<RowFinding, "row" | "line">,
  field: string | undefined,
  rule: string,
  message: string,
  hint?: string,
): RowFinding {
  return { row, line, ...errorAt(columnOf, field, rule, message, hint) }
}
