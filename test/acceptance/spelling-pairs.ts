/** Books an order by each pair of doors, with its number spelled in two ways. */
import { expect } from "vitest"
import { countByShop, type Door, type Numbered, openDoors, type Said } from "./doors.ts"
import { desk } from "./freight.ts"
import type { RunningSandbox } from "./sandbox.ts"

type Spelling = (n: number) => readonly [first: string, second: string]

/** So many numbers are used by now: they are not to be used again in a sandbox. */
let used = 10_000

/**
 * @param doors that are tried with each other
 * @param choose the spelling of a pair, by the places of its doors
 * @returns a line for each first door, with the bookings that it made together with each second one
 */
export async function tryPairs(
  sandbox: RunningSandbox,
  doors: readonly Door[],
  choose: (first: number, second: number) => Spelling | undefined,
): Promise<string[]> {
  const book = openDoors(await desk(sandbox))
  const pairs = doors.flatMap((first, row) =>
    doors.map((second, column) => {
      const [one, two] = choose(row, column)?.(++used) ?? ["", ""]
      return { first, second, shop: `Shop ${used}`, one, two, said: undefined as Said | undefined }
    }),
  )
  for (const door of doors) {
    const own = pairs.filter(({ first }) => first === door)
    await book(
      door,
      own.map(({ shop, one: number }): Numbered => ({ shop, number })),
    )
  }
  const before = await countByShop(sandbox)
  expect(pairs.filter(({ shop }) => before.get(shop) !== 1)).toEqual([])
  for (const door of doors) {
    const own = pairs.filter(({ second }) => second === door)
    const said = await book(
      door,
      own.map(({ shop, two: number }) => ({ shop, number })),
    )
    for (const [at, pair] of own.entries()) pair.said = said[at]
  }
  const after = await countByShop(sandbox)
  // It says under which number it was booked, or gives that booking again: where both doors make the same key of it.
  expect(
    pairs.filter(({ said, one, two }) => {
      const names = [`is another spelling of ${one}`, `duplicate of ${one}`]
      return (
        one.trim() !== two.trim() && (said?.code === 0 || !names.some((words) => said?.text.includes(words)))
      )
    }),
  ).toEqual([])
  return doors.map((door) => {
    const own = pairs.filter(({ first }) => first === door)
    return `${door}: ${own.map(({ shop }) => after.get(shop)).join(" ")}`
  })
}

/** One booking for each pair. */
export function listOnce(doors: readonly Door[]): string[] {
  return doors.map((door) => `${door}: ${doors.map(() => "1").join(" ")}`)
}
