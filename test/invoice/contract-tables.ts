/**
 * The tables of the invoice contract, said a second time and by hand, so that the schema is not its own judge.
 * A field is `name`, `name!` where it must be there, then its kind: text when nothing follows, `=A|B` one of these,
 * `#0` `#2` `#4` a number of so many decimals, `#` one of any, `?` true or false, `@form` a text of that form, `<=500` a text of at
 * most so many characters, `>Table` an object, `*Table` a list of objects, `*` a list of texts, `+Table` a list that
 * may not be empty, `{}` an object of anything.
 */
const ADDRESS = "addressId addressee street1! street2 city! state! postalCode! country!=AU"
const UNITS =
  "AY|BG|BL|BR|BLL|E2|BO|BX|BJ|BE|KA|CA|CG|CT|CQ|CS|CMT|CL|CH|MTQ|CY|DAY|DC|DZN|DR|EA|FOT|GRM|HUR|CEN|INH|JR|KGM|KMT|KT|LN|LK|LTR|MTR|TNE|MLT|MMT|MON|PK|PD|PL|PR|D97|C62|PG|LBR|RL|RO|SA|SE|SET|ST|SO|MTK|U3|MIL|TU|WEE"

const TABLES: Readonly<Record<string, string>> = {
  Document: "docType!=INV correlationId!@uuid timestamp!@date-time metadata!>Metadata data!>Data",
  Metadata: "sourceLanguage!=json|cxml sourceVersion! payloadId userAgent!",
  Data: `invoiceNumber! poNumber! invoiceDate!@date-time dueDate@date-time
    purpose!=standard|creditMemo|debitMemo|lineLevelCreditMemo|lineLevelDebitMemo operation=new|update|delete
    invoiceOrigin=supplier|buyer isInformationOnly? isERS? documentReference>EarlierInvoice poReferences*Order
    asnReference>ShipNotice supplier!>Party billTo!>Address soldTo>Address shipTo>Address remitTo>RemitTo
    shipping>Shipping shipmentDetails>Shipment paymentTerms>Terms contacts*Contact comments<=2000
    lineItems!+Line invoiceSummary!>Summary extrinsics{}`,
  EarlierInvoice: "invoiceId invoiceDate@date-time documentId payloadId",
  Order: "poNumber! poVersion documentId payloadId orderDate@date-time",
  ShipNotice: "shipmentId documentId payloadId shipmentDate@date-time",
  Party: "id! name! taxRegistrations>Tax contact>PartyContact address>Address",
  Tax: "type!=ABN value!",
  PartyContact: "name phone role email@email",
  Address: ADDRESS,
  RemitTo: `${ADDRESS.replaceAll("!", "")} bankDetails>Bank`,
  Bank: "bankName accountName accountNumber bsb swift iban",
  Shipping: `amount#2 currency=AUD carrier route shippingInstructions buyerAcctNumber
    incoTerms=cfr|cif|cip|cpt|daf|dap|ddp|ddu|dpu|deq|des|exw|fas|fca|fob`,
  Shipment: "carrier trackingNumber shippingDate@date-time",
  Terms: "description netDays#0 discountTerms*Discount",
  Discount: "discountPercent#2 discountDays#0 discountDueDate@date",
  Contact: "role!=issuerOfInvoice|soldTo|billTo|remitTo|shipFrom|shipTo name phone email@email",
  Line: `invoiceLineNumber!#0 uniqueLineKey poLineReference#0 asnLineReference#0 supplierItemId buyerItemId
    description quantity!#2 unitOfMeasure=${UNITS} unitPrice!#4 subtotal!#2 taxAmount#2 taxRate# discountAmount#2
    shippingAmount#2 grossAmount#2 netAmount#2 currency!=AUD manufacturerPartId manufacturerName countryOfOrigin=AU
    serialNumbers* batchId classification*Classification comments<=500`,
  Classification: "domain=UNSPSC|HS|commodity code",
  Summary: `subtotal!#2 shippingAmount#2 specialHandlingAmount#2 taxAmount!#2 taxBreakdown*TaxPart discountAmount#2
    grossAmount#2 netAmount#2 depositAmount#2 dueAmount!#2 currency!=AUD`,
  TaxPart:
    "taxType=GST|VAT|salesTax|excise|other taxRate# taxableAmount#2 taxAmount#2 jurisdiction description",
}

export type Kind =
  | { is: "text"; longest?: number }
  | { is: "choice"; of: string[] }
  | { is: "number"; places: number | undefined }
  | { is: "boolean" }
  | { is: "form"; form: "date-time" | "date" | "uuid" | "email" }
  | { is: "object"; table: string }
  | { is: "list"; of: Kind; filled: boolean }
  | { is: "anything" }

export interface Field {
  name: string
  required: boolean
  kind: Kind
}

/** The fields of a table in the contract's order. */
export function fieldsOf(table: string): Field[] {
  return (TABLES[table] ?? "").split(/\s+/).map((said) => {
    const [, name = "", must, rest = ""] = /^(\w+)(!?)(.*)$/.exec(said) ?? []
    return { name, required: must === "!", kind: kindOf(rest) }
  })
}

function kindOf(said: string): Kind {
  const rest = said.slice(1)
  switch (said[0]) {
    case undefined:
      return { is: "text" }
    case "<":
      return { is: "text", longest: Number(rest.slice(1)) }
    case "=":
      return { is: "choice", of: rest.split("|") }
    case "#":
      return { is: "number", places: rest === "" ? undefined : Number(rest) }
    case "?":
      return { is: "boolean" }
    case "@":
      return { is: "form", form: rest as "date-time" | "date" | "uuid" | "email" }
    case ">":
      return { is: "object", table: rest }
    case "*":
    case "+":
      return {
        is: "list",
        of: rest ? { is: "object", table: rest } : { is: "text" },
        filled: said[0] === "+",
      }
    default:
      return { is: "anything" }
  }
}
