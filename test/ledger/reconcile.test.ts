import { describe, expect, it } from "vitest"
import { findErrors } from "../../src/contract/check.ts"
import { BookingResponse } from "../../src/contract/generated/replies.js"
import type { ConsignmentBookingRequest } from "../../src/contract/generated/types.ts"
import { FreightError } from "../../src/errors.ts"
import { reconcile } from "../../src/ledger/reconcile.ts"
import { address, booking } from "../sandbox/requests.ts"
import { type Desk, startDesk } from "./lost.ts"
import { create, failure, HOUR, intent, MINUTE, NOW, PO, request, server } from "./setup.ts"

/** Ids of what the sandbox booked, in order. */
async function booked({ bench }: Desk): Promise<string[]> {
  const { body } = await bench.control("GET", "/books")
  return (body as { shipments: { id: string }[] }).shipments.map(({ id }) => id)
}

async function setClock({ bench }: Desk, ms: number): Promise<void> {
  await bench.control("POST", "/clock", { set: new Date(ms).toISOString() })
}

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

  it("leaves a result that the same key gives again, in the contract's shape", async () => {
    const desk = await startDesk()
    await desk.lose(true, PO)
    await desk.reconcile()
    const { made, send } = server()
    const { response, recorded } = await create(desk.ledger, send, PO)
    const { shipment } = await desk.api.getShipment(response.shipmentId)
    expect(recorded).toBe(true)
    expect(made).toEqual([])
    expect(findErrors(BookingResponse, response)).toEqual([])
    expect(response).toEqual({
      shipmentId: shipment.id,
      orderNumber: shipment.orderNumber,
      consignmentNumber: shipment.consignmentNumber,
      connectorId: "connector-a",
      pickupStatus: "NOT_BOOKED",
    })
  })

  it("does not say that nothing was made while the service may still be making it", async () => {
    const desk = await startDesk()
    await desk.lose(false, PO)
    expect((await desk.reconcile())[0]).toMatchObject({
      outcome: "none",
      note: expect.stringContaining("run this again"),
    })
    desk.ledger.clock.advance(6 * MINUTE)
    expect((await desk.reconcile())[0]).toMatchObject({
      outcome: "none",
      note: expect.stringContaining("never made"),
    })
  })

  it("does not say so either where this machine's clock is not the service's", async () => {
    const desk = await startDesk()
    await desk.lose(false, PO)
    desk.ledger.clock.advance(6 * MINUTE)
    const [one] = await desk.reconcile({ clockOffset: () => 3 * HOUR })
    expect(one).toMatchObject({ outcome: "none", note: expect.stringContaining("ask the carrier before") })
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

  it("leaves open what never arrived, and says so", async () => {
    const desk = await startDesk()
    await desk.lose(false, PO)
    expect(await desk.reconcile()).toMatchObject([{ key: "PO-1001", outcome: "none", matches: [] }])
    expect(await desk.entries()).toMatchObject([{ state: "unknown" }])
    expect(await desk.ledger.store.open()).toHaveLength(1)
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
    const of = (n: number) => ({ key: `PO-${n}`, request: booking({ customerReference: `PO-${n}` }) })
    for (let n = 0; n < 5; n++) await desk.lose(n % 2 === 0, of(n))
    let lists = 0
    const settled = await desk.reconcile({
      listShipments: (page) => {
        lists++
        return desk.api.listShipments(page)
      },
    })
    expect(Object.fromEntries(settled.map(({ key, outcome }) => [key, outcome]))).toEqual({
      "PO-0": "settled",
      "PO-1": "none",
      "PO-2": "settled",
      "PO-3": "none",
      "PO-4": "settled",
    })
    expect(lists).toBe(1)
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

  it("but the second one where that arrived", async () => {
    const desk = await startDesk()
    const first = await desk.make()
    desk.ledger.clock.advance(HOUR)
    await desk.lose(true, { again: true })
    const [one] = await desk.reconcile()
    expect(one).toMatchObject({ outcome: "settled" })
    expect(one?.matches).not.toContain(first)
  })

  it("nor one that may be what came of an equal one: neither is settled", async () => {
    const desk = await startDesk()
    await desk.lose(true, { key: "PO-1" })
    await desk.lose(false, { key: "PO-2" })
    const settled = await desk.reconcile()
    expect(settled.map(({ outcome }) => outcome)).toEqual(["several", "several"])
    expect(settled[0]?.note).toContain("which is equal and also has an unknown outcome")
  })

  it("nor one that may be what came of an equal one whose carrier is not known here", async () => {
    const desk = await startDesk()
    await desk.lose(true, { key: "PO-1" })
    await desk.lose(false, { key: "PO-2", facts: { connectorId: "connector-a" } })
    const settled = await desk.reconcile()
    expect(settled.map(({ outcome }) => outcome)).toEqual(["several", "several"])
  })

  it("that was sent with another API key, whose entries are compared on their own", async () => {
    const desk = await startDesk()
    const owner = { id: "account-2", fingerprint: "account-2", scope: "freight:account-2" }
    const other = { ...desk.ledger, owner }
    const { request: body } = intent()
    await create(other, () => desk.api.createShipment("connector-a", body as ConsignmentBookingRequest), {
      key: "PO-1",
    })
    await desk.lose(false, { key: "PO-2" })
    expect(await desk.reconcile()).toMatchObject([{ key: "PO-2", outcome: "none", matches: [] }])
  })

  it("nor one that an equal one of another API key may have made", async () => {
    const desk = await startDesk()
    const owner = { id: "account-2", fingerprint: "account-2", scope: "freight:account-2" }
    const other = { ...desk.ledger, owner }
    const broken = new FreightError("outcomeUnknown", "POST was sent, then: the connection broke")
    const { request: body } = intent()
    const made = async () => {
      await desk.api.createShipment("connector-a", body as ConsignmentBookingRequest)
      throw broken
    }
    await failure(create(other, made, { key: "PO-1" }))
    await desk.lose(false, { key: "PO-2" })
    const settled = await reconcile({ ...desk.ledger, scopes: [desk.ledger.scope] }, async () => ({
      ...desk.api,
      clockOffset: () => undefined,
    }))
    expect(settled).toMatchObject([{ key: "PO-2", outcome: "several" }])
    expect((await desk.entries()).map(({ state }) => state)).toEqual(["unknown", "unknown"])
  })

  it("nor one that an equal one may have made which was claimed while it looked", async () => {
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

  it("nor one that an equal one may just be making, whose sender waits for a slow reply", async () => {
    const desk = await startDesk()
    await desk.lose(false, { key: "PO-1" })
    let during: unknown
    const { request: body } = intent()
    await create(
      desk.ledger,
      async () => {
        const made = await desk.api.createShipment("connector-a", body as ConsignmentBookingRequest)
        during = await desk.reconcile()
        return made
      },
      { key: "PO-2" },
    )
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
          shipments: list.shipments.map((each) => ({ ...each, createdAt: rewrite(each.createdAt) })),
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
