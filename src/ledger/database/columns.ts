/** Describes the columns of a table once: for its SQL, and to read and write its rows. */
import type { DatabaseRow, Value } from "./database.ts"

export type Row = Readonly<Record<string, Value>>

/**
 * The type of a column and its SQL: `text`, `integer`, `bigint`, `flag` (0 or 1) or `json`; with a name first if the
 * column is not named after its field (`created_at` for `createdAt`).
 */
type Column = string | readonly [name: string, type: string]

export interface Columns<T> {
  readonly names: readonly string[]
  /** As `create table` takes them. */
  readonly sql: string
  /** As `select` takes them, of a table that is called `alias`, with a prefix before each name. */
  select(alias: string, prefix?: string): string
  /**
   * A value for each column: null, or an unset flag, where the field is missing.
   * @param into gets them; a batch writes many rows, and to make one object of several takes longer than all the rest
   */
  write(value: T, into?: Record<string, Value>): Row
  /** The columns of the fields that are present. */
  writeGiven(value: Partial<T>): Row
  pick<K extends keyof T>(...fields: readonly K[]): Columns<Pick<T, K>>
  /** @param into gets the fields; a new object where there is none */
  read(row: DatabaseRow, prefix?: string, into?: object): T
}

export const SENDER_COLUMNS = { workstation: "text not null", person: "text not null" } as const

/** @param missing the value of a field whose column is null or was not selected; without it the field is missing */
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
  const write = (value: Partial<T>, into: Record<string, Value>, isPartial: boolean): Row => {
    for (const { field, name, type } of columns) {
      const given = value[field as keyof T]
      if (!isPartial || given !== undefined) into[name] = toValue(type, given)
    }
    return into
  }
  return {
    names: columns.map(({ name }) => name),
    sql: columns.map(({ sql }) => sql).join(",\n  "),
    select: (alias, prefix = "") =>
      columns.map(({ name }) => `${alias}.${name}${prefix && ` as ${prefix}${name}`}`).join(", "),
    write: (value, into = {}) => write(value, into, false),
    writeGiven: (value) => write(value, {}, true),
    pick: (...names) =>
      describeColumns(
        Object.fromEntries(names.map((name) => [name, fields[name]])) as Pick<
          typeof fields,
          (typeof names)[number]
        >,
      ),
    read(row, prefix = "", into = { ...missing }) {
      const value = into as Record<string, unknown>
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
