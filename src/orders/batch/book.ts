/** Runs a batch: check, settle open outcomes, price, book, follow-ups. */
import { exampleFlags } from "./ask-missing.ts"
import { type Globals, type RunStep, sandboxMark } from "../../machine/index.ts"
import { recheckElsewhere } from "../booking/elsewhere.ts"
import { counted, listSome } from "../../base/counted.ts"
import { groupBy } from "../../base/grouping.ts"
import { formatDate, wallClockNow, zoneHere } from "../../base/wall-clock.ts"
import { formatCents } from "../../base/money.ts"
import { type ErrorDetail, FreightError } from "../../base/errors.ts"
import { quoted } from "../../base/parsed.ts"
import {
  argument,
  digestFindings,
  errorsIn,
  listConversions,
  placeOf,
  type RowsReport,
} from "../../input/index.ts"
import {
  describeBooked,
  describeIgnored,
  isInFlight,
  type LedgerDeps,
  nameText,
  reconcile,
} from "../../ledger/index.ts"
import { createProgress, cut, wrap } from "../../output/index.ts"
import {
  type FollowUpDeps,
  handleLabels,
  bookPickups,
  createStepErrors,
  isOwn,
  type Steps,
  type StepErrors,
} from "./follow-ups.ts"
import type { Labelled } from "../booking/label-steps.ts"
import type { BookDeps } from "./book-row.ts"
import { createBudget } from "./limits.ts"
import { type Checked, checkRows, countEqual, lookUpAgain } from "./check.ts"
import {
  fetchConsignments,
  readEarlierResults,
  type Result,
  resultLines,
  type ResultsFormat,
  writeLines,
} from "./results.ts"
import { getSelectedMost } from "../booking/order.ts"
import { countOutcome, createTally, WAITING } from "./result.ts"
import type { Outcome } from "./outcome.ts"
import { type RowPriceSource, type Priced, type PricedRow, toPricedRow, priceRows } from "./price.ts"
import { describeLeftOut, findWithdrawal, HELD_STATES } from "./shipping.ts"
import { progressText, type Unbooked } from "./summary.ts"
import { type BatchRow, isToSend, listColumns } from "./rows/row.ts"
import { runRows } from "./run.ts"
import { isCostly } from "../../contract/index.ts"
import type { Notes } from "../../base/ports.ts"

export interface BatchDeps extends FollowUpDeps, Omit<BookDeps, "carriers" | "budget"> {
  readonly globals: Globals
  shows: boolean
  verbose: boolean
}

interface Run {
  name: string
  concurrency: number
  stopAfter: number | undefined
  maxTotalCents: number | undefined
  skipInvalid: boolean
}

export interface Batch extends Run {
  rows: readonly BatchRow[]
}

export interface Stream extends Run {
  rows: AsyncIterable<BatchRow>
}

type BatchOutcome = Awaited<ReturnType<typeof bookRows>>

/**
 * Checks every row, and warns of repairs.
 * @param fix advice for rows that cannot be booked
 */
export async function checkBatch(
  deps: Pick<BatchDeps, "api" | "ledger" | "note" | "warn" | "signal" | "again" | "verbose" | "terminal">,
  { name, rows, skipInvalid, concurrency }: Batch,
  fix?: string,
): Promise<Checked> {
  const checked = await checkRows(deps.ledger, rows, deps.signal, deps.again)
  const { report } = checked
  if (rows.length === 0)
    throw new FreightError("input", `${name} has no rows`, { next: "freight batch template" })
  const refused = rowsError(name, report, fix)
  await recheckRows(deps, checked, concurrency)
  const isRefused = refused && (!skipInvalid || report.bad.size === rows.length)
  await reportShop(deps, rows)
  await reportFindings(deps, checked, isRefused ? [] : (refused?.errors ?? []))
  await reportOrders(deps, checked)
  if (isRefused) throw refused
  return checked
}

/** Warns about shop data that no flag or answer settles: the number of pieces, and the service. */
async function reportShop({ warn }: Notes, rows: readonly BatchRow[]): Promise<void> {
  const toSend = rows.filter(({ isFree, request }) => isFree && request !== undefined)
  const inPieces = toSend.filter(({ openPieces }) => openPieces !== undefined)
  const [first] = inPieces
  if (first?.openPieces) {
    const { pieces, sku } = first.openPieces
    const isOne = inPieces.length === 1
    const orders = `${counted(inPieces.length, "order has", "orders have")} several pieces and ${isOne ? "goes" : "go"} as --package says`
    const say = `freight package add NAME SIZE --sku ${sku === "" ? "SKU" : argument(sku)}`
    await warn(
      `${orders}: row ${first.row} (${first.reference}) has ${pieces}. Say what a piece takes: ${say}`,
    )
  }
  const openMethods = new Map<string, number>()
  for (const { openMethod } of toSend)
    if (openMethod !== undefined) openMethods.set(openMethod, (openMethods.get(openMethod) ?? 0) + 1)
  if (openMethods.size === 0) return
  const methods = Array.from(openMethods, ([method, rows]) => `${rows} ${quoted(method)}`)
  const [example = ""] = openMethods.keys()
  await warn(
    `the shop's shipping methods are ignored: ${listSome(methods, MAX_METHODS)}. To book by one: --map-service ${quoted(`${example}=SERVICE`)} (a code, cheapest or fastest); ${quoted(`${example}=`)} is the service of other rows`,
  )
}

const MAX_METHODS = 8

/** Maximum number of findings printed before the summary. */
const MAX_LINES = 3

/** Warns about findings in the rows: about all with `--verbose`, otherwise in a few lines. */
async function reportFindings(
  { note, warn, verbose, terminal }: Pick<BatchDeps, "note" | "warn" | "verbose" | "terminal">,
  { report, rows }: Checked,
  leftOut: readonly ErrorDetail[],
): Promise<void> {
  const { isTTY, columns } = terminal.stderr
  const equal = countEqual(rows)
  if (!verbose) for (const line of listConversions(report)) await note(line)
  const others = [
    ...(equal > 1 ? [`${equal} rows differ in their reference only: each is a separate order`] : []),
    ...(leftOut.length > MAX_LINES && !verbose
      ? [`left out: ${report.bad.size} of ${rows.length} rows, each with its errors in the results`]
      : leftOut.map(({ message }) => `left out: ${message}`)),
  ]
  if (verbose) {
    const found = report.list().filter(({ severity }) => severity !== "error")
    for (const each of found) await warn(`${placeOf(each)}: ${each.message}`)
    for (const line of others) await warn(line)
    return
  }
  // Findings that could cost money come first, in full.
  for (const line of digestFindings(report, isCostly)) await warn(line)
  const lines = [...others, ...digestFindings(report, (rule) => !isCostly(rule))]
  const room = isTTY ? columns - "warning: ".length : Number.POSITIVE_INFINITY
  const isLong = lines.reduce((sum, line) => sum + wrap(line, room).length, 0) > MAX_LINES + 1
  if (!isLong && lines.length <= MAX_LINES) {
    for (const line of lines) await warn(line)
    return
  }
  const shown = lines.slice(0, MAX_LINES - 1)
  for (const line of shown) await warn(cut(line, room, terminal.unicode ? "…" : "..."))
  const more = lines.length - shown.length
  await note(
    `${more > 0 ? `${counted(more, "more warning")}: ` : ""}--verbose shows all of them, and the results each row's.`,
  )
}

/** Names orders that are left out, and differences between rows and their bookings. */
async function reportOrders(
  { note }: Notes,
  { rows, ignored, elsewhere, cancelled }: Pick<Checked, "rows" | "ignored" | "elsewhere" | "cancelled">,
): Promise<void> {
  const [stranger] = elsewhere
  if (stranger)
    await note(
      `${counted(elsewhere.length, "order was", "orders were")} booked elsewhere, and ${elsewhere.length === 1 ? "is" : "are"} not sent: ${nameText(stranger.entry)} ${describeBooked(stranger.entry)}${elsewhere.length > 1 ? ", for one" : ""}.`,
    )
  const names = cancelled.map(({ row }) => row.reference)
  if (cancelled.length > 0)
    await note(
      `${counted(names.length, "order is", "orders are")} left out, as the carrier has cancelled ${names.length === 1 ? "it" : "them"}: ${listSome(names)}. The results say who confirmed it, and what books it again.`,
    )
  const leftOut = rows.filter(({ held, outcome }) => held && outcome?.state === HELD_STATES.leftOut)
  const byStatus = groupBy(leftOut, ({ held }) => held?.status ?? "")
  const references = Array.from(
    byStatus,
    ([status, some]) => [status, some.map(({ reference }) => reference)] as const,
  )
  if (leftOut.length > 0) await note(describeLeftOut(new Map(references)))
  const [first, ...others] = ignored
  if (!first) return
  const more =
    others.length > 0 ? ` So ${others.length === 1 ? "does 1 more" : `do ${others.length} more`}.` : ""
  await note(describeIgnored(first.differences, first.reference) + more)
}

/** The errors as one error for `--json`, if any row cannot be booked. */
export function rowsError(
  file: string,
  report: RowsReport,
  fix = "Fix them and run this again",
): FreightError | undefined {
  const { size } = report.bad
  if (size === 0) return undefined
  const inAll = report.list().filter(({ count }) => count === report.total)
  const flags = exampleFlags(new Set(inAll.map(({ missing }) => missing)))
  const add = flags === "" ? "" : ` For what no row says, add to the command: ${flags}`
  return new FreightError(
    "input",
    `${file}: ${size} of ${report.total} rows cannot be booked; nothing was sent`,
    {
      errors: errorsIn(report),
      hint: `${fix}, or book the others with --skip-invalid.${report.hasHeadings ? " Rows are numbered as a spreadsheet shows them, headings included." : ""}${add}`,
    },
  )
}

/**
 * Reconciles entries that an earlier run left without an outcome, and looks those rows up again. Waits for entries that a
 * killed run may still be sending: their lease runs out within seconds.
 * @returns false when interrupted: the rows are then only reported
 */
export async function settleOpenOutcomes(
  { api, ledger, note, again }: Pick<BatchDeps, "api" | "ledger" | "note" | "again">,
  checked: Checked,
): Promise<boolean> {
  const { open, sending } = checked
  if (open.length === 0) return true
  try {
    const unknown = open.length - sending.length + (await waitForSenders(ledger, sending, note))
    if (unknown > 0) {
      await note(
        `${counted(unknown, "row has", "rows have")} an unknown outcome: looking for ${unknown === 1 ? "it" : "them"}…`,
      )
      const { fingerprint: account, scope } = ledger.owner
      await reconcile({ ...ledger, account, scopes: [scope] }, async () => api)
    }
    await lookUpAgain(ledger, open, again)
    return true
  } catch (error) {
    if (!(error instanceof FreightError) || error.kind !== "interrupted") throw error
    return false
  }
}

/** Rereads bookings made elsewhere for these rows, and sends rows whose shipment was cancelled since. */
async function recheckRows(
  { api, ledger, again }: Pick<BatchDeps, "api" | "ledger" | "again">,
  checked: Checked,
  atOnce: number,
): Promise<void> {
  const { elsewhere } = checked
  const ids = elsewhere.flatMap(({ entry }) => entry.facts.shipmentId ?? [])
  if (ids.length === 0 || !(await recheckElsewhere(ledger, api, ids, atOnce))) return
  const rows = elsewhere.map(({ row }) => row)
  await lookUpAgain(ledger, rows, again)
  checked.elsewhere = elsewhere.filter(({ row: { isFree, outcome } }) => !isFree && outcome?.elsewhere)
}

/** Waits until no process is sending these entries. @returns how many still have no outcome */
async function waitForSenders(
  { store, clock, signal }: LedgerDeps,
  ids: readonly string[],
  note: BatchDeps["note"],
): Promise<number> {
  if (ids.length === 0) return 0
  await note(`another process may be sending ${counted(ids.length, "row")}: waiting for it…`)
  const end = clock.now() + SENDING_MS
  let waiting = [...ids]
  let unknown = 0
  for (;;) {
    const now = await store.now()
    const entries = await Promise.all(waiting.map((id) => store.byId(id)))
    const open = entries.flatMap((entry) => (entry?.state === "unknown" ? [entry] : []))
    const busy = open.filter((entry) => isInFlight(entry, now))
    unknown += open.length - busy.length
    waiting = busy.map(({ id }) => id)
    if (waiting.length === 0 || clock.now() >= end) return unknown
    await clock.sleep(PAUSE_MS, signal)
  }
}

const SENDING_MS = 60_000
const PAUSE_MS = 250

/**
 * Rates every unsent row, and stores the selected rate.
 * @param spentCents cost of rows that were sent before
 * @param onPriced gets each row as it is rated, in no order
 */
export async function priceBatch(
  deps: BatchDeps & RowPriceSource,
  batch: Batch,
  spentCents: number,
  onPriced: (priced: Priced) => void = () => {},
): Promise<{ priced: PricedRow[]; toSend: PricedRow[] }> {
  const priced: PricedRow[] = []
  const toSend: PricedRow[] = []
  const tally = createTally()
  const progress = deps.shows
    ? createProgress(deps.terminal, deps.clock, batch.rows.length, progressText)
    : undefined
  try {
    await priceRows(deps, batch.rows, batch.concurrency, async (each) => {
      const row = toPricedRow(each)
      priced.push(row)
      if (isToSend(each.row)) toSend.push(row)
      onPriced(each)
      countOutcome(tally, each.outcome)
      await progress?.show(tally)
    })
  } finally {
    await progress?.clear()
  }
  priced.sort((a, b) => a.row - b.row)
  checkTotal(batch, spentCents)
  return { priced, toSend }
}

export function checkTotal({ name, rows, maxTotalCents }: Batch, spentCents: number): void {
  const prices = rows.map((row) => (isToSend(row) && row.selected && getSelectedMost(row.selected)) || 0)
  const total = prices.reduce((sum, cents) => sum + cents, spentCents)
  if (maxTotalCents === undefined || total <= maxTotalCents) return
  throw new FreightError(
    "input",
    `${name} may cost ${formatCents(total)} in total with GST, over --max-total ${formatCents(maxTotalCents)}; nothing was sent`,
    spentCents > 0 ? { hint: `Of that, ${formatCents(spentCents)} is for rows that were sent before.` } : {},
  )
}

/**
 * Checks whether an outcome was booked by this run, or today in local time.
 * @param now milliseconds since the epoch
 */
function createDayCheck(now: number): (outcome: Outcome) => boolean {
  const zone = zoneHere()
  const dayOf = (instant: number) => formatDate(wallClockNow(instant, zone))
  const today = dayOf(now)
  return ({ recorded, sentAt }) =>
    recorded && sentAt !== undefined ? dayOf(Date.parse(sentAt)) === today : recorded !== true
}

/**
 * Books the rows, and stores each outcome.
 * @param spentCents cost of rows that were sent before
 */
export async function bookRows(
  deps: BatchDeps,
  batch: Batch | Stream,
  spentCents: number,
  onOutcome: (row: BatchRow, outcome: Outcome) => Promise<void>,
) {
  const { rows, maxTotalCents, stopAfter } = batch
  const tally = createTally()
  const outcomes: Outcome[] = []
  const booked: [row: number, Labelled][] = []
  const unbooked: Unbooked[] = []
  const isOfToday = createDayCheck(deps.clock.now())
  const progress = deps.shows
    ? createProgress(deps.terminal, deps.clock, isWhole(batch) ? batch.rows.length : undefined, progressText)
    : undefined
  const warn = async (text: string) => {
    await progress?.clear()
    await deps.warn(text)
  }
  const budget = maxTotalCents === undefined ? undefined : createBudget(maxTotalCents, spentCents)
  const ended = await runRows({ ...deps, warn, budget }, rows, {
    stopAfter,
    async onOutcome(row, outcome) {
      row.outcome = outcome
      outcomes.push(outcome)
      countOutcome(tally, outcome, outcome.recorded)
      const { state, shipmentId, error, hint, limited } = outcome
      // A second consignment of an order has its own label and print.
      const key = outcome.key ?? row.reference
      const isElsewhere = outcome.elsewhere !== undefined
      if (state === "booked" && shipmentId !== "")
        booked.push([
          row.row,
          { key, reference: key, shipmentId, isElsewhere, isOfToday: isOfToday(outcome) },
        ])
      if (state !== "booked" && state !== "left-out")
        unbooked.push({
          ...{ row: row.row, reference: row.reference, error, hint, limited },
          ...(state === "changed" && {
            changed: { booked: toCancel(outcome), isWithdrawn: findWithdrawal(row) !== undefined },
          }),
        })
      await onOutcome(row, outcome)
      await progress?.show(tally)
    },
  })
  await progress?.clear()
  booked.sort(([a], [b]) => a - b)
  return { tally, ended, outcomes, labels: booked.map(([, each]) => each), unbooked }
}

function toCancel({ key = "", shipmentId, consignment, elsewhere }: Outcome) {
  const facts = { shipmentId: shipmentId || undefined, consignmentNumber: consignment || undefined }
  return { key: `key:${key}`, facts, ...(elsewhere && { elsewhere }) }
}

/** Whether all rows are read, and none is still to come. */
export function isWhole(batch: Batch | Stream): batch is Batch {
  return "length" in batch.rows
}

interface Followed {
  saved: Map<string, string>
  stepErrors: StepErrors
  /** Why the batch or its follow-ups ended early. */
  ended: FreightError | undefined
}

/** Runs the follow-ups (labels, prints, pickups, late consignment numbers) if all rows were reached. */
export async function runFollowUps(
  deps: BatchDeps,
  { labels, ended, outcomes }: BatchOutcome,
  steps: Steps & { pickup: boolean },
  onDone?: (step: RunStep) => void,
): Promise<Followed> {
  const { api, ledger } = deps
  const followed: Followed = { saved: new Map(), stepErrors: createStepErrors(onDone), ended }
  if (ended) return followed
  const { saved, stepErrors } = followed
  try {
    await handleLabels(deps, labels, steps, saved, stepErrors)
    if (steps.pickup)
      await stepErrors.attempt("pickup", () => bookPickups(deps, labels.filter(isOwn), stepErrors))
    const others = labels.filter((each) => !isOwn(each)).length
    if (others > 0 && (steps.pickup || steps.print !== undefined))
      await deps.note(
        `${counted(others, "shipment that was", "shipments that were")} booked elsewhere: neither printed nor collected from here. freight print label and freight pickup book do that for one.`,
      )
    await fetchConsignments(api, ledger.store, outcomes)
  } catch (error) {
    if (!(error instanceof FreightError) || error.kind !== "interrupted") throw error
    followed.ended = error
  }
  return followed
}

export async function writeResults(
  { files, globals }: Pick<BatchDeps, "files" | "globals">,
  file: string,
  format: ResultsFormat,
  rows: readonly BatchRow[],
  saved: ReadonlyMap<string, string>,
): Promise<void> {
  // Keep the labels of an earlier run.
  const { labels: earlier } = await readEarlierResults(files, file)
  const results = rows.map((row): Result => {
    const { outcome = WAITING } = row
    const { shipmentId } = outcome
    return { row, outcome, label: saved.get(shipmentId) ?? earlier.get(shipmentId) }
  })
  await writeLines(files, file, resultLines(format, listColumns(rows), results, sandboxMark(globals)))
}
