/** The columns that a carrier's bill can have as CSV, and the headings that people use for them. */
import { isTotalWord } from "../sheets/totals.ts"
import { ambiguous, plainHeader, type SheetColumns } from "../sheets/header.ts"

export interface BillField {
  name: string
  mayRepeat?: boolean
}

/** Each field with the headings that people use for it. `--map` takes the names. */
const FIELDS = {
  consignment: `Consignment, Consignment number, Consignment no, Consignment id, Con number, Con no, Con,
    Connote, Con note, Connote number, Connote no, Con note number, Con note no, Consignment note,
    Consignment note number, Connote/Job number, Carrier ref, Carrier reference, Tracking, Tracking id, Tracking number, Tracking no, Waybill,
    Waybill number, Air waybill, Air waybill number, AWB, AWB number, Shipment number, Shipment no, Docket, Docket number`,
  /** The carrier's number for the booking. */
  order: "Order number, Order no, Booking, Booking number, Booking no, Job, Job number, Job no",
  /** The customer's own. */
  reference: `Reference, Ref, Reference number, Customer reference, Customer ref, Your reference, Your ref,
    Sender reference, Senders reference, Sender ref, Senders ref, Shipper reference, Shipper ref, Cust ref,
    Shipment reference, Shipment reference 1, Customer reference 1, Reference 1, Ref 1, PO, PO number,
    Purchase order`,
  /** The shipment's id at the API. */
  shipment: "Shipment id",
  charge: `Charge, Charge type, Surcharge type, Charge code, Charge description, Charge name, Description, Line type,
    Item description, Fee, Fee type`,
  service:
    "Service, Service code, Service type, Service name, Service level, Product, Product code, Product name",
  weight: `Weight, Weight kg, Kg, Kgs, Billed weight, Charged weight, Chargeable weight, Charge weight,
    Chargeable kg, Charge wt, Chg wt, Wt, Rated weight, Total weight, Actual weight, Dead weight`,
  shipDate: `Ship date, Shipped, Shipping date, Date shipped, Consignment date, Despatch date,
    Dispatch date, Pickup date, Collection date, Con date, Date`,
  amountExGst: `Amount ex GST, Amount excl GST, Ex GST, Excl GST, Charge ex GST, Total ex GST, Price ex GST,
    Net, Net amount, Net charge, Net total, Nett, Nett amount, Nett charge, Nett total, Subtotal, Sub total,
    Amount excluding GST, Total excluding GST, Total amount ex GST, Total amount excl GST, Total ex tax,
    Total excl tax, Amount excl tax, Total amount excl tax`,
  gst: "GST, GST amount, GST total, Total GST, Tax, Tax amount, Total tax",
  amountIncGst: `Amount inc GST, Amount incl GST, Inc GST, Incl GST, Total inc GST, Total incl GST, Gross,
    Gross amount, Charge inc GST, Price inc GST, Amount including GST, Total including GST,
    Total amount inc GST, Total amount incl GST, Total inc tax, Total incl tax, Total amount incl tax,
    Amount payable`,
  /** Does not say whether GST is included. */
  amount: "Amount, Charge amount, Total, Total amount, Total charge, Price, Cost, Value, AUD",
  /** This and the next four: each kind of charge in a column of its own. */
  freight: `Freight, Freight charge, Freight amount, Base freight, Base charge, Basic charge, Route price,
    Weight charge, Cartage`,
  fuel: "Fuel, Fuel levy, Fuel surcharge, Fuel charge, FSC",
  residential: "Residential, Residential charge, Residential delivery, Residential surcharge, Home delivery",
  dangerousGoods: "Dangerous goods, Dangerous goods charge, DG, DG charge, DG surcharge, Hazardous",
  other: "Other, Other charges, Surcharge, Surcharges, Extras, Accessorials, Additional charges",
  invoiceNumber:
    "Invoice number, Invoice no, Invoice, Invoice id, Inv, Inv no, Inv number, Bill number, Bill no, Tax invoice",
  invoiceDate: "Invoice date, Inv date, Bill date, Billing date, Date of invoice",
  carrier: "Carrier, Supplier, Vendor, Carrier name",
} as const

export type BillFieldName = keyof typeof FIELDS

/** Fields that several columns may have. */
const REPEATED: readonly string[] = ["reference", "other"] satisfies BillFieldName[]

/** Headings that say less than another of the same field, beside which they are not used. */
const YIELDING = `Tracking, Tracking id, Tracking number, Tracking no, Docket, Docket number, Description,
  Item description, Charge code, Line type, Service type, Service level, Service name, Product, Product code,
  Product name, Weight, Weight kg, Kg, Kgs, Wt, Total weight, Actual weight, Dead weight, Date, Net, Net amount, Net charge,
  Nett, Nett amount, Nett charge, Charge ex GST, Price ex GST, Tax, Amount, Charge amount, Price, Cost, Value, AUD`

const AMBIGUOUS: Readonly<Record<string, readonly BillFieldName[]>> = {
  Number: ["consignment", "invoiceNumber"],
  Order: ["order", "reference"],
  "Order id": ["order", "reference"],
  Shipment: ["consignment", "shipment"],
  ID: ["consignment", "shipment"],
  Type: ["charge", "service"],
  Code: ["charge", "service"],
}

export function billColumns(): SheetColumns<BillField> {
  const meanings = new Map<string, readonly string[]>()
  for (const [name, words] of Object.entries(FIELDS))
    for (const word of [name, ...splitWords(words)]) meanings.set(plainHeader(word), [name])
  for (const [word, names] of Object.entries(AMBIGUOUS)) meanings.set(plainHeader(word), names)
  const fields = new Map(
    Object.keys(FIELDS).map((name) => [name, { name, ...(REPEATED.includes(name) && { mayRepeat: true }) }]),
  )
  return {
    fields: [...fields.values()],
    shops: [],
    yielding: splitWords(YIELDING),
    help: {
      hint: `A bill needs headings in its first rows. Use --map COLUMN=FIELD to name the field of a column; the fields are ${[...fields.keys()].join(", ")}.`,
      next: "freight audit --help",
    },
    meaning(header) {
      // `Fuel levy %` is a rate, not an amount.
      if (header.includes("%")) return { likely: () => undefined }
      const names = meanings.get(plainHeader(header)) ?? []
      const field = fields.get(names[0] ?? "")
      if (field && names.length === 1) return { field }
      if (names.length > 1) return ambiguous(header.trim(), names)
      // Carriers' bills have many unneeded columns, so unknown ones are never taken for misspelt ones.
      return { likely: () => undefined }
    },
  }
}

function splitWords(text: string): string[] {
  return text.split(/,\s+/)
}

/** What is counted or measured, or only said: never an amount that is asked for. */
const MEASURE =
  /\b(?:weight|wt|kgs?|grams?|cub(?:e|ic)|cbm|m3|vol(?:ume)?|length|width|height|cms?|items?|qty|quantity|count|pieces|pcs|cartons?|pallets?|packages|zone|post ?code|suburb|state|depot|account|customer|name|no|number|id|code|reference|ref|date|time|period|page|line|seq|declared|insured|goods value|value|distance|kms?)\b/i
const RATE = /%|\b(?:percent|rate|per)\b/i
/** What surely is charged for. */
const CHARGE = /charge|\bfees?\b|levy|lift|handling|storage|demurrage|oversize|futile|discount|credit|adjust/i
const MONEY = /^[-\u2212(]?\s*(?:A?\$|AUD)?\s*[-\u2212]?[\d,]*\.\d\d\)?\s*(?:-|CR|DR)?$/i

/** Whether a cell of a column that freight does not know may be an amount that is asked for. */
export function mayBeCharge(header: string, text: string): boolean {
  if (header === "" || isTotalWord(header) || RATE.test(header)) return false
  const isMeasure = MEASURE.test(header)
  if (MONEY.test(text)) return !isMeasure || CHARGE.test(header)
  return !isMeasure && CHARGE.test(header) && /^[-\u2212(]?\s*\$?\s*[\d,]+\)?$/.test(text)
}
