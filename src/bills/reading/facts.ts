/** Facts of a bill that stand above its headings: its number, its day and its supplier. */
import { BILL_CURRENCY } from "../verdicts.ts"
import { cleanText } from "../../contract/fields/damage.ts"
import { quoted } from "../../base/parsed.ts"
import { FreightError } from "../../base/errors.ts"
import { isForeignAmount } from "../../input/columns/bearings.ts"
import { type CsvRecord, describePlace } from "../../input/sheets/csv.ts"
import { BILL_COLUMNS } from "./columns.ts"
import { readDate } from "./lines.ts"

export interface TableFacts {
  number: string
  /** `yyyy-mm-dd`; empty where it does not stand there. */
  date: string
  supplier: string
}

/** @param above the records above the headings */
export function readFacts(above: readonly Pick<CsvRecord, "cells">[], nowMs: number): TableFacts {
  const found = new Map<string, string>()
  for (const { cells } of above)
    for (const [field, value] of listFacts(cells)) if (!found.has(field)) found.set(field, value)
  const date = readDate(found.get("invoiceDate") ?? "", nowMs)
  return { number: found.get("invoiceNumber") ?? "", date, supplier: found.get("carrier") ?? "" }
}

/** @throws FreightError `input` where a line above the headings says that amounts are not in AUD */
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

/** `Invoice, NL-20881, Date, 30/11/2026` and `Invoice No: N0098812`, by their fields. */
function listFacts(cells: readonly string[]): [field: string, value: string][] {
  const filled = cells.map(clean).filter((cell) => cell !== "")
  return filled.flatMap((cell, at): [string, string][] => {
    const [, label = "", value = ""] = /^([^:#]{2,30}?)\s*[:#]+\s*(.*)$/.exec(cell) ?? []
    const field = factOf(label === "" ? cell : label)
    if (field === undefined) return []
    const given = value !== "" ? value : (filled[at + 1] ?? "")
    return isValue(field, given) ? [[field, given]] : []
  })
}

/** The text of a cell, without damage; as it stands where that cannot be undone. */
export function clean(cell: string): string {
  const read = cleanText(cell)
  return read.ok ? read.value : cell.trim()
}

/** What a heading, or the label of a fact, is; undefined where freight does not know it, or cells would decide. */
export function fieldOf(heading: string): string | undefined {
  const meaning = BILL_COLUMNS.meaning(heading)
  return "field" in meaning ? meaning.field?.name : undefined
}

function factOf(label: string): string | undefined {
  const name = fieldOf(label)
  if (name === "shipDate" && /^date$/i.test(label.trim())) return "invoiceDate"
  return BILL_COLUMNS.facts?.find((each) => each === name)
}

/** A number has a digit, and so has a day. */
function isValue(field: string, text: string): boolean {
  return field === "carrier" ? /\p{L}{2}/u.test(text) : /\d/.test(text)
}
