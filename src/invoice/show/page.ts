/** An invoice as a page: for who checks it, with all that it holds; for the customer, as it is sent. */
import { safeText } from "../../contract/safe-text.ts"
import type { Fact, Facts, Page, PlainBlock } from "../../pages/model.ts"
import { ZERO } from "../accounting/amounts.ts"
import { describeLines, findTaxName, isNothing } from "./lines.ts"
import { joinTexts, Reading, type ShownDocument } from "./reading.ts"

/** A customer sees no fields that are missing, and nothing that only the service needs. */
export type Audience = "checker" | "customer"

export function describeInvoice(document: ShownDocument, audience: Audience): Page<PlainBlock> {
  const whole = new Reading(document)
  const data = whole.part("data")
  const isForChecker = audience === "checker"
  const title = findTitle(data)
  const number = data.text("invoiceNumber")
  const supplier = data.text("supplier/name")
  return {
    title,
    about: number || (isForChecker ? "(no number)" : ""),
    shows: [data.at("invoiceNumber"), data.at("purpose")],
    notes: describeNotes(data),
    blocks: [
      {
        kind: "beside",
        columns: [
          [describeSupplier(data, isForChecker)],
          [{ kind: "facts", facts: describeReferences(data, isForChecker) }],
        ],
      },
      { kind: "beside", columns: describeParties(data, isForChecker).map((party) => [party]) },
      describeLines(data, isForChecker),
      { kind: "facts", layout: "sums", facts: describeTotals(data, isForChecker) },
      ...describeSections(data, isForChecker),
      ...(isForChecker ? [describeOrigin(whole)] : []),
    ],
    foot: { text: `${supplier}, ${title.toLowerCase()} ${number}` },
  }
}

const OPERATIONS: Readonly<Record<string, string>> = {
  update: "Changes an invoice that was sent before.",
  delete: "Cancels an invoice that was sent before.",
}

/** What is out of the ordinary. */
function describeNotes(data: Reading): Fact[] {
  const notes = {
    operation: OPERATIONS[data.text("operation")] ?? "",
    isInformationOnly: data.part("isInformationOnly").value === true ? "For information only." : "",
    isERS: data.part("isERS").value === true ? "Evaluated receipt settlement." : "",
    invoiceOrigin: data.text("invoiceOrigin") === "buyer" ? "Made by the buyer." : "",
  }
  return Object.entries(notes).map(([name, text]) => ({ text, shows: [data.at(name)] }))
}

/** Dates, order and other references. */
function describeReferences(data: Reading, isForChecker: boolean): Fact[] {
  const needed = (name: string, label: string, text: string): Fact => ({
    name: label,
    text: text || (isForChecker ? MISSING : ""),
    shows: [data.at(name)],
  })
  const given = (name: string, label: string, read: (part: Reading) => string): Fact[] =>
    data.has(name) ? [needed(name, label, read(data.part(name)) || data.text(name))] : []
  return [
    needed("invoiceDate", "Invoice date", data.date("invoiceDate")),
    ...given("dueDate", "Due date", () => data.date("dueDate")),
    needed("poNumber", "Purchase order", data.text("poNumber")),
    ...given("poReferences", "All orders", () =>
      joinTexts(...data.elements("poReferences").map((each) => each.text("poNumber"))),
    ),
    ...given("documentReference", "Refers to", (part) =>
      joinTexts(part.text("invoiceId") || part.text("documentId"), part.date("invoiceDate")),
    ),
    ...given("asnReference", "Ship notice", (part) =>
      joinTexts(part.text("shipmentId"), part.date("shipmentDate")),
    ),
    ...given("shipmentDetails", "Sent with", (part) =>
      joinTexts(part.text("carrier"), part.text("trackingNumber"), part.date("shippingDate")),
    ),
  ]
}

const MISSING = "(missing)"

function describeSupplier(data: Reading, isForChecker: boolean): Facts {
  const supplier = data.part("supplier")
  const contact = supplier.part("contact")
  const missing = isForChecker ? (data.has("supplier") ? "(no name)" : MISSING) : ""
  const abn = readAbn(supplier) || supplier.text("taxRegistrations")
  const id = isForChecker ? supplier.text("id") : ""
  const contacts = [
    joinTexts(...contact.texts("name", "role")),
    ...contact.texts("phone", "email"),
    contact.stray,
  ]
  return {
    kind: "facts",
    title: "From",
    shows: [supplier.pointer],
    facts: [
      {
        text: supplier.text("name") || supplier.stray || missing,
        style: "strong",
        shows: [supplier.at("name")],
      },
      { text: abn && `ABN ${abn}`, shows: [supplier.at("taxRegistrations")] },
      { text: readAddress(supplier.part("address")), shows: [supplier.at("address")] },
      { text: contacts.filter(Boolean).join("\n"), shows: [contact.pointer] },
      { text: id && `Supplier id ${id}`, shows: [supplier.at("id")] },
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

function describeParties(data: Reading, isForChecker: boolean): Facts[] {
  return Object.entries(PARTIES).flatMap(([name, title]): Facts[] => {
    const text = readAddress(data.part(name))
    const isMissing = isForChecker && (data.has(name) ? name !== "remitTo" : name === "billTo")
    if (text === "" && !isMissing) return []
    return [{ kind: "facts", title, facts: [{ text: text || MISSING }], shows: [data.at(name)] }]
  })
}

/** The lines of an address as on a letter, Australia being understood. */
function readAddress(address: Reading): string {
  if (address.stray !== "") return address.stray
  const country = address.text("country")
  const town = address.texts("city", "state", "postalCode").join(" ")
  const lines = [...address.texts("addressee", "street1", "street2"), town, country === "AU" ? "" : country]
  return lines.filter((line) => line !== "").join("\n")
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
/** Shown also where they are missing or zero. */
const REQUIRED_TOTALS: readonly string[] = ["subtotal", "taxAmount", "dueAmount"]

function describeTotals(data: Reading, isForChecker: boolean): Fact[] {
  const summary = data.part("invoiceSummary")
  return Object.entries(TOTALS).flatMap(([name, label]): Fact[] => {
    const stated = summary.money(name)
    const isShown = isForChecker ? stated !== "" : !isNothing(stated)
    if (!isShown && !REQUIRED_TOTALS.includes(name)) return []
    const amount = stated || (isForChecker ? MISSING : "")
    const shows = [summary.at(name)]
    if (name === "taxAmount")
      return [
        { name: findTaxName(data), text: amount, shows: [...shows, summary.at("taxBreakdown")] },
        ...summary.elements("taxBreakdown").map(describeTaxPart),
      ]
    if (name !== "dueAmount") return [{ name: label, text: amount, shows }]
    const due = `${summary.text("currency")} ${amount}`.trim()
    return [{ name: label, text: due, style: "strong", shows: [...shows, summary.pointer] }]
  })
}

/** `GST 10% of 160.78 is 16.08` */
function describeTaxPart(part: Reading): Fact {
  const rate = part.quantity("taxRate")
  const base = part.money("taxableAmount")
  const tax = part.money("taxAmount")
  const words = [part.text("taxType"), rate && `${rate}%`, base && `of ${base}`, tax && `is ${tax}`]
  return { name: words.filter(Boolean).join(" "), text: "", style: "small", shows: [part.pointer] }
}

const BANK = {
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
function describeSections(data: Reading, isForChecker: boolean): Facts[] {
  const [shipping, comments] = [data.part("shipping"), data.part("comments")]
  const [contacts, extrinsics] = [data.part("contacts"), data.part("extrinsics")]
  const price = `${shipping.text("currency")} ${shipping.money("amount")}`.trim()
  const people = data.elements("contacts").map((each): Fact => {
    const role = each.text("role")
    const text = joinTexts(...each.texts("name", "phone", "email"))
    return { name: ROLES[role] ?? role, text, shows: [each.pointer] }
  })
  const extra = extrinsics
    .members()
    .map(([name, { whole, pointer }]): Fact => ({ name: safeText(name, 200), text: whole, shows: [pointer] }))
  const terms = [data.part("paymentTerms"), data.part("remitTo/bankDetails")]
  const isPayable =
    isForChecker || data.has("remitTo") || (data.amount("invoiceSummary/dueAmount") ?? ZERO) >= ZERO
  return [
    ...(isPayable ? toSection("How to pay", terms, describePayment(data, isForChecker)) : []),
    ...(isForChecker
      ? [
          ...toSection(
            "Delivery",
            [shipping],
            [
              ...readFields(shipping, DELIVERY),
              { name: "Price", text: price, shows: [shipping.at("amount")] },
            ],
          ),
          ...toSection("Contacts", [contacts], people),
        ]
      : []),
    ...toSection("Comments", [comments], [{ text: comments.whole }]),
    ...(isForChecker ? toSection("Extension fields", [extrinsics], extra) : []),
  ]
}

/** Nothing where none of its parts is there; what is there without being an object or a list, as it is. */
function toSection(title: string, parts: readonly Reading[], facts: readonly Fact[]): Facts[] {
  if (parts.every(({ value }) => value === undefined)) return []
  const given = facts.filter(({ text }) => text !== "")
  const strays = parts.map(({ stray }): Fact => ({ text: stray }))
  return [
    {
      kind: "facts",
      title,
      facts: given.length > 0 ? given : strays,
      shows: parts.map(({ pointer }) => pointer),
    },
  ]
}

function readFields(part: Reading, labels: Readonly<Record<string, string>>): Fact[] {
  return Object.entries(labels).map(([name, label]) => ({
    name: label,
    text: part.text(name),
    shows: [part.at(name)],
  }))
}

function describePayment(data: Reading, isForChecker: boolean): Fact[] {
  const [terms, bank] = [data.part("paymentTerms"), data.part("remitTo/bankDetails")]
  return [
    { name: "Terms", text: joinTexts(terms.stray, describeTerms(terms)), shows: [terms.at("netDays")] },
    ...terms
      .elements("discountTerms")
      .map((each): Fact => ({ name: "Discount", text: describeDiscount(each), shows: [each.pointer] })),
    { name: "Bank", text: bank.stray, shows: [bank.pointer] },
    ...readFields(bank, BANK),
    { name: "Reference", text: isForChecker ? "" : data.text("invoiceNumber") },
  ]
}

/** Terms in words, with the days where the words do not say them. */
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

/** Who made the document, and what the service knows it by. */
function describeOrigin(document: Reading): Facts {
  const metadata = document.part("metadata")
  const source = `${metadata.text("sourceLanguage")} ${metadata.text("sourceVersion")}`
  const author = `Written by ${metadata.text("userAgent") || MISSING}, ${source}`.replace(/[, ]+$/, "")
  const id = document.text("correlationId")
  const made = document.date("timestamp")
  const status =
    id === ""
      ? "A draft: the service has not filled in its part."
      : joinTexts(`Correlation id ${id}`, made && `made ${made}`)
  return {
    kind: "facts",
    facts: [
      { text: author, style: "small", shows: [metadata.pointer] },
      { text: status, style: "small", shows: ["/correlationId", "/timestamp", "/docType"] },
    ],
  }
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
function findTitle(data: Reading): string {
  const isTaxed = !isNothing(data.money("invoiceSummary/taxAmount"))
  const memo = MEMOS[data.text("purpose")]
  if (memo === undefined) return isTaxed ? "TAX INVOICE" : "INVOICE"
  const isOfInvoice = data.part("documentReference").texts("invoiceId", "documentId").length > 0
  return isTaxed && isOfInvoice ? "ADJUSTMENT NOTE" : memo
}
