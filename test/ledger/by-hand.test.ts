/** Entries that a person may settle: an open entry is released, or settled as the shipment that the person names. */
import { describe, expect, it } from "vitest"
import type { FreightApi } from "../../src/api/freight.ts"
import { FreightError } from "../../src/base/errors.ts"
import { release, settleByHand } from "../../src/ledger/by-hand.ts"
import { contentHash } from "../../src/ledger/content.ts"
import { type Entry, idOf } from "../../src/ledger/entry.ts"
import { LEASE_MS } from "../../src/ledger/lease.ts"
import { reconcile } from "../../src/ledger/reconcile.ts"
import type { Clock } from "../../src/base/ports.ts"
import { address, booking } from "../sandbox/requests.ts"
import { startDesk } from "./lost.ts"
import {
  create,
  entries,
  entry,
  failure,
  HOUR,
  intent,
  NOW,
  PO,
  put,
  refusing,
  request,
  SCOPE,
  server,
  testLedger,
} from "./setup.ts"

const UNKNOWN = new FreightError("outcomeUnknown", "the connection broke")
const HASH = contentHash("shipment", intent().content)
const ID = idOf(SCOPE, "shipment", "key:PO-1001")
const leaseAt = (now: number) => new Date(now + LEASE_MS).toISOString()

/** A ledger with these entries. */
async function ledgerWith(...made: readonly Entry[]) {
  const ledger = testLedger()
  await put(ledger.store, ...made)
  return ledger
}

describe("a release", () => {
  it.each<[string, string, { key?: string }]>([
    ["the user's key", "PO-1001", PO],
    ["the key as the entry has it", "key:PO-1001", PO],
    ["the entry's id without its attempt", ID, PO],
    ["the content key", `content:${HASH}`, {}],
    ["the content's hash", HASH, {}],
    ["the id of an entry without a key", idOf(SCOPE, "shipment", `content:${HASH}`), {}],
  ])("goes by %s", async (_what, key, changes) => {
    const ledger = testLedger()
    await failure(create(ledger, refusing(UNKNOWN), changes))
    expect(await release(ledger, key)).toMatchObject({ outcome: "released", kind: "shipment" })
    expect(await ledger.store.open()).toEqual([])
  })

  it.each([
    "Dana's order",
    "Dana's",
    "po-1001",
  ])("goes by %s: a reference, or six characters", async (name) => {
    const ledger = await ledgerWith(entry({ facts: { reference: "Dana's order" } }))
    expect(await release(ledger, name)).toMatchObject({ key: "PO-1001", outcome: "released" })
  })

  it("keeps what was sent, says who settled it, and leaves reconcile nothing to do", async () => {
    const ledger = await ledgerWith(entry())
    await release(ledger, "PO-1001")
    const note = "Released by hand: it may be sent again."
    const settledAt = new Date(NOW).toISOString()
    expect(await entries(ledger.store)).toEqual([{ ...entry(), state: "released", settledAt, note }])
    expect(await reconcile(ledger, () => Promise.reject(new Error("asked")))).toEqual([])
  })

  it.each<[what: string, made: Entry[], name: string]>([
    ...["PO-9", "", "../../../etc/passwd-0123456789abcdef", "x\0-0123456789abcdef"].map(
      (name): [string, Entry[], string] => ["what nothing has", [entry()], name],
    ),
    ...(["done", "refused", "released"] as const).flatMap((state) =>
      ["PO-1001", ID].map((name): [string, Entry[], string] => [
        `what is ${state}`,
        [entry({ state })],
        name,
      ]),
    ),
    [
      "what is settled, though an open one's key begins so",
      [entry({ state: "done" }), entry({ key: "key:PO-10012" })],
      "PO-1001",
    ],
  ])("of %s is not found", async (_what, made, name) => {
    const ledger = await ledgerWith(...made)
    expect(await failure(release(ledger, name))).toMatchObject({ kind: "notFound", exitCode: 5 })
    expect((await entries(ledger.store)).map(({ state }) => state)).toEqual(made.map(({ state }) => state))
  })

  it("of a key that two kinds share asks which is meant, and takes an id", async () => {
    const pickup = entry({ kind: "pickup" })
    const ledger = await ledgerWith(entry(), pickup)
    const error = await failure(release(ledger, "PO-1001"))
    expect(error).toMatchObject({ kind: "input", exitCode: 2 })
    expect(error.hint).toContain(pickup.id)
    await release(ledger, pickup.id)
    expect((await ledger.store.open()).map(({ kind }) => kind)).toEqual(["shipment"])
  })

  it("of what is being sent is refused, until its lease has run out", async () => {
    const ledger = await ledgerWith(entry({ leaseUntil: leaseAt(NOW) }))
    expect(await failure(release(ledger, "PO-1001"))).toMatchObject({ kind: "refused", exitCode: 1 })
    expect(await ledger.store.open()).toHaveLength(1)
    ledger.clock.advance(LEASE_MS)
    expect(await release(ledger, "PO-1001")).toMatchObject({ outcome: "released" })
  })

  it.each([
    ["ahead", 1],
    ["back", -1],
  ])("of what is being sent is refused also when the clock was set an hour %s", async (_way, sign) => {
    const sent = entry({ leaseUntil: leaseAt(NOW) })
    const ledger = await ledgerWith(sent)
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
    const ledger = await ledgerWith(entry({ leaseUntil: leaseAt(NOW - HOUR) }))
    const clock: Clock = {
      ...ledger.clock,
      async sleep(ms, signal) {
        await ledger.clock.sleep(ms, signal)
        const leaseUntil = leaseAt(ledger.clock.now() - HOUR)
        await ledger.store.database.run("update sends set lease_until = ?", [leaseUntil])
      },
    }
    expect(await failure(release({ ...ledger, clock }, "PO-1001"))).toMatchObject({ kind: "refused" })
    expect(await ledger.store.open()).toHaveLength(1)
  })
})

it.each([
  ["released", (ledger: ReturnType<typeof testLedger>) => release(ledger, "PO-1001")],
  [
    "settled",
    (ledger: ReturnType<typeof testLedger>, shipmentId: string, api: FreightApi) =>
      settleByHand(ledger, "PO-1001", shipmentId, api),
  ],
])("an entry that another command settles at that moment is not %s", async (_what, settle) => {
  const { ledger, api, shipmentId } = await twoFit()
  const store = { ...ledger.store, settle: async () => false }
  const error = await failure(settle({ ...ledger, store }, shipmentId, api))
  expect(error).toMatchObject({ kind: "refused", exitCode: 1 })
  expect(error.message).toContain("settled by another command meanwhile")
})

/** Two shipments fit what was lost. */
async function twoFit() {
  const desk = await startDesk()
  await desk.lose(true, PO)
  const { shipmentId } = await desk.api.createShipment("connector-a", request)
  return { ...desk, shipmentId }
}

describe("a booking that is settled by hand", () => {
  it("is done as the shipment that the person names, which the key gives again; a pickup may exist", async () => {
    const { ledger, api, shipmentId, entries: all } = await twoFit()
    expect(await settleByHand(ledger, "PO-1001", shipmentId, api)).toMatchObject({
      ...{ key: "PO-1001", outcome: "settled", matches: [shipmentId] },
      // Only the lost reply could have said.
      warning: expect.stringContaining("a pickup may exist"),
    })
    expect(await all()).toMatchObject([{ state: "done", note: "Settled by hand.", facts: { shipmentId } }])
    expect(await ledger.store.open()).toEqual([])
    const { made, send } = server()
    expect(await create(ledger, send, PO)).toMatchObject({ recorded: true, response: { shipmentId } })
    expect(made).toEqual([])
  })

  it("leaves the other shipment to be found by another entry", async () => {
    const desk = await twoFit()
    await settleByHand(desk.ledger, "PO-1001", desk.shipmentId, desk.api)
    await desk.lose(false, { key: "PO-2", again: true })
    const [other] = await desk.reconcile()
    expect(other).toMatchObject({ key: "PO-2", outcome: "settled" })
    expect(other?.matches).not.toEqual([desk.shipmentId])
  })

  it("cannot be a shipment that another entry made", async () => {
    const desk = await startDesk()
    const shipmentId = await desk.make({ key: "PO-2" })
    await desk.lose(true, { ...PO, again: true })
    const error = await failure(settleByHand(desk.ledger, "PO-1001", shipmentId, desk.api))
    expect(error).toMatchObject({ kind: "refused", exitCode: 1 })
    expect(error.message).toContain("another booking made it")
    expect(error.hint).toContain("po-2-")
    expect(await desk.ledger.store.open()).toHaveLength(1)
  })

  const GONE = { kind: "notFound", exitCode: 5, next: "freight shipments list" }
  const NO_REPLY = new FreightError("unavailable", "no answer")
  const BUG = new TypeError("undefined is not a function")
  it.each<[string, object, getShipment?: FreightApi["getShipment"]]>([
    ["that does not exist", GONE],
    ["that cannot be asked for now", NO_REPLY, refusing(NO_REPLY)],
    ["whose reading breaks, which is told as it is", BUG, refusing(BUG)],
  ])("cannot be a shipment %s", async (_what, told, getShipment) => {
    const { ledger, api } = await twoFit()
    const asked = settleByHand(ledger, "PO-1001", "no-such", getShipment ? { getShipment } : api)
    const error = await asked.catch((thrown: unknown) => thrown)
    if (told instanceof Error) expect(error).toBe(told)
    else expect(error).toMatchObject(told)
    expect(await ledger.store.open()).toHaveLength(1)
  })

  const darwin = address({ suburb: "Darwin", state: "NT", postcode: "0800" })
  it.each([
    ["to another place", "connector-a", booking({ receiver: darwin }), "another receiver's postcode"],
    ["of another service", "connector-a", booking({ serviceCode: "75" }), "another service"],
    ["of another carrier", "connector-b", booking({ serviceCode: "EXP" }), "another carrier"],
  ])("cannot be a shipment %s", async (_what, connector, other, why) => {
    const { ledger, api } = await twoFit()
    const { shipmentId } = await api.createShipment(connector, other)
    const error = await failure(settleByHand(ledger, "PO-1001", shipmentId, api))
    expect(error).toMatchObject({ kind: "refused" })
    expect(error.message).toContain(why)
    expect(await ledger.store.open()).toHaveLength(1)
  })

  it("is not settled while it is being sent, and must be a booking", async () => {
    const { ledger, api, shipmentId } = await twoFit()
    await ledger.store.database.run("update sends set lease_until = ?", [leaseAt(ledger.clock.now())])
    expect(await failure(settleByHand(ledger, "PO-1001", shipmentId, api))).toMatchObject({ kind: "refused" })
  })

  it("is never settled without its shipment", async () => {
    const { ledger, api } = await twoFit()
    const error = await failure(settleByHand(ledger, "PO-1001", undefined, api))
    expect(error).toMatchObject({ kind: "input", exitCode: 2 })
    expect(error.message).toContain("is a booking")
    expect(await ledger.store.open()).toHaveLength(1)
  })
})

describe("a pickup that is settled by hand", () => {
  const PU = { kind: "pickup", key: "key:PU-1" } as const
  const common: Entry = entry({ ...PU, facts: { connectorId: "connector-a" } })
  const single: Entry = entry({ ...PU, facts: { connectorId: "connector-a", shipmentId: "shp-1" } })

  it.each([
    ["several shipments", common, "CARRIER-7", [], { status: "BOOKED", orderNumber: "CARRIER-7" }],
    ["several shipments", common, undefined, [], { status: "BOOKED" }],
    ["one shipment", single, "CARRIER-7", ["shp-1"], { status: "BOOKED", orderNumber: "CARRIER-7" }],
    ["one shipment", single, undefined, ["shp-1"], { status: "BOOKED" }],
  ] as const)("for %s is done as the carrier knows it", async (_what, sent, reference, matches, response) => {
    const { ledger, api } = await startDesk()
    await put(ledger.store, sent)
    const settled = await settleByHand(ledger, "PU-1", reference, api)
    expect(settled).toMatchObject({ kind: "pickup", outcome: "settled", matches })
    const [made] = await entries(ledger.store)
    expect(made).toMatchObject({ state: "done", note: "Settled by hand.", response })
    expect(made?.facts).toEqual({ ...sent.facts, ...(reference && { reference }) })
    expect(await ledger.store.open()).toEqual([])
  })

  it("is not settled while it is being sent", async () => {
    const { ledger, api } = await startDesk()
    await put(ledger.store, { ...common, leaseUntil: leaseAt(ledger.clock.now()) })
    expect(await failure(settleByHand(ledger, "PU-1", "CARRIER-7", api))).toMatchObject({ kind: "refused" })
    expect(await ledger.store.open()).toHaveLength(1)
  })

  it("is distinguished from a shipment, by which the person means a booking", async () => {
    const { ledger, api, shipmentId } = await twoFit()
    await put(ledger.store, common)
    const error = await failure(settleByHand(ledger, "PU-1", shipmentId, api))
    expect(error).toMatchObject({ kind: "input", exitCode: 2 })
    expect(error.message).toContain("is a shipment")
    expect(await ledger.store.open()).toHaveLength(2)
  })

  it("cannot have the reference of another pickup", async () => {
    const { ledger, api } = await startDesk()
    const other: Partial<Entry> = { key: "key:PU-2", state: "done", facts: { reference: "CARRIER-7" } }
    await put(ledger.store, common, { ...entry({ ...PU, ...other }), content: "other" })
    const error = await failure(settleByHand(ledger, "PU-1", "carrier-7", api))
    expect(error).toMatchObject({ kind: "refused" })
    expect(error.message).toContain("another pickup has it")
    expect(await ledger.store.open()).toHaveLength(1)
  })

  it("is settled only where its reference can be looked up", async () => {
    const { ledger } = await startDesk()
    await put(ledger.store, common)
    const getShipment = refusing(new FreightError("unavailable", "no answer"))
    const asked = settleByHand(ledger, "PU-1", "CARRIER-7", { getShipment })
    expect(await failure(asked)).toMatchObject({ kind: "unavailable" })
    expect(await ledger.store.open()).toHaveLength(1)
  })
})

it.each([
  "label-print",
  "pdf-print",
] as const)("a %s that a person saw come out of the printer is settled by its key alone, and not printed again", async (kind) => {
  const { ledger, api } = await startDesk()
  await put(ledger.store, entry({ kind, key: "key:P-1" }))
  const error = await failure(settleByHand(ledger, "P-1", "no-such", api))
  expect(error).toMatchObject({ kind: "input", exitCode: 2 })
  expect(error.message).toContain("is a print")
  expect(await ledger.store.open()).toHaveLength(1)
  const settled = await settleByHand(ledger, "P-1", undefined, api)
  expect(settled).toMatchObject({ kind, outcome: "settled", matches: [] })
  expect(await ledger.store.open()).toEqual([])
  expect(await entries(ledger.store)).toMatchObject([{ state: "done", note: "Settled by hand." }])
})
