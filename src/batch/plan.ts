/** What is to be done with a row, given what the ledger knows of its reference. Sends nothing. */
import { contentHash, referenceHash } from "../ledger/content.ts"
import type { LedgerDeps } from "../ledger/create.ts"
import type { Entry } from "../ledger/entry.ts"
import { isInFlight } from "../ledger/judge.ts"
import type { GoodRow, Row } from "./row.ts"

export type Plan =
  /** Booked before, and the row still says the same: its result is given again. */
  | { what: "booked"; entry: Entry }
  /** Its reference was used for something else: it is told, and not booked. */
  | { what: "changed"; entry: Entry }
  /** Sent, and nobody knows what came of it. */
  | { what: "unknown"; entry: Entry }
  /** Another live process is sending it now. */
  | { what: "sending"; entry: Entry }
  /** Something equal was booked under another key within 24 hours: it is told, and not booked. */
  | { what: "duplicate"; entry: Entry }
  /** Nothing stands in the way; `before` is an earlier try that certainly created nothing. */
  | { what: "send"; before: Entry | undefined }

/** What of the ledger tells how far a row is. */
export type LedgerReader = Pick<LedgerDeps, "store"> & { scope: string | undefined }

/**
 * @param again book what is equal to something that was booked
 * @throws FreightError when the ledger cannot be read
 */
export async function planOf({ store, scope }: LedgerReader, row: Row, again = false): Promise<Plan> {
  if (scope === undefined || row.booking === undefined)
    return planByReference({ store, scope }, row.reference)
  const question = {
    kind: "shipment" as const,
    scope,
    key: `key:${row.reference}`,
    keyGiven: true,
    content: contentOf(row, row.wish.connectorId, undefined) ?? "not known yet",
    referenceHash: referenceHash(row.booking.customerReference, row.booking.receiver),
    again,
  }
  const { verdict, entry, own } = await store.look(question)
  if (own?.state === "done")
    return isOutcomeOf(own, row) ? { what: "booked", entry: own } : { what: "changed", entry: own }
  if (verdict === "unknown" && entry) return { what: "unknown", entry }
  if (verdict === "in-flight" && entry) return { what: "sending", entry }
  if (verdict === "equal" && entry) return { what: "duplicate", entry }
  return { what: "send", before: own }
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
function isOutcomeOf({ content, facts, request }: Entry, row: GoodRow): boolean {
  const { serviceCode } = request as { serviceCode?: string }
  return contentOf(row, row.wish.connectorId ?? facts.connectorId, serviceCode) === content
}

/** The content of a row's booking; undefined while its connector or its service is open. */
function contentOf(
  { booking, wish }: GoodRow,
  connectorId: string | undefined,
  booked: string | undefined,
): string | undefined {
  const serviceCode = wish.kind === "code" ? wish.serviceCode : booked
  if (connectorId === undefined || serviceCode === undefined) return undefined
  return contentHash("shipment", { connectorId, ...booking, serviceCode })
}
