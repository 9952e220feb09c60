import {
  AGAIN_FOR,
  askAboutDoubts,
  checkOrders,
  checkRenamed,
  CONCURRENCY,
  findPlanAccount,
  keepWaiting,
  makePlan,
  NEW_ORDERS,
  planColumns,
  planText,
  readPlan,
  refusePlan,
  REPLACES,
  ROW_FLAGS,
  separateQuestion,
  showPlan,
  withOrders,
} from "../orders/index.ts"
import { applySavedMap, cents, command, FORCE_FLAG, LOOK_FLAG, OUTPUT } from "../command/index.ts"
import { EXIT, FreightError } from "../base/errors.ts"
import { isNamed } from "../base/file-names.ts"

export default command({
  about:
    "Gets rates for every row of a file of orders, chooses by its wishes, and writes a plan for someone to approve. Books nothing. freight batch book --plan books exactly that, within the 48 hours that rates are valid.",
  usage: "[flags] <file>",
  args: [{ takes: "<file>", about: "the rows, or - for standard input", isInput: true }],
  flags: {
    output: {
      ...OUTPUT,
      about: "write the plan here, or to standard output with - (FILE.plan.json beside the file)",
    },
    ...FORCE_FLAG,
    ...ROW_FLAGS,
    skipInvalid: { about: "leave out rows with errors, and plan the others" },
    maxTotal: { takes: "<amount>", about: "make no plan that costs more than this in total", read: cents },
    concurrency: CONCURRENCY,
    againFor: AGAIN_FOR,
    replaces: REPLACES,
    newOrders: NEW_ORDERS,
    ...LOOK_FLAG,
    again: { about: "plan rows even if an equal booking was made under another key within 24 hours" },
  },
  alsoWrites: (file, { output }) =>
    output === undefined && isNamed(file) ? [{ flag: "-o", file: toPlanFile(file), writes: "file" }] : [],
  columns: planColumns,
  examples: [
    "freight batch plan --sandbox orders.csv --service cheapest --within 3d",
    "freight batch plan show orders.plan.json",
    "freight batch book --sandbox --plan orders.plan.json",
  ],
  /** @returns 1 when some rows have no choice */
  async run(deps, file, given) {
    const flags = applySavedMap(deps, given)
    if (!isNamed(file) && flags.output === undefined)
      throw new FreightError("usage", "say where to write the plan: -o plan.json")
    const target = flags.output ?? toPlanFile(file)
    await refusePlan(deps, file, ["batch", "plan", "show"])
    return withOrders(deps, file, flags, false, async (orders) => {
      const { batchDeps } = orders
      const { batch, checked } = await checkOrders(deps, flags, orders, ["batch", "plan", file])
      const renamed = await checkRenamed(deps, batchDeps, batch.rows, { name: batch.name, ...flags })
      if (renamed.length > 0 && !flags.newOrders)
        await deps.spending.confirm(separateQuestion("Plan", renamed.length))
      const account = await findPlanAccount(deps, batchDeps.ledger)
      const make = () => makePlan(batchDeps, batch, checked, account, renamed)
      const plan = await askAboutDoubts(deps, flags, make)
      await deps.outputs.write(target, planText(plan))
      if (target === "-") await deps.note(`Plan hash: ${plan.planHash}`)
      else {
        await keepWaiting(deps, batchDeps, { file: target, isPlan: true, words: [] }, batch.rows)
        await showPlan(deps, plan, target)
      }
      return plan.complete ? EXIT.done : EXIT.no
    })
  },
})

/** `orders.csv` → `orders.plan.json` */
function toPlanFile(file: string): string {
  return `${file.replace(/(?<=[^/\\])\.[^./\\]*$/, "")}.plan.json`
}

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
