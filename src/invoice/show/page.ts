/** An invoice as a page, for who checks it and for the customer. */
import { safeText } from "../../base/safe-text.ts"
import type { Fact, Facts, Page, PlainBlock } from "../../output/index.ts"
import { ZERO } from "../accounting/amounts.ts"
import { asksNothing, CREDITS, DEBITS, findKind, type InvoiceKind } from "../kind.ts"
import { describeLines, findTaxName, isNothing, isTaxed } from "./lines.ts"
import {
  type Audience,
  describeCountry,
  joinTexts,
  nameText,
  Reading,
  type ShownDocument,
  toShownId,
} from "./reading.ts"
import { getOwn } from "../../base/json.ts"

export function describeInvoice(document: ShownDocument, audience: Audience): Page<PlainBlock> {
  const whole = new Reading(document)
  const data = whole.part("data")
  const isForChecker = audience === "checker"
  const missing = toMissing(audience)
  const title = findTitle(data)
  const number = data.text("invoiceNumber")
  return {
    title,
    about: number || (isForChecker ? "(no number)" : ""),
    shows: [data.at("invoiceNumber"), data.at("purpose")],
    notes: describeNotes(data),
    blocks: [
      { kind: "beside", columns: [[describeSupplier(data, audience)], [describeReferences(data, audience)]] },
      { kind: "beside", columns: describeParties(data, audience).map((party) => [party]) },
      describeLines(data, audience),
      { kind: "facts", layout: "sums", facts: describeTotals(data, missing) },
      ...describePayment(data, isForChecker),
      ...toSection(
        isMemo(data) ? "Reason" : "Comments",
        [data.part("comments")],
        [{ text: data.text("comments") }],
      ),
      ...describeMore(data, audience),
      ...(isForChecker ? [describeOrigin(whole, missing)] : []),
    ],
    foot: { text: joinTexts(data.text("supplier/name"), `${title.toLowerCase()} ${number}`) },
  }
}

/** The text in the place of a required field that is missing. */
function toMissing(audience: Audience): string {
  return audience === "checker" ? "(missing)" : ""
}

function toFact(part: Reading, name: string, text: string): Fact {
  return { name, text, shows: [part.pointer] }
}

/** Fields under these names, as they are. */
function toFacts(part: Reading, labels: Readonly<Record<string, string>>): Fact[] {
  return Object.entries(labels).map(([field, name]) => toFact(part.part(field), name, part.text(field)))
}

const OPERATIONS: Readonly<Record<string, string>> = {
  update: "Changes an invoice that was sent before.",
  delete: "Cancels an invoice that was sent before.",
}

function describeNotes(data: Reading): Fact[] {
  const notes = {
    operation: OPERATIONS[data.text("operation")] ?? "",
    isInformationOnly: data.part("isInformationOnly").value === true ? "For information only." : "",
    isERS: data.part("isERS").value === true ? "Evaluated receipt settlement." : "",
    invoiceOrigin: data.text("invoiceOrigin") === "buyer" ? "Made by the buyer." : "",
    lineItems: describeAdjustment(data),
  }
  return Object.entries(notes).map(([name, text]) => toFact(data.part(name), "", text))
}

function describeAdjustment(data: Reading): string {
  if (!isMemo(data)) return ""
  const reference = data.part("documentReference")
  const [number = "an earlier invoice"] = reference.texts("invoiceId", "documentId")
  const date = reference.date("invoiceDate")
  const isByLine = BY_LINE.has(data.text("purpose"))
  const verb = isCredit(data) ? "Credits the lines below on" : "Adds the lines below to"
  const invoice = number === "an earlier invoice" ? number : `invoice ${number}`
  return `${verb} ${isByLine ? "the same lines of " : ""}${invoice}${date && ` of ${date}`}.`
}

const BY_LINE: ReadonlySet<string> = new Set(["lineLevelCreditMemo", "lineLevelDebitMemo"])

function describeReferences(data: Reading, audience: Audience): Facts {
  const missing = toMissing(audience)
  const id = (part: Reading, field: string) => toShownId(part.text(field), audience)
  const fact = (field: string, name: string, ...texts: string[]): Fact =>
    toFact(
      data.part(field),
      name,
      joinTexts(...texts) || (missing ? data.text(field) : data.part(field).stray),
    )
  const ids = (part: Reading, ...fields: readonly string[]) =>
    fields.map((field) => nameText(ID_NAMES[field] ?? "", id(part, field)))
  const orders = data
    .elements("poReferences")
    .map((each) =>
      joinTexts(
        each.text("poNumber"),
        nameText("version", each.text("poVersion")),
        each.date("orderDate"),
        ...ids(each, "documentId", "payloadId"),
      ),
    )
  const [reference, notice, shipment] = [
    data.part("documentReference"),
    data.part("asnReference"),
    data.part("shipmentDetails"),
  ]
  const invoice = id(reference, "invoiceId")
  return {
    kind: "facts",
    facts: [
      fact("invoiceDate", "Invoice date", data.date("invoiceDate") || missing),
      fact("dueDate", "Due date", data.date("dueDate")),
      fact("poNumber", "Purchase order", data.text("poNumber") || missing),
      fact("poReferences", "All orders", orders.join("\n")),
      fact(
        "documentReference",
        "Refers to",
        invoice,
        reference.date("invoiceDate"),
        ...ids(reference, "documentId", "payloadId"),
      ),
      fact(
        "asnReference",
        "Ship notice",
        id(notice, "shipmentId"),
        notice.date("shipmentDate"),
        ...ids(notice, "documentId", "payloadId"),
      ),
      fact(
        "shipmentDetails",
        "Sent with",
        ...shipment.texts("carrier", "trackingNumber"),
        shipment.date("shippingDate"),
      ),
    ],
  }
}

const ID_NAMES: Readonly<Record<string, string>> = { documentId: "document", payloadId: "payload" }

function describeSupplier(data: Reading, audience: Audience): Facts {
  const missing = toMissing(audience)
  const supplier = data.part("supplier")
  const contact = supplier.part("contact")
  const name =
    supplier.text("name") || supplier.stray || (data.has("supplier") && missing ? "(no name)" : missing)
  const abn = readAbn(supplier) || supplier.text("taxRegistrations")
  const people = [
    joinTexts(...contact.texts("name", "role")),
    ...contact.texts("phone", "email"),
    contact.stray,
  ]
  return {
    kind: "facts",
    title: "From",
    shows: [supplier.pointer],
    facts: [
      { ...toFact(supplier.part("name"), "", name), style: "strong" },
      toFact(supplier.part("taxRegistrations"), "", abn && `ABN ${abn}`),
      toFact(supplier.part("address"), "", readAddress(supplier.part("address"), audience)),
      toFact(contact, "", people.filter(Boolean).join("\n")),
      toFact(supplier.part("id"), "", supplier.text("id") && `Supplier id ${supplier.text("id")}`),
    ],
  }
}

/** The ABN as the register writes it: `51 824 753 556`; another text as it is. */
function readAbn(supplier: Reading): string {
  const value = supplier.text("taxRegistrations/value")
  const digits = value.replace(/[\s-]/g, "")
  return /^\d{11}$/.test(digits) ? digits.replace(/(?=(?:\d{3}){1,3}$)/g, " ") : value
}

const PARTIES = { billTo: "Bill to", shipTo: "Ship to", soldTo: "Sold to", remitTo: "Remit to" }

function describeParties(data: Reading, audience: Audience): Facts[] {
  const missing = toMissing(audience)
  return Object.entries(PARTIES).flatMap(([field, title]): Facts[] => {
    const isExpected = data.has(field) ? field !== "remitTo" : field === "billTo"
    const text = readAddress(data.part(field), audience) || (isExpected ? missing : "")
    return text === "" ? [] : [{ kind: "facts", title, facts: [{ text }], shows: [data.at(field)] }]
  })
}

/** The lines of an address as on a letter, Australia being understood. */
function readAddress(address: Reading, audience: Audience): string {
  if (address.stray !== "") return address.stray
  const code = address.text("country")
  const country = audience === "customer" ? describeCountry(code) : code
  const town = address.texts("city", "state", "postalCode").join(" ")
  const lines = [
    ...address.texts("addressee", "street1", "street2"),
    ...[town, code === "AU" ? "" : country],
    nameText("Address code", address.text("addressId")),
  ]
  return lines.filter(Boolean).join("\n")
}

/** In the order in which the contract adds them up. */
const TOTALS = {
  subtotal: "Subtotal",
  shippingAmount: "Shipping",
  specialHandlingAmount: "Special handling",
  taxAmount: "Tax",
  grossAmount: "Total",
  discountAmount: "Less discount",
  netAmount: "Total after discount",
  depositAmount: "Less deposit paid",
  dueAmount: "Amount due",
}
/** Shown even if they are missing or zero. */
const REQUIRED_TOTALS: readonly string[] = ["subtotal", "taxAmount", "dueAmount"]

function describeTotals(data: Reading, missing: string): Fact[] {
  const summary = data.part("invoiceSummary")
  const lastTotal = summary.has("grossAmount") ? "grossAmount" : "dueAmount"
  return Object.entries(TOTALS).flatMap(([field, label]): Fact[] => {
    const stated = summary.money(field)
    const isLeftOut = missing ? stated === "" : isNothing(stated)
    if (isLeftOut && !REQUIRED_TOTALS.includes(field)) return []
    const name = field === lastTotal && isTaxed(data) ? `${label} inc ${findTaxName(data)}` : label
    const fact = toFact(summary.part(field), name, stated || missing)
    if (field === "dueAmount") {
      // A checker sees the figure as it is stated. A credit may have positive amounts throughout.
      const isNegative = fact.text.startsWith("-")
      const isCredited = isCredit(data) && (isNegative ? !missing : !hasCreditedLine(data))
      const [label, amount] = isCredited
        ? ["Amount credited", fact.text.replace(/^-/, "")]
        : [name, fact.text]
      const text = `${summary.text("currency")} ${amount}`.trim()
      return [{ ...fact, name: label, text, style: "strong", shows: [summary.at(field), summary.pointer] }]
    }
    if (field !== "taxAmount") return [fact]
    const tax = { ...fact, name: findTaxName(data), shows: [summary.at(field), summary.at("taxBreakdown")] }
    return [tax, ...summary.elements("taxBreakdown").map(describeTaxPart)]
  })
}

function hasCreditedLine(data: Reading): boolean {
  return data.elements("lineItems").some((line) => (line.amount("subtotal") ?? ZERO) < ZERO)
}

/** `GST 10% of 160.78 is 16.08, Goods and services tax, AU` */
function describeTaxPart(part: Reading): Fact {
  const [rate, base, tax] = [part.quantity("taxRate"), part.money("taxableAmount"), part.money("taxAmount")]
  const words = [part.text("taxType"), rate && `${rate}%`, base && `of ${base}`, tax && `is ${tax}`]
  const name = joinTexts(words.filter(Boolean).join(" "), ...part.texts("description", "jurisdiction"))
  return { ...toFact(part, name, ""), style: "small" }
}

const BANK = {
  bankName: "Bank",
  accountName: "Account name",
  bsb: "BSB",
  accountNumber: "Account number",
  swift: "SWIFT",
  iban: "IBAN",
}

/** A credit asks for no payment, unless it has payment details. */
function describePayment(data: Reading, isForChecker: boolean): Facts[] {
  const asksForMoney = !isCredit(data) && (data.amount("invoiceSummary/dueAmount") ?? ZERO) >= ZERO
  const isPayable = !asksNothing(kindOf(data)) && (data.has("remitTo") || asksForMoney)
  if (!isPayable && !isForChecker) return []
  const [terms, bank] = [data.part("paymentTerms"), data.part("remitTo/bankDetails")]
  return toSection(
    "How to pay",
    [terms, bank],
    [
      toFact(terms.part("netDays"), "Terms", joinTexts(terms.stray, describeTerms(terms))),
      ...terms.elements("discountTerms").map((each) => toFact(each, "Discount", describeDiscount(each))),
      toFact(bank, "Bank", bank.stray),
      ...toFacts(bank, BANK),
      { name: "Reference", text: bank.members().length > 0 ? data.text("invoiceNumber") : "" },
    ],
  )
}

/** Terms in words, with the days if the words do not state them. */
function describeTerms(terms: Reading): string {
  const [words, days] = [terms.text("description"), terms.text("netDays")]
  const isSaid = words.split(/\D+/).includes(days)
  return joinTexts(words, days !== "" && !isSaid ? `net ${days} days` : "")
}

function describeDiscount(terms: Reading): string {
  const percent = terms.quantity("discountPercent")
  const days = terms.text("discountDays")
  const until = terms.date("discountDueDate")
  return joinTexts(percent && `${percent}%`, days && `when paid within ${days} days`, until && `by ${until}`)
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

function describeMore(data: Reading, audience: Audience): Facts[] {
  const [shipping, contacts, extrinsics] = [
    data.part("shipping"),
    data.part("contacts"),
    data.part("extrinsics"),
  ]
  const extra = extrinsics
    .members()
    .map(([name, member]) => toFact(member, safeText(name, 200), member.whole))
  const price = `${shipping.text("currency")} ${shipping.money("amount")}`.trim()
  const people = data.elements("contacts").map((each) => {
    const role = each.text("role")
    return toFact(each, getOwn(ROLES, role) ?? role, joinTexts(...each.texts("name", "phone", "email")))
  })
  return [
    ...toSection(
      "Delivery",
      [shipping],
      [...toFacts(shipping, DELIVERY), toFact(shipping.part("amount"), "Price", price)],
    ),
    ...toSection("Contacts", [contacts], people),
    ...toSection(audience === "checker" ? "Extension fields" : "Other details", [extrinsics], extra),
  ]
}

/** Undefined if all parts are missing; a part that is not an object or a list is shown as it is. */
function toSection(title: string, parts: readonly Reading[], facts: readonly Fact[]): Facts[] {
  if (parts.every(({ value }) => value === undefined)) return []
  const given = facts.filter(({ text }) => text !== "")
  const strays = parts.map(({ stray }): Fact => ({ text: stray }))
  const shows = parts.map(({ pointer }) => pointer)
  return [{ kind: "facts", title, facts: given.length > 0 ? given : strays, shows }]
}

/** The sender of the document, and the service's IDs for it. */
function describeOrigin(document: Reading, missing: string): Facts {
  const metadata = document.part("metadata")
  const source = metadata.texts("sourceLanguage", "sourceVersion").join(" ")
  const payload = nameText("payload", metadata.text("payloadId"))
  const author = `Written by ${joinTexts(metadata.text("userAgent") || missing, source, payload)}`.trim()
  const id = document.text("correlationId")
  const made = document.date("timestamp")
  const status =
    id === ""
      ? "A draft: the service has not filled in its part."
      : joinTexts(`Correlation id ${id}`, made && `made ${made}`)
  const shows = ["/correlationId", "/timestamp", "/docType"]
  return {
    kind: "facts",
    facts: [
      { ...toFact(metadata, "", author), style: "small" },
      { text: status, style: "small", shows },
    ],
  }
}

function kindOf(data: Reading): InvoiceKind {
  return findKind(Object(data.value))
}

/** The text before the title of a document that is not a plain invoice. */
const TITLES: Readonly<Partial<Record<InvoiceKind, string>>> = {
  cancellation: "CANCELLATION OF ",
  information: "FOR INFORMATION ONLY: ",
  update: "CORRECTED ",
}

function isMemo(data: Reading): boolean {
  return isCredit(data) || DEBITS.has(data.text("purpose"))
}

function isCredit(data: Reading): boolean {
  return CREDITS.has(data.text("purpose"))
}

/**
 * The title of the document. Only one with tax is a tax invoice; a memo that changes the tax of an earlier invoice is an
 * adjustment note (A New Tax System Act, section 29-75). The words for one that the buyer made are the ATO's (GSTR 2000/10).
 */
function findTitle(data: Reading): string {
  return `${TITLES[kindOf(data)] ?? ""}${findPlainTitle(data)}`
}

function findPlainTitle(data: Reading): string {
  const isRecipientCreated = data.text("invoiceOrigin") === "buyer" || data.part("isERS").value === true
  if (!isMemo(data)) {
    if (!isTaxed(data)) return "INVOICE"
    return isRecipientCreated ? "RECIPIENT CREATED TAX INVOICE" : "TAX INVOICE"
  }
  const isOfInvoice = data.part("documentReference").texts("invoiceId", "documentId").length > 0
  if (isTaxed(data) && isOfInvoice) return "ADJUSTMENT NOTE"
  return isCredit(data) ? "CREDIT NOTE" : "DEBIT NOTE"
}
