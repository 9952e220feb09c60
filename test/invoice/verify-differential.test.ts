import { Buffer } from "node:buffer"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { examine } from "../../src/invoice/examine.ts"
import type { ExamineOptions } from "../../src/invoice/options.ts"
import { createVerifier } from "../../src/invoice/verify.ts"
import { draftOf, fullInvoice, minimalInvoice } from "./samples.ts"
import { slippedInvoice, soundInvoice } from "./verify-documents.ts"
import { fault, writer } from "./verify-faults.ts"

const RUNS = Number(process.env.FREIGHT_VERIFY_RUNS ?? 600)
const OPTIONS: readonly ExamineOptions[] = [
  { stage: "canonical", accounting: true, strict: false, rules: {} },
  { stage: "canonical", accounting: false, strict: false, rules: {} },
  { stage: "draft", accounting: true, strict: true, rules: {} },
]
const checks = OPTIONS.map((options) => ({ options, verify: createVerifier(options) }))

/** What the examiner finds in a text that the verifier lets pass, under any of the options. */
function missed(text: string): string[] {
  const bytes = Buffer.from(text)
  const read = bytes.toString()
  return checks.flatMap(({ options, verify }) => {
    if (!verify(bytes, 0, bytes.length)) return []
    JSON.parse(read)
    return examine(read, options).map(({ rule, pointer, message }) => `${rule} ${pointer} ${message}`)
  })
}

const document = fc.oneof(
  { weight: 4, arbitrary: soundInvoice as fc.Arbitrary<unknown> },
  { weight: 1, arbitrary: soundInvoice.map(draftOf) },
  { weight: 1, arbitrary: fc.constant(fullInvoice()) },
  { weight: 1, arbitrary: fc.constant(minimalInvoice()) },
)

describe("what the verifier lets pass", () => {
  it("has no findings, when the invoice was made soundly", () => {
    fc.assert(
      fc.property(document, writer, (invoice, write) => {
        expect(missed(write(invoice))).toEqual([])
      }),
      { numRuns: RUNS },
    )
  })

  it("has no findings, when one or two figures in it may be wrong", () => {
    fc.assert(
      fc.property(slippedInvoice, writer, (invoice, write) => {
        expect(missed(write(invoice))).toEqual([])
      }),
      { numRuns: RUNS * 2 },
    )
  })

  it("has no findings, when one thing in it was changed", () => {
    fc.assert(
      fc.property(document, writer, fault, (invoice, write, breakIt) => {
        expect(missed(breakIt(write(invoice)))).toEqual([])
      }),
      { numRuns: RUNS * 2 },
    )
  })

  it("has no findings, when two things in it were changed", () => {
    fc.assert(
      fc.property(document, writer, fault, fault, (invoice, write, first, second) => {
        expect(missed(second(first(write(invoice))))).toEqual([])
      }),
      { numRuns: RUNS },
    )
  })
})

describe("invoices without findings", () => {
  it("nearly all pass the verifier, so that the examiner is seldom needed", () => {
    let clean = 0
    let proven = 0
    fc.assert(
      fc.property(soundInvoice, writer, (invoice, write) => {
        const text = write(invoice)
        for (const { options, verify } of checks) {
          if (examine(text, options).length > 0) continue
          clean++
          const bytes = Buffer.from(text)
          if (verify(bytes, 0, bytes.length)) proven++
        }
      }),
      { numRuns: RUNS / 3 },
    )
    expect(clean).toBeGreaterThan(RUNS / 2)
    expect(proven / clean).toBeGreaterThanOrEqual(0.95)
  })
})
