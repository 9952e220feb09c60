/** The parts of the page: the head, the parties, the totals, and what stands below them. */
import { safeText } from "../../contract/safe-text.ts"
import { type ReportLayout, padText } from "../reporters/layout.ts"
import { BLANK, type Cell, createCell, createLabelledCell, getColumnWidth, type Row } from "./page.ts"
import { joinTexts, type Reading } from "./reading.ts"

export function createFacts(data: Reading, layout: ReportLayout): Cell[] {
  const width = getColumnWidth(layout, 2)
  const fact = (name: string, label: string, text: string): Cell =>
    createLabelledCell(label, text || "(missing)", width, data.at(name))
  const ifGiven = (name: string, label: string, read: (part: Reading) => string): Cell[] =>
    data.has(name) ? [fact(name, label, read(data.part(name)) || data.text(name))] : []
  return [
    fact("invoiceDate", "Invoice date", data.date("invoiceDate")),
    ...ifGiven("dueDate", "Due date", () => data.date("dueDate")),
    fact("poNumber", "Purchase order", data.text("poNumber")),
    ...ifGiven("poReferences", "All orders", () =>
      joinTexts(...data.elements("poReferences").map((each) => each.text("poNumber"))),
    ),
    ...ifGiven("documentReference", "Refers to", (part) =>
      joinTexts(part.text("invoiceId") || part.text("documentId"), part.date("invoiceDate")),
    ),
    ...ifGiven("asnReference", "Ship notice", (part) =>
      joinTexts(part.text("shipmentId"), part.date("shipmentDate")),
    ),
    ...ifGiven("shipmentDetails", "Sent with", (part) =>
      joinTexts(part.text("carrier"), part.text("trackingNumber"), part.date("shippingDate")),
    ),
  ]
}

export function createSupplier(data: Reading, layout: ReportLayout): Cell[] {
  const width = getColumnWidth(layout, 2)
  const supplier = data.part("supplier")
  const contact = supplier.part("contact")
  const line = (name: string, lead: string, text = supplier.text(name)): Cell => ({
    ...createCell(`${lead}${text}`, width, supplier.at(name)),
    ...(text === "" && { lines: [] }),
  })
  const contactTexts = [
    joinTexts(...contact.texts("name", "role")),
    ...contact.texts("phone", "email"),
    contact.stray,
  ]
  return [
    createCell("From", width, supplier.pointer, "bold"),
    data.has("supplier")
      ? line("name", "", supplier.text("name") || supplier.stray || "(no name)")
      : createCell("(missing)", width, supplier.pointer),
    line("taxRegistrations", "ABN ", readAbn(supplier) || supplier.text("taxRegistrations")),
    { shows: [supplier.at("address")], lines: getAddressLines(supplier.part("address"), width) },
    { shows: [contact.pointer], lines: wrapAll(contactTexts, width) },
    line("id", "Supplier id "),
  ]
}

/** The ABN as the register writes it: `51 824 753 556`; another text as it is. */
export function readAbn(supplier: Reading): string {
  const value = supplier.text("taxRegistrations/value")
  const digits = value.replace(/[\s-]/g, "")
  return /^\d{11}$/.test(digits) ? digits.replace(/(?=(?:\d{3}){1,3}$)/g, " ") : value
}

/** What the tax is called: in Australia GST, unless the document has another. */
export function findTaxName(data: Reading): string {
  const types = data.elements("invoiceSummary/taxBreakdown").map((part) => part.text("taxType"))
  return types.every((type) => type === "GST" || type === "") ? "GST" : "Tax"
}

export const ADDRESSES = { billTo: "Bill to", shipTo: "Ship to", soldTo: "Sold to", remitTo: "Remit to" }

/** Two side by side. */
export function createAddresses(data: Reading, layout: ReportLayout): Row[] {
  const width = getColumnWidth(layout, 2)
  const cells = Object.entries(ADDRESSES).flatMap(([name, title]): (readonly Cell[])[] => {
    const lines = getAddressLines(data.part(name), width)
    if (lines.length === 0 && name === "remitTo") return []
    if (!data.has(name) && name !== "billTo") return []
    const address: Cell = { shows: [], lines: lines.length > 0 ? lines : ["(missing)"] }
    return [[createCell(title, width, data.at(name), "bold"), address]]
  })
  const rows: Row[] = []
  for (let index = 0; index < cells.length; index += 2)
    rows.push([cells[index] ?? [], cells[index + 1] ?? []], BLANK)
  return rows
}

function getAddressLines(address: Reading, width: number): string[] {
  return wrapAll(address.stray === "" ? readAddress(address) : [address.stray], width)
}

/** The lines of an address as on a letter, Australia being understood. */
export function readAddress(address: Reading): string[] {
  const country = address.text("country")
  const town = address.texts("city", "state", "postalCode").join(" ")
  const lines = [...address.texts("addressee", "street1", "street2"), town, country === "AU" ? "" : country]
  return lines.filter((line) => line !== "")
}

function wrapAll(texts: readonly string[], width: number): string[] {
  return texts.filter((text) => text !== "").flatMap((text) => createCell(text, width, []).lines)
}

const AMOUNT_WIDTH = 18

/** Stands for the name of the tax in a document. */
export const TAX_NAME = "Tax"

/** In the order in which the contract adds them up. */
export const TOTALS = {
  subtotal: "Subtotal",
  shippingAmount: "Shipping",
  specialHandlingAmount: "Special handling",
  taxAmount: TAX_NAME,
  grossAmount: "Total",
  discountAmount: "Less discount",
  netAmount: "Total after discount",
  depositAmount: "Less deposit paid",
  dueAmount: "AMOUNT DUE",
}
/** Shown also where they are missing or zero. */
export const REQUIRED_TOTALS: readonly string[] = ["subtotal", "taxAmount", "dueAmount"]

export function createTotals(data: Reading, layout: ReportLayout): Row[] {
  const width = getColumnWidth(layout, 1)
  const summary = data.part("invoiceSummary")
  const row = (label: string, amount: string, shows: string[], style?: Cell["style"]): Row => {
    const line = padText(label + padText(amount, AMOUNT_WIDTH, "right"), width, "right")
    return [[{ shows, lines: [line], ...(style && { style }) }]]
  }
  return Object.entries(TOTALS).flatMap(([name, label]): Row[] => {
    const stated = summary.money(name)
    if (stated === "" && !REQUIRED_TOTALS.includes(name)) return []
    const amount = stated || "(missing)"
    if (name === "taxAmount") {
      const parts = summary.elements("taxBreakdown")
      return [
        row(findTaxName(data), amount, [summary.at(name), summary.at("taxBreakdown")]),
        ...parts.map((part) => row(describeTaxPart(part), "", [part.pointer], "dim")),
      ]
    }
    if (name !== "dueAmount") return [row(label, amount, [summary.at(name)])]
    const due = `${summary.text("currency")} ${amount}`.trim()
    return [row(label, due, [summary.at(name), summary.pointer], "bold")]
  })
}

/** `GST 10% of 160.78 is 16.08` */
export function describeTaxPart(part: Reading): string {
  const rate = part.quantity("taxRate")
  const base = part.money("taxableAmount")
  const tax = part.money("taxAmount")
  const words = [part.text("taxType"), rate && `${rate}%`, base && `of ${base}`, tax && `is ${tax}`]
  return words.filter((word) => word !== "").join(" ")
}

export const BANK = {
  bankName: "Bank",
  accountName: "Account name",
  bsb: "BSB",
  accountNumber: "Account number",
  swift: "SWIFT",
  iban: "IBAN",
}
const DELIVERY = {
  carrier: "Carrier",
  route: "Route",
  incoTerms: "Terms",
  buyerAcctNumber: "Charged to",
  shippingInstructions: "Instructions",
}
const ROLES: Readonly<Record<string, string>> = {
  issuerOfInvoice: "Issuer",
  soldTo: "Sold to",
  billTo: "Bill to",
  remitTo: "Remit to",
  shipFrom: "Ship from",
  shipTo: "Ship to",
}

/** What stands below the totals: how to pay, delivery, whom to ask, comments, and what else the sender added. */
export function createSections(data: Reading, layout: ReportLayout): Row[] {
  const width = getColumnWidth(layout, 1)
  const line = (label: string, text: string, shows: string): Cell[] =>
    text === "" ? [] : [createLabelledCell(label, text, width, shows)]
  const fields = (part: Reading, labels: Readonly<Record<string, string>>): Cell[] =>
    Object.entries(labels).flatMap(([name, label]) => line(label, part.text(name), part.at(name)))
  const [terms, bank] = [data.part("paymentTerms"), data.part("remitTo/bankDetails")]
  const [shipping, comments] = [data.part("shipping"), data.part("comments")]
  const [contacts, extrinsics] = [data.part("contacts"), data.part("extrinsics")]
  const price = `${shipping.text("currency")} ${shipping.money("amount")}`.trim()
  const sections: readonly (readonly [title: string, shows: readonly Reading[], cells: Cell[]])[] = [
    [
      "Payment",
      [terms, bank],
      [
        ...line("Terms", joinTexts(terms.stray, describeTerms(terms)), terms.at("netDays")),
        ...terms
          .elements("discountTerms")
          .flatMap((each) => line("Discount", describeDiscount(each), each.pointer)),
        ...line("Bank", bank.stray, bank.pointer),
        ...fields(bank, BANK),
      ],
    ],
    ["Delivery", [shipping], [...fields(shipping, DELIVERY), ...line("Price", price, shipping.at("amount"))]],
    [
      "Contacts",
      [contacts],
      data.elements("contacts").flatMap((each) => {
        const role = each.text("role")
        return line(ROLES[role] ?? role, joinTexts(...each.texts("name", "phone", "email")), each.pointer)
      }),
    ],
    ["Comments", [comments], comments.whole === "" ? [] : [createCell(comments.whole, width, [])]],
    [
      "Extension fields",
      [extrinsics],
      extrinsics
        .members()
        .flatMap(([name, member]) => line(safeText(name, 200), member.whole, member.pointer)),
    ],
  ]
  return sections.flatMap(([title, parts, cells]): Row[] => {
    if (parts.every(({ value }) => value === undefined)) return []
    const strays = cells.length > 0 ? [] : parts.map(({ stray }) => stray).filter(Boolean)
    const all = [...cells, ...strays.map((text) => createCell(text, width, []))]
    const shows = parts.map(({ pointer }) => pointer)
    return [BLANK, [[createCell(title, width, shows, "bold")]], ...all.map((each): Row => [[each]])]
  })
}

/** Terms in words, with the days where the words do not say them. */
export function describeTerms(terms: Reading): string {
  const [words, days] = [terms.text("description"), terms.text("netDays")]
  const isSaid = words.split(/\D+/).includes(days)
  return joinTexts(words, days !== "" && !isSaid ? `net ${days} days` : "")
}

export function describeDiscount(terms: Reading): string {
  const percent = terms.quantity("discountPercent")
  const days = terms.text("discountDays")
  const until = terms.date("discountDueDate")
  return joinTexts(percent && `${percent}%`, days && `when paid within ${days} days`, until && `by ${until}`)
}

/** Who made the document, and what the service knows it by. */
export function createFooter(document: Reading, layout: ReportLayout): Cell[] {
  const width = getColumnWidth(layout, 1)
  const metadata = document.part("metadata")
  const source = `${metadata.text("sourceLanguage")} ${metadata.text("sourceVersion")}`
  const author = `Written by ${metadata.text("userAgent") || "(missing)"}, ${source}`.replace(/[, ]+$/, "")
  const id = document.text("correlationId")
  const made = document.date("timestamp")
  const status =
    id === ""
      ? "A draft: the service has not filled in its part."
      : joinTexts(`Correlation id ${id}`, made && `made ${made}`)
  return [
    createCell(author, width, metadata.pointer, "dim"),
    createCell(status, width, ["/correlationId", "/timestamp", "/docType"], "dim"),
  ]
}

const MEMOS: Readonly<Record<string, string>> = {
  creditMemo: "CREDIT NOTE",
  debitMemo: "DEBIT NOTE",
  lineLevelCreditMemo: "CREDIT NOTE",
  lineLevelDebitMemo: "DEBIT NOTE",
}

/**
 * What the document is. Only one with tax is a tax invoice; a memo that changes the tax of an earlier invoice is an
 * adjustment note (A New Tax System Act, section 29-75).
 */
export function findTitle(data: Reading): string {
  const isTaxed = !["", "0.00"].includes(data.money("invoiceSummary/taxAmount"))
  const memo = MEMOS[data.text("purpose")]
  if (memo === undefined) return isTaxed ? "TAX INVOICE" : "INVOICE"
  const isOfInvoice = data.part("documentReference").texts("invoiceId", "documentId").length > 0
  return isTaxed && isOfInvoice ? "ADJUSTMENT NOTE" : memo
}
