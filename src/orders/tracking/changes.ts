/** Changes since the last look, and a command that is run for each. */
import type { Failure } from "../../api/index.ts"
import { safeText } from "../../base/safe-text.ts"
import { FreightError } from "../../base/errors.ts"
import { markOf, marksOf, type TrackedEvents } from "../../machine/index.ts"
import { type Tracked, toTrackedItem } from "./events.ts"
import type { Deps } from "../../session/index.ts"

/** The ledger's data about a consignment; null if it was booked elsewhere. */
export interface Origin {
  shipmentId: string | null
  reference: string | null
}

/** The new parts of a consignment; undefined if its events, status, ETA and delivery are unchanged. */
export async function changeIn(
  memory: Pick<TrackedEvents, "shown">,
  one: Tracked,
): Promise<Tracked | undefined> {
  if (!one.tracking) return undefined
  const before = await memory.shown(one.consignment)
  if (marksOf(one.tracking).every((mark) => before.has(mark))) return undefined
  const events = one.tracking.events.filter((event) => !before.has(markOf(event)))
  return { ...one, tracking: { ...one.tracking, events } }
}

/**
 * Runs a command once for each changed consignment, with the change as one JSON object on its standard input. A change
 * whose command fails is repeated.
 * @param originOf by the consignment's number
 * @returns the failures
 */
export async function handOver(
  { handedOver, runShell, signal }: Pick<Deps, "handedOver" | "runShell" | "signal">,
  line: string,
  found: readonly Tracked[],
  originOf: (consignment: string) => Origin,
): Promise<Failure[]> {
  const failures: Failure[] = []
  for (const one of found) {
    const change = await changeIn(handedOver, one)
    if (!change) continue
    const { consignment } = change
    const input = { ...originOf(consignment), ...toTrackedItem(change) }
    const ended = await runShell(line, `${JSON.stringify(input)}\n`, signal)
    if (ended === undefined) await handedOver.keep(consignment, one.tracking ? marksOf(one.tracking) : [])
    else
      failures.push({
        name: consignment,
        error: new FreightError(
          "stepFailed",
          `the command of --exec failed (${safeText(ended, 200)}): ${safeText(line, 200)}`,
          { hint: "The change comes again with the next look." },
        ),
      })
  }
  return failures
}

export async function withoutShown(memory: Pick<TrackedEvents, "shown">, one: Tracked): Promise<Tracked> {
  if (!one.tracking) return one
  const shown = await memory.shown(one.consignment)
  const events = one.tracking.events.filter((event) => !shown.has(markOf(event)))
  return { ...one, tracking: { ...one.tracking, events } }
}

/** Stores where the next look begins: here if all was reported, otherwise where the last one began. */
export async function keepLook(memory: TrackedEvents, began: number, isAllReported: boolean): Promise<void> {
  if (isAllReported || (await memory.lookedAt()) === undefined)
    await memory.keepLookedAt(new Date(began).toISOString())
}
