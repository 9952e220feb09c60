/** Audited bills, and what they charge for each consignment. */
import type { Charge } from "../verdicts.ts"
import {
  countsBefore,
  type DatabaseRow,
  describeColumns,
  type GstBasis,
  inParts,
  insertRecords,
  placeholders,
  queryInParts,
  SENDER_COLUMNS,
  type Statements,
  type Transaction,
} from "../../ledger/index.ts"
import type { Money } from "../money.ts"

/** A bill as it is remembered. Money is in cents. */
export interface RememberedBill {
  id: string
  scope: string
  supplier: string
  number: string
  /** `yyyy-mm-dd`. */
  date: string
  file: string
  amountCents: number
  gstCents: number | null
  gstBasis: GstBasis
  /** ISO 8601 in UTC. */
  auditedAt: string
  workstation: string
  person: string
  /** Its lines, by when they were first on it. Absent for audits by older versions. */
  growth?: readonly Growth[]
  /** Why its amount with GST is unknown, for people: the bill does not state it, or contradicts itself. */
  doubt?: string
  /** The first audit that found that, with the same words. ISO 8601 in UTC. */
  doubtAt?: string
}

export const BILLS = describeColumns<RememberedBill>(
  {
    id: "text",
    scope: "text",
    supplier: "text",
    number: "text",
    date: ["bill_date", "text"],
    file: "text",
    amountCents: "bigint",
    gstCents: "bigint",
    gstBasis: "text",
    auditedAt: "text",
    ...SENDER_COLUMNS,
    growth: "json",
    doubt: "text",
    doubtAt: "text",
  },
  { date: "", gstCents: null },
)

/** Lines that a bill had at its first audit, or that were added since. */
export interface Growth {
  /** ISO 8601 in UTC. */
  at: string
  /** A hash of each line, apart from its place. */
  lines: readonly string[]
  /** Cents to dispute of charges without a consignment, by their words: of the whole bill, in its last entry. */
  toDispute?: Readonly<Record<string, number>>
}

/** A bill's charge for a consignment, in cents. */
export interface BilledConsignment extends Money {
  consignment: string
  shipmentId: string | undefined
  charges: readonly Charge[]
  verdict: string
  disputedCents: number
  /** When the bill first charged for it, if later than its first audit. ISO 8601 in UTC. */
  seenAt?: string | undefined
}

export const BILLED = describeColumns<BilledConsignment & { billId: string }>(
  {
    billId: "text",
    consignment: "text",
    shipmentId: "text",
    exGst: ["ex_gst_cents", "bigint"],
    gst: ["gst_cents", "bigint"],
    incGst: ["inc_gst_cents", "bigint"],
    unspecifiedGstCents: ["unsaid_cents", "bigint"],
    charges: "json",
    verdict: "text",
    disputedCents: "bigint",
    seenAt: "text",
  },
  { exGst: null, gst: null, incGst: null, unspecifiedGstCents: null },
)

/** Bills that were audited under these numbers, the newest first. */
export async function findBills(
  statements: Statements,
  numbers: readonly string[],
): Promise<RememberedBill[]> {
  const rows = await queryInParts(numbers, (part) =>
    statements.all(
      `select * from bills where number in (${placeholders(part)}) order by audited_at desc`,
      part,
    ),
  )
  return rows.map((row) => BILLS.read(row))
}

/**
 * All bills, the newest first, without their lines.
 * @param isNumbered only those that have a number
 */
export async function readBills(statements: Statements, isNumbered = true): Promise<RememberedBill[]> {
  const rows = await statements.all(
    `select ${BILLS.names.filter((name) => name !== "growth").join(", ")} from bills
      ${isNumbered ? "where number <> ''" : ""} order by audited_at desc, id desc`,
  )
  return rows.map((row) => BILLS.read(row))
}

export type BilledBefore = BilledConsignment &
  Pick<RememberedBill, "supplier" | "number" | "date" | "file" | "auditedAt"> & {
    billId: string
    /** When the bill, with any amount, was audited first; for added lines, when it charged them first. */
    firstAuditedAt: string
    /** It was audited with another amount too. */
    isChanged: boolean
  }

const FIRST_AT = `coalesce(billed.seen_at, case when bills.number = '' then bills.audited_at
  else (select min(first.audited_at) from bills as first
  where first.number = bills.number and first.supplier = bills.supplier) end) as first_at`

const IS_CHANGED = `case when exists (select 1 from bills as other where other.number = bills.number and other.number <> ''
  and other.supplier = bills.supplier and other.amount_cents <> bills.amount_cents) then 1 else 0 end as is_changed`

/**
 * Earlier charges for consignments, by their numbers or the ids of their shipments; oldest first.
 * @param before as it was known before this instant: ISO 8601 in UTC
 */
export async function findBilled(
  statements: Statements,
  consignments: readonly string[],
  shipmentIds: readonly string[],
  before?: string,
): Promise<BilledBefore[]> {
  const select = `select billed.*, bills.supplier, bills.number, bills.bill_date, bills.file, bills.audited_at, ${FIRST_AT}, ${IS_CHANGED} from billed
    join bills on bills.id = billed.bill_id where ${countsBefore(before)} and`
  const found = [
    ...(await queryInParts(consignments, (part) =>
      statements.all(`${select} billed.consignment in (${placeholders(part)})`, part),
    )),
    ...(await queryInParts(shipmentIds, (part) =>
      statements.all(`${select} billed.shipment_id in (${placeholders(part)})`, part),
    )),
  ]
  const distinct = new Map(found.map((row) => [`${row.bill_id}\n${row.consignment}`, row]))
  // Databases return rows in any order: the result must not depend on it.
  const place = ({ first_at, bill_id, consignment }: DatabaseRow) =>
    [first_at, bill_id, consignment].join("\n")
  const inOrder = [...distinct.values()].sort((one, other) => (place(one) < place(other) ? -1 : 1))
  return inOrder.map((row) => ({
    ...BILLED.read(row),
    supplier: String(row.supplier),
    number: String(row.number),
    file: String(row.file),
    date: row.bill_date == null ? "" : String(row.bill_date),
    auditedAt: String(row.audited_at),
    firstAuditedAt: String(row.first_at),
    isChanged: Number(row.is_changed) === 1,
  }))
}

/** The consignments that bills name, as they were recorded, in the order of their numbers. */
export async function readConsignmentsOf(
  statements: Statements,
  billIds: readonly string[],
): Promise<(BilledConsignment & { billId: string })[]> {
  const rows = await queryInParts(billIds, (part) =>
    statements.all(
      `select * from billed where bill_id in (${placeholders(part)}) order by consignment, bill_id`,
      part,
    ),
  )
  return rows.map((row) => BILLED.read(row))
}

/** The amount to dispute on a bill for a consignment, in cents on the basis of its audit. */
export type ToDispute = Pick<BilledConsignment, "consignment" | "disputedCents"> & { billId: string }

/** Amounts that audits said to dispute on bills, raised or not. */
export async function findToDispute(
  statements: Statements,
  billIds: readonly string[],
): Promise<ToDispute[]> {
  const rows = await queryInParts(billIds, (part) =>
    statements.all(
      `select bill_id, consignment, disputed_cents from billed
        where disputed_cents > 0 and bill_id in (${placeholders(part)}) order by bill_id, consignment`,
      part,
    ),
  )
  return rows.map((row) => ({
    billId: String(row.bill_id),
    consignment: String(row.consignment),
    disputedCents: Number(row.disputed_cents),
  }))
}

/** Writes bills, replacing earlier records of the same bills and their charges. */
export async function rememberBills(
  transaction: Transaction,
  bills: readonly RememberedBill[],
): Promise<void> {
  for (const ids of inParts(bills.map(({ id }) => id))) {
    await transaction.run(`delete from billed where bill_id in (${placeholders(ids)})`, ids)
    await transaction.run(`delete from bills where id in (${placeholders(ids)})`, ids)
  }
  await insertRecords(transaction, "bills", BILLS, bills, " on conflict do nothing")
}

export async function rememberBilled(
  transaction: Transaction,
  billed: readonly (BilledConsignment & { billId: string })[],
): Promise<void> {
  await insertRecords(transaction, "billed", BILLED, billed, " on conflict do nothing")
}
