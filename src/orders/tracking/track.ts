/** Tracks consignments, once or until they are delivered, and prints where they are. */
import { quoted } from "../../base/parsed.ts"
import { type Attempt, type Failure, failureOf } from "../../api/index.ts"
import { counted } from "../../base/counted.ts"
import { EXIT, FreightError } from "../../base/errors.ts"
import type { Deps } from "../../session/index.ts"
import type { TrackingResponse } from "../../contract/generated/types.ts"
import { marksOf } from "../../machine/index.ts"
import { isForPeople } from "../../output/index.ts"
import { askUntilKnown, askUntilOver, foundIn } from "./ask.ts"
import { rememberSeen, toUpdates } from "./booked.ts"
import { changeIn, handOver, keepLook, type Origin, withoutShown } from "./changes.ts"
import { eventColumns, isOver, isPending, type Tracked } from "./events.ts"
import { openFeed } from "./feed.ts"
import { printJourneys, printStandings } from "./journeys.ts"
import { findNamedTargets, findOpenTargets, keepAnswers, type Targets, type TrackOptions } from "./targets.ts"

interface Times {
  intervalMs: number
  limitMs: number
}

/**
 * GET /track for each consignment. One that fails does not hide the others.
 * @returns 1 when a carrier has no tracking
 * @throws FreightError naming all that failed, after the rest was printed; `notReady` when `wait` ran out
 */
export async function track(deps: Deps, given: readonly string[], options: TrackOptions): Promise<number> {
  const times = chooseTimes(options)
  refuseUnknownFields(deps.output, options)
  const began = await deps.serviceNow()
  const targets = options.open
    ? await findOpenTargets(deps, given, options, began)
    : await findNamedTargets(deps, given)
  const { names, known } = targets
  const { terminal, output, warnings, tracked } = deps
  const streams = options.watch === true && ["table", "ndjson"].includes(output.format)
  const feed = streams
    ? openFeed({ terminal, output, warnings, tracked, findEnds: targets.findEnds }, options.new === true)
    : undefined
  const { passOn, failed } = createPassOn(deps, targets, options.exec)
  const question = { consignments: names, carrier: options.carrier, ...times }
  const answers = options.watch
    ? await askUntilOver(deps, targets.api, question, async (round) => {
        const news = toFound(targets, round)
        await feed?.(news)
        await passOn(news)
      })
    : await askUntilKnown(deps, targets.api, question)
  const found = toFound(targets, foundIn(answers.values()))
  if (options.open && !options.watch)
    await keepAnswers(deps.trackingAnswers, found, options.carrier, known, began)
  if (known.size > 0)
    await deps.note(
      `${counted(known.size, "consignment")} asked about less than a minute ago: shown as then. --now asks again.`,
    )
  if (!streams) {
    if (found.length > 0 || names.length === 0) await printFound(deps, targets, found, options)
    for (const { consignment, tracking } of options.remember ? found : [])
      await tracked.keep(consignment, tracking ? marksOf(tracking) : [])
    if (!options.watch) await passOn(found)
  }
  const unanswered = listUnanswered(answers.values())
  if (options.open) {
    const isWhole = unanswered.length === 0
    if (options.remember) await keepLook(tracked, began, isWhole && options.new === true)
    if (options.exec !== undefined) await keepLook(deps.handedOver, began, isWhole && failed.size === 0)
  }
  const failures = [...unanswered, ...listOutOfTime(found, options, times), ...failed.values()]
  if (failures.length > 0) throw failureOf("consignments", names.length, failures)
  return found.some(({ supported }) => !supported) ? EXIT.no : EXIT.done
}

/** Refuses fields that events do not have while they come. */
function refuseUnknownFields(output: Deps["output"], { watch }: TrackOptions): void {
  const keys: readonly string[] = eventColumns.map(({ key }) => key)
  const unknown = output.fields?.find((field) => !keys.includes(field))
  if (watch && unknown !== undefined)
    throw new FreightError("usage", `--fields: events have no field ${quoted(unknown)}`, {
      hint: `The fields are: ${keys.join(", ")}.`,
    })
}

/**
 * Stores the results in the ledger, and gives changes to the command of `exec`; `failed` has those that it did not take.
 */
function createPassOn(deps: Deps, targets: Targets, exec: string | undefined) {
  const failed = new Map<string, Failure>()
  const passOn = async (found: readonly Tracked[]) => {
    const asked = found.filter(({ consignment }) => !targets.known.has(consignment))
    await rememberSeen(deps, toUpdates(asked), await deps.serviceNow())
    if (exec === undefined) return
    for (const { consignment } of found) failed.delete(consignment)
    const findOrigin = (consignment: string) => getOrigin(targets, consignment)
    for (const failure of await handOver(deps, exec, found, findOrigin)) failed.set(failure.name, failure)
  }
  return { passOn, failed }
}

/** @param consignment its number */
function getOrigin({ names, api, originOf }: Targets, consignment: string): Origin {
  const name = names.find((each) => api.numberOf(each) === consignment) ?? ""
  const { shipmentId = null, reference = null } = originOf(name) ?? {}
  return { shipmentId, reference }
}

function toFound({ api, originOf }: Targets, found: readonly Tracked[]): Tracked[] {
  return found.map((one) => {
    const { cancelled } = originOf(one.consignment) ?? {}
    return {
      ...one,
      consignment: api.numberOf(one.consignment),
      ...(cancelled && { freight: { cancelled } }),
    }
  })
}

async function printFound(
  deps: Deps,
  targets: Targets,
  found: readonly Tracked[],
  { open, new: onlyNew = false }: TrackOptions,
): Promise<void> {
  const { tracked, output, terminal } = deps
  const { names, findEnds } = targets
  if (!open) {
    const shown = onlyNew ? await Promise.all(found.map((one) => withoutShown(tracked, one))) : found
    return printJourneys(deps, findEnds, shown, onlyNew)
  }
  const changes = onlyNew ? await Promise.all(found.map((one) => changeIn(tracked, one))) : found
  const shown = changes.filter((one) => one !== undefined)
  if (isForPeople(output) && !onlyNew && terminal.stdout.isTTY)
    await printStandings(deps, findEnds, shown, (consignment) => getOrigin(targets, consignment).reference)
  else await printJourneys(deps, findEnds, shown, false)
  if (shown.length === 0) await deps.note(names.length === 0 ? "Nothing is on its way." : "Nothing new.")
}

function listUnanswered(answers: Iterable<Attempt<string, TrackingResponse>>): Failure[] {
  return Array.from(answers).flatMap((answer) =>
    answer.ok ? [] : [{ name: answer.item, error: answer.error }],
  )
}

/** The consignments for which `wait` ran out. */
function listOutOfTime(
  found: readonly Tracked[],
  { wait, watch = false }: TrackOptions,
  { limitMs }: Times,
): Failure[] {
  if (wait === undefined) return []
  return found
    .filter((one) => (watch ? one.supported && !isOver(one) : isPending(one)))
    .map((one) => ({ name: one.consignment, error: outOfTime(one, watch, limitMs) }))
}

function chooseTimes({ wait, watch, interval }: TrackOptions): Times {
  const intervalMs = interval ?? (watch ? 60_000 : 30_000)
  if (wait === undefined) return { intervalMs, limitMs: watch ? Number.POSITIVE_INFINITY : 0 }
  if (wait >= intervalMs) return { intervalMs, limitMs: wait }
  const seconds = intervalMs / 1000
  throw new FreightError("usage", `--wait ${wait / 1000} ends before the second look, after ${seconds} s`, {
    hint: `Give --wait ${seconds} or more, or a shorter --interval.`,
  })
}

function outOfTime({ consignment }: Tracked, watched: boolean, limitMs: number): FreightError {
  const after = `after ${limitMs / 1000} s`
  return watched
    ? new FreightError("notReady", `${consignment} is not delivered ${after}`)
    : new FreightError("notReady", `the carrier has no tracking of ${consignment} ${after}`, {
        retryAfter: 60,
      })
}
