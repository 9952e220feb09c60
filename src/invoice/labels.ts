/** Names of the places of an invoice. Without the schema, which is loaded for documents with findings only. */
import { safeText } from "../base/safe-text.ts"
import { parsePointer } from "../input/index.ts"
import { getOwn } from "../base/json.ts"

/** Lists, and the name of an element of each. */
const ELEMENTS: Readonly<Record<string, string>> = {
  lineItems: "line item",
  taxBreakdown: "tax part",
  poReferences: "purchase order",
  contacts: "contact",
  discountTerms: "discount",
  classification: "classification",
  serialNumbers: "serial number",
}

/** Names that say less than the words people use; an empty one goes without saying. */
const NAMES: Readonly<Record<string, string>> = {
  data: "",
  docType: "document type",
  invoiceSummary: "summary",
  invoiceLineNumber: "line number",
  poNumber: "purchase order number",
  poVersion: "purchase order version",
  poLineReference: "purchase order line",
  asnReference: "ship notice",
  asnLineReference: "ship notice line",
  taxRegistrations: "tax registration",
  buyerAcctNumber: "buyer account number",
  incoTerms: "incoterms",
  isERS: "evaluated receipt",
  isInformationOnly: "information only",
  extrinsics: "extension fields",
  bsb: "BSB",
  swift: "SWIFT code",
  iban: "IBAN",
}

/** An object whose names are free. */
const EXTRINSICS = "extrinsics"

/** `/data/lineItems/2/unitPrice` → `line item 3, unit price`; the document itself is `invoice`. */
export function describePlace(pointer: string): string {
  const segments = parsePointer(pointer)
  const words = segments.map((segment, index) => {
    const element = getOwn(ELEMENTS, segments[index - 1] ?? "")
    if (/^\d+$/.test(segment) && index > 0 && segments[index - 1] !== EXTRINSICS)
      return `${element ?? "entry"} ${Number(segment) + 1}`
    return getOwn(ELEMENTS, segment) && index < segments.length - 1 ? "" : describeField(segment)
  })
  return words.filter((word) => word !== "").join(", ") || "invoice"
}

/** `taxAmount` → `tax amount` */
export function describeField(name: string): string {
  const plain = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return getOwn(NAMES, name) ?? safeText(/^[a-zA-Z\d]+$/.test(name) ? plain : name, 40)
}
