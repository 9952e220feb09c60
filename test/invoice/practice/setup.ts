/**
 * Makes the invoices of practice.txt from its words:
 *
 * - `lines 4 EA @ 25, 2 @ 10 free`: what is sold, with 10 % GST or free of it
 * - `shipping 18`, `handling 7.50`, `shipping 18 gst 0.67`: charges, whose GST is 10 % if it is not said
 * - `discount 10`, `deposit 30`, `gst 15`: of the whole invoice
 * - `purpose creditMemo`, `place billTo Sydney NSW 2000`
 * - `drop PATH`, `PATH = JSON`: a field below data, or one of the document such as timestamp
 *
 * Totals follow from the lines and charges, and what a path says replaces them.
 */

type Fields = Record<string, unknown>

/** A line's words: quantity, unit, price, free of GST. */
const LINE = /^(-?[\d.]+)(?: ([A-Z\d]+))? @ (-?[\d.]+)( free)?$/
const CHARGE = /^(?:shipping|handling) (-?[\d.]+)(?: gst (-?[\d.]+))?$/

/** The canonical document that the words describe. */
export function makeInvoice(words: string): Fields {
  const statements = words.split(" ; ").map((statement) => statement.trim())
  const document = plainInvoice(statements)
  for (const statement of statements) applyStatement(document, statement)
  return document
}

function plainInvoice(statements: readonly string[]): Fields {
  const find = (verb: string) =>
    statements.find((statement) => statement.startsWith(`${verb} `))?.slice(verb.length + 1)
  const lines = (find("lines") ?? "").split(", ").map(makeLine)
  const shipping = readCharge(statements.find((statement) => /^shipping \S/.test(statement)))
  const handling = readCharge(statements.find((statement) => statement.startsWith("handling ")))
  const discount = toCents(find("discount"))
  const deposit = toCents(find("deposit"))
  const subtotal = lines.reduce((sum, line) => sum + cents(line.subtotal), 0)
  const lineGst = lines.reduce((sum, line) => sum + cents(line.taxAmount), 0)
  const stated = find("gst")
  const gst =
    stated === undefined ? lineGst + shipping.gst + handling.gst - Math.round(discount / 10) : toCents(stated)
  const gross = subtotal + gst + shipping.amount + handling.amount
  return {
    docType: "INV",
    correlationId: "7d0c9bd0-5c3f-4a80-8a3c-0f6f0a4f5d12",
    timestamp: "2026-11-20T09:30:00Z",
    metadata: { sourceLanguage: "json", sourceVersion: "1.0", userAgent: "Ledgerline 4.2" },
    data: {
      invoiceNumber: "INV-1001",
      poNumber: "PO-1",
      invoiceDate: "2026-11-20T09:00:00+11:00",
      purpose: find("purpose") ?? "standard",
      supplier: {
        id: "S-204",
        name: "Wattle & Sons Hardware Pty Ltd",
        taxRegistrations: { type: "ABN", value: "51 824 753 556" },
      },
      billTo: {
        addressee: "Harbour Homes",
        street1: "1 Harbour Street",
        city: "Sydney",
        state: "NSW",
        postalCode: "2000",
        country: "AU",
      },
      lineItems: lines,
      invoiceSummary: {
        subtotal: subtotal / 100,
        ...(shipping.amount !== 0 && { shippingAmount: shipping.amount / 100 }),
        ...(handling.amount !== 0 && { specialHandlingAmount: handling.amount / 100 }),
        taxAmount: gst / 100,
        ...(discount !== 0 && { discountAmount: discount / 100 }),
        grossAmount: gross / 100,
        netAmount: (gross - discount) / 100,
        ...(deposit !== 0 && { depositAmount: deposit / 100 }),
        dueAmount: (gross - discount - deposit) / 100,
        currency: "AUD",
      },
    },
  }
}

function makeLine(words: string, index: number): Fields {
  const [, quantity, unit, price, free] = LINE.exec(words) ?? []
  if (quantity === undefined) throw new Error(`not a line: ${words}`)
  const subtotal = roundHalfUp(Number(quantity) * Number(price) * 100)
  return {
    invoiceLineNumber: index + 1,
    description: `Item ${index + 1}`,
    quantity: Number(quantity),
    ...(unit && { unitOfMeasure: unit }),
    unitPrice: Number(price),
    subtotal: subtotal / 100,
    taxRate: free ? 0 : 10,
    taxAmount: free ? 0 : roundHalfUp(subtotal / 10) / 100,
    currency: "AUD",
  }
}

function readCharge(statement: string | undefined): { amount: number; gst: number } {
  const [, amount, gst] = CHARGE.exec(statement ?? "") ?? []
  return { amount: toCents(amount), gst: gst === undefined ? Math.round(toCents(amount) / 10) : toCents(gst) }
}

function applyStatement(document: Fields, statement: string): void {
  const [, path, value = "null"] = /^([\w.]+) = (.*)$/.exec(statement) ?? []
  const [, dropped] = /^drop (.*)$/.exec(statement) ?? []
  const [, address, city, state, postalCode] = /^place (\S+) (.+) (\S+) (\S+)$/.exec(statement) ?? []
  if (path !== undefined) setField(document, path, JSON.parse(value))
  else if (dropped !== undefined) setField(document, dropped, undefined)
  else if (address !== undefined)
    setField(document, address, { street1: "1 Harbour Street", city, state, postalCode, country: "AU" })
  else if (!/^(lines|purpose|shipping|handling|discount|deposit|gst) /.test(statement))
    throw new Error(`not understood: ${statement}`)
}

/** Sets a field below data, or takes it out, and makes the objects on the way to it. */
function setField(document: Fields, path: string, value: unknown): void {
  const names = path.split(".")
  const last = names.pop() ?? ""
  let holder = last in document && names.length === 0 ? document : (document.data as Fields)
  for (const name of names) {
    holder[name] ??= {}
    holder = holder[name] as Fields
  }
  if (value === undefined) delete holder[last]
  else holder[last] = value
}

function toCents(text: string | undefined): number {
  return Math.round(Number(text ?? 0) * 100)
}

function cents(amount: unknown): number {
  return Math.round(Number(amount) * 100)
}

/** Half away from zero; the small amount makes up for binary fractions such as 0.045. */
function roundHalfUp(value: number): number {
  return Math.sign(value) * Math.round(Math.abs(value) + 1e-6)
}
