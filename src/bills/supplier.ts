/** Whose bill a table is: by what its carrier column and the rows above its headings say. */
import { isAbn } from "../invoice/accounting/identifiers.ts"
import type { CsvRecord } from "../input/sheets/csv.ts"
import { BILL_COLUMNS } from "./reading/columns.ts"
import { clean, fieldOf } from "./reading/facts.ts"

/** By what the saved map of a supplier's bills is found. */
export interface SupplierSigns {
  names: readonly string[]
  /** Eleven digits each; none that the bill says is the customer's. */
  abns: readonly string[]
  /** Texts above the headings, in which a name may stand. */
  titles: readonly string[]
}

/** Rows in which a bill says whose it is. */
const MOST_ROWS = 30

/** @param start the first records of the table, headings and what is above them included */
export function findSupplier(start: readonly Pick<CsvRecord, "cells">[]): SupplierSigns {
  const rows = start.slice(0, MOST_ROWS).map(({ cells }) => cells.map(clean))
  const names = new Set<string>()
  const abns = new Set<string>()
  const at = findHeadings(rows)
  const column = rows[at]?.findIndex((cell) => fieldOf(cell) === "carrier") ?? -1
  for (const cells of column < 0 ? [] : rows.slice(at + 1)) if (cells[column]) names.add(cells[column] ?? "")
  const above = rows.slice(0, Math.max(0, at))
  for (const cells of above)
    for (const [index, cell] of cells.entries()) {
      const [, label = "", value = ""] = /^([^:]{2,30}):\s*(\S.*)$/.exec(cell) ?? []
      if (fieldOf(label || cell) === "carrier") names.add(value || (cells[index + 1] ?? ""))
    }
  for (const cells of rows)
    for (const [index, cell] of cells.entries())
      if (/\babn\b/i.test(cell) && !OF_CUSTOMER.test(cell))
        for (const abn of readAbns(`${cell} ${cells[index + 1] ?? ""}`)) abns.add(abn)
  const titles = above.flat().filter((cell) => cell !== "" && !OF_CUSTOMER.test(cell))
  return { names: [...names].filter((name) => name !== ""), abns: [...abns], titles }
}

/** The row of the headings; where they mean nothing, the one above the first amount. */
function findHeadings(rows: readonly (readonly string[])[]): number {
  const known = rows.findIndex((cells) => cells.filter(isHeading).length >= 2)
  return known >= 0
    ? known
    : rows.findIndex((cells) => cells.some((cell) => /^-?[\d,]*\.\d\d$/.test(cell))) - 1
}

const OF_CUSTOMER = /\b(?:customer|client|bill(?:ed)? to|your|buyer|recipient|payer|account name|sold to)\b/i

function isHeading(cell: string): boolean {
  const meaning = BILL_COLUMNS.meaning(cell)
  return "field" in meaning || "byCells" in meaning
}

function readAbns(text: string): string[] {
  return (text.match(/\d[\d ]{9,13}\d/g) ?? []).map((each) => each.replaceAll(" ", "")).filter(isAbn)
}

const plain = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()

/** Whether one of the names or ABNs of a saved map is the supplier's. @param own ABNs that are never a supplier's */
export function isSupplierOf(
  kept: readonly string[],
  { names, abns, titles }: SupplierSigns,
  own: readonly string[],
): boolean {
  return kept.some((each) => {
    if (isAbn(each)) return abns.includes(each) && !own.includes(each)
    const name = plain(each)
    return (
      name !== "" &&
      (names.some((one) => plain(one) === name) ||
        titles.some((text) => ` ${plain(text)} `.includes(` ${name} `)))
    )
  })
}
