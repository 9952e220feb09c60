/**
 * One description of consignments, written as six carriers write their bills.
 *
 * Sources of the layouts, as far as they are public:
 * - A: the columns that StarTrack lists for its Electronic Invoice Report (auspost.com.au, "Request StarTrack electronic
 *   invoice report").
 * - B: the columns of MachShip's generic carrier invoice, for carriers that send none of their own (MachShip's help pages,
 *   "How to set up the MachShip Generic Carrier Invoice Template").
 * - C: a row for each shipment with pairs of a charge's name and amount, as DHL's guides to e-billing and MyBill and the
 *   description of DHL's files by Trackstar tell it. Their tables of headings were not found: these are ours.
 * - D: a row for each charge, as Trackstar describes carriers' invoice lines and Sendle its billing CSV.
 * - E: the printed statement as a table, which TNT Australia says its e-invoice CSV is, with pages, totals and notes. Its
 *   headings are not public: these are the ones that Australian connotes and Toll's line item invoices use.
 * - F: a column for each surcharge that carriers publish (manual handling, tail lift, residential), and below the rows the
 *   three totals that New Zealand Couriers explains on its page about invoices.
 */
import { stringify } from "csv-stringify/sync"

/** Mistakes of bills. */
export type Kind = Overcharge | "twice" | "foreign" | "gst" | "cancelled" | "payer" | "uncollected" | "late"
type Overcharge = "over" | "fuel" | "residential" | "futile" | "lift" | "weight" | "service"

/** One consignment on a carrier's bill. Amounts are in cents, without GST. */
export interface Billed {
  consignment: string
  reference: string
  receiver: string
  service: string
  weightKg: number
  charges: readonly { label: Label; cents: number }[]
  gstPercent: number
}

export type Label =
  | "Freight"
  | "Fuel levy"
  | "Residential delivery"
  | "Futile delivery"
  | "Tail lift"
  | "Insurance"

export interface Layout {
  /** Which mistakes the layout can show. */
  kinds: readonly Kind[]
  write(billed: readonly Billed[]): string
}

const money = (cents: number) => (cents / 100).toFixed(2)
const sum = (amounts: readonly number[]) => amounts.reduce((all, each) => all + each, 0)
const total = ({ charges }: Billed) => sum(charges.map(({ cents }) => cents))
const costOf = ({ charges }: Billed, ...labels: Label[]) =>
  sum(charges.filter(({ label }) => labels.includes(label)).map(({ cents }) => cents))
/** GST of a row, rounded half up. */
const gst = (billed: Billed, cents = total(billed)) => Math.round((cents * billed.gstPercent) / 100)
const restOf = (billed: Billed, ...labels: Label[]) => total(billed) - costOf(billed, ...labels)
const table = (
  headings: readonly string[],
  rows: readonly (readonly (string | number)[])[],
  delimiter = ",",
) => stringify([headings, ...rows], { delimiter })

const ALWAYS: readonly Kind[] = ["over", "twice", "foreign", "cancelled", "payer", "uncollected", "late"]

const A: Layout = {
  kinds: [...ALWAYS, "gst", "weight", "service"],
  write: (billed) =>
    table(
      [
        "Account Number",
        "Invoice Period",
        "Seq.",
        "Connote/Job Number",
        "Despatch date",
        "Service Type",
        "Senders Name",
        "Senders Location",
        "Receiver Name 1",
        "Receiver Location",
        "Receiver Postcode",
        "Reference 1",
        "Reference 2",
        "Items Connote",
        "Dead Weight",
        "Cube",
        "Charge Weight",
        "From Zone",
        "To Zone",
        "Dangerous Goods Flag",
        "Cost",
        "Fuel Surcharge",
        "Security Surcharge",
        "GST",
        "Total Charge",
      ],
      billed.map((each, at) => [
        ...["10012345", "202611", at + 1, each.consignment, "24/11/2026", each.service],
        ...[
          "Harbour Lighting",
          "ALEXANDRIA",
          each.receiver,
          "FREMANTLE",
          "6160",
          each.reference,
          "Dock 4",
          2,
        ],
        ...[each.weightKg.toFixed(2), "0.05", each.weightKg.toFixed(2), "SYD", "PER", "N"],
        ...[restOf(each, "Fuel levy"), costOf(each, "Fuel levy"), 0, gst(each), total(each) + gst(each)].map(
          money,
        ),
      ]),
    ),
}

const B: Layout = {
  kinds: [...ALWAYS, "gst", "residential"],
  write: (billed) =>
    table(
      [
        "InvoiceDate",
        "Date",
        "CarrierRef",
        "SenderRef",
        "CustomerRef",
        "RoutePrice",
        "Tax",
        "FuelSurcharge",
        "Total",
      ],
      billed.map((each) => [
        ...["30/11/2026", "24/11/2026", each.consignment, "", each.reference],
        ...[restOf(each, "Fuel levy"), gst(each), costOf(each, "Fuel levy"), total(each) + gst(each)].map(
          money,
        ),
      ]),
    ),
}

const C: Layout = {
  kinds: [...ALWAYS, "gst", "residential", "futile", "weight", "service"],
  write: (billed) =>
    table(
      [
        "Billing Account",
        "Invoice Number",
        "Invoice Date",
        "Shipment Number",
        "Shipment Date",
        "Shipment Reference 1",
        "Product Name",
        "Pieces",
        "Weight (kg)",
        "Weight Charge",
        ...[1, 2, 3].flatMap((n) => [`XC${n} Code`, `XC${n} Name`, `XC${n} Charge`]),
        "Total amount (excl. tax)",
        "Total tax",
        "Total amount (incl. tax)",
      ],
      billed.map((each) => {
        const [freight, ...extras] = each.charges
        const pairs = [0, 1, 2].flatMap((n) => {
          const extra = extras[n]
          return extra
            ? [extra.label.slice(0, 2).toUpperCase(), extra.label.toUpperCase(), money(extra.cents)]
            : ["", "", ""]
        })
        return [
          ...[
            "4711",
            "SYD0012345",
            "2026-11-30",
            each.consignment,
            "20261124",
            each.reference,
            each.service,
            2,
          ],
          ...[each.weightKg, money(freight?.cents ?? 0), ...pairs],
          ...[total(each), gst(each), total(each) + gst(each)].map(money),
        ]
      }),
      ";",
    ),
}

/** A row for each charge, its GST rounded on the row; what is insured is free of GST. */
function listCharges(billed: Billed): { label: string; cents: number; gst: number }[] {
  return billed.charges.map(({ label, cents }) => ({
    label,
    cents,
    gst: label === "Insurance" ? 0 : gst(billed, cents),
  }))
}

const D: Layout = {
  kinds: [...ALWAYS, "gst", "fuel", "residential", "futile", "weight", "service"],
  write: (billed) =>
    table(
      [
        "Invoice #",
        "Tracking Number",
        "Your Reference",
        "Service Code",
        "Billed Weight",
        "Charge Description",
        "Amount ex GST",
        "GST Amount",
        "Amount inc GST",
      ],
      billed.flatMap((each) =>
        listCharges(each).map((charge) => [
          ...["INV-77", each.consignment.replace(/^(\D+)/, "$1 "), each.reference, each.service],
          ...[`${each.weightKg} kg`, charge.label],
          ...[charge.cents, charge.gst, charge.cents + charge.gst].map((cents) => `$${money(cents)}`),
        ]),
      ),
      "\t",
    ),
}

const PAGE_ROWS = 25

/** @param wrongPage the page whose total is wrong by ten dollars; none if undefined */
const writePages = (billed: readonly Billed[], wrongPage: number | undefined): string => {
  const headings = [
    "Con Note",
    "Sender Ref",
    "Con Date",
    "Service",
    "Kgs",
    "Receiver",
    "Description",
    "Nett",
    "GST",
  ]
  const rows = billed.flatMap((each) =>
    listCharges(each).map((charge) => ({
      ...charge,
      cells: [
        each.consignment.replace(/^(\D+)/, "$1-"),
        each.reference,
        "24 Nov 2026",
        each.service,
        each.weightKg,
      ]
        .map(String)
        .concat(each.receiver, charge.label),
    })),
  )
  const pages = Array.from({ length: Math.ceil(rows.length / PAGE_ROWS) }, (_, n) =>
    rows.slice(n * PAGE_ROWS, (n + 1) * PAGE_ROWS),
  )
  const amounts = (of: readonly { cents: number; gst: number }[], more = 0) => [
    formatCredit(sum(of.map(({ cents }) => cents)) + more),
    formatCredit(sum(of.map((each) => each.gst))),
  ]
  const label = (text: string, ...values: string[]) => [text, "", "", "", "", "", "", ...values]
  const written = pages.flatMap((page, n) => {
    const before = pages.slice(0, n).flat()
    const after = [...before, ...page]
    return [
      headings,
      ...(n === 0 ? [] : [label("Brought forward", ...amounts(before))]),
      ...page.map(({ cells, cents, gst: tax }) => [...cells, formatCredit(cents), formatCredit(tax)]),
      label("Page total", ...amounts(page, n === wrongPage ? 1000 : 0)),
      label(n === pages.length - 1 ? "Total" : "Carried forward", ...amounts(after)),
      [
        `Page ${n + 1} of ${pages.length}. Fuel levy of 14.5 % from 1 November.`,
        "",
        "",
        "",
        "",
        "",
        "",
        "",
        "",
      ],
    ]
  })
  const payable = sum(rows.map(({ cents, gst: tax }) => cents + tax))
  return stringify([
    ["Carrier E Pty Ltd - Tax invoice 4412", "", "", "", "", "", "", "", ""],
    ...written,
    label("", "Amount payable", money(payable)),
  ])
}

/** As printed: CR behind what is given back. */
const formatCredit = (cents: number) => (cents < 0 ? `${money(-cents)} CR` : money(cents))

const E: Layout = { kinds: D.kinds, write: (billed) => writePages(billed, undefined) }
/** With one page total that is not the sum of its page. */
export const E_WITH_WRONG_TOTAL: Layout = { ...E, write: (billed) => writePages(billed, 1) }

const F_GST = 10

const writeColumns = (billed: readonly Billed[], gstPercent: number): string => {
  const all = sum(billed.map(total))
  const tax = Math.round((all * gstPercent) / 100)
  return table(
    [
      "Date",
      "Consignment No",
      "Cust Ref",
      "Product",
      "Chargeable Weight",
      "Freight",
      "Fuel Levy",
      "Residential Delivery",
      "Manual Handling",
      "Tail Lift",
    ],
    [
      ...billed.map((each) => [
        ...["24/11/26", each.consignment.toLowerCase(), each.reference, each.service, each.weightKg],
        ...[costOf(each, "Freight"), costOf(each, "Fuel levy"), costOf(each, "Residential delivery"), 0].map(
          formatMinus,
        ),
        ...[costOf(each, "Tail lift")].map(formatMinus),
      ]),
      ["", "", "", "", "Total (excl GST)", money(all), "", "", "", ""],
      ["", "", "", "", "Total GST", money(tax), "", "", "", ""],
      ["", "", "", "", "Total (incl GST & surcharges)", money(all + tax), "", "", "", ""],
    ],
    "|",
  )
}

/** Empty where nothing is asked, and with the minus that typesetters use. */
const formatMinus = (cents: number) => (cents === 0 ? "" : money(cents).replace("-", "\u2212"))

const F: Layout = {
  kinds: [...ALWAYS, "fuel", "residential", "lift", "weight", "service"],
  write: (billed) => writeColumns(billed, F_GST),
}
/** With GST of an eighth on its total. */
export const F_WITH_WRONG_GST: Layout = { ...F, write: (billed) => writeColumns(billed, 12.5) }

export const LAYOUTS: Readonly<Record<"A" | "B" | "C" | "D" | "E" | "F", Layout>> = { A, B, C, D, E, F }
