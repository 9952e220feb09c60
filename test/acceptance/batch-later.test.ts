/** What a batch learns after its bookings is kept: consignment numbers that come later, labels of an earlier run; and how it waits. */
import { readFile } from "node:fs/promises"
import { describe, expect, it } from "vitest"
import { altered } from "./altered.ts"
import { fresh, orderDesk } from "./batches.ts"
import { order, orders } from "./orders.ts"
import { ownSandbox } from "./own-sandbox.ts"

const HOUR = 3_600_000
const late = () => order(fresh(), { connector: "connector-c", service: "STD" })

describe("consignment numbers that come later", () => {
  it("are in the status once it asks, and stay there", async () => {
    const sandbox = await ownSandbox()
    const { book, status, freight, file } = await orderDesk([late(), order(fresh())], sandbox)
    await book()
    expect((await status()).results[0]?.consignment).toBeNull()
    await sandbox.control("clock", { advanceMs: HOUR })
    expect((await status()).results[0]?.consignment).toBeNull()
    expect((await freight(["batch", "status", file, "--refresh"])).stdout).toMatch(/SBC\d+/)
    expect((await status()).results[0]?.consignment).toMatch(/^SBC/)
  })

  it("are told of one row in the singular", async () => {
    const { book, freight, file } = await orderDesk([order(fresh())], await ownSandbox())
    await book()
    expect((await freight(["batch", "status", file])).stderr).toMatch(/^1 row: 1 booked; /m)
  })

  it("are in the results of the next run", async () => {
    const sandbox = await ownSandbox()
    const { book, results } = await orderDesk([late()], sandbox)
    await book()
    expect((await results())[0]?.["freight.consignment"]).toBe("")
    await sandbox.control("clock", { advanceMs: HOUR })
    expect((await book()).code).toBe(0)
    expect((await results())[0]?.["freight.consignment"]).toMatch(/^SBC/)
  })

  it("that cannot be read now fail nothing", async () => {
    const sandbox = await ownSandbox()
    const { book } = await orderDesk([late()], sandbox)
    await sandbox.control("faults", { fault: "500@GET/shipments/" })
    expect((await book("--timeout", "2")).code).toBe(0)
  })
})

it.each([
  [[]],
  [["--results", "out.ndjson"]],
])("a run without --labels keeps the label column: %j", async (flags) => {
  const sandbox = await ownSandbox()
  const { book, results, folder } = await orderDesk([order(fresh())], sandbox)
  const labels = async () => {
    if (flags.length === 0) return (await results())[0]?.["freight.label"]
    return JSON.parse(await readFile(`${folder}/out.ndjson`, "utf8")).label
  }
  await book("--labels", "labels", ...flags)
  const saved = await labels()
  expect(saved).toMatch(/^labels.*\.pdf$/)
  expect((await book(...flags)).code).toBe(0)
  expect(await labels()).toBe(saved)
})

it.each([
  [[]],
  [["--quiet"]],
])("a run that a limit of the service holds up says until when, once: %j", async (flags) => {
  const own = await ownSandbox()
  const made = await altered(own, (reply) => {
    if (reply.status === 429) reply.headers["retry-after"] = "5"
  })
  const { freight, file } = await orderDesk(orders(8), { ...own, ...made })
  await own.control("faults", { fault: "429:x3@POST/shipments" })
  const { code, stderr } = await freight(["batch", "book", file, ...flags])
  expect(code, stderr).toBe(0)
  const notes = stderr.match(
    /^The freight API is limiting requests \(429\): waiting until \d\d:\d\d:\d\d\.$/gm,
  )
  expect(notes?.length).toBe(flags.length === 0 ? 1 : undefined)
})
