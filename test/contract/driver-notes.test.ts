/** Notes for the driver that ask for a service that the price does not include. */
import { describe, expect, it } from "vitest"
import { findHomeNote, noteWarnings } from "../../src/contract/driver-notes.ts"

describe("a note for the driver", () => {
  it.each([
    "home del, leave at door",
    "Home Delivery please",
    "residential delivery",
    "this is a private house",
    "RESIDENTIAL  ADDRESS",
    "home  delivery\nring first",
    "deliver to home",
    "delivered to a private address",
  ])("%j says that the place is a home", (note) => {
    expect(findHomeNote(note, {})).toBeDefined()
    expect(noteWarnings(note, {})).toHaveLength(1)
  })

  it.each([
    "leave at door",
    "home delivered furniture store, dock 3",
    "Home Depot, rear dock",
    "deliver to dock 2",
    "phone home office first",
    "private road, use gate B",
    "homely delivery",
    "",
    undefined,
    ["home delivery"],
  ])("%j says nothing of a home", (note) => {
    expect(noteWarnings(note, {})).toEqual([])
  })

  it.each([
    "Tail lift needed",
    "needs taillift",
    "tail-gate truck",
    "TAILGATE",
  ])("%j asks for a tail lift", (note) => {
    expect(noteWarnings(note, {})[0]?.message).toMatch(
      /^specialInstructions asks for ".*", which is not in any price$/,
    )
  })

  it.each([true, false])("is not doubted where the order says whether it is a home (%s)", (home) => {
    expect(noteWarnings("home delivery", { "receiver.residential": home })).toEqual([])
  })

  it("names the flag and the column that say so", () => {
    const [warning] = noteWarnings("home del", undefined)
    expect(warning).toMatchObject({
      path: "specialInstructions",
      hint: expect.stringContaining("--to-residential"),
    })
  })
})
