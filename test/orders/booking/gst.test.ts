import { describe, expect, it } from "vitest"
import { FreightError } from "../../../src/base/errors.ts"
import { parseGstBases } from "../../../src/machine/config/values.ts"
import { createAddKnownGst, getMostCents } from "../../../src/orders/booking/gst.ts"
import { chooseRate } from "../../../src/orders/booking/preferences.ts"
import { rateRows } from "../../../src/orders/booking/rates.ts"
import type { Settings } from "../../../src/machine/config/resolve.ts"
import type { AggregatedRateResponse, RatedService } from "../../../src/contract/generated/types.ts"

const rate = (serviceCode: string, price: number, gst: Partial<RatedService> = {}): RatedService => ({
  ...{ rateId: "rate", serviceCode, description: serviceCode, price, currency: "AUD", transitDays: 2 },
  ...{ visibility: "shown", bookingCutoff: "2026-11-23T12:00", collectionCutoff: "17:00" },
  ...gst,
})

/** A without GST stated at 22.34, B at 21.00 + GST = 23.10. */
const REPLY: AggregatedRateResponse = {
  quoteId: "quote-1",
  results: [
    { connectorId: "connector-a", carrier: "CARRIER_A_AU", success: true, rates: [rate("STD", 22.34)] },
    {
      ...{ connectorId: "connector-b", carrier: "CARRIER_B_AU", success: true },
      rates: [rate("PRM", 21, { priceGst: 2.1, priceIncGst: 23.1 })],
    },
  ],
}

/** The rates with what the setting says, where there is no ledger. */
const withSetting = (value: string | undefined) =>
  createAddKnownGst({
    settings: { resolve: () => ({ value, from: "test" }) as ReturnType<Settings["resolve"]> },
    note: async () => {},
    hasLedger: async () => false,
    readLedger: async () => {
      throw new Error("there is no ledger")
    },
  })(REPLY)

async function choose(setting: string | undefined, maxPriceCents?: number) {
  const limits = maxPriceCents === undefined ? {} : { maxPriceCents }
  return chooseRate(rateRows(await withSetting(setting)), { by: "price", limits, date: "2026-11-23" })
}

describe("the setting gst", () => {
  it.each([
    ["A=excluded", [["a", "excluded"]]],
    [
      " carrier a = Included , connector-c=excluded",
      [
        ["carrier a", "included"],
        ["connector-c", "excluded"],
      ],
    ],
  ])("reads %s", (text, pairs) => {
    expect([...(parseGstBases(text) ?? [])]).toEqual(pairs)
  })

  it.each(["", "A", "A=yes", "=included", "A=included;C=excluded"])("refuses %j", (text) => {
    expect(parseGstBases(text)).toBeUndefined()
  })

  it("is all that is known where the ledger cannot be read, which is said once", async () => {
    const notes: string[] = []
    const addKnownGst = createAddKnownGst({
      settings: { resolve: () => ({ value: undefined }) as unknown as ReturnType<Settings["resolve"]> },
      note: async (text) => void notes.push(text),
      hasLedger: async () => true,
      readLedger: async () => {
        throw new FreightError("unavailable", "the database does not answer")
      },
    })
    expect(await addKnownGst(REPLY)).toEqual(REPLY)
    await addKnownGst(REPLY)
    expect(notes).toEqual(["What audited bills show of GST is not known: the database does not answer."])
  })

  it("says of a carrier's prices what the carrier does not, and of no other's", async () => {
    const [a, b] = rateRows(await withSetting("a=included,B=included"))
    expect(a).toMatchObject({ price: 22.34, priceGst: 2.03, priceIncGst: 22.34, gstBasis: "included" })
    expect(b).toMatchObject({ priceIncGst: 23.1, gstBasis: "plus GST = 23.10" })
    const [excluded] = rateRows(await withSetting("connector-a=excluded"))
    expect(excluded).toMatchObject({ priceGst: 2.23, priceIncGst: 24.57 })
  })
})

describe("a choice by price", () => {
  it("compares prices with GST where that is known", async () => {
    expect(await choose("A=included")).toMatchObject({
      rate: { serviceCode: "STD" },
      why: "A/STD at 22.34 with GST; PRM is 0.76 dearer",
    })
    expect(await choose(undefined)).toMatchObject({ rate: { serviceCode: "PRM" } })
  })

  it.each([
    ["A=included", 2300, "STD"],
    ["A=excluded", 2310, "PRM"],
    ["A=excluded", 2309, undefined],
    [undefined, 2300, undefined],
    [undefined, 2457, "PRM"],
  ])("with %s and a limit of %s cents with GST takes %s", async (setting, limit, serviceCode) => {
    expect((await choose(setting, limit)).rate?.serviceCode).toBe(serviceCode)
  })

  it("says what is missing where a price may be over the limit with GST", async () => {
    expect(await choose(undefined, 2300)).toMatchObject({
      misses: [expect.stringMatching(/^B\/PRM at 23.10 with GST is 0.10 over the limit with GST$/)],
    })
    const [onlyA] = REPLY.results
    const reply = { ...REPLY, results: onlyA ? [onlyA] : [] }
    expect(
      chooseRate(rateRows(reply), { by: "price", limits: { maxPriceCents: 2400 }, date: undefined }),
    ).toMatchObject({
      misses: [
        "A/STD at 22.34 may be 0.57 over the limit with GST, as carrier A does not say whether that is in it (freight config set gst A=included)",
      ],
    })
  })

  it("takes as the most of a price a tenth more where GST is not known", () => {
    expect([getMostCents({ price: 22.34 }), getMostCents({ price: 21, priceIncGst: 23.1 })]).toEqual([
      2457, 2310,
    ])
  })
})
