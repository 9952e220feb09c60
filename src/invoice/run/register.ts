/** Compares the invoices of a run with those of earlier runs, and remembers them when it is over. */
import { foldIdentifier } from "../../base/order-number.ts"
import { quoted } from "../../base/parsed.ts"
import type { Database } from "../../ledger/database/database.ts"
import { findRegistered, registerInvoices, type RegisteredInvoice } from "../../ledger/records/invoices.ts"
import { DUPLICATE_INVOICE, type InvoiceNumber } from "../accounting/duplicates.ts"
import type { PartOfFile } from "../check.ts"
import { type Finding, formatFileName, type Severity } from "../finding.ts"

export interface Register {
  /** What is wrong with invoices of a part because they were registered before, by the index of the document. */
  find(part: PartOfFile): Promise<ReadonlyMap<number, Finding>>
  /** Takes the invoice of a valid document, to be remembered. */
  add(file: string, invoice: InvoiceNumber): void
  /** @returns how many are remembered now that were not before */
  keep(): Promise<number>
}

/** @param severity what an invoice counts for that was registered before; undefined where that is not looked at */
export function createRegister(database: Database, severity: Severity | undefined): Register {
  const known = new Set<string>()
  const taken = new Map<string, RegisteredInvoice>()
  return {
    async find({ checked }) {
      const found = new Map<number, Finding>()
      const keyed = checked.flatMap(({ index, number }) => {
        const key = number && toKey(number)
        return key ? [{ index, number, key }] : []
      })
      const before = await findRegistered(
        database,
        keyed.map(({ key }) => key),
      )
      const byName = new Map(before.map((each) => [nameOf(each), each]))
      for (const { index, number, key } of keyed) {
        const same = byName.get(nameOf(key))
        if (!same) continue
        known.add(nameOf(key))
        if (severity) found.set(index, describeRepeat(number, same, severity))
      }
      return found
    },
    add(file, invoice) {
      const key = toKey(invoice)
      if (!key || known.has(nameOf(key)) || taken.has(nameOf(key))) return
      taken.set(nameOf(key), { ...key, amount: invoice.due, file })
    },
    async keep() {
      if (taken.size > 0) await registerInvoices(database, [...taken.values()])
      return taken.size
    },
  }
}

type Key = Pick<RegisteredInvoice, "supplier" | "number">

function toKey({ supplierId, invoiceNumber }: InvoiceNumber): Key | undefined {
  const key = { supplier: foldIdentifier(supplierId), number: foldIdentifier(invoiceNumber) }
  return key.number === "" ? undefined : key
}

function nameOf({ supplier, number }: Key): string {
  return JSON.stringify([supplier, number])
}

function describeRepeat(
  { supplierId, invoiceNumber, line, column, due }: InvoiceNumber,
  before: RegisteredInvoice & { at: string },
  severity: Severity,
): Finding {
  const amount =
    before.amount === due
      ? "with the same amount"
      : `with the amount ${before.amount ?? "missing"}, not ${due ?? "missing"}`
  return {
    rule: DUPLICATE_INVOICE.id,
    severity,
    pointer: "/data/invoiceNumber",
    message: `invoice number: ${quoted(invoiceNumber.trim())} of supplier ${quoted(supplierId.trim())} was registered before, on ${before.at.slice(0, 10)} from ${formatFileName(before.file)}, ${amount}`,
    hint: "do not send it again; a new invoice needs a number of its own",
    line,
    column,
  }
}
