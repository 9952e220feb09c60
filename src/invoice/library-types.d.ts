/**
 * Checks invoice documents (document type INV, contract 1.0.7) as `freight invoice validate` does.
 * `validateInvoice` reads from and writes to neither the process, the disk nor the network.
 */

/**
 * An error breaks the contract; a warning breaks a rule of accounting that the contract does not state. One field that
 * breaks the contract is a warning in a draft: `$schema`, which is for editors.
 */
export type Severity = "error" | "warning"

/** One replacement in the input. */
export interface Edit {
  /** From 0. UTF-16 code units of a text; bytes of bytes and of files, a byte order mark included. */
  offset: number
  /** How much is replaced, in the same unit; 0 where something is inserted. */
  length: number
  /** JSON that takes its place. */
  text: string
}

/** How a program can fix a finding: make all of its edits, or none. */
export interface Fix {
  /** `safe`: there is one right answer, and the document says it. `suggestion`: a person has to agree. */
  safety: "safe" | "suggestion"
  /** In the order of the text; they do not overlap. Two findings may have the same edits: make those once. */
  edits: Edit[]
}

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
  /** From 1, in characters. */
  column: number
  /** One sentence that begins with the place in words: `line item 3, unit price: …`. */
  message: string
  /** How to fix it, where that is plain. */
  hint?: string
  /** What the hint says, for a program. */
  fix?: Fix
}

/** The list of places of Australia: what `loadPlaces` gives. What is in it is not public. */
export type Places = object

/** A supplier whose bank account and email you know, as `freight party` keeps it. */
export interface KnownSupplier {
  supplierName: string
  /** How messages name it; its name when left out. */
  party?: string
  /** Your code for it. */
  supplierId?: string
  abn?: string
  bsb?: string
  accountNumber?: string
  accountName?: string
  email?: string
  /** When its account changed (`2026-11-20`), and what it was before, in words; the last one last. */
  accountChanges?: readonly { on: string; before: string }[]
}

export interface ValidateOptions {
  /** The document may lack what the service fills in: `docType`, `correlationId`, `timestamp`. Default false. */
  draft?: boolean
  /** Check the accounting rules too; what they find are warnings. Default true. */
  accounting?: boolean
  /** Makes every warning an error. Default false. */
  strict?: boolean
  /** Severities of accounting rules that differ from the usual: `{ "accounting/bsb": "off" }`. */
  rules?: Readonly<Record<string, "off" | "warning" | "error">>
  /** Compares addresses with the list of places (`accounting/address-postcode`). Default: they are not compared. */
  places?: Places
  /** The day of the check, such as `2026-11-20` (`accounting/draft-date`). Default: no date is compared with it. */
  today?: string
  /** Compares bank accounts and emails with these (`accounting/usual-account`). Default: they are not compared. */
  suppliers?: readonly KnownSupplier[]
}

export interface Validation {
  /** Whether there is no error; warnings may remain. */
  valid: boolean
  /** Everything that was found, in the order of the document, each once. */
  findings: Finding[]
}

/** Loads the list of places, once for all documents. It reads a file of this package. */
export declare function loadPlaces(): Promise<Places>

/**
 * Checks one invoice document. What is wrong with the document is in the findings, never thrown.
 *
 * Give the text or the bytes where you have them: then numbers are checked as they are written, names that stand twice
 * are found, and lines and columns are those of the text. An object is checked as
 * `JSON.stringify(input, null, 2)` writes it.
 *
 * @param input JSON text; its bytes (UTF-8) in an ArrayBuffer, a SharedArrayBuffer or any view of one; or an object
 * @throws TypeError for an object that JSON cannot hold: one that contains itself, or a Map, a Set, a function or a
 * BigInt. A Date and other objects with a `toJSON` method are taken as the text that this method gives.
 * @throws RangeError for an option, a rule or a severity that there is not
 */
export declare function validateInvoice(
  input: string | ArrayBufferLike | ArrayBufferView | object,
  options?: ValidateOptions,
): Validation
