import { readdir } from "node:fs/promises"
import { describe, expect, it } from "vitest"
import type { Summary } from "../../src/orders/batch/summary.ts"
import { errorOf, fresh, orderDesk as orderDeskAt } from "./batches.ts"
import { type Order, order, orders, saveOrders } from "./orders.ts"
import { fileSandbox, ownSandbox, requestsTo } from "./own-sandbox.ts"

const shared = await fileSandbox()

const orderDesk = (rows: readonly Order[], sandbox = shared) => orderDeskAt(rows, sandbox)

const REJECTED = { specialInstructions: "sandbox:carrier-rejects" }

describe("freight batch book", () => {
  it("books every row once, writes its results beside the file, and exits 0", async () => {
    const given = orders(12, fresh())
    const { book, results, booked } = await orderDesk(given)
    const ran = await book()
    expect(ran.code).toBe(0)
    expect(ran.json<Summary>()).toMatchObject({ rows: 12, booked: 12, recorded: 0, failed: 0, unknown: 0 })
    expect(await booked()).toEqual(Array(12).fill(1))
    const rows = await results()
    expect(rows.map(({ reference }) => reference)).toEqual(given.map((each) => each.reference))
    expect(new Set(rows.map((row) => row["freight.state"]))).toEqual(new Set(["booked"]))
  })

  it("exits 1 when a row is refused, says which and why, and tries it again with what is new", async () => {
    const [good = {}, bad = {}, added = {}] = orders(3, fresh())
    const { book, results, folder, freight } = await orderDesk([good, { ...bad, ...REJECTED }])
    const ran = await book()
    expect([ran.code, ran.json<Summary>()]).toMatchObject([1, { booked: 1, failed: 1 }])
    expect(errorOf(ran).errors?.[0]?.message).toMatch(/^row 3 \(T\d+-2\): .*does not accept the request/)
    expect((await results()).map((row) => row["freight.state"])).toEqual(["booked", "failed"])
    await saveOrders(folder, [good, bad, added])
    const again = await book()
    expect([again.code, again.json<Summary>()]).toMatchObject([0, { booked: 3, recorded: 1 }])
    expect((await freight(["history", "--state", "done", "--json"])).items()).toHaveLength(3)
  })

  it("sends nothing and exits 2 when a row is wrong, names every mistake with its row and column, and books the others with --skip-invalid", async () => {
    const [first, second, third] = orders(3, fresh())
    if (!first || !second || !third) throw new Error("no orders")
    const { book, booked, folder, results } = await orderDesk([
      first,
      { ...second, packages: "two boxes" },
      { ...third, "receiver.suburb": "", packagingCode: "XX" },
    ])
    const ran = await book()
    expect(ran.code).toBe(2)
    const told = (errorOf(ran).errors ?? []).map(({ message }) => message)
    expect(told).toHaveLength(3)
    expect(told.join("\n")).toMatch(/row 3, packages: .*\n?/)
    expect(told.join("\n")).toMatch(/row 4, receiver.suburb/)
    expect(await booked()).toEqual([0, 0, 0])
    expect(await readdir(folder)).not.toContain("orders.results.csv")
    const others = await book("--skip-invalid")
    expect([others.code, others.json<Summary>().invalid]).toEqual([1, 2])
    expect(await booked()).toEqual([1, 0, 0])
    expect((await results()).map((row) => row["freight.state"])).toEqual(["booked", "invalid", "invalid"])
  })

  it.each<[string, number, Record<string, string>]>([
    ["the key is not accepted", 4, { FREIGHT_API_KEY: `frt_${"0".repeat(64)}` }],
    ["the service cannot be reached", 6, { FREIGHT_BASE_URL: "http://127.0.0.1:9" }],
  ])("when %s exits %d at once", async (_, code, env) => {
    const { freight, file } = await orderDesk(orders(3, fresh()))
    expect((await freight(["batch", "book", file], { env })).code).toBe(code)
  })

  it("exits 7 when an outcome is not known, names the row, and finds it with the next run", async () => {
    const sandbox = await ownSandbox()
    const { book, booked, results } = await orderDesk(orders(4, fresh()), sandbox)
    await sandbox.control("faults", { fault: "drop-after-commit:x1@POST/shipments" })
    const ran = await book("--concurrency", "1")
    expect(ran.code).toBe(7)
    expect(errorOf(ran)).toMatchObject({ kind: "outcomeUnknown", next: "freight reconcile" })
    expect(errorOf(ran).errors).toHaveLength(1)
    expect((await results()).filter((row) => row["freight.state"] === "unknown")).toHaveLength(1)
    const again = await book()
    expect([again.code, again.json<Summary>().booked]).toEqual([0, 4])
    expect(await booked()).toEqual([1, 1, 1, 1])
  })

  it("leaves a row alone that may exist and is not found, until it is released", async () => {
    const sandbox = await ownSandbox()
    const rows = orders(1, fresh())
    const { book, booked, freight } = await orderDesk(rows, sandbox)
    await sandbox.control("faults", { fault: "drop-before:x1@POST/shipments" })
    expect([(await book()).code, (await book()).code]).toEqual([7, 7])
    expect(await requestsTo(sandbox, "POST /{connectorId}/shipments")).toBe(1)
    await freight(["reconcile", "--release", rows[0]?.reference ?? ""])
    expect((await book()).code).toBe(0)
    expect(await booked()).toEqual([1])
  })
})

describe("before anything is sent", () => {
  it("a dry run shows what would be booked and what it costs, and books nothing", async () => {
    const { book, booked } = await orderDesk([
      order(fresh(), { service: "cheapest", connector: "" }),
      order(fresh()),
    ])
    const ran = await book("--dry-run")
    expect(ran.code).toBe(0)
    const rows = ran.items<Record<string, unknown>>()
    expect(rows.map(({ connectorId, serviceCode, state }) => [connectorId, serviceCode, state])).toEqual([
      ["connector-c", "STD", "waiting"],
      ["connector-b", "GEN", "waiting"],
    ])
    expect(ran.stderr).toMatch(
      /Nothing was sent. 2 of 2 rows would be booked: AUD \d+\.\d\d \(GST is not in 1, not stated for 1\), with GST AUD \d+\.\d\d to \d+\.\d\d\./,
    )
    expect(await booked()).toEqual([0, 0])
  })

  it("a dry run exits 1 when a row would not be booked", async () => {
    const dear = { service: "cheapest", connector: "", maxPrice: "1" }
    const ran = await (await orderDesk([order(fresh(), dear)])).book("--dry-run")
    expect([ran.code, ran.items<{ state: string }>()[0]?.state]).toEqual([1, "failed"])
  })

  it("--max-total refuses to spend more, sends nothing, and books what costs no more", async () => {
    const { book, booked } = await orderDesk(orders(5, fresh()))
    const refused = await book("--max-total", "100")
    expect([refused.code, errorOf(refused).message]).toEqual([
      2,
      expect.stringMatching(/may cost [\d.]+ in total with GST, over --max-total 100.00; nothing was sent/),
    ])
    expect(await booked()).toEqual([0, 0, 0, 0, 0])
    const ran = await book("--max-total", "1000")
    expect([ran.code, ran.json<Summary>().unpriced]).toEqual([0, 0])
    expect(ran.json<Summary>().totals[0]?.amount).toBeGreaterThan(0)
  })

  it.each([
    ["collection.email=gate@example.com", "gate@example.com"],
    ["collection.email=", undefined],
  ])("--set %s changes that of the collection, which is the sender's otherwise", async (set, email) => {
    const [row] = orders(1, fresh())
    if (!row) throw new Error("no orders")
    const { book, booked } = await orderDesk([row])
    const ran = await book("--set", set, "--avoid", "C")
    expect([ran.code, ran.stderr]).toEqual([0, expect.not.stringContaining("collection.suburb")])
    expect(await booked()).toEqual([1])
    const { shipments } = (await shared.control("books")) as {
      shipments: { request: { customerReference: string; collection: object } }[]
    }
    const found = shipments.find(({ request }) => request.customerReference === row.reference)
    expect(found?.request.collection).toMatchObject({ suburb: row["sender.suburb"] })
    expect(Object(found?.request.collection).email).toBe(email)
  })

  it("--max-total counts what an earlier run booked", async () => {
    const [first, ...others] = orders(4, fresh())
    if (!first) throw new Error("no orders")
    const { book, folder } = await orderDesk([first])
    const spent = (await book("--max-total", "1000")).json<Summary>().totals[0]?.amount ?? 0
    await saveOrders(folder, [first, ...others])
    expect((await book("--max-total", String(Math.ceil(spent)))).code).toBe(2)
  })
})
