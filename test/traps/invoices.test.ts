/** The traps of the invoice contract, by their numbers: documents written by hand, and the verdict that each must get. */
import { describe, expect, it } from "vitest"
import { desk } from "../acceptance/freight.ts"

const ADDRESS = {
  street1: "1 Harbour Street",
  city: "Sydney",
  state: "NSW",
  postalCode: "2000",
  country: "AU",
}
const LINE = { invoiceLineNumber: 1, quantity: 2, unitPrice: 4.5, subtotal: 9, currency: "AUD" }
const SUMMARY = { subtotal: 9, taxAmount: 0.9, dueAmount: 9.9, currency: "AUD" }
const SUPPLIER = { id: "S-1", name: "Pumps & Co" }
const DATA = {
  invoiceNumber: "INV-1",
  poNumber: "PO-1",
  invoiceDate: "2026-11-20T09:00:00+11:00",
  purpose: "standard",
  supplier: SUPPLIER,
  billTo: ADDRESS,
  lineItems: [LINE],
  invoiceSummary: SUMMARY,
}
/** As a sender has it. */
const DRAFT = { metadata: { sourceLanguage: "json", sourceVersion: "1", userAgent: "by hand" }, data: DATA }
const MANAGED = {
  docType: "INV",
  correlationId: "7d0c9bd0-5c3f-4a80-8a3c-0f6f0a4f5d11",
  timestamp: "2026-11-20T09:30:00Z",
}

type Stage = "complete" | "draft"

/** Each rule of the contract that the document breaks, and where: nothing for a good one. */
async function broken(document: object | string, stage: Stage = "complete"): Promise<string[]> {
  const input = typeof document === "string" ? document : JSON.stringify(document)
  const { freight } = await desk()
  const words = ["invoice", "validate", "-", `--${stage}`, "--no-accounting", "--json"]
  const { code, stdout } = await freight(words, { input, isFolderless: true })
  const { items } = JSON.parse(stdout)
  const [{ valid, findings }] = items
  expect([items.length, code, valid]).toEqual([1, findings.length > 0 ? 1 : 0, findings.length === 0])
  return findings.map(
    ({ rule, pointer, property }: Record<string, string | null>) =>
      `${rule} ${pointer}${property === null ? "" : `/${property}`}`,
  )
}

/** The complete document with some of its data changed; undefined takes a field out. */
const withData = (changes: object) => ({ ...MANAGED, ...DRAFT, data: { ...DATA, ...changes } })
const withLine = (changes: object) => withData({ lineItems: [{ ...LINE, ...changes }] })
const withSupplier = (changes: object) => withData({ supplier: { ...SUPPLIER, ...changes } })

/** JSON in which the text WRITTEN stands for a number, as it is written here. */
const written = (document: object, number: string) => JSON.stringify(document).replaceAll('"WRITTEN"', number)
const withAmount = (number: string) =>
  written(withData({ invoiceSummary: { ...SUMMARY, subtotal: "WRITTEN" } }), number)

describe("traps of invoices", () => {
  it("38. docType, correlationId and timestamp are the service's: a sender's draft has none", async () => {
    expect(await broken(DRAFT, "draft")).toEqual([])
    expect(await broken(withData({}))).toEqual([])
    expect((await broken(DRAFT)).sort()).toEqual(
      ["correlationId", "docType", "timestamp"].map((field) => `contract/required /${field}`),
    )
  })

  it.each([
    "complete",
    "draft",
  ] as const)("39. purpose is never filled in for the sender: %s", async (stage) => {
    expect(await broken(withData({ purpose: undefined }), stage)).toEqual(["contract/required /data/purpose"])
  })

  const BANK = { bankName: "B", accountName: "P", accountNumber: "1", bsb: "062-000", swift: "S", iban: "I" }
  it.each([
    ["an address and bank details", { ...ADDRESS, addressee: "Accounts", bankDetails: BANK }, []],
    ["bank details alone", { bankDetails: BANK }, []],
    ["nothing", {}, []],
    [
      "a field of the bank's",
      { ...ADDRESS, iban: "x" },
      ["contract/additionalProperties /data/remitTo/iban"],
    ],
    [
      "a field of the address among the bank's",
      { bankDetails: { city: "Sydney" } },
      ["contract/additionalProperties /data/remitTo/bankDetails/city"],
    ],
  ])("40. a remit-to with %s", async (_, remitTo, verdict) => {
    expect(await broken(withData({ remitTo }))).toEqual(verdict)
  })

  it.each([
    ["2026-11-20T09:00:00+10:00", true],
    ["2026-11-20T09:00:00.5Z", true],
    ["2028-02-29T09:00:00Z", true],
    ["2026-11-20 09:00:00+10:00", false],
    ["2026-11-20T09:00:00+1000", false],
    ["2026-11-20T09:00:00+10", false],
    ["2026-02-31T09:00:00Z", false],
    ["2026-02-29T09:00:00Z", false],
    ["2026-11-20T24:00:00Z", false],
    ["2026-11-20T09:00Z", false],
    ["2026-11-20T09:00:00", false],
    ["2026-11-20", false],
    ["", false],
  ])("41. a date-time is strict: %s", async (invoiceDate, good) => {
    expect(await broken(withData({ invoiceDate }))).toEqual(good ? [] : ["contract/format /data/invoiceDate"])
  })

  it("42. a multiple of 0.01 is judged as it is written: 10,000 good amounts", async () => {
    const amounts = Array.from({ length: 10_000 }, (_, cents) => (cents / 100).toFixed(2))
    const lines = amounts.map((amount) => written({ ...LINE, subtotal: "WRITTEN" }, amount)).join()
    const document = JSON.stringify(withData({ lineItems: ["LINES"] })).replace('"LINES"', lines)
    expect(await broken(document)).toEqual([])
  })

  it.each([
    ["1e2", true],
    ["115e-2", true],
    ["1.1500", true],
    ["1.005", false],
    ["0.001", false],
    ["19.990000000000000000001", false],
    ["4503599627370497.505", false],
  ])("42. a multiple of 0.01 is judged as it is written: %s", async (amount, good) => {
    expect(await broken(withAmount(amount))).toEqual(
      good ? [] : ["contract/multipleOf /data/invoiceSummary/subtotal"],
    )
  })

  it.each([
    ["1.0001", true],
    ["0.00001", false],
  ])("42. a unit price is a multiple of 0.0001: %s", async (price, good) => {
    expect(await broken(written(withLine({ unitPrice: "WRITTEN" }), price))).toEqual(
      good ? [] : ["contract/multipleOf /data/lineItems/0/unitPrice"],
    )
  })

  it("43. amounts may be negative, as a credit memo's are", async () => {
    const memo = {
      purpose: "creditMemo",
      lineItems: [{ ...LINE, quantity: -2, subtotal: -9 }],
      invoiceSummary: { ...SUMMARY, subtotal: -9, taxAmount: -0.9, dueAmount: -9.9 },
    }
    expect(await broken(withData(memo))).toEqual([])
  })

  it("44. taxRegistrations is an object and not a list", async () => {
    const taxRegistrations = { type: "ABN", value: "51 824 753 556" }
    expect(await broken(withSupplier({ taxRegistrations }))).toEqual([])
    expect(await broken(withSupplier({ taxRegistrations: [taxRegistrations] }))).toEqual([
      "contract/type /data/supplier/taxRegistrations",
    ])
  })

  // These of the ten packaging codes are unit codes too.
  it.each([
    ...["CT", "BX", "SA", "BG", "DR", "RO", "EA", "C62"].map((code) => [code, true] as const),
    ...["PA", "EN", "CR", "PC", "ea", ""].map((code) => [code, false] as const),
  ])("45. unit codes are not packaging codes: %s", async (unitOfMeasure, good) => {
    expect(await broken(withLine({ unitOfMeasure }))).toEqual(
      good ? [] : ["contract/enum /data/lineItems/0/unitOfMeasure"],
    )
  })

  it("45. inco terms are lower case", async () => {
    expect(await broken(withData({ shipping: { incoTerms: "exw" } }))).toEqual([])
    expect(await broken(withData({ shipping: { incoTerms: "EXW" } }))).toEqual([
      "contract/enum /data/shipping/incoTerms",
    ])
  })

  it.each([
    ["30.0", true],
    ["3e1", true],
    ["30.5", false],
  ])("46. 30.0 is an integer: %s", async (number, good) => {
    expect(await broken(written(withLine({ invoiceLineNumber: "WRITTEN" }), number))).toEqual(
      good ? [] : ["contract/type /data/lineItems/0/invoiceLineNumber"],
    )
  })

  it.each([
    ["no comment", {}, []],
    ["null", { comments: null }, ["contract/type /data/comments"]],
    ["an empty email", { contacts: [{ role: "billTo", email: "" }] }, []],
    [
      "a wrong email",
      { contacts: [{ role: "billTo", email: "x" }] },
      ["contract/format /data/contacts/0/email"],
    ],
    ["an extrinsic that is null", { extrinsics: { own: null } }, []],
  ])("46. null is not absent, and an empty email is fine: %s", async (_, changes, verdict) => {
    expect(await broken(withData(changes))).toEqual(verdict)
  })
})
