/** Each number of what is known of a service, by hand. */
import { describe, expect, it } from "vitest"
import {
  findInterval,
  summariseArrivals,
  summariseBills,
  widen,
} from "../../../src/orders/booking/lane-evidence.ts"
import { parseShare } from "../../../src/machine/config/values.ts"
import { chooseRate, findMisses, getLimits } from "../../../src/orders/booking/preferences.ts"
import { type RateRow, sortRates } from "../../../src/orders/booking/rates.ts"
import { expectShareBy } from "../../../src/orders/booking/share.ts"
import type { Outcomes } from "../../../src/ledger/records/evidence.ts"

function outcomes(changes: Partial<Outcomes> = {}): Outcomes {
  return {
    ...{ carrier: "CARRIER_A_AU", serviceCode: "STD", week: 1, bookings: 1, daysLate: 0, saysGst: true },
    ...{ billed: 0, ratios: 0, squares: 0, disputed: 0, won: 0, toArea: "61" },
    ...changes,
  }
}

/** Deliveries of a week, some of them a day late. */
function week(number: number, bookings: number, late: number): Outcomes[] {
  return [
    outcomes({ week: number, bookings: bookings - late }),
    ...(late > 0 ? [outcomes({ week: number, bookings: late, daysLate: 1 })] : []),
  ]
}

describe("how a service arrived", () => {
  it("says nothing from 19 deliveries, and all from 20", () => {
    expect(summariseArrivals(week(1, 19, 3), "all lanes")).toBeUndefined()
    const unknown = outcomes({ bookings: 500, daysLate: undefined })
    expect(summariseArrivals([...week(1, 19, 3), unknown], "all lanes")).toBeUndefined()
    expect(summariseArrivals(week(1, 20, 3), "all lanes")).toMatchObject({ seen: 20, onTime: 17 })
  })

  it("has the interval after Wilson", () => {
    // As R has it: binom::binom.confint(18, 20, methods = "wilson").
    const { from, to } = findInterval(18, 20)
    expect(from).toBeCloseTo(0.699, 3)
    expect(to).toBeCloseTo(0.9721, 3)
    expect(findInterval(20, 20).to).toBe(1)
    expect(findInterval(0, 20).from).toBe(0)
  })

  it("has the median and what nine of ten came by", () => {
    const days = [-1, 0, 0, 0, 0, 0, 0, 0, 1, 6].flatMap((daysLate) => [outcomes({ daysLate, bookings: 2 })])
    expect(summariseArrivals(days, "all lanes")).toMatchObject({
      ...{ medianDaysLate: 0, ninetiethDaysLate: 1, onTime: 16 },
      daysLate: [
        [-1, 2],
        [0, 14],
        [1, 2],
        [6, 2],
      ],
    })
  })

  it("leaves out one week that is far worse than the others, and counts two", () => {
    const good = [1, 2, 3, 4, 5].flatMap((number) => week(number, 10, 1))
    const bad = week(6, 10, 9)
    expect(summariseArrivals([...good, ...bad], "all lanes")).toMatchObject({ seen: 50, onTime: 45 })
    const again = week(8, 10, 9)
    expect(summariseArrivals([...good, ...bad, ...again], "all lanes")).toMatchObject({
      seen: 70,
      onTime: 47,
    })
  })

  it("does not take steady lateness for a bad week", () => {
    const late = [1, 2, 3, 4, 5].flatMap((number) => week(number, 10, 4))
    expect(summariseArrivals([...late, ...week(6, 10, 6)], "all lanes")).toMatchObject({ seen: 60 })
  })

  it("comes from the narrowest lane that has enough, and expects of it what all lanes say too", () => {
    const area = widen(undefined, week(1, 10, 0), { kind: "area", from: "20", to: "61" })
    const state = widen(area, week(1, 20, 0), { kind: "state", from: "NSW", to: "WA" })
    const all = widen(state, week(1, 100, 20), { kind: "all" })
    expect(area.arrival).toBeUndefined()
    expect(all.arrival).toMatchObject({ lane: "NSW → WA", seen: 20, onTime: 20 })
    // All lanes: 80 of 102, as if two more had been late; then 20 more, and the ten that are too few to say.
    const ofState = (20 + (20 * 80) / 102) / 40
    if (all.arrival) expect(expectShareBy(all.arrival, 0)).toBeCloseTo((10 + 20 * ofState) / 30, 3)
  })

  it("expects no more of a lane as a service is used most where it does well", () => {
    const often = outcomes({ bookings: 300, toArea: "30" })
    const rarely = [
      outcomes({ bookings: 10, toArea: "61" }),
      outcomes({ bookings: 10, toArea: "61", daysLate: 1 }),
    ]
    const { arrival: found } = widen(undefined, [often, ...rarely], { kind: "all" })
    expect(found).toMatchObject({ seen: 320, onTime: 310 })
    // Three quarters, if each area counts alike.
    if (found) expect(expectShareBy(found, 0)).toBeCloseTo((0.75 * 320) / 322, 3)
  })
})

describe("what a service billed", () => {
  const billed = (count: number, ratio: number, more: Partial<Outcomes> = {}) =>
    outcomes({ billed: count, ratios: count * ratio, squares: count * ratio * ratio, ...more })

  it("has the mean of the ratios, and their standard deviation", () => {
    expect(summariseBills([billed(19, 1.2)], "all lanes", true)).toBeUndefined()
    expect(
      summariseBills([billed(10, 1, { disputed: 4, won: 1 }), billed(10, 1.2)], "all lanes", true),
    ).toEqual({
      ...{ lane: "all lanes", bills: 20, ratio: 1.1, spread: 0.1026, disputed: 0.2, won: 0.25 },
    })
  })

  it("keeps prices that say their GST apart from those that do not", () => {
    const both = [billed(20, 1.1), billed(20, 1, { saysGst: false })]
    expect(summariseBills(both, "all lanes", true)?.ratio).toBe(1.1)
    expect(summariseBills(both, "all lanes", false)?.ratio).toBe(1)
  })
})

function rate(serviceCode: string, price: number, evidence?: RateRow["evidence"], transitDays = 3): RateRow {
  return {
    ...{ serviceCode, description: serviceCode, price, priceGst: 0, priceIncGst: price, currency: "AUD" },
    ...{ bookingCutoff: "16:00:00", collectionCutoff: "17:00:00", visibility: "shown", transitDays },
    ...{
      quoteId: "q",
      connectorId: "connector-a",
      carrier: "CARRIER_A_AU",
      gstBasis: "",
      arrives: "in 3 days",
    },
    ...(evidence && { evidence }),
  } as RateRow
}

const arrival = (seen: number, late: number, daysLate = 1) => {
  const found = summariseArrivals(
    [outcomes({ bookings: seen - late }), outcomes({ bookings: late, daysLate })],
    "NSW → WA",
  )
  if (!found) throw new Error("too few")
  const expected = found.daysLate.map(([days, deliveries]): [number, number] => [days, deliveries / seen])
  return { ...found, expected }
}
const bills = (price: number, ratio: number) => ({
  billed: { lane: "NSW → WA", bills: 40, ratio, spread: 0.1, disputed: 0, won: 0 },
  likely: Math.round(price * ratio * 100) / 100,
})

describe("choosing by it", () => {
  const DATE = "2026-11-23"
  const CHEAP = rate("CHEAP", 60, { arrival: arrival(50, 20), ...bills(60, 1.4) })
  const GOOD = rate("GOOD", 70, { arrival: arrival(61, 3), ...bills(70, 1.05) })
  const NEW = rate("NEW", 90)
  const RATES = [CHEAP, GOOD, NEW]
  const choose = (by: "likely" | "price", limits: object = {}, rates = RATES) =>
    chooseRate(rates, { by, limits, date: DATE })

  it("takes the best value by the likely cost, and says why", () => {
    expect(choose("price").rate).toBe(CHEAP)
    expect(choose("likely")).toEqual({
      rate: GOOD,
      why: "A/GOOD at 70.00 with GST; likely 73.50, as 40 bills were 1.05 of the quote (NSW → WA); expected in time 95 % of the time, 61 seen (NSW → WA); CHEAP is likely to be 10.50 dearer",
    })
  })

  it("says that a quote and a promise stand where too little is known", () => {
    expect(choose("likely", {}, [NEW])).toEqual({
      rate: NEW,
      why: "A/NEW at 90.00 with GST; too few bills to say what it is likely to cost: its quote is used; too few deliveries to say how often it is in time: its promise is used",
    })
  })

  it("leaves out what is late too often, but nothing of which that is not known", () => {
    expect(getLimits({ kind: "reliable" })).toEqual({
      kind: "reliable",
      onTimePercent: 90,
      tooLate: "refused",
    })
    expect(findMisses(CHEAP, { onTimePercent: 90 }, DATE)).toEqual([
      { kind: "share", by: 30, text: "is expected in time 60 % of the time, 50 seen" },
    ])
    expect(findMisses(NEW, { onTimePercent: 90 }, DATE)).toEqual([])
    expect(choose("likely", { onTimePercent: 97 }).rate).toBe(NEW)
    expect(choose("likely", { onTimePercent: 97 }, [CHEAP, GOOD])).toEqual({
      rate: undefined,
      isTooDear: false,
      isTooLate: false,
      misses: ["A/GOOD at 70.00 with GST is expected in time 95 % of the time, 61 seen"],
    })
  })

  it("counts what came by the day that is wished, and not what was promised", () => {
    const early = rate("EARLY", 70, { arrival: arrival(50, 49, -1) })
    expect(findMisses(early, { withinDays: 2, onTimePercent: 90 }, DATE)).toEqual([])
    expect(findMisses(early, { withinDays: 2 }, DATE)).toMatchObject([{ kind: "arrival" }])
    expect(findMisses(CHEAP, { withinDays: 4, onTimePercent: 90 }, DATE)).toEqual([])
    expect(findMisses(CHEAP, { withinDays: 3, onTimePercent: 90 }, DATE)).toMatchObject([{ kind: "share" }])
    expect(findMisses(NEW, { withinDays: 2, onTimePercent: 90 }, DATE)).toMatchObject([{ kind: "arrival" }])
  })

  it("sorts a list by likely cost and by the share that was on time, unknown ones last", () => {
    const names = (by: "likely" | "reliable") =>
      sortRates(RATES, by, DATE).map(({ serviceCode }) => serviceCode)
    expect(names("likely")).toEqual(["GOOD", "CHEAP", "NEW"])
    expect(names("reliable")).toEqual(["GOOD", "CHEAP", "NEW"])
  })

  it("reads shares", () => {
    expect(["90%", "90", "99.5 %"].map(parseShare)).toMatchObject([
      { value: 90 },
      { value: 90 },
      { value: 99.5 },
    ])
    for (const text of ["0", "101%", "most", ""]) expect(parseShare(text).ok).toBe(false)
  })
})
