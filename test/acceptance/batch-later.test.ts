/** Consignment numbers that come after a batch, and labels of earlier runs, are kept. Also how a batch waits. */
import { readFile } from "node:fs/promises"
import { describe, expect, it } from "vitest"
import { altered } from "./altered.ts"
import { fresh, orderDesk } from "./batches.ts"
import { errorIn } from "./freight.ts"
import { order, orders } from "./orders.ts"
import { ownSandbox, requestsTo } from "./own-sandbox.ts"

const HOUR = 3_600_000
const late = () => order(fresh(), { connector: "connector-c", service: "STD" })

describe("consignment numbers that come later", () => {
  it("are in the status once it asks, and stay there", async () => {
    const sandbox = await ownSandbox()
    const { book, status, freight, file } = await orderDesk([late(), order(fresh())], sandbox)
    await book()
    expect((await status()).items[0]?.consignmentNumber).toBeNull()
    await sandbox.control("clock", { advanceMs: HOUR })
    expect((await status()).items[0]?.consignmentNumber).toBeNull()
    expect(await freight(["batch", "status", file])).toMatchObject({
      stdout: "",
      stderr: expect.stringMatching(/^No row needs you\.\n2 rows: 2 booked/),
    })
    expect((await freight(["batch", "status", file, "--refresh", "--all"])).stdout).toMatch(/SBC\d+/)
    expect((await status()).items[0]?.consignmentNumber).toMatch(/^SBC/)
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
    expect((await book("--timeout", "20", "--without-looking")).code).toBe(0)
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
    return JSON.parse(await readFile(`${folder}/out.ndjson`, "utf8")).labelFile
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

describe("a service that asks to wait for a day", () => {
  it("fails a batch where another row was refused", async () => {
    const own = await ownSandbox()
    const refusing = await altered(own, (reply) => {
      if (reply.status === 429) reply.headers["retry-after"] = "86400"
      if (reply.method !== "POST" || reply.status !== 201) return
      reply.status = 400
      reply.change(() => ({ message: "Validation failed" }))
    })
    const { book } = await orderDesk([order(fresh()), order(fresh())], { ...own, ...refusing })
    await own.control("faults", { fault: "429:x1@POST/shipments" })
    const { code, stderr } = await book("--no-rate")
    expect([code, errorIn(stderr).kind]).toEqual([1, "refused"])
  })

  it("ends a batch as it ends a booking: safe to run again", async () => {
    const own = await ownSandbox()
    const limiting = await altered(own, (reply) => {
      if (reply.status === 429) reply.headers["retry-after"] = "86400"
    })
    const rows = [order(fresh()), order(fresh())]
    const { book, booked } = await orderDesk(rows, { ...own, ...limiting })
    await own.control("faults", { fault: "429:x2@POST/shipments" })
    const ran = await book("--no-rate")
    expect([ran.code, errorIn(ran.stderr)]).toEqual([
      6,
      expect.objectContaining({ kind: "rateLimited", retry: "after", retryAfter: 86_400 }),
    ])
    expect(errorIn(ran.stderr).message).toContain(
      "2 rows were not booked, because the service limits requests",
    )
    await own.control("faults", { fault: "429:x1@POST/shipments" })
    expect((await book("--no-rate", "--concurrency", "1")).code).toBe(6)
    expect((await book("--no-rate")).code).toBe(0)
    expect(await booked()).toEqual([1, 1])
  })

  it("is asked once: the other rows are left for the next run", async () => {
    const own = await ownSandbox()
    const limiting = await altered(own, (reply) => {
      if (reply.status === 429) reply.headers["retry-after"] = "86400"
    })
    const rows = orders(20)
    const { book, booked, results } = await orderDesk(rows, { ...own, ...limiting })
    await own.control("faults", { fault: "429:x20@POST/shipments" })
    const { code, stderr } = await book("--no-rate", "--concurrency", "1")
    expect(code).toBe(6)
    expect(errorIn(stderr).message).toContain(
      "20 rows were not booked, because the service limits requests; 0 of 20 rows are booked",
    )
    expect(await requestsTo(own, "POST /{connectorId}/shipments")).toBe(1)
    expect((await results()).map((each) => each["freight.state"])).toEqual([
      "failed",
      ...Array(19).fill("waiting"),
    ])
    await own.control("faults", undefined, "DELETE")
    expect((await book("--no-rate")).code).toBe(0)
    expect(await booked()).toEqual(Array(20).fill(1))
  })
})
