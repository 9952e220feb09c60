/**
 * A real SQLite that answers what statements would say: on what was committed, and on what a transaction has written
 * beside it. What is in it at a moment has a number, so that a search can go back there. Nothing is ever committed in it
 * but the contents that are put back.
 */
import type { DatabaseRow, Value } from "../../src/ledger/database/database.ts"
import type { Table } from "../../src/ledger/database/sql.ts"
import { migrate } from "../../src/ledger/schema.ts"
import { type Driver, openSqlite } from "../../src/ledger/database/sqlite.ts"
import { synchronousDriver } from "../simulation/driver.ts"

/** The number of a statement with its values. */
export type Logged = number

export interface Answer {
  rows: readonly DatabaseRow[]
  changes: number
  /** A constraint forbids it: SQLite's words. */
  violation?: string
  /** SQLite cannot do it at all: its words. Whoever asked is told so. */
  fault?: string
}

/** Tables that change in a search; keys and accounts stay as they were in the beginning. */
const TABLES = ["sends", "collected", "elsewhere", "elsewhere_marks"] as const satisfies readonly Table[]
export type Content = Record<(typeof TABLES)[number], readonly DatabaseRow[]>

const EMPTY: Content = { sends: [], collected: [], elsewhere: [], elsewhere_marks: [] }

/** SQLite's codes of an index, of the primary key, and of what our trigger raises. */
const UNIQUE = [2067, 1555, 1811]

export type Engine = Awaited<ReturnType<typeof openEngine>>

/**
 * @param file `:memory:`, or where the file is
 * @param prepare fills the ledger; what is in it then has the number 0
 */
export async function openEngine(
  file: string,
  isServer: boolean,
  prepare: (database: ReturnType<typeof openSqlite>) => Promise<void>,
  now: () => number,
) {
  let connection: ReturnType<Driver> | undefined
  const driver: Driver = (name) => {
    connection = synchronousDriver(name)
    return connection
  }
  const database = openSqlite(file, { driver, clock: { now, sleep: async () => {} } })
  await migrate(database)
  await prepare(database)
  // A server has no such mark, and a file's is not what is searched here.
  for (const name of ["sends_claimed", "sends_settled"]) await database.run(`drop trigger ${name}`)
  const open = connection
  if (!open) throw new TypeError("no connection was opened")
  open.exec("pragma synchronous = off")
  type Prepared = { all(...values: Value[]): DatabaseRow[]; run(...values: Value[]): { changes: number } }
  const statements = new Map<string, Prepared>()
  const prepared = (sql: string): Prepared => {
    const known = statements.get(sql)
    if (known) return known
    // PostgreSQL's `$1` is SQLite's `?1`.
    const made = open.prepare(isServer ? sql.replace(/\$(\d+)/g, "?$1") : sql) as unknown as Prepared
    statements.set(sql, made)
    return made
  }
  const written: (readonly [sql: string, values: readonly Value[]])[] = []
  const writtenNumbers = new Map<string, Logged>()
  const run = (logged: Logged): Answer => {
    const [sql, values] = written[logged] ?? ["", []]
    try {
      const statement = prepared(sql)
      if (/^\s*select\b/.test(sql)) return { rows: statement.all(...values), changes: 0 }
      return { rows: [], changes: Number(statement.run(...values).changes) }
    } catch (error) {
      const { rawCode, errcode, message } = Object(error) as Partial<Record<string, unknown>>
      if (UNIQUE.includes(Number(rawCode ?? errcode)))
        return { rows: [], changes: 0, violation: String(message) }
      return { rows: [], changes: 0, fault: String(message) }
    }
  }

  const contents: Content[] = []
  const numbers = new Map<string, number>()
  let loaded = 0
  const read = (): number => {
    const content = Object.fromEntries(
      TABLES.map((table) => [table, prepared(`select * from ${table}`).all().map(withoutNulls)]),
    ) as unknown as Content
    const text = JSON.stringify(content)
    const known = numbers.get(text)
    if (known !== undefined) return known
    numbers.set(text, contents.length)
    return contents.push(content) - 1
  }
  const load = (number: number) => {
    if (number === loaded) return
    const content = contents[number]
    if (!content) throw new TypeError(`there is no content ${number}`)
    open.exec("begin immediate")
    for (const table of TABLES) {
      open.exec(`delete from ${table}`)
      for (const { lease_until: until, ...row } of content[table]) {
        const columns = Object.keys(row)
        const places = columns.map(() => "?").join(", ")
        prepared(`insert into ${table} (${columns.join(", ")}) values (${places})`).run(...Object.values(row))
        // The trigger of claims would refuse what was let in before it became equal to another.
        if (until !== undefined)
          prepared("update sends set lease_until = ? where id = ?").run(until, row.id ?? null)
      }
    }
    open.exec("commit")
    loaded = number
  }
  loaded = read()

  const known = new Map<string, unknown>()
  /** Does something on the content and the writes of transactions, and takes it all back. */
  const inside = <T>(what: string, number: number, log: readonly Logged[], act: () => T): T => {
    const name = `${what} ${number} ${log.join()}`
    if (known.has(name)) return known.get(name) as T
    load(number)
    open.exec("begin immediate")
    try {
      for (const each of log) {
        const { violation, fault } = run(each)
        if (violation !== undefined || fault !== undefined)
          throw new TypeError(`the model let a conflict in: ${violation ?? fault}`)
      }
      const result = act()
      known.set(name, result)
      return result
    } finally {
      open.exec("rollback")
    }
  }
  return {
    numberOf(sql: string, values: readonly Value[]): Logged {
      const text = `${sql} ${JSON.stringify(values)}`
      const number = writtenNumbers.get(text) ?? written.push([sql, values]) - 1
      writtenNumbers.set(text, number)
      return number
    },
    /** The result of a statement after the writes of `log`. It leaves nothing behind. */
    answer: (number: number, log: readonly Logged[], statement: Logged): Answer =>
      inside(`answer ${statement}`, number, log, () => run(statement)),
    /** Whether the statement is forbidden once another transaction is committed. */
    answerBeside: (
      number: number,
      theirs: readonly Logged[],
      own: readonly Logged[],
      statement: Logged,
    ): boolean =>
      inside(`beside ${own.join()} ${statement}`, number, theirs, () =>
        [...own, statement].some((each) => run(each).violation !== undefined),
      ),
    /** @returns the number of the content with the writes of `log` in it */
    commit: (number: number, log: readonly Logged[]): number => inside("commit", number, log, read),
    contentOf: (number: number): Content => contents[number] ?? EMPTY,
    close: () => open.close(),
  }
}

function withoutNulls(row: DatabaseRow): DatabaseRow {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))
}
