/** Memory of the audit of a long bill. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { expect, it } from "vitest"
import { MAX_CHARGES } from "../../src/base/limits.ts"
import { share } from "../drawn.ts"
import { getBinary, desk } from "./freight.ts"
import { createPeakHook } from "./peak.ts"

const HEADINGS =
  "Invoice Number,Invoice Date,Carrier,Consignment,Reference,Service,Charge,Weight kg,Ship Date,Amount ex GST,GST,Amount inc GST"
const CHARGES = ["Freight", "Fuel levy", "Residential delivery"]

function lineAt(n: number): string {
  const consignment = Math.floor(n / CHARGES.length)
  const number = String(consignment).padStart(8, "0")
  const charge = CHARGES[n % CHARGES.length]
  return `INV-1,2026-11-30,Carrier A,SBA${number},PO-${consignment},76,${charge},12,2026-11-24,40.00,4.00,44.00\n`
}

/** Audits a bill of so many lines. @returns the most that was resident at a time, in megabytes */
async function auditOf(lines: number) {
  const { folder, env } = await desk()
  const { hook, read } = createPeakHook(folder)
  const heap = `--max-old-space-size=${HEAP_MB}`
  const args = ["audit", "-", "--sandbox", "--offline", "--format", "ndjson"]
  const child = spawn(process.execPath, [heap, "--require", hook, getBinary(), ...args], {
    env,
    stdio: ["pipe", "ignore", "ignore"],
  })
  const ended = once(child, "exit")
  child.stdin.write(`${HEADINGS}\n`)
  for (let n = 0; n < lines; ) {
    let some = ""
    for (const end = Math.min(n + 1000, lines); n < end; n++) some += lineAt(n)
    if (!child.stdin.write(some)) await once(child.stdin, "drain")
  }
  child.stdin.end()
  const [code] = await ended
  return { code, peak: read() }
}

/** A run with each commit audits a quarter of the lines, which may need a quarter of the memory. */
const LINES = share(MAX_CHARGES)
const [START_MB, LINES_MB] = [100, 900]
const ENOUGH_MB = START_MB + (LINES_MB * LINES) / MAX_CHARGES
/** The limit of V8's heap: without one it collects garbage when it likes, and the peak is chance. */
const HEAP_MB = Math.floor(ENOUGH_MB * 0.8)

it("a bill of as many lines as an audit takes needs less than a gigabyte", async () => {
  const { code, peak } = await auditOf(LINES)
  // The API was not asked, so that nothing is to be disputed.
  expect(code).toBe(0)
  expect(peak).toBeLessThan(ENOUGH_MB)
}, 1_800_000)
