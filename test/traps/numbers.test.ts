import { readdirSync, readFileSync } from "node:fs"
import path from "node:path"
import { expect, it } from "vitest"

/** How many traps there are: places where the obvious reading of a contract is wrong. */
const TRAPS = 46

it("each trap has its test, by its number", () => {
  const texts = readdirSync(import.meta.dirname).map((name) =>
    readFileSync(path.join(import.meta.dirname, name), "utf8"),
  )
  const numbers = texts.flatMap((text) =>
    Array.from(text.matchAll(/\("(\d+)\. /g), ([, number]) => Number(number)),
  )
  expect([...new Set(numbers)].sort((one, other) => one - other)).toEqual(
    Array.from({ length: TRAPS }, (_, at) => at + 1),
  )
})
