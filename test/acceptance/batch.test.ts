/** Batches as a clerk and a script run them: the built program, files, exit codes. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readdir, readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { text } from "node:stream/consumers"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Summary } from "../../src/batch/verdict.ts"
import type { ErrorJson } from "../../src/errors.ts"
import { BINARY, desk, type Ran } from "./freight.ts"
import { bookedBy } from "./kills.ts"
import { csvOf, type Order, order, orders, saveOrders } from "./orders.ts"
import { askedAt, ownSandbox, requestsTo } from "./own-sandbox.ts"
import { atTerminal, hasTerminal } from "./pty.ts"
import { type RunningSandbox, startSandboxProcess } from "./sandbox.ts"

let shared: RunningSandbox
beforeAll(async () => {
  shared = await startSandboxProcess()
})
afterAll(() => shared.stop())

let prefixes = 0
/** References that no other test has. */
const fresh = () => `T${++prefixes}`

/** A desk with a file of orders. */
async function orderDesk(rows: readonly Order[], sandbox = shared) {
  const made = await desk(sandbox)
  const file = await saveOrders(made.folder, rows)
  const book = (...flags: string[]) => made.freight(["batch", "book", file, "--json", ...flags])
  return {
    ...made,
    file,
    book,
    /** The same in a process that the test can end. */
    start(...flags: string[]) {
      const args = [BINARY, "batch", "book", file, "--json", ...flags]
      const child = spawn(process.execPath, args, { cwd: made.folder, env: made.env, stdio: "pipe" })
      child.stdin.end()
      const ended = Promise.all([once(child, "close"), text(child.stdout), text(child.stderr)])
      return { child, ended: ended.then(([[code], stdout, stderr]) => ({ code, stdout, stderr })) }
    },
    results: () => resultsIn(path.join(made.folder, "orders.results.csv")),
    status: async () =>
      (await made.freight(["batch", "status", file, "--json"])).json<
        Summary & { results: Record<string, unknown>[] }
      >(),
    async booked() {
      const books = bookedBy(await sandbox.control("books"))
      return rows.map(({ reference = "" }) => books.get(reference)?.length ?? 0)
    },
  }
}

/** The results by column. */
async function resultsIn(file: string): Promise<Record<string, string>[]> {
  const [head = "", ...lines] = (await readFile(file, "utf8")).trim().split(/\r?\n/)
  const columns = head.split(",")
  return lines.map((line) => Object.fromEntries(line.split(",").map((cell, at) => [columns[at] ?? "", cell])))
}

function errorOf({ stderr }: Pick<Ran, "stderr">): ErrorJson["error"] {
  const line = stderr.split("\n").find((each) => each.startsWith('{"error"'))
  return (JSON.parse(line ?? "{}") as ErrorJson).error
}

const REJECTED = { specialInstructions: "sandbox:carrier-rejects" }

describe("freight batch book", () => {
  it("books every row once, writes its results beside the file, and exits 0", async () => {
    const { book, results, booked } = await orderDesk(orders(12, fresh()))
    const ran = await book()
    expect(ran.code).toBe(0)
    expect(ran.json<Summary>()).toMatchObject({ rows: 12, booked: 12, recorded: 0, failed: 0, unknown: 0 })
    expect(await booked()).toEqual(Array(12).fill(1))
    const rows = await results()
    expect(rows.map(({ reference }) => reference)).toEqual(
      orders(12, `T${prefixes}`).map((each) => each.reference),
    )
    expect(new Set(rows.map((row) => row["freight.state"]))).toEqual(new Set(["booked"]))
  })

  it("run again books nothing, and says the same", async () => {
    const { book, results, booked } = await orderDesk(orders(6, fresh()))
    await book()
    const before = await results()
    const again = await book()
    expect([again.code, again.json<Summary>().recorded]).toEqual([0, 6])
    expect(await results()).toEqual(before)
    expect(await booked()).toEqual(Array(6).fill(1))
  })

  it("books what is new in the file, and tries again what failed", async () => {
    const [good, bad] = orders(2, fresh())
    if (!good || !bad) throw new Error("no orders")
    const { book, folder, booked } = await orderDesk([good, { ...bad, ...REJECTED }])
    expect((await book()).code).toBe(1)
    await saveOrders(folder, [good, bad])
    const again = await book()
    expect([again.code, again.json<Summary>().recorded]).toEqual([0, 1])
    expect(await booked()).toEqual([1, 1])
  })

  it("exits 1 when a row is refused, books the others, and says which and why", async () => {
    const [first, second] = orders(2, fresh())
    if (!first || !second) throw new Error("no orders")
    const { book, results } = await orderDesk([first, { ...second, ...REJECTED }])
    const ran = await book()
    expect(ran.code).toBe(1)
    expect(ran.json<Summary>()).toMatchObject({ booked: 1, failed: 1 })
    expect(errorOf(ran).errors?.[0]?.message).toMatch(/^row 2 \(T\d+-2\): .*does not accept the request/)
    expect((await results()).map((row) => row["freight.state"])).toEqual(["booked", "failed"])
  })

  it("sends nothing and exits 2 when a row is wrong, and names every mistake with its row and column", async () => {
    const [first, second, third] = orders(3, fresh())
    if (!first || !second || !third) throw new Error("no orders")
    const { book, booked, folder } = await orderDesk([
      first,
      { ...second, packages: "two boxes" },
      { ...third, "receiver.suburb": "", packagingCode: "XX" },
    ])
    const ran = await book()
    expect(ran.code).toBe(2)
    const told = (errorOf(ran).errors ?? []).map(({ message }) => message)
    expect(told).toHaveLength(3)
    expect(told.join("\n")).toMatch(/row 2, packages: .*\n?/)
    expect(told.join("\n")).toMatch(/row 3, receiver.suburb/)
    expect(await booked()).toEqual([0, 0, 0])
    expect(await readdir(folder)).not.toContain("orders.results.csv")
  })

  it("books the others with --skip-invalid, and exits 1", async () => {
    const [first, second] = orders(2, fresh())
    if (!first || !second) throw new Error("no orders")
    const { book, booked, results } = await orderDesk([{ ...first, packages: "two boxes" }, second])
    const ran = await book("--skip-invalid")
    expect([ran.code, ran.json<Summary>().invalid]).toEqual([1, 1])
    expect(await booked()).toEqual([0, 1])
    expect((await results()).map((row) => row["freight.state"])).toEqual(["invalid", "booked"])
  })

  it("tells a row that was changed after it was booked, and sends nothing", async () => {
    const rows = orders(2, fresh())
    const { book, folder, booked } = await orderDesk(rows)
    await book()
    await saveOrders(folder, [{ ...rows[0], packages: "3x40x30x20@5.5" }, rows[1] ?? {}, order(fresh())])
    const ran = await book()
    expect(ran.code).toBe(2)
    expect(errorOf(ran).errors?.[0]?.message).toMatch(
      /^row 1: its reference was booked on .* with other content/,
    )
    expect(await booked()).toEqual([1, 1])
  })

  it("exits 4 at once when the key is not accepted", async () => {
    const { freight, file } = await orderDesk(orders(3, fresh()))
    const ran = await freight(["batch", "book", file], { env: { FREIGHT_API_KEY: `frt_${"0".repeat(64)}` } })
    expect(ran.code).toBe(4)
  })

  it("exits 6 when the service cannot be reached", async () => {
    const { freight, file } = await orderDesk(orders(3, fresh()))
    const ran = await freight(["batch", "book", file], { env: { FREIGHT_BASE_URL: "http://127.0.0.1:9" } })
    expect(ran.code).toBe(6)
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

  it("says what is wrong with its flags", async () => {
    const { book } = await orderDesk(orders(1, fresh()))
    for (const flags of [
      ["--concurrency", "0"],
      ["--concurrency", "many"],
      ["--stop-after", "-1"],
      ["--max-total", "lots"],
      ["--results", "orders.csv"],
    ])
      expect((await book(...flags)).code).toBe(2)
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
    const rows = ran.json<Record<string, unknown>[]>()
    expect(rows.map(({ connectorId, serviceCode, state }) => [connectorId, serviceCode, state])).toEqual([
      ["connector-c", "STD", "waiting"],
      ["connector-b", "GEN", "waiting"],
    ])
    expect(ran.stderr).toMatch(/Nothing was sent. 2 of 2 rows would be booked: AUD \d+\.\d\d\./)
    expect(await booked()).toEqual([0, 0])
  })

  it("a dry run exits 1 when a row would not be booked", async () => {
    const ran = await (
      await orderDesk([order(fresh(), { service: "cheapest", connector: "", maxPrice: "1" })])
    ).book("--dry-run")
    expect([ran.code, ran.json<{ state: string }[]>()[0]?.state]).toEqual([1, "failed"])
  })

  it("--max-total refuses to spend more, and sends nothing", async () => {
    const { book, booked } = await orderDesk(orders(5, fresh()))
    const ran = await book("--max-total", "100")
    expect(ran.code).toBe(2)
    expect(errorOf(ran).message).toMatch(
      /would cost [\d.]+ in all, over --max-total 100.00; nothing was sent/,
    )
    expect(await booked()).toEqual([0, 0, 0, 0, 0])
  })

  it("--max-total books what costs no more, and knows the price of each", async () => {
    const { book } = await orderDesk(orders(3, fresh()))
    const ran = await book("--max-total", "1000")
    expect([ran.code, ran.json<Summary>().unpriced]).toEqual([0, 0])
    expect(ran.json<Summary>().totals[0]?.amount).toBeGreaterThan(0)
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

describe("Ctrl-C", () => {
  it("once: what is under way is finished, the rest is not sent, and the next run goes on", async () => {
    const sandbox = await ownSandbox()
    await sandbox.control("faults", { fault: "slow@POST/shipments" })
    const { start, book, booked, results } = await orderDesk(orders(40, fresh()), sandbox)
    const { child, ended } = start("--concurrency", "4")
    await askedAt(sandbox, "POST /{connectorId}/shipments", 6)
    child.kill("SIGINT")
    const { code, stdout, stderr } = await ended
    expect(code).toBe(130)
    const summary = JSON.parse(stdout) as Summary
    expect(summary.unknown).toBe(0)
    expect(summary.waiting).toBeGreaterThan(20)
    expect(errorOf({ stderr }).message).toContain(`${summary.booked} of 40 rows are booked`)
    expect((await booked()).filter((count) => count === 1)).toHaveLength(summary.booked)
    expect((await results()).filter((row) => row["freight.state"] === "booked")).toHaveLength(summary.booked)
    await sandbox.control("faults", undefined, "DELETE")
    expect((await book()).code).toBe(0)
    expect(await booked()).toEqual(Array(40).fill(1))
  })

  it("twice: it stops at once, and the next run finds what was under way", async () => {
    const sandbox = await ownSandbox()
    await sandbox.control("faults", { fault: "hang-after-commit:x4@POST/shipments" })
    const { start, book, booked, status } = await orderDesk(orders(20, fresh()), sandbox)
    const { child, ended } = start("--concurrency", "4")
    await askedAt(sandbox, "POST /{connectorId}/shipments", 4)
    child.kill("SIGINT")
    await new Promise((resolve) => setTimeout(resolve, 300))
    child.kill("SIGINT")
    expect((await ended).code).toBe(130)
    expect((await status()).unknown).toBe(4)
    const again = await book()
    expect([again.code, again.json<Summary>().booked]).toEqual([0, 20])
    expect(await booked()).toEqual(Array(20).fill(1))
  })
})

describe("several processes", () => {
  it("on one file at once book each row once, and both exit 0", async () => {
    const sandbox = await startSandboxProcess(["--latency", "20"])
    try {
      const { book, booked } = await orderDesk(orders(40, fresh()), sandbox)
      const both = await Promise.all([book(), book()])
      expect(both.map(({ code }) => code)).toEqual([0, 0])
      expect(await booked()).toEqual(Array(40).fill(1))
    } finally {
      await sandbox.stop()
    }
  })

  it("of freight book from xargs are as safe: the same keys are not booked again", async () => {
    const { folder, env, freight } = await desk(shared)
    const prefix = fresh()
    const example = (await freight(["book", "--example"])).json()
    const names = Array.from({ length: 12 }, (_, n) => `${prefix}-${n}`)
    for (const name of names) {
      const booking = { ...example, serviceCode: "GEN", customerReference: name }
      await writeFile(path.join(folder, `${name}.json`), JSON.stringify(booking))
    }
    const line = `ls ${prefix}-*.json ${prefix}-*.json | xargs -P8 -I{} "${process.execPath}" "${BINARY}" book --file {} --connector connector-b --key {} --json`
    const child = spawn("sh", ["-c", line], { cwd: folder, env, stdio: ["ignore", "pipe", "ignore"] })
    const [[code]] = await Promise.all([once(child, "close"), text(child.stdout)])
    expect(code).toBe(0)
    const books = bookedBy(await shared.control("books"))
    expect(names.map((name) => books.get(name)?.length)).toEqual(Array(12).fill(1))
  })
})

describe("freight batch status", () => {
  it("tells the rows of a batch that runs elsewhere", async () => {
    const sandbox = await ownSandbox()
    await sandbox.control("faults", { fault: "slow@POST/shipments" })
    const { start, status } = await orderDesk(orders(12, fresh()), sandbox)
    const { child, ended } = start("--concurrency", "2")
    await askedAt(sandbox, "POST /{connectorId}/shipments", 4)
    const { results } = await status()
    child.kill("SIGKILL")
    await ended
    expect(results).toHaveLength(12)
    const states = new Set(results.map(({ state }) => state))
    expect([...states].every((state) => ["booked", "sending", "waiting"].includes(String(state)))).toBe(true)
    expect(states).toContain("sending")
    expect(states).toContain("waiting")
  })

  it("needs no key and no flag of the run", async () => {
    const [first] = orders(1, fresh())
    if (!first) throw new Error("no orders")
    const { "sender.companyName": _, ...withoutSender } = first
    const { freight, file, folder } = await orderDesk([withoutSender])
    await writeFile(
      path.join(folder, "sender.json"),
      JSON.stringify({
        companyName: "Harbour Lighting",
        address1: "14 Bourke Road",
        suburb: "Alexandria",
        state: "NSW",
        postcode: "2015",
      }),
    )
    const rows = Object.fromEntries(
      Object.entries(withoutSender).filter(([name]) => !name.startsWith("sender.")),
    )
    await saveOrders(folder, [rows])
    expect((await freight(["batch", "book", file, "--sender", "sender.json"])).code).toBe(0)
    const ran = await freight(["batch", "status", file, "--format", "csv"], { env: { FREIGHT_API_KEY: "" } })
    expect(ran.code).toBe(0)
    expect(ran.stdout.trim().split("\n")[1]).toMatch(/^1,T\d+-1,booked,/)
  })
})

describe("after the bookings", () => {
  it("labels are saved, merged in row order, and named in the results; a second run fetches none", async () => {
    const sandbox = await ownSandbox()
    const { book, folder, results } = await orderDesk(
      orders(5, fresh()).filter((_, n) => n % 3 !== 2),
      sandbox,
    )
    const flags = ["--labels", "labels", "--merge", "all.pdf"]
    expect((await book(...flags)).code).toBe(0)
    const rows = await results()
    expect((await readdir(path.join(folder, "labels"))).sort()).toEqual(
      rows.map((row) => path.basename(row["freight.label"] ?? "")).sort(),
    )
    expect((await readFile(path.join(folder, "all.pdf"))).subarray(0, 5).toString()).toBe("%PDF-")
    const asked = await requestsTo(sandbox, "GET /shipments/{id}/label")
    expect((await book(...flags)).code).toBe(0)
    expect(await requestsTo(sandbox, "GET /shipments/{id}/label")).toBe(asked)
  })

  it("labels are printed once, and pickups booked once, however often it is run", async () => {
    const sandbox = await ownSandbox()
    const { book } = await orderDesk(
      orders(6, fresh()).filter((_, n) => n % 3 !== 2),
      sandbox,
    )
    const flags = ["--print", "device-bench", "--pickup"]
    expect([(await book(...flags)).code, (await book(...flags)).code]).toEqual([0, 0])
    expect(await requestsTo(sandbox, "POST /shipments/{id}/print")).toBe(4)
    expect(await requestsTo(sandbox, "POST /{connectorId}/pickups")).toBe(2)
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
    const args = [BINARY, "batch", "book", "-", "--format", "ndjson"]
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
    expect([good.code, good.json<Summary>().results]).toEqual([0, null])
    expect(await readdir(path.join(state, "batch"))).toEqual([])
  })
})

describe.skipIf(!hasTerminal)("at a terminal", () => {
  it("a bar shows how far it is", async () => {
    const sandbox = await startSandboxProcess(["--latency", "60"])
    try {
      const { folder, env, file } = await orderDesk(orders(30, fresh()), sandbox)
      const { code, screen } = await atTerminal(
        ["batch", "book", path.join(folder, file), "--concurrency", "2"],
        { ...env, LANG: "C" },
        [],
      )
      expect(code).toBe(0)
      expect(screen).toMatch(/\[#+\.+\] \d+ of 30: \d+ booked, 0 failed, 0 unknown, [\d.]+\/s, 0:\d\d left/)
      expect(screen).toContain("BOOKED")
    } finally {
      await sandbox.stop()
    }
  })
})
