/** The columns that the lines of invoices can have, and the headings that people and accounting programs use for them. */
import { splitHeadings } from "../../../contract/fields/booking.ts"
import { quoted } from "../../../contract/parsed.ts"
import { plainHeader } from "../../../input/columns/headings.ts"
import type { SheetColumns } from "../../../input/columns/notation.ts"
import type { InvoiceKindName } from "./kinds.ts"

/** A field of an invoice or of one of its lines, as a column. */
export interface InvoiceField {
  name: string
  kind: InvoiceKindName
  headings: readonly string[]
}

/** Headings with commas between. */
type Entry = readonly [name: string, kind: InvoiceKindName, headings: string]

const PARTS: readonly Entry[] = [
  ["addressId", "code", "Address id, Id, Code"],
  ["addressee", "name", "Name, Addressee, Company, Company name"],
  ["street1", "name", "Street, Street 1, Address 1, Address line 1"],
  ["street2", "name", "Street 2, Address 2, Address line 2"],
  ["city", "name", "City, Suburb, Town"],
  ["state", "state", "State, Region"],
  ["postalCode", "postcode", "Postcode, Post code, Postal code, Zip"],
  ["country", "country", "Country"],
]

/** Each party, and what stands before the heading of a part of its address. */
const PARTIES = [
  ["billTo", "Bill to, Billing, Customer, Client, Buyer, Invoice to"],
  ["shipTo", "Ship to, Shipping, Deliver to, Delivery"],
] as const

/** Headings that are not made of a party and a part of its address. */
const OTHER_HEADINGS: Readonly<Record<string, string>> = {
  "billTo.addressId": "Customer number, Customer no",
  "billTo.addressee": "Customer, Client, Buyer, Contact name, Co./Last Name",
  "billTo.street1": "PO address line 1",
  "billTo.street2": "PO address line 2",
  "billTo.city": "PO city",
  "billTo.state": "PO region",
  "billTo.postalCode": "PO postal code",
  "billTo.country": "PO country",
}

/** Those of the invoice, which has one value of each. */
const HEAD: readonly Entry[] = [
  [
    "invoiceNumber",
    "code",
    `Invoice number, Invoice no, Invoice #, Invoice, Invoice id, Tax invoice, Inv no`,
  ],
  [
    "poNumber",
    "code",
    `PO, PO number, PO no, PO #, Purchase order, Purchase order number, Customer PO,
    Customer PO number, Purchase order no`,
  ],
  ["invoiceDate", "day", "Invoice date, Date, Issue date, Date issued, Date of invoice"],
  ["dueDate", "day", "Due date, Due, Date due, Payment due, Pay by"],
  [
    "purpose",
    "purpose",
    `Purpose, Invoice type, Document type, Type, Doc type, Transaction type, Txn type, Trans type,
    Type of document`,
  ],
  [
    "refersTo",
    "code",
    `Refers to, Original invoice, Original invoice number, Original invoice no, Credited invoice,
    Applies to, Applied to invoice, Original number, Original inv no`,
  ],
  [
    "supplier.id",
    "code",
    `Supplier id, Supplier code, Supplier number, Supplier no, Vendor id, Vendor code,
    Vendor number, Vendor no`,
  ],
  ["supplier.name", "name", "Supplier, Supplier name, Vendor, Vendor name"],
  ["abn", "abn", "ABN, Supplier ABN, Vendor ABN"],
  ["bsb", "bsb", "BSB, BSB number, BSB no, Bank BSB, BSB code"],
  [
    "accountNumber",
    "account",
    `Bank account number, Bank account no, Bank account, Account to pay, BSB account number`,
  ],
  ["accountName", "name", "Bank account name, Account holder"],
  ["terms", "terms", "Payment terms, Terms, Terms of payment, Credit terms"],
  ["contact", "contact", "Supplier contact, Our contact, Enquiries, Enquiries to"],
  ["comments", "name", "Comments, Comment, Notes, Note, Memo, Customer message"],
  ["currency", "currency", "Currency, Currency code"],
]

const LINE: readonly Entry[] = [
  [
    "description",
    "name",
    `Description, Item description, Line description, Item, Item name, Product, Details,
    Product name, Product/Service, Service`,
  ],
  ["quantity", "quantity", "Quantity, Qty, Item quantity, Quantity invoiced, Hours, Count"],
  ["unitOfMeasure", "unit", "Unit, Unit of measure, UOM, U/M, Unit code"],
  [
    "unitPrice",
    "price",
    `Unit price, Price, Rate, Unit amount, Price each, Unit price ex GST, Price ex GST, Item rate,
    Item price, Unit cost, Ex-tax price, Unit price excl GST, Price excl GST`,
  ],
  [
    "unitPriceIncGst",
    "price",
    `Unit price inc GST, Price inc GST, Unit price incl GST, Price incl GST, Inc-tax price`,
  ],
  [
    "subtotal",
    "amount",
    `Subtotal, Line subtotal, Amount ex GST, Amount excl GST, Ex GST, Total ex GST, Net,
    Net amount, Line total ex GST, Total excl GST, Ex-tax total, Amount excluding GST`,
  ],
  [
    "amountIncGst",
    "amount",
    `Amount inc GST, Amount incl GST, Inc GST, Total inc GST, Total incl GST, Gross, Gross amount,
    Line total inc GST, Inc-tax total, Amount including GST`,
  ],
  [
    "amount",
    "amount",
    `Amount, Line amount, Line total, Total, Item amount, Extended price, Ext price,
    Extended amount, Extended, Value`,
  ],
  ["taxAmount", "tax", "Tax amount, GST amount, GST, Tax, Line tax"],
  [
    "taxRate",
    "rate",
    `Tax rate, GST rate, GST percent, Tax percent, Tax rate percent, GST rate percent, Tax code,
    Tax type, GST code, Tax name, Taxable`,
  ],
  [
    "supplierItemId",
    "code",
    `Supplier item id, Item code, Item number, Item no, Item id, SKU, Product code, Code,
    Stock code, Inventory item code, Part number, Part no`,
  ],
  ["buyerItemId", "code", "Buyer item id, Customer item, Customer part number, Buyer item"],
  ["manufacturerPartId", "code", "Manufacturer part id, Manufacturer part number, MPN"],
  ["manufacturerName", "name", "Manufacturer, Manufacturer name"],
  ["batchId", "code", "Batch, Batch id, Batch number, Lot, Lot number"],
  ["serialNumbers", "list", "Serial numbers, Serial number, Serial no, Serial"],
  ["invoiceLineNumber", "whole", "Line, Line number, Line no, Invoice line, Invoice line number"],
  ["poLineReference", "whole", "PO line, PO line number, PO line reference, Order line"],
  ["asnLineReference", "whole", "ASN line, ASN line reference"],
  ["lineComments", "name", "Line comments, Line comment, Line notes, Line note"],
  ["discount", "none", "Discount, Discount percent, Discount amount, Line discount, Disc"],
  ["shipping", "none", "Shipping, Freight, Shipping amount, Freight amount, Delivery fee"],
]

const toField = ([name, kind, headings]: Entry): InvoiceField => ({
  name,
  kind,
  headings: splitHeadings(headings),
})

const FIELDS: readonly InvoiceField[] = [
  ...HEAD.map(toField),
  ...PARTIES.flatMap(([party, words]): InvoiceField[] => {
    const before = splitHeadings(words)
    return [
      { name: party, kind: "address", headings: before.map((word) => `${word} address`) },
      ...PARTS.map(toField).map(({ name, kind, headings }) => ({
        name: `${party}.${name}`,
        kind,
        headings: [
          ...before.flatMap((word) => headings.map((heading) => `${word} ${heading}`)),
          ...splitHeadings(OTHER_HEADINGS[`${party}.${name}`]),
        ],
      })),
    ]
  }),
  ...LINE.map(toField),
]

/** A heading as it is compared; `GST %` is not `GST`. */
function plainHeading(heading: string): string {
  return plainHeader(heading.replace("%", " percent"))
}

const BY_HEADING = new Map(
  FIELDS.flatMap((field) =>
    [field.name, ...field.headings].map((word) => [plainHeading(word), field] as const),
  ),
)

/** A field in messages: its name, and the heading that most people use. */
export function describeColumn(name: string): string {
  const [heading] = FIELDS.find((field) => field.name === name)?.headings ?? []
  return heading === undefined ? name : `${name} (such as ${quoted(heading)})`
}

/** The headings that mean a field. */
export function headingsOf(name: string): readonly string[] {
  return FIELDS.find((field) => field.name === name)?.headings ?? []
}

/** The names of all fields, for people. */
export const FIELD_NAMES = FIELDS.filter(({ name, kind }) => !name.startsWith("shipTo") && kind !== "none")
  .map(({ name }) => name.replace("billTo.country", "billTo.country (shipTo the same way)"))
  .join(", ")

export const ROW_COLUMNS: SheetColumns<InvoiceField> = {
  fields: FIELDS,
  shops: [],
  bearings: [],
  // It may be that of goods.
  yielding: ["Type"],
  help: {
    hint: `--map COLUMN=FIELD says what a column is. The fields are ${FIELD_NAMES}.`,
    next: "freight help invoice new",
  },
  meaning(heading) {
    const field = BY_HEADING.get(plainHeading(heading.trim()))
    // Exports have many columns that no invoice needs: none is taken for a misspelt one.
    return field ? { field } : { likely: () => undefined }
  },
}
