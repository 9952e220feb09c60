// node test/bench/memory.mjs [MB ...]: the peak of resident memory over NDJSON of several sizes. It should not grow.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import path from "node:path"
import { invoiceText, linesOf } from "./invoices.mjs"

const root = path.resolve(import.meta.dirname, "../..")
const work = path.join(root, ".build/bench-memory")
const sizes = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [30, 150, 300]
mkdirSync(work, { recursive: true })
const peak = path.join(work, "peak")
const hook = path.join(work, "peak.cjs")
// The peak counts all threads; kB on Linux.
writeFileSync(
  hook,
  `if (require("node:worker_threads").isMainThread) process.on("exit", () => require("node:fs").writeFileSync(${JSON.stringify(peak)}, String(process.resourceUsage().maxRSS)))`,
)

const CASES = {
  "all valid": { args: ["--format", "table"], broken: 0 },
  "1 of 20 broken": { args: ["--format", "ndjson"], broken: 20 },
  "1 of 20 broken, junit": { args: ["--format", "junit"], broken: 20 },
}

const rows = []
for (const [what, { args, broken }] of Object.entries(CASES))
  for (const size of sizes) {
    const child = spawn(
      process.execPath,
      ["--require", hook, path.join(root, "bin/freight.js"), "invoice", "validate", "-", ...args],
      { env: { PATH: process.env.PATH, HOME: work, LANG: "C.UTF-8" }, stdio: ["pipe", "ignore", "inherit"] },
    )
    const ended = once(child, "exit")
    let written = 0
    for (let number = 0; written < size * 1e6; ) {
      let batch = ""
      for (; batch.length < 1e6; number++) {
        const text = invoiceText(number, { lines: linesOf(number) })
        batch += `${broken > 0 && number % broken === 0 ? text.replace('"standard"', '"gift"') : text}\n`
      }
      written += batch.length
      if (!child.stdin.write(batch)) await once(child.stdin, "drain")
    }
    child.stdin.end()
    const [code] = await ended
    const mb = Math.round((Number(readFileSync(peak, "utf8")) * 1024) / 1e6)
    rows.push({ what, "input MB": size, "exit code": code, "peak MB": mb })
  }
console.table(rows)
