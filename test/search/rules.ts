/**
 * The promises of docs/ledger.md for a new order beside earlier ones in the ledger, in plain words. These rules know nothing
 * of hashes, scopes, columns and verdicts: they see what was ordered, when, under which name and in whose account.
 */

/**
 * Names that orders have; `po 07` is another spelling of PO-7, `PO-7#2` is that of its second consignment, and freight made
 * up w-1 and w-2.
 */
export type Name = "PO-7" | "PO-7#2" | "po 07" | "PO-8" | "2028.010" | "2028.01" | "w-1" | "w-2" | ""

/** An earlier order, compared with the present one. */
export type Likeness =
  /** To the last detail. */
  | "equal"
  /** The same goods for the same receiver, to be collected until another time. */
  | "later"
  /** The same goods for the same receiver, to be collected on another day. */
  | "another day"
  /** Its reference and its receiver, and other goods. */
  | "more"
  /** The same with its reference in another spelling. */
  | "spelled"
  /** Nothing in common. */
  | "other"

export type Standing =
  | "done"
  /** The carrier has it, and the service does not. */
  | "at the carrier"
  /** Its carrier has cancelled it on the phone. */
  | "cancelled"
  /** It stands for the same order as another entry. */
  | "duplicate"
  /** Its sender is at it, and ends so while others wait. */
  | "sending, then done"
  | "sending, then refused"
  | "sending, then dead"
  | "sending for long"
  /** Its outcome is not known: its lease has run out, is of a clock that was ahead, or was given back. */
  | "open"
  | "open, its lease hours ahead"
  | "open, without a lease"
  | "refused"
  | "released"

/** The contents of the ledger. */
export interface Past {
  kind: "shipment" | "pickup"
  standing: Standing
  /** Milliseconds since it was sent, and since its outcome was known. */
  sent: number
  settled: number
  name: Name
  likeness: Likeness
  account: "own" | "perhaps own" | "another's"
  /** Shipments, of a pickup. */
  collects: readonly string[]
}

/** The present order. */
export interface Asked {
  kind: "shipment" | "pickup"
  /**
   * - by hand: a person is there, and says yes to what is asked.
   * - batch: a row, of which the ledger knows what is written there.
   * - api: a request that nobody wrote by hand.
   */
  door: "by hand" | "batch" | "api"
  name: Name
  again: boolean
  /** It takes the place of PO-7, which its carrier has cancelled. */
  replaces?: true
  /** Its reference is PO-7; otherwise it has none. */
  hasReference: boolean
  collects: readonly string[]
}

export interface Told {
  is:
    | "sent"
    /** The result of before is given. */
    | "recorded"
    /** It waits, until something else holds. */
    | "waits"
    | "unknown"
    | "cancelled"
    /** The booking that it is to replace is not cancelled. */
    | "not cancelled"
    | "changed"
    | "equal"
    | "at the carrier"
    | "other account"
    /** Whether the shipment has a pickup cannot be known. */
    | "unclear"
    | "elsewhere"
  /** The earlier order that the answer names. */
  past?: Past
  /** Sent, though it was made before: that is said. */
  earlier?: Past
  /** Sent only if a person says that this machine's clock is right. */
  doubt?: "the clock is behind" | "the clock may be ahead"
}

const HOUR = 3_600_000

/** The numbers that people give: two spellings are one. */
const NUMBERS: Partial<Record<Name, number>> = {
  "PO-7": 7,
  "PO-7#2": 72,
  "po 07": 7,
  "PO-8": 8,
  "2028.010": 10,
  "2028.01": 1,
}

const isGiven = (name: Name) => NUMBERS[name] !== undefined
const hasReference = ({ likeness }: Past, asked: Asked) => asked.hasReference && likeness !== "other"
const isOpen = ({ standing }: Past) => /^(open|sending)/.test(standing)
const isMade = ({ standing }: Past) => ["done", "cancelled", "at the carrier", "duplicate"].includes(standing)
const isSent = ({ standing }: Past) =>
  standing === "open, its lease hours ahead" || !standing.startsWith("sending")

/** The number of an order: the key that a person gave, or without one the reference. All spellings of PO-7 are 7. */
function findNumber(name: Name, withReference: boolean): number | undefined {
  return NUMBERS[name] ?? (withReference ? 7 : undefined)
}

/** Whether each of the two has a number of its own. */
export function isOtherOrder(past: Past, asked: Asked): boolean {
  const [one, other] = [
    findNumber(past.name, hasReference(past, asked)),
    findNumber(asked.name, asked.hasReference),
  ]
  return one !== undefined && other !== undefined && one !== other
}

const hasSameName = (past: Past, { name }: Asked) =>
  past.name === name && (name !== "" || past.likeness === "equal")

const isSameNumber = (past: Past, asked: Asked) => {
  const number = findNumber(asked.name, asked.hasReference)
  return (
    past.kind === "shipment" &&
    number !== undefined &&
    findNumber(past.name, hasReference(past, asked)) === number &&
    hasSameGoods(past)
  )
}

const hasSameGoods = ({ likeness }: Past) => ["equal", "later", "another day", "spelled"].includes(likeness)

/** One reference, in any spelling, with the same goods for the same receiver on the same day. */
const isSameOrder = (past: Past, asked: Asked) =>
  past.kind === "shipment" &&
  hasReference(past, asked) &&
  hasSameGoods(past) &&
  past.likeness !== "another day"

const isCollected = (past: Past, { collects }: Asked) => collects.some((id) => past.collects.includes(id))

/** Something under another name that is the same all the same. */
function isAlike(past: Past, asked: Asked): boolean {
  if (isCollected(past, asked) || isSameNumber(past, asked)) return true
  if (isGiven(past.name) && isGiven(asked.name))
    return isSameOrder(past, asked) || (past.likeness === "equal" && past.standing === "at the carrier")
  return past.likeness === "equal" || (past.kind === "shipment" && hasReference(past, asked))
}

type Rule = [says: string, told: Told["is"], holds: (past: Past, asked: Asked) => boolean]

/** By importance; of several entries of which one of a group's rules holds, the newest counts, and a duplicate last. */
const RULES: readonly (readonly Rule[])[] = [
  [
    [
      "What was made under a key is given again, as long as it is the same order.",
      "recorded",
      (past, asked) =>
        asked.name !== "" &&
        isMade(past) &&
        past.standing !== "cancelled" &&
        (past.likeness === "equal" ||
          (["later", "another day"].includes(past.likeness) && asked.door !== "api")),
    ],
  ],
  [
    ["What is being sent is waited for.", "waits", (past) => isOpen(past) && !isSent(past)],
    ["What has no known outcome is not sent again.", "unknown", (past) => isOpen(past) && isSent(past)],
  ],
  [
    [
      "What its carrier has cancelled keeps its key.",
      "cancelled",
      (past, { name }) => name !== "" && past.standing === "cancelled",
    ],
    ["A key stands for one order.", "changed", (past, { name }) => name !== "" && isMade(past)],
    [
      "What only the carrier has is never made again.",
      "at the carrier",
      ({ standing }) => standing === "at the carrier",
    ],
    ["What is equal is not made again within a day.", "equal", (past, asked) => isTooSoon(past, asked)],
  ],
]

/** Rules about the booking that an order replaces. */
const RULES_OF_REPLACED: readonly (readonly Rule[])[] = [
  [
    ["What is being sent is waited for.", "waits", (past) => isOpen(past) && !isSent(past)],
    ["What has no known outcome has its place.", "unknown", (past) => isOpen(past) && isSent(past)],
  ],
  [["What stands has its place.", "not cancelled", (past) => isMade(past) && past.standing !== "cancelled"]],
]

/** The same for what has another name: there a key says nothing. */
const RULES_OF_OTHERS = RULES.map((group) =>
  group.filter(([, told]) => !["recorded", "cancelled", "changed"].includes(told)),
)

function isTooSoon(past: Past, asked: Asked): boolean {
  if (!isMade(past) || asked.again) return false
  // A shipment is collected once, a number that a person gave stands for one order for good, and another key makes no
  // second order of it.
  if (isCollected(past, asked)) return true
  const isOne = isSameNumber(past, asked) || isSameOrder(past, asked)
  if (isOne && (isGiven(past.name) || isGiven(asked.name))) return true
  return past.settled < 24 * HOUR
}

/** The report about an order, whatever door it comes through. */
export function tell(all: readonly Past[], asked: Asked): Told {
  const there = all.filter(({ kind }) => kind === asked.kind)
  const told = findRule(
    inOrder(there, (past) => past.account === "own" || isAnothersToo(past, asked)),
    asked,
  )
  if (told.is !== "sent") return told
  const { past, is } = findRule(
    inOrder(there, ({ account }) => account === "perhaps own"),
    asked,
  )
  if (past && is !== "sent") return { is: "other account", past }
  return { ...told, ...doubtClock(all, asked) }
}

/** A shipment is of one account: whoever collected it, it was collected. */
function isAnothersToo(past: Past, asked: Asked): boolean {
  return asked.kind === "pickup" && past.account === "another's" && isCollected(past, asked)
}

/** Newest first; a duplicate stands behind what it is a duplicate of. */
function inOrder(all: readonly Past[], isThere: (past: Past) => boolean): Past[] {
  const isSecond = ({ standing }: Past) => Number(standing === "duplicate")
  return all.filter(isThere).sort((a, b) => isSecond(a) - isSecond(b) || a.sent - b.sent)
}

function findRule(there: readonly Past[], asked: Asked): Told {
  const own = there.filter((past) => hasSameName(past, asked))
  const others = there.filter((past) => !hasSameName(past, asked) && isAlike(past, asked))
  const replaced = there.filter(({ name }) => asked.replaces && name === "PO-7")
  for (const [among, rules] of [
    [own, RULES],
    [replaced, RULES_OF_REPLACED],
    [others, RULES_OF_OTHERS],
  ] as const)
    for (const group of rules)
      for (const past of among) {
        const rule = group.find(([, , holds]) => holds(past, asked))
        if (rule) return { is: rule[1], past }
      }
  if (asked.again) return { is: "sent" }
  const isTold = (past: Past) =>
    isGiven(asked.name) ? isOfAnotherDay(past, asked) : past.likeness === "equal"
  const earlier = there.find((past) => isMade(past) && isTold(past))
  return { is: "sent", ...(earlier && { earlier }) }
}

/** Two keys and two days are two orders, and of the second that is told. */
const isOfAnotherDay = (past: Past, asked: Asked) =>
  past.kind === "shipment" && past.likeness === "another day" && hasReference(past, asked)

/** If only age tells an order from an equal one, the clock must be right; an entry of the last hour proves it. */
function doubtClock(all: readonly Past[], asked: Asked): Pick<Told, "doubt"> {
  if (asked.kind !== "shipment" || isGiven(asked.name) || asked.again) return {}
  const [newest] = all.toSorted((a, b) => a.sent - b.sent)
  if (!newest || Math.abs(newest.sent) <= HOUR) return {}
  if (newest.sent < 0) return { doubt: "the clock is behind" }
  const there = inOrder(all, ({ account }) => account === "own").filter(
    (past) => past.kind === asked.kind && isMade(past) && (hasSameName(past, asked) || isAlike(past, asked)),
  )
  const expired = there.find(({ likeness }) => likeness === "equal") ?? there[0]
  return expired && expired.sent < 48 * HOUR ? { doubt: "the clock may be ahead" } : {}
}

/** The facts about a shipment that is to be picked up, apart from pickups in the ledger. */
export interface Booked {
  /** The ledger has its booking. */
  isOwn: boolean
  /** Its booking named a pickup that was arranged before. */
  isArranged: boolean
  /** The pickup's status in the reply to its booking, and whether that reply had a warning. */
  reply: PickupStatus
  isWarned: boolean
  /** It was settled without its own reply. */
  isReplyLost: boolean
  /** The present answer of the service. */
  now: PickupStatus
}
export type PickupStatus = "NOT_BOOKED" | "BOOKED" | "FAILED" | "RECONCILE_NEEDED" | undefined

export type HasPickup = "none" | "booked" | "lost" | "open" | "unclear"

/** By importance: whether a shipment has a pickup. */
const PICKUP_RULES: readonly [
  says: string,
  is: HasPickup,
  holds: (booked: Booked, pickup: Past | undefined) => boolean,
][] = [
  ["Only the carrier has it.", "lost", (_, pickup) => pickup?.standing === "at the carrier"],
  [
    "One was sent, and its outcome is not known.",
    "open",
    (_, pickup) => pickup !== undefined && isOpen(pickup),
  ],
  ["The ledger has one.", "booked", (_, pickup) => pickup !== undefined && isMade(pickup)],
  ["One was arranged before.", "booked", ({ isOwn, isArranged }) => isOwn && isArranged],
  [
    "The carrier booked one, and the service lost it.",
    "lost",
    ({ isOwn, reply }) => isOwn && reply === "RECONCILE_NEEDED",
  ],
  ["It was booked with it.", "booked", ({ isOwn, reply }) => isOwn && reply === "BOOKED"],
  ["Someone has booked one since.", "booked", ({ now }) => now === "BOOKED"],
  ["It failed.", "none", ({ isOwn, reply, now }) => now === "FAILED" || (isOwn && reply === "FAILED")],
  [
    "Only the reply that was lost could have named one.",
    "unclear",
    ({ isOwn, isReplyLost }) => isOwn && isReplyLost,
  ],
  [
    "A warning may be about one.",
    "unclear",
    ({ isOwn, isWarned, reply }) => isOwn && isWarned && reply === undefined,
  ],
  [
    "Who was asked says that it has none.",
    "none",
    ({ isOwn, reply, now }) => (isOwn ? (reply ?? now) : now) === "NOT_BOOKED",
  ],
  ["Nobody says.", "unclear", () => true],
]

export function findPickup(booked: Booked, pickups: readonly Past[]): HasPickup {
  // By importance: an open pickup counts before one that was booked since.
  for (const [, is, holds] of PICKUP_RULES)
    for (const pickup of [...pickups, undefined]) if (holds(booked, pickup)) return is
  return "unclear"
}

/** Bookings by another ledger or in the portal, as the list shows them. */
export interface Stranger {
  name: "PO-7" | "po 07" | "PO-8" | "2028.01" | ""
  /** Compared with what is asked for: the same, other goods, or to be collected a day earlier. */
  goods: "same" | "more" | "earlier day"
  isCancelled: boolean
}

/** Names under which an order may be listed: its key, if a person gave it, and its reference. */
export function tellBeside(stranger: Stranger, asked: Asked, asksForGoods: boolean): Told["is"] {
  if (stranger.isCancelled) return "sent"
  const names = [
    findNumber(isGiven(asked.name) ? asked.name : "", false),
    // With another key, a second one with the same reference is meant.
    findNumber("", asked.hasReference && !(asked.again && asked.name !== "PO-7")),
  ]
  const number = stranger.name === "" ? undefined : findNumber(stranger.name, false)
  if (number !== undefined && names.includes(number))
    return stranger.goods === "same" ? "elsewhere" : "changed"
  // A spreadsheet may have changed the number, or these are two part shipments: a person is asked.
  const isDoubtful = asked.name === "2028.010" && stranger.name === "2028.01"
  const isTwin = (asksForGoods || isDoubtful) && !asked.again && stranger.goods === "same"
  return isTwin ? "equal" : "sent"
}

/** The outcome of those that others wait for. */
export function letEnd(past: Past): Past {
  const ends: Partial<Record<Standing, Standing>> = {
    "sending, then done": "done",
    "sending, then refused": "refused",
    "sending, then dead": "open",
  }
  return { ...past, standing: ends[past.standing] ?? past.standing, settled: isOpen(past) ? 0 : past.settled }
}
