/** Places of an invoice in a clerk's words. */
import { safeText } from "../contract/safe-text.ts"
import { segmentsOf } from "../json/pointer.ts"

/** Lists, and what one entry of each is called. */
const ENTRIES: Readonly<Record<string, string>> = {
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

/** `/data/lineItems/2/unitPrice` → `line item 3, unit price`; the document itself is `invoice`. */
export function placeInWords(pointer: string): string {
  const segments = segmentsOf(pointer)
  const words = segments.map((segment, index) => {
    const entry = wordFor(ENTRIES, segments[index - 1] ?? "")
    if (entry && /^\d+$/.test(segment)) return `${entry} ${Number(segment) + 1}`
    return wordFor(ENTRIES, segment) && index < segments.length - 1 ? "" : fieldInWords(segment)
  })
  return words.filter((word) => word !== "").join(", ") || "invoice"
}

/** `taxAmount` → `tax amount` */
export function fieldInWords(name: string): string {
  const plain = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return wordFor(NAMES, name) ?? safeText(/^[a-zA-Z\d]+$/.test(name) ? plain : name, 40)
}

function wordFor(words: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(words, name) ? words[name] : undefined
}
