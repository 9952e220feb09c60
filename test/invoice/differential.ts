/** The fast path against the full examination, on random invoices. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { examineDocument } from "../../src/invoice/examine.ts"
import type { ExamineOptions } from "../../src/invoice/finding.ts"
import { readJson } from "../../src/input/json/read.ts"
import { fault, writer } from "./random-faults.ts"
import { slippedInvoice, soundInvoice, strangeInvoice } from "./random-invoices.ts"
import { draftOf, fullInvoice, minimalInvoice } from "./samples.ts"

const OPTIONS: readonly ExamineOptions[] = [
  { stage: "canonical", accounting: true, strict: false, rules: {} },
  { stage: "draft", accounting: true, strict: true, rules: {} },
]

/** The findings of a text, by the fast path where the survey allows it, and by examining everything. */
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

/** @param runs random invoices for each property, or twice as many */
export function describeBothWays(runs: number): void {
  describe("the fast path finds what the full examination finds", () => {
    it("in invoices that are sound, or strange", () => {
      fc.assert(
        fc.property(document, writer, (invoice, write) => expectTheSame(write(invoice))),
        { numRuns: runs },
      )
    })

    it("where one or two figures may be wrong", () => {
      fc.assert(
        fc.property(slippedInvoice, writer, (invoice, write) => expectTheSame(write(invoice))),
        { numRuns: runs },
      )
    })

    it("where one or two things were changed", () => {
      fc.assert(
        fc.property(document, writer, fault, fc.option(fault), (invoice, write, first, second) => {
          const broken = first(write(invoice))
          expectTheSame(second ? second(broken) : broken)
        }),
        { numRuns: runs * 2 },
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
        { numRuns: runs * 2 },
      )
    })

    it("where a total is right and the summary has an amount under an unknown name", () => {
      const { data, ...rest } = minimalInvoice()
      const { subtotal = 0, ...summary } = data.invoiceSummary
      const [line] = data.lineItems
      expectTheSame(
        JSON.stringify({
          ...rest,
          data: {
            ...data,
            lineItems: [{ ...line, discountAmount: 1 }],
            invoiceSummary: { ...summary, grossAmount: 5, netAmount: 5, sum: subtotal },
          },
        }),
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
}
