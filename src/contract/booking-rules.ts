/** All that is to say about a complete booking and no schema can say. The rules themselves are in their own files. */
import { addressWarnings } from "./address-rules.ts"
import { ignoredFields } from "./carrier-fields.ts"
import { collectionTimeProblems, type Moment } from "./collection-times.ts"
import { collectionWindowProblems } from "./collection-window.ts"
import { alertWarnings, collectionEmailWarnings } from "./emails.ts"
import type { Carrier, ConsignmentBookingRequest } from "./generated/types.ts"
import { itemsDifferences } from "./packages.ts"
import { payerProblems } from "./payer.ts"
import { rateLinkProblems } from "./rate-link.ts"
import { type Findings, problemAt, type RuleProblem } from "./rule.ts"
import { parseTimeOfDay, parseWallClock } from "./wall-clock.ts"

/**
 * Judges a booking that keeps the schema. Without a carrier (no connector chosen yet) the rules of single carriers
 * are left out.
 * @param moment when it is judged; left out, its times are not compared with the present
 */
export function bookingProblems(
  booking: ConsignmentBookingRequest,
  carrier: Carrier | undefined,
  moment?: Moment,
): Findings {
  const payer = payerProblems(booking.payer, carrier)
  const link = rateLinkProblems(booking)
  const times = moment ? bookingTimeProblems(booking, carrier, moment) : { errors: [], warnings: [] }
  return {
    errors: [
      ...times.errors,
      ...(carrier === "CARRIER_A_AU" ? collectionWindowProblems(booking) : []),
      ...payer.errors,
      ...deliveryWindowProblems(booking),
      ...link.errors,
    ],
    warnings: [
      ...times.warnings,
      ...(["sender", "collection", "receiver"] as const).flatMap((party) =>
        addressWarnings(booking[party], [party]),
      ),
      ...collectionEmailWarnings(booking.collection, carrier),
      ...alertWarnings(booking),
      ...itemsWarnings(booking),
      ...payer.warnings,
      ...dangerousGoodsWarnings(booking),
      ...link.warnings,
      ...(carrier ? ignoredFields(booking, carrier) : []),
    ],
  }
}

/** Judges when the goods are collected. What carrier A's window says of the closing time is not said again. */
export function bookingTimeProblems(
  booking: ConsignmentBookingRequest,
  carrier: Carrier | undefined,
  moment: Moment,
): Findings {
  const ready = parseWallClock(booking.collectionDateTime)
  const close = parseTimeOfDay(booking.collectionCloseTime)
  const CLOSE = "collectionCloseTime"
  const window = carrier === "CARRIER_A_AU" ? collectionWindowProblems(booking) : []
  const isTold = window.some(({ path }) => path === CLOSE)
  return collectionTimeProblems(
    {
      state: booking.collection.state,
      ready: ready.ok ? ready.value : undefined,
      close: close.ok && !isTold ? close.value : undefined,
      paths: { day: ["collectionDateTime"], ready: ["collectionDateTime"], close: [CLOSE] },
    },
    moment,
  )
}

/** A window (`timeSensitive.deliveryWindow`) cannot end before it starts. Dates and times compare as they are written. */
function deliveryWindowProblems({ timeSensitive }: ConsignmentBookingRequest): RuleProblem[] {
  const window = timeSensitive?.deliveryWindow
  if (!window) return []
  const { startDate, endDate, startTime, endTime } = window
  const backwards = (field: string, end: string, start: string) => [
    problemAt(
      ["timeSensitive", "deliveryWindow", field],
      "deliveryWindow",
      `is ${end}, before the start ${start}`,
    ),
  ]
  if (endDate < startDate) return backwards("endDate", endDate, startDate)
  if (endDate === startDate && startTime && endTime && endTime < startTime)
    return backwards("endTime", endTime, startTime)
  return []
}

/** Items and packages are both sent, so they should tell the same. */
function itemsWarnings({ items, packages }: ConsignmentBookingRequest): RuleProblem[] {
  return itemsDifferences(items, packages).map(({ field, given, derived }) =>
    problemAt(["items", field], "items", `is ${given}, but the packages make ${derived}`, {
      hint: "leave items out of the file to have them worked out",
    }),
  )
}

function dangerousGoodsWarnings(booking: ConsignmentBookingRequest): RuleProblem[] {
  if (booking.dangerousGoods || !booking.dangerousGoodsDetails) return []
  const says = "is false, although dangerousGoodsDetails says what they are"
  return [
    problemAt(["dangerousGoods"], "dangerousGoods", says, { hint: "make sure which of the two is right" }),
  ]
}
