/** Payments of several bills that are stopped at any call of the database: all of them are recorded, or none. */
import { expect, it, onTestFinished } from "vitest"
import type { Database, Transaction } from "../../../src/ledger/database/database.ts"
import { openSqlite } from "../../../src/ledger/database/sqlite.ts"
import { migrate } from "../../../src/ledger/schema.ts"
import { driver, storeIn, testClock } from "../../ledger/setup.ts"
import { auditing, bookAll, paying, posting, unpaying } from "../disputes/two-clerks.ts"

const BILLS = ["B-1", "B-2", "B-3"]

/** Ends a transaction before its call number `at`, as a process that is killed does. */
function stopping(database: Database, at: number): Database {
  let calls = 0
  const stop = () => {
    if (calls++ === at) throw new Error("stopped")
  }
  const stoppingIn = (transaction: Transaction) =>
    new Proxy(transaction, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name)
        if (typeof value !== "function") return value
        return (...given: unknown[]) => {
          stop()
          return value.apply(target, given)
        }
      },
    })
  return new Proxy(database, {
    get(target, name) {
      if (name === "transaction")
        return (work: (transaction: Transaction) => Promise<unknown>) =>
          target.transaction(async (transaction) => {
            const result = await work(stoppingIn(transaction))
            stop()
            return result
          })
      const value: unknown = Reflect.get(target, name)
      return typeof value === "function" ? value.bind(target) : value
    },
  })
}

it("payments are recorded whole or not at all, and once when they are recorded again", async () => {
  const database = openSqlite(":memory:", { driver, clock: testClock() })
  onTestFinished(() => database.close())
  await migrate(database)
  await bookAll(storeIn(database), { K1: 1000, K2: 2000, K3: 3000 })
  for (const [at, number] of BILLS.entries()) {
    const bill = { number, charges: { [`K${at + 1}`]: 1000 * (at + 1) } }
    await auditing(bill)(database)
    await posting(bill)(database)
  }
  const count = async () => (await database.all("select * from payments")).length
  let calls = 0
  for (; ; calls++) {
    const ended = await paying(BILLS)(stopping(database, calls)).then(
      () => "recorded",
      (error: Error) => error.message,
    )
    if (ended === "recorded") break
    expect([ended, await count()]).toEqual(["stopped", 0])
  }
  expect(calls).toBeGreaterThan(8)
  expect(await count()).toBe(BILLS.length)
  expect(await paying(BILLS)(database)).toMatchObject(BILLS.map(() => ({ isNew: false })))
  // Taking back, too.
  for (let at = 0; ; at++) {
    const ended = await unpaying("B-2")(stopping(database, at)).then(
      () => "recorded",
      (error: Error) => error.message,
    )
    if (ended === "recorded") break
    expect([ended, await count()]).toEqual(["stopped", BILLS.length])
  }
  expect(await count()).toBe(BILLS.length + 1)
})
