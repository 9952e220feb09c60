/** The columns that a carrier's bill can have as CSV, and the headings that people use for them. */
import type { Charge } from "../contract/bills.ts"
import { ambiguous, plainHeader } from "../input/columns/headings.ts"
import type { SheetColumns } from "../input/columns/notation.ts"
import { isTotalWord } from "../input/sheets/totals.ts"

export interface BillField {
  name: string
  /** A name of the consignment, what all of a row costs, GST of that, or one kind of charge; otherwise words. */
  holds?: "name" | "total" | "gst" | "part"
  /** Of a part: what is charged for. */
  charge?: Charge
  /** Several columns may have it. */
  mayRepeat?: boolean
  /** Headings that people use for it, beside its own name, which `--map` takes. */
  headings: string
  /** Headings that say less, and are not used beside another of the same field. */
  weak?: string
}

const FIELDS = {
  consignment: {
    holds: "name",
    headings: `Consignment, Consignment number, Consignment no, Consignment id, Con number, Con no, Con,
      Connote, Con note, Connote number, Connote no, Con note number, Con note no, Consignment note,
      Consignment note number, Connote/Job number, Carrier ref, Carrier reference, Waybill, Waybill number,
      Air waybill, Air waybill number, AWB, AWB number, Shipment number, Shipment no`,
    weak: "Tracking, Tracking id, Tracking number, Tracking no, Docket, Docket number",
  },
  /** The carrier's number for the booking. */
  order: {
    holds: "name",
    headings: "Order number, Order no, Booking, Booking number, Booking no, Job, Job number, Job no",
  },
  /** The customer's own. */
  reference: {
    holds: "name",
    mayRepeat: true,
    headings: `Reference, Ref, Reference number, Customer reference, Customer ref, Your reference, Your ref,
      Sender reference, Senders reference, Sender ref, Senders ref, Shipper reference, Shipper ref, Cust ref,
      Shipment reference, Shipment reference 1, Customer reference 1, Reference 1, Ref 1, PO, PO number,
      Purchase order`,
  },
  /** The shipment's id at the API. */
  shipment: { holds: "name", headings: "Shipment id" },
  charge: {
    headings: "Charge, Charge type, Surcharge type, Charge description, Charge name, Fee, Fee type",
    weak: "Description, Item description, Charge code, Line type",
  },
  service: {
    headings: "Service, Service code",
    weak: "Service type, Service level, Service name, Product, Product code, Product name",
  },
  weight: {
    headings: `Billed weight, Charged weight, Chargeable weight, Charge weight, Chargeable kg, Charge wt, Chg wt,
      Rated weight`,
    weak: "Weight, Weight kg, Kg, Kgs, Wt, Total weight, Actual weight, Dead weight",
  },
  shipDate: {
    headings: `Ship date, Shipped, Shipping date, Date shipped, Consignment date, Despatch date, Dispatch date,
      Pickup date, Collection date, Con date`,
    weak: "Date",
  },
  amountExGst: {
    holds: "total",
    headings: `Amount ex GST, Amount excl GST, Ex GST, Excl GST, Total ex GST, Net total, Nett total, Subtotal,
      Sub total, Amount excluding GST, Total excluding GST, Total amount ex GST, Total amount excl GST,
      Total ex tax, Total excl tax, Amount excl tax, Total amount excl tax`,
    weak: "Charge ex GST, Price ex GST, Net, Net amount, Net charge, Nett, Nett amount, Nett charge",
  },
  gst: {
    holds: "gst",
    headings: "GST, GST amount, GST total, Total GST, Tax amount, Total tax",
    weak: "Tax",
  },
  amountIncGst: {
    holds: "total",
    headings: `Amount inc GST, Amount incl GST, Inc GST, Incl GST, Total inc GST, Total incl GST, Gross,
      Gross amount, Charge inc GST, Price inc GST, Amount including GST, Total including GST,
      Total amount inc GST, Total amount incl GST, Total inc tax, Total incl tax, Total amount incl tax,
      Amount payable`,
  },
  /** Does not say whether GST is included. */
  amount: {
    holds: "total",
    headings: "Total, Total amount, Total charge",
    weak: "Amount, Charge amount, Price, Cost, Value, AUD",
  },
  freight: {
    holds: "part",
    charge: "freight",
    headings: `Freight, Freight charge, Freight amount, Base freight, Base charge, Basic charge, Route price,
      Weight charge, Cartage`,
  },
  fuel: {
    holds: "part",
    charge: "fuel",
    headings: "Fuel, Fuel levy, Fuel surcharge, Fuel charge, FSC",
  },
  residential: {
    holds: "part",
    charge: "residential",
    headings: "Residential, Residential charge, Residential delivery, Residential surcharge, Home delivery",
  },
  dangerousGoods: {
    holds: "part",
    charge: "dangerous-goods",
    headings: "Dangerous goods, Dangerous goods charge, DG, DG charge, DG surcharge, Hazardous",
  },
  other: {
    holds: "part",
    charge: "other",
    mayRepeat: true,
    headings: "Other, Other charges, Surcharge, Surcharges, Extras, Accessorials, Additional charges",
  },
  invoiceNumber: {
    headings:
      "Invoice number, Invoice no, Invoice, Invoice id, Inv, Inv no, Inv number, Bill number, Bill no, Tax invoice",
  },
  invoiceDate: {
    headings: "Invoice date, Inv date, Bill date, Billing date, Date of invoice",
  },
  carrier: { headings: "Carrier, Supplier, Vendor, Carrier name" },
} as const satisfies Record<string, Omit<BillField, "name">>

export type BillFieldName = keyof typeof FIELDS

const AMBIGUOUS: Readonly<Record<string, readonly BillFieldName[]>> = {
  Number: ["consignment", "invoiceNumber"],
  Order: ["order", "reference"],
  "Order id": ["order", "reference"],
  Shipment: ["consignment", "shipment"],
  ID: ["consignment", "shipment"],
  Type: ["charge", "service"],
  Code: ["charge", "service"],
}

const fields = new Map<string, BillField>(
  Object.entries(FIELDS).map(([name, field]) => [name, { name, ...field }]),
)
const weakHeadings = [...fields.values()].flatMap(({ weak }) => splitHeadings(weak))
const meanings = new Map<string, readonly string[]>([
  ...[...fields.values()].flatMap(({ name, headings, weak }) =>
    [name, ...splitHeadings(headings), ...splitHeadings(weak)].map(
      (heading) => [plainHeader(heading), [name]] as const,
    ),
  ),
  ...Object.entries(AMBIGUOUS).map(([heading, names]) => [plainHeader(heading), names] as const),
])

export const BILL_COLUMNS: SheetColumns<BillField> = {
  fields: [...fields.values()],
  shops: [],
  bearings: [],
  yielding: weakHeadings,
  help: {
    hint: `A bill needs headings in its first rows. Use --map COLUMN=FIELD to name the field of a column; the fields are ${[...fields.keys()].join(", ")}.`,
    next: "freight audit --help",
  },
  meaning(header) {
    // `Fuel levy %` is a rate, not an amount.
    if (header.includes("%")) return { likely: () => undefined }
    const names = meanings.get(plainHeader(header)) ?? []
    if (names.length > 1) return ambiguous(header.trim(), names)
    const field = fields.get(names[0] ?? "")
    // Carriers' bills have many unneeded columns, so unknown ones are never taken for misspelt ones.
    return field ? { field } : { likely: () => undefined }
  },
}

function splitHeadings(text = ""): string[] {
  return text === "" ? [] : text.split(/,\s+/)
}

/** What is counted or measured, or only said: never an amount that is asked for. */
const MEASURE =
  /\b(?:weight|wt|kgs?|grams?|cub(?:e|ic)|cbm|m3|vol(?:ume)?|length|width|height|cms?|items?|qty|quantity|count|pieces|pcs|cartons?|pallets?|packages|zone|post ?code|suburb|state|depot|account|customer|name|no|number|id|code|reference|ref|date|time|period|page|line|seq|declared|insured|goods value|value|distance|kms?)\b/i
const RATE = /%|\b(?:percent|rate|per)\b/i
/** What surely is charged for. */
const CHARGE = /charge|\bfees?\b|levy|lift|handling|storage|demurrage|oversize|futile|discount|credit|adjust/i
const MONEY = /^[-\u2212(]?\s*(?:(?:A?\$|AUD)\s*)?[-\u2212]?[\d,]*\.\d\d\)?\s*(?:-|CR|DR)?$/i

/** Whether a cell of a column that freight does not know may be an amount that is asked for. */
export function mayBeCharge(header: string, text: string): boolean {
  if (header === "" || isTotalWord(header) || RATE.test(header)) return false
  const isMeasure = MEASURE.test(header)
  if (MONEY.test(text)) return !isMeasure || CHARGE.test(header)
  return !isMeasure && CHARGE.test(header) && /^[-\u2212(]?\s*(?:\$\s*)?[\d,]+\)?$/.test(text)
}
