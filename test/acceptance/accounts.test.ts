/** Two warehouses with orders of the same numbers, whose API keys may be of one account, in one ledger. */
import { readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { expect, it } from "vitest"
import type { Summary } from "../../src/orders/batch/summary.ts"
import { ownBooking } from "./bookings.ts"
import { desk, errorIn } from "./freight.ts"
import { bookedBy } from "./kills.ts"
import { order, saveOrders } from "./orders.ts"
import { ownSandbox } from "./own-sandbox.ts"
import { atTerminal, hasTerminal } from "./pty.ts"

/** Two desks of two tenants on the ledger of the first, at a time that is moved. */
async function twoWarehouses() {
  const sandbox = await ownSandbox()
  const clock = { now: Date.now() }
  let ledger: string | undefined
  const warehouse = async (name: string, key: string, connector: string, references: string[]) => {
    const made = await desk(sandbox)
    ledger ??= path.join(made.state, "ledger.db")
    const rows = references.map((reference) => order(reference, { connector }))
    await saveOrders(made.folder, rows)
    const env = {
      FREIGHT_API_KEY: sandbox.keys[key] ?? "",
      FREIGHT_LEDGER: ledger,
      FREIGHT_WORKSTATION: name,
    }
    const freight = (...args: string[]) => made.freight(args, { env, now: clock.now })
    const answer = (args: readonly string[], type: string) =>
      atTerminal(args, { ...made.env, ...env }, [{ see: "(y/N)", type }])
    return {
      freight,
      atTerminal: answer,
      save: (file: string, text: string) => writeFile(path.join(made.folder, file), text),
      batch: () => freight("batch", "book", "orders.csv", "--no-rate", "--json"),
      results: () => readFile(path.join(made.folder, "orders.results.csv"), "utf8"),
    }
  }
  const north = await warehouse("bench-1", "freight", "connector-b", ["1001", "1002"])
  const south = await warehouse("office", "thirdTenantFreight", "third-b", ["1001", "1002", "2001"])
  const books = async () => bookedBy(await sandbox.control("books"))
  return { sandbox, warehouse, north, south, clock, books }
}

it("a batch holds back the other's order numbers, books the rest, and all once both keys were asked twice", async () => {
  const { north, south, clock, books } = await twoWarehouses()
  expect((await north.batch()).code).toBe(0)
  const first = await south.batch()
  expect(first.json()).toMatchObject({ booked: 1, failed: 2, invalid: 0 })
  expect(first.code).toBe(1)
  expect(errorIn(first.stderr).errors.map(({ message }: { message: string }) => message)).toEqual(
    ["1001", "1002"].map((reference, n) =>
      expect.stringMatching(
        `^row ${n + 2} \\(${reference}\\): sent on .* at bench-1 with another API key \\(\\w{12}\\): held back until`,
      ),
    ),
  )
  expect(await south.results()).toMatch(/^1001,.*,failed,.*\n1002,.*,failed,.*\n2001,.*,booked,/m)
  const status = await south.freight("batch", "status", "orders.csv", "--json")
  expect(status.json()).toMatchObject({ booked: 1, failed: 2, waiting: 0, invalid: 0 })
  for (let times = 0; times < 2; times++) {
    clock.now += 61_000
    expect((await north.batch()).json()).toMatchObject({ booked: 2, recorded: 2 })
    await south.batch()
  }
  expect((await south.batch()).json()).toMatchObject({ booked: 3, recorded: 3 })
  expect([...(await books())].map(([reference, ids]) => [reference, ids.length]).sort()).toEqual([
    ["1001", 2],
    ["1002", 2],
    ["2001", 1],
  ])
})

it("--max-total counts what is held back: it is booked already, or it will be", async () => {
  const { north, south, books } = await twoWarehouses()
  const spent = (await north.freight("batch", "book", "orders.csv", "--json")).json<Summary>().totals
  expect(spent).toMatchObject([{ amount: 127.8 }])
  const limited = await south.freight("batch", "book", "orders.csv", "--max-total", "127.80", "--json")
  expect([limited.code, errorIn(limited.stderr).message]).toEqual([
    2,
    expect.stringMatching(/may cost 210\.87 in total with GST, over --max-total 127\.80; nothing was sent/),
  ])
  expect((await books()).has("2001")).toBe(false)
})

it.runIf(hasTerminal)(
  "at a terminal freight asks about the rows to book, without those that are held back",
  async () => {
    const { north, south } = await twoWarehouses()
    await north.batch()
    const { code, screen } = await south.atTerminal(["batch", "book", "orders.csv"], "n\r")
    expect(screen).toMatch(/Book 1 consignment for AUD \d+\.\d\d.*\?/)
    expect(code).toBe(2)
  },
)

it("an order by hand is refused with both keys and what to do, and goes through once the accounts have names", async () => {
  const { north, south } = await twoWarehouses()
  await north.batch()
  await south.save("booking.json", JSON.stringify(ownBooking()))
  const book = () =>
    south.freight("book", "--file", "booking.json", "--key", "1001", "--connector", "third-c", "--json")
  const refused = await book()
  expect(refused.code).toBe(2)
  const error = errorIn(refused.stderr)
  expect(error).toMatchObject({
    kind: "input",
    retry: "after",
    retryAfter: 60,
    next: "freight ledger status",
  })
  expect(error.message).toMatch(/the key 1001 .* at bench-1 .*\(\w{12}\).* yours \(\w{12}, office\)/)
  const [, key = ""] = /\((\w{12})\)/.exec(error.message) ?? []
  expect((await south.freight("book", "--file", "booking.json", "--key", "1001")).stderr).toContain(
    "freight config set account NAME",
  )
  const named = await south.freight("ledger", "account", key, "north", "--json")
  expect([named.code, named.json()]).toMatchObject([0, { apiKey: key, account: "north", before: null }])
  expect((await south.freight("config", "set", "account", "south")).code).toBe(0)
  expect((await book()).code).toBe(0)
})

it("reconcile with a new key settles what another key of its account has sent, and takes nothing of another account", async () => {
  const { sandbox, warehouse, north, south } = await twoWarehouses()
  await north.save("booking.json", JSON.stringify(ownBooking()))
  await sandbox.control("faults", { fault: "drop-after-commit:x1@POST/shipments" })
  const sent = ["book", "--file", "booking.json", "--key", "1001", "--connector", "connector-c", "--no-rate"]
  expect((await north.freight(...sent)).code).toBe(7)
  const other = await south.freight("reconcile", "--json")
  expect(other.code).toBe(7)
  expect(other.items()).toMatchObject([{ key: "1001", outcome: "cannot-tell" }])
  const renewed = await warehouse("bench-2", "freight2", "connector-c", [])
  expect((await renewed.freight("reconcile", "--json")).items()).toMatchObject([
    { key: "1001", outcome: "settled" },
  ])
})
