/** What was written for the books, of which bill, and what a person moved there: rows are added, and never changed. */
import type { DatabaseRow, Statements, Transaction } from "../database/database.ts"
import { inParts, insertRows, placeholders } from "../database/rows.ts"
import { MOVES, POSTED_SINCE, POSTINGS } from "../database/tables.ts"
import type { Sender, Taxed } from "../entry.ts"
import type { RememberedBill } from "./bills.ts"

/** What a bill charges for a consignment, or for what has none, by which changes of it are found. Money is in cents. */
export interface PostedCharge extends Taxed {
  name: string
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

export interface PostedSince {
  /** The clearing account, and the expense account of each dispute and credit by its id. */
  accounts?: { clearing: string; own: Readonly<Record<string, string>> }
  /** What each credit brought back to the clearing account, by the disputes that it paid: cents on their basis. */
  broughtBack?: Readonly<Record<string, Readonly<Record<string, number>>>>
  /** Why the posting of this part before it was not imported: the row posts nothing, and neither does that posting. */
  undone?: string
  /** 2 and more for what a bill had grown by; absent for the first. */
  part?: number
  /** Hashes of the bill's lines that it posted. Absent where an older freight posted it. */
  lines?: readonly string[]
}

/** A person's word that an amount was moved in the books, from the clearing account to another. */
export interface Move extends Sender {
  id: string
  disputeId: string
  /** The other account. */
  account: string
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

/** All postings, the newest first, without the text of their files. */
export async function readPostings(statements: Statements): Promise<Posting[]> {
  const names = POSTINGS.names.filter((name) => !LONG.includes(name)).join(", ")
  const rows = await statements.all(
    `select ${names}, '[]' as content, '' as head, '' as body, ${POSTED_SINCE.names.join(", ")} from postings order by posted_at desc, id`,
  )
  return rows.map(read)
}

const LONG = ["content", "head", "body"]

/** What was moved for disputes with these ids; for all where none are given. */
export async function readMoves(statements: Statements, disputeIds?: readonly string[]): Promise<Move[]> {
  if (disputeIds === undefined)
    return (await statements.all("select * from clearing_moves")).map((row) => MOVES.read(row))
  const found: Move[] = []
  for (const some of inParts(disputeIds)) {
    const rows = await statements.all(
      `select * from clearing_moves where dispute_id in (${placeholders(some)})`,
      some,
    )
    found.push(...rows.map((row) => MOVES.read(row)))
  }
  return found
}

export async function addMoves(transaction: Transaction, moves: readonly Move[]): Promise<void> {
  await insertRows(
    transaction,
    "clearing_moves",
    moves.map((each) => MOVES.write(each)),
  )
}

export async function addPostings(transaction: Transaction, postings: readonly Posting[]): Promise<void> {
  await insertRows(
    transaction,
    "postings",
    postings.map((each) => ({ ...POSTINGS.write(each), ...POSTED_SINCE.write(each) })),
  )
}
