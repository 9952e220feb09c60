/** Pieces of SQL that several files need. */
import type { Row, Statements, Transaction, Value } from "./database.ts"

export function marks(values: readonly unknown[]): string {
  return values.map(() => "?").join(", ")
}

/** PostgreSQL takes 65,535 parameters in a statement. */
const ROWS_AT_ONCE = 64

/** Inserts rows of `sends`, all with the same columns. */
export async function insert(
  transaction: Transaction,
  rows: readonly Readonly<Record<string, Value>>[],
): Promise<void> {
  const [first] = rows
  if (!first) return
  const columns = Object.keys(first)
  const places = `(${marks(columns)})`
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    const some = rows.slice(from, from + ROWS_AT_ONCE)
    await transaction.run(
      `insert into sends (${columns.join(", ")}) values ${some.map(() => places).join(", ")}`,
      some.flatMap((row) => columns.map((column) => row[column] ?? null)),
    )
  }
}

/** Inserts which shipments a pickup for several collects. */
export async function insertCollected(
  transaction: Transaction,
  scope: string,
  id: string,
  shipments: readonly string[],
): Promise<void> {
  for (let from = 0; from < shipments.length; from += ROWS_AT_ONCE) {
    const some = shipments.slice(from, from + ROWS_AT_ONCE)
    await transaction.run(
      `insert into collected (scope, shipment_id, send_id) values ${some.map(() => "(?, ?, ?)").join(", ")}`,
      some.flatMap((shipment) => [scope, shipment, id]),
    )
  }
}

/** `name = ?` for each column. */
export function setting(values: Readonly<Record<string, Value>>): string {
  return Object.keys(values)
    .map((column) => `${column} = ?`)
    .join(", ")
}

/** Rows of a table, in pages, so that a ledger of any size is read in constant memory. */
export async function* pagesOf(statements: Statements, size: number): AsyncGenerator<Row[]> {
  for (let last = ""; ; ) {
    const rows = await statements.all(`select * from sends where id > ? order by id limit ${size}`, [last])
    if (rows.length > 0) yield rows
    if (rows.length < size) return
    last = String(rows.at(-1)?.id)
  }
}
