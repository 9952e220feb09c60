/** How well choosing by earlier outcomes works in planted worlds. docs/testing.md has the results for many of them. */
import { expect } from "vitest"
import { ship } from "./choosing-markets.ts"

/**
 * @param bookings how many of the world's bookings to use, the first ones; all if left out
 * @returns how many intervals there were, and how many held the share
 */
export function checkAims(seed: number, bookings?: number): { intervals: number; right: number } {
  const some = bookings === undefined ? {} : { bookings }
  const [truth, value, cheapest, reliable] = [
    ship(seed, "truth", some),
    ship(seed, "best-value", some),
    ship(seed, "cheapest", some),
    ship(seed, "reliable", some),
  ]
  expect(value.late / truth.late, `seed ${seed}: dearer than one who knows`).toBeLessThan(1.02)
  expect(value.early / cheapest.early, `seed ${seed}: dearer than cheapest at first`).toBeLessThan(1.01)
  const gap = Math.abs(reliable.promised - reliable.onTime) / reliable.judged
  // Evidence lags behind when carriers become worse, and at first there is little of it.
  expect(gap, `seed ${seed}: promised and in time`).toBeLessThan(0.05)
  return value
}
