import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { examineDocument } from "../../src/invoice/examine.ts"
import type { ExamineOptions } from "../../src/invoice/finding.ts"
import { readJson } from "../../src/json/read.ts"
import { fault, writer } from "./random-faults.ts"
import { slippedInvoice, soundInvoice, strangeInvoice } from "./random-invoices.ts"
import { draftOf, fullInvoice, minimalInvoice } from "./samples.ts"

const RUNS = Number(process.env.FREIGHT_DIFFERENTIAL_RUNS ?? 500)
const OPTIONS: readonly ExamineOptions[] = [
  { stage: "canonical", accounting: true, strict: false, rules: {} },
  { stage: "draft", accounting: true, strict: true, rules: {} },
]

/** What is found in a text, by the fast path where the survey allows it, and by examining everything. */
function bothWays(text: string) {
  return OPTIONS.map((options) => [
    examineDocument(readJson(text), options),
    examineDocument(readJson(text, { exhaustive: true }), options),
  ])
}

function expectTheSame(text: string): void {
  for (const [quick, exhaustive] of bothWays(text)) expect(quick).toEqual(exhaustive)
}

const document = fc.oneof(
  { weight: 4, arbitrary: soundInvoice as fc.Arbitrary<unknown> },
  { weight: 4, arbitrary: strangeInvoice },
  { weight: 1, arbitrary: soundInvoice.map(draftOf) },
  { weight: 1, arbitrary: fc.constant(fullInvoice()) },
  { weight: 1, arbitrary: fc.constant(minimalInvoice()) },
)

describe("the fast path finds what the full examination finds", () => {
  it("in invoices that are sound, or strange", () => {
    fc.assert(
      fc.property(document, writer, (invoice, write) => expectTheSame(write(invoice))),
      { numRuns: RUNS },
    )
  })

  it("where one or two figures may be wrong", () => {
    fc.assert(
      fc.property(slippedInvoice, writer, (invoice, write) => expectTheSame(write(invoice))),
      { numRuns: RUNS },
    )
  })

  it("where one or two things were changed", () => {
    fc.assert(
      fc.property(document, writer, fault, fc.option(fault), (invoice, write, first, second) => {
        const broken = first(write(invoice))
        expectTheSame(second ? second(broken) : broken)
      }),
      { numRuns: RUNS * 2 },
    )
  })

  it("where numbers are written in any way", () => {
    const written = fc
      .tuple(
        fc.constantFrom("", "-"),
        fc.stringMatching(/^(0|[1-9]\d{0,17})$/),
        fc.option(fc.stringMatching(/^\d{1,8}$/)),
        fc.option(fc.integer({ min: -30, max: 30 }), { freq: 5 }),
      )
      .map(([sign, whole, fraction, power]) =>
        [sign, whole, fraction !== null && `.${fraction}`, power !== null && `e${power}`]
          .filter(Boolean)
          .join(""),
      )
    const text = JSON.stringify(fullInvoice())
    const numbers = [...text.matchAll(/(?<=:)-?\d+(?:\.\d+)?(?=[,}])/g)]
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(), written), { minLength: 1, maxLength: 4 }), (changes) => {
        const byIndex = new Map(changes.map(([at, number]) => [at % numbers.length, number]))
        let index = -1
        expectTheSame(
          text.replace(/(?<=:)-?\d+(?:\.\d+)?(?=[,}])/g, (found) => byIndex.get(++index) ?? found),
        )
      }),
      { numRuns: RUNS * 2 },
    )
  })

  it("in ten thousand lines", () => {
    const invoice = minimalInvoice()
    const [line] = invoice.data.lineItems
    invoice.data.lineItems = Array.from({ length: 10_000 }, (_, index) => ({
      ...(line as NonNullable<typeof line>),
      invoiceLineNumber: index + 1,
    }))
    expectTheSame(JSON.stringify(invoice))
  })
})

describe("the fast path", () => {
  const takesIt = (change: (invoice: ReturnType<typeof fullInvoice>) => void) => {
    const invoice = fullInvoice()
    change(invoice)
    return readJson(JSON.stringify(invoice)).numbers === undefined
  }

  it.each<[string, (invoice: ReturnType<typeof fullInvoice>) => void]>([
    ["as it is", () => {}],
    [
      "an apostrophe in an e-mail address",
      ({ data }) => {
        data.contacts = [{ role: "billTo", email: "pat.o'neill@example.com" }]
      },
    ],
    [
      "long numbers in texts",
      ({ data }) => {
        data.comments = "SSCC: 00193000123456789012, tracking 12345678901234567890, 1e5"
      },
    ],
    [
      "quotes and backslashes in texts",
      ({ data }) => {
        data.comments = 'He wrote "a": 1, and C:\\parts\\'
      },
    ],
    [
      "a UUID of digits and an e",
      (invoice) => {
        invoice.correlationId = "12345678-1e23-4e56-8e78-123456789e12"
      },
    ],
  ])("is taken by an ordinary invoice: %s", (_, change) => {
    expect(takesIt(change)).toBe(true)
  })
})
