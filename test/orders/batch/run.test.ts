import { describe, expect, it } from "vitest"
import type { SelectedRate } from "../../../src/orders/booking/order.ts"
import type { CompleteRates } from "../../../src/orders/booking/evidence.ts"
import { priceOrder } from "../../../src/orders/booking/price.ts"
import { bookingIntent } from "../../../src/orders/booking/send.ts"
import { systemClock } from "../../../src/machine/host.ts"
import { claimOf } from "../../../src/ledger/create.ts"
import { FreightError } from "../../../src/base/errors.ts"
import type { GoodRow } from "../../../src/orders/batch/rows/row.ts"
import { type BatchBench, batchBench, CHEAPEST, madeWith, rowOf, rowsNamed, states } from "./bench.ts"

const HOUR = 3_600_000

/** Runs one row, PO-1. */
async function bookOne(bench: BatchBench, changes: Parameters<typeof rowOf>[1] = {}) {
  return (await bench.run([rowOf("PO-1", changes)])).results.get("PO-1")
}

const rejected = (row: GoodRow): GoodRow => ({
  ...row,
  request: { ...row.request, specialInstructions: "sandbox:carrier-rejects" },
})

/** Another process is sending PO-1. */
async function claimElsewhere({ ledger }: BatchBench, row: GoodRow): Promise<void> {
  const offer = { connectorId: "connector-b", carrier: undefined, serviceCode: "GEN", rate: undefined }
  await ledger.store.claim(claimOf(ledger, bookingIntent(row, offer)), ledger.store.newToken())
}

/** The best rate for a row now. */
function selectFor({ api, clock, connectors }: BatchBench, row: GoodRow): Promise<SelectedRate> {
  const completeRates: CompleteRates = async (reply) => reply
  const pace = { ratePace: { isSlow: false }, completeRates }
  const deps = { api, clock, connectors: async () => connectors, ...pace }
  return priceOrder(deps, row, undefined, "required")
}

describe("a row that names its service", () => {
  it("is booked without asking for rates", async () => {
    const bench = await batchBench()
    const ran = await bench.run(rowsNamed(5))
    expect(states(ran)).toEqual({ booked: ["PO-1", "PO-2", "PO-3", "PO-4", "PO-5"] })
    expect((await bench.booked()).size).toBe(5)
    expect(await bench.asked("POST /rates")).toBe(0)
  })

  it("needs no connector where only one offers it, and is refused where several do", async () => {
    const bench = await batchBench()
    expect(madeWith(await bookOne(bench, { wish: { kind: "code", serviceCode: "GEN" } }))).toBe(
      "connector-b GEN",
    )
    const [several] = (
      await bench.run([rowOf("PO-2", { wish: { kind: "code", serviceCode: "EXP" } })])
    ).results.values()
    expect(several).toMatchObject({
      state: "failed",
      error: "service EXP is offered by connector-b and connector-c: say which",
    })
  })

  it("is rated where its price is limited", async () => {
    const bench = await batchBench()
    const wish = { kind: "code", serviceCode: "GEN", connectorId: "connector-b", maxPriceCents: 100 } as const
    expect(await bookOne(bench, { wish })).toMatchObject({
      state: "failed",
      error: expect.stringMatching(
        /^service GEN does not meet your wishes .*at most 1.00.*; B\/GEN at [0-9.]+ with GST is [0-9.]+ over the limit with GST$/,
      ),
    })
    expect(await bench.booked()).toEqual(new Map())
  })
})

describe("a row that leaves its service open", () => {
  it("is booked with the cheapest, or the fastest, and linked to its rate", async () => {
    const bench = await batchBench()
    const ran = await bench.run([
      rowOf("PO-1", { wish: CHEAPEST }),
      rowOf("PO-2", { wish: { kind: "fastest" }, row: 2 }),
    ])
    const [cheap, fast] = ["PO-1", "PO-2"].map((reference) => ran.results.get(reference))
    expect([madeWith(cheap), madeWith(fast)]).toEqual(["connector-c STD", "connector-a 701"])
    const prices = [cheap, fast].map((each) => each?.entry?.facts.priceCents ?? 0)
    expect(prices[0]).toBeLessThan(prices[1] ?? 0)
    expect(cheap?.entry?.request).toMatchObject({ rateId: expect.any(String), quoteId: expect.any(String) })
  })

  it("takes the cheapest that arrives in time", async () => {
    const booked = await bookOne(await batchBench(), { wish: { ...CHEAPEST, arriveBy: "2026-11-24" } })
    expect([booked?.state, madeWith(booked)]).toEqual([
      "booked",
      expect.not.stringContaining("connector-c STD"),
    ])
  })

  it("is not booked where nothing keeps its limits", async () => {
    const wish = { ...CHEAPEST, arriveBy: "2026-11-23T06:00:00" }
    expect((await bookOne(await batchBench(), { wish }))?.error).toMatch(
      /^no rate meets your wishes .*arrives/,
    )
  })

  it("leaves out the carrier whose rules it breaks", async () => {
    const booking = { collectionDateTime: "2026-11-23T06:00:00" }
    const booked = await bookOne(await batchBench(), { wish: { kind: "fastest" }, booking })
    expect([booked?.state, madeWith(booked)]).toEqual(["booked", expect.not.stringContaining("connector-a")])
  })

  it("asks again for a quote that is older than 48 hours when it is sent", async () => {
    const bench = await batchBench()
    const row = { ...rowOf("PO-1", { wish: CHEAPEST }), allowed: { allowPast: true } }
    const old = await selectFor(bench, row)
    bench.clock.advance(48 * HOUR + 1)
    const ran = await bench.run([{ ...row, selected: old }])
    expect(ran.results.get("PO-1")?.state).toBe("booked")
    expect(ran.results.get("PO-1")?.entry?.request).not.toMatchObject({ rateId: old.rate?.rate.rateId })
    expect(await bench.asked("POST /rates")).toBe(2)
  })

  it("uses a selected rate that is still good", async () => {
    const bench = await batchBench()
    const row = rowOf("PO-1", { wish: CHEAPEST })
    const selected = await selectFor(bench, row)
    bench.clock.advance(47 * HOUR)
    const ran = await bench.run([{ ...row, selected }])
    expect(ran.results.get("PO-1")?.entry?.request).toMatchObject({ rateId: selected.rate?.rate.rateId })
  })
})

describe("a batch that is run again", () => {
  it("gives what is booked again, and sends nothing", async () => {
    const bench = await batchBench()
    const first = await bench.run(rowsNamed(6))
    const second = await bench.run(rowsNamed(6))
    expect(states(second)).toEqual(states(first))
    expect([...second.results.values()].every(({ recorded }) => recorded)).toBe(true)
    expect(await bench.asked("POST /{connectorId}/shipments")).toBe(6)
  })

  it("gives it again whatever would be cheapest now", async () => {
    const bench = await batchBench()
    await bookOne(bench, { wish: CHEAPEST })
    expect(await bookOne(bench, { wish: { kind: "fastest" } })).toMatchObject({
      state: "booked",
      recorded: true,
    })
    expect((await bench.booked()).get("PO-1")).toHaveLength(1)
  })

  it("tells a row whose order has changed since, with what was booked, and does not book it", async () => {
    const bench = await batchBench()
    const first = await bookOne(bench)
    const receiver = { ...rowOf("PO-1").request.receiver, suburb: "Perth" }
    expect(await bookOne(bench, { booking: { receiver } })).toMatchObject({
      state: "changed",
      entry: { id: first?.entry?.id },
      error: expect.stringMatching(
        /^was booked on .* \(SBB\d+\), and has changed since: receiver suburb \(Fremantle, now Perth\)$/,
      ),
    })
    expect((await bench.booked()).get("PO-1")).toHaveLength(1)
  })

  it("warns against cancelling where the same number is of another receiver at another street", async () => {
    const bench = await batchBench()
    await bookOne(bench)
    const { receiver } = rowOf("PO-1").request
    const hintFor = async (changes: object) =>
      (await bookOne(bench, { booking: { receiver: { ...receiver, ...changes } } }))?.hint
    expect(await hintFor({ companyName: "Harbour Cafe", address1: "9 Other Street" })).toMatch(
      /another order that only has the same number, cancel nothing: give it a number of its own/,
    )
    expect(await hintFor({ address1: "9 Other Street" })).toBe(
      "Nothing was sent for an order that has changed.",
    )
  })

  it.each([
    ["packaging", { booking: { packagingCode: "PA" } }],
    ["time", { booking: { collectionDateTime: "2026-11-24T14:00:00", collectionCloseTime: "1500" } }],
    ["sender", { booking: { sender: { ...rowOf("-").request.sender, suburb: "Botany" } } }],
    ["service", { wish: { kind: "code", serviceCode: "PRM", connectorId: "connector-b" } }],
    ["connector", { wish: { kind: "code", serviceCode: "76", connectorId: "connector-a" } }],
  ] as const)("gives it again with another %s, which is no difference where the row does not say it", async (_, changes) => {
    const bench = await batchBench()
    await bookOne(bench)
    expect(await bookOne(bench, changes)).toMatchObject({
      state: "booked",
      recorded: true,
      ignored: undefined,
    })
    expect((await bench.booked()).get("PO-1")).toHaveLength(1)
  })

  it.each([
    ["tries again what was refused", "429:x99@POST/shipments", "failed", "booked"],
    ["leaves alone what may exist", "drop-after-commit:x1@POST/shipments", "unknown", "unknown"],
  ])("%s", async (_, fault, first, second) => {
    const bench = await batchBench()
    await bench.fault(fault)
    expect((await bookOne(bench))?.state).toBe(first)
    await bench.fix()
    expect((await bookOne(bench))?.state).toBe(second)
    expect((await bench.booked()).get("PO-1")).toHaveLength(1)
  })

  it("knows nothing of another account's booking under the same reference", async () => {
    const bench = await batchBench()
    await bench.run([rowOf("PO-1")])
    await bench.run([rowOf("PO-1")], {
      ledger: {
        ...bench.ledger,
        owner: { ...bench.ledger.owner, id: "account-2", scope: "freight:account-2" },
      },
    })
    expect((await bench.booked()).get("PO-1")).toHaveLength(2)
  })
})

describe("two runs of one batch at once", () => {
  it("book each row once, and both know it", async () => {
    const bench = await batchBench()
    const ledgers = ["desk-1", "desk-2"].map((workstation) => ({
      ...bench.ledger,
      clock: systemClock,
      sender: { workstation, person: "" },
    }))
    // The clock of the machine is far ahead of the sandbox's.
    const rows = rowsNamed(30).map((row) => ({
      ...row,
      source: { ...row.source, allowed: { allowPast: true } },
    }))
    const [one, two] = await Promise.all(ledgers.map((ledger) => bench.run(rows, { ledger })))
    if (!one || !two) throw new Error("no runs")
    expect([one, two].map((ran) => states(ran).booked?.length)).toEqual([30, 30])
    expect([...(await bench.booked()).values()].every(({ length }) => length === 1)).toBe(true)
    const sent = (ran: typeof one) => [...ran.results.values()].filter(({ recorded }) => !recorded).length
    expect(sent(one) + sent(two)).toBe(30)
  })
})

describe("a booking", () => {
  it("whose pickup the service lost is reported, and remembered", async () => {
    const bench = await batchBench()
    const booking = { specialInstructions: "sandbox:auto-pickup-unrecorded" }
    const ran = await bench.run([rowOf("PO-1", { booking })])
    expect(states(ran)).toEqual({ booked: ["PO-1"] })
    expect(ran.warned.join("\n")).toContain(
      "PO-1: the carrier has a pickup for this shipment that the service did not record",
    )
  })
})

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
    // The booking and the question after it fail; then it is up again.
    await bench.fault("502:x5@POST/connector-b/")
    const ran = await bench.run(rowsNamed(12), { concurrency: 1 })
    expect(states(ran).unknown).toHaveLength(1)
    expect(states(ran).booked).toHaveLength(11)
  })

  it("is seen to be up by a rate request, which creates nothing", async () => {
    const bench = await batchBench()
    const broken = rowOf("PO-1", { booking: { specialInstructions: "sandbox:carrier-b-down" } })
    const ran = await bench.run([broken, ...rowsNamed(6).slice(1)], { concurrency: 1 })
    expect(states(ran)).toMatchObject({ unknown: ["PO-1"] })
    expect(states(ran).booked).toHaveLength(5)
    expect(await bench.asked("POST /{connectorId}/rates")).toBe(1)
  })

  it("does not keep the cheapest of the others from being booked", async () => {
    const bench = await batchBench()
    const receiver = { ...rowOf("PO-1").request.receiver, suburb: "Fremantle sandbox:carrier-c-down" }
    expect(madeWith(await bookOne(bench, { wish: CHEAPEST, booking: { receiver } }))).toBe("connector-b GEN")
  })
})

describe("a run ends early", () => {
  it("after so many failures in a row", async () => {
    const bench = await batchBench()
    const ran = await bench.run(rowsNamed(30).map(rejected), { stopAfter: 3, concurrency: 1 })
    expect(ran.ended?.message).toBe("stopped after 3 failures in a row")
    expect(states(ran).failed).toHaveLength(3)
  })

  it("and sends none of the rows that wait behind those that were admitted", async () => {
    const bench = await batchBench()
    await bench.run(rowsNamed(30).map(rejected), { stopAfter: 1, concurrency: 4 })
    expect(await bench.asked("POST /{connectorId}/shipments")).toBeLessThanOrEqual(2 * 4 - 1)
  })

  it("not where a success comes between the failures", async () => {
    const bench = await batchBench()
    const rows = rowsNamed(12).map((row, n) => (n % 3 === 0 ? row : rejected(row)))
    const ran = await bench.run(rows, { stopAfter: 3, concurrency: 1 })
    expect(ran.ended).toBeUndefined()
    expect(states(ran).failed).toHaveLength(8)
  })

  it("when the key is not accepted, as no row could be booked", async () => {
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
      onResult: () => interrupt.abort(new FreightError("interrupted", "Ctrl-C")),
    })
    expect(ran.ended?.kind).toBe("interrupted")
    expect(states(ran)).toEqual({ booked: [...(await bench.booked()).keys()].sort() })
    expect(ran.results.size).toBeLessThanOrEqual(4 * 4 - 3)
  })

  it("at Ctrl-C while another process is sending a row, which is not sent", async () => {
    const bench = await batchBench()
    const row = rowOf("PO-1")
    await claimElsewhere(bench, row)
    const interrupt = new AbortController()
    bench.clock.sleep = async (_, signal) => {
      interrupt.abort(new FreightError("interrupted", "Ctrl-C"))
      signal?.throwIfAborted()
    }
    const ran = await bench.run([row], { signal: interrupt.signal })
    expect(ran.ended?.kind).toBe("interrupted")
    expect([states(ran), await bench.booked()]).toEqual([{}, new Map()])
  })

  it.each([
    ["held by its shop", { held: { column: "Status", status: "pending", means: "waits" } }],
    ["late", { late: [{ row: 1, line: 2, rule: "past", message: "is past", severity: "error" }] }],
  ] as const)("and a row that is %s is not left to its claim while another process is sending it", async (_, changes) => {
    const bench = await batchBench()
    const row = { ...rowOf("PO-1"), ...changes }
    await claimElsewhere(bench, row)
    const ran = await bench.run([row])
    expect([states(ran), await bench.booked()]).toEqual([{ sending: ["PO-1"] }, new Map()])
  })

  it("before a row that would bring the total above its limit", async () => {
    const bench = await batchBench()
    const price = (await selectFor(bench, rowOf("PO-0", { wish: CHEAPEST }))).rate?.rate.price ?? 0
    const ran = await bench.run(rowsNamed(5, "PO", CHEAPEST), {
      maxTotalCents: Math.round(price * 110) * 2 + 1,
      concurrency: 1,
    })
    expect(states(ran)).toEqual({ booked: ["PO-1", "PO-2"], failed: ["PO-3", "PO-4", "PO-5"] })
  })
})
