/**
 * Rules that must hold, in terms of true tenants and of what people mean. They know nothing of scopes, leases and states:
 * they see who asks for what, what is made, and at the end what the ledger has.
 */
import type { DatabaseRow } from "../../src/ledger/database/database.ts"
import type { Cancellation } from "../../src/ledger/entry.ts"
import type { SimulatedLedger } from "./ledgers.ts"
import type { Order } from "./orders.ts"
import { count, type Report, type Situation } from "./report.ts"
import { type ApiKey, findShipment, type Shipment, type Tenant } from "./services.ts"
import { numberOf, type Shop } from "./shop.ts"
import { DAY, HOUR, SECOND, type SimulatedTime } from "./time.ts"

/** The 24 hours in which equal content is one order, less what two clocks may be wrong. */
const SURELY_EQUAL_MS = 21 * HOUR
const A_WEEK_MS = 6.5 * DAY

/** Someone asks for an order with a key, in a ledger. */
export interface Attempt {
  id: number
  order: Order
  key: ApiKey
  address: string
  desk: string
  ledger: SimulatedLedger
  /** It is a row of a batch. */
  isBatch: boolean
  at: number
  /** The command is still running. */
  isRunning: boolean
  /** The key had no claim in the ledger, and the ledger had none at all. */
  isFirst: boolean
  isInNewLedger: boolean
  /** Counts claims and copies: when each ledger knew of it. */
  knownIn: Map<SimulatedLedger, number>
  claimed: number
  isAtService: boolean
  isReleased: boolean
  /** How its command ended. */
  end?: string
  made?: { id: string; at: number; shipment?: Shipment }
  /** Shipments in the list when its command began to look for bookings made elsewhere. */
  listed?: ReadonlySet<Shipment>
}

interface Asking {
  order: Order
  key: ApiKey
  address: string
  desk: string
  ledger: SimulatedLedger
  isBatch: boolean
}

export function createExpectations(report: Report, time: SimulatedTime, where: () => string) {
  let sequence = 0
  const attempts: Attempt[] = []
  const byToken = new Map<string, Attempt>()
  const claimed: Attempt[] = []
  /** The first thing that each key sent, by ledger. */
  const firsts = new Map<SimulatedLedger, Map<ApiKey, Attempt>>()
  /** Keys that were not shown a shipment of their own tenant. */
  const missed = new Set<ApiKey>()
  /**
   * Made twice as two ledgers did not know of each other: once they do, one is marked as a duplicate. Not what was printed:
   * without a freight key nobody knows whose that is.
   */
  const madeApart: [Attempt, Attempt][] = []
  const refused = new Map<string, Attempt>()
  /** Words of carriers on the phone that were reported as recorded, each once. */
  const words: string[] = []

  const tell = (list: string[], text: string) => list.push(`${where()}: ${text}`)
  const firstsIn = (ledger: SimulatedLedger) => {
    const found = firsts.get(ledger) ?? new Map<ApiKey, Attempt>()
    firsts.set(ledger, found)
    return found
  }
  const describe = ({ id, order, key, desk, ledger, address, at }: Attempt) =>
    `#${id} ${order.kind} ${order.number ?? "no number"}${order.isNumberGenerated ? " (generated)" : ""}${order.again ? " again" : ""} [${order.content}] with ${key.fingerprint} at ${desk}, ${address}, in ${ledger.name}, ${new Date(at).toISOString()}`

  /** How an order that was booked by another key of the account is asked for again. */
  const listSituations = (attempt: Attempt): Situation[] => {
    const { order, key, ledger } = attempt
    if (order.number === undefined || order.kind === "pdf-print") return []
    const others = attempts.filter(
      (each) =>
        each !== attempt &&
        each.key !== key &&
        each.order.number === order.number &&
        each.order.kind === order.kind &&
        each.order.tenant === order.tenant,
    )
    const earlier = others.filter((each) => each.made && each.knownIn.has(ledger))
    const running = others.filter((each) => each.isRunning && each.ledger === ledger)
    const found: Situation[] = []
    const first = firstsIn(ledger).get(key)
    if (earlier.length > 0) {
      if (first?.end === "refused" && first.order.kind === "shipment") found.push("a")
      if (first?.order.kind === "pickup") found.push("b")
      if (first?.isReleased) found.push("c")
      if (earlier.some((each) => each.ledger !== ledger)) found.push("d")
      if (earlier.some((each) => each.address !== attempt.address)) found.push("e")
      if (missed.has(key)) found.push("i")
      const wereFirst = earlier.some((each) => {
        const theirs = firstsIn(ledger).get(each.key)
        return (
          first !== undefined &&
          theirs !== undefined &&
          theirs.order.number !== first.order.number &&
          Math.abs(theirs.at - first.at) < 5 * SECOND &&
          time.now() - first.at > A_WEEK_MS
        )
      })
      if (wereFirst) found.push("h")
    }
    if (attempt.isInNewLedger && running.some((each) => each.isInNewLedger)) found.push("f")
    if (attempt.isBatch && running.some((each) => each.isBatch && each.desk !== attempt.desk)) found.push("g")
    return found
  }

  return {
    describe,
    /** Someone asks for an order. */
    begin(asking: Asking): Attempt {
      const known = firstsIn(asking.ledger)
      const attempt: Attempt = {
        ...asking,
        id: attempts.length + 1,
        ...{ at: time.now(), isRunning: true, knownIn: new Map(), claimed: 0 },
        ...{ isAtService: false, isReleased: false },
        isFirst: !known.has(asking.key),
        isInNewLedger: known.size === 0,
      }
      for (const situation of listSituations(attempt)) report.situations[situation]++
      attempts.push(attempt)
      return attempt
    },
    noteToken(attempt: Attempt, token: string) {
      byToken.set(token, attempt)
    },
    noteClaim(attempt: Attempt) {
      attempt.claimed = ++sequence
      attempt.knownIn.set(attempt.ledger, 0)
      claimed.push(attempt)
      const known = firstsIn(attempt.ledger)
      if (!known.has(attempt.key)) known.set(attempt.key, attempt)
    },
    noteEnd(attempt: Attempt, end: string) {
      attempt.isRunning = false
      attempt.end = end
      count(report.ends, end)
      if (end === "other account")
        refused.set(
          `${attempt.order.tenant.name}/${attempt.order.kind}/${attempt.order.number ?? attempt.order.content}`,
          attempt,
        )
    },
    noteHeldByItself(attempt: Attempt) {
      tell(report.stuck, `${describe(attempt)} was held by its own claim, and not sent`)
    },
    noteWord(word: string) {
      words.push(word)
    },
    /** A booking that its carrier has cancelled was given as what stands. */
    noteGivenAway(attempt: Attempt) {
      tell(report.wrong, `${describe(attempt)} is answered with what is cancelled`)
    },
    noteMissed(key: ApiKey) {
      missed.add(key)
    },
    /**
     * The first byte of its request is about to leave.
     * @param settled the shipments that its ledger has for orders, by token. An order without an answer is settled with
     *   another one's where nobody can tell the two apart, and then nothing is open.
     */
    noteLeaving(attempt: Attempt, settled: ReadonlyMap<string, string>) {
      attempt.isAtService = true
      const found = new Map(Array.from(settled, ([token, id]) => [byToken.get(token), id]))
      const isSettled = (other: Attempt) => {
        const shipment = findShipment(other.order.tenant.service, found.get(other) ?? "")
        return shipment !== undefined && shipment.order.details === other.order.details
      }
      if (attempt.isReleased) tell(report.early, `${describe(attempt)} is sent after it was released`)
      for (const other of claimed)
        if (
          other !== attempt &&
          other.isAtService &&
          knows(attempt, other) &&
          areOne({ ...attempt.order, again: false }, other.order, 0) &&
          !isSettled(other)
        )
          tell(report.early, `${describe(attempt)} is sent while ${describe(other)} is`)
    },
    noteMade(attempt: Attempt, made: NonNullable<Attempt["made"]>) {
      attempt.made = made
      count(report.made, attempt.order.kind)
      for (const other of claimed) {
        if (other === attempt || !other.made) continue
        const [earlier, later] = other.claimed < attempt.claimed ? [other, attempt] : [attempt, other]
        if (
          earlier.made?.shipment &&
          later.listed?.has(earlier.made.shipment) &&
          isListed(later.order, earlier.order) &&
          !knows(later, earlier)
        )
          tell(report.double, `listed before: ${describe(later)} beside ${describe(earlier)}`)
        const why = areOne(later.order, earlier.order, Math.abs(made.at - other.made.at))
        if (why === undefined) continue
        if (knows(later, earlier))
          tell(report.double, `${why}: ${describe(later)} beside ${describe(earlier)}`)
        else if (
          why !== "one reference" &&
          why !== "one number in two spellings" &&
          why !== "one order under two keys" &&
          why !== "one return" &&
          attempt.order.kind !== "pdf-print"
        )
          madeApart.push([later, earlier])
      }
    },
    /**
     * Someone settles an order with a shipment. Where that was made for another order with the same details, which nobody
     * can tell from it, the two have changed places: that one has none now, and may be sent again.
     */
    noteSettled(attempt: Attempt, maker: Attempt) {
      if (attempt === maker || !maker.made) return
      attempt.made = maker.made
      delete maker.made
    },
    noteReleased(token: string) {
      const attempt = byToken.get(token)
      if (attempt) attempt.isReleased = true
    },
    /** A command was given, or shown, the entry of an earlier order. */
    noteAnswer(attempt: Attempt, token: string, isRecorded: boolean) {
      const given = byToken.get(token)
      const { order } = attempt
      if (given?.order.tenant !== order.tenant)
        tell(
          report.wrong,
          `${describe(attempt)} is answered with ${given ? describe(given) : "nothing known"}`,
        )
      else if (isRecorded && given.order.number !== order.number)
        tell(report.wrong, `${describe(attempt)} is answered with another order, ${describe(given)}`)
    },
    /** All that one ledger had known when the copying began is in the other one now. */
    noteCopied(from: SimulatedLedger, to: SimulatedLedger) {
      sequence++
      for (const attempt of attempts)
        if (attempt.knownIn.has(from) && !attempt.knownIn.has(to)) attempt.knownIn.set(to, sequence)
      const known = firstsIn(to)
      for (const [key, attempt] of firstsIn(from)) if (!known.has(key)) known.set(key, attempt)
    },
    findByToken: (token: string) => byToken.get(token),
    /** Certainty that people have who ask the carrier: what came of an order, and whether something still may. */
    listMade: (order: Order, ledger: SimulatedLedger): Attempt[] =>
      claimed.filter(
        (each) =>
          each.made &&
          each.knownIn.has(ledger) &&
          each.order.tenant === order.tenant &&
          each.order.kind === order.kind &&
          each.order.details === order.details,
      ),
    isAtService: ({ tenant, kind, details }: Order): boolean =>
      claimed.some(
        ({ isAtService, order }) =>
          isAtService && order.tenant === tenant && order.kind === kind && order.details === details,
      ),
    /** Orders that were refused since another account has the like, and for which nothing was made since. */
    listRefused: (): Attempt[] => [...refused.values()],
    checkLedger(rows: readonly DatabaseRow[]) {
      const seen = readRows(rows)
      for (const text of [
        ...findWrongEntries(seen),
        ...findUnmarked(madeApart, seen),
        ...findWrongWords(rows),
      ])
        tell(report.wrong, text)
      for (const text of findReplacedEarly(seen)) tell(report.double, text)
      for (const text of findLost(seen)) tell(report.lost, text)
    },
    checkShops(rows: readonly DatabaseRow[], shops: ReadonlyMap<Tenant, Shop>) {
      for (const text of findWrongNumbers(rows, shops)) tell(report.wrong, text)
    },
  }

  /** Each shop has the valid numbers of each order that people numbered, and no other. */
  function findWrongNumbers(rows: readonly DatabaseRow[], shops: ReadonlyMap<Tenant, Shop>): string[] {
    const booked = rows.flatMap((row) => {
      const attempt = byToken.get(String(row.claim_token))
      const isBooked = row.kind === "shipment" && row.state === "done" && row.shipment_id !== null
      return attempt && isBooked && isGiven(attempt.order) && !attempt.order.brings ? [{ row, attempt }] : []
    })
    const ofOrder = ({ order }: Attempt) => (order.number ?? "").replace(/#\d+$/, "")
    return Array.from(shops, ([tenant, shop]) => {
      const own = booked.filter(({ attempt }) => attempt.order.tenant === tenant)
      return [...new Set(own.map(({ attempt }) => ofOrder(attempt)))].flatMap((number) => {
        const all = own.filter(({ attempt }) => ofOrder(attempt) === number)
        // An order that was made in two ledgers is for a person to settle.
        const isSettled = all.every(
          ({ row, attempt: { at } }) => row.duplicate_of === null && at > time.now() - 29 * DAY,
        )
        if (!isSettled) return []
        const standing = all.flatMap(({ row }) => {
          const shipment = findShipment(tenant.service, String(row.shipment_id))
          return row.cancelled_at === null && shipment ? [numberOf(shipment)] : []
        })
        const told = [...(shop.orders.get(number) ?? [])]
        return String(told.sort()) === String(standing.sort())
          ? []
          : [
              `the shop of ${tenant.name} has ${told.join(", ") || "nothing"} of ${number}, and not ${standing.join(", ") || "nothing"}`,
            ]
      })
    }).flat()
  }

  function readRows(rows: readonly DatabaseRow[]) {
    const entries = rows.map((row) => ({ row, attempt: byToken.get(String(row.claim_token)) }))
    const holders = new Map<Shipment, { row: DatabaseRow; attempt: Attempt }>()
    const byAttempt = new Map<Attempt, DatabaseRow>()
    for (const { row, attempt } of entries) if (attempt && isLive(row)) byAttempt.set(attempt, row)
    return { entries, holders, byAttempt }
  }

  function findWrongEntries({ entries, holders }: ReturnType<typeof readRows>): string[] {
    const wrong: string[] = []
    for (const { row, attempt } of entries) {
      const about = `${row.id} (${row.state}${row.note ? `, ${row.note}` : ""})`
      if (!attempt) {
        wrong.push(`${about} was never asked for`)
        continue
      }
      const { order } = attempt
      if (row.duplicate_of !== null) {
        const earlier = entries.find(({ row: { id } }) => id === row.duplicate_of)?.attempt
        if (
          earlier?.order.tenant !== order.tenant ||
          areOne({ ...order, again: false }, earlier.order, 0) === undefined
        )
          wrong.push(`${about} is no duplicate of ${row.duplicate_of}: ${describe(attempt)}`)
      }
      if (row.state !== "done") continue
      if (order.kind === "shipment") {
        const shipment =
          row.shipment_id === null ? undefined : findShipment(order.tenant.service, String(row.shipment_id))
        if (!shipment) {
          if (row.shipment_id !== null || row.duplicate_of === null)
            wrong.push(`${about} is done as ${row.shipment_id}, which was never made`)
          continue
        }
        const holder = holders.get(shipment)
        if (shipment.tenant !== order.tenant)
          wrong.push(`${about} of ${order.tenant.name} is ${shipment.id} of ${shipment.tenant.name}`)
        else if (shipment.order.details !== order.details)
          wrong.push(`${about} is ${shipment.id}, which is another order`)
        if (holder) wrong.push(`${shipment.id} is at ${about} and at ${holder.row.id}`)
        holders.set(shipment, { row, attempt })
      } else if (
        !attempt.made &&
        !(order.shipments.length > 0 && order.shipments.every(({ hasPickup }) => hasPickup))
      )
        wrong.push(`${about} is done, and was never made: ${describe(attempt)}`)
    }
    return wrong
  }

  /** Each word stands where it was written, and is the last one or was taken back. */
  function findWrongWords(rows: readonly DatabaseRow[]): string[] {
    const said = rows.flatMap((row) =>
      readWords(row).map((word, n, all) => ({ row, word, isLast: n === all.length - 1 })),
    )
    const known = new Set(said.flatMap(({ word }) => [word.confirmedBy, word.takenBack?.why]))
    const lost = words.filter((word) => !known.has(word)).map((word) => `what was said as ${word} is lost`)
    const wrong = said.flatMap(({ row, word, isLast }) => {
      const stands = word.takenBack === undefined
      if (stands && !isLast) return [`${row.id} is cancelled twice`]
      return isLast && !stands && row.cancelled_at !== null
        ? [`${row.id} is cancelled, and that was taken back`]
        : []
    })
    return [...lost, ...wrong]
  }

  /**
   * Bookings that replaced another one of the same order which was not cancelled yet. Only if both are in one ledger, by
   * whose clock they are compared.
   */
  function findReplacedEarly({ entries }: ReturnType<typeof readRows>): string[] {
    return entries.flatMap(({ row, attempt }) => {
      if (!attempt?.order.replaces || attempt.ledger.dialect !== "postgres") return []
      const [, first, count] = /^(.*)#(\d+)$/.exec(attempt.order.number ?? "") ?? []
      const numbers = Array.from({ length: Number(count) - 1 }, (_, n) =>
        n === 0 ? first : `${first}#${n + 1}`,
      )
      const standing = entries.find(
        (other) =>
          isLive(other.row) &&
          other.attempt?.order.tenant === attempt.order.tenant &&
          other.attempt.ledger === attempt.ledger &&
          other.attempt.claimed < attempt.claimed &&
          numbers.includes(other.attempt.order.number) &&
          !isCancelledAt(other.row, String(row.created_at)),
      )
      return standing?.attempt
        ? [`${describe(attempt)} takes the place of ${describe(standing.attempt)}, which stood`]
        : []
    })
  }

  function findLost({ entries, holders, byAttempt }: ReturnType<typeof readRows>): string[] {
    const open = entries.filter(({ row, attempt }) => row.state === "unknown" && attempt)
    const lost: string[] = []
    for (const attempt of claimed) {
      const { made, order } = attempt
      if (!made || (made.shipment && holders.has(made.shipment))) continue
      const row = byAttempt.get(attempt)
      if (row && (row.duplicate_of !== null || order.kind !== "shipment")) continue
      const at = open.findIndex(
        ({ attempt: other }) =>
          other?.order.tenant === order.tenant &&
          other.order.kind === order.kind &&
          other.order.details === order.details,
      )
      if (at < 0) lost.push(`${made.id} is not in the ledger: ${describe(attempt)}`)
      else open.splice(at, 1)
    }
    return lost
  }

  function findUnmarked(
    pairs: readonly [Attempt, Attempt][],
    { byAttempt }: ReturnType<typeof readRows>,
  ): string[] {
    return pairs.flatMap(([later, earlier]) => {
      const [a, b] = [byAttempt.get(later), byAttempt.get(earlier)]
      if (!a || !b || a.duplicate_of !== null || b.duplicate_of !== null) return []
      return [
        `${a.id} and ${b.id} were made in two ledgers, and neither is marked: ${describe(later)} and ${describe(earlier)}`,
      ]
    })
  }
}

export type Expectations = ReturnType<typeof createExpectations>

function readWords({ cancellations }: DatabaseRow): readonly Cancellation[] {
  return cancellations === null ? [] : (JSON.parse(String(cancellations)) as Cancellation[])
}

/** @param at ISO 8601 in UTC, as the times of the words are */
function isCancelledAt(row: DatabaseRow, at: string): boolean {
  return readWords(row).some((word) => word.at <= at && at <= (word.takenBack?.at ?? at))
}

function isLive({ state }: DatabaseRow): boolean {
  return state === "unknown" || state === "done"
}

/** Whether an order that the list shows is this one: it has the same reference, or the same goods without one. */
export function isListed(order: Order, listed: Order): boolean {
  return !order.again && (order.goods === listed.goods || order.details === listed.details)
}

/** Whether the ledger of one knew of the other when it was claimed. */
function knows(later: Attempt, earlier: Attempt): boolean {
  const since = earlier.knownIn.get(later.ledger)
  return since !== undefined && since < later.claimed
}

/**
 * Why two orders are one for whoever gave them; undefined where they are two.
 * @param apart how long after the earlier one, in milliseconds
 */
export function areOne(later: Order, earlier: Order, apart: number): string | undefined {
  if (later.tenant !== earlier.tenant || later.kind !== earlier.kind) return undefined
  if (later.number !== undefined && later.number === earlier.number) return "one number"
  if (later.brings || earlier.brings)
    return later.again || !isOneReturn(later, earlier) ? undefined : "one return"
  const isCollected =
    later.kind === "pickup" && later.shipments.some((each) => earlier.shipments.includes(each))
  if (isCollected) return later.again ? undefined : "one shipment"
  const isRespelled = later.numberMeant !== undefined && later.numberMeant === earlier.numberMeant
  if (isRespelled && isGiven(later) && isGiven(earlier) && later.details === earlier.details)
    return later.again ? undefined : "one number in two spellings"
  const isSameOrder = hasReference(later) && later.kind === "shipment" && later.details === earlier.details
  if (isSameOrder && (isGiven(later) || isGiven(earlier)))
    return later.again ? undefined : "one order under two keys"
  if (later.goods !== earlier.goods || later.again || apart >= SURELY_EQUAL_MS) return undefined
  if (isGiven(later) && isGiven(earlier)) return undefined
  return later.content === earlier.content ? "one content" : "one reference"
}

/** Whether both bring back one package of one order. */
function isOneReturn({ brings: later }: Order, { brings: earlier }: Order): boolean {
  if (!later || !earlier || later.order !== earlier.order) return false
  return later.part === earlier.part || later.part === "both" || earlier.part === "both"
}

function hasReference({ goods }: Order): boolean {
  return goods.startsWith("reference ")
}

function isGiven({ number, isNumberGenerated }: Order): boolean {
  return number !== undefined && !isNumberGenerated
}
