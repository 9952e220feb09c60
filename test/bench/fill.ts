/** A ledger that has been in use: settled bookings and their pickups, tracked to their end, over months or years. */
import { systemSqlite } from "../../src/machine/builtin-sqlite.ts"
import { systemClock } from "../../src/machine/host.ts"
import { fingerprint } from "../../src/ledger/accounts/keys.ts"
import type { Database } from "../../src/ledger/database/database.ts"
import { insertRows } from "../../src/ledger/database/sql.ts"
import { toSendRow } from "../../src/ledger/entry-rows.ts"
import { migrate } from "../../src/ledger/schema.ts"
import { type BilledConsignment, rememberBilled, rememberBills } from "../../src/bills/records/bills.ts"
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
/** A bill of each carrier comes a week after the bookings of so many days. */
const BILL_DAYS = 7
/** Every so many bills, one was audited again with another amount. */
const AUDITED_AGAIN_EVERY = 50

/**
 * @param address of the ledger: a file, or PostgreSQL
 * @param isBilled whether audited bills charge for what was booked
 */
export async function fill(
  address: string,
  apiKey: string,
  total: number,
  { isBilled = false } = {},
): Promise<void> {
  const database = await openDatabase(address, "the bench", {
    clock: systemClock,
    ids: { uuid: () => "", random: () => 0 },
    sqlite: systemSqlite,
    password: async () => process.env.PGPASSWORD,
  })
  await migrate(database)
  if (database.dialect === "sqlite")
    for (const pragma of ["cache_size = -500000", "synchronous = off"]) await database.all(`pragma ${pragma}`)
  await fillEmpty(database, fingerprint(apiKey), total, isBilled)
  if (database.dialect === "postgres") await database.run("analyze")
  await database.close()
}

async function fillEmpty(
  database: Database,
  account: string,
  total: number,
  isBilled: boolean,
): Promise<void> {
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
  if (isBilled) await fillBills()

  /** Bills as they come: those of the last days are still to come. */
  async function fillBills(): Promise<void> {
    const weeks = Math.floor(spanMs / DAY_MS / BILL_DAYS) - 1
    const perWeek = (total * BILL_DAYS * DAY_MS) / spanMs
    for (let week = 0, count = 0; week < weeks; week++) {
      const [from, to] = [Math.ceil(week * perWeek), Math.ceil((week + 1) * perWeek)]
      const numbers = Array.from({ length: to - from }, (_, n) => from + n).filter((n) => !isPickup(n))
      for (const carrier of new Set(SERVICES.map((service) => service.carrier))) {
        const own = numbers.filter((n) => describe(n).service.carrier === carrier)
        const at = start + (week + 2) * BILL_DAYS * DAY_MS
        const audits = ++count % AUDITED_AGAIN_EVERY === 0 ? 2 : 1
        for (let audit = 0; audit < audits; audit++)
          await keepBill(`${carrier.slice(8, 9)}-${week}`, carrier, at + audit * DAY_MS, own, audit)
      }
    }
  }

  /** @param more cents that each consignment is charged beside its price */
  async function keepBill(
    number: string,
    carrier: string,
    at: number,
    booked: readonly number[],
    more: number,
  ): Promise<void> {
    const billId = `${number} ${at}`
    const billed = booked.map((n): BilledConsignment & { billId: string } => {
      const { number: consignment, shipmentId } = describe(n)
      return {
        billId,
        consignment,
        shipmentId,
        ...charge(n, more),
        charges: ["freight"],
        verdict: "agrees",
        disputedCents: 0,
      }
    })
    const amountCents = billed.reduce((sum, { exGst }) => sum + (exGst ?? 0), 0)
    const gstCents = billed.reduce((sum, { gst }) => sum + (gst ?? 0), 0)
    await database.transaction(async (transaction) => {
      await rememberBills(transaction, [
        {
          ...{
            id: billId,
            scope,
            supplier: carrier,
            number,
            date: toIso(at).slice(0, 10),
            file: `${number}.csv`,
          },
          ...{
            amountCents,
            gstBasis: "excluded",
            gstCents,
            auditedAt: toIso(at),
            workstation: "desk-0",
            person: "",
          },
        },
      ])
      await rememberBilled(transaction, billed)
    })
  }

  /** Most state GST of 10 %, some charge a part without it, and some do not say it. */
  function charge(n: number, more: number) {
    const exGst = priceOf(n) + (n % 5 === 0 ? 350 : 0) + more
    const gst = n % 11 === 0 ? Math.round(priceOf(n) / 10) : Math.round(exGst / 10)
    const isStated = n % 13 !== 0
    return {
      exGst,
      gst: isStated ? gst : null,
      incGst: isStated ? exGst + gst : null,
      unspecifiedGstCents: null,
    }
  }

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

  function priceOf(n: number): number {
    return 2_000 + (n % 3_001)
  }

  /** The compared offers: see `WrittenRates` in `src/orders/booking/compared-rates.ts`. */
  function listOffers(n: number, at: number) {
    const taken = describe(n).service
    const connectors = new Map<string, unknown[]>()
    for (const service of SERVICES) {
      const { connectorId, carrier, serviceCode, days } = service
      const own = connectors.get(connectorId) ?? [connectorId, carrier]
      const more = service === taken ? 0 : (n % 7) * 150 - 300
      own.push([serviceCode, Math.round((priceOf(n) + more) * 1.1), days])
      connectors.set(connectorId, own)
    }
    return [toIso(at).slice(0, 10), ...connectors.values()]
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
        ...{ priceCents: priceOf(n), gstBasis: GST_BASES[n % GST_BASES.length], currency: "AUD" },
        ...{ weightGrams: 5_000 + (n % 7_001), eta: toIso(at + days * DAY_MS).slice(0, 10) },
        ...{ receiverSuburb: receiver.suburb, receiverState: receiver.state },
        receiverPostcode: receiver.postcode,
        offers: JSON.stringify(listOffers(n, at)),
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
