/** The same in a whole world whose carriers become better or worse, and after one bad week. */
import { expect, it } from "vitest"
import { checkAims } from "./choosing-aims.ts"
import { ship } from "./choosing-markets.ts"

it("the choice is nearly as cheap as one with the truth known, and in time as often as it says; its intervals hold the share", () => {
  const { intervals, right } = checkAims(3)
  expect(right / intervals).toBeGreaterThan(0.93)
})

it("the choice does not leave a carrier out for half a year for one bad week", () => {
  const [first, last] = [60, 67]
  /** How often each carrier is chosen from a fortnight after the week on, when all is known of it. */
  const count = (bad?: number) => {
    const chosen = [0, 0, 0]
    ship(4, "reliable", {
      bookings: 2_500,
      hit: (carrier, day) => (carrier === bad && day >= first && day < last ? 0.95 : 0),
      onChosen: (carrier, day) => {
        if (day >= last + 14) chosen[carrier] = (chosen[carrier] ?? 0) + 1
      },
    })
    return chosen
  }
  const usual = count()
  const most = usual.indexOf(Math.max(...usual))
  expect(count(most)[most]).toBeGreaterThan((usual[most] ?? 0) * 0.6)
})
