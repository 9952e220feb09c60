/** Reports of the ledger, and today's tasks. Each report is a file beside this one, which its command loads. */

// Today
export { findNeeds } from "./today/find.ts"
export { groupNeeds, type Need, NEED_KINDS, NEEDS, showNeed, type ShownNeed } from "./today/needs.ts"

// The set-up
export type { Check, State } from "./doctor/checks.ts"
export { compareReplies, type DeviationRow } from "./doctor/contract.ts"
export { examine } from "./doctor/examine.ts"

// Evidence of a delivery
export { evidenceColumns, PAGE_FLAGS, showEvidence } from "./evidence/show.ts"

// Accruals
export type { AccrualRow, AccrualTotals } from "./accruals/accruals.ts"
export { ACCRUAL_FLAGS, printAccruals } from "./accruals/report.ts"

// Spend and letters
export { HISTORY_SPEND_BY, type HistorySpendRow, sumHistory } from "./spend-by.ts"
export type { SavedLetter } from "./letters.ts"
