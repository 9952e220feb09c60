/** Books a file of orders, or shows what it would book. */
import { isNamed } from "../../base/file-names.ts"
import type { Deps } from "../../session/index.ts"
import { applySavedMap } from "../../command/index.ts"
import { askAboutDoubts } from "../booking/doubts.ts"
import { listOrderWords } from "../dispatched/run.ts"
import { listKeptHeadings } from "../dispatched/shops.ts"
import { priceBatch, settleOpenOutcomes } from "./book.ts"
import { readEvidence, refuseLosing } from "./evidence.ts"
import {
  bookAndFinish,
  checkTarget,
  type FinishOptions,
  findResultsFile,
  looksAtOnce,
  preparePrint,
  refuseStdout,
  warnOfLateRows,
} from "./finish.ts"
import { checkOrders, type OrderFlags, refusePlan, toRun, withOrders } from "./open.ts"
import { checkRenamed } from "./renamed.ts"
import { readEarlierResults } from "./results.ts"
import { readRows } from "./rows/rows.ts"
import { decideRows } from "./shipping.ts"
import { showPrices } from "./show.ts"
import { batchQuestion } from "./summary.ts"
import { keepWaiting } from "./waiting.ts"

type FileOptions = OrderFlags & FinishOptions & { checkFirst?: boolean }

/**
 * Books every row of a file, or of standard input (`-`), once each.
 * @returns 1 when a dry run finds rows that would not be booked
 */
export async function bookFile(deps: Deps, file: string, given: FileOptions): Promise<number | undefined> {
  const flags = applySavedMap(deps, given)
  const { maxTotal, results, dispatched, dryRun, saveMap, checkFirst } = flags
  refuseStdout(flags)
  const print = await preparePrint(deps, flags)
  const needsAll =
    dryRun || checkFirst || [maxTotal, results, dispatched, saveMap].some((each) => each !== undefined)
  const streams = file === "-" && deps.output.format === "ndjson" && !needsAll
  await refusePlan(deps, file, ["batch", "book", "--plan"])
  return withOrders(deps, file, flags, streams, async (orders) => {
    const { input, batchDeps, defaults } = orders
    if (streams) {
      const rows = decideRows(readRows(input.source, { ...defaults, sampleRows: 0 }), flags)
      return bookAndFinish(
        deps,
        batchDeps,
        { ...toRun(flags), name: input.source.name, rows },
        { ...flags, ...print },
      )
    }
    const { amongSheets: sheet } = input.source
    const target = results ?? findResultsFile(file, undefined, sheet)
    if (target !== undefined && sheet !== undefined)
      deps.outputs.check({ file: target, writes: "place", force: false })
    const earlier = await readEarlierResults(deps.files, target)
    const evidence = await readEvidence(batchDeps, target, earlier, looksAtOnce(deps.settings, flags))
    const words = !isNamed(file) ? undefined : listOrderWords({ ...flags, orders: file })
    // Permissions that a person gives later apply to the rows too.
    const allowed = { ...flags, ...print }
    const keep = dispatched === undefined ? [] : listKeptHeadings()
    const keeping = { ...orders, defaults: { ...defaults, keep } }
    const { batch, checked, options } = await checkOrders(deps, allowed, keeping, ["batch", "book", file])
    const from = isNamed(file) ? { file, isPlan: false, words: listOrderWords(options) } : undefined
    const renamed = await checkRenamed(deps, batchDeps, batch.rows, { name: batch.name, ...flags })
    if (!dryRun) refuseLosing(evidence, batch.rows)
    if (!dryRun) await checkTarget(deps.files, target, earlier, batch, options)
    if (!dryRun && !(await settleOpenOutcomes(batchDeps, checked)))
      return bookAndFinish(deps, batchDeps, batch, options, { ...checked, target, earlier, words, from })
    const needsPrices = dryRun || maxTotal !== undefined || deps.spending.isOpen
    const skipsNamed = !options.rate && !dryRun && maxTotal === undefined
    const price = () => priceBatch({ ...batchDeps, skipsNamed }, batch, checked.spentCents)
    const prices = needsPrices ? await askAboutDoubts(deps, allowed, price) : undefined
    if (prices && from) await keepWaiting(deps, batchDeps, from, batch.rows)
    if (prices && dryRun) return showPrices(deps, prices.priced, file)
    await warnOfLateRows(deps, batch)
    const question =
      prices &&
      batchQuestion(prices.toSend, {
        pickup: options.pickup,
        renamed: options.newOrders ? 0 : renamed.length,
      })
    if (question !== undefined) await deps.spending.confirm(question)
    await input.refuseChanges()
    return bookAndFinish(deps, batchDeps, batch, options, { ...checked, target, earlier, words, from })
  })
}
