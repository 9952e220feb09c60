/** The rows of a plan as a batch books them, with the rates that were approved. */
import {
  type Allowances,
  checkBookingTimes,
  inWords,
  LINK_FIELDS,
  type Moment,
  momentAt,
  type Own,
  readOwn,
  toOwnHomes,
} from "../../../contract/index.ts"
import { nameInWords } from "../../booking/field-names.ts"
import { getLimits } from "../../booking/preferences.ts"
import { getSelectedStanding } from "../../booking/in-time.ts"
import { toSelectedRate } from "../../booking/order.ts"
import { isCarrier } from "../../../carriers/index.ts"
import type { ConsignmentBookingRequest } from "../../../contract/generated/types.ts"
import { pickIdentity } from "../../../ledger/index.ts"
import { getMostCents } from "../../booking/gst.ts"
import { type BatchRow, type RowBooking, sourceOf } from "../rows/row.ts"
import type { RowFinding } from "../../../input/index.ts"
import { isPlanned, type OtherRow, type Plan, type PlannedRow } from "./plan.ts"

/** Each row of a plan, with the rate that was approved; one that has no choice has an error. */
export function planRows(plan: Plan, moment: Moment): BatchRow[] {
  return plan.rows.map((row) => (isPlanned(row) ? toBooking(plan, row, moment) : toOther(plan, row, moment)))
}

/**
 * The rows, each with a highest price: rates that end while the batch runs are asked for again, up to that price.
 * @param percent change of a price that is allowed
 */
export function capPrices(rows: readonly BatchRow[], plan: Plan, percent: number): BatchRow[] {
  const planned = new Map(plan.rows.filter(isPlanned).map((row) => [row.row, row]))
  return rows.map((row) => {
    const approved = planned.get(row.row)
    if (!approved || row.request === undefined) return row
    const highest = getHighestPrice(approved, percent)
    const maxPriceCents = Math.min(highest, row.wish.maxPriceCents ?? highest)
    const maxPriceCurrency = approved.rate.rate.currency
    return { ...row, wish: { ...row.wish, maxPriceCents, maxPriceCurrency } }
  })
}

function toBooking(plan: Plan, planned: PlannedRow, moment: Moment): BatchRow {
  const { request, connectorId, serviceCode, wish, rate, why } = planned
  // An approved service is not chosen again.
  const { avoid: _, ...limits } = getLimits(wish)
  const { late, isAllowed } = findLate(plan, planned, moment)
  const allowed: Allowances = {
    ...moment,
    ...(isAllowed && { allowPast: true }),
    ...(wasLateAllowed(planned) && { pastCutoff: "told" }),
  }
  return {
    ...getRowParts(plan, planned, allowed),
    findings: [],
    request: removeRate(request),
    wish: { ...limits, kind: "code", serviceCode, connectorId },
    late,
    selected: toSelectedRate(rate, why),
  }
}

function toOther(plan: Plan, other: OtherRow, moment: Moment): BatchRow {
  const { row, line, state, error, request, wish, held } = other
  if (held)
    return { ...getRowParts(plan, other, moment), held, findings: [], request: undefined, wish: undefined }
  const finding = (message: string): RowFinding => ({ row, line, rule: "plan", message, severity: "error" })
  if (state === "booked" && request && wish)
    return {
      ...getRowParts(plan, other, moment),
      findings: [],
      request,
      wish,
      late: [finding("it was booked before the plan was made, in another ledger")],
    }
  const message = `the plan has no rate for it: ${error ?? "no reason given"}`
  const findings = [finding(message)]
  return { ...getRowParts(plan, other, moment), findings, request: undefined, wish: undefined }
}

function getRowParts({ columns }: Plan, planned: PlannedRow | OtherRow, allowed: Allowances) {
  const { row, line, reference, key = reference, input, request } = planned
  // Earlier versions of freight kept places apart from what was written.
  const { written: order = pickIdentity(request ?? {}), writtenPlaces } = planned
  const written = writtenPlaces ? { ...order, places: writtenPlaces } : order
  const own = columns.filter((column) => Object.hasOwn(input, column))
  const cells = { columns: own, texts: own.map((column) => input[column] ?? "") }
  return { row, line, reference, key, own: getPlannedOwn(planned), cells, source: sourceOf(written, allowed) }
}

/** Earlier versions of freight kept only the residential flags beside the request. */
function getPlannedOwn({ own, residential }: PlannedRow | OtherRow): Own {
  return own ? readOwn(own) : toOwnHomes(residential)
}

/**
 * Findings for collection times that have passed since.
 * @returns with `isAllowed` if they were as wrong, and allowed, when the plan was made
 */
function findLate(plan: Plan, { row, line, request, rate, allowed }: PlannedRow, moment: Moment) {
  const carrier = isCarrier(rate.carrier) ? rate.carrier : undefined
  const { places, findHoliday } = moment
  const then = momentAt(Date.parse(plan.madeAt), {}, { places, findHoliday })
  const listErrors = (at: Moment) => checkBookingTimes(request, carrier, at).errors
  // Nobody has allowed times that passed while the plan was made.
  const known = allowed?.allowPast ? listErrors(then).map(({ keyword, path }) => `${keyword} ${path}`) : []
  const late = listErrors(moment)
    .filter(({ keyword, path }) => !known.includes(`${keyword} ${path}`))
    .map(
      (error): RowFinding => ({
        row,
        line,
        rule: error.keyword,
        message: inWords(nameInWords(error)),
        severity: "error",
      }),
    )
  return { late, isAllowed: known.length > 0 && late.length === 0 }
}

/** Whether a cutoff had passed when the row was planned, and that was allowed. */
function wasLateAllowed({ request, rate, wish, allowed }: PlannedRow): boolean {
  const isTaken = getLimits(wish, allowed).tooLate === "taken"
  return isTaken && getSelectedStanding({ request }, toSelectedRate(rate), rate.quotedAt).kind === "too late"
}

const OF_RATE: readonly string[] = ["serviceCode", ...LINK_FIELDS]

function removeRate(request: ConsignmentBookingRequest): RowBooking {
  return Object.fromEntries(Object.entries(request).filter(([name]) => !OF_RATE.includes(name))) as RowBooking
}

/** The highest price with GST, in cents, that a change of this many percent allows. */
function getHighestPrice({ rate }: Pick<PlannedRow, "rate">, percent: number): number {
  return Math.floor((getMostCents(rate.rate) * (100_000 + Math.round(percent * 1000))) / 100_000)
}
