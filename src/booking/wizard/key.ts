/** The key that a person gave a booking, with `--key`: what stands under it in the ledger, and whether that is this one. */
import type { Entry } from "../../ledger/entry.ts"
import type { LedgerDeps } from "../../ledger/create.ts"
import { isOfBooking, underKey } from "../recorded.ts"
import { type Draft, wholeRequest } from "./draft.ts"

/** Whether an entry is of the booking that the draft makes. A key that the draft made up is of no other. */
export function isOf(entry: Entry, draft: Draft): boolean {
  if (!draft.keyGiven) return true
  const request = wholeRequest(draft)
  if (!request || !draft.offer) return false
  return isOfBooking(entry, draft.offer.connectorId, request)
}

/** What the draft's key means for it, to be told before it is confirmed. */
export interface Keyed {
  /** The key stands for another booking: this one cannot be sent under it. */
  taken?: string
  /** It was booked under the key before: that is given again, and nothing is sent. */
  recorded?: string
}

/** Looks the draft's key up in the ledger; a key that the draft made up means nothing. */
export async function keyed(ledger: Pick<LedgerDeps, "store" | "scope">, draft: Draft): Promise<Keyed> {
  if (!draft.keyGiven) return {}
  const entry = await underKey(ledger, draft.key)
  if (!entry) return {}
  if (!isOf(entry, draft))
    return { taken: `the key ${draft.key} stands for another booking, ${aboutEntry(entry)}` }
  if (entry.state === "unknown") return {}
  return { recorded: `booked before under the key ${draft.key}, ${aboutEntry(entry)}: it is not sent again` }
}

/** `2 packages to Port Street Fittings, Fremantle WA 6160 (shipment sh-1)` */
export function aboutEntry({ state, facts: { about, shipmentId } }: Entry): string {
  const which = state === "unknown" ? "outcome not known" : shipmentId && `shipment ${shipmentId}`
  return [about ?? "a booking", which && `(${which})`].filter(Boolean).join(" ")
}
