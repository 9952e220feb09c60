/** The zones and states that the contract knows; single texts are in texts/zones.txt. */
import { expect, it } from "vitest"
import { CONTRACT_ZONES, STATE_CODES } from "../../src/contract/zones.ts"

it("knows seven distinct zones, all of which Node has, and eight states", () => {
  const cities = ["Adelaide", "Brisbane", "Darwin", "Hobart", "Melbourne", "Perth", "Sydney"]
  expect([...CONTRACT_ZONES].sort()).toEqual(cities.map((city) => `Australia/${city}`))
  expect(CONTRACT_ZONES.filter((zone) => !Intl.supportedValuesOf("timeZone").includes(zone))).toEqual([])
  expect(STATE_CODES).toHaveLength(8)
})
