/** The rows of a plan as a batch books them, with the rates that were approved. */
import { inWords } from "../../../contract/findings.ts"
import { type Offer, offerOf } from "../../booking/order.ts"
import { isCarrier } from "../../../carriers/names.ts"
import type { Moment } from "../../../contract/collection-times.ts"
import type { ConsignmentBookingRequest } from "../../../contract/generated/types.ts"
import { pickIdentity } from "../../../ledger/order.ts"
import { getMostCents } from "../../booking/gst.ts"
import { LINK_FIELDS } from "../../../contract/rate-link.ts"
import { checkBookingTimes } from "../../../contract/request-rules.ts"
import type { BatchRow, RowBooking } from "../rows/row.ts"
import type { RowFinding } from "../../../input/sheets/findings.ts"
import { isPlanned, type OtherRow, type Plan, type PlannedRow } from "./plan.ts"

/**
 * Each row of a plan; one that has no choice has an error.
 * @param percent change of a price that is allowed: rates that end while the batch runs are asked for again, and hold
 *   only up to that
 */
export async function* planRows(plan: Plan, moment: Moment, percent?: number): AsyncGenerator<BatchRow> {
  for (const row of plan.rows)
    yield isPlanned(row) ? toBooking(plan, row, moment, percent) : toOther(plan, row)
}

function toBooking(plan: Plan, planned: PlannedRow, moment: Moment, percent: number | undefined): BatchRow {
  const { request, connectorId, serviceCode, wish } = planned
  const { maxPriceCents, arriveBy, withinDays } = wish
  const highest = percent === undefined ? maxPriceCents : getHighestPrice(planned, percent)
  return {
    ...getRowParts(plan, planned),
    findings: [],
    booking: removeRate(request),
    wish: {
      kind: "code",
      serviceCode,
      connectorId,
      ...(highest !== undefined && { maxPriceCents: Math.min(highest, maxPriceCents ?? highest) }),
      ...(arriveBy !== undefined && { arriveBy }),
      ...(withinDays !== undefined && { withinDays }),
    },
    late: findLate(planned, moment),
    allowed: moment,
  }
}

function toOther(plan: Plan, other: OtherRow): BatchRow {
  const { row, line, state, error, request, wish, held } = other
  if (held) return { ...getRowParts(plan, other), held, findings: [], booking: undefined, wish: undefined }
  const finding = (message: string): RowFinding => ({ row, line, rule: "plan", message, severity: "error" })
  if (state === "booked" && request && wish)
    return {
      ...getRowParts(plan, other),
      findings: [],
      booking: request,
      wish,
      late: [finding("it was booked before the plan was made, in another ledger")],
    }
  const message = `the plan has no rate for it: ${error ?? "no reason given"}`
  const findings = [finding(message)]
  return { ...getRowParts(plan, other), findings, booking: undefined, wish: undefined }
}

function getRowParts({ columns }: Plan, planned: PlannedRow | OtherRow) {
  const { row, line, reference, key, residential, input, request } = planned
  // Earlier versions of freight kept places apart from what was written.
  const { written: order = pickIdentity(request ?? {}), writtenPlaces } = planned
  const written = writtenPlaces ? { ...order, places: writtenPlaces } : order
  const cells = columns.flatMap((column) =>
    Object.hasOwn(input, column) ? [[column, input[column] ?? ""] as const] : [],
  )
  return {
    ...{ row, line, reference, residential, cells, written },
    ...(key !== undefined && { key }),
  }
}

/** Collection times that have passed since. */
function findLate({ row, line, request, rate }: PlannedRow, moment: Moment): RowFinding[] {
  const carrier = isCarrier(rate.carrier) ? rate.carrier : undefined
  return checkBookingTimes(request, carrier, moment).errors.map((error) => ({
    row,
    line,
    rule: error.keyword,
    message: inWords(error),
    severity: "error",
  }))
}

const OF_RATE: readonly string[] = ["serviceCode", ...LINK_FIELDS]

function removeRate(request: ConsignmentBookingRequest): RowBooking {
  return Object.fromEntries(Object.entries(request).filter(([name]) => !OF_RATE.includes(name))) as RowBooking
}

/** The rates that were approved, by row. */
export function planOffers({ rows }: Plan): Map<number, Offer> {
  return new Map(rows.filter(isPlanned).map(({ row, rate, why }) => [row, offerOf(rate, why)]))
}

/** The highest price with GST, in cents, that a change of this many percent allows. */
function getHighestPrice({ rate }: Pick<PlannedRow, "rate">, percent: number): number {
  return Math.floor((getMostCents(rate.rate) * (100_000 + Math.round(percent * 1000))) / 100_000)
}
