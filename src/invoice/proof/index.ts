/** What the host of this module sees: see `../verify.ts`. */
import { blankEnd, byteAt, CLOSING_BRACE } from "./bytes"
import { endOf, setValue, startOf, valueAt } from "./cells"
import { isDocument, settle } from "./scan"
import { Data, Operation, Supplier } from "./tables"
import { isAscii as areTextsAscii, isPlain } from "./text"

/** From here on the host may put documents, with some bytes of room after them. */
export const ROOM: usize = __heap_base

/** A document whose number and supplier are longer together is left to the examiner. */
const LONGEST_NAME: usize = 4096
/** Where `nameIt` writes. */
export const NAME: usize = memory.data(4098)

let start: usize = 0
let numberLine: u32 = 0
let numberColumn: u32 = 0

/** Chooses the stage, and whether the accounting rules are looked at. */
export function prepare(draft: bool, accounting: bool): void {
  settle(draft, accounting)
}

/**
 * Whether the bytes from `from` to before `end` are certainly one document without findings, if they are UTF-8; those
 * for which `isAscii` then holds are.
 */
export function proves(from: usize, end: usize): bool {
  let last = end - 1
  while (last > from && isBlank(byteAt(last))) last--
  if (last <= from || byteAt(last) !== CLOSING_BRACE) return false
  start = from
  setValue(Data.operation, Operation.NEW)
  return (
    isDocument(blankEnd(from), last) &&
    isPlain(startOf(Data.invoiceNumber), endOf(Data.invoiceNumber)) &&
    isPlain(startOf(Supplier.id), endOf(Supplier.id)) &&
    lengthOf(Data.invoiceNumber) + lengthOf(Supplier.id) <= LONGEST_NAME
  )
}

export function isAscii(): bool {
  return areTextsAscii
}

/** Whether the document that was just proven makes an invoice, and does not update or delete one. */
export function isNew(): bool {
  return valueAt(Data.operation) === Operation.NEW
}

/**
 * Writes the supplier of the document that was just proven, a line feed and its number, and looks where that stands.
 * @returns how many bytes they have
 */
export function nameIt(): usize {
  const supplier = lengthOf(Supplier.id)
  const number = lengthOf(Data.invoiceNumber)
  memory.copy(NAME, startOf(Supplier.id), supplier)
  store<u8>(NAME + supplier, 10)
  memory.copy(NAME + supplier + 1, startOf(Data.invoiceNumber), number)
  numberLine = 0
  numberColumn = 0
  // The value stands where its opening quote does.
  const end = startOf(Data.invoiceNumber) - 1
  for (let at = start; at < end; at++) {
    const char = byteAt(at)
    if (char === 10 || (char === 13 && byteAt(at + 1) !== 10)) {
      numberLine++
      numberColumn = 0
    } else if ((char & 0xc0) !== 0x80) numberColumn++
  }
  return supplier + 1 + number
}

/** How many lines end before the number, and how many characters of its line stand before it. */
export function lineOfNumber(): u32 {
  return numberLine
}

export function columnOfNumber(): u32 {
  return numberColumn
}

function lengthOf(cell: u32): usize {
  return endOf(cell) - startOf(cell)
}

function isBlank(char: u32): bool {
  return char === 32 || char === 10 || char === 13 || char === 9
}
