import { describe, expect, it } from "vitest"
import { FreightError } from "../../src/errors.ts"
import { release } from "../../src/ledger/by-hand.ts"
import { contentHash } from "../../src/ledger/content.ts"
import { reconcile } from "../../src/ledger/reconcile.ts"
import { type Entry, idOf } from "../../src/ledger/entry.ts"
import { LEASE_MS } from "../../src/ledger/lease.ts"
import type { Clock } from "../../src/ports.ts"
import { startDesk } from "./lost.ts"
import {
  create,
  entries,
  entry,
  failure,
  intent,
  HOUR,
  NOW,
  PO,
  put,
  refusing,
  request,
  SCOPE,
  testLedger,
} from "./setup.ts"

const UNKNOWN = new FreightError("outcomeUnknown", "the connection broke")
const HASH = contentHash("shipment", intent().content)

describe("a release", () => {
  it.each<[string, string, { key?: string }]>([
    ["the user's key", "PO-1001", PO],
    ["the key as the entry has it", "key:PO-1001", PO],
    ["the entry's id without its attempt", idOf(SCOPE, "shipment", "key:PO-1001"), PO],
    ["the content key", `content:${HASH}`, {}],
    ["the content's hash", HASH, {}],
    ["the id of an entry without a key", idOf(SCOPE, "shipment", `content:${HASH}`), {}],
  ])("goes by %s", async (_what, key, changes) => {
    const ledger = testLedger()
    await failure(create(ledger, refusing(UNKNOWN), changes))
    expect(await release(ledger, key)).toMatchObject({ outcome: "released", kind: "shipment" })
    expect(await ledger.store.open()).toEqual([])
  })

  it("keeps what was sent, and says who settled it", async () => {
    const ledger = testLedger()
    const sent = entry()
    await put(ledger.store, sent)
    await release(ledger, "PO-1001")
    expect(await entries(ledger.store)).toEqual([
      {
        ...sent,
        state: "released",
        settledAt: new Date(NOW).toISOString(),
        note: "Released by hand: it may be sent again.",
      },
    ])
  })

  it.each([
    "PO-9",
    "",
    "../../../etc/passwd-0123456789abcdef",
    "x\0-0123456789abcdef",
  ])("of %j, which nothing has, is not found", async (key) => {
    const ledger = testLedger()
    await put(ledger.store, entry())
    expect(await failure(release(ledger, key))).toMatchObject({ kind: "notFound", exitCode: 5 })
  })

  it.each(["done", "refused", "released"] as const)("of what is %s is not found", async (state) => {
    const ledger = testLedger()
    await put(ledger.store, entry({ state }))
    for (const key of ["PO-1001", idOf(SCOPE, "shipment", "key:PO-1001")])
      expect(await failure(release(ledger, key))).toMatchObject({ kind: "notFound" })
    expect(await entries(ledger.store)).toMatchObject([{ state }])
  })

  it("takes the customer's reference, and six characters of a name or more", async () => {
    for (const name of ["Dana's order", "Dana's", "po-1001"]) {
      const ledger = testLedger()
      await put(ledger.store, entry({ facts: { reference: "Dana's order" } }))
      expect(await release(ledger, name)).toMatchObject({ key: "PO-1001", outcome: "released" })
    }
  })

  it("of what is settled does not take another whose key begins so", async () => {
    const ledger = testLedger()
    await put(ledger.store, entry({ state: "done" }), entry({ key: "key:PO-10012" }))
    expect(await failure(release(ledger, "PO-1001"))).toMatchObject({ kind: "notFound" })
    expect(await ledger.store.open()).toHaveLength(1)
  })

  it("of a key that two kinds share asks which is meant, and takes an id", async () => {
    const ledger = testLedger()
    await put(ledger.store, entry())
    const pickup = entry({ kind: "pickup" })
    await put(ledger.store, pickup)
    const error = await failure(release(ledger, "PO-1001"))
    expect(error).toMatchObject({ kind: "input", exitCode: 2 })
    expect(error.hint).toContain(pickup.id)
    await release(ledger, pickup.id)
    expect((await ledger.store.open()).map(({ kind }) => kind)).toEqual(["shipment"])
  })

  it("of what is being sent is refused, until its lease has run out", async () => {
    const ledger = testLedger()
    await put(ledger.store, entry({ leaseUntil: new Date(NOW + LEASE_MS).toISOString() }))
    expect(await failure(release(ledger, "PO-1001"))).toMatchObject({ kind: "refused", exitCode: 1 })
    expect(await ledger.store.open()).toHaveLength(1)
    ledger.clock.advance(LEASE_MS)
    expect(await release(ledger, "PO-1001")).toMatchObject({ outcome: "released" })
  })

  it.each([
    ["ahead", 1],
    ["back", -1],
  ])("of what is being sent is refused also when the clock was set an hour %s", async (_way, sign) => {
    const ledger = testLedger()
    const sent = entry({ leaseUntil: new Date(NOW + LEASE_MS).toISOString() })
    await put(ledger.store, sent)
    ledger.clock.advance(sign * HOUR)
    // Its sender lives, and renews its lease by the clock as it now is, when it is due.
    const { sleep, now } = ledger.clock
    const renewal = now() + LEASE_MS / 4
    const clock: Clock = {
      ...ledger.clock,
      async sleep(ms, signal) {
        await sleep(ms, signal)
        if (now() >= renewal) await ledger.store.renew([sent.id])
      },
    }
    expect(await failure(release({ ...ledger, clock }, "PO-1001"))).toMatchObject({ kind: "refused" })
    await expect(release(ledger, "PO-1001")).rejects.toMatchObject({ kind: "refused" })
  })

  it("of what is being sent is refused also when its sender's clock is another one", async () => {
    const ledger = testLedger()
    const leaseAt = (now: number) => new Date(now - HOUR + LEASE_MS).toISOString()
    const sent = entry({ leaseUntil: leaseAt(NOW) })
    await put(ledger.store, sent)
    const clock: Clock = {
      ...ledger.clock,
      async sleep(ms, signal) {
        await ledger.clock.sleep(ms, signal)
        const leaseUntil = leaseAt(ledger.clock.now())
        await ledger.store.database.run("update sends set lease_until = ?", [leaseUntil])
      },
    }
    expect(await failure(release({ ...ledger, clock }, "PO-1001"))).toMatchObject({ kind: "refused" })
    expect(await ledger.store.open()).toHaveLength(1)
  })

  it("of what another command settles at that moment is refused", async () => {
    const ledger = testLedger()
    await put(ledger.store, entry())
    const store = { ...ledger.store, settle: async () => false }
    const error = await failure(release({ ...ledger, store }, "PO-1001"))
    expect(error).toMatchObject({ kind: "refused", exitCode: 1 })
    expect(error.message).toContain("settled by another command meanwhile")
  })

  it("sends nothing, and reconcile then has nothing to do", async () => {
    const ledger = testLedger()
    await put(ledger.store, entry())
    await release(ledger, "PO-1001")
    expect(await reconcile(ledger, () => Promise.reject(new Error("asked")))).toEqual([])
  })
})

describe("reconcile, on a pickup", () => {
  const derived = (shipmentId: string) =>
    entry({ kind: "pickup", facts: { shipmentId, connectorId: "connector-a" }, request: { shipmentId } })
  const window = { pickupDate: "2026-11-23", readyTime: "10:00", closeTime: "17:00" }

  it("settles it where its shipment reads BOOKED", async () => {
    const { api, ledger, make, reconcile: run } = await startDesk()
    const shipmentId = await make(PO)
    await api.createPickup("connector-a", { ...window, shipmentId })
    await put(ledger.store, derived(shipmentId))
    expect(await run()).toMatchObject([{ kind: "pickup", outcome: "settled", matches: [shipmentId] }])
    expect(await entries(ledger.store)).toContainEqual(
      expect.objectContaining({ kind: "pickup", state: "done", response: { status: "BOOKED" } }),
    )
  })

  it("cannot tell when the shipment had one before: BOOKED may be that one's", async () => {
    const { api, ledger, make, reconcile: run } = await startDesk()
    const shipmentId = await make(PO)
    await api.createPickup("connector-a", { ...window, shipmentId })
    const first: Partial<Entry> = { key: "key:first", content: "first", state: "done", response: {} }
    await put(ledger.store, { ...derived(shipmentId), ...first, id: "first.1" }, derived(shipmentId))
    expect(await run()).toMatchObject([{ kind: "pickup", outcome: "cannot-tell", matches: [shipmentId] }])
    expect((await ledger.store.open()).map(({ kind }) => kind)).toEqual(["pickup"])
  })

  it.each([
    ["the booking's own reply said BOOKED", "response", { pickupStatus: "BOOKED" }],
    ["it was arranged before the booking", "request", { pickupBookingNumber: "PU-9" }],
  ] as const)("cannot tell when %s", async (_when, column, more) => {
    const { api, ledger, make, reconcile: run } = await startDesk()
    const shipmentId = await make(PO)
    const booking = await ledger.store.ofShipment(undefined, shipmentId)
    await ledger.store.database.run(`update sends set ${column} = ? where id = ?`, [
      JSON.stringify({ ...Object(booking?.[column]), ...more }),
      booking?.id ?? "",
    ])
    await api.createPickup("connector-a", { ...window, shipmentId })
    await put(ledger.store, derived(shipmentId))
    expect(await run()).toMatchObject([{ kind: "pickup", outcome: "cannot-tell" }])
  })

  it("says so when another command settled it meanwhile", async () => {
    const { api, ledger, make, reconcile: run } = await startDesk()
    const shipmentId = await make(PO)
    await api.createPickup("connector-a", { ...window, shipmentId })
    await put(ledger.store, derived(shipmentId))
    const getShipment: typeof api.getShipment = async (id) => {
      await ledger.store.database.run("update sends set state = 'released' where state = 'unknown'")
      return api.getShipment(id)
    }
    expect(await run({ getShipment })).toMatchObject([{ kind: "pickup", outcome: "in-flight" }])
  })

  it.each([
    ["was never asked for", undefined],
    ["was made, and not recorded by the service", "sandbox:pickup-500-empty"],
    ["was refused by the carrier", "sandbox:pickup-failed"],
  ])("cannot tell from its shipment when it %s", async (_what, trigger) => {
    const { api, ledger, make, reconcile: run } = await startDesk()
    const booked = { ...request, ...(trigger && { specialInstructions: trigger }) }
    const shipmentId = await make({ ...PO, request: booked })
    if (trigger) await api.createPickup("connector-a", { ...window, shipmentId }).catch(() => {})
    await put(ledger.store, derived(shipmentId))
    const [one] = await run()
    expect(one).toMatchObject({ outcome: "cannot-tell", matches: [shipmentId] })
    expect(one?.note).toContain("ask the carrier")
  })

  it("cannot tell of one that stands alone", async () => {
    const { ledger, reconcile: run } = await startDesk()
    await put(ledger.store, entry({ kind: "pickup", facts: {} }))
    const [one] = await run()
    expect(one).toMatchObject({ outcome: "cannot-tell" })
    expect(one?.note).toContain("cannot list pickups")
  })
})

describe("reconcile, on a print", () => {
  it.each([
    "label-print",
    "pdf-print",
  ] as const)("cannot tell of a %s: it says to look at the printer", async (kind) => {
    const { ledger, reconcile: run } = await startDesk()
    await put(ledger.store, entry({ kind, facts: { shipmentId: "shp-1" } }))
    const [one] = await run()
    expect(one).toMatchObject({ kind, outcome: "cannot-tell" })
    expect(one?.note).toContain("look at the printer")
  })
})
