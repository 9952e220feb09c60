/** What the ledger remembers of bills: which of them were audited before, and keeping those of this audit. */
import path from "node:path"
import { formatCents } from "../contract/money.ts"
import { formatInstant } from "../contract/wall-clock.ts"
import {
  type BilledConsignment,
  findBills,
  rememberBilled,
  rememberBills,
  type RememberedBill,
} from "../ledger/records/bills.ts"
import type { Store } from "../ledger/store.ts"
import type { Ids } from "../ports.ts"
import { getGstBasis } from "./judge.ts"
import type { Amounts } from "./lines.ts"
import type { Scratch, ScratchBill } from "./scratch.ts"

/** What identifies a bill beside its number. */
export function getBillAmount(amounts: Amounts) {
  return { cents: amounts.exGst ?? amounts.incGst ?? amounts.unsaid ?? 0, gst: getGstBasis(amounts) }
}

interface MemoryDeps {
  store: Store
  ids: Ids
  note(text: string): Promise<void>
  warn(text: string): Promise<void>
}

export interface Earlier {
  is: Map<number, { before?: "again" | "changed"; rememberedId: string }>
  /** Remembered bills that are those of this audit, and so bill nothing before it. */
  same: Set<string>
}

/** Reports which of the bills were audited before. */
export async function findEarlier(
  scratch: Scratch,
  { store, ids, note, warn }: MemoryDeps,
): Promise<Earlier> {
  const earlier: Earlier = { is: new Map(), same: new Set() }
  for (const page of scratch.bills()) {
    const audited = page.filter(({ skipped }) => skipped === undefined)
    const known = await findBills(store.database, [...new Set(audited.map(({ bill }) => bill.number))])
    for (const each of audited) {
      const { bill, id } = each
      const { cents } = getBillAmount(each)
      const name = bill.number === "" ? bill.file : `bill ${bill.number}`
      const others = known.filter((other) => isSameBill(each, other, cents))
      const again = others.find(({ amountCents }) => amountCents === cents)
      const [changed] = again ? [] : others
      for (const other of others) earlier.same.add(other.id)
      earlier.is.set(id, {
        ...(again ? { before: "again" as const } : changed ? { before: "changed" as const } : {}),
        rememberedId: again?.id ?? ids.uuid(),
      })
      if (again)
        await note(
          `${name} was audited before, on ${formatInstant(again.auditedAt)} by ${again.person || "somebody"} at ${again.workstation}: it is audited again, and is not a second bill.`,
        )
      if (changed)
        await warn(
          `${name} was audited before with another amount: ${formatCents(changed.amountCents)} on ${formatInstant(changed.auditedAt)}, ${formatCents(cents)} now. Ask ${bill.supplier || "the carrier"} which of the two is right.`,
        )
    }
  }
  return earlier
}

/** The same number of the same supplier; another spelling of the supplier where the amount is the same too. */
function isSameBill({ bill }: ScratchBill, other: RememberedBill, cents: number): boolean {
  if (bill.number !== other.number) return false
  if (bill.number === "") return other.amountCents === cents && other.file === path.basename(bill.file)
  return other.supplier === bill.supplier || other.amountCents === cents
}

/** Keeps the bills of this audit, all of them or none. @throws FreightError when the ledger cannot be written */
export async function rememberAudit(
  scratch: Scratch,
  { store }: Pick<MemoryDeps, "store">,
  earlier: Earlier,
  by: Pick<RememberedBill, "workstation" | "person" | "scope">,
): Promise<void> {
  const auditedAt = new Date(await store.now()).toISOString()
  await store.database.transaction(async (transaction) => {
    for (const page of scratch.bills())
      await rememberBills(
        transaction,
        page.flatMap((each): RememberedBill[] => {
          const is = earlier.is.get(each.id)
          if (!is || each.lines === 0) return []
          const { cents, gst } = getBillAmount(each)
          const { supplier, number, date, file } = each.bill
          const amounts = { amountCents: cents, gstCents: each.gst, gstBasis: gst }
          const bill = { supplier, number, date, file: path.basename(file) }
          return [{ id: is.rememberedId, ...bill, ...amounts, auditedAt, ...by }]
        }),
      )
    for (const page of scratch.billed<BilledConsignment>())
      await rememberBilled(
        transaction,
        page.flatMap(({ bill, billed }) => {
          const billId = earlier.is.get(bill)?.rememberedId
          return billId === undefined ? [] : [{ ...billed, billId }]
        }),
      )
  })
}
