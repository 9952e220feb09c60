/** A morning at the bench: 200 scans, some twice, some of nothing, some whose label comes late, and a kill in between. */
import { spawn } from "node:child_process"
import { expect, it } from "vitest"
import { booked } from "./bookings.ts"
import { createFastClock, desk, getCommandLine } from "./freight.ts"
import { jobsAt } from "./print-jobs.ts"
import { ownSandbox } from "./own-sandbox.ts"
import { scanAt, type Step } from "./scanner.ts"

const BENCH = ["print", "label", "-", "--as-they-come", "--device", "device-bench"]

it("freight bench prints each of 200 scans once, although it is killed in the middle, all are scanned again, and the device is gone for some", async () => {
  const sandbox = await ownSandbox()
  const { env, folder, freight } = await desk(sandbox)
  const ids: string[] = []
  for (let n = 0; n < 160; n++)
    ids.push((await booked(sandbox, n % 40 === 39 ? "connector-c" : "connector-a")).shipmentId)
  const scans = ids.flatMap((id, n) => (n % 5 === 0 ? [id, id] : n % 20 === 1 ? [id, `SO-${n}`] : [id]))
  expect(scans).toHaveLength(200)

  const child = spawn(...getCommandLine(BENCH), { env, cwd: folder, stdio: "pipe" })
  let printed = 0
  child.stdin.on("error", () => {})
  child.stdout.on("data", (chunk: Buffer) => {
    printed += chunk
      .toString()
      .split("\n")
      .filter((line) => line.startsWith("printed  ")).length
    if (printed >= 60) child.kill("SIGKILL")
  })
  const ended = new Promise((resolve) => child.on("close", resolve))
  child.stdin.end(scans.join("\n"))
  await ended
  const countPrints = async () => {
    const jobs = await jobsAt(sandbox)
    return ids.map((id) => jobs.filter(({ shipmentId }) => shipmentId === id).length)
  }
  const before = await countPrints()
  expect(before.filter((count) => count === 1).length).toBeGreaterThanOrEqual(60)
  expect(before.filter((count) => count === 0).length).toBeGreaterThan(0)

  // Begun again: a scan each 300 ms, and the device gone for ten of them, which are scanned once more.
  const clock = createFastClock()
  const revoke = (revoked: boolean) => () => sandbox.control("devices", { id: "device-bench", revoked })
  const typed = scans.map((scan) => `${scan}\n`)
  const slowly = (lines: readonly string[]) => lines.flatMap((line): Step[] => [line, 300])
  const { code, out } = await scanAt(
    freight,
    BENCH,
    [
      ...slowly(typed.slice(0, 120)),
      revoke(true),
      ...slowly(typed.slice(120, 130)),
      revoke(false),
      ...slowly(typed.slice(120)),
    ],
    clock,
  )
  const after = await countPrints()
  expect(after.filter((count) => count > 1)).toEqual([])
  // The one that was being sent when it was killed may not be on paper: that is said of it.
  const told = out.split("\n").map((line) => line.split(/ {2,}/))
  for (const [at, id] of ids.entries())
    if (after[at] === 0)
      expect(told.filter(([, scan]) => scan === id).map(([outcome]) => outcome)).toContain("not printed")
  expect(after.filter((count) => count === 0).length).toBeLessThanOrEqual(1)
  expect(out).toContain("there is no such print device")
  expect([5, 7]).toContain(code)
})
