import { describe, expect, it } from "vitest"
import { ErrorBody, TrackingResponse } from "../../src/contract/generated/replies.js"
import type { ConsignmentBookingRequest } from "../../src/contract/generated/types.ts"
import { address, as, type Bench, DAY, SECOND, START, startBench } from "./harness.ts"

async function track({ freight }: Bench, query: string, key?: string) {
  const { status, body } = await freight("GET", `/track?${query}`, undefined, key)
  expect(status).toBe(200)
  return as(TrackingResponse, body).tracking
}

/** A bench with a booking on connector A, or another, and what its tracking says at some time. */
async function sent(
  changes: Partial<ConsignmentBookingRequest> = {},
  connectorId = "connector-a",
  bench?: Bench,
) {
  const at = bench ?? (await startBench())
  const booked = await at.book(connectorId, changes)
  const query = `consignment=${booked.consignmentNumber}`
  const lookAt = async (time: number) => {
    at.clock.advance(time - at.clock.now())
    return (await track(at, query)) ?? undefined
  }
  return { ...booked, bench: at, query, lookAt }
}

const byTrigger = (word: string) => ({ customerReference: `PO-1 sandbox:${word}` })

describe("GET /track", () => {
  it.each([
    ["", "consignment"],
    ["consignment=", "consignment"],
    ["carrier=CARRIER_A_AU", "consignment"],
    ["consignment=x&carrier=carrier_a_au", "carrier"],
  ])("is a 400 for '%s', which names the %s", async (query, named) => {
    const { status, body } = await (await startBench()).freight("GET", `/track?${query}`)
    expect(status).toBe(400)
    expect(as(ErrorBody, body).message).toContain(named)
  })

  it("finds a shipment of the tenant alone, and of the carrier that is named", async () => {
    const { bench, query } = await sent()
    expect((await track(bench, query))?.currentStatus).toBe("Booked")
    expect(await track(bench, `${query}&carrier=CARRIER_A_AU`)).not.toBeNull()
    expect(await track(bench, `${query}&carrier=CARRIER_B_AU`)).toBeNull()
    const key = bench.sandbox.keys.secondTenantFreight
    expect((await bench.freight("GET", `/track?${query}`, undefined, key)).status).toBe(404)
  })

  it("has nothing of carrier B's shipment for a while, and supports it anyway", async () => {
    const { bench, query } = await sent({ serviceCode: "GEN" }, "connector-b")
    const { body } = await bench.freight("GET", `/track?${query}`)
    expect(body).toEqual({ supported: true, tracking: null })
    bench.clock.advance(2 * SECOND)
    expect(await track(bench, query)).not.toBeNull()
  })

  it("does not know a number that carrier C has not issued yet", async () => {
    const { bench, shipmentId } = await sent({ serviceCode: "STD" }, "connector-c")
    bench.clock.advance(2.5 * SECOND)
    const { body } = await bench.freight("GET", `/shipments/${shipmentId}`)
    const { consignmentNumber } = (body as { shipment: { consignmentNumber: string } }).shipment
    bench.clock.advance(-1 * SECOND)
    expect((await bench.freight("GET", `/track?consignment=${consignmentNumber}`)).status).toBe(404)
    bench.clock.advance(1 * SECOND)
    expect(await track(bench, `consignment=${consignmentNumber}`)).not.toBeNull()
  })

  it.each([
    "DEMO-A-MOVING",
    "DEMO-B-MOVING",
    "DEMO-C-MOVING",
    "DEMO-B-MOVING&carrier=CARRIER_B_AU",
  ])("asks every carrier, or the one that is named, for what the tenant did not book: %s", async (query) => {
    expect((await track(await startBench(), `consignment=${query}`))?.currentStatus).toBe("In transit")
  })
})

describe("tracking", () => {
  const DELIVERED = START + 20 * DAY

  it("starts with the booking, and tells the day of delivery from the start", async () => {
    const tracking = await (await sent()).lookAt(START)
    expect(tracking).toMatchObject({ eta: "2026-11-30" })
    expect(tracking).not.toHaveProperty("deliveredAt")
    expect(tracking?.events).toEqual([
      {
        timestamp: new Date(START).toISOString(),
        status: "Booked",
        location: "Alexandria",
        description: expect.any(String),
      },
    ])
  })

  it("is collected after the ready time there, delivered by the estimate on the receiver's clock", async () => {
    const { lookAt } = await sent()
    for (const [time, status] of [
      ["2026-11-23T10:00:00+11:00", "Booked"],
      ["2026-11-23T11:00:00+11:00", "Collected"],
      ["2026-11-30T16:00:00+08:00", "Out for delivery"],
      ["2026-11-30T17:00:00+08:00", "Delivered"],
    ] as const)
      expect((await lookAt(Date.parse(time)))?.currentStatus).toBe(status)
  })

  it("goes through every stage, newest first, the same whenever it is asked for", async () => {
    const { lookAt } = await sent()
    const tracking = await lookAt(DELIVERED)
    expect(tracking?.deliveredAt).toMatch(/^2026-11-30T/)
    expect(tracking?.events.map(({ status }) => status)).toEqual([
      ...["Delivered", "Out for delivery", "In transit", "In transit", "Collected", "Booked"],
    ])
    const times = tracking?.events.map(({ timestamp }) => timestamp) ?? []
    expect(times).toEqual(times.toSorted().toReversed())
    expect(await lookAt(DELIVERED)).toEqual(tracking)
  })

  it("has proof of delivery on carrier A, with an https link", async () => {
    expect((await track(await startBench(), "consignment=DEMO-A-DELIVERED"))?.pod).toMatchObject({
      signedBy: "HARBOUR SUPPLIES",
      itemsReceived: "3",
      signatureImageUrl: expect.stringMatching(/^https:/),
    })
  })

  it.each([
    "DEMO-A-MOVING",
    "DEMO-B-DELIVERED",
    "DEMO-C-DELIVERED",
  ])("has no pod key at all for %s", async (consignment) => {
    expect(await track(await startBench(), `consignment=${consignment}`)).not.toHaveProperty("pod")
  })

  it("has other minutes with another seed", async () => {
    const delivered = async (seed: number) =>
      (await (await sent({}, "connector-a", await startBench({ seed }))).lookAt(DELIVERED))?.deliveredAt
    expect(await delivered(1)).not.toBe(await delivered(2))
  })

  it("keeps its order when the goods leave late at night for where it is later", async () => {
    const late = {
      serviceCode: "PRM",
      collection: address({ suburb: "Fremantle", state: "WA", postcode: "6160" }),
      receiver: address(),
      collectionDateTime: "2026-11-23T23:00:00",
    }
    const { events = [] } = (await (await sent(late, "connector-b")).lookAt(DELIVERED)) ?? {}
    const times = events.map(({ timestamp }) => timestamp)
    expect(times).toEqual(times.toSorted().toReversed())
    expect(times.length).toBeGreaterThan(1)
  })

  it.each([
    ["not-collected", "Booked", 1],
    ["cancelled", "Cancelled", 2],
  ])("stops with sandbox:%s at %s", async (trigger, status, events) => {
    const tracking = await (await sent(byTrigger(trigger))).lookAt(DELIVERED)
    expect([tracking?.currentStatus, tracking?.events.length]).toEqual([status, events])
  })

  it("goes wrong on its way as its booking's reference says", async () => {
    const late = await sent(byTrigger("late"))
    const short = await sent(byTrigger("short"), "connector-a", late.bench)
    const eta = Date.parse(`${(await late.lookAt(START))?.eta}T12:00:00Z`)
    expect((await late.lookAt(eta))?.deliveredAt).toBeUndefined()
    expect((await short.lookAt(eta))?.pod?.itemsReceived).toBe("1")
    const delivered = await late.lookAt(eta + 2 * DAY)
    expect([typeof delivered?.deliveredAt, delivered?.pod?.itemsReceived]).toEqual(["string", "2"])
  })

  it("has the number and tracking a day later: sandbox:slow", async () => {
    const { bench, shipmentId, consignmentNumber } = await sent(byTrigger("slow"))
    expect(consignmentNumber ?? null).toBeNull()
    expect((await bench.freight("GET", `/shipments/${shipmentId}/label`)).status).toBe(404)
    bench.clock.advance(DAY)
    const { body } = await bench.freight("GET", `/shipments/${shipmentId}`)
    const { shipment } = body as { shipment: { consignmentNumber: string } }
    expect(await track(bench, `consignment=${shipment.consignmentNumber}`)).not.toBeNull()
  })
})

/** The cutoffs of connector B in Sydney on Monday 23 November: air is to be booked by 15:00 and collected by 16:30. */
describe("a consignment is collected", () => {
  const AT = (time: string) => Date.parse(`2026-11-23T${time}:00+11:00`)
  it.each([
    ["14:59", "15:30", "2026-11-23", undefined],
    ["15:01", "15:30", "2026-11-24", "2026-11-24"],
    ["09:00", "16:31", "2026-11-24", "2026-11-24"],
  ])("booked at %s and ready at %s: on %s", async (booked, ready, collectedOn, warnedOf) => {
    const bench = await startBench()
    bench.clock.advance(AT(booked) - bench.clock.now())
    const changes = {
      serviceCode: "PRM",
      dangerousGoods: false,
      collectionDateTime: `2026-11-23T${ready}:00`,
      collectionCloseTime: "1730",
    }
    const { lookAt, labelWarning } = await sent(changes, "connector-b", bench)
    const tracking = await lookAt(AT(booked) + 5 * DAY)
    const collected = tracking?.events.find(({ status }) => status === "Collected")?.timestamp ?? ""
    expect(new Date(Date.parse(collected) + 11 * 3_600_000).toISOString().slice(0, 10)).toBe(collectedOn)
    expect(labelWarning).toEqual(warnedOf === undefined ? undefined : expect.stringContaining(warnedOf))
  })
})
