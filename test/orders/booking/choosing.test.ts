/** Choosing by what happened, in a planted world. */
import { it } from "vitest"
import { checkAims } from "./choosing-aims.ts"

it("is nearly as cheap as one who knows, and in time as often as it says", () => {
  checkAims(1, 2_000)
})
