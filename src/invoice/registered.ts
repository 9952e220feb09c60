/** Invoices that were checked to be sent: supplier, number and amount of each, so that none is sent twice. */
import { type DatabaseRow, describeColumns, inParts, insertRows, type Statements } from "../ledger/index.ts"

export interface InvoiceKey {
  supplier: string
  number: string
}

export interface RegisteredInvoice extends InvoiceKey {
  /** The amount due as it is written; undefined where there is none. */
  amount: string | undefined
  file: string
}

export const INVOICES = describeColumns<RegisteredInvoice & { at: string }>({
  supplier: "text",
  number: "text",
  amount: "text",
  file: "text",
  at: ["registered_at", "text"],
})

/**
 * A document about an invoice that was checked to be sent, with its effect, so that the next one is compared with it.
 */
export interface RegisteredStep extends InvoiceKey {
  /** Made from the step's content: the same step twice is one row. */
  id: string
  /** The number as the document writes it. */
  written: string
  operation: string
  kind: string
  /** For a memo: the key of the invoice that it changes. */
  refersTo: string | undefined
  refersToWritten: string | undefined
  total: string | undefined
  /** JSON. */
  lines: string
  file: string
}

export const INVOICE_STEPS = describeColumns<RegisteredStep & { at: string }>({
  supplier: "text",
  number: "text",
  id: "text",
  written: "text",
  operation: "text",
  kind: "text",
  refersTo: "text",
  refersToWritten: "text",
  total: "text",
  lines: "text",
  file: "text",
  at: ["registered_at", "text"],
})

/** SQLite nests at most 1,000 conditions. */
const KEYS_AT_ONCE = 200

/** Finds the invoices that were registered before, and when (ISO 8601, UTC). */
export async function findRegistered(
  database: Pick<Statements, "all">,
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

/** Registers invoices, and steps of them. Existing ones stay unchanged. */
export async function registerInvoices(
  transaction: Statements,
  invoices: readonly RegisteredInvoice[],
  steps: readonly NextStep[] = [],
): Promise<void> {
  const at = new Date(await transaction.now()).toISOString()
  const rows = invoices.map((invoice) => INVOICES.write({ ...invoice, at }))
  await insertRows(transaction, "invoices", rows, " on conflict do nothing")
  await registerSteps(transaction, steps)
}

/**
 * The steps of these invoices, the oldest first.
 * @param column `refers_to` finds the memos that change them
 */
export async function findInvoiceSteps(
  database: Pick<Statements, "all">,
  keys: readonly InvoiceKey[],
  column: "number" | "refers_to",
): Promise<(RegisteredStep & { at: string })[]> {
  const found: DatabaseRow[] = []
  for (const some of inParts(keys, KEYS_AT_ONCE)) {
    const conditions = some.map(() => `(supplier = ? and ${column} = ?)`).join(" or ")
    const values = some.flatMap(({ supplier, number }) => [supplier, number])
    found.push(
      ...(await database.all(
        `select * from invoice_steps where ${conditions} order by registered_at`,
        values,
      )),
    )
  }
  return found.map((row) => INVOICE_STEPS.read(row))
}

/** A step that comes after the step before it, although that step's desk may have had another clock. */
type NextStep = RegisteredStep & { after?: string }

async function registerSteps(transaction: Statements, steps: readonly NextStep[]): Promise<void> {
  let at = await transaction.now()
  const rows = steps.map(({ after = "", ...step }) => {
    // Steps of one run keep their order.
    at = Math.max(at + 1, (Date.parse(after) || 0) + 1)
    return INVOICE_STEPS.write({ ...step, at: new Date(at).toISOString() })
  })
  await insertRows(transaction, "invoice_steps", rows, " on conflict do nothing")
}
