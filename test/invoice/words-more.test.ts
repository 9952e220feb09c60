import { describe, expect, it } from "vitest"
import { examine } from "../../src/invoice/examine.ts"
import { describePlace } from "../../src/invoice/labels.ts"
import { fullDraft, fullInvoice } from "./samples.ts"
import { LINE, said } from "./sayings.ts"
import { raw, withChange, written } from "./writer.ts"

describe("what is said of a fault", () => {
  it("names the field that was meant by an unknown one", () => {
    const { unitPrice, ...line } = fullInvoice().data.lineItems[1] ?? {}
    expect(said(LINE, { ...line, unitprice: unitPrice })).toEqual([
      'line item 2: unit price is missing — rename "unitprice" to "unitPrice"',
      'line item 2: there is no field "unitprice" here — did you mean "unitPrice"?',
    ])
  })

  it("can be said of any object in the place of a value", () => {
    const { text } = written(withChange(fullInvoice(), ["data", "isERS"], { toString: null }))
    const [finding] = examine(text, { stage: "canonical", accounting: false, strict: false, rules: {} })
    expect(finding?.message).toContain("must be true or false")
  })

  it("does not point to --draft when a draft misses what is its own", () => {
    const { text } = written(withChange(fullDraft(), ["metadata"], undefined))
    const [finding] = examine(text, { stage: "draft", accounting: false, strict: false, rules: {} })
    expect(finding?.hint).toBe(
      'after this {, write "metadata": { "sourceLanguage": "json", "sourceVersion": "...", "userAgent": "..." } and a comma',
    )
  })

  it.each([
    ["a value", ["data", "purpose"]],
    ["a name", ["data", "\u001b[2J\u202eevil\n"]],
    ["a date", ["data", "dueDate"]],
    ["an email", ["data", "contacts", 0, "email"]],
    ["an id", ["correlationId"]],
  ])("shows no control characters of %s, and not much of it", (_, path) => {
    const [message = ""] = said(path, `\u001b[2J\u0007\u009b31m\u202eevil\n@${"x".repeat(1_000_000)}`)
    expect(message).toMatch(/^[\P{C}]{1,400}$/u)
  })

  it("shows not much of a number of a million digits", () => {
    const [message = ""] = said(["data", "shipping", "amount"], raw(`0.${"1".repeat(1_000_000)}`))
    expect(message).toMatch(/^shipping, amount: 0\.1{37}… has more than 2 decimals$/)
  })
})

describe("places in words", () => {
  it.each([
    ["", "invoice"],
    ["/data", "invoice"],
    ["/metadata/userAgent", "metadata, user agent"],
    ["/data/lineItems", "line items"],
    ["/data/lineItems/2/unitPrice", "line item 3, unit price"],
    ["/data/lineItems/0/classification/1/code", "line item 1, classification 2, code"],
    ["/data/lineItems/0/serialNumbers/1", "line item 1, serial number 2"],
    ["/data/invoiceSummary/taxBreakdown/0/taxableAmount", "summary, tax part 1, taxable amount"],
    ["/data/remitTo/bankDetails/bsb", "remit to, bank details, BSB"],
    ["/data/poReferences/0/poNumber", "purchase order 1, purchase order number"],
    ["/data/paymentTerms/discountTerms/0/discountDays", "payment terms, discount 1, discount days"],
    ["/data/extrinsics/cost centre", "extension fields, cost centre"],
    ["/data/extrinsics/constructor", "extension fields, constructor"],
    ["/data/extrinsics/\u001b[31m", "extension fields"],
  ])("%j is %s", (pointer, words) => {
    expect(describePlace(pointer)).toBe(words)
  })
})
