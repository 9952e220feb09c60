// npm run simulate -- --seed N --steps M: runs the simulation of the ledger, and prints what came of it. A seed can be
// run again. Exits 1 when anything was made twice or lost, or an order got a wrong answer, or none.
import { parseArgs } from "node:util"
import { fromSource } from "./from-source.mjs"

const { values } = parseArgs({
  options: { seed: { type: "string" }, steps: { type: "string", default: "100000" } },
})
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
const { report, findings } = await fromSource("test/simulation/run.ts", ({ run }) =>
  run(seed, Number(values.steps)),
)
console.log(JSON.stringify(report, null, 2))
const found = Object.entries(findings).map(([what, texts]) => `${texts.length} ${what}`)
console.log(`seed ${seed}, ${report.steps} steps: ${found.join(", ")}`)
process.exitCode = Object.values(findings).some((texts) => texts.length > 0) ? 1 : 0
