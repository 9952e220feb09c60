/** The ledger's errors: why nothing was sent, or how to deal with an earlier send. */
import { ASKED_AGAIN_MS } from "./accounts/relation.ts"
import { nextCommand, typedAgain } from "../base/command-line.ts"
import { safeText } from "../base/safe-text.ts"
import { getReturnOf } from "../contract/index.ts"
import { formatDay, formatInstant, parseDate } from "../base/wall-clock.ts"
import { type ErrorCode, type ErrorKind, FreightError, type FreightErrorOptions } from "../base/errors.ts"
import type { Claim } from "./claims.ts"
import {
  type Cancellation,
  type Entry,
  type Facts,
  getCancellation,
  keyText,
  nameText,
  sentText,
} from "./entry.ts"
import { isSameOrder } from "./decision.ts"
import { describeValues, isSameDay } from "./order.ts"
import { findRespelling, getOrderNumber, getReference, isDoubtful } from "./spelling.ts"
import type { Refusing, StandingOf } from "./standing.ts"

/** Nothing was sent, because of its standing. */
export class NotSent extends FreightError {
  readonly standing: Refusing

  /** @param asked who asks, and for what */
  constructor(standing: Refusing, asked?: Asked) {
    const { kind, message, ...options } = explainRefusal(standing, asked)
    super(kind, message, { shipmentId: getShipmentId(standing), ...options })
    this.standing = standing
  }
}

/** The shipment that prevents it; for `has-pickup`, the shipment that is asked for. */
function getShipmentId(standing: Refusing): string | undefined {
  if (standing.kind === "has-pickup") return standing.shipmentId
  return "entry" in standing ? standing.entry.facts.shipmentId : undefined
}

type Asked = Pick<
  Claim,
  "sender" | "key" | "keyGiven" | "content" | "owner" | "facts" | "referenceHash" | "written" | "request"
>

/** A send that a person may confirm as a second one. */
export type Repeated = NotSent & { readonly standing: StandingOf<"equal" | "elsewhere" | "changed"> }

export function isRepeated(error: unknown): error is Repeated {
  if (!(error instanceof NotSent)) return false
  const { standing } = error
  if (standing.kind === "changed") return isOnAnotherDay(standing)
  return standing.kind === "equal" || standing.kind === "elsewhere"
}

/** Whether it was booked elsewhere under its number, and only the collection day differs: standing orders do that. */
function isOnAnotherDay({ entry, comparison }: StandingOf<"changed">): boolean {
  return (
    entry.elsewhere !== undefined && comparison.changed.every(({ field }) => field === "collectionDateTime")
  )
}

/**
 * The refusal of an order whose reference was booked before, for another day or longer ago than equal content is
 * refused.
 */
export function bookedBefore(entry: Entry, asked: Asked): Repeated {
  const doubt = new NotSent({ kind: "equal", entry }, asked) as Repeated
  // Short: a question that does not fit its lines is cut.
  doubt.message = `${safeText(entry.facts.reference ?? "")} ${describeBooked(entry)}${dayOf(entry)}`
  return doubt
}

/** `, for Wed 26 Feb 2031`: the day of its collection. */
function dayOf({ request }: Entry): string {
  const day = parseDate(String(Object(request).collectionDateTime).slice(0, 10))
  return day.ok ? `, for ${formatDay(day.value)}` : ""
}

/** This machine's clock may be wrong, and only the clock says that no equal entry was made within 24 hours. */
export class ClockDoubt extends FreightError {
  /** @param why without a full stop */
  constructor(why: string) {
    super("input", why, {
      hint: "Nothing was sent. Compare the clock with the service's: freight doctor. If it is right, and you mean this booking, add --again.",
      code: "CLOCK_DOUBT",
      next: "freight doctor",
    })
  }

  /** The question of a booking, with the doubt before it. */
  addTo(question: string): string {
    return `${this.message.charAt(0).toUpperCase()}${this.message.slice(1)}. ${question}`
  }
}

/** Places outside the ledger where it was booked. */
const WHERE = { PORTAL: "in the portal", API: "with another program or ledger" } as const

/** `was booked on Mon 23 Nov 2026, 10:00 (SBC00000001)` */
export function describeBooked(entry: Entry): string {
  const { consignmentNumber, shipmentId } = entry.facts
  const name = consignmentNumber ?? shipmentId
  const cancelled = describeCancelled(entry)
  return `was booked ${entry.elsewhere ? `${WHERE[entry.elsewhere]} ` : ""}on ${sentText(entry)}${name ? ` (${name})` : ""}${cancelled && ` and ${cancelled}`}`
}

/** `cancelled on Mon 23 Nov 2026, 10:00, confirmed by Kim`; empty while it is not cancelled. */
export function describeCancelled(entry: Entry): string {
  const word = getCancellation(entry)
  return word ? describeWord(word) : ""
}

/** `cancelled on Mon 23 Nov 2026, 10:00, confirmed by Kim` */
export function describeWord({ at, confirmedBy }: Cancellation): string {
  return `cancelled on ${formatInstant(at)}, confirmed by ${safeText(confirmedBy, 200)}`
}

/** A shipment that was added to a pickup: `waits for PU-1 (carrier not told)`. */
export function describeWaiting({ facts }: Pick<Entry, "facts">): string {
  return `waits for ${safeText(facts.reference ?? "its pickup", 100)} (${NOT_TOLD})`
}

export const NOT_TOLD = "carrier not told"

/** A name that means one booking alone, of several for one order. */
export function nameBooking(entry: Pick<Entry, "key" | "facts">): string {
  const { consignmentNumber, shipmentId } = entry.facts
  return consignmentNumber ?? shipmentId ?? nameText(entry)
}

/** A booking to cancel, with the fields that a call to its carrier needs. */
export type ToCancel = Pick<Entry, "key" | "facts" | "elsewhere">

/**
 * The way from a booking to its replacement: call the carrier, note the cancellation, book again.
 * @param again what books it again; null where nothing is to
 * @param complete completes a command for the service that is used
 */
export function describeWay(
  entry: ToCancel,
  again: string | null = "the same command with --replaces",
  complete: (command: string) => string = (command) => command,
): string {
  const { next } = nextCommand("freight", "cancel", nameBooking(entry))
  if (entry.elsewhere || next === undefined) return "To change it, have it cancelled where it was booked."
  const then = again === null ? "" : `; then ${again}`
  return `To change it, call the carrier: ${complete(next)} says who to call; once it has cancelled, ${complete(`${next} --confirmed`)}${then}.`
}

/**
 * How to book a cancelled consignment again while another of its order is not cancelled; empty where nothing is
 * cancelled.
 */
export function describeBeside(cancelled: Entry | undefined): string {
  if (cancelled === undefined) return ""
  return ` If you mean ${safeText(nameBooking(cancelled))}, which is cancelled: book it again under a number of its own, as --replaces cannot tell which of the two you mean.`
}

/** The carrier has it, and the service has no record of it: it must never be made again. */
export function alreadyAtCarrier(kind: Entry["kind"], what: string, note?: string): FreightError {
  const { kind: errorKind, message, ...options } = explainAtCarrier(kind, what, note)
  return new FreightError(errorKind, message, options)
}

function explainAtCarrier(kind: Entry["kind"], what: string, note?: string): Refusal {
  return {
    kind: "refused",
    code: "AT_CARRIER",
    message: `the carrier already has this ${THINGS[kind]}: ${what}`,
    hint: note ?? "Do not make it again: settle it with the carrier, who knows that reference.",
    next: "freight history",
  }
}

/** It was made, but its outcome is not in the ledger. */
export class Unrecorded extends FreightError {
  readonly entry: Entry

  constructor(entry: Entry, message: string, options: FreightErrorOptions) {
    super("stepFailed", message, { shipmentId: entry.facts.shipmentId, ...options })
    this.entry = entry
  }
}

export const UNKNOWN_HINT =
  "It may exist: do not run this again. freight reconcile looks for it, and settles it when there is exactly one match."

const THINGS = {
  shipment: "booking",
  pickup: "pickup",
  "label-print": "print",
  "pdf-print": "print",
} as const

/**
 * It exists, but the ledger cannot be written: the entry stays `unknown`, so that it is not sent again.
 * @param file where the outcome is kept for the next command; undefined when it could not be written there either
 */
export function unrecorded(entry: Entry, trouble: unknown, file: string | undefined): Unrecorded {
  const made = `the ${THINGS[entry.kind]} was made: ${describeFacts(entry.facts)}; but ${getMessage(trouble)}`
  return new Unrecorded(
    entry,
    file === undefined ? `${made}. The reply was ${JSON.stringify(entry.response)}` : made,
    {
      hint:
        file === undefined
          ? "Do not run this again. Its outcome is not in the ledger: fix that, then let freight reconcile find it."
          : `Do not run this again. Its outcome is kept in ${file}: the next freight command records it in the ledger.`,
      next: file === undefined ? "freight reconcile" : "freight history",
      cause: trouble,
    },
  )
}

/**
 * Replaces an error that says that nothing was sent, if this run has created something before.
 * @param count how many things were made in this run; `last` is the newest
 */
export function afterMade(
  error: FreightError,
  { count, last }: { count: number; last: Entry },
): FreightError {
  const made =
    count === 1
      ? `the ${THINGS[last.kind]} was made: ${describeFacts(last.facts)}`
      : `${count} things were made, ${THINGS[last.kind]} ${describeFacts(last.facts)} last`
  const { shipmentId } = last.facts
  return new FreightError("stepFailed", `${made}; but ${error.message}`, {
    ...(error.errors && { errors: error.errors }),
    shipmentId,
    hint: "Do not run this again.",
    ...(shipmentId ? nextCommand("freight", "shipments", "show", shipmentId) : { next: "freight history" }),
    cause: error,
  })
}

/** It exists, and a person released its entry meanwhile, so that something else was sent under its key. */
export function releasedMeanwhile(entry: Entry): Unrecorded {
  return new Unrecorded(
    entry,
    `the ${THINGS[entry.kind]} was made: ${describeFacts(entry.facts)}; but ${entry.id} was released meanwhile, and sent again`,
    {
      hint: "There may be two of them now: see what freight history shows under that key, and settle it with the carrier.",
      next: "freight history",
    },
  )
}

/** The reply to one order names the shipment of another: whether this one has a shipment is not known. */
export function sharedShipment({ facts }: Entry, other: Entry): FreightError {
  const name = keyText(other) || other.facts.reference || other.id
  return new FreightError(
    "outcomeUnknown",
    `the service answered with shipment ${safeText(facts.shipmentId ?? "")}, which it gave before for ${name} (sent on ${sentText(other)}): one of the two orders may have no shipment of its own`,
    { hint: UNKNOWN_HINT, next: "freight reconcile" },
  )
}

function getMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function describeFacts({ shipmentId, about }: Facts): string {
  return [shipmentId && `shipment ${shipmentId}`, about].filter(Boolean).join(", ")
}

/** Says which other API key has it: `sent on Mon 23 Nov 2026, 19:00 at bench-2 with another API key (3f2a9c51d0e4)`. */
export function describeOtherKey(entry: Entry): string {
  return `sent on ${sentText(entry)} at ${entry.sender.workstation} with another API key (${entry.account})`
}

const OTHER_ACCOUNT_HINT =
  "It may become known once both workstations have booked twice, a minute apart. Or say it: freight config set account NAME in the profile of each key, with one name for one account and two for two; for a key that is not used any more, freight ledger account KEY NAME."

/** Why an order that was sent with another API key is held back, and what to do. */
export function explainHeldBack(entry: Entry): { error: string; hint: string } {
  return {
    error: `${describeOtherKey(entry)}: held back until it is known whether both keys belong to one account`,
    hint: OTHER_ACCOUNT_HINT,
  }
}

/** Says that an order was booked twice: two keys turned out to be of one account afterwards. */
export function describeDuplicate(entry: Entry): string {
  const what = [describeFacts(entry.facts), `sent on ${sentText(entry)} at ${entry.sender.workstation}`]
  return `${keyText(entry) || entry.id} was made twice, as ${what.filter(Boolean).join(", ")}, and as ${entry.duplicateOf}, with two API keys of one account. Settle it with the carrier, then: freight reconcile --duplicate ${entry.id}`
}

/** A note for a repeat of an equal entry, or of one with another collection day. */
export function equalBefore(earlier: Entry, request: unknown): string {
  const { consignmentNumber, shipmentId = earlier.id, reference = "" } = earlier.facts
  const which = consignmentNumber ? safeText(consignmentNumber) : `shipment ${safeText(shipmentId)}`
  if (isSameDay(earlier, { request }))
    return `An equal ${THINGS[earlier.kind]} was made on ${sentText(earlier)}: ${which}. This is another one.`
  return `${safeText(reference)} was booked before, on ${sentText(earlier)}${dayOf(earlier)}, with the same goods: ${which}. This is another one.`
}

/**
 * A warning for an order that was sent although another one, possibly the same under another number, has no outcome.
 */
export function warnOfOpenBeside(open: Entry): string {
  const name = nameText(open) || `${open.facts.about ?? open.id}, without a number,`
  return `${name} has the same goods for the same receiver and day, and its outcome is unknown (sent on ${sentText(open)}): if both are one order, it may be booked twice. freight reconcile looks for it`
}

type Refusal = FreightErrorOptions & { kind: ErrorKind; message: string }

function describeReplacing(key: string): string {
  if (key === "") return "To book it again, add --again."
  const { next } = typedAgain(["--key", key, "--replaces"])
  const flags = next?.slice("freight ".length) ?? "this --key and --replaces"
  return `To book it again, in its place: the same command with ${flags}.`
}

const REFUSALS: {
  readonly [Kind in Refusing["kind"]]: (standing: StandingOf<Kind>, asked: Asked | undefined) => Refusal
} = {
  changed: ({ entry, comparison }) => ({
    kind: "refused",
    code: "CHANGED",
    message: `${nameText(entry)} ${describeBooked(entry)}, and has changed since`,
    errors: comparison.changed.map((each) => ({ field: each.field, message: describeValues(each) })),
    hint: `Nothing was sent. ${describeWay(entry)} ${MEANT_BESIDE}`,
    ...nextCommand("freight", "cancel", nameBooking(entry)),
  }),
  cancelled: ({ entry }) => ({
    kind: "refused",
    code: "CANCELLED",
    message: `${nameText(entry) || "this order"} ${describeBooked(entry)}; its key stays taken`,
    hint: `Nothing was sent. ${describeReplacing(keyText(entry))}`,
    next: "freight history",
  }),
  "not-cancelled": ({ entry, beside }) => ({
    kind: "refused",
    code: "NOT_CANCELLED",
    message: `${nameText(entry)} ${describeBooked(entry)}, and is not cancelled: nothing takes its place yet`,
    hint: `Nothing was sent. ${describeWay(entry)}${describeBeside(beside)}`,
    ...nextCommand("freight", "cancel", nameBooking(entry)),
  }),
  "key-taken"({ entry }, asked) {
    const what = describeFacts(entry.facts)
    return {
      kind: "input",
      code: "KEY_TAKEN",
      message: `the key ${keyText(entry)} was used for another ${THINGS[entry.kind]} on ${describeSent(entry, asked)}${what ? `: ${what}` : ""}`,
      hint: `Nothing was sent. A key always stands for the same booking. ${MEANT_BESIDE}`,
      next: "freight history",
    }
  },
  equal: ({ entry }, asked) => explainEqual(entry, asked),
  "has-pickup"({ shipmentId, reference, entry }) {
    const known = [reference && safeText(reference), entry && `booked on ${sentText(entry)}`]
    const which = known.filter(Boolean).join(", ")
    return {
      kind: "refused",
      code: "PICKUP_BOOKED_ALREADY",
      message: `shipment ${shipmentId} has a pickup already${which && `: ${which}`}`,
      hint: `Nothing was sent. ${MEANT_BESIDE}`,
      ...nextCommand("freight", "shipments", "show", shipmentId),
    }
  },
  "at-carrier": ({ entry }) => explainAtCarrier(entry.kind, describeFacts(entry.facts), entry.note),
  elsewhere: ({ entry }) => ({
    kind: "refused",
    code: "BOOKED_ELSEWHERE",
    message: `this order ${describeBooked(entry)}`,
    hint: `Nothing was sent. ${MEANT_BESIDE}`,
    ...nextCommand("freight", "shipments", "show", entry.facts.shipmentId ?? ""),
  }),
  sending: ({ entry }, asked) => ({
    kind: "outcomeUnknown",
    code: "BEING_SENT",
    message: `another process has been sending this ${THINGS[entry.kind]} since ${describeSent(entry, asked)}; nothing was sent now`,
    ...RECONCILE,
  }),
  unknown({ entry }, asked) {
    if (asked?.owner.compared?.includes(entry.scope) === false) return explainUnknownElsewhere(entry)
    return {
      kind: "outcomeUnknown",
      message: `this ${THINGS[entry.kind]} was sent on ${describeSent(entry, asked)} and its outcome is unknown; nothing was sent now`,
      ...RECONCILE,
    }
  },
  "other-account"({ entry }, asked) {
    const which =
      asked?.key === entry.key && entry.keyGiven
        ? `a ${THINGS[entry.kind]} with the key ${keyText(entry)}`
        : nameEqual(entry, asked)
    const own = asked ? ` (${asked.owner.fingerprint}, ${asked.sender.workstation})` : ""
    return {
      kind: "input",
      code: "ACCOUNT_UNKNOWN",
      message: `${which} was ${describeOtherKey(entry)}, and it is not known whether that key and yours${own} belong to one account`,
      hint: `Nothing was sent. ${OTHER_ACCOUNT_HINT}`,
      retry: "after",
      retryAfter: ASKED_AGAIN_MS / 1000,
      next: "freight ledger status",
    }
  },
  "not-before": ({ reference }) => ({
    kind: "input",
    message: `${reference} was not booked before`,
    hint: "Nothing was sent. Book it without --replaces.",
  }),
}

const RECONCILE = { hint: UNKNOWN_HINT, next: "freight reconcile" } as const

/** An open print or pickup of a key that counts as another account's: its outcome is not looked for with this one. */
function explainUnknownElsewhere(entry: Entry): Refusal {
  return {
    kind: "outcomeUnknown",
    message: `this ${THINGS[entry.kind]} was ${describeOtherKey(entry)} and its outcome is unknown; nothing was sent now`,
    hint: `It may exist: do not run this again. Run freight reconcile with that key; without it, settle it by its id: ${entry.id}.`,
    next: "freight ledger status",
  }
}

function explainRefusal<Kind extends Refusing["kind"]>(
  standing: StandingOf<Kind>,
  asked: Asked | undefined,
): Refusal {
  return REFUSALS[standing.kind](standing, asked)
}

/** The advice where something has the same key: another key would make a second one of what may be the same. */
export const MEANT_BESIDE = "If you mean a second one, add --again, without --key."
/** The advice where nothing has the same key. */
const MEANT = "If you mean a second one, add --again."

/** When it was sent, and where that was another desk. */
function describeSent(entry: Entry, asked: Asked | undefined): string {
  const isOther = asked !== undefined && entry.sender.workstation !== asked.sender.workstation
  return `${sentText(entry)}${isOther ? ` at ${entry.sender.workstation}` : ""}`
}

function nameEqual(entry: Entry, asked: Asked | undefined): string {
  const thing = THINGS[entry.kind]
  const { reference = keyText(entry) } = entry.facts
  return asked === undefined || asked.content === entry.content
    ? `an equal ${thing}`
    : `a ${thing} with the reference ${reference} to the same receiver`
}

/** Booked elsewhere, and too little of it can be read. */
function explainUnclear(entry: Entry): Refusal {
  const { shipmentId = entry.id, about } = entry.facts
  const what = about ? ` (${about})` : ""
  return {
    kind: "input",
    code: "BOOKED_PERHAPS",
    message: `this may be shipment ${shipmentId}${what}, which ${describeBooked(entry)}: what tells it from this order could not be read`,
    hint: "Nothing was sent. Look at that shipment in the portal, or ask the carrier. If this is another order, add --again.",
    ...nextCommand("freight", "shipments", "show", shipmentId),
  }
}

const MADE_ALREADY = {
  shipment: "BOOKED_ALREADY",
  pickup: "PICKUP_BOOKED_ALREADY",
  "label-print": "PRINTED_ALREADY",
  "pdf-print": "PRINTED_ALREADY",
} as const satisfies Record<Entry["kind"], ErrorCode>

/** Names what both have in common. */
function explainEqual(entry: Entry, asked: Asked | undefined): Refusal {
  const { shipmentId } = entry.facts
  if (entry.isUnclear) return explainUnclear(entry)
  return {
    kind: "refused",
    code: entry.elsewhere ? "BOOKED_ELSEWHERE" : MADE_ALREADY[entry.kind],
    message: describeEqual(entry, asked),
    hint: `Nothing was sent. ${MEANT}`,
    ...(shipmentId ? nextCommand("freight", "shipments", "show", shipmentId) : { next: "freight history" }),
  }
}

function describeEqual(entry: Entry, asked: Asked | undefined): string {
  const booked = describeBooked(entry)
  const returned = asked && getReturnOf(asked.facts.own)
  if (returned !== undefined && getReturnOf(entry.facts.own) !== undefined)
    return `these packages of ${safeText(returned, 100)} come back already: ${safeText(nameText(entry), 100)} ${booked}`
  const number = asked ? getOrderNumber(asked) : ""
  const spelling = entry.kind === "shipment" && asked && findRespelling(entry, number)
  const before = getOrderNumber(entry)
  if (spelling === "another")
    return `${number} is another spelling of ${before}, which ${booked} with the same goods for the same receiver`
  const describeDoubt = (one: string, other: string) =>
    `${one} may be ${other} in another writing, and that ${booked} with the same goods for the same receiver`
  if (spelling === "perhaps another") return describeDoubt(number, before)
  if (entry.elsewhere)
    return `the same goods for the same receiver and the same day ${booked.replace(/^was/, "were")}`
  const isSame = asked !== undefined && isSameOrder(entry, asked)
  if (isSame && isDoubtful(entry, getReference(asked)))
    return describeDoubt(getReference(asked), getReference(entry))
  if (isSame && asked.keyGiven && entry.keyGiven)
    return `${entry.facts.reference ?? "this order"} ${booked} under the key ${keyText(entry)}, with the same goods for the same receiver and the same day`
  return `${nameEqual(entry, asked)} was made on ${describeSent(entry, asked)}: ${describeFacts(entry.facts) || entry.key}`
}
