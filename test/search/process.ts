/**
 * One command's process. The ledger's code in it is the real one; each await on the database, the API or the clock is
 * handed out, and goes on when it is answered. What a process does next depends on nothing but the answers that it got, so
 * those name its position, and each position is reached once: by the answers again, or by a process that stands there.
 */
import type { FreightApi } from "../../src/api/freight.ts"
import type { DatabaseRow, Value } from "../../src/ledger/database/database.ts"
import { runOn } from "../../src/ledger/database/postgres.ts"
import { openSqlite } from "../../src/ledger/database/sqlite.ts"
import { FreightError, type ErrorKind } from "../../src/base/errors.ts"
import { createLeaseKeeper, LEASE_MS } from "../../src/ledger/lease.ts"
import { openOutbox } from "../../src/ledger/outbox.ts"
import { createStore } from "../../src/ledger/store.ts"
import type { Clock, SendLease } from "../../src/base/ports.ts"
import { turns } from "../../src/base/turns.ts"

/** The event that a process waits for. */
export type Asked =
  | { kind: "start" }
  /** On a connection, or on one of its own where that is 0. */
  | { kind: "sql"; connection: number; sql: string; values: readonly Value[] }
  | { kind: "post"; order: number; token: string }
  | { kind: "shipment"; shipment: string }
  | { kind: "shipments" }
  /** The answer of a person who has asked the carrier. */
  | { kind: "carrier" }
  /** Others do something meanwhile. */
  | { kind: "sleep"; until: number; isPoll: boolean; isRetry: boolean }
  /** A lease is renewed when this is answered. */
  | { kind: "timer" }
export type Op = Asked & { id: number }

export type Failure =
  | { is: "driver"; code?: string; rawCode?: number; message: string }
  | { is: "freight"; kind: ErrorKind; message: string; status?: number }

/** The files of a desk's outbox. */
export type Files = Readonly<Record<string, string>>

export interface Reply {
  op: number
  value?: unknown
  failure?: Failure
  /** The time, and the files of the desk, as the process finds them when it goes on. */
  time: number
  files: Files
}

/** How a process ended. */
export interface Ended {
  /** One for each order of a process that sends. */
  results: readonly Result[]
}
export interface Result {
  order: number
  outcome: "made" | "recorded" | ErrorKind | "bug"
  shipmentId?: string
  message?: string
}

export interface Ports {
  name: string
  store: ReturnType<typeof createStore>
  clock: Clock
  leases: ReturnType<typeof createLeaseKeeper>
  outbox: ReturnType<typeof openOutbox>
  signal: AbortSignal
  api: FreightApi
  /** Sends an order while its lease is held. */
  post(order: number, token: string, lease: SendLease): Promise<Posted>
  askCarrier(): Promise<readonly MadeThing[]>
}
export interface Posted {
  shipmentId?: string
  [field: string]: unknown
}
export interface MadeThing {
  token: string
  shipment: string | null
}

export interface Program {
  name: string
  desk: string
  run(ports: Ports): Promise<readonly Result[]>
}

/** Where a process stands. */
export interface Position {
  id: number
  parent: Position | undefined
  reply: Reply | undefined
  pending: readonly Op[]
  ended: Ended | undefined
  files: Files
  children: Map<string, Position>
}

/** More processes than these are not kept waiting: they are brought to their position again. */
const MAX_KEPT = 300
/** Turns of the event loop after which a process does nothing more without an answer: group commit waits for three. */
const QUIET_TURNS = 6

export interface Runner {
  begin(program: Program): Position
  /** @returns where the process stands after an answer */
  next(program: Program, from: Position, reply: Reply): Position | Promise<Position>
  positionOf(id: number): Position
}

export function createRunner(dialect: "sqlite" | "postgres"): Runner {
  const positions: Position[] = []
  const instances = new Map<Position, Instance>()
  const add = (position: Omit<Position, "id" | "children">): Position => {
    const made = { ...position, id: positions.length, children: new Map() }
    positions.push(made)
    return made
  }
  const keep = (position: Position, instance: Instance) => {
    instances.set(position, instance)
    if (instances.size <= MAX_KEPT) return
    const [oldest] = instances.keys()
    if (oldest) instances.delete(oldest)
  }
  const take = async (program: Program, position: Position): Promise<Instance> => {
    const kept = instances.get(position)
    instances.delete(position)
    if (kept) return kept
    const replies: Reply[] = []
    for (let at: Position | undefined = position; at?.reply; at = at.parent) replies.unshift(at.reply)
    const instance = startInstance(program, dialect)
    for (const reply of replies) await instance.deliver(reply)
    return instance
  }
  const advance = async (program: Program, from: Position, reply: Reply, name: string) => {
    const instance = await take(program, from)
    await instance.deliver(reply)
    const { pending, ended, files } = instance.look()
    const position = add({ parent: from, reply, pending, ended, files })
    from.children.set(name, position)
    if (!ended) keep(position, instance)
    return position
  }
  return {
    begin: (program) => {
      const instance = startInstance(program, dialect)
      const position = add({ ...instance.look(), parent: undefined, reply: undefined })
      keep(position, instance)
      return position
    },
    next(program, from, reply) {
      const name = toText(reply)
      return from.children.get(name) ?? advance(program, from, reply, name)
    },
    positionOf(id) {
      const position = positions[id]
      if (!position) throw new TypeError(`there is no position ${id}`)
      return position
    },
  }
}

/** Texts of answers, which are the same objects again and again. */
const texts = new WeakMap<object, string>()

function toText({ value, ...reply }: Reply): string {
  const { rows, changes } = Object(value) as Partial<SqlReply>
  if (!rows) return JSON.stringify([reply, value])
  const known = texts.get(rows) ?? JSON.stringify(rows)
  texts.set(rows, known)
  return `${JSON.stringify([reply, changes])} ${known}`
}

interface Waiting {
  op: Op
  resolve(value: unknown): void
  reject(error: Error): void
}
type Instance = ReturnType<typeof startInstance>

function startInstance(program: Program, dialect: "sqlite" | "postgres") {
  const waiting = new Map<number, Waiting>()
  let ids = 0
  let activity = 0
  let time = 0
  let files: Record<string, string> = {}
  let ended: Ended | undefined
  const ask = <T>(asked: Asked): Promise<T> => {
    const id = ++ids
    activity++
    return new Promise((resolve, reject) => {
      waiting.set(id, { op: { ...asked, id }, resolve: resolve as (value: unknown) => void, reject })
    })
  }
  const { signal } = new AbortController()
  const clock: Clock = {
    now: () => time,
    elapsed: () => time,
    sleep: (ms, how) =>
      ask({
        kind: "sleep",
        until: time + ms,
        isPoll: how !== undefined && ms < 2_000,
        isRetry: how === undefined,
      }),
  }
  const database = dialect === "postgres" ? openServer(ask, clock) : openFile(ask, clock)
  let tokens = 0
  const store = createStore(database, {
    ids: { uuid: () => `${program.name}-${++tokens}`, random: () => 0 },
    leaseMs: LEASE_MS,
  })
  const leases = createLeaseKeeper({
    leaseMs: LEASE_MS,
    clock,
    every(_, work) {
      let current = 0
      const wait = () => {
        const fired = ask({ kind: "timer" })
        current = ids
        void fired.then(() => {
          wait()
          work()
        })
      }
      wait()
      return () => {
        activity++
        waiting.delete(current)
      }
    },
    renew: store.renew,
  })
  const outbox = openOutbox("", "the ledger", {
    list: () => Object.keys(files),
    read: (name) => files[name] ?? "",
    write(name, text) {
      files = { ...files, [name]: text }
    },
    remove(name) {
      const { [name]: _, ...others } = files
      files = others
    },
  })
  const api = {
    async getShipment(id: string) {
      return { shipment: await ask({ kind: "shipment", shipment: id }) }
    },
    async listShipments({ limit = 50, offset = 0 } = {}) {
      const all = await ask<unknown[]>({ kind: "shipments" })
      return { shipments: all.slice(offset, offset + limit), total: all.length, limit, offset }
    },
    clockOffset: () => 0,
  } as unknown as FreightApi
  const ports: Ports = {
    ...{ name: program.name, store, clock, leases, outbox, signal, api },
    async post(order, token, lease) {
      if (!lease.isHeld()) throw new FreightError("unavailable", "the lease ran out")
      return ask({ kind: "post", order, token })
    },
    askCarrier: () => ask({ kind: "carrier" }),
  }
  void ask({ kind: "start" })
    .then(() => program.run(ports))
    .then(
      (results) => {
        ended = { results }
      },
      (error: unknown) => {
        ended = { results: [toResult(-1, error)] }
      },
    )
  return {
    async deliver(reply: Reply) {
      const asking = waiting.get(reply.op)
      if (!asking) throw new TypeError(`${program.name} does not wait for ${reply.op}`)
      waiting.delete(reply.op)
      time = reply.time
      files = { ...reply.files }
      if (reply.failure) asking.reject(toError(reply.failure))
      else asking.resolve(structuredClone(reply.value))
      for (let quiet = 0, seen = activity; quiet < QUIET_TURNS; quiet++) {
        await turns(1)
        if (ended) break
        if (activity !== seen) quiet = 0
        seen = activity
      }
    },
    look: () => ({
      pending: ended ? [] : [...waiting.values()].map(({ op }) => op).sort((a, b) => a.id - b.id),
      ended,
      files,
    }),
  }
}

type Ask = <T>(asked: Asked) => Promise<T>
interface SqlReply {
  rows: DatabaseRow[]
  changes: number
}

/** The adapter of PostgreSQL on connections that hand each statement out. */
function openServer(ask: Ask, clock: Clock) {
  let connections = 0
  const on = (connection: number) => ({
    async query(sql: string, values: unknown[] = []) {
      const asked = { kind: "sql", connection, sql, values: values as Value[] } as const
      const { rows, changes } = await ask<SqlReply>(asked)
      return { rows: rows as unknown[], rowCount: changes }
    },
  })
  const pool = {
    ...on(0),
    async connect() {
      return { ...on(++connections), release() {} }
    },
  }
  return { ...runOn(pool, "the ledger", clock), close: async () => {} }
}

/** The adapter of SQLite on a connection that hands each statement out. */
function openFile(ask: Ask, clock: Clock) {
  const run = (sql: string, values: Value[] = []) =>
    ask<SqlReply>({ kind: "sql", connection: 1, sql, values })
  return openSqlite(":memory:", {
    clock,
    driver: () => ({
      exec: async (sql: string) => (/^pragma/.test(sql) ? undefined : run(sql)),
      prepare: (sql: string) => ({
        all: async (...values: Value[]) => (await run(sql, values)).rows,
        run: (...values: Value[]) => run(sql, values),
      }),
      close() {},
    }),
  })
}

function toError(failure: Failure): Error {
  if (failure.is === "freight") {
    const { kind, message, status } = failure
    return new FreightError(kind, message, status === undefined ? {} : { status })
  }
  const { code, rawCode, message } = failure
  return Object.assign(new Error(message), { ...(code && { code }), ...(rawCode && { rawCode }) })
}

export function toResult(order: number, error: unknown): Result {
  if (error instanceof FreightError) return { order, outcome: error.kind, message: error.message }
  return { order, outcome: "bug", message: error instanceof Error ? String(error.stack) : String(error) }
}
