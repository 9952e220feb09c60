/**
 * Every ledger of up to two entries out of a few properties, and every order out of the same: the ledger's own code decides
 * on a real file, and `rules.ts` says what it has to tell.
 */
import { isDeepStrictEqual } from "node:util"
import { FreightError } from "../../src/base/errors.ts"
import type { ConsignmentBookingRequest } from "../../src/contract/generated/types.ts"
import { contentHash, referenceHash } from "../../src/ledger/content.ts"
import { createOnce, type Created, type Intent } from "../../src/ledger/create.ts"
import { type Entry, idOf } from "../../src/ledger/entry.ts"
import { LEASE_MS } from "../../src/ledger/lease.ts"
import { ClockDoubt, NotSent } from "../../src/ledger/refusals.ts"
import { type Order, toBooking } from "../simulation/orders.ts"
import type { ApiKey } from "../simulation/services.ts"
import { type Check, combine } from "./cases.ts"
import { type Desk, describeError, NOW, SCOPES, toEnd, tokenOf } from "./desk.ts"
import {
  type Asked,
  letEnd,
  type Likeness,
  type Name,
  type Past,
  type Standing,
  tell,
  type Told,
} from "./rules.ts"

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

type Age = Pick<Past, "sent" | "settled">
const at = (sent: number, settled = sent): Age => ({ sent, settled })
/** Around the hour that confirms a clock, the day of equal content, and the two days in which a clock may be wrong. */
const AGES = [
  at(MINUTE),
  at(59 * MINUTE),
  at(61 * MINUTE),
  at(DAY - 2 * MINUTE),
  at(DAY + 2 * MINUTE),
  at(DAY + 30 * MINUTE, DAY - 30 * MINUTE),
  at(2 * DAY - 2 * MINUTE),
  at(2 * DAY + 2 * MINUTE),
  at(-2 * HOUR),
]

type Shape = Pick<Past, "standing" | "sent" | "settled">
const OPEN: readonly Standing[] = [
  "sending, then done",
  "sending, then refused",
  "sending, then dead",
  "open",
  "open, its lease hours ahead",
  "open, without a lease",
]
/** The possible outcomes of one. */
const SHAPES: readonly Shape[] = [
  ...AGES.map((age) => ({ standing: "done" as const, ...age })),
  ...[at(MINUTE), at(2 * DAY)].map((age) => ({ standing: "at the carrier" as const, ...age })),
  ...[at(MINUTE), at(2 * DAY)].map((age) => ({ standing: "cancelled" as const, ...age })),
  { standing: "duplicate", ...at(MINUTE) },
  ...OPEN.map((standing) => ({ standing, ...at(MINUTE) })),
  { standing: "refused", ...at(MINUTE) },
  { standing: "released", ...at(MINUTE) },
]
/** Those of two beside each other; one of a time before the other. */
const SHAPES_OF_TWO: readonly Shape[] = [
  { standing: "done", ...at(MINUTE) },
  { standing: "done", ...at(DAY + 2 * MINUTE) },
  { standing: "at the carrier", ...at(DAY) },
  { standing: "cancelled", ...at(MINUTE) },
  { standing: "duplicate", ...at(2 * MINUTE) },
  { standing: "sending, then done", ...at(MINUTE) },
  { standing: "open", ...at(MINUTE) },
  { standing: "released", ...at(MINUTE) },
]

/** Names that an entry may have beside that of the order; all others are the same as one of them. */
const NAMES: Partial<Record<Name, readonly Name[]>> = {
  "PO-7": ["PO-7", "po 07", "PO-8", "w-2", ""],
  "w-1": ["w-1", "PO-7", "po 07", "PO-8", "w-2", ""],
  "": ["PO-7", "po 07", "PO-8", "w-2", ""],
  "PO-7#2": ["PO-7#2", "PO-7", "PO-8"],
}
const ASKED_NAMES: readonly Name[] = ["PO-7", "w-1", ""]

const collectsNothing = { kind: "shipment", collects: [] } as const
const ALIKE: readonly Likeness[] = ["equal", "later", "another day", "more", "spelled", "other"]

/** Without a reference, what only that tells apart is the same as another. */
const listLikenesses = ({ hasReference }: Pick<Asked, "hasReference">): readonly Likeness[] =>
  hasReference ? ALIKE : ["equal", "later", "other"]

function* listAsked(doors: readonly Asked["door"][], references: readonly boolean[]): Generator<Asked> {
  for (const each of combine<Pick<Asked, "door" | "name" | "again" | "hasReference">>({
    door: doors,
    name: ASKED_NAMES,
    again: [false, true],
    hasReference: references,
  }))
    yield { ...collectsNothing, ...each }
}

/** An order that takes the place of a booking that its carrier has cancelled. */
function* listReplacing(doors: readonly Asked["door"][]): Generator<Asked> {
  const replacing = { name: "PO-7#2", again: true, replaces: true } as const
  for (const each of combine<Pick<Asked, "door" | "hasReference">>({
    door: doors,
    hasReference: [true, false],
  }))
    yield { ...collectsNothing, ...replacing, ...each }
}

function* listOnes(asked: Asked): Generator<Past> {
  const names = NAMES[asked.name] ?? []
  const likeness = listLikenesses(asked)
  for (const { shape, ...past } of combine<{ name: Name; likeness: Likeness; shape: Shape }>({
    ...{ name: names, likeness },
    shape: SHAPES,
  }))
    yield { ...collectsNothing, account: "own", ...past, ...shape }
  if (asked.door === "batch")
    yield {
      ...{ ...collectsNothing, account: "own", name: asked.name, likeness: "equal" },
      ...{ standing: "sending for long", ...at(MINUTE) },
    }
  const few = SHAPES.filter(({ standing, sent }) => sent === MINUTE && standing !== "duplicate")
  // In another account a time, a duplicate and a spelling are as in one's own.
  for (const account of ["perhaps own", "another's"] as const)
    for (const name of names)
      for (const shape of few) yield { ...collectsNothing, account, name, likeness: "equal", ...shape }
  for (const name of names)
    for (const shape of few)
      yield { kind: "pickup", collects: [], account: "own", name, likeness: "equal", ...shape }
}

/** Two that each may have to do with the order. */
function* listTwos(asked: Asked): Generator<[Past, Past]> {
  const ones: Past[] = []
  const given: Name = "PO-8"
  const pairs: [Name, Likeness][] = [
    [asked.name, "equal"],
    [asked.name, "other"],
    ...(asked.replaces ? [["PO-7", "equal"] as [Name, Likeness]] : []),
    [given, "equal"],
    ["w-2", "equal"],
    ["po 07", "later"],
    ["PO-8", "another day"],
    ["PO-8", "other"],
  ]
  for (const [name, likeness] of pairs)
    if (name !== "" || likeness === "equal")
      for (const shape of SHAPES_OF_TWO)
        ones.push({ ...collectsNothing, account: "own", name, likeness, ...shape })
  for (const earlier of ones)
    for (const later of ones)
      if (later.sent <= earlier.sent)
        yield [{ ...earlier, sent: earlier.sent + 20_000, settled: earlier.settled + 20_000 }, later]
}

/** All ledgers with one entry or none, and all orders; what was made is asked for once more. */
export function* listSmallLedgers(desk: Desk, key: ApiKey): Generator<readonly [string, Check]> {
  // With a reference or without one, each door asks the same.
  const all = [
    ...listAsked(["by hand"], [true, false]),
    ...listAsked(["batch", "api"], [true]),
    ...listReplacing(["by hand", "batch"]),
  ]
  for (const asked of all) {
    yield toCase(desk, key, [], asked)
    for (const past of listOnes(asked)) yield toCase(desk, key, [past], asked)
  }
}

/** Two rows of a batch at once, of which one has nothing to do with what is there, nor with the other. */
export function* listBatches(desk: Desk, key: ApiKey): Generator<readonly [string, Check]> {
  for (const asked of listAsked(["batch"], [false]))
    for (const past of listOnes(asked)) {
      if (past.kind !== "shipment" || past.account !== "own" || past.sent < 0) continue
      const text = `the ledger has ${JSON.stringify(past)}, and beside ${JSON.stringify(asked)} another order is asked for`
      yield [text, () => checkBeside(desk, key, past, asked)]
    }
}

async function checkBeside(
  desk: Desk,
  key: ApiKey,
  past: Past,
  asked: Asked,
): Promise<string | undefined | false> {
  const entries = [toEntry(past, 0, asked, key)]
  if (!(await desk.fill({ entries }))) return false
  const booking = toBooking(key, 30)
  if (!booking) throw new TypeError("there is no connector")
  const [, other] = await Promise.all([
    toEnd(createOnce<unknown>(desk, toIntent(asked, key), async () => ({}))),
    toEnd(createOnce<unknown>(desk, { ...booking.intent, kind: "shipment" }, async () => ({}))),
  ])
  if ("error" in other) return `the other one is not sent: ${describeError(other.error)}`
  if (other.value.recorded || other.value.earlier) return "the other one is taken for what is there"
  return undefined
}

/** All ledgers with two. */
export function* listLedgersOfTwo(desk: Desk, key: ApiKey): Generator<readonly [string, Check]> {
  for (const asked of [...listAsked(["batch"], [true]), ...listReplacing(["batch"])])
    for (const pasts of listTwos(asked)) yield toCase(desk, key, pasts, asked)
}

function toCase(desk: Desk, key: ApiKey, pasts: readonly Past[], asked: Asked): readonly [string, Check] {
  const text = `the ledger has ${JSON.stringify(pasts)}, and ${JSON.stringify(asked)} is asked for`
  return [text, () => checkOrder(desk, key, pasts, asked)]
}

/** @returns what is not as the rules say */
async function checkOrder(
  desk: Desk,
  key: ApiKey,
  pasts: readonly Past[],
  asked: Asked,
): Promise<string | undefined | false> {
  const entries = pasts.map((past, n) => toEntry(past, n, asked, key))
  if (!(await desk.fill({ entries }))) return false
  const intent = toIntent(asked, key)
  const first = await askFor(desk, { pasts, entries, asked, intent })
  if (first.wrong !== undefined || !first.made || pasts.length > 1) return first.wrong
  const made: Past = {
    ...{ kind: asked.kind, standing: "done", sent: 0, settled: 0, name: asked.name, likeness: "equal" },
    ...{ account: "own", collects: asked.collects },
  }
  const after = { pasts: [...pasts.map(letEnd), made], entries: [...entries, first.made] }
  const again = await askFor(desk, { ...after, asked, intent })
  return again.wrong && `once more: ${again.wrong}`
}

interface Asking {
  pasts: readonly Past[]
  /** The same in the ledger. */
  entries: readonly Entry[]
  /** Whatever else is there. */
  others?: readonly Entry[]
  asked: Asked
  intent: Intent
  /** Where more counts than the ledger's entries. */
  rules?: typeof tell
}

/** Asks for an order. @returns what is not as the rules say, and what was made */
export async function askFor(
  desk: Desk,
  { pasts, entries, others: besides = [], asked, intent, rules = tell }: Asking,
): Promise<{ wrong: string | undefined; made?: Entry }> {
  const questions: string[] = []
  const sent: string[] = []
  let wrong: string | undefined
  const began = desk.time.now
  desk.time.slept = 0
  desk.time.onSleep = () => letSendersEnd(desk, pasts, entries, began)
  const spending = {
    isOpen: asked.door === "by hand",
    confirm: async (question: string) => void questions.push(question),
  }
  const id = `shp-new-${entries.length}-${besides.length}`
  const ended = await toEnd(
    createOnce<{ shipmentId: string }>(
      { ...desk, spending },
      intent,
      async (lease) => {
        sent.push(id)
        wrong = await checkSending(desk, [...entries, ...besides], asked, lease.isHeld())
        return { shipmentId: id }
      },
      ({ shipmentId }) => (asked.kind === "shipment" ? { shipmentId } : {}),
    ),
  )
  desk.time.onSleep = undefined
  const nameOf = (past: Past | undefined) => (past ? entries[pasts.indexOf(past)]?.id : undefined)
  const told = rules(pasts, asked)
  const waits = told.is === "waits"
  const later = pasts.map(letEnd)
  const last = waits && told.past?.standing !== "sending for long" ? rules(later, asked) : told
  const named = last.past && nameOf(pasts[Math.max(pasts.indexOf(last.past), later.indexOf(last.past))])
  const expected = {
    is:
      last.is === "waits"
        ? "sending"
        : last.is === "sent" && told.doubt && asked.door !== "by hand"
          ? told.doubt
          : last.is,
    ...(named !== undefined && { named }),
    asked: asked.door === "by hand" && (waits || told.is === "sent") ? 1 : 0,
    ...(asked.door === "by hand" && told.doubt && { doubt: told.doubt }),
    waits,
    ...(last.is === "sent" &&
      last.earlier && {
        earlier: nameOf(pasts[Math.max(pasts.indexOf(last.earlier), later.indexOf(last.earlier))]),
      }),
  }
  if (expected.is === told.doubt) delete (expected as Partial<typeof expected>).earlier
  const seen = {
    ...read(ended, entries),
    asked: questions.length,
    ...(questions[0] && readDoubt(questions[0])),
    waits: desk.time.slept > 0,
  }
  if (!isDeepStrictEqual(seen, expected))
    wrong ??= `${JSON.stringify(seen)} is told in place of ${JSON.stringify(expected)}: ${"error" in ended ? describeError(ended.error) : "no error"}`
  if (wrong === undefined && sent.length !== (expected.is === "sent" ? 1 : 0))
    wrong = `it is sent ${sent.length} times`
  if (wrong === undefined && desk.timers.size > 0) wrong = "its lease is renewed when it has ended"
  const made = "value" in ended && !ended.value.recorded ? ended.value.entry : undefined
  const after = await desk.readNew([...entries, ...besides])
  const [row, ...others] = after
  const isRight = made ? row?.id === made.id && row.state === "done" && row.lease_until === null : !row
  if (wrong === undefined && (!isRight || others.length > 0))
    wrong = `it leaves behind ${JSON.stringify(after)}`
  return { wrong, ...(made && { made }) }
}

/** While it is sent: others see that it is, and it is the next attempt under its name. */
async function checkSending(
  desk: Desk,
  before: readonly Entry[],
  { kind, name }: Asked,
  isHeld: boolean,
): Promise<string | undefined> {
  if (!isHeld) return "it is sent without a lease"
  const [row, ...others] = await desk.readNew(before)
  if (row?.state !== "unknown" || others.length > 0) return "it is sent without a claim"
  const { lease_until: until, idempotency_key: key, content_hash: content, attempt } = row
  if (Date.parse(String(until)) !== Math.floor(desk.time.now + LEASE_MS)) return `its lease is until ${until}`
  const attempts = before
    .filter((each) => each.scope === SCOPES.own && each.kind === kind)
    .filter((each) => each.key === (key === null ? `content:${content}` : `key:${key}`))
    .map((each) => each.attempt)
  if (attempt !== Math.max(0, ...attempts) + 1) return `it is attempt ${attempt} under ${name}`
  return undefined
}

function read(ended: Awaited<ReturnType<typeof toEnd<Created<unknown>>>>, entries: readonly Entry[]) {
  if ("value" in ended) {
    const { recorded, entry, earlier, response } = ended.value
    if (!recorded) return { is: "sent", ...(earlier && { earlier: earlier.id }) }
    const at = entries.findIndex(({ id }) => id === entry.id)
    const { shipmentId = "nothing" } = Object(response) as { shipmentId?: string }
    const isIts = shipmentId === entries[at]?.facts.shipmentId || shipmentId.startsWith(`shp-${at}`)
    return { is: "recorded", named: isIts ? entry.id : `${shipmentId} of ${entry.id}` }
  }
  const { error } = ended
  const message = error instanceof Error ? error.message : ""
  const own = error instanceof NotSent && "entry" in error.standing ? error.standing.entry?.id : undefined
  const words = entries.filter(({ kind, sender, facts: { shipmentId } }) => {
    const isNamed = kind === "shipment" && shipmentId !== undefined && message.includes(shipmentId)
    return isNamed || message.includes(sender.workstation)
  })
  // A refusal without an entry is about something that no ledger has.
  const its = error instanceof NotSent ? entries.filter(({ id }) => id === own) : words
  const named = its.map(({ id }) => id).join(" and ")
  return { is: kindOf(error, message), ...(named !== "" && !(error instanceof ClockDoubt) && { named }) }
}

/** The report, by the kind and the message of the error. */
function kindOf(error: unknown, message: string): string {
  if (error instanceof ClockDoubt) return readDoubt(message).doubt ?? "doubt"
  if (!(error instanceof FreightError)) return describeError(error)
  const { kind } = error
  const says = (words: RegExp) => words.test(message)
  if (kind === "outcomeUnknown" && says(/its outcome is unknown/)) return "unknown"
  if (kind === "outcomeUnknown" && says(/another process has been sending/)) return "sending"
  if (kind === "refused" && says(/^the carrier already has/)) return "at the carrier"
  if (kind === "refused" && says(/its key stays taken$/)) return "cancelled"
  if (kind === "refused" && says(/is not cancelled: nothing takes its place yet$/)) return "not cancelled"
  if (kind === "refused" && says(/has changed since$/) && (error.errors?.length ?? 0) > 0) return "changed"
  if (kind === "refused" && says(/has a pickup cannot be known/)) return "unclear"
  if (kind === "refused" && says(/^this order was booked/)) return "elsewhere"
  if (kind === "input" && says(/was used for another/)) return "changed"
  if (kind === "input" && says(/it is not known whether that key and yours/)) return "other account"
  if (error instanceof NotSent && kind === "refused" && ["equal", "has-pickup"].includes(error.standing.kind))
    return "equal"
  return describeError(error)
}

function readDoubt(text: string): Pick<Told, "doubt"> {
  if (/clock is .* the newest entry of the ledger/.test(text)) return { doubt: "the clock is behind" }
  return /by this machine's clock alone/.test(text) ? { doubt: "the clock may be ahead" } : {}
}

/** Others wait for them. */
async function letSendersEnd(
  { database, time }: Desk,
  pasts: readonly Past[],
  entries: readonly Entry[],
  began: number,
): Promise<void> {
  const ends = { "sending, then done": "done", "sending, then refused": "refused" } as const
  for (const [n, { standing }] of pasts.entries()) {
    const token = tokenOf(entries[n] as Entry)
    const state =
      standing === "sending, then done" || standing === "sending, then refused" ? ends[standing] : undefined
    if (state && time.now - began > 500)
      await database.run(
        "update sends set state = ?, lease_until = null, settled_at = ?, response = ? where claim_token = ? and state = 'unknown'",
        [state, new Date(time.now).toISOString(), JSON.stringify({ shipmentId: `shp-${n}` }), token],
      )
    if (standing === "sending for long")
      await database.run("update sends set lease_until = ? where claim_token = ?", [
        new Date(time.now + LEASE_MS).toISOString(),
        token,
      ])
  }
}

const STATES: Record<Standing, Entry["state"]> = {
  done: "done",
  "at the carrier": "done",
  cancelled: "done",
  duplicate: "done",
  "sending, then done": "unknown",
  "sending, then refused": "unknown",
  "sending, then dead": "unknown",
  "sending for long": "unknown",
  open: "unknown",
  "open, its lease hours ahead": "unknown",
  "open, without a lease": "unknown",
  refused: "refused",
  released: "released",
}

/** Milliseconds of a lease that are left. */
function findLease(standing: Standing): number | undefined {
  if (standing.startsWith("sending")) return 2_000
  if (standing === "open") return -1
  return standing === "open, its lease hours ahead" ? 2 * HOUR : undefined
}

export function toEntry(past: Past, n: number, asked: Asked, apiKey: ApiKey): Entry {
  const { kind, standing, sent, settled, name, likeness, account, collects } = past
  const order = toOrder(apiKey, { kind, hasReference: asked.hasReference, collects }, likeness)
  const content = contentHash(kind, order.content)
  const key = name === "" ? `content:${content}` : `key:${name}`
  const scope = SCOPES[account]
  const state = STATES[standing]
  const left = findLease(standing)
  // Ten comes before nine where numbers are compared as texts.
  const attempt = 9 + n
  const shipmentId = kind === "shipment" ? `shp-${n}-${account}` : order.facts.shipmentId
  return {
    id: `${idOf(scope, kind, key)}.${attempt}`,
    ...{ scope, kind, key, content, attempt, state },
    keyGiven: ["PO-7", "PO-7#2", "po 07", "PO-8"].includes(name),
    account,
    ...(order.referenceHash !== undefined && { referenceHash: order.referenceHash }),
    sentAt: new Date(NOW - sent).toISOString(),
    ...(state !== "unknown" && { settledAt: new Date(NOW - settled).toISOString() }),
    ...(left !== undefined && { leaseUntil: new Date(NOW + left).toISOString() }),
    sender: { workstation: `desk-of-${n}`, person: "" },
    facts: {
      ...order.facts,
      ...(state === "done" && shipmentId !== undefined && { shipmentId }),
      ...(standing === "at the carrier" && { standing: true, about: `to desk-of-${n}` }),
    },
    call: order.call,
    request: order.request,
    ...(collects.length > 0 && { collects }),
    ...(state === "done" && { response: { shipmentId: `shp-${n}-${account}` } }),
    ...(standing === "duplicate" && { duplicateOf: "another" }),
    ...(standing === "cancelled" && { cancelledAt: new Date(NOW - settled).toISOString() }),
  }
}

export function toIntent(asked: Asked, apiKey: ApiKey): Intent {
  const { kind, name, again, replaces, door, collects } = asked
  const order = toOrder(apiKey, asked, "equal")
  const { receiver, items, customerReference, collectionCloseTime } =
    order.request as Partial<ConsignmentBookingRequest>
  const fields = { receiver, items, collectionCloseTime, ...(customerReference && { customerReference }) }
  const intent = {
    ...order,
    ...(name !== "" && { key: name, isKeyGenerated: name.startsWith("w-") }),
    ...(door !== "api" && kind === "shipment" && { written: { fields } }),
    again,
    replaces,
    question: "Book it?",
  }
  if (kind === "shipment") return { ...intent, kind }
  const getShipment = async () => ({ pickupStatus: "NOT_BOOKED" }) as never
  return { ...intent, kind, collects: { shipments: collects, getShipment } }
}

type Ordered = Pick<Asked, "kind" | "hasReference" | "collects">

/** An order, now or earlier. */
function toOrder(
  apiKey: ApiKey,
  { kind, hasReference, collects }: Ordered,
  likeness: Likeness,
): Order["intent"] {
  if (kind === "pickup") return toPickup(collects)
  const number = likeness === "other" ? 20 : 10
  const booking = toBooking(apiKey, number, { variant: likeness === "more" ? 1 : 0 })
  if (!booking) throw new TypeError("there is no connector")
  const { request, facts, content, call } = booking.intent
  const reference =
    likeness === "other" || !hasReference ? undefined : likeness === "spelled" ? "po 07" : "PO-7"
  const changes = {
    ...(reference !== undefined && { customerReference: reference }),
    ...(likeness === "later" && { collectionCloseTime: "1800" }),
    ...(likeness === "another day" && { collectionDateTime: "2026-11-24T10:00:00" }),
  }
  const { receiver } = request as ConsignmentBookingRequest
  return {
    ...{ call },
    content: { ...content, ...changes },
    request: { ...Object(request), ...changes },
    facts: { ...facts, ...(reference !== undefined && { reference }) },
    referenceHash: referenceHash(reference, receiver),
  }
}

function toPickup(collects: readonly string[]): Order["intent"] {
  const [shipmentId] = collects.length === 1 ? collects : []
  const goods = collects.join(" and ")
  return {
    content: shipmentId === undefined ? { goods } : { shipmentId, goods },
    call: "POST /pickups",
    request: shipmentId === undefined ? {} : { shipmentId },
    facts: { ...(shipmentId !== undefined && { shipmentId }) },
    referenceHash: undefined,
  }
}
