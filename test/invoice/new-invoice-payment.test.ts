/** Where and when to pay, and whom to ask: bank details, terms and contact of a new invoice. */
import { describe, expect, it } from "vitest"
import { FreightError } from "../../src/base/errors.ts"
import type { InvoiceTexts } from "../../src/invoice/new/ask.ts"
import { readInvoice } from "../../src/invoice/new/ask.ts"
import { createDraft } from "../../src/invoice/new/draft.ts"

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

describe("bank details", () => {
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
  it("set the day of payment, unless one is given", () => {
    const { dueDate, paymentTerms } = dataOf({ terms: "30 days" })
    expect([dueDate, paymentTerms]).toEqual(["2026-12-20T00:00:00Z", { netDays: 30 }])
    expect(dataOf({ terms: "30 days from end of month" })).not.toHaveProperty("dueDate")
    expect(dataOf({ terms: "30 days", due: "2026-12-20" }).dueDate).toBe("2026-12-20T00:00:00Z")
  })
})

it("names the supplier's contact", () => {
  const contact = { name: "Mia Tran", phone: "02 9555 0134" }
  expect(dataOf({ contact: "Mia Tran, 02 9555 0134" }).supplier.contact).toEqual(contact)
})

describe("a credit memo", () => {
  it("asks for no payment", () => {
    const texts = { purpose: "creditMemo", refersTo: "INV-0", bsb: "062-000", accountNumber: "12345678" }
    const data = dataOf({ ...texts, terms: "30 days", contact: "Mia Tran" })
    expect([data.remitTo, data.paymentTerms, data.dueDate]).toEqual([undefined, undefined, undefined])
    expect(data.supplier.contact).toEqual({ name: "Mia Tran" })
  })
})
