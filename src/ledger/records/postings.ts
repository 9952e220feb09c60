/** What was written for the books, of which bill, and what a person moved there: rows are added, and never changed. */
import type { DatabaseRow, Statements, Transaction } from "../database/database.ts"
import { inParts, insertRows, placeholders } from "../database/rows.ts"
import { MOVES, POSTED_SINCE, POSTINGS } from "../database/tables.ts"
import type { Sender, Taxed } from "../entry.ts"
import type { RememberedBill } from "./bills.ts"

/** What a bill charges for a consignment, or for what has none, by which changes of it are found. Money is in cents. */
export interface PostedCharge extends Taxed {
  name: string
  /** The account of what is not on the clearing account. Freight wrote the rest of this since schema 14. */
  account?: string
  /** The clearing account, where something of it is there. */
  clearing?: string
  /** The dispute or credit of it, by its id. */
  of?: string
}

export interface Posting extends PostedSince, Sender, Taxed, Pick<RememberedBill, "supplier" | "file"> {
  /** Made from the bill, and from how often it was posted before. */
  id: string
  billNumber: string
  /** `yyyy-mm-dd`. */
  billDate: string
  /** The program that the file is for. */
  books: string
  /** Of amount and GST, what went to the clearing account. */
  clearing: number
  /** What each dispute brought there, in cents on its own basis. */
  cleared: Readonly<Record<string, number>>
  rows: number
  content: readonly PostedCharge[]
  /** The headings of the file. */
  head: string
  /** The bill's own rows in it. */
  body: string
  /** ISO 8601 in UTC. */
  at: string
}

/** What ledgers of schema 13 have no column for. */
export interface PostedSince {
  /** Why what was written before was not imported. Such a row posts nothing: the bill is as if it had never been posted. */
  undone?: string
}

/** A person's word that an amount was moved in the books, from the clearing account to another. */
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

/** The postings of bills with these numbers, the newest first. */
export function findPostings(statements: Statements, numbers: readonly string[]): Promise<Posting[]> {
  return findBy(statements, "bill_number", numbers)
}

/** The postings of bills that stood in files of these names, the newest first: a person may have given another number. */
export function findPostingsIn(statements: Statements, files: readonly string[]): Promise<Posting[]> {
  return findBy(statements, "file", files)
}

async function findBy(
  statements: Statements,
  column: "bill_number" | "file",
  values: readonly string[],
): Promise<Posting[]> {
  const found: Posting[] = []
  for (const some of inParts([...new Set(values)])) {
    const rows = await statements.all(
      `select * from postings where ${column} in (${placeholders(some)}) order by posted_at desc, id`,
      some,
    )
    found.push(...rows.map(read))
  }
  return found
}

function read(row: DatabaseRow): Posting {
  return { ...POSTINGS.read(row), ...POSTED_SINCE.read(row) }
}

/** What was moved for disputes with these ids, in the order in which it was written. */
export async function findMoves(statements: Statements, disputeIds: readonly string[]): Promise<Move[]> {
  const found: Move[] = []
  for (const some of inParts(disputeIds))
    for (const row of await statements.all(
      `select * from clearing_moves where dispute_id in (${placeholders(some)}) order by written_at, id`,
      some,
    ))
      found.push(MOVES.read(row))
  return found
}

export async function addMoves(transaction: Transaction, moves: readonly Move[]): Promise<void> {
  await insertRows(
    transaction,
    "clearing_moves",
    moves.map((each) => MOVES.write(each)),
  )
}

/** Each bill that was ever posted, once. */
export async function readPostedBills(
  statements: Statements,
): Promise<Pick<Posting, "supplier" | "billNumber" | "file">[]> {
  const rows = await statements.all(
    "select supplier, bill_number, max(file) as file from postings group by supplier, bill_number",
  )
  return rows.map((row) => ({
    supplier: String(row.supplier),
    billNumber: String(row.bill_number),
    file: String(row.file),
  }))
}

/** The ids of all disputes of which something went to the clearing account by a posting. */
export async function readCleared(statements: Statements): Promise<string[]> {
  const rows = await statements.all("select distinct cleared from postings where cleared <> '{}'")
  return [...new Set(rows.flatMap(({ cleared }) => Object.keys(JSON.parse(String(cleared)) as object)))]
}

export async function addPostings(transaction: Transaction, postings: readonly Posting[]): Promise<void> {
  await insertRows(
    transaction,
    "postings",
    postings.map((each) => ({ ...POSTINGS.write(each), ...POSTED_SINCE.write(each) })),
  )
}
