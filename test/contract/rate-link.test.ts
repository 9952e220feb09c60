import { describe, expect, it } from "vitest"
import { booking, rateRequest } from "../sandbox/requests.ts"
import type { RatedService } from "../../src/contract/generated/types.ts"
import {
  linkFromQuote,
  linkToRate,
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
    expect(linkFromQuote(known, "q1", "CARRIER_B_AU")).toEqual({
      serviceCode: "EXP",
      rateId: "r1",
      quoteId: "q1",
    })
  })

  it("never sends the quoteId without a rateId", () => {
    expect(linkFromQuote(rate, "q1", "CARRIER_B_AU")).not.toHaveProperty("quoteId")
  })

  it("leaves out what is null", () => {
    expect(
      Object.keys(linkFromQuote({ ...rate, eta: null, transitDays: null }, "q1", "CARRIER_B_AU")),
    ).toEqual(["serviceCode", "bookingCutoff", "collectionCutoff"])
  })

  it("echoes eta and transit days that are there, also none at all", () => {
    expect(
      linkFromQuote({ ...rate, eta: "2026-11-25T17:00:00", transitDays: 0 }, "q1", "CARRIER_B_AU"),
    ).toMatchObject({
      committedEta: "2026-11-25T17:00:00",
      quotedTransitDays: 0,
    })
  })

  it("reports the price in cents where its GST is told", () => {
    expect(
      linkFromQuote({ ...rate, price: 1.15, priceGst: 0.12, priceIncGst: 1.27 }, "q1", "CARRIER_B_AU"),
    ).toMatchObject({
      quotedPriceExGstMinor: 115,
      quotedGstMinor: 12,
      quotedPriceIncGstMinor: 127,
      quotedCurrency: "AUD",
    })
  })

  it("reports GST and the price with it for the carrier that states them alone", () => {
    const known = { ...rate, price: 1.15, priceGst: 0.12, priceIncGst: 1.27 }
    const link = linkFromQuote(known, "q1", "CARRIER_A_AU")
    expect(link).toMatchObject({ quotedPriceExGstMinor: 115, quotedCurrency: "AUD" })
    expect(link).not.toHaveProperty("quotedGstMinor")
    expect(link).not.toHaveProperty("quotedPriceIncGstMinor")
  })

  it.each([
    ["15:00:00", "15:00:00"],
    ["15:00", "15:00:00"],
    ["1500", "15:00:00"],
    ["3pm", "15:00:00"],
    ["2026-11-25T15:00:00", undefined],
    ["25:00:00", undefined],
    ["15:00:00+11:00", undefined],
    ["", undefined],
  ])("writes the cut-off %j as the contract has it: %j", (bookingCutoff, written) => {
    const { bookingCutoff: sent, collectionCutoff } = linkFromQuote(
      { ...rate, bookingCutoff, collectionCutoff: bookingCutoff },
      "q1",
      "CARRIER_B_AU",
    )
    expect([sent, collectionCutoff]).toEqual([written, written])
  })

  it.each([
    ["2026-11-25T17:00:00", "2026-11-25T17:00:00"],
    ["2026-11-25T17:00", "2026-11-25T17:00"],
    ["2026-11-25T17:00:00.5", "2026-11-25T17:00:00.5"],
    ["2026-11-25 17:00:00", "2026-11-25T17:00:00"],
    ["2026-11-25T17:00:00Z", undefined],
    ["2026-11-25T17:00:00+11:00", undefined],
    ["2026-11-25", undefined],
    ["tomorrow", undefined],
    ["", undefined],
  ])("writes the arrival %j as the contract has it: %j", (eta, written) => {
    expect(linkFromQuote({ ...rate, eta }, "q1", "CARRIER_B_AU").committedEta).toBe(written)
  })

  it.each([-1, 1.5, Number.NaN])("leaves out transit days that are not a count: %j", (transitDays) => {
    expect(linkFromQuote({ ...rate, transitDays }, "q1", "CARRIER_B_AU")).not.toHaveProperty(
      "quotedTransitDays",
    )
  })

  it("does not report a price below zero", () => {
    const link = linkFromQuote(
      { ...rate, price: -1, priceGst: -0.1, priceIncGst: -1.1 },
      "q1",
      "CARRIER_B_AU",
    )
    expect(Object.keys(link)).toEqual(["serviceCode", "bookingCutoff", "collectionCutoff"])
  })

  it("does not report a price as without GST when that is not known", () => {
    expect(linkFromQuote(rate, "q1", "CARRIER_B_AU")).not.toHaveProperty("quotedPriceExGstMinor")
  })

  it("makes a link in which no rule finds anything", () => {
    expect(checkRateLink(linkFromQuote({ ...rate, rateId: "r1" }, "q1", "CARRIER_B_AU"))).toEqual({
      errors: [],
      warnings: [],
    })
  })
})

describe("linkToRate", () => {
  const quoted = { ...rate, eta: "2026-11-25T17:00:00", price: 1.15, priceGst: 0.12, priceIncGst: 1.27 }
  const kept = { rate: quoted, quoteId: "q1", carrier: "CARRIER_B_AU" }

  it("leaves what a booking reports of a quote itself as it is", () => {
    expect(linkToRate({ committedEta: "2026-11-26T09:00" }, kept)).toEqual({
      serviceCode: "EXP",
      ...{ quotedPriceExGstMinor: 115, quotedGstMinor: 12, quotedPriceIncGstMinor: 127 },
      ...{ quotedCurrency: "AUD", committedEta: "2026-11-26T09:00" },
      ...{ bookingCutoff: "15:00:00", collectionCutoff: "17:00:00" },
    })
  })

  it("does not mix the price that a booking reports with that of the rate", () => {
    expect(linkToRate({ quotedPriceExGstMinor: 99 }, kept)).toEqual({
      ...{ serviceCode: "EXP", quotedPriceExGstMinor: 99, committedEta: "2026-11-25T17:00:00" },
      ...{ bookingCutoff: "15:00:00", collectionCutoff: "17:00:00" },
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
