/** What a rule of the accounts is, and what it reports. */
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
  check(books: Books): Iterable<Remark>
}

/** What a rule has to say about a place; the place itself is put into words by `accountingFindings`. */
export interface Remark {
  /** JSON pointer of the value; of the object, where `property` is missing from it. */
  pointer: string
  property?: string
  message: string
  hint?: string
}

/** Nothing to say, which most rules have of most documents. */
export const NO_REMARKS: readonly Remark[] = []

/** What is said of each of some parts. */
export function collectRemarks<P>(
  parts: readonly P[],
  check: (part: P) => readonly Remark[],
): readonly Remark[] {
  let remarks: Remark[] | undefined
  for (const part of parts) {
    const found = check(part)
    if (found.length > 0) {
      remarks ??= []
      remarks.push(...found)
    }
  }
  return remarks ?? NO_REMARKS
}

export interface AccountingFinding extends Remark {
  rule: string
  severity: "warning"
}
