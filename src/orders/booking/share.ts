/** The share of deliveries that came in time. */

/** Deliveries, or their shares, by how many days after the promised day they came. */
type ByDaysLate = readonly (readonly [days: number, amount: number])[]

/** How many deliveries came at most this many days after the promised day. */
export function countBy(daysLate: ByDaysLate, most: number): number {
  return daysLate.reduce((sum, [days, deliveries]) => (days <= most ? sum + deliveries : sum), 0)
}

/**
 * The share of deliveries that came at most this many days after the promised day, from 0 to 1. @param slack less than 0:
 * before it
 */
export function findShareBy(
  { daysLate, seen }: { daysLate: ByDaysLate; seen: number },
  slack: number,
): number {
  return countBy(daysLate, slack) / seen
}

/** The expected share of deliveries at most this many days after the promised day, from 0 to 1: see `expectDays`. */
export function expectShareBy({ expected }: { expected: ByDaysLate }, slack: number): number {
  return expected.reduce((sum, [days, share]) => (days <= slack ? sum + share : sum), 0)
}
