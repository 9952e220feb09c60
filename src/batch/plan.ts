/** What is to be done with a row, given what the ledger knows of its reference. Sends nothing. */
import { contentHash } from "../ledger/content.ts"
import type { LedgerDeps } from "../ledger/create.ts"
import type { Entry } from "../ledger/entry.ts"
import { isInFlight } from "../ledger/judge.ts"
import type { Row } from "./row.ts"

export type Plan =
  /** Booked before, and the row still says the same: its result is given again. */
  | { what: "booked"; entry: Entry }
  /** Its reference was used for something else: it is told, and not booked. */
  | { what: "changed"; entry: Entry }
  /** Sent, and nobody knows what came of it. */
  | { what: "unknown"; entry: Entry }
  /** Another live process is sending it now. */
  | { what: "sending"; entry: Entry }
  /** Nothing stands in the way; `before` is an earlier try that certainly created nothing. */
  | { what: "send"; before: Entry | undefined }

/** What of the ledger tells how far a row is. */
export type LedgerReader = Pick<LedgerDeps, "store"> & { scope: string | undefined }

/** @throws FreightError when the ledger cannot be read */
export async function planOf(ledger: LedgerReader, row: Row): Promise<Plan> {
  const plan = await planByReference(ledger, row.reference)
  return plan.what === "booked" && !isOutcomeOf(plan.entry, row)
    ? { what: "changed", entry: plan.entry }
    : plan
}

/** The plan for a row that still says what it said: never `changed`. @throws FreightError as `planOf` does */
export async function planByReference(ledger: LedgerReader, reference: string): Promise<Plan> {
  const { store, scope } = ledger
  const entry = await store.latest(scope, "shipment", `key:${reference}`)
  if (!entry) return { what: "send", before: undefined }
  switch (entry.state) {
    case "done":
      return { what: "booked", entry }
    case "unknown":
      return { what: isInFlight(entry, await store.now()) ? "sending" : "unknown", entry }
    case "refused":
    case "released":
      return { what: "send", before: entry }
  }
}

/**
 * Whether an entry is what this row asks for. A row that leaves the service open (`cheapest`) was booked with what was
 * best at the time: that another would be best today does not make it another booking.
 */
function isOutcomeOf({ content, facts, request }: Entry, { booking, wish }: Row): boolean {
  if (!booking) return false
  const { serviceCode: booked } = request as { serviceCode?: string }
  const connectorId = wish.connectorId ?? facts.connectorId
  const serviceCode = wish.kind === "code" ? wish.serviceCode : booked
  return contentHash("shipment", { connectorId, ...booking, serviceCode }) === content
}
