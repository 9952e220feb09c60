/** The findings of a good request or reply with one place changed or gone: all that breaks a rule, and what does not. */
import { expect, it } from "vitest"
import { expectCases, showOutcome } from "../../cases.ts"
import { type Name, problems } from "./examples.ts"

it("an error says what breaks a rule, and nothing of what the contract allows", () =>
  expectCases(import.meta.dirname, "problems.txt", (line) => {
    const [, name = "", place = "", value] = /^(\w+) (\S*) ?(?:gone|= (.*))$/.exec(line) ?? []
    const path = place === "" ? [] : place.split("/").map((key) => (/^\d+$/.test(key) ? Number(key) : key))
    return showOutcome(problems(name as Name, path, value === undefined ? undefined : JSON.parse(value)))
  }))

it("a print takes 9,000,000 characters of base64, and no more", () => {
  expect(problems("PrintJobRequest", ["pdfBase64"], "A".repeat(9_000_000))).toEqual([])
  expect(problems("PrintJobRequest", ["pdfBase64"], "A".repeat(9_000_001))).toMatchObject([
    {
      keyword: "maxLength",
      message: "pdfBase64 must have at most 9,000,000 characters, and has 9,000,001",
      hint: "shorten it by 1",
    },
  ])
})
