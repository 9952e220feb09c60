/** Books an approved plan. */
import { counted } from "../../../base/counted.ts"
import { isNamed } from "../../../base/file-names.ts"
import type { Deps } from "../../../session/index.ts"
import { isFresh } from "../../booking/order.ts"
import { type Batch, checkBatch, checkTotal, settleOpenOutcomes } from "../book.ts"
import { readEvidence, refuseLosing } from "../evidence.ts"
import {
  bookAndFinish,
  checkTarget,
  type FinishOptions,
  findResultsFile,
  looksAtOnce,
  preparePrint,
  refuseStdout,
  warnOfLateRows,
} from "../finish.ts"
import { createBatchDeps, findPlanAccount, type RunFlags, toRun } from "../open.ts"
import { checkRenamed, separateQuestion } from "../renamed.ts"
import { readEarlierResults } from "../results.ts"
import { showPrices } from "../show.ts"
import { changeText, recheckPlan, refuseChanges, withChanges } from "./make.ts"
import { checkAccount, readPlan } from "./plan.ts"
import { capPrices, planRows } from "./rows.ts"

interface PlanOptions extends RunFlags, FinishOptions {
  /** Ask for its rates again, even if they are still valid. */
  check?: boolean
  maxChange?: number
}

/**
 * Books a plan: exactly what was approved, or nothing.
 * @param name its file, or `-`
 * @returns 1 when a dry run finds rows that would not be booked
 */
export async function bookPlan(deps: Deps, name: string, options: PlanOptions): Promise<number | undefined> {
  refuseStdout(options)
  const print = await preparePrint(deps, options)
  const { maxChange: percent = 0, dryRun, results } = options
  const plan = await readPlan(deps, name)
  const batchDeps = await createBatchDeps(deps, options)
  const { moment } = batchDeps
  checkAccount(name, plan, await findPlanAccount(deps, batchDeps.ledger))
  const batch: Batch = { ...toRun(options), name, rows: planRows(plan, moment) }
  const from = isNamed(name) ? { file: name, isPlan: true, words: [] } : undefined
  const target = results ?? findResultsFile("", name)
  const earlier = await readEarlierResults(deps.files, target)
  const evidence = await readEvidence(batchDeps, target, earlier, looksAtOnce(deps.settings, options))
  const checked = await checkBatch(batchDeps, batch, "Fix the orders and make a new plan")
  const renamed = await checkRenamed(deps, batchDeps, batch.rows, {
    ...options,
    name,
    accepted: plan.separateFrom,
    plannedAt: plan.madeAt,
  })
  if (!dryRun) refuseLosing(evidence, batch.rows)
  if (!dryRun) await checkTarget(deps.files, target, earlier, batch, options)
  if (!dryRun && !(await settleOpenOutcomes(batchDeps, checked)))
    return await bookAndFinish(
      deps,
      batchDeps,
      batch,
      { ...options, ...print },
      { ...checked, target, earlier, from },
    )
  if (renamed.length > 0 && !options.newOrders && !dryRun)
    await deps.spending.confirm(separateQuestion("Book", renamed.length))
  // Approving the plan was the agreement to spend.
  deps.spending.skip()
  const isOld = batch.rows.some(({ selected }) => selected && !isFresh(selected, deps.clock.now()))
  if (dryRun || options.check || isOld) {
    const again = await recheckPlan(batchDeps, batch, checked, plan, percent)
    if (dryRun) return await showPrices(deps, withChanges(again), name)
    refuseChanges(name, plan, again.changes)
    const why = isOld
      ? "The plan's rates have expired, so they were asked for again"
      : "Rates were asked for again"
    await deps.note(`${why}: ${counted(again.changes.length, "row")} with another price.`)
    for (const change of again.changes) await deps.note(`  ${changeText(change)}`)
  } else checkTotal(batch, checked.spentCents)
  await warnOfLateRows(deps, batch)
  const capped = { ...batch, rows: capPrices(batch.rows, plan, percent) }
  return await bookAndFinish(
    deps,
    batchDeps,
    capped,
    { ...options, ...print },
    { ...checked, target, earlier, from },
  )
}
