/**
 * Sections of a bill: below the word `CREDITS` amounts are credits even without a sign, and another table with other
 * headings may stand below the first.
 */
import { FreightError } from "../../base/errors.ts"
import { quoted } from "../../base/parsed.ts"
import {
  type CsvRecord,
  describePlace,
  plainHeader,
  readSign,
  repeatsHeadings,
  saysOfAccount,
  saysPageTotal,
  saysTotal,
  saysTotalOf,
} from "../../input/index.ts"
import type { BillField } from "./columns.ts"
import { type BillColumnsRead, type BillRow, type Part, readCents, readRow } from "./row.ts"

/** Rebates are charges on some bills, and their line may lack an amount. */
const CREDITS =
  /^\W*(?:less:? +)?(?:credits?|credit (?:notes?|adjustments?)|refunds?)(?: (?:issued|applied|given|this (?:period|month|invoice)))?(?:\W+continued)?\W*$/i
/** A total of credits alone, not of the remaining amount. */
const TOTAL_OF_CREDITS =
  /^\W*(?:sub-? ?)?totals?(?: (?:of|for))?(?: all)?[ :-]+(?:credits?|refunds?)\b|\b(?:credits?|credit notes?|refunds?) (?:sub-? ?)?totals?\b/i

/** Words for the period of a section's charges. */
const WHEN =
  /^(?:for|of|in|from|to|until|this|the|new|current|month|period|week|year|ended|ending|page|and|\d\S*|(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*)$/i
const WHAT =
  /^(?:charges?|surcharges?|consignments?|connotes?|shipments?|deliver(?:y|ies)|freight|invoices?|debits?|adjustments?|fees?|levies|services?|other|additional|all|domestic|international)$/i
const PLACE = /^(?:depot|branch|site|warehouse|terminal)\b[^:]*:/i
/** Does not affect the rows below it. */
const PAGE = /^\W*page \d+(?: of \d+)?\W*$/i

/** Whether a line starts charges, and has no other words: `CHARGES FOR NOVEMBER 2026`. */
function beginsCharges(text: string): boolean {
  const words = text.match(/[\p{L}\d][\p{L}\d/.]*/gu) ?? []
  return words.some((word) => WHAT.test(word)) && words.every((word) => WHAT.test(word) || WHEN.test(word))
}

/** The section that a line of words starts: credits or charges. */
export function saysSection(text: string): "credits" | "charges" | undefined {
  return CREDITS.test(text) ? "credits" : beginsCharges(text) ? "charges" : undefined
}

/** Columns whose first cell may have the word as the name or kind of a charge. */
const OF_ROW: readonly (string | undefined)[] = ["charge", "service", "sign", "status", "basis"]

interface Reader {
  meaningOf(heading: string): BillField | undefined
  name: string
}

interface Section {
  /** Records that wait until the section is read. */
  held: CsvRecord[]
  /** Before and after the line that leaves open whether the section continues. */
  before: Charged[]
  after: Charged[]
  doubt?: { record: CsvRecord; text: string }
}

interface Charged {
  record: CsvRecord
  row: BillRow
}

type Kind = "row" | "end" | "total-of-credits" | "nothing" | { doubt: string }

/** Follows the sections of a table, and decides for each one whether its amounts are credits. */
export function createSections({ meaningOf, name }: Reader) {
  /** Records whose amounts are credits. */
  const given = new WeakSet<CsvRecord>()
  const edges = new WeakSet<CsvRecord>()
  return {
    /**
     * The same records; those of a section are returned once all of it is read.
     * @param columns of the table of the next record
     */
    async *follow(
      records: AsyncIterable<CsvRecord>,
      columns: () => BillColumnsRead,
    ): AsyncGenerator<CsvRecord> {
      let section: Section | undefined
      for await (const record of records) {
        if (beginsCredits(record.cells, columns())) {
          if (section && (section.doubt || section.before.length === 0)) {
            yield* settleSection(section, given, name)
            section = undefined
          }
          edges.add(record)
          if (section) section.held.push(record)
          else {
            section = { held: [], before: [], after: [] }
            yield record
          }
          continue
        }
        if (!section) {
          yield record
          continue
        }
        const read = readRow(columns(), record.cells)
        const row = "error" in read ? undefined : read
        const kind = findKind(record, row, section, { columns: columns(), meaningOf })
        if (kind === "end" || kind === "total-of-credits") {
          yield* settleSection(section, given, name)
          section = undefined
          if (kind === "end") edges.add(record)
          else given.add(record)
          yield record
          continue
        }
        if (typeof kind === "object") section.doubt ??= { record, text: kind.doubt }
        if (kind === "row" && row) (section.doubt ? section.after : section.before).push({ record, row })
        // Headings are needed to read the rows below them.
        if (section.before.length + section.after.length === 0) yield record
        else section.held.push(record)
      }
      if (section) yield* settleSection(section, given, name)
    },
    isEdge: (record: CsvRecord) => edges.has(record),
    sign: (row: BillRow, record: CsvRecord) =>
      given.has(record) && listCents(row).some((cents) => cents > 0) ? negate(row) : row,
  }
}

/** Whether a line is only the word for credits, and no charge or kind of row has that name. */
function beginsCredits(cells: readonly string[], { fields }: Pick<BillColumnsRead, "fields">): boolean {
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== "")
  if (filled.length !== 1 || !CREDITS.test(filled[0] ?? "")) return false
  return cells.length === 1 || ((cells[0] ?? "").trim() !== "" && !OF_ROW.includes(fields[0]?.name))
}

function findKind(
  { cells, isHeadings }: CsvRecord,
  row: BillRow | undefined,
  { before, after }: Section,
  { columns, meaningOf }: { columns: BillColumnsRead } & Pick<Reader, "meaningOf">,
): Kind {
  const text = cells
    .map((cell) => cell.trim())
    .filter((cell) => cell !== "")
    .join(" ")
  const isEmpty = before.length + after.length === 0
  if (isHeadings || findNextTable(cells, columns, meaningOf)) {
    // Below the word, headings belong to its section, and on a new page to the table.
    if (isEmpty) return "nothing"
    return repeatsHeadings(cells, columns.headers) ? { doubt: text } : "end"
  }
  if (!row) return "nothing"
  const words = [...row.names, ...row.words, row.label]
  if (row.amounts.size + row.parts.length > 0) {
    if (words.some((each) => saysOfAccount(each) !== undefined)) return "nothing"
    if (row.names.some((each) => /\d/.test(each)) || !words.some(saysSum)) return "row"
    if (words.some(saysPageTotal)) return { doubt: text }
    return words.some((each) => TOTAL_OF_CREDITS.test(each)) ? "total-of-credits" : "end"
  }
  if (!/\p{L}/u.test(text) || row.names.some((each) => /^\S*\d\S*$/.test(each)) || PAGE.test(text))
    return "nothing"
  if (cells.some((cell) => saysTotal(cell) && !saysPageTotal(cell)) || beginsCharges(text)) return "end"
  return PLACE.test(text) && !isEmpty ? "end" : { doubt: text }
}

const saysSum = (text: string) =>
  saysTotal(text) || saysTotalOf(text) !== undefined || /\btotal\b/i.test(text)

const listCents = ({ amounts, parts }: BillRow) => [...amounts.values(), ...parts.map(({ cents }) => cents)]

/** If some amounts have a sign, all amounts of a section keep their own. */
function* settleSection(
  { held, before, after, doubt }: Section,
  given: WeakSet<CsvRecord>,
  name: string,
): Generator<CsvRecord> {
  const isSigned = ({ row }: Charged) => hasSign(row)
  const open = after.filter((each) => isSigned(each) || listCents(each.row).some((cents) => cents > 0))
  const isClear = before.some(isSigned) || (before.length === 0 && after.some(isSigned))
  if (doubt && open.length > 0 && !isClear)
    throw new FreightError(
      "input",
      `${name}: ${describePlace(doubt.record)}: ${quoted(doubt.text)} is among credits, and the amounts below it may be credits or charges; nothing was audited`,
      { hint: "Write the amounts of credits with a minus, such as -20.00." },
    )
  if (!isClear) for (const { record } of before) given.add(record)
  yield* held
}

/** Whether a row states itself whether it is a credit: by a minus, or in a column of signs, debits or credits. */
function hasSign({ cells }: BillRow): boolean {
  return cells.some(({ field, text }) => {
    if (field?.name === "sign" || (field?.name === "status" && readSign(text) === "credit")) return true
    if (!field?.holds || field.holds === "name" || field.name === "discount") return false
    const cents = readCents(text)
    if (typeof cents === "string") return false
    return cents < 0 || (cents > 0 && (field.name === "credit" || field.name === "debit"))
  })
}

function negate(row: BillRow): BillRow {
  const negateAll = (parts: readonly Part[]) => parts.map((part) => ({ ...part, cents: 0 - part.cents }))
  return {
    ...row,
    amounts: new Map(Array.from(row.amounts, ([name, cents]) => [name, 0 - cents])),
    parts: negateAll(row.parts),
    extras: negateAll(row.extras),
  }
}

/**
 * Reads the headings of another table below the first: known columns keep their meaning, and further ones describe
 * charges, or nothing. Undefined if the cells are not such headings.
 * @param meaningOf the meaning of a heading by itself
 */
export function findNextTable(
  cells: readonly string[],
  { headers, fields, units, isMapped }: BillColumnsRead,
  meaningOf: (heading: string) => BillField | undefined,
): BillColumnsRead | undefined {
  const own = cells.map((cell) => cell.trim())
  const filled = own.filter((cell) => cell !== "")
  if (filled.length < MIN_HEADINGS || filled.some((cell) => /\d/.test(cell))) return undefined
  const places = own.map((cell) =>
    cell === "" ? -1 : headers.findIndex((header) => plainHeader(header) === plainHeader(cell)),
  )
  const known = places.map((at) => fields[at])
  const has = (...kinds: BillField["holds"][]) =>
    known.some((field) => field?.holds && kinds.includes(field.holds))
  if (!has("name") || !has("total", "part")) return undefined
  const toField = (cell: string, at: number) => {
    const field = known[at] ?? (cell === "" ? undefined : meaningOf(REASON.test(cell) ? "Description" : cell))
    return known[at] || field?.name === "charge" ? field : undefined
  }
  return {
    headers: own,
    fields: own.map(toField),
    units: places.map((at) => units[at]),
    isMapped: places.map((at) => isMapped[at] ?? false),
  }
}

const REASON = /^reason\b/i

/** A row has as many cells. */
const MIN_HEADINGS = 3
