/** The rates of all carriers as one list to choose from. */

import { carrierLetter } from "../../contract/carrier-fields.ts"
import type { AggregatedRateResponse } from "../../contract/generated/types.ts"
import { centsOf, formatCents, formatMoney } from "../../contract/money.ts"
import {
  formatClock,
  formatDate,
  minutesOfDay,
  parseTimeOfDay,
  type WallClock,
} from "../../contract/wall-clock.ts"
import type { EarlierBooking } from "./world.ts"
import { bestRate, type RateRow, rateRows, type SortKey, sortRates } from "../rates.ts"

export interface Offer {
  row: RateRow
  /** One line, no wider than it may be. */
  name: string
  description: string
  disabled?: string
  /** It was booked last time, for this receiver. */
  isLastTime: boolean
}

interface OfferOptions {
  /** Shipping date, YYYY-MM-DD. */
  date: string
  /** What the clock at the place of collection shows. */
  now: WallClock
  width: number
  by: SortKey
  connectorNames: ReadonlyMap<string, string>
  lastTime?: EarlierBooking | undefined
  /** Why carrier A cannot be booked at these times. */
  carrierA?: string
}

/** Shown services first, in order of price or arrival; the cheapest and the fastest of them are marked. */
export function listOffers(reply: AggregatedRateResponse, options: OfferOptions): Offer[] {
  const { date, by } = options
  const rows = sortRates(rateRows(reply), by, date)
  const open = rows.filter((row) => !refusal(row, options))
  const cheapest = bestRate(open, "price", date)
  const fastest = bestRate(open, "eta", date)
  const marked = rows.map((row) => ({
    row,
    cells: {
      carrier: carrierLetter(row.carrier),
      service: row.serviceCode,
      price: formatMoney(row.price, row.currency),
      gst: gstCell(row),
      arrives: row.arrives === "not stated" ? "arrival not stated" : row.arrives,
      cutoff: cutoffText(row.bookingCutoff, options),
      mark: [
        row === cheapest && "cheapest",
        row === fastest && "fastest",
        row.visibility === "hidden" && "hidden",
        isLastTime(row, options) && "last time",
      ]
        .filter(Boolean)
        .join(", "),
    },
  }))
  const columns = columnsFor(
    marked.map(({ cells }) => cells),
    options.width,
  )
  return marked.map(({ row, cells }) => {
    const disabled = refusal(row, options)
    return {
      row,
      name: columns
        .map(({ key, width }) => (key === "price" ? cells[key].padStart(width) : cells[key].padEnd(width)))
        .join("  ")
        .trimEnd(),
      description: descriptionOf(row, cells, options),
      isLastTime: isLastTime(row, options),
      ...(disabled !== undefined && { disabled }),
    }
  })
}

function isLastTime({ connectorId, serviceCode }: RateRow, { lastTime }: OfferOptions): boolean {
  return lastTime?.connectorId === connectorId && lastTime.request.serviceCode === serviceCode
}

type Cells = Record<"carrier" | "service" | "price" | "gst" | "arrives" | "cutoff" | "mark", string>

/** What is left out first where the terminal is narrow; the description has it all. */
const SPARE: readonly (keyof Cells)[] = ["cutoff", "gst", "arrives", "service"]
const ORDER: readonly (keyof Cells)[] = ["carrier", "service", "price", "gst", "arrives", "cutoff", "mark"]

function columnsFor(rows: readonly Cells[], width: number): { key: keyof Cells; width: number }[] {
  const widths = ORDER.map((key) => ({ key, width: Math.max(0, ...rows.map((cells) => cells[key].length)) }))
  let columns = widths.filter((column) => column.width > 0)
  for (const spare of SPARE) {
    const needed = columns.reduce((sum, column) => sum + column.width + 2, -2)
    if (needed <= width) break
    columns = columns.filter(({ key }) => key !== spare)
  }
  return columns
}

function descriptionOf(row: RateRow, cells: Cells, { connectorNames }: OfferOptions): string {
  const account = connectorNames.get(row.connectorId) ?? row.connectorId
  return [
    `${row.description}, carrier ${cells.carrier} (${account})`,
    `${cells.price}, GST ${row.gstBasis}`,
    row.arrives === "not stated" ? cells.arrives : `arrives ${row.eta ? "" : "in "}${row.arrives}`,
    `book by ${cells.cutoff}`,
    ...(row.visibility === "hidden" ? ["hidden: your account lists it last"] : []),
  ].join("; ")
}

/** As short as it can be said; the contract lets carrier B alone state it. */
function gstCell({ gstBasis, price, priceIncGst }: RateRow): string {
  if (priceIncGst === undefined) return "GST unstated"
  return gstBasis === "included" ? "with GST" : `+${formatCents(centsOf(priceIncGst) - centsOf(price))} GST`
}

/** The latest time of booking on the day, with what is left of it when that is today. */
function cutoffText(cutoff: string, { date, now }: OfferOptions): string {
  const read = parseTimeOfDay(cutoff)
  if (!read.ok) return cutoff
  const by = formatClock(read.value)
  if (date !== formatDate(now)) return by
  const left = Math.floor(minutesOfDay(read.value) - minutesOfDay(now))
  if (left <= 0) return `${by} (passed)`
  return `${by} (${left < 60 ? `${left} min` : `${Math.floor(left / 60)} h ${left % 60}`} left)`
}

function refusal({ carrier }: RateRow, { carrierA }: OfferOptions): string | undefined {
  return carrier === "CARRIER_A_AU" ? carrierA : undefined
}
