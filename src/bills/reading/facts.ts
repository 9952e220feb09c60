/** The facts above a bill's headings: number, day and supplier. */
import { BILL_CURRENCY } from "../verdicts.ts"
import { formatDate } from "../../base/wall-clock.ts"
import { readWhen } from "../../base/when.ts"
import { cleanText } from "../../contract/index.ts"
import { quoted } from "../../base/parsed.ts"
import { FreightError } from "../../base/errors.ts"
import {
  CREDIT_NOTE,
  type CsvRecord,
  describePlace,
  findCreditNote,
  isForeignAmount,
  namesCreditNote,
} from "../../input/index.ts"
import type { FactPlaces, Place } from "../../machine/index.ts"
import { BILL_COLUMNS } from "./columns.ts"
import { readDate } from "./lines.ts"

export interface TableFacts {
  number: string
  /** `yyyy-mm-dd`; empty if there is none. */
  date: string
  supplier: string
  /** The last day of the billed period, and its label: the bill may have another day. */
  period?: { label: string; date: string } | undefined
  /** The words by which it is a credit note. */
  creditNote?: string | undefined
}

/** @param above the records above the headings */
export function readFacts(above: readonly Pick<CsvRecord, "cells">[], nowMs: number): TableFacts {
  const all = above.flatMap(({ cells }) => listFacts(cells))
  const creditNote = findCreditNote(above.map(({ cells }) => cells.map(clean)))
  // A credit note names the invoice that it credits, too: that is not its number.
  const isOwn = ({ field, label }: Fact) =>
    field !== "invoiceNumber" ||
    (creditNote === undefined ? !namesCreditNote(label) : !/\b(?:invoice|inv|bill)\b/i.test(label))
  const facts = all.filter(isOwn)
  const find = (field: string) =>
    facts.filter((fact) => fact.field === field).toSorted((one, other) => one.rank - other.rank)[0]?.value ??
    ""
  const period = facts.find((fact) => fact.field === "period")
  const last = readBillDate(period?.value.split(/\s(?:[-\u2013]|to)\s/).at(-1) ?? "", nowMs)
  return {
    number: find("invoiceNumber"),
    date: readBillDate(find("invoiceDate"), nowMs),
    supplier: find("carrier"),
    ...(creditNote !== undefined && { creditNote }),
    ...(period && last !== "" && { period: { label: period.label, date: last } }),
  }
}

/**
 * The day of a bill. For an ambiguous date the day stands before the month, as in Australia. Empty if it is not a day.
 */
export function readBillDate(text: string, nowMs: number): string {
  const read = readDate(text, nowMs)
  if (read !== "" || text === "") return read
  const when = readWhen(text)
  return when.ok ? formatDate(when.value.date) : ""
}

interface Fact {
  field: string
  label: string
  value: string
  /** How clear its label is: the lowest counts. */
  rank: number
}

/** `Invoice no` is clearer than the title `TAX INVOICE`; labels of a statement of account count last. */
function rankLabel(label: string): number {
  if (/\b(?:statement|account)\b/i.test(label)) return 2
  return /^\W*(?:tax )?(?:invoice|bill)\W*$/i.test(label) ||
    (namesCreditNote(label) && !/\b(?:no|number|num)\b|#/i.test(label))
    ? 1
    : 0
}

/** Not a bill's number, whatever label it stands beside. */
const NOT_NUMBER = /\b(?:abn|acn|page|phone|ph|tel|fax|mobile|date|due|period|gst|total|terms|days)\b|^\$/i
/** Beside a mere title, these may be a phone number or an amount. */
const PHONE_OR_AMOUNT = /^(?:\+?61|0[2-478])[ \d()-]{8,}$|^1[38]00? ?\d{3} ?\d{3}$|\.\d\d$/

/**
 * The number at the start of a text, without a further fact; undefined if it does not look like one.
 * @param isTitle only a title such as `TAX INVOICE` stands before it
 */
export function readBillNumber(text: string, isTitle = false): string | undefined {
  // The text after it has its own label, such as `77123 Date: 6 Dec 2026`.
  const words = text
    .replace(/^(?:no|number|num)[.:# ]+/i, "")
    .trim()
    .split(/\s+/)
  const next = words.findIndex(
    (word, at) =>
      at > 0 && (/^\p{L}+[:#]/u.test(word) || NEXT_WORD.test(word) || isDay(words.slice(at).join(" "))),
  )
  const number = (next < 0 ? words : words.slice(0, next)).join(" ")
  const isOther = NOT_NUMBER.test(number) || isDay(number) || (isTitle && PHONE_OR_AMOUNT.test(number))
  return /\d/.test(number) && number.length <= MAX_NUMBER_LENGTH && !isOther ? number : undefined
}

const MAX_NUMBER_LENGTH = 40

/** Starts another fact, even without a colon: `8812 Account 10044`. */
const NEXT_WORD =
  /^(?:week|period|date|dated|day|page|terms|due|account|acct|a\/c|customer|cust|client|debtor|abn|acn|order|po|ref|reference|store|branch|depot|issued)$/i

/** `2026.11` may be a number; a day has three parts. */
const isDay = (text: string) =>
  /[/. -].*[/. -]/.test(text) && /\b(?:19|20)\d\d\b/.test(text) && readWhen(text).ok

export function refuseForeign(name: string, above: readonly CsvRecord[]): void {
  for (const record of above)
    for (const cell of record.cells) {
      const [last = ""] = /(?<!\p{L})\p{L}{1,3}\$?[).]{0,2}$/u.exec(cell.trim()) ?? []
      if (isForeignAmount(last))
        throw new FreightError(
          "input",
          `${name}: ${describePlace(record)} says ${quoted(clean(cell))}, and bills are compared in ${BILL_CURRENCY}`,
          { hint: `If its amounts are in ${BILL_CURRENCY}, remove that row.` },
        )
    }
}

/** The next label starts after a value: `Invoice No: 8812  Date: 27/11/2026`. */
const NEXT_FACT = /(?<=\d)\s+(?=(?:\p{L}{1,20} ){0,2}\p{L}{1,20}[:#])/u

/** `Invoice no. 311`, without a colon: no text may follow the number, because it may be another fact. */
const NUMBER_BEHIND = new RegExp(
  `^((?:(?:tax )?(?:invoice|inv|bill)|${CREDIT_NOTE}) (?:no|number|num))\\.? +(\\S*\\d\\S*)$`,
  "i",
)
/** `TAX INVOICE 10448827-S`, also after a name and a dash. */
const TITLE_BEHIND = new RegExp(
  `(?:^|[-\u2013\u2014|] )((?:tax )?invoice|${CREDIT_NOTE}) +(\\S*\\d\\S{2,})$`,
  "i",
)

/** `Invoice, NL-20881, Date, 30/11/2026` and `Invoice No: N0098812`, by their fields. */
function listFacts(cells: readonly string[]): Fact[] {
  const filled = cells.flatMap((cell) => clean(cell).split(NEXT_FACT)).filter((cell) => cell !== "")
  return filled.flatMap((cell, at): Fact[] => {
    const [, label = "", value = ""] =
      /^([^:#]{2,30}?)\s*[:#]+\s*(.*)$/.exec(cell) ??
      NUMBER_BEHIND.exec(cell) ??
      TITLE_BEHIND.exec(cell) ??
      []
    const field = factOf(label === "" ? cell : label)
    if (field === undefined) return []
    const given = value !== "" ? value : (filled[at + 1] ?? "")
    const rank = rankLabel(label === "" ? cell : label)
    const read =
      field === "invoiceNumber"
        ? readBillNumber(given, rank === 1)
        : isValue(field, given)
          ? given
          : undefined
    return read === undefined ? [] : [{ field, label: label === "" ? cell : label, value: read, rank }]
  })
}

/** The text of a cell with spreadsheet damage repaired, or as it stands if that is impossible. */
export function clean(cell: string): string {
  const read = cleanText(cell)
  return read.ok ? read.value : cell.trim()
}

export interface GivenHead {
  number?: string | undefined
  date?: string | undefined
}

/** A number of one word: after several words, another fact may follow. */
const ONE_WORD = /^\S*\d\S*$/

/** Words that exclude a label for the bill's own number or day. */
const NOT_LABEL = { number: NOT_NUMBER, date: /\b(?:due|period)\b/i }

/**
 * Finds where the given number and day stand above the headings: at the end of a cell, after words that the next bill
 * will have too. Other places may hold something else there.
 */
export function findPlaces(
  above: readonly CsvRecord[],
  { number, date }: GivenHead,
  nowMs: number,
): FactPlaces {
  const places: FactPlaces = {}
  const day = date === undefined ? "" : readBillDate(date, nowMs)
  for (const { row, cells } of above)
    for (const [cell, written] of cells.entries()) {
      const text = clean(written)
      const keep = (field: keyof FactPlaces, before: string) => {
        const label = before === "" ? findLabel(cells, cell) : undefined
        const words = label ?? before
        if (/\p{L}/u.test(words) && !NOT_LABEL[field].test(words))
          places[field] ??= { row, cell, before, label }
      }
      if (number !== undefined && ONE_WORD.test(number) && text.endsWith(number)) {
        const before = text.slice(0, -number.length)
        if (/(?:^|[\s:#])$/.test(before)) keep("number", before)
      }
      const [before = ""] = /^\P{N}*[:#]\s*/u.exec(text) ?? []
      if (day !== "" && readBillDate(text.slice(before.length), nowMs) === day) keep("date", before)
    }
  return places
}

/** The words of the nearest filled cell on the left, without words with digits; empty if there are none. */
function findLabel(cells: readonly string[], cell: number): string {
  const texts = cells.slice(0, cell).map(clean)
  const words = (texts.findLast((text) => text !== "") ?? "").split(/\s+/)
  return words.filter((word) => !/\d/.test(word)).join(" ")
}

/** The values at a saved map's positions of number and day, if they look like them. */
export function readPlaces(
  above: readonly CsvRecord[],
  places: FactPlaces | undefined,
  nowMs: number,
): Partial<Pick<TableFacts, "number" | "date">> {
  const textAt = (place: Place | undefined) => {
    if (!place) return ""
    const { before, label } = place
    const cells = above.find(({ row }) => row === place.row)?.cells ?? []
    const text = clean(cells[place.cell] ?? "")
    const isThere =
      before === "" ? label !== undefined && findLabel(cells, place.cell) === label : text.startsWith(before)
    return isThere ? text.slice(before.length) : ""
  }
  const text = textAt(places?.number)
  const number = ONE_WORD.test(text) ? readBillNumber(text) : undefined
  const date = readBillDate(textAt(places?.date), nowMs)
  return { ...(number !== undefined && { number }), ...(date !== "" && { date }) }
}

/** The field of a heading or a fact's label; undefined if it is unknown, or only cells could decide. */
export function fieldOf(heading: string): string | undefined {
  const meaning = BILL_COLUMNS.meaning(heading)
  return "field" in meaning ? meaning.field?.name : undefined
}

function factOf(label: string): string | undefined {
  const name = fieldOf(label)
  if (name === "shipDate" && /^date$/i.test(label.trim())) return "invoiceDate"
  if (/^dated$/i.test(label.trim())) return "invoiceDate"
  if (PERIOD.test(label.trim())) return "period"
  if (namesCreditNote(label)) return "invoiceNumber"
  return BILL_COLUMNS.facts?.find((each) => each === name)
}

const PERIOD =
  /^(?:(?:invoice|billing|statement|for the) )?(?:period|week|fortnight|month)(?: (?:end|ending|ended|to))?$/i

function isValue(field: string, text: string): boolean {
  return field === "carrier" ? /\p{L}{2}/u.test(text) : /\d/.test(text)
}
