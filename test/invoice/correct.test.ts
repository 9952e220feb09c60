/** How a correction changes the amounts of an invoice, without a command around it. */
import { describe, expect, it } from "vitest"
import type { InvoiceData } from "../../src/contract/generated/types.ts"
import {
  cancelInvoice,
  type Correction,
  creditInvoice,
  type InvoiceChanges,
  updateInvoice,
} from "../../src/invoice/correct/correct.ts"
import { parseLineChange, parseLineCredit } from "../../src/invoice/correct/line-texts.ts"
import { examine } from "../../src/invoice/examine.ts"
import { parseLine, parseShipping } from "../../src/invoice/new/texts.ts"
import { valueOrThrow } from "../../src/base/parsed.ts"
import { readStep } from "../../src/invoice/steps.ts"
import { fullInvoice, minimalInvoice } from "./samples.ts"

const WRITER = { userAgent: "test", today: "2026-11-29" }
const sent = (data: InvoiceData) => ({ data })

/** The rules of accounting that a document breaks. */
function findBroken({ document }: Correction): string[] {
  const options = { stage: "draft", accounting: true, strict: false, rules: {} } as const
  return examine(JSON.stringify(document), options).map(({ rule }) => rule)
}

interface Typed {
  change?: string[]
  remove?: number[]
  add?: string[]
  shipping?: string
  set?: string[]
}

function update(data: InvoiceData, { change = [], remove = [], add = [], shipping, set = [] }: Typed) {
  const changes: InvoiceChanges = {
    lines: change.map((text) => valueOrThrow(parseLineChange(text), text)),
    removed: remove,
    added: add.map((text) => valueOrThrow(parseLine(text), text)),
    shipping: shipping === undefined ? undefined : valueOrThrow(parseShipping(shipping), shipping),
    sets: set,
  }
  return updateInvoice(sent(data), changes, WRITER)
}

function credit(data: InvoiceData, lines?: string[], shipping?: string) {
  const parts = {
    number: "CM-1",
    date: "2026-11-29T00:00:00Z",
    sets: [],
    ...(lines && { lines: lines.map((text) => valueOrThrow(parseLineCredit(text), text)) }),
    ...(shipping !== undefined && { shipping: valueOrThrow(parseShipping(shipping), shipping) }),
  }
  return creditInvoice(sent(data), parts, WRITER)
}

const FULL = fullInvoice().data

/** One line of 10 pieces of 10.00 with a discount of 5.00, which is taken off before tax or after. */
function discounted(isBeforeTax: boolean): InvoiceData {
  const { data } = minimalInvoice()
  const tax = isBeforeTax ? 9.5 : 10
  const [line] = data.lineItems
  if (!line) throw new Error("there is a line")
  return {
    ...data,
    lineItems: [
      { ...line, quantity: 10, unitPrice: 10, subtotal: 100, taxAmount: tax, taxRate: 10, discountAmount: 5 },
    ],
    invoiceSummary: {
      subtotal: 100,
      taxAmount: tax,
      discountAmount: 5,
      grossAmount: 100 + tax,
      netAmount: 95 + tax,
      depositAmount: 20,
      dueAmount: 75 + tax,
      currency: "AUD",
    },
  }
}

describe("an update of a full document", () => {
  it.each<[string, Typed]>([
    ["another quantity", { change: ["1=7 x"], set: ["lineItems.0.discountAmount=0"] }],
    ["another price", { change: ["2=@ 3.25"], set: ["lineItems.1.discountAmount=0"] }],
    ["a line without tax", { change: ["2=tax 0"] }],
    ["one more line, without tax", { add: ["1 x Book @ 30 tax 0"] }],
    ["one more line, with tax", { add: ["3 x Nail @ 0.3333"] }],
    ["a line less", { remove: [2] }],
    ["another deposit", { set: ["invoiceSummary.depositAmount=1.23"] }],
    ["another address", { set: ["billTo.street1=2 Harbour Street"] }],
  ])("has totals that agree: %s", (_, typed) => {
    const broken = findBroken(cancelInvoice(sent(FULL), [], WRITER))
    expect(findBroken(update(FULL, typed)).filter((rule) => !broken.includes(rule))).toEqual([])
  })

  it("moves each total by what the line comes to, and no other amount", () => {
    const { document, due } = update(FULL, { add: ["1 x Cord @ 10"] })
    const [before, after] = [FULL.invoiceSummary, document.data.invoiceSummary]
    expect(after.subtotal - before.subtotal).toBeCloseTo(10, 6)
    expect(after.taxAmount - before.taxAmount).toBeCloseTo(1, 6)
    expect(due.after - due.before).toBeCloseTo(11, 6)
    expect(after.depositAmount).toBe(before.depositAmount)
    expect(document.data.lineItems.slice(0, -1)).toEqual(
      FULL.lineItems.map(({ uniqueLineKey: _, ...line }) => line),
    )
  })

  it.each([
    ["12.34", 12.34, 1.23],
    ["12.34 tax 0", 12.34, 0],
    ["0", 0, 0],
  ])("takes shipping as %s, which was taxed, and not where it stands on lines", (text, shipping, tax) => {
    expect(() => update(FULL, { shipping: text })).toThrow("the shipping of this invoice is on its lines")
    const { data } = minimalInvoice()
    const { invoiceSummary: sums } = data
    data.shipping = { amount: 5, currency: "AUD" }
    Object.assign(sums, { shippingAmount: 5, taxAmount: 1.5, dueAmount: 16.5 })
    const changed = update(data, { shipping: text })
    expect(findBroken(changed)).toEqual([])
    expect(changed.document.data).toMatchObject({
      shipping: { amount: shipping },
      invoiceSummary: { shippingAmount: shipping, taxAmount: 1 + tax, dueAmount: 11 + shipping + tax },
    })
    Object.assign(sums, { taxAmount: 1.25 })
    expect(() => update(data, { shipping: text })).toThrow("does not say at which rate it is taxed")
    Object.assign(data.lineItems[0] ?? {}, { taxRate: 10, taxAmount: 1 })
    expect(() => update(data, { shipping: text })).toThrow("nothing shows how the shipping of 5.00 was taxed")
  })

  it("reads the rate of lines whose tax is only added up, also where each was rounded", () => {
    const { data } = minimalInvoice()
    const [line] = data.lineItems
    if (!line) throw new Error("there is a line")
    data.lineItems = [1, 2, 3, 4].map((invoiceLineNumber) => ({
      ...line,
      ...{ invoiceLineNumber, unitPrice: 0.45, quantity: 1, subtotal: 0.45 },
    }))
    // 0.045 of each is 0.05, and 0.18 of all is not 0.20.
    Object.assign(data.invoiceSummary, { subtotal: 1.8, taxAmount: 0.2, dueAmount: 2 })
    expect(update(data, { change: ["1=2 x"] }).document.data.invoiceSummary).toMatchObject({
      subtotal: 2.25,
      taxAmount: 0.24,
      dueAmount: 2.49,
    })
  })

  it("takes out a part of the tax that nothing has any more", () => {
    const data: InvoiceData = { ...minimalInvoice().data }
    data.invoiceSummary.taxBreakdown = [{ taxType: "GST", taxRate: 10, taxableAmount: 10, taxAmount: 1 }]
    expect(update(data, { change: ["1=tax 0"] }).document.data.invoiceSummary).toMatchObject({
      taxAmount: 0,
      taxBreakdown: [{ taxType: "GST", taxRate: 0, taxableAmount: 10, taxAmount: 0 }],
      dueAmount: 10,
    })
  })
})

describe("a discount of a line", () => {
  it.each([
    ["before tax", true],
    ["after tax", false],
  ])("stays taken off %s when the line changes, once it is said what it is", (_, isBeforeTax) => {
    const data = discounted(isBeforeTax)
    expect(() => update(data, { change: ["1=12 x"] })).toThrow("has a discount of 5.00, and nothing says")
    const changed = update(data, { change: ["1=12 x"], set: ["lineItems.0.discountAmount=3"] })
    const tax = isBeforeTax ? 11.7 : 12
    expect(changed.document.data.invoiceSummary).toMatchObject({
      subtotal: 120,
      taxAmount: tax,
      discountAmount: 3,
      netAmount: 117 + tax,
      dueAmount: 97 + tax,
    })
  })

  it("is given back by its share, and the deposit is left after a credit of all", () => {
    const part = credit(discounted(true), ["1=4"]).document.data
    expect(part.invoiceSummary).toMatchObject({
      subtotal: -40,
      taxAmount: -3.8,
      discountAmount: -2,
      dueAmount: -41.8,
    })
    const all = credit(discounted(true))
    expect(all.document.data.invoiceSummary).toMatchObject({ netAmount: -104.5, dueAmount: -104.5 })
    expect(all.document.data.invoiceSummary.depositAmount).toBeUndefined()
    expect(all.due).toEqual({ before: 84.5, after: -20 })
  })

  it("on the whole invoice belongs to no line: a credit of lines is refused", () => {
    const data = discounted(true)
    data.invoiceSummary.discountAmount = 8
    expect(() => credit(data, ["1=4"])).toThrow("a discount of 3.00 is given on the whole invoice")
  })
})

describe("a credit", () => {
  it("of a whole document has no finding that the document has not, and gives all of it back", () => {
    const all = credit(FULL)
    expect(findBroken(all)).toEqual([])
    expect(all.document.data.dueDate).toBeUndefined()
    expect(all.document.data.remitTo).toBeUndefined()
    expect(all.changes.filter(({ field }) => /subtotal$/.test(field)).every(({ after }) => after === 0)).toBe(
      true,
    )
  })

  it("of chosen lines names them, and gives back shipping only as it is told", () => {
    const lines = credit(FULL, ["1"])
    expect(lines.document.data.purpose).toBe("lineLevelCreditMemo")
    expect(lines.document.data.invoiceSummary.shippingAmount).toBeUndefined()
    expect(findBroken(lines)).toEqual([])
    const shipped = credit(FULL, ["1"], "10")
    expect(shipped.document.data.invoiceSummary.shippingAmount).toBe(-10)
    expect(findBroken(shipped)).toEqual([])
  })

  it("of all of an invoice that states no net amount leaves out what was taken off", () => {
    const data = discounted(true)
    const { netAmount: _, ...stated } = data.invoiceSummary
    data.invoiceSummary = stated
    const all = credit(data)
    expect(all.document.data.invoiceSummary.dueAmount).toBe(-104.5)
    expect(findBroken(all)).toEqual([])
    expect(readStep(data).total).toBe("104.50")
  })

  it("never asks for money: what gives some back itself is refused", () => {
    const { data } = minimalInvoice()
    const [line] = data.lineItems
    if (!line) throw new Error("there is a line")
    const returned = { ...line, invoiceLineNumber: 2, quantity: -0.5, subtotal: -5, taxAmount: -0.5 }
    data.lineItems = [{ ...line, taxAmount: 1 }, returned]
    Object.assign(data.invoiceSummary, { subtotal: 5, taxAmount: 0.5, dueAmount: 5.5 })
    for (const lines of [["2"], ["2=0.25"]])
      expect(() => credit(data, lines)).toThrow(
        /^the memo would ask for \d\.\d\d, because the lines that it credits give/,
      )
    expect(() => credit(data, ["2=0.51"])).toThrow("line 2 has -0.5: -0.51 cannot be credited")
    expect(credit(data, ["1", "2"]).document.data.invoiceSummary.dueAmount).toBe(-5.5)
    Object.assign(data.invoiceSummary, { subtotal: -5, taxAmount: -0.5, dueAmount: -5.5 })
    data.lineItems = [returned]
    expect(() => credit(data)).toThrow("the memo would ask for 5.50")
  })

  it("of some pieces whose price is rounded gives back their share of the line", () => {
    const { data } = minimalInvoice()
    Object.assign(data.lineItems[0] ?? {}, { quantity: 10_000, unitPrice: 0.3333, subtotal: 3333.33 })
    Object.assign(data.invoiceSummary, { subtotal: 3333.33, taxAmount: 333.33, dueAmount: 3666.66 })
    expect(credit(data, ["1=5000"]).document.data.invoiceSummary).toMatchObject({
      subtotal: -1666.67,
      taxAmount: -166.67,
    })
  })

  it("of most of a line whose discount is all of it asks for no cent that rounding makes", () => {
    const { data } = minimalInvoice()
    const amounts = { quantity: 425, unitPrice: 0.001, subtotal: 0.43, discountAmount: 0.43 }
    Object.assign(data.lineItems[0] ?? {}, amounts)
    Object.assign(data.invoiceSummary, { subtotal: 0.43, taxAmount: 0, discountAmount: 0.43, dueAmount: 0 })
    expect(credit(data, ["1=420.75"]).document.data.invoiceSummary).toMatchObject({
      ...{ subtotal: -0.42, discountAmount: -0.42 },
      dueAmount: 0,
    })
  })

  it("of a whole line gives back what it says, also where that is not in whole cents", () => {
    const { data } = minimalInvoice()
    Object.assign(data.lineItems[0] ?? {}, { quantity: 3, unitPrice: 3.335, subtotal: 10.005 })
    Object.assign(data.invoiceSummary, { subtotal: 10.005, taxAmount: 1, dueAmount: 11.005 })
    expect(credit(data, ["1"]).document.data.lineItems[0]?.subtotal).toBe(-10.005)
    expect(credit(data, ["1=3"]).document.data.lineItems[0]?.subtotal).toBe(-10.005)
  })

  it("is read as it stands for what is due, also with positive amounts", () => {
    const memo: InvoiceData = { ...minimalInvoice().data, purpose: "creditMemo" }
    expect(cancelInvoice(sent(memo), [], WRITER).due).toEqual({ before: -11, after: 0 })
  })
})

describe("--set in a correction", () => {
  it("reaches metadata, and what a reference says besides the number", () => {
    const sets = ["metadata.payloadId=P-9", "documentReference.documentId=D-1"]
    const { data } = minimalInvoice()
    for (const { document } of [cancelInvoice(sent(data), sets, WRITER), update(data, { set: sets })])
      expect(document).toMatchObject({
        metadata: { payloadId: "P-9", userAgent: "test" },
        data: { documentReference: { invoiceId: data.invoiceNumber, documentId: "D-1" } },
      })
    expect(update(data, { set: sets.slice(0, 1) }).document.metadata.payloadId).toBe("P-9")
    const other = ["documentReference.invoiceId=INV-9"]
    expect(() => cancelInvoice(sent(data), other, WRITER)).toThrow("a correction keeps it")
    expect(() => update(data, { set: other })).toThrow("a correction keeps it")
  })
})

describe("a change of a line", () => {
  it("is not made to a line that is taken out", () => {
    const typed = { change: ["2=tax 0"], remove: [2] }
    expect(() => update(FULL, typed)).toThrow("line 2 cannot be changed and taken out")
  })

  it.each([
    ["2=3 x", { line: 2, quantity: 3e6 }],
    ["2=@ 18.50", { line: 2, unitPrice: 18.5e6 }],
    ["2=tax 0", { line: 2, taxRate: 0 }],
    ["2=3 x Lamp, green", { line: 2, quantity: 3e6, description: "Lamp, green" }],
    [
      "2=Lamp @ 18.50 tax 10 EA",
      { line: 2, description: "Lamp", unitPrice: 18.5e6, taxRate: 1e7, unitOfMeasure: "EA" },
    ],
    ["12=1.5x tax 0", { line: 12, quantity: 1.5e6, taxRate: 0 }],
    ["2=3 x tax 10 EA", { line: 2, quantity: 3e6, taxRate: 1e7, unitOfMeasure: "EA" }],
    ["2=Lamp tax 0%", { line: 2, description: "Lamp", taxRate: 0 }],
    ["2=3 x Thumb tacks", { line: 2, quantity: 3e6, description: "Thumb tacks" }],
  ])("is read from %s", (text, expected) => {
    expect(parseLineChange(text)).toEqual({ ok: true, value: expected })
  })

  it.each([
    "2",
    "2=",
    "=3 x",
    "2=Lamp",
    "2=@",
    "2=3",
    "2=x x",
    "2=3 x @ free",
    "2=tax 7",
    "2=3 x EA",
    "2=3 x Sales tax 10 guide",
  ])("is not read from %s", (text) => {
    expect(parseLineChange(text).ok).toBe(false)
  })
})
