/** What the ledger needs from its database, and the transactions that prevent double sends. */
import type { Ids } from "../ports.ts"
import { type Claim, type Claimed, claimIn, isNew, lockNames, related, sameScope } from "./claims.ts"
import { type Database, UniqueViolation, type Value } from "./database/database.ts"
import type { Entry, Kind, State } from "./entry.ts"
import { groupCommit } from "./group-commit.ts"
import { type Judgement, judge, type Question } from "./judge.ts"
import { record, recordFailure, renew, settle } from "./outcomes.ts"
import { BRIEF_COLUMNS, toEntry, rowOf, insert, insertCollected, marks } from "./database/rows.ts"

/** What `history` shows: see `search` in `history.ts`. */
export interface HistoryFilter {
  since?: string
  kind?: Kind
  state?: State
  search?: string
  scopes?: readonly string[]
  /** Without the request and the response. */
  isBrief?: boolean
  /** A page: at most `size` entries, beginning after `after`. */
  page?: { after: Pick<Entry, "sentAt" | "id"> | undefined; size: number }
}

export interface Store {
  readonly database: Database
  /** Where it is, for people. */
  readonly place: string
  /** Looks and claims in one transaction. @throws FreightError when the ledger cannot be used: then nothing stands */
  claim(claim: Claim, token: string): Promise<Claimed>
  /** Names a claim before it is made, so that it is known again after a broken connection. */
  newToken(): string
  /** Marks a claim that was never sent as refused; does nothing if it does not exist. */
  undo(token: string): Promise<void>
  /** What `claim` would say now. */
  look(question: Question & Pick<Claim, "kind" | "scope">): Promise<Judgement>
  /** The newest attempt under a key, in any account where no scope is given. */
  latest(scope: string | undefined, kind: Kind, key: string): Promise<Entry | undefined>
  byId(id: string): Promise<Entry | undefined>
  /**
   * Writes a sender's own outcome. It overrides what others recorded since: they inferred, the sender knows.
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
  /** The pickup that collects a shipment, or may: what the carrier has alone first, then what is open, then the newest. */
  pickupOf(scope: string, shipmentId: string): Promise<Entry | undefined>
  /** Adds the consignment number that the carrier gave later. */
  learnConsignment(id: string, consignmentNumber: string): Promise<void>
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
    lookingAgain((isContested) =>
      database.transaction(async (transaction) => {
        const now = await transaction.now()
        const claims = writes.flatMap((write) => (write.what === "claim" ? [write] : []))
        await transaction.lock(claims.flatMap(({ claim }) => lockNames(claim)))
        const results = new Map<Write, Written>()
        // What is settled first may free a key that is claimed after it.
        for (const write of writes) {
          if (write.what === "record") results.set(write, await record(transaction, write, now, isContested))
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
        for (const { scope, id, collects = [], facts } of made)
          if (facts.shipmentId === undefined) await insertCollected(transaction, scope, id, collects)
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
      return rows[0] && toEntry(rows[0])
    },
    async byId(id) {
      const [row] = await database.all("select * from sends where id = ?", [id])
      return row && toEntry(row)
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
      return rows.map(toEntry)
    },
    async ofShipment(scope, shipmentId) {
      const within = scope === undefined ? "" : " and scope = ?"
      const rows = await database.all(
        `select * from sends where kind = 'shipment' and shipment_id = ?${within} order by created_at desc`,
        [shipmentId, ...(scope === undefined ? [] : [scope])],
      )
      return rows[0] && toEntry(rows[0])
    },
    async learnConsignment(id, consignmentNumber) {
      await database.run("update sends set consignment_number = ? where id = ?", [consignmentNumber, id])
    },
    async pickupOf(scope, shipmentId) {
      const which = "select * from sends where scope = ? and kind = 'pickup' and state in ('done', 'unknown')"
      const rows = await database.all(
        `select * from (${which} and shipment_id = ? union
          ${which} and id in (select send_id from collected where scope = ? and shipment_id = ?)) as pickups
          order by standing desc, state desc, created_at desc limit 1`,
        [scope, shipmentId, scope, scope, shipmentId],
      )
      return rows[0] && toEntry(rows[0])
    },
    async history(filter) {
      const [where, parameters] = historyCondition(filter)
      const limit = filter.page ? ` limit ${filter.page.size}` : ""
      const rows = await database.all(
        `select ${filter.isBrief ? BRIEF_COLUMNS : "*"} from sends${where} order by created_at desc, id${limit}`,
        parameters,
      )
      return rows.map(toEntry)
    },
    now: () => database.now(),
    close: () => database.close(),
  }
}

async function lookingAgain<T>(act: (isContested: boolean) => Promise<T>): Promise<T> {
  for (let looks = 1; ; looks++) {
    try {
      return await act(looks > 1)
    } catch (error) {
      if (!(error instanceof UniqueViolation) || looks >= LOOKS) throw error
    }
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

function historyCondition({ since, kind, state, search, scopes, page }: HistoryFilter): [string, Value[]] {
  const conditions: string[] = []
  const parameters: Value[] = []
  const add = (condition: string, ...values: readonly Value[]) => {
    conditions.push(condition)
    parameters.push(...values)
  }
  if (since !== undefined) add("created_at >= ?", since)
  if (page?.after) {
    const { sentAt, id } = page.after
    add("created_at <= ? and (created_at < ? or id > ?)", sentAt, sentAt, id)
  }
  if (kind !== undefined) add("kind = ?", kind)
  if (state !== undefined) add("state = ?", state)
  // Not the scope alone: SQLite would go through all of it by an index that knows no times, and sort it, for each page.
  if (scopes !== undefined) add(`scope || '' in (${marks(scopes)})`, ...scopes)
  if (search !== undefined) {
    const pattern = `%${search.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`
    const each = SEARCHED.map((column) => `lower(${column}) like ? escape '\\'`)
    add(`(${each.join(" or ")})`, ...SEARCHED.map(() => pattern))
  }
  return [conditions.length > 0 ? ` where ${conditions.join(" and ")}` : "", parameters]
}
