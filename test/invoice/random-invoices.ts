/** Invoices at random whose amounts agree. */
import fc from "fast-check"
import type { Invoice } from "../../src/contract/generated/types.ts"

type Line = Invoice["data"]["lineItems"][number]

const text = fc
  .oneof(
    fc.string({ maxLength: 20 }),
    fc.string({ unit: "grapheme", maxLength: 12 }),
    fc.constantFrom(
      "Hex bolt, M10 × 50",
      'a "quoted" name',
      "C:\\parts",
      "line\nbreak\ttab",
      "🙂 ok",
      "}{][,:",
    ),
  )
  // They stand for something else.
  .filter((each) => !/^(?:[?*]+|<.*>|\[.*\]|n\/?a|nil|tb[acd]|x{3,})$/i.test(each.trim()))
const word = fc.stringMatching(/^[A-Z]{1,3}-[0-9]{1,6}$/)
const dateTime = fc
  .record({
    day: fc.integer({ min: 11_000, max: 31_000 }),
    second: fc.integer({ min: 0, max: 86399 }),
    zone: fc.constantFrom("Z", "+10:00", "-03:30"),
  })
  .map(({ day, second, zone }) => new Date((day * 86400 + second) * 1000).toISOString().slice(0, 19) + zone)
const email = fc.constantFrom("", "accounts@wattle.example", "mai.nguyen+inv@mail.wattle-sons.com.au")
const addressParts = fc.record(
  {
    addressId: word,
    addressee: text,
    street1: text,
    street2: text,
    city: text,
    place: fc.constantFrom({ state: "NSW", postalCode: "2000" }, { state: "NT", postalCode: "0800" }),
    country: fc.constant("AU" as const),
  },
  { requiredKeys: ["addressId", "street1", "city", "place", "country"] },
)
const address = addressParts.map(({ place, ...parts }) => ({ ...parts, ...place }))

/** The parts of a line; its amounts are calculated from them. */
const anyLine = fc.record({
  quantity: fc.integer({ min: 1, max: 100_000 }),
  price: fc.integer({ min: 0, max: 5_000_000 }),
  discount: fc.integer({ min: 0, max: 500 }),
  shipping: fc.integer({ min: 0, max: 2_000 }),
  more: fc.record(
    {
      poLineReference: fc.integer({ min: 1, max: 500 }),
      asnLineReference: fc.integer({ min: 1, max: 500 }),
      uniqueLineKey: word,
      supplierItemId: word,
      buyerItemId: word,
      description: word,
      unitOfMeasure: fc.constantFrom("EA" as const, "KGM" as const, "D97" as const),
      manufacturerName: text,
      countryOfOrigin: fc.constant("AU" as const),
      serialNumbers: fc.uniqueArray(word, { maxLength: 3 }),
      classification: fc.array(
        fc.record({ domain: fc.constantFrom("UNSPSC" as const, "HS" as const), code: word }),
        { maxLength: 2 },
      ),
      comments: text,
    },
    { requiredKeys: [] },
  ),
})

/** Pieces are whole. */
const lineSeed = anyLine.map((line) =>
  line.more.unitOfMeasure === "EA" ? { ...line, quantity: Math.ceil(line.quantity / 100) * 100 } : line,
)

const seed = fc.record({
  lines: fc.uniqueArray(lineSeed, { minLength: 1, maxLength: 6, selector: (line) => JSON.stringify(line) }),
  rate: fc.constantFrom(0, 10),
  lineTaxes: fc.boolean(),
  lineTotals: fc.boolean(),
  extras: fc.boolean(),
  purpose: fc.constantFrom(
    "standard" as const,
    "standard" as const,
    "creditMemo" as const,
    "debitMemo" as const,
    "lineLevelCreditMemo" as const,
    "lineLevelDebitMemo" as const,
  ),
  netDays: fc.integer({ min: 0, max: 90 }),
  breakdown: fc.boolean(),
  section: fc.boolean(),
  handling: fc.integer({ min: 0, max: 300 }),
  deposit: fc.integer({ min: 0, max: 1000 }),
  numbers: fc.constantFrom(1, 10),
  issued: dateTime,
  /** Seconds after it was issued. */
  created: fc.integer({ min: 0, max: 100 * 86_400 }),
  id: fc.uuid(),
  invoiceNumber: word,
  // No number of an invoice.
  poNumber: word.map((text) => `PO/${text}`),
  supplier: fc.record({ id: word, name: word, contact: fc.record({ name: text, email }) }),
  billTo: address,
  places: fc.record({ shipTo: address, soldTo: address, remitTo: address }, { requiredKeys: [] }),
  comments: text,
  extrinsics: fc.dictionary(fc.string({ maxLength: 6 }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 3 }),
  terms: fc.boolean(),
})

/** Canonical invoices without findings, of every purpose, with signs and references that fit. */
export const soundInvoice: fc.Arbitrary<Invoice> = seed.map((each) => invoiceOf(each, []))

/** A figure that is wrong by some cents (or days, or numbers). What follows from it is worked out from the wrong one. */
interface Slip {
  figure: (typeof FIGURES)[number]
  by: number
  /** Which line, where it is a line's. */
  line: number
}

const FIGURES = [
  "line number",
  "line subtotal",
  "line tax",
  "line gross",
  "line net",
  "subtotal",
  "tax",
  "tax part",
  "shipping",
  "section",
  "discount",
  "gross",
  "net",
  "deposit",
  "due",
  "days",
] as const

/** Invoices in which one or two figures may be wrong, and nothing else. */
export const slippedInvoice: fc.Arbitrary<Invoice> = fc
  .tuple(
    seed,
    fc.array(
      fc.record({
        figure: fc.constantFrom(...FIGURES),
        by: fc.constantFrom(-2, -1, 1, 2, 3, -100_000_000),
        line: fc.nat({ max: 2 }),
      }),
      { minLength: 1, maxLength: 2 },
    ),
  )
  .map(([each, edits]) => invoiceOf(each, edits))

interface Seed {
  lines: readonly {
    quantity: number
    price: number
    discount: number
    shipping: number
    more: Partial<Line>
  }[]
  rate: number
  lineTaxes: boolean
  lineTotals: boolean
  extras: boolean
  purpose: Invoice["data"]["purpose"]
  netDays: number
  breakdown: boolean
  section: boolean
  handling: number
  deposit: number
  numbers: number
  issued: string
  created: number
  id: string
  invoiceNumber: string
  poNumber: string
  supplier: Invoice["data"]["supplier"]
  billTo: Invoice["data"]["billTo"]
  places: object
  comments: string
  extrinsics: Record<string, unknown>
  terms: boolean
}

function invoiceOf(seed: Seed, edits: readonly Slip[]): Invoice {
  const told = (figure: Slip["figure"], right: number, index?: number) =>
    edits.reduce(
      (value, slip) =>
        slip.figure === figure && (index === undefined || index === slip.line) ? value + slip.by : value,
      right,
    )
  const sign = /credit/i.test(seed.purpose) ? -1 : 1
  const money = (cents: number) => (sign * cents) / 100
  const totals = { subtotal: 0, tax: 0, discount: 0, shipping: 0 }
  const lineItems = seed.lines.map((line, index): Line => {
    const shipping = seed.extras ? line.shipping : 0
    const subtotal = told("line subtotal", Math.round((line.quantity * line.price) / 10_000), index)
    const discount = seed.extras ? Math.min(line.discount, Math.max(0, subtotal)) : 0
    const tax = told("line tax", Math.round((subtotal * seed.rate) / 100), index)
    const gross = told("line gross", subtotal + tax + shipping, index)
    totals.subtotal += subtotal
    totals.tax += tax
    totals.discount += discount
    totals.shipping += shipping
    const { serialNumbers = [], ...more } = line.more
    return {
      invoiceLineNumber: told("line number", (index + 1) * seed.numbers, index),
      description: "Lamp",
      ...more,
      // Each piece has its own, or none has.
      ...(serialNumbers.length >= line.quantity / 100 && {
        serialNumbers: serialNumbers
          .slice(0, Math.floor(line.quantity / 100))
          .map((number) => `${number}-${index}`),
      }),
      // Other goods are of another line of the order.
      ...((line.more.poLineReference !== undefined || /^line/.test(seed.purpose)) && {
        poLineReference: index + 1,
      }),
      quantity: (sign * line.quantity) / 100,
      unitPrice: line.price / 10_000,
      subtotal: money(subtotal),
      ...(seed.lineTaxes && { taxAmount: money(tax), taxRate: seed.rate }),
      ...(seed.extras && { discountAmount: money(discount), shippingAmount: money(shipping) }),
      ...(seed.lineTaxes &&
        seed.lineTotals && {
          grossAmount: money(gross),
          netAmount: money(told("line net", gross - discount, index)),
        }),
      currency: "AUD",
    }
  })
  const handling = seed.extras ? seed.handling : 0
  const subtotal = told("subtotal", totals.subtotal)
  const tax = told("tax", totals.tax)
  const shipping = told("shipping", totals.shipping)
  const discount = told("discount", totals.discount)
  const summed = seed.extras ? [shipping, discount] : [totals.shipping, totals.discount]
  const gross = told("gross", subtotal + tax + (summed[0] ?? 0) + handling)
  const net = told("net", gross - (summed[1] ?? 0))
  const deposit = seed.extras ? told("deposit", Math.min(seed.deposit, Math.max(0, net))) : 0
  const days = Math.max(-3, told("days", seed.netDays))
  const addToIssued = (count: number) =>
    new Date(Date.parse(`${seed.issued.slice(0, 10)}T00:00:00Z`) + count * 86_400_000)
  const dueDate = addToIssued(days)
  const discountDays = Math.min(7, seed.netDays)
  const discountDueDate = addToIssued(discountDays).toISOString().slice(0, 10)
  return {
    docType: "INV",
    correlationId: seed.id,
    timestamp: `${new Date(Date.parse(seed.issued) + seed.created * 1000).toISOString().slice(0, 19)}Z`,
    metadata: { sourceLanguage: "json", sourceVersion: "1.0", userAgent: "Ledgerline 4.2" },
    data: {
      invoiceNumber: seed.invoiceNumber,
      poNumber: seed.poNumber,
      invoiceDate: seed.issued,
      purpose: seed.purpose,
      ...(seed.purpose !== "standard" && {
        documentReference: { invoiceId: "EARLIER", invoiceDate: seed.issued },
      }),
      ...(seed.terms && {
        poReferences: [{ poNumber: "PO-0" }, { poNumber: seed.poNumber }],
        dueDate: dueDate.toISOString().slice(0, 10) + seed.issued.slice(10),
        paymentTerms: {
          netDays: seed.netDays,
          discountTerms: [{ discountPercent: 2.5, discountDays, discountDueDate }],
        },
      }),
      ...(seed.section &&
        seed.extras && { shipping: { amount: money(told("section", totals.shipping)), currency: "AUD" } }),
      supplier: { ...seed.supplier, taxRegistrations: { type: "ABN", value: "51 824 753 556" } },
      billTo: seed.billTo,
      ...seed.places,
      comments: seed.comments,
      lineItems,
      invoiceSummary: {
        subtotal: money(subtotal),
        taxAmount: money(tax),
        ...(seed.breakdown && {
          taxBreakdown: [
            {
              taxType: "GST",
              taxRate: seed.rate,
              taxableAmount: money(subtotal),
              taxAmount: money(told("tax part", tax)),
            },
          ],
        }),
        ...(seed.extras && {
          shippingAmount: money(shipping),
          specialHandlingAmount: money(handling),
          discountAmount: money(discount),
          depositAmount: money(deposit),
        }),
        ...(seed.lineTotals && { grossAmount: money(gross), netAmount: money(net) }),
        dueAmount: money(told("due", net - deposit)),
        currency: "AUD",
      },
      extrinsics: seed.extrinsics,
    },
  }
}

const LINE_AMOUNTS = [
  "quantity",
  "unitPrice",
  "subtotal",
  "taxRate",
  "taxAmount",
  "shippingAmount",
  "discountAmount",
  "grossAmount",
  "netAmount",
] as const
const STRANGE = [
  ...[0, -0.01, 10, 0.1, 7.5, 1, 7.65, 0.76, 0.77, 8.41, 8.42, 8.43, 13.55, 14.9, 14.91],
  ...[123_456_789_012_345, 1_234_567_890_123.45, 999_999_999.99, -999_999_999.99, 1e21, 1e-7, 0.005],
] as const

/** Invoices with amounts that nobody writes, amounts that are missing, and names that need escapes. */
export const strangeInvoice: fc.Arbitrary<unknown> = fc
  .tuple(
    soundInvoice,
    fc.array(
      fc.record({
        line: fc.nat({ max: 3 }),
        field: fc.constantFrom(...LINE_AMOUNTS),
        value: fc.option(fc.constantFrom(...STRANGE), { nil: undefined }),
      }),
      { minLength: 1, maxLength: 6 },
    ),
    fc.constantFrom("plain", 'a "quote"', "back\\slash", "line\nbreak", "\u2028", "😀", "1e5", ":"),
  )
  .map(([invoice, changes, name]) => {
    const lineItems = invoice.data.lineItems.map((line, index): object => {
      const own = changes.filter((change) => change.line === index)
      return { ...line, ...Object.fromEntries(own.map(({ field, value }) => [field, value])) }
    })
    return { ...invoice, data: { ...invoice.data, lineItems, extrinsics: { [name]: { [name]: 1.5 } } } }
  })
