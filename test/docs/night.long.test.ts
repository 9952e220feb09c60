import { expect, it } from "vitest"
import { draw } from "../drawn.ts"
import { checkNight, FAULTS, hasProgram, LANGUAGES } from "./nights.ts"

const NIGHTS = Array.from({ length: 10 }, (_, night) => night)

for (const language of LANGUAGES)
  it.skipIf(!hasProgram(language)).each(draw(NIGHTS))(
    `night %i of the script in ${language} ends with each order booked, labelled and printed once`,
    async (night) => {
      expect.hasAssertions()
      // Other faults and another moment each night.
      const faults = [
        ...FAULTS.slice(night % FAULTS.length),
        `500:0.0${night}@GET/shipments`,
        `502-after-commit:0.${night}@POST/print`,
      ]
      await checkNight(language, { faults, orders: 3, stopsAfter: 1 + (night % 3), toAll: night % 2 === 0 })
    },
    600_000,
  )
