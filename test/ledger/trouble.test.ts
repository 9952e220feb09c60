/** A create when the ledger itself fails. */
import { readdirSync } from "node:fs"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { FreightError } from "../../src/base/errors.ts"
import { unusable } from "../../src/ledger/database/database.ts"
import { openOutbox } from "../../src/ledger/outbox.ts"
import { Unrecorded } from "../../src/ledger/refusals.ts"
import {
  create,
  entries,
  failure,
  PO,
  refusing,
  server,
  temporaryDir,
  type TestLedger,
  testLedger,
} from "./setup.ts"

const LOST = unusable("postgres://desk@db/freight", "nothing answers at that address", undefined, true)

/** A ledger whose database is lost when it is told so. */
function losable() {
  // Nothing was kept there before.
  const folder = path.join(temporaryDir(), "not", "yet")
  const made = testLedger()
  const { store } = made
  /** As the next command finds it. */
  const next = { ...made, outbox: openOutbox(folder, store.place) }
  let isLost = false
  const unlessLost =
    <P extends unknown[], R>(act: (...parameters: P) => Promise<R>) =>
    (...parameters: P): Promise<R> =>
      isLost ? Promise.reject(LOST) : act(...parameters)
  const ledger: TestLedger = {
    ...next,
    store: { ...store, claim: unlessLost(store.claim), record: unlessLost(store.record) },
  }
  const lose = () => {
    isLost = true
  }
  /** Sends a booking, and loses the database while it is sent. */
  const loseDuring = (send: () => ReturnType<ReturnType<typeof server>["send"]>, among = ledger) =>
    failure(
      create(
        among,
        () => {
          lose()
          return send()
        },
        PO,
      ),
    )
  return { folder, ledger, next, lose, loseDuring }
}

describe("a database that is lost before anything is sent", () => {
  it("lets nothing be sent, and it is safe to run again", async () => {
    const { ledger, lose } = losable()
    lose()
    const { made, send } = server()
    const error = await failure(create(ledger, send, PO))
    expect(error).toMatchObject({ kind: "unavailable", exitCode: 6, retry: "safe" })
    expect(made).toEqual([])
  })

  it("leaves nothing to release where the commit of the claim got no answer", async () => {
    const { next } = losable()
    const { store } = next
    const claim: typeof store.claim = async (...parameters) => {
      await store.claim(...parameters)
      throw LOST
    }
    const database = { ...store.database, dialect: "postgres" as const }
    const { made, send } = server()
    expect(await failure(create({ ...next, store: { ...store, database, claim } }, send, PO))).toBe(LOST)
    expect(await store.open()).toHaveLength(1)
    await next.outbox.takeIn(store)
    expect(await entries(store)).toMatchObject([
      { state: "refused", note: expect.stringContaining("Never sent") },
    ])
    await create(next, send, PO)
    expect(made).toHaveLength(1)
  })
})

describe("a database that is lost after the carrier said yes", () => {
  async function madeAndLost() {
    const all = losable()
    return { ...all, error: await all.loseDuring(server().send) }
  }

  it("is reported with what was made, exit 8, and where the outcome is kept", async () => {
    const { error, folder } = await madeAndLost()
    expect(error).toBeInstanceOf(Unrecorded)
    expect(error).toMatchObject({ kind: "stepFailed", exitCode: 8, retry: "never" })
    expect(error.message).toContain(
      "the booking was made: shipment shp-1, Harbour Supplies, Fremantle; but the ledger",
    )
    expect(error.hint).toContain("Do not run this again")
    expect(error.hint).toContain(folder)
    expect((error as Unrecorded).entry).toMatchObject({ state: "done", response: { shipmentId: "shp-1" } })
  })

  it("leaves it unknown: it is not sent again", async () => {
    const { next } = await madeAndLost()
    next.clock.advance(60_000)
    const { made, send } = server()
    expect(await failure(create(next, send, PO))).toMatchObject({ kind: "outcomeUnknown" })
    expect(made).toEqual([])
  })

  it.each([
    ["by the next command", undefined],
    ["also where that names the ledger in another way", "postgres://desk@localhost/freight"],
  ])("is recorded %s, and no other ledger takes it", async (_how, place) => {
    const { next, folder } = await madeAndLost()
    const other = testLedger()
    expect(await openOutbox(folder, other.store.place).takeIn(other.store)).toEqual([])
    const outbox = place === undefined ? next.outbox : openOutbox(folder, place)
    expect(await outbox.takeIn(next.store)).toMatchObject([{ isRecorded: true }])
    expect(readdirSync(folder)).toEqual([])
    const { made, send } = server()
    expect(await create(next, send, PO)).toMatchObject({ recorded: true, response: { shipmentId: "shp-1" } })
    expect(made).toEqual([])
  })

  it("is reported where it was released and sent again before it could be recorded", async () => {
    const { next } = await madeAndLost()
    await next.store.database.run("update sends set state = 'released', lease_until = null")
    const { send } = server()
    await send()
    await create(next, send, PO)
    expect(await next.outbox.takeIn(next.store)).toMatchObject([
      { isRecorded: false, entry: { facts: { shipmentId: "shp-1" } } },
    ])
    expect(await entries(next.store)).toMatchObject([
      { state: "released", facts: { shipmentId: "shp-1" }, note: expect.stringContaining("may be two") },
      { state: "done", facts: { shipmentId: "shp-2" } },
    ])
  })

  it("tells the whole reply where not even a file can be written", async () => {
    const { ledger, loseDuring } = losable()
    const error = await loseDuring(server().send, {
      ...ledger,
      outbox: openOutbox("/proc/freight", "ledger"),
    })
    expect(error.message).toContain('The reply was {"shipmentId":"shp-1","orderNumber":"ORD-1"}')
    expect(error.next).toBe("freight reconcile")
  })
})

it("a database that is lost after a refusal: that is reported, and the next command frees the key", async () => {
  const { next, loseDuring } = losable()
  const refused = new FreightError("refused", "bad postcode", { status: 400 })
  expect(await loseDuring(refusing(refused))).toBe(refused)
  await next.outbox.takeIn(next.store)
  const { made, send } = server()
  await create(next, send, PO)
  expect(made).toHaveLength(1)
})

describe("a sender whose entry others have touched", () => {
  const releaseAll = ({ store }: TestLedger) => store.database.run("update sends set state = 'released'")

  it("records what was made although a person released it", async () => {
    const ledger = testLedger()
    const send = async () => {
      await releaseAll(ledger)
      return server().send()
    }
    await create(ledger, send, PO)
    expect(await entries(ledger.store)).toMatchObject([{ state: "done", facts: { shipmentId: "shp-1" } }])
  })

  it.each([
    ["with a key", PO] as const,
    ["without a key", { key: undefined }] as const,
  ])("says so where it was released and sent again, %s", async (_how, order) => {
    const ledger = testLedger()
    const { made, send } = server()
    const sendTwice = async () => {
      await releaseAll(ledger)
      await create(ledger, send, order)
      return send()
    }
    const error = await failure(create(ledger, sendTwice, order))
    expect(error).toMatchObject({ kind: "stepFailed", exitCode: 8 })
    expect(error.message).toContain("shipment shp-2")
    expect(made).toHaveLength(2)
    // Or reconcile could take it for another entry's.
    expect(await ledger.store.ofShipment(ledger.scope, "shp-2")).toMatchObject({ state: "released" })
  })

  it("takes back a shipment that reconcile gave to another by a guess", async () => {
    const ledger = testLedger()
    await failure(create(ledger, refusing(new FreightError("outcomeUnknown", "it broke")), { key: "PO-2" }))
    const [lost] = await ledger.store.open()
    if (!lost) throw new Error("nothing is open")
    await create(
      ledger,
      async () => {
        const guessed = { ...lost, state: "done" as const, facts: { ...lost.facts, shipmentId: "shp-1" } }
        await ledger.store.settle({ ...guessed, note: "Found by reconcile." })
        return server().send()
      },
      PO,
    )
    const found = await entries(ledger.store)
    expect(found.find(({ key }) => key === "key:PO-1001")).toMatchObject({
      state: "done",
      facts: { shipmentId: "shp-1" },
    })
    expect(found.find(({ key }) => key === "key:PO-2")).toMatchObject({
      state: "unknown",
      note: expect.stringContaining("turned out"),
    })
  })
})
