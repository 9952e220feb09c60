/** Which words outside the rows of a bill say of all its amounts whether GST is in them. */
import { expect, it } from "vitest"
import { findBasisWords } from "../../src/bills/understand.ts"

it.each([
  ["All amounts exclude GST", "exGst"],
  ["Charges (excl. GST)", "exGst"],
  ["All charges are in Australian dollars and exclude GST", "exGst"],
  ["Prices do not include GST", "exGst"],
  ["GST is not included in these prices", "exGst"],
  ["All amounts include GST", "incGst"],
  ["These amounts do not exclude GST", "incGst"],
])("%s is of all: %s", (text, basis) => {
  expect(findBasisWords([[text]])?.basis).toBe(basis)
})

it.each([
  "GST free charges are marked with an asterisk",
  "No GST is charged on insurance charges",
  "Fuel levy charges excluding GST",
  "Tail lift charges include GST",
])("%s is of a part", (text) => {
  expect(findBasisWords([[text]])).toBeUndefined()
})

it("words about GST mean nothing where two texts contradict each other", () => {
  expect(findBasisWords([["All amounts exclude GST"], ["All amounts include GST"]])).toBeUndefined()
})

it.each([
  [["Charges (excl. GST)", "1,234.00"]],
  [["Charges (excl. GST)", "", "$1,234.00"]],
  [["Amount excl. GST 1,234.00"]],
])("words about GST mean nothing where they are the label of a sum: %s", (cells) => {
  expect(findBasisWords([cells])).toBeUndefined()
  expect(findBasisWords([cells.slice(0, 1).map((cell) => cell.replace(/ [\d,.]+$/, ""))])?.basis).toBe(
    "exGst",
  )
})
