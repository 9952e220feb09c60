import { describe, expect, it } from "vitest"
import { ErrorBody, TrackingResponse } from "../../src/contract/generated/replies.js"
import { address, as, type Bench, DAY, HOUR, SECOND, START, startBench } from "./harness.ts"

async function track({ freight }: Bench, query: string, key?: string) {
  const { status, body } = await freight("GET", `/track?${query}`, undefined, key)
  expect(status).toBe(200)
  return as(TrackingResponse, body).tracking
}

async function bookA(bench: Bench) {
  return String((await bench.book("connector-a")).consignmentNumber)
}

describe("GET /track", () => {
  it.each([
    "",
    "consignment=",
    "carrier=CARRIER_A_AU",
  ])("is a 400 without a consignment: '%s'", async (query) => {
    const { freight } = await startBench()
    const { status, body } = await freight("GET", `/track?${query}`)
    expect(status).toBe(400)
    expect(as(ErrorBody, body).message).toContain("consignment")
  })

  it("is a 400 for a carrier that is none", async () => {
    const { freight } = await startBench()
    const { status, body } = await freight("GET", "/track?consignment=x&carrier=carrier_a_au")
    expect(status).toBe(400)
    expect(as(ErrorBody, body).message).toContain("carrier")
  })

  it("finds a shipment of the tenant", async () => {
    const bench = await startBench()
    const consignment = await bookA(bench)
    expect((await track(bench, `consignment=${consignment}`))?.currentStatus).toBe("Booked")
  })

  it("finds it with its carrier named", async () => {
    const bench = await startBench()
    const consignment = await bookA(bench)
    expect(await track(bench, `consignment=${consignment}&carrier=CARRIER_A_AU`)).not.toBeNull()
  })

  it("does not look elsewhere when another carrier is named", async () => {
    const bench = await startBench()
    const consignment = await bookA(bench)
    expect(await track(bench, `consignment=${consignment}&carrier=CARRIER_B_AU`)).toBeNull()
  })

  it("has nothing of carrier B's shipment for a while, and supports it all the same", async () => {
    const bench = await startBench()
    const { consignmentNumber } = await bench.book("connector-b", { serviceCode: "GEN" })
    const { body } = await bench.freight("GET", `/track?consignment=${consignmentNumber}`)
    expect(body).toEqual({ supported: true, tracking: null })
    bench.clock.advance(2 * SECOND)
    expect(await track(bench, `consignment=${consignmentNumber}`)).not.toBeNull()
  })

  it("does not know a number that carrier C has not issued yet", async () => {
    const bench = await startBench()
    const { shipmentId } = await bench.book("connector-c", { serviceCode: "STD" })
    bench.clock.advance(2.5 * SECOND)
    const { body } = await bench.freight("GET", `/shipments/${shipmentId}`)
    const { consignmentNumber } = (body as { shipment: { consignmentNumber: string } }).shipment
    bench.clock.advance(-1 * SECOND)
    expect((await bench.freight("GET", `/track?consignment=${consignmentNumber}`)).status).toBe(404)
    bench.clock.advance(1 * SECOND)
    expect(await track(bench, `consignment=${consignmentNumber}`)).not.toBeNull()
  })

  it.each(["A", "B", "C"])("asks every carrier for what the tenant did not book: %s", async (letter) => {
    const bench = await startBench()
    expect((await track(bench, `consignment=DEMO-${letter}-MOVING`))?.currentStatus).toBe("In transit")
  })

  it("asks the carrier that is named", async () => {
    const bench = await startBench()
    expect(await track(bench, "consignment=DEMO-B-MOVING&carrier=CARRIER_B_AU")).not.toBeNull()
  })

  it("is a 404 for another tenant's consignment", async () => {
    const bench = await startBench()
    const consignment = await bookA(bench)
    const key = bench.sandbox.keys.secondTenantFreight
    expect((await bench.freight("GET", `/track?consignment=${consignment}`, undefined, key)).status).toBe(404)
  })
})

describe("tracking", () => {
  const DELIVERED = START + 20 * DAY

  it("starts with the booking", async () => {
    const bench = await startBench()
    const tracking = await track(bench, `consignment=${await bookA(bench)}`)
    expect(tracking?.events).toEqual([
      {
        timestamp: new Date(START).toISOString(),
        status: "Booked",
        location: "Alexandria",
        description: expect.any(String),
      },
    ])
  })

  it("tells the day of delivery from the start", async () => {
    const bench = await startBench()
    expect((await track(bench, `consignment=${await bookA(bench)}`))?.eta).toBe("2026-11-30")
  })

  it("is collected after the ready time at the collection address", async () => {
    const bench = await startBench()
    const consignment = await bookA(bench)
    bench.clock.advance(Date.parse("2026-11-23T10:00:00+11:00") - START)
    expect((await track(bench, `consignment=${consignment}`))?.currentStatus).toBe("Booked")
    bench.clock.advance(HOUR)
    expect((await track(bench, `consignment=${consignment}`))?.currentStatus).toBe("Collected")
  })

  it("goes through every stage, newest first", async () => {
    const bench = await startBench()
    const consignment = await bookA(bench)
    bench.clock.advance(DELIVERED - START)
    const tracking = await track(bench, `consignment=${consignment}`)
    expect(tracking?.events.map(({ status }) => status)).toEqual([
      "Delivered",
      "Out for delivery",
      "In transit",
      "In transit",
      "Collected",
      "Booked",
    ])
    const times = tracking?.events.map(({ timestamp }) => timestamp) ?? []
    expect(times).toEqual(times.toSorted().toReversed())
  })

  it("is delivered by the estimate, on the receiver's clock", async () => {
    const bench = await startBench()
    const consignment = await bookA(bench)
    bench.clock.advance(Date.parse("2026-11-30T16:00:00+08:00") - START)
    expect((await track(bench, `consignment=${consignment}`))?.currentStatus).toBe("Out for delivery")
    bench.clock.advance(HOUR)
    expect((await track(bench, `consignment=${consignment}`))?.currentStatus).toBe("Delivered")
  })

  it("has deliveredAt only when it is delivered", async () => {
    const bench = await startBench()
    const consignment = await bookA(bench)
    expect(await track(bench, `consignment=${consignment}`)).not.toHaveProperty("deliveredAt")
    bench.clock.advance(DELIVERED - START)
    expect((await track(bench, `consignment=${consignment}`))?.deliveredAt).toMatch(/^2026-11-30T/)
  })

  it("has proof of delivery on carrier A, with an https link", async () => {
    const bench = await startBench()
    expect((await track(bench, "consignment=DEMO-A-DELIVERED"))?.pod).toMatchObject({
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
    const bench = await startBench()
    expect(await track(bench, `consignment=${consignment}`)).not.toHaveProperty("pod")
  })

  it("is the same whenever it is asked for", async () => {
    const bench = await startBench()
    const consignment = await bookA(bench)
    bench.clock.advance(DELIVERED - START)
    const query = `consignment=${consignment}`
    expect(await track(bench, query)).toEqual(await track(bench, query))
  })

  it("has other minutes with another seed", async () => {
    const delivered = async (seed: number) => {
      const bench = await startBench({ seed })
      const consignment = await bookA(bench)
      bench.clock.advance(DELIVERED - START)
      return (await track(bench, `consignment=${consignment}`))?.deliveredAt
    }
    expect(await delivered(1)).not.toBe(await delivered(2))
  })

  it("keeps its order when the goods leave late at night for where it is later", async () => {
    const bench = await startBench()
    const { consignmentNumber } = await bench.book("connector-b", {
      serviceCode: "PRM",
      collection: address({ suburb: "Fremantle", state: "WA", postcode: "6160" }),
      receiver: address(),
      collectionDateTime: "2026-11-23T23:00:00",
    })
    bench.clock.advance(DELIVERED - START)
    const events = (await track(bench, `consignment=${consignmentNumber}`))?.events ?? []
    const times = events.map(({ timestamp }) => timestamp)
    expect(times).toEqual(times.toSorted().toReversed())
  })

  it("stays at booked when the carrier never comes", async () => {
    const bench = await startBench()
    const customerReference = "sandbox:not-collected"
    const { consignmentNumber } = await bench.book("connector-a", { customerReference })
    bench.clock.advance(DELIVERED - START)
    const tracking = await track(bench, `consignment=${consignmentNumber}`)
    expect([tracking?.currentStatus, tracking?.events.length]).toEqual(["Booked", 1])
  })

  it("stops when a shipment is cancelled", async () => {
    const bench = await startBench()
    const { consignmentNumber } = await bench.book("connector-a", { customerReference: "sandbox:cancelled" })
    bench.clock.advance(DELIVERED - START)
    expect((await track(bench, `consignment=${consignmentNumber}`))?.currentStatus).toBe("Cancelled")
  })

  it("goes wrong on its way as its booking's reference says", async () => {
    const bench = await startBench()
    const bookedAs = async (word: string) =>
      (await bench.book("connector-a", { customerReference: `PO-1 sandbox:${word}` })).consignmentNumber
    const [late, short] = [await bookedAs("late"), await bookedAs("short")]
    const look = async (consignment: unknown) =>
      (await track(bench, `consignment=${consignment}`)) ?? undefined
    const eta = Date.parse(`${(await look(late))?.eta}T12:00:00Z`)
    bench.clock.advance(eta - bench.clock.now())
    expect((await look(late))?.deliveredAt).toBeUndefined()
    expect((await look(short))?.pod?.itemsReceived).toBe("1")
    bench.clock.advance(2 * DAY)
    expect((await look(late))?.deliveredAt).toBeDefined()
    expect((await look(late))?.pod?.itemsReceived).toBe("2")
  })

  it("has the number and tracking a day later: sandbox:slow", async () => {
    const bench = await startBench()
    const { shipmentId, consignmentNumber } = await bench.book("connector-a", {
      customerReference: "sandbox:slow",
    })
    expect(consignmentNumber ?? null).toBeNull()
    expect((await bench.freight("GET", `/shipments/${shipmentId}/label`)).status).toBe(404)
    bench.clock.advance(DAY)
    const { body } = await bench.freight("GET", `/shipments/${shipmentId}`)
    const { shipment } = body as { shipment: { consignmentNumber: string } }
    expect(await track(bench, `consignment=${shipment.consignmentNumber}`)).not.toBeNull()
  })
})
