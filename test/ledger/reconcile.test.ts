import { describe, expect, it } from "vitest"
import { findErrors } from "../../src/contract/check.ts"
import { BookingResponse } from "../../src/contract/generated/replies.js"
import type { ConsignmentBookingRequest } from "../../src/contract/generated/types.ts"
import { FreightError } from "../../src/base/errors.ts"
import type { Entry } from "../../src/ledger/entry.ts"
import { findWindow } from "../../src/ledger/matching.ts"
import { release } from "../../src/ledger/by-hand.ts"
import { keepReadShipments } from "../../src/ledger/elsewhere.ts"
import { reconcile, reconcileUntilKnown, settleListed } from "../../src/ledger/reconcile.ts"
import { address, booking } from "../sandbox/requests.ts"
import { type Desk, startDesk } from "./lost.ts"
import {
  create,
  entry,
  failure,
  HOUR,
  intent,
  MINUTE,
  NOW,
  PO,
  put,
  request,
  server,
  testClock,
  testLedger,
} from "./setup.ts"

/** Ids of what the sandbox booked, in order. */
async function booked({ bench }: Desk): Promise<string[]> {
  const { body } = await bench.control("GET", "/books")
  return (body as { shipments: { id: string }[] }).shipments.map(({ id }) => id)
}

async function setClock({ bench }: Desk, ms: number): Promise<void> {
  await bench.control("POST", "/clock", { set: new Date(ms).toISOString() })
}

/** The results of reconcile, and the offsets at which it read the list. `between` runs after each page. */
async function reading(desk: Desk, between = async () => {}) {
  const offsets: (number | undefined)[] = []
  const settled = await desk.reconcile({
    async listShipments(page) {
      const list = await desk.api.listShipments(page)
      offsets.push(page?.offset)
      await between()
      return list
    },
  })
  return { settled, offsets }
}

/** A desk whose key is another account's, as the ledger knows. */
const withOtherKey = (desk: Desk) => ({
  ...desk.ledger,
  owner: { id: "account-2", fingerprint: "account-2", scope: "freight:account-2" },
})
const bookOn = ({ api }: Desk) => api.createShipment("connector-a", request)

describe("reconcile", () => {
  it("has nothing to do where every outcome is known, and asks nobody", async () => {
    const desk = await startDesk()
    await desk.make(PO)
    const asked = await desk.reconcile({ listShipments: () => Promise.reject(new Error("asked")) })
    expect(asked).toEqual([])
  })

  it("settles what arrived: exactly one shipment fits", async () => {
    const desk = await startDesk()
    await desk.lose(true, PO)
    const [id] = await booked(desk)
    expect(await desk.reconcile()).toMatchObject([
      { key: "PO-1001", kind: "shipment", outcome: "settled", matches: [id], note: `It is shipment ${id}.` },
    ])
    expect(await desk.entries()).toMatchObject([
      { state: "done", facts: { shipmentId: id }, note: "Found by reconcile." },
    ])
    expect(await desk.ledger.store.open()).toEqual([])
  })

  it("settles nothing by a shipment that was read before it was sent", async () => {
    const desk = await startDesk()
    const { shipmentId: id } = await bookOn(desk)
    const { shipment } = await desk.api.getShipment(id)
    await keepReadShipments(desk.ledger, [shipment])
    desk.ledger.clock.advance(MINUTE)
    await desk.lose(false, { again: true })
    desk.ledger.clock.advance(6 * MINUTE)
    const ask = `Ask carrier A whether it has a second consignment like ${shipment.orderNumber}: `
    const open = { outcome: "cannot-tell", matches: [id], ask: expect.stringContaining(ask) }
    expect(await desk.reconcile()).toMatchObject([
      { ...open, note: expect.stringContaining(`${id} matches, but it was there before this was sent.`) },
    ])
    expect(await settleListed(desk.ledger, desk.api)).toEqual([])
    expect(await desk.entries()).toMatchObject([{ state: "unknown" }])
  })

  it("leaves a result that the same key gives again, in the contract's shape", async () => {
    const desk = await startDesk()
    await desk.lose(true, PO)
    await desk.reconcile()
    const { made, send } = server()
    const { response, recorded } = await create(desk.ledger, send, PO)
    const { id, orderNumber, consignmentNumber } = (await desk.api.getShipment(response.shipmentId)).shipment
    expect([recorded, made]).toEqual([true, []])
    expect(findErrors(BookingResponse, response)).toEqual([])
    const booked = { connectorId: "connector-a", pickupStatus: "NOT_BOOKED" }
    expect(response).toEqual({ shipmentId: id, orderNumber, consignmentNumber, ...booked })
  })

  it.each([
    ["while the service may still be making it", 0, undefined, "run this again"],
    ["once it is sure", 6 * MINUTE, undefined, "never made"],
    ["where this machine's clock is not the service's", 6 * MINUTE, 3 * HOUR, "ask the carrier before"],
  ])("leaves open what never arrived, and says what to do: %s", async (_when, later, offset, note) => {
    const desk = await startDesk()
    await desk.lose(false, PO)
    desk.ledger.clock.advance(later)
    const error = "POST was sent, then: the connection broke"
    expect(await desk.reconcile({ clockOffset: () => offset })).toMatchObject([
      { key: "PO-1001", outcome: "none", matches: [], error, note: expect.stringContaining(note) },
    ])
    expect(await desk.entries()).toMatchObject([{ state: "unknown" }])
    expect(await desk.ledger.store.open()).toHaveLength(1)
  })

  it.each([
    "receiver",
    "items",
    "collectionDateTime",
  ] as const)("settles by no shipment whose %s cannot be read, and says so", async (name) => {
    const desk = await startDesk()
    await desk.lose(true, PO)
    const [id] = await booked(desk)
    const settled = await desk.reconcile({
      async getShipment(shipmentId) {
        const { shipment } = await desk.api.getShipment(shipmentId)
        const { [name]: _, ...others } = shipment
        return { shipment: others }
      },
    })
    expect(settled).toMatchObject([
      { outcome: "cannot-tell", matches: [id], note: expect.stringContaining("could not be read") },
    ])
    expect(await desk.ledger.store.open()).toHaveLength(1)
  })

  it("says of a shipment whose details cannot be read at all that it may be the one", async () => {
    const desk = await startDesk()
    await desk.lose(true, PO)
    const [id] = await booked(desk)
    const unread = {
      async getShipment(): Promise<never> {
        throw new FreightError("unreadable", "the reply has no shipment")
      },
    }
    expect(await desk.reconcile(unread)).toMatchObject([
      { outcome: "cannot-tell", matches: [id], lookAgainAt: expect.any(String) },
    ])
    desk.ledger.clock.advance(6 * MINUTE)
    expect(await desk.reconcile(unread)).toMatchObject([
      {
        outcome: "cannot-tell",
        matches: [id],
        ask: expect.stringContaining("ORD-A-000001 is Harbour Supplies"),
      },
    ])
    expect(await desk.ledger.store.open()).toHaveLength(1)
  })

  it("takes no shipment of a key whose account the ledger does not know", async () => {
    const desk = await startDesk()
    await desk.lose(true, PO)
    const [id] = await booked(desk)
    const other = { ...desk.ledger, account: "another", owner: undefined }
    expect(await reconcile(other, async () => desk.api)).toMatchObject([
      { outcome: "cannot-tell", matches: [id], note: expect.stringContaining("another API key") },
    ])
    const known = { ...other, owner: desk.ledger.owner }
    expect(await reconcile(known, async () => desk.api)).toMatchObject([
      { outcome: "settled", matches: [id] },
    ])
  })

  it("cannot tell from another account's shipments", async () => {
    const desk = await startDesk()
    await desk.lose(false, PO)
    const settled = await reconcile({ ...desk.ledger, account: "another" }, async () => desk.api)
    expect(settled).toMatchObject([
      { outcome: "cannot-tell", note: expect.stringContaining("another API key") },
    ])
  })

  it("shows several that fit, and leaves it open", async () => {
    const desk = await startDesk()
    await desk.lose(true, PO)
    await desk.api.createShipment("connector-a", request)
    const [one] = await desk.reconcile()
    expect(one).toMatchObject({ outcome: "several" })
    expect(one?.matches.sort()).toEqual((await booked(desk)).sort())
    expect(await desk.entries()).toMatchObject([{ state: "unknown" }])
  })

  it("settles each of many from one reading of the list", async () => {
    const desk = await startDesk()
    for (let n = 0; n < 5; n++)
      await desk.lose(n % 2 === 0, { key: `PO-${n}`, request: booking({ customerReference: `PO-${n}` }) })
    const { settled, offsets } = await reading(desk)
    expect(settled.map(({ key, outcome }) => [key, outcome]).sort()).toEqual([
      ["PO-0", "settled"],
      ["PO-1", "none"],
      ["PO-2", "settled"],
      ["PO-3", "none"],
      ["PO-4", "settled"],
    ])
    expect(offsets).toHaveLength(1)
  })

  it("sends nothing that creates", async () => {
    const desk = await startDesk()
    await desk.lose(true, PO)
    const posts = async () => {
      const { body } = await desk.bench.control("GET", "/books?only=counts")
      const { requests } = body as { requests: Record<string, number> }
      return Object.entries(requests).filter(([endpoint]) => endpoint.startsWith("POST"))
    }
    const before = await posts()
    await desk.reconcile()
    expect(await posts()).toEqual(before)
  })

  it("leaves alone what a running process is sending", async () => {
    const desk = await startDesk()
    await desk.lose(true, PO)
    const [open] = await desk.entries()
    const { database } = desk.ledger.store
    const leaseUntil = new Date(NOW + MINUTE).toISOString()
    await database.run("update sends set lease_until = ? where id = ?", [leaseUntil, open?.id ?? ""])
    expect(await desk.reconcile()).toMatchObject([{ outcome: "in-flight" }])
    expect(await desk.entries()).toMatchObject([{ state: "unknown" }])
  })
})

describe("reconcile does not take another entry's shipment", () => {
  it("of another key and the same content", async () => {
    const desk = await startDesk()
    await desk.make({ key: "PO-1" })
    await desk.lose(false, { key: "PO-2" })
    expect(await desk.reconcile()).toMatchObject([{ key: "PO-2", outcome: "none" }])
  })

  it("of the same content an hour before, where a second one was wanted", async () => {
    const desk = await startDesk()
    await desk.make()
    desk.ledger.clock.advance(HOUR)
    await desk.lose(false, { again: true })
    expect(await desk.reconcile()).toMatchObject([{ outcome: "none", matches: [] }])
  })

  it("that is the first of two, and settles the second with its own", async () => {
    const desk = await startDesk()
    const first = await desk.make()
    desk.ledger.clock.advance(HOUR)
    await desk.lose(true, { again: true })
    const [one] = await desk.reconcile()
    expect(one).toMatchObject({ outcome: "settled" })
    expect(one?.matches).not.toContain(first)
  })

  it.each([
    ["", intent().facts],
    ["whose carrier is not known here", { connectorId: "connector-a" }],
  ])("nor one that may be what came of an equal one: neither is settled %s", async (_what, facts) => {
    const desk = await startDesk()
    await desk.lose(true, { key: "PO-1" })
    await desk.lose(false, { key: "PO-2", facts })
    const settled = await desk.reconcile()
    expect(settled.map(({ outcome }) => outcome)).toEqual(["several", "several"])
    expect(settled[0]?.note).toContain("which is equal and also has an unknown outcome")
  })

  it("that was sent with another API key, whose entries are compared on their own", async () => {
    const desk = await startDesk()
    await create(withOtherKey(desk), () => bookOn(desk), { key: "PO-1" })
    await desk.lose(false, { key: "PO-2" })
    expect(await desk.reconcile()).toMatchObject([{ key: "PO-2", outcome: "none", matches: [] }])
  })

  it("that an equal entry of another API key may have made", async () => {
    const desk = await startDesk()
    const made = async () => {
      await bookOn(desk)
      throw new FreightError("outcomeUnknown", "POST was sent, then: the connection broke")
    }
    await failure(create(withOtherKey(desk), made, { key: "PO-1" }))
    await desk.lose(false, { key: "PO-2" })
    const settled = await reconcile({ ...desk.ledger, scopes: [desk.ledger.scope] }, async () => ({
      ...desk.api,
      clockOffset: () => undefined,
    }))
    expect(settled).toMatchObject([{ key: "PO-2", outcome: "several" }])
    expect((await desk.entries()).map(({ state }) => state)).toEqual(["unknown", "unknown"])
  })

  it("that an equal entry may have made which was claimed while it looked", async () => {
    const desk = await startDesk()
    await desk.lose(true, { key: "PO-1" })
    const settled = await desk.reconcile({
      async getShipment(id) {
        await desk.lose(false, { key: "PO-2" })
        return desk.api.getShipment(id)
      },
    })
    expect(settled).toMatchObject([{ key: "PO-1", outcome: "in-flight" }])
    expect((await desk.entries()).map(({ state }) => state)).toEqual(["unknown", "unknown"])
  })

  it("that an equal entry may just be making, whose sender waits for a slow reply", async () => {
    const desk = await startDesk()
    await desk.lose(false, { key: "PO-1" })
    let during: unknown
    const send = async () => {
      const made = await bookOn(desk)
      during = await desk.reconcile()
      return made
    }
    await create(desk.ledger, send, { key: "PO-2" })
    expect(during).toMatchObject([
      { key: "PO-1", outcome: "several" },
      { key: "PO-2", outcome: "in-flight" },
    ])
    expect(await desk.reconcile()).toMatchObject([{ key: "PO-1", outcome: "none", matches: [] }])
  })
})

describe("a shipment fits", () => {
  const { receiver } = request
  it.each<[string, Partial<ConsignmentBookingRequest>]>([
    ["reference", { customerReference: "PO-1002" }],
    ["receiver's company", { receiver: { ...receiver, companyName: "Harbour Supplies 2" } }],
    ["receiver's address", { receiver: { ...receiver, address1: "2 Long Street" } }],
    ["receiver's postcode", { receiver: { ...receiver, postcode: "6159" } }],
    ["receiver's suburb", { receiver: { ...receiver, suburb: "North Fremantle", postcode: "6160" } }],
    ["sender", { sender: address({ companyName: "Acme West" }) }],
    ["number of items", { items: { ...request.items, count: 3 } }],
    ["weight", { items: { ...request.items, totalWeightKg: 11.5 } }],
    ["service", { serviceCode: "75" }],
    ["collection day", { collectionDateTime: "2026-11-24T10:00:00" }],
    ["collection time", { collectionDateTime: "2026-11-23T11:00:00" }],
  ])("only with the same %s", async (_what, changes) => {
    const desk = await startDesk()
    await desk.lose(false, PO)
    await desk.api.createShipment("connector-a", { ...request, ...changes })
    expect(await desk.reconcile()).toMatchObject([{ outcome: "none" }])
  })

  it("only with the same carrier, where two have a service of that name", async () => {
    const desk = await startDesk()
    const express = booking({ serviceCode: "EXP" })
    const facts = { connectorId: "connector-b", carrier: "CARRIER_B_AU" }
    await desk.lose(false, { ...PO, request: express, facts })
    await desk.api.createShipment("connector-c", express)
    expect(await desk.reconcile()).toMatchObject([{ outcome: "none" }])
  })

  it("whatever the server does to case and spaces", async () => {
    const desk = await startDesk()
    const plain = { ...receiver, companyName: " harbour  supplies", suburb: "FREMANTLE " }
    await desk.lose(false, { ...PO, request: booking({ ...request, receiver: plain }) })
    await desk.api.createShipment("connector-a", request)
    expect(await desk.reconcile()).toMatchObject([{ outcome: "settled" }])
  })

  it("where neither has a reference", async () => {
    const desk = await startDesk()
    await desk.lose(true, { ...PO, request: booking() })
    expect(await desk.reconcile()).toMatchObject([{ outcome: "settled" }])
  })

  it("not when it was booked in the portal", async () => {
    const desk = await startDesk()
    await desk.lose(true, PO)
    const portal = await desk.reconcile({
      async listShipments(page) {
        const list = await desk.api.listShipments(page)
        return { ...list, shipments: list.shipments.map((each) => ({ ...each, source: "PORTAL" as const })) }
      },
    })
    expect(portal).toMatchObject([{ outcome: "none" }])
  })
})

/** In ms: how far this machine's clock and the service's are ahead, and when it is by the ledger's since it was sent. */
it.each<[what: string, machine: number, offset: number | undefined, now: number, from: number, to: number]>([
  ["all clocks are right", 0, undefined, MINUTE, 0, 0],
  ["this machine's clock alone is wrong", 3 * HOUR, -3 * HOUR, MINUTE, 0, 0],
  ["the service is ahead", 0, HOUR, MINUTE, 0, HOUR],
  ["the service is behind", 0, -HOUR, MINUTE, -HOUR, 0],
  ["this machine is ahead of the ledger and the service", HOUR, undefined, MINUTE, 0, HOUR],
  ["the clock was set back since: nothing was sent later than now", 0, undefined, -3 * HOUR, -3 * HOUR, 0],
  ["the clock was set back since, and the service is ahead", 0, HOUR, -3 * HOUR, -2 * HOUR, HOUR],
  ["the clock was set back since, and the service is behind", 0, -HOUR, -3 * HOUR, -4 * HOUR, 0],
])("the window in which the service can have got a request is right where %s", async (_what, machine, offset, now, from, to) => {
  const { store } = testLedger()
  const deps = {
    store: { ...store, now: async () => NOW + now },
    clock: testClock(NOW + now + machine),
  }
  const window = await findWindow(deps, entry(), { clockOffset: () => offset })
  expect({ from: window.from - NOW, to: window.to - NOW }).toEqual({ from, to })
})

describe("a shipment's time", () => {
  it.each<[string, number, "settled" | "none"]>([
    ["two hours before the intent's, by a slow clock", -2 * HOUR, "settled"],
    ["longer before", -2 * HOUR - MINUTE, "none"],
    ["a day after, by a slow server", 24 * HOUR, "settled"],
    ["much longer after", 27 * HOUR, "none"],
  ])("%s: %d ms is %s", async (_what, difference, outcome) => {
    const desk = await startDesk()
    await setClock(desk, NOW + difference)
    await desk.lose(true, PO)
    expect(await desk.reconcile()).toMatchObject([{ outcome }])
  })

  it.each([27, -27])("is understood by a clock that is %d hours off", async (hours) => {
    const desk = await startDesk()
    await setClock(desk, NOW + hours * HOUR)
    await desk.lose(true, PO)
    expect(await desk.reconcile({ clockOffset: () => hours * HOUR })).toMatchObject([{ outcome: "settled" }])
  })

  /** The list with its times written in another way. */
  function written(desk: Desk, rewrite: (createdAt: string) => string) {
    return desk.reconcile({
      async listShipments(page) {
        const list = await desk.api.listShipments(page)
        return {
          ...list,
          shipments: list.shipments.map((each) => ({ ...each, createdAt: rewrite(each.createdAt ?? "") })),
        }
      },
    })
  }

  const inZone = (timeZone: string) => (createdAt: string) =>
    new Date(createdAt).toLocaleString("sv-SE", { timeZone }).replace(" ", "T")

  it.each<[string, (createdAt: string) => string]>([
    ["of Sydney's clock, without a zone", inZone("Australia/Sydney")],
    ["of Perth's clock, without a zone", inZone("Australia/Perth")],
    ["of UTC, without a zone", inZone("UTC")],
    ["of Honolulu's clock, without a zone", inZone("Pacific/Honolulu")],
    ["with an offset", (createdAt) => `${inZone("Australia/Brisbane")(createdAt)}+10:00`],
    ["that is no time", () => "just now"],
  ])("is understood as one %s", async (_what, rewrite) => {
    const desk = await startDesk()
    await desk.lose(true, PO)
    expect(await written(desk, rewrite)).toMatchObject([{ outcome: "settled" }])
  })
})

/** So few that each has its reply in time. */
const AT_ONCE = 25

async function others({ api }: Desk, count: number): Promise<void> {
  for (let made = 0; made < count; made += AT_ONCE)
    await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, count - made) }, () =>
        api.createShipment("connector-a", booking({ serviceCode: "75" })),
      ),
    )
}

describe("what stays open", () => {
  it("says when to look again while the service may be making it, and then what to ask the carrier", async () => {
    const desk = await startDesk()
    await desk.lose(false, PO)
    const [soon] = await desk.reconcile()
    expect(soon?.lookAgainAt).toBe(new Date(NOW + 5 * MINUTE).toISOString())
    expect(soon?.ask).toBeUndefined()
    desk.ledger.clock.advance(6 * MINUTE)
    const [late] = await desk.reconcile()
    expect(late?.lookAgainAt).toBeUndefined()
    expect(late?.ask).toMatch(/^Ask carrier A whether it has .*PO-1001/)
  })

  it("names the key that is needed where another one of the account sent it, and nothing to ask", async () => {
    const desk = await startDesk()
    await desk.lose(false, PO)
    desk.ledger.clock.advance(HOUR)
    const [settled] = await reconcile({ ...desk.ledger, account: "another" }, async () => desk.api)
    expect(settled).toMatchObject({ outcome: "cannot-tell", needsKey: "account-1" })
    expect(settled?.note).toContain("account-1")
    expect([settled?.ask, settled?.lookAgainAt]).toEqual([undefined, undefined])
  })

  it("says what to ask of several that match, of a pickup and of a print", async () => {
    const desk = await startDesk()
    await desk.lose(true, PO)
    await desk.api.createShipment("connector-a", request)
    const [several] = await desk.reconcile()
    expect(several?.ask).toMatch(/^Ask carrier A which of its consignments ORD-\S+ and ORD-\S+ is/)
    const shipment = await desk.make({ key: "PO-2", facts: { ...intent().facts, reference: "PO-2" } })
    const pickup = { kind: "pickup", call: "POST /connector-a/pickups" } as const
    await put(
      desk.ledger.store,
      entry({ ...pickup, key: "key:pickup", facts: { shipmentId: shipment, carrier: "CARRIER_A_AU" } }),
      entry({ kind: "pdf-print", key: "key:print" }),
      entry({
        ...{ kind: "label-print", key: "key:label", content: "label" },
        facts: { shipmentId: shipment, about: "label on device-bench" },
      }),
    )
    desk.ledger.clock.advance(HOUR)
    const rest = (await desk.reconcile()).filter(({ kind }) => kind !== "shipment")
    expect(rest.map(({ ask }) => ask)).toEqual([
      expect.stringMatching(/^Look at the printer: was label on device-bench of PO-2 printed/),
      expect.stringMatching(/^Ask carrier A whether it has a pickup/),
      expect.stringMatching(/^Look at the printer/),
    ])
  })

  it("says until when another process may be sending it", async () => {
    const desk = await startDesk()
    const leaseUntil = new Date(NOW + 10_000).toISOString()
    await put(desk.ledger.store, entry({ key: "key:sending", leaseUntil }))
    expect(await desk.reconcile()).toMatchObject([{ outcome: "in-flight", lookAgainAt: leaseUntil }])
  })
})

describe("waiting for what is unknown", () => {
  const wait = (desk: Desk, api: Partial<Desk["api"]> = {}, notes: string[] = []) =>
    reconcileUntilKnown(
      desk.ledger,
      async () => ({ ...desk.api, clockOffset: () => undefined, ...api }),
      async (text) => void notes.push(text),
    )

  it("ends as soon as it is found, and tells all that was found", async () => {
    const desk = await startDesk()
    await desk.lose(true, { key: "PO-1", request: booking({ customerReference: "PO-1" }) })
    await desk.lose(false, { key: "PO-2", request: booking({ customerReference: "PO-2" }) })
    let lists = 0
    const notes: string[] = []
    const settled = await wait(
      desk,
      {
        async listShipments(page) {
          if (++lists === 3)
            await desk.api.createShipment("connector-a", booking({ customerReference: "PO-2" }))
          return desk.api.listShipments(page)
        },
      },
      notes,
    )
    expect(settled).toMatchObject([
      { key: "PO-1", outcome: "settled" },
      { key: "PO-2", outcome: "settled" },
    ])
    expect([lists, notes.length]).toEqual([3, 1])
    expect(desk.ledger.clock.now() - NOW).toBeLessThan(5 * MINUTE)
  })

  it("ends when only the carrier can say", async () => {
    const desk = await startDesk()
    await desk.lose(false, PO)
    expect(await wait(desk)).toMatchObject([{ outcome: "none", ask: expect.any(String) }])
    expect(desk.ledger.clock.now() - NOW).toBeGreaterThanOrEqual(5 * MINUTE)
    expect(await desk.entries()).toMatchObject([{ state: "unknown" }])
  })

  it("asks once where nothing can come of waiting", async () => {
    const desk = await startDesk()
    expect(await wait(desk)).toEqual([])
    await put(desk.ledger.store, entry({ kind: "pdf-print", key: "key:print" }))
    expect(await wait(desk)).toMatchObject([{ outcome: "cannot-tell" }])
    expect(desk.ledger.clock.now()).toBe(NOW)
  })

  it("tells what another command settled meanwhile", async () => {
    const desk = await startDesk()
    await desk.lose(false, PO)
    let lists = 0
    const settled = await wait(desk, {
      async listShipments(page) {
        if (++lists === 2) await release(desk.ledger, "PO-1001")
        return desk.api.listShipments(page)
      },
    })
    expect(settled).toMatchObject([{ key: "PO-1001", outcome: "released" }])
  })
})

describe("reconcile, on a long list", () => {
  it("reads on until the intent's time", async () => {
    const desk = await startDesk()
    await desk.lose(true, PO)
    await others(desk, 450)
    const { settled, offsets } = await reading(desk)
    expect(settled).toMatchObject([{ outcome: "settled" }])
    expect(offsets).toEqual([0, 200, 400])
  })

  it("reads on past a date that is too old", async () => {
    const desk = await startDesk()
    await desk.lose(true, PO)
    await others(desk, 250)
    const settled = await desk.reconcile({
      async listShipments(page) {
        const { shipments, ...list } = await desk.api.listShipments(page)
        const [first, ...rest] = shipments
        return { ...list, shipments: first ? [{ ...first, createdAt: "1970-01-01T10:00:00Z" }, ...rest] : [] }
      },
    })
    expect(settled).toMatchObject([{ outcome: "settled" }])
  })

  it("reads no further back than that", async () => {
    const desk = await startDesk()
    await others(desk, 450)
    desk.ledger.clock.advance(24 * HOUR)
    await desk.lose(false, PO)
    const { settled, offsets } = await reading(desk)
    expect(settled).toMatchObject([{ outcome: "none" }])
    expect(offsets).toEqual([0])
  })

  it("counts a shipment once that new ones push onto the next page", async () => {
    const desk = await startDesk()
    await others(desk, 230)
    await desk.lose(true, PO)
    await others(desk, 199)
    const { settled } = await reading(desk, () => others(desk, 1))
    expect(settled).toMatchObject([{ outcome: "settled", matches: [expect.any(String)] }])
  })

  it("misses none while many new ones come", async () => {
    const desk = await startDesk()
    await desk.lose(true, PO)
    await others(desk, 420)
    const { settled } = await reading(desk, () => others(desk, 70))
    expect(settled).toMatchObject([{ outcome: "settled" }])
  })
})

describe("reconcile, on a pickup", () => {
  const derived = (shipmentId: string) =>
    entry({ kind: "pickup", facts: { shipmentId, connectorId: "connector-a" }, request: { shipmentId } })
  const window = { pickupDate: "2026-11-23", readyTime: "10:00", closeTime: "17:00" }

  /** A desk whose shipment has a pickup, unless that is not asked for; what the ledger knows of it is open. */
  async function startWithPickup({ asks = true, trigger }: { asks?: boolean; trigger?: string } = {}) {
    const desk = await startDesk()
    const shipmentId = await desk.make({
      ...PO,
      request: { ...request, ...(trigger && { specialInstructions: trigger }) },
    })
    if (asks) await desk.api.createPickup("connector-a", { ...window, shipmentId }).catch(() => {})
    await put(desk.ledger.store, derived(shipmentId))
    return { ...desk, shipmentId }
  }

  it("settles it where its shipment reads BOOKED", async () => {
    const { shipmentId, reconcile: run, entries } = await startWithPickup()
    expect(await run()).toMatchObject([{ kind: "pickup", outcome: "settled", matches: [shipmentId] }])
    expect(await entries()).toContainEqual(
      expect.objectContaining({ kind: "pickup", state: "done", response: { status: "BOOKED" } }),
    )
  })

  it("cannot tell when the shipment had one before: BOOKED may be that one's", async () => {
    const { ledger, shipmentId, reconcile: run } = await startWithPickup()
    const first: Partial<Entry> = { key: "key:first", content: "first", state: "done", response: {} }
    await put(ledger.store, { ...derived(shipmentId), ...first, id: "first.1" })
    expect(await run()).toMatchObject([{ kind: "pickup", outcome: "cannot-tell", matches: [shipmentId] }])
    expect((await ledger.store.open()).map(({ kind }) => kind)).toEqual(["pickup"])
  })

  it.each([
    ["the booking's own reply said BOOKED", "response", { pickupStatus: "BOOKED" }],
    ["it was arranged before the booking", "request", { pickupBookingNumber: "PU-9" }],
  ] as const)("cannot tell when %s", async (_when, column, more) => {
    const { ledger, shipmentId, reconcile: run } = await startWithPickup()
    const booked = await ledger.store.ofShipment(undefined, shipmentId)
    const changed = JSON.stringify({ ...Object(booked?.[column]), ...more })
    await ledger.store.database.run(`update sends set ${column} = ? where id = ?`, [
      changed,
      booked?.id ?? "",
    ])
    expect(await run()).toMatchObject([{ kind: "pickup", outcome: "cannot-tell" }])
  })

  it("says so when another command settled it meanwhile", async () => {
    const { api, ledger, reconcile: run } = await startWithPickup()
    const getShipment: typeof api.getShipment = async (id) => {
      await ledger.store.database.run("update sends set state = 'released' where state = 'unknown'")
      return api.getShipment(id)
    }
    expect(await run({ getShipment })).toMatchObject([{ kind: "pickup", outcome: "in-flight" }])
  })

  it.each([
    ["was never asked for", { asks: false }],
    ["was made, and not recorded by the service", { trigger: "sandbox:pickup-500-empty" }],
    ["was refused by the carrier", { trigger: "sandbox:pickup-failed" }],
  ])("cannot tell from its shipment when it %s", async (_what, options) => {
    const { shipmentId, reconcile: run } = await startWithPickup(options)
    expect(await run()).toMatchObject([
      { outcome: "cannot-tell", matches: [shipmentId], note: expect.stringContaining("ask the carrier") },
    ])
  })
})

it.each([
  ["pickup that stands alone", { kind: "pickup", facts: {} }, "cannot list pickups"],
  ["print of a label", { kind: "label-print", facts: { shipmentId: "shp-1" } }, "look at the printer"],
  ["print of a file", { kind: "pdf-print", facts: { shipmentId: "shp-1" } }, "look at the printer"],
] as const)("reconcile cannot tell of a %s", async (_what, changes, note) => {
  const { ledger, reconcile: run } = await startDesk()
  await put(ledger.store, entry(changes))
  expect(await run()).toMatchObject([
    { kind: changes.kind, outcome: "cannot-tell", note: expect.stringContaining(note) },
  ])
})
