/** The fast way to a verdict: proof that a document has no findings, from its bytes alone. */
import type { ExamineOptions } from "./options.ts"
import { Accounts } from "./verify-accounts.ts"
import { blankEnd } from "./verify-free.ts"
import { type Listener, Scan } from "./verify-scan.ts"
import { shapesOf } from "./verify-shapes.ts"
import { isPlain } from "./verify-text.ts"

export interface Verifier {
  /**
   * Whether the bytes from `start` to before `end` are certainly one document without findings. `false` says only that
   * the examiner has to look. The bytes must be known to be UTF-8, cut between documents, without a byte order mark.
   */
  (bytes: Uint8Array, start: number, end: number): boolean
  /**
   * Where the text of a field stands in the bytes of the document that was just proven, without its quotes. It has no
   * escapes: these bytes are the text.
   */
  range(name: "invoiceNumber" | "supplierId"): readonly [start: number, end: number]
  /** Whether the document that was just proven makes an invoice, and does not update or delete one. */
  isNew(): boolean
}

const NO_ACCOUNTS: Listener = { begin: () => {}, closed: () => true }

/** A verifier keeps its scratch space: it is for one document after the other. */
export function createVerifier(options: Pick<ExamineOptions, "stage" | "accounting">): Verifier {
  const shapes = shapesOf(options.stage)
  const scan = new Scan(shapes, options.accounting ? new Accounts(shapes) : NO_ACCOUNTS)
  const number = shapes.fieldAt("data.invoiceNumber").cell
  const supplier = shapes.fieldAt("data.supplier.id").cell
  const operation = shapes.fieldAt("data.operation")

  function verify(bytes: Uint8Array, start: number, end: number): boolean {
    let last = end - 1
    while (last > start && isBlank(bytes[last] as number)) last--
    if (!(last > start) || bytes[last] !== 125) return false
    scan.values[operation.cell] = operation.words.indexOf("new")
    return (
      scan.document(bytes, blankEnd(bytes, start), last) &&
      isPlainAt(bytes, number) &&
      isPlainAt(bytes, supplier)
    )
  }

  function isPlainAt(bytes: Uint8Array, cell: number): boolean {
    return isPlain(bytes, scan.starts[cell] as number, scan.ends[cell] as number)
  }

  return Object.assign(verify, {
    range(name: "invoiceNumber" | "supplierId") {
      const cell = name === "invoiceNumber" ? number : supplier
      return [scan.starts[cell] as number, scan.ends[cell] as number] as const
    },
    isNew: () => (scan.values[operation.cell] as number) === operation.words.indexOf("new"),
  })
}

function isBlank(char: number): boolean {
  return char === 32 || char === 10 || char === 13 || char === 9
}
