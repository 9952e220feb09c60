import { expect, it } from "vitest"
import { batchColumns } from "../../../../src/orders/batch/columns/columns.ts"

it("a misspelt heading is known after files with any number of others", () => {
  const guess = (header: string) => {
    const means = batchColumns().meaning(header)
    return "likely" in means ? means.likely() : means
  }
  for (let n = 0; n < 2_500; n++) guess(`another column ${n}`)
  expect(guess("Referense")).toBe("reference")
})
