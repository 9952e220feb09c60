/** Postings of each bill to the books, and a person's transfers there: rows are added, and never changed. */
import {
  describeColumns,
  insertRecords,
  placeholders,
  queryInParts,
  SENDER_COLUMNS,
  type Sender,
  type Statements,
  type Transaction,
} from "../../ledger/index.ts"
import type { Taxed } from "../money.ts"
import type { RememberedBill } from "./bills.ts"
import { type Dispute, DISPUTES } from "./disputes.ts"

/** A bill's charge for a consignment, or for none, by which later changes are found. Money is in cents. */
export interface PostedCharge extends Taxed {
  name: string
}

export interface Posting extends Sender, Taxed, Pick<RememberedBill, "supplier" | "file"> {
  /** Made from the bill, and from how often it was posted before. */
  id: string
  billNumber: string
  /** `yyyy-mm-dd`. */
  billDate: string
  /** The program that the file is for. */
  books: string
  /** The part of amount and GST that went to the clearing account. */
  clearing: number
  /** The amount that each dispute brought there, in cents on its own basis. */
  cleared: Readonly<Record<string, number>>
  rows: number
  content: readonly PostedCharge[]
  /** The headings of the file. */
  head: string
  body: string
  /** ISO 8601 in UTC. */
  at: string
  /**
   * The clearing account, the expense account of each dispute and credit by its id, and the amount that each dispute
   * brought to the clearing account in cents without GST. Older versions did not record the last.
   */
  accounts?: {
    clearing: string
    own: Readonly<Record<string, string>>
    clearedExGst?: Readonly<Record<string, number>>
  }
  /**
   * The amounts that each credit moved back to the clearing account, by the disputes that it paid: cents on their
   * basis.
   */
  broughtBack?: Readonly<Record<string, Readonly<Record<string, number>>>>
  /** Why the previous posting of this part was not imported: this row posts nothing, and cancels that posting. */
  undone?: string
  /** 2 and more for lines added to the bill; absent for the first. */
  part?: number
  /** Hashes of the bill's lines that it posted. Absent where an older freight posted it. */
  lines?: readonly string[]
  /** `yyyy-mm-dd`, on which the bill is to be paid. Absent where an older freight posted it. */
  due?: string
}

/** The number under which a part of a bill is in the books: `4711/2`. */
export function getPostedNumber({ billNumber, part = 1 }: Pick<Posting, "billNumber" | "part">): string {
  return part === 1 ? billNumber : `${billNumber}/${part}`
}

export const POSTINGS = describeColumns<Posting>({
  id: "text",
  supplier: "text",
  billNumber: "text",
  billDate: "text",
  file: "text",
  books: "text",
  exGst: ["ex_gst_cents", "bigint"],
  gst: ["gst_cents", "bigint"],
  clearing: ["clearing_cents", "bigint"],
  cleared: "json",
  rows: ["row_count", "integer"],
  content: "json",
  head: "text",
  body: "text",
  at: ["posted_at", "text"],
  ...SENDER_COLUMNS,
  undone: "text",
  accounts: "json",
  broughtBack: "json",
  part: "integer",
  lines: "json",
  due: "text",
})

/** A person's transfer in the books, from the clearing account to another. */
export interface Move extends Sender {
  id: string
  disputeId: string
  /** Cents on the dispute's basis; negative where it was moved to the clearing account. */
  amountCents: number
  why?: string
  /** `yyyy-mm-dd`. */
  day: string
  /** ISO 8601 in UTC. */
  at: string
}

export const MOVES = describeColumns<Move>({
  id: "text",
  disputeId: "text",
  amountCents: "bigint",
  why: "text",
  day: ["moved_on", "text"],
  at: ["written_at", "text"],
  ...SENDER_COLUMNS,
})

/** The postings of bills with these numbers, the newest first. */
export async function findPostings(statements: Statements, numbers: readonly string[]): Promise<Posting[]> {
  const rows = await queryInParts([...new Set(numbers)], (part) =>
    statements.all(
      `select * from postings where bill_number in (${placeholders(part)}) order by posted_at desc, id`,
      part,
    ),
  )
  return rows.map((row) => POSTINGS.read(row))
}

/** Disputes that were raised after something of a bill with their bill's number was posted. */
export async function findRaisedLater(statements: Statements): Promise<Dispute[]> {
  const rows = await statements.all(
    `select * from disputes where exists (select 1 from postings
      where postings.bill_number = disputes.bill_number and postings.posted_at < disputes.raised_at)
      order by raised_at, id`,
  )
  return rows.map((row) => DISPUTES.read(row))
}

/** All postings, newest first, without the text and content of their files. */
export async function readPostings(statements: Statements): Promise<Posting[]> {
  const names = POSTINGS.names.filter((name) => !LONG.includes(name))
  const rows = await statements.all(
    `select ${names.join(", ")}, '[]' as content, '' as head, '' as body from postings order by posted_at desc, id`,
  )
  return rows.map((row) => POSTINGS.read(row))
}

const LONG = ["content", "head", "body", "lines"]

export async function readMoves(statements: Statements): Promise<Move[]> {
  return (await statements.all("select * from clearing_moves")).map((row) => MOVES.read(row))
}

export async function addMoves(transaction: Transaction, moves: readonly Move[]): Promise<void> {
  await insertRecords(transaction, "clearing_moves", MOVES, moves, " on conflict do nothing")
}

export async function addPostings(transaction: Transaction, postings: readonly Posting[]): Promise<void> {
  await insertRecords(transaction, "postings", POSTINGS, postings)
}
