/** One row, from what the ledger knows of it to its booking. */
import type { FreightApi } from "../api/freight.ts"
import { pickupFailed } from "../booking/outcome.ts"
import { rememberCarrierPickup } from "../booking/pickup.ts"
import { withRate } from "../booking/price.ts"
import { sendBooking } from "../booking/send.ts"
import type { BookingResponse, ConnectorSummary } from "../contract/generated/types.ts"
import { safeText } from "../contract/safe-text.ts"
import { FreightError } from "../errors.ts"
import type { LedgerDeps } from "../ledger/create.ts"
import type { Budget } from "./budget.ts"
import { type Carriers, isOutOfReach } from "./carriers.ts"
import {
  isFresh,
  needsRates,
  type Offer,
  plainOffer,
  priceOf,
  probe,
  ratedOffer,
  requestOf,
} from "../booking/offer.ts"
import type { Pace } from "./pace.ts"
import { planOf } from "./plan.ts"
import { invalidResult, noteText, type RowResult, resultOf } from "./result.ts"
import type { GoodRow } from "./row.ts"

export interface BookDeps {
  api: FreightApi
  ledger: LedgerDeps
  connectors: readonly ConnectorSummary[]
  pace: Pace
  carriers: Carriers
  /** Book what is equal to something that was booked under another key. */
  again: boolean
  /** Ask what a row costs that names its service. */
  asksPrice: boolean
  /** What may be spent; undefined when all may. */
  budget: Budget | undefined
  warn(text: string): Promise<void>
}

/** A row that is left for later: its carrier is down, or another process is sending it. */
export interface Held {
  why: "carrier" | "sending"
  /** What is to be told of it if nothing more can be done. */
  result: RowResult
}

/**
 * Books a row unless it is booked, was sent with an outcome that nobody knows, or was something else.
 * @param offered what the row's rates said before the run
 * @throws FreightError as `sendBooking` and the API do
 */
export async function bookRow(
  deps: BookDeps,
  row: GoodRow,
  offered: Offer | undefined,
): Promise<RowResult | Held> {
  const known = await knownResult(deps, row)
  if (known) return known
  if (row.late.length > 0) return invalidResult(row, row.late.map(noteText).join("; "))
  return deps.pace.admit(async () => {
    const offer = await offerOf(deps, row, offered)
    return offer ? send(deps, row, offer) : carrierDown(row)
  }, deps.ledger.signal)
}

/** What the ledger says of it; undefined when it may be sent. */
async function knownResult({ ledger, again }: BookDeps, row: GoodRow): Promise<RowResult | Held | undefined> {
  const plan = await planOf(ledger, row, again)
  if (plan.what === "send") return undefined
  const result = resultOf(row, plan)
  return plan.what === "sending" ? { why: "sending", result } : result
}

/** What to book; undefined when the carrier that it names is down. */
async function offerOf(deps: BookDeps, row: GoodRow, offered: Offer | undefined): Promise<Offer | undefined> {
  const { carriers, connectors, ledger } = deps
  // Quotes age while a long run goes on: they are judged at the moment of sending.
  if (offered && isFresh(offered, ledger.clock.now())) return offered
  if (!offered?.rate && !needsRates(row)) return plainOffer(row, connectors)
  const { connectorId } = row.wish
  if (
    connectorId !== undefined &&
    !(await carriers.admits(connectorId, probe(deps.api, row, connectorId, ledger.clock.now())))
  )
    return undefined
  try {
    return await ratedOffer({ api: deps.api, connectors, clock: ledger.clock }, row)
  } catch (error) {
    if (connectorId !== undefined && error instanceof FreightError && isOutOfReach(error))
      carriers.missed(connectorId)
    throw error
  }
}

async function send(deps: BookDeps, row: GoodRow, offer: Offer): Promise<RowResult | Held> {
  const { api, ledger, carriers, budget, again, asksPrice } = deps
  const { connectorId, carrier } = offer
  if (!(await carriers.admits(connectorId, probe(api, row, connectorId, ledger.clock.now()))))
    return carrierDown(row)
  const cents = priceOf(offer)?.cents
  budget?.take(cents)
  const asked = { request: requestOf(row, offer), rate: offer.rate, warning: undefined }
  const warnings: string[] = []
  try {
    const { request, rate, warning } =
      asksPrice && !offer.rate
        ? await withRate({ api, clock: ledger.clock }, connectorId, carrier, asked.request, row.residential)
        : asked
    if (warning !== undefined) warnings.push(warning)
    const { entry, recorded, response } = await sendBooking(ledger, api, {
      connectorId,
      carrier,
      request,
      rate,
      key: row.reference,
      ...(again && { again }),
    })
    carriers.answered(connectorId)
    if (recorded) budget?.giveBack(cents)
    else warnings.push(...(await heed(deps, row, response)))
    return { row, state: "booked", entry, warnings, ...(recorded && { recorded }) }
  } catch (error) {
    if (!(error instanceof FreightError)) throw error
    const mayExist = error.kind === "outcomeUnknown" || error.kind === "stepFailed"
    if (!mayExist) budget?.giveBack(cents)
    if (mayExist || isOutOfReach(error)) carriers.missed(connectorId)
    else carriers.answered(connectorId)
    // Its reference was taken by another process meanwhile, perhaps for this very row with what was best then.
    const known = error.kind === "input" ? await knownResult(deps, row) : undefined
    if (known) return known
    throw error
  }
}

/** Warns of what a person must know of a booking that was made. @returns the warnings */
async function heed(
  { ledger, warn }: BookDeps,
  { reference }: GoodRow,
  { connectorId, shipmentId, pickupStatus, labelWarning }: BookingResponse,
): Promise<string[]> {
  const isLost = pickupStatus === "RECONCILE_NEEDED"
  const warnings = [
    ...(labelWarning ? [safeText(labelWarning)] : []),
    ...(pickupStatus === "FAILED" ? [pickupFailed(shipmentId)] : []),
    ...(isLost ? ["the carrier has a pickup for it that the service lost: never book another"] : []),
  ]
  for (const warning of warnings) await warn(`${reference}: ${warning}`)
  if (isLost) await rememberCarrierPickup(ledger, { connectorId, shipmentId, reference: labelWarning })
  return warnings
}

function carrierDown(row: GoodRow): Held {
  const error = "its carrier does not answer: nothing was sent"
  return { why: "carrier", result: { row, state: "failed", error } }
}
