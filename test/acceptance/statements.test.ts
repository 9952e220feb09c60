/** How often a command asks the ledger: what it takes does not vary from run to run as time does. */
import { writeFile } from "node:fs/promises"
import path from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { sqliteDriver } from "../../src/ledger/database/sqlite.ts"
import { systemSqlite } from "../../src/machine/builtin-sqlite.ts"
import { ownBooking } from "./bookings.ts"
import { desk, type Ran, type RunOptions } from "./freight.ts"
import { type RunningSandbox, startSandboxHere } from "./sandbox.ts"

const driver = await sqliteDriver(systemSqlite())
const asked: string[] = []

/** A database that keeps what it is asked, in place of Node's own. */
class DatabaseSync {
  readonly #connection: ReturnType<typeof driver>

  constructor(file: string) {
    this.#connection = driver(file)
  }

  exec(sql: string) {
    asked.push(sql)
    return this.#connection.exec(sql)
  }

  async prepare(sql: string) {
    const statement = await this.#connection.prepare(sql)
    const keep =
      <P extends unknown[], R>(act: (...parameters: P) => R) =>
      (...parameters: P): R => {
        asked.push(sql)
        return act.apply(statement, parameters)
      }
    return { all: keep(statement.all), run: keep(statement.run) }
  }

  close() {
    this.#connection.close()
  }
}

let sandbox: RunningSandbox
beforeAll(async () => {
  sandbox = await startSandboxHere()
})
afterAll(() => sandbox.stop())

const BOOK = ["book", "--connector", "connector-c", "--file", "booking.json", "--no-rate"]
const RATE_SHOP = [
  "rate-shop",
  ...["--from", "Alexandria NSW 2015", "--to", "Fremantle WA 6160", "--package", "1x40x30x20@5"],
]

/** With those that open the file and close it. */
const STATEMENTS = { book: 43, track: 19, history: 12, "rate-shop": 15 }

it("a command asks the ledger as often however much it holds", async () => {
  const { freight, folder } = await desk(sandbox, Date.now())
  const host = { sqlite: () => ({ DatabaseSync }) }
  const book = async (options?: RunOptions) => {
    await writeFile(path.join(folder, "booking.json"), JSON.stringify(ownBooking()))
    return freight(BOOK, options)
  }
  const runs: Record<string, () => Promise<Ran>> = {
    book: () => book({ host }),
    track: () => freight(["track", "DEMO-A-MOVING"], { host }),
    history: () => freight(["history"], { host }),
    "rate-shop": () => freight(RATE_SHOP, { host }),
  }
  // The first makes the tables, and the second is the first to look for what others booked.
  for (let count = 0; count < 2; count++) await book()
  for (const earlier of [2, 10]) {
    const counts: Record<string, number> = {}
    for (const [name, run] of Object.entries(runs)) {
      asked.length = 0
      const { code, stderr } = await run()
      expect(code, stderr).toBe(0)
      counts[name] = asked.length
    }
    expect(counts, `with ${earlier} earlier bookings`).toEqual(STATEMENTS)
    for (let count = earlier + 1; count < 10; count++) await book()
  }
})
