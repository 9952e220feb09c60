/** What a rule of the accounts is, and what it reports. */
import type { Advice } from "../../contract/explain/advice.ts"
import type { Books } from "./books.ts"

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

/** A rule over one document. */
export interface DocumentRule extends Rule {
  check(books: Books): Iterable<RuleFinding>
}

/** What a rule finds at a place; the place itself is put into words by `checkAccounting`. */
export interface RuleFinding extends Advice {
  /** JSON pointer of the value; of the object, where `property` is missing from it. */
  pointer: string
  property?: string
  message: string
}

export const NO_FINDINGS: readonly RuleFinding[] = []

export function collectFindings<P>(
  parts: readonly P[],
  check: (part: P) => readonly RuleFinding[],
): readonly RuleFinding[] {
  let collected: RuleFinding[] | undefined
  for (const part of parts) {
    const found = check(part)
    if (found.length > 0) {
      collected ??= []
      collected.push(...found)
    }
  }
  return collected ?? NO_FINDINGS
}

/** The law that the rules on tax rest on. */
export const GST_ACT = "A New Tax System (Goods and Services Tax) Act 1999"

export interface AccountingFinding extends RuleFinding {
  rule: string
  severity: "warning"
}
