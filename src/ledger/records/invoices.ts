/** Invoices that were checked to be sent: supplier, number and amount of each, so that none is sent twice. */
import type { Database, Row } from "../database/database.ts"

/** What identifies an invoice. */
export interface InvoiceKey {
  supplier: string
  number: string
}

export interface RegisteredInvoice extends InvoiceKey {
  /** The amount due as it is written; undefined where there is none. */
  amount: string | undefined
  file: string
}

/** Rows of one statement: SQLite takes some thousands of parameters. */
const MOST_ROWS = 200

function* inChunks<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < all.length; at += MOST_ROWS) yield all.slice(at, at + MOST_ROWS)
}

/** Those of these invoices that were registered before, and when (ISO 8601, UTC). */
export async function findRegistered(
  database: Database,
  keys: readonly InvoiceKey[],
): Promise<(RegisteredInvoice & { at: string })[]> {
  const found: Row[] = []
  for (const some of inChunks(keys)) {
    const marks = some.map(() => "(supplier = ? and number = ?)").join(" or ")
    const values = some.flatMap(({ supplier, number }) => [supplier, number])
    found.push(...(await database.all(`select * from invoices where ${marks}`, values)))
  }
  return found.map(({ supplier, number, amount, file, registered_at: at }) => ({
    supplier: String(supplier),
    number: String(number),
    amount: amount === null ? undefined : String(amount),
    file: String(file),
    at: String(at),
  }))
}

/** Records all of them or none; existing ones stay unchanged. */
export async function registerInvoices(
  database: Database,
  invoices: readonly RegisteredInvoice[],
): Promise<void> {
  const at = new Date(await database.now()).toISOString()
  await database.transaction(async (transaction) => {
    for (const some of inChunks(invoices))
      await transaction.run(
        `insert into invoices (supplier, number, amount, file, registered_at)
          values ${some.map(() => "(?, ?, ?, ?, ?)").join(", ")} on conflict (supplier, number) do nothing`,
        some.flatMap(({ supplier, number, amount, file }) => [supplier, number, amount ?? null, file, at]),
      )
  })
}
