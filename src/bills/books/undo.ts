/** Takes back that a bill was posted: its file was never imported. */
import path from "node:path"
import { FreightError } from "../../base/errors.ts"
import { quoted } from "../../base/parsed.ts"
import type { Database } from "../../ledger/database/database.ts"
import type { Sender } from "../../ledger/entry.ts"
import { addPostings, getPostedNumber, type Posting, readPostings } from "../../ledger/records/postings.ts"
import { toId } from "../ids.ts"
import { writeAlone } from "../disputes/settle.ts"
import { listActive } from "./clearing.ts"
import { toLater } from "./post.ts"

/** A posting that was not imported, and whether that was written now. */
export interface Undone {
  posting: Posting
  isNew: boolean
}

/**
 * Marks what was posted last of each bill as not imported, by a row of its own.
 * @param names numbers of bills as they were posted, their files, or `Supplier 1001`
 * @param isAgain takes back the part before too, where the last was taken back already
 * @throws FreightError `notFound` for a bill that was not posted; `usage` for a name that means several
 */
export function undoPostings(
  database: Database,
  names: readonly string[],
  { why, isAgain }: { why: string; isAgain: boolean },
  sender: Sender,
): Promise<Undone[]> {
  return writeAlone(database, sender, async (transaction, by) => {
    const all = await readPostings(transaction)
    const undone = [...new Set(names)].map((name): Undone => {
      const [newest, ...others] = choosePostings(all, name)
      const last = listActive([newest, ...others]).reduce<Posting | undefined>(
        (one, other) => (one && (one.part ?? 1) > (other.part ?? 1) ? one : other),
        undefined,
      )
      if (newest.undone !== undefined && !(isAgain && last)) return { posting: newest, isNew: false }
      const posting = last ?? newest
      const part = getPostedNumber(posting)
      if (name !== part && /\/\d+$/.test(name) && name !== posting.billNumber)
        throw new FreightError("usage", `bill ${part} was posted after bill ${name}: take that back first`)
      return { posting, isNew: true }
    })
    await addPostings(
      transaction,
      undone.flatMap(({ posting, isNew }): Posting[] => {
        const before = all.filter(
          (each) => each.billNumber === posting.billNumber && each.supplier === posting.supplier,
        )
        const { part } = posting
        const none = { exGst: 0, gst: 0, clearing: 0, cleared: {}, rows: 0, content: [], head: "", body: "" }
        const { supplier, billNumber, billDate, file, books } = posting
        return isNew
          ? [
              {
                id: toId("posting", supplier, billNumber, String(before.length)),
                ...{
                  supplier,
                  billNumber,
                  billDate,
                  file,
                  books,
                  ...none,
                  ...by,
                  at: toLater(by.at, before),
                },
                ...(part !== undefined && { part }),
                undone: why,
              },
            ]
          : []
      }),
    )
    return undone.map(({ posting, isNew }) => ({
      posting: isNew ? { ...posting, undone: why } : posting,
      isNew,
    }))
  })
}

/** The postings of the bill that a name means, the newest first. */
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
