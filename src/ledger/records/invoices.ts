/** Invoices that were checked to be sent: supplier, number and amount of each, so that none is sent twice. */
import { describeColumns } from "../database/columns.ts"
import type { Database, DatabaseRow } from "../database/database.ts"
import { inParts, insertRows } from "../database/sql.ts"

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

/** Invoices that were checked to be sent. */
export const INVOICES = describeColumns<RegisteredInvoice & { at: string }>({
  supplier: "text not null",
  number: "text not null",
  amount: "text",
  file: "text not null",
  at: ["registered_at", "text not null"],
})

/** SQLite nests at most 1,000 conditions. */
const KEYS_AT_ONCE = 200

/** Those of these invoices that were registered before, and when (ISO 8601, UTC). */
export async function findRegistered(
  database: Database,
  keys: readonly InvoiceKey[],
): Promise<(RegisteredInvoice & { at: string })[]> {
  const found: DatabaseRow[] = []
  for (const some of inParts(keys, KEYS_AT_ONCE)) {
    const conditions = some.map(() => "(supplier = ? and number = ?)").join(" or ")
    const values = some.flatMap(({ supplier, number }) => [supplier, number])
    found.push(...(await database.all(`select * from invoices where ${conditions}`, values)))
  }
  return found.map((row) => INVOICES.read(row))
}

/** Records all of them or none; existing ones stay unchanged. */
export async function registerInvoices(
  database: Database,
  invoices: readonly RegisteredInvoice[],
): Promise<void> {
  const at = new Date(await database.now()).toISOString()
  const rows = invoices.map((invoice) => INVOICES.write({ ...invoice, at }))
  await database.transaction((transaction) =>
    insertRows(transaction, "invoices", rows, " on conflict do nothing"),
  )
}
