/** The ledger's database operations. Claims and outcomes that are ready at the same time share one transaction. */
import type { Ids } from "../base/ports.ts"
import { ACCOUNTS } from "./accounts/account.ts"
import { type AccountQuestion, type Claim, type Claimed, claimAll, judgeAll, lockNames } from "./claims.ts"
import { type Database, type Transaction, UniqueViolation } from "./database/database.ts"
import { createEntryReader } from "./entry-reader.ts"
import { decideClaim, type Decision, type Question } from "./decision.ts"
import { chooseElsewhere, compareStranger, findElsewhere, listElsewhereNumbers } from "./elsewhere.ts"
import type { Entry } from "./entry.ts"
import { groupCommit } from "./group-commit.ts"
import { record, recordFailure, renew, settle } from "./outcomes.ts"

/** The ledger: reads entries, claims, and records outcomes. */
export type Store = ReturnType<typeof createStore>

interface StoreOptions {
  ids: Ids
  leaseMs: number
}

/** Entries in one transaction at most. */
const MAX_AT_ONCE = 64
/** A unique violation means that another process was faster: the next look sees its entry. */
const LOOKS = 5

type Claiming = { claim: Claim; token: string }
type OtherWrite = (transaction: Transaction, now: number, isContested: boolean) => Promise<unknown>

export function createStore(database: Database, { ids, leaseMs }: StoreOptions) {
  const leaseFrom = (now: number) => new Date(now + leaseMs).toISOString()

  const writeAll = (writes: readonly (Claiming | OtherWrite)[]) =>
    retryIfContested((isContested) =>
      database.transaction(async (transaction) => {
        const now = await transaction.now()
        const claims = writes.filter((write) => typeof write !== "function")
        if (claims.length > 0) await transaction.share(ACCOUNTS)
        await transaction.lock(claims.flatMap(({ claim }) => lockNames(claim)))
        const results = new Map<Claiming | OtherWrite, unknown>()
        // Settling first may free a key that is claimed after it.
        for (const write of writes)
          if (typeof write === "function") results.set(write, await write(transaction, now, isContested))
        const claimed = await claimAll(transaction, claims, now, leaseFrom(now), isContested)
        for (const [n, each] of claims.entries()) results.set(each, claimed[n])
        return writes.map((write) => results.get(write))
      }),
    )
  const write = groupCommit(writeAll, MAX_AT_ONCE)

  const reader = createEntryReader(database)
  return {
    ...reader,
    database,
    place: database.place,
    /** Names a claim before it is made, so that it is known again after a broken connection. */
    newToken: () => ids.uuid(),
    /**
     * Looks and claims in one transaction. @throws FreightError if the ledger cannot be used: then nothing was claimed
     */
    claim: async (claim: Claim, token: string) => (await write({ claim, token })) as Claimed,
    /** Marks a claim that was never sent as refused; does nothing if it does not exist. */
    async undo(token: string) {
      await database.run(
        "update sends set state = 'refused', lease_until = null, note = ? where claim_token = ? and state = 'unknown'",
        ["Never sent: the ledger could not be reached when it was claimed.", token],
      )
    },
    /** The answer that `claim` would give now. */
    look: groupCommit(
      async (questions: readonly AccountQuestion[]) => judgeAll(database, questions, await database.now()),
      MAX_AT_ONCE,
    ),
    /**
     * Writes a sender's own outcome. It overwrites outcomes recorded by others since: they inferred, the sender knows.
     * @returns false if another entry has its key by now; the other entry that has its shipment
     */
    record: async (entry: Entry, token: string) =>
      (await write((transaction, now, isContested) =>
        record(transaction, { entry, token }, now, isContested),
      )) as Awaited<ReturnType<typeof record>>,
    async recordFailure(entry: Entry, token: string) {
      await write((transaction) => recordFailure(transaction, { entry, token }))
    },
    async settleDuplicate(id: string) {
      await database.run("update sends set duplicate_settled_at = ? where id = ?", [
        new Date(await database.now()).toISOString(),
        id,
      ])
    },
    /**
     * Settles an open entry that no process is sending.
     * @param unless an open entry beside which it must stay open
     * @returns false when it is not so any more, or the shipment is another's
     */
    settle: (entry: Entry, unless?: (other: Entry) => boolean) => settle(database, entry, unless),
    /** Extends the leases. @returns the ids of those that still held */
    renew: async (sending: readonly string[]) =>
      (await write((transaction, now) => renew(transaction, sending, leaseFrom(now)))) as readonly string[],
    /** Adds the consignment number that the carrier gave later. */
    async learnConsignment(id: string, consignmentNumber: string) {
      await database.run("update sends set consignment_number = ? where id = ?", [consignmentNumber, id])
    },
    /** The entry under a shipment's key in any account; otherwise the shipment booked elsewhere under its number. */
    async lookInAll(question: Question): Promise<Decision> {
      const own = await reader.latest(undefined, "shipment", question.key)
      const decision = decideClaim(own ? [own] : [], question, await database.now())
      if (decision.kind !== "free") return decision
      const values = listElsewhereNumbers(question)
      const found = await findElsewhere(database, undefined, { column: "normalized_number", values })
      const stranger = chooseElsewhere(found, question)
      return stranger ? { ...compareStranger(stranger, question), ...(own && { own }) } : decision
    },
    now: () => database.now(),
    close: () => database.close(),
  }
}

async function retryIfContested<T>(act: (isContested: boolean) => Promise<T>): Promise<T> {
  for (let looks = 1; ; looks++) {
    try {
      return await act(looks > 1)
    } catch (error) {
      if (!(error instanceof UniqueViolation) || looks >= LOOKS) throw error
    }
  }
}
