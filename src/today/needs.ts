/** What a booking needs from a person, judged by times and fields: never by a carrier's words. */
import { nextCommand } from "../contract/command-line.ts"
import { counted } from "../contract/counted.ts"
import type { BookingResponse, ConsignmentBookingRequest } from "../contract/generated/types.ts"
import { shortId } from "../contract/names.ts"
import { formatInstantAt, nameClock, type PlaceClock, toPlaceClock } from "../contract/place-clock.ts"
import {
  addDays,
  formatClock,
  formatDate,
  formatDayAndTime,
  formatInstant,
  instantOf,
  isWeekend,
  parseWallClock,
  type WallClock,
  wallClockNow,
  writtenDay,
} from "../contract/wall-clock.ts"
import { zoneOfCollection, zoneOrDefault } from "../contract/zones.ts"
import { type Entry, openReason } from "../ledger/entry.ts"
import { BOOKING_EVENTS_MS, type Booked, type Journey } from "../ledger/records/journeys.ts"

/** What may need someone, worst first. */
export const NEEDS = {
  "unknown-outcome": "sent, and its outcome is unknown",
  "made-twice": "made twice, with two API keys of one account",
  "pickup-failed": "the carrier refused the pickup",
  "no-pickup": "collected today or tomorrow, and no pickup is booked",
  "no-number": "the carrier has given no consignment number",
  "no-label": "the carrier has made no label",
  "device-gone": "this desk's print device is no longer listed",
  "pickup-lost": "the carrier has a pickup that the service did not record",
  "not-scanned": "nothing was scanned after the collection",
  "items-missing": "fewer items were delivered than were sent",
  late: "not delivered on the day that was promised",
  "not-audited": "booked long ago, and not on any bill that you audited",
} as const

export type NeedKind = keyof typeof NEEDS

export const NEED_KINDS = Object.keys(NEEDS) as readonly NeedKind[]

export interface Need {
  need: NeedKind
  consignmentNumber: string | null
  reference: string | null
  shipmentId: string | null
  carrier: string | null
  /** For people: what it is, and to whom. */
  about: string
  /** For people: what is wrong. */
  what: string
  /** Since when it is so, or when it is due: ISO 8601 in UTC; null where no time belongs to it. */
  since: string | null
  /** The command to run. */
  next: string
}

/** Worst first, then what has waited longest. */
export function byUrgency(a: Need, b: Need): number {
  const rank = ({ need }: Need) => NEED_KINDS.indexOf(need)
  return rank(a) - rank(b) || ((a.since ?? "") < (b.since ?? "") ? -1 : 1)
}

/** A booking with what its request says, and when. All instants are milliseconds since the epoch. */
export interface Case {
  entry: Entry
  journey: Journey | undefined
  shipmentId: string
  request: Partial<ConsignmentBookingRequest>
  response: Partial<BookingResponse>
  /** When the goods are ready. */
  readyAt: number
  /** The same by the clock at the collection. */
  ready: WallClock
  collectionZone: string
  collectionClock: PlaceClock | undefined
  receiverZone: string
  bookedAt: number
  /** The day that was promised, `yyyy-MM-dd` at the receiver: by the rate, otherwise by the carrier's tracking. */
  dueOn: string | undefined
}

/** Undefined for a booking that has no shipment, or whose collection cannot be read. */
export function toCase({ entry, journey }: Booked): Case | undefined {
  const { facts, sentAt } = entry
  const request = Object(entry.request) as Partial<ConsignmentBookingRequest>
  const ready = parseWallClock(String(request.collectionDateTime ?? ""))
  if (facts.shipmentId === undefined || !ready.ok) return undefined
  const collectionZone = zoneOfCollection(request)
  return {
    entry,
    journey,
    shipmentId: facts.shipmentId,
    request,
    response: Object(entry.response) as Partial<BookingResponse>,
    readyAt: instantOf(ready.value, collectionZone),
    ready: ready.value,
    collectionZone,
    collectionClock: toPlaceClock(request.collection ?? request.sender),
    receiverZone: zoneOrDefault(facts.receiverState),
    bookedAt: Date.parse(sentAt),
    dueOn: writtenDay(facts.eta) ?? writtenDay(journey?.eta),
  }
}

/** Whether anything was seen of it since the goods were ready. A scan before that is followed by others. */
export function isScanned({ journey, readyAt, bookedAt }: Case): boolean {
  const last = Date.parse(journey?.lastEventAt ?? "")
  return journey?.deliveredAt !== undefined || last >= Math.max(readyAt, bookedAt + BOOKING_EVENTS_MS)
}

/** When something has to be scanned. Weekends do not count. */
export function scanDueAt({ readyAt, collectionZone }: Case, hours: number): number {
  let due = readyAt + hours * 3_600_000
  while (isWeekend(wallClockNow(due, collectionZone))) due += 86_400_000
  return due
}

/** `yyyy-MM-dd`, so many days from today by the clock of a zone. */
export function dayFrom(now: number, zone: string, days: number): string {
  return formatDate(addDays(wallClockNow(now, zone), days))
}

/** Whether it is collected on a day; on today or tomorrow, by the clock there, where none is given. */
export function isCollectedOn(
  { ready, collectionZone }: Case,
  now: number,
  day: string | undefined,
): boolean {
  const days = day ? [day] : [0, 1].map((each) => dayFrom(now, collectionZone, each))
  return days.includes(formatDate(ready))
}

export function isLate({ journey, dueOn, receiverZone }: Case, now: number): boolean {
  return journey?.deliveredAt === undefined && dueOn !== undefined && dueOn < dayFrom(now, receiverZone, 0)
}

/** Carrier A counts what was handed over. */
export function hasItemsMissing({ journey, request }: Case): boolean {
  const sent = request.items?.count
  return journey?.itemsReceived !== undefined && sent !== undefined && journey.itemsReceived < sent
}

/** The shortest name that every command takes. */
function getCaseName({ entry, shipmentId }: Case): string {
  return entry.facts.consignmentNumber ?? shortId(shipmentId)
}

/** `today from 10:00` */
function collectionText({ ready, collectionZone, collectionClock }: Case, now: number): string {
  const day = formatDate(ready)
  const time = formatClock(ready) + nameClock(ready, collectionClock)
  if (day === dayFrom(now, collectionZone, 0)) return `today from ${time}`
  if (day === dayFrom(now, collectionZone, 1)) return `tomorrow from ${time}`
  return formatDayAndTime(ready) + nameClock(ready, collectionClock)
}

const COMMANDS: Readonly<Record<NeedKind, readonly string[]>> = {
  "unknown-outcome": ["reconcile"],
  "made-twice": ["reconcile", "--duplicate"],
  "pickup-failed": ["pickup", "book"],
  "no-pickup": ["pickup", "book"],
  "no-number": ["shipments", "show"],
  "no-label": ["label"],
  "device-gone": ["devices", "use"],
  "pickup-lost": ["shipments", "show"],
  "not-scanned": ["track"],
  "items-missing": ["track"],
  late: ["track"],
  "not-audited": ["audit", "--accruals"],
}

/** A need of a booking, in words. @param more what only the service says */
export function findNeed(
  need: NeedKind,
  found: Case,
  now: number,
  more: { reference?: string | undefined } = {},
): Need {
  const { entry, journey, shipmentId, dueOn } = found
  const receiverClock = toPlaceClock(found.request.receiver)
  const { facts } = entry
  const command = ["freight", ...COMMANDS[need]]
  const withName = [...command, getCaseName(found)]
  const { next = command.join(" ") } = nextCommand(...withName)
  return {
    need,
    consignmentNumber: facts.consignmentNumber ?? null,
    reference: facts.reference ?? null,
    shipmentId,
    carrier: facts.carrier ?? null,
    about: facts.about ?? "",
    ...said(),
    next,
  }

  function said(): Pick<Need, "what" | "since"> {
    const readyAt = new Date(found.readyAt).toISOString()
    const when = collectionText(found, now)
    switch (need) {
      case "pickup-failed":
        return { what: `collected ${when}; the carrier refused the pickup`, since: readyAt }
      case "no-pickup":
        return { what: `collected ${when}; no pickup is booked`, since: readyAt }
      case "pickup-lost":
        return {
          what: `collected ${when}; the carrier has a pickup that the service did not record: do not book another${more.reference ? ` (${more.reference})` : ""}`,
          since: readyAt,
        }
      case "no-number":
        return {
          what: `booked ${formatInstant(entry.sentAt)}; no consignment number yet`,
          since: entry.sentAt,
        }
      case "no-label":
        return { what: `collected ${when}; no label yet`, since: readyAt }
      case "not-scanned":
        return {
          what: `ready ${formatDayAndTime(found.ready)}${nameClock(found.ready, found.collectionClock)}; nothing was scanned since`,
          since: readyAt,
        }
      case "items-missing":
        return {
          what: `${journey?.itemsReceived} of ${found.request.items?.count} items were delivered, ${formatInstantAt(journey?.deliveredAt ?? "", receiverClock)}`,
          since: journey?.deliveredAt ?? null,
        }
      case "late": {
        const expected =
          journey?.eta !== undefined && journey.eta > (dueOn ?? "") ? `, now expected ${journey.eta}` : ""
        const seen =
          journey?.lastEventAt === undefined
            ? ""
            : `; last seen ${formatInstantAt(journey.lastEventAt, receiverClock)}`
        return { what: `due ${dueOn}${expected}${seen}`, since: dueOn ?? null }
      }
      default:
        throw new TypeError(`${need} is no booking's`)
    }
  }
}

/** What a table shows together: one thing that needs someone, or several with one command. */
export type Shown = Pick<Need, "need" | "about" | "next"> & { what: string | undefined }

/** Puts together what goes from one place at one time, where one command is for all of it. */
export function groupNeeds(needs: readonly Need[], caseOf: ReadonlyMap<Need, Case>, now: number): Shown[] {
  const groups = new Map<unknown, Need[]>()
  for (const need of needs) {
    const { request, ready } = caseOf.get(need) ?? {}
    const isOne = !ready || !TOGETHER.includes(need.need)
    const key = isOne ? need : [need.need, formatDayAndTime(ready), request?.collection?.suburb].join()
    groups.set(key, [...(groups.get(key) ?? []), need])
  }
  return Array.from(groups.values(), (group) => {
    const [first] = group as [Need, ...Need[]]
    const found = caseOf.get(first)
    const { need, reference, consignmentNumber, about, what, next } = first
    if (group.length === 1 || !found)
      return { need, about: [reference, consignmentNumber, about].filter(Boolean).join(", "), what, next }
    const names = group.map((each) => each.reference ?? each.consignmentNumber ?? each.shipmentId)
    const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : ""
    const when = collectionText({ ...found, collectionClock: undefined }, now).replace(" from ", " ")
    const where = found.request.collection?.suburb ?? ""
    return {
      need,
      about: `${group.length} go from ${where} ${when} (${names.slice(0, NAMED).join(", ")}${more})`,
      what: undefined,
      next: `freight pickup book --open --date ${formatDate(found.ready)}`,
    }
  })
}

/** One command books the pickups of all that goes on a day. */
const TOGETHER: readonly NeedKind[] = ["no-pickup", "pickup-failed"]
/** Named one by one in a group. */
const NAMED = 3

/** Something that was sent, and has no known outcome. */
export function needOfOpen(entry: Entry): Need {
  const { facts, sender, sentAt } = entry
  const why = openReason(entry)
  return {
    need: "unknown-outcome",
    consignmentNumber: null,
    reference: facts.reference ?? null,
    shipmentId: facts.shipmentId ?? null,
    carrier: facts.carrier ?? null,
    about: facts.about ?? "",
    what: `${entry.kind} sent ${formatInstant(sentAt)} by ${sender.workstation}${why === undefined ? "" : `; ${why}`}`,
    since: sentAt,
    next: "freight reconcile",
  }
}

/** Something that was made twice, before its accounts were known to be one. */
export function needOfDuplicate(entry: Entry): Need {
  const { id, facts, sender, sentAt, duplicateOf } = entry
  return {
    need: "made-twice",
    consignmentNumber: facts.consignmentNumber ?? null,
    reference: facts.reference ?? null,
    shipmentId: facts.shipmentId ?? null,
    carrier: facts.carrier ?? null,
    about: facts.about ?? "",
    what: `${entry.kind} sent ${formatInstant(sentAt)} by ${sender.workstation}, and before that as ${duplicateOf}: settle it with the carrier`,
    since: sentAt,
    next: `freight reconcile --duplicate ${id}`,
  }
}

const NO_BOOKING = { consignmentNumber: null, reference: null, shipmentId: null, carrier: null } as const

/** A device that this desk has chosen, and its API no longer lists. */
export function needOfDevice(device: { id: string; label: string }, api: string): Need {
  const about = device.label === device.id ? device.id : `${device.id} (${device.label})`
  return {
    need: "device-gone",
    ...NO_BOOKING,
    about,
    what: `this desk prints on it, and the ${api} API no longer lists it`,
    since: null,
    next: `freight devices use --api ${api}`,
  }
}

/** Bookings that should have been billed by now. @param oldest when the first of them was booked */
export function needOfUnbilled(count: number, oldest: string): Need {
  const day = formatDate(wallClockNow(Date.parse(oldest)))
  return {
    need: "not-audited",
    ...NO_BOOKING,
    about: counted(count, "consignment"),
    what: `booked more than ${BILLED_WITHIN_DAYS} days ago, the first on ${day}, and on no audited bill`,
    since: oldest,
    next: `freight audit --accruals --since ${day}`,
  }
}

/** Carriers bill by the week or the month. */
export const BILLED_WITHIN_DAYS = 45
