/**
 * Ledger reports. Each report, the history and today's tasks are a command in a file of its own, which `app/tree.ts`
 * loads. Begin with `examine` for the set-up.
 */

// The set-up
export type { Check, State } from "./doctor/checks.ts"
export { compareReplies, type DeviationRow } from "./doctor/contract.ts"
export { examine } from "./doctor/examine.ts"

// Evidence of a delivery
export { evidenceColumns, PAGE_FLAGS, showEvidence } from "./evidence/show.ts"

// Accruals
export type { AccrualRow, AccrualTotals } from "./accruals/accruals.ts"
export { ACCRUAL_FLAGS, printAccruals } from "./accruals/report.ts"

// History and letters
export type { HistorySpendRow } from "./spend-by.ts"
export type { SavedLetter } from "./letters.ts"
