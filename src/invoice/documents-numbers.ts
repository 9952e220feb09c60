/** Invoice numbers on their way to the place where those of a whole run are compared. */
import type { Buffer } from "node:buffer"
import type { Verifier } from "./verify.ts"

/** The numbers of many documents, in a form that crosses threads cheaply. */
export interface PackedNumbers {
  /** For each document supplier id, line feed, invoice number, NUL. */
  text: string
  /** For each document its index in the file, and line and column of the number, from 1. */
  places: number[]
}

export interface Numbered {
  supplierId: string
  invoiceNumber: string
  index: number
  line: number
  column: number
}

const LINE_FEED = 10
const RETURN = 13

export class NumberPacker {
  readonly #verify: Verifier
  #text = ""
  #places: number[] = []

  constructor(verify: Verifier) {
    this.#verify = verify
  }

  /** Takes the number of the document that was proven last; its line starts at `from`, after `line` others. */
  proven(bytes: Buffer, from: number, index: number, line: number): void {
    const [number, end] = this.#verify.range("invoiceNumber")
    const [supplier, supplierEnd] = this.#verify.range("supplierId")
    let lines = line + 1
    let column = 1
    // The value stands where its opening quote does.
    for (let at = from; at < number - 1; at++) {
      const byte = bytes[at] as number
      if (byte === LINE_FEED || (byte === RETURN && bytes[at + 1] !== LINE_FEED)) {
        lines++
        column = 1
      } else if ((byte & 0xc0) !== 0x80) column++
    }
    this.#text += `${bytes.toString("utf8", supplier, supplierEnd)}\n${bytes.toString("utf8", number, end)}\0`
    this.#places.push(index, lines, column)
  }

  add({ supplierId, invoiceNumber, index, line, column }: Numbered): void {
    const [supplier, number] = [supplierId, invoiceNumber].map((text) => text.replace(/[\n\0]/g, " "))
    this.#text += `${supplier}\n${number}\0`
    this.#places.push(index, line, column)
  }

  /** What was taken since the last time. */
  packed(): PackedNumbers {
    const packed = { text: this.#text, places: this.#places }
    this.#text = ""
    this.#places = []
    return packed
  }
}

/** Calls back for each document that was packed. */
export function unpack(
  { text, places }: PackedNumbers,
  each: (
    supplierId: string,
    invoiceNumber: string,
    index: number,
    place: () => { line: number; column: number },
  ) => void,
): void {
  let from = 0
  for (let at = 0; at < places.length; at += 3) {
    const middle = text.indexOf("\n", from)
    const end = text.indexOf("\0", middle)
    each(text.slice(from, middle), text.slice(middle + 1, end), places[at] ?? 0, () => ({
      line: places[at + 1] ?? 1,
      column: places[at + 2] ?? 1,
    }))
    from = end + 1
  }
}
