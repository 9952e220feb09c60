/** Desks with their clocks and ledgers, and the processes that run there until they end or are killed. */
import type { Account } from "../../src/ledger/accounts/account.ts"
import { type Database, type Transaction, unusable } from "../../src/ledger/database/database.ts"
import type { Entry } from "../../src/ledger/entry.ts"
import { createLeaseKeeper, LEASE_MS } from "../../src/ledger/lease.ts"
import { guardFile } from "../../src/ledger/lost.ts"
import { type Outbox, recordKept } from "../../src/ledger/outbox.ts"
import type { Reserve } from "../../src/ledger/reserve.ts"
import { createStore, type Store } from "../../src/ledger/store.ts"
import type { Clock } from "../../src/base/ports.ts"
import type { SimulatedLedger } from "./ledgers.ts"
import { count, type Report } from "./report.ts"
import type { ApiKey } from "./services.ts"
import type { Chance, SimulatedTime } from "./time.ts"

export interface Desk {
  name: string
  /** How much its clock is ahead of true time. */
  ahead: number
  ledger: SimulatedLedger
  profiles: Profile[]
  /** Its outbox. */
  kept: Kept[]
  /** Accounts that long-running processes have opened. */
  sessions: Map<string, Account>
  processes: Set<Process>
  /** Nobody starts anything there: its ledger is being copied, or put back. */
  isClosed: boolean
  /** An old copy is in the place of its ledger. */
  hasOldCopy: boolean
}

/** A freight key and a key that prints, as a desk has them set up. */
export interface Profile {
  key: ApiKey
  address: string
  /** The setting `account`. */
  name?: string
  /** Without a freight key it can print only. */
  printsOnly: boolean
}

type Kept = { ledger: string } & ({ entry: Entry; token: string } | { unsent: string })

/** The process was killed: nothing of it goes on. */
export class Killed extends Error {}

export interface Process {
  readonly desk: Desk
  readonly clock: Clock
  readonly store: Store
  /** Opens another ledger. */
  connect(ledger: SimulatedLedger): Database
  readonly outbox: Outbox
  readonly leases: ReturnType<typeof createLeaseKeeper>
  readonly signal: AbortSignal
  /** @throws FreightError for an older copy of the ledger */
  checkLedger(): Promise<void>
  /** @throws Killed */
  check(): void
  kill(how: string): never
  /** It is stopped for so long, or the whole machine sleeps and its even clock with it. */
  stop(ms: number, isMachine: boolean): Promise<void>
  end(): void
}

interface Surroundings {
  time: SimulatedTime
  chance: Chance
  report: Report
  createToken: () => string
}

/** One command's process at a desk. */
export function startProcess(desk: Desk, around: Surroundings): Process {
  const { time, chance, report, createToken } = around
  const { ledger } = desk
  let isDead = false
  let isStopped = false
  let slept = 0
  const timers = new Set<() => void>()
  const controller = new AbortController()
  const check = () => {
    if (isDead) throw new Killed()
  }
  const clock: Clock = {
    now: () => time.now() + desk.ahead,
    elapsed: () => time.elapsed() - slept,
    async sleep(ms) {
      await time.sleep(ms)
      check()
    },
  }
  const kill = (how: string): never => {
    isDead = true
    count(report.faults, `killed ${how}`)
    throw new Killed()
  }
  const diesAt = chance.of(0.02) ? Math.ceil(chance.next() * 12) : 0
  let statements = 0
  const step = () => {
    check()
    statements++
    if (statements === diesAt) kill("within a transaction")
  }
  const connect = (each: SimulatedLedger) => openFaulty(each, { ...around, clock, check, step })
  const guard =
    ledger.dialect === "sqlite" ? guardFile(ledger.name, "", ledger.reserve as Reserve) : undefined
  const opened = connect(ledger)
  const database = guard?.watch(opened) ?? opened
  const store = createStore(database, { ids: { uuid: createToken, random: chance.next }, leaseMs: LEASE_MS })
  const leases = createLeaseKeeper({
    leaseMs: LEASE_MS,
    clock,
    every(ms, work) {
      if (isDead) return () => {}
      const stop = time.every(ms, () => (isDead || isStopped ? undefined : work()))
      timers.add(stop)
      return stop
    },
    renew: store.renew,
  })
  const process: Process = {
    ...{ desk, clock, store, connect, leases, check, kill, signal: controller.signal },
    outbox: openOutbox(desk, ledger, check),
    async checkLedger() {
      await guard?.check(opened)
    },
    async stop(ms, isMachine) {
      isStopped = true
      const from = time.elapsed()
      await time.sleep(ms)
      if (isMachine) slept += time.elapsed() - from
      isStopped = false
      check()
    },
    end() {
      isDead = true
      for (const stop of timers) stop()
      desk.processes.delete(process)
    },
  }
  desk.processes.add(process)
  return process
}

/** As `openLedger` does: what could not be recorded earlier is taken in first. */
export async function openLedger({ checkLedger, store, outbox }: Process): Promise<void> {
  await checkLedger()
  await outbox.takeIn(store)
}

/** All that runs at a desk is gone at once, and what its disk had not written. */
export async function cutPower(desk: Desk): Promise<void> {
  for (const process of [...desk.processes]) process.end()
  desk.sessions.clear()
  if (desk.ledger.dialect === "sqlite") await desk.ledger.tear()
}

/** As the adapter for PostgreSQL tries again; a process that was never connected gives up sooner. */
const PAUSES_MS = [100, 300, 1_000, 2_000, 4_000]
const FIRST_PAUSES_MS = [200]

interface Faults extends Surroundings {
  clock: Clock
  check: () => void
  /** Called before each statement of a transaction. */
  step: () => void
}

function openFaulty(ledger: SimulatedLedger, faults: Faults): Database {
  const { database } = ledger
  const { chance, report, check, step, clock } = faults
  const gone = () => unusable(ledger.name, "nobody answers", undefined, true)
  const within = (transaction: Transaction): Transaction => ({
    ...transaction,
    all(sql, parameters) {
      step()
      return transaction.all(sql, parameters)
    },
    run(sql, parameters) {
      step()
      return transaction.run(sql, parameters)
    },
  })
  const commit = async <T>(work: (transaction: Transaction) => Promise<T>, isCut: boolean): Promise<T> => {
    const result = await database.transaction(async (transaction) => {
      const done = await work(within(transaction))
      if (isCut) throw gone()
      step()
      return done
    })
    check()
    return result
  }
  const inFile: Database["transaction"] = (work) => {
    check()
    if (ledger.isDown || chance.of(0.005)) {
      count(report.faults, "file locked, or the disk full")
      throw gone()
    }
    return commit(work, false)
  }
  const onServer: Database["transaction"] = async (work) => {
    const pauses = chance.of(0.7) ? PAUSES_MS : FIRST_PAUSES_MS
    for (let tries = 0; ; tries++) {
      check()
      const cut =
        ledger.isDown || chance.of(0.01) ? chance.pick(["before", "within", "after"] as const) : "not"
      if (ledger.isDown || cut === "before") count(report.faults, "connection cut before a transaction")
      else {
        try {
          const result = await commit(work, cut === "within")
          if (cut !== "after") return result
          count(report.faults, "connection cut after the commit, and tried again")
        } catch (error) {
          if (cut !== "within") throw error
          check()
          count(report.faults, "connection cut within a transaction, and tried again")
        }
      }
      const pause = pauses[tries]
      if (pause === undefined) throw gone()
      await clock.sleep(pause)
    }
  }
  return {
    ...database,
    place: ledger.name,
    dialect: ledger.dialect,
    transaction: async (work) => (ledger.dialect === "sqlite" ? inFile(work) : onServer(work)),
    async all(sql, parameters) {
      check()
      if (ledger.isDown) throw gone()
      return database.all(sql, parameters)
    },
    async run(sql, parameters) {
      check()
      if (ledger.isDown) throw gone()
      return database.run(sql, parameters)
    },
  }
}

/** As `outbox.ts` keeps files: what is for another ledger stays, unless its claim has been copied to this one. */
function openOutbox(desk: Desk, { name }: SimulatedLedger, check: () => void): Outbox {
  const keep = (kept: Kept) => {
    check()
    desk.kept.push(kept)
  }
  return {
    async keep(entry, token) {
      keep({ ledger: name, entry, token })
      return "kept"
    },
    async keepUnsent(token) {
      keep({ ledger: name, unsent: token })
    },
    async takeIn(store) {
      const taken: Awaited<ReturnType<Outbox["takeIn"]>> = []
      for (const kept of [...desk.kept]) {
        const token = "unsent" in kept ? kept.unsent : kept.token
        const isHere =
          kept.ledger === name ||
          (await store.database.all("select id from sends where claim_token = ?", [token])).length > 0
        if (!isHere) continue
        if ("unsent" in kept) await store.undo(kept.unsent)
        else taken.push(await recordKept(store, kept))
        check()
        desk.kept = desk.kept.filter((each) => each !== kept)
      }
      return taken
    },
  }
}
