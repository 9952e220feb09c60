import { expect, it } from "vitest"
import { createPlaces } from "../../../src/machine/places/judge.ts"
import { nameKey } from "../../../src/machine/places/list.ts"
import { loadPlaceList } from "../../../src/machine/places/load.ts"

const LETTERS = "abcdefghijklmnopqrstuvwxyz"
const SEED = 34
const ERRORS = 10_000

/** Numbers below `limit`, the same for each run. */
function createRandom(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * limit)
  }
}

/** The name with one letter added, missing, changed or swapped with the next, so that it can be seen. */
function misspell(name: string, random: (limit: number) => number): string {
  const at = random(name.length)
  const letter = LETTERS[random(LETTERS.length)] ?? "x"
  const [before, here = "", next = "", after] = [
    name.slice(0, at),
    name[at],
    name[at + 1],
    name.slice(at + 2),
  ]
  const made = [
    before + letter + name.slice(at),
    before + name.slice(at + 1),
    before + letter + name.slice(at + 1),
    before + next + here + after,
  ][random(4)]
  return made === undefined || nameKey(made) === nameKey(name) || nameKey(made) === ""
    ? misspell(name, random)
    : made
}

it("tells 10,000 one-letter errors, and what was meant", async () => {
  const list = await loadPlaceList()
  const places = createPlaces(list)
  const random = createRandom(SEED)
  const all = [...list.byPostcode.values()].flat()
  let [told, right] = [0, 0]
  for (let error = 0; error < ERRORS; error++) {
    const { name, states, postcode } = all[random(all.length)] ?? { name: "", states: [], postcode: "" }
    const suburb = misspell(name, random)
    const doubt = places.findDoubt({ suburb, state: states[0] ?? "", postcode })
    if (doubt) told++
    if (doubt?.near.some((each) => each.suburb === name && each.postcode === postcode)) right++
  }
  expect(told).toBeGreaterThanOrEqual(ERRORS * 0.99)
  expect(right).toBeGreaterThanOrEqual(ERRORS * 0.95)
})
