/** Waits for consignment numbers and labels, which carriers give later. */
import { type Attempt, type Failure, type FreightApi, several } from "../../api/index.ts"
import { nextCommand } from "../../base/command-line.ts"
import { FreightError } from "../../base/errors.ts"
import type { Clock } from "../../base/ports.ts"

export type LabelAttempt<Kept> = Attempt<string, Kept>

export function failuresIn(attempts: readonly LabelAttempt<unknown>[]): Failure[] {
  return attempts.flatMap((attempt) => (attempt.ok ? [] : [{ name: attempt.item, error: attempt.error }]))
}

/**
 * The label of every shipment, in their order. Those that are not ready are asked for again in rounds with growing
 * pauses, all under one limit (freight behaviour 7: only LABEL_NOT_AVAILABLE means wait).
 * @param limitMs 0 tries once
 * @param keep takes each label as soon as it is there
 */
export async function fetchLabels<Kept>(
  deps: WaitDeps,
  api: Pick<FreightApi, "getLabel">,
  shipmentIds: readonly string[],
  limitMs: number,
  keep: (shipmentId: string, pdf: Uint8Array) => Promise<Kept>,
): Promise<LabelAttempt<Kept>[]> {
  const attempts = new Map<string, LabelAttempt<Kept>>()
  let open = shipmentIds
  let told = false
  await poll(deps, limitMs, async () => {
    for (const attempt of await several(open, async (id) => keep(id, await api.getLabel(id))))
      attempts.set(attempt.item, attempt)
    open = open.filter((id) => isNotReady(attempts.get(id)))
    if (open.length === 0) return true
    if (!told && limitMs > 0) await deps.note(`Waiting for ${nameLabels(open, deps)}…`)
    told = true
    return undefined
  })
  for (const id of open) attempts.set(id, { item: id, ok: false, error: labelNotReady(id) })
  return [...attempts.values()]
}

function isNotReady(attempt: LabelAttempt<unknown> | undefined): boolean {
  return attempt?.ok === false && attempt.error.kind === "notReady"
}

function nameLabels([id = "", ...others]: readonly string[], { nameOf }: Pick<WaitDeps, "nameOf">): string {
  return others.length > 0
    ? `the labels of ${others.length + 1} shipments`
    : `the label of ${nameOf?.(id) ?? id}`
}

const FIRST_PAUSE_MS = 500
const MAX_PAUSE_MS = 15_000

/** How long the follow-ups of a booking wait for its label, in milliseconds. */
export const LABEL_LIMIT_MS = 120_000

export interface WaitDeps {
  clock: Clock
  signal: AbortSignal
  /** When the limit begins, in milliseconds; by default with the first try. */
  began?: number
  note(text: string): Promise<void>
  /** A name of a shipment for people; by default its id. */
  nameOf?(shipmentId: string): string | undefined
}

/**
 * Tries until there is an answer, with growing pauses. No try begins that would end after the limit, if it takes as long
 * as the one before it.
 * @returns undefined when `limitMs` ran out
 */
async function poll<T>(
  { clock, signal, began = clock.now() }: Pick<WaitDeps, "clock" | "signal" | "began">,
  limitMs: number,
  attempt: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const end = began + limitMs
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.6, MAX_PAUSE_MS)) {
    const tried = clock.now()
    const answer = await attempt()
    if (answer !== undefined) return answer
    const now = clock.now()
    const left = end - now - (now - tried)
    if (left <= 0) return undefined
    await clock.sleep(Math.min(pause, left), signal)
  }
}

/** The consignment number, once the carrier has given one; some give it after the booking. */
export async function waitForConsignment(
  deps: WaitDeps,
  api: FreightApi,
  shipmentId: string,
  limitMs: number,
): Promise<string> {
  await deps.note("Waiting for the carrier to give a consignment number…")
  const number = await poll(deps, limitMs, async () => {
    const { shipment } = await api.getShipment(shipmentId)
    return shipment.consignmentNumber ?? undefined
  })
  if (number !== undefined) return number
  throw new FreightError(
    "stepFailed",
    `shipment ${shipmentId} is booked, but has no consignment number after ${limitMs / 1000} s`,
    { shipmentId, retry: "never", ...nextCommand("freight", "shipments", "show", shipmentId) },
  )
}

function labelNotReady(shipmentId: string): FreightError {
  return new FreightError("notReady", `the label of shipment ${shipmentId} is not ready yet`, {
    code: "LABEL_NOT_AVAILABLE",
    shipmentId,
    hint: "Some carriers make labels minutes after the booking: run the same command again to wait for it.",
    ...nextCommand("freight", "label", shipmentId),
  })
}
