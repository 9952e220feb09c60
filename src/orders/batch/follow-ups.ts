/** Steps after a batch's bookings: labels, prints and pickups. If a step fails, the bookings remain. */
import {
  type LabelDeps,
  type Labelled,
  type LabelTarget,
  mergeLabels,
  printLabels,
  saveLabels,
} from "../booking/label-steps.ts"
import { type FreightApi, groupFailures } from "../../api/index.ts"
import type { LedgerDeps } from "../../ledger/index.ts"
import type { Globals, RunStep } from "../../machine/index.ts"
import { nextCommand } from "../../base/command-line.ts"
import type { Moment } from "../../contract/index.ts"
import { counted } from "../../base/counted.ts"
import { describeDetail, type ErrorDetail, FreightError, toDetail, toStepError } from "../../base/errors.ts"
import { writtenDay } from "../../base/wall-clock.ts"
import { bookCollections, findWithoutPickup, groupCollections, leaveOutBrought } from "./pickups.ts"
import type { WaitingForPickup } from "../booking/pickup.ts"
import type { OwnLedger } from "../booking/standings.ts"

export interface Steps extends Omit<LabelTarget, "file" | "folder"> {
  labels: string | undefined
  merge: string | undefined
  /** Also labels of earlier days, which an earlier run has merged. */
  mergesAll: boolean
  print: string | true | undefined
}

export interface FollowUpDeps extends LabelDeps {
  api: FreightApi
  ledger: LedgerDeps
  moment: Moment
  readonly globals: Globals
}

export type StepErrors = ReturnType<typeof createStepErrors>

const STEP_NAMES: Readonly<Record<RunStep, string>> = {
  labels: "labels",
  merge: "merging the labels",
  print: "printing",
  pickup: "the pickups",
  results: "the results",
  dispatched: "the shop's file",
}

/**
 * Collects errors, so that one failed step does not prevent the next.
 * @param onDone called for each step that is done
 */
export function createStepErrors(onDone: (step: RunStep) => void = () => {}) {
  const details: ErrorDetail[] = []
  let next: string | undefined
  const attemptPart = async (name: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      const failed = toStepError(error)
      next ??= failed.next
      const causes = failed.errors ?? [toDetail(undefined, failed, failed.message)]
      for (const cause of causes) details.push({ ...cause, message: `${name}: ${describeDetail(cause)}` })
    }
  }
  return {
    details,
    /** The command that helps with the first error that names one. */
    get next() {
      return next
    },
    /** Runs a step, and reports it as done unless it, or a part of it, failed. */
    async attempt(step: RunStep, work: () => Promise<void>): Promise<void> {
      const before = details.length
      await attemptPart(STEP_NAMES[step], work)
      if (details.length === before) onDone(step)
    },
    /** Runs a part of a step, which may fail alone. */
    attemptPart,
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
  const { api, ledger } = deps
  const { labels, merge, print } = steps
  if (labels !== undefined)
    await stepErrors.attempt("labels", () =>
      saveLabels(deps, api, booked, { ...steps, folder: labels }, saved),
    )
  if (merge !== undefined)
    await stepErrors.attempt("merge", async () => {
      const chosen = booked.filter((each) => steps.mergesAll || isNew(each, steps))
      const left = counted(booked.length - chosen.length, "label")
      if (chosen.length === 0)
        return deps.note(`${merge} is not written: ${left} of earlier days, which --merge-all merges.`)
      await mergeLabels(deps, api, chosen, saved, merge)
      if (chosen.length < booked.length)
        await deps.note(`Without ${left} of earlier days: --merge-all has all of them.`)
    })
  if (print !== undefined)
    await stepErrors.attempt("print", () =>
      printLabels(deps, api, ledger, booked.filter(isOwn), saved, print),
    )
}

function isNew({ isOfToday, shipmentId }: Labelled, { labels, earlier }: Steps): boolean {
  return isOfToday === true || (labels !== undefined && earlier?.has(shipmentId) === false)
}

/** Bookings made elsewhere are printed and collected there. */
export function isOwn({ isElsewhere }: Labelled): boolean {
  return isElsewhere !== true
}

/** Books one pickup per collection for shipments without one; never twice, however often the batch is run. */
export async function bookPickups(
  deps: FollowUpDeps,
  booked: readonly Labelled[],
  stepErrors: StepErrors,
): Promise<void> {
  const { ledger } = deps
  const api = { ...deps.api, getShipment: memoize(deps.api.getShipment) }
  const toCollect = await leaveOutBrought(ledger, booked)
  const { collections, collected, unclear } = await groupCollections(ledger, api, toCollect)
  if (collected.length > 0)
    await deps.note(`${counted(collected.length, "shipment has", "shipments have")} a pickup already.`)
  const nameOf = new Map(booked.map(({ shipmentId, reference }) => [shipmentId, reference]))
  for (const { items, error } of groupFailures(unclear.map((item) => ({ item, error: item.error })))) {
    const [first, ...others] = items.map(({ shipmentId }) => nameOf.get(shipmentId) ?? shipmentId)
    const step =
      others.length === 0
        ? `the pickup of ${first}`
        : `the pickups of ${items.length} shipments (${[first, ...others].join(", ")})`
    await stepErrors.attemptPart(step, () => Promise.reject(error))
  }
  await bookCollections({ ...deps, api }, collections, stepErrors.attemptPart)
}

export interface Ending {
  /** Labels in the folder of `--labels`; undefined if none were to be saved. */
  labels: { saved: number; new: number } | undefined
  /** Shipments booked by this run or today that no pickup in the ledger collects. */
  uncollected: { shipments: number; days: readonly string[] }
  /** Shipments that wait for a booked pickup, and that the carrier must be told about. */
  untold: readonly WaitingForPickup[]
}

/** @param saved the file of each label, by shipment */
export async function findEnding(
  ledger: OwnLedger,
  booked: readonly Labelled[],
  { labels, earlier }: Pick<Steps, "labels" | "earlier">,
  saved: ReadonlyMap<string, string>,
): Promise<Ending> {
  const ids = booked
    .filter((each) => isOwn(each) && each.isOfToday === true)
    .map(({ shipmentId }) => shipmentId)
  const { uncollected: found, waiting } = await findWithoutPickup(ledger.store, ledger.owner.scope, ids)
  const days = found.flatMap(({ request }) => writtenDay(Object(request).collectionDateTime) ?? [])
  return {
    labels: labels === undefined ? undefined : { saved: saved.size, new: countNew(saved, earlier) },
    uncollected: { shipments: found.length, days: [...new Set(days)].sort() },
    untold: waiting,
  }
}

function countNew(saved: ReadonlyMap<string, string>, earlier: Steps["earlier"]): number {
  return [...saved.keys()].filter((id) => earlier?.has(id) !== true).length
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
