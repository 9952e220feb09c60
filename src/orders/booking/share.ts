/** The share of deliveries that came in time. */
import type { ArrivalEvidence } from "./lane-evidence.ts"

/** How many deliveries came at most so many days after the promised day. */
export function countBy(daysLate: ArrivalEvidence["daysLate"], most: number): number {
  return daysLate.reduce((sum, [days, deliveries]) => (days <= most ? sum + deliveries : sum), 0)
}

/** The share of deliveries that came at most so many days after the promised day, from 0 to 1. @param slack less than 0: before it */
export function findShareBy(
  { daysLate, seen }: Pick<ArrivalEvidence, "daysLate" | "seen">,
  slack: number,
): number {
  return countBy(daysLate, slack) / seen
}

/** Deliveries of all lanes that weigh as much as this many of the lane itself. */
const OF_ALL_LANES = 20

/**
 * The share that is to be expected: the best of several lanes or carriers looks better than it is, as it also had luck. So
 * what the service does on all lanes counts like 20 deliveries more.
 */
export function expectShareBy(arrival: ArrivalEvidence, slack: number): number {
  const { allLanes, seen, daysLate } = arrival
  if (!allLanes) return findShareBy(arrival, slack)
  return (countBy(daysLate, slack) + OF_ALL_LANES * findShareBy(allLanes, slack)) / (seen + OF_ALL_LANES)
}
