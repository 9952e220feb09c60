/** The summary of an invoice: amounts one below the other, as they add up. */
import { type Look, padded } from "./reporters/layout.ts"
import { columnWidth, type Row } from "./show-page.ts"
import { DATA, type Reading } from "./show-reading.ts"

const SUMMARY = `${DATA}/invoiceSummary`
const AMOUNT = 18

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
  dueAmount: "AMOUNT DUE",
}
const REQUIRED = ["subtotal", "taxAmount", "dueAmount"]

export function totalRows(reading: Reading, look: Look): Row[] {
  const width = columnWidth(look, 1)
  const row = (label: string, amount: string, shows: string[], style?: "bold" | "dim"): Row => [
    [
      {
        shows,
        lines: [padded(label + padded(amount, AMOUNT, "right"), width, "right")],
        ...(style && { style }),
      },
    ],
  ]
  return Object.entries(TOTALS).flatMap(([name, label]): Row[] => {
    const at = `${SUMMARY}/${name}`
    const amount = reading.money(at)
    if (name === "taxAmount") {
      const parts = reading.entries(`${SUMMARY}/taxBreakdown`)
      return [
        row(label, amount || "(missing)", [at, `${SUMMARY}/taxBreakdown`]),
        ...parts.map((part) => row(taxPart(reading, part), "", [part], "dim")),
      ]
    }
    if (name === "dueAmount") {
      const currency = reading.text(`${SUMMARY}/currency`)
      return [row(label, `${currency} ${amount || "(missing)"}`.trim(), [at, SUMMARY], "bold")]
    }
    if (amount === "" && !REQUIRED.includes(name)) return []
    return [row(label, amount || "(missing)", [at])]
  })
}

/** `GST 10% of 160.78 is 16.08` */
function taxPart(reading: Reading, at: string): string {
  const rate = reading.quantity(`${at}/taxRate`)
  const base = reading.money(`${at}/taxableAmount`)
  const tax = reading.money(`${at}/taxAmount`)
  const words = [reading.text(`${at}/taxType`), rate && `${rate}%`, base && `of ${base}`, tax && `is ${tax}`]
  return words.filter((word) => word !== "").join(" ")
}
