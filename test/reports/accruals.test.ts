/** Bookings that are not billed: read page by page in SQL, against a plain reckoning of each entry. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type AccrualRow, accrualPages, createAccrualTotals } from "../../src/reports/accruals/accruals.ts"
import type { ShipmentSummary } from "../../src/contract/generated/types.ts"
import type { Database } from "../../src/ledger/database/database.ts"
import type { Entry, GstBasis, Kind, State } from "../../src/ledger/entry.ts"
import { unbilledPages } from "../../src/ledger/records/billed.ts"
import {
  type BilledConsignment,
  type RememberedBill,
  rememberBilled,
  rememberBills,
} from "../../src/bills/records/bills.ts"
import { connectTo, newDatabase, SERVER } from "../ledger/postgres.ts"
import {
  entry,
  ledgerFileIn,
  NOW,
  openFile,
  put,
  request,
  SCOPE,
  storeIn,
  temporaryDir,
} from "../ledger/setup.ts"

const row = (amount: number | null, changes: Partial<AccrualRow> = {}): AccrualRow => ({
  ...{
    bookedAt: "2026-11-20T00:00:00Z",
    consignmentNumber: "C",
    reference: "R",
    shipmentId: "S",
    from: "ledger",
    costCentre: null,
  },
  ...{ carrier: "CARRIER_B_AU", serviceCode: "GEN", gstBasis: "excluded", currency: "AUD", amount },
  ...changes,
})

it("adds up what is not billed by what quotes say of GST, and other currencies by themselves", () => {
  const totals = createAccrualTotals()
  totals.add([row(0.1), row(0.2), row(5, { gstBasis: "unknown" })])
  totals.add([row(null), row(20, { currency: "NZD" })])
  expect(totals.get()).toEqual({
    consignments: 5,
    unpriced: 1,
    amounts: { excluded: 0.3, included: null, unknown: 5 },
    otherCurrencies: [{ currency: "NZD", gstBasis: "excluded", amount: 20 }],
  })
})

const ACCOUNTS = [SCOPE, "freight:other"] as const
const BOOKINGS = 300
/** Few instants, so that many entries have the same. */
const INSTANTS = Array.from({ length: 8 }, (_, n) => new Date(NOW - n * 60_000).toISOString())

interface Charged extends Pick<BilledConsignment, "consignment" | "shipmentId"> {
  billId: string
  /** By the basis of which they are. */
  exGst: number | null
  incGst: number | null
  unspecifiedGstCents: number | null
}

interface Ledger {
  entries: Entry[]
  bills: RememberedBill[]
  charged: Charged[]
  listed: ShipmentSummary[]
}

/** The same bill audited at first and again, two of one carrier, and two files without a number. */
const BILLS = [
  ["first", "4711", 1],
  ["again", "4711", 2],
  ["other", "4712", 2],
  ["file-1", "", 1],
  ["file-2", "", 3],
] as const

const bill = (id: string, number: string, hour: number): RememberedBill => ({
  ...{ id, number, scope: SCOPE, supplier: "Carrier B", date: "2026-11-24", file: `${id}.csv` },
  ...{ amountCents: hour * 1000, gstCents: null, gstBasis: "excluded" },
  ...{ auditedAt: new Date(NOW + hour * 3_600_000).toISOString(), workstation: "desk-1", person: "ann" },
})

const oneOf = <T>(...all: readonly T[]) => fc.constantFrom(...all)

const BOOKING = fc.record({
  kind: oneOf<Kind>("shipment", "shipment", "shipment", "shipment", "pickup"),
  state: oneOf<State>("done", "done", "done", "done", "unknown", "refused", "released"),
  scope: oneOf(SCOPE, SCOPE, SCOPE, ACCOUNTS[1]),
  payer: oneOf(undefined, "Sender", "Sender", "Receiver", "ThirdParty"),
  sentAt: oneOf(...INSTANTS),
  hasNumber: oneOf(true, true, true, false),
  price: oneOf(undefined, 1, 3_107, 99_999),
  gstBasis: oneOf<GstBasis | undefined>(undefined, "excluded", "included"),
  currency: oneOf(undefined, "AUD", "NZD"),
  /** The status in the API's list; undefined if it is not listed. */
  listed: oneOf("BOOKED", "BOOKED", "CANCELLED", undefined),
  /** Cents on bills, by the ways in which a bill may name it: whole, in parts, given back in part or whole. */
  charges: fc.array(
    fc.record({
      bill: oneOf(...BILLS.map(([id]) => id)),
      cents: oneOf(1_000, -1_000, 1_000, 500, 0),
      basis: oneOf("exGst", "incGst", "unspecifiedGstCents", undefined),
      by: oneOf("consignment", "shipment", "both", "nothing"),
    }),
    { maxLength: 3 },
  ),
})

type Drawn = typeof BOOKING extends fc.Arbitrary<infer Each> ? Each : never

function toEntryOf(drawn: Drawn, at: number): Entry {
  const { kind, state, scope, payer, sentAt, hasNumber, price, gstBasis, currency } = drawn
  return entry({
    ...{ kind, state, scope, sentAt, key: `key:PO-${at}`, content: `content ${at}` },
    request: { ...request, ...(payer ? { payer: { type: payer } } : { payer: undefined }) },
    facts: {
      ...{ reference: `PO-${at}`, carrier: "CARRIER_B_AU", serviceCode: "GEN" },
      ...(kind === "shipment" && state === "done" && { shipmentId: `shp-${at}` }),
      ...(hasNumber && { consignmentNumber: `C${at}` }),
      ...(price !== undefined && { priceCents: price }),
      ...{ gstBasis, currency },
    },
  })
}

function toCharged(drawn: Drawn, at: number): Charged[] {
  const own = new Map<string, Charged>()
  for (const { bill: billId, cents, basis, by } of drawn.charges) {
    const consignment = by === "consignment" || by === "both" ? `C${at}` : `another-${at}`
    const shipmentId = by === "shipment" || by === "both" ? `shp-${at}` : undefined
    const amounts = { exGst: null, incGst: null, unspecifiedGstCents: null, ...(basis && { [basis]: cents }) }
    own.set(`${billId} ${consignment}`, { billId, consignment, shipmentId, ...amounts })
  }
  return [...own.values()]
}

/** A shipment of the ledger as the API lists it, or one that was booked elsewhere. */
function toListed(drawn: Drawn, at: number): ShipmentSummary[] {
  if (drawn.listed === undefined || drawn.kind !== "shipment") return []
  return [
    {
      ...{ id: `shp-${at}`, carrier: "CARRIER_B_AU", serviceCode: "GEN", status: drawn.listed },
      ...{ createdAt: drawn.sentAt, consignmentNumber: `C${at}` },
    } as ShipmentSummary,
  ]
}

function drawLedger(seed: number): Ledger {
  const [drawn = []] = fc.sample(fc.array(BOOKING, { minLength: BOOKINGS, maxLength: BOOKINGS }), {
    seed,
    numRuns: 1,
  })
  return {
    entries: drawn.map(toEntryOf),
    bills: BILLS.map(([id, number, hour]) => bill(id, number, hour)),
    charged: drawn.flatMap(toCharged),
    listed: drawn
      .flatMap(toListed)
      .sort((one, other) => ((one.createdAt ?? "") < (other.createdAt ?? "") ? 1 : -1)),
  }
}

/** The charges that count: if a bill was audited again, those of its last audit. */
function listCounting({ charged, bills }: Ledger): Charged[] {
  const billById = new Map(bills.map((each) => [each.id, each]))
  return charged.filter((each) => {
    const own = billById.get(each.billId)
    return !charged.some((other) => {
      if (other.consignment !== each.consignment) return false
      const again = billById.get(other.billId)
      const isSame = again?.number === own?.number && own?.number !== ""
      return isSame && (again?.auditedAt ?? "") > (own?.auditedAt ?? "")
    })
  })
}

/** Whether bills ask for something by one of its names. */
function isBilled(counting: readonly Charged[], isNamed: (each: Charged) => boolean): boolean {
  const cents = counting
    .filter(isNamed)
    .reduce(
      (sum, { exGst, incGst, unspecifiedGstCents }) => sum + (exGst ?? incGst ?? unspecifiedGstCents ?? 0),
      0,
    )
  return cents !== 0
}

function reckon(ledger: Ledger, scopes: readonly string[] | undefined, isAsked: boolean, since: string) {
  const counting = listCounting(ledger)
  const cancelled = ledger.listed.flatMap(({ id, status }) => (status === "CANCELLED" ? id : []))
  const own = ledger.entries.filter(({ kind, state, scope, sentAt, facts, request: sent }) => {
    const { shipmentId, consignmentNumber } = facts
    const { payer } = sent as { payer?: { type: string } }
    return (
      kind === "shipment" &&
      state === "done" &&
      (scopes?.includes(scope) ?? true) &&
      sentAt >= since &&
      (payer?.type ?? "Sender") === "Sender" &&
      !(isAsked && cancelled.includes(shipmentId ?? "")) &&
      !isBilled(counting, (each) => each.shipmentId !== undefined && each.shipmentId === shipmentId) &&
      !isBilled(counting, (each) => each.consignment === consignmentNumber)
    )
  })
  const known = ledger.entries.flatMap(({ kind, state, scope, facts }) =>
    kind === "shipment" && ["done", "unknown"].includes(state) && (scopes?.includes(scope) ?? true)
      ? (facts.shipmentId ?? [])
      : [],
  )
  const elsewhere = ledger.listed.filter(
    ({ id, status, consignmentNumber, createdAt = "" }) =>
      isAsked &&
      status !== "CANCELLED" &&
      createdAt >= since &&
      !known.includes(id) &&
      !isBilled(counting, (each) => each.shipmentId === id || each.consignment === consignmentNumber),
  )
  const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)
  return [
    ...own
      .sort((one, other) => compare(one.sentAt, other.sentAt) || compare(one.id, other.id))
      .map(({ sentAt, facts }) => ({
        ...{
          bookedAt: sentAt,
          consignmentNumber: facts.consignmentNumber ?? null,
          reference: facts.reference,
        },
        costCentre: null,
        ...{ shipmentId: facts.shipmentId, carrier: facts.carrier, serviceCode: facts.serviceCode },
        amount: facts.priceCents === undefined ? null : facts.priceCents / 100,
        gstBasis: facts.priceCents === undefined ? "unknown" : (facts.gstBasis ?? "unknown"),
        currency: facts.priceCents === undefined ? "AUD" : (facts.currency ?? "AUD"),
        from: "ledger",
      })),
    ...elsewhere.map(({ id, carrier, serviceCode, createdAt = "", consignmentNumber }) => ({
      ...{ bookedAt: createdAt, consignmentNumber, reference: null, shipmentId: id },
      ...{ carrier, serviceCode, amount: null, gstBasis: "unknown", currency: "AUD", from: "api" },
      costCentre: null,
    })),
  ].sort((one, other) => compare(one.bookedAt, other.bookedAt))
}

async function write(database: Database, { entries, bills, charged }: Ledger): Promise<void> {
  await put(storeIn(database), ...entries)
  await database.transaction(async (transaction) => {
    await rememberBills(transaction, bills)
    const more = { gst: null, charges: ["freight"], verdict: "agrees", disputedCents: 0 } as const
    await rememberBilled(
      transaction,
      charged.map((each) => ({ ...each, ...more })),
    )
  })
}

describe.each([
  ["SQLite", true, async () => openFile(ledgerFileIn(temporaryDir()))],
  ["PostgreSQL", SERVER !== undefined, async () => connectTo(await newDatabase())],
] as const)("what is not billed, in %s", (_name, isThere, open) => {
  const on = it.runIf(isThere)

  on.each([1, 2, 3])("is what a plain reckoning of each entry says, in its order: seed %i", async (seed) => {
    const ledger = drawLedger(seed)
    const database = await open()
    await write(database, ledger)
    const store = storeIn(database)
    const api = {
      listShipments: async ({ offset = 0, limit = 0 }: { offset?: number; limit?: number }) => ({
        shipments: ledger.listed.slice(offset, offset + limit),
        total: ledger.listed.length,
      }),
    }
    const onRead = async () => {}
    for (const scopes of [undefined, [SCOPE], ACCOUNTS])
      for (const isAsked of [false, true])
        for (const from of [undefined, INSTANTS[4]]) {
          const found: AccrualRow[] = []
          const sources = { store, scopes, api: isAsked ? (api as never) : undefined, onRead }
          for await (const page of accrualPages(sources, {
            since: from === undefined ? undefined : Date.parse(from),
            before: undefined,
          }))
            found.push(...page)
          expect(found).toEqual(reckon(ledger, scopes, isAsked, from ?? ""))
          expect(found.length).toBeGreaterThan(10)
        }
  })

  on("is the same in pages of any size, however many were booked at one time", async () => {
    const ledger = drawLedger(4)
    const database = await open()
    await write(database, ledger)
    const read = async (size?: number) => {
      const ids: string[] = []
      for await (const { unbilled } of unbilledPages(database, [SCOPE], { since: "" }, size))
        ids.push(...unbilled.map(({ id }) => id))
      return ids
    }
    const all = await read()
    expect(all.length).toBeGreaterThan(10)
    for (const size of [1, 7, 100, all.length]) expect(await read(size)).toEqual(all)
  })
})
