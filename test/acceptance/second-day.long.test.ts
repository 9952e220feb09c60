/**
 * Two days of a shop: the line of the README, run on Monday's export and on Tuesday's, which overlaps it; killed on each
 * day, and run again. The sandbox's own books judge.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { createInterface } from "node:readline"
import { parse } from "csv-parse/sync"
import { describe, expect, it } from "vitest"
import type { Summary } from "../../src/orders/batch/summary.ts"
import { systemClock } from "../../src/machine/host.ts"
import { newDatabase, SERVER } from "../ledger/postgres.ts"
import { errorOf } from "./batches.ts"
import { desk, ensureBuilt, type Ran } from "./freight.ts"
import { bookedBy } from "./kills.ts"
import { type Order, order } from "./orders.ts"
import { MONDAY, TUESDAY } from "./shop-days.ts"
import { startSandboxProcess } from "./sandbox.ts"

const LINE = ["batch", "book", "shopify.csv", "--use-map", "shopify", "--ready", "tomorrow 10am"]
const DAY = 24 * 3_600_000
const KILLABLE = path.join(import.meta.dirname, "killable.mjs")

describe.each([
  { name: "SQLite", isThere: true, newLedger: async () => undefined },
  { name: "PostgreSQL", isThere: SERVER !== undefined, newLedger: () => newDatabase(true) },
])("two days of a shop, with a ledger in $name", ({ isThere, newLedger }) => {
  it.runIf(isThere)("book each order that is to be shipped once, and none of the others", async () => {
    const sandbox = await startSandboxProcess()
    try {
      await twoDays(sandbox, await newLedger())
    } finally {
      await sandbox.stop()
    }
  })
})

async function twoDays(sandbox: Awaited<ReturnType<typeof startSandboxProcess>>, ledger: string | undefined) {
  const made = await desk(sandbox)
  const file = path.join(made.folder, "shopify.csv")
  const env = { ...made.env, ...(ledger !== undefined && { FREIGHT_LEDGER: ledger }) }
  let ahead = 0
  const clock = { ...systemClock, now: () => Date.now() + ahead }
  // The killed run renews no lease: nobody has to be waited for.
  let elapsed = 0
  const hurried = { ...clock, sleep: async () => {}, elapsed: () => (elapsed += 10_000) }
  const freight = (...args: string[]) =>
    made.freight([...args, "--json"], { env, clock: args[0] === "reconcile" ? hurried : clock })
  const books = async () => bookedBy(await sandbox.control("books"))

  /** Runs the line, and kills it once so many orders are booked. */
  async function kill(after: number): Promise<void> {
    ensureBuilt()
    const child = spawn(process.execPath, [KILLABLE, ...LINE], {
      cwd: made.folder,
      env: { ...env, FREIGHT_TEST_AHEAD_MS: String(ahead) },
      stdio: ["ignore", "ignore", "ignore", "pipe"],
    })
    let booked = 0
    const moments = createInterface({ input: child.stdio[3] as NodeJS.ReadableStream })
    moments.on("line", (moment) => {
      if (moment === "after-outcome" && ++booked === after) child.kill("SIGKILL")
    })
    expect((await once(child, "close"))[1]).toBe("SIGKILL")
  }

  /** Runs the line until no outcome is unknown: a person releases what certainly was not made. */
  async function runToEnd(): Promise<Ran> {
    const ran = await freight(...LINE)
    if (ran.code !== 7) return ran
    const there = await books()
    for (const { Name = "", state } of await results())
      if (state === "unknown" && !there.has(Name))
        expect((await freight("reconcile", "--release", Name)).code).toBe(0)
    return runToEnd()
  }

  async function results(folder = made.folder) {
    const rows: Order[] = parse(await readFile(path.join(folder, "shopify.results.csv")), {
      columns: true,
    })
    return rows.map(({ Name, ...row }) => ({
      Name,
      ...Object.fromEntries(
        ["state", "shipment", "consignment", "price", "error"].map((name) => [name, row[`freight.${name}`]]),
      ),
    })) as Record<"Name" | "state" | "shipment" | "consignment" | "price" | "error", string>[]
  }

  await writeFile(path.join(made.folder, "sender.json"), JSON.stringify(SENDER))
  expect((await freight("address", "add", "warehouse", "--file", "sender.json")).code).toBe(0)
  expect((await freight("config", "set", "sender", "warehouse")).code).toBe(0)

  // Monday: the first line saves what every day is alike, and refuses to send anything while rows are damaged.
  await writeFile(file, MONDAY.fixed)
  const flags = ["--package", "30x20x10@2", "--packaging", "CT", "--close", "17:00", "--service", "cheapest"]
  const saved = await freight(
    ...LINE.slice(0, 3),
    ...flags,
    ...LINE.slice(-2),
    "--save-map",
    "shopify",
    "--dry-run",
  )
  expect(saved.code, saved.stderr).toBe(0)
  await writeFile(file, MONDAY.csv)
  const refused = await freight(...LINE)
  expect([refused.code, errorOf(refused).message]).toEqual([
    2,
    // Five of the twenty have no address at all: those stop nothing.
    "shopify.csv: 15 of 300 rows cannot be booked; nothing was sent",
  ])
  expect((await books()).size).toBe(0)
  await writeFile(file, MONDAY.fixed)
  await kill(100)
  const monday = await runToEnd()
  expect([monday.code, monday.json<Summary>()], monday.stderr).toMatchObject([
    0,
    { rows: 300, booked: 270, leftOut: 30, changed: 0, waiting: 0 },
  ])
  const first = new Map((await results()).map((row) => [row.Name, row]))
  expect([...first.values()].filter(({ state }) => state === "left-out").map(({ Name }) => Name)).toEqual(
    MONDAY.notShipped,
  )

  // Tuesday: the same line.
  ahead = DAY
  await sandbox.control("clock", { advanceMs: DAY })
  await writeFile(file, TUESDAY.csv)
  await kill(10)
  const tuesday = await runToEnd()
  const before = MONDAY.shipped.slice(27)
  expect([tuesday.code, tuesday.json<Summary>()], tuesday.stderr).toMatchObject([
    1,
    { rows: 300, booked: before.length - 3 + 27, changed: 3, leftOut: 30, invalid: 0, waiting: 0, failed: 0 },
  ])
  expect(errorOf(tuesday).errors?.map(({ message }) => message)).toEqual([
    expect.stringMatching(
      /\(#2112\): was booked on .* receiver street \(2112 Long Street, now 80 Short Lane\)$/,
    ),
    expect.stringMatching(/\(#2151\): was booked on .* receiver suburb \(.*, now Perth\)/),
    expect.stringMatching(/\(#2203\): was booked on .*, and has changed since: the shop says refunded$/),
  ])
  // Some consignment numbers come later: another run fills them in, and sends nothing.
  await sandbox.control("clock", { advanceMs: 600_000 })
  const again = await freight(...LINE)
  const booked = tuesday.json<Summary>()
  const now = { booked: 0, totals: [], gstCounts: { included: 0, excluded: 0, unknown: 0 }, unpriced: 0 }
  // Uncollected shipments are reported only on the day they were booked.
  const uncollected = expect.anything()
  expect(again.json()).toEqual({
    ...booked,
    // Where nothing is booked now, the shop's shipping methods are not spoken of.
    ...{ items: expect.anything(), recorded: booked.booked, now, uncollected, warnings: [] },
  })
  const last = await results()
  expect(last).toHaveLength(300)
  for (const { Name, state, shipment, consignment, price, error } of last) {
    const before = first.get(Name)
    if (before) expect([Name, shipment, price]).toEqual([Name, before.shipment, before.price])
    if (state === "left-out") continue
    expect([Name, state]).toEqual([Name, TUESDAY.changed.includes(Name) ? "changed" : "booked"])
    expect([Name, shipment, consignment]).toEqual([
      Name,
      expect.stringMatching(/-/),
      expect.stringMatching(/^S/),
    ])
    expect([Name, error === ""]).toEqual([Name, state === "booked"])
  }
  const status = (await freight("batch", "status", "shopify.csv", "--use-map", "shopify")).items<{
    state: string
  }>()
  expect(status.map(({ state }) => state)).toEqual(last.map(({ state }) => state))

  // Wednesday, at another desk on the same ledger, with Tuesday's export: nothing is sent, and its results are as whole.
  ahead = 2 * DAY
  const other = await desk(sandbox)
  await writeFile(path.join(other.folder, "shopify.csv"), TUESDAY.csv)
  await writeFile(path.join(other.folder, "sender.json"), JSON.stringify(SENDER))
  const otherEnv = {
    ...other.env,
    FREIGHT_LEDGER: ledger ?? path.join(made.state, "ledger.db"),
    FREIGHT_WORKSTATION: "bench-2",
  }
  const words = [...LINE.slice(0, 3), ...flags, "--sender", "sender.json", ...LINE.slice(-2), "--json"]
  const wednesday = await other.freight(words, { env: otherEnv, clock })
  expect([wednesday.code, wednesday.json()], wednesday.stderr).toEqual([
    1,
    { ...again.json<Summary>(), uncollected },
  ])
  expect(await results(other.folder)).toEqual(last)

  const there = await books()
  for (const name of [...MONDAY.shipped, ...TUESDAY.shipped])
    expect([name, there.get(name)]).toEqual([name, [expect.any(String)]])
  expect(there.size).toBe(MONDAY.shipped.length + TUESDAY.shipped.length)
}

const SENDER = Object.fromEntries(
  Object.entries(order("-"))
    .filter(([name]) => name.startsWith("sender."))
    .map(([name, text]) => [name.slice("sender.".length), text]),
)
