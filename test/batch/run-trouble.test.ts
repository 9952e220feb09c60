import { describe, expect, it } from "vitest"
import { ratedOffer } from "../../src/booking/offer.ts"
import { batchBench, CHEAPEST, madeWith, rowOf, rowsNamed, states } from "./bench.ts"

describe("a service that has too many requests", () => {
  it("gets them all in the end, and no row fails", async () => {
    const bench = await batchBench()
    await bench.fault("429:0.3@POST/shipments")
    const ran = await bench.run(rowsNamed(40))
    expect(states(ran).booked).toHaveLength(40)
    expect([...(await bench.booked()).values()].every(({ length }) => length === 1)).toBe(true)
  })
})

describe("a carrier that is down", () => {
  const down = { specialInstructions: "sandbox:carrier-b-down" }

  it("leaves few rows unknown, sends no more to it, and does not stop the others", async () => {
    const bench = await batchBench()
    await bench.fault("502@POST/connector-b/")
    const rows = rowsNamed(40).map((row, n) =>
      n % 2 === 0
        ? row
        : { ...row, wish: { kind: "code", serviceCode: "76", connectorId: "connector-a" } as const },
    )
    const ran = await bench.run(rows)
    expect(states(ran).booked).toHaveLength(20)
    expect(states(ran).unknown?.length).toBeLessThanOrEqual(10)
    const failed = [...ran.results.values()].filter(({ state }) => state === "failed")
    expect(new Set(failed.map(({ error }) => error))).toEqual(
      new Set(["its carrier does not answer: nothing was sent"]),
    )
    expect(failed.length).toBeGreaterThanOrEqual(10)
  })

  it("is left for the end, and booked when it is up again by then", async () => {
    const bench = await batchBench()
    const [first, ...others] = rowsNamed(12)
    if (!first) throw new Error("no rows")
    // The booking and the question after it fail; then it is up again.
    await bench.fault("502:x5@POST/connector-b/")
    const ran = await bench.run([{ ...first }, ...others], { concurrency: 1 })
    expect(states(ran).unknown).toHaveLength(1)
    expect(states(ran).booked).toHaveLength(11)
  })

  it("is seen to be up by a rate request, which creates nothing", async () => {
    const bench = await batchBench()
    const [first, ...others] = rowsNamed(6)
    if (!first) throw new Error("no rows")
    const broken = { ...first, booking: { ...first.booking, ...down } }
    const ran = await bench.run([broken, ...others], { concurrency: 1 })
    expect(states(ran)).toMatchObject({ unknown: ["PO-1"] })
    expect(states(ran).booked).toHaveLength(5)
    expect(await bench.asked("POST /{connectorId}/rates")).toBe(1)
  })

  it("does not keep the cheapest of the others from being booked", async () => {
    const bench = await batchBench()
    const receiver = { ...rowOf("PO-1").booking.receiver, suburb: "Fremantle sandbox:carrier-c-down" }
    const ran = await bench.run([rowOf("PO-1", { wish: CHEAPEST, booking: { receiver } })])
    expect(madeWith(ran.results.get("PO-1"))).toBe("connector-b GEN")
  })
})

describe("a run ends early", () => {
  it("after so many failures in a row", async () => {
    const bench = await batchBench()
    const refused = rowsNamed(30).map((row) => ({
      ...row,
      booking: { ...row.booking, specialInstructions: "sandbox:carrier-rejects" },
    }))
    const ran = await bench.run(refused, { stopAfter: 3, concurrency: 1 })
    expect(ran.ended?.message).toBe("stopped after 3 failures in a row")
    expect(states(ran).failed).toHaveLength(3)
  })

  it("not for failures with a success between them", async () => {
    const bench = await batchBench()
    const rows = rowsNamed(12).map((row, n) =>
      n % 3 === 0
        ? row
        : { ...row, booking: { ...row.booking, specialInstructions: "sandbox:carrier-rejects" } },
    )
    const ran = await bench.run(rows, { stopAfter: 3, concurrency: 1 })
    expect(ran.ended).toBeUndefined()
    expect(states(ran).failed).toHaveLength(8)
  })

  it("when no row could be booked: the key is not accepted", async () => {
    const bench = await batchBench()
    await fetch(`${bench.sandbox.controlUrl}/keys`, {
      method: "POST",
      body: JSON.stringify({ name: "freight", revoked: true }),
    })
    const ran = await bench.run(rowsNamed(50))
    expect(ran.ended?.kind).toBe("unauthenticated")
    expect(ran.results.size).toBeLessThan(10)
  })

  it("at Ctrl-C, once everything under way is done", async () => {
    const bench = await batchBench()
    const interrupt = new AbortController()
    const ran = await bench.run(rowsNamed(50), {
      signal: interrupt.signal,
      onResult: () => interrupt.abort(new Error("Ctrl-C")),
    })
    expect(ran.ended?.kind).toBe("interrupted")
    expect(states(ran)).toEqual({ booked: [...(await bench.booked()).keys()].sort() })
    expect(ran.results.size).toBeLessThan(10)
  })

  it("at what would bring the total above what may be spent", async () => {
    const bench = await batchBench()
    const price = (await ratedOffer(bench, rowOf("PO-0", { wish: CHEAPEST }))).rate?.rate.price ?? 0
    const ran = await bench.run(rowsNamed(5, "PO", CHEAPEST), {
      maxTotalCents: Math.round(price * 100) * 2 + 1,
      concurrency: 1,
    })
    expect(states(ran)).toEqual({ booked: ["PO-1", "PO-2"], failed: ["PO-3", "PO-4", "PO-5"] })
  })
})
