// npm run bench -- places: how many places are looked up in a second, in the list of localities.
import { readFileSync } from "node:fs"
import path from "node:path"
import { fromSource } from "../../scripts/from-source.mjs"
import { root } from "./measure.mjs"

/** Each row of the list, several times over; and how long the list takes to load. */
export async function rows() {
  return fromSource("test/bench/places.ts", async ({ createPlaces, loadPlaceList }) => {
    const begun = performance.now()
    const places = createPlaces(await loadPlaceList())
    const loaded = performance.now()
    const [, ...lines] = readFileSync(path.join(root, "data/localities.csv"), "utf8").trim().split("\n")
    const all = lines.map((line) => {
      const [suburb, states, postcode] = line.split(",")
      return { suburb, state: states.split("|")[0], postcode }
    })
    const started = performance.now()
    for (let round = 0; round < ROUNDS; round++) for (const place of all) places.findDoubt(place)
    const perSecond = (all.length * ROUNDS * 1000) / (performance.now() - started)
    const row = { ratio: "", "peak MB": "" }
    return [
      { what: "places", command: "load the list", took: `${Math.round(loaded - begun)} ms`, ...row },
      { what: "places", command: "look-ups", took: `${Math.round(perSecond / 1000)},000 a second`, ...row },
    ]
  })
}

const ROUNDS = 20
