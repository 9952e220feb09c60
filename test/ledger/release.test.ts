import { writeFile } from "node:fs/promises"
import { describe, expect, it } from "vitest"
import { FreightError } from "../../src/errors.ts"
import { release } from "../../src/ledger/by-hand.ts"
import { contentHash } from "../../src/ledger/content.ts"
import { reconcile } from "../../src/ledger/reconcile.ts"
import { nameOf } from "../../src/ledger/store.ts"
import { startDesk } from "./lost.ts"
import {
  create,
  entries,
  entry,
  failure,
  intent,
  NOW,
  OWNER,
  PO,
  put,
  refusing,
  request,
  testLedger,
} from "./setup.ts"

const UNKNOWN = new FreightError("outcomeUnknown", "the connection broke")
const HASH = contentHash("shipment", intent().content)

describe("a release", () => {
  it.each<[string, string, { key?: string }]>([
    ["the user's key", "PO-1001", PO],
    ["the key as the entry has it", "key:PO-1001", PO],
    ["the entry's file name", nameOf("shipment", "key:PO-1001"), PO],
    ["the content key", `content:${HASH}`, {}],
    ["the content's hash", HASH, {}],
    ["the file name of an entry without a key", nameOf("shipment", `content:${HASH}`), {}],
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
    for (const key of ["PO-1001", nameOf("shipment", "key:PO-1001")])
      expect(await failure(release(ledger, key))).toMatchObject({ kind: "notFound" })
    expect(await entries(ledger.store)).toMatchObject([{ state }])
  })

  it("of a key that two kinds share asks which is meant, and takes a file name", async () => {
    const ledger = testLedger()
    await put(ledger.store, entry())
    const { name } = await put(ledger.store, entry({ kind: "pickup" }))
    const error = await failure(release(ledger, "PO-1001"))
    expect(error).toMatchObject({ kind: "input", exitCode: 2 })
    expect(error.hint).toContain(name)
    await release(ledger, name)
    expect((await ledger.store.open()).map(({ entry: each }) => each?.kind)).toEqual(["shipment"])
  })

  it("of what a running process is sending is refused", async () => {
    const ledger = testLedger()
    await put(ledger.store, entry())
    const running = { ...ledger, owner: { ...OWNER, pid: 1, isAlive: () => true } }
    expect(await failure(release(running, "PO-1001"))).toMatchObject({ kind: "refused", exitCode: 1 })
    expect(await ledger.store.open()).toHaveLength(1)
  })

  it.each(["unknown", "done"] as const)("by file name clears a damaged file that was %s", async (state) => {
    const ledger = testLedger()
    const { name } = await put(ledger.store, entry({ state }))
    await writeFile((await ledger.store.latest(name))?.file ?? "", "")
    expect(await release(ledger, name)).toMatchObject({ outcome: "released", key: name })
    expect(await entries(ledger.store)).toMatchObject([{ state: "released", key: `file:${name}` }])
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
