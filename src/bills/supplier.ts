/** Finds a bill's supplier, by its carrier column and the rows above its headings. */
import { isAbn } from "../invoice/index.ts"
import type { CsvRecord } from "../input/index.ts"
import { BILL_COLUMNS } from "./reading/columns.ts"
import { clean, fieldOf } from "./reading/facts.ts"

/** The signs by which a saved map is found. */
export interface SupplierSigns {
  names: readonly string[]
  /** Eleven digits each, without the customer's. */
  abns: readonly string[]
  /** Texts above the headings, which may contain a name. */
  titles: readonly string[]
}

/** The supplier is looked for in this many rows. */
const MAX_ROWS = 30

/** @param start the first records of the table, including headings and the rows above them */
export function findSupplier(start: readonly Pick<CsvRecord, "cells">[]): SupplierSigns {
  const rows = start.slice(0, MAX_ROWS).map(({ cells }) => cells.map(clean))
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
  for (const [row, cells] of rows.entries())
    for (const [index, cell] of cells.entries())
      if (isAbnLabel(cell) && !OF_CUSTOMER.test(cell) && !isBelowCustomer(rows, row, index))
        for (const abn of readAbns(`${cell} ${cells[index + 1] ?? ""}`)) abns.add(abn)
  const titles = above.flat().filter((cell) => cell !== "" && !OF_CUSTOMER.test(cell))
  const isFound = abns.size > 0 || [...names].some((name) => name !== "")
  const company = isFound ? undefined : titles.find((title) => COMPANY.test(title) && CARRIES.test(title))
  if (company !== undefined) names.add(company)
  return { names: [...names].filter((name) => name !== ""), abns: [...abns], titles }
}

/** Whether a cell stands below a label such as `Bill to:`, in the same block and column. */
function isBelowCustomer(rows: readonly (readonly string[])[], row: number, column: number): boolean {
  for (let at = row - 1; at >= row - MAX_ADDRESS_LINES; at--) {
    const cell = rows[at]?.[column] ?? ""
    // A block has one ABN.
    if (cell === "" || isAbnLabel(cell)) return false
    if (isCustomerLabel(cell)) return true
  }
  return false
}

export const isAbnLabel = (text: string) => /\babn\b/i.test(text)

/** Maximum number of lines of a customer's name and address. */
const MAX_ADDRESS_LINES = 7

/** Whether a text says that the block below or beside it is the customer's. */
export const isCustomerLabel = (text: string) =>
  /^(?:(?:bill(?:ed)?|invoiced?|sold|ship(?:ped)?|deliver(?:ed)?|charged?) to|customer|client|buyer|recipient|payer|to)\W*$/i.test(
    text.trim(),
  )

/** The full name of a carrying company, for bills without an ABN. */
const COMPANY = /^[\p{L}\p{N}][\p{L}\p{N} &'.,()-]{2,60}\b(?:limited|ltd)\.?$/iu
const CARRIES =
  /\b(?:freight|freightlines|transport|couriers?|logistics|express|carriers?|haulage|cartage|linehaul|shipping)\b/i

/** The row of the headings; if none is recognised, the one above the first amount. */
function findHeadings(rows: readonly (readonly string[])[]): number {
  const known = rows.findIndex((cells) => cells.filter(isHeading).length >= 2)
  return known >= 0
    ? known
    : rows.findIndex((cells) => cells.some((cell) => /^-?[\d,]*\.\d\d$/.test(cell))) - 1
}

const OF_CUSTOMER =
  /\b(?:customer|client|(?:bill|invoic)(?:ed?)? to|your|buyer|recipient|payer|account name|sold to)\b/i

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

/** Whether one of a saved map's names or ABNs is the supplier's. @param own ABNs that are never a supplier's */
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
