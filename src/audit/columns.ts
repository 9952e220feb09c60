/** The columns that a carrier's bill can have as CSV, and the headings that people use for them. */
import { ambiguous, plainHeader, type SheetColumns } from "../sheets/header.ts"

export interface BillField {
  name: string
  about: string
}

const FIELDS = {
  consignment: {
    about: "The carrier's consignment number.",
    words: [
      ...[
        "Consignment",
        "Consignment number",
        "Consignment no",
        "Consignment id",
        "Con number",
        "Con no",
        "Con",
      ],
      ...[
        "Connote",
        "Con note",
        "Connote number",
        "Connote no",
        "Tracking",
        "Tracking number",
        "Tracking no",
      ],
      ...[
        "Waybill",
        "Waybill number",
        "Air waybill",
        "Shipment number",
        "Shipment no",
        "Docket",
        "Docket number",
      ],
    ],
  },
  order: {
    about: "The carrier's number for the booking.",
    words: [
      "Order number",
      "Order no",
      "Booking",
      "Booking number",
      "Booking no",
      "Job",
      "Job number",
      "Job no",
    ],
  },
  reference: {
    about: "Your own reference.",
    words: [
      ...[
        "Reference",
        "Ref",
        "Reference number",
        "Customer reference",
        "Customer ref",
        "Your reference",
        "Your ref",
      ],
      ...["Sender reference", "Senders reference", "Shipper reference", "PO", "PO number", "Purchase order"],
    ],
  },
  shipment: { about: "The shipment's id at the API.", words: ["Shipment id"] },
  charge: {
    about: "What the line is for: freight, fuel levy, residential delivery …",
    words: [
      ...[
        "Charge",
        "Charge type",
        "Charge code",
        "Charge description",
        "Charge name",
        "Description",
        "Line type",
      ],
      ...["Item description", "Fee", "Fee type"],
    ],
  },
  service: {
    about: "The billed service.",
    words: [
      "Service",
      "Service code",
      "Service type",
      "Service name",
      "Service level",
      "Product",
      "Product code",
    ],
  },
  weight: {
    about: "The billed weight, in kg.",
    words: [
      ...[
        "Weight",
        "Weight kg",
        "Kg",
        "Kgs",
        "Billed weight",
        "Charged weight",
        "Chargeable weight",
        "Charge weight",
      ],
      ...["Total weight", "Actual weight"],
    ],
  },
  shipDate: {
    about: "The day of dispatch.",
    words: [
      ...["Ship date", "Shipped", "Shipping date", "Date shipped", "Consignment date", "Despatch date"],
      ...["Dispatch date", "Pickup date", "Collection date", "Con date", "Date"],
    ],
  },
  amountExGst: {
    about: "The amount without GST.",
    words: [
      ...[
        "Amount ex GST",
        "Amount excl GST",
        "Ex GST",
        "Excl GST",
        "Charge ex GST",
        "Total ex GST",
        "Price ex GST",
      ],
      ...[
        "Net",
        "Net amount",
        "Net charge",
        "Subtotal",
        "Sub total",
        "Amount excluding GST",
        "Total excluding GST",
      ],
    ],
  },
  gst: { about: "The GST of the line.", words: ["GST", "GST amount", "Tax", "Tax amount"] },
  amountIncGst: {
    about: "The amount including GST.",
    words: [
      ...[
        "Amount inc GST",
        "Amount incl GST",
        "Inc GST",
        "Incl GST",
        "Total inc GST",
        "Total incl GST",
        "Gross",
      ],
      ...["Gross amount", "Charge inc GST", "Price inc GST", "Amount including GST", "Total including GST"],
    ],
  },
  amount: {
    about: "An amount for which the bill does not say whether GST is included.",
    words: [
      "Amount",
      "Charge amount",
      "Total",
      "Total amount",
      "Total charge",
      "Price",
      "Cost",
      "Value",
      "AUD",
    ],
  },
  freight: {
    about: "Freight, if each kind of charge has its own column.",
    words: ["Freight", "Freight charge", "Freight amount", "Base freight", "Base charge", "Cartage"],
  },
  fuel: {
    about: "The fuel levy, the same way.",
    words: ["Fuel", "Fuel levy", "Fuel surcharge", "Fuel charge", "FSC"],
  },
  residential: {
    about: "The residential charge, the same way.",
    words: [
      "Residential",
      "Residential charge",
      "Residential delivery",
      "Residential surcharge",
      "Home delivery",
    ],
  },
  dangerousGoods: {
    about: "The charge for dangerous goods, the same way.",
    words: ["Dangerous goods", "Dangerous goods charge", "DG", "DG charge", "DG surcharge", "Hazardous"],
  },
  other: {
    about: "All other charges, the same way.",
    words: [
      "Other",
      "Other charges",
      "Surcharge",
      "Surcharges",
      "Extras",
      "Accessorials",
      "Additional charges",
    ],
  },
  invoiceNumber: {
    about: "The bill's number.",
    words: ["Invoice number", "Invoice no", "Invoice", "Invoice id", "Bill number", "Bill no", "Tax invoice"],
  },
  invoiceDate: { about: "The bill's date.", words: ["Invoice date", "Bill date", "Date of invoice"] },
  carrier: { about: "Who sends the bill.", words: ["Carrier", "Supplier", "Vendor", "Carrier name"] },
} as const satisfies Record<string, { about: string; words: readonly string[] }>

export type BillFieldName = keyof typeof FIELDS

/** Headings with more than one meaning. */
const AMBIGUOUS: Readonly<Record<string, readonly BillFieldName[]>> = {
  Number: ["consignment", "invoiceNumber"],
  Order: ["order", "reference"],
  "Order id": ["order", "reference"],
  Shipment: ["consignment", "shipment"],
  ID: ["consignment", "shipment"],
  Type: ["charge", "service"],
  Code: ["charge", "service"],
}

/** `--map` takes these names. */
const BILL_FIELDS: readonly BillField[] = Object.entries(FIELDS).map(([name, { about }]) => ({
  name,
  about,
}))

export function billColumns(): SheetColumns<BillField> {
  const meanings = new Map<string, readonly string[]>()
  for (const [name, { words }] of Object.entries(FIELDS))
    for (const word of [name, ...words]) meanings.set(plainHeader(word), [name])
  for (const [word, names] of Object.entries(AMBIGUOUS)) meanings.set(plainHeader(word), names)
  const fields = new Map(BILL_FIELDS.map((field) => [field.name, field]))
  return {
    fields: BILL_FIELDS,
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
