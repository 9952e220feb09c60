/** Waiting for what a carrier does later: consignment numbers and labels. */
import type { FreightApi } from "../api/freight.ts"
import { nextCommand } from "../contract/command-line.ts"
import { FreightError } from "../errors.ts"
import type { Clock } from "../ports.ts"

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 15_000

/** How long what follows a booking waits for its label, in milliseconds. */
export const LABEL_LIMIT_MS = 120_000

export interface WaitDeps {
  clock: Clock
  signal: AbortSignal
  note(text: string): Promise<void>
}

/**
 * Tries until there is an answer, with growing pauses, for at most `limitMs`.
 * @returns undefined when the time ran out
 */
export async function poll<T>(
  { clock, signal }: Pick<WaitDeps, "clock" | "signal">,
  limitMs: number,
  attempt: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const end = clock.now() + limitMs
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.6, LONGEST_PAUSE_MS)) {
    const answer = await attempt()
    if (answer !== undefined) return answer
    const left = end - clock.now()
    if (left <= 0) return undefined
    await clock.sleep(Math.min(pause, left), signal)
  }
}

/**
 * The consignment number, once the carrier has given one (carrier C gives it after the booking).
 * @throws FreightError `stepFailed` when it did not come in time: the booking stands
 */
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
    {
      retry: "never",
      ...nextCommand("freight", "shipments", "show", shipmentId),
    },
  )
}

/**
 * The label's PDF, once there is one (Behaviour 7: only LABEL_NOT_AVAILABLE means wait).
 * @param limitMs 0 tries once
 * @throws FreightError `notReady` when it did not come in time, `notFound` for a wrong shipment
 */
export async function waitForLabel(
  deps: WaitDeps,
  api: FreightApi,
  shipmentId: string,
  limitMs: number,
): Promise<Uint8Array> {
  let told = false
  const label = await poll(deps, limitMs, async () => {
    try {
      return await api.getLabel(shipmentId)
    } catch (error) {
      if (!(error instanceof FreightError) || error.kind !== "notReady") throw error
      if (!told && limitMs > 0) await deps.note(`Waiting for the label of ${shipmentId}…`)
      told = true
      return undefined
    }
  })
  if (label) return label
  throw labelNotReady(shipmentId)
}

/** The carrier has not made the label in the time that there was. */
export function labelNotReady(shipmentId: string): FreightError {
  return new FreightError("notReady", `the label of shipment ${shipmentId} is not ready yet`, {
    code: "LABEL_NOT_AVAILABLE",
    hint: "Carriers make labels after the booking, some of them minutes later: the same again waits for it.",
    ...nextCommand("freight", "label", shipmentId),
  })
}
