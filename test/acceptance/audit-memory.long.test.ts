/** Memory of the audit of a long bill. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync, writeFileSync } from "node:fs"
import path from "node:path"
import { expect, it } from "vitest"
import { BINARY, desk } from "./freight.ts"

const HEADINGS =
  "Invoice Number,Invoice Date,Carrier,Consignment,Reference,Service,Charge,Weight kg,Ship Date,Amount ex GST,GST,Amount inc GST"
const CHARGES = ["Freight", "Fuel levy", "Residential delivery"]

function lineAt(n: number): string {
  const consignment = Math.floor(n / CHARGES.length)
  const number = String(consignment).padStart(8, "0")
  const charge = CHARGES[n % CHARGES.length]
  return `INV-1,2026-11-30,Carrier A,SBA${number},PO-${consignment},76,${charge},12,2026-11-24,40.00,4.00,44.00\n`
}

/** The most that was resident at a time while a bill of so many lines was audited, in megabytes. */
async function peakOf(lines: number): Promise<number> {
  const { folder, env } = await desk()
  const peak = path.join(folder, "peak")
  const hook = path.join(folder, "hook.cjs")
  const write = `require("node:fs").writeFileSync(${JSON.stringify(peak)}, String(process.resourceUsage().maxRSS))`
  writeFileSync(hook, `process.on("exit", () => ${write})`)
  const args = ["audit", "-", "--sandbox", "--offline", "--format", "ndjson"]
  const child = spawn(process.execPath, ["--require", hook, BINARY, ...args], {
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
  // The API was not asked, so that nothing is to be disputed.
  expect(await ended).toEqual([0, null])
  return Number(readFileSync(peak, "utf8")) / 1024
}

it("a bill of 500,000 lines needs no more memory than one of 50,000", async () => {
  const few = await peakOf(50_000)
  const many = await peakOf(500_000)
  // What is collected when is left to the engine; that nothing piles up is seen all the same.
  expect(many - few).toBeLessThan(100)
}, 900_000)
