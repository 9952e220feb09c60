/** Undoes a posting whose file was never imported. */
import path from "node:path"
import { FreightError } from "../../base/errors.ts"
import { quoted } from "../../base/parsed.ts"
import type { Database, Sender } from "../../ledger/index.ts"
import { addPostings, getPostedNumber, type Posting, readPostings } from "../records/postings.ts"
import { toId } from "../ids.ts"
import { writeAlone } from "../disputes/settle.ts"
import { listActive } from "./clearing.ts"
import { toLater } from "./post.ts"

/** A posting that was not imported, and whether this was recorded just now. */
export interface Undone {
  posting: Posting
  isNew: boolean
}

/**
 * Records by a separate row that the last posting of each bill was not imported.
 * @param names numbers of bills as they were posted, their files, or `Supplier 1001`
 * @param isAgain also undoes the part before, if the last one is undone already
 */
export function undoPostings(
  database: Database,
  names: readonly string[],
  { why, isAgain }: { why: string; isAgain: boolean },
  sender: Sender,
): Promise<Undone[]> {
  return writeAlone(database, sender, async (transaction, by) => {
    const all = await readPostings(transaction)
    const undone = [...new Set(names)].map((name) => findUndone(all, name, isAgain))
    const rows = undone
      .filter(({ isNew }) => isNew)
      .map(({ posting }) => toUndoing(posting, all, { ...by, undone: why }))
    await addPostings(transaction, rows)
    return undone.map(({ posting, isNew }) => ({
      posting: isNew ? { ...posting, undone: why } : posting,
      isNew,
    }))
  })
}

/** Finds the posting that a name undoes: the last active one, or the last undone one. */
function findUndone(all: readonly Posting[], name: string, isAgain: boolean): Undone {
  const postings = choosePostings(all, name)
  const [newest] = postings
  const last = listActive(postings).reduce<Posting | undefined>(
    (one, other) => (one && (one.part ?? 1) > (other.part ?? 1) ? one : other),
    undefined,
  )
  if (newest.undone !== undefined && !(isAgain && last)) return { posting: newest, isNew: false }
  const posting = last ?? newest
  const part = getPostedNumber(posting)
  if (name !== part && /\/\d+$/.test(name) && name !== posting.billNumber)
    throw new FreightError("usage", `bill ${part} was posted after bill ${name}: take that back first`)
  return { posting, isNew: true }
}

/** The row that records that a posting was not imported: it posts nothing. */
function toUndoing(
  { supplier, billNumber, billDate, file, books, part }: Posting,
  all: readonly Posting[],
  by: Sender & Pick<Posting, "at" | "undone">,
): Posting {
  const before = all.filter((each) => each.billNumber === billNumber && each.supplier === supplier)
  return {
    id: toId("posting", supplier, billNumber, String(before.length)),
    ...{ supplier, billNumber, billDate, file, books },
    ...{ exGst: 0, gst: 0, clearing: 0, cleared: {}, rows: 0, content: [], head: "", body: "" },
    ...by,
    at: toLater(by.at, before),
    ...(part !== undefined && { part }),
  }
}

/** The postings of the bill with this name, newest first. */
function choosePostings(all: readonly Posting[], name: string): [Posting, ...Posting[]] {
  const found = all.filter((each) => {
    const { supplier, billNumber, file } = each
    const number = getPostedNumber(each)
    return (
      [billNumber, number, `${supplier} ${billNumber}`, `${supplier} ${number}`].includes(name) ||
      file === path.basename(name)
    )
  })
  const bills = new Set(found.map(({ supplier, billNumber }) => `${supplier} ${billNumber}`))
  const [first] = found
  if (!first)
    throw new FreightError("notFound", `no bill ${quoted(name)} was posted`, {
      hint: "Give its number as it was posted, or the name of its file.",
    })
  if (bills.size > 1)
    throw new FreightError("usage", `${quoted(name)} is ${bills.size} bills that were posted`, {
      hint: `Name one of them: ${[...bills].map(quoted).join(", ")}. Nothing was written.`,
    })
  const { supplier, billNumber } = first
  const [newest = first, ...others] = all.filter(
    (each) => each.supplier === supplier && each.billNumber === billNumber,
  )
  return [newest, ...others]
}
