/** The clearing account as a clerk keeps it in the books, beside what freight says stands there: after any steps, to the cent. */
import { describe, expect, it } from "vitest"
import { describeMove, readClearing, toClearingRow } from "../../../src/bills/books/on-clearing.ts"
import type { Database } from "../../../src/ledger/database/database.ts"
import { ledgerFileIn, openFile, storeIn, temporaryDir } from "../../ledger/setup.ts"
import { numbersFrom } from "../../acceptance/numbers.ts"
import {
  auditing,
  bookAll,
  type Clerk,
  confirming,
  moving,
  posting,
  reopening,
  stepping,
  tickingClock,
  undoing,
} from "../disputes/two-clerks.ts"

/** ZZ1 3.00 above its quote, ZZ2 5.00. */
const BILL = { number: "B-1", charges: { ZZ1: 1300, ZZ2: 2500 } }
const CREDITS = [
  { number: "C-1", day: "2026-11-26", charges: { ZZ2: -200 } },
  { number: "C-2", day: "2026-11-27", charges: { ZZ1: -300, ZZ2: -300 } },
  { number: "C-3", day: "2026-11-28", charges: { ZZ9: -500 } },
]

async function begin(): Promise<Database> {
  const database = openFile(ledgerFileIn(temporaryDir()), tickingClock())
  await bookAll(storeIn(database))
  await auditing(BILL)(database)
  return database
}

async function rows(database: Database) {
  return (await readClearing(database))
    .map(toClearingRow)
    .map(({ consignment, stands, toMove, from, to }) => ({
      ...{ consignment, stands, toMove, from, to },
    }))
}

describe("the clearing account", () => {
  it("keeps what is to be moved until a person says that it was", async () => {
    const database = await begin()
    expect(await rows(database)).toEqual([])
    await posting(BILL)(database)
    await stepping("denied", "ZZ2")(database)
    const [open, denied] = await rows(database)
    expect(open).toEqual({ consignment: "ZZ1", stands: 3, toMove: 0, from: "", to: "" })
    expect(denied).toEqual({ consignment: "ZZ2", stands: 5, toMove: 5, from: "650", to: "429" })
    const [, each] = await readClearing(database)
    expect(each && describeMove(each)).toBe("AUD 5.00 without GST from 650 to 429")
    await moving("ZZ2")(database)
    expect((await rows(database))[1]).toMatchObject({ stands: 0, toMove: 0 })
    expect(await moving("ZZ2")(database)).toEqual([])
    await reopening("ZZ2")(database)
    expect((await rows(database))[1]).toMatchObject({ stands: 0, toMove: -5, from: "429", to: "650" })
  })

  it("is told where the money of what was paid otherwise came in", async () => {
    const database = await begin()
    await posting(BILL)(database)
    await stepping("credited", "ZZ1")(database)
    expect((await rows(database))[0]).toMatchObject({
      toMove: 3,
      from: "650",
      to: "where the carrier's money came in",
    })
  })

  it("loses what a credit took that was posted before a person used it", async () => {
    const database = await begin()
    await posting(BILL)(database)
    const [, , other] = CREDITS
    if (!other) throw new TypeError("there is none")
    await auditing(other)(database)
    await posting(other)(database)
    await confirming("C-3", "ZZ2")(database)
    expect((await rows(database))[1]).toMatchObject({ stands: 5, toMove: 5, from: "650", to: "429" })
  })

  it("refuses to take back a bill of which a credit was posted since", async () => {
    const database = await begin()
    await posting(BILL)(database)
    const [part] = CREDITS
    if (!part) throw new TypeError("there is none")
    await auditing(part)(database)
    await posting(part)(database)
    await expect(undoing(BILL)(database)).rejects.toMatchObject({ kind: "refused" })
    await undoing(part)(database)
    expect(await undoing(BILL)(database)).toMatchObject({ isNew: true })
    expect(await undoing(BILL)(database)).toMatchObject({ isNew: false })
    expect(await rows(database)).toEqual([])
  })

  it.each(
    Array.from({ length: 40 }, (_, seed) => seed + 1),
  )("is as the books have it, seed %i", async (seed) => {
    const database = await begin()
    const numbers = numbersFrom(seed)
    const pick = <T>(items: readonly T[]): T => items[Math.floor(numbers() * items.length)] as T
    const bills = [BILL, ...CREDITS]
    /** What the file that was imported last brought there, by bill: cents with GST. */
    const imported = new Map<string, number>()
    /** Cents without GST that were moved away. */
    let moved = 0
    const keeping =
      (bill: (typeof bills)[number], isUndone: boolean): Clerk =>
      async (target) => {
        const done = isUndone ? undefined : ((await posting(bill)(target)) as { clearing: number }[])
        if (isUndone) await undoing(bill)(target)
        imported.set(bill.number, done?.[0]?.clearing ?? 0)
      }
    const moveAll: Clerk = async (target) => {
      for (const name of ["ZZ1", "ZZ2"])
        for (const each of (await moving(name)(target)) as { toMoveCents: number }[])
          moved += each.toMoveCents
    }
    let isMovedSince = false
    for (let n = 0; n < 14; n++) {
      const name = pick(["ZZ1", "ZZ2"])
      const bill = pick(bills)
      const clerk = pick<Clerk>([
        auditing(bill),
        keeping(bill, false),
        // What was moved for a bill that was not imported is undone by the clerk too: not played here.
        ...(isMovedSince ? [] : [keeping(bill, true)]),
        stepping(pick(["denied", "credited", "written-off"]), name, pick([undefined, 100])),
        reopening(name),
        confirming("C-3", name),
        moveAll,
      ])
      if (clerk === moveAll) isMovedSince = true
      // What is refused writes nothing.
      await clerk(database).catch(() => undefined)
      const clearing = await readClearing(database)
      const stands = clearing.reduce((sum, { cents }) => sum + cents, 0)
      const inBooks = [...imported.values()].reduce((sum, cents) => sum + cents, 0) / 1.1 - moved
      expect(stands).toBeCloseTo(inBooks, 6)
    }
    for (const bill of bills) await auditing(bill)(database)
    for (const bill of bills) await keeping(bill, false)(database)
    await moveAll(database)
    for (const { cents, toMoveCents, standing, posting: of } of await readClearing(database))
      expect([cents, toMoveCents]).toEqual([
        Math.min(standing.openCents, of.cleared[standing.dispute.id] ?? 0),
        0,
      ])
  })
})
