/**
 * Two desks at one ledger, in every order in which the database can do what they ask of it. A desk is stopped at each of
 * its database calls, and the test chooses who goes on. What needs no order is given none: reading only what nobody here
 * writes (bookings), and waiting for a lock that the other desk holds. In SQLite a transaction is one step, because a
 * second writer waits for its end, and a reader sees what was there before it; in PostgreSQL each statement is.
 */
import type { Database, Statements, Transaction } from "../../../src/ledger/database/database.ts"

type Act = (database: Database) => Promise<unknown>

interface Desk {
  state: "running" | "waiting" | "done"
  /** Names that it waits for. */
  wanted: readonly string[]
  held: readonly string[]
  release(): void
  result: PromiseSettledResult<unknown> | undefined
}

/** Who went on at each step, and who else could have. */
interface Course {
  chosen: number[]
  couldBoth: boolean[]
}

/** More orders than this are not "in the small": the test would not end. */
const MOST_ORDERS = 5_000

/**
 * Runs two acts in every order.
 * @param open a new ledger with the same content, opened by both desks
 * @param look called when both have ended, with how each ended
 * @returns how many orders there are
 */
export async function runInEveryOrder(
  acts: readonly [Act, Act],
  open: () => Promise<readonly [Database, Database]>,
  look: (results: readonly PromiseSettledResult<unknown>[], course: readonly number[]) => Promise<void>,
): Promise<number> {
  let prefix: number[] = []
  for (let count = 1; ; count++) {
    if (count > MOST_ORDERS) throw new RangeError(`more than ${MOST_ORDERS} orders`)
    const { results, course } = await runInOrder(acts, await open(), prefix)
    await look(results, course.chosen)
    const last = course.chosen.findLastIndex((desk, at) => desk === 0 && course.couldBoth[at])
    if (last < 0) return count
    prefix = [...course.chosen.slice(0, last), 1]
  }
}

/** @param prefix which desk goes on, step by step; after it the first that can */
async function runInOrder(
  acts: readonly [Act, Act],
  databases: readonly [Database, Database],
  prefix: readonly number[],
) {
  let wake = () => {}
  const desks = acts.map((): Desk => {
    return { state: "running", wanted: [], held: [], release: () => {}, result: undefined }
  })
  const ended = acts.map(async (act, at) => {
    const desk = desks[at] as Desk
    const [result] = await Promise.allSettled([
      act(stopAtCalls(databases[at] as Database, desk, () => wake())),
    ])
    desk.result = result
    desk.state = "done"
    wake()
  })
  const course: Course = { chosen: [], couldBoth: [] }
  for (;;) {
    while (desks.some(({ state }) => state === "running"))
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    const able = desks.flatMap((desk, at) => {
      const held = desks[1 - at]?.held ?? []
      return desk.state === "waiting" && !desk.wanted.some((name) => held.includes(name)) ? [at] : []
    })
    if (able.length === 0) break
    const wished = prefix[course.chosen.length]
    const next = wished !== undefined && able.includes(wished) ? wished : (able[0] as number)
    course.chosen.push(next)
    course.couldBoth.push(able.length > 1)
    const desk = desks[next] as Desk
    desk.state = "running"
    desk.release()
  }
  await Promise.all(ended)
  const results = desks.flatMap(({ result }) => result ?? [])
  return { results, course }
}

/** What nobody here writes. */
const BOOKINGS = /\bfrom (?:sends|journeys)\b/
const WRITTEN = /\b(?:bills|billed|disputes|dispute_steps|credits|postings)\b/

function stopAtCalls(database: Database, desk: Desk, wake: () => void): Database {
  const stop = (wanted: readonly string[] = []) =>
    new Promise<void>((resolve) => {
      Object.assign(desk, { state: "waiting", wanted, release: resolve })
      wake()
    })
  const stopping = (statements: Statements) => ({
    async all(sql: string, parameters?: Parameters<Statements["all"]>[1]) {
      if (WRITTEN.test(sql) || !BOOKINGS.test(sql)) await stop()
      return statements.all(sql, parameters)
    },
    async run(sql: string, parameters?: Parameters<Statements["run"]>[1]) {
      await stop()
      return statements.run(sql, parameters)
    },
    now: () => statements.now(),
  })
  return {
    ...database,
    ...stopping(database),
    async transaction(work) {
      if (database.dialect === "sqlite") {
        await stop()
        return database.transaction(work)
      }
      try {
        return await database.transaction(async (transaction) => {
          const inside: Transaction = {
            ...transaction,
            ...stopping(transaction),
            async lock(names) {
              await stop(names)
              await transaction.lock(names)
              desk.held = [...desk.held, ...names]
            },
          }
          const result = await work(inside)
          await stop()
          return result
        })
      } finally {
        desk.held = []
      }
    },
  }
}
