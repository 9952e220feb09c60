/** Memory of a long run: figures for larger ones come from `node test/bench/memory.mjs`. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { expect, it } from "vitest"
import { brokenLine, line } from "../invoice/runs.ts"
import { getBinary } from "./freight.ts"
import { invoiceDesk } from "./invoices.ts"
import { createPeakHook } from "./peak.ts"

/** About a megabyte, in which one document of a hundred is broken. */
const MEGABYTE = Array.from({ length: 1300 }, (_, number) =>
  number % 100 === 0 ? brokenLine(number) : line(number),
).join("\n")

/** The most that was resident at a time while so many megabytes of lines were checked; in megabytes. */
async function peakOf(megabytes: number): Promise<number> {
  const { folder, env } = await invoiceDesk()
  const { hook, read } = createPeakHook(folder)
  const args = "invoice validate - --rule-level accounting/duplicate-invoice=off --format ndjson".split(" ")
  const child = spawn(process.execPath, ["--require", hook, getBinary(), ...args], {
    env,
    stdio: ["pipe", "ignore", "ignore"],
  })
  const ended = once(child, "exit")
  for (let written = 0; written < megabytes; written++)
    if (!child.stdin.write(`${MEGABYTE}\n`)) await once(child.stdin, "drain")
  child.stdin.end()
  expect(await ended).toEqual([1, null])
  return read()
}

it("a run over ten times as much needs no more memory", async () => {
  // Less than this ends before the engine's heap has grown to what a run needs.
  const few = await peakOf(40)
  const many = await peakOf(400)
  // The engine decides when to collect garbage, so the limits leave room. A leak would still exceed them.
  expect(many - few).toBeLessThan(80)
  expect(many).toBeLessThan(250)
})
