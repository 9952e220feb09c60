/** Invoice numbers that occur more than once in a run. */
import { type DuplicateInvoices, duplicateInvoices } from "./accounting/duplicates.ts"
import type { Part } from "./documents.ts"
import type { Finding, Severity } from "./finding.ts"

/** By the index of the document in its file. */
export type Repeats = ReadonlyMap<number, Finding>

/** So many invoices are compared, in at most 64 MB of memory. */
const MOST = 2 ** 21

interface RepeatedNumbers {
  /** What the numbers of the next parts repeat, of those or of earlier parts. */
  in(parts: readonly Part[]): (part: Part) => Repeats | undefined
  /** Whether there were more than could be compared. */
  readonly full: boolean
}

/** @param most how many invoices are compared with each other */
export function repeatedNumbers(severity: Severity, most = MOST): RepeatedNumbers {
  let known: DuplicateInvoices | undefined
  let remembered = 0
  let alone: Part | undefined

  function repeatsIn(invoices: DuplicateInvoices, { file, several, numbers }: Part): Repeats | undefined {
    let found: Map<number, Finding> | undefined
    for (const { supplierId, invoiceNumber, index, line, column } of numbers) {
      if (remembered > most || ++remembered > most) break
      const finding = invoices.add(file, several ? index : undefined, supplierId, invoiceNumber)
      if (!finding) continue
      found ??= new Map()
      found.set(index, { ...finding, severity, line, column })
    }
    return found
  }

  return {
    get full() {
      return remembered > most
    },
    in(parts) {
      if (!known) {
        const numbered = [...(alone ? [alone] : []), ...parts].filter(({ numbers }) => numbers.length > 0)
        // A single document has nothing to be compared with.
        if (numbered.length < 2 && (numbered[0]?.documents ?? 0) < 2) {
          alone = numbered[0]
          return () => undefined
        }
        known = duplicateInvoices()
        if (alone) repeatsIn(known, alone)
      }
      const invoices = known
      return (part) => repeatsIn(invoices, part)
    },
  }
}
