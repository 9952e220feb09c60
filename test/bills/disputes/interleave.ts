/**
 * Two desks at one ledger, in every order in which the database can do what they ask of it. A desk is stopped at each of
 * its database calls, and the test chooses who goes on. What needs no order is given none: reading only what nobody here
 * writes (bookings), waiting for a lock that the other desk holds, and two calls of which neither writes what the other
 * reads or writes ("sleep sets", of model checking). In SQLite a transaction is one step, because a second writer waits
 * for its end, and a reader sees what was there before it; in PostgreSQL each statement is.
 */
import type { Database, Statements, Transaction } from "../../../src/ledger/database/database.ts"

type Act = (database: Database) => Promise<unknown>

/** Tables that a call reads and writes. Undefined: any. */
type Touch = { reads: ReadonlySet<string>; writes: ReadonlySet<string> } | undefined

interface Desk {
  state: "running" | "waiting" | "done"
  /** Names that it waits for. */
  wanted: readonly string[]
  touch: Touch
  held: readonly string[]
  release(): void
  result: PromiseSettledResult<unknown> | undefined
}

/** Who went on at each step, and where the other is to be tried as well. */
interface Course {
  chosen: number[]
  isOpen: boolean[]
  /** It differs from one that was tried in the order of calls that do not meet. */
  isTried: boolean
}

/** More orders than this are not "in the small": the test would not end. */
const MAX_ORDERS = 5_000

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
  let looked = 0
  for (let count = 1; ; count++) {
    if (count > MAX_ORDERS) throw new RangeError(`more than ${MAX_ORDERS} orders`)
    const { results, course } = await runInOrder(acts, await open(), prefix)
    if (!course.isTried) {
      looked++
      await look(results, course.chosen)
    }
    const last = course.chosen.findLastIndex((desk, at) => desk === 0 && course.isOpen[at])
    if (last < 0) return looked
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
    return {
      state: "running",
      wanted: [],
      touch: undefined,
      held: [],
      release: () => {},
      result: undefined,
    }
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
  const course: Course = { chosen: [], isOpen: [], isTried: false }
  // The first desk has gone first here already: it waits until the other does what its call meets.
  let isAsleep = false
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
    const usual = able[isAsleep ? able.length - 1 : 0] as number
    const next = wished !== undefined && able.includes(wished) ? wished : usual
    course.chosen.push(next)
    course.isOpen.push(able.length > 1 && !isAsleep)
    if (next === 0 && isAsleep) course.isTried = true
    if (next === 1 && able.includes(0)) isAsleep = !meet(desks[0]?.touch, desks[1]?.touch)
    const desk = desks[next] as Desk
    desk.state = "running"
    desk.release()
  }
  await Promise.all(ended)
  const results = desks.flatMap(({ result }) => result ?? [])
  return { results, course }
}

function meet(one: Touch, other: Touch): boolean {
  if (!one || !other) return true
  const isMet = (writes: ReadonlySet<string>, touch: NonNullable<Touch>) =>
    [...writes].some((name) => touch.reads.has(name) || touch.writes.has(name))
  return isMet(one.writes, other) || isMet(other.writes, one)
}

function findTouch(sql: string): NonNullable<Touch> {
  const list = (pattern: RegExp) => new Set([...sql.matchAll(pattern)].map(([, table = ""]) => table))
  return {
    reads: list(/\b(?:from|join)\s+(\w+)/gi),
    writes: list(/\b(?:insert\s+into|update|delete\s+from)\s+(\w+)/gi),
  }
}

/** Tables that neither desk writes. */
const BOOKINGS = /\bfrom (?:sends|journeys)\b/
const WRITTEN = /\b(?:bills|billed|disputes|dispute_steps|credits|postings)\b/

function stopAtCalls(database: Database, desk: Desk, wake: () => void): Database {
  const stop = (touch: Touch, wanted: readonly string[] = []) =>
    new Promise<void>((resolve) => {
      Object.assign(desk, { state: "waiting", touch, wanted, release: resolve })
      wake()
    })
  /** @param written gets what the statements write */
  const stopping = (statements: Statements, written = new Set<string>()) => ({
    async all(sql: string, parameters?: Parameters<Statements["all"]>[1]) {
      if (WRITTEN.test(sql) || !BOOKINGS.test(sql)) await stopAt(sql, written)
      return statements.all(sql, parameters)
    },
    async run(sql: string, parameters?: Parameters<Statements["run"]>[1]) {
      await stopAt(sql, written)
      return statements.run(sql, parameters)
    },
    now: () => statements.now(),
  })
  const stopAt = async (sql: string, written: Set<string>) => {
    const touch = findTouch(sql)
    for (const table of touch.writes) written.add(table)
    await stop(touch)
  }
  return {
    ...database,
    ...stopping(database),
    async transaction(work) {
      if (database.dialect === "sqlite") {
        await stop(undefined)
        return database.transaction(work)
      }
      try {
        return await database.transaction(async (transaction) => {
          // Others see it at its end, and get what it has locked.
          const written = new Set<string>()
          const inside: Transaction = {
            ...transaction,
            ...stopping(transaction, written),
            async lock(names) {
              const locks = new Set(names.map((name) => `lock ${name}`))
              for (const lock of locks) written.add(lock)
              await stop({ reads: new Set(), writes: locks }, names)
              await transaction.lock(names)
              desk.held = [...desk.held, ...names]
            },
          }
          const result = await work(inside)
          await stop({ reads: new Set(), writes: written })
          return result
        })
      } finally {
        desk.held = []
      }
    },
  }
}
