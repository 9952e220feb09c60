/** Whether an order still goes on the day of its collection, by the cutoffs of what it is booked with. */
import { zoneOfCollection } from "../../contract/index.ts"
import { type CutoffStanding, describeTooLate, judgeCutoffs } from "./cutoffs.ts"
import { parseTimeOfDay, wallClockNow, writtenDay } from "../../base/wall-clock.ts"
import { type SelectedRate, type Order, requestOf, type Source } from "./order.ts"
import {
  type Choice,
  chooseRate,
  getLimits,
  TOO_LATE_HINTS,
  noMatchingRateError,
  type PreferenceDraft,
} from "./preferences.ts"
import { type JudgeRate, rateRows, toAggregatedReply } from "./rates.ts"
import type { KeptRate } from "../../machine/index.ts"

interface Collected {
  collectionDateTime?: unknown
  collection?: unknown
  sender?: unknown
}

/** @param now milliseconds since the epoch */
export function createJudge(booking: Collected, now: number): JudgeRate {
  const clock = wallClockNow(now, zoneOfCollection(booking))
  const written = typeof booking.collectionDateTime === "string" ? booking.collectionDateTime : ""
  const ready = parseTimeOfDay(written.slice(11, 19))
  const collection = { day: writtenDay(written), ...(ready.ok && { ready: ready.value }) }
  return (rate) => judgeCutoffs(rate, collection, clock)
}

type Parts = [
  order: Pick<Order, "request">,
  selected: Pick<SelectedRate, "serviceCode" | "rate">,
  now: number,
]

/** The cutoff standing of a selected rate; without a rate, by the cutoffs that the booking repeats. */
export function getSelectedStanding(...[{ request }, selected, now]: Parts): CutoffStanding {
  return createJudge(request, now)(selected.rate?.rate ?? requestOf({ request }, selected))
}

/** Whether a cutoff has passed since it was quoted: it is then priced again. */
export function isOvertaken(...[order, selected, now]: Parts): boolean {
  return (
    selected.rate !== undefined &&
    getSelectedStanding(order, selected, now).kind === "too late" &&
    getSelectedStanding(order, selected, selected.rate.quotedAt).kind !== "too late"
  )
}

/** `service 75 is too late for today (to be booked by 15:00): it may go on Mon 30 Nov`; undefined if it is in time. */
export function describeLateService(...[order, selected, now]: Parts): string | undefined {
  const standing = getSelectedStanding(order, selected, now)
  return standing.kind === "too late"
    ? `service ${selected.serviceCode} is ${describeTooLate(standing)}`
    : undefined
}

export function assessRate(
  { quoteId, connectorId, carrier, request, rate }: KeptRate,
  { wish, allowed }: Pick<Source, "allowed"> & { wish: PreferenceDraft },
  judge: JudgeRate,
): Choice {
  const rows = rateRows(toAggregatedReply({ quoteId, rates: [rate] }, connectorId, carrier), judge)
  return chooseRate(rows, {
    by: "price",
    limits: getLimits(wish, allowed),
    date: request.date,
    isNamed: true,
  })
}

export function refuseLateService(order: Order, selected: SelectedRate, now: number): void {
  const late = findLateChoice(order, selected, now)
  if (late)
    throw noMatchingRateError(
      `service ${selected.serviceCode}`,
      getLimits(order.wish),
      late,
      getTooLateHint(order),
    )
}

/** Why a selected rate is too late for the preference; undefined if it is not. */
export function findLateChoice(order: Order, selected: SelectedRate, now: number): Unmet | undefined {
  if (!selected.rate || getSelectedStanding(order, selected, now).kind !== "too late") return undefined
  const { request, wish, source } = order
  const choice = assessRate(selected.rate, { wish, allowed: source.allowed }, createJudge(request, now))
  return choice.rate || !choice.isTooLate ? undefined : choice
}

type Unmet = Choice & { rate: undefined }

export function getTooLateHint({ source }: Pick<Order, "source">) {
  return source.isRow ? TOO_LATE_HINTS.row : TOO_LATE_HINTS.order
}
