/** What a rule of the accounts is, and what it reports. */
import type { Advice } from "../../contract/explain/advice.ts"
import type { Books, Line } from "./books.ts"

/** A rule in words. A rule without them does not compile. */
export interface Rule {
  id: `accounting/${string}`
  /** A few words, for a list. */
  title: string
  /** What it checks, in a sentence that a clerk understands. */
  about: string
  /** What it rests on: what the contract calls the field, or the law. */
  basis: string
}

/** A rule over one document, or over each of its lines. */
export type DocumentRule = Rule &
  (
    | { check(books: Books): readonly RuleFinding[] }
    | { checkLine(line: Line, books: Books): readonly RuleFinding[] }
  )

/** What a rule finds at a place; the place itself is put into words by `checkAccounting`. */
export interface RuleFinding extends Advice {
  /** JSON pointer of the value; of the object, where `property` is missing from it. */
  pointer: string
  property?: string
  message: string
}

export const NO_FINDINGS: readonly RuleFinding[] = []

/** The law that the rules on tax rest on. */
export const GST_ACT = "A New Tax System (Goods and Services Tax) Act 1999"

export interface AccountingFinding extends RuleFinding {
  rule: string
  severity: "warning"
}
