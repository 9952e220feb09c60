/** What the ledger asks of its database, and the transactions that keep its promise. */
import type { Ids } from "../ports.ts"
import {
  type Database,
  type Row,
  type Statements,
  type Transaction,
  UniqueViolation,
  type Value,
} from "./database.ts"
import { type Entry, idOf, type Kind, type Sender, type State } from "./entry.ts"
import { groupCommit } from "./group-commit.ts"
import { isInFlight, judge, type Judgement, newestUnder, type Question } from "./judge.ts"
import { entryOf, outcomeOf, rowOf } from "./rows.ts"

/** What is to be claimed. */
export interface Claim extends Question {
  kind: Kind
  scope: string
  account: string
  sender: Sender
  call: string
  request: unknown
  facts: Entry["facts"]
}

/** `claimed`: it is this sender's to send, until the lease of the entry runs out. */
export type Claimed = { verdict: "claimed"; entry: Entry; token: string } | Judgement

/** What `history` shows: see `search` in `history.ts`. */
export interface HistoryFilter {
  since?: string
  kind?: Kind
  state?: State
  search?: string
  scopes?: readonly string[]
}

export interface Store {
  readonly database: Database
  /** Where it is, for people. */
  readonly place: string
  /** Looks and claims in one transaction. @throws FreightError when the ledger cannot be used: then nothing stands */
  claim(claim: Claim, token: string): Promise<Claimed>
  /** Names a claim before it is made, so that it is known again after a broken connection. */
  newToken(): string
  /** Marks a claim that was never sent as refused; nothing where it does not stand. */
  undo(token: string): Promise<void>
  /** What `claim` would say now. */
  look(question: Question & Pick<Claim, "kind" | "scope">): Promise<Judgement>
  /** The newest attempt under a key, in any account where no scope is given. */
  latest(scope: string | undefined, kind: Kind, key: string): Promise<Entry | undefined>
  byId(id: string): Promise<Entry | undefined>
  /**
   * Writes a sender's own outcome. It holds against what others made of the entry since: they guessed, the sender knows.
   * @returns false when something else stands under its key by now, so that it could not be written
   */
  record(entry: Entry, token: string): Promise<boolean>
  /** Keeps why sending failed in an entry that stays open, and ends its lease. */
  recordFailure(entry: Entry, token: string): Promise<void>
  /**
   * Settles an open entry that nobody is sending.
   * @param unless an open entry beside which it must stay open
   * @returns false when it is not so any more, or the shipment is another's
   */
  settle(entry: Entry, unless?: (other: Entry) => boolean): Promise<boolean>
  /** Moves the leases on. @returns the ids of those that still held */
  renew(ids: readonly string[]): Promise<readonly string[]>
  /** Entries without an outcome, oldest first. */
  open(scopes?: readonly string[]): Promise<Entry[]>
  ofShipment(scope: string | undefined, shipmentId: string): Promise<Entry | undefined>
  /** Newest first. */
  history(filter: HistoryFilter): Promise<Entry[]>
  /** The database's clock. */
  now(): Promise<number>
  close(): Promise<void>
}

interface StoreOptions {
  ids: Ids
  leaseMs: number
}

/** Entries in one transaction at most. */
const MOST_AT_ONCE = 64
/** A unique violation means that another process was quicker: the next look sees what it did. */
const LOOKS = 5

type Write =
  | { what: "claim"; claim: Claim; token: string }
  | { what: "record"; entry: Entry; token: string }
  | { what: "failure"; entry: Entry; token: string }
  | { what: "renew"; ids: readonly string[] }
type Written = Claimed | boolean | readonly string[] | undefined

export function createStore(database: Database, { ids, leaseMs }: StoreOptions): Store {
  const leaseFrom = (now: number) => new Date(now + leaseMs).toISOString()

  const writeAll = (writes: readonly Write[]) =>
    lookingAgain(() =>
      database.transaction(async (transaction) => {
        const now = await transaction.now()
        const claims = writes.flatMap((write) => (write.what === "claim" ? [write] : []))
        await transaction.lock(claims.flatMap(({ claim }) => lockNames(claim)))
        const results = new Map<Write, Written>()
        // What is settled first may free a key that is claimed after it.
        for (const write of writes) {
          if (write.what === "record") results.set(write, await record(transaction, write, now))
          if (write.what === "failure") results.set(write, await recordFailure(transaction, write))
          if (write.what === "renew") results.set(write, await renew(transaction, write.ids, leaseFrom(now)))
        }
        const found = await related(
          transaction,
          claims.map(({ claim }) => claim),
        )
        const made: Entry[] = []
        for (const write of claims) {
          const claimed = claimIn([...found, ...made], write, now, leaseFrom(now))
          if (claimed.verdict === "claimed" && claimed.isNew) made.push(claimed.entry)
          results.set(write, claimed)
        }
        await insert(
          transaction,
          claims.flatMap((write) => {
            const result = results.get(write)
            return isNew(result) ? [rowOf(result.entry, write.token)] : []
          }),
        )
        return writes.map((write) => results.get(write))
      }),
    )
  const write = groupCommit(writeAll, MOST_AT_ONCE)

  /** Questions that are asked at the same time are answered by one query. */
  const lookAll = async (questions: readonly (Question & Pick<Claim, "kind" | "scope">)[]) => {
    const now = await database.now()
    const found = await related(database, questions)
    return questions.map((question) => judge(sameScope(found, question), question, now))
  }
  const look = groupCommit(lookAll, MOST_AT_ONCE)

  return {
    database,
    place: database.place,
    newToken: () => ids.uuid(),
    claim: async (claim, token) => (await write({ what: "claim", claim, token })) as Claimed,
    async undo(token) {
      await database.run(
        "update sends set state = 'refused', lease_until = null, note = ? where claim_token = ? and state = 'unknown'",
        ["Never sent: the ledger could not be reached when it was claimed.", token],
      )
    },
    look,
    async latest(scope, kind, key) {
      const [column, value] = key.startsWith("key:")
        ? ["idempotency_key", key.slice("key:".length)]
        : ["idempotency_key is null and content_hash", key.replace(/^content:/, "")]
      const within = scope === undefined ? "" : "scope = ? and "
      const rows = await database.all(
        `select * from sends where ${within}${column} = ? and kind = ? order by attempt desc, created_at desc`,
        [...(scope === undefined ? [] : [scope]), value, kind],
      )
      return rows[0] && entryOf(rows[0])
    },
    async byId(id) {
      const [row] = await database.all("select * from sends where id = ?", [id])
      return row && entryOf(row)
    },
    record: async (entry, token) => (await write({ what: "record", entry, token })) as boolean,
    async recordFailure(entry, token) {
      await write({ what: "failure", entry, token })
    },
    settle: (entry, unless) => settle(database, entry, unless),
    renew: async (renewed) => (await write({ what: "renew", ids: renewed })) as readonly string[],
    async open(scopes) {
      const rows = await database.all(
        `select * from sends where state = 'unknown'${inScopes(scopes)} order by created_at, id`,
        scopes ?? [],
      )
      return rows.map(entryOf)
    },
    async ofShipment(scope, shipmentId) {
      const within = scope === undefined ? "" : " and scope = ?"
      const rows = await database.all(
        `select * from sends where kind = 'shipment' and shipment_id = ?${within} order by created_at desc`,
        [shipmentId, ...(scope === undefined ? [] : [scope])],
      )
      return rows[0] && entryOf(rows[0])
    },
    async history(filter) {
      const [where, parameters] = historyCondition(filter)
      const rows = await database.all(`select * from sends${where} order by created_at desc, id`, parameters)
      return rows.map(entryOf)
    },
    now: () => database.now(),
    close: () => database.close(),
  }
}

async function lookingAgain<T>(act: () => Promise<T>): Promise<T> {
  for (let looks = 1; ; looks++) {
    try {
      return await act()
    } catch (error) {
      if (!(error instanceof UniqueViolation) || looks >= LOOKS) throw error
    }
  }
}

/** Whoever claims one of these waits for the others that do. */
function lockNames({ scope, kind, key, content, referenceHash }: Claim): string[] {
  const names = [
    key,
    `content:${content}`,
    ...(referenceHash === undefined ? [] : [`reference:${referenceHash}`]),
  ]
  return names.map((name) => `${scope}/${kind}/${name}`)
}

/** Every attempt under the keys, and all that has the contents or the references. */
async function related(
  statements: Statements,
  questions: readonly Pick<Claim, "scope" | "key" | "content" | "referenceHash">[],
): Promise<(Entry & { token: string })[]> {
  const found: (Entry & { token: string })[] = []
  for (const scope of new Set(questions.map((each) => each.scope))) {
    const asked = questions.filter((each) => each.scope === scope)
    const keys = distinct(
      asked.flatMap(({ key }) => (key.startsWith("key:") ? [key.slice("key:".length)] : [])),
    )
    const contents = distinct(asked.map(({ content }) => content))
    const references = distinct(asked.flatMap(({ referenceHash }) => referenceHash ?? []))
    const conditions = [
      keys.length > 0 && `idempotency_key in (${marks(keys)})`,
      `content_hash in (${marks(contents)})`,
      references.length > 0 && `reference_hash in (${marks(references)})`,
    ].filter(Boolean)
    const rows = await statements.all(
      `select * from sends where scope = ? and (${conditions.join(" or ")})`,
      [scope, ...keys, ...contents, ...references],
    )
    for (const row of rows) found.push({ ...entryOf(row), token: String(row.claim_token) })
  }
  return found
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)]
}

function marks(values: readonly unknown[]): string {
  return values.map(() => "?").join(", ")
}

function sameScope<E extends Entry>(
  entries: readonly E[],
  { scope, kind }: Pick<Claim, "scope" | "kind">,
): E[] {
  return entries.filter((entry) => entry.scope === scope && entry.kind === kind)
}

type NewClaim = Extract<Claimed, { verdict: "claimed" }> & { isNew: boolean }

function isNew(written: Written | (Claimed & { isNew?: boolean })): written is NewClaim {
  return typeof written === "object" && "isNew" in written && written.isNew === true
}

/** @param entries what stands, and what the same transaction claims */
function claimIn(
  entries: readonly (Entry & { token?: string })[],
  { claim, token }: Extract<Write, { what: "claim" }>,
  now: number,
  leaseUntil: string,
): NewClaim | Judgement {
  const mine = sameScope(entries, claim)
  // A connection that broke while it committed: the claim stands, and it is this one.
  const own = mine.find((entry) => entry.token === token)
  if (own) return { verdict: "claimed", entry: own, token, isNew: false }
  const judgement = judge(mine, claim, now)
  if (judgement.verdict !== "free") return judgement
  const attempt = (newestUnder(mine, claim.key)?.attempt ?? 0) + 1
  const { scope, kind, key, keyGiven, content, referenceHash, account, sender, call, request, facts } = claim
  const entry: Entry = {
    id: `${idOf(scope, kind, key)}.${attempt}`,
    scope,
    kind,
    key,
    keyGiven,
    account,
    content,
    ...(referenceHash !== undefined && { referenceHash }),
    attempt,
    state: "unknown",
    sentAt: new Date(now).toISOString(),
    leaseUntil,
    sender,
    facts,
    call,
    request,
  }
  return { verdict: "claimed", entry, token, isNew: true }
}

export async function insert(
  transaction: Transaction,
  rows: readonly Readonly<Record<string, Value>>[],
): Promise<void> {
  const [first] = rows
  if (!first) return
  const columns = Object.keys(first)
  const places = `(${marks(columns)})`
  // PostgreSQL takes 65,535 parameters in a statement.
  for (let from = 0; from < rows.length; from += MOST_AT_ONCE) {
    const some = rows.slice(from, from + MOST_AT_ONCE)
    await transaction.run(
      `insert into sends (${columns.join(", ")}) values ${some.map(() => places).join(", ")}`,
      some.flatMap((row) => columns.map((column) => row[column] ?? null)),
    )
  }
}

function setting(values: Readonly<Record<string, Value>>): string {
  return Object.keys(values)
    .map((column) => `${column} = ?`)
    .join(", ")
}

async function record(
  transaction: Transaction,
  { entry, token }: Extract<Write, { what: "record" }>,
  now: number,
): Promise<boolean> {
  const settled: Entry = { ...entry, settledAt: new Date(now).toISOString() }
  delete settled.leaseUntil
  const { kind, scope, id, facts } = settled
  if (settled.state === "done") {
    // Under the same key something else may have been claimed, if a person released this entry meanwhile.
    const [other] = await transaction.all(
      `select id from sends where scope = ? and kind = ? and idempotency_key = ? and id <> ? and state in ('unknown', 'done')`,
      [scope, kind, entry.key.replace(/^key:/, ""), id],
    )
    if (other) return false
    if (kind === "shipment" && facts.shipmentId !== undefined) {
      const owner = await takeBack(transaction, settled, facts.shipmentId)
      if (owner !== undefined) {
        const { shipmentId, ...others } = facts
        settled.facts = others
        settled.note = `The service gave shipment ${shipmentId}, which is also that of ${owner}.`
      }
    }
  }
  const outcome = outcomeOf(settled)
  // What a person released or reconcile found stays, unless this sender knows that it was made.
  const states = settled.state === "done" ? "'unknown', 'released', 'done'" : "'unknown'"
  const changed = await transaction.run(
    `update sends set ${setting(outcome)} where id = ? and claim_token = ? and state in (${states})`,
    [...Object.values(outcome), id, token],
  )
  return changed > 0
}

/**
 * A shipment that was given to another entry by a guess is this one's: the reply says so.
 * @returns the entry that has it by a reply of its own
 */
async function takeBack(
  transaction: Transaction,
  { scope, id }: Entry,
  shipmentId: string,
): Promise<string | undefined> {
  await transaction.run(
    `update sends set state = 'unknown', shipment_id = null, response = null, settled_at = null, lease_until = null, note = ?
      where scope = ? and kind = 'shipment' and shipment_id = ? and id <> ? and note is not null`,
    [
      `Shipment ${shipmentId} turned out to be that of ${id}: what came of this one is not known.`,
      scope,
      shipmentId,
      id,
    ],
  )
  const [owner] = await transaction.all(
    "select id from sends where scope = ? and kind = 'shipment' and shipment_id = ? and id <> ?",
    [scope, shipmentId, id],
  )
  return owner && String(owner.id)
}

async function recordFailure(
  transaction: Transaction,
  { entry, token }: Extract<Write, { what: "failure" }>,
): Promise<boolean> {
  const changed = await transaction.run(
    "update sends set error = ?, lease_until = null where id = ? and claim_token = ? and state = 'unknown'",
    [JSON.stringify(entry.error ?? null), entry.id, token],
  )
  return changed > 0
}

async function renew(
  transaction: Transaction,
  ids: readonly string[],
  leaseUntil: string,
): Promise<readonly string[]> {
  const held: string[] = []
  for (const id of ids) {
    // Also one that has run out by a clock that was set: nobody has settled it, and its sender knows how long it holds.
    const changed = await transaction.run(
      "update sends set lease_until = ? where id = ? and state = 'unknown' and lease_until is not null",
      [leaseUntil, id],
    )
    if (changed > 0) held.push(id)
  }
  return held
}

async function settle(
  database: Database,
  entry: Entry,
  unless: ((other: Entry) => boolean) | undefined,
): Promise<boolean> {
  try {
    return await database.transaction(async (transaction) => {
      const now = await transaction.now()
      const [row] = await transaction.all("select * from sends where id = ?", [entry.id])
      const stands = row && entryOf(row)
      if (stands?.state !== "unknown" || isInFlight(stands, now)) return false
      if (unless) {
        const open = await transaction.all("select * from sends where state = 'unknown' and scope = ?", [
          entry.scope,
        ])
        if (open.map(entryOf).some(unless)) return false
      }
      const settled: Entry = { ...entry, settledAt: new Date(now).toISOString() }
      delete settled.leaseUntil
      const outcome = outcomeOf(settled)
      // Only as it was read: a sender that renews its lease, or knows the outcome, goes first.
      const changed = await transaction.run(
        `update sends set ${setting(outcome)} where id = ? and state = 'unknown' and coalesce(lease_until, '') = ?`,
        [...Object.values(outcome), entry.id, stands.leaseUntil ?? ""],
      )
      return changed > 0
    })
  } catch (error) {
    if (error instanceof UniqueViolation) return false
    throw error
  }
}

function inScopes(scopes: readonly string[] | undefined): string {
  return scopes === undefined ? "" : ` and scope in (${marks(scopes)})`
}

const SEARCHED = [
  "idempotency_key",
  "about",
  "reference",
  "shipment_id",
  "connector_id",
  "carrier",
  "service_code",
  "note",
  "consignment_number",
  "order_number",
  "response",
]

function historyCondition({ since, kind, state, search, scopes }: HistoryFilter): [string, Value[]] {
  const conditions: string[] = []
  const parameters: Value[] = []
  const add = (condition: string, ...values: readonly Value[]) => {
    conditions.push(condition)
    parameters.push(...values)
  }
  if (since !== undefined) add("created_at >= ?", since)
  if (kind !== undefined) add("kind = ?", kind)
  if (state !== undefined) add("state = ?", state)
  if (scopes !== undefined) add(`scope in (${marks(scopes)})`, ...scopes)
  if (search !== undefined) {
    const pattern = `%${search.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`
    const each = SEARCHED.map((column) => `lower(${column}) like ? escape '\\'`)
    add(`(${each.join(" or ")})`, ...SEARCHED.map(() => pattern))
  }
  return [conditions.length > 0 ? ` where ${conditions.join(" and ")}` : "", parameters]
}

/** Rows of a table, in pages, so that a ledger of any size is read in constant memory. */
export async function* pagesOf(statements: Statements, size: number): AsyncGenerator<Row[]> {
  for (let last = ""; ; ) {
    const rows = await statements.all(`select * from sends where id > ? order by id limit ${size}`, [last])
    if (rows.length > 0) yield rows
    if (rows.length < size) return
    last = String(rows.at(-1)?.id)
  }
}
