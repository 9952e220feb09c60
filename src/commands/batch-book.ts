import type { Command } from "commander"
import { createFreightApi } from "../api/freight.ts"
import {
  type Batch,
  type BatchDeps,
  bookRows,
  checkBatch,
  follow,
  priceBatch,
  settleOpenOutcomes,
  writeResults,
} from "../batch/book.ts"
import type { Checked } from "../batch/check.ts"
import { type RowFlags, buildRowDefaults } from "../batch/defaults.ts"
import { checkLabelName } from "../booking/label-files.ts"
import { type Offer, parseAmount } from "../booking/offer.ts"
import { createLimiter } from "../api/limiter.ts"
import { LONG_RUN } from "../api/retry.ts"
import { formatOf, readLabels, toRecord, resultsFileOf } from "../batch/results.ts"
import { readRows } from "../batch/rows/rows.ts"
import { openInput } from "../sheets/source.ts"
import { summarize, batchError } from "../batch/summary.ts"
import { checkMapName, flagsToSave, mapText, type SavedMap, withSavedMap } from "../config/maps.ts"
import { momentAt } from "../contract/collection-times.ts"
import type { Deps } from "../deps.ts"
import { FreightError } from "../errors.ts"
import { jsonText } from "../terminal/json-text.ts"
import type { Act } from "./shared/act.ts"
import { showPrices, showSummary } from "./shared/batch-output.ts"
import { examples } from "./shared/examples.ts"
import { LABEL_NAME } from "./shared/label-name.ts"
import { addRowFlags } from "./shared/row-flags.ts"

interface Options extends RowFlags {
  saveMap?: string
  useMap?: string
  dryRun?: boolean
  maxTotal?: string
  skipInvalid?: boolean
  concurrency: string
  stopAfter?: string
  results?: string
  labels?: string
  labelName?: string
  merge?: string
  print?: string | true
  pickup?: boolean
  again?: boolean
  /** False for `--no-rate`. */
  rate?: boolean
}

export function define(command: Command, act: Act): void {
  command
    .description(
      "Books every row of a CSV, NDJSON or JSON file, once each: running the same line again books only what is not " +
        "booked. All rows are checked before anything is sent.",
    )
    .argument("<file>", "the rows, or - for standard input")
  addRowFlags(command)
    .option("--dry-run", "rate every row, show what would be booked and what it costs; send nothing")
    .option("--max-total <amount>", "rate every row first, and book nothing over this in all")
    .option("--skip-invalid", "go on without the rows that have a mistake")
    .option("--concurrency <n>", "requests under way at once, at most", "8")
    .option("--stop-after <n>", "stop after so many failures in a row")
    .option("--again", "book rows although an equal booking was made under another key within 24 hours")
    .option("--no-rate", "do not ask what a row costs that names its service")
    .option("--results <file>", "write each row's result here (FILE.results.csv beside the file)")
    .option("--labels <dir>", "then save the labels into this folder")
    .option("--label-name <pattern>", LABEL_NAME)
    .option("--merge <file>", "then write the labels into one PDF, in row order")
    .option("--print [device]", "then print the labels (on this workstation's device)")
    .option("--pickup", "then have the carriers collect: once for each address, connector and time")
    .addHelpText(
      "after",
      examples(
        "freight batch template > orders.csv",
        "freight batch book --sandbox orders.csv --dry-run",
        "freight batch book --sandbox orders.csv --labels labels --json",
        "freight batch book --sandbox orders.csv --package 30x20x10@2 --service cheapest --save-map shopify --dry-run",
        "freight batch book --sandbox orders.csv --use-map shopify --ready 10:00",
        "freight batch book --sandbox - --format ndjson < orders.csv",
      ),
    )
    .action(act(run))
}

const MOST_AT_ONCE = 64

/** @returns 1 when a dry run finds rows that would not be booked; a run throws what is not as it should be */
async function run(deps: Deps, file: string, typed: Options): Promise<number | undefined> {
  const options = typed.useMap === undefined ? typed : withSavedMap(deps.config, typed.useMap, typed)
  const { maxTotal, stopAfter, results, dryRun, saveMap } = options
  if (saveMap !== undefined) checkMapName(saveMap)
  const saved = saveMap === undefined ? undefined : flagsToSave(options)
  if (results !== undefined && results === file)
    throw new FreightError("usage", "--results names the file of the rows itself")
  checkLabelName(options.labelName)
  if (options.labelName !== undefined && options.labels === undefined)
    throw new FreightError("usage", "--label-name goes with --labels")
  const given = {
    concurrency: wholeNumber(options.concurrency, "--concurrency", MOST_AT_ONCE),
    stopAfter: stopAfter === undefined ? undefined : wholeNumber(stopAfter, "--stop-after", 1_000_000),
    maxTotalCents: maxTotal === undefined ? undefined : parseAmount(maxTotal, "--max-total"),
    skipInvalid: options.skipInvalid === true,
  }
  const needsAll = dryRun || maxTotal !== undefined || results !== undefined || saved !== undefined
  const streams = file === "-" && deps.output.format === "ndjson" && !needsAll
  const input = await openInput(deps.terminal.stdin, file, streams, `${deps.stateDir}/batch`, deps.signal)
  try {
    const batchDeps = await depsOf(deps, given.concurrency, options)
    const { connectors } = batchDeps
    const sandbox = deps.globals.sandbox === true
    const defaults = await buildRowDefaults(deps, options, { connectors, sandbox })
    const batch: Batch = { ...given, name: input.source.name, rows: () => readRows(input.source, defaults) }
    if (streams) return await bookAll(deps, batchDeps, batch, options)

    const checked = await checkBatch(batchDeps, batch)
    if (saveMap !== undefined && saved) await keepMap(deps, saveMap, saved)
    if (!dryRun) await settleOpenOutcomes(batchDeps, checked)
    const prices = dryRun || maxTotal !== undefined ? await priceBatch(batchDeps, batch, checked) : undefined
    if (prices && dryRun) return await showPrices(deps, prices.priced)
    const target = results ?? (file === "-" ? undefined : resultsFileOf(file))
    return await bookAll(deps, batchDeps, batch, options, checked, prices?.offers, target)
  } finally {
    await input.close()
  }
}

async function keepMap({ config, note }: Deps, name: string, saved: SavedMap): Promise<void> {
  await config.update((before) => ({ ...before, maps: { ...before.maps, [name]: saved } }))
  await note(`Saved as '${name}': --use-map ${name} is the same as ${mapText(saved)}`)
}

/** What a batch needs: its own way to the API, whose requests end before the process does. */
async function depsOf(
  deps: Deps,
  concurrency: number,
  { again, rate, allowPast }: Options,
): Promise<BatchDeps> {
  const limiter = createLimiter(deps.clock, concurrency)
  const [endpoint, ledger] = await Promise.all([deps.endpoint("freight"), deps.ledger("freight")])
  const api = createFreightApi(
    await deps.connect("freight", endpoint, { limiter, finishes: true, patience: LONG_RUN }),
  )
  const { connectors } = await api.listConnectors()
  await deps.seen.keepConnectors(connectors)
  const moment = momentAt(deps.clock.now(), allowPast)
  const asks = { again: again === true, asksPrice: rate !== false }
  return { ...deps, ...asks, moment, api, ledger, connectors, limiter, shows: deps.globals.quiet !== true }
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
  const { saved, stepErrors, ended } = await follow(batchDeps, booked, steps)
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

function wholeNumber(text: string, flag: string, most: number): number {
  const number = /^\d{1,7}$/.test(text) ? Number(text) : 0
  if (number < 1 || number > most)
    throw new FreightError("usage", `${flag} takes a whole number from 1 to ${most}, not '${text}'`)
  return number
}
