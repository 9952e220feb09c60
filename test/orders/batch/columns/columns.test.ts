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

it("has a title for each field that reads in a sentence, and is not a name of JSON", () => {
  const titles = batchColumns().fields.map(({ title }) => title)
  expect(titles.length).toBeGreaterThan(100)
  expect(titles.filter((title) => !/^(?:the|your|who|whether|how|"[A-Z])/.test(title))).toEqual([])
  expect(
    titles.filter((title) => /\p{Ll}\p{Lu}|\[\d|\w\.\w|the (?:your|who|whether|how)/u.test(title)),
  ).toEqual([])
  // Fields are told apart, but for the two pools of pallets, which no heading means.
  const alike = titles.filter((title, at) => titles.indexOf(title) !== at)
  expect(alike.filter((title) => !title.endsWith("of the pallets"))).toEqual([])
})
