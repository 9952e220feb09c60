/** What checking an invoice document finds. */
import { pointerOf } from "../json/pointer.ts"

/** An error breaks the contract; a warning breaks a rule of accounting that the contract does not state. */
export type Severity = "error" | "warning"

/** One thing that is wrong with a document, and where. */
export interface Finding {
  /** `contract/KEYWORD` (a JSON Schema keyword), `json/syntax`, `json/duplicate-key` or `accounting/NAME`. */
  rule: string
  severity: Severity
  /** JSON Pointer of the offending value; of its object, where a property is missing, unknown or repeated. */
  pointer: string
  /** The property that is missing, unknown or repeated. */
  property?: string
  /** From 1. */
  line: number
  /** From 1, in characters. An unknown or repeated property stands where its name starts. */
  column: number
  /** One sentence that begins with the place in words. */
  message: string
  /** How to fix it, where that is plain. */
  hint?: string
}

/** A finding as a report on a terminal shows it. */
export interface ReportedFinding extends Finding {
  /** The line of the place and a mark under it, as two lines; only where the report asks for it. */
  excerpt?: string
}

/** The place of a finding as one pointer: a missing, unknown or repeated property has one too. */
export function placeOf({ pointer, property }: Pick<Finding, "pointer" | "property">): string {
  return property === undefined ? pointer : pointer + pointerOf([property])
}

/** The verdict on one document. */
export interface DocumentResult {
  file: string
  /** Its position, from 0, in a file that holds several. */
  index?: number
  /** Whether it has no error; warnings may remain. */
  valid: boolean
  findings: readonly ReportedFinding[]
}
