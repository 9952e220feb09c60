import { describe, expect, it } from "vitest"
import { ErrorBody, SingleConnectorRateResponse } from "../../src/contract/generated/replies.js"
import type { ConsignmentBookingRequest } from "../../src/contract/generated/types.ts"
import { as, type Bench, booking, HOUR, rateRequest, SECOND, startBench } from "./harness.ts"

/** A rate of a connector's first service that is asked for, and the quote it came with. */
async function quote({ freight }: Bench, connectorId = "connector-a", serviceCode = "76", key?: string) {
  const { body } = await freight("POST", `/${connectorId}/rates`, rateRequest({ serviceCode }), key)
  const { quoteId, rates } = as(SingleConnectorRateResponse, body)
  const [rate] = rates
  if (!rate?.rateId) throw new Error("no rate")
  return { quoteId, rateId: rate.rateId, rate }
}

async function send(
  { freight }: Bench,
  changes: Partial<ConsignmentBookingRequest>,
  connectorId = "connector-a",
) {
  const { status, body } = await freight("POST", `/${connectorId}/shipments`, booking(changes))
  return {
    status,
    fields: status === 400 ? as(ErrorBody, body).errors?.map(({ field }) => field) : undefined,
  }
}

async function recorded({ control }: Bench) {
  const books = (await control("GET", "/books")).body as { shipments: { rate: unknown }[] }
  return books.shipments.at(-1)?.rate
}

describe("a booking with rateId", () => {
  it("is linked to the rate", async () => {
    const bench = await startBench()
    const { rateId } = await quote(bench)
    expect(await send(bench, { rateId })).toMatchObject({ status: 201 })
  })

  it("records the rate's own price, and not what is quoted", async () => {
    const bench = await startBench()
    const { rateId, quoteId, rate } = await quote(bench)
    await send(bench, { rateId, quoteId, quotedPriceExGstMinor: 1 })
    expect(await recorded(bench)).toEqual({
      source: "rate",
      price: { exGstMinor: Math.round(rate.price * 100), currency: "AUD" },
      surcharges: {},
      eta: rate.eta,
      transitDays: null,
    })
  })

  it("is refused when nobody was offered that rate", async () => {
    const bench = await startBench()
    const rateId = "5a0c77f0-6d0c-4b8e-9c7e-000000000000"
    expect(await send(bench, { rateId })).toEqual({ status: 400, fields: ["rateId"] })
  })

  it("is refused when rateId is the quoteId", async () => {
    const bench = await startBench()
    const { quoteId } = await quote(bench)
    expect(await send(bench, { rateId: quoteId })).toEqual({ status: 400, fields: ["rateId"] })
  })

  it("is refused for a rate that was not among those offered", async () => {
    const bench = await startBench()
    const { rateId } = await quote(bench)
    expect(await send(bench, { rateId: `${rateId.slice(0, -1)}9` })).toEqual({
      status: 400,
      fields: ["rateId"],
    })
  })

  it.each(["rate", "0", ""])("is refused for a rateId that breaks off in '%s'", async (ending) => {
    const bench = await startBench()
    const { rateId } = await quote(bench)
    const stem = rateId.slice(0, rateId.lastIndexOf("-") + 1)
    expect(await send(bench, { rateId: stem + ending })).toEqual({ status: 400, fields: ["rateId"] })
  })

  it("is refused for another tenant's rate", async () => {
    const bench = await startBench()
    const { rateId } = await quote(bench, "no-direct-print-a", "76", bench.sandbox.keys.noDirectPrint)
    expect(await send(bench, { rateId })).toEqual({ status: 400, fields: ["rateId"] })
  })

  it("is refused for another connector's rate", async () => {
    const bench = await startBench()
    const { rateId } = await quote(bench, "connector-b", "EXP")
    expect(await send(bench, { rateId, serviceCode: "EXP" }, "connector-c")).toEqual({
      status: 400,
      fields: ["rateId"],
    })
  })

  it("is refused for another service's rate", async () => {
    const bench = await startBench()
    const { rateId } = await quote(bench)
    expect(await send(bench, { rateId, serviceCode: "75" })).toEqual({ status: 400, fields: ["rateId"] })
  })

  it("is taken when the quote is 48 hours old", async () => {
    const bench = await startBench()
    const { rateId } = await quote(bench)
    bench.clock.advance(48 * HOUR)
    expect(await send(bench, { rateId })).toMatchObject({ status: 201 })
  })

  it("is refused when the quote is more than 48 hours old", async () => {
    const bench = await startBench()
    const { rateId } = await quote(bench)
    bench.clock.advance(48 * HOUR + SECOND)
    expect(await send(bench, { rateId })).toEqual({ status: 400, fields: ["rateId"] })
  })
})

describe("quoteId", () => {
  it("is taken when it belongs to the rate", async () => {
    const bench = await startBench()
    const { rateId, quoteId } = await quote(bench)
    expect(await send(bench, { rateId, quoteId })).toMatchObject({ status: 201 })
  })

  it("is refused when it belongs to another rate", async () => {
    const bench = await startBench()
    const { rateId } = await quote(bench)
    const { quoteId } = await quote(bench)
    expect(await send(bench, { rateId, quoteId })).toEqual({ status: 400, fields: ["quoteId"] })
  })

  it("is ignored without rateId, whatever it says", async () => {
    const bench = await startBench()
    expect(await send(bench, { quoteId: "nonsense" })).toMatchObject({ status: 201 })
    expect(await recorded(bench)).toEqual({ source: "reported" })
  })
})

describe("a booking without rateId", () => {
  it("records what the caller reports, unverified", async () => {
    const bench = await startBench()
    await send(bench, {
      quotedPriceExGstMinor: 12_345,
      quotedCurrency: "AUD",
      committedEta: "2026-11-27T17:00:00",
      quotedTransitDays: 4,
    })
    expect(await recorded(bench)).toEqual({
      source: "reported",
      price: { exGstMinor: 12_345, currency: "AUD" },
      eta: "2026-11-27T17:00:00",
      transitDays: 4,
    })
  })

  it("records reported GST on carrier B alone", async () => {
    const bench = await startBench()
    const gst = { quotedGstMinor: 100, quotedPriceIncGstMinor: 1100 }
    await send(bench, gst)
    expect(await recorded(bench)).toEqual({ source: "reported" })
    await send(bench, { ...gst, serviceCode: "GEN" }, "connector-b")
    expect(await recorded(bench)).toEqual({ source: "reported", price: { gstMinor: 100, incGstMinor: 1100 } })
  })
})
