/**
 * Audits a carrier's bill as `freight audit` does, with what your own program knows of its bookings: a bill and evidence
 * in, verdicts out. Nothing is read from or written to the disk, the network or a ledger, and nothing is remembered.
 * Amounts are in whole Australian dollars, weights in kg.
 */
import type { AuditOptions, AuditResult, Evidence } from "./given.ts"

export type { Verdict } from "../verdicts.ts"
export type { AuditBooking, AuditedConsignment, AuditOptions, AuditResult, Evidence } from "./given.ts"

/**
 * Audits a bill. Consignments that the bill charges twice are found; those that an earlier bill charged are not, as
 * nothing is remembered.
 * @param bill an INV document or a list of them (JSON), CSV, or the bytes of a workbook
 * @throws FreightError (`name`, `kind`, `errors`) of the kind `input` for what cannot be read, or a column that is not
 * clear; `usage` for an option that there is not
 */
export async function auditBill(
  bill: string | Uint8Array,
  evidence: Evidence,
  options?: AuditOptions,
): Promise<AuditResult> {
  return (await import("./given.ts")).auditBill(bill, evidence, options)
}
