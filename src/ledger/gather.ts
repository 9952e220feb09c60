/** One piece of work for all who ask while the one before is under way. */
import { AFTER_REQUESTS, turns } from "../turns.ts"

interface Asked<Item, Result> {
  item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

/**
 * @param work takes the items in the order in which they were asked for, and gives a result for each; when it fails, it
 * has failed for all of them
 * @param most items at once
 */
export function gathered<Item, Result>(
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
  most: number,
): (item: Item) => Promise<Result> {
  const queue: Asked<Item, Result>[] = []
  let isRunning = false

  const run = async () => {
    isRunning = true
    // Who asks meanwhile is taken along; so is who asks anew because the group before was done.
    for (await turns(AFTER_REQUESTS); queue.length > 0; await turns(AFTER_REQUESTS)) {
      const group = queue.splice(0, most)
      try {
        const results = await work(group.map(({ item }) => item))
        for (const [n, { resolve }] of group.entries()) resolve(results[n] as Result)
      } catch (error) {
        for (const { reject } of group) reject(error)
      }
    }
    isRunning = false
  }

  return (item) =>
    new Promise((resolve, reject) => {
      queue.push({ item, resolve, reject })
      if (!isRunning) void run()
    })
}
