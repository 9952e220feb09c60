import { expect, it } from "vitest"
import { withHint } from "../../src/base/parsed.ts"

it.each([
  ["is missing", "write it in kg", "is missing: write it in kg"],
  ["is missing", undefined, "is missing"],
  [
    "did you mean Hobart TAS 7000?",
    "--fix-places writes Hobart TAS 7000",
    "did you mean Hobart TAS 7000? --fix-places writes Hobart TAS 7000",
  ],
  ["It may be Perth WA 6000.", "write its postcode", "It may be Perth WA 6000. Write its postcode"],
  ["Is it right?", "freight places add keeps it", "Is it right? freight places add keeps it"],
])("a hint follows %j without two marks in a row", (message, hint, text) => {
  expect(withHint(message, hint)).toBe(text)
})
