/** The kinds of needs, each with a row in `NEEDS`: what it is, its message, since when, and the command to run. */
import path from "node:path"
import { carrierName } from "../../carriers/index.ts"
import { nextCommand, typedAgain } from "../../base/command-line.ts"
import { counted, listSome } from "../../base/counted.ts"
import { groupBy } from "../../base/grouping.ts"
import { shortId } from "../../base/names.ts"
import { formatInstantAt, nameClock, toPlaceClock } from "../../contract/index.ts"
import {
  collectCommand,
  describeMinutes,
  describeTooLate,
  type ScheduledBooking,
  tellCommand,
  type Unfinished,
  type WaitingRows,
} from "../../orders/index.ts"
import { formatCollection } from "./due.ts"
import {
  formatClock,
  formatDate,
  formatDayAndTime,
  formatInstant,
  wallClockNow,
} from "../../base/wall-clock.ts"
import type { DueBills } from "../../bills/index.ts"
import { type Entry, openReason } from "../../ledger/index.ts"

/** Carriers bill weekly or monthly: a booking without a bill is reported after this many days. */
export const BILLED_WITHIN_DAYS = 45

/** A booking. Milliseconds since the epoch, by the service's clock. */
interface OfBooking {
  booking: ScheduledBooking
  now: number
}

interface NeedRow<Subject> {
  /** For help. */
  meaning: string
  /** The subject, if it is not a booking. */
  about?(subject: Subject): string
  what(subject: Subject): string
  /** Since when it is so, or when it is due; null if it has no time. */
  since(subject: Subject): string | null
  next(subject: Subject): string
  /** The single command for several bookings; without it `freight today --all` lists them with a command each. */
  together?(names: readonly string[], booking: ScheduledBooking): string | undefined
}

/** The shortest name of a booking that every command takes. */
const nameBooking = ({ entry, shipmentId }: ScheduledBooking) =>
  entry.facts.consignmentNumber ?? shortId(shipmentId)

const nameCarrier = (carrier: string | null | undefined) => (carrier ? carrierName(carrier) : "the carrier")

/** @param command to run, with the name of the booking */
function ofBooking(
  meaning: string,
  command: string,
  what: NeedRow<OfBooking>["what"],
  {
    since = ({ booking }) => new Date(booking.readyAt).toISOString(),
    together,
  }: Partial<Pick<NeedRow<OfBooking>, "since" | "together">> = {},
): NeedRow<OfBooking> {
  const next = ({ booking }: OfBooking) =>
    nextCommand("freight", ...command.split(" "), nameBooking(booking)).next ?? `freight ${command}`
  return { meaning, what, since, next, ...(together && { together }) }
}

/** One command books the pickups of all shipments of a day. */
const collectTogether: NeedRow<OfBooking>["together"] = (_, { ready }) => collectCommand(formatDate(ready))
/** All shipments waiting for a pickup are reported together. */
const tellOf = ({ waitsFor = { pickup: "", shipments: 0 } }: ScheduledBooking) => tellCommand(waitsFor)
const trackTogether = () => "freight track --open"

const sent = ({ kind, sentAt, sender }: Entry) =>
  `${kind} sent ${formatInstant(sentAt)} by ${sender.workstation}`
const collected = ({ booking, now }: OfBooking) => `collected ${formatCollection(booking, now)}`

const rebook = ({ booking }: OfBooking) =>
  nextCommand("freight", "pickup", "book", nameBooking(booking), "--again").next

interface OfEntry {
  entry: Entry
}

const ofEntry = (row: Omit<NeedRow<OfEntry>, "since">): NeedRow<OfEntry> => ({
  ...row,
  since: ({ entry }) => entry.sentAt,
})

/** Several bookings, with the booking time of the oldest: ISO 8601 in UTC. */
const ofBookings = (row: NeedRow<{ count: number; oldest: string }>) => row

/** Waiting orders of a shop, with the time of the oldest (ISO 8601 in UTC). */
const ofShop = (
  row: NeedRow<{
    shop: string
    count: number
    /** Number of orders with a number, and without one. */
    ready: number
    waiting: number
    /** An unfinished file, and the only workstation that can finish it. */
    file: { name: string; desk: string } | undefined
    oldest: string
  }>,
) => row

/** All unsent disputes of a bill: the last day is `yyyy-mm-dd`. */
const ofBill = (
  row: NeedRow<{ bill: string; count: number; sum: string; deadline: string; isPast: boolean }>,
) => row

const ofDueBills = (row: NeedRow<DueBills>) => row

/** Rows of a file that wait for one cutoff, or have missed it. */
const ofRows = (row: NeedRow<WaitingRows>) => row

const ofRun = (row: NeedRow<Unfinished>) => row

/** `book by 15:00 Fremantle: 6 rows of orders.csv wait (40 minutes left)` */
function describeWaiting({ file, count, standing, clock, at }: WaitingRows): string {
  const rows = `${counted(count, "row")} of ${path.basename(file)} ${count === 1 ? "waits" : "wait"}`
  if (standing.kind === "too late") return `${rows}, ${describeTooLate(standing, { many: count > 1 })}`
  const time = formatClock(standing.until) + nameClock(wallClockNow(at, clock?.zone), clock)
  return `book by ${time}: ${rows} (${describeMinutes(standing.minutes)} left)`
}

/** A plan is shown first, because nobody may have approved it; for a file, its rows and their states are shown. */
function showWaiting({ file, isPlan, words }: WaitingRows): string {
  const below = path.relative("", file)
  const name = below.startsWith("..") ? file : below
  const command = isPlan ? ["batch", "plan", "show", name] : ["batch", "status", name, ...words]
  return typedAgain(command).next ?? "freight help batch book"
}

const ofDevice = (row: NeedRow<{ id: string; label: string; api: string }>) => row

/** Worst first. */
export const NEEDS = {
  "unknown-outcome": ofEntry({
    meaning: "sent, and its outcome is unknown",
    what: ({ entry }) => [sent(entry), openReason(entry)].filter((text) => text !== undefined).join("; "),
    next: () => "freight reconcile",
  }),
  "made-twice": ofEntry({
    meaning: "made twice, with two API keys of one account",
    what: ({ entry }) =>
      `${sent(entry)}, and before that as ${entry.duplicateOf}: settle it with the carrier`,
    next: ({ entry }) => `freight reconcile --duplicate ${entry.id}`,
  }),
  "not-booked": ofRows({
    meaning: "rows of a batch or a plan wait, and have a cutoff today",
    about: ({ file, count }) => `${path.basename(file)}, ${counted(count, "row")}`,
    what: describeWaiting,
    since: ({ at }) => new Date(at).toISOString(),
    next: showWaiting,
  }),
  "not-finished": ofRun({
    meaning: "a batch was begun at this workstation, and did not come to its end",
    about: ({ file }) => path.basename(file),
    what: ({ what }) => what,
    since: ({ begunAt }) => begunAt,
    next: ({ next }) => next,
  }),
  "pickup-failed": ofBooking(
    "the carrier refused the pickup",
    "pickup book",
    (it) => `${collected(it)}; the carrier refused the pickup`,
    { together: collectTogether },
  ),
  "no-pickup": ofBooking(
    "collected today or tomorrow, and no pickup is booked",
    "pickup book",
    (it) => `${collected(it)}; no pickup is booked`,
    { together: collectTogether },
  ),
  "not-told": {
    ...ofBooking(
      "added to a booked pickup, and the carrier was not told",
      "pickup show",
      (it) =>
        `${collected(it)}; waits for pickup ${it.booking.waitsFor?.pickup}: call ${nameCarrier(it.booking.entry.facts.carrier)}`,
      { together: (_, booking) => tellOf(booking) },
    ),
    next: ({ booking }: OfBooking) => tellOf(booking),
  },
  "pickup-unclear": ofBooking(
    "collected soon; it is not known whether a pickup is booked",
    "shipments show",
    (it) =>
      `${collected(it)}; whether a pickup is booked cannot be known, as the reply to the booking is missing: ask the carrier, and if there is none: ${rebook(it)}`,
  ),
  "no-number": ofBooking(
    "the carrier has given no consignment number",
    "shipments show",
    ({ booking }) => `booked ${formatInstant(booking.entry.sentAt)}; no consignment number yet`,
    { since: ({ booking }) => booking.entry.sentAt },
  ),
  "no-label": ofBooking("the carrier has made no label", "label", (it) => `${collected(it)}; no label yet`, {
    together: (names) => nextCommand("freight", "label", ...names).next,
  }),
  "device-gone": ofDevice({
    meaning: "this workstation's print device is no longer listed",
    about: ({ id, label }) => (label === id ? id : `${id} (${label})`),
    what: ({ api }) => `this workstation prints on it, and the ${api} API no longer lists it`,
    since: () => null,
    next: ({ api }) => `freight devices use --api ${api}`,
  }),
  "pickup-lost": ofBooking(
    "the carrier has a pickup that the service did not record",
    "shipments show",
    (it) => {
      const { lostPickup } = it.booking
      return `${collected(it)}; the carrier has a pickup that the service did not record: do not book another${lostPickup ? ` (${lostPickup})` : ""}`
    },
  ),
  "not-scanned": ofBooking(
    "nothing was scanned after the collection",
    "track",
    ({ booking: { ready, collectionClock } }) =>
      `ready ${formatDayAndTime(ready)}${nameClock(ready, collectionClock)}; nothing was scanned since`,
    { together: trackTogether },
  ),
  "items-missing": ofBooking(
    "fewer items were delivered than were sent",
    "track",
    ({ booking: { journey, request } }) =>
      `${journey?.itemsReceived} of ${request.items?.count} items were delivered, ${formatInstantAt(journey?.deliveredAt ?? "", toPlaceClock(request.receiver))}`,
    { since: ({ booking }) => booking.journey?.deliveredAt ?? null },
  ),
  late: ofBooking(
    "not delivered on the day that was promised",
    "track",
    ({ booking: { journey, dueOn = "", request } }) => {
      const { eta = "", lastEventAt } = journey ?? {}
      const expected = eta > dueOn ? `, now expected ${eta}` : ""
      const seen =
        lastEventAt && `; last seen ${formatInstantAt(lastEventAt, toPlaceClock(request.receiver))}`
      return `due ${dueOn}${expected}${seen ?? ""}`
    },
    { since: ({ booking }) => booking.dueOn ?? null, together: trackTogether },
  ),
  "not-dispatched": ofShop({
    meaning: "orders of a shop wait for a number, or for the shop's file",
    about: ({ shop, count }) => `${shop}, ${counted(count, "order")}`,
    what: ({ ready, waiting, file }) =>
      [
        file && `${file.name} was begun at ${file.desk} and not finished: run this there`,
        ready > 0 && `${counted(ready, "order")} with a number in no file yet`,
        waiting > 0 && `${counted(waiting, "order")} without a number yet`,
      ]
        .filter(Boolean)
        .join("; "),
    since: ({ oldest }) => oldest,
    next: ({ shop, file }) =>
      nextCommand("freight", "dispatched", "--for", shop, "-o", file?.name ?? "tracking.csv").next ??
      "freight dispatched",
  }),
  "dispute-due": ofBill({
    meaning: "disputed and not sent, and the carrier's last day is near",
    about: ({ bill, count, sum }) => `bill ${bill}, ${counted(count, "dispute")}, ${sum}`,
    what: ({ deadline, isPast }) =>
      isPast
        ? `the carrier took it until ${deadline}: send it anyway, or write it off`
        : `the carrier takes it until ${deadline}: write the letter, and send it`,
    since: ({ deadline }) => deadline,
    next: ({ bill }) => nextCommand("freight", "disputes", "letter", bill).next ?? "freight disputes",
  }),
  "bill-due": ofDueBills({
    meaning: "due within seven days or past due, once you record payments with freight",
    about: ({ bills }) => `${counted(bills.length, "bill")} (${listSome(bills)})`,
    what: ({ day, isPast, asked, toPay, apart }) =>
      `${isPast ? "was due" : "due"} on ${day}: ${toPay} to pay, of ${asked} asked for${apart > 0 ? `; ${apart} may not be paid yet` : ""}`,
    since: ({ day }) => day,
    next: ({ day }) => `freight pay --list --due-by ${day}`,
  }),
  "not-audited": ofBookings({
    meaning: "booked long ago, and not on any bill that you audited",
    about: ({ count }) => counted(count, "consignment"),
    what: ({ oldest }) =>
      `booked more than ${BILLED_WITHIN_DAYS} days ago, the first on ${toDay(oldest)}, and on no audited bill`,
    since: ({ oldest }) => oldest,
    next: ({ oldest }) => `freight audit --accruals --since ${toDay(oldest)}`,
  }),
} as const

export type NeedKind = keyof typeof NEEDS
type SubjectOf<Kind extends NeedKind> = (typeof NEEDS)[Kind] extends NeedRow<infer Subject> ? Subject : never
export type BookingNeed = {
  [Kind in NeedKind]: SubjectOf<Kind> extends OfBooking ? Kind : never
}[NeedKind]

/** By this machine's clock. */
function toDay(instant: string): string {
  return formatDate(wallClockNow(Date.parse(instant)))
}

export const NEED_KINDS = Object.keys(NEEDS) as readonly NeedKind[]

export interface Need {
  need: NeedKind
  consignmentNumber: string | null
  reference: string | null
  shipmentId: string | null
  carrier: string | null
  /** For people: kind and recipient. */
  about: string
  /** For people: what is wrong. */
  what: string
  /** ISO 8601 in UTC. */
  since: string | null
  /** The command to run. */
  next: string
}

export function createNeed<Kind extends NeedKind>(need: Kind, subject: SubjectOf<Kind>): Need {
  const row = NEEDS[need] as NeedRow<SubjectOf<Kind>>
  const { booking, entry = booking?.entry } = subject as Partial<OfBooking & OfEntry>
  const { consignmentNumber, reference, shipmentId, carrier, about = "" } = entry?.facts ?? {}
  return {
    need,
    consignmentNumber: consignmentNumber ?? null,
    reference: reference ?? null,
    shipmentId: shipmentId ?? null,
    carrier: carrier ?? null,
    about: row.about?.(subject) ?? about,
    what: row.what(subject),
    since: row.since(subject),
    next: row.next(subject),
  }
}

/** Worst first, then the longest waiting. */
export function byUrgency(a: Need, b: Need): number {
  const rank = ({ need }: Need) => NEED_KINDS.indexOf(need)
  return rank(a) - rank(b) || ((a.since ?? "") < (b.since ?? "") ? -1 : 1)
}

/** A line of the table: one need, or several with one command. */
export type ShownNeed = Pick<Need, "need" | "about" | "next"> & { what: string | undefined }

/** From this many on, equal needs of bookings of one carrier and place are one line. */
const GROUP_FROM = 3

/**
 * Groups the needs for one command: unknown outcomes, pickups from one place at one time, shipments waiting for one
 * pickup, and many bookings of one carrier and place with the same need.
 */
export function groupNeeds(
  needs: readonly Need[],
  bookingOf: ReadonlyMap<Need, ScheduledBooking>,
  now: number,
): ShownNeed[] {
  const groups = groupBy<unknown, Need>(needs, (need) => nameGroup(need, bookingOf.get(need)))
  return Array.from(groups.values()).flatMap((group) => {
    const [first] = group as [Need]
    const booking = bookingOf.get(first)
    const isMany = group.length > 1 && (isCollecting(first) || !booking || group.length >= GROUP_FROM)
    return isMany ? [showTogether(group, booking, now)] : group.map(showNeed)
  })
}

/** The key of its group; a need that is not grouped is its own key. */
function nameGroup(need: Need, booking: ScheduledBooking | undefined): unknown {
  if (!booking) return need.need === "unknown-outcome" ? need.need : need
  const { ready, request, waitsFor } = booking
  const suburb = request.collection?.suburb
  return JSON.stringify(
    isCollecting(need)
      ? [need.need, formatDayAndTime(ready), suburb, waitsFor?.pickup]
      : [need.need, need.carrier, suburb],
  )
}

/** Whether the command collects everything from one place at one time, whatever the carriers. */
function isCollecting({ need }: Pick<Need, "need">): boolean {
  return need === "no-pickup" || need === "pickup-failed" || need === "not-told"
}

/** One line each. */
export function showNeed({ need, reference, consignmentNumber, about, what, next }: Need): ShownNeed {
  return { need, about: [reference, consignmentNumber, about].filter(Boolean).join(", "), what, next }
}

function showTogether(group: readonly Need[], booking: ScheduledBooking | undefined, now: number): ShownNeed {
  const [{ need, next, carrier, what }] = group as [Need]
  const names = group.map((each) => each.reference ?? each.consignmentNumber ?? each.shipmentId ?? each.about)
  const named = listSome(names)
  if (!booking) return { need, about: `${group.length} (${named})`, what: undefined, next }
  const row: NeedRow<OfBooking> = NEEDS[need as BookingNeed]
  const numbers = group.map(({ consignmentNumber, shipmentId }) => consignmentNumber ?? shipmentId ?? "")
  const together = row.together?.(numbers, booking) ?? "freight today --all"
  const where = booking.request.collection?.suburb ?? ""
  if (isCollecting({ need })) {
    const when = formatCollection({ ...booking, collectionClock: undefined }, now).replace(" from ", " ")
    const call =
      booking.waitsFor && `they wait for pickup ${booking.waitsFor.pickup}: call ${nameCarrier(carrier)}`
    return { need, about: `${group.length} go from ${where} ${when} (${named})`, what: call, next: together }
  }
  const from = [carrier && carrierName(carrier), where && `from ${where}`].filter(Boolean).join(" ")
  const isSame = group.every((each) => each.what === what)
  return {
    need,
    about: `${group.length} ${from ? `of ${from} ` : ""}(${named})`,
    what: isSame ? what : undefined,
    next: together,
  }
}
