import { createJudge } from "../../../src/orders/booking/in-time.ts"
import { describe, expect, it } from "vitest"
import { listRateChoices } from "../../../src/orders/wizard/rate-choices.ts"
import { rates } from "../../../src/orders/wizard/steps/rates.ts"
import { FreightError } from "../../../src/base/errors.ts"
import { BACK } from "../../../src/output/terminal/conversation/conversation.ts"
import { NOW, RESULTS, shippable, testContext } from "./bench.ts"
import { ENTER, type Line, scripted } from "./scripted.ts"

const ask = async (lines: Line[], context = testContext(), draft = shippable()) => {
  const talk = scripted(lines)
  return { talk, context, answer: await rates.ask(draft, { ...context, conversation: talk }) }
}
const options = {
  date: "2026-11-23",
  to: { suburb: "Fremantle", state: "WA", postcode: "6160", residential: false },
  judge: createJudge(collectedOn("2026-11-23"), NOW),
  width: 76,
  by: "price" as const,
  unicode: true,
  connectorNames: new Map([["connector-a", "Main account"]]),
}
function collectedOn(day: string) {
  return { collection: { suburb: "Alexandria", state: "NSW" }, collectionDateTime: `${day}T10:00:00` }
}
const offers = (changes: Partial<Parameters<typeof listRateChoices>[1]> = {}) =>
  listRateChoices({ quoteId: "q", results: RESULTS }, { ...options, ...changes })

describe("the list of rates", () => {
  it("goes by price, with hidden services last, in the words of rate-shop, and marks the best of those shown", () => {
    expect(offers({ width: 96 }).map(({ name }) => name)).toEqual([
      "C  Standard         40.00 to 44.00  about Sat 28 Nov (5 days)  by 15:00  cheapest",
      "B  General Freight           55.00  Mon 30 Nov 17:00 (7 days)  by 15:00",
      "A  9:00 Express     90.00 to 99.00  Tue 24 Nov 09:00 (1 day)   by 15:00  fastest",
      "C  * Economy        10.00 to 11.00  about Wed 2 Dec (9 days)   by 15:00",
    ])
  })

  it("has what compares at 80 columns: service, total with GST, arrival with its day", () => {
    expect(offers().map(({ name }) => name)).toEqual([
      "C  Standard         40.00 to 44.00  about Sat 28 Nov (5 days)  cheapest",
      "B  General Freight           55.00  Mon 30 Nov 17:00 (7 days)",
      "A  9:00 Express     90.00 to 99.00  Tue 24 Nov 09:00 (1 day)   fastest",
      "C  * Economy        10.00 to 11.00  about Wed 2 Dec (9 days)",
    ])
  })

  it("goes by arrival when told so", () => {
    expect(offers({ by: "eta" })[0]?.row.serviceCode).toBe("701")
  })

  it.each([
    { currency: "USD" },
    { price: 0 },
    { price: -5 },
  ])("marks nothing as the cheapest that cannot be compared: %o", (change) => {
    const results = RESULTS.map((result) => ({
      ...result,
      rates: (result.rates ?? []).map((rate) => (rate.serviceCode === "STD" ? { ...rate, ...change } : rate)),
    }))
    const listed = listRateChoices({ quoteId: "q", results }, options)
    expect(listed.map(({ row, labels }) => [row.serviceCode, labels])).toEqual([
      ["GEN", "cheapest"],
      ["701", "fastest"],
      ["ECO", ""],
      ["STD", ""],
    ])
  })

  it("tells the time that is left until the cut-off of today", () => {
    const judge = createJudge(collectedOn("2026-11-20"), NOW)
    const [first] = offers({ date: "2026-11-20", judge })
    expect(first?.description).toContain("until 15:00 (4 h 40 min left)")
  })

  it("tells a cut-off that has passed", () => {
    const judge = createJudge(collectedOn("2026-11-20"), NOW + 5 * 3_600_000)
    const [first] = offers({ date: "2026-11-20", judge })
    expect(first?.name).toMatch(/cheapest, too late today$/)
    expect(first?.description).toContain("too late for today: it may go on Mon 23 Nov")
  })

  it("fits into any width, and keeps the total", () => {
    for (const width of [32, 36, 46, 56, 66, 76]) {
      const names = offers({ width }).map(({ name }) => name)
      expect(Math.max(...names.map((name) => name.length))).toBeLessThanOrEqual(width)
      expect(names[0]).toMatch(/Standard.* 44\.00/)
    }
  })

  it("describes each in full, with its account and the basis of its price", () => {
    expect(offers()[2]?.description).toBe(
      "9:00 Express (701), carrier A (Main account); AUD 90.00, GST not stated; arrives Tue 24 Nov 09:00 (1 day), Fremantle time; book by 15:00",
    )
    expect(offers()[1]?.description).toContain("AUD 50.00 + GST = 55.00")
  })

  it("keeps carrier A from being chosen where its window is broken, and marks none of its services", () => {
    const [, , a] = offers({ refusals: new Map([["CARRIER_A_AU", "not then"]]) })
    expect(a).toMatchObject({ disabled: "not then" })
    expect(a?.name).not.toContain("fastest")
  })
})

describe("rates", () => {
  it("are asked for what is booked, on the day of collection", async () => {
    const { context } = await ask([["Which service on Mon 23 Nov?", ENTER]])
    expect(context.asked[0]).toMatchObject({
      from: { suburb: "Alexandria", state: "NSW", postcode: "2015", residential: false },
      to: { suburb: "Fremantle", residential: false },
      dangerousGoods: false,
      date: "2026-11-23",
    })
  })

  it("chosen are in the draft with their quote", async () => {
    const { answer } = await ask([["Which service", "55.00"]])
    expect(answer).toMatchObject({
      rate: { quoteId: "quote-1", connectorId: "connector-b", rate: { rateId: "rate-b" } },
    })
  })

  it("of a carrier that fails are reported, and the others can be chosen", async () => {
    const failed = {
      connectorId: "connector-a",
      carrier: "CARRIER_A_AU",
      success: false,
      error: { message: "carrier A is unavailable" },
    }
    const context = testContext({ results: () => [failed, ...RESULTS.slice(1)] })
    const { talk, answer } = await ask([["Which service", ENTER]], context)
    expect(talk.said).toContain("Carrier A gave no rate: carrier A is unavailable.")
    expect(answer).toMatchObject({ rate: { connectorId: "connector-c" } })
  })

  it("can be asked for again where no carrier gave one", async () => {
    const context = testContext({ results: (time) => (time === 1 ? [] : RESULTS) })
    const { talk } = await ask(
      [
        ["Ask the carriers again?", ENTER],
        ["Which service", ENTER],
      ],
      context,
    )
    expect(talk.said).toContain("No carrier gave a rate.")
  })

  it("that cannot be had are explained, and the wizard goes back where they are not asked for again", async () => {
    const context = testContext({
      results: () => {
        throw new FreightError("unavailable", "the service cannot be reached")
      },
    })
    const { talk, answer } = await ask([["Ask the carriers again?", false]], context)
    expect(talk.said).toContain("There are no rates: the service cannot be reached.")
    expect(answer).toBe(BACK)
  })

  it("without a valid key end the conversation", async () => {
    const context = testContext({
      results: () => {
        throw new FreightError("unauthenticated", "no valid key")
      },
    })
    await expect(ask([], context)).rejects.toThrow("no valid key")
  })

  it("of carrier C are followed by the email of the collection, where there is none", async () => {
    const { email: _, ...collection } = { ...(shippable().request.collection as Record<string, string>) }
    const lines: Line[] = [
      ["Which service", ENTER],
      ["Email at the place of collection", "dock@harbour.example"],
    ]
    const { answer } = await ask(lines, testContext(), shippable({ collection }))
    expect(answer).toMatchObject({ request: { collection: { email: "dock@harbour.example" } } })
  })

  it("of the service that the command line names are the only ones offered", async () => {
    const draft = { ...shippable(), wish: { serviceCode: "GEN" } }
    const { talk } = await ask([["Which service", ENTER]], testContext(), draft)
    expect(talk.asked[0]?.choices.filter((name) => /^[ABC] {2}/.test(name))).toHaveLength(1)
  })

  it("are all offered when the named service is not among them", async () => {
    const draft = { ...shippable(), wish: { serviceCode: "NONE" } }
    const { talk } = await ask([["Which service", ENTER]], testContext(), draft)
    expect(talk.said).toContain("What the command line asks for is not offered.")
  })

  it("of which one is hidden say what its mark means, and that GST is not always stated", async () => {
    const { talk } = await ask([["Which service on Mon 23 Nov? Totals are in AUD.", ENTER]])
    expect(talk.said).toEqual([
      "* not offered by default on your account",
      expect.stringContaining("Carriers A and C do not say whether GST is in their prices"),
      "Arrivals are in Fremantle time.",
    ])
  })

  it("begin at the one that the wishes choose, and say why", async () => {
    const draft = { ...shippable(), wish: { avoid: ["C"], kind: "fastest" as const } }
    const { talk, answer } = await ask([["Which service", ENTER]], testContext(), draft)
    expect(talk.said).toContainEqual(expect.stringMatching(/^As you asked: A\/\w+ at .*, arriving /))
    expect(talk.asked[0]?.choices.filter((name) => name.startsWith("C "))).toEqual([])
    expect(answer).toMatchObject({ rate: { connectorId: "connector-a" } })
  })

  it("are all offered where the command line allows none, with the nearest misses", async () => {
    const draft = { ...shippable(), wish: { maxPriceCents: 100 } }
    const { talk } = await ask([["Which service", ENTER]], testContext(), draft)
    expect(talk.said.slice(0, 2)).toEqual([
      "What the command line asks for is not offered.",
      expect.stringContaining("over the limit"),
    ])
  })

  it("past their cutoff count as asked for where that is allowed", async () => {
    const late = testContext({ now: NOW + 5 * 3_600_000 })
    const wish = { kind: "fastest" } as const
    const today = { ...shippable({ collectionDateTime: "2026-11-20T16:00:00" }), wish }
    for (const [allowed, isSaid] of [
      [undefined, true],
      [{ pastCutoff: "told" }, false],
      [{ allowPast: true }, false],
    ] as const) {
      const { talk } = await ask([["Which service", ENTER]], late, { ...today, allowed })
      expect(talk.said.includes("What the command line asks for is not offered.")).toBe(isSaid)
    }
  })

  it("can be sorted by arrival and asked for again", async () => {
    const { context, talk } = await ask([
      ["Which service", "Sort by arrival"],
      ["Which service", "Ask the carriers again"],
      ["Which service", ENTER],
    ])
    expect(talk.asked[1]?.choices[0]).toContain("9:00 Express")
    expect(context.asked).toHaveLength(2)
  })

  it("are reported in full in plain mode, where nothing is highlighted", async () => {
    const talk = scripted([["Which service", ENTER]], { plain: true })
    await rates.ask(shippable(), { ...testContext(), conversation: talk })
    expect(talk.asked[0]?.choices[0]).toContain("Standard (STD), carrier C")
    expect(talk.asked[0]?.choices[0]).toContain("(cheapest)")
  })

  it("over 48 hours old are asked for again", async () => {
    const { answer, context } = await ask([["Which service", ENTER]])
    if (typeof answer === "symbol") throw new Error("went back")
    expect(rates.isOpen(answer, context)).toBe(false)
    context.advance(49 * 3_600_000)
    expect(rates.isOpen(answer, context)).toBe(true)
  })
})
