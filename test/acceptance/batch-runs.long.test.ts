/** Batches that are stopped, run side by side, or looked at from elsewhere. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { writeFile } from "node:fs/promises"
import path from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Summary } from "../../src/orders/batch/summary.ts"
import { errorOf, fresh, orderDesk as orderDeskAt } from "./batches.ts"
import { getCommandLine } from "./freight.ts"
import { type Order, orders, saveOrders } from "./orders.ts"
import { askedAt, ownSandbox } from "./own-sandbox.ts"
import { type RunningSandbox, startSandboxProcess } from "./sandbox.ts"
import { ownBooking } from "./bookings.ts"

let shared: RunningSandbox
beforeAll(async () => {
  shared = await startSandboxProcess()
})
afterAll(() => shared.stop())

const orderDesk = (rows: readonly Order[], sandbox = shared) => orderDeskAt(rows, sandbox)

describe("Ctrl-C", () => {
  it.each([
    ["once", 1],
    ["twice within a moment, as npx passes it on", 2],
  ])("%s: what is under way is finished, the rest is not sent, and the next run goes on", async (_, times) => {
    const sandbox = await ownSandbox()
    await sandbox.control("faults", { fault: "slow@POST/shipments" })
    const { start, book, booked, results } = await orderDesk(orders(40, fresh()), sandbox)
    const { child, ended } = start("--concurrency", "4")
    await askedAt(sandbox, "POST /{connectorId}/shipments", 6)
    for (let time = 0; time < times; time++) {
      if (time > 0) await new Promise((resolve) => setTimeout(resolve, 20))
      child.kill("SIGINT")
    }
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

  it("writes the results even while rows are waited for that another process is sending", async () => {
    const sandbox = await ownSandbox()
    await sandbox.control("faults", { fault: "hang-after-commit:x1@POST/shipments" })
    const { file, folder, env, start, results } = await orderDesk(orders(2, fresh()), sandbox)
    const first = start("--concurrency", "1")
    await askedAt(sandbox, "POST /{connectorId}/shipments", 1)
    const second = spawn(...getCommandLine(["batch", "book", file]), { cwd: folder, env, stdio: "pipe" })
    const ended = once(second, "close")
    let told = ""
    second.stderr.on("data", (chunk: Buffer) => {
      if (told === "") second.kill("SIGINT")
      told += chunk.toString()
    })
    expect(await ended).toEqual([130, null])
    expect(told).toContain("interrupted: 0 of 2 rows are booked")
    expect((await results()).map((row) => row["freight.state"])).toEqual(["sending", "waiting"])
    first.child.kill("SIGKILL")
    await first.ended
  })

  it("twice: it stops at once, and the next run finds what was under way", async () => {
    const sandbox = await ownSandbox()
    await sandbox.control("faults", { fault: "hang-after-commit:x4@POST/shipments" })
    const { start, book, booked, status } = await orderDesk(orders(20, fresh()), sandbox)
    const { child, ended } = start("--concurrency", "4")
    await askedAt(sandbox, "POST /{connectorId}/shipments", 4)
    child.kill("SIGINT")
    // As one who presses it until it helps: how soon the first one is taken is up to the machine.
    const impatience = setInterval(() => child.kill("SIGINT"), 150)
    expect((await ended).code).toBe(130)
    clearInterval(impatience)
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
})

describe("freight batch status", () => {
  it("tells the rows of a batch that runs elsewhere", async () => {
    const sandbox = await ownSandbox()
    await sandbox.control("faults", { fault: "slow@POST/shipments" })
    const { start, status } = await orderDesk(orders(12, fresh()), sandbox)
    const { child, ended } = start("--concurrency", "2")
    await askedAt(sandbox, "POST /{connectorId}/shipments", 4)
    const { items: results } = await status()
    child.kill("SIGKILL")
    await ended
    expect(results).toHaveLength(12)
    const states = new Set(results.map(({ state }) => state))
    expect([...states].every((state) => ["booked", "sending", "waiting"].includes(String(state)))).toBe(true)
    expect(states).toContain("sending")
    expect(states).toContain("waiting")
  })

  it("needs no key and no flag of the run", async () => {
    const [first = {}] = orders(1, fresh())
    const { freight, file, folder } = await orderDesk([])
    await writeFile(path.join(folder, "sender.json"), JSON.stringify(ownBooking().sender))
    const withoutSender = Object.entries(first).filter(([name]) => !name.startsWith("sender."))
    await saveOrders(folder, [Object.fromEntries(withoutSender)])
    expect((await freight(["batch", "book", file, "--sender", "sender.json"])).code).toBe(0)
    const ran = await freight(["batch", "status", file, "--format", "csv"], { env: { FREIGHT_API_KEY: "" } })
    expect(ran.code).toBe(0)
    expect(ran.stdout.trim().split("\n")[1]).toMatch(/^2,T\d+-1,booked,/)
  })
})
