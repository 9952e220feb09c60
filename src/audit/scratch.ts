/**
 * The charges of all bills in a database of their own, which is gone when the audit ends: sorted and grouped there, so
 * that a bill of any length takes the same memory.
 */
import { rmSync } from "node:fs"
import path from "node:path"
import type { Value } from "../ledger/database/database.ts"
import { openDatabase, type LedgerPorts } from "../ledger/open.ts"
import { makeFolder } from "../system.ts"
import { isGstOf } from "./gst.ts"
import type { ChargeOf } from "./judge.ts"
import type { Amounts, Bill, BilledLine, BillLine, BillName, StatedGst } from "./lines.ts"

const TABLES = [
  "create table bills (id integer primary key, head text not null, skipped text, stated text)",
  `create table charges (id integer primary key, bill integer not null, names text not null, line text not null,
    is_tax integer not null, ex_gst integer, gst integer, inc_gst integer, unsaid integer)`,
  `create table matches (names text primary key, subject text not null, found_by text not null, found_in text not null)`,
  "create index matches_subject on matches (subject)",
  `create table subjects (subject text primary key, consignment text not null, shipment_id text, known text not null)`,
  "create index subjects_shipment on subjects (shipment_id) where shipment_id is not null",
  "create table open_names (name text not null, subject text not null, primary key (name, subject)) without rowid",
  "create table results (rank integer not null, weight integer not null, subject text not null, row text not null)",
  "create index results_order on results (rank, weight desc, subject)",
  "create table billed (id integer primary key, bill integer not null, billed text not null)",
]

/** All that names a charge: charges with the same names are of the same consignment. */
export interface Names {
  key: string
  names: readonly BillName[]
  damaged: string | undefined
  /** A day that the bills tell of it; empty where they tell none. */
  day: string
}

export interface Match {
  key: string
  subject: string
  foundBy: string
  foundIn: string
}

export interface KnownSubject<Known> {
  subject: string
  consignment: string
  shipmentId: string | undefined
  known: Known
}

export interface Result {
  /** The worst first, those of one rank by weight. */
  rank: number
  weight: number
  subject: string
  row: unknown
  /** What is remembered of it, for each bill. */
  billed: readonly { bill: Bill; billed: unknown }[]
}

/** A bill with the sums of its charges, as far as all of them say it. */
export interface ScratchBill extends Amounts {
  id: number
  bill: Bill
  skipped: string | undefined
  lines: number
  stated: StatedGst | undefined
}

export interface ChargesOf {
  charges: ChargeOf[]
  foundBy: string
  foundIn: string[]
}

export type Scratch = Awaited<ReturnType<typeof openScratch>>

const PAGE = 500
/** Heads of bills that are held, to be shared by their charges. */
const MOST_HEADS = 10_000

/** @param folder where the file is while the audit runs */
export async function openScratch(folder: string, name: string, ports: LedgerPorts) {
  makeFolder(folder)
  const file = path.resolve(folder, name)
  const database = await openDatabase(file, "audit", ports)
  // Nothing in it must outlive a crash.
  for (const pragma of ["journal_mode = off", "synchronous = off", "cache_size = -16000"])
    await database.all(`pragma ${pragma}`)
  for (const table of TABLES) await database.run(table)

  /** Many rows as one JSON text: each row and each value of its own would be slow through a driver. */
  const read = async (select: string, from: string, values: readonly Value[] = []): Promise<unknown[][]> => {
    const [row] = await database.all(
      `select json_group_array(json_array(${select})) as found from (select * from ${from})`,
      values,
    )
    return JSON.parse(String(row?.found)) as unknown[][]
  }
  const write = async (
    table: string,
    columns: readonly string[],
    rows: readonly unknown[][],
    insert = "insert",
  ) => {
    const values = columns.map((_, at) => `value ->> ${at}`).join(", ")
    const sql = `${insert} into ${table} (${columns.join(", ")}) select ${values} from json_each(?)`
    if (rows.length > 0)
      await database.transaction(
        async (transaction) => void (await transaction.run(sql, [JSON.stringify(rows)])),
      )
  }
  /** Pages of a table in the order of a key, which is the first that is selected. */
  async function* readPages(select: string, from: string, key: string): AsyncGenerator<unknown[][]> {
    for (let last: Value = key === "id" ? 0 : ""; ; ) {
      const rows = await read(select, `${from} where ${key} > ? order by ${key} limit ${PAGE}`, [last])
      if (rows.length > 0) yield rows
      if (rows.length < PAGE) return
      last = rows.at(-1)?.[0] as Value
    }
  }

  const ids = new WeakMap<Bill, number>()
  const heads = new Map<number, Bill>()
  let nextId = 0
  let pending: unknown[][] = []
  const idOf = async (bill: Bill): Promise<number> => {
    const known = ids.get(bill)
    if (known !== undefined) return known
    ids.set(bill, ++nextId)
    await write("bills", ["id", "head"], [[nextId, JSON.stringify(bill)]])
    return nextId
  }
  const writeCharges = async () => {
    const rows = pending
    pending = []
    await write("charges", ["bill", "names", "line", "is_tax", "ex_gst", "gst", "inc_gst", "unsaid"], rows)
  }
  const readHeads = async (wanted: readonly number[]) => {
    if (heads.size > MOST_HEADS) heads.clear()
    const missing = [...new Set(wanted)].filter((id) => !heads.has(id))
    const rows = await read(
      "id, json(head), taxed, lines, ex, tax",
      `bills left join (select bill, sum(gst is not null or is_tax) as taxed, sum(1 - is_tax) as lines,
        sum(case when is_tax then 0 else ex_gst end) as ex,
        sum(case when is_tax then coalesce(gst, ex_gst, inc_gst, unsaid) else gst end) as tax
        from charges where bill in (select value from json_each(?)) group by bill) as sums on sums.bill = bills.id
        where id in (select value from json_each(?))`,
      [JSON.stringify(missing), JSON.stringify(missing)],
    )
    for (const row of rows) {
      const [id, found, taxed, lines, ex, tax] = row as [number, Bill, ...(number | null)[]]
      const exGst = ex ?? 0
      const head = {
        ...found,
        statesGst: (taxed ?? 0) > 0,
        isGstRight: isGstOf({ exGst, gst: tax ?? 0, lines: lines ?? 0 }),
      }
      ids.set(head, id)
      heads.set(id, head)
    }
  }

  return {
    /** Takes a charge; it is there after `endReading`. @param day a day that the bill tells of it */
    async add({ bill, line }: BilledLine, day: string): Promise<void> {
      const id = await idOf(bill)
      const { names, damaged, exGst, gst, incGst, unsaid } = line
      // What has no name is a consignment of its own, for each bill and words.
      const key = JSON.stringify(
        names.length === 0 ? [id, line.label, damaged ?? ""] : names.map(({ text, field }) => [text, field]),
      )
      const isTax = line.charge === "tax" ? 1 : 0
      pending.push([
        id,
        key,
        JSON.stringify({ ...line, names: undefined, day }),
        isTax,
        exGst,
        gst,
        incGst,
        unsaid,
      ])
      if (pending.length >= PAGE) await writeCharges()
    },
    async skip(bill: Bill, why: string): Promise<void> {
      await database.run("update bills set skipped = ? where id = ?", [why, await idOf(bill)])
    },
    /** Keeps the GST that a bill states for all its charges. */
    async state(bill: Bill, stated: StatedGst): Promise<void> {
      await database.run("update bills set stated = ? where id = ?", [
        JSON.stringify(stated),
        await idOf(bill),
      ])
    },
    async endReading(): Promise<void> {
      await writeCharges()
      await database.run("create index charges_names on charges (names, id)")
      await database.run("create index charges_bill on charges (bill)")
    },
    async *bills(): AsyncGenerator<ScratchBill[]> {
      const sums = `(select bill, count(*) as lines, sum(ex_gst) as ex, sum(gst) as tax, sum(inc_gst) as inc,
        sum(unsaid) as unsaid, count(ex_gst) as with_ex, count(gst) as with_tax, count(inc_gst) as with_inc,
        sum(is_tax) as taxes from charges group by bill) as sums`
      const select =
        "id, json(head), skipped, json(stated), lines, ex, tax, inc, unsaid, with_ex, with_tax, with_inc, taxes"
      for await (const rows of readPages(select, `bills left join ${sums} on sums.bill = bills.id`, "id"))
        yield rows.map(billIn)
    },
    /** Forgets the charges of a bill that was given twice. */
    async dropBill(id: number, why: string): Promise<void> {
      await database.run("delete from charges where bill = ?", [id])
      await database.run("update bills set skipped = ? where id = ?", [why, id])
    },
    async *names(): AsyncGenerator<Names[]> {
      for (let last = ""; ; ) {
        const rows = (await read(
          "names, line ->> 'damaged', line ->> 'day'",
          `(select names, line, min(id) from charges where names > ? group by names order by names limit ${PAGE})`,
          [last],
        )) as [string, string | null, string][]
        if (rows.length > 0) yield rows.map(toNames)
        if (rows.length < PAGE) return
        last = rows.at(-1)?.[0] ?? ""
      }
    },
    /** Makes charges of one subject those of another, where both are the same shipment. */
    async joinSubjects(joined: ReadonlyMap<string, string>): Promise<void> {
      for (const [from, to] of joined) {
        await database.run("update matches set subject = ? where subject = ?", [to, from])
        await database.run("delete from subjects where subject = ?", [from])
      }
    },
    async putMatches(matches: readonly Match[]): Promise<void> {
      const rows = matches.map(({ key, subject, foundBy, foundIn }) => [key, subject, foundBy, foundIn])
      await write("matches", ["names", "subject", "found_by", "found_in"], rows)
    },
    /** Names that nothing in the ledger has, in capitals. */
    async putOpenNames(names: readonly { name: string; subject: string }[]): Promise<void> {
      const rows = names.map(({ name, subject }) => [name, subject])
      await write("open_names", ["name", "subject"], rows, "insert or ignore")
    },
    async putSubjects<Known>(subjects: readonly KnownSubject<Known>[]): Promise<void> {
      const rows = subjects.map(({ subject, consignment, shipmentId, known }) => [
        ...[subject, consignment, shipmentId ?? null, JSON.stringify(known)],
      ])
      await write("subjects", ["subject", "consignment", "shipment_id", "known"], rows, "insert or replace")
    },
    async *subjects<Known>(): AsyncGenerator<KnownSubject<Known>[]> {
      for await (const rows of readPages(
        "subject, consignment, shipment_id, json(known)",
        "subjects",
        "subject",
      ))
        yield rows.map((row) => toSubject<Known>(row))
    },
    /** Subjects by the ids of their shipments, or by names that are open. */
    async subjectsBy<Known>(
      what: "shipment" | "open name",
      values: readonly string[],
    ): Promise<Map<string, KnownSubject<Known>[]>> {
      const wanted = "in (select value from json_each(?))"
      const rows = await read(
        `subject, consignment, shipment_id, json(known), ${what === "shipment" ? "shipment_id" : "name"}`,
        what === "shipment"
          ? `subjects where shipment_id ${wanted}`
          : `open_names join subjects using (subject) where name ${wanted}`,
        [JSON.stringify(values)],
      )
      const found = new Map<string, KnownSubject<Known>[]>()
      for (const row of rows) {
        const name = String(row[4])
        found.set(name, [...(found.get(name) ?? []), toSubject<Known>(row)])
      }
      return found
    },
    async chargesOf(subjects: readonly string[]): Promise<Map<string, ChargesOf>> {
      const rows = (await read(
        "subject, found_by, found_in, bill, json(line)",
        `matches join charges on charges.names = matches.names
          where matches.subject in (select value from json_each(?)) order by charges.id`,
        [JSON.stringify(subjects)],
      )) as [string, string, string, number, BillLine][]
      await readHeads(rows.map(([, , , bill]) => bill))
      const found = new Map<string, ChargesOf>()
      for (const [subject, foundBy, foundIn, id, line] of rows) {
        const of = found.get(subject) ?? { charges: [], foundBy, foundIn: [] }
        const bill = heads.get(id)
        if (bill) of.charges.push({ ...line, names: [], bill })
        if (!of.foundIn.includes(foundIn)) of.foundIn.push(foundIn)
        found.set(subject, of)
      }
      return found
    },
    async putResults(results: readonly Result[]): Promise<void> {
      const rows = results.map(({ rank, weight, subject, row }) => [
        rank,
        weight,
        subject,
        JSON.stringify(row),
      ])
      await write("results", ["rank", "weight", "subject", "row"], rows)
      const billed = results.flatMap((result) => result.billed)
      const kept = billed.map((each) => [ids.get(each.bill) ?? 0, JSON.stringify(each.billed)])
      await write("billed", ["bill", "billed"], kept)
    },
    /** What is remembered of each consignment, for each of its bills. */
    async *billed<T>(): AsyncGenerator<{ bill: number; billed: T }[]> {
      for await (const rows of readPages("id, bill, json(billed)", "billed", "id"))
        yield (rows as [number, number, T][]).map(([, bill, billed]) => ({ bill, billed }))
    },
    /** Worst first. @param maximum no better rank */
    async *results<T>(maximum = Number.MAX_SAFE_INTEGER): AsyncGenerator<T[]> {
      let last: readonly Value[] = [-1, 0, ""]
      for (;;) {
        const [rank = null, weight = null, subject = null] = last
        const rows = await read(
          "rank, weight, subject, json(row)",
          `results where rank <= ? and (rank > ? or (rank = ? and weight < ?) or (rank = ? and weight = ? and subject > ?))
            order by rank, weight desc, subject limit ${PAGE}`,
          [maximum, rank, rank, weight, rank, weight, subject],
        )
        if (rows.length > 0) yield rows.map(([, , , row]) => row as T)
        if (rows.length < PAGE) return
        last = (rows.at(-1) ?? []) as Value[]
      }
    },
    async close(): Promise<void> {
      await database.close().catch(() => {})
      for (const ending of ["", "-wal", "-shm", "-journal"]) rmSync(file + ending, { force: true })
    },
  }
}

function toNames([key, damaged, day]: [string, string | null, string]): Names {
  const [first, ...others] = JSON.parse(key) as [string, string][]
  const isNameless = typeof first === "number"
  const names = isNameless || !first ? [] : [first, ...others].map(([text, field]) => ({ text, field }))
  return { key, names, damaged: damaged ?? undefined, day }
}

function billIn(row: unknown[]): ScratchBill {
  const [id, head, skipped, stated, ...sums] = row as [
    number,
    Bill,
    string | null,
    StatedGst | null,
    ...(number | null)[],
  ]
  const [lines = 0, exGst, gst, incGst, unsaid, withExGst, withGst, withIncGst, taxes] = sums.map(
    (each) => each ?? undefined,
  )
  const isWhole = (count: number | undefined) =>
    lines > 0 && count === lines && unsaid === undefined && !taxes
  return {
    id,
    bill: head,
    skipped: skipped ?? undefined,
    stated: stated ?? undefined,
    lines,
    exGst: isWhole(withExGst) ? (exGst ?? null) : null,
    gst: isWhole(withGst) ? (gst ?? null) : null,
    incGst: isWhole(withIncGst) ? (incGst ?? null) : null,
    // Lines of several kinds add up to what asks for the money, on no basis that could be named.
    unsaid: unsaid !== undefined || taxes ? (unsaid ?? 0) + (exGst ?? 0) + (taxes ? (gst ?? 0) : 0) : null,
  }
}

function toSubject<Known>(row: unknown[]): KnownSubject<Known> {
  const [subject, consignment, shipmentId, known] = row as [string, string, string | null, Known]
  return { subject, consignment, shipmentId: shipmentId ?? undefined, known }
}
