// Invoices for the benchmarks: always the same, valid, without warnings, of one to sixty lines.

/** A random number generator with a seed, so that each run measures the same documents. */
function random(seed) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

const money = (cents) => (cents / 100).toFixed(2)
const ITEMS = [
  "Lamp, brushed steel, 60 cm",
  "Carton of fittings",
  "Cable, three core, per metre",
  "Handbook",
  "Wall bracket, left",
]

/** The text of one invoice. */
export function invoiceText(number, { lines, pretty = false, seed = number }) {
  const next = random(seed + 1)
  let subtotal = 0
  let tax = 0
  const items = Array.from({ length: lines }, (_, at) => {
    const quantity = 1 + Math.floor(next() * 12)
    const unit = 100 + Math.floor(next() * 40_000)
    const amount = quantity * unit
    const gst = Math.round(amount / 10)
    subtotal += amount
    tax += gst
    return {
      invoiceLineNumber: at + 1,
      poLineReference: at + 1,
      supplierItemId: `SKU-${Math.floor(next() * 1e6)}`,
      description: ITEMS[at % ITEMS.length],
      quantity,
      unitOfMeasure: "EA",
      unitPrice: money(unit),
      subtotal: money(amount),
      taxAmount: money(gst),
      taxRate: 10,
      currency: "AUD",
    }
  })
  const invoice = {
    docType: "INV",
    correlationId: `3f2504e0-4f89-41d3-9a0c-${String(number).padStart(12, "0")}`,
    timestamp: "2026-11-20T01:02:03Z",
    metadata: { sourceLanguage: "json", sourceVersion: "1.0", userAgent: "bench/1" },
    data: {
      invoiceNumber: `INV-${number}`,
      poNumber: `PO-${number % 97}`,
      invoiceDate: "2026-11-20T00:00:00+11:00",
      purpose: "standard",
      supplier: {
        id: "S-1",
        name: "Harbour Lighting Pty Ltd",
        taxRegistrations: { type: "ABN", value: "51824753556" },
      },
      billTo: {
        addressee: "Wattle Homes Pty Ltd",
        street1: "1 Harbour Street",
        city: "Sydney",
        state: "NSW",
        postalCode: "2000",
        country: "AU",
      },
      lineItems: items,
      invoiceSummary: {
        subtotal: money(subtotal),
        taxAmount: money(tax),
        dueAmount: money(subtotal + tax),
        currency: "AUD",
      },
    },
  }
  // Amounts are written with two decimals, as accounting systems do, which a JavaScript number cannot say.
  return JSON.stringify(invoice, null, pretty ? 2 : 0).replace(/"(-?\d+\.\d\d)"/g, "$1")
}

/** Mostly short invoices and some long ones. */
export function linesOf(number) {
  return number % 10 === 0 ? 60 : 1 + (number % 12)
}

/** Longer ones: the more there is to read, the less weighs the start of whoever reads. */
export function moreLinesOf(number) {
  return 2 * linesOf(number)
}
