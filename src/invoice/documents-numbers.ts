/** Invoice numbers on their way to the place where those of a whole run are compared. */

/** The numbers of some documents, in a form that crosses threads cheaply. */
export interface PackedNumbers {
  /** Their names, as `nameOf` gives them, one after the other, as UTF-8. */
  names: Uint8Array
  /** For each its document's index in the file, line and column of the number, from 1, and where its name ends. */
  places: Int32Array
}

/** How many numbers there are to a place. */
export const PLACE = 4

/** One number. @param name as `nameOf` gives it */
export function packedNumber(name: string, index: number, line: number, column: number): PackedNumbers {
  const names = new TextEncoder().encode(name)
  return { names, places: Int32Array.of(index, line, column, names.length) }
}

/** What tells an invoice from all others: the supplier's id, a line feed, and its number. Both have none. */
export function nameOf(supplierId: string, invoiceNumber: string): string {
  return `${supplierId.replaceAll("\n", " ")}\n${invoiceNumber.replaceAll("\n", " ")}`
}
