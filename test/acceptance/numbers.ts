/** Chance that can be had again. */

/**
 * Numbers from 0 to 1, the same ones for the same seed (mulberry32). `seed()` is the seed with which they go on from where
 * they are.
 */
export function numbersFrom(seed: number): (() => number) & { seed(): number } {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return Object.assign(next, { seed: () => state >>> 0 })
}
