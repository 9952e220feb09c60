/** Finds the entry that prevents a claim, or makes the claim. */
import { groupBy } from "../base/grouping.ts"
import type { Statements, Transaction } from "./database/database.ts"
import { type Entry, idOf, type Kind, otherId, type Sender } from "./entry.ts"
import { type Account, type Compared, findCompared } from "./accounts/account.ts"
import {
  chooseElsewhere,
  compareStranger,
  findDoubtful,
  findStrangers,
  findUnclear,
  findUnmade,
  hashDayGoods,
  listElsewhereNumbers,
  type Stranger,
  UNCLEAR,
} from "./elsewhere.ts"
import {
  collectedBy,
  decideClaim,
  type Decision,
  isInFlight,
  newestAttempt,
  type Preventing,
  type Question,
  whereNotInFlight,
} from "./decision.ts"
import { inScopes, insertRows, placeholders } from "./database/sql.ts"
import { toEntry, toSendRow } from "./entry-rows.ts"
import { listEarlierKeys } from "./order.ts"
import { getNormalizedNumber } from "./spelling.ts"
import type { StandingOf } from "./standing.ts"

export interface Claim extends Question {
  kind: Kind
  owner: Account
  sender: Sender
  call: string
  request: unknown
  facts: Entry["facts"]
}

/** `claimed`: it is this sender's to send, until the lease of the entry runs out. */
export type Claimed =
  | ({ kind: "claimed"; entry: Entry; token: string } & Pick<StandingOf<"free">, "earlier" | "beside">)
  | Decision

type ClaimedEntry = Entry & { token: string }

/** Names to lock: claims that share one of them run one after the other, whatever their accounts. */
export function lockNames(claim: Claim): string[] {
  const { kind, content, referenceHash, collects = [] } = claim
  const number = getNormalizedNumber(claim)
  const names = [
    // A person who reverses an earlier cancellation locks its name: see `cancellations.ts`.
    ...listKeys(claim),
    `content:${content}`,
    ...(referenceHash === undefined ? [] : [`reference:${referenceHash}`]),
    ...(number === "" ? [] : [`spelling:${number}`]),
    ...collects.map((shipment) => `collects:${shipment}`),
  ]
  return names.map((name) => `${kind}/${name}`)
}

export interface AccountQuestion extends Question, Pick<Claim, "kind" | "owner"> {}

/** The scopes that each question searches. */
type Places = ReadonlyMap<Account, Compared>

interface Related {
  places: Places
  entries: ClaimedEntry[]
  /** Shipments booked elsewhere under the same numbers, or with the same goods. */
  elsewhere: readonly Stranger[]
  /** Bookings to the same postcodes with an unknown outcome that no process is sending. */
  open: readonly Entry[]
}

function listKeys({ key, replaces }: Question): string[] {
  return replaces ? [...listEarlierKeys(key), key] : [key]
}

/** Every attempt under the keys, and all that has the contents, references or numbers, or collects the shipments. */
async function findRelated(
  statements: Statements,
  questions: readonly AccountQuestion[],
  now: number,
): Promise<Related> {
  const places = new Map<Account, Compared>()
  for (const { owner } of questions)
    if (!places.has(owner)) places.set(owner, await findCompared(statements, owner))
  const entries: ClaimedEntry[] = []
  const listScopes = ({ owner, kind }: AccountQuestion) => {
    const { own, unknown, apart } = places.get(owner) ?? NOWHERE
    return [...own, ...unknown, ...(kind === "shipment" ? [] : apart)]
  }
  for (const scope of new Set(questions.flatMap(listScopes))) {
    const asked = questions.filter((question) => listScopes(question).includes(scope))
    const shipments = asked.flatMap(({ collects }) => collects ?? [])
    const common = await findCommonPickups(statements, scope, shipments)
    // One search for each: SQLite would look through the whole account for an OR over several indexes.
    const searches = (
      [
        ["idempotency_key", asked.flatMap(listKeys).flatMap((key) => /^key:(.*)/s.exec(key)?.[1] ?? [])],
        ["normalized_number", asked.map(getNormalizedNumber).filter((number) => number !== "")],
        ["content_hash", asked.map(({ content }) => content)],
        ["reference_hash", asked.flatMap(({ referenceHash }) => referenceHash ?? [])],
        ["kind = 'pickup' and shipment_id", shipments],
        ["id", [...common.keys()]],
      ] as const
    )
      .map(([column, values]) => [column, [...new Set(values)]] as const)
      .filter(([, values]) => values.length > 0)
    const rows = await statements.all(
      searches
        .map(
          ([column, values]) =>
            `select * from sends where scope = ? and ${column} in (${placeholders(values)})`,
        )
        .join(" union "),
      searches.flatMap(([, values]) => [scope, ...values]),
    )
    for (const row of rows) {
      const collects = common.get(String(row.id))
      entries.push({ ...toEntry(row), ...(collects && { collects }), token: String(row.claim_token) })
    }
  }
  return {
    ...{ places, entries },
    elsewhere: await findAllElsewhere(statements, questions, places),
    open: await findOpen(statements, questions, places, now),
  }
}

/** Open bookings of the questions' accounts to the same postcodes that no process is sending. */
async function findOpen(
  statements: Statements,
  questions: readonly AccountQuestion[],
  places: Places,
  now: number,
): Promise<Entry[]> {
  const bookings = questions.filter(({ kind }) => kind === "shipment")
  const scopes = [...new Set(bookings.flatMap(({ owner }) => places.get(owner)?.own ?? []))]
  const postcodes = new Set(bookings.flatMap(({ request }) => Object(request).receiver?.postcode ?? []))
  if (postcodes.size === 0) return []
  const free = whereNotInFlight(now)
  const rows = await statements.all(
    `select * from sends where state = 'unknown' and kind = 'shipment' and ${free.sql}${inScopes(scopes)}
      and receiver_postcode in (${placeholders([...postcodes])})`,
    [...free.parameters, ...scopes, ...postcodes],
  )
  return rows.map(toEntry)
}

async function findAllElsewhere(
  statements: Statements,
  questions: readonly AccountQuestion[],
  places: Places,
): Promise<Stranger[]> {
  const bookings = questions.filter(({ kind }) => kind === "shipment")
  const scopes = [...new Set(bookings.flatMap(({ owner }) => places.get(owner)?.own ?? []))]
  const unclear = bookings.some(({ again }) => !again) ? [UNCLEAR] : []
  const numbers = [...bookings.flatMap(listElsewhereNumbers), ...unclear]
  const goods = bookings.flatMap(({ dayGoodsHash, again }) => (again ? [] : (dayGoodsHash ?? [])))
  return findStrangers(statements, scopes, [
    { column: "normalized_number", values: numbers },
    { column: "goods_hash", values: goods },
  ])
}

const NOWHERE: Omit<Compared, "scope"> = { own: [], unknown: [], apart: [] }

/** The shipments among these that a pickup for several collects, by the pickup's id. */
async function findCommonPickups(
  statements: Statements,
  scope: string,
  shipments: readonly string[],
): Promise<Map<string, string[]>> {
  if (shipments.length === 0) return new Map()
  const rows = await statements.all(
    `select send_id, shipment_id from collected where scope = ? and shipment_id in (${placeholders(shipments)})`,
    [scope, ...shipments],
  )
  const byId = groupBy(rows, ({ send_id: id }) => String(id))
  return new Map(Array.from(byId, ([id, own]) => [id, own.map(({ shipment_id }) => String(shipment_id))]))
}

/** The answers that claims would get now. */
export async function judgeAll(
  statements: Statements,
  questions: readonly AccountQuestion[],
  now: number,
): Promise<Decision[]> {
  const related = await findRelated(statements, questions, now)
  return questions.map((question) => judgeOne(related, question, now))
}

/** Checks the claim's own account first, then shipments booked elsewhere, then accounts that may be the same. */
function judgeOne(
  { entries, places, elsewhere, open }: Related,
  question: AccountQuestion,
  now: number,
): Decision {
  const { own, unknown, apart } = places.get(question.owner) ?? NOWHERE
  const within = (scopes: readonly string[]) =>
    entries.filter(({ scope, kind }) => kind === question.kind && scopes.includes(scope))
  const named = within(apart).filter((entry) => isOneThing(entry, question))
  const decision = decideClaim([...within(own), ...named], question, now)
  if (decision.kind !== "free") return decision
  const underKey = decision.own && { own: decision.own }
  const stranger = judgeElsewhere(
    elsewhere.filter(({ entry }) => own.includes(entry.scope)),
    question,
    now,
  )
  if (stranger) return { ...stranger, ...underKey }
  const other = decideClaim(within(unknown), question, now)
  if (other.kind !== "free") return { kind: "other-account", entry: other.entry, ...underKey }
  const number = getNormalizedNumber(question)
  const beside = open.find(
    (entry) =>
      own.includes(entry.scope) &&
      (number === "" || getNormalizedNumber(entry) !== number) &&
      hasSameDayGoods(entry, question),
  )
  if (beside && number === "") return { kind: "unknown", entry: beside, ...underKey }
  return { ...decision, ...(beside && { beside }) }
}

/** Whether a print names the same page and device, or a pickup the same shipment: no two accounts have one of those. */
function isOneThing(entry: Entry, { kind, content, collects }: AccountQuestion): boolean {
  return kind === "pickup" ? collectedBy(entry, collects) !== undefined : entry.content === content
}

/** Whether a person gave each of the two its own number: an unknown outcome stops only its own order. */
function isOtherNumber(entry: Entry, question: AccountQuestion): boolean {
  const [one, other] = [getNormalizedNumber(entry), getNormalizedNumber(question)]
  return one !== "" && other !== "" && one !== other
}

function hasSameDayGoods({ request }: Entry, question: AccountQuestion): boolean {
  const asked = hashDayGoods(Object(question.request))
  return asked !== undefined && hashDayGoods(Object(request)) === asked
}

/**
 * Finds a shipment booked elsewhere that prevents the claim: the same order number, the same goods on the same day
 * without a number, or one that cannot be told apart.
 */
function judgeElsewhere(
  elsewhere: readonly Stranger[],
  question: AccountQuestion,
  now: number,
): Preventing | undefined {
  if (question.kind !== "shipment") return undefined
  const entries = elsewhere.map(({ entry }) => entry)
  const preventBy = (maker: Entry): Preventing => {
    return { kind: isInFlight(maker, now) ? "sending" : "unknown", entry: maker }
  }
  /** It belongs to the process that is sending it, or it is the same order booked elsewhere. */
  const findMaker = (found: Entry): Preventing | undefined => {
    const [maker] = elsewhere.find(({ entry }) => entry === found)?.makers ?? []
    return maker && preventBy(maker)
  }
  const named = chooseElsewhere(entries, question)
  if (named) return findMaker(named) ?? compareStranger(named, question)
  const { dayGoodsHash, again } = question
  if (again) return undefined
  const doubtful = findDoubtful(entries, question)
  if (doubtful) return findMaker(doubtful) ?? { kind: "equal", entry: doubtful }
  const isTwin = ({ entry: { request } }: Stranger) =>
    dayGoodsHash !== undefined && hashDayGoods(Object(request)) === dayGoodsHash
  const twins = elsewhere.filter(isTwin)
  const own = twins.flatMap(({ makers }) => makers).find((maker) => !isOtherNumber(maker, question))
  if (own) return preventBy(own)
  const twin = findUnmade(twins)
  if (twin) return { kind: "equal", entry: twin }
  const unclear = findUnclear(entries, question)
  return unclear && { kind: "equal", entry: unclear }
}

/**
 * Looks, decides and inserts, in a transaction that holds the names of `lockNames`.
 * @param isContested the database has refused to insert: another entry has the key, or the id
 */
export async function claimAll(
  transaction: Transaction,
  asked: readonly { claim: Claim; token: string }[],
  now: number,
  leaseUntil: string,
  isContested: boolean,
): Promise<Claimed[]> {
  // Also what this transaction claims: the next one may be equal to it.
  const related = await findRelated(
    transaction,
    asked.map(({ claim }) => claim),
    now,
  )
  const { entries } = related
  const made: ClaimedEntry[] = []
  const results = asked.map(({ claim, token }): Claimed => {
    // The connection broke during the commit: the claim exists, and it is this one.
    const own = entries.find((entry) => entry.token === token)
    if (own) return { kind: "claimed", entry: own, token }
    const standing = judgeOne(related, claim, now)
    if (standing.kind !== "free") return standing
    const attempt = toAttempt(claim, entries, now, leaseUntil)
    const entry = isContested ? { ...attempt, id: otherId(attempt.id, token) } : attempt
    entries.push({ ...entry, token })
    made.push({ ...entry, token })
    const { earlier, beside } = standing
    return { kind: "claimed", entry, token, ...(earlier && { earlier }), ...(beside && { beside }) }
  })
  await insertRows(
    transaction,
    "sends",
    made.map((entry) => toSendRow(entry, entry.token)),
  )
  // A pickup for several does not list its shipments in its facts.
  const common = made.filter(({ facts }) => facts.shipmentId === undefined)
  await insertRows(
    transaction,
    "collected",
    common.flatMap(({ scope, id, collects = [] }) =>
      collects.map((shipment) => ({ scope, shipment_id: shipment, send_id: id })),
    ),
  )
  return results
}

function toAttempt(claim: Claim, entries: readonly Entry[], now: number, leaseUntil: string): Entry {
  const { again: _, replaces: __, written: ___, dayGoodsHash: ____, ...named } = claim
  const { owner, referenceHash, collects, ...kept } = named
  const { scope, fingerprint: account } = owner
  const under = entries.filter(
    (entry) => entry.scope === scope && entry.kind === claim.kind && entry.key === claim.key,
  )
  const attempt = newestAttempt(under) + 1
  return {
    ...kept,
    scope,
    account,
    ...(referenceHash !== undefined && { referenceHash }),
    ...(collects && { collects }),
    id: `${idOf(scope, claim.kind, claim.key)}.${attempt}`,
    attempt,
    state: "unknown",
    sentAt: new Date(now).toISOString(),
    leaseUntil,
  }
}
