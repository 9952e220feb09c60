/** A small invoice that no rule has anything to say about, and ways to change it. */
import { collectBroken } from "../../../src/invoice/accounting/books.ts"
import { checkAccounting } from "../../../src/invoice/accounting/rules.ts"
import { findContractErrors } from "../../../src/invoice/violations.ts"
import { readJson } from "../../../src/input/json/read.ts"

/** Fields to set, by JSON pointer below `/data`; undefined takes a field out. A string of `raw` stays as written. */
type Changes = Readonly<Record<string, unknown>>

const RAW = "\u0001"

/** A number exactly as it is to stand in the text. */
export function raw(digits: string): string {
  return `${RAW}${digits}${RAW}`
}

/** Two lines, 10% on each: 3 × 19.99 and 4 × 250.00; 1,165.97 due. */
function sound() {
  return {
    invoiceNumber: "INV-1001",
    poNumber: "PO-7",
    invoiceDate: "2026-11-20T09:30:00+11:00",
    purpose: "standard",
    billTo: { addressee: "Accounts payable" },
    supplier: { id: "S-1", name: "Wattle", taxRegistrations: { type: "ABN", value: "51 824 753 556" } },
    lineItems: [
      {
        invoiceLineNumber: 1,
        description: "Hex bolt",
        poLineReference: 10,
        quantity: 3,
        unitPrice: 19.99,
        subtotal: 59.97,
        taxRate: 10,
        taxAmount: 6,
      },
      {
        invoiceLineNumber: 2,
        description: "Steel beam",
        poLineReference: 20,
        quantity: 4,
        unitPrice: 250,
        subtotal: 1000,
        taxRate: 10,
        taxAmount: 100,
      },
    ],
    invoiceSummary: { subtotal: 1059.97, taxAmount: 106, dueAmount: 1165.97 },
  }
}

/** The text of the sound invoice with some changes. */
export function invoiceText(changes: Changes = {}): string {
  const data: object = sound()
  for (const [pointer, value] of Object.entries(changes)) set(data, pointer.split("/").slice(1), value)
  return JSON.stringify({ data }).replaceAll(/"\\u0001([^"\\]*)\\u0001"/g, "$1")
}

function set(target: object, [name = "", ...rest]: string[], value: unknown): void {
  const object = target as Record<string, unknown>
  if (rest.length === 0) object[name] = value
  else {
    object[name] ??= {}
    set(object[name] as object, rest, value)
  }
}

export function findingsIn(text: string) {
  const document = readJson(text)
  return checkAccounting(document, collectBroken(findContractErrors(document, "draft")))
}

/** The findings of the sound invoice with some changes: `rule pointer[ property] | message | hint`. */
export function said(changes: Changes): string[] {
  return findingsIn(invoiceText(changes)).map(
    ({ rule, pointer, property, message, hint }) =>
      `${rule.replace("accounting/", "")} ${pointer}${property ? ` ${property}` : ""} | ${message} | ${hint ?? ""}`,
  )
}
