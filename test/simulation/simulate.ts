/**
 * A seeded simulation: several senders on one ledger, a carrier, and everything that goes wrong. The ledger's code is the
 * real one; time, the carrier and the faults are a model. The same seed gives the same run.
 */
import type { FreightApi } from "../../src/api/freight.ts"
import type { ConsignmentBookingRequest, ShipmentDetail } from "../../src/contract/generated/types.ts"
import { FreightError } from "../../src/errors.ts"
import { release, settleByHand } from "../../src/ledger/by-hand.ts"
import { contentHash, referenceHash } from "../../src/ledger/content.ts"
import { createOnce, type Intent, type LedgerDeps } from "../../src/ledger/create.ts"
import { type Database, unusable } from "../../src/ledger/database/database.ts"
import type { Entry } from "../../src/ledger/entry.ts"
import { createLeaseKeeper, LEASE_MS } from "../../src/ledger/lease.ts"
import type { Outbox } from "../../src/ledger/outbox.ts"
import { reconcile } from "../../src/ledger/reconcile.ts"
import { migrate } from "../../src/ledger/database/schema.ts"
import { type Driver, openSqlite } from "../../src/ledger/database/sqlite.ts"
import { createStore, type Store } from "../../src/ledger/store.ts"
import type { Clock, SendLease } from "../../src/ports.ts"
import { turns } from "../../src/turns.ts"
import { numbersFrom } from "../acceptance/numbers.ts"

export interface Report {
  seed: number
  steps: number
  sends: number
  booked: number
  faults: Record<string, number>
  /** What was made twice, with when and how. */
  double: string[]
  /** What was made and is not in the ledger, or stands in it and was never made. */
  lost: string[]
}

/** A process that was killed: nothing of it goes on. */
class Killed extends Error {}

const HOUR = 3_600_000
/** The 24 hours in which equal content is one order, less what the clock may be wrong. */
const SURELY_EQUAL_MS = 22 * HOUR
const MOST_AT_ONCE = 6
/** Entries without an outcome that people leave for later: with more of them each step would take longer. */
const MOST_LEFT_OPEN = 12
/** Turns of the event loop in which all that does not wait for time comes to rest. */
const REST_TURNS = 12

interface Order {
  key?: string
  madeUp?: boolean
  again?: boolean
  request: ConsignmentBookingRequest
  content: string
}

interface Made {
  id: string
  order: Order
  /** By true time. */
  at: number
  /** As the carrier tells of it. */
  detail: ShipmentDetail
}

export async function simulate(seed: number, steps: number, driver: Driver): Promise<Report> {
  const next = numbersFrom(seed)
  const chance = (share: number) => next() < share
  const pick = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)] as T
  const faults: Record<string, number> = {}
  const count = (fault: string) => {
    faults[fault] = (faults[fault] ?? 0) + 1
  }

  // Time: it goes on evenly, and the clock on the wall is set now and then.
  const START = Date.parse("2026-11-20T00:00:00Z")
  let elapsed = 0
  let wrong = 0
  let sleepers: { at: number; wake: () => void }[] = []
  const timers = new Set<{ at: number; ms: number; work: () => void }>()
  const clock: Clock = {
    now: () => START + elapsed + wrong,
    elapsed: () => elapsed,
    sleep: (ms) => new Promise((resolve) => sleepers.push({ at: elapsed + ms, wake: resolve })),
  }
  const advance = async (ms: number) => {
    const end = elapsed + ms
    for (;;) {
      const due = [...sleepers, ...timers].reduce(
        (soonest, { at }) => Math.min(soonest, at),
        Number.POSITIVE_INFINITY,
      )
      if (due > end) break
      elapsed = Math.max(elapsed, due)
      const awake = sleepers.filter(({ at }) => at <= elapsed)
      sleepers = sleepers.filter(({ at }) => at > elapsed)
      for (const timer of timers)
        if (timer.at <= elapsed) {
          timer.at = elapsed + timer.ms
          timer.work()
        }
      for (const { wake } of awake) wake()
      await turns(REST_TURNS)
    }
    elapsed = end
  }

  // The database, which is lost now and then: before it did anything, or after it committed.
  const database = openSqlite(":memory:", { driver, clock })
  await migrate(database)
  let isLost = false
  const lost = () => unusable("the simulation", "nobody answers", undefined, true)
  const faulty: Database = {
    ...database,
    dialect: "postgres",
    async transaction(work) {
      if (isLost || chance(0.01)) {
        count("database lost before")
        throw lost()
      }
      const result = await database.transaction(work)
      if (!chance(0.01)) return result
      count("database lost after the commit")
      throw lost()
    },
    async all(sql, parameters) {
      if (isLost) throw lost()
      return database.all(sql, parameters)
    },
  }
  let uuids = 0
  const ids = { uuid: () => `token-${++uuids}`, random: next }
  const direct = createStore(database, { ids, leaseMs: LEASE_MS })

  // The carrier, which tells what it made or does not.
  const made: Made[] = []
  const ofContent = new Map<string, Made[]>()
  /** Contents of requests that have left and have no answer yet: of those nobody can be certain. */
  const atCarrier: string[] = []
  const double: string[] = []
  const make = (order: Order): { shipmentId: string; orderNumber: string } => {
    const at = START + elapsed
    const same = ofContent.get(order.content) ?? []
    const rivals = same.filter((each) => each.order.key !== undefined && each.order.key === order.key)
    const equal = same.filter(
      (each) =>
        each.order.key !== order.key &&
        at - each.at < SURELY_EQUAL_MS &&
        !order.again &&
        (isGenerated(each.order) || isGenerated(order)),
    )
    const id = `shp-${made.length + 1}`
    for (const other of [...rivals, ...equal])
      double.push(
        `${id} beside ${other.id}: ${order.key ?? "no key"} and ${other.order.key ?? "no key"}, step ${step}`,
      )
    const one = { id, order, at, detail: detailOf(id, order, at) }
    made.push(one)
    ofContent.set(order.content, [...same, one])
    return { shipmentId: id, orderNumber: `ORD-${made.length}` }
  }
  const api = carrierApi(made, () => -wrong)

  const outbox = memoryOutbox()
  let step = 0
  let sends = 0
  const active = new Set<Promise<void>>()

  /** One command of one process, from its beginning to its end or its kill. */
  const run = async (order: Order): Promise<void> => {
    const fate = { killedAt: chance(0.08) ? pick(["after-intent", "before-outcome", "after-outcome"]) : "" }
    let isDead = false
    let isSuspended = false
    // A machine that sleeps stops its even clock too; a process that is stopped alone does not.
    let slept = 0
    const store = createStore(faulty, { ids, leaseMs: LEASE_MS })
    const mine = new Set<{ at: number; ms: number; work: () => void }>()
    const leases = createLeaseKeeper({
      leaseMs: LEASE_MS,
      clock: { ...clock, elapsed: () => elapsed - slept },
      every(ms, work) {
        const timer = { at: elapsed + ms, ms, work: () => (isDead || isSuspended ? undefined : work()) }
        timers.add(timer)
        mine.add(timer)
        return () => timers.delete(timer)
      },
      renew: store.renew,
    })
    const deps: LedgerDeps = {
      ...{ store, leases, outbox, clock, owner: { id: "sim", fingerprint: "sim", scope: "freight:sim" } },
      sender: { workstation: pick(["bench-1", "bench-2", "accounts"]), person: "" },
      signal: new AbortController().signal,
      at(moment) {
        if (moment !== fate.killedAt) return
        isDead = true
        count(`killed ${moment}`)
        throw new Killed()
      },
    }
    const send = async (lease: SendLease) => {
      if (chance(0.1)) {
        const isMachine = chance(0.5)
        count(`${isMachine ? "machine asleep" : "suspended"} before the first byte`)
        isSuspended = true
        const from = elapsed
        await clock.sleep(next() * 60_000)
        if (isMachine) slept += elapsed - from
        isSuspended = false
      }
      if (!lease.isHeld()) {
        count("lease lost, nothing sent")
        throw new FreightError("unavailable", "the lease ran out")
      }
      sends++
      atCarrier.push(order.content)
      try {
        return await exchange()
      } finally {
        atCarrier.splice(atCarrier.indexOf(order.content), 1)
      }
    }
    const exchange = async () => {
      if (chance(0.05)) {
        count("refused")
        throw new FreightError("refused", "bad postcode", { status: 400 })
      }
      if (chance(0.06)) {
        count("dropped before")
        throw new FreightError("outcomeUnknown", "the connection broke")
      }
      const slowBefore = chance(0.15)
      if (slowBefore) {
        count("slow carrier")
        await clock.sleep(next() * 50_000)
      }
      const reply = make(order)
      if (chance(0.06)) {
        count("dropped after it was made")
        throw new FreightError("outcomeUnknown", "the connection broke")
      }
      if (chance(0.1)) {
        count("slow reply")
        await clock.sleep(next() * 50_000)
      }
      if (chance(0.03)) {
        isDead = true
        count("killed while it waited")
        throw new Killed()
      }
      return reply
    }
    try {
      await createOnce(deps, intentOf(order), send, ({ shipmentId }) => ({ shipmentId }))
    } catch (error) {
      if (!(error instanceof FreightError) && !(error instanceof Killed)) throw error
    } finally {
      for (const timer of mine) timers.delete(timer)
    }
  }

  const recent: Order[] = []
  let orders = 0
  const newOrder = (): Order => {
    const request = bookingOf(++orders)
    return { request, content: contentHash("shipment", { connectorId: "c", ...request }) }
  }
  const anOrder = (): Order => {
    const base = recent.length > 0 && chance(0.6) ? pick(recent) : newOrder()
    const { request, content } = base
    const how = next()
    const order: Order =
      how < 0.35
        ? { request, content, key: base.key ?? `PO-${orders}` }
        : how < 0.5
          ? { request, content, key: `PO-${orders}-${Math.floor(next() * 3)}` }
          : how < 0.7
            ? { request, content, key: `w-${orders}-${Math.floor(next() * 3)}`, madeUp: true }
            : { request, content }
    recent.push(order)
    if (recent.length > 8) recent.shift()
    return chance(0.05) ? { ...order, again: true } : order
  }

  const settling = { account: "sim", clock, signal: new AbortController().signal }
  const begin = (work: Promise<void>) => {
    const guarded: Promise<void> = work.finally(() => active.delete(guarded))
    active.add(guarded)
  }
  const whileThere = async (work: () => Promise<unknown>) => {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof FreightError)) throw error
    }
  }
  const someoneReconciles = () =>
    whileThere(() =>
      reconcile({ ...settling, store: createStore(faulty, { ids, leaseMs: LEASE_MS }) }, async () => api),
    )
  /**
   * A person who looks into an open entry, or into all of them where they have piled up: names the shipment that came of
   * it, or is certain that none did. The ledger says whether it may still be being sent.
   */
  const someoneLooks = async () => {
    const open = await direct.open()
    const seen = open.length > MOST_LEFT_OPEN || open.length === 0 ? open : [pick(open)]
    for (const entry of seen) if (!atCarrier.includes(entry.content)) await whileThere(() => settleOne(entry))
  }
  const settleOne = async (entry: Entry) => {
    const recorded = await database.all(
      "select shipment_id from sends where scope = ? and content_hash = ? and state = 'done'",
      [entry.scope, entry.content],
    )
    const known = new Set(recorded.map((row) => row.shipment_id))
    const [first] = (ofContent.get(entry.content) ?? []).filter(({ id }) => !known.has(id))
    if (first) await settleByHand({ ...settling, store: direct }, entry.id, first.id, api)
    else await release({ ...settling, store: direct }, entry.id)
  }

  for (step = 1; step <= steps; step++) {
    if (isLost && chance(0.1)) isLost = false
    const what = next()
    if (what < 0.5 && active.size < MOST_AT_ONCE) begin(run(anOrder()))
    else if (what < 0.93) await advance(next() ** 3 * 20_000)
    else if (what < 0.94) {
      wrong = pick([-HOUR, 0, HOUR])
      count("clock set by an hour")
    } else if (what < 0.95) {
      isLost = true
      count("database lost for a while")
    } else if (what < 0.97) begin(someoneReconciles())
    else if (what < 0.99) begin(someoneLooks())
    else await whileThere(async () => void (isLost || (await outbox.takeIn(direct))))
    await turns(REST_TURNS)
  }

  isLost = false
  wrong = 0
  while (active.size > 0) await advance(5_000)
  await outbox.takeIn(direct)
  const end = reconcile({ ...settling, store: direct }, async () => api)
  let isOver = false
  void end.finally(() => {
    isOver = true
  })
  while (!isOver) await advance(5_000)
  await end
  const missing = await unaccounted(direct, made)
  await direct.close()
  return { seed, steps, sends, booked: made.length, faults, double, lost: missing }
}

function isGenerated({ key, madeUp }: Order): boolean {
  return key === undefined || madeUp === true
}

function intentOf({ key, madeUp, again, request }: Order): Intent {
  return {
    kind: "shipment",
    ...(key !== undefined && { key }),
    isKeyGenerated: madeUp,
    ...(again && { again }),
    content: { connectorId: "c", ...request },
    referenceHash: referenceHash(request.customerReference, request.receiver),
    call: "POST /c/shipments",
    request,
    facts: { connectorId: "c", carrier: "CARRIER_C_AU", about: request.customerReference ?? "" },
  }
}

/** What was made and is neither recorded nor open, and what is recorded and was never made. */
async function unaccounted(store: Store, made: readonly Made[]): Promise<string[]> {
  const entries = await store.history({})
  const done = new Map<string, Entry>()
  const wrong: string[] = []
  for (const entry of entries) {
    const { shipmentId } = entry.facts
    if (entry.state !== "done") continue
    if (shipmentId === undefined) wrong.push(`${entry.id} is done without a shipment`)
    else if (done.has(shipmentId))
      wrong.push(`${shipmentId} is at ${entry.id} and at ${done.get(shipmentId)?.id}`)
    else done.set(shipmentId, entry)
  }
  const open = entries.filter(({ state }) => state === "unknown").map(({ content }) => content)
  for (const { id, order } of made) {
    const entry = done.get(id)
    if (entry?.content === order.content) continue
    if (entry) wrong.push(`${id} is at ${entry.id}, which is another order`)
    const at = open.indexOf(order.content)
    if (at < 0) wrong.push(`${id} (${order.key ?? "no key"}) is not in the ledger`)
    else open.splice(at, 1)
  }
  const ids = new Set(made.map(({ id }) => id))
  for (const [id, entry] of done)
    if (!ids.has(id)) wrong.push(`${entry.id} is done as ${id}, which was never made`)
  return wrong
}

function bookingOf(n: number): ConsignmentBookingRequest {
  const place = {
    companyName: `Company ${n % 50}`,
    contactName: "Ann",
    phoneAreaCode: "02",
    phoneNumber: "55501234",
    address1: "1 Long Street",
    suburb: `Suburb ${n % 500}`,
    state: "WA" as const,
    postcode: "6160",
  }
  return {
    sender: place,
    collection: place,
    receiver: place,
    items: { count: 1, totalWeightKg: 5, maxLengthCm: 10, maxWidthCm: 10, maxHeightCm: 10 },
    packages: [],
    serviceCode: "STD",
    dangerousGoods: false,
    customerReference: `REF-${n}`,
    collectionDateTime: "2026-11-23T10:00:00",
    collectionCloseTime: "1700",
    payer: { type: "Sender" },
  } as unknown as ConsignmentBookingRequest
}

function detailOf(id: string, { request }: Order, at: number): ShipmentDetail {
  return {
    ...request,
    id,
    orderNumber: `ORD-${id}`,
    carrier: "CARRIER_C_AU",
    source: "API",
    toSuburb: request.receiver.suburb,
    createdAt: new Date(at).toISOString(),
  } as unknown as ShipmentDetail
}

/** The lists of the carrier: what it made, newest first. */
function carrierApi(made: readonly Made[], clockOffset: () => number): FreightApi {
  return {
    async listShipments({ limit = 50, offset = 0 } = {}) {
      const newest = made.slice(-400).reverse()
      const shipments = newest.slice(offset, offset + limit).map(({ detail }) => detail)
      return { shipments, total: Math.min(made.length, 400), limit, offset }
    },
    async getShipment(id: string) {
      const found = made[Number(id.replace("shp-", "")) - 1]
      if (!found) throw new FreightError("notFound", "no such shipment")
      return { shipment: found.detail }
    },
    clockOffset,
  } as unknown as FreightApi
}

function memoryOutbox(): Outbox {
  let kept: ({ entry: Entry; token: string } | { unsent: string })[] = []
  return {
    async keep(entry, token) {
      kept.push({ entry, token })
      return "memory"
    },
    async keepUnsent(token) {
      kept.push({ unsent: token })
    },
    async takeIn(store) {
      const all = kept
      kept = []
      const taken: { entry: Entry; isRecorded: boolean }[] = []
      for (const each of all)
        if ("unsent" in each) await store.undo(each.unsent)
        else taken.push({ entry: each.entry, isRecorded: await store.record(each.entry, each.token) })
      return taken
    },
  }
}
