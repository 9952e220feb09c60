/** Pieces of SQL that several files need, and rows in parts and pages. */
import type { Columns, Row } from "./columns.ts"
import type { Database, DatabaseRow, Transaction } from "./database.ts"

/** For `in (…)` and `values (…)`. An empty list matches nothing; PostgreSQL does not accept `()`. */
export function placeholders(values: readonly unknown[]): string {
  return values.map(() => "?").join(", ") || "null"
}

/** `scope in (…)`, for an index that begins with the scope; all accounts that the ledger knows where none is given. */
export function withinScopes(scopes: readonly string[] | undefined, column = "scope"): string {
  return `${column} in (${scopes === undefined ? "select scope from api_keys" : placeholders(scopes)})`
}

/**
 * ` and scope in (…)`, beside a condition or an order with an index of its own. SQLite would prefer an index of scopes,
 * and read the whole account; an expression prevents that.
 */
export function inScopes(scopes: readonly string[] | undefined, column = "scope"): string {
  return scopes === undefined ? "" : ` and ${column} || '' in (${placeholders(scopes)})`
}

/**
 * The same for reading page by page in the order of times. PostgreSQL knows how many entries an account has from the
 * bare column only: for an expression it expects few, and would scan the whole table for each page.
 */
export function inScopesByTime(
  dialect: Database["dialect"],
  scopes: readonly string[] | undefined,
  column = "scope",
): string {
  return dialect === "postgres" && scopes ? ` and ${withinScopes(scopes, column)}` : inScopes(scopes, column)
}

/** Values of one statement: SQLite takes 32,766 parameters, PostgreSQL 65,535. */
const VALUES_AT_ONCE = 500
const ROWS_AT_ONCE = 64

/** A list in parts, each short enough for one statement. */
export function* inParts<T>(all: readonly T[], size = VALUES_AT_ONCE): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size)
}

/** The rows that a query gives for each part of many values: see `placeholders`. */
export async function queryInParts<T>(
  values: readonly T[],
  query: (part: readonly T[]) => Promise<DatabaseRow[]>,
): Promise<DatabaseRow[]> {
  const rows: DatabaseRow[] = []
  for (const part of inParts(values)) rows.push(...(await query(part)))
  return rows
}

export type Table =
  | "sends"
  | "api_keys"
  | "collected"
  | "barcodes"
  | "journeys"
  | "bills"
  | "billed"
  | "invoices"
  | "invoice_steps"
  | "places"
  | "dispatches"
  | "disputes"
  | "dispute_steps"
  | "credits"
  | "postings"
  | "clearing_moves"
  | "payments"
  | "links"
  | "desks"
  | "elsewhere"
  | "elsewhere_marks"

/**
 * Inserts rows that all have the same columns. Columns that are empty in all rows are left out: in libsql, binding a
 * value takes as long as writing it.
 * @param conflict how existing rows are handled; without it they are an error
 */
export async function insertRows(
  transaction: Pick<Transaction, "run">,
  table: Table,
  rows: readonly Row[],
  conflict = "",
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).filter((column) => rows.some((row) => row[column] !== null))
  const places = `(${placeholders(columns)})`
  for (const some of inParts(rows, ROWS_AT_ONCE))
    await transaction.run(
      `insert into ${table} (${columns.join(", ")}) values ${some.map(() => places).join(", ")}${conflict}`,
      some.flatMap((row) => columns.map((column) => row[column] ?? null)),
    )
}

/** Inserts records by the description of their columns. @param conflict as of `insertRows` */
export async function insertRecords<T>(
  transaction: Pick<Transaction, "run">,
  table: Table,
  columns: Pick<Columns<T>, "write">,
  records: readonly T[],
  conflict = "",
): Promise<void> {
  await insertRows(
    transaction,
    table,
    records.map((each) => columns.write(each)),
    conflict,
  )
}

/** Makes `insertRows` overwrite existing rows. @param keys the primary key */
export function replacing({ names }: Pick<Columns<object>, "names">, ...keys: readonly string[]): string {
  const updates = names.filter((name) => !keys.includes(name)).map((name) => `${name} = excluded.${name}`)
  return ` on conflict (${keys.join(", ")}) do update set ${updates.join(", ")}`
}

export const PAGE = 500

/**
 * Reads page after page, so that memory stays constant for a ledger of any size. @param read gets the last row that was
 * read
 */
export async function* pages<T>(
  read: (last: T | undefined, size: number) => Promise<T[]>,
  size = PAGE,
): AsyncGenerator<T[]> {
  for (let last: T | undefined; ; ) {
    const page = await read(last, size)
    if (page.length > 0) yield page
    if (page.length < size) return
    last = page.at(-1)
  }
}
