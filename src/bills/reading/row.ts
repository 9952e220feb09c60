/** Reads a row of a carrier's bill: its cells by the meaning of their columns. */
import { BILL_CURRENCY, type Charge } from "../verdicts.ts"
import { centsOf } from "../../base/money.ts"
import { saysNothing } from "../../base/nothing.ts"
import { quoted, toFinding } from "../../base/parsed.ts"
import { cleanText, KINDS, readCell, readNumber, readSignedNumber } from "../../contract/index.ts"
import { findUnit, type Unit } from "../../base/units.ts"
import {
  type Basis,
  findBasis,
  isCreditLabel,
  isForeignAmount,
  readBasis,
  readSign,
  readSignOrLetter,
  saysOfAccount,
  saysTotal,
  saysTotalOf,
} from "../../input/index.ts"
import { toCharge } from "./charge.ts"
import { type BillField, type BillFieldName, mayBeCharge, nameWhole, namesCharge } from "./columns.ts"
import { findNumbers, splitWords } from "../names.ts"

interface Cell {
  text: string
  column: string
  index: number
  /** Undefined for an unknown column. */
  field: BillField | undefined
}

/** The columns of a table of charges, by position. */
export interface BillColumnsRead {
  headers: readonly string[]
  fields: readonly (BillField | undefined)[]
  units: readonly (Unit | undefined)[]
  /** Columns that `--map` names; a column that it leaves out is not a charge. */
  isMapped: readonly boolean[]
}

/** A charge in a separate column. */
export interface Part {
  column: string
  index: number
  charge: Charge
  label: string
  cents: number
  basis?: Basis | undefined
}

/** A row of a bill, without its empty cells. */
export interface BillRow {
  cells: readonly Cell[]
  /** Possible names of its consignment. */
  names: readonly string[]
  /** All other cells except amounts. */
  words: readonly string[]
  invoice: string
  label: string
  /** Cents by field; columns of one field are added up. */
  amounts: ReadonlyMap<string, number>
  /** The basis of amounts whose columns do not state it. */
  basis: Basis | undefined
  /** A single one takes the row's label, if that stands in place of a number. */
  parts: readonly Part[]
  /** Possible charges in unknown columns. */
  extras: readonly Part[]
  grams: number | null
}

type RowError = { error: { column: string; message: string } }

/** Reads the cells of a record; an unreadable amount is an error. */
export function readRow(
  { headers, fields, units, isMapped }: BillColumnsRead,
  written: readonly string[],
): BillRow | RowError {
  const cells = fields.flatMap((field, index): Cell[] => {
    const text = cleanCell(written[index] ?? "")
    const isNothing = text === "" || (field?.holds === "name" && saysNothing(text))
    return isNothing ? [] : [{ text, column: headers[index] ?? "", index, field }]
  })
  const hasDebit = fields.some((field) => field?.name === "debit")
  const draft: RowDraft = { names: [], words: [], amounts: new Map(), parts: [] }
  const wrong = cells.map((cell) => readCellOf(cell, draft, hasDebit)).find((error) => error !== undefined)
  if (wrong) return wrong
  const stray = cells.find(({ field, text }) => field?.holds === "name" && STRAY.test(text))
  const isNamed = draft.names.some((text) => !STRAY.test(text))
  if (stray && !isNamed && !cells.some(({ text }) => saysSum(text)))
    return {
      error: { column: stray.column, message: `${quoted(stray.text)} is an amount, and names nothing` },
    }
  const { names, words, amounts, parts } = draft
  const label = findLabel(cells)
  const basis = readCellBasis(cells) ?? findBasis(label)?.basis
  nameNumbered(parts, cells)
  const extras = listExtras(cells.filter(({ index }) => !isMapped[index]))
  const isSigned = fields.some((field) => field?.name === "sign" || field?.isCredit)
  const isCredit =
    cells.some(({ field, text }) => isSign(field) && readSignOf(field, text) === "credit") ||
    (!isSigned && isCreditLabel(label))
  const give = (cents: number) => (isCredit ? 0 - Math.abs(cents) : cents)
  const isNamedInstead = label !== "" && names.includes(label)
  const giveParts = (some: readonly Part[]) =>
    some.map((part) => ({
      ...part,
      ...(isNamedInstead && some.length === 1 && { charge: toCharge(label), label }),
      cents: give(part.cents),
    }))
  return {
    ...{ cells, basis, label, grams: readGrams(cells, units) },
    names: names.filter((text) => text !== label),
    words: isNamedInstead ? [...words, label] : words,
    invoice: getText({ cells }, "invoiceNumber"),
    amounts: isCredit ? new Map(Array.from(amounts, ([name, cents]) => [name, give(cents)])) : amounts,
    parts: giveParts(parts),
    extras: giveParts(extras),
  }
}

/** An amount in the place of a consignment number; one without cents may be a number that a program wrote with decimals. */
const STRAY = /^(?:A?\$ ?)?\d[\d,]*\.(?!00)\d\d$/

export const saysSum = (text: string) =>
  saysTotal(text) || saysTotalOf(text) !== undefined || saysOfAccount(text) !== undefined

const isSign = (field: BillField | undefined) => field?.name === "sign" || field?.name === "status"

function readSignOf(field: BillField | undefined, text: string) {
  return field?.name === "sign" ? readSignOrLetter(text) : readSign(text)
}

interface RowDraft {
  names: string[]
  words: string[]
  amounts: Map<string, number>
  parts: Part[]
}

function readCellOf(
  { text, column, index, field }: Cell,
  { names, words, amounts, parts }: RowDraft,
  hasDebit: boolean,
): RowError | undefined {
  const refuse = (message: string) => ({ error: { column, message } })
  if (field?.holds === "name") names.push(text)
  // Words of a total stand wherever there is room, even under the heading of an amount.
  else if (!field?.holds || saysTotal(text) || saysTotalOf(text) !== undefined) words.push(text)
  else {
    const cents = readCents(text)
    if (typeof cents === "string") return refuse(cents)
    const given = field.isCredit ? 0 - Math.abs(cents) : cents
    const isPart = field.holds === "part" || (field.name === "credit" && !hasDebit)
    const key = isPart || !isDebitOrCredit(field) ? field.name : nameWhole(field.basis)
    amounts.set(key, (amounts.get(key) ?? 0) + given)
    if (isPart && cents !== 0)
      parts.push({ ...describePart(field, column), index, cents: given, basis: field.basis })
  }
  if (field?.name === "weightUnit" && !readCell(KINDS.unit, text, {}).ok)
    return refuse(`${quoted(text)} is not a unit that freight knows`)
  if (field?.name === "currency" && !readCell(KINDS.currency, text, {}).ok)
    return refuse(describeForeign(text))
  if (field?.name === "sign" && readSignOf(field, text) === undefined)
    return refuse(`${quoted(text)} is not known: is it a charge or a credit?`)
  if (field?.name === "basis" && readBasis(text) === undefined)
    return refuse(`${quoted(text)} does not say whether GST is included`)
  return undefined
}

const describeForeign = (text: string) =>
  `${quoted(text)} is not ${BILL_CURRENCY}, in which bills are compared`

const isDebitOrCredit = ({ name }: BillField) => name === "debit" || name === "credit"

function describePart(
  { name, charge = "other" }: BillField,
  column: string,
): Pick<Part, "column" | "charge" | "label"> {
  return { column, charge, label: charge === "other" ? column : name }
}

function cleanCell(written: string): string {
  const trimmed = written.trim()
  if (trimmed === "") return ""
  const clean = cleanText(written)
  return clean.ok ? clean.value : trimmed
}

/** The first cell of a field; empty if there is none. */
export function getText({ cells }: Pick<BillRow, "cells">, name: BillFieldName): string {
  return cells.find(({ field }) => field?.name === name)?.text ?? ""
}

/** The row's words for its charge: from their own column, from the place of a consignment number, or from anywhere. */
function findLabel(cells: readonly Cell[]): string {
  const label = getText({ cells }, "charge")
  if (label !== "") return label
  const names = cells.filter(({ field }) => field?.holds === "name")
  const [only] = names
  if (!only) return findWords(cells)
  if (names.length > 1 || splitWords(only.text).some((word) => /\d/.test(word))) return ""
  const isNumber = only.field?.name !== "reference"
  return namesCharge(only.text) || (isNumber && /\p{L}\s+\p{L}/u.test(only.text)) ? only.text : ""
}

/** The words of a row without a name: of a charge in any column, or of any unknown column. */
function findWords(cells: readonly Cell[]): string {
  const worded = cells.filter(
    ({ field, text }) =>
      (!field || field.name === "service") && /^\P{N}*\p{L}{2}/u.test(text) && findNumbers(text).length === 0,
  )
  const words = worded.find(({ text }) => namesCharge(text)) ?? worded.find(({ field }) => !field)
  return words?.text ?? ""
}

function readCellBasis(cells: readonly Cell[]): Basis | undefined {
  return readBasis(getText({ cells }, "basis"))
}

const numberOf = (heading: string) => /(?<!\d)\d{1,2}(?!\d)/.exec(heading)?.[0]

/** `Charge 1` names the charge in `Amount 1`. */
function nameNumbered(parts: Part[], cells: readonly Cell[]): void {
  for (const [at, part] of parts.entries()) {
    const number = part.charge === "other" ? numberOf(part.column) : undefined
    const named = cells.find(
      ({ field, column, text }) =>
        (!field || field.name === "charge") && numberOf(column) === number && /\p{L}{2}/u.test(text),
    )
    if (number !== undefined && named)
      parts[at] = { ...part, charge: toCharge(named.text), label: named.text }
  }
}

/** `XC1 Name` names the charge in `XC1 Charge`. */
function listExtras(cells: readonly Cell[]): Part[] {
  // If there is both `Toll ex GST` and `Toll inc GST`, one is enough.
  const known = cells.flatMap(({ field, column }) => (field ? (findBasis(column)?.rest ?? []) : []))
  const unknown = cells.filter(
    ({ field, column }) => !field && !known.includes(findBasis(column)?.rest ?? column),
  )
  return unknown.flatMap(({ column, index, text }) => {
    const cents = mayBeCharge(column, text) ? readCents(text) : 0
    if (typeof cents === "string" || cents === 0) return []
    const nameColumn = column.replace(/charge|amount/i, "Name").toLowerCase()
    const named = unknown.find((each) => each.column !== column && each.column.toLowerCase() === nameColumn)
    const label = named?.text ?? column
    return [{ column, index, charge: toCharge(label), label, cents }]
  })
}

export function sumParts(parts: readonly Part[]): number {
  return parts.reduce((cents, each) => cents + each.cents, 0)
}

/** Cents of an amount in any notation of spreadsheets and accountants; a text is the error. */
export function readCents(text: string): number | string {
  if (isForeignAmount(text)) return describeForeign(text)
  const read = readSignedNumber(text, { money: true })
  return read.ok ? centsOf(String(read.value)) : toFinding(read).message
}

function readGrams(cells: readonly Cell[], units: BillColumnsRead["units"]): number | null {
  const weight = cells.find(({ field }) => field?.name === "weight")
  if (!weight || saysNothing(weight.text)) return null
  const said = getText({ cells }, "weightUnit")
  const unit = findUnit(/^imperial$/i.test(said) ? "lb" : said) ?? units[weight.index]
  const read = readNumber(weight.text, { unit: "kg", givenUnit: unit?.measure === "kg" ? unit : undefined })
  return read.ok ? Math.round(read.value * 1000) : null
}
