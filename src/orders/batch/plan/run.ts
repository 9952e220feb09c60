/** Makes a plan of a file of orders, for someone to approve. */
import type { Deps } from "../../../session/index.ts"
import {
  checkOrders,
  findPlanAccount,
  refusePlan,
  ROW_FLAGS,
  RUN_FLAGS,
  SAFETY,
  withOrders,
} from "../open.ts"
import { askAboutDoubts } from "../../booking/doubts.ts"
import { checkRenamed, separateQuestion } from "../renamed.ts"
import { keepWaiting } from "../waiting.ts"
import { makePlan } from "./make.ts"
import { planText } from "./plan.ts"
import { showPlan } from "./show.ts"
import {
  applySavedMap,
  cents,
  type Flags,
  FORCE_FLAG,
  inGroup,
  LOOK_FLAG,
  type OptionsOf,
  OUTPUT,
} from "../../../command/index.ts"
import { EXIT, FreightError } from "../../../base/errors.ts"
import { isNamed } from "../../../base/file-names.ts"

export const PLAN_FLAGS = {
  output: {
    ...OUTPUT,
    about: "write the plan here, or to standard output with - (FILE.plan.json beside the file)",
  },
  ...FORCE_FLAG,
  ...ROW_FLAGS,
  skipInvalid: { about: "leave out rows with errors, and plan the others" },
  maxTotal: { takes: "<amount>", about: "make no plan that costs more than this in total", read: cents },
  ...RUN_FLAGS,
  ...inGroup(SAFETY, LOOK_FLAG),
  again: {
    group: SAFETY,
    about: "plan rows although an equal booking was made under another key within 24 hours",
  },
} as const satisfies Flags

type PlanOptions = OptionsOf<typeof PLAN_FLAGS>

/** @returns 1 when some rows have no choice */
export async function planBatch(deps: Deps, file: string, given: PlanOptions): Promise<number> {
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
}

/** `orders.csv` → `orders.plan.json` */
export function toPlanFile(file: string): string {
  return `${file.replace(/(?<=[^/\\])\.[^./\\]*$/, "")}.plan.json`
}
