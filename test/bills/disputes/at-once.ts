/** Two desks work on bills at once, in every order of their calls: the result must be that of one after the other. */
import path from "node:path"
import { copyFileSync } from "node:fs"
import { expect } from "vitest"
import type { Database } from "../../../src/ledger/database/database.ts"
import { connectTo, newDatabase } from "../../ledger/postgres.ts"
import { driver, ledgerFileIn, storeIn, temporaryDir } from "../../ledger/setup.ts"
import { openSqlite } from "../../../src/ledger/database/sqlite.ts"
import { runInEveryOrder } from "./interleave.ts"
import {
  auditing,
  bookAll,
  type Clerk,
  confirming,
  describeLedger,
  mistaking,
  moving,
  paying,
  posting,
  readingClearing,
  reopening,
  stepping,
  tickingClock,
  undoing,
  unpaying,
} from "./two-clerks.ts"

const BILL = { number: "B-1", charges: { ZZ1: 1000, ZZ2: 2500 } }
const CLEAN = { number: "B-3", charges: { ZZ1: 1000 } }
const CORRECTED = { number: "B-1", charges: { ZZ1: 1000, ZZ2: 2200 } }
const SECOND = { number: "B-2", day: "2026-11-25", charges: { ZZ1: 1000, ZZ2: 2000 } }
const NUMBERLESS = { number: "", charges: { ZZ1: 1000 } }
const CREDIT = { number: "C-1", day: "2026-11-26", charges: { ZZ2: -500 } }
const OTHER_CREDIT = { number: "C-2", day: "2026-11-26", charges: { ZZ9: -500 } }

const AUDITS = {
  "audit the bill": auditing(BILL),
  "audit a clean bill": auditing(CLEAN),
  "audit the corrected bill": auditing(CORRECTED),
  "audit a second bill": auditing(SECOND),
  "audit a bill without a number": auditing(NUMBERLESS),
  "audit the bill, and raise nothing": auditing(BILL, false),
}
const FOLLOWING = {
  "audit the bill again": auditing(BILL),
  "audit the corrected bill": auditing(CORRECTED),
  "audit the credit": auditing(CREDIT),
  "post the bill": posting(BILL),
  "deny it": stepping("denied", "ZZ2"),
  "deny a part": stepping("denied", "ZZ2", 300),
  "credit a part by hand": stepping("credited", "ZZ2", 300),
  "send it": stepping("sent", "ZZ2"),
}
const POSTED = {
  "post the bill again": posting(BILL),
  "post the bill anew": posting(BILL, true),
  "audit the credit": auditing(CREDIT),
  "deny it": stepping("denied", "ZZ2"),
}
const CREDITED = {
  "confirm the credit": confirming("C-2", "ZZ2"),
  "deny it": stepping("denied", "ZZ2"),
  "audit the credit": auditing(CREDIT),
  "post the credit": posting(OTHER_CREDIT),
}
const MISTAKEN = {
  "audit the bill": auditing(BILL),
  "audit the corrected bill": auditing(CORRECTED),
  "audit the credit": auditing(CREDIT),
  "post the bill": posting(BILL),
  "deny it": stepping("denied", "ZZ2"),
}
const DENIED = {
  "reopen it": reopening("ZZ2"),
  "deny it again": stepping("denied", "ZZ2"),
  "audit the credit": auditing(CREDIT),
  "post the bill": posting(BILL),
}
const PAID = {
  "reopen it": reopening("ZZ2"),
  "audit the credit again": auditing(CREDIT),
  "post the credit": posting(CREDIT),
}
const GROWN = { number: "B-1", charges: { ZZ2: 2500, ZZ1: 1000, ZZ8: 700 } }
const DENIED_IN_BOOKS = {
  "move it": moving("ZZ2"),
  "reopen it": reopening("ZZ2"),
  "audit the credit": auditing(CREDIT),
  "undo the posting": undoing("B-1"),
  "post the bill anew": posting(BILL, true),
}
const UNDONE = {
  "undo the posting again": undoing("B-1"),
  "post the bill": posting(BILL),
  "deny it": stepping("denied", "ZZ2"),
  "audit what it has grown to": auditing(GROWN),
}
const GROWING = {
  "audit what it was": auditing(BILL),
  "post what it has grown by": posting(GROWN),
  "undo the posting": undoing("B-1"),
  "link a number": auditing(GROWN, true, [{ number: "ZZ8", shipment: "ZZ1", isAlways: false }]),
  "take the link back": auditing(GROWN, true, [{ number: "ZZ8", shipment: "", isAlways: false }]),
}
const TO_PAY = {
  "pay the bill": paying(["B-1"]),
  "pay the bill in full": paying(["B-1"], { lessCents: 0 }),
  "deny what is disputed": stepping("denied", "ZZ2"),
  "undo its posting": undoing("B-1"),
}
const PAID_ONCE = {
  "pay the rest": paying(["B-1"]),
  "undo the payment": unpaying("B-1"),
  "audit a credit": auditing(CREDIT),
}
const GROUPS: readonly [name: string, before: readonly Clerk[], clerks: Readonly<Record<string, Clerk>>][] = [
  ["at first", [], AUDITS],
  ["once it is raised", [auditing(BILL)], FOLLOWING],
  ["once it is posted", [auditing(BILL), posting(BILL)], POSTED],
  ["once it is raised against itself", [mistaking(BILL)], MISTAKEN],
  ["once it is denied", [auditing(BILL), stepping("denied", "ZZ2")], DENIED],
  ["once it is paid", [auditing(BILL), posting(BILL), auditing(CREDIT)], PAID],
  [
    "once it is denied in the books",
    [auditing(BILL), posting(BILL), stepping("denied", "ZZ2")],
    DENIED_IN_BOOKS,
  ],
  ["once its posting is undone", [auditing(BILL), posting(BILL), undoing("B-1")], UNDONE],
  ["once it has grown", [auditing(BILL), posting(BILL), auditing(GROWN)], GROWING],
  ["once it is to be paid", [auditing(BILL), posting(BILL)], TO_PAY],
  [
    "once the carrier was paid",
    [auditing(BILL), posting(BILL), paying(["B-1"]), stepping("denied", "ZZ2", 100)],
    PAID_ONCE,
  ],
  ["once something is credited", [auditing(BILL), auditing(OTHER_CREDIT)], CREDITED],
]
/** Commands that read little before they write; the others match a bill first. */
const QUICK = /^(?:confirm|credit|deny|move|pay|reopen|send|undo)/

interface Pair {
  before: readonly Clerk[]
  clerks: readonly [Clerk, Clerk]
  /** A posting meets what matches a bill too: on a server, the orders of their calls take many seconds. */
  isLong: boolean
}

/** Two things that are done at once, by what was done before. */
export const PAIRS: readonly (readonly [name: string, pair: Pair])[] = GROUPS.flatMap(
  ([group, before, clerks]) =>
    Object.entries(clerks).flatMap(([one, first], at, all) =>
      all.slice(at).map(([other, second]) => {
        const isLong =
          [one, other].some((each) => each.startsWith("post")) &&
          [one, other].every((each) => !QUICK.test(each))
        return [`${group}: ${one} | ${other}`, { before, clerks: [first, second] as const, isLong }] as const
      }),
    ),
)

/** Later, every bill is audited again, and what is on the clearing account comes to light. */
const LATER = [
  ...[auditing(BILL), auditing(SECOND), auditing(CREDIT), readingClearing, posting(CREDIT), readingClearing],
]

interface Ledgers {
  /** A new ledger with what was done before, opened twice. */
  open(before: readonly Clerk[]): Promise<readonly [Database, Database]>
  close(): Promise<void>
}

async function describeEnd(
  database: Database,
  results: readonly PromiseSettledResult<unknown>[],
): Promise<string> {
  const ended = results.map((each) => (each.status === "fulfilled" ? each.value : String(each.reason)))
  const ledger = await describeLedger(database)
  const later = []
  for (const clerk of LATER) later.push(await clerk(database).catch(String))
  return JSON.stringify({ ended, ledger, later, last: await describeLedger(database) }, undefined, 1)
}

const SQLITE = (): Ledgers => {
  const folder = temporaryDir()
  let made = 0
  let opened: Database[] = []
  const prepared = new Map<readonly Clerk[], string>()
  const close = async () => {
    for (const each of opened) await each.close()
    opened = []
  }
  const clock = tickingClock()
  /** Without waiting for the disk. */
  const openQuickly = async (file: string) => {
    const database = openSqlite(file, { driver, clock })
    await database.all("pragma synchronous = off")
    return database
  }
  const prepare = async (before: readonly Clerk[]) => {
    const file = ledgerFileIn(temporaryDir())
    const database = await openQuickly(file)
    await bookAll(storeIn(database))
    for (const clerk of before) await clerk(database)
    await database.close()
    return file
  }
  return {
    async open(before) {
      await close()
      const from = prepared.get(before) ?? (await prepare(before))
      prepared.set(before, from)
      const file = path.join(folder, `${made++}.db`)
      copyFileSync(from, file)
      const [one, other] = [await openQuickly(file), await openQuickly(file)]
      opened = [one, other]
      return [one, other]
    },
    close,
  }
}

const TABLES = [
  ...[
    "bills",
    "billed",
    "disputes",
    "dispute_steps",
    "credits",
    "postings",
    "clearing_moves",
    "payments",
    "links",
  ],
]

const POSTGRES = async (): Promise<Ledgers> => {
  const address = await newDatabase()
  const [one, other] = [await connectTo(address), await connectTo(address)]
  await bookAll(storeIn(one))
  return {
    async open(before) {
      for (const table of TABLES) await one.run(`delete from ${table}`)
      for (const clerk of before) await clerk(one)
      return [one, other]
    },
    close: async () => {},
  }
}

/** Tries a pair in every order of its calls, beside one after the other. @returns how many orders there are */
export async function tryPair(database: "SQLite" | "PostgreSQL", { before, clerks }: Pair): Promise<number> {
  const ledgers = database === "SQLite" ? SQLITE() : await POSTGRES()
  const [one, other] = clerks
  const serial: string[] = []
  for (const isTurned of [false, true]) {
    const [alone] = await ledgers.open(before)
    const results: PromiseSettledResult<unknown>[] = []
    for (const clerk of isTurned ? [other, one] : [one, other])
      results.push(...(await Promise.allSettled([clerk(alone)])))
    serial.push(await describeEnd(alone, isTurned ? results.toReversed() : results))
  }
  let opened: Database | undefined
  const orders = await runInEveryOrder(
    clerks,
    async () => {
      const both = await ledgers.open(before)
      opened = both[0]
      return both
    },
    async (results, course) => {
      const end = await describeEnd(opened as Database, results)
      if (!serial.includes(end)) expect(`${course.join("")}\n${end}`).toBe(serial[0])
    },
  )
  await ledgers.close()
  return orders
}
