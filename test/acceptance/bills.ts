/** Carriers' bills to audit, as CSV and as INV documents, made of what was booked. */
import { writeFile } from "node:fs/promises"
import path from "node:path"
import { csvOf, type Order } from "./orders.ts"

/** A line of a bill: amounts in cents, without GST. */
export interface Line {
  consignment?: string
  reference?: string
  charge?: string
  service?: string
  weightKg?: number | null
  cents: number
  invoice?: string
  shipDate?: string
}

const decimals = (cents: number) => (cents / 100).toFixed(2)
const gstOf = (cents: number) => Math.round(cents / 10)

/** The day of bills, a week after what they are for was booked. */
const BILLED = new Date(Date.now() + 8 * 86_400_000).toISOString().slice(0, "yyyy-MM-dd".length)

/** A bill as carriers send it, with both amounts and the GST between them. */
export function csvBill(lines: readonly Line[]): string {
  return csvOf(
    lines.map(
      ({
        consignment = "",
        reference = "",
        charge = "Freight",
        service = "",
        weightKg,
        cents,
        invoice,
        shipDate,
      }): Order => ({
        "Invoice Number": invoice ?? "INV-1",
        "Invoice Date": BILLED,
        Carrier: "Carrier A",
        Consignment: consignment,
        Reference: reference,
        Service: service,
        Charge: charge,
        "Weight kg": weightKg === undefined || weightKg === null ? "" : String(weightKg),
        "Ship Date": shipDate ?? "2026-11-23",
        "Amount ex GST": decimals(cents),
        GST: decimals(gstOf(cents)),
        "Amount inc GST": decimals(cents + gstOf(cents)),
      }),
    ),
  )
}

type Json = Record<string, unknown>

/** A line of an INV document. */
export function invLine(cents: number, more: Json = {}): Json {
  return {
    invoiceLineNumber: 1,
    quantity: 1,
    unitPrice: cents / 100,
    subtotal: cents / 100,
    taxAmount: gstOf(cents) / 100,
    currency: "AUD",
    ...more,
  }
}

/** A canonical document with these lines. @param data fields of `data` to add or change */
export function invBill(lines: readonly Json[], data: Json = {}): Json {
  const sum = (name: string) =>
    Math.round(lines.reduce((all, line) => all + Number(line[name]) * 100, 0)) / 100
  const [subtotal, taxAmount] = [sum("subtotal"), sum("taxAmount")]
  const dueAmount = Math.round((subtotal + taxAmount) * 100) / 100
  return {
    docType: "INV",
    correlationId: "7d0c9bd0-5c3f-4a80-8a3c-0f6f0a4f5d11",
    timestamp: `${BILLED}T09:30:00Z`,
    metadata: { sourceLanguage: "json", sourceVersion: "1.0.7", userAgent: "test" },
    data: {
      invoiceNumber: "INV-1",
      poNumber: "FREIGHT",
      invoiceDate: `${BILLED}T00:00:00Z`,
      purpose: "standard",
      supplier: { id: "CARRIER_A_AU", name: "Carrier A" },
      billTo: {
        street1: "1 Harbour Street",
        city: "Sydney",
        state: "NSW",
        postalCode: "2000",
        country: "AU",
      },
      lineItems: lines.map((line, at) => ({ ...line, invoiceLineNumber: at + 1 })),
      invoiceSummary: { subtotal, taxAmount, dueAmount, currency: "AUD" },
      ...data,
    },
  }
}

/** Writes a bill into a desk's folder. @returns its name */
export async function saveBill(folder: string, name: string, bill: string | unknown): Promise<string> {
  await writeFile(path.join(folder, name), typeof bill === "string" ? bill : JSON.stringify(bill, null, 2))
  return name
}
