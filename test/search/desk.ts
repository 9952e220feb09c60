/** A desk with a real ledger in a real file, which is filled anew for each case. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { FreightError } from "../../src/base/errors.ts"
import type { Clock } from "../../src/base/ports.ts"
import type { Account } from "../../src/ledger/accounts/account.ts"
import { writeKey } from "../../src/ledger/accounts/keys.ts"
import type { LedgerDeps } from "../../src/ledger/create.ts"
import {
  type Database,
  type DatabaseRow,
  type Statements,
  UniqueViolation,
} from "../../src/ledger/database/database.ts"
import { insertRows } from "../../src/ledger/database/sql.ts"
import { toSendRow } from "../../src/ledger/entry-rows.ts"
import { migrate } from "../../src/ledger/schema.ts"
import { openSqlite } from "../../src/ledger/database/sqlite.ts"
import { type ElsewhereRow, keepElsewhere } from "../../src/ledger/elsewhere.ts"
import type { Entry } from "../../src/ledger/entry.ts"
import { createLeaseKeeper, LEASE_MS } from "../../src/ledger/lease.ts"
import { openOutbox } from "../../src/ledger/outbox.ts"
import { createStore } from "../../src/ledger/store.ts"
import { synchronousDriver } from "../simulation/driver.ts"

export const NOW = Date.parse("2026-11-20T00:00:00Z")
export const SCOPES = { own: "freight:own", "perhaps own": "freight:perhaps", "another's": "freight:other" }

const ADDRESS = "one.example"
const TABLES = ["sends", "collected", "elsewhere"] as const

/** The contents of the ledger at a start. */
export interface Filling {
  entries: readonly Entry[]
  elsewhere?: readonly ElsewhereRow[]
}

export interface Desk
  extends Pick<LedgerDeps, "store" | "owner" | "clock" | "sender" | "signal" | "leases" | "outbox"> {
  database: Database
  time: { now: number; slept: number; onSleep: (() => Promise<void>) | undefined }
  /** The files of the outbox. */
  files: Record<string, string>
  /** Nothing can be kept there. */
  fault: { outbox: boolean; statement: ((sql: string) => void) | undefined }
  /** Renewals that have not been stopped. */
  timers: Set<() => void>
  /** @returns false where the database's own constraints forbid such a ledger */
  fill(filling: Filling): Promise<boolean>
  /** Rows beside those that were there. */
  readNew(known: readonly Entry[]): Promise<readonly DatabaseRow[]>
  close(): void
}

/** Tokens of the claims that were there at a start. */
export function tokenOf({ id }: Entry): string {
  return `token of ${id}`
}

export async function openDesk(): Promise<Desk> {
  const folder = mkdtempSync(path.join(tmpdir(), "freight-ledgers-"))
  const time: Desk["time"] = { now: NOW, slept: 0, onSleep: undefined }
  const clock: Clock = {
    now: () => time.now,
    elapsed: () => time.now,
    async sleep(ms) {
      time.now += ms
      time.slept += ms
      await time.onSleep?.()
    },
  }
  const file = path.join(folder, "ledger.db")
  const plain = openSqlite(file, { driver: synchronousDriver, clock })
  await migrate(plain)
  for (const name of ["sends_claimed", "sends_settled"]) await plain.run(`drop trigger ${name}`)
  await plain.all("pragma synchronous = off")
  await plain.transaction(async (transaction) => {
    for (const [at, [name, scope]] of Object.entries(SCOPES).entries())
      await writeKey(transaction, {
        ...{ id: `${name}@${ADDRESS}`, fingerprint: name, address: ADDRESS, api: "freight", scope },
        ...(name === "own" ? { name: "ours" } : name === "another's" ? { name: "theirs" } : {}),
        ...{ workstation: name, firstUsedAt: new Date(NOW).toISOString() },
        ...{ connectors: [`connector ${at}`], looks: {}, hasShipment: true },
      })
  })
  const files: Record<string, string> = {}
  const fault: Desk["fault"] = { outbox: false, statement: undefined }
  const database = watch(plain, fault)
  let tokens = 0
  const store = createStore(database, {
    ids: { uuid: () => `new-token-${++tokens}`, random: () => 0 },
    leaseMs: LEASE_MS,
  })
  const timers = new Set<() => void>()
  const owner: Account = { id: `own@${ADDRESS}`, fingerprint: "own", scope: SCOPES.own }
  return {
    ...{ database, store, clock, time, files, fault, timers, owner },
    sender: { workstation: "here", person: "" },
    signal: new AbortController().signal,
    leases: createLeaseKeeper({
      ...{ leaseMs: LEASE_MS, clock, renew: store.renew },
      every(_, work) {
        timers.add(work)
        return () => timers.delete(work)
      },
    }),
    outbox: openOutbox("", "this ledger", {
      list: () => Object.keys(files),
      read: (name) => files[name] ?? "",
      write(name, text) {
        if (fault.outbox) throw new Error("the disk is full")
        files[name] = text
      },
      remove(name) {
        delete files[name]
      },
    }),
    async fill({ entries, elsewhere = [] }) {
      Object.assign(time, { now: NOW, slept: 0, onSleep: undefined })
      Object.assign(fault, { outbox: false, statement: undefined })
      for (const name of Object.keys(files)) delete files[name]
      timers.clear()
      try {
        await plain.transaction(async (transaction) => {
          for (const table of TABLES) await transaction.run(`delete from ${table}`)
          for (const entry of entries) {
            const { id, scope, leaseUntil, duplicateOf, cancelledAt, collects = [], facts } = entry
            const row = {
              ...toSendRow(entry, tokenOf(entry)),
              lease_until: null,
              duplicate_of: duplicateOf ?? null,
              cancelled_at: cancelledAt ?? null,
            }
            await insertRows(transaction, "sends", [row])
            // The trigger of claims would refuse what was let in before it became equal to another.
            if (leaseUntil !== undefined)
              await transaction.run("update sends set lease_until = ? where id = ?", [leaseUntil, id])
            if (facts.shipmentId === undefined)
              await insertRows(
                transaction,
                "collected",
                collects.map((shipment) => ({ scope, shipment_id: shipment, send_id: id })),
              )
          }
          await keepElsewhere(transaction, elsewhere)
        })
        return true
      } catch (error) {
        if (error instanceof UniqueViolation) return false
        throw error
      }
    },
    async readNew(known) {
      const rows = await plain.all(
        "select id, state, lease_until, idempotency_key, content_hash, attempt, error, note, claim_token from sends",
      )
      return rows.filter(({ id }) => !known.some((entry) => entry.id === id))
    },
    close() {
      void plain.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A claim must not read the entries of another account, except pickups, which may collect its shipments. */
class ReadsOthers extends Error {}

function watch(database: Database, fault: Desk["fault"]): Database {
  const of = <T extends Pick<Statements, "all" | "run">>(statements: T): T => ({
    ...statements,
    async all(sql, parameters) {
      fault.statement?.(sql)
      const rows = await statements.all(sql, parameters)
      if (
        /^\s*select \* from sends where (?!true)/.test(sql) &&
        rows.some(({ scope, kind }) => scope === SCOPES["another's"] && kind !== "pickup")
      )
        throw new ReadsOthers(`what is in another's account is read: ${sql}`)
      return rows
    },
    async run(sql, parameters) {
      fault.statement?.(sql)
      return statements.run(sql, parameters)
    },
  })
  return {
    ...of(database),
    transaction: (work) => database.transaction((transaction) => work(of(transaction))),
  }
}

/** How something ended, with what it says. */
export async function toEnd<T>(work: Promise<T>): Promise<{ value: T } | { error: unknown }> {
  return work.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )
}

export function describeError(error: unknown): string {
  if (error instanceof FreightError) return `${error.constructor.name} ${error.kind}: ${error.message}`
  return error instanceof Error ? String(error.stack) : String(error)
}
