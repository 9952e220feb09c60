/** Steps of a batch after its bookings, and its output in a pipe and on a terminal. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFile, readdir } from "node:fs/promises"
import path from "node:path"
import { PDFDocument } from "@cantoo/pdf-lib"
import { text } from "node:stream/consumers"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Summary } from "../../src/orders/batch/summary.ts"
import { errorOf, fresh, orderDesk as orderDeskAt } from "./batches.ts"
import { getBinary, desk } from "./freight.ts"
import { csvOf, type Order, order, orders, saveOrders } from "./orders.ts"
import { ownSandbox, requestsTo } from "./own-sandbox.ts"
import { atTerminal, hasTerminal } from "./pty.ts"
import { type RunningSandbox, startSandboxProcess } from "./sandbox.ts"

let shared: RunningSandbox
beforeAll(async () => {
  shared = await startSandboxProcess()
})
afterAll(() => shared.stop())

const orderDesk = (rows: readonly Order[], sandbox = shared) => orderDeskAt(rows, sandbox)

/** Carrier C, every third, makes its labels later. */
const withoutC = (count: number) => orders(count, fresh()).filter((_, n) => n % 3 !== 2)

describe("after the bookings", () => {
  it("labels are saved, merged in row order, and named in the results; a second run fetches none", async () => {
    const sandbox = await ownSandbox()
    const { book, folder, results } = await orderDesk(withoutC(5), sandbox)
    const flags = ["--labels", "labels", "--merge", "all.pdf"]
    expect((await book(...flags)).code).toBe(0)
    const rows = await results()
    for (const row of rows) expect(path.basename(row["freight.label"] ?? "")).toBe(`${row.reference}.pdf`)
    expect((await readdir(path.join(folder, "labels"))).sort()).toEqual(
      rows.map((row) => path.basename(row["freight.label"] ?? "")).sort(),
    )
    expect((await readFile(path.join(folder, "all.pdf"))).subarray(0, 5).toString()).toBe("%PDF-")
    const asked = await requestsTo(sandbox, "GET /shipments/{id}/label")
    expect((await book(...flags)).code).toBe(0)
    expect(await requestsTo(sandbox, "GET /shipments/{id}/label")).toBe(asked)
  })

  it("ends with the labels, and with what nobody collects yet and the command for it", async () => {
    const sandbox = await ownSandbox()
    const { freight, folder } = await orderDesk(withoutC(2), sandbox)
    const book = (...flags: string[]) =>
      freight(["batch", "book", "orders.csv", "--labels", "labels", ...flags])
    const first = await book()
    expect(first.stdout).toMatch(
      /^2 of 2 rows booked for .*\n2 labels in labels\.\n2 have no pickup yet, next: (freight pickup book --open --date \S+)\nResults: .*\n$/,
    )
    await saveOrders(folder, withoutC(1))
    const json = (await book("--json", "--force")).json()
    expect(json).toMatchObject({ labels: { saved: 1, new: 1 }, uncollected: { shipments: 1 } })
    const [, command = ""] = /next: freight (.*)/.exec(first.stdout) ?? []
    expect((await freight(command.split(" "))).code).toBe(0)
    expect((await book()).stdout).not.toContain("no pickup")
  })

  it("counts no shipment without a pickup where the batch books pickups", async () => {
    const sandbox = await ownSandbox()
    const { book } = await orderDesk(withoutC(2), sandbox)
    expect((await book("--pickup")).json()).toMatchObject({ uncollected: { shipments: 0, days: [] } })
  })

  it("names shipments together that the service does not list yet", async () => {
    const sandbox = await ownSandbox()
    const { book } = await orderDesk(withoutC(3), sandbox)
    await sandbox.control("listing", { delayMs: 3_600_000 })
    const ran = await book("--pickup")
    expect(ran.code).toBe(8)
    expect(errorOf(ran).errors).toMatchObject([
      {
        code: "NOT_FOUND",
        message: expect.stringMatching(
          /^the pickups of 2 shipments \(\S+, \S+\): GET \/shipments\/ID: not found/,
        ),
      },
    ])
  })

  it("labels of today are merged, and with --merge-all those of earlier days too", async () => {
    const sandbox = await ownSandbox()
    const old = withoutC(3)
    const { freight, folder } = await orderDesk(old, sandbox)
    const countPages = async (file: string) =>
      (await PDFDocument.load(await readFile(path.join(folder, file)))).getPageCount()
    const later = { now: Date.now() + 2 * 86_400_000 }
    const book = (...flags: string[]) => ["batch", "book", "orders.csv", "--labels", "labels", ...flags]
    expect((await freight(book("--merge", "first.pdf"))).code).toBe(0)
    const nothing = await freight(book("--merge", "none.pdf"), later)
    expect([nothing.code, nothing.stderr]).toEqual([0, expect.stringContaining("none.pdf is not written")])
    await saveOrders(folder, [...old, ...withoutC(2)])
    const { code, stderr } = await freight(book("--merge", "new.pdf"), later)
    expect([code, stderr]).toEqual([0, expect.stringContaining("--merge-all has all of them")])
    expect((await freight(book("--merge", "all.pdf", "--merge-all"), later)).code).toBe(0)
    const [first, fresh, all] = await Promise.all(["first.pdf", "new.pdf", "all.pdf"].map(countPages))
    expect([first, fresh, all]).toEqual([2, 2, 4])
  })

  it("a bar shows how many labels are there", async () => {
    const { freight } = await orderDesk(orders(3, fresh()))
    const ran = await freight(["batch", "book", "orders.csv", "--labels", "labels"], { columns: 80 })
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringMatching(/\[━+╌+\] labels: 1 of 3/)])
    expect(ran.stderr).not.toContain("Waiting")
  })

  it("labels are named as --label-name says", async () => {
    const { book, folder } = await orderDesk(withoutC(2))
    expect((await book("--labels", "again", "--label-name", "{consignment} {reference}")).code).toBe(0)
    const name = expect.stringMatching(/^SB\w+ T\S+\.pdf$/)
    expect(await readdir(path.join(folder, "again"))).toEqual([name, name])
  })

  it("labels are printed once, and pickups booked once, however often it is run", async () => {
    const sandbox = await ownSandbox()
    const { book } = await orderDesk(withoutC(6), sandbox)
    const flags = ["--print", "device-bench", "--pickup"]
    expect([(await book(...flags)).code, (await book(...flags)).code]).toEqual([0, 0])
    expect(await requestsTo(sandbox, "POST /shipments/{id}/print")).toBe(4)
    expect(await requestsTo(sandbox, "POST /{connectorId}/pickups")).toBe(2)
  })

  it.each([
    ["a device that there is not", ["--print", "nosuch"], 5],
    ["a folder for labels that is a file", ["--labels", "orders.csv"], 2],
    ["results under a file", ["--results", "orders.csv/results.csv"], 2],
    ["one PDF under a file", ["--merge", "orders.csv/labels.pdf"], 2],
  ])("%s ends it before anything is sent", async (_, flags, expected) => {
    const sandbox = await ownSandbox()
    const { book } = await orderDesk([order(fresh())], sandbox)
    const { code, stderr } = await book(...flags)
    expect(code, stderr).toBe(expected)
    expect(await requestsTo(sandbox, "POST /{connectorId}/shipments")).toBe(0)
  })

  it.each([
    ["a device that there is not", ["--print", "nosuch"], 5],
    ["a folder for labels that is a file", ["--labels", "orders.csv"], 2],
    ["results under a file", ["--results", "orders.csv/results.csv"], 2],
  ])("%s ends the booking of a plan before anything is sent", async (_, flags, expected) => {
    const sandbox = await ownSandbox()
    const { freight, file } = await orderDesk([order(fresh())], sandbox)
    expect((await freight(["batch", "plan", file])).code).toBe(0)
    const { code, stderr } = await freight(["batch", "book", "--plan", "orders.plan.json", ...flags])
    expect(code, stderr).toBe(expected)
    expect(await requestsTo(sandbox, "POST /{connectorId}/shipments")).toBe(0)
  })

  it("a step that fails exits 8: the bookings stand", async () => {
    const sandbox = await ownSandbox()
    const { book, booked } = await orderDesk([order(fresh())], sandbox)
    await sandbox.control("faults", { fault: "500@GET/label" })
    const ran = await book("--labels", "labels")
    expect(ran.code).toBe(8)
    expect(errorOf(ran)).toMatchObject({ kind: "stepFailed" })
    expect(ran.json<Summary>().booked).toBe(1)
    expect(await booked()).toEqual([1])
    await sandbox.control("faults", undefined, "DELETE")
    expect((await book("--labels", "labels")).code).toBe(0)
  })
})

describe("in a pipe", () => {
  it("results stream as they come, while rows still do", async () => {
    const { env, folder } = await desk(shared)
    const args = [getBinary(), "batch", "book", "-", "--format", "ndjson"]
    const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ["pipe", "pipe", "pipe"] })
    const prefix = fresh()
    const line = (n: number) => `${JSON.stringify(order(`${prefix}-${n}`))}\n`
    child.stdin.write(line(1))
    const [first] = (await once(child.stdout, "data")) as [Buffer]
    expect(JSON.parse(first.toString().split("\n")[0] ?? "")).toMatchObject({
      reference: `${prefix}-1`,
      state: "booked",
    })
    child.stdin.end(line(2))
    const rest = await text(child.stdout)
    expect(JSON.parse(rest)).toMatchObject({ reference: `${prefix}-2`, state: "booked" })
  })

  it("a row that is wrong is a result, and does not stop the others", async () => {
    const { freight } = await desk(shared)
    const prefix = fresh()
    const rows = [order(`${prefix}-1`, { packages: "two boxes" }), order(`${prefix}-2`)]
    const input = rows.map((row) => `${JSON.stringify(row)}\n`).join("")
    const ran = await freight(["batch", "book", "-", "--format", "ndjson"], { input })
    const states = ran.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { row: number; state: string })
    expect(states.sort((a, b) => a.row - b.row).map(({ state }) => state)).toEqual(["invalid", "booked"])
    expect(ran.code).toBe(1)
  })

  it("standard input is checked whole where results do not stream, and nothing of it is left", async () => {
    const { freight, state } = await desk(shared)
    const rows = [order(fresh(), { packages: "two boxes" }), order(fresh())]
    const ran = await freight(["batch", "book", "-", "--json"], { input: csvOf(rows) })
    expect(ran.code).toBe(2)
    const good = await freight(["batch", "book", "-", "--json"], { input: csvOf(rows.slice(1)) })
    expect([good.code, good.json<{ resultsFile: null }>().resultsFile]).toEqual([0, null])
    expect(await readdir(path.join(state, "batch"))).toEqual([])
  })
})

describe.skipIf(!hasTerminal)("at a terminal", () => {
  it("a bar shows how far it is", async () => {
    const sandbox = await startSandboxProcess(["--latency", "60"])
    try {
      const { folder, env, file } = await orderDesk(orders(30, fresh()), sandbox)
      const { code, screen } = await atTerminal(
        ["batch", "book", path.join(folder, file), "--concurrency", "2", "--yes"],
        { ...env, LANG: "C" },
        [],
      )
      expect(code).toBe(0)
      expect(screen).toMatch(/\[#+\.+\] \d+ of 30: \d+ booked, 0 failed, 0 unknown, [\d.]+\/s, 0:\d\d left/)
      expect(screen).toContain("30 of 30 rows booked for AUD")
    } finally {
      await sandbox.stop()
    }
  })
})
