/**
 * The models of the databases' isolation answer as real ones do: the same statements, in the same order, on a server and on
 * two connections to one file.
 */
import pg from "pg"
import { describe, expect, it, onTestFinished } from "vitest"
import type { DatabaseRow, Value } from "../../src/ledger/database/database.ts"
import type { Entry } from "../../src/ledger/entry.ts"
import { insertRows } from "../../src/ledger/database/sql.ts"
import { toSendRow } from "../../src/ledger/entry-rows.ts"
import { ledgerFileIn, temporaryDir } from "../ledger/setup.ts"
import { synchronousDriver } from "../simulation/driver.ts"
import { connectTo, newDatabase, SERVER } from "../ledger/postgres.ts"
import { type Databases, execute, type Outcome } from "./databases.ts"
import { openEngine } from "./engine.ts"

type Step = readonly [who: "A" | "B", sql: string, values?: readonly unknown[]]

const NAMES = `select pg_advisory_xact_lock(key) from
            (select distinct hashtextextended(name, 0) as key from unnest($1::text[]) as name order by 1) as keys`

function lock(who: "A" | "B", ...names: string[]): Step {
  return [who, NAMES, [names]]
}

function read(who: "A" | "B"): Step {
  return [who, "select id, state from sends order by id"]
}

async function insert(who: "A" | "B", given: Partial<Entry> & { id: string }, leased = false): Promise<Step> {
  const entry: Entry = {
    ...{
      scope: "s",
      kind: "shipment",
      key: `key:${given.id}`,
      keyGiven: true,
      account: "k",
      content: given.id,
    },
    ...{ attempt: 1, state: "unknown", sentAt: "2026-11-20T00:00:00.000Z", call: "POST", request: {} },
    ...{ sender: { workstation: "w", person: "" }, facts: {} },
    ...(leased && { leaseUntil: "2026-11-20T00:00:15.000Z" }),
    ...given,
  }
  const steps: Step[] = []
  const run = async (sql: string, values: readonly Value[] = []) => {
    let count = 0
    steps.push([who, sql.replace(/\?/g, () => `$${++count}`), values])
    return 1
  }
  await insertRows({ run }, "sends", [toSendRow(entry, `token ${given.id}`)])
  return steps[0] ?? [who, ""]
}

const begin = (who: "A" | "B"): Step => [who, "begin"]
const commit = (who: "A" | "B"): Step => [who, "commit"]
const rollback = (who: "A" | "B"): Step => [who, "rollback"]
const set = (who: "A" | "B", what: string, where: string): Step => [
  who,
  `update sends set ${what} where ${where}`,
]

const SCHEDULES: Record<string, () => Promise<Step[]>> = {
  "an insert waits for one of the same key, which is committed": async () => [
    begin("A"),
    await insert("A", { id: "1", key: "key:K" }),
    begin("B"),
    await insert("B", { id: "2", key: "key:K" }),
    commit("A"),
    rollback("B"),
  ],
  "an insert waits for one of the same key, which is taken back": async () => [
    begin("A"),
    await insert("A", { id: "1", key: "key:K" }),
    begin("B"),
    await insert("B", { id: "2", key: "key:K" }),
    rollback("A"),
    commit("B"),
    read("A"),
  ],
  "an insert waits for one that gives the key up": async () => [
    await insert("A", { id: "1", key: "key:K" }),
    begin("A"),
    set("A", "state = 'refused'", "id = '1'"),
    await insert("B", { id: "2", key: "key:K" }),
    commit("A"),
    read("A"),
  ],
  "an update waits for a row, and looks at it again": async () => [
    await insert("A", { id: "1" }),
    begin("A"),
    set("A", "state = 'done'", "id = '1' and state = 'unknown'"),
    begin("B"),
    set("B", "state = 'released'", "id = '1' and state = 'unknown'"),
    commit("A"),
    commit("B"),
    read("A"),
  ],
  "an update that waited does not see rows that fit only now": async () => [
    await insert("A", { id: "1", note: "a" }),
    await insert("A", { id: "2" }),
    begin("A"),
    set("A", "note = 'b'", "id in ('1', '2')"),
    begin("B"),
    set("B", "state = 'released'", "note is not null"),
    commit("A"),
    commit("B"),
    read("A"),
  ],
  "each statement sees what is committed by then, and nothing else": async () => [
    begin("B"),
    read("B"),
    begin("A"),
    await insert("A", { id: "1" }),
    read("A"),
    read("B"),
    commit("A"),
    read("B"),
    commit("B"),
  ],
  "a name is held until the end, and the next one sees what was committed": async () => [
    begin("A"),
    lock("A", "x", "y"),
    begin("B"),
    lock("B", "y", "z"),
    await insert("A", { id: "1" }),
    commit("A"),
    read("B"),
    commit("B"),
  ],
  "a name is shared, and waits for whoever holds it alone": async () => [
    begin("A"),
    ["A", "select pg_advisory_xact_lock_shared(hashtextextended($1, 0))", ["x"]],
    begin("B"),
    ["B", "select pg_advisory_xact_lock_shared(hashtextextended($1, 0))", ["x"]],
    lock("B", "x"),
    commit("A"),
    commit("B"),
  ],
  "the trigger lets one of two equal claims through": async () => [
    begin("A"),
    await insert("A", { id: "1", content: "c", keyGiven: false, key: "key:a" }, true),
    begin("B"),
    await insert("B", { id: "2", content: "c", key: "key:b" }, true),
    commit("A"),
    rollback("B"),
    read("A"),
  ],
  "after a violation the transaction is over": async () => [
    await insert("A", { id: "1", key: "key:K" }),
    begin("A"),
    await insert("A", { id: "2", key: "key:K" }),
    read("A"),
    commit("A"),
    read("A"),
  ],
}

const immediate = (who: "A" | "B"): Step => [who, "begin immediate"]

/** The same on a file, where values have no numbers. */
async function insertInFile(...given: Parameters<typeof insert>): Promise<Step> {
  const [who, sql, values = []] = await insert(...given)
  return [who, sql.replace(/\$\d+/g, "?"), values]
}

const FILE_SCHEDULES: Record<string, () => Promise<Step[]>> = {
  "a transaction waits for the one that writes, and sees what that has written": async () => [
    immediate("A"),
    await insertInFile("A", { id: "1", key: "key:K" }),
    immediate("B"),
    commit("A"),
    read("B"),
    await insertInFile("B", { id: "2", key: "key:K" }),
    rollback("B"),
    read("A"),
  ],
  "whoever only reads waits for nobody, and sees what is committed": async () => [
    immediate("A"),
    await insertInFile("A", { id: "1" }),
    read("A"),
    read("B"),
    commit("A"),
    read("B"),
  ],
  "what is taken back was never there for whoever waits": async () => [
    immediate("A"),
    await insertInFile("A", { id: "1", key: "key:K" }),
    immediate("B"),
    rollback("A"),
    await insertInFile("B", { id: "2", key: "key:K" }),
    commit("B"),
    read("A"),
  ],
  "a write without a transaction waits too, and sees what was committed": async () => [
    await insertInFile("A", { id: "1" }),
    immediate("A"),
    set("A", "state = 'done'", "id = '1' and state = 'unknown'"),
    set("B", "state = 'released'", "id = '1' and state = 'unknown'"),
    commit("A"),
    read("B"),
  ],
  "the trigger refuses an equal claim, and the transaction goes on": async () => [
    await insertInFile("A", { id: "1", content: "c", keyGiven: false, key: "key:a" }, true),
    immediate("B"),
    await insertInFile("B", { id: "2", content: "c", key: "key:b" }, true),
    await insertInFile("B", { id: "3" }, true),
    commit("B"),
    read("A"),
  ],
}

function describeOutcome(outcome: Outcome): string {
  switch (outcome.is) {
    case "waits":
      return "waits"
    case "failure":
      return outcome.failure.is === "driver"
        ? `fails with ${outcome.failure.code ?? outcome.failure.rawCode}`
        : `fails with ${outcome.failure.kind}`
    case "answer":
      return JSON.stringify([outcome.rows.filter(({ id }) => id !== undefined), outcome.changes])
  }
}

async function runOnModel(steps: readonly Step[], isServer = true): Promise<string[]> {
  const engine = await openEngine(
    ":memory:",
    isServer,
    async () => {},
    () => 0,
  )
  onTestFinished(() => engine.close())
  const databases: Databases = { content: 0, open: {} }
  const attempt = ([process, sql, values = []]: Step) => {
    const connection = databases.open[`${process}/1`] || sql.startsWith("begin") ? 1 : 0
    const statement = { process, connection, sql, values: values as Value[] }
    return execute(engine, databases, statement, 0, isServer)
  }
  return runSteps(steps, attempt)
}

/** Whoever waits tries again after each step of another. */
function runSteps(steps: readonly Step[], attempt: (step: Step) => Outcome): string[] {
  const lines: string[] = []
  const waiting = new Map<string, Step>()
  for (const step of steps) {
    const outcome = attempt(step)
    lines.push(`${step[0]} ${describeOutcome(outcome)}`)
    if (outcome.is === "waits") waiting.set(step[0], step)
    for (const [who, each] of waiting) {
      const later = attempt(each)
      if (later.is === "waits") continue
      waiting.delete(who)
      lines.push(`${who} ${describeOutcome(later)}`)
    }
  }
  return lines
}

/** Violations of an index, of the primary key, and what our trigger raises: they are one for the ledger. */
const UNIQUE = [2067, 1555, 1811]
const BUSY = 5

/** On two connections to one file, which say at once that it is busy. */
function runOnFile(steps: readonly Step[]): string[] {
  const file = ledgerFileIn(temporaryDir())
  const connect = () => {
    const connection = synchronousDriver(file)
    onTestFinished(() => connection.close())
    connection.exec("pragma busy_timeout = 0")
    return connection
  }
  const connections = { A: connect(), B: connect() }
  return runSteps(steps, ([who, sql, values = []]) => {
    type Prepared = { all(...given: Value[]): DatabaseRow[]; run(...given: Value[]): { changes: number } }
    try {
      if (/^(begin|commit|rollback)/.test(sql)) {
        connections[who].exec(sql)
        return { is: "answer", rows: [], changes: 0 }
      }
      const statement = connections[who].prepare(sql) as unknown as Prepared
      const given = values as Value[]
      if (sql.startsWith("select")) return { is: "answer", rows: statement.all(...given), changes: 0 }
      return { is: "answer", rows: [], changes: Number(statement.run(...given).changes) }
    } catch (error) {
      const { rawCode, errcode, message } = Object(error) as Partial<Record<string, unknown>>
      const code = Number(rawCode ?? errcode)
      if (code === BUSY) return { is: "waits", on: [], hasMoved: false }
      const known = UNIQUE.includes(code) ? 2067 : code
      return { is: "failure", failure: { is: "driver", rawCode: known, message: String(message) } }
    }
  })
}

async function runOnServer(steps: readonly Step[]): Promise<string[]> {
  const address = await newDatabase()
  await connectTo(address)
  const connect = async () => {
    const client = new pg.Client({ connectionString: address })
    await client.connect()
    onTestFinished(() => client.end())
    return client
  }
  const watcher = await connect()
  const clients = { A: await connect(), B: await connect() }
  const pids = new Map<string, number>()
  for (const who of ["A", "B"] as const)
    pids.set(who, (await clients[who].query("select pg_backend_pid() as pid")).rows[0].pid)
  const lines: string[] = []
  const waiting = new Map<string, Promise<void>>()
  const done = new Map<string, string>()
  /** Until it has ended, or the server says whom it waits for: of a lock that has just become free it says none. */
  const ends = async (who: string) => {
    for (;;) {
      const { rows } = await watcher.query("select cardinality(pg_blocking_pids($1)) as blockers", [
        pids.get(who),
      ])
      if (done.has(who)) return true
      if (rows[0].blockers > 0) return false
    }
  }
  for (const [who, sql, values = []] of steps) {
    done.delete(who)
    const ended = clients[who].query(sql, [...values]).then(
      ({ rows, rowCount, command }) => {
        const changes = command === "INSERT" || command === "UPDATE" ? (rowCount ?? 0) : 0
        done.set(who, describeOutcome({ is: "answer", rows: rows as [], changes }))
      },
      ({ code }) => void done.set(who, `fails with ${code}`),
    )
    if (!(await ends(who))) {
      waiting.set(who, ended)
      lines.push(`${who} waits`)
      continue
    }
    lines.push(`${who} ${done.get(who)}`)
    for (const [other] of waiting) {
      if (!(await ends(other))) continue
      waiting.delete(other)
      lines.push(`${other} ${done.get(other)}`)
    }
  }
  return lines
}

describe.runIf(SERVER)("the model of PostgreSQL", () => {
  for (const [name, schedule] of Object.entries(SCHEDULES))
    it(name, async () => {
      const steps = await schedule()
      expect(await runOnModel(steps)).toEqual(await runOnServer(steps))
    })
})

describe("the model of SQLite", () => {
  for (const [name, schedule] of Object.entries(FILE_SCHEDULES))
    it(name, async () => {
      const steps = await schedule()
      const lines = runOnFile(steps)
      expect(lines).toHaveLength(steps.length + lines.filter((line) => line.endsWith(" waits")).length)
      expect(await runOnModel(steps, false)).toEqual(lines)
    })
})
