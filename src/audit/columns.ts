/** The columns that a carrier's bill can have as CSV, and the headings that people use for them. */
import { ambiguous, plainHeader, type SheetColumns } from "../sheets/header.ts"

export interface BillField {
  name: string
}

/** Each field with the headings that people use for it. `--map` takes the names. */
const FIELDS = {
  consignment: `Consignment, Consignment number, Consignment no, Consignment id, Con number, Con no, Con,
    Connote, Con note, Connote number, Connote no, Tracking, Tracking number, Tracking no, Waybill,
    Waybill number, Air waybill, Shipment number, Shipment no, Docket, Docket number`,
  /** The carrier's number for the booking. */
  order: "Order number, Order no, Booking, Booking number, Booking no, Job, Job number, Job no",
  /** The customer's own. */
  reference: `Reference, Ref, Reference number, Customer reference, Customer ref, Your reference, Your ref,
    Sender reference, Senders reference, Shipper reference, PO, PO number, Purchase order`,
  /** The shipment's id at the API. */
  shipment: "Shipment id",
  charge: `Charge, Charge type, Charge code, Charge description, Charge name, Description, Line type,
    Item description, Fee, Fee type`,
  service: "Service, Service code, Service type, Service name, Service level, Product, Product code",
  weight: `Weight, Weight kg, Kg, Kgs, Billed weight, Charged weight, Chargeable weight, Charge weight,
    Total weight, Actual weight`,
  shipDate: `Ship date, Shipped, Shipping date, Date shipped, Consignment date, Despatch date,
    Dispatch date, Pickup date, Collection date, Con date, Date`,
  amountExGst: `Amount ex GST, Amount excl GST, Ex GST, Excl GST, Charge ex GST, Total ex GST, Price ex GST,
    Net, Net amount, Net charge, Subtotal, Sub total, Amount excluding GST, Total excluding GST`,
  gst: "GST, GST amount, Tax, Tax amount",
  amountIncGst: `Amount inc GST, Amount incl GST, Inc GST, Incl GST, Total inc GST, Total incl GST, Gross,
    Gross amount, Charge inc GST, Price inc GST, Amount including GST, Total including GST`,
  /** Does not say whether GST is included. */
  amount: "Amount, Charge amount, Total, Total amount, Total charge, Price, Cost, Value, AUD",
  /** This and the next four: each kind of charge in a column of its own. */
  freight: "Freight, Freight charge, Freight amount, Base freight, Base charge, Cartage",
  fuel: "Fuel, Fuel levy, Fuel surcharge, Fuel charge, FSC",
  residential: "Residential, Residential charge, Residential delivery, Residential surcharge, Home delivery",
  dangerousGoods: "Dangerous goods, Dangerous goods charge, DG, DG charge, DG surcharge, Hazardous",
  other: "Other, Other charges, Surcharge, Surcharges, Extras, Accessorials, Additional charges",
  invoiceNumber: "Invoice number, Invoice no, Invoice, Invoice id, Bill number, Bill no, Tax invoice",
  invoiceDate: "Invoice date, Bill date, Date of invoice",
  carrier: "Carrier, Supplier, Vendor, Carrier name",
} as const

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

export function billColumns(): SheetColumns<BillField> {
  const meanings = new Map<string, readonly string[]>()
  for (const [name, words] of Object.entries(FIELDS))
    for (const word of [name, ...words.split(/,\s+/)]) meanings.set(plainHeader(word), [name])
  for (const [word, names] of Object.entries(AMBIGUOUS)) meanings.set(plainHeader(word), names)
  const fields = new Map(Object.keys(FIELDS).map((name) => [name, { name }]))
  return {
    fields: [...fields.values()],
    shops: [],
    help: {
      hint: `A bill needs headings in its first rows. Use --map COLUMN=FIELD to name the field of a column; the fields are ${[...fields.keys()].join(", ")}.`,
      next: "freight audit --help",
    },
    meaning(header) {
      const names = meanings.get(plainHeader(header)) ?? []
      const field = fields.get(names[0] ?? "")
      if (field && names.length === 1) return { field }
      if (names.length > 1) return ambiguous(header.trim(), names)
      // Carriers' bills have many unneeded columns, so unknown ones are never taken for misspelt ones.
      return { likely: () => undefined }
    },
  }
}
