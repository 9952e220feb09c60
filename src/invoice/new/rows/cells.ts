/** The cells of a row as values by field, each read by its field's kind. */
import { readCell } from "../../../contract/index.ts"
import { type FindingText, toFinding } from "../../../base/parsed.ts"
import type { CellFinding } from "../../../input/index.ts"
import { type Amount, ZERO } from "../../accounting/amounts.ts"
import { type InvoiceField, withBasis } from "./fields.ts"
import { getInvoiceKind, type InvoiceKindName, isRateText } from "./kinds.ts"
import { PRICES } from "./price.ts"

export interface WrittenCell {
  column: string
  field: InvoiceField
  text: string
}

export interface RowValues {
  /** As a spreadsheet numbers it. */
  row: number
  line: number
  /** By field; days are date-times, addresses are as written. Empty cells are left out. */
  texts: ReadonlyMap<string, string>
  amounts: ReadonlyMap<string, Amount>
  /** Fields whose cell cannot be read. */
  failed: ReadonlySet<string>
}

/** @param nowMs to judge whether a spreadsheet's number for a day is plausible */
export function readCells(
  cells: readonly WrittenCell[],
  nowMs: number,
): Pick<RowValues, "texts" | "amounts" | "failed"> & { findings: CellFinding[] } {
  const texts = new Map<string, string>()
  const amounts = new Map<string, Amount>()
  const failed = new Set<string>()
  const findings: CellFinding[] = []
  const stateOf = (name: string) =>
    cells.find(({ field }) => field.name === name.replace(/postalCode$/, "state"))?.text
  for (const { column, field, text } of cells) {
    const add = (severity: CellFinding["severity"], found: readonly FindingText[] = []) =>
      findings.push(...found.map((each) => ({ ...each, column, severity })))
    // A column of taxes may hold amounts, rates or an accounting program's codes.
    const isRate = field.reads === "tax" && isRateText(text)
    const [name, kind]: [string, InvoiceKindName] = isRate ? ["taxRate", "rate"] : [field.name, field.reads]
    const context = { nowMs, state: stateOf(name) }
    const read = readCell<string | Amount, typeof context>(getInvoiceKind(kind, field.leaf), text, context)
    if (!read.ok) {
      failed.add(name)
      add("error", [toFinding(read)])
      continue
    }
    if (read.value === undefined) continue
    add("repaired", read.repairs)
    if (typeof read.value === "string") {
      add("warning", getInvoiceKind(kind).doubts?.(read.value))
      texts.set(name, read.value)
    } else if (!amounts.has(name) || !isRate) amounts.set(name, read.value)
  }
  if (PRICES.every((name) => !amounts.has(name) && !failed.has(name)))
    for (const { field, text } of cells) if (isAccountingZero(field, text)) amounts.set(field.name, ZERO)
  const basis = texts.get("basis")
  if (basis !== "exGst" && basis !== "incGst") return { texts, amounts, failed, findings }
  const based = [...amounts].map(([name, amount]) => {
    if (name !== "price" && name !== "amount") return [name, amount] as const
    // MYOB has the price without GST and the one with it, whatever the customer sees.
    // Beside a price, the amount shows by itself whether GST is in it.
    const isSaid = SAID[name].some((each) => amounts.has(each)) || (name === "amount" && amounts.has("price"))
    return [(isSaid ? undefined : withBasis(name, basis)?.name) ?? name, amount] as const
  })
  return { texts, amounts: new Map(based), failed, findings }
}

/** `$-`, as spreadsheets show 0 in their accounting format. Beside other prices it is an empty cell. */
function isAccountingZero({ name }: InvoiceField, text: string): boolean {
  return (name === "taxAmount" || PRICES.includes(name)) && /^\s*\$\s*[-\u2013]\s*$/.test(text)
}

const SAID = { price: ["unitPrice", "unitPriceIncGst"], amount: ["subtotal", "amountIncGst"] } as const
