/** How the sending of something ended of which nobody knows whether it was made. */
import { safeText } from "../contract/safe-text.ts"
import type { FreightError } from "../errors.ts"
import type { Entry } from "./entry.ts"
import type { Slot, Store } from "./store.ts"

const LONGEST = 300

/**
 * Keeps it in the open entry, for whoever looks into it. The entry stays `unknown` and is as safe without: what cannot
 * be written is told by the error all the same.
 */
export async function keepWhy(store: Store, slot: Slot, entry: Entry, error: FreightError): Promise<void> {
  const { kind, status } = error
  const message = safeText(error.message, LONGEST)
  try {
    // Another desk may have settled it in the meantime.
    if ((await store.at(slot))?.entry?.state !== "unknown") return
    await store.settle(slot, { ...entry, error: { kind, message, ...(status !== undefined && { status }) } })
  } catch {
    // The claim stands as it was.
  }
}
