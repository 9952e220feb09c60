/** Invoice numbers on their way to the place where those of a whole run are compared. */

/** The numbers of many documents, in a form that crosses threads cheaply. */
export interface PackedNumbers {
  /** For each document its name, as `nameOf` gives it, and NUL. */
  text: string
  /** For each document its index in the file, and line and column of the number, from 1. */
  places: number[]
}

export class NumberPacker {
  #text = ""
  #places: number[] = []

  /** @param name as `nameOf` gives it */
  add(name: string, index: number, line: number, column: number): void {
    this.#text += `${name}\0`
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

/** What tells an invoice from all others: the supplier's id, a line feed, and its number. Both have none, and no NUL. */
export function nameOf(supplierId: string, invoiceNumber: string): string {
  const [supplier, number] = [supplierId, invoiceNumber].map((text) => text.replace(/[\n\0]/g, " "))
  return `${supplier}\n${number}`
}

/** Calls back for each document that was packed; `at` is where its place stands. */
export function unpack(
  { text, places }: PackedNumbers,
  each: (name: string, index: number, at: number) => void,
): void {
  let from = 0
  for (let at = 0; at < places.length; at += 3) {
    const end = text.indexOf("\0", from)
    each(text.slice(from, end), places[at] as number, at)
    from = end + 1
  }
}
