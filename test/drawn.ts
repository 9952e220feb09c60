/** Some of many cases that take long. */

/** 1 tries all. */
const EVERY = Number(process.env.FREIGHT_TEST_EVERY ?? 8)
/** Random cases and measurements of memory need at least a quarter of a whole run to be reliable. */
const LEAST = 4
/** A run with another number tries other cases. */
const OFFSET = Number(process.env.FREIGHT_TEST_OFFSET ?? 0)

/** @returns the first case, and each eighth of the others; which ones, the environment says */
export function draw<T>(cases: readonly T[]): T[] {
  return cases.filter((_, at) => isDrawn(at))
}

/** @returns whether `draw` takes the case at this index */
export function isDrawn(at: number): boolean {
  return at === 0 || at % EVERY === OFFSET % EVERY
}

/** @returns how many random cases a run tries, where a whole one tries so many: a quarter at least */
export function share(runs: number): number {
  return Math.ceil(runs / Math.min(EVERY, LEAST))
}
