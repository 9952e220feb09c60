/** Steps after a booking. If one fails, the shipment stays booked, and only that step has to be repeated. */
import type { FreightApi } from "../../api/index.ts"
import { type Moment, momentAt, type Own, readOwn } from "../../contract/index.ts"
import { isCarrier } from "../../carriers/index.ts"
import { nextCommand } from "../../base/command-line.ts"
import type { BookingResponse, Carrier, ConsignmentBookingRequest } from "../../contract/generated/types.ts"
import { safeText } from "../../base/safe-text.ts"
import { type ErrorDetail, FreightError, toDetail } from "../../base/errors.ts"
import {
  type Created,
  type CreateKey,
  type LedgerDeps,
  NotSent,
  saysPickup,
  unclearPickup,
} from "../../ledger/index.ts"
import { type LabelDeps, type Labelled, printLabels, saveLabels } from "./label-steps.ts"
import { waitForConsignment } from "./labels.ts"
import {
  checkPickupTime,
  findLostPickup,
  createLostPickupError,
  type Pickup,
  pickupTimes,
  sendPickup,
  waitForSamePickup,
} from "./pickup.ts"

export interface FollowUps {
  waitMs: number | undefined
  /** File for the label; true names it after the reference, or as `labelName` says. */
  label: string | true | undefined
  /** See `label-files.ts`. */
  labelName?: string | undefined
  /** Device to print the label on; true takes the workstation's. */
  print: string | true | undefined
  /** `another`: book one even if there is one already, as a person said. */
  pickup: boolean | "another" | undefined
  /** When the command began: the pickup's times are checked against it, as the booking's were. */
  moment?: Moment | undefined
}

/** Its key is the booking's: print and pickup derive theirs from it, so that a repeated command repeats neither. */
export interface BookedShipment extends CreateKey {
  booking: BookingResponse
  connectorId: string
  carrier: Carrier | undefined
  request: ConsignmentBookingRequest
  /** As it was booked: its goods are brought to the carrier. */
  isDroppedOff: boolean
}

/** Refuses a pickup of goods that are brought to the carrier. */
export function checkDropOff(own: Own | undefined, pickup: FollowUps["pickup"]): void {
  if (own?.dropOff && pickup)
    throw new FreightError("usage", `${DROPPED_OFF}, and --pickup has them collected`, {
      hint: "Leave one of them out. Nothing was sent.",
    })
}

const DROPPED_OFF = "the goods are brought to the carrier (--drop-off)"

/** @param key that it was booked under; without one its follow-ups have none either */
export function toBooked(
  { response, entry }: Pick<Created<BookingResponse>, "response" | "entry">,
  { key, isKeyGenerated }: CreateKey,
): BookedShipment {
  const { connectorId = response.connectorId, carrier = "" } = entry.facts
  return {
    booking: response,
    connectorId,
    carrier: isCarrier(carrier) ? carrier : undefined,
    request: entry.request as ConsignmentBookingRequest,
    isDroppedOff: readOwn(entry.facts.own).dropOff === true,
    key,
    isKeyGenerated,
  }
}

export interface Followed {
  booking: BookingResponse
  labelFile: string | undefined
  error: FreightError | undefined
}

/**
 * Runs each requested step in order; a failure does not prevent the others.
 * @returns the booking with its new data, where its label was saved, and one error for the failures: `stepFailed`, or
 * `interrupted`
 */
export async function followUp(
  deps: LabelDeps,
  api: FreightApi,
  ledger: LedgerDeps,
  booked: BookedShipment,
  wanted: FollowUps,
): Promise<Followed> {
  const { booking, request, key } = booked
  const { shipmentId } = booking
  const saved = new Map<string, string>()
  let known = booking
  const getLabelled = (): Labelled => ({
    shipmentId,
    reference: request.customerReference ?? null,
    consignment: known.consignmentNumber,
    key,
  })
  const steps: [wanted: boolean, name: string, command: string[], run: () => Promise<void>][] = [
    [
      wanted.waitMs !== undefined && !booking.consignmentNumber,
      "the consignment number",
      ["shipments", "show", shipmentId],
      async () => {
        const consignmentNumber = await waitForConsignment(deps, api, shipmentId, wanted.waitMs ?? 0)
        known = { ...known, consignmentNumber }
      },
    ],
    [
      wanted.label !== undefined,
      "the label",
      ["label", shipmentId, ...(typeof wanted.label === "string" ? ["-o", wanted.label] : [])],
      async () => {
        const { label, labelName } = wanted
        const file = typeof label === "string" ? label : undefined
        await saveLabels(deps, api, [getLabelled()], { file, folder: ".", labelName }, saved)
        await deps.note(`Label: ${saved.get(shipmentId)}.`)
      },
    ],
    [
      wanted.print !== undefined,
      "printing the label",
      ["print", "label", shipmentId, ...(typeof wanted.print === "string" ? ["--device", wanted.print] : [])],
      () => printLabels(deps, api, ledger, [getLabelled()], saved, wanted.print ?? true),
    ],
    [
      wanted.pickup === true || wanted.pickup === "another",
      "the pickup",
      ["pickup", "book", shipmentId],
      async () => {
        if (booked.isDroppedOff) throw new FreightError("input", `none was booked: ${DROPPED_OFF}`)
        const waits =
          wanted.pickup === true &&
          (await waitForSamePickup(deps, ledger, api, toPickup(booked), request.collection))
        if (waits) return
        await bookPickup(deps, api, ledger, booked, wanted.moment ?? momentAt(deps.clock.now()))
        known = { ...known, pickupStatus: "BOOKED" }
      },
    ],
  ]

  const failed: ErrorDetail[] = []
  let hint: string | undefined
  for (const [isWanted, name, command, run] of steps) {
    if (!isWanted) continue
    try {
      await run()
    } catch (error) {
      if (!(error instanceof FreightError)) throw error
      if (error.kind === "interrupted") return { booking: known, labelFile: saved.get(shipmentId), error }
      hint = hasOwnAdvice(error) ? (hint ?? error.hint) : AGAIN
      failed.push({
        ...toDetail(undefined, error, `${name}: ${error.message}`),
        shipmentId,
        next: undefined,
        ...(hasOwnAdvice(error)
          ? { next: error.next ?? "freight reconcile" }
          : nextCommand("freight", ...command)),
      })
    }
  }
  const [first] = failed
  if (!first) return { booking: known, labelFile: saved.get(shipmentId), error: undefined }
  const error = new FreightError("stepFailed", `shipment ${shipmentId} is booked, but a later step failed`, {
    shipmentId,
    errors: failed,
    hint: hint ?? AGAIN,
    next: first.next,
  })
  return { booking: known, labelFile: saved.get(shipmentId), error }
}

const AGAIN = "Do not book again: run only what failed."

/** A record that exists or may exist must not be made again: the ledger advice goes first. */
function hasOwnAdvice({ kind, status }: FreightError): boolean {
  return kind === "outcomeUnknown" || kind === "stepFailed" || (kind === "refused" && status === undefined)
}

/** The pickup of a shipment: its ready time, its connector, and a key derived from the booking's. */
export function toPickup({
  booking,
  connectorId,
  carrier,
  request,
  key,
  isKeyGenerated,
}: BookedShipment): Pickup {
  return {
    connectorId,
    carrier,
    request: { shipmentId: booking.shipmentId, ...pickupTimes(request) },
    key: key && `${key} pickup`,
    isKeyGenerated,
  }
}

/** As the shipment was booked, unless it has one. */
async function bookPickup(
  deps: LabelDeps,
  api: FreightApi,
  ledger: LedgerDeps,
  booked: BookedShipment,
  moment: Moment,
): Promise<void> {
  const { booking, request } = booked
  if (booking.pickupStatus === "RECONCILE_NEEDED") throw createLostPickupError(booking.labelWarning)
  if (!saysPickup(booking)) {
    const now = (await api.getShipment(booking.shipmentId)).shipment.pickupStatus
    if (now === "BOOKED") return notePickup(deps, true, undefined)
    if (now !== "FAILED") throw unclearPickup(booking.shipmentId, booking.pickupStatus)
  }
  try {
    const check = () => checkPickupTime(request, moment)
    const created = await sendPickup(ledger, api, { ...toPickup(booked), check })
    const lost = findLostPickup(created)
    if (lost) throw lost
    await notePickup(deps, created.recorded, created.response.orderNumber)
  } catch (error) {
    const standing = error instanceof NotSent ? error.standing : undefined
    if (standing?.kind !== "has-pickup") throw error
    await notePickup(deps, true, standing.reference)
  }
}

async function notePickup(
  { note }: LabelDeps,
  isEarlier: boolean,
  reference: string | null | undefined,
): Promise<void> {
  const known = reference ? `: ${safeText(reference, 200)}` : ""
  await note(`Pickup booked${isEarlier ? " before" : ""}${known}.`)
}
