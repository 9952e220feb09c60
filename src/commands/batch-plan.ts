import { PLAN_FLAGS, planBatch, planColumns, readPlan, showPlan, toPlanFile } from "../orders/index.ts"
import { command } from "../command/index.ts"
import { isNamed } from "../base/file-names.ts"

export default command({
  about:
    "Gets rates for every row of a file of orders, chooses by its wishes, and writes a plan for someone to approve. Books nothing. freight batch book --plan books exactly that, within the 48 hours that rates are valid.",
  usage: "[flags] <file>",
  args: [{ takes: "<file>", about: "the rows, or - for standard input", isInput: true }],
  flags: PLAN_FLAGS,
  daily: ["output", "useMap", "package", "service", "ready", "within", "maxTotal", "skipInvalid"],
  alsoWrites: (file, { output }) =>
    output === undefined && isNamed(file) ? [{ flag: "-o", file: toPlanFile(file), writes: "file" }] : [],
  columns: planColumns,
  examples: [
    "freight batch plan --sandbox orders.csv --service cheapest --within 3d",
    "freight batch plan show orders.plan.json",
    "freight batch book --sandbox --plan orders.plan.json",
  ],
  run: planBatch,
})

export const show = command({
  about:
    "Shows what a plan would book: each row with its service, arrival and price, and why; the total; and how long its rates are valid. freight refuses a plan that was changed after it was made.",
  args: [{ takes: "<file>", about: "the plan, or - for standard input", isInput: true }],
  columns: planColumns,
  examples: ["freight batch plan show orders.plan.json", "freight batch plan show orders.plan.json --json"],
  async run(deps, file) {
    await showPlan(deps, await readPlan(deps, file), file)
  },
})
