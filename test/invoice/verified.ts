/** Invoices as the verifier sees them. */
import { Buffer } from "node:buffer"
import type { Invoice } from "../../src/contract/generated/types.ts"
import { type PackedNumbers, PLACE } from "../../src/invoice/documents-numbers.ts"
import { createVerifier } from "../../src/invoice/verify.ts"
import { fullInvoice, textOf } from "./samples.ts"

export const verify = createVerifier({ stage: "canonical", accounting: true })
export const verifyContract = createVerifier({ stage: "canonical", accounting: false })

/** Whether a verifier says of a text that it is certainly sound. */
export function passes(text: string, verifier = verify): boolean {
  const bytes = Buffer.from(text)
  return verifier(bytes, 0, bytes.length)
}

/** The full invoice with a change, as text. */
export function changed(change: (invoice: Invoice) => unknown): string {
  const invoice = fullInvoice()
  change(invoice)
  return textOf(invoice)
}

/** The numbers that were packed, as text. */
export function numbersIn(packed: readonly PackedNumbers[]) {
  return packed.flatMap(({ names, places }) =>
    Array.from({ length: places.length / PLACE }, (_, at) => {
      const [index, line, column, end] = places.subarray(at * PLACE)
      return {
        name: Buffer.from(names.subarray(places[at * PLACE - 1] ?? 0, end)).toString(),
        index,
        line,
        column,
      }
    }),
  )
}
