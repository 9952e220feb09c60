import { describe, expect, it, vi } from "vitest"
import { walk } from "../../../src/orders/wizard/walk.ts"
import { BACK } from "../../../src/output/terminal/conversation/conversation.ts"
import { DARWIN, draftOf, HARBOUR, PORT, shippable, testContext, type TestContext } from "./bench.ts"
import { ENTER, LEAVE, type Line, type Reply, scripted } from "./scripted.ts"
import { BOOK, change, left, PLAIN, SAVED, walked } from "./walking.ts"

describe("the walk", () => {
  it("asks everything once, shows it, and confirms with service and price", async () => {
    const { draft, talk } = await walked([...PLAIN, ...BOOK])
    expect(draft.request).toMatchObject({
      sender: HARBOUR,
      collection: HARBOUR,
      receiver: PORT,
      packagingCode: "CT",
      dangerousGoods: false,
      collectionDateTime: "2026-11-23T09:00:00",
      payer: { type: "Sender" },
    })
    expect(draft.rate).toMatchObject({ quoteId: "quote-1", rate: { rateId: "rate-c" } })
    const page = talk.said.find((text) => text.includes("Receiver"))
    expect(page).toContain("Port Street Fittings, 8 Market Street, Fremantle WA 6160")
    expect(page).toContain("In all: 2 pieces, 11 kg, 0.048 m³")
  })

  it("asks for the zone of this machine's clock at the first time, not before", async () => {
    const zone = vi.fn(() => "Australia/Sydney")
    const context = { ...testContext({ saved: SAVED }), zone }
    await left([...PLAIN.slice(0, 4), ["Are there dangerous goods", LEAVE]], context)
    expect(zone).not.toHaveBeenCalled()
    await walked([...PLAIN, ...BOOK], { context })
    expect(zone).toHaveBeenCalled()
  })

  it("says that the same was booked just now once sender, receiver and goods are known, and once", async () => {
    const known: (string | undefined)[] = []
    const context = testContext({
      saved: SAVED,
      findRecent(draft) {
        known.push(draft.at?.step)
        return "PO-1 was booked a minute ago"
      },
    })
    const { talk } = await walked([...PLAIN, ...BOOK], { context })
    expect(known).toEqual(["packages"])
    expect(talk.said.filter((text) => text === "PO-1 was booked a minute ago")).toHaveLength(1)
  })

  it("takes eleven Enters or fewer, and leaves what is seldom otherwise to the review", async () => {
    const context = testContext({ saved: SAVED, sandbox: true })
    const { talk, draft } = await walked([...PLAIN, ["Book it?", ENTER]], { context })
    expect(talk.asked.length).toBeLessThanOrEqual(11)
    expect(talk.said.find((text) => text.includes("Receiver"))).toMatch(
      /Collection +at the sender's address[\s\S]*Payer +the sender[\s\S]*Reference +none\nExtras +none; instructions/,
    )
    expect(draft.request.payer).toEqual({ type: "Sender" })
  })

  it("goes back one question at a time, from each step to the last question of the one before", async () => {
    await walked([
      ...PLAIN.slice(0, 5),
      ["When is it ready", BACK],
      ["Are there dangerous goods", BACK],
      ["Packed in", BACK],
      ["Packages", ENTER],
      ["Packed in", ENTER],
      ["Are there dangerous goods", ENTER],
      ...PLAIN.slice(5, 8),
      ["Which service", BACK],
      ["Is either place a home?", BACK],
      ["When do the premises close?", BACK],
      ["When is it ready", ENTER],
      ...PLAIN.slice(6),
      ...BOOK,
    ])
  })

  it("confirms the total with GST where that is known", async () => {
    const { draft } = await walked([
      ...PLAIN.slice(0, 8),
      ["Which service", "55.00"],
      ...PLAIN.slice(9),
      ["Book it?", "Book it: AUD 55.00 incl. GST, General Freight, carrier B"],
    ])
    expect(draft.at?.step).toBe("send")
  })

  it("lets each of these be changed in the review", async () => {
    const { draft } = await walked([
      ...PLAIN,
      ...change("Collection"),
      ["Where is it collected?", "darwin"],
      ["Is either place a home?", ENTER],
      ["Which service", ENTER],
      ["Email at the place of collection", ENTER],
      ...change("Payer"),
      ["Who pays", "The receiver"],
      ["Account to bill", "800"],
      ...change("Reference"),
      ["Your own reference", "PO-7"],
      ...change("Extras"),
      ["Anything more", "Instructions for the driver"],
      ["Instructions for the driver", "Ring twice"],
      ["Anything more", ENTER],
      ...BOOK,
    ])
    expect(draft.request).toMatchObject({
      collection: DARWIN,
      payer: { type: "Receiver", accountNumber: "800" },
      customerReference: "PO-7",
      specialInstructions: "Ring twice",
    })
  })

  it("says what was left as it was, and does not book by Enter alone after it", async () => {
    const context = testContext({ saved: SAVED, sandbox: true })
    const { talk, draft } = await walked(
      [
        ...PLAIN,
        ...change("Goods"),
        ["Packed in", "pallet"],
        ["Are there dangerous goods", BACK],
        ["Packed in", BACK],
        ...change("Reference"),
        ["Your own reference", BACK],
        ["Book it?", ENTER],
        ["Change what?", BACK],
        ["Book it?", ENTER],
        ["Change what?", "Reference:"],
        ["Your own reference", "PO-7"],
        ["Book it?", ENTER],
        ["Change what?", BACK],
        ...BOOK,
      ],
      { context },
    )
    expect(talk.said).toContain("Goods left as they were.")
    expect(talk.said).toContain("Reference left as it was.")
    expect(draft.request).toMatchObject({ packagingCode: "CT", customerReference: "PO-7" })
  })

  it("does not ask for a reference that is given", async () => {
    const start = draftOf({ customerReference: "PO-7" })
    const { draft } = await walked([...PLAIN.slice(0, -1), ...BOOK], { start })
    expect(draft.request.customerReference).toBe("PO-7")
  })

  it("asks only for what is missing", async () => {
    const { draft } = await walked([...PLAIN.slice(2), ...BOOK], {
      start: draftOf({ sender: { ...HARBOUR }, collection: { ...HARBOUR }, receiver: { ...PORT } }),
    })
    expect(draft.request.receiver).toEqual(PORT)
  })

  it("begins nothing before its first question", async () => {
    const { talk } = await walked([["Who sends it?", BACK], ...PLAIN, ...BOOK])
    expect(talk.said[0]).toContain("This is the first question")
  })

  // Back from each question comes to the one before it; answering that one again goes on.
  for (const [at, [question]] of PLAIN.entries()) {
    if (at === 0) continue
    it(`goes back one question from "${question}" and on again`, async () => {
      // Packages that are there already are not typed again.
      const again: Line[] = at === 3 ? [["Packages", ENTER]] : PLAIN.slice(at - 1, at)
      const { draft } = await walked([
        ...PLAIN.slice(0, at),
        [question, BACK],
        ...again,
        ...PLAIN.slice(at),
        ...BOOK,
      ])
      expect(draft.request.receiver).toEqual(PORT)
    })
  }

  it("goes on through all that was stepped back from", async () => {
    const { draft } = await walked([
      ...PLAIN.slice(0, 3),
      ["Packed in", BACK],
      ["Packages", BACK],
      ["Who receives it?", "darwin"],
      ["Packages", "1x10x10x10@1"],
      ...PLAIN.slice(3, 8),
      ["Which service", ENTER],
      ["Your own reference", ENTER],
      ...BOOK,
    ])
    expect(draft.request).toMatchObject({ receiver: DARWIN, packages: [{ count: 1 }] })
  })

  it("goes back to what was to be booked, and begins as another booking", async () => {
    const { collectionDateTime: _, ...request } = shippable().request
    const earlier = [PORT, DARWIN].map((receiver) => ({
      request: { ...request, receiver: { ...receiver } },
      own: {},
      connectorId: "connector-b",
    }))
    const { draft } = await walked(
      [
        ["What do you want to book?", "harbour-fittings"],
        ["When is it ready", BACK],
        ["What do you want to book?", "darwin"],
        ["When is it ready", ENTER],
        ...PLAIN.slice(6),
        ...BOOK,
      ],
      { context: testContext({ saved: [{ name: "harbour-fittings", address: PORT }, ...SAVED], earlier }) },
    )
    expect(draft.request.receiver).toEqual(DARWIN)
  })

  it("asks nothing on the way back that it did not ask on the way there", async () => {
    const context = testContext({ saved: SAVED })
    const start = await left([...PLAIN, ["Book it?", LEAVE]], context)
    const back = await left(
      [
        ["Book it?", BACK],
        ["Your own reference", BACK],
        ["Which service", BACK],
        ["Is either place", LEAVE],
      ],
      context,
      start,
    )
    expect(back.at?.step).toBe("residential")
  })

  it("goes back from the confirmation", async () => {
    const { draft } = await walked([...PLAIN, ["Book it?", BACK], ["Your own reference", ENTER], ...BOOK])
    expect(draft.at?.step).toBe("send")
  })

  it("ends without a booking when it is left for later", async () => {
    const { draft } = await walked([...PLAIN, ["Book it?", "Leave it for later"]])
    expect(draft.at?.step).toBe("later")
  })

  it("books nothing on Enter alone, but in the sandbox", async () => {
    await walked([...PLAIN, ["Book it?", ENTER], ["Change what?", BACK], ...BOOK])
    const context = testContext({ saved: SAVED, sandbox: true })
    const { draft } = await walked([...PLAIN, ["Book it?", ENTER]], { context })
    expect(draft.at?.step).toBe("send")
  })

  it("does not confirm anything when nothing is to be sent", async () => {
    const context = testContext({ saved: SAVED, dryRun: true })
    const { draft } = await walked([...PLAIN, ["Book it?", "Print the request"]], { context })
    expect(draft.at?.step).toBe("send")
  })
})

describe("a change in the review", () => {
  it("keeps the other answers", async () => {
    const { draft, context } = await walked([
      ...PLAIN,
      ...change("Payer"),
      ["Who pays", "The receiver"],
      ["Account to bill", "800"],
      ...BOOK,
    ])
    expect(draft.request.payer).toEqual({ type: "Receiver", accountNumber: "800" })
    expect(draft.request.receiver).toEqual(PORT)
    expect(context.asked).toHaveLength(1)
  })

  it("can be stepped back from", async () => {
    const { draft } = await walked([
      ...PLAIN,
      ["Book it?", "Change something"],
      ["Change what?", BACK],
      ...change("Receiver"),
      ["Who receives it?", BACK],
      ...BOOK,
    ])
    expect(draft.request.receiver).toEqual(PORT)
  })

  const RATES_AGAIN: [title: string, why: string, answers: Line[]][] = [
    ["Receiver", "where it goes", [["Who receives it?", "darwin"]]],
    ["Collection", "where it is collected", [["Where is it collected?", "darwin"]]],
    ["Packages", "the packages", [["Packages", "+1x10x10x10@1"]]],
    [
      "Times",
      "the day",
      [
        ["When is it ready", "Fri 20 Nov, 11:00"],
        ["When do the premises close?", ENTER],
      ],
    ],
    ["Residential", "where it goes", [["Is either place a home?", "The receiver's"]]],
  ]
  for (const [title, why, answers] of RATES_AGAIN)
    it(`of ${title.toLowerCase()} has the rates asked for again, and says why`, async () => {
      const { talk, context, draft } = await walked([
        ...PLAIN,
        ...change(title),
        ...answers,
        ...(title === "Receiver" || title === "Collection"
          ? [["Is either place a home?", ENTER] as const]
          : []),
        ["Which service", ENTER],
        ...(title === "Collection" ? [["Email at the place of collection", ENTER] as const] : []),
        ...BOOK,
      ])
      expect(talk.said).toContain(`Since ${why} changed, the rates are asked for again.`)
      expect(context.asked).toHaveLength(2)
      expect(draft.rate?.quoteId).toBe("quote-2")
    })

  it("of the hour alone keeps the rate", async () => {
    const { context } = await walked([
      ...PLAIN,
      ...change("Times"),
      ["When is it ready", "Mon 23 Nov, 13:00"],
      ["When do the premises close?", ENTER],
      ...BOOK,
    ])
    expect(context.asked).toHaveLength(1)
  })

  it("of the sender moves a collection that was at the sender's", async () => {
    const { talk, draft } = await walked([
      ...PLAIN,
      ...change("Sender"),
      ["Who sends it?", "darwin"],
      ["Is either place a home?", ENTER],
      ["Which service", ENTER],
      ["Email at the place of collection", ENTER],
      ...BOOK,
    ])
    expect(draft.request.collection).toEqual(DARWIN)
    expect(talk.said).toContain("The goods are collected at the sender's new address.")
    expect(talk.said).toContain("The times are now in Darwin time.")
  })

  it("to another place keeps what was said of carrier A's window for its rates", async () => {
    const { talk, draft } = await walked([
      ...PLAIN.slice(0, 8),
      ["Which service", "9:00 Express"],
      ...PLAIN.slice(9),
      ...change("Times"),
      ["When is it ready", "Mon 23 Nov, 13:00"],
      ["When do the premises close?", "14:00"],
      ["Carrier A would refuse", "Keep them"],
      ["Which service", "Standard"],
      ...BOOK,
    ])
    expect(talk.said.some((text) => text.startsWith("The rate of carrier A is dropped"))).toBe(true)
    expect(draft.rate?.carrier).toBe("CARRIER_C_AU")
  })

  it("to carrier A asks again who pays, where that was a third party", async () => {
    const { talk, draft } = await walked([
      ...PLAIN,
      ...change("Payer"),
      ["Who pays", "A third party"],
      ["Account to bill", "900"],
      ...change("Service"),
      ["Which service", "9:00 Express"],
      ["Who pays", ENTER],
      ["Book it?", "Book it: AUD 90.00, 9:00 Express, carrier A"],
    ])
    expect(talk.said).toContain("Carrier A does not bill a third party: who pays is asked again.")
    expect(draft.request.payer).toEqual({ type: "Sender" })
  })

  it("to another carrier leaves out what that one does not read, and says so", async () => {
    const { talk, draft } = await walked([
      ...PLAIN.slice(0, 8),
      ["Which service", "9:00 Express"],
      ["Your own reference", ENTER],
      ...change("Extras"),
      ["Anything more", "Hold at the depot"],
      ["Business days", "2"],
      ["Anything more", ENTER],
      ...change("Service"),
      ["Which service", "Standard"],
      ...BOOK,
    ])
    expect(talk.said).toContain("Note: left out, because this carrier ignores it: hold at the depot")
    expect(draft.request.keepInStore).toEqual({ numberOfDays: 2 })
  })
})

describe("time that passes", () => {
  /** The clock moves on while the person looks at the review, or at the confirmation. */
  const reading = async (lines: Line[], context: TestContext, at: "Book it" | "Book", ms: number) => {
    const talk = scripted(lines)
    let left = ms
    const pass = (question: string) => {
      if (!question.startsWith(at)) return
      context.advance(left)
      left = 0
    }
    const slow: typeof talk = {
      ...talk,
      choose(question, ...rest) {
        pass(question)
        return talk.choose(question, ...rest)
      },
      confirm(question, initial) {
        pass(question)
        return talk.confirm(question, initial)
      },
    }
    const draft = await walk(draftOf(), { ...context, conversation: slow })
    expect(talk.left).toEqual([])
    return { talk, draft }
  }

  it("of 48 hours has the rates asked for again before it is sent", async () => {
    const context = testContext({ saved: SAVED })
    const { talk, draft } = await reading(
      [...PLAIN, ...BOOK, ["Which service", ENTER], ...BOOK],
      context,
      "Book",
      49 * 3_600_000,
    )
    expect(talk.said).toContain("The rates are more than 48 hours old: they are asked for again.")
    expect(draft.rate?.quoteId).toBe("quote-2")
  })

  it("past the ready time asks for another before it is sent", async () => {
    const context = testContext({ saved: SAVED })
    const { draft } = await reading(
      [
        ...PLAIN,
        ...BOOK,
        ["When is it ready", ENTER],
        ["When do the premises close?", ENTER],
        ["Which service", ENTER],
        ...BOOK,
      ],
      context,
      "Book it",
      7 * 86_400_000,
    )
    expect(draft.request.collectionDateTime).toBe("2026-11-27T11:00:00")
  })

  it("before a draft is gone on with is seen at once", async () => {
    const context = testContext({ saved: SAVED })
    const start = await left([...PLAIN, ["Book it?", LEAVE]], context)
    context.advance(49 * 3_600_000)
    const { draft } = await walked([["Which service", ENTER], ...BOOK], { start, context })
    expect(draft.rate?.quoteId).toBe("quote-2")
  })
})

describe("a draft", () => {
  const all: Line[] = [...PLAIN, ...BOOK]
  for (const [at, [question]] of all.entries())
    it(`that was left at "${question}" is gone on with there, and nothing is asked twice`, async () => {
      if (at === 0) {
        await expect(
          walk(draftOf(), { ...testContext(), conversation: scripted([[question, LEAVE]]) }),
        ).rejects.toThrow("interrupted")
        return
      }
      const context = testContext({ saved: SAVED })
      const start = await left([...all.slice(0, at), [question, LEAVE] as [string, Reply]], context)
      // A booking that was confirmed is reviewed once more.
      const rest = at === all.length - 1 ? BOOK : all.slice(at)
      const { draft } = await walked(rest, { start, context })
      expect(draft.request.receiver).toEqual(PORT)
    })

  it("over which the command line laid other packages has its rates asked for again", async () => {
    const context = testContext({ saved: SAVED })
    const kept = await left([...PLAIN, ["Book it?", LEAVE]], context)
    const packages = [{ count: 9, lengthCm: 10, widthCm: 10, heightCm: 10, weightKg: 1 }]
    const start = { ...kept, request: { ...kept.request, packages } }
    const { talk } = await walked([["Which service", ENTER], ...BOOK], { start, context })
    expect(talk.said[0]).toBe("Since the packages changed, the rates are asked for again.")
  })

  it("keeps a change that was begun in the review", async () => {
    const context = testContext({ saved: SAVED })
    const start = await left([...PLAIN, ...change("Receiver"), ["Who receives it?", LEAVE]], context)
    const { draft } = await walked(
      [["Who receives it?", "darwin"], ["Is either place a home?", ENTER], ["Which service", ENTER], ...BOOK],
      { start, context },
    )
    expect(draft.request.receiver).toEqual(DARWIN)
  })
})
