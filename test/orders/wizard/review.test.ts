/** What the review makes of a key that the person gave. */
import { describe, expect, it } from "vitest"
import type { Draft } from "../../../src/orders/wizard/draft.ts"
import type { KeyMeaning } from "../../../src/orders/wizard/context.ts"
import { BACK } from "../../../src/output/terminal/conversation/conversation.ts"
import { draftOf, testContext } from "./bench.ts"
import { ENTER } from "./scripted.ts"
import { BOOK, PLAIN, SAVED, walked } from "./walking.ts"

const start = draftOf({}, { key: "PO-7", isKeyGenerated: false })
const worldWith = (lookUpKey: (draft: Draft) => KeyMeaning) => testContext({ saved: SAVED, lookUpKey })
const OTHER = "the key PO-7 belongs to another booking, 2 packages to Darwin (shipment shp-1)"

describe("a key in the review", () => {
  it("that stands for another booking is in the way until there is another key", async () => {
    const world = worldWith(({ key }) => (key === "PO-7" ? { taken: OTHER } : {}))
    const { talk, draft } = await walked(
      [...PLAIN, ["Book it?", "Give it another key"], ["Key for this booking", "PO-8"], ...BOOK],
      { start, world },
    )
    expect(talk.said).toContain(
      "Cannot be booked: the key PO-7 belongs to another booking, 2 packages to Darwin (shipment shp-1)",
    )
    expect(draft).toMatchObject({ key: "PO-8", isKeyGenerated: false })
  })

  it("that is empty is none, and whoever goes back from it is in the review again", async () => {
    const world = worldWith(({ key }) => (key === "PO-7" ? { taken: OTHER } : {}))
    const { talk } = await walked(
      [
        ...PLAIN,
        ["Book it?", "Give it another key"],
        ["Key for this booking", BACK],
        ["Book it?", "Give it another key"],
        ["Key for this booking", ""],
        ["Key for this booking", "PO-8"],
        ...BOOK,
      ],
      { start, world },
    )
    expect(talk.refusals).toEqual(["The key is empty"])
  })

  it("with goods that were booked under another reference says so, and Enter books nothing", async () => {
    const world = worldWith(() => ({ same: "the same goods go to this receiver that day already: PO-6" }))
    const { talk, draft } = await walked([...PLAIN, ["Book it?", ENTER], ["Change what?", BACK], ...BOOK], {
      start,
      world,
    })
    expect(talk.said).toContain("Note: the same goods go to this receiver that day already: PO-6")
    expect(draft.at).toEqual({ step: "send" })
  })

  it("under which it was booked before shows that booking, and asks for no confirmation", async () => {
    const world = worldWith(() => ({ recorded: "booked before under the key PO-7: it is not sent again" }))
    const { talk, draft } = await walked([...PLAIN, ["Book it?", "Show that booking"]], {
      start,
      world,
    })
    expect(talk.said).toContain("Note: booked before under the key PO-7: it is not sent again")
    expect(draft.at).toEqual({ step: "send" })
  })
})
