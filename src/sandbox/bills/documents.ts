/** Bills as files: one CSV of all carriers, or an invoice of the INV contract for each. */
import { hash } from "node:crypto"
import { carrierLetter, CARRIERS } from "../../carriers/index.ts"
import type { Carrier, Invoice, LineItem } from "../../contract/generated/types.ts"
import { amountOf } from "../../base/money.ts"
import { valueOrThrow } from "../../base/parsed.ts"
import { addDays, formatDate, parseDate } from "../../base/wall-clock.ts"
import { cell } from "../../output/index.ts"
import { findService } from "../carriers.ts"
import { SENDER } from "../demo.ts"
import { type BillCharge, type Billed, getGst } from "./consignments.ts"

export type Bill = ReturnType<typeof makeBills>[number]

/** A bill for each carrier with charges. Different contents give a different number. */
export function makeBills(billed: readonly Billed[]) {
  return CARRIERS.flatMap((carrier) => {
    const consignments = billed.filter((each) => each.carrier === carrier)
    if (consignments.length === 0) return []
    const charges = consignments.flatMap((each) => each.charges)
    const invoiceDate = consignments.reduce(
      (latest, { shipDate }) => (shipDate > latest ? shipDate : latest),
      "",
    )
    const mark = hash("sha256", JSON.stringify(consignments)).slice(0, 6).toUpperCase()
    return [
      {
        carrier,
        invoiceNumber: `SB${carrierLetter(carrier)}-${invoiceDate.replaceAll("-", "")}-${mark}`,
        /** `yyyy-mm-dd`: the last day that is billed. */
        invoiceDate,
        consignments,
        exGst: charges.reduce((sum, { cents }) => sum + cents, 0),
        gst: charges.reduce((sum, each) => sum + getGst(each), 0),
      },
    ]
  })
}

const COLUMNS: readonly (readonly [
  heading: string,
  read: (bill: Bill, billed: Billed, line: BillCharge) => string,
])[] = [
  ["Invoice Number", ({ invoiceNumber }) => invoiceNumber],
  ["Invoice Date", ({ invoiceDate }) => invoiceDate],
  ["Carrier", ({ carrier }) => getCompany(carrier)],
  ["Consignment", (_, { consignment }) => consignment],
  ["Reference", (_, { reference }) => cell(reference)],
  ["Service", (_, { serviceCode }) => serviceCode],
  ["Charge", (_, __, { name }) => name],
  ["Weight kg", (_, { weightKg }) => String(weightKg)],
  ["Ship Date", (_, { shipDate }) => shipDate],
  ["Amount ex GST", (_, __, { cents }) => formatAmount(cents)],
  ["GST", (_, __, line) => formatAmount(getGst(line))],
  ["Amount inc GST", (_, __, line) => formatAmount(line.cents + getGst(line))],
]

export async function writeCsv(bills: readonly Bill[]): Promise<string> {
  const { stringify } = await import("csv-stringify/sync")
  return stringify([COLUMNS.map(([heading]) => heading), ...listRows(bills)])
}

const AMOUNTS = /^(Amount|GST)/

export async function writeBillSheet(bills: readonly Bill[]): Promise<Uint8Array> {
  const { writeWorkbook } = await import("../../output/terminal/workbook.ts")
  const columns = COLUMNS.map(([heading]) => ({ heading, isMoney: AMOUNTS.test(heading) }))
  const isNumber = columns.map(({ heading, isMoney }) => isMoney || heading.startsWith("Weight"))
  const rows = listRows(bills).map((row) => row.map((text, at) => (isNumber[at] ? Number(text) : text)))
  const pieces: Uint8Array[] = []
  for await (const piece of writeWorkbook(columns, rows)) pieces.push(piece)
  return Buffer.concat(pieces)
}

function listRows(bills: readonly Bill[]): string[][] {
  return bills.flatMap((bill) =>
    bill.consignments.flatMap((billed) =>
      billed.charges.map((line) => COLUMNS.map(([, read]) => read(bill, billed, line))),
    ),
  )
}

/** 123 → `1.23` */
function formatAmount(cents: number): string {
  return amountOf(cents).toFixed(2)
}

export function getCompany(carrier: Carrier): string {
  return `Carrier ${carrierLetter(carrier)}`
}

export const ABNS: Record<Carrier, string> = {
  CARRIER_A_AU: "51824753556",
  CARRIER_B_AU: "53004085616",
  CARRIER_C_AU: "83914571673",
}
const NET_DAYS = 14
const GST_PERCENT = 10

export function writeInvoices(bills: readonly Bill[]): string {
  return `${JSON.stringify(bills.map(toInvoice), null, 2)}\n`
}

function toInvoice({ carrier, invoiceNumber, invoiceDate, consignments, exGst, gst }: Bill): Invoice {
  const midnight = (date: string) => `${date}T00:00:00Z`
  const due = formatDate(addDays(valueOrThrow(parseDate(invoiceDate), "invoiceDate"), NET_DAYS))
  const total = amountOf(exGst + gst)
  const charges = consignments.flatMap((billed) => billed.charges.map((charge) => ({ billed, charge })))
  return {
    docType: "INV",
    correlationId: toUuid(invoiceNumber),
    timestamp: midnight(invoiceDate),
    metadata: { sourceLanguage: "json", sourceVersion: "1.0.7", userAgent: "freight sandbox" },
    data: {
      invoiceNumber,
      poNumber: "FREIGHT",
      invoiceDate: midnight(invoiceDate),
      dueDate: midnight(due),
      purpose: "standard",
      supplier: {
        id: carrier,
        name: getCompany(carrier),
        taxRegistrations: { type: "ABN", value: ABNS[carrier] },
      },
      billTo: {
        addressee: SENDER.companyName,
        street1: SENDER.address1,
        city: SENDER.suburb,
        state: SENDER.state,
        postalCode: SENDER.postcode,
        country: "AU",
      },
      shipmentDetails: { carrier: getCompany(carrier) },
      paymentTerms: { netDays: NET_DAYS },
      lineItems: charges.map(({ billed, charge }, index) => toLine(billed, charge, index + 1)),
      invoiceSummary: {
        subtotal: amountOf(exGst),
        taxAmount: amountOf(gst),
        taxBreakdown: [
          {
            taxType: "GST",
            taxRate: GST_PERCENT,
            taxableAmount: amountOf(exGst),
            taxAmount: amountOf(gst),
          },
        ],
        grossAmount: total,
        netAmount: total,
        dueAmount: total,
        currency: "AUD",
      },
    },
  }
}

/** The consignment is in the description and the serial number, the service in the supplier's item. */
function toLine(billed: Billed, charge: BillCharge, number: number): LineItem {
  const { carrier, consignment, reference, serviceCode, weightKg, shipDate } = billed
  const service = findService(carrier, serviceCode)?.description ?? serviceCode
  const gst = getGst(charge)
  return {
    invoiceLineNumber: number,
    supplierItemId: serviceCode,
    description: `${charge.name}, consignment ${consignment}, ${service}`,
    quantity: 1,
    unitOfMeasure: "EA",
    unitPrice: amountOf(charge.cents),
    subtotal: amountOf(charge.cents),
    taxAmount: amountOf(gst),
    taxRate: GST_PERCENT,
    grossAmount: amountOf(charge.cents + gst),
    netAmount: amountOf(charge.cents + gst),
    currency: "AUD",
    serialNumbers: [consignment],
    comments: [`${weightKg} kg`, `shipped ${shipDate}`, reference && `reference ${reference}`]
      .filter(Boolean)
      .join(", ")
      .slice(0, MAX_COMMENT_LENGTH),
  }
}

const MAX_COMMENT_LENGTH = 500

/** The same text gives the same UUID. */
function toUuid(text: string): string {
  const hex = hash("sha256", text)
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`]
  return [...parts, hex.slice(20, 32)].join("-")
}
