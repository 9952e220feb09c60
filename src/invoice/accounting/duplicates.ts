/** The same invoice twice among the documents of one run. */
import { quoted } from "../../contract/parsed.ts"
import { safeText } from "../../contract/safe-text.ts"
import type { AccountingFinding, Rule } from "./rule.ts"

export const DUPLICATE_INVOICE: Rule = {
  id: "accounting/duplicate-invoice",
  title: "each invoice is there once",
  about:
    "Among the documents checked together, no two have the same supplier and the same invoice number: the second would be paid again. A document that updates or deletes an invoice is not a second one.",
  basis: "The contract: invoiceNumber is the supplier's own number of the invoice.",
}

export interface DuplicateInvoices {
  /**
   * Takes note of an invoice; gives a finding, without its place, when it was there before.
   * @param index position of the document in its file, from 0; undefined where the file is one document
   * @param names holds from `start` to before `end` the supplier's id, a line feed, and the invoice number, as UTF-8
   */
  add(
    file: string,
    index: number | undefined,
    names: Uint8Array,
    start: number,
    end: number,
  ): Omit<AccountingFinding, "line" | "column"> | undefined
}

/**
 * Remembers the invoices of a run: at most 64 bytes for each, whatever the length of its number. Two different
 * invoices are taken for one at odds of one in a million among five million documents.
 */
export function duplicateInvoices(): DuplicateInvoices {
  const seen = new Fingerprints()
  const files: string[] = []
  return {
    add(file, index, names, start, end) {
      if (files.at(-1) !== file) files.push(file)
      const before = seen.add(names, start, end, files.length - 1, index ?? -1)
      if (!before) return undefined
      const [supplierId = "", invoiceNumber = ""] = textOf(names, start, end).split("\n")
      const where = safeText(files[before.file] ?? "", 200)
      const nth = before.index < 0 ? "" : `, index ${before.index}`
      return {
        rule: DUPLICATE_INVOICE.id,
        severity: "warning",
        pointer: "/data/invoiceNumber",
        message: `invoice number: ${quoted(invoiceNumber)} of supplier ${quoted(supplierId)} is also in ${where}${nth}`,
        hint: "send one of the two, or give this one a number of its own",
      }
    },
  }
}

function textOf(names: Uint8Array, start: number, end: number): string {
  return new TextDecoder().decode(names.subarray(start, end))
}

/** Blanks around an id or a number make no other invoice. */
function trimmed(name: string): Uint8Array {
  const parts = name.split("\n").map((part) => part.trim())
  return new TextEncoder().encode(parts.join("\n"))
}

interface Sighting {
  file: number
  index: number
}

const LINE_FEED = 10
const SMALLEST = 2 ** 14
/** 32-bit fields of a slot: two of fingerprint, the file counted from 1 (0 is an empty slot), the index. */
const WIDTH = 4

/** A table of 64-bit fingerprints and where each was first seen; open addressing, at most half full. */
class Fingerprints {
  #slots = new Int32Array(SMALLEST * WIDTH)
  #count = 0
  /** The fingerprint of the last bytes. */
  #high = 0
  #low = 0

  /** Where these bytes were seen first; undefined, and remembered, when they are new. */
  add(bytes: Uint8Array, start: number, end: number, file: number, index: number): Sighting | undefined {
    if (!this.#take(bytes, start, end)) {
      const name = trimmed(textOf(bytes, start, end))
      this.#take(name, 0, name.length)
    }
    const slots = this.#slots
    const at = this.#find(this.#high, this.#low)
    const known = slots[at + 2] as number
    if (known > 0) return { file: known - 1, index: slots[at + 3] as number }
    slots[at] = this.#high
    slots[at + 1] = this.#low
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

  /** Two independent 32-bit hashes of a name. @returns whether it certainly has no blanks around its parts */
  #take(bytes: Uint8Array, start: number, end: number): boolean {
    let high = 0x9e3779b9 | 0
    let low = 0x85ebca6b | 0
    let middle = start
    for (let at = start; at < end; at++) {
      const byte = bytes[at] as number
      high = Math.imul(high ^ byte, 0x9e3779b1)
      low = Math.imul(low ^ byte, 0x5f356495)
      high ^= high >>> 15
      low ^= low >>> 13
      if (byte === LINE_FEED) middle = at
    }
    high = Math.imul(high ^ (low >>> 16), 0x85ebca6b)
    low = Math.imul(low ^ (high >>> 13), 0xc2b2ae35)
    this.#high = high ^ (low >>> 16)
    this.#low = low ^ (high >>> 15)
    return (
      isVisible(bytes[start]) &&
      isVisible(bytes[middle - 1]) &&
      isVisible(bytes[middle + 1]) &&
      isVisible(bytes[end - 1])
    )
  }
}

/** A mark of ASCII: those beyond may be part of a blank. */
function isVisible(byte = 0): boolean {
  return byte > 32 && byte < 127
}
