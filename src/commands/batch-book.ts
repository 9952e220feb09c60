import {
  type Batch,
  type BatchDeps,
  bookRows,
  isWhole,
  type Stream,
  checkBatch,
  checkTotal,
  runFollowUps,
  priceBatch,
  settleOpenOutcomes,
  writeResults,
} from "../orders/batch/book.ts"
import { readEvidence, refuseLosing } from "../orders/batch/evidence.ts"
import { changeText, recheckPlan, refuseChanges, withChanges } from "../orders/batch/plan/make.ts"
import { checkAccount, readPlan } from "../orders/batch/plan/plan.ts"
import { capPrices, planRows } from "../orders/batch/plan/rows.ts"
import {
  checkResultsFile,
  type EarlierResults,
  formatOf,
  readEarlierResults,
  resultsFileOf,
  toRecord,
} from "../orders/batch/results.ts"
import { WAITING } from "../orders/batch/result.ts"
import type { Outcome } from "../orders/batch/outcome.ts"
import type { BatchRow } from "../orders/batch/rows/row.ts"
import { describeLateRows } from "../orders/batch/late.ts"
import { keepWaiting, type RowsSource } from "../orders/batch/waiting.ts"
import { beginRun } from "../orders/batch/unfinished.ts"
import { readRows } from "../orders/batch/rows/rows.ts"
import { checkRenamed, separateQuestion } from "../orders/batch/renamed.ts"
import { showPrices, showRecord, showSummary, summaryColumns } from "../orders/batch/show.ts"
import { decideRows } from "../orders/batch/shipping.ts"
import { batchError, batchQuestion, describeEnding, summarize } from "../orders/batch/summary.ts"
import { isFresh } from "../orders/booking/order.ts"
import { command, type Flags, type OptionsOf } from "../command/command.ts"
import { onSameService } from "../machine/config/next.ts"
import { sandboxMark } from "../machine/config/sandbox-mode.ts"
import { counted } from "../base/counted.ts"
import { typedAgain } from "../base/command-line.ts"
import { isNamed } from "../base/file-names.ts"
import { quoted } from "../base/parsed.ts"
import type { Deps } from "../command/deps.ts"
import { FreightError } from "../base/errors.ts"
import {
  AGAIN_FOR,
  checkOrders,
  CONCURRENCY,
  createBatchDeps,
  findPlanAccount,
  NEW_ORDERS,
  refusePlan,
  REPLACES,
  ROW_FLAGS,
  toRun,
  withOrders,
} from "../orders/batch/open.ts"
import { findEnding } from "../orders/batch/follow-ups.ts"
import { dispatchBatch, listOrderWords } from "../orders/dispatched/run.ts"
import { listKeptHeadings } from "../orders/dispatched/shops.ts"
import { applySavedMap } from "../command/maps.ts"
import { ALLOW_FLAGS, cents, LOOK_FLAG, percentage, wholeNumber, YES_FLAG } from "../command/flags.ts"
import { askAboutDoubts } from "../orders/booking/doubts.ts"
import { LABEL_NAME } from "../orders/booking/service-flags.ts"
import { prepareDevice } from "../orders/printing/ahead.ts"

const ALLOWED_WITH_PLAN: readonly string[] = Object.keys(ALLOW_FLAGS)

const flags = {
  ...ROW_FLAGS,
  plan: {
    takes: "<file>",
    about: "book this plan of freight batch plan, at the approved rates",
    isInput: true,
    // A plan says already what a row is.
    conflicts: Object.keys(ROW_FLAGS).filter((flag) => !ALLOWED_WITH_PLAN.includes(flag)),
  },
  check: { about: "with --plan: ask for its rates again, even if they are still valid", needs: "plan" },
  maxChange: {
    takes: "<percent>",
    about: "with --plan: accept price changes up to this: 2% (0%)",
    needs: "plan",
    read: percentage,
  },
  dryRun: { about: "rate every row, show what would be booked and what it costs; send nothing" },
  ...YES_FLAG,
  ...LOOK_FLAG,
  maxTotal: {
    takes: "<amount>",
    about: "rate every row first, and book nothing above this total with GST",
    read: cents,
  },
  skipInvalid: { about: "leave out rows with errors, and book the others" },
  checkFirst: { about: "with --format ndjson: check all rows of a pipe before the first is booked" },
  concurrency: CONCURRENCY,
  stopAfter: {
    takes: "<n>",
    about: "stop after this many failures in a row",
    read: wholeNumber(1, 1_000_000),
  },
  againFor: AGAIN_FOR,
  replaces: REPLACES,
  newOrders: NEW_ORDERS,
  again: { about: "book rows even if an equal booking was made under another key within 24 hours" },
  noRate: { about: "do not ask for the price of rows that name their service" },
  results: {
    takes: "<file>",
    about: "write each row's result here (FILE.results.csv or .xlsx beside the file)",
    // Results of the same orders may be overwritten.
    writes: "place",
  },
  labels: { takes: "<dir>", about: "then save the labels into this folder", writes: "folder" },
  labelName: { ...LABEL_NAME, needs: "labels" },
  merge: {
    takes: "<file>",
    about:
      "then write the labels of today, and those that no earlier run has saved, into one PDF, in row order",
    writes: "pdf",
  },
  mergeAll: { about: "with --merge: also the labels of earlier days", needs: "merge" },
  force: { about: "overwrite other files with --results, --merge and --dispatched" },
  print: { takes: "[device]", about: "then print the labels (on this workstation's device)" },
  dispatched: {
    takes: "<file>",
    about:
      "then write the orders that have a number as their shop's import file, each once (freight dispatched writes the others)",
    writes: "file",
  },
  pickup: { about: "then have the carriers collect: once for each address, connector and time" },
} as const satisfies Flags

type Options = OptionsOf<typeof flags>

export default command({
  about:
    "Books every row of a CSV, .xlsx, NDJSON or JSON file, once each: running the same command again books only what is not booked. All rows are checked before anything is sent.",
  args: [{ takes: "[file]", about: "the rows, or - for standard input", unless: "plan", isInput: true }],
  flags,
  alsoWrites: (file, { plan, results }) => {
    const beside = results === undefined ? findResultsFile(file, plan) : undefined
    return beside === undefined ? [] : [{ flag: "--results", file: beside, writes: "place" }]
  },
  daily: [
    ...["useMap", "package", "service", "ready", "dryRun"],
    ...["skipInvalid", "labels", "merge", "print", "pickup"],
  ] as const,
  columns: summaryColumns,
  examples: [
    "freight batch template > orders.csv",
    "freight batch book --sandbox orders.csv --dry-run",
    "freight batch book --sandbox orders.csv --labels labels --json",
    "freight batch book --sandbox orders.xlsx --sheet Orders --hidden skip --dry-run",
    "freight batch book --sandbox orders.csv --package 30x20x10@2 --service cheapest --save-map shopify --dry-run",
    "freight batch book --sandbox orders.csv --use-map shopify --ready 10:00",
    "freight batch book --sandbox --plan orders.plan.json --labels labels",
    "freight batch template --format csv | freight batch book --sandbox - --format ndjson",
  ],
  /** @returns 1 when a dry run finds rows that would not be booked; a run throws what is not as it should be */
  run: (deps, file = "", options) =>
    options.plan === undefined ? bookFile(deps, file, options) : bookPlan(deps, file, options.plan, options),
})

async function bookFile(deps: Deps, file: string, given: Options): Promise<number | undefined> {
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
      return bookAll(
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
    const evidence = await readEvidence(batchDeps, target, earlier, looksAtOnce(deps, flags))
    const words = !isNamed(file) ? undefined : listOrderWords({ ...flags, orders: file, again: [] })
    // What a person allows later on is allowed to its rows too.
    const allowed = { ...flags, ...print }
    const keep = dispatched === undefined ? [] : listKeptHeadings()
    const keeping = { ...orders, defaults: { ...defaults, keep } }
    const { batch, checked, options } = await checkOrders(deps, allowed, keeping, ["batch", "book", file])
    const from = isNamed(file)
      ? { file, isPlan: false, words: listOrderWords({ ...options, again: [] }) }
      : undefined
    const renamed = await checkRenamed(deps, batchDeps, batch.rows, { name: batch.name, ...flags })
    if (!dryRun) refuseLosing(evidence, batch.rows)
    if (!dryRun) await checkTarget(deps, target, earlier, batch, options)
    if (!dryRun && !(await settleOpenOutcomes(batchDeps, checked)))
      return bookAll(deps, batchDeps, batch, options, { ...checked, target, earlier, words, from })
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
    return bookAll(deps, batchDeps, batch, options, { ...checked, target, earlier, words, from })
  })
}

/** Books a plan: exactly what was approved, or nothing. */
async function bookPlan(
  deps: Deps,
  file: string,
  name: string,
  options: Options,
): Promise<number | undefined> {
  if (file !== "")
    throw new FreightError("usage", `--plan already contains the rows: leave out ${quoted(file)}`)
  refuseStdout(options)
  const print = await preparePrint(deps, options)
  const { maxChange: percent = 0, dryRun, results } = options
  const plan = await readPlan(deps, name)
  const batchDeps = await createBatchDeps(deps, options)
  const { moment } = batchDeps
  checkAccount(name, plan, await findPlanAccount(deps, batchDeps))
  const batch: Batch = { ...toRun(options), name, rows: planRows(plan, moment) }
  const from = isNamed(name) ? { file: name, isPlan: true, words: [] } : undefined
  const target = results ?? findResultsFile(file, name)
  const earlier = await readEarlierResults(deps.files, target)
  const evidence = await readEvidence(batchDeps, target, earlier, looksAtOnce(deps, options))
  const checked = await checkBatch(batchDeps, batch, "Fix the orders and make a new plan")
  const renamed = await checkRenamed(deps, batchDeps, batch.rows, {
    ...options,
    name,
    accepted: plan.separateFrom,
    plannedAt: plan.madeAt,
  })
  if (!dryRun) refuseLosing(evidence, batch.rows)
  if (!dryRun) await checkTarget(deps, target, earlier, batch, options)
  if (!dryRun && !(await settleOpenOutcomes(batchDeps, checked)))
    return await bookAll(
      deps,
      batchDeps,
      batch,
      { ...options, ...print },
      { ...checked, target, earlier, from },
    )
  if (renamed.length > 0 && !options.newOrders && !dryRun)
    await deps.spending.confirm(separateQuestion("Book", renamed.length))
  // Whoever approved the plan has agreed.
  deps.spending.skip()
  const isOld = batch.rows.some(({ offer }) => offer && !isFresh(offer, deps.clock.now()))
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
  return await bookAll(
    deps,
    batchDeps,
    capped,
    { ...options, ...print },
    { ...checked, target, earlier, from },
  )
}

/** The words of a command that books an order in the place of what its carrier has cancelled. */
function addReplacing(typed: readonly string[], reference: string): string[] {
  const isNamed = typed.some((word, at) => word === "--again-for" && typed[at + 1] === reference)
  const isReplaced = typed.includes("--replaces")
  return [...typed, ...(isNamed ? [] : ["--again-for", reference]), ...(isReplaced ? [] : ["--replaces"])]
}

/** The cutoffs of the day may have passed since a plan was approved, or its rows were read. */
async function warnOfLateRows({ warn, clock }: Deps, { rows }: Batch): Promise<void> {
  const late = describeLateRows(rows, clock.now())
  if (late !== undefined) await warn(late)
}

/** Requests at once that look for what was booked elsewhere. */
function looksAtOnce({ settings }: Deps, { withoutLooking, concurrency }: Options): number {
  return withoutLooking || settings.value("lookElsewhere") === "off" ? 0 : concurrency
}

/** Where the results go beside what the rows come from; undefined for standard input. */
function findResultsFile(file = "", plan: string | undefined, sheet?: string): string | undefined {
  if (!isNamed(plan ?? file)) return undefined
  return plan === undefined ? resultsFileOf(file, sheet) : `${plan.replace(/\.json$/i, "")}.results.csv`
}

function refuseStdout({ dispatched }: Options): void {
  if (dispatched === "-")
    throw new FreightError("usage", "--dispatched takes the name of a file, not standard output")
}

/** @throws FreightError while nothing was sent, where `--print` names no device */
async function preparePrint(deps: Deps, { print, dryRun }: Options): Promise<Pick<Options, "print">> {
  return print === undefined || dryRun ? {} : { print: await prepareDevice(deps, print) }
}

/** @throws FreightError where the results would overwrite something else */
async function checkTarget(
  { files }: Deps,
  target: string | undefined,
  earlier: EarlierResults,
  { rows }: Batch,
  { results, force = false }: Options,
): Promise<void> {
  if (target === undefined) return
  // Another run of these rows may have ended since.
  const there = earlier.isResults ? earlier : await readEarlierResults(files, target)
  await checkResultsFile(files, { file: target, isNamed: results !== undefined, force }, there, rows)
}

async function bookAll(
  deps: Deps,
  batchDeps: BatchDeps,
  batch: Batch | Stream,
  { labels, labelName, merge, mergeAll = false, print: printOn, pickup = false, dispatched, force }: Options,
  {
    spentCents = 0,
    target,
    earlier,
    words,
    from,
  }: {
    spentCents?: number
    target?: string | undefined
    earlier?: EarlierResults
    /** What names its orders to other commands; absent where nothing does. */
    words?: string[] | undefined
    /** Absent where it is no named file. */
    from?: RowsSource | undefined
  } = {},
): Promise<undefined> {
  const streams = deps.output.format === "ndjson"
  const mark = sandboxMark(deps.globals)
  const asked = { labels, labelName, merge, print: printOn, pickup, results: target, dispatched }
  const notes =
    from && isWhole(batch) ? await beginRun(deps, batchDeps, from.file, batch.rows, asked) : undefined
  const reached: [BatchRow, Outcome][] = []
  const booked = await bookRows(batchDeps, batch, spentCents, async (row, outcome) => {
    if (!streams && !isWhole(batch)) reached.push([row, outcome])
    if (!streams) return
    await showRecord(deps, toRecord({ row, outcome, label: undefined }, mark))
  })
  if (from && isWhole(batch)) await keepWaiting(deps, batchDeps, from, batch.rows)
  const steps = {
    labels,
    labelName,
    earlier: earlier?.labels,
    merge,
    mergesAll: mergeAll,
    print: printOn,
    pickup,
  }
  const { saved, stepErrors, ended } = await runFollowUps(batchDeps, booked, steps, notes?.did)
  if (isWhole(batch)) {
    const { rows } = batch
    if (target !== undefined)
      await stepErrors.attempt("results", () =>
        writeResults(batchDeps, target, formatOf(target), rows, saved),
      )
    if (dispatched !== undefined)
      await stepErrors.attempt("dispatched", () =>
        dispatchBatch(deps, batchDeps.ledger, rows, { file: dispatched, force, ...(words && { words }) }),
      )
  }
  if (!ended && stepErrors.details.length === 0) notes?.end()
  const summary = summarize(batch.name, isWhole(batch) ? batch.rows.length : undefined, booked.tally, target)
  // NDJSON has its rows instead.
  if (!streams) {
    const ending = await findEnding(batchDeps.ledger, booked.labels, steps, saved)
    const lines = describeEnding(ending, labels ?? "", (next) => onSameService(next, deps.globals))
    const rows = isWhole(batch) ? batch.rows.map((row) => [row, row.outcome ?? WAITING] as const) : reached
    const labelOf = ({ shipmentId }: Outcome) => saved.get(shipmentId) ?? earlier?.labels.get(shipmentId)
    const records = () =>
      rows.map(([row, outcome]) => toRecord({ row, outcome, label: labelOf(outcome) }, mark))
    await showSummary(deps, summary, { ending, lines, records, ...mark }, deps.globals.verbose === true)
  }
  const wrong = batchError(summary, booked.unbooked, ended, stepErrors, {
    again(reference, flags) {
      if (from?.isPlan) return `a new plan with ${flags}`
      const { next } = words ? typedAgain(addReplacing(deps.words, reference)) : {}
      return next ?? `the same command with ${flags}`
    },
    complete: (command) => onSameService(command, deps.globals),
    isPlan: from?.isPlan === true,
  })
  if (wrong) throw wrong
  return undefined
}
