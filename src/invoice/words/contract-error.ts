/** An error of the contract, and how its explanation quotes what is there. */
import { safeText } from "../../contract/safe-text.ts"
import type { SchemaNode } from "../schema.ts"

/** One way in which a document breaks the contract. */
export interface ContractError {
  /** The JSON Schema keyword that is broken. */
  keyword: string
  /** JSON Pointer of the value; of its object, where a property is missing or unknown. */
  pointer: string
  property?: string
  /** What the keyword asks for, by the names that ajv gives it: `{limit: 500}`. */
  params: Readonly<Record<string, unknown>>
}

/** An error with the value that it is about. */
export interface ErrorInContext extends ContractError {
  /** What the contract asks of the value. */
  schema: SchemaNode
  value: unknown
  /** The value as it is written. */
  source(): string
}

/** Longest text that a message quotes, in characters. */
export const LONGEST_QUOTE = 40
/** Choices beyond this many are not listed in a sentence. */
export const MOST_CHOICES = 16

export function quoteShort(text: string | undefined): string {
  return `"${safeText(text ?? "", LONGEST_QUOTE)}"`
}
