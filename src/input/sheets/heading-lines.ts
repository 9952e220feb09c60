/** Finds the headings of a table: below titles and a line of groups, and with a line of units or further words below. */
import { findUnit } from "../../base/units.ts"
import { FreightError } from "../../base/errors.ts"
import { findBasis } from "../columns/basis.ts"
import { isForeignAmount, isOwnCurrency } from "../columns/bearings.ts"
import { plainHeader } from "../columns/headings.ts"
import { type CsvRecord, findHeader } from "./csv.ts"

interface HeadingReader {
  isKnown(heading: string): boolean
  /** Whether freight knows a heading, or asks about it. */
  hasMeaning(heading: string): boolean
  /** Whether cells may be the headings, and are not facts with their values. */
  isHeadings(cells: readonly string[]): boolean
}

interface HeadingLines {
  above: CsvRecord[]
  /** Undefined for a table without records, and if the row that a person names is empty. */
  header: CsvRecord | undefined
  below: CsvRecord[]
  /** A second line of headings, which is part of `header`. */
  second?: CsvRecord
  /** If no headings were found: the row that looks most like them. */
  likelyRow?: number
}

/** @param headerRow the row of the headings, as a spreadsheet numbers it, if a person says so */
export async function findHeadingLines(
  name: string,
  records: AsyncGenerator<CsvRecord>,
  reader: HeadingReader,
  headerRow?: number,
): Promise<HeadingLines> {
  const found = await findHeader(records, reader.isHeadings, headerRow)
  const { above } = found
  let { header } = found
  if (!header) return found
  if (headerRow === undefined && !reader.isHeadings(header.cells)) {
    const likelyRow = findLikelyRow([header, ...found.below])
    return { ...found, ...(likelyRow !== undefined && { likelyRow }) }
  }
  const readNext = async () => (await records.next()).value as CsvRecord | undefined
  let next = await readNext()
  if (headerRow === undefined)
    while (next && isBelowGroups(header.cells, next.cells, reader)) {
      above.push(header)
      header = next
      next = await readNext()
    }
  if (!next) return { above, header, below: [] }
  const cells = joinHeadings(header.cells, next.cells, reader)
  if (cells) return { above, header: { ...header, cells }, below: [], second: next }
  if (headerRow === undefined && isOtherHeadings(header.cells, next.cells, reader))
    throw new FreightError(
      "usage",
      `${name}: row ${header.row} and row ${next.row} may both be the headings`,
      {
        hint: `Say which: --header-row ${header.row} or --header-row ${next.row}`,
      },
    )
  return { above, header, below: [next] }
}

const isFilled = (cell: string) => cell.trim() !== ""

/** Amounts, days and counts begin with a digit, or with signs before it; headings rarely do. */
const isNumber = (cell: string) => /^[^\p{L}]*\d/u.test(cell)

function countKnown(cells: readonly string[], { isKnown }: HeadingReader): number {
  return cells.filter(isKnown).length
}

/** Whether a line describes the columns better than the one above it, which then has the names of groups. */
function isBelowGroups(groups: readonly string[], cells: readonly string[], reader: HeadingReader): boolean {
  return (
    !cells.some(isNumber) &&
    reader.isHeadings(cells) &&
    countKnown(cells, reader) > countKnown(groups, reader) &&
    !isSecondLine(groups, cells, reader)
  )
}

function isOtherHeadings(
  headings: readonly string[],
  cells: readonly string[],
  reader: HeadingReader,
): boolean {
  return !cells.some(isNumber) && reader.isHeadings(cells) && !repeatsHeadings(cells, headings)
}

/** Whether cells are the headings again, as on each page of a printed bill. */
export function repeatsHeadings(cells: readonly string[], headings: readonly string[]): boolean {
  const plain = (text = "") => plainHeader(text) || text.trim()
  return (
    cells.every((cell, index) => !isFilled(cell) || plain(cell) === plain(headings[index])) &&
    cells.filter(isFilled).length >= 2
  )
}

/** Without brackets around it. */
function toBare(cell: string): string {
  return cell
    .trim()
    .replace(/^[([]|[)\]]$/g, "")
    .trim()
}

/** `$`, `/ docket`: text below a heading that changes nothing. */
function addsNothing(cell: string): boolean {
  return isOwnCurrency(toBare(cell)) || /^[/&]|^[^\p{L}\p{N}]+$/u.test(cell.trim())
}

/** `(kg)`, `ex GST`, `NZ$`: text below a heading with the unit of its column. */
function qualifies(cell: string): boolean {
  const bare = toBare(cell)
  return findUnit(bare) !== undefined || findBasis(bare)?.rest === "" || isForeignAmount(bare)
}

function isSecondLine(headings: readonly string[], cells: readonly string[], reader: HeadingReader): boolean {
  const filled = cells.flatMap((cell, index) =>
    isFilled(cell) ? [{ cell, heading: headings[index] ?? "" }] : [],
  )
  if (filled.length === 0 || filled.some(({ cell, heading }) => /\d/.test(cell) || !isFilled(heading)))
    return false
  // A text alone in its line is the title of the rows below: `Charges (excl. GST)`.
  const [only] = filled
  if (
    only &&
    filled.length < headings.filter(isFilled).length &&
    filled.length === 1 &&
    findBasis(only.cell)?.rest
  )
    return false
  return (
    filled.some(({ cell }) => addsNothing(cell) || qualifies(cell)) ||
    filled.every(({ cell, heading }) => reader.isKnown(join(heading, cell)))
  )
}

const join = (heading: string, cell: string) => `${heading.trim()} ${cell.trim()}`

/** Headings joined with the line below them; undefined if that line adds nothing. */
function joinHeadings(
  headings: readonly string[],
  cells: readonly string[],
  reader: HeadingReader,
): string[] | undefined {
  if (repeatsHeadings(cells, headings) || !isSecondLine(headings, cells, reader)) return undefined
  return headings.map((heading, index) => {
    const cell = cells[index] ?? ""
    if (!isFilled(cell) || addsNothing(cell)) return heading
    const joined = join(heading, cell)
    return reader.hasMeaning(joined) || !reader.hasMeaning(heading) ? joined : heading
  })
}

/** The row with the most words and no numbers, if it has more of them than the first. */
function findLikelyRow(records: readonly CsvRecord[]): number | undefined {
  const counts = records.map(({ row, cells }) => {
    return { row, count: cells.some(isNumber) ? 0 : cells.filter(isFilled).length }
  })
  const [first] = counts
  const most = Math.max(...counts.map(({ count }) => count))
  return first && most >= 2 && most > first.count
    ? counts.find(({ count }) => count === most)?.row
    : undefined
}
