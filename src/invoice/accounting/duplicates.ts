/** The same invoice twice among the documents of one run. */
import { foldIdentifier, foldInvoiceNumber } from "../../base/order-number.ts"
import { quoted } from "../../base/parsed.ts"
import type { InvoiceKey } from "../registered.ts"
import { type Finding, formatFileName, type Severity } from "../finding.ts"
import type { Rule } from "./rule.ts"

export const DUPLICATE_INVOICE: Rule = {
  id: "accounting/duplicate-invoice",
  title: "no invoice is there twice",
  about:
    "Among the documents checked together, no two have the same supplier and the same invoice number: the second would be paid again. A document that updates or deletes an invoice is not a second one.",
  basis: "The contract: invoiceNumber is the supplier's own number of the invoice.",
}

/** Rules that use the register of earlier steps. */
export const CANCELLED_INVOICE: Rule = {
  id: "accounting/cancelled-invoice",
  title: "a cancelled invoice stays cancelled",
  about: "With --register: what was cancelled in an earlier run is not cancelled again, updated or credited.",
  basis: "The contract, operation: a document deletes an invoice.",
}
export const OVER_CREDITED: Rule = {
  id: "accounting/over-credited",
  title: "no more is credited than was invoiced",
  about:
    "With --register: the credit memos of an invoice together are not above it and its debit memos, as a whole and line by line. An update does not go below them, and a cancellation does not come on top of them.",
  basis: "The contract, purpose: a credit memo reduces a previously invoiced amount.",
}

/** The rule of updates without a reference. Where the invoice was there before, its number is one. */
export const UPDATE_REFERENCE = "accounting/update-reference"

/** A line of a step: its match key, and its amount before tax, as a magnitude. */
export interface StepLine {
  line?: number
  po?: number
  asn?: number
  item?: string
  amount: string
}

export interface InvoiceStep {
  operation: "new" | "update" | "delete"
  kind: "invoice" | "credit" | "debit" | "information"
  /** The number of the invoice that a memo changes. */
  refersTo?: string
  /** With tax and before deposits, as a magnitude. */
  total?: string
  lines: readonly StepLine[]
}

/** The number of an invoice, to be compared with those of the other documents of a run. */
export interface InvoiceNumber {
  supplierId: string
  invoiceNumber: string
  /** The amount due as a text; undefined if there is none. */
  due?: string | undefined
  /** It is that of an invoice which was sent before, and makes no second one. */
  isUpdate?: true
  /** The number belongs to a cancelled invoice; only if steps are collected. */
  isDeletion?: true
  /** The step of the document, for comparison with earlier runs; only if steps are collected. */
  step?: InvoiceStep
  /** From 1. */
  line: number
  column: number
}

interface DuplicateFinder {
  /**
   * Finds errors of the next invoice, when its number was there before.
   * @param index of its document, in a file that holds several
   */
  find(file: string, index: number | undefined, invoice: InvoiceNumber): Finding | undefined
  has(invoice: InvoiceNumber): boolean
  /** Whether there were more than could be compared. */
  readonly isFull: boolean
}

/** Invoices that are compared with each other, at most: they take about 200 MB of memory. */
const MAX_INVOICES = 2 ** 21

/**
 * Remembers the invoices of a run, each by a hash, whatever the length of its number. Two different invoices are taken
 * for one at odds of one in a million among five million documents.
 * @param most how many invoices are compared with each other
 */
export function createDuplicateFinder(severity: Severity, most = MAX_INVOICES): DuplicateFinder {
  const seen = new Map<bigint, { file: number; index: number | undefined }>()
  const files: string[] = []
  let count = 0

  return {
    get isFull() {
      return count > most
    },
    has: (invoice) => seen.has(hashInvoice(invoice)),
    find(file, index, invoice) {
      if (count > most || ++count > most) return undefined
      const supplier = invoice.supplierId.trim()
      const number = invoice.invoiceNumber.trim()
      if (number === "") return undefined
      if (files.at(-1) !== file) files.push(file)
      const hash = hashInvoice(invoice)
      const before = seen.get(hash)
      if (!before) {
        seen.set(hash, { file: files.length - 1, index })
        return undefined
      }
      const where = formatFileName(files[before.file] ?? "")
      const nth = before.index === undefined ? "" : `, index ${before.index}`
      return {
        rule: DUPLICATE_INVOICE.id,
        severity,
        pointer: "/data/invoiceNumber",
        message: `invoice number: ${quoted(number)} of supplier ${quoted(supplier)} is also in ${where}${nth}`,
        hint: "send one of the two, or give this one a number of its own",
        line: invoice.line,
        column: invoice.column,
      }
    },
  }
}

/** The key of an invoice, the same for any spelling of its number. */
export function keyInvoice({
  supplierId,
  invoiceNumber,
}: Pick<InvoiceNumber, "supplierId" | "invoiceNumber">): InvoiceKey {
  return { supplier: foldIdentifier(supplierId), number: foldInvoiceNumber(invoiceNumber) }
}

/** One text for each key. */
export function nameKey({ supplier, number }: InvoiceKey): string {
  return JSON.stringify([supplier, number])
}

function hashInvoice(invoice: InvoiceNumber): bigint {
  return hashName(nameKey(keyInvoice(invoice)))
}

/** Two independent 32-bit hashes of a name, side by side. */
function hashName(name: string): bigint {
  let high = 0x9e3779b9 | 0
  let low = 0x85ebca6b | 0
  for (let at = 0; at < name.length; at++) {
    const code = name.charCodeAt(at)
    high = Math.imul(high ^ code, 0x9e3779b1)
    low = Math.imul(low ^ code, 0x5f356495)
    high ^= high >>> 15
    low ^= low >>> 13
  }
  high = Math.imul(high ^ (low >>> 16), 0x85ebca6b)
  low = Math.imul(low ^ (high >>> 13), 0xc2b2ae35)
  return (BigInt((high ^ (low >>> 16)) >>> 0) << 32n) | BigInt((low ^ (high >>> 15)) >>> 0)
}
