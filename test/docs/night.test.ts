import { expect, it } from "vitest"
import { checkNight, FAULTS, hasProgram, LANGUAGES } from "./nights.ts"

for (const language of LANGUAGES)
  it.skipIf(!hasProgram(language))(
    `the night's script in ${language} loses no order and books, labels and prints none twice, under faults, beside another one, and stopped`,
    async () => {
      expect.hasAssertions()
      await checkNight(language, { faults: FAULTS, orders: 2, stopsAfter: 1, toAll: language === "bash" })
    },
  )
