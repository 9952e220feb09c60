/** Which totals are worked out, and which are left to a person. */
import { describe, expect, it } from "vitest"
import { fixDocument } from "../../../src/invoice/fixes/fix.ts"
import { applyEdits } from "../../../src/invoice/fixes/splice.ts"
import { minimalDraft } from "../samples.ts"

const OPTIONS = { stage: "draft", accounting: true, strict: false, rules: {} } as const

/** The summary after `--fix=totals`. The lines have subtotals of 59.97 and 139.93, without tax or with it. */
function fixed(summary: object, more: object = {}): unknown {
  const draft = minimalDraft()
  const [line] = draft.data.lineItems
  const lineItems = [
    { ...line, quantity: 3, unitPrice: 19.99, subtotal: 59.97, ...more },
    { ...line, invoiceLineNumber: 2, quantity: 7, unitPrice: 19.99, subtotal: 139.93, ...more },
  ]
  const text = JSON.stringify({ ...draft, data: { ...draft.data, lineItems, invoiceSummary: summary } })
  const edits = fixDocument(text, { examine: OPTIONS, totals: true })
  return JSON.parse(applyEdits(text, edits)).data.invoiceSummary
}

const AUD = { currency: "AUD" }
const RIGHT = {
  subtotal: 199.9,
  taxAmount: 19.99,
  grossAmount: 219.89,
  netAmount: 219.89,
  dueAmount: 219.89,
  ...AUD,
}
const RATED = { taxRate: 10 }
const CHARGED = {
  subtotal: 199.9,
  specialHandlingAmount: 14,
  taxAmount: 19.99,
  discountAmount: 5,
  depositAmount: 20,
  grossAmount: 233.89,
  netAmount: 228.89,
  dueAmount: 208.89,
  ...AUD,
}

describe("a total that most others speak for", () => {
  it.each<[string, object, object]>([
    ["a tax with a digit too many", RIGHT, { taxAmount: 119.99 }],
    ["a tax with a digit less", RIGHT, { taxAmount: 9.99 }],
    ["handling that was mistyped", CHARGED, { specialHandlingAmount: 41 }],
    ["handling that is not stated", CHARGED, { specialHandlingAmount: undefined }],
    ["a discount that was mistyped", CHARGED, { discountAmount: 500 }],
    ["a discount that is not stated", CHARGED, { discountAmount: undefined }],
    ["a deposit that was mistyped", CHARGED, { depositAmount: 200 }],
    ["a deposit that is not stated", CHARGED, { depositAmount: undefined }],
    [
      "swapped digits of what is due, or of handling",
      {
        ...CHARGED,
        grossAmount: undefined,
        netAmount: undefined,
        specialHandlingAmount: 67,
        dueAmount: 261.89,
      },
      { specialHandlingAmount: 76 },
    ],
    ["what is due, and nothing says why", RIGHT, { dueAmount: 200 }],
    [
      "a tax, where only what is due agrees with it",
      { ...RIGHT, grossAmount: undefined, netAmount: undefined },
      { taxAmount: 9.99 },
    ],
    [
      "a subtotal and all that follows, of which a line is gone",
      RIGHT,
      { subtotal: 250, taxAmount: 25, grossAmount: 275, netAmount: 275, dueAmount: 275 },
    ],
  ])("stays: %s", (_, summary, changes) => {
    const mistaken = { ...summary, ...changes }
    for (const more of [{}, RATED])
      if (!("taxAmount" in changes) || more !== RATED)
        expect(fixed(mistaken, more)).toEqual(JSON.parse(JSON.stringify(mistaken)))
  })
})

describe("a total that stands alone", () => {
  it.each<[string, object, object, object]>([
    ["a gross", CHARGED, { grossAmount: 238.89 }, {}],
    ["a net", CHARGED, { netAmount: 1 }, {}],
    ["swapped digits of what is due", RIGHT, { dueAmount: 218.99 }, {}],
    ["a slipped point of what is due", RIGHT, { dueAmount: 2198.9 }, {}],
    ["the sign of what is due", RIGHT, { dueAmount: -219.89 }, {}],
    ["a subtotal", RIGHT, { subtotal: 198.9 }, {}],
    ["a tax, where each line has a rate", RIGHT, { taxAmount: 119.99 }, RATED],
    ["a subtotal that is missing", RIGHT, { subtotal: undefined }, {}],
    ["a tax that is missing, where each line has a rate", RIGHT, { taxAmount: undefined }, RATED],
    ["what is due, where it is missing", CHARGED, { dueAmount: undefined }, {}],
  ])("is worked out: %s", (_, summary, changes, more) => {
    expect(fixed({ ...summary, ...changes }, more)).toEqual(summary)
  })

  it.each<[string, object]>([
    ["and a deposit is gone", { grossAmount: undefined, netAmount: undefined, dueAmount: 199.89 }],
    ["and no total is stated", { grossAmount: undefined, netAmount: undefined, dueAmount: undefined }],
    ["and so is all that follows", { grossAmount: 7, netAmount: 4, dueAmount: 5 }],
  ])("is not guessed where subtotal and tax are both wrong, %s", (_, changes) => {
    const mistaken = { ...RIGHT, subtotal: 1, taxAmount: 2, ...changes }
    expect(fixed(mistaken, RATED)).toEqual(JSON.parse(JSON.stringify(mistaken)))
  })

  it("is worked out where subtotal and tax are both wrong, and a total agrees with the lines", () => {
    expect(fixed({ ...RIGHT, subtotal: 1, taxAmount: 2 }, RATED)).toEqual(RIGHT)
  })

  it("leaves what is due as it is where both totals before it are wrong: a deposit may be gone", () => {
    const mistaken = { ...RIGHT, grossAmount: 2198.9, netAmount: 219.98, dueAmount: 199.89 }
    expect(fixed(mistaken)).toEqual({ ...RIGHT, dueAmount: 199.89 })
  })

  it.each<[string, object]>([
    ["that is not stated", { depositAmount: undefined }],
    ["that was mistyped", { depositAmount: 0 }],
  ])("leaves what is due as it is beside a deposit %s", (_, changes) => {
    const mistaken = { ...RIGHT, netAmount: 2198.9, dueAmount: 199.89, ...changes }
    expect(fixed(mistaken)).toMatchObject({ netAmount: 219.89, dueAmount: 199.89 })
  })

  it("is not written over what is due in a form that is not read: a deposit may be gone", () => {
    const mistaken = { ...RIGHT, depositAmount: undefined, subtotal: [199.9], dueAmount: [209.89] }
    expect(fixed(mistaken)).toMatchObject({ dueAmount: [209.89] })
  })

  it("is not filled in against what is stated", () => {
    const missing = { ...RIGHT, subtotal: undefined, grossAmount: 300, netAmount: 300, dueAmount: 300 }
    expect(fixed(missing)).toEqual(JSON.parse(JSON.stringify(missing)))
  })
})
