/** What was written for the books, of which bill: rows are added, and never changed. */
import type { Statements, Transaction } from "../database/database.ts"
import { inParts, insertRows, placeholders } from "../database/rows.ts"
import { POSTINGS } from "../database/tables.ts"
import type { Sender, Taxed } from "../entry.ts"
import type { RememberedBill } from "./bills.ts"

/** What a bill charges for a consignment, or for what has none, by which changes of it are found. Money is in cents. */
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
    found.push(...rows.map((row) => POSTINGS.read(row)))
  }
  return found
}

export async function addPostings(transaction: Transaction, postings: readonly Posting[]): Promise<void> {
  await insertRows(
    transaction,
    "postings",
    postings.map((each) => POSTINGS.write(each)),
  )
}
