/** Rows that wait, by `freight today`: those of plans and batches that were priced and not booked, until their cutoff. */
import { copyFile, readFile, rm, writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import type { Need } from "../../src/reports/today/needs.ts"
import { desk } from "./freight.ts"
import { ownSandbox } from "./own-sandbox.ts"
import { newDatabase, SERVER } from "../ledger/postgres.ts"

/** Connector B in Sydney, on a Tuesday: PRM is to be booked by 15:00, EXP by 16:00 and GEN by 14:00. */
const DAY = "2027-02-09"
const AIR = `${DAY}T15:30:00`
const TOMORROW = "2027-02-10"

/** @param ready when the goods of `saveRows` are ready */
async function sit(ready = AIR, env: Record<string, string> = {}) {
  const sandbox = await ownSandbox()
  const made = await desk(sandbox)
  const { customerReference: _, ...example } = JSON.parse((await made.freight(["book", "--example"])).stdout)
  /** Runs a command at a time in Sydney. */
  const at = async (time: string, words: readonly string[], on = made) => {
    const now = Date.parse(`${time.includes("T") ? time : `${DAY}T${time}:00`}+11:00`)
    await sandbox.control("clock", { set: new Date(now).toISOString() })
    return on.freight(words, { now, env: { TZ: "Australia/Sydney", ...env } })
  }
  return {
    ...made,
    sandbox,
    example,
    at,
    /** Rows with connector B's services. */
    async saveRows(services: Record<string, string>, more: object = {}, name = "orders.json") {
      const rows = Object.entries(services).map(([customerReference, serviceCode]) => ({
        ...example,
        ...{ customerReference, connector: "connector-b", serviceCode },
        ...{ collectionDateTime: ready, collectionCloseTime: "1730", ...more },
      }))
      await writeFile(path.join(made.folder, name), JSON.stringify(rows))
    },
    /** The rows that `today` lists as not booked at this time. */
    async waiting(time: string, on = made) {
      const { items: needs, unseen } = JSON.parse((await at(time, ["today", "--json"], on)).stdout) as {
        items: Need[]
        unseen: unknown[]
      }
      expect(unseen).toEqual([])
      return needs.filter(({ need }) => need === "not-booked").map(({ what }) => what)
    },
  }
}

const PLAN = ["batch", "plan", "orders.json", "--new-orders"]
const BOOK_PLAN = ["batch", "book", "--plan", "orders.plan.json", "--new-orders"]
const BOOK = ["batch", "book", "orders.json", "--new-orders"]

describe("a plan that was made and not booked", () => {
  it("is named with the time until which its rows are to be booked, and with what shows it", async () => {
    const { saveRows, at } = await sit()
    await saveRows({ "SO-1": "PRM", "SO-2": "PRM" })
    expect(await at("08:54", PLAN)).toMatchObject({ code: 0 })
    const { code, stdout } = await at("14:20", ["today", "--json"])
    expect([code, JSON.parse(stdout).items]).toEqual([
      1,
      [
        {
          need: "not-booked",
          ...{ consignmentNumber: null, reference: null, shipmentId: null, carrier: null },
          about: "orders.plan.json, 2 rows",
          what: "book by 15:00: 2 rows of orders.plan.json wait (40 minutes left)",
          since: "2027-02-09T04:00:00.000Z",
          next: "freight batch plan show orders.plan.json",
        },
      ],
    ])
    expect((await at("14:20", ["today"])).stdout).toBe(
      "not booked: orders.plan.json, 2 rows\n  book by 15:00: 2 rows of orders.plan.json wait (40 minutes left)\n  freight batch plan show orders.plan.json\n",
    )
    const shown = await at("14:20", ["batch", "plan", "show", "orders.plan.json"])
    expect([shown.code, shown.stderr]).toEqual([0, expect.stringContaining("freight batch book")])
  })

  it("is said to be too late after the cutoff, on that day", async () => {
    const { saveRows, at, waiting } = await sit()
    await saveRows({ "SO-1": "PRM" })
    await at("08:54", PLAN)
    expect(await waiting("15:01")).toEqual([
      "1 row of orders.plan.json waits, too late for today (to be booked by 15:00): it may go on Wed 10 Feb",
    ])
  })

  it("has a line for each of its cutoffs, the first of them first", async () => {
    const { saveRows, at, waiting } = await sit()
    await saveRows({ "SO-1": "PRM", "SO-2": "EXP", "SO-3": "GEN", "SO-4": "PRM" })
    await at("08:54", PLAN)
    expect(await waiting("13:00")).toEqual([
      "book by 14:00: 1 row of orders.plan.json waits (1 h left)",
      "book by 15:00: 2 rows of orders.plan.json wait (2 h left)",
      "book by 16:00: 1 row of orders.plan.json waits (3 h left)",
    ])
  })

  it("says nothing on the day before and on the day after", async () => {
    const { saveRows, at, waiting } = await sit(`${TOMORROW}T15:30:00`)
    await saveRows({ "SO-1": "PRM" })
    await at("18:00", PLAN)
    expect(await waiting("18:01")).toEqual([])
    expect(await waiting(`${TOMORROW}T09:00:00`)).toEqual([
      "book by 15:00: 1 row of orders.plan.json waits (6 h left)",
    ])
    expect(await waiting("2027-02-11T09:00:00")).toEqual([])
  })

  it("is not named once it was booked, and counts the rows that are left where only some were", async () => {
    const { saveRows, at, waiting } = await sit()
    await saveRows({ "SO-1": "PRM", "SO-2": "PRM", "SO-3": "PRM" })
    await at("08:54", PLAN)
    await saveRows({ "SO-2": "PRM" }, {}, "one.json")
    expect(await at("09:00", ["batch", "book", "one.json", "--yes", "--new-orders"])).toMatchObject({
      code: 0,
    })
    expect(await waiting("14:20")).toEqual([
      "book by 15:00: 2 rows of orders.plan.json wait (40 minutes left)",
    ])
    expect(await at("14:25", BOOK_PLAN)).toMatchObject({ code: 0 })
    expect(await waiting("14:26")).toEqual([])
  })

  it("is not named once its file is gone", async () => {
    const { saveRows, at, waiting, folder } = await sit()
    await saveRows({ "SO-1": "PRM" })
    await at("08:54", PLAN)
    await rm(path.join(folder, "orders.plan.json"))
    expect(await waiting("14:20")).toEqual([])
  })

  it("counts once, in the one that was made last, where it was made twice", async () => {
    const { saveRows, at, waiting } = await sit()
    await saveRows({ "SO-1": "PRM", "SO-2": "PRM" })
    await at("08:54", PLAN)
    await saveRows({ "SO-1": "PRM" })
    await at("09:10", PLAN)
    expect(await waiting("14:00")).toEqual(["book by 15:00: 1 row of orders.plan.json waits (1 h left)"])
    await at("09:20", [...PLAN, "-o", "again.json"])
    expect(await waiting("14:00")).toEqual(["book by 15:00: 1 row of again.json waits (1 h left)"])
  })

  it("is left out with --leave-out not-booked", async () => {
    const { saveRows, at } = await sit()
    await saveRows({ "SO-1": "PRM" })
    await at("08:54", PLAN)
    expect(await at("14:20", ["today", "--leave-out", "not-booked"])).toMatchObject({ code: 0 })
  })
})

describe("the time by which rows are to be booked", () => {
  it.each([
    [
      "Fremantle",
      "WA",
      "6160",
      "17:20",
      "book by 15:00 Fremantle: 1 row of orders.plan.json waits (40 minutes left)",
    ],
    [
      "Darwin",
      "NT",
      "0800",
      "15:50",
      "book by 15:00 Darwin: 1 row of orders.plan.json waits (40 minutes left)",
    ],
  ])("is on the clock at the collection, which is named: %s", async (suburb, state, postcode, time, said) => {
    const { saveRows, at, waiting, example } = await sit()
    const { sender, collection, receiver } = example
    const where = { suburb, state, postcode }
    await saveRows(
      { "SO-1": "PRM" },
      {
        sender: { ...sender, ...where },
        collection: { ...(collection ?? sender), ...where },
        receiver: { ...receiver, suburb: "Hobart", state: "TAS", postcode: "7000" },
      },
    )
    expect(await at("08:54", PLAN)).toMatchObject({ code: 0 })
    expect(await waiting(time)).toEqual([said])
  })
})

describe("rows of a batch that were not booked", () => {
  it("are named after a dry run, with what shows them, by the flags that say which they are", async () => {
    const { saveRows, at, folder } = await sit()
    await saveRows({ "SO-1": "PRM" })
    await copyFile(path.join(folder, "orders.json"), path.join(folder, "my orders.json"))
    await at("08:54", ["batch", "book", "my orders.json", "--dry-run"])
    const { stdout } = await at("14:20", ["today", "--json"])
    const [{ what, next }] = JSON.parse(stdout).items
    expect(what).toBe("book by 15:00: 1 row of my orders.json waits (40 minutes left)")
    expect(next).toBe('freight batch status "my orders.json"')
    expect(await at("14:20", ["batch", "status", "my orders.json"])).toMatchObject({ code: 0 })
  })

  it("are named where the carrier refused them, and not where they were booked", async () => {
    const { saveRows, at, waiting, folder } = await sit()
    await saveRows({ "SO-1": "PRM", "SO-2": "PRM" }, { specialInstructions: "sandbox:carrier-rejects" })
    await saveRows({ "SO-3": "PRM" }, {}, "more.json")
    const read = async (name: string) => JSON.parse(await readFile(path.join(folder, name), "utf8"))
    const rows = [...(await read("orders.json")), ...(await read("more.json"))]
    await writeFile(path.join(folder, "orders.json"), JSON.stringify(rows))
    expect((await at("08:54", [...BOOK, "--yes"])).code).not.toBe(0)
    expect(await waiting("14:20")).toEqual(["book by 15:00: 2 rows of orders.json wait (40 minutes left)"])
  })

  it("are not named after a run that booked all of them, and not after it was run again", async () => {
    const { saveRows, at, waiting } = await sit()
    await saveRows({ "SO-1": "PRM", "SO-2": "EXP" })
    await at("08:54", [...BOOK, "--dry-run"])
    expect(await waiting("09:00")).toHaveLength(2)
    for (const time of ["09:01", "09:02"]) {
      expect(await at(time, [...BOOK, "--yes"])).toMatchObject({ code: 0 })
      expect(await waiting("09:03")).toEqual([])
    }
  })
})

it("a batch names no waiting rows of another account that works at the same desk", async () => {
  const { saveRows, freight, folder, sandbox } = await sit()
  await freight(["config", "set", "account", "main"])
  const now = Date.parse(`${DAY}T14:20:00+11:00`)
  await sandbox.control("clock", { set: new Date(now).toISOString() })
  const env = {
    FREIGHT_API_KEY: sandbox.keys.secondTenantFreight ?? "",
    FREIGHT_CONFIG_DIR: path.join(folder, "second"),
  }
  await freight(["config", "set", "account", "second"], { env })
  await saveRows({ "SO-1": "PRM" })
  expect(await freight([...BOOK, "--dry-run"], { now })).toMatchObject({ code: 0 })
  await saveRows({ "SO-2": "PRM", "SO-3": "PRM" }, { connector: "second-b-pickup-fails" }, "second.json")
  await freight(["batch", "book", "second.json", "--dry-run"], { now, env })
  const whatOf = async (more: object) => {
    const { items: needs } = (await freight(["today", "--json"], { now, ...more })).json<{ items: Need[] }>()
    return needs.map(({ what }) => what)
  }
  expect(await whatOf({})).toEqual(["book by 15:00 Alexandria: 1 row of orders.json waits (40 minutes left)"])
  expect(await whatOf({ env })).toEqual([
    "book by 15:00 Alexandria: 2 rows of second.json wait (40 minutes left)",
  ])
})

describe("rows that another desk books", () => {
  it.runIf(SERVER)("are not named any more, as both share the ledger", async () => {
    const { saveRows, at, waiting, folder, sandbox } = await sit(AIR, { FREIGHT_LEDGER: await newDatabase() })
    await saveRows({ "SO-1": "PRM", "SO-2": "PRM" })
    await at("08:54", PLAN)
    const other = await desk(sandbox)
    await copyFile(path.join(folder, "orders.plan.json"), path.join(other.folder, "orders.plan.json"))
    expect(await waiting("09:00", other)).toEqual([])
    expect(await waiting("09:00")).toHaveLength(1)
    expect(await at("09:01", BOOK_PLAN, other)).toMatchObject({ code: 0 })
    expect(await waiting("09:02")).toEqual([])
  })
})
