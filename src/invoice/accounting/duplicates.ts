/** The same invoice twice among the documents of one run. */
import { quoted } from "../../contract/parsed.ts"
import { type Finding, formatFileName, type Severity } from "../finding.ts"
import type { Rule } from "./rule.ts"

export const DUPLICATE_INVOICE: Rule = {
  id: "accounting/duplicate-invoice",
  title: "no invoice is there twice",
  about:
    "Among the documents checked together, no two have the same supplier and the same invoice number: the second would be paid again. A document that updates or deletes an invoice is not a second one.",
  basis: "The contract: invoiceNumber is the supplier's own number of the invoice.",
}

/** The number of an invoice, to be compared with those of the other documents of a run. */
export interface InvoiceNumber {
  supplierId: string
  invoiceNumber: string
  /** The amount due as a number is written; undefined where there is none. */
  due?: string | undefined
  /** From 1. */
  line: number
  column: number
}

/** Blanks around a number or an id, and small letters in it, make no other invoice. */
export function foldIdentifier(text: string): string {
  return text.trim().toUpperCase()
}

interface DuplicateFinder {
  /**
   * What is wrong with the next invoice, when its number was there before.
   * @param index of its document, in a file that holds several
   */
  find(file: string, index: number | undefined, invoice: InvoiceNumber): Finding | undefined
  /** Whether there were more than could be compared. */
  readonly isFull: boolean
}

/** So many invoices are compared, in at most 64 MB of memory. */
const MOST = 2 ** 21

/**
 * Remembers the invoices of a run: at most 64 bytes for each, whatever the length of its number. Two different
 * invoices are taken for one at odds of one in a million among five million documents.
 * @param most how many invoices are compared with each other
 */
export function createDuplicateFinder(severity: Severity, most = MOST): DuplicateFinder {
  const seen = new Fingerprints()
  const files: string[] = []
  let count = 0

  return {
    get isFull() {
      return count > most
    },
    find(file, index, invoice) {
      if (count > most || ++count > most) return undefined
      const supplier = invoice.supplierId.trim()
      const number = invoice.invoiceNumber.trim()
      if (number === "") return undefined
      if (files.at(-1) !== file) files.push(file)
      const name = `${foldIdentifier(supplier).replaceAll("\n", " ")}\n${foldIdentifier(number)}`
      const before = seen.add(name, files.length - 1, index ?? -1)
      if (!before) return undefined
      const where = formatFileName(files[before.file] ?? "")
      const nth = before.index < 0 ? "" : `, index ${before.index}`
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

interface Sighting {
  file: number
  index: number
}

const SMALLEST = 2 ** 6
/** 32-bit fields of a slot: two of fingerprint, the file counted from 1 (0 is an empty slot), the index. */
const WIDTH = 4

/** A table of 64-bit fingerprints and where each was first seen; open addressing, at most half full. */
class Fingerprints {
  #slots = new Int32Array(SMALLEST * WIDTH)
  #count = 0

  /** Where this name was seen first; undefined, and remembered, when it is new. */
  add(name: string, file: number, index: number): Sighting | undefined {
    const [high, low] = fingerprint(name)
    const at = this.#find(high, low)
    const slots = this.#slots
    const known = slots[at + 2] as number
    if (known > 0) return { file: known - 1, index: slots[at + 3] as number }
    slots[at] = high
    slots[at + 1] = low
    slots[at + 2] = file + 1
    slots[at + 3] = index
    this.#count++
    if (this.#count * 2 * WIDTH > slots.length) this.#grow()
    return undefined
  }

  /** The slot of a fingerprint, or the free one where it belongs. */
  #find(high: number, low: number): number {
    const slots = this.#slots
    for (let at = (low >>> 0) * WIDTH; ; at += WIDTH) {
      const slot = at & (slots.length - 1)
      if (slots[slot + 2] === 0 || (slots[slot] === high && slots[slot + 1] === low)) return slot
    }
  }

  #grow(): void {
    const before = this.#slots
    this.#slots = new Int32Array(before.length * 2)
    for (let at = 0; at < before.length; at += WIDTH)
      if (before[at + 2] !== 0) {
        const slot = this.#find(before[at] as number, before[at + 1] as number)
        for (let field = 0; field < WIDTH; field++) this.#slots[slot + field] = before[at + field] as number
      }
  }
}

/** Two independent 32-bit hashes of a name. */
function fingerprint(name: string): [high: number, low: number] {
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
  return [high ^ (low >>> 16), low ^ (high >>> 15)]
}
