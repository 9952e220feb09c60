/** Books one row: looks it up in the ledger, gets a rate where one is needed, and sends it. */
import type { FreightApi } from "../api/freight.ts"
import type { Limiter } from "../api/limiter.ts"
import { warnOfBooking } from "../booking/outcome.ts"
import { withRate } from "../booking/price.ts"
import { sendBooking } from "../booking/send.ts"
import type { ConnectorSummary } from "../contract/generated/types.ts"
import { FreightError } from "../errors.ts"
import { ChangedOrder } from "../ledger/refusals.ts"
import type { LedgerDeps } from "../ledger/create.ts"
import { type Budget, type Carriers, isCarrierOutOfReach } from "./limits.ts"
import { isFresh, type Offer, plainOffer, priceOf, probe, ratedOffer, requestOf } from "../booking/offer.ts"
import { needsRates } from "../booking/preferences.ts"
import { invalidResult, formatFinding, planRow, toResult, type RowResult } from "./result.ts"
import { getKey, type GoodRow, type BatchRow } from "./rows/row.ts"

export interface BookDeps {
  api: FreightApi
  ledger: LedgerDeps
  connectors: readonly ConnectorSummary[]
  limiter: Limiter
  carriers: Carriers
  /** Book what equals something booked under another key. */
  again: boolean
  /** Ask for the price of rows that name their service. */
  asksPrice: boolean
  /** Undefined: no limit. */
  budget: Budget | undefined
  warn(text: string): Promise<void>
}

/** A row left for later: its carrier is down, or another process is sending it. */
export interface DeferredRow {
  why: "carrier" | "sending"
  result: RowResult
}

/** The row's result if the ledger or the shop forbids sending it, or an error that matters only where it is sent. */
export async function findKnownResult(
  { ledger, again }: Pick<BookDeps, "ledger" | "again">,
  row: BatchRow,
): Promise<RowResult | DeferredRow | undefined> {
  const plan = await planRow(ledger, row, again)
  if (plan.what === "send")
    return row.booking !== undefined && row.late.length > 0
      ? invalidResult(row, row.late.map(formatFinding).join("; "))
      : undefined
  const result = toResult(row, plan)
  return plan.what === "sending" ? { why: "sending", result } : result
}

/**
 * Books a row of which nothing is known yet.
 * @param offered its rate from before the run
 * @param onMade called when the booking is made: what is left waits for the disk only
 * @throws FreightError as `sendBooking` and the API do
 */
export async function bookRow(
  deps: BookDeps,
  row: GoodRow,
  offered: Offer | undefined,
  onMade: () => void,
): Promise<RowResult | DeferredRow> {
  const offer = await findOffer(deps, row, offered)
  return offer ? send(deps, row, offer, onMade) : carrierDown(row)
}

/** What to book; undefined when the row's carrier is down. */
async function findOffer(
  deps: BookDeps,
  row: GoodRow,
  offered: Offer | undefined,
): Promise<Offer | undefined> {
  const { carriers, connectors, ledger } = deps
  // Quotes age during a long run, so check them when sending.
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
    if (connectorId !== undefined && error instanceof FreightError && isCarrierOutOfReach(error))
      carriers.missed(connectorId)
    throw error
  }
}

async function send(
  deps: BookDeps,
  row: GoodRow,
  offer: Offer,
  onMade: () => void,
): Promise<RowResult | DeferredRow> {
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
        ? await withRate(
            { api, clock: ledger.clock },
            { connectorId, carrier, request: asked.request },
            row.residential,
          )
        : asked
    if (warning !== undefined) warnings.push(warning)
    const createShipment: FreightApi["createShipment"] = async (...given) => {
      const reply = await api.createShipment(...given)
      onMade()
      return reply
    }
    const booking = {
      connectorId,
      carrier,
      request,
      rate,
      key: getKey(row),
      why: offer.why,
      written: row.written,
    }
    const { entry, recorded, response } = await sendBooking(
      ledger,
      { createShipment },
      { ...booking, ...(again && { again }) },
    )
    carriers.answered(connectorId)
    if (recorded) budget?.giveBack(cents)
    else {
      const warn = (text: string) => deps.warn(`${row.reference}: ${text}`)
      warnings.push(...(await warnOfBooking(ledger, response.connectorId, response, warn)))
    }
    return { row, state: "booked", entry, warnings, ...(recorded && { recorded }) }
  } catch (error) {
    if (!(error instanceof FreightError)) throw error
    const mayExist = error.kind === "outcomeUnknown" || error.kind === "stepFailed"
    if (!mayExist) budget?.giveBack(cents)
    if (mayExist || isCarrierOutOfReach(error)) carriers.missed(connectorId)
    else carriers.answered(connectorId)
    // Another process used the reference meanwhile, perhaps for this very row with the rate that was best then.
    const known = error instanceof ChangedOrder ? await findKnownResult(deps, row) : undefined
    if (known) return known
    throw error
  }
}

function carrierDown(row: GoodRow): DeferredRow {
  const error = "its carrier does not answer: nothing was sent"
  return { why: "carrier", result: { row, state: "failed", error } }
}
