/** What a create does when the ledger itself is in trouble. */
import { readdirSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { FreightError } from "../../src/errors.ts"
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
  const folder = temporaryDir()
  const made = testLedger()
  const { store } = made
  const ledger = { ...made, outbox: openOutbox(folder, store.place) }
  let isLost = false
  const lost: TestLedger = {
    ...ledger,
    store: {
      ...store,
      claim: (...parameters) => (isLost ? Promise.reject(LOST) : store.claim(...parameters)),
      record: (...parameters) => (isLost ? Promise.reject(LOST) : store.record(...parameters)),
    },
  }
  return {
    folder,
    ledger: lost,
    /** The database as the next command finds it. */
    next: ledger,
    lose(is: boolean) {
      isLost = is
    },
  }
}

describe("a database that is lost before anything is sent", () => {
  it("lets nothing be sent, and it is safe to run again", async () => {
    const { ledger, lose } = losable()
    lose(true)
    const { made, send } = server()
    const error = await failure(create(ledger, send, PO))
    expect(error).toMatchObject({ kind: "unavailable", exitCode: 6, retry: "safe" })
    expect(made).toEqual([])
  })

  it("leaves nothing to release where the commit of the claim got no answer", async () => {
    const folder = temporaryDir()
    const tested = testLedger()
    const { store } = tested
    const ledger = { ...tested, outbox: openOutbox(folder, store.place) }
    const postgres = { ...store.database, dialect: "postgres" as const }
    const cut: TestLedger = {
      ...ledger,
      store: {
        ...store,
        database: postgres,
        async claim(...parameters) {
          await store.claim(...parameters)
          throw LOST
        },
      },
    }
    const { made, send } = server()
    expect(await failure(create(cut, send, PO))).toBe(LOST)
    expect(await store.open()).toHaveLength(1)
    await ledger.outbox.takeIn(store)
    expect(await entries(store)).toMatchObject([
      { state: "refused", note: expect.stringContaining("Never sent") },
    ])
    await create(ledger, send, PO)
    expect(made).toHaveLength(1)
  })
})

describe("a database that is lost after the carrier said yes", () => {
  async function madeAndLost() {
    const all = losable()
    const { send } = server()
    const error = await failure(
      create(
        all.ledger,
        async () => {
          all.lose(true)
          return send()
        },
        PO,
      ),
    )
    return { ...all, error }
  }

  it("is told with what was made, exit 8, and where the outcome is kept", async () => {
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

  it("is recorded by the next command", async () => {
    const { next, folder } = await madeAndLost()
    expect(await next.outbox.takeIn(next.store)).toMatchObject([{ isRecorded: true }])
    expect(readdirSync(folder)).toEqual([])
    const { made, send } = server()
    expect(await create(next, send, PO)).toMatchObject({ recorded: true, response: { shipmentId: "shp-1" } })
    expect(made).toEqual([])
  })

  it("waits for its own ledger where the next command uses another", async () => {
    const { next, folder } = await madeAndLost()
    const other = testLedger()
    expect(await openOutbox(folder, other.store.place).takeIn(other.store)).toEqual([])
    expect(await next.outbox.takeIn(next.store)).toMatchObject([{ isRecorded: true }])
  })

  it("is recorded by the next command also where it names the ledger in another way", async () => {
    const { next, folder } = await madeAndLost()
    const renamed = openOutbox(folder, "postgres://desk@localhost/freight")
    expect(await renamed.takeIn(next.store)).toMatchObject([{ isRecorded: true }])
    expect(readdirSync(folder)).toEqual([])
  })

  it("is told where it was released and sent again before it could be recorded", async () => {
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
    const { ledger, lose } = losable()
    const error = await failure(
      create({ ...ledger, outbox: openOutbox("/proc/freight", "ledger") }, async () => {
        lose(true)
        return server().send()
      }),
    )
    expect(error.message).toContain('The reply was {"shipmentId":"shp-1","orderNumber":"ORD-1"}')
    expect(error.next).toBe("freight reconcile")
  })
})

describe("a database that is lost after a refusal", () => {
  it("tells the refusal, and the next command frees the key", async () => {
    const { ledger, next, lose } = losable()
    const refused = new FreightError("refused", "bad postcode", { status: 400 })
    const error = await failure(
      create(
        ledger,
        async () => {
          lose(true)
          return refusing(refused)()
        },
        PO,
      ),
    )
    expect(error).toBe(refused)
    await next.outbox.takeIn(next.store)
    const { made, send } = server()
    await create(next, send, PO)
    expect(made).toHaveLength(1)
  })
})

describe("a sender whose entry others have touched", () => {
  it("records what was made although a person released it", async () => {
    const ledger = testLedger()
    const { send } = server()
    await create(
      ledger,
      async () => {
        await ledger.store.database.run("update sends set state = 'released'")
        return send()
      },
      PO,
    )
    expect(await entries(ledger.store)).toMatchObject([{ state: "done", facts: { shipmentId: "shp-1" } }])
  })

  it("says so where it was released and sent again", async () => {
    const ledger = testLedger()
    const { made, send } = server()
    const error = await failure(
      create(
        ledger,
        async () => {
          await ledger.store.database.run("update sends set state = 'released'")
          await create(ledger, send, PO)
          return send()
        },
        PO,
      ),
    )
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
