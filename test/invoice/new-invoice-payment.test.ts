/** Where and when to pay, and whom to ask: bank details, terms and contact of a new invoice. */
import { describe, expect, it } from "vitest"
import { valueOrThrow } from "../../src/contract/parsed.ts"
import { FreightError } from "../../src/errors.ts"
import type { InvoiceTexts } from "../../src/invoice/new/ask.ts"
import { readInvoice } from "../../src/invoice/new/ask.ts"
import { createDraft } from "../../src/invoice/new/draft.ts"
import { parseAccountNumber, parseBsb, parseContact, parseTerms } from "../../src/invoice/new/payment.ts"

const GIVEN: InvoiceTexts = {
  purpose: "standard",
  number: "INV-1",
  po: "PO-7",
  supplierId: "S-1",
  supplierName: "Harbour Lighting",
  abn: "51824753556",
  billTo: "1 Harbour Street, Sydney NSW 2000",
  line: ["2 x Lamp @ 19.99 EA"],
}
const read = (texts: Partial<InvoiceTexts>) => readInvoice({ ...GIVEN, ...texts }, "2026-11-20")
const dataOf = (texts: Partial<InvoiceTexts>) => createDraft(read(texts), "freight-cli/1.0.0").data

const reasonOf = (result: { ok: true } | { ok: false; reason: string }) => (result.ok ? "" : result.reason)

describe("bank details", () => {
  it.each([
    ["062-000", "062-000"],
    ["062000", "062-000"],
    [" 062 000 ", "062-000"],
  ])("the BSB %j", (text, bsb) => {
    expect(valueOrThrow(parseBsb(text), "bsb")).toBe(bsb)
  })

  it.each(["62-000", "0620001", "BSB 062-000", ""])("%j is not a BSB", (text) => {
    expect(reasonOf(parseBsb(text))).toBe(`"${text}" is not a BSB: it has six digits, such as 062-000`)
  })

  it.each([
    ["12345678", "12345678"],
    ["1234 5678", "12345678"],
    ["0012-345", "0012345"],
  ])("the account number %j", (text, number) => {
    expect(valueOrThrow(parseAccountNumber(text), "number")).toBe(number)
  })

  it.each(["123", "12345678901", "AU12", ""])("%j is not an account number", (text) => {
    expect(reasonOf(parseAccountNumber(text))).toBe(
      `"${text}" is not an account number: it has 4 to 10 digits`,
    )
  })

  it("are where to pay, in the supplier's name unless another is given", () => {
    const bank = { bsb: "062000", accountNumber: "1234 5678" }
    expect(dataOf(bank).remitTo).toEqual({
      bankDetails: { accountName: "Harbour Lighting", accountNumber: "12345678", bsb: "062-000" },
    })
    expect(dataOf({ ...bank, accountName: "Harbour Pty Ltd" }).remitTo?.bankDetails?.accountName).toBe(
      "Harbour Pty Ltd",
    )
    expect(dataOf({})).not.toHaveProperty("remitTo")
  })

  it.each<[Partial<InvoiceTexts>, string]>([
    [{ bsb: "062-000" }, "--account-number: Account number to pay into"],
    [{ accountNumber: "12345678" }, "--bsb: BSB of the account to pay into (062-000)"],
    [{ accountName: "Harbour" }, "--bsb: BSB of the account to pay into (062-000)"],
  ])("are whole: %j", (texts, missing) => {
    try {
      read(texts)
    } catch (error) {
      if (!(error instanceof FreightError)) throw error
      expect(error.errors?.[0]?.message).toBe(missing)
      return
    }
    throw new Error("it was not refused")
  })
})

describe("payment terms", () => {
  it.each<[string, object]>([
    ["30 days", { netDays: 30 }],
    ["30", { netDays: 30 }],
    ["net 30", { netDays: 30 }],
    ["Net 14 days", { netDays: 14 }],
    ["30 days net", { netDays: 30 }],
    ["due on receipt", { description: "due on receipt", netDays: 0 }],
    ["COD", { description: "COD", netDays: 0 }],
    ["30 days from end of month", { description: "30 days from end of month" }],
    ["2/10 net 30", { netDays: 30, discountTerms: [{ discountPercent: 2, discountDays: 10 }] }],
    ["1.5% 7 days, 30 days", { netDays: 30, discountTerms: [{ discountPercent: 1.5, discountDays: 7 }] }],
    ["2% within 10 days, net 30", { netDays: 30, discountTerms: [{ discountPercent: 2, discountDays: 10 }] }],
  ])("%j", (text, terms) => {
    expect(valueOrThrow(parseTerms(text), "terms")).toEqual(terms)
  })

  it.each(["", "0/10 net 30", "2/40 net 30", "120/10 net 30", "400 days"])("%j is refused", (text) => {
    expect(parseTerms(text).ok).toBe(false)
  })

  it("set the day of payment, unless one is given", () => {
    const { dueDate, paymentTerms } = dataOf({ terms: "30 days" })
    expect([dueDate, paymentTerms]).toEqual(["2026-12-20T00:00:00Z", { netDays: 30 }])
    expect(dataOf({ terms: "30 days from end of month" })).not.toHaveProperty("dueDate")
    expect(dataOf({ terms: "30 days", due: "2026-12-20" }).dueDate).toBe("2026-12-20T00:00:00Z")
  })
})

describe("the contact", () => {
  it.each<[string, object]>([
    ["Mia Tran", { name: "Mia Tran" }],
    [
      "Mia Tran, 02 9555 0134, accounts@harbour.example",
      { name: "Mia Tran", phone: "02 9555 0134", email: "accounts@harbour.example" },
    ],
    [
      "accounts@harbour.example; +61 2 9555 0134",
      { phone: "+61 2 9555 0134", email: "accounts@harbour.example" },
    ],
  ])("%j", (text, contact) => {
    expect(valueOrThrow(parseContact(text), "contact")).toEqual(contact)
  })

  it.each([
    ["", '"" names nobody: write it as "Mia Tran, 02 9555 0134, accounts@example.com"'],
    ["Mia, Tom", '"Mia, Tom" has two names: write it as "Mia Tran, 02 9555 0134, accounts@example.com"'],
    ["mia@", '"mia@" is not an email address: there is nothing after the @'],
  ])("%j is refused", (text, reason) => {
    expect(reasonOf(parseContact(text))).toBe(reason)
  })

  it("is the supplier's", () => {
    expect(dataOf({ contact: "Mia Tran, 02 9555 0134" }).supplier.contact).toEqual({
      name: "Mia Tran",
      phone: "02 9555 0134",
    })
  })
})

describe("a credit memo", () => {
  it("asks for no payment", () => {
    const texts = { purpose: "creditMemo", refersTo: "INV-0", bsb: "062-000", accountNumber: "12345678" }
    const data = dataOf({ ...texts, terms: "30 days", contact: "Mia Tran" })
    expect([data.remitTo, data.paymentTerms, data.dueDate]).toEqual([undefined, undefined, undefined])
    expect(data.supplier.contact).toEqual({ name: "Mia Tran" })
  })
})
