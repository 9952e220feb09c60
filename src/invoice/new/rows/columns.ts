/** The columns that the lines of invoices can have, and the headings that people and accounting programs use for them. */
import { quoted } from "../../../contract/parsed.ts"
import { plainHeader, type SheetColumns } from "../../../sheets/header.ts"
import { findMeantChoice } from "../../explain/choices.ts"
import { NEW_PURPOSES } from "../draft.ts"

/** How a cell is read. */
export type Kind =
  | "text"
  | "name"
  | "day"
  | "purpose"
  | "abn"
  | "bsb"
  | "account"
  | "terms"
  | "contact"
  | "address"
  | "state"
  | "postcode"
  | "country"
  | "currency"
  | "unit"
  | "whole"
  | "list"
  | "quantity"
  | "price"
  | "amount"
  | "tax"
  | "rate"
  | "none"

export interface RowField {
  name: string
  kind: Kind
  /** What has one value: the whole invoice, or each of its lines. */
  of: "invoice" | "line"
  words: readonly string[]
}

const PARTS: Readonly<Record<string, { kind: Kind; words: readonly string[] }>> = {
  addressId: { kind: "text", words: ["Address id", "Id", "Code"] },
  addressee: { kind: "name", words: ["Name", "Addressee", "Company", "Company name"] },
  street1: { kind: "name", words: ["Street", "Street 1", "Address 1", "Address line 1"] },
  street2: { kind: "name", words: ["Street 2", "Address 2", "Address line 2"] },
  city: { kind: "name", words: ["City", "Suburb", "Town"] },
  state: { kind: "state", words: ["State", "Region"] },
  postalCode: { kind: "postcode", words: ["Postcode", "Post code", "Postal code", "Zip"] },
  country: { kind: "country", words: ["Country"] },
}

const PARTIES: Readonly<Record<"billTo" | "shipTo", readonly string[]>> = {
  billTo: ["Bill to", "Billing", "Customer", "Client", "Buyer", "Invoice to"],
  shipTo: ["Ship to", "Shipping", "Deliver to", "Delivery"],
}

/** Headings that are not made of a party and a part of its address. */
const OTHER_PARTS: Readonly<Record<string, readonly string[]>> = {
  "billTo.addressId": ["Customer number", "Customer no"],
  "billTo.addressee": ["Customer", "Client", "Buyer", "Contact name", "Co./Last Name"],
  "billTo.street1": ["PO address line 1"],
  "billTo.street2": ["PO address line 2"],
  "billTo.city": ["PO city"],
  "billTo.state": ["PO region"],
  "billTo.postalCode": ["PO postal code"],
  "billTo.country": ["PO country"],
}

const ofInvoice = (name: string, kind: Kind, ...words: string[]): RowField => ({
  name,
  kind,
  of: "invoice",
  words,
})
const ofLine = (name: string, kind: Kind, ...words: string[]): RowField => ({ name, kind, of: "line", words })

const FIELDS: readonly RowField[] = [
  ofInvoice(
    "invoiceNumber",
    "text",
    ...["Invoice number", "Invoice no", "Invoice #", "Invoice", "Invoice id", "Tax invoice", "Inv no"],
  ),
  ofInvoice(
    "poNumber",
    "text",
    ...["PO", "PO number", "PO no", "PO #", "Purchase order", "Purchase order number", "Customer PO"],
    ...["Customer PO number", "Purchase order no"],
  ),
  ofInvoice("invoiceDate", "day", "Invoice date", "Date", "Issue date", "Date issued", "Date of invoice"),
  ofInvoice("dueDate", "day", "Due date", "Due", "Date due", "Payment due", "Pay by"),
  ofInvoice(
    "purpose",
    "purpose",
    ...["Purpose", "Invoice type", "Document type", "Type", "Doc type", "Transaction type", "Txn type"],
    ...["Trans type", "Type of document"],
  ),
  ofInvoice(
    "refersTo",
    "text",
    ...[
      "Refers to",
      "Original invoice",
      "Original invoice number",
      "Original invoice no",
      "Credited invoice",
    ],
    ...["Applies to", "Applied to invoice", "Original number", "Original inv no"],
  ),
  ofInvoice(
    "supplier.id",
    "text",
    ...["Supplier id", "Supplier code", "Supplier number", "Supplier no", "Vendor id", "Vendor code"],
    ...["Vendor number", "Vendor no"],
  ),
  ofInvoice("supplier.name", "name", "Supplier", "Supplier name", "Vendor", "Vendor name"),
  ofInvoice("abn", "abn", "ABN", "Supplier ABN", "Vendor ABN"),
  ofInvoice("bsb", "bsb", "BSB", "BSB number", "BSB no", "Bank BSB", "BSB code"),
  ofInvoice(
    "accountNumber",
    "account",
    ...["Bank account number", "Bank account no", "Bank account", "Account to pay", "BSB account number"],
  ),
  ofInvoice("accountName", "name", "Bank account name", "Account holder"),
  ofInvoice("terms", "terms", "Payment terms", "Terms", "Terms of payment", "Credit terms"),
  ofInvoice("contact", "contact", "Supplier contact", "Our contact", "Enquiries", "Enquiries to"),
  ofInvoice("comments", "name", "Comments", "Comment", "Notes", "Note", "Memo", "Customer message"),
  ofInvoice("currency", "currency", "Currency", "Currency code"),
  ...(["billTo", "shipTo"] as const).flatMap((party) => [
    ofInvoice(party, "address", ...PARTIES[party].flatMap((word) => [`${word} address`])),
    ...Object.entries(PARTS).map(([part, { kind, words }]) =>
      ofInvoice(
        `${party}.${part}`,
        kind,
        ...PARTIES[party].flatMap((before) => words.map((word) => `${before} ${word}`)),
        ...(OTHER_PARTS[`${party}.${part}`] ?? []),
      ),
    ),
  ]),
  ofLine(
    "description",
    "name",
    ...["Description", "Item description", "Line description", "Item", "Item name", "Product", "Details"],
    ...["Product name", "Product/Service", "Service"],
  ),
  ofLine("quantity", "quantity", "Quantity", "Qty", "Item quantity", "Quantity invoiced", "Hours", "Count"),
  ofLine("unitOfMeasure", "unit", "Unit", "Unit of measure", "UOM", "U/M", "Unit code"),
  ofLine(
    "unitPrice",
    "price",
    ...["Unit price", "Price", "Rate", "Unit amount", "Price each", "Unit price ex GST", "Price ex GST"],
    ...["Item rate", "Item price", "Unit cost", "Ex-tax price", "Unit price excl GST", "Price excl GST"],
  ),
  ofLine(
    "unitPriceIncGst",
    "price",
    ...["Unit price inc GST", "Price inc GST", "Unit price incl GST", "Price incl GST", "Inc-tax price"],
  ),
  ofLine(
    "subtotal",
    "amount",
    ...["Subtotal", "Line subtotal", "Amount ex GST", "Amount excl GST", "Ex GST", "Total ex GST", "Net"],
    ...["Net amount", "Line total ex GST", "Total excl GST", "Ex-tax total", "Amount excluding GST"],
  ),
  ofLine(
    "amountIncGst",
    "amount",
    ...["Amount inc GST", "Amount incl GST", "Inc GST", "Total inc GST", "Total incl GST", "Gross"],
    ...["Gross amount", "Line total inc GST", "Inc-tax total", "Amount including GST"],
  ),
  ofLine(
    "amount",
    "amount",
    ...["Amount", "Line amount", "Line total", "Total", "Item amount", "Extended price", "Ext price"],
    ...["Extended amount", "Extended", "Value"],
  ),
  ofLine("taxAmount", "tax", "Tax amount", "GST amount", "GST", "Tax", "Line tax"),
  ofLine(
    "taxRate",
    "rate",
    ...["Tax rate", "GST rate", "GST percent", "Tax percent", "Tax rate percent", "GST rate percent"],
    ...["Tax code", "Tax type", "GST code", "Tax name", "Taxable"],
  ),
  ofLine(
    "supplierItemId",
    "text",
    ...["Supplier item id", "Item code", "Item number", "Item no", "Item id", "SKU", "Product code", "Code"],
    ...["Stock code", "Inventory item code", "Part number", "Part no"],
  ),
  ofLine("buyerItemId", "text", "Buyer item id", "Customer item", "Customer part number", "Buyer item"),
  ofLine("manufacturerPartId", "text", "Manufacturer part id", "Manufacturer part number", "MPN"),
  ofLine("manufacturerName", "name", "Manufacturer", "Manufacturer name"),
  ofLine("batchId", "text", "Batch", "Batch id", "Batch number", "Lot", "Lot number"),
  ofLine("serialNumbers", "list", "Serial numbers", "Serial number", "Serial no", "Serial"),
  ofLine(
    "invoiceLineNumber",
    "whole",
    "Line",
    "Line number",
    "Line no",
    "Invoice line",
    "Invoice line number",
  ),
  ofLine("poLineReference", "whole", "PO line", "PO line number", "PO line reference", "Order line"),
  ofLine("asnLineReference", "whole", "ASN line", "ASN line reference"),
  ofLine("lineComments", "name", "Line comments", "Line comment", "Line notes", "Line note"),
  ofLine("discount", "none", "Discount", "Discount percent", "Discount amount", "Line discount", "Disc"),
  ofLine("shipping", "none", "Shipping", "Freight", "Shipping amount", "Freight amount", "Delivery fee"),
]

/** The type of a document as people and accounting programs write it; undefined for another word. */
export function readPurpose(text: string): (typeof NEW_PURPOSES)[number] | undefined {
  const same = NEW_PURPOSES.find((each) => each.toLowerCase() === text.toLowerCase())
  return same ?? NEW_PURPOSES.find((each) => each === findMeantChoice(text, NEW_PURPOSES)?.choice)
}

/** A heading as it is compared; `GST %` is not `GST`. */
function plainHeading(heading: string): string {
  return plainHeader(heading.replace("%", " percent"))
}

const BY_HEADING = new Map(
  FIELDS.flatMap((field) => [field.name, ...field.words].map((word) => [plainHeading(word), field] as const)),
)

/** A field in messages: its name, and the heading that most people use. */
export function describeColumn(name: string): string {
  const [word] = FIELDS.find((field) => field.name === name)?.words ?? []
  return word === undefined ? name : `${name} (such as ${quoted(word)})`
}

/** The words that mean a field. */
export function headingsOf(name: string): readonly string[] {
  return FIELDS.find((field) => field.name === name)?.words ?? []
}

/** The names of all fields, for people. */
export const FIELD_NAMES = FIELDS.filter(({ name, kind }) => !name.startsWith("shipTo") && kind !== "none")
  .map(({ name }) => name.replace("billTo.country", "billTo.country (shipTo the same way)"))
  .join(", ")

export const ROW_COLUMNS: SheetColumns<RowField> = {
  fields: FIELDS,
  shops: [],
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
