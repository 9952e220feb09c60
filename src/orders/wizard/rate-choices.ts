/** The rates of all carriers as a list to choose from: the table of rate-shop, as far as it fits beside the labels. */

import { carrierLetter } from "../../carriers/index.ts"
import type { RateRequest } from "../../contract/generated/types.ts"
import { formatClock, parseTimeOfDay } from "../../base/wall-clock.ts"
import { describeCutoffs } from "../booking/cutoffs.ts"
import { formatMoney } from "../../base/money.ts"
import { type Column, createTable, cut, widthOf } from "../../output/index.ts"
import type { RateReply } from "../booking/carrier-rates.ts"
import { whyOnlyNamed } from "../booking/gst.ts"
import { priceFacts, priceText } from "../booking/rates.ts"
import { describeOnTime, rateColumns } from "../booking/rate-columns.ts"
import {
  arrivalWords,
  isTooLate,
  type JudgeRate,
  type RateRow,
  rateRows,
  type SortKey,
  sortRates,
} from "../booking/rates.ts"
import type { EarlierBooking } from "./context.ts"

export interface RateChoice {
  row: RateRow
  name: string
  /** `cheapest, last time`; empty for most. */
  labels: string
  description: string
  disabled?: string
  isLastTime: boolean
}

interface RateChoiceOptions {
  /** Shipping date, YYYY-MM-DD. */
  date: string
  to: RateRequest["to"]
  judge: JudgeRate
  width: number
  unicode: boolean
  by: SortKey
  connectorNames: ReadonlyMap<string, string>
  lastTime?: EarlierBooking | undefined
  /** Why a carrier cannot be booked, by its name; absent if it can. */
  refusals?: ReadonlyMap<string, string>
}

/** Minimum width for carrier, a short service name, and the total: labels may not use it. */
const LEAST = 28

/** Shown services first, in order of price or arrival; the cheapest and the fastest of them are marked. */
export function listRateChoices(reply: RateReply, options: RateChoiceOptions): RateChoice[] {
  const { date, by, width, unicode } = options
  const rows = sortRates(rateRows(reply, options.judge), by, date)
  const open = rows.filter((row) => !refusal(row, options) && whyOnlyNamed(row) === undefined)
  const [cheapest] = sortRates(open, "price", date)
  const inTime = open.filter((row) => !isTooLate(row))
  const [fastest] = sortRates(inTime, "eta", date)
  const choices = rows.map((row) => {
    const disabled = refusal(row, options)
    const isLast = isLastTime(row, options)
    const labels = [
      row === cheapest && "cheapest",
      row === fastest && "fastest",
      isLast && "last time",
      isTooLate(row) && "too late today",
    ]
    return {
      row,
      labels: labels.filter(Boolean).join(", "),
      description: describeChoice(row, options),
      isLastTime: isLast,
      ...(disabled !== undefined && { disabled }),
    }
  })
  const widest = Math.max(...choices.map(({ labels }) => widthOf(labels)))
  const room = Math.max(LEAST, widest === 0 ? width : width - widest - 2)
  const columns = choiceColumns(rows, options, room)
  const layOut = (shown: readonly Column<RateRow>[]) => {
    const stdout = { isTTY: true, colour: false, columns: room, write: async () => {} }
    const table = createTable({ stdout, unicode }, shown, undefined)
    return { table, measured: table.measure(rows) }
  }
  const whole = layOut(columns)
  // The description has the cut-off: drop that column rather than half a name.
  const { table, measured } = whole.table.fits() ? whole : layOut(columns.slice(0, -1))
  const lines = measured.map((row) => table.lines([row]).trimEnd())
  const longest = Math.max(...lines.map(widthOf))
  const ellipsis = unicode ? "…" : "..."
  return choices.map((choice, at) => {
    const line = lines[at] ?? ""
    const marked =
      choice.labels === "" ? line : `${line}${" ".repeat(longest - widthOf(line) + 2)}${choice.labels}`
    return { ...choice, name: cut(marked, width, ellipsis) }
  })
}

function isLastTime({ connectorId, serviceCode }: RateRow, { lastTime }: RateChoiceOptions): boolean {
  return lastTime?.connectorId === connectorId && lastTime.request.serviceCode === serviceCode
}

/** Columns in the order of importance: a narrow terminal drops the last ones, and the description has them all. */
function choiceColumns(
  rows: readonly RateRow[],
  options: RateChoiceOptions,
  room: number,
): Column<RateRow>[] {
  const all = rateColumns(rows, options, false, options.by)
  return ["carrier", "description", "total", "arrives", "bookingCutoff"].flatMap((key) =>
    all
      .filter((column) => column.key === key)
      .map((column) => ({
        ...column,
        title: "",
        ...(key === "arrives" && { brief: (text: string) => text.replace(/ \(.*\)$/, "") }),
        ...(key === "bookingCutoff" && { show: (row: RateRow) => shortCutoff(row) }),
        // The column that it is sorted by.
        ...(key === "total" &&
          room < 40 && { show: (row: RateRow) => column.show?.(row).replace(/^.* to |^ +/, "") ?? "" }),
      })),
  )
}

function describeChoice(row: RateRow, options: RateChoiceOptions): string {
  const onTime = describeOnTime(row)
  const { likely } = row.evidence ?? {}
  const account = options.connectorNames.get(row.connectorId) ?? row.connectorId
  return [
    `${row.description} (${row.serviceCode}), carrier ${carrierLetter(row.carrier)} (${account})`,
    priceText(priceFacts(row)),
    arrivalWords(row, options),
    ...(onTime === undefined ? [] : [`on time ${onTime}`]),
    ...(likely === undefined ? [] : [`likely ${formatMoney(likely, row.currency)}`]),
    cutoffText(row),
  ].join("; ")
}

/** `book by 15:00`; for a collection today the time left, or that it has passed. */
function cutoffText(row: RateRow): string {
  const { standing } = row
  return standing && standing.kind !== "in time" ? describeCutoffs(standing) : `book ${shortCutoff(row)}`
}

/** `by 15:00` */
function shortCutoff({ bookingCutoff = "" }: RateRow): string {
  const time = parseTimeOfDay(bookingCutoff)
  return `by ${time.ok ? formatClock(time.value) : bookingCutoff || "a time that is not known"}`
}

function refusal({ carrier }: RateRow, { refusals }: RateChoiceOptions): string | undefined {
  return refusals?.get(carrier)
}
