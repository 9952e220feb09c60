/**
 * The charges of all bills in a database of their own, which is gone when the audit ends: sorted and grouped there, so
 * that a bill of any length takes the same memory.
 */
import { mkdirSync, rmSync } from "node:fs"
import path from "node:path"
import type { Database, Row, Value } from "../ledger/database.ts"
import { insertRows } from "../ledger/bills.ts"
import { openDatabase, type LedgerPorts } from "../ledger/open.ts"
import type { Amounts, Bill, BilledLine, BillLine, BillName } from "./lines.ts"
import type { ChargeOf } from "./judge.ts"

const TABLES = [
  "create table bills (id integer primary key, number text not null, head text not null, skipped text)",
  `create table charges (id integer primary key, bill integer not null, names text not null, line text not null,
    is_tax integer not null, ex_gst integer, gst integer, inc_gst integer, unsaid integer)`,
  `create table matches (names text primary key, subject text not null, found_by text not null, found_in text not null)`,
  `create table subjects (subject text primary key, consignment text not null, shipment_id text, known text not null)`,
  "create index subjects_shipment on subjects (shipment_id) where shipment_id is not null",
  "create table open_names (name text not null, subject text not null, primary key (name, subject)) without rowid",
  `create table results (rank integer not null, weight integer not null, subject text not null, row text not null)`,
  "create index results_order on results (rank, weight desc, subject)",
  "create table billed (id integer primary key, bill integer not null, billed text not null)",
  "create index billed_bill on billed (bill, id)",
]

/** The same consignment for sure: all that names the charge. */
export interface Names {
  key: string
  names: readonly BillName[]
  damaged: string | undefined
  /** The earliest day that the bills tell of it; empty where they tell none. */
  day: string
}

export interface Match {
  key: string
  subject: string
  foundBy: string
  foundIn: string
}

/** A consignment, with what is known of it as JSON. */
export interface KnownSubject<Known> {
  subject: string
  consignment: string
  shipmentId: string | undefined
  known: Known
}

export interface Result {
  rank: number
  weight: number
  subject: string
  row: unknown
  /** What is remembered of it, for each bill. */
  billed: readonly { bill: object; billed: unknown }[]
}

/** A bill with the sums of its charges, as far as all of them say it. */
export interface ScratchBill extends Amounts {
  id: number
  bill: Bill
  skipped: string | undefined
  lines: number
}

const PAGE = 500

export interface Scratch {
  /** Takes lines as they come; they are there after `flush`. */
  add(line: BilledLine, day: string): Promise<void>
  skip(bill: Bill, why: string): Promise<void>
  flush(): Promise<void>
  bills(): AsyncGenerator<ScratchBill[]>
  /** Forgets the charges of a bill that was given twice. */
  dropBill(id: number, why: string): Promise<void>
  names(): AsyncGenerator<Names[]>
  match(matches: readonly Match[]): Promise<void>
  /** Names that nothing in the ledger has, in capitals. */
  putOpen(names: readonly { name: string; subject: string }[]): Promise<void>
  subjectsBy<Known>(
    what: "shipment" | "open name",
    values: readonly string[],
  ): Promise<Map<string, KnownSubject<Known>[]>>
  putSubjects<Known>(subjects: readonly KnownSubject<Known>[]): Promise<void>
  subjects<Known>(where?: string): AsyncGenerator<KnownSubject<Known>[]>
  chargesOf(
    subjects: readonly string[],
  ): Promise<Map<string, { charges: ChargeOf[]; foundBy: string; foundIn: string[] }>>
  putResults(results: readonly Result[]): Promise<void>
  /** What is remembered of a bill. */
  billed<T>(bill: number): AsyncGenerator<T[]>
  /** Worst first. @param maximum no better rank */
  results<T>(maximum?: number): AsyncGenerator<T[]>
  readonly database: Database
  close(): Promise<void>
}

/** @param folder where the file is while the audit runs */
export async function openScratch(folder: string, name: string, ports: LedgerPorts): Promise<Scratch> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = path.join(folder, name)
  const remove = () => {
    for (const ending of ["", "-wal", "-shm", "-journal"]) rmSync(file + ending, { force: true })
  }
  const database = await openDatabase(path.resolve(file), "audit", ports)
  // Nothing in it must outlive a crash.
  for (const pragma of ["journal_mode = off", "synchronous = off", "cache_size = -16000"])
    await database.all(`pragma ${pragma}`)
  for (const table of TABLES) await database.run(table)

  const ids = new WeakMap<Bill, number>()
  let nextId = 0
  let pending: Record<string, Value>[] = []
  const idOf = async (bill: Bill): Promise<number> => {
    const known = ids.get(bill)
    if (known !== undefined) return known
    const id = ++nextId
    ids.set(bill, id)
    await database.run("insert into bills (id, number, head) values (?, ?, ?)", [
      id,
      bill.number,
      JSON.stringify(bill),
    ])
    return id
  }
  const write = (table: string, rows: readonly Record<string, Value>[]) =>
    database.transaction((transaction) => insertRows(transaction, table, rows))
  const flush = async () => {
    const rows = pending
    pending = []
    if (rows.length > 0) await write("charges", rows)
  }
  const heads = new Map<number, Bill>()
  const readHeads = async (wanted: readonly number[]) => {
    if (heads.size > 10_000) heads.clear()
    const missing = [...new Set(wanted)].filter((id) => !heads.has(id))
    for (let from = 0; from < missing.length; from += PAGE) {
      const some = missing.slice(from, from + PAGE)
      const rows = await database.all(
        `select id, head from bills where id in (${some.map(() => "?").join(", ")})`,
        some,
      )
      for (const { id, head } of rows) {
        const bill = JSON.parse(String(head)) as Bill
        ids.set(bill, Number(id))
        heads.set(Number(id), bill)
      }
    }
  }

  return {
    database,
    async add({ bill, line }, day) {
      const id = await idOf(bill)
      const { names, damaged, ...rest } = line
      const key =
        names.length === 0
          ? JSON.stringify([id, line.label, damaged ?? ""])
          : JSON.stringify(names.map(({ text, field }) => [text, field]))
      pending.push({
        bill: id,
        names: key,
        line: JSON.stringify({ ...rest, ...(damaged !== undefined && { damaged }), day }),
        is_tax: line.charge === "tax" ? 1 : 0,
        ex_gst: line.exGst,
        gst: line.gst,
        inc_gst: line.incGst,
        unsaid: line.unsaid,
      })
      if (pending.length >= PAGE) await flush()
    },
    async skip(bill, why) {
      const id = await idOf(bill)
      await database.run("update bills set skipped = ? where id = ?", [why, id])
    },
    async flush() {
      await flush()
      await database.run("create index charges_names on charges (names, id)")
      await database.run("create index charges_bill on charges (bill)")
    },
    async *bills() {
      for (let last = 0; ; ) {
        const rows = await database.all(
          `select bills.id, head, skipped, count(charges.id) as lines, sum(ex_gst) as ex_gst, sum(gst) as gst,
            sum(inc_gst) as inc_gst, sum(unsaid) as unsaid, count(ex_gst) as with_ex, count(inc_gst) as with_inc,
            count(gst) as with_gst, sum(is_tax) as taxes
            from bills left join charges on charges.bill = bills.id where bills.id > ? group by bills.id
            order by bills.id limit ${PAGE}`,
          [last],
        )
        if (rows.length > 0) yield rows.map(billIn)
        if (rows.length < PAGE) return
        last = Number(rows.at(-1)?.id)
      }
    },
    async dropBill(id, why) {
      await database.run("delete from charges where bill = ?", [id])
      await database.run("update bills set skipped = ? where id = ?", [why, id])
    },
    async *names() {
      for (let last = ""; ; ) {
        const rows = await database.all(
          `select names, line from charges where names > ? group by names order by names limit ${PAGE}`,
          [last],
        )
        if (rows.length > 0) yield rows.map(namesIn)
        if (rows.length < PAGE) return
        last = String(rows.at(-1)?.names)
      }
    },
    async match(matches) {
      const rows = matches.map(({ key, subject, foundBy, foundIn }) => ({
        names: key,
        subject,
        found_by: foundBy,
        found_in: foundIn,
      }))
      await write("matches", rows)
    },
    async putOpen(names) {
      await database.transaction(async (transaction) => {
        for (let from = 0; from < names.length; from += PAGE) {
          const some = names.slice(from, from + PAGE)
          await transaction.run(
            `insert or ignore into open_names (name, subject) values ${some.map(() => "(?, ?)").join(", ")}`,
            some.flatMap(({ name, subject }) => [name, subject]),
          )
        }
      })
    },
    async subjectsBy<Known>(what: "shipment" | "open name", values: readonly string[]) {
      const found = new Map<string, KnownSubject<Known>[]>()
      const marks = values.map(() => "?").join(", ")
      const rows = await database.all(
        what === "shipment"
          ? `select *, shipment_id as by_name from subjects where shipment_id in (${marks})`
          : `select subjects.*, name as by_name from open_names join subjects using (subject) where name in (${marks})`,
        values,
      )
      for (const row of rows) {
        const name = String(row.by_name)
        found.set(name, [...(found.get(name) ?? []), subjectIn<Known>(row)])
      }
      return found
    },
    async putSubjects(subjects) {
      await database.transaction(async (transaction) => {
        for (let from = 0; from < subjects.length; from += 100) {
          const some = subjects.slice(from, from + 100)
          await transaction.run(
            `insert or replace into subjects (subject, consignment, shipment_id, known) values ${some.map(() => "(?, ?, ?, ?)").join(", ")}`,
            some.flatMap(({ subject, consignment, shipmentId, known }) => [
              subject,
              consignment,
              shipmentId ?? null,
              JSON.stringify(known),
            ]),
          )
        }
      })
    },
    async *subjects<Known>(where = "1") {
      for (let last = ""; ; ) {
        const rows = await database.all(
          `select * from subjects where subject > ? and ${where} order by subject limit ${PAGE}`,
          [last],
        )
        if (rows.length > 0) yield rows.map((row) => subjectIn<Known>(row))
        if (rows.length < PAGE) return
        last = String(rows.at(-1)?.subject)
      }
    },
    async chargesOf(subjects) {
      const rows = await database.all(
        `select matches.subject, matches.found_by, matches.found_in, charges.bill, charges.line
          from matches join charges on charges.names = matches.names
          where matches.subject in (${subjects.map(() => "?").join(", ")}) order by charges.id`,
        subjects,
      )
      await readHeads(rows.map(({ bill }) => Number(bill)))
      const found = new Map<string, { charges: ChargeOf[]; foundBy: string; foundIn: string[] }>()
      for (const row of rows) {
        const of = found.get(String(row.subject)) ?? {
          charges: [],
          foundBy: String(row.found_by),
          foundIn: [],
        }
        const bill = heads.get(Number(row.bill))
        if (bill) of.charges.push({ ...(JSON.parse(String(row.line)) as BillLine), names: [], bill })
        const field = String(row.found_in)
        if (!of.foundIn.includes(field)) of.foundIn.push(field)
        found.set(String(row.subject), of)
      }
      return found
    },
    async putResults(results) {
      await write(
        "results",
        results.map(({ row, rank, weight, subject }) => ({
          rank,
          weight,
          subject,
          row: JSON.stringify(row),
        })),
      )
      const billed = results.flatMap((each) => each.billed)
      await write(
        "billed",
        billed.map((each) => ({
          bill: ids.get(each.bill as Bill) ?? 0,
          billed: JSON.stringify(each.billed),
        })),
      )
    },
    async *billed<T>(bill: number) {
      for (let last = 0; ; ) {
        const rows = await database.all(
          `select id, billed from billed where bill = ? and id > ? order by id limit ${PAGE}`,
          [bill, last],
        )
        if (rows.length > 0) yield rows.map(({ billed }) => JSON.parse(String(billed)) as T)
        if (rows.length < PAGE) return
        last = Number(rows.at(-1)?.id)
      }
    },
    async *results<T>(maximum = Number.MAX_SAFE_INTEGER) {
      let last: Row | undefined
      for (;;) {
        const after = last
          ? "and (rank > ? or (rank = ? and weight < ?) or (rank = ? and weight = ? and subject > ?))"
          : ""
        const rows: Row[] = await database.all(
          `select * from results where rank <= ? ${after} order by rank, weight desc, subject limit ${PAGE}`,
          [
            maximum,
            ...(last
              ? [last.rank, last.rank, last.weight, last.rank, last.weight, last.subject].map(
                  (each) => each ?? null,
                )
              : []),
          ],
        )
        if (rows.length > 0) yield rows.map(({ row }) => JSON.parse(String(row)) as T)
        if (rows.length < PAGE) return
        last = rows.at(-1)
      }
    },
    async close() {
      await database.close().catch(() => {})
      remove()
    },
  }
}

function billIn(row: Row): ScratchBill {
  const number = (name: string) => Number(row[name] ?? 0)
  const lines = number("lines")
  const isUnsaid = row.unsaid != null
  const sum = (name: string, all: boolean) => (all && !isUnsaid && lines > 0 ? number(name) : null)
  const taxes = number("taxes")
  return {
    id: number("id"),
    bill: JSON.parse(String(row.head)) as Bill,
    skipped: row.skipped == null ? undefined : String(row.skipped),
    lines,
    exGst: sum("ex_gst", taxes === 0 && number("with_ex") === lines),
    gst: sum("gst", taxes === 0 && number("with_gst") === lines),
    incGst: sum("inc_gst", taxes === 0 && number("with_inc") === lines),
    unsaid:
      isUnsaid || taxes > 0 ? number("unsaid") + number("ex_gst") + (taxes > 0 ? number("gst") : 0) : null,
  }
}

function namesIn({ names, line }: Row): Names {
  const parsed = JSON.parse(String(names)) as [string, string][]
  const { damaged, day = "" } = JSON.parse(String(line)) as { damaged?: string; day?: string }
  const isNameless = typeof parsed[0] === "number"
  return {
    key: String(names),
    names: isNameless ? [] : parsed.map(([text, field]) => ({ text, field })),
    damaged,
    day,
  }
}

function subjectIn<Known>({ subject, consignment, shipment_id: id, known }: Row): KnownSubject<Known> {
  return {
    subject: String(subject),
    consignment: String(consignment),
    shipmentId: id == null ? undefined : String(id),
    known: JSON.parse(String(known)) as Known,
  }
}
