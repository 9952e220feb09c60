/** The same in a whole world whose carriers become better or worse. */
import { expect, it } from "vitest"
import { checkAims } from "./choosing-aims.ts"

it("is nearly as cheap as one who knows, and in time as often as it says; its intervals hold the share", () => {
  const { intervals, right } = checkAims(3)
  expect(right / intervals).toBeGreaterThan(0.93)
})
