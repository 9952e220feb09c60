/** Writes letters to carriers about open disputes, one for each bill, with the pages of evidence. */
import { quoteBlanks } from "../base/command-line.ts"
import { FreightError } from "../base/errors.ts"
import { groupBy } from "../base/grouping.ts"
import {
  chooseDisputes,
  describeLetter,
  type Dispute,
  type DisputeBalance,
  findTaxed,
  isOpen,
  isToBeSent,
  nameWithSupplier,
  readDisputes,
  toDisputeBalances,
} from "../bills/index.ts"
import type { Deps } from "../session/index.ts"
import { chooseLetterFormat, type Letter, type LetterOptions, writeLetterFiles } from "./letter-pages.ts"

/** A letter about one bill. */
export interface SavedLetter {
  dispute: Dispute
  /** All open disputes of the bill. */
  balances: readonly DisputeBalance[]
  file: string
}

/**
 * Writes a letter about the open disputes of each named bill; without names, of each bill with unsent disputes.
 * @returns those that went into files
 * @throws FreightError `usage` for several bills and no folder, and for a file of another ending; `notFound` if nothing
 * is open
 */
export async function writeLetters(
  deps: Deps,
  names: readonly string[],
  options: LetterOptions,
): Promise<SavedLetter[]> {
  const format = chooseLetterFormat("letter", options)
  const { database } = (await deps.readLedger()).store
  const all = toDisputeBalances(await readDisputes(database))
  const bills = listOpenBills(all, names)
  const letters = bills.map((balances): Letter => {
    const [{ dispute }] = balances
    return {
      name: nameWithSupplier(dispute),
      to: dispute,
      disputes: balances,
      describe: async (head) => describeLetter(balances, await findTaxed(database, balances), head),
      saved: `. When it is sent: freight disputes sent ${quoteBlanks(nameBillAlone(dispute, all))}`,
    }
  })
  const files = await writeLetterFiles(deps, "letter", letters, format, options)
  return bills
    .map((balances, at): SavedLetter => ({ balances, dispute: balances[0].dispute, file: files[at] ?? "-" }))
    .filter(({ file }) => file !== "-")
}

type OpenBill = readonly [DisputeBalance, ...DisputeBalance[]]

/** The open disputes of each named bill; without names, of those that have to be sent. */
function listOpenBills(all: readonly DisputeBalance[], names: readonly string[]): OpenBill[] {
  const chosen = names.length > 0 ? chooseDisputes(all, names) : all.filter(isToBeSent)
  const bills = new Set(chosen.map(({ dispute }) => toBillKey(dispute)))
  const open = all.filter((each) => isOpen(each) && bills.has(toBillKey(each.dispute)))
  const grouped = [...groupBy(open, ({ dispute }) => toBillKey(dispute)).values()] as unknown as OpenBill[]
  if (grouped.length > 0) return grouped
  throw new FreightError("notFound", names.length > 0 ? "nothing is open there" : "nothing is to be sent", {
    next: "freight disputes --all",
  })
}

function toBillKey({ supplier, billNumber, file }: Dispute): string {
  return JSON.stringify([supplier, billNumber || file])
}

/** The bill's number, with its supplier if another supplier's bill has that number too. */
function nameBillAlone(dispute: Dispute, all: readonly DisputeBalance[]): string {
  const bill = dispute.billNumber || dispute.file
  const isAlone = all.every(
    (each) => each.dispute.billNumber !== bill || toBillKey(each.dispute) === toBillKey(dispute),
  )
  return isAlone ? bill : nameWithSupplier(dispute)
}
