/** The columns that the lines of invoices can have, in the notation of all tables. */
import { readSignedNumber, SHARED_HEADINGS as SHARED, splitHeadings } from "../../../contract/index.ts"
import { quoted } from "../../../base/parsed.ts"
import {
  ambiguous,
  type Basis,
  type ColumnField,
  findBasis,
  type Meaning,
  plainHeader,
  readBasis,
  readQualified,
  readSignOfGoods,
  type SheetColumns,
  toWords,
} from "../../../input/index.ts"
import { getOwn } from "../../../base/json.ts"
import { findInvoiceLeaf, type InvoiceLeaf } from "../../set-fields.ts"
import { readsAsOrder } from "../texts.ts"
import { findPurpose, type InvoiceKindName, isRateText, parseRate, readRowBasis } from "./kinds.ts"

/** A field of an invoice or of one of its lines, as a column. */
export interface InvoiceField extends ColumnField {
  /** How its cells are read; `kind` is `money` for all amounts. */
  readonly reads: InvoiceKindName
  readonly headings: string
  /** Headings that say less, and are not used beside another of the same field. */
  readonly fallbackHeadings?: string
  /** The field of the contract that a column of its path writes; undefined for those below. */
  readonly leaf?: InvoiceLeaf
}

type Entry = Omit<InvoiceField, "name" | "kind" | "leaf">

const PARTS: Readonly<Record<string, Entry>> = {
  addressId: { reads: "code", headings: "Address id, Id, Code" },
  addressee: { reads: "name", headings: `${SHARED.name}, ${SHARED.company}, Addressee` },
  street1: { reads: "name", headings: SHARED.street },
  street2: { reads: "name", headings: SHARED.street2 },
  city: { reads: "name", headings: SHARED.suburb },
  state: { reads: "state", headings: SHARED.state },
  postalCode: { reads: "postcode", headings: SHARED.postcode },
  country: { reads: "country", headings: SHARED.country },
}

/** Each party, with the heading prefixes of its address columns. */
const PARTIES = {
  billTo: "Bill to, Billing, Customer, Client, Buyer, Invoice to",
  shipTo: "Ship to, Shipping, Deliver to, Delivery",
  soldTo: "Sold to",
} as const

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
  "shipTo.street1": "SA address line 1",
  "shipTo.street2": "SA address line 2",
  "shipTo.city": "SA city",
  "shipTo.state": "SA region",
  "shipTo.postalCode": "SA postal code",
  "shipTo.country": "SA country",
}

/** Fields of the invoice as a whole: one value for all its lines. */
const HEAD: Readonly<Record<string, Entry>> = {
  invoiceNumber: {
    reads: "code",
    headings: SHARED.invoiceNumber,
  },
  poNumber: {
    reads: "code",
    headings: `${SHARED.purchaseOrder}, PO #, Customer PO, Customer PO number, Purchase order no,
      Customer order number, Customer order no, Your order no, Your order number`,
  },
  invoiceDate: {
    reads: "day",
    headings: `${SHARED.invoiceDate}, Date`,
  },
  dueDate: { reads: "day", headings: "Due date, Due, Date due, Payment due, Pay by" },
  purpose: {
    reads: "purpose",
    bearing: { as: "sign", knows: (text) => findPurpose(text) !== undefined },
    headings: `Purpose, ${SHARED.documentType}`,
  },
  refersTo: {
    reads: "code",
    headings: `Refers to, Original invoice, Original invoice number, Original invoice no, Credited invoice,
      Applies to, Applied to invoice, Original number, Original inv no`,
  },
  "supplier.id": {
    reads: "code",
    headings: `Supplier id, Supplier code, Supplier number, Supplier no, Vendor id, Vendor code, Vendor number,
      Vendor no`,
  },
  "supplier.name": { reads: "name", headings: SHARED.supplier },
  abn: { reads: "abn", headings: "ABN, Supplier ABN, Vendor ABN" },
  bsb: { reads: "bsb", headings: "BSB, BSB number, BSB no, Bank BSB, BSB code" },
  accountNumber: {
    reads: "account",
    headings: "Bank account number, Bank account no, Bank account, Account to pay, BSB account number",
  },
  accountName: { reads: "name", headings: "Bank account name, Account holder" },
  terms: { reads: "terms", headings: "Payment terms, Terms, Terms of payment, Credit terms" },
  contact: { reads: "contact", headings: "Supplier contact, Our contact, Enquiries, Enquiries to" },
  /** Paid before, of the whole invoice. */
  depositAmount: {
    reads: "amount",
    addsUp: true,
    headings: `Amount paid, Invoice amount paid, Deposit, Deposits, Deposit paid, Deposit amount, Amount received, Paid,
      Paid amount, Paid to date, Already paid, Total paid, Prepaid, Prepaid amount, Prepayment, Payments,
      Payments received, Payment received, Payment amount, Amount applied, Less deposit, Less deposit paid, Less paid,
      Less payments`,
  },
  /** The amount due of the whole invoice, which must be that of the draft. */
  dueAmount: {
    reads: "amount",
    headings: `Amount due, Invoice amount due, Balance due, Total due, Amount outstanding, Outstanding,
      Outstanding amount, Outstanding balance, Amount owing, Balance owing, Owing, Balance outstanding, Balance,
      Open balance, Amount payable, Balance payable, Total payable, Remaining balance, Balance remaining,
      Amount to pay, Invoice balance`,
  },
  comments: { reads: "name", headings: `${SHARED.notes}, Note, Memo, Customer message` },
  currency: {
    reads: "currency",
    bearing: { as: "currency" },
    headings: SHARED.currency,
  },
  /** The status of the whole document: a cancelled one is not billed again. */
  status: {
    reads: "status",
    mayRepeat: true,
    headings: `${SHARED.status}, ${SHARED.documentStatus}, Document status, ${SHARED.paymentStatus}`,
  },
}

/** `price` and `amount` do not say whether GST is in them: their heading, another column or the other amounts do. */
const LINE: Readonly<Record<string, Entry>> = {
  description: {
    reads: "name",
    headings: `${SHARED.description}, Lineitem name, Work description, Job description`,
    fallbackHeadings: `Item, ${SHARED.narration}, Item name, Product, Product name, Product/Service,
      Item (Product/Service), Service, Task, Work, Goods, Article, Material`,
  },
  quantity: {
    reads: "quantity",
    mayRepeat: true,
    bearing: { as: "count" },
    headings: `${SHARED.quantity}, ${SHARED.shippedQuantity}, Item quantity, Quantity invoiced, Hours, Hrs,
      Item qty, Qty invoiced, Line quantity, Hours worked, Sold, Qty sold, Shipped, Supplied, Qty supplied, Pcs, Pieces,
      No of units`,
    fallbackHeadings: `Ordered, ${SHARED.orderedQuantity}`,
  },
  unitOfMeasure: { reads: "unit", headings: `Unit, ${SHARED.unitOfMeasure}, Unit code` },
  price: {
    reads: "price",
    headings: `Price, Unit price, Rate, Unit amount, Price each, Item rate, Item price, Unit rate, Sell price,
      Selling price, Sale price, Price per unit, Sell, Unit $, Price ea, $ each, Hourly rate, Rate per hour, Rate/hr, $/hr, Charge rate, Unit sell,
     
      List price, Wholesale price, Trade price`,
    fallbackHeadings: "Cost, Unit cost, Each, Net price, Nett price, Net unit price, Discounted price",
  },
  unitPrice: { reads: "price", headings: "" },
  unitPriceIncGst: { reads: "price", headings: "Retail price, Shelf price" },
  subtotal: {
    reads: "amount",
    headings: `${SHARED.netTotal}, ${SHARED.net}, Line subtotal`,
  },
  amountIncGst: { reads: "amount", headings: SHARED.gross },
  amount: {
    reads: "amount",
    mayRepeat: true,
    headings: `${SHARED.amount}, ${SHARED.total}, Item amount, Item total, Extended price, Extended, Line value,
      Amt, Line price, Invoice total, Invoice amount, Fee, Charge, Line $, Extension, Ext, Line cost,
      Line charge`,
  },
  taxAmount: {
    reads: "tax",
    headings: `${SHARED.gst}, ${SHARED.tax}, Line tax, Line GST`,
    fallbackHeadings: SHARED.totalGst,
  },
  taxRate: {
    reads: "rate",
    headings: `Tax rate, GST rate, GST percent, Tax percent, Tax rate percent, GST rate percent, Tax code, Tax type,
      GST code, Tax name, Taxable, GST applicable, GST type, VAT rate, GST Y/N, Tax Y/N, Taxable Y/N`,
  },
  supplierItemId: {
    reads: "code",
    headings: `Supplier item id, Item code, Item number, Item no, Item id, SKU, Product code, Code, Stock code,
      Inventory item code, Part number, Part no`,
  },
  buyerItemId: { reads: "code", headings: "Buyer item id, Customer item, Customer part number, Buyer item" },
  manufacturerPartId: { reads: "code", headings: "Manufacturer part id, Manufacturer part number, MPN" },
  manufacturerName: { reads: "name", headings: "Manufacturer, Manufacturer name" },
  batchId: { reads: "code", headings: "Batch, Batch id, Batch number, Lot, Lot number" },
  serialNumbers: { reads: "list", headings: "Serial numbers, Serial number, Serial no, Serial" },
  invoiceLineNumber: {
    reads: "whole",
    headings: "Line, Line number, Line no, Invoice line, Invoice line number",
  },
  poLineReference: { reads: "whole", headings: "PO line, PO line number, PO line reference, Order line" },
  asnLineReference: { reads: "whole", headings: "ASN line, ASN line reference" },
  lineComments: { reads: "name", headings: "Line comments, Line comment, Line notes, Line note" },
  /** Percent or an amount: its cells or the other amounts of the rows say which. */
  discount: {
    reads: "amount",
    headings: `${SHARED.discount}, Disc, Line discount, Item discount, Trade discount`,
  },
  discountPercent: {
    reads: "percent",
    headings: "Discount percent, Disc percent, Discount rate, Line discount percent, Discount percentage",
  },
  discountAmount: {
    reads: "amount",
    headings: `${SHARED.discountAmount}, Disc amount, Line discount amount, Discount value, Discount $, Disc $`,
  },
  /** The basis of the price and the amount of the row: `inc GST`, `exclusive`. */
  basis: {
    reads: "basis",
    bearing: { as: "basis", knows: (text) => readRowBasis(text) !== undefined },
    headings: `${SHARED.basis}, Inclusive`,
  },
  /** Marks rows that are credits, whatever the sign of their amounts. */
  sign: {
    reads: "sign",
    bearing: { as: "sign", knows: (text) => readSignOfGoods(text) !== undefined },
    headings: SHARED.sign,
  },
  /** Amounts that freight cannot calculate: they have to be zero. */
  unsupported: {
    reads: "none",
    mayRepeat: true,
    headings: `Shipping, ${SHARED.freight}, Shipping amount, Delivery fee, LCT amount, WET amount,
      Non-GST amount, Surcharge`,
  },
}

const MONEY: readonly InvoiceKindName[] = ["price", "amount", "tax", "none", "percent"]

const toField = ([name, entry]: [string, Entry]): InvoiceField => ({
  name,
  kind: MONEY.includes(entry.reads) ? "money" : entry.reads,
  ...entry,
})

const FIELDS: readonly InvoiceField[] = [
  ...Object.entries(HEAD).map(toField),
  ...Object.entries(PARTIES).flatMap(([party, words]): InvoiceField[] => {
    const before = splitHeadings(words)
    const whole = before.map((word) => `${word} address`).join(", ")
    const parts = Object.entries(PARTS).map(([part, entry]): [string, Entry] => {
      const own = splitHeadings(entry.headings)
      const made = before.flatMap((word) => own.map((heading) => `${word} ${heading}`))
      const name = `${party}.${part}`
      return [name, { ...entry, headings: [...made, ...splitHeadings(OTHER_HEADINGS[name])].join(", ") }]
    })
    return [[party, { reads: "address", headings: whole }] as [string, Entry], ...parts].map(toField)
  }),
  ...Object.entries(LINE).map(toField),
]

/** Fields of the contract that are read and checked as one of those above. */
const SAME_FIELDS: Readonly<Record<string, string>> = {
  "documentReference.invoiceId": "refersTo",
  "supplier.taxRegistrations.value": "abn",
  "remitTo.bankDetails.bsb": "bsb",
  "remitTo.bankDetails.accountNumber": "accountNumber",
  "remitTo.bankDetails.accountName": "accountName",
  "invoiceSummary.depositAmount": "depositAmount",
  "invoiceSummary.dueAmount": "dueAmount",
  "lineItems.0.currency": "currency",
  "lineItems.0.comments": "lineComments",
}

/** Headings that people have for fields of the contract without an entry above. */
const LEAF_HEADINGS: Readonly<Record<string, string>> = {
  "remitTo.bankDetails.bankName": "Bank name",
  "remitTo.bankDetails.swift": "SWIFT, SWIFT code, BIC, BIC code, SWIFT/BIC",
  "remitTo.bankDetails.iban": "IBAN",
  "poReferences.0.poVersion": "PO version, PO revision",
  "poReferences.0.orderDate": "PO date, Purchase order date",
  "shipping.incoTerms": "Incoterms, Incoterm",
  "lineItems.0.countryOfOrigin": "Country of origin",
}

const LEAF_BY_HEADING: ReadonlyMap<string, string> = new Map(
  Object.entries(LEAF_HEADINGS).flatMap(([path, headings]) =>
    splitHeadings(headings).map((heading) => [plainHeading(heading), path] as const),
  ),
)

/** A field of the contract by its path, which has no entry of its own. */
function findLeafField(heading: string): InvoiceField | undefined {
  const leaf = findInvoiceLeaf(LEAF_BY_HEADING.get(plainHeading(heading)) ?? heading)
  if (!leaf) return undefined
  const [, ofLine = ""] = /^lineItems\.0\.(.+)$/.exec(leaf.path) ?? []
  // A column discountAmount is taken off the price.
  const isKnown = Object.hasOwn(LINE, ofLine) && ofLine !== "discountAmount"
  const same = SAME_FIELDS[leaf.path] ?? (isKnown ? ofLine : leaf.path)
  return (
    BY_NAME.get(same) ?? {
      ...{ name: leaf.path, kind: "leaf", headings: "", leaf },
      reads: findReading(leaf),
    }
  )
}

/** The field of the contract that a field without an entry of its own is. */
export function findLeaf(name: string): InvoiceLeaf | undefined {
  return BY_NAME.has(name) ? undefined : findInvoiceLeaf(name)
}

/** How to read the cells of a contract field, and to undo changes by spreadsheets. */
function findReading({ path, node }: InvoiceLeaf): InvoiceKindName {
  if (node.format === "date-time") return "day"
  const kinds = { bsb: "bsb", state: "state", postalCode: "postcode", country: "country" } as const
  const named = getOwn<InvoiceKindName>(kinds, path.split(".").at(-1) ?? "")
  return named ?? (node.type === "string" && !node.enum && !node.format ? "text" : "leaf")
}

const BY_NAME = new Map(FIELDS.map((field) => [field.name, field]))

export function getField(name: string): InvoiceField {
  const field = BY_NAME.get(name)
  if (!field) throw new TypeError(`there is no field ${name}`)
  return field
}

/** A heading as it is compared; `GST %` is not `GST`, `Unit $` is not `Unit`, and `Item #` is a number. */
export function plainHeading(heading: string): string {
  return plainHeader(
    heading
      .replace("%", " percent")
      .replace("$", " dollars")
      .replace(/#(?!\d)/, " number"),
  )
}

/** `Unit price` does not say whether GST is in it, though the field `unitPrice` does. */
const BY_HEADING = new Map([
  ...FIELDS.map((field) => [plainHeading(field.name), field] as const),
  ...FIELDS.flatMap((field) =>
    [...splitHeadings(field.headings), ...splitHeadings(field.fallbackHeadings)].map(
      (word) => [plainHeading(word), field] as const,
    ),
  ),
])

/** A field in messages: its name, and the heading that most people use. */
export function describeColumn(name: string): string {
  const [heading] = listHeadings(name)
  return heading === undefined ? name : `${name} (such as ${quoted(heading)})`
}

export function listHeadings(name: string): readonly string[] {
  const { headings, fallbackHeadings } = getField(name)
  return [...splitHeadings(headings), ...splitHeadings(fallbackHeadings)]
}

/** The names of all fields, for people. */
export const FIELD_NAMES = FIELDS.filter(
  ({ name, reads }) => !/^(?:shipTo|soldTo)\b/.test(name) && reads !== "none",
)
  .map(({ name }) => name.replace("billTo.country", "billTo.country (shipTo and soldTo the same way)"))
  .join(", ")

/** Exports have many columns that no invoice needs: none is taken for a misspelt one. */
const UNKNOWN: Meaning<InvoiceField> = { likely: () => undefined }

/** Columns of exports about the whole invoice or the customer, whatever their words. */
const NOT_USED =
  /^(?:(?:freight|shipping|delivery) (?:tax|gst)\b.*|(?:tax|gst|vat) (?:number|no|id|registration|registered|file number|status)|(?:currency|exchange|fx) rate|credit (?:card|limit|account)\b.*|(?:gst|tax) (?:per|each)\b.*|unit (?:gst|tax))$/

const BY_BASIS: Readonly<Record<string, Readonly<Record<Basis, string>>>> = {
  price: { exGst: "unitPrice", incGst: "unitPriceIncGst" },
  amount: { exGst: "subtotal", incGst: "amountIncGst" },
  subtotal: { exGst: "subtotal", incGst: "amountIncGst" },
  amountIncGst: { exGst: "subtotal", incGst: "amountIncGst" },
}

/** The field of a price or amount with a known GST basis; undefined for any other field. */
export function withBasis(name: string, basis: Basis): InvoiceField | undefined {
  const own = Object.hasOwn(BY_BASIS, name) ? BY_BASIS[name]?.[basis] : undefined
  return own === undefined ? undefined : getField(own)
}

const areAmounts = (cells: readonly string[]) =>
  cells.length > 0 && cells.every((text) => readSignedNumber(text, { money: true }).ok)

function meaningOf(heading: string): Meaning<InvoiceField> {
  const trimmed = heading.trim()
  const exact = BY_NAME.get(trimmed) ?? findLeafField(trimmed)
  if (exact) return { field: exact }
  const plain = plainHeading(trimmed.replace(/\b10(?:\.0)? ?%/, " ").replace(NET_OF_REFUNDS, ""))
  // It may be that of goods.
  if (plain === "type")
    return ambiguous(trimmed, ["purpose"], (cells) =>
      cells.some((text) => findPurpose(text) !== undefined) ? getField("purpose") : "unused",
    )
  if (REFERENCES.has(plain))
    return ambiguous(trimmed, ["poNumber"], (cells) =>
      cells.length > 0 && cells.every(readsAsOrder) ? getField("poNumber") : "unused",
    )
  const field = BY_HEADING.get(plain) ?? findMoney(trimmed) ?? findOfLine(trimmed)
  // `Yes` below it does not say how much.
  if (plain === "paid")
    return ambiguous(trimmed, ["depositAmount"], (cells) => (areAmounts(cells) ? field : undefined))
  if (field?.name === "discount")
    return ambiguous(trimmed, ["discountPercent", "discountAmount"], (cells) =>
      cells.some((text) => text.includes("%")) ? getField("discountPercent") : field,
    )
  if (field?.name === "taxAmount")
    return ambiguous(trimmed, ["taxAmount", "basis"], (cells) =>
      cells.length > 0 && cells.every((text) => /^(?:ex|inc)/i.test(text) && readBasis(text) !== undefined)
        ? getField("basis")
        : field,
    )
  if (plain === "units")
    return ambiguous(trimmed, ["quantity", "unitOfMeasure"], (cells) =>
      getField(areAmounts(cells) ? "quantity" : "unitOfMeasure"),
    )
  if (field) return { field }
  if (/^(?:gst|tax|vat) included\b/i.test(trimmed))
    return ambiguous(trimmed, ["taxAmount", "basis"], (cells) =>
      getField(areAmounts(cells) ? "taxAmount" : "basis"),
    )
  const said = findBasis(trimmed) ?? findShortBasis(trimmed)
  if (said && !/\b(?:free|exempt|no|non)\b/i.test(trimmed)) {
    const rest = plainHeading(said.rest)
    const meant =
      rest === ""
        ? getField("amount")
        : (BY_HEADING.get(rest) ?? findMoney(said.rest) ?? findOfLine(said.rest))
    const based = meant && withBasis(meant.name, said.basis)
    // `GST inclusive` may hold amounts, and yes or no; of `Ex GST`, yes means the opposite.
    if (based && rest === "")
      return ambiguous(trimmed, said.basis === "incGst" ? ["basis", based.name] : [based.name], (cells) => {
        if (areAmounts(cells)) return based
        return said.basis === "incGst" ? getField("basis") : undefined
      })
    if (based) return { field: based }
    if (meant?.name === "unsupported") return { field: meant }
    if (meant && WHOLE_INVOICE.has(meant.name))
      return said.basis === "incGst" ? { field: meant } : ambiguous(trimmed, [meant.name])
  }
  const words = toWords(trimmed)
  if (NOT_USED.test(words)) return { field: undefined }
  if (TAX_CODE.test(words))
    return {
      ...ambiguous(trimmed, ["taxRate"], (cells) =>
        cells.length > 0 && cells.every(isRateText) ? getField("taxRate") : undefined,
      ),
      leftOut:
        "lines without an amount of tax then get 10% GST; where some are free of it, write 10 and 0 in its cells instead",
    }
  if (UNTAXED_FREIGHT.test(words)) return { field: getField("unsupported") }
  if (SETTLED.test(words) && !OF_SETTLEMENT.test(words))
    return ambiguous(trimmed, DISCOUNTED.test(words) ? DISCOUNTS : [...WHOLE_INVOICE], (cells) => {
      if (!areAmounts(cells)) return "unused"
      return cells.every((text) => Number(text.replace(/[$\s]/g, "")) === 0)
        ? getField("unsupported")
        : undefined
    })
  if (EXTRA.test(words))
    return ambiguous(trimmed, ["unsupported"], (cells) =>
      areAmounts(cells) ? getField("unsupported") : "unused",
    )
  return readQualified(trimmed, meaningOf, "as a charge in AUD") ?? UNKNOWN
}

/** Amounts with GST, of the whole invoice. */
export const WHOLE_INVOICE: ReadonlySet<string> = new Set(["depositAmount", "dueAmount"])
const DISCOUNTS = ["discountAmount", "discountPercent"]

/** Words for an amount that may be taken off an invoice, or may be left of it. */
const SETTLED =
  /\b(?:paid|payments?|deposits?|prepaid|prepayments?|received|receipts?|applied|credits?|credited|outstanding|owing|owed|balance|due|payable|refunds?|refunded|discounts?|vouchers?|gift card|retention|withheld|withholding|written off|write off)\b/
const DISCOUNTED = /\bdiscounts?\b/

/** Words that are not about an amount of the invoice: when, how and by whom it is paid, and the customer's terms. */
const OF_SETTLEMENT =
  /%|\b(?:date|days?|on|at|by|via|to|from|method|mode|type|terms|status|name|number|no|code|ids?|reference|ref|account|percent|rate|limit|card|charge|currency|gateway|processor|comments?|notes?|reason|tax|gst)\b/

/** Codes of GST, whatever else the heading says: `Sales tax code`. */
const TAX_CODE = /\b(?:gst|tax|vat) (?:code|type|class|category|treatment)$/

/** Parts of a charge for freight besides its GST, as MYOB has them. */
const UNTAXED_FREIGHT = /^(?:freight|shipping|delivery) (?:non (?:gst|tax|taxable)|lct|wet)(?: amount)?$/

/** `Quantity (- Refund)` is the remaining quantity. */
const NET_OF_REFUNDS = /[([]\s*(?:[-\u2212]|less|minus|net of|after)\s*(?:refund|return)(?:s|ed)?\s*[)\]]$/i

/** Purchase orders if all their cells look like one; not used beside a column with a clear heading. */
const MAY_BE_ORDERS = splitHeadings(`${SHARED.reference}, ${SHARED.yourRef}, ${SHARED.orderNumber}`)
const REFERENCES: ReadonlySet<string> = new Set(MAY_BE_ORDERS.map(plainHeading))

/** `Amount AUD`, `Price ($)` */
function findMoney(heading: string): InvoiceField | undefined {
  const bare = heading.replace(/\$|\b(?:aud|au)\b/gi, " ")
  const field = bare === heading ? undefined : BY_HEADING.get(plainHeading(bare))
  return field?.kind === "money" ? field : undefined
}

/** `ItemTaxCode` of QuickBooks */
function findOfLine(heading: string): InvoiceField | undefined {
  const spaced = heading.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, " ")
  const [, rest] = /^\*?(?:item|line|line ?item|product)[ _](.+)$/i.exec(spaced) ?? []
  const field = rest === undefined ? undefined : BY_HEADING.get(plainHeading(rest))
  return field && Object.hasOwn(LINE, field.name) ? field : undefined
}

export function saysPrice(heading: string): boolean {
  const meaning = meaningOf(heading)
  return "field" in meaning && meaning.field?.reads === "price"
}

/** Whether a column that freight does not know may be a price or an amount, by its heading and its first cells. */
export function mayBePrice(heading: string, cells: readonly string[]): boolean {
  const isKnown = "field" in meaningOf(heading)
  return (
    !isKnown &&
    PRICE_WORD.test(toWords(heading)) &&
    areAmounts(cells) &&
    cells.some((text) => /\d[.,]\d\d?\b/.test(text))
  )
}

const PRICE_WORD =
  /\b(?:prices?|costs?|sell|selling|sales?|amounts?|amt|totals?|value|net|nett|gross|charged?|ext|extended|sum|rate|billed|billable|rrp)\b/

const EXTRA =
  /\b(?:fees?|surcharges?|levy|levies|handling|postage|insurance|adjustments?|rounding|extras?|set ?up|installation|commission|rebate|allowance|freight|shipping|delivery)\b(?!.*\b(?:date|day|no|number|code|id|address|method|terms|via|status|name|type|tax|gst)\b)/

/** `Price excl.` and `Total (inc)`: without the word GST. */
function findShortBasis(heading: string): { basis: Basis; rest: string } | undefined {
  const said = SHORT_BASIS.exec(heading)
  if (!said || said.index === 0) return undefined
  return { basis: said[1] === undefined ? "incGst" : "exGst", rest: heading.slice(0, said.index) }
}

const SHORT_BASIS = /(?<![ .(])[ .(]+(?:(ex|exc|excl|exclusive)|inc|incl|inclusive)\.?\)?$/i

export const ROW_COLUMNS: SheetColumns<InvoiceField> = {
  fields: FIELDS,
  shops: [],
  bearings: ["currency", "sign", "basis", "count"],
  holdsNumbers: ({ reads }) => ["quantity", "price", "amount", "tax"].includes(reads),
  holdsDays: ({ reads }) => reads === "day",
  isStrict: ({ reads }) => reads === "day",
  // A code of another program is not a known rate.
  mayBe: (field, text) => field !== "taxRate" || parseRate(text.trim()).ok,
  fallbackHeadings: [
    ...FIELDS.flatMap(({ fallbackHeadings }) => splitHeadings(fallbackHeadings)),
    ...MAY_BE_ORDERS,
    "Type",
  ],
  help: {
    hint: `--map COLUMN=FIELD says what a column is. The fields are ${FIELD_NAMES}.`,
    next: "freight help invoice new --all",
  },
  meaning: meaningOf,
}
