/** An invoice as it is sent to a customer, apart from how it is drawn: what stands in which part of the page. */
import { joinTexts, Reading, type ShownDocument } from "./reading.ts"
import {
  ADDRESSES,
  BANK,
  describeDiscount,
  describeTaxPart,
  findTitle,
  readAddress,
  REQUIRED_TOTALS,
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
export const PAPER_COLUMNS: readonly {
  title: string
  align: "left" | "right"
  read(line: PaperLine): string
}[] = [
  { title: "#", align: "left", read: ({ number }) => number },
  { title: "Description", align: "left", read: ({ description }) => description },
  { title: "Qty", align: "right", read: ({ quantity }) => quantity },
  { title: "Unit", align: "left", read: ({ unit }) => unit },
  { title: "Unit price", align: "right", read: ({ price }) => price },
  { title: "Tax", align: "right", read: ({ tax }) => tax },
  { title: "Amount", align: "right", read: ({ amount }) => amount },
]

export interface Paper {
  title: string
  number: string
  /** Dates, order and other references, beside the title. */
  facts: readonly Labelled[]
  supplier: { name: string; lines: readonly string[] }
  parties: readonly { title: string; lines: readonly string[] }[]
  lines: readonly PaperLine[]
  totals: readonly Labelled[]
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
  const abn = supplier.text("taxRegistrations/value")
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
      name === "dueAmount" ? [] : [[label, amount]],
    ),
    taxes: summary.elements("taxBreakdown").map(describeTaxPart),
    due: ["Amount due", `${summary.text("currency")} ${due}`.trim()],
    payment: getGiven([
      ...Object.entries(BANK).map(
        ([name, label]): Labelled => [label, data.text(`remitTo/bankDetails/${name}`)],
      ),
      ["Pay to", readAddress(data.part("remitTo")).join(", ")],
      ["Terms", data.text("paymentTerms/description") || describeNetDays(data)],
      ...data
        .elements("paymentTerms/discountTerms")
        .map((terms): Labelled => ["Discount", describeDiscount(terms)]),
      ["Reference", data.text("invoiceNumber")],
    ]),
    comments: data.text("comments"),
  }
}

function isNothing(money: string): boolean {
  return money === "" || money === "0.00"
}

function describeNetDays(data: Reading): string {
  const days = data.text("paymentTerms/netDays")
  return days && `${days} days net`
}

function getGiven(labelled: readonly Labelled[]): Labelled[] {
  return labelled.filter(([, text]) => text !== "")
}
