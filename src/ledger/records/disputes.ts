/** What is disputed with carriers, each step of it, and the credits of their bills. Rows are added, and never changed but for credits. */
import type { Sender } from "../entry.ts"
import type { Statements, Transaction } from "../database/database.ts"
import { inParts, insertRows, placeholders } from "../database/rows.ts"
import { CREDITS, DISPUTES, STEPS } from "../database/tables.ts"
import type { RememberedBill } from "./bills.ts"

/** The bill that charges or credits something; `number` may be empty, and then the file names it. */
export interface OfBill extends Pick<RememberedBill, "supplier" | "file"> {
  billNumber: string
  /** `yyyy-mm-dd`; empty where the bill has none. */
  billDate: string
}

/** What names a consignment on a bill. Empty where it is not known. */
export interface OfConsignment {
  consignment: string
  shipmentId: string
  reference: string
  /** As booked. */
  carrier: string
}

/** When it was written, and by whom. */
interface Written extends Sender {
  /** ISO 8601 in UTC. */
  at: string
}

export interface Dispute extends OfBill, OfConsignment, Written {
  /** Made from bill and consignment: raising it again is raising this one. */
  id: string
  verdict: string
  why: string
  /** Cents, on the basis. */
  amountCents: number
  gstBasis: "excluded" | "included" | "unknown"
  /** `yyyy-mm-dd`, on which it was raised. */
  day: string
}

export const STEP_KINDS = ["sent", "answered", "credited", "denied", "written-off"] as const
export type StepKind = (typeof STEP_KINDS)[number]

export interface Step extends Written {
  id: string
  disputeId: string
  kind: StepKind
  /** `yyyy-mm-dd`. */
  day: string
  /** Cents on the dispute's basis, of what closes some of it; negative where that is taken back. */
  amountCents: number
  /** The credit that it uses, and how much of that, on its own basis. */
  creditId?: string
  creditCents?: number
  /** The carrier's number for it. */
  claim?: string
  why?: string
}

/** What a bill gives back for a consignment, in positive cents; null where the bill does not say. */
export interface Credit extends OfBill, OfConsignment, Written {
  /** Made from bill and consignment. */
  id: string
  exGst: number | null
  gst: number | null
  incGst: number | null
  unsaid: number | null
}

/** All of them: disputes are few beside bookings. */
export interface DisputeBook {
  disputes: Dispute[]
  steps: Step[]
  credits: Credit[]
}

export async function readDisputes(statements: Statements): Promise<DisputeBook> {
  const [disputes, steps, credits] = [
    await statements.all("select * from disputes order by raised_at, id"),
    await statements.all("select * from dispute_steps order by written_at, id"),
    await statements.all("select * from credits order by bill_date, id"),
  ]
  return {
    disputes: disputes.map((row) => DISPUTES.read(row)),
    steps: steps.map((row) => STEPS.read(row)),
    credits: credits.map((row) => CREDITS.read(row)),
  }
}

/** Those that are there stay as they are. */
export async function addDisputes(transaction: Transaction, disputes: readonly Dispute[]): Promise<void> {
  await insertRows(
    transaction,
    "disputes",
    disputes.map((each) => DISPUTES.write(each)),
    " on conflict do nothing",
  )
}

export async function addSteps(transaction: Transaction, steps: readonly Step[]): Promise<void> {
  await insertRows(
    transaction,
    "dispute_steps",
    steps.map((each) => STEPS.write(each)),
    " on conflict do nothing",
  )
}

/** A bill that was corrected may credit another amount: the last one counts. */
export async function replaceCredits(transaction: Transaction, credits: readonly Credit[]): Promise<void> {
  for (const ids of inParts(credits.map(({ id }) => id)))
    await transaction.run(`delete from credits where id in (${placeholders(ids)})`, ids)
  await insertRows(
    transaction,
    "credits",
    credits.map((each) => CREDITS.write(each)),
  )
}
