/** Fixed surroundings for the steps: the clock, the rates, the saved addresses. */
import type {
  AggregatedRateResult,
  BookingAddress,
  Carrier,
  RateRequest,
} from "../../../src/contract/generated/types.ts"
import { takePlaceOwn } from "../../../src/contract/fields/own.ts"
import { exampleBooking } from "../../../src/orders/booking/example.ts"
import type { JsonObject } from "../../../src/base/json.ts"
import { type Draft, VERSION } from "../../../src/orders/wizard/draft.ts"
import type {
  EarlierBooking,
  KeyMeaning,
  SavedParty,
  WizardContext,
} from "../../../src/orders/wizard/context.ts"
import { FreightError } from "../../../src/base/errors.ts"
import type { KeptQuote, KeptRate } from "../../../src/machine/memory/quotes.ts"
import { rateRequest } from "../../sandbox/requests.ts"

/** Friday 20 November 2026, 10:20 in Sydney. */
export const NOW = Date.parse("2026-11-19T23:20:00Z")

const example = exampleBooking(NOW)
export const HARBOUR: BookingAddress = example.sender
export const PORT: BookingAddress = example.receiver
export const DARWIN: BookingAddress = {
  companyName: "Top End Lamps",
  address1: "1 Smith Street",
  suburb: "Darwin",
  state: "NT",
  postcode: "0800",
}

type Rate = NonNullable<AggregatedRateResult["rates"]>[number]

const cutoffs = { bookingCutoff: "15:00:00", collectionCutoff: "16:30:00" }

function result(letter: "A" | "B" | "C", rates: Partial<Rate>[]): AggregatedRateResult {
  const carrier = `CARRIER_${letter}_AU` as Carrier
  const connectorId = `connector-${letter.toLowerCase()}`
  return {
    ...{ connectorId, carrier, success: true },
    rates: rates.map((rate) => ({ currency: "AUD", ...rate, ...cutoffs }) as Rate),
  }
}

/** One rate of each carrier, and one of carrier C that is hidden; carrier B tells its GST. */
export const RESULTS: AggregatedRateResult[] = [
  result("A", [
    {
      ...{ serviceCode: "701", description: "9:00 Express", price: 90, rateId: "rate-a" },
      eta: "2026-11-24T09:00:00",
    },
  ]),
  result("B", [
    {
      ...{ serviceCode: "GEN", description: "General Freight", price: 50, priceGst: 5, priceIncGst: 55 },
      ...{ eta: "2026-11-30T17:00:00", rateId: "rate-b" },
    },
  ]),
  result("C", [
    {
      ...{ serviceCode: "STD", description: "Standard", price: 40, rateId: "rate-c" },
      ...{ eta: null, transitDays: 5 },
    },
    {
      ...{ serviceCode: "ECO", description: "Economy", price: 10, rateId: "rate-h" },
      ...{ transitDays: 9, visibility: "hidden" },
    },
  ]),
]

/** A rate of that carrier, as it is kept when it was chosen or named. */
export function rateOf(wanted: Carrier, request: RateRequest = rateRequest()): KeptRate {
  const result = RESULTS.find(({ carrier }) => carrier === wanted)
  const rate = result?.rates?.[0]
  if (!result || !rate) throw new Error("no rate")
  const { connectorId, carrier } = result
  return { quoteId: "q", quotedAt: NOW, request, connectorId, carrier, rate }
}

export interface TestContext extends Omit<WizardContext, "conversation"> {
  /** Every draft that was kept. */
  kept: Draft[]
  /** The requests to the carriers. */
  asked: RateRequest[]
  /** Moves the clock. */
  advance(ms: number): void
}

export function testContext(
  options: {
    saved?: SavedParty[]
    results?: (time: number) => AggregatedRateResult[]
    zone?: string
    sandbox?: boolean
    dryRun?: boolean
    now?: number
    lookUpKey?: (draft: Draft) => KeyMeaning
    findRecent?: (draft: Draft) => string | undefined
    earlier?: EarlierBooking[]
  } = {},
): TestContext {
  const { zone = "Australia/Sydney", sandbox = false, dryRun = false } = options
  let now = options.now ?? NOW
  const saved = [...(options.saved ?? [])]
  const kept: Draft[] = []
  const asked: RateRequest[] = []
  return {
    kept,
    asked,
    advance(ms) {
      now += ms
    },
    now: () => now,
    zone: () => zone,
    sandbox,
    dryRun,
    addresses: () => saved,
    earlier: options.earlier ?? [],
    findSize(name) {
      if (name === "small") return "1x30x20x10@2"
      throw new FreightError("input", `there is no saved package "${name}"`)
    },
    async saveAddress(name, address) {
      if (name.includes("/")) throw new FreightError("usage", "a name like a file's")
      const { own } = takePlaceOwn(address)
      const known = saved.findIndex((each) => each.name === name)
      saved.splice(known < 0 ? saved.length : known, 1, {
        ...{ name, address },
        ...(Object.keys(own).length > 0 && { own }),
      })
    },
    async fetchRates(request): Promise<KeptQuote> {
      asked.push(request)
      const results = options.results?.(asked.length) ?? RESULTS
      return { quoteId: `quote-${asked.length}`, quotedAt: now, request, results }
    },
    connectorNames: async () => new Map([["connector-a", "Main account"]]),
    lookUpKey: async (draft) => options.lookUpKey?.(draft) ?? {},
    findRecent: async (draft) => options.findRecent?.(draft),
    async keep(draft) {
      kept.push(structuredClone(draft))
    },
  }
}

export function draftOf(request: JsonObject = {}, more: Partial<Draft> = {}): Draft {
  return {
    version: VERSION,
    id: "draft-1",
    key: "wizard-1",
    isKeyGenerated: true,
    request,
    own: undefined,
    allowed: undefined,
    ...more,
  }
}

/** All that rates need. */
export function shippable(changes: JsonObject = {}): Draft {
  return draftOf(
    {
      sender: { ...HARBOUR },
      collection: { ...HARBOUR },
      receiver: { ...PORT },
      packages: [{ count: 2, lengthCm: 40, widthCm: 30, heightCm: 20, weightKg: 5.5 }],
      packagingCode: "CT",
      dangerousGoods: false,
      collectionDateTime: "2026-11-23T10:00:00",
      collectionCloseTime: "1700",
      ...changes,
    },
    { own: { "collection.residential": false, "receiver.residential": false } },
  )
}
