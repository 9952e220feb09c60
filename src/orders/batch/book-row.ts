/** Books one row that the ledger does not have, priced if wanted, unless its carrier is down. */
import type { FreightApi, Limiter } from "../../api/index.ts"
import { selectNamed, priceOrder, toRateRequest } from "../booking/price.ts"
import type { RatePace } from "../booking/carrier-rates.ts"
import { needsRates } from "../booking/preferences.ts"
import type { CompleteRates } from "../booking/evidence.ts"
import { describeLateService } from "../booking/in-time.ts"
import { againOf, getSelectedMost, type SelectedRate } from "../booking/order.ts"
import { warnOfBooking } from "../booking/outcome.ts"
import { type Booked, bookOne } from "../booking/book-one.ts"
import type { ConnectorSummary } from "../../contract/generated/types.ts"
import { FreightError } from "../../base/errors.ts"
import { equalBefore, type LedgerDeps, warnOfOpenBeside } from "../../ledger/index.ts"
import { type Budget, type Carriers, isCarrierOutOfReach } from "./limits.ts"
import { sentOutcome } from "./result.ts"
import type { Outcome } from "./outcome.ts"
import { type GoodRow, isSecond } from "./rows/row.ts"

export interface BookDeps {
  api: FreightApi
  ledger: LedgerDeps
  connectors: readonly ConnectorSummary[]
  limiter: Limiter
  ratePace: RatePace
  carriers: Carriers
  /** Book it even if it equals a booking under another key. */
  again: boolean
  /** A shipment that equals one booked elsewhere under another reference is a separate order. */
  newOrders?: boolean
  /** Ask for the price of rows that name their service. */
  asksPrice: boolean
  /** Undefined: no limit. */
  budget: Budget | undefined
  completeRates: CompleteRates
  warn(text: string): Promise<void>
}

class CarrierDown extends Error {}

/**
 * @param onMade called when the booking exists; only disk writes remain
 * @returns undefined when its carrier is down
 */
export async function bookRow(
  deps: BookDeps,
  row: GoodRow,
  onMade: () => void,
): Promise<Outcome | undefined> {
  const { api, ledger, connectors, ratePace, completeRates, carriers, budget, again, asksPrice } = deps
  const order = again || isSecond(row) ? againOf(row) : row
  const now = ledger.clock.now()
  const probe = (connectorId: string) => () => api.connectorRates(connectorId, toRateRequest(order, now))
  const admits = async (id: string | undefined) => id === undefined || carriers.admits(id, probe(id))
  const named = row.selected ?? (needsRates(order) ? undefined : selectNamed(order, connectors))
  let connectorId = named?.connectorId ?? order.wish.connectorId
  let reserved: number | undefined
  let offered: SelectedRate | undefined
  try {
    if (!(await admits(connectorId))) return undefined
    const pricing = { api, clock: ledger.clock, completeRates, connectors: async () => connectors, ratePace }
    const price = async () => {
      const selected = await priceOrder(pricing, order, named, asksPrice ? "optional" : "skip")
      offered = selected
      if (selected.connectorId !== connectorId) {
        connectorId = selected.connectorId
        if (!(await admits(connectorId))) throw new CarrierDown()
      }
      const cents = getSelectedMost(selected)
      budget?.take(cents)
      reserved = cents
      return selected
    }
    const createShipment: FreightApi["createShipment"] = async (...given) => {
      const reply = await api.createShipment(...given)
      onMade()
      return reply
    }
    const finish = async (booked: Booked): Promise<Outcome> => {
      const { response, recorded, earlier, beside, entry, selected, error } = booked
      if (error) throw error
      carriers.answered(selected.connectorId)
      if (recorded) budget?.giveBack(reserved)
      const warn = (text: string) => deps.warn(`${row.reference}: ${text}`)
      const doubts = beside ? [warnOfOpenBeside(beside)] : []
      for (const doubt of doubts) await warn(doubt)
      const late = recorded ? undefined : describeLateService(order, selected, ledger.clock.now())
      return sentOutcome(booked, late !== undefined, [
        ...doubts,
        // One line counts them all.
        ...(late === undefined ? [] : [late]),
        ...(selected.warning === undefined ? [] : [selected.warning]),
        ...(earlier ? [equalBefore(earlier, entry.request)] : []),
        ...(recorded ? [] : await warnOfBooking(ledger, response.connectorId, response, warn)),
      ])
    }
    const road = { ledger, api: { ...api, createShipment }, price }
    return await bookOne(road, order, undefined, finish)
  } catch (error) {
    if (error instanceof CarrierDown) return undefined
    if (!(error instanceof FreightError)) throw error
    row.selected = offered ?? row.selected
    const mayExist = error.kind === "outcomeUnknown" || error.kind === "stepFailed"
    if (!mayExist) budget?.giveBack(reserved)
    if (connectorId !== undefined) {
      if (mayExist || isCarrierOutOfReach(error)) carriers.missed(connectorId)
      else carriers.answered(connectorId)
    }
    throw error
  }
}
