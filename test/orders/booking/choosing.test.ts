/** Choosing by what happened, in a planted world. */
import { it } from "vitest"
import { checkAims } from "./choosing-aims.ts"

it("the choice is nearly as cheap as one with the truth known, and in time as often as it says", () => {
  checkAims(1, 2_000)
})
