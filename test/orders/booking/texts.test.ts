/** Which rate is chosen and why, and how labels are named, by files of cases. */
import { it } from "vitest"
import {
  type LabelSubject,
  labelFileNames,
  needsDetails,
  parseLabelName,
} from "../../../src/orders/booking/label-files.ts"
import { parseNames } from "../../../src/contract/fields/own.ts"
import { chooseRate, type Limits } from "../../../src/orders/booking/preferences.ts"
import { getGstBasis, rateRows, sortRates } from "../../../src/orders/booking/rates.ts"
import type { AggregatedRateResponse, RatedService } from "../../../src/contract/generated/types.ts"
import { parseDays } from "../../../src/base/when.ts"
import { expectCalls } from "../../cases.ts"

const DATE = "2026-11-23"
const SHIPMENT = "a48da18d-0000-4000-8000-000000000001"

/** A service, its price, and what else its rate says. */
type TestRate = [serviceCode: string, price: number, more?: Partial<RatedService>]

const toRate = ([serviceCode, price, more]: TestRate): RatedService => ({
  ...{ serviceCode, price, description: serviceCode, currency: "AUD", rateId: `rate-${serviceCode}` },
  ...{ bookingCutoff: "15:00:00", collectionCutoff: "17:00:00", eta: "2026-11-26T17:00:00" },
  ...more,
})

/** By the letter of a carrier, or by a connector. */
function toReply(offers: Record<string, TestRate[]>): AggregatedRateResponse {
  const results = Object.entries(offers).map(([name, rates]) => ({
    connectorId: name.length === 1 ? `connector-${name.toLowerCase()}` : name,
    carrier: `CARRIER_${name.slice(-1).toUpperCase()}_AU` as const,
    success: true,
    rates: rates.map(toRate),
  }))
  return { quoteId: "q", results: results as AggregatedRateResponse["results"] }
}

const GST = (price: number) => ({ priceGst: price / 10, priceIncGst: price * 1.1 })
const RATES: Record<string, TestRate[]> = {
  A: [
    ["76", 74.43],
    ["701", 197.24, { eta: "2026-11-24T09:00:00" }],
  ],
  B: [["GEN", 50, { eta: "2026-11-27T17:00:00", ...GST(50) }]],
  C: [["STD", 62.52, { eta: "2026-11-25T17:00:00" }]],
}
const REPLY = toReply({
  A: [["A1", 30, { eta: "2026-11-24T12:00:00" }]],
  B: [
    ["B1", 20, GST(20)],
    ["B0", 5, { ...GST(5), visibility: "hidden" }],
  ],
  C: [["C1", 25, { eta: null, transitDays: 1 }]],
})
REPLY.results.push({ connectorId: "d", carrier: "CARRIER_A_AU", success: false, error: { message: "down" } })
const ROWS = rateRows(REPLY)

const RATE_CALLS = {
  choose(limits: Limits, by: "price" | "eta" = "price", offers = RATES) {
    const choice = chooseRate(rateRows(toReply(offers)), { by, limits, date: DATE })
    const told = choice.rate ? [choice.why] : choice.misses
    return told.map((message) => ({ message }))
  },
  parseDays: (text: string) => parseDays(text),
  parseAvoided: parseNames,
  rank: (by: "price" | "eta") => sortRates(ROWS, by, DATE).map(({ serviceCode }) => serviceCode),
  describe(code: string) {
    const row = ROWS.find(({ serviceCode }) => serviceCode === code)
    return { arrives: row?.arrives, gst: row?.gstBasis }
  },
  gstBasis: (price: number, priceGst?: number, priceIncGst?: number) =>
    getGstBasis(
      toRate(["B1", price, { ...(priceGst && { priceGst }), ...(priceIncGst && { priceIncGst }) }]),
    ),
}

const LABEL_CALLS = {
  name: (subject: Partial<LabelSubject>, pattern?: string) =>
    labelFileNames({ shipmentId: SHIPMENT, ...subject }, pattern)[0]?.name,
  parseLabelName,
  needsDetails: (pattern: string | null, subject: Partial<LabelSubject>) =>
    needsDetails(pattern ?? undefined, { shipmentId: SHIPMENT, ...subject }),
}

it.each([
  ["rates", RATE_CALLS],
  ["labels", LABEL_CALLS],
])("texts/%s.txt", (name, calls) => expectCalls(import.meta.dirname, `texts/${name}.txt`, calls))
