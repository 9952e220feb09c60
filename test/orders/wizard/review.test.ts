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
  it("that stands for another booking is in the way, and no other key is offered", async () => {
    const world = worldWith(() => ({ taken: OTHER }))
    const { talk, draft } = await walked([...PLAIN, ["Book it?", "Leave it for later"]], { start, world })
    expect(talk.said).toContain(`Cannot be booked: ${OTHER}`)
    expect(talk.said).not.toContain("another key")
    expect(draft).toMatchObject({ key: "PO-7", at: { step: "later" } })
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
