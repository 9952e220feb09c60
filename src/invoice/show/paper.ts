/** An invoice as it is sent to a customer, apart from how it is drawn: what stands in which part of the page. */
import { ZERO } from "../accounting/amounts.ts"
import { joinTexts, Reading, type ShownDocument } from "./reading.ts"
import {
  ADDRESSES,
  BANK,
  describeDiscount,
  describeTaxPart,
  describeTerms,
  findTaxName,
  findTitle,
  readAbn,
  readAddress,
  REQUIRED_TOTALS,
  TAX_NAME,
  TOTALS,
} from "./sections.ts"

/** A name and what it stands for. */
export type Labelled = readonly [label: string, text: string]

interface PaperLine {
  number: string
  description: string
  /** Small, below the description. */
  details: string
  quantity: string
  unit: string
  price: string
  tax: string
  amount: string
}

/** The columns of its lines; the details stand below the description. */
const PAPER_COLUMNS: readonly {
  title: string
  align: "left" | "right"
  read(line: PaperLine): string
}[] = [
  { title: "#", align: "left", read: ({ number }) => number },
  { title: "Description", align: "left", read: ({ description }) => description },
  { title: "Qty", align: "right", read: ({ quantity }) => quantity },
  { title: "Unit", align: "left", read: ({ unit }) => unit },
  { title: "Unit price", align: "right", read: ({ price }) => price },
  { title: TAX_NAME, align: "right", read: ({ tax }) => tax },
  { title: "Amount", align: "right", read: ({ amount }) => amount },
]

/** The columns of the lines of one document. */
export function columnsOf({ taxName }: Pick<Paper, "taxName">): typeof PAPER_COLUMNS {
  return PAPER_COLUMNS.map((column) => (column.title === TAX_NAME ? { ...column, title: taxName } : column))
}

export interface Paper {
  title: string
  number: string
  /** Dates, order and other references, beside the title. */
  facts: readonly Labelled[]
  supplier: { name: string; lines: readonly string[] }
  parties: readonly { title: string; lines: readonly string[] }[]
  lines: readonly PaperLine[]
  totals: readonly Labelled[]
  /** The label of the tax among the totals: `GST`. */
  taxName: string
  /** What the tax is made of. */
  taxes: readonly string[]
  due: Labelled
  payment: readonly Labelled[]
  comments: string
}

export function describePaper(document: ShownDocument): Paper {
  const data = new Reading(document).part("data")
  const supplier = data.part("supplier")
  const contact = supplier.part("contact")
  const summary = data.part("invoiceSummary")
  const abn = readAbn(supplier)
  const taxName = findTaxName(data)
  const amounts = Object.entries(TOTALS).flatMap(([name, label]): (readonly [string, string, string])[] =>
    REQUIRED_TOTALS.includes(name) || !isNothing(summary.money(name))
      ? [[name, label, summary.money(name)]]
      : [],
  )
  const due = amounts.find(([name]) => name === "dueAmount")?.[2] ?? ""
  return {
    title: findTitle(data),
    number: data.text("invoiceNumber"),
    facts: getGiven([
      ["Invoice date", data.date("invoiceDate")],
      ["Due date", data.date("dueDate")],
      ["Purchase order", data.text("poNumber")],
      ["Refers to", data.text("documentReference/invoiceId") || data.text("documentReference/documentId")],
      ["Sent with", joinTexts(...data.part("shipmentDetails").texts("carrier", "trackingNumber"))],
    ]),
    supplier: {
      name: supplier.text("name"),
      lines: [
        ...readAddress(supplier.part("address")),
        abn && `ABN ${abn}`,
        joinTexts(...contact.texts("name", "phone", "email")),
      ].filter((line) => line !== ""),
    },
    parties: Object.entries(ADDRESSES).flatMap(([name, title]) => {
      const lines = name === "remitTo" ? [] : readAddress(data.part(name))
      return lines.length > 0 ? [{ title, lines }] : []
    }),
    lines: data.elements("lineItems").map((line) => ({
      number: line.text("invoiceLineNumber"),
      description: line.texts("description", "supplierItemId", "buyerItemId")[0] ?? "",
      details: joinTexts(
        line.text("supplierItemId") && `item ${line.text("supplierItemId")}`,
        line.text("buyerItemId") && `your item ${line.text("buyerItemId")}`,
        line.text("poLineReference") && `order line ${line.text("poLineReference")}`,
        isNothing(line.money("shippingAmount")) ? "" : `shipping ${line.money("shippingAmount")}`,
        isNothing(line.money("discountAmount")) ? "" : `discount ${line.money("discountAmount")}`,
        line.elements("serialNumbers").length > 0
          ? `serial ${line
              .elements("serialNumbers")
              .map(({ whole }) => whole)
              .join(", ")}`
          : "",
        line.text("comments"),
      ),
      quantity: line.quantity("quantity"),
      unit: line.text("unitOfMeasure"),
      price: line.money("unitPrice"),
      tax: line.money("taxAmount"),
      amount: line.money("subtotal"),
    })),
    totals: amounts.flatMap(([name, label, amount]): Labelled[] =>
      name === "dueAmount" ? [] : [[name === "taxAmount" ? taxName : label, amount]],
    ),
    taxName,
    taxes: summary.elements("taxBreakdown").map(describeTaxPart),
    due: ["Amount due", `${summary.text("currency")} ${due}`.trim()],
    payment: isPayable(data) ? describePayment(data) : [],
    comments: data.text("comments"),
  }
}

/** A credit asks for no payment, unless it says where to. */
function isPayable(data: Reading): boolean {
  return data.has("remitTo") || (data.amount("invoiceSummary/dueAmount") ?? ZERO) >= ZERO
}

function describePayment(data: Reading): Labelled[] {
  return getGiven([
    ...Object.entries(BANK).map(
      ([name, label]): Labelled => [label, data.text(`remitTo/bankDetails/${name}`)],
    ),
    ["Pay to", readAddress(data.part("remitTo")).join(", ")],
    ["Terms", describeTerms(data.part("paymentTerms"))],
    ...data
      .elements("paymentTerms/discountTerms")
      .map((terms): Labelled => ["Discount", describeDiscount(terms)]),
    ["Reference", data.text("invoiceNumber")],
  ])
}

function isNothing(money: string): boolean {
  return money === "" || money === "0.00"
}

function getGiven(labelled: readonly Labelled[]): Labelled[] {
  return labelled.filter(([, text]) => text !== "")
}
