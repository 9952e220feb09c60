/** A breach of the contract, and how a message quotes what is there. */
import { safeText } from "../contract/safe-text.ts"
import type { SchemaNode } from "./schema.ts"

/** A breach with what can be known about it. */
export interface Breach {
  keyword: string
  pointer: string
  /** The field that is missing or unknown. */
  property?: string
  /** What the contract asks of the value. */
  schema: SchemaNode
  value: unknown
  /** What the keyword asks for, by the names that ajv gives it: `{limit: 500}`. */
  params: Readonly<Record<string, unknown>>
  /** The value as it is written. */
  source(): string
}

export interface Said {
  /** One sentence that begins with the place. */
  message: string
  hint?: string
}

/** What is said after the place. */
export interface Clause {
  clause: string
  hint?: string | undefined
}

/** Longest text that a message quotes, in characters. */
export const LONGEST = 40
/** Choices beyond this many are not listed in a sentence. */
export const MOST_CHOICES = 16

export function quoted(text: string | undefined): string {
  return `"${safeText(text ?? "", LONGEST)}"`
}
