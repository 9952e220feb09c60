import {
  type Batch,
  type BatchDeps,
  bookRows,
  checkBatch,
  checkTotal,
  runFollowUps,
  priceBatch,
  settleOpenOutcomes,
  writeResults,
} from "../batch/book.ts"
import type { Checked } from "../batch/check.ts"
import { buildRowDefaults, type RowFlags } from "../batch/defaults.ts"
import { changeText, recheckPlan, refuseChanges, withChanges } from "../batch/plan/make.ts"
import { checkAccount, readPlan } from "../batch/plan/plan.ts"
import { planOffers, planRows } from "../batch/plan/rows.ts"
import { checkResultsFile, formatOf, readLabels, resultsFileOf, toRecord } from "../batch/results.ts"
import { readRows } from "../batch/rows/rows.ts"
import { decideRows } from "../batch/shipping.ts"
import { batchError, batchQuestion, summarize } from "../batch/summary.ts"
import { checkLabelName } from "../booking/label-files.ts"
import { isFresh, type Offer } from "../booking/offer.ts"
import { withSavedMap } from "../config/maps.ts"
import { counted } from "../contract/counted.ts"
import { parsePercent } from "../contract/money.ts"
import { quoted, valueOrThrow } from "../contract/parsed.ts"
import type { Deps } from "../deps.ts"
import { FreightError } from "../errors.ts"
import { checkPdfName } from "../memory/outputs.ts"
import { openInput } from "../sheets/source.ts"
import { jsonText } from "../terminal/json-text.ts"
import {
  addRowFlags,
  checkOrders,
  createBatchDeps,
  findPlanAccount,
  type MapFlags,
  readMapToSave,
  readRunFlags,
  refusePlan,
  type RunFlags,
  showPrices,
  showSummary,
  tellRenamed,
} from "./shared/batch.ts"
import { LABEL_NAME, repeat, yesOption } from "./shared/flags.ts"
import { AGAIN_FOR } from "./shared/shipping-flags.ts"
import type { Command } from "commander"

interface Options extends RowFlags, RunFlags, MapFlags {
  plan?: string
  check?: boolean
  maxChange?: string
  dryRun?: boolean
  results?: string
  labels?: string
  labelName?: string
  merge?: string
  force?: boolean
  print?: string | true
  pickup?: boolean
}

export function define(command: Command): void {
  command
    .description(
      "Books every row of a CSV, NDJSON or JSON file, once each: running the same command again books only what is not " +
        "booked. All rows are checked before anything is sent.",
    )
    .argument("[file]", "the rows, or - for standard input")
  addRowFlags(command)
    .option("--plan <file>", "book this plan of freight batch plan, at the approved rates")
    .option("--check", "with --plan: ask for its rates again, even if they are still valid")
    .option("--max-change <percent>", "with --plan: accept price changes up to this: 2% (0%)")
    .option("--dry-run", "rate every row, show what would be booked and what it costs; send nothing")
    .addOption(yesOption())
    .option("--max-total <amount>", "rate every row first, and book nothing above this total")
    .option("--skip-invalid", "leave out rows with errors, and book the others")
    .option("--concurrency <n>", "maximum number of requests at once", "8")
    .option("--stop-after <n>", "stop after this many failures in a row")
    .option("--again-for <reference>", AGAIN_FOR, repeat)
    .option("--again", "book rows even if an equal booking was made under another key within 24 hours")
    .option("--no-rate", "do not ask for the price of rows that name their service")
    .option("--results <file>", "write each row's result here (FILE.results.csv beside the file)")
    .option("--labels <dir>", "then save the labels into this folder")
    .option("--label-name <pattern>", LABEL_NAME)
    .option("--merge <file>", "then write the labels into one PDF, in row order")
    .option("--force", "overwrite other files with --results and --merge")
    .option("--print [device]", "then print the labels (on this workstation's device)")
    .option("--pickup", "then have the carriers collect: once for each address, connector and time")
}

export const examples = [
  "freight batch template > orders.csv",
  "freight batch book --sandbox orders.csv --dry-run",
  "freight batch book --sandbox orders.csv --labels labels --json",
  "freight batch book --sandbox orders.csv --package 30x20x10@2 --service cheapest --save-map shopify --dry-run",
  "freight batch book --sandbox orders.csv --use-map shopify --ready 10:00",
  "freight batch book --sandbox --plan orders.plan.json --labels labels",
  "freight batch book --sandbox - --format ndjson < orders.csv",
]

/** @returns 1 when a dry run finds rows that would not be booked; a run throws what is not as it should be */
export async function run(
  deps: Deps,
  file: string | undefined,
  typed: Options,
  command: Command,
): Promise<number | undefined> {
  if (typed.plan !== undefined) return bookPlan(deps, file, typed.plan, typed)
  if (file === undefined) return command.error("missing argument", { code: "commander.missingArgument" })
  for (const flag of ["check", "maxChange"] as const)
    if (typed[flag] !== undefined) throw new FreightError("usage", `${flagText(flag)} needs --plan`)
  return bookFile(deps, file, typed)
}

async function bookFile(deps: Deps, file: string, typed: Options): Promise<number | undefined> {
  const flags = typed.useMap === undefined ? typed : withSavedMap(deps.config, typed.useMap, typed)
  const { maxTotal, results, dryRun, saveMap } = flags
  readMapToSave(flags)
  await checkLabelFlags(deps, flags)
  const given = readRunFlags(flags)
  const needsAll = dryRun || maxTotal !== undefined || results !== undefined || saveMap !== undefined
  const streams = file === "-" && deps.output.format === "ndjson" && !needsAll
  await refusePlan(deps, file, ["batch", "book", "--plan"])
  const input = await openInput(deps.terminal.stdin, file, streams, `${deps.stateDir}/batch`, deps.signal)
  try {
    const batchDeps = await createBatchDeps(deps, given.concurrency, flags)
    const { connectors } = batchDeps
    const sandbox = deps.globals.sandbox === true
    const defaults = await buildRowDefaults(deps, flags, { connectors, sandbox })
    const { source } = input
    if (streams) {
      const rows = () => decideRows(readRows(source, defaults), flags)
      return await bookAll(deps, batchDeps, { ...given, name: source.name, rows }, flags)
    }
    const orders = { ...given, source, defaults }
    const { batch, checked, options } = await checkOrders(deps, batchDeps, flags, orders)
    const renamed = await tellRenamed(deps, batchDeps, checked, !dryRun)
    const target = results ?? (file === "-" ? undefined : resultsFileOf(file))
    if (!dryRun) await checkTarget(deps, target, file, batch, options)
    if (!dryRun && !(await settleOpenOutcomes(batchDeps, checked)))
      return await bookAll(deps, batchDeps, batch, options, checked, undefined, target)
    const needsPrices = dryRun || maxTotal !== undefined || deps.spending.isOpen
    const skipsNamed = options.rate === false && !dryRun && maxTotal === undefined
    const prices = needsPrices ? await priceBatch({ ...batchDeps, skipsNamed }, batch, checked) : undefined
    if (prices && dryRun) return await showPrices(deps, prices.priced)
    const question = prices && batchQuestion(prices.toSend, { pickup: options.pickup, renamed })
    if (question !== undefined) await deps.spending.confirm(question)
    await input.refuseChanges()
    return await bookAll(deps, batchDeps, batch, options, checked, prices?.offers, target)
  } finally {
    await input.close()
  }
}

/** Books a plan: exactly what was approved, or nothing. */
async function bookPlan(
  deps: Deps,
  file: string | undefined,
  name: string,
  options: Options,
): Promise<number | undefined> {
  refuseRowFlags(file, options)
  await checkLabelFlags(deps, options)
  const given = readRunFlags(options)
  const { maxChange = "0%", dryRun, results } = options
  const percent = valueOrThrow(parsePercent(maxChange), "--max-change")
  const plan = await readPlan(deps, name)
  const batchDeps = await createBatchDeps(deps, given.concurrency, options)
  const { moment } = batchDeps
  checkAccount(name, plan, await findPlanAccount(deps, batchDeps))
  const batch: Batch = { ...given, name, rows: () => planRows(plan, moment) }
  const checked = await checkBatch(batchDeps, batch)
  const target = results ?? (name === "-" ? undefined : `${name.replace(/\.json$/i, "")}.results.csv`)
  if (!dryRun) await checkTarget(deps, target, name, batch, options)
  if (!dryRun && !(await settleOpenOutcomes(batchDeps, checked)))
    return await bookAll(deps, batchDeps, batch, options, checked, undefined, target)
  // Whoever approved the plan has agreed.
  deps.spending.skip()
  let offers = planOffers(plan)
  const isOld = [...offers.values()].some((offer) => !isFresh(offer, deps.clock.now()))
  if (dryRun || options.check || isOld) {
    const again = await recheckPlan(batchDeps, batch, checked, plan, percent)
    if (dryRun) return await showPrices(deps, withChanges(again))
    refuseChanges(name, plan, again.changes)
    const why = isOld
      ? "The plan's rates have expired, so they were asked for again"
      : "Rates were asked for again"
    await deps.note(`${why}: ${counted(again.changes.length, "row")} with another price.`)
    for (const change of again.changes) await deps.note(`  ${changeText(change)}`)
    offers = again.offers
  } else checkTotal(batch, offers.values(), checked.spentCents)
  const capped: Batch = { ...batch, rows: () => planRows(plan, moment, percent) }
  return await bookAll(deps, batchDeps, capped, options, checked, offers, target)
}

/** Flags that say what a row is: a plan says it already. */
const OF_ROWS: readonly (keyof RowFlags | "saveMap" | "useMap")[] = [
  ...([
    "map",
    "saveMap",
    "useMap",
    "include",
    "leaveOut",
    "ignoreUnknown",
    "sender",
    "collection",
    "package",
    "packaging",
  ] as const),
  ...(["ready", "close", "payer", "instructions", "set", "service", "connector"] as const),
  ...(["within", "arriveBy", "maxPrice", "avoid"] as const),
]

/** @throws FreightError `usage` */
function refuseRowFlags(file: string | undefined, options: Options): void {
  if (file !== undefined)
    throw new FreightError("usage", `--plan already contains the rows: leave out ${quoted(file)}`)
  const flag = OF_ROWS.find((each) => options[each] !== undefined)
  if (flag !== undefined)
    throw new FreightError(
      "usage",
      `${flagText(flag)} is for a file of orders, and --plan already contains the rows`,
      { hint: "Make a new plan for other rows." },
    )
}

/** `maxPrice` → `--max-price`. */
function flagText(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

async function checkLabelFlags(deps: Deps, { labelName, labels, merge, force }: Options): Promise<void> {
  checkLabelName(labelName)
  checkPdfName(merge)
  if (labelName !== undefined && labels === undefined)
    throw new FreightError("usage", "--label-name needs --labels")
  await deps.outputs.check(merge, force)
}

/** @throws FreightError where the results would overwrite something else */
async function checkTarget(
  { files }: Deps,
  target: string | undefined,
  source: string,
  { rows }: Batch,
  { results, force = false }: Options,
): Promise<void> {
  if (target !== undefined)
    await checkResultsFile(files, { file: target, isNamed: results !== undefined, source, force }, rows)
}

async function bookAll(
  deps: Deps,
  batchDeps: BatchDeps,
  batch: Batch,
  { labels, labelName, merge, print: printOn, pickup = false }: Options,
  checked?: Checked,
  offers: ReadonlyMap<number, Offer> = new Map(),
  target?: string,
): Promise<undefined> {
  const streams = deps.output.format === "ndjson"
  const booked = await bookRows(batchDeps, batch, checked, offers, async ({ row }, outcome) => {
    if (!streams) return
    await deps.terminal.stdout.write(`${jsonText(toRecord({ row, outcome, label: undefined }))}\n`)
  })
  const earlier =
    labels === undefined || target === undefined ? new Map() : await readLabels(deps.files, target)
  const steps = { labels, labelName, earlier, merge, print: printOn, pickup }
  const { saved, stepErrors, ended } = await runFollowUps(batchDeps, booked, steps)
  if (target !== undefined)
    await stepErrors.attempt("the results", () =>
      writeResults(batchDeps, target, formatOf(target), batch.rows(), booked, saved),
    )
  const summary = summarize(batch.name, checked?.rows, booked.tally, target)
  await showSummary(deps, summary)
  const wrong = batchError(summary, booked.unbooked, ended, stepErrors)
  if (wrong) throw wrong
  return undefined
}
