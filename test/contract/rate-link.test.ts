import { describe, expect, it } from "vitest"
import { booking, rateRequest } from "../sandbox/requests.ts"
import type { RatedService } from "../../src/contract/generated/types.ts"
import {
  linkFromQuote,
  QUOTE_LIFETIME_MS,
  quoteDifferences,
  quoteExpired,
  checkRateLink,
} from "../../src/contract/rate-link.ts"

const rate: RatedService = {
  serviceCode: "EXP",
  description: "Express",
  price: 24.6,
  currency: "AUD",
  bookingCutoff: "15:00:00",
  collectionCutoff: "17:00:00",
}

describe("checkRateLink", () => {
  it("refuses a quoteId alone, which the server would ignore in silence", () => {
    expect(checkRateLink({ quoteId: "q1" })).toEqual({
      errors: [
        {
          pointer: "",
          property: "rateId",
          path: "rateId",
          keyword: "rateLink",
          message:
            "rateId is missing: without it the server ignores quoteId and links the booking to no rate",
          hint: "add the rateId of the chosen rate, or leave quoteId out",
        },
      ],
      warnings: [],
    })
  })

  it("takes an empty rateId for none", () => {
    expect(checkRateLink({ quoteId: "q1", rateId: "" }).errors).toHaveLength(1)
  })

  it.each([
    ["neither", {}],
    ["a rateId alone", { rateId: "r1" }],
    ["both", { rateId: "r1", quoteId: "q1" }],
    [
      "a reported quote without a rateId",
      { quotedPriceExGstMinor: 2460, committedEta: "2026-11-25T17:00:00" },
    ],
  ])("has nothing against %s", (_, booking) => {
    expect(checkRateLink(booking)).toEqual({ errors: [], warnings: [] })
  })

  it("warns that reported figures do not count beside a rateId", () => {
    const { errors, warnings } = checkRateLink({
      rateId: "r1",
      quotedPriceExGstMinor: 0,
      quotedCurrency: "AUD",
    })
    expect([errors, warnings.map(({ message }) => message)]).toEqual([
      [],
      [
        "rateId puts the rate's own figures on record, so these are ignored: quotedPriceExGstMinor, quotedCurrency",
      ],
    ])
  })
})

describe("quoteExpired", () => {
  const quotedAt = Date.UTC(2026, 9, 3)

  it.each([
    ["at once", 0, false],
    ["after exactly 48 hours", QUOTE_LIFETIME_MS, false],
    ["a millisecond later", QUOTE_LIFETIME_MS + 1, true],
    ["with a clock that was set back", -60_000, false],
  ])("%s", (_, age, expired) => {
    expect(quoteExpired(quotedAt, quotedAt + age)).toBe(expired)
  })

  it("lasts 48 hours", () => {
    expect(QUOTE_LIFETIME_MS).toBe(172_800_000)
  })
})

describe("linkFromQuote", () => {
  it("links by rateId and quoteId, and reports nothing beside them", () => {
    const known = { ...rate, rateId: "r1", eta: "2026-11-25T17:00:00", priceGst: 2.46, priceIncGst: 27.06 }
    expect(linkFromQuote(known, "q1")).toEqual({ serviceCode: "EXP", rateId: "r1", quoteId: "q1" })
  })

  it("never sends the quoteId without a rateId", () => {
    expect(linkFromQuote(rate, "q1")).not.toHaveProperty("quoteId")
  })

  it("leaves out what is null", () => {
    expect(Object.keys(linkFromQuote({ ...rate, eta: null, transitDays: null }, "q1"))).toEqual([
      "serviceCode",
      "bookingCutoff",
      "collectionCutoff",
    ])
  })

  it("echoes eta and transit days that are there, also none at all", () => {
    expect(linkFromQuote({ ...rate, eta: "2026-11-25T17:00:00", transitDays: 0 }, "q1")).toMatchObject({
      committedEta: "2026-11-25T17:00:00",
      quotedTransitDays: 0,
    })
  })

  it("reports the price in cents where its GST is told", () => {
    expect(linkFromQuote({ ...rate, price: 1.15, priceGst: 0.12, priceIncGst: 1.27 }, "q1")).toMatchObject({
      quotedPriceExGstMinor: 115,
      quotedGstMinor: 12,
      quotedPriceIncGstMinor: 127,
      quotedCurrency: "AUD",
    })
  })

  it("does not report a price as without GST when that is not known", () => {
    expect(linkFromQuote(rate, "q1")).not.toHaveProperty("quotedPriceExGstMinor")
  })

  it("makes a link in which no rule finds anything", () => {
    expect(checkRateLink(linkFromQuote({ ...rate, rateId: "r1" }, "q1"))).toEqual({
      errors: [],
      warnings: [],
    })
  })
})

describe("quoteDifferences", () => {
  const fields = (changes: Parameters<typeof booking>[0], quoted: Parameters<typeof rateRequest>[0] = {}) =>
    quoteDifferences(rateRequest(quoted), booking(changes)).map(({ path }) => path)
  const [each] = booking().packages

  it("finds none in the booking that was quoted", () => {
    expect(fields({})).toEqual([])
  })

  it("finds each of them", () => {
    const changes = {
      collection: { ...booking().collection, suburb: "Mascot", postcode: "2020" },
      receiver: { ...booking().receiver, postcode: "6000" },
      packages: each ? [{ ...each, weightKg: 6 }] : [],
      dangerousGoods: true,
      payer: { type: "ThirdParty" as const, accountNumber: "1" },
    }
    expect(fields(changes)).toEqual(["collection", "receiver", "packages", "dangerousGoods", "payer"])
  })

  it("takes packages in any order, and their sides in any order", () => {
    const turned = each ? [{ ...each, count: 1, lengthCm: each.widthCm, widthCm: each.lengthCm }] : []
    expect(fields({ packages: [...turned, ...turned] })).toEqual([])
  })

  it("does not compare the day or whether a place is residential", () => {
    expect(
      fields(
        { collectionDateTime: "2030-11-25T10:00:00" },
        { to: { ...rateRequest().to, residential: true } },
      ),
    ).toEqual([])
  })
})
