/** The end of a booking: it is reported, followed up, and printed with its latest data. */
import type { FreightApi } from "../../api/index.ts"
import type { BookingResponse } from "../../contract/generated/types.ts"
import type { Created, CreateKey, LedgerDeps, Unrecorded } from "../../ledger/index.ts"
import type { KeptRate } from "../../machine/index.ts"
import { prepareDevice } from "../printing/ahead.ts"
import type { DeviceDeps } from "../printing/devices.ts"
import { type BookedShipment, type Followed, followUp, type FollowUps, toBooked } from "./follow-ups.ts"
import type { LabelDeps } from "./label-steps.ts"
import { learnConsignment, noteBooking, refreshBooking, toOutcome } from "./outcome.ts"
import { showBooking } from "./show.ts"

export type Stands = Created<BookingResponse> & {
  selected?: { rate?: KeptRate | undefined }
  error?: Unrecorded
}

/**
 * Reports a booking, runs its follow-ups, and prints it. An error of the follow-ups comes after that.
 * @param follow the follow-ups; not run if the ledger could not be written
 */
export async function finishBooking(
  deps: Parameters<typeof showBooking>[0] & Parameters<typeof noteBooking>[0],
  ledger: LedgerDeps,
  stands: Stands,
  key: CreateKey,
  follow: (shipment: BookedShipment) => Promise<Followed>,
): Promise<undefined> {
  const { response: booking, entry, error } = stands
  if (!error) await noteBooking(deps, ledger, stands)
  const done = error ? { booking, labelFile: undefined, error } : await follow(toBooked(stands, key))
  if (!error) await learnConsignment(ledger.store, entry, done.booking.consignmentNumber)
  const outcome = await toOutcome(ledger, { ...done, entry, warnings: deps.warnings })
  await showBooking(deps, outcome, entry, stands.selected?.rate?.rate.description, done.error)
}

/** Runs the follow-ups that flags ask for. Data that may have changed since the reply is read once more. */
export async function followFlags(
  deps: LabelDeps,
  api: FreightApi,
  ledger: LedgerDeps,
  { recorded }: Stands,
  shipment: BookedShipment,
  followUps: FollowUps,
): Promise<Followed> {
  const done = await followUp(deps, api, ledger, shipment, followUps)
  const { label, print, pickup } = followUps
  const isLater = !done.booking.consignmentNumber && (label !== undefined || print !== undefined)
  const mayDiffer = (recorded || pickup || isLater) && done.error?.kind !== "interrupted"
  return mayDiffer ? { ...done, booking: await refreshBooking(api, done.booking) } : done
}

/** Checks what could fail after the booking, because a booking cannot be cancelled. */
export async function prepareFollowUps(deps: DeviceDeps, followUps: FollowUps): Promise<FollowUps> {
  const { print } = followUps
  return print === undefined ? followUps : { ...followUps, print: await prepareDevice(deps, print) }
}
