/** What follows the bookings of a batch: labels, prints and pickups. A step that fails leaves the bookings standing. */
import path from "node:path"
import type { FreightApi } from "../api/freight.ts"
import { failureOf } from "../api/several.ts"
import {
  failuresIn,
  fetchLabels,
  LABEL_LIMIT_MS,
  type LabelAttempt,
  labelNames,
  type WaitDeps,
} from "../booking/labels.ts"
import { nextCommand } from "../contract/command-line.ts"
import { checkPickupTime } from "../booking/pickup.ts"
import type { Moment } from "../contract/collection-times.ts"
import { counted } from "../contract/counted.ts"
import type { PrintJobCreated } from "../contract/generated/types.ts"
import { describeDetail, type ErrorDetail, FreightError } from "../errors.ts"
import type { LedgerDeps } from "../ledger/create.ts"
import { type DeviceDeps, deviceFor } from "../printing/devices.ts"
import { printAll, sendLabelPrint, type Sheet } from "../printing/print.ts"
import type { Files } from "../terminal/files.ts"
import { bookCollection, type Collection, collectionsOf } from "./pickups.ts"

export interface Steps {
  /** Folder for the labels. */
  labels: string | undefined
  /** File for all labels, in row order. */
  merge: string | undefined
  /** Device to print the labels on; true takes the workstation's. */
  print: string | true | undefined
}

/** A booked row, as far as its label needs it. */
export interface Labelled {
  reference: string
  shipmentId: string
}

export interface AfterDeps extends WaitDeps, DeviceDeps {
  files: Files
  /** When the batch began. */
  moment: Moment
}

/** Gathers what went wrong, and goes on: one step does not keep the others from being tried. */
export interface Trouble {
  readonly details: ErrorDetail[]
  /** @throws FreightError `interrupted`, and what is no FreightError */
  meet(step: string, work: () => Promise<void>): Promise<void>
}

/** Trouble with nothing in it yet. */
export function newTrouble(): Trouble {
  const details: Trouble["details"] = []
  return {
    details,
    async meet(step, work) {
      try {
        await work()
      } catch (error) {
        if (!(error instanceof FreightError) || error.kind === "interrupted") throw error
        const { next } = error
        const causes = error.errors ?? [{ message: error.message, ...(error.code && { code: error.code }) }]
        for (const cause of causes)
          details.push({
            ...cause,
            message: `${step}: ${describeDetail(cause)}`,
            ...(next !== undefined && { next }),
          })
      }
    },
  }
}

/** @param saved gets the file of each label that was saved or was there, by shipment */
export async function doLabels(
  deps: AfterDeps,
  api: FreightApi,
  ledger: LedgerDeps,
  booked: readonly Labelled[],
  steps: Steps,
  saved: Map<string, string>,
  trouble: Trouble,
): Promise<void> {
  if (booked.length === 0) return
  const ids = booked.map(({ shipmentId }) => shipmentId)
  if (steps.labels !== undefined)
    await trouble.meet("labels", () => saveLabels(deps, api, ids, steps.labels ?? "", saved))
  if (steps.merge !== undefined)
    await trouble.meet("merging the labels", () => mergeLabels(deps, api, ids, saved, steps.merge ?? ""))
  if (steps.print !== undefined)
    await trouble.meet("printing", () => printLabels(deps, api, ledger, booked, saved, steps.print ?? true))
}

/** A label that is in the folder is not fetched again: a run that is repeated fetches what it lacks. */
async function saveLabels(
  deps: AfterDeps,
  api: FreightApi,
  ids: readonly string[],
  folder: string,
  saved: Map<string, string>,
): Promise<void> {
  const names = labelNames(ids)
  const fileOf = (id: string) => path.join(folder, names.get(id) ?? "")
  const missing: string[] = []
  for (const id of ids)
    if (await deps.files.has(fileOf(id))) saved.set(id, fileOf(id))
    else missing.push(id)
  const attempts = await fetchLabels(deps, api, missing, LABEL_LIMIT_MS, async (id, pdf) => {
    await deps.files.write(fileOf(id), pdf)
    saved.set(id, fileOf(id))
  })
  throwFailures("labels", attempts)
}

async function mergeLabels(
  deps: AfterDeps,
  api: FreightApi,
  ids: readonly string[],
  saved: ReadonlyMap<string, string>,
  file: string,
): Promise<void> {
  const pdfs = new Map<string, Uint8Array>()
  const fetched = await fetchLabels(
    deps,
    api,
    ids.filter((id) => !saved.has(id)),
    LABEL_LIMIT_MS,
    async (id, pdf) => pdfs.set(id, pdf),
  )
  throwFailures("labels", fetched)
  const { mergePdfs } = await import("../paper/merge.ts")
  const parts = []
  for (const id of ids) {
    const kept = saved.get(id)
    const pdf = pdfs.get(id) ?? (kept === undefined ? undefined : await deps.files.read(kept))
    if (pdf) parts.push({ name: `the label of shipment ${id}`, pdf })
  }
  const { pdf } = await mergePdfs(parts)
  await deps.files.write(file, pdf)
  await deps.note(`Labels in row order: ${file}.`)
}

/** In row order, each under its row's key: what was printed by an earlier run is not printed again. */
async function printLabels(
  deps: AfterDeps,
  api: FreightApi,
  ledger: LedgerDeps,
  booked: readonly Labelled[],
  ready: ReadonlyMap<string, string>,
  named: string | true,
): Promise<void> {
  const device = await deviceFor(deps, "freight", named === true ? undefined : named)
  const unseen = booked.map(({ shipmentId }) => shipmentId).filter((id) => !ready.has(id))
  const attempts = await fetchLabels(deps, api, unseen, LABEL_LIMIT_MS, async () => true)
  const failed = failuresIn(attempts)
  const missing = new Set(failed.map(({ name }) => name))
  const tasks = booked
    .filter(({ shipmentId }) => !missing.has(shipmentId))
    .map(({ reference, shipmentId }) => ({
      name: shipmentId,
      send: (sheet: Sheet) =>
        sendLabelPrint(ledger, api, shipmentId, { ...sheet, key: `${reference} label` }),
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

/** Books each collection's pickup, once for all runs, for the shipments that have none. */
export async function doPickups(
  deps: AfterDeps,
  service: FreightApi,
  ledger: LedgerDeps,
  booked: readonly Labelled[],
  trouble: Trouble,
): Promise<void> {
  const api = { ...service, getShipment: memoize(service.getShipment) }
  const { collections, collected, unclear } = await collectionsOf(ledger, api, booked)
  if (collected.length > 0)
    await deps.note(
      collected.length === 1
        ? "1 shipment has a pickup already."
        : `${collected.length} shipments have a pickup already.`,
    )
  for (const { shipmentId, error } of unclear)
    await trouble.meet(`the pickup of shipment ${shipmentId}`, () => Promise.reject(error))
  for (const collection of collections)
    await trouble.meet(`the pickup at ${placeOf(collection)}`, async () => {
      const check = () => checkPickupTime(collection.request, deps.moment)
      const { reference, recorded, isOther } = await bookCollection(ledger, api, collection, check)
      const what = `Pickup at ${placeOf(collection)}, ${goodsOf(collection)}`
      await deps.note(`${what}: booked${recorded ? " before" : ""}${reference ? `, ${reference}` : ""}.`)
      if (isOther)
        await deps.warn(
          `the pickup at ${placeOf(collection)} was booked for other goods than now: tell the carrier of ${goodsOf(collection)}`,
        )
    })
}

/** Each shipment is read once, although its pickup is asked for here and again before it is sent. */
function memoize<T>(read: (id: string) => Promise<T>): (id: string) => Promise<T> {
  const known = new Map<string, Promise<T>>()
  return (id) => {
    const reading = known.get(id) ?? read(id)
    known.set(id, reading)
    return reading
  }
}

function placeOf({ connectorId, request }: Collection): string {
  const { companyName, suburb } = request.collection
  return `${companyName}, ${suburb} with ${connectorId} on ${request.collectionDateTime.slice(0, 16).replace("T", " at ")}`
}

function goodsOf({ shipments, items }: Collection): string {
  return `${counted(shipments.length, "shipment")}, ${counted(items.count, "package")}`
}

/** One error for all that went wrong after the bookings; undefined when nothing did. */
export function troubleError({ details }: Trouble): FreightError | undefined {
  const next = details.find((each) => each.next !== undefined)?.next
  if (details.length === 0) return undefined
  return new FreightError("stepFailed", "the bookings stand, but not everything after them was done", {
    errors: details.map(({ next: _, ...detail }) => detail),
    hint: "Run the same line again: nothing is booked, printed or picked up twice.",
    ...(next !== undefined && nextCommand(...next.split(" "))),
  })
}
