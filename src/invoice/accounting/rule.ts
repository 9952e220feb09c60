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

export interface AccountingFinding extends Remark {
  rule: string
  severity: "warning"
}

/** The text that a document was read from. */
export interface DocumentSource {
  /** The value at a JSON pointer as it is written (`1.50`); undefined where that is not known. */
  text(pointer: string): string | undefined
}
