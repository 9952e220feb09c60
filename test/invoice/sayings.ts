/** What is said of an invoice with one place changed. */
import { examine } from "../../src/invoice/examine.ts"
import { fullInvoice } from "./samples.ts"
import { withChange, written } from "./writer.ts"

export type Path = readonly (string | number)[]

/** `message — hint` of each finding of the whole invoice with one place changed. */
export function said(path: Path, value: unknown): string[] {
  const { text } = written(withChange(fullInvoice(), path, value))
  return examine(text, { stage: "canonical", accounting: false, strict: false, rules: {} }).map(
    ({ message, hint }) => (hint === undefined ? message : `${message} — ${hint}`),
  )
}

/** The second line item. */
export const LINE: Path = ["data", "lineItems", 1]
