/** The shape of a rule of the accounts, and of its findings. */
import type { Advice } from "../../contract/index.ts"
import type { Books, Line } from "./books.ts"
import type { FieldName, Glance } from "./glance.ts"

/** A rule in words. A rule without them does not compile. */
export interface Rule {
  id: `accounting/${string}`
  /** A few words, for a list. */
  title: string
  /** A sentence about the check that a clerk understands. */
  about: string
  /** Its basis: the contract's name for the field, or the law. */
  basis: string
}

/** When a rule can be skipped, and the subject of its findings. */
export interface Declaration {
  /** Its subject. A finding about an amount may be why another amount is wrong. */
  judges: "amounts" | "dates" | "parties" | "references" | "terms"
  /** Its findings may be intentional: a draft is written anyway, with a warning. */
  mayBeMeant?: true
  /** A document without these fields has nothing to find; of a list, any one is enough. */
  needs?: readonly (FieldName | readonly FieldName[])[]
  /** The purposes that it is about; any, if it does not say. `check` is called for no other. */
  purposes?: ReadonlySet<unknown>
  /**
   * Whether one look tells that there is nothing to find. It may say no wrongly, and must never say yes wrongly, also
   * of a document that breaks the contract.
   */
  passes?(glance: Glance): boolean
}

export interface DocumentCheck {
  check(books: Books): readonly RuleFinding[]
}
export interface LineCheck {
  checkLine(line: Line, books: Books): readonly RuleFinding[]
}

/** A rule over one document, or over each of its lines. */
export type DocumentRule = Rule & Declaration & (DocumentCheck | LineCheck)

/** A finding of a rule with its place; `checkAccounting` puts the place into words. */
export interface RuleFinding extends Advice {
  /** JSON pointer of the value; of the object, where `property` is missing from it. */
  pointer: string
  property?: string
  message: string
}

export const NO_FINDINGS: readonly RuleFinding[] = []

/** The advice for an account or an address that may be a thief's. */
export const ASK_SUPPLIER = "ask the supplier, by a phone number that you had before this invoice"

/** The law that the rules on tax rest on. */
export const GST_ACT = "A New Tax System (Goods and Services Tax) Act 1999"

export interface AccountingFinding extends RuleFinding {
  rule: string
  severity: "warning"
}
