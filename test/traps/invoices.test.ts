/** The traps of the invoice contract, by their numbers. */
import { describe, expect, it } from "vitest"
import { examine } from "../../src/invoice/examine.ts"
import { fullInvoice, minimalDraft, minimalInvoice } from "../invoice/samples.ts"

/** The rules that a document breaks, as the contract alone has them. */
function broken(document: unknown, stage: "canonical" | "draft" = "canonical"): string[] {
  const text = typeof document === "string" ? document : JSON.stringify(document)
  return examine(text, { stage, accounting: false, strict: false, rules: {} }).map(
    ({ rule, pointer, property }) => `${rule} ${pointer}${property === undefined ? "" : `/${property}`}`,
  )
}

/** The minimal invoice with some of its data changed; undefined takes a field out. */
function withData(changes: object, invoice: { data: object } = minimalInvoice()) {
  return JSON.parse(JSON.stringify({ ...invoice, data: { ...invoice.data, ...changes } }))
}

/** Its JSON, with a number for one of its amounts as it is written here. */
function withAmount(written: string): string {
  const { invoiceSummary } = minimalInvoice().data
  return JSON.stringify(withData({ invoiceSummary: { ...invoiceSummary, subtotal: "WRITTEN" } })).replace(
    '"WRITTEN"',
    written,
  )
}

describe("traps of invoices", () => {
  it("38. docType, correlationId and timestamp are the service's: a sender's draft has none", () => {
    const draft = minimalDraft()
    expect(draft).not.toHaveProperty("docType")
    expect(broken(draft, "draft")).toEqual([])
    for (const field of ["docType", "correlationId", "timestamp"])
      expect(broken(draft)).toContain(`contract/required /${field}`)
  })

  it.each([
    "canonical",
    "draft",
  ] as const)("39. purpose is never filled in for the sender of a %s", (stage) => {
    const invoice = stage === "draft" ? minimalDraft() : minimalInvoice()
    expect(broken(withData({ purpose: undefined }, invoice), stage)).toEqual([
      "contract/required /data/purpose",
    ])
  })

  it("40. a remit-to may have address and bank details, and nothing else", () => {
    const { remitTo } = fullInvoice().data
    expect(Object.keys(remitTo ?? {})).toContain("bankDetails")
    expect(broken(withData({ remitTo }))).toEqual([])
    expect(broken(withData({ remitTo: { ...remitTo, iban: "x" } }))).toEqual([
      "contract/additionalProperties /data/remitTo/iban",
    ])
  })

  it.each([
    ["2026-11-20T09:00:00+10:00", true],
    ["2026-11-20T09:00:00Z", true],
    ["2026-11-20 09:00:00+10:00", false],
    ["2026-11-20T09:00:00+1000", false],
    ["2026-02-31T09:00:00Z", false],
    ["2026-11-20T09:00:00", false],
    ["2026-11-20", false],
  ])("41. a date-time is strict, and says what is wrong: %s", (invoiceDate, good) => {
    const text = JSON.stringify(withData({ invoiceDate }))
    const found = examine(text, { stage: "canonical", accounting: false, strict: false, rules: {} })
    expect(found.map(({ rule }) => rule)).toEqual(good ? [] : ["contract/format"])
    for (const { message } of found) expect(message).not.toBe("")
  })

  it("42. a multiple of 0.01 is judged as it is written", () => {
    const wrong = Array.from({ length: 10_000 }, (_, cents) => (cents / 100).toFixed(2)).filter(
      (written) => broken(withAmount(written)).length > 0,
    )
    expect(wrong).toEqual([])
    for (const written of ["1.005", "0.001", "19.990000000000000000001", "4503599627370497.505"])
      expect(broken(withAmount(written))).toEqual(["contract/multipleOf /data/invoiceSummary/subtotal"])
  })

  it("43. amounts may be negative, as a credit memo's are", () => {
    expect(broken(withAmount("-19.99"))).toEqual([])
  })

  it("44. taxRegistrations is an object and not a list", () => {
    const { supplier } = fullInvoice().data
    const { taxRegistrations } = supplier
    expect(broken(withData({ supplier }))).toEqual([])
    expect(broken(withData({ supplier: { ...supplier, taxRegistrations: [taxRegistrations] } }))).toEqual([
      "contract/type /data/supplier/taxRegistrations",
    ])
  })

  it("45. unit codes are not packaging codes, and inco terms are lower case", () => {
    const [line] = minimalInvoice().data.lineItems
    const unit = (unitOfMeasure: string) => broken(withData({ lineItems: [{ ...line, unitOfMeasure }] }))
    expect([unit("CT"), unit("EA")]).toEqual([[], []])
    // The booking's satchel is not a unit that is billed; an each is not a packaging.
    expect(unit("ea")).toEqual(["contract/enum /data/lineItems/0/unitOfMeasure"])
    const { shipping } = fullInvoice().data
    const terms = (incoTerms: string) => broken(withData({ shipping: { ...shipping, incoTerms } }))
    expect(terms("exw")).toEqual([])
    expect(terms("EXW")).toHaveLength(1)
  })

  it("46. 30.0 is an integer, null is not absent, and an empty email is fine", () => {
    const [line] = minimalInvoice().data.lineItems
    const numbered = JSON.stringify(withData({ lineItems: [{ ...line, invoiceLineNumber: "WRITTEN" }] }))
    const withNumber = (written: string) => broken(numbered.replace('"WRITTEN"', written))
    expect([withNumber("30.0"), withNumber("3e1")]).toEqual([[], []])
    expect(withNumber("30.5")).toEqual(["contract/type /data/lineItems/0/invoiceLineNumber"])
    expect(broken(withData({ comments: undefined }))).toEqual([])
    expect(broken(withData({ comments: null }))).toEqual(["contract/type /data/comments"])
    const contacts = (email: string) => broken(withData({ contacts: [{ role: "billTo", email }] }))
    expect(contacts("")).toEqual([])
    expect(contacts("x")).toHaveLength(1)
  })
})
