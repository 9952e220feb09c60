// npm run simulate -- --seed N --steps M: runs the simulation of the ledger, and prints what came of it. A seed can be
// run again. Exits 1 when anything was booked twice or lost.
import { parseArgs } from "node:util"
import { fromSource } from "./from-source.mjs"

const { values } = parseArgs({
  options: { seed: { type: "string" }, steps: { type: "string", default: "100000" } },
})
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
const report = await fromSource("test/simulation/run.ts", ({ run }) => run(seed, Number(values.steps)))
console.log(JSON.stringify(report, null, 2))
console.log(
  `seed ${seed}, ${report.steps} steps: ${report.double.length} double bookings, ${report.lost.length} lost`,
)
process.exitCode = report.double.length + report.lost.length > 0 ? 1 : 0
