/**
 * From a carrier's file to the books. `docs/architecture.md` follows one bill; begin with `audit/audit.ts`, which
 * judges, and `disputes/balance.ts`, which says how a dispute stands. What reads, matches and posts is loaded by the
 * commands, when they run.
 */

// Bills, their money and their words
export { BILL_FILES } from "./source.ts"
export { BILL_CURRENCY, formatVerdict, MISTAKES } from "./verdicts.ts"
export { type Program, PROGRAMS } from "./programs.ts"
export { getChargedCents, getGstBasis, withoutGst } from "./money.ts"
export type { PdfRow } from "./show-rows.ts"
export { withBillColumns } from "./ask-columns.ts"

// Bills in the ledger
export { findBilled } from "./records/bills.ts"
export {
  type Dispute,
  type DisputeBook,
  readDisputes,
  readUnsettled,
  type StepKind,
} from "./records/disputes.ts"
export { hasPayments } from "./records/payments.ts"
export { getPostedNumber } from "./records/postings.ts"

// Matching with bookings
export { type Booking, fromLedger, fromList } from "./matching/booking.ts"
export { CLOCK_SLACK_MS } from "./matching/evidence.ts"
export type { GivenLink } from "./matching/links.ts"

// The audit
export { adviseOffline, connectToAudit } from "./audit/connect.ts"
export type { Tolerance } from "./audit/price.ts"
export { AUDIT_COLUMNS, AUDIT_FORMATS, type AuditJson, BASIS } from "./audit/report.ts"
export { writeAudit } from "./write-audit.ts"

// Disputes and letters
export { chooseDisputes, nameWithSupplier, type Stepped } from "./disputes/act.ts"
export { readAuthor } from "./disputes/author.ts"
export { findDue } from "./disputes/deadline.ts"
export { findTaxed } from "./disputes/letter-gst.ts"
export { findAccount, findSender } from "./disputes/letter-head.ts"
export { describeLetter, type LetterHead } from "./disputes/letter.ts"
export {
  type CreditBalance,
  toCreditBalances,
  DISPUTED_CONSIGNMENT,
  isOpen,
  isToBeSent,
  nameBillOf,
  nameDispute,
  nameDisputeRow,
  splitGst,
  type DisputeBalance,
  toDisputeBalances,
} from "./disputes/balance.ts"

// The books
export { readBalances } from "./books/account.ts"
export { type ClearingRow, describeToMove, toClearingRow } from "./books/clearing-report.ts"
export { noteToMove } from "./books/note-moves.ts"
export type { Posted } from "./books/post.ts"

// Paying
export { ADVICE_COLUMNS, type AdviceRow, listAdviceRows } from "./pay/advice-rows.ts"
export type { DueBills } from "./pay/due.ts"
export {
  describeHeld,
  describeHeldOf,
  type HeldBack,
  type HeldByDispute,
  readHeld,
  sumHeld,
} from "./pay/held.ts"
export { PAID_COLUMNS, TO_PAY_COLUMNS } from "./pay/rows.ts"
export { PAY_FLAGS, payBills } from "./pay/run.ts"

// A supplier's statement
export type { ShownStatementRow } from "./statement/print.ts"
