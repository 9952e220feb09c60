/** The lines of an invoice as a table. */
import type { Table, TableColumn } from "../../output/index.ts"
import { describeUnit } from "../explain/choices.ts"
import { type Audience, describeCountry, joinTexts, nameText, type Reading } from "./reading.ts"

interface LineColumn extends TableColumn {
  read(line: Reading, audience: Audience): string
}

/** Widths are those on paper. */
const COLUMNS: readonly LineColumn[] = [
  { title: "#", align: "right", width: 9, read: (line) => line.text("invoiceLineNumber") },
  { title: "Description", gives: "words", read: readDescription },
  { title: "Qty", align: "right", width: 17, read: (line) => line.quantity("quantity") },
  { title: "Unit", width: 13, read: readUnit },
  { title: "Unit price", align: "right", width: 22, read: (line) => line.money("unitPrice") },
  { title: "Tax", align: "right", width: 19, read: readTax },
  { title: "Amount", align: "right", width: 23, read: (line) => line.money("subtotal") },
]

/** Columns that are empty in all lines are left out. */
export function describeLines(data: Reading, audience: Audience): Table {
  const lines = data.elements("lineItems")
  const tax = findTaxName(data)
  const titles: Readonly<Record<string, string>> = {
    Tax: tax,
    ...(isTaxed(data) && { Amount: `Amount ex ${tax}` }),
  }
  const columns = COLUMNS.filter(
    ({ gives, read }) => gives === "words" || lines.some((line) => read(line, audience) !== ""),
  )
  return {
    kind: "table",
    shows: [data.at("lineItems")],
    columns: columns.map((column) => ({ ...column, title: titles[column.title] ?? column.title })),
    rows: lines.map((line) => ({
      shows: [line.pointer],
      cells: columns.map(({ gives, read }) =>
        gives === "words"
          ? { text: read(line, audience), below: describeDetails(line, tax, audience) }
          : read(line, audience),
      ),
    })),
    empty: audience === "checker" ? "(no lines)" : "",
  }
}

/** The name of the tax: in Australia GST, unless the document has another. */
export function findTaxName(data: Reading): string {
  const types = data.elements("invoiceSummary/taxBreakdown").map((part) => part.text("taxType"))
  return types.every((type) => type === "GST" || type === "") ? "GST" : "Tax"
}

export function isTaxed(data: Reading): boolean {
  return !isNothing(data.money("invoiceSummary/taxAmount"))
}

export function isNothing(money: string): boolean {
  return money === "" || money === "0.00"
}

function readDescription(line: Reading): string {
  const [text] = line.texts("description", "supplierItemId", "buyerItemId", "manufacturerPartId")
  return text ?? line.stray
}

function readTax(line: Reading): string {
  const rate = line.quantity("taxRate")
  return line.money("taxAmount") || (rate && `${rate}%`)
}

function readUnit(line: Reading, audience: Audience): string {
  const code = line.text("unitOfMeasure")
  return audience === "customer" ? describeUnit(code) : code
}

/** Fields of a line besides its columns, each with its name. */
function describeDetails(line: Reading, tax: string, audience: Audience): string {
  const text = (name: string, field: string) => nameText(name, line.text(field))
  const money = (name: string, field: string) =>
    isNothing(line.money(field)) ? "" : nameText(name, line.money(field))
  const rate = line.quantity("taxRate")
  const origin = line.text("countryOfOrigin")
  const serials = line.elements("serialNumbers").map(({ whole }) => whole)
  const classes = line.elements("classification").map((each) => each.texts("domain", "code").join(" "))
  const groups = [
    [
      text("item", "supplierItemId"),
      text("buyer's item", "buyerItemId"),
      text("order line", "poLineReference"),
      text("ship notice line", "asnLineReference"),
      audience === "checker" ? text("line key", "uniqueLineKey") : "",
    ],
    [
      line.has("taxAmount") && rate !== "" ? `${tax} at ${rate}%` : "",
      money("shipping", "shippingAmount"),
      money("discount", "discountAmount"),
      money("gross", "grossAmount"),
      money("net", "netAmount"),
    ],
    [
      text("made by", "manufacturerName"),
      text("part", "manufacturerPartId"),
      nameText("from", audience === "customer" ? describeCountry(origin) : origin),
      text("batch", "batchId"),
      nameText("serial", joinTexts(...serials)),
      nameText("class", joinTexts(...classes)),
    ],
    [line.text("comments")],
  ]
  return groups
    .map((texts) => joinTexts(...texts))
    .filter(Boolean)
    .join("\n")
}
