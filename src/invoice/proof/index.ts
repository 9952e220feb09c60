/** What the host of this module sees: see `../verify.ts`. */
import { blankEnd, byteAt, CLOSING_BRACE } from "./bytes"
import { endOf, setValue, startOf, valueAt } from "./cells"
import { isDocument, settle } from "./scan"
import { Data, Operation, Supplier } from "./tables"
import { isAscii, isPlain } from "./text"

/** From here on the host may put documents, with some bytes of room after them. */
export const ROOM: usize = __heap_base

/** A document whose number and supplier are longer together is left to the examiner. */
const LONGEST_NAME: usize = 4096
const MOST_NAMES: u32 = 1024
const NAMES_ROOM: usize = 2 ** 15

/** The names of invoices, one after the other: the supplier's id, a line feed, and the number. */
export const NAMES: usize = memory.data(NAMES_ROOM)
/** For each of them 32 bits each of its document's index, its line and column, and where it ends among the names. */
export const PLACES: usize = memory.data(MOST_NAMES << 4, 4)

let start: usize = 0
let named: u32 = 0
let namesEnd: usize = NAMES

/** Chooses the stage, and whether the accounting rules are looked at. */
export function prepare(draft: bool, accounting: bool): void {
  settle(draft, accounting)
}

/**
 * Whether the bytes from `from` to before `end` are certainly one document without findings: 0 if not, 1 if so, and 2 if
 * so as long as they are UTF-8.
 */
export function proves(from: usize, end: usize): u32 {
  let last = end - 1
  while (last > from && isBlank(byteAt(last))) last--
  if (last <= from || byteAt(last) !== CLOSING_BRACE) return 0
  start = from
  setValue(Data.operation, Operation.NEW)
  const isProven =
    isDocument(blankEnd(from), last) &&
    isPlain(startOf(Data.invoiceNumber), endOf(Data.invoiceNumber)) &&
    isPlain(startOf(Supplier.id), endOf(Supplier.id)) &&
    lengthOf(Data.invoiceNumber) + lengthOf(Supplier.id) <= LONGEST_NAME
  return !isProven ? 0 : isAscii ? 1 : 2
}

/**
 * Puts the document that was just proven among the names, if it makes an invoice, and does not update or delete one.
 * @param line how many lines end before it
 * @param indent how many characters stand before it in the line that it starts in
 * @returns whether there is room for one more
 */
export function addName(index: u32, line: u32, indent: u32): bool {
  if (valueAt(Data.operation) !== Operation.NEW) return true
  let lines = line
  let column = indent
  // The value stands where its opening quote does.
  const end = startOf(Data.invoiceNumber) - 1
  for (let at = start; at < end; at++) {
    const char = byteAt(at)
    if (char === 10 || (char === 13 && byteAt(at + 1) !== 10)) {
      lines++
      column = 0
    } else if ((char & 0xc0) !== 0x80) column++
  }
  const supplier = lengthOf(Supplier.id)
  const number = lengthOf(Data.invoiceNumber)
  memory.copy(namesEnd, startOf(Supplier.id), supplier)
  store<u8>(namesEnd + supplier, 10)
  memory.copy(namesEnd + supplier + 1, startOf(Data.invoiceNumber), number)
  namesEnd += supplier + 1 + number
  const place = PLACES + ((<usize>named) << 4)
  named++
  store<u32>(place, index)
  store<u32>(place, lines + 1, 4)
  store<u32>(place, column + 1, 8)
  store<u32>(place, <u32>(namesEnd - NAMES), 12)
  return named < MOST_NAMES && NAMES + NAMES_ROOM - namesEnd > LONGEST_NAME
}

/** How many names there are, which the host takes away. */
export function takeNames(): u32 {
  const count = named
  named = 0
  namesEnd = NAMES
  return count
}

function lengthOf(cell: u32): usize {
  return endOf(cell) - startOf(cell)
}

function isBlank(char: u32): bool {
  return char === 32 || char === 10 || char === 13 || char === 9
}
