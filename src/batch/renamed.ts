/** Orders that may have been booked before under another reference: `V-1` that a shop or a person renamed `V-1b`. */
import type { ConsignmentBookingRequest } from "../contract/generated/types.ts"
import { counted } from "../contract/counted.ts"
import { formatPackage } from "../contract/packages.ts"
import { referenceHash } from "../ledger/content.ts"
import type { LedgerDeps } from "../ledger/create.ts"
import { type Entry, sentText } from "../ledger/entry.ts"
import type { Checked } from "./check.ts"

interface Renamed {
  reference: string
  /** The booking of equal goods to the same receiver. */
  before: Entry
}

/** Bookings this old are not asked about: a weekly order has the same goods each week. */
const ASKED_FOR_MS = 4 * 86_400_000
const PAGE = 500

/** A hash of what goes to whom; undefined where the packages are not known. */
export function hashGoods({
  receiver,
  packages,
}: Pick<ConsignmentBookingRequest, "receiver"> & Partial<ConsignmentBookingRequest>): string | undefined {
  return referenceHash(packages?.map(formatPackage).sort().join(" "), receiver)
}

/**
 * Rows that would be booked, and are equal to a booking of the last days whose reference is not in the file any more.
 * @throws FreightError when the ledger cannot be read
 */
async function findRenamed(
  { store, owner }: Pick<LedgerDeps, "store" | "owner">,
  { fresh, references }: Pick<Checked, "fresh" | "references">,
): Promise<Renamed[]> {
  if (fresh.size === 0) return []
  const found = new Map<string, Entry>()
  const since = new Date((await store.now()) - ASKED_FOR_MS).toISOString()
  let page: readonly Entry[] | undefined
  while (page === undefined || page.length === PAGE) {
    const filter = { since, kind: "shipment", state: "done", scopes: [owner.scope] } as const
    page = await store.history({ ...filter, page: { after: page?.at(-1), size: PAGE } })
    for (const entry of page) {
      const before = entry.facts.reference
      if (before === undefined || references.has(before)) continue
      const hash = hashGoods(entry.request as ConsignmentBookingRequest)
      for (const reference of (hash !== undefined && fresh.get(hash)) || [])
        if (!found.has(reference)) found.set(reference, entry)
    }
  }
  const ofFile = [...references].filter((reference) => found.has(reference))
  return ofFile.flatMap((reference) => {
    const before = found.get(reference)
    return before ? [{ reference, before }] : []
  })
}

interface NoteDeps {
  note(text: string): Promise<void>
  readonly spending: { readonly isOpen: boolean }
}

/**
 * Names orders that are equal to a booking under a reference which the file has no more.
 * @param asks whether the person is asked about them next
 * @returns how many there are
 */
export async function noteRenamed(
  { note, spending }: NoteDeps,
  { ledger }: { ledger: LedgerDeps },
  checked: Checked,
  asks = true,
): Promise<number> {
  const renamed = await findRenamed(ledger, checked)
  if (renamed.length === 0) return 0
  const named = renamed
    .slice(0, MOST_NAMED)
    .map(({ reference, before }) => `${reference} (${before.facts.reference}, booked ${sentText(before)})`)
  const more = renamed.length > MOST_NAMED ? [`${renamed.length - MOST_NAMED} more`] : []
  const orders = counted(renamed.length, "order has", "orders have")
  await note(
    `${orders} the goods and the receiver of one that was booked under another reference: ${[...named, ...more].join(", ")}.`,
  )
  if (asks && spending.isOpen)
    await note(
      "If you do not mean separate orders, answer no, and give these rows the reference that they were booked under.",
    )
  return renamed.length
}

const MOST_NAMED = 3
