// npm run bench: one table of what freight takes, as ratios to a floor. `npm run bench -- startup validation` measures
// these parts alone, and BENCH_SCALE=0.01 measures little, to see that each part ends. A part is a module that exports
// `rows`: it gives `{ what, command, took, ratio, "peak MB" }` for each.
import { existsSync, readFileSync } from "node:fs"
import { availableParallelism, cpus } from "node:os"
import path from "node:path"
import { root } from "./measure.mjs"
import { peerVersions } from "./peers.mjs"

const PARTS = ["startup", "validation", "batch", "audit", "accruals", "lookup", "growth", "places", "worst"]
const asked = process.argv.slice(2)

const table = []
for (const name of PARTS) {
  const file = path.join(import.meta.dirname, `${name}.mjs`)
  if ((asked.length > 0 && !asked.includes(name)) || !existsSync(file)) continue
  const { rows } = await import(file)
  const began = performance.now()
  table.push(...(await rows()))
  console.error(`${name} took ${Math.round((performance.now() - began) / 1000)} s`)
}
const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"))
const machine = `${availableParallelism()} × ${cpus()[0]?.model ?? "unknown"}, ${process.platform}`
console.log(
  ["", `freight ${version}`, `Node ${process.version}`, ...peerVersions(), machine].join("; ").slice(2),
)
console.table(table)
