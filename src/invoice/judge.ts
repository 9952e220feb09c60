/** What the generated validators of invoices call, and what the build registers with ajv when it generates them. */
import { FORMATS } from "./formats.ts"
import type { NumbersOfDocument } from "./numbers.ts"

export { mayHaveInexactNumbers } from "../json/survey.ts"
export { NUMBER_CHECKS } from "./numbers.ts"

/** Whether a text has the form that the schema's `format` names. */
export const FORMAT_CHECKS: Readonly<Record<string, (text: string) => boolean>> = Object.fromEntries(
  Object.entries(FORMATS).map(([format, explain]) => [format, (text: string) => explain(text) === undefined]),
)

/** One way in which a document breaks the schema, as ajv tells it. */
export interface SchemaError {
  /** The JSON Schema keyword; `wholeNumber` stands for the type `integer`. */
  keyword: string
  /** JSON pointer of the value. */
  instancePath: string
  params: Readonly<Record<string, unknown>>
}

/** A validator generated from the schema, called with the document as `this`; after it said no, `errors` holds why. */
export interface InvoiceValidator {
  (this: NumbersOfDocument, value: unknown): boolean
  errors?: readonly SchemaError[] | null
}

/** Adds the errors of one validator to those of its caller. */
export function appendErrors(errors: SchemaError[], more: readonly SchemaError[]): SchemaError[] {
  for (const error of more) errors.push(error)
  return errors
}
