/** What follows a batch's bookings: labels, prints and pickups. A failed step leaves the bookings standing. */
import path from "node:path"
import type { FreightApi } from "../api/freight.ts"
import { failureOf } from "../api/several.ts"
import {
  failuresIn,
  fetchLabels,
  LABEL_LIMIT_MS,
  type LabelAttempt,
  type WaitDeps,
} from "../booking/labels.ts"
import { createLabelSaver, needsDetails, readSubject } from "../booking/label-files.ts"
import { nextCommand } from "../contract/command-line.ts"
import type { Moment } from "../contract/collection-times.ts"
import { counted } from "../contract/counted.ts"
import type { PrintJobCreated } from "../contract/generated/types.ts"
import { describeDetail, type ErrorDetail, FreightError, toStepError } from "../errors.ts"
import type { LedgerDeps } from "../ledger/create.ts"
import { type DeviceDeps, deviceFor } from "../printing/devices.ts"
import { printAll, sendLabelPrint, type Sheet } from "../printing/print.ts"
import type { Outputs } from "../memory/outputs.ts"
import type { Files } from "../terminal/files.ts"
import type { Terminal } from "../terminal/terminal.ts"
import { createProgress } from "./progress.ts"
import { bookCollections, groupCollections } from "./pickups.ts"

export interface Steps {
  labels: string | undefined
  /** See `booking/label-files.ts`. */
  labelName?: string | undefined
  /** Labels that an earlier run saved, by shipment. */
  earlier?: ReadonlyMap<string, string>
  merge: string | undefined
  /** Device for the labels; true is the workstation's. */
  print: string | true | undefined
}

export interface Labelled {
  reference: string
  shipmentId: string
}

export interface FollowUpDeps extends WaitDeps, DeviceDeps {
  api: FreightApi
  ledger: LedgerDeps
  files: Files
  outputs: Outputs
  moment: Moment
  terminal: Pick<Terminal, "stderr" | "unicode">
  /** Progress is shown. */
  shows: boolean
}

export type StepErrors = ReturnType<typeof createStepErrors>

/** Collects errors, so that one failed step does not prevent the next. */
export function createStepErrors() {
  const details: ErrorDetail[] = []
  let next: string | undefined
  return {
    details,
    /** The command that helps with the first error that names one. */
    get next() {
      return next
    },
    /** @throws FreightError `interrupted`, and errors other than FreightError */
    async attempt(step: string, work: () => Promise<void>): Promise<void> {
      try {
        await work()
      } catch (error) {
        const { errors, message, code, ...helped } = toStepError(error)
        next ??= helped.next
        const causes = errors ?? [{ message, ...(code && { code }) }]
        for (const cause of causes) details.push({ ...cause, message: `${step}: ${describeDetail(cause)}` })
      }
    },
  }
}

/** @param saved gets the file of each label that was saved or was there, by shipment */
export async function handleLabels(
  deps: FollowUpDeps,
  booked: readonly Labelled[],
  steps: Steps,
  saved: Map<string, string>,
  stepErrors: StepErrors,
): Promise<void> {
  if (booked.length === 0) return
  const ids = booked.map(({ shipmentId }) => shipmentId)
  const { labels } = steps
  if (labels !== undefined)
    await stepErrors.attempt("labels", () => saveLabels(deps, booked, labels, steps, saved))
  if (steps.merge !== undefined)
    await stepErrors.attempt("merging the labels", () => mergeLabels(deps, ids, saved, steps.merge ?? ""))
  if (steps.print !== undefined)
    await stepErrors.attempt("printing", () => printLabels(deps, booked, saved, steps.print ?? true))
}

/** Skips labels that an earlier run saved into the folder. */
async function saveLabels(
  deps: FollowUpDeps,
  booked: readonly Labelled[],
  folder: string,
  { labelName, earlier = new Map() }: Steps,
  saved: Map<string, string>,
): Promise<void> {
  const missing = new Map<string, Labelled>()
  for (const each of booked) {
    const before = earlier.get(each.shipmentId)
    const isThere = before !== undefined && path.resolve(path.dirname(before)) === path.resolve(folder)
    if (isThere && (await deps.files.has(before))) saved.set(each.shipmentId, before)
    else missing.set(each.shipmentId, each)
  }
  const save = createLabelSaver(deps.files, folder, labelName)
  const attempts = await fetchWithProgress(deps, [...missing.keys()], async (id, pdf) => {
    const known = { shipmentId: id, reference: missing.get(id)?.reference }
    const subject = needsDetails(labelName, known) ? await readSubject(deps.api, id) : known
    saved.set(id, await save(subject, pdf))
  })
  throwFailures("labels", attempts)
}

async function fetchWithProgress(
  deps: FollowUpDeps,
  ids: readonly string[],
  use: (id: string, pdf: Uint8Array) => Promise<void>,
): Promise<LabelAttempt<void>[]> {
  const progress = deps.shows
    ? createProgress(deps.terminal, deps.clock, ids.length, ({ rows }) => `labels: ${rows} of ${ids.length}`)
    : undefined
  // The bar says on a terminal that they are waited for.
  const note = progress && deps.terminal.stderr.isTTY ? async () => {} : deps.note
  let rows = 0
  try {
    return await fetchLabels({ ...deps, note }, deps.api, ids, LABEL_LIMIT_MS, async (id, pdf) => {
      await use(id, pdf)
      await progress?.show({ rows: ++rows })
    })
  } finally {
    await progress?.clear()
  }
}

async function mergeLabels(
  deps: FollowUpDeps,
  ids: readonly string[],
  saved: ReadonlyMap<string, string>,
  file: string,
): Promise<void> {
  const pdfs = new Map<string, Uint8Array>()
  const unsaved = ids.filter((id) => !saved.has(id))
  const fetched = await fetchWithProgress(deps, unsaved, async (id, pdf) => {
    pdfs.set(id, pdf)
  })
  throwFailures("labels", fetched)
  const { mergePdfs } = await import("../paper/merge.ts")
  const parts = []
  for (const id of ids) {
    const kept = saved.get(id)
    const pdf = pdfs.get(id) ?? (kept === undefined ? undefined : await deps.files.read(kept))
    if (pdf) parts.push({ name: `the label of shipment ${id}`, pdf })
  }
  const { pdf } = await mergePdfs(parts)
  await deps.outputs.write(file, pdf)
  await deps.note(`Labels in row order: ${file}.`)
}

/** Prints in row order, each under its row's key, so a repeated run prints nothing twice. */
async function printLabels(
  deps: FollowUpDeps,
  booked: readonly Labelled[],
  ready: ReadonlyMap<string, string>,
  named: string | true,
): Promise<void> {
  const device = await deviceFor(deps, "freight", named === true ? undefined : named)
  const unseen = booked.map(({ shipmentId }) => shipmentId).filter((id) => !ready.has(id))
  const attempts = await fetchWithProgress(deps, unseen, async () => {})
  const failed = failuresIn(attempts)
  const missing = new Set(failed.map(({ name }) => name))
  const tasks = booked
    .filter(({ shipmentId }) => !missing.has(shipmentId))
    .map(({ reference, shipmentId }) => ({
      name: shipmentId,
      send: (sheet: Sheet) =>
        sendLabelPrint(deps.ledger, deps.api, shipmentId, { ...sheet, key: `${reference} label` }),
    }))
  const { printed, error } = await printAll<PrintJobCreated>(
    deps,
    "freight",
    device,
    tasks,
    { copies: 1 },
    failed,
  )
  const before = printed.filter(({ recorded }) => recorded).length
  const queued = printed.length - before
  await deps.note(
    `Labels queued on ${device.id}: ${queued}${before > 0 ? `; ${before} were queued before` : ""}.`,
  )
  if (error) throw error
}

function throwFailures(things: string, attempts: readonly LabelAttempt<unknown>[]): void {
  const failures = failuresIn(attempts)
  if (failures.length > 0) throw failureOf(things, attempts.length, failures)
}

/** Books one pickup per collection for shipments without one; never twice, however often the batch is run. */
export async function bookPickups(
  deps: FollowUpDeps,
  booked: readonly Labelled[],
  stepErrors: StepErrors,
): Promise<void> {
  const { ledger } = deps
  const api = { ...deps.api, getShipment: memoize(deps.api.getShipment) }
  const { collections, collected, unclear } = await groupCollections(ledger, api, booked)
  if (collected.length > 0)
    await deps.note(`${counted(collected.length, "shipment has", "shipments have")} a pickup already.`)
  for (const { shipmentId, error } of unclear)
    await stepErrors.attempt(`the pickup of shipment ${shipmentId}`, () => Promise.reject(error))
  await bookCollections({ ...deps, api }, collections, stepErrors.attempt)
}

/** Reads each shipment once, although its pickup is checked twice. */
function memoize<T>(read: (id: string) => Promise<T>): (id: string) => Promise<T> {
  const known = new Map<string, Promise<T>>()
  return (id) => {
    const reading = known.get(id) ?? read(id)
    known.set(id, reading)
    return reading
  }
}

export function followUpError({ details, next }: StepErrors): FreightError | undefined {
  if (details.length === 0) return undefined
  return new FreightError("stepFailed", "the rows are booked, but a later step failed", {
    errors: details,
    hint: "Run the same command again: nothing is booked, printed or picked up twice.",
    ...(next !== undefined && nextCommand(...next.split(" "))),
  })
}
