/** A ledger that has been in use: settled bookings and their pickups, tracked to their end, over months or years. */
import { systemSqlite } from "../../src/machine/builtin-sqlite.ts"
import { systemClock } from "../../src/machine/host.ts"
import { fingerprint } from "../../src/ledger/accounts/keys.ts"
import type { Database } from "../../src/ledger/database/database.ts"
import { insertRows } from "../../src/ledger/database/sql.ts"
import { toSendRow } from "../../src/ledger/entry-rows.ts"
import { migrate } from "../../src/ledger/schema.ts"
import { JOURNEYS } from "../../src/ledger/records/journeys.ts"
import { type Entry, idOf, type Kind } from "../../src/ledger/entry.ts"
import { openDatabase } from "../../src/ledger/open.ts"
import { booking } from "../sandbox/requests.ts"

/** At least; a larger ledger has this many entries a day. */
const DAYS = 180
const ENTRIES_A_DAY = 1_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const AT_ONCE = 1_000
/** Every so many entries, a pickup. */
const PICKUP_EVERY = 20
const CANCELLED_EVERY = 97

const SERVICES = [
  { connectorId: "connector-a", carrier: "CARRIER_A_AU", serviceCode: "76", days: 3 },
  { connectorId: "connector-a", carrier: "CARRIER_A_AU", serviceCode: "75", days: 1 },
  { connectorId: "connector-b", carrier: "CARRIER_B_AU", serviceCode: "GEN", days: 4 },
] as const
const RECEIVERS = [
  { suburb: "Fremantle", state: "WA", postcode: "6160" },
  { suburb: "Parramatta", state: "NSW", postcode: "2150" },
  { suburb: "Geelong", state: "VIC", postcode: "3220" },
  { suburb: "Cairns", state: "QLD", postcode: "4870" },
  { suburb: "Glenelg", state: "SA", postcode: "5045" },
] as const
const COST_CENTRES = ["Sales", "Returns", "Showroom", "Workshop", "Export", "Events", "Projects"] as const
const GST_BASES = ["excluded", "excluded", "excluded", "unknown"] as const

/** @param address of the ledger: a file, or PostgreSQL */
export async function fill(address: string, apiKey: string, total: number): Promise<void> {
  const database = await openDatabase(address, "the bench", {
    clock: systemClock,
    ids: { uuid: () => "", random: () => 0 },
    sqlite: systemSqlite,
    password: async () => process.env.PGPASSWORD,
  })
  await migrate(database)
  if (database.dialect === "sqlite")
    for (const pragma of ["cache_size = -500000", "synchronous = off"]) await database.all(`pragma ${pragma}`)
  await fillEmpty(database, fingerprint(apiKey), total)
  if (database.dialect === "postgres") await database.run("analyze")
  await database.close()
}

async function fillEmpty(database: Database, account: string, total: number): Promise<void> {
  const scope = `freight:${account}`
  const spanMs = Math.max(DAYS, total / ENTRIES_A_DAY) * DAY_MS
  const start = Date.now() - spanMs
  for (let from = 0; from < total; from += AT_ONCE)
    await database.transaction(async (transaction) => {
      const numbers = Array.from({ length: Math.min(AT_ONCE, total - from) }, (_, n) => from + n)
      const rows = numbers.map((n) => toSendRow(createEntry(n), `fill ${n}`))
      await insertRows(transaction, "sends", rows)
      const journeys = numbers.flatMap((n) => (isPickup(n) ? [] : [JOURNEYS.write(createJourney(n))]))
      if (journeys.length > 0) await insertRows(transaction, "journeys", journeys)
    })

  function isPickup(n: number): boolean {
    return n % PICKUP_EVERY === PICKUP_EVERY - 1
  }

  function bookedAt(n: number): number {
    return start + Math.floor((n * spanMs) / total)
  }

  function describe(n: number) {
    const service = SERVICES[n % SERVICES.length] ?? SERVICES[0]
    const receiver = RECEIVERS[(n * 7) % RECEIVERS.length] ?? RECEIVERS[0]
    const number = `EARLIER${String(n).padStart(7, "0")}`
    return { service, receiver, number, name: `PO-${n}`, shipmentId: `earlier-${n}` }
  }

  function createJourney(n: number) {
    const { service, number: consignmentNumber } = describe(n)
    const isCancelled = n % CANCELLED_EVERY === 0
    // Some are late, and all are over: nothing is left to be asked of the service.
    const deliveredAt = bookedAt(n) + (service.days - 1 + (n % 11 === 0 ? 2 : 0)) * DAY_MS + (n % 9) * HOUR_MS
    const times = { deliveredAt: toIso(deliveredAt), lookedAt: toIso(deliveredAt + HOUR_MS) }
    const { deliveredAt: _, ...notDelivered } = times
    return {
      ...{ scope, consignmentNumber, events: isCancelled ? 0 : 4, isCancelled, hasLabel: true },
      ...(isCancelled ? notDelivered : times),
    }
  }

  function createEntry(n: number): Entry {
    const { service, receiver, number, name, shipmentId } = describe(n)
    const { connectorId, carrier, serviceCode, days } = service
    const at = bookedAt(n)
    const kind: Kind = isPickup(n) ? "pickup" : "shipment"
    const key = isPickup(n) ? `key:pickup-${n}` : `key:${name}`
    const shared: Omit<Entry, "facts" | "call" | "request"> = {
      ...{ id: `${idOf(scope, kind, key)}.1`, scope, account, key, keyGiven: true, kind, attempt: 1 },
      ...{ content: `content ${n}`, sentAt: toIso(at), settledAt: toIso(at) },
      state: "done",
      sender: { workstation: `desk-${n % 4}`, person: "" },
    }
    if (kind === "pickup")
      return {
        ...shared,
        facts: { connectorId, carrier, about: `pickup for ${number}`, shipmentId: `earlier-${n - 1}` },
        call: "POST /pickups",
        request: { shipmentId: `earlier-${n - 1}` },
        response: { pickupBookingId: `pickup-${n}` },
      }
    return {
      ...shared,
      referenceHash: `reference ${n}`,
      facts: {
        ...{ connectorId, carrier, serviceCode, about: `2 packages to Receiver ${n}, ${receiver.suburb}` },
        ...{ reference: name, shipmentId, consignmentNumber: number, orderNumber: `O${n}` },
        ...{ priceCents: 2_000 + (n % 3_001), gstBasis: GST_BASES[n % GST_BASES.length], currency: "AUD" },
        ...{ weightGrams: 5_000 + (n % 7_001), eta: toIso(at + days * DAY_MS).slice(0, 10) },
        ...{ receiverSuburb: receiver.suburb, receiverState: receiver.state },
        receiverPostcode: receiver.postcode,
        // Some are for none.
        ...(n % 8 < 7 && { own: { costCentre: COST_CENTRES[n % 8] } }),
      },
      call: `POST /${connectorId}/shipments`,
      request: booking({
        customerReference: name,
        serviceCode,
        collectionDateTime: toIso(at).slice(0, 19),
        receiver: { ...booking().receiver, companyName: `Receiver ${n}`, ...receiver },
      }),
      response: { shipmentId, consignmentNumber: number, orderNumber: `O${n}` },
    }
  }
}

function toIso(instant: number): string {
  return new Date(instant).toISOString()
}
