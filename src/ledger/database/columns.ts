/** Describes the columns of a table once: for its SQL, and to read and write its rows. */
import type { DatabaseRow, Value } from "./database.ts"

export type Row = Readonly<Record<string, Value>>

/**
 * The type of a column and what SQL says besides: `text`, `integer`, `bigint`, `flag` (0 or 1) or `json`. With a name in
 * front where it is not that of the field, which is `created_at` for `createdAt`.
 */
type Column = string | readonly [name: string, type: string]

export interface Columns<T> {
  readonly names: readonly string[]
  /** As `create table` takes them. */
  readonly sql: string
  /** As `select` takes them, of a table that is called `alias`, with a prefix before each name. */
  select(alias: string, prefix?: string): string
  /** A value for each column: null, or a flag that is not set, where the field is missing. */
  write(value: T): Row
  /** Puts them into a row: a batch writes many, and to make one object of several takes longer than all the rest. */
  writeInto(row: Record<string, Value>, value: T): void
  /** The columns of the fields that are there. */
  writeGiven(value: Partial<T>): Row
  read(row: DatabaseRow, prefix?: string): T
}

/** @param missing what a field is whose column is null or was not selected; without it the field is missing */
export function describeColumns<T extends object>(
  fields: Record<keyof T, Column>,
  missing: Partial<T> = {},
): Columns<T> {
  const columns = Object.entries<Column>(fields).map(([field, column]) => {
    const [name, sql] =
      typeof column === "string" ? [field.replace(/[A-Z]/g, "_$&").toLowerCase(), column] : column
    const [type = ""] = sql.split(" ")
    return { field, name, type, sql: `${name} ${sql.replace(/^flag/, "integer").replace(/^json/, "text")}` }
  })
  const writeInto = (row: Record<string, Value>, value: T) => {
    for (const { field, name, type } of columns) row[name] = toValue(type, value[field as keyof T])
  }
  return {
    names: columns.map(({ name }) => name),
    sql: columns.map(({ sql }) => sql).join(",\n  "),
    select: (alias, prefix = "") =>
      columns.map(({ name }) => `${alias}.${name}${prefix && ` as ${prefix}${name}`}`).join(", "),
    write(value) {
      const row = {}
      writeInto(row, value)
      return row
    },
    writeInto,
    writeGiven: (value) =>
      Object.fromEntries(
        columns
          .filter(({ field }) => value[field as keyof T] !== undefined)
          .map(({ field, name, type }) => [name, toValue(type, value[field as keyof T])]),
      ),
    read(row, prefix = "") {
      const value: Record<string, unknown> = { ...missing }
      for (const { field, name, type } of columns) {
        const stored = row[prefix + name]
        if (stored != null) value[field] = fromValue(type, stored)
      }
      return value as T
    },
  }
}

function toValue(type: string, value: unknown): Value {
  if (type === "flag") return value ? 1 : 0
  if (value === undefined) return null
  return type === "json" ? JSON.stringify(value) : (value as Value)
}

/** PostgreSQL gives a bigint as a text. */
function fromValue(type: string, stored: string | number): unknown {
  switch (type) {
    case "flag":
      return stored === 1
    case "json":
      return JSON.parse(String(stored))
    case "text":
      return String(stored)
    default:
      return Number(stored)
  }
}
