/** The review of a booking whose key the person gave, and of one whose service arrives later than wanted. */
import { describe, expect, it } from "vitest"
import type { Draft } from "../../../src/orders/wizard/draft.ts"
import type { KeyMeaning } from "../../../src/orders/wizard/context.ts"
import { BACK } from "../../../src/output/terminal/conversation/conversation.ts"
import { draftOf, NOW, rateOf, shippable, testContext } from "./bench.ts"
import { review } from "../../../src/orders/wizard/steps/review.ts"
import { ENTER, type Line, scripted } from "./scripted.ts"
import { BOOK, PLAIN, SAVED, walked } from "./walking.ts"

const start = draftOf({}, { key: "PO-7", isKeyGenerated: false })
const contextWith = (lookUpKey: (draft: Draft) => KeyMeaning) => testContext({ saved: SAVED, lookUpKey })
const OTHER = "the key PO-7 belongs to another booking, 2 packages to Darwin (shipment shp-1)"

describe("a key in the review", () => {
  it("of another booking prevents this one, and no other key is offered", async () => {
    const context = contextWith(() => ({ taken: OTHER }))
    const { talk, draft } = await walked([...PLAIN, ["Book it?", "Leave it for later"]], { start, context })
    expect(talk.said).toContain(`Cannot be booked: ${OTHER}`)
    expect(talk.said).not.toContain("another key")
    expect(draft).toMatchObject({ key: "PO-7", at: { step: "later" } })
  })

  it("with goods that were booked under another reference says so, and Enter books nothing", async () => {
    const context = contextWith(() => ({ same: "the same goods go to this receiver that day already: PO-6" }))
    const { talk, draft } = await walked([...PLAIN, ["Book it?", ENTER], ["Change what?", BACK], ...BOOK], {
      start,
      context,
    })
    expect(talk.said).toContain("Note: the same goods go to this receiver that day already: PO-6")
    expect(draft.at).toEqual({ step: "send" })
  })

  it("under which it was booked before shows that booking, and asks for no confirmation", async () => {
    const context = contextWith(() => ({
      recorded: "booked before under the key PO-7: it is not sent again",
    }))
    const { talk, draft } = await walked([...PLAIN, ["Book it?", "Show that booking"]], {
      start,
      context,
    })
    expect(talk.said).toContain("Note: booked before under the key PO-7: it is not sent again")
    expect(draft.at).toEqual({ step: "send" })
  })
})

it("the review names fields in words in what it says of the whole booking", async () => {
  const talk = scripted([["Book it?", "Leave it for later"]])
  const answers = { collectionDateTime: "2026-11-21T11:00:00", payer: { type: "Sender" } }
  const draft = { ...shippable(answers), rate: rateOf("CARRIER_B_AU") }
  await review.ask(draft, { ...testContext(), conversation: talk })
  expect(talk.said).toContain(
    "Note: the ready time is on a weekend (Sat 2026-11-21 11:00): not every carrier collects then",
  )
})

describe("a service that is too late for what was wished", () => {
  const LATE = "Book it anyway, although it may go later?"
  const rate = rateOf("CARRIER_B_AU")
  const wished = {
    ...shippable({
      ...{ collectionDateTime: "2026-11-20T16:00:00", customerReference: "SO-1" },
      payer: { type: "Sender" },
    }),
    wish: { withinDays: 30 },
    rate,
  }
  /** 15:20 in Sydney, after the cutoff. */
  const late = { now: NOW + 5 * 3_600_000 }
  const reviewed = async (lines: Line[], draft: Draft, options: Parameters<typeof testContext>[0]) => {
    const talk = scripted(lines)
    const answer = await review.ask(draft, { ...testContext(options), conversation: talk })
    expect(talk.left).toEqual([])
    return { talk, answer }
  }

  it("is asked about before it is sent, and goes with the answer", async () => {
    const lines: Line[] = [
      ["Book it?", "Book it:"],
      [LATE, true],
    ]
    const { talk, answer } = await reviewed(lines, wished, late)
    expect(talk.said).toContainEqual(expect.stringContaining("is too late for today (to be booked by 15:00)"))
    expect(answer).toMatchObject({ at: { step: "send" }, allowed: { pastCutoff: "told" } })
  })

  it("is not sent where it is not meant: it can be changed", async () => {
    const lines: Line[] = [
      ["Book it?", "Book it:"],
      [LATE, false],
      ["Book it?", "Change something"],
      ["Change what?", "Service:"],
    ]
    const { answer } = await reviewed(lines, wished, late)
    expect(answer).toMatchObject({ at: { step: "rates" } })
    expect(answer).toHaveProperty("allowed", undefined)
  })

  it.each([
    ["in time", wished, {}, "Book it:"],
    ["without a wish", { ...shippable(wished.request), rate }, late, "Book it:"],
    ["where that is allowed", { ...wished, allowed: { allowPast: true } }, late, "Book it:"],
    ["in a dry run", wished, { ...late, dryRun: true }, "Print"],
    [
      "that was booked before",
      wished,
      { ...late, lookUpKey: () => ({ recorded: "booked before" }) },
      "Show that booking",
    ],
  ])("is not asked about %s", async (_, draft, options, words) => {
    const { answer } = await reviewed([["Book it?", words]], draft, options)
    expect(answer).toMatchObject({ at: { step: "send" } })
  })
})
