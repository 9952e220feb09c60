/** One description of a resource's columns feeds its table, its CSV and `--fields`. */

export interface Column<Row> {
  /** The field's dotted name, as `--fields` and the CSV header have it: `receiver.suburb`. */
  key: string
  /** Heading in the table. */
  title: string
  /** What the table shows, where that is not the bare value. */
  show?: (row: Row) => string
  /** What CSV holds, where that is not the value at `key`. */
  value?: (row: Row) => unknown
  align?: "left" | "right"
  /** Only in CSV and on request: left out of the table by default. */
  hidden?: boolean
  /** Left out of a table that is too wide for the terminal: the greatest number first. */
  spare?: number
}

/** The value at a dotted path, or undefined: `a.b`, `packages.0.count`. Own properties only. */
export function valueAt(row: unknown, path: string): unknown {
  let value: unknown = row
  for (const part of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined
    value = (value as Record<string, unknown>)[part]
  }
  return value
}

/** The value of a column for a row, as CSV and `--fields` hold it. */
export function columnValue<Row>(column: Column<Row>, row: Row): unknown {
  return column.value ? column.value(row) : valueAt(row, column.key)
}
