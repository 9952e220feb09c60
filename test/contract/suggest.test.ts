import { describe, expect, it } from "vitest"
import { suggest } from "../../src/contract/suggest.ts"

describe("suggest", () => {
  const fields = ["sender", "receiver", "collection", "serviceCode"]

  it.each([
    ["recevier", "receiver"],
    ["Sender", "sender"],
    ["servicecode", "serviceCode"],
    ["colection", "collection"],
    ["collectoin", "collection"],
  ])("takes %s for %s", (word, meant) => {
    expect(suggest(word, fields)).toBe(meant)
  })

  it.each([
    "payer",
    "x",
    "",
    "r".repeat(100_000),
  ])("has nothing for a word that is not close (%#)", (word) => {
    expect(suggest(word, fields)).toBeUndefined()
  })

  it("prefers the closest candidate", () => {
    expect(suggest("labels", ["table", "label", "labour"])).toBe("label")
  })
})
