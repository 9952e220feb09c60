/** A row of a carrier's bill as CSV: what its cells hold, by the meaning of their columns. */
import type { Charge } from "../contract/bills.ts"
import { centsOf } from "../contract/money.ts"
import { toFinding } from "../contract/parsed.ts"
import { cleanText, readSignedNumber } from "../contract/fields/damage.ts"
import { saysTotal } from "../input/sheets/totals.ts"
import { toCharge } from "./bill.ts"
import { type BillField, type BillFieldName, mayBeCharge } from "./columns.ts"

interface Cell {
  text: string
  column: string
  /** Undefined for a column that means nothing to freight. */
  field: BillField | undefined
}

/** A charge in a column of its own. */
export interface Part {
  column: string
  charge: Charge
  label: string
  cents: number
}

/** A row of a bill; its empty cells are left out. */
export interface BillRow {
  cells: readonly Cell[]
  /** What may name its consignment. */
  names: readonly string[]
  /** All other cells but amounts. */
  words: readonly string[]
  invoice: string
  /** Cents by field; columns of one field are added up. */
  amounts: ReadonlyMap<string, number>
  parts: readonly Part[]
  /** What may be charges in columns that freight does not know. */
  extras: readonly Part[]
}

/** Takes the cells of a record apart; an amount that cannot be read is an error. */
export function readRow(
  fields: readonly (BillField | undefined)[],
  headers: readonly string[],
  written: readonly string[],
): BillRow | { error: { column: string; message: string } } {
  const cells = fields.flatMap((field, index): Cell[] => {
    const text = cleanCell(written[index] ?? "")
    return text === "" ? [] : [{ text, column: headers[index] ?? "", field }]
  })
  const names: string[] = []
  const words: string[] = []
  const amounts = new Map<string, number>()
  const parts: Part[] = []
  for (const { text, column, field } of cells) {
    if (field?.holds === "name") names.push(text)
    // Words of a total stand where there is room, also under the heading of an amount.
    else if (!field?.holds || saysTotal(text)) words.push(text)
    else {
      const cents = readCents(text)
      if (typeof cents === "string") return { error: { column, message: cents } }
      amounts.set(field.name, (amounts.get(field.name) ?? 0) + cents)
      if (field.charge && cents !== 0)
        parts.push({
          column,
          charge: field.charge,
          label: field.charge === "other" ? column : field.name,
          cents,
        })
    }
  }
  const invoice = getText({ cells }, "invoiceNumber")
  return { cells, names, words, invoice, amounts, parts, extras: listExtras(cells) }
}

function cleanCell(written: string): string {
  const trimmed = written.trim()
  if (trimmed === "") return ""
  const clean = cleanText(written)
  return clean.ok ? clean.value : trimmed
}

/** The first cell of a field; empty where there is none. */
export function getText({ cells }: Pick<BillRow, "cells">, name: BillFieldName): string {
  return cells.find(({ field }) => field?.name === name)?.text ?? ""
}

/** `XC1 Name` beside `XC1 Charge` says what it is for. */
function listExtras(cells: readonly Cell[]): Part[] {
  const unknown = cells.filter(({ field }) => !field)
  return unknown.flatMap(({ column, text }) => {
    const cents = mayBeCharge(column, text) ? readCents(text) : 0
    if (typeof cents === "string" || cents === 0) return []
    const nameColumn = column.replace(/charge|amount/i, "Name").toLowerCase()
    const named = unknown.find((each) => each.column !== column && each.column.toLowerCase() === nameColumn)
    const label = named?.text ?? column
    return [{ column, charge: toCharge(label), label, cents }]
  })
}

export function sumParts(parts: readonly Part[]): number {
  return parts.reduce((cents, each) => cents + each.cents, 0)
}

/** Cents of an amount in any form that spreadsheets and accountants write; a text says what is wrong. */
function readCents(text: string): number | string {
  const read = readSignedNumber(text, { money: true })
  return read.ok ? centsOf(String(read.value)) : toFinding(read).message
}
