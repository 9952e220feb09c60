/** One piece of work for all who ask while the one before is under way. */
import { setImmediate as nextTurn } from "node:timers/promises"

interface Asked<Item, Result> {
  item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

/**
 * Who asks in the same turn of the event loop is taken along, and who asks anew when the last group is done. A request
 * that is about to leave goes first: it takes two turns.
 */
async function company(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await nextTurn()
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
    for (await company(); queue.length > 0; await company()) {
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
