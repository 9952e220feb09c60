import { describe, expect, it } from "vitest"
import { ErrorBody, SingleConnectorRateResponse } from "../../src/contract/generated/replies.js"
import type { ConsignmentBookingRequest } from "../../src/contract/generated/types.ts"
import { as, type Bench, booking, HOUR, rateRequest, SECOND, startBench } from "./harness.ts"

/** A rate of a connector's first service that is asked for, and the quote it came with. */
async function quote({ freight }: Bench, connectorId = "connector-a", serviceCode = "76", key?: string) {
  const { body } = await freight("POST", `/${connectorId}/rates`, rateRequest({ serviceCode }), key)
  const { quoteId = "", rates } = as(SingleConnectorRateResponse, body)
  const [rate] = rates
  if (!rate?.rateId) throw new Error("no rate")
  return { quoteId, rateId: rate.rateId, rate }
}

/** The fields that are wrong with a booking, or "booked". */
async function send(
  { freight }: Bench,
  changes: Partial<ConsignmentBookingRequest>,
  connectorId = "connector-a",
) {
  const { status, body } = await freight("POST", `/${connectorId}/shipments`, booking(changes))
  return status === 400 ? as(ErrorBody, body).errors?.map(({ field }) => field) : status === 201 && "booked"
}

async function recorded({ control }: Bench) {
  const books = (await control("GET", "/books")).body as { shipments: { rate: unknown }[] }
  return books.shipments.at(-1)?.rate
}

type Quote = Awaited<ReturnType<typeof quote>>
type Changes = Partial<ConsignmentBookingRequest>

const endingIn =
  (ending: string) =>
  ({ rateId }: Quote) => ({
    rateId: rateId.slice(0, rateId.lastIndexOf("-") + 1) + ending,
  })

describe("a booking with rateId", () => {
  it.each<[what: string, changes: (quote: Quote) => Changes, outcome: "booked" | string[], later?: number]>([
    ["the rate's", ({ rateId }) => ({ rateId }), "booked"],
    ["the rate's, with its quoteId", ({ rateId, quoteId }) => ({ rateId, quoteId }), "booked"],
    ["one that nobody was offered", () => ({ rateId: "5a0c77f0-6d0c-4b8e-9c7e-000000000000" }), ["rateId"]],
    ["the quoteId", ({ quoteId }) => ({ rateId: quoteId }), ["rateId"]],
    ["one not among those offered", ({ rateId }) => ({ rateId: `${rateId.slice(0, -1)}9` }), ["rateId"]],
    ["one that breaks off in 'rate'", endingIn("rate"), ["rateId"]],
    ["one that breaks off in '0'", endingIn("0"), ["rateId"]],
    ["one that breaks off", endingIn(""), ["rateId"]],
    ["another service's", ({ rateId }) => ({ rateId, serviceCode: "75" }), ["rateId"]],
    ["a quote of 48 hours ago", ({ rateId }) => ({ rateId }), "booked", 48 * HOUR],
    ["a quote of longer ago", ({ rateId }) => ({ rateId }), ["rateId"], 48 * HOUR + SECOND],
    ["none, and a quoteId, which is ignored", () => ({ quoteId: "nonsense" }), "booked"],
  ])("that is %s", async (_what, changes, outcome, later = 0) => {
    const bench = await startBench()
    const quoted = await quote(bench)
    bench.clock.advance(later)
    expect(await send(bench, changes(quoted))).toEqual(outcome)
  })

  it("that is another tenant's or another connector's is refused, and so is another quote's quoteId", async () => {
    const bench = await startBench()
    const anothers = await quote(bench, "no-direct-print-a", "76", bench.sandbox.keys.noDirectPrint)
    expect(await send(bench, { rateId: anothers.rateId })).toEqual(["rateId"])
    const { rateId } = await quote(bench, "connector-b", "EXP")
    expect(await send(bench, { rateId, serviceCode: "EXP" }, "connector-c")).toEqual(["rateId"])
    const [one, other] = [await quote(bench), await quote(bench)]
    expect(await send(bench, { rateId: one.rateId, quoteId: other.quoteId })).toEqual(["quoteId"])
  })

  it("records the rate's own price, and not what is quoted", async () => {
    const bench = await startBench()
    const { rateId, quoteId, rate } = await quote(bench)
    await send(bench, { rateId, quoteId, quotedPriceExGstMinor: 1 })
    expect(await recorded(bench)).toEqual({
      source: "rate",
      price: { exGstMinor: Math.round((rate.price ?? 0) * 100), currency: "AUD" },
      surcharges: {},
      eta: rate.eta,
      transitDays: null,
    })
  })
})

describe("a booking without rateId records", () => {
  const GST = { quotedGstMinor: 100, quotedPriceIncGstMinor: 1100 }
  const ETA = "2026-11-27T17:00:00"
  const QUOTED = { quotedPriceExGstMinor: 12_345, quotedCurrency: "AUD" as const, quotedTransitDays: 4 }

  it.each<[what: string, connectorId: string, changes: Changes, recorded: object]>([
    [
      "what the caller reports, unverified",
      "connector-a",
      { ...QUOTED, committedEta: ETA },
      { price: { exGstMinor: 12_345, currency: "AUD" }, eta: ETA, transitDays: 4 },
    ],
    ["no quoteId", "connector-a", { quoteId: "nonsense" }, {}],
    ["no reported GST on carrier A", "connector-a", GST, {}],
    [
      "reported GST on carrier B",
      "connector-b",
      { ...GST, serviceCode: "GEN" },
      { price: { gstMinor: 100, incGstMinor: 1100 } },
    ],
  ])("%s", async (_what, connectorId, changes, expected) => {
    const bench = await startBench()
    await send(bench, changes, connectorId)
    expect(await recorded(bench)).toEqual({ source: "reported", ...expected })
  })
})
