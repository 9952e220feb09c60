/** Reads the charges of an INV document. If it breaks the contract, everything readable is used. */
import { centsOf } from "../../base/money.ts"
import { FreightError } from "../../base/errors.ts"
import { examineDocument, type ExamineOptions, Reading } from "../../invoice/index.ts"
import type { JsonDocument } from "../../input/index.ts"
import { NO_MONEY, type StatedGst, sumOf } from "../money.ts"
import type { Bill, BillName, ReadLine } from "../bill.ts"
import { toCharge } from "./charge.ts"
import type { BillList } from "./list.ts"
import { splitWords } from "../names.ts"

/** @param stage how the document is checked against the contract */
export function readInvoice(
  document: JsonDocument,
  place: { file: string; index?: number },
  stage: ExamineOptions["stage"],
  list: BillList,
): void {
  const found = examineDocument(document, { stage, accounting: true, strict: false, rules: {} })
  const errors = found.filter(({ severity }) => severity === "error")
  const [first] = errors
  const data = new Reading(document).part("data")
  if (data.members().length === 0)
    throw new FreightError(
      "input",
      `${place.file}${place.index === undefined ? "" : `, document ${place.index + 1},`} is not an invoice`,
      { hint: "A bill is an INV document or a CSV file.", next: `freight invoice validate ${place.file}` },
    )
  const items = data.elements("lineItems")
  const bill = list.open({
    ...place,
    number: data.text("invoiceNumber").trim(),
    supplier: data.texts("supplier/id", "supplier/name")[0] ?? "",
    date: data.text("invoiceDate").slice(0, DAY),
    ...readMore(data),
    findings: {
      errors: errors.length,
      warnings: found.length - errors.length,
      ...(first && { first: `line ${first.line}: ${first.message}` }),
    },
    ...findReasonToSkip(data, items),
  })
  if (bill.skipped !== undefined) return
  const sign = isCredit(data, items) ? -1 : 1
  const names = listDocumentNames(data)
  const summary = readSummary(data, items, sign)
  if (summary) bill.summary = summary
  const [shipped = ""] = data.texts("shipmentDetails/shippingDate", "asnReference/shipmentDate")
  for (const item of items) list.add(bill, { ...readLine(item, names, sign), shipped: shipped.slice(0, DAY) })
  const stated = readStatedGst(data, bill)
  if (stated) bill.stated = stated
}

const DAY = "yyyy-mm-dd".length

function readMore(data: Reading): Pick<Bill, "supplierName" | "due"> {
  const name = data.text("supplier/name").trim()
  const due = data.text("dueDate").slice(0, DAY)
  return { ...(name !== "" && { supplierName: name }), ...(due !== "" && { due }) }
}

/** Undefined if the summary has no subtotal. `lines` is the subtotal with the lines' own shipping and discounts. */
function readSummary(data: Reading, items: readonly Reading[], sign: 1 | -1): Bill["summary"] {
  const summary = data.part("invoiceSummary")
  const subtotal = readCents(summary, "subtotal")
  if (subtotal === null) return undefined
  const ofLines = (name: string) => items.reduce((sum, item) => sum + (readCents(item, name) ?? 0), 0)
  const ofAll = (name: string) => readCents(summary, name) ?? ofLines(name)
  const exGst = subtotal + ofAll("shippingAmount") + ofAll("specialHandlingAmount") - ofAll("discountAmount")
  const gst = readCents(summary, "taxAmount")
  return {
    lines: sign * (subtotal + ofLines("shippingAmount") - ofLines("discountAmount")),
    exGst: sign * exGst,
    gst: gst === null ? null : sign * gst,
  }
}

function findReasonToSkip(data: Reading, items: readonly Reading[]): Pick<Bill, "skipped"> {
  if (data.text("operation") === "delete") return { skipped: "it withdraws an invoice (operation delete)" }
  if (data.part("isInformationOnly").value === true)
    return { skipped: "it is for information only and asks for nothing" }
  return items.length === 0 ? { skipped: "it has no lines" } : {}
}

/** The summary's tax, if no line states any. */
function readStatedGst(data: Reading, { lines }: Bill): StatedGst | undefined {
  const summary = data.part("invoiceSummary")
  const tax = readCents(summary, "taxAmount")
  if (tax === null || lines.some(({ gst }) => gst !== null)) return undefined
  const added = (readCents(summary, "shippingAmount") ?? 0) - (readCents(summary, "discountAmount") ?? 0)
  return { gst: tax, exGst: Math.abs(sumOf(lines, "exGst")) + added, lines: lines.length }
}

/** A credit memo whose lines are positive: they are credits. */
function isCredit(data: Reading, items: readonly Reading[]): boolean {
  if (!/credit/i.test(data.text("purpose"))) return false
  return items.reduce((sum, item) => sum + (readCents(item, "subtotal") ?? 0), 0) > 0
}

const DOCUMENT_NAMES = ["shipmentDetails/trackingNumber", "asnReference/shipmentId"]
/** Fields of a line that may name its consignment, likeliest first. */
const LINE_NAMES = ["supplierItemId", "serialNumbers", "batchId", "description", "comments"]

function listDocumentNames(data: Reading): BillName[] {
  return DOCUMENT_NAMES.flatMap((name) => {
    const text = data.text(name).trim()
    return text === "" ? [] : [{ text, field: name.replace("/", ".") }]
  })
}

function readLine(item: Reading, ofDocument: readonly BillName[], sign: 1 | -1): Omit<ReadLine, "shipped"> {
  const label = item.text("description").trim()
  const names = LINE_NAMES.flatMap((field) => {
    const { value } = item.part(field)
    const texts = Array.isArray(value) ? value : [value]
    return texts.flatMap((text) =>
      typeof text === "string" ? splitWords(text).map((word) => ({ text: word, field })) : [],
    )
  })
  return {
    ...readAmounts(item, sign),
    pointer: item.pointer,
    names: [...ofDocument, ...names],
    charge: toCharge(label),
    label,
    // Only a value from a carrier's list of services counts as one.
    service: item.text("supplierItemId").trim(),
    grams: readGrams(item),
  }
}

/** Subtotal is before tax (line item, `subtotal`); shipping and discounts go on top. */
function readAmounts(item: Reading, sign: 1 | -1) {
  const subtotal = readCents(item, "subtotal")
  if (subtotal === null) return NO_MONEY
  const exGst =
    sign * (subtotal + (readCents(item, "shippingAmount") ?? 0) - (readCents(item, "discountAmount") ?? 0))
  const tax = readCents(item, "taxAmount")
  const gst = tax === null ? null : sign * tax
  return { exGst, gst, incGst: gst === null ? null : exGst + gst, unspecifiedGstCents: null }
}

function readCents(item: Reading, name: string): number | null {
  const { value } = item.part(name)
  return typeof value === "number" && Number.isFinite(value) && Math.abs(value) < MOST ? centsOf(value) : null
}

const MOST = 1e12

const GRAMS: Readonly<Record<string, number>> = { GRM: 1, KGM: 1000, TNE: 1_000_000 }
/** A weight that stands alone between commas: others may belong to an item, or to a price for each 25 kg. */
const WEIGHT = /^\s*(?:(?:\w+ )?weight:? *)?(\d{1,7}(?:\.\d{1,3})?) *kgs?\s*$/i

function readGrams(item: Reading): number | null {
  const unit = GRAMS[item.text("unitOfMeasure")]
  const { value } = item.part("quantity")
  if (unit !== undefined && typeof value === "number") return Math.round(value * unit)
  const weights = ["comments", "description"]
    .flatMap((name) => item.text(name).split(/[,;|]/))
    .flatMap((part) => WEIGHT.exec(part)?.[1] ?? [])
  return weights[0] === undefined ? null : Math.round(Number(weights[0]) * 1000)
}
