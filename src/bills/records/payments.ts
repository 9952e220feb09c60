/** Payments and amounts withheld, by bill: rows are added, and never changed. */
import {
  describeColumns,
  insertRecords,
  SENDER_COLUMNS,
  type Sender,
  type Statements,
  type Transaction,
} from "../../ledger/index.ts"

/** Cents with GST, by the ids of disputes or the numbers of bills. */
export type CentsByName = Readonly<Record<string, number>>

/**
 * A payment of a bill. All amounts are cents with GST. The bill's amount is the sum of the amounts that its payments
 * paid, set off and counted as credited, and of the amounts withheld or still to be paid.
 */
export interface Payment extends Sender {
  /** Made from the bill and the number of its earlier rows: if two desks record the payment, it is one row. */
  id: string
  /** As on the bill. */
  supplier: string
  billNumber: string
  /** 1 for the first payment of a bill, 2 for amounts released or added since, and so on. */
  part: number
  asked: number
  /** The amount of this payment: 0 or more. */
  paid: number
  /** Amounts withheld from the bill after it, by dispute. */
  withheld: CentsByName
  /** Amounts paid from the supplier's credit bills, by their numbers. */
  setOff: CentsByName
  /** Amounts that the carrier credited outside any bill, by dispute; they are not owed. */
  credited: CentsByName
  /** `yyyy-mm-dd`, on which it was paid. */
  day: string
  /** It was paid outside freight, and recorded later. */
  isElsewhere: boolean
  /** The person who approved its plan, and the plan's hash. */
  approvedBy?: string
  planHash?: string
  /** Why the previous payment of this part was not made: this row pays nothing, and cancels that payment. */
  undone?: string
  /** ISO 8601 in UTC. */
  at: string
}

export const PAYMENTS = describeColumns<Payment>({
  id: "text",
  supplier: "text",
  billNumber: "text",
  part: "integer",
  asked: ["asked_cents", "bigint"],
  paid: ["paid_cents", "bigint"],
  withheld: "json",
  setOff: "json",
  credited: "json",
  day: ["paid_on", "text"],
  isElsewhere: ["elsewhere", "flag"],
  approvedBy: "text",
  planHash: "text",
  undone: "text",
  at: ["written_at", "text"],
  ...SENDER_COLUMNS,
})

/** All payments, in the order in which they were written. */
export async function readPayments(statements: Statements): Promise<Payment[]> {
  return (await statements.all("select * from payments order by written_at, part, id")).map((row) =>
    PAYMENTS.read(row),
  )
}

export async function hasPayments(statements: Statements): Promise<boolean> {
  return (await statements.all("select id from payments limit 1")).length > 0
}

export async function addPayments(transaction: Transaction, payments: readonly Payment[]): Promise<void> {
  await insertRecords(transaction, "payments", PAYMENTS, payments)
}
