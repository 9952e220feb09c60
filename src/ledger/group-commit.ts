/** Group commit: requests made during one transaction are committed together in the next. */
import { FreightError } from "../base/errors.ts"
import { AFTER_REQUESTS, turns } from "../base/turns.ts"

interface Waiting<Item, Result> {
  item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

/**
 * @param commit takes the items in the order in which they were asked for, and gives a result for each. When one
 * item causes an error, each is committed separately; if the database fails (`FreightError`), all fail.
 * @param most items at once
 */
export function groupCommit<Item, Result>(
  commit: (items: readonly Item[]) => Promise<readonly Result[]>,
  most: number,
): (item: Item) => Promise<Result> {
  const queue: Waiting<Item, Result>[] = []
  let isRunning = false

  const commitGroup = async (group: readonly Waiting<Item, Result>[]) => {
    try {
      const results = await commit(group.map(({ item }) => item))
      for (const [n, { resolve }] of group.entries()) resolve(results[n] as Result)
    } catch (error) {
      if (group.length === 1 || error instanceof FreightError) for (const { reject } of group) reject(error)
      else for (const each of group) await commitGroup([each])
    }
  }

  const run = async () => {
    isRunning = true
    // A request that is about to be sent goes first: the disk can wait for some turns of the event loop.
    for (await turns(AFTER_REQUESTS); queue.length > 0; await turns(AFTER_REQUESTS))
      await commitGroup(queue.splice(0, most))
    isRunning = false
  }

  return (item) =>
    new Promise((resolve, reject) => {
      queue.push({ item, resolve, reject })
      if (!isRunning) void run()
    })
}
