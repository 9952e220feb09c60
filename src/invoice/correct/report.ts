/** Reports the changes of a correction, for people and for programs. */
import { safeText } from "../../base/safe-text.ts"
import { type Amount, formatMoney, subtract, ZERO } from "../accounting/amounts.ts"
import { describePlace } from "../labels.ts"
import { type InvoiceDraft, toNumber } from "../new/draft.ts"
import { exact } from "./amounts.ts"
import type { Correction, Due, FieldChange, Leaf, SentInvoice } from "./correct.ts"

/** As `--json` prints it. */
export interface CorrectionReport {
  kind: Correction["kind"]
  /** Number of the document that is written. */
  invoiceNumber: string
  /** Number of the invoice that it corrects. */
  corrects: string
  /** The document's file; null if it was not written. */
  file: string | null
  changes: readonly FieldChange[]
  /** The amount due of the invoice, in AUD: negative if the customer gets it back. */
  dueAmount: Due
  warnings: readonly string[]
  document: InvoiceDraft
}

/** @param credited earlier credits on the invoice by other memos */
export function createReport(
  sent: SentInvoice,
  { kind, document, changes, due }: Correction,
  credited: Amount = ZERO,
): Omit<CorrectionReport, "file" | "warnings" | "document"> {
  const left = (amount: number) => toNumber(subtract(exact(amount), credited))
  return {
    kind,
    invoiceNumber: document.data.invoiceNumber,
    corrects: sent.data.invoiceNumber,
    changes,
    dueAmount: { before: left(due.before), after: left(due.after) },
  }
}

const TITLES: Readonly<Record<Correction["kind"], string>> = {
  cancellation: "Cancels",
  update: "Changes",
  credit: "Credits",
}

/**
 * One change per line, then the amount due: `line item 2, quantity: 2 -> 3`.
 * @param unicode whether an arrow can be shown
 */
export function describeCorrection(
  {
    kind,
    invoiceNumber,
    corrects,
    changes,
    dueAmount: due,
  }: Omit<CorrectionReport, "file" | "warnings" | "document">,
  unicode: boolean,
): string {
  const arrow = unicode ? "→" : "->"
  const lines = changes.map(({ field, before, after }) => {
    const pointer = `/data/${field.replaceAll(".", "/")}`
    return `  ${describePlace(pointer)}: ${showLeaf(field, before)} ${arrow} ${showLeaf(field, after)}`
  })
  const money = (amount: number) => `AUD ${formatMoney(exact(amount))}`
  const by = kind === "credit" ? ` by ${safeText(invoiceNumber, 60)}; left of it` : ""
  return [
    `${TITLES[kind]} ${safeText(corrects, 60)}${by}:`,
    ...lines,
    `Due for ${safeText(corrects, 60)}: ${money(due.before)} ${arrow} ${money(due.after)}`,
    "",
  ].join("\n")
}

function showLeaf(field: string, value: Leaf): string {
  if (value === null) return "(none)"
  if (typeof value !== "number") return safeText(String(value), 200)
  return /(?:amount|subtotal|unitPrice)$/i.test(field) ? formatMoney(exact(value)) : String(value)
}
