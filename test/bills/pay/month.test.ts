/** November, walked by hand: what a clerk pays, what is withheld, and what comes of it. */
import { describe, expect, it, onTestFinished } from "vitest"
import { readBalances } from "../../../src/bills/books/account.ts"
import { describeToMove } from "../../../src/bills/books/clearing-report.ts"
import { describePaymentEntries } from "../../../src/bills/books/payments.ts"
import { describeOtherPayments } from "../../../src/bills/pay/copied.ts"
import { readAdvices } from "../../../src/bills/pay/advice.ts"
import { decidePayments, sumCents } from "../../../src/bills/pay/decide.ts"
import { readPayableBills } from "../../../src/bills/pay/read.ts"
import { findHeld, describeHeld, sumHeld } from "../../../src/bills/pay/held.ts"
import { formatCents } from "../../../src/base/money.ts"
import type { Database } from "../../../src/ledger/database/database.ts"
import { openSqlite } from "../../../src/ledger/database/sqlite.ts"
import { readPayments } from "../../../src/bills/records/payments.ts"
import { copyLedger } from "../../../src/ledger/maintenance/admin.ts"
import { migrate } from "../../../src/ledger/schema.ts"
import { driver, storeIn } from "../../ledger/setup.ts"
import {
  auditing,
  type BillText,
  bookAll,
  type Clerk,
  moving,
  paying,
  posting,
  reopening,
  stepping,
  tickingClock,
  unpaying,
} from "../disputes/two-clerks.ts"

/** Quoted 10.00, 20.00 and 30.00 without GST. */
const QUOTED = { ZZ1: 1000, ZZ2: 2000, ZZ3: 3000 }

async function office(): Promise<{ database: Database; run(...clerks: Clerk[]): Promise<unknown> }> {
  const database = openSqlite(":memory:", { driver, clock: tickingClock() })
  onTestFinished(() => database.close())
  await migrate(database)
  await bookAll(storeIn(database), QUOTED)
  return {
    database,
    async run(...clerks) {
      let last: unknown
      for (const clerk of clerks) last = await clerk(database)
      return last
    },
  }
}

const bill = (number: string, charges: BillText["charges"]): Clerk[] => [
  auditing({ number, charges }),
  posting({ number, charges }),
]

/** `4711 asks for 38.50: paid 33.00, withheld 5.50, to pay 0.00`, in the order in which they are due. */
async function tell(database: Database): Promise<string[]> {
  return decidePayments(await readPayableBills(database)).map((decision) => {
    const { bill: of, askedCents, paidCents, settledCents, toPayCents, leftCents } = decision
    const parts = [
      ["paid", paidCents],
      ["set off before", settledCents],
      ["withheld", sumCents(decision.withheld)],
      ["credited", sumCents(decision.credited)],
      ["set off", sumCents(decision.setOff)],
      ["to pay", toPayCents],
      ["left", leftCents],
    ] as const
    const told = parts
      .filter(([, cents]) => cents !== 0)
      .map(([what, cents]) => `${what} ${formatCents(cents)}`)
    return `${of.billNumber} asks for ${formatCents(askedCents)}: ${told.join(", ")}`
  })
}

async function tellHeld(database: Database): Promise<string> {
  const held = findHeld(decidePayments(await readPayableBills(database)))
  return describeHeld(sumHeld(held, held.keys()))
}

describe("a month", () => {
  it("ends with every cent paid, withheld or set off", async () => {
    const { database, run } = await office()

    // 4711 charges 10.00 for ZZ1, as quoted, and 25.00 for ZZ2, which was quoted at 20.00: with GST 38.50, of which
    // 5.50 is disputed.
    await run(...bill("4711", { ZZ1: 1000, ZZ2: 2500 }))
    expect(await tell(database)).toEqual(["4711 asks for 38.50: withheld 5.50, to pay 33.00"])

    // The clerk pays 33.00. Again, nothing is written.
    expect(await run(paying(["4711"]))).toMatchObject([{ isNew: true, cents: 3300, withheld: 550 }])
    expect(await run(paying(["4711"]))).toMatchObject([{ isNew: false, cents: 3300 }])
    expect(await tell(database)).toEqual(["4711 asks for 38.50: paid 33.00, withheld 5.50"])
    expect(await tellHeld(database)).toBe("AUD 5.50 with GST is withheld")

    // 4712 charges 32.00 for ZZ3, quoted at 30.00, and credits ZZ2 with 5.00: with GST 29.70. Of that 2.20 is disputed;
    // the credit is in its total, so that what was withheld of 4711 is owed now.
    await run(...bill("4712", { ZZ3: 3200, ZZ2: -500 }))
    expect(await tell(database)).toEqual([
      "4711 asks for 38.50: paid 33.00, to pay 5.50",
      "4712 asks for 29.70: withheld 2.20, to pay 27.50",
    ])

    // All of 4712 is paid despite the dispute: the 2.20 are to come back.
    await run(paying(["4711"]), paying(["4712"], { lessCents: 0 }))
    expect(await tell(database)).toEqual([
      "4711 asks for 38.50: paid 38.50",
      "4712 asks for 29.70: paid 29.70",
    ])
    expect(await tellHeld(database)).toBe("AUD 2.20 with GST was paid and is to come back")

    // They come back as a bill of their own, which gives 2.20 back and is set off against the next one.
    await run(...bill("CN-1", { ZZ3: -200 }), ...bill("4713", { ZZ9: 1000 }))
    expect((await tell(database)).slice(2)).toEqual([
      "4713 asks for 11.00: set off 2.20, to pay 8.80",
      "CN-1 asks for -2.20: ",
    ])
    expect(await run(paying(["4713"]))).toMatchObject([{ cents: 880, setOff: { "CN-1": 220 } }])
    expect(await tellHeld(database)).toBe("")

    // 38.50 + 29.70 - 2.20 + 11.00 = 77.00 were billed, and 33.00 + 5.50 + 29.70 + 8.80 = 77.00 paid.
    expect((await tell(database)).slice(2)).toEqual([
      "4713 asks for 11.00: paid 8.80, set off before 2.20",
      "CN-1 asks for -2.20: set off before -2.20",
    ])
  })

  it("pays what was withheld when it is denied, and not again when that is reopened", async () => {
    const { database, run } = await office()
    await run(...bill("4711", { ZZ1: 1000, ZZ2: 2500 }), paying(["4711"]), stepping("denied", "ZZ2"))
    expect(await tell(database)).toEqual(["4711 asks for 38.50: paid 33.00, to pay 5.50"])
    expect(await run(paying(["4711"]))).toMatchObject([{ part: 2, cents: 550, withheld: 0 }])
    await run(reopening("ZZ2"))
    expect(await tell(database)).toEqual(["4711 asks for 38.50: paid 38.50"])
    expect(await tellHeld(database)).toBe("AUD 5.50 with GST was paid and is to come back")
  })

  it("owes no more what the carrier credited on no bill, while it is withheld", async () => {
    const { database, run } = await office()
    await run(...bill("4711", { ZZ1: 1000, ZZ2: 2500 }), paying(["4711"]))
    await run(stepping("credited", "ZZ2", 200))
    expect(await tell(database)).toEqual(["4711 asks for 38.50: paid 33.00, withheld 3.30, credited 2.20"])
    await run(stepping("written-off", "ZZ2"))
    expect(await tell(database)).toEqual(["4711 asks for 38.50: paid 33.00, credited 2.20, to pay 3.30"])
    await run(paying(["4711"]))
    expect(await tell(database)).toEqual(["4711 asks for 38.50: paid 36.30, set off before 2.20"])
  })

  it("takes off the clearing account what the carrier credited on no bill, by whether it was withheld", async () => {
    const over = bill("4711", { ZZ1: 1000, ZZ2: 2500 })
    const toMove = async (...clerks: Clerk[]) => {
      const { database, run } = await office()
      await run(...over, ...clerks, stepping("credited", "ZZ2", 500))
      return describeToMove(await readBalances(database))[0]
    }
    const money = "where the carrier's money came in: ZZ2 on bill 4711 is paid otherwise."
    const credit = "bill 4711, as a supplier credit"
    const move = "In the books, move AUD 5.00 without GST from 650 to "
    // 5.50 is disputed. Where nobody records payments, it is not known.
    expect(await toMove()).toBe(`${move}${money}`)
    expect(await toMove(paying(["4711"], { lessCents: 0 }))).toBe(`${move}${money}`)
    expect(await toMove(paying(["4711"]))).toBe(
      `${move}${credit}: ZZ2 on bill 4711 is credited, and was withheld.`,
    )
    // 2.00 of the disputed 5.50 was paid; the other 3.50 is not owed.
    expect(await toMove(paying(["4711"], { amountCents: 3500 }))).toBe(
      `${move}${credit} for AUD 3.50 with GST, and the rest ${money.replace("paid otherwise", "credited, and was withheld in part")}`,
    )
  })

  it("brings back from where it was moved to what was credited on no bill, and is open again", async () => {
    const { database, run } = await office()
    await run(...bill("4711", { ZZ1: 1000, ZZ2: 2500 }), paying(["4711"]))
    await run(stepping("credited", "ZZ2", 500), moving("ZZ2"), reopening("ZZ2"))
    expect(describeToMove(await readBalances(database))[0]).toBe(
      "In the books, move AUD 5.00 without GST from where you moved it before to 650: ZZ2 on bill 4711 is open again.",
    )
    await run(moving("ZZ2"), stepping("denied", "ZZ2"), moving("ZZ2"), reopening("ZZ2"))
    expect(describeToMove(await readBalances(database))[0]).toContain(" from 429 to 650: ")
  })

  it("says what to enter in the books of what was credited on no bill", async () => {
    const { database, run } = await office()
    await run(...bill("4711", { ZZ1: 1000, ZZ2: 2500 }), paying(["4711"], { amountCents: 1000 }))
    await run(stepping("credited", "ZZ2", 200), paying(["4711"]))
    expect(describePaymentEntries(await readPayments(database), "xero").at(-1)).toBe(
      "  bill 4711 of Alpha Freight: AUD 23.00 on 2026-11-24, and apply a credit note of AUD 2.20 that you enter on the clearing account; AUD 3.30 stays open, and is on the clearing account until it is settled",
    )
  })

  it("pays half of a bill, and the rest later, and takes both back", async () => {
    const { database, run } = await office()
    await run(...bill("4711", { ZZ1: 1000, ZZ2: 2500 }), paying(["4711"], { amountCents: 1000 }))
    expect(await tell(database)).toEqual(["4711 asks for 38.50: paid 10.00, withheld 5.50, to pay 23.00"])
    await run(paying(["4711"]))
    expect(await tell(database)).toEqual(["4711 asks for 38.50: paid 33.00, withheld 5.50"])
    expect(await run(unpaying("4711"))).toEqual([{ isNew: true, part: 2, paid: 2300 }])
    expect(await run(unpaying("4711"))).toMatchObject([{ isNew: false }])
    expect(await tell(database)).toEqual(["4711 asks for 38.50: paid 10.00, withheld 5.50, to pay 23.00"])
  })
})

describe("the rest of a bill that was paid in part", () => {
  it("is less by what the carrier took back again of a credit", async () => {
    const { database, run } = await office()
    await run(...bill("4711", { ZZ1: 1000, ZZ2: 2500 }), paying(["4711"], { amountCents: 1000 }))
    await run(stepping("credited", "ZZ2", 200), paying(["4711"]))
    expect(await tell(database)).toEqual([
      "4711 asks for 38.50: paid 33.00, set off before 2.20, withheld 3.30",
    ])
    await run(reopening("ZZ2"))
    expect(await tell(database)).toEqual(["4711 asks for 38.50: paid 33.00, withheld 5.50"])
  })

  it("is advised without the credit that was undone", async () => {
    const { database, run } = await office()
    await run(...bill("4711", { ZZ1: 1000, ZZ2: 2500 }), paying(["4711"], { amountCents: 1000 }))
    await run(stepping("credited", "ZZ2", 200), paying(["4711"]))
    const advise = async (...names: string[]) =>
      (await readAdvices(database, names, undefined))
        .flatMap(({ payments }) => payments)
        .map(({ payment: { paid, credited, withheld }, beforeCents }) => ({
          ...{ before: beforeCents, paid, credited: sumCents(credited), withheld: sumCents(withheld) },
        }))
    expect(await advise()).toEqual([{ before: 0, paid: 3300, credited: 220, withheld: 330 }])
    await run(reopening("ZZ2"), stepping("written-off", "ZZ2"), paying(["4711"]))
    expect(await tell(database)).toEqual(["4711 asks for 38.50: paid 38.50"])
    expect(await advise()).toEqual([{ before: 0, paid: 3850, credited: 0, withheld: 0 }])
    expect(await advise("4711")).toEqual([{ before: 3300, paid: 550, credited: 0, withheld: 0 }])
  })

  it("is less by what was disputed since", async () => {
    const { database, run } = await office()
    const over = { number: "4711", charges: { ZZ1: 1000, ZZ2: 2500 } }
    await run(auditing(over, false), posting(over), paying(["4711"], { amountCents: 1000, lessCents: 0 }))
    await run(auditing(over))
    expect(await tell(database)).toEqual(["4711 asks for 38.50: paid 10.00, withheld 5.50, to pay 23.00"])
  })

  it("is not less by a credit of what is paid despite its dispute: that comes back by itself", async () => {
    const { database, run } = await office()
    await run(...bill("4711", { ZZ1: 1000, ZZ2: 2500 }))
    await run(paying(["4711"], { amountCents: 1000, lessCents: 0 }), stepping("credited", "ZZ2", 500))
    expect(await tell(database)).toEqual(["4711 asks for 38.50: paid 10.00, to pay 28.50"])
  })

  it("withholds for the newest disputes first, where it is less than all of them", async () => {
    const { database, run } = await office()
    // 5.50 is disputed for ZZ3, and later 5.50 for ZZ2; the bill asks for 4.40 then.
    await run(...bill("4711", { ZZ3: 3500 }), ...bill("4711", { ZZ3: 3500, ZZ2: 2500, ZZ9: -5600 }))
    const [decision] = decidePayments(await readPayableBills(database))
    const names = decision?.bill.disputes.filter(({ id }) => id in decision.withheld).map(({ name }) => name)
    expect([names, sumCents(decision?.withheld ?? {})]).toEqual([["ZZ2"], 440])
  })
})

describe("never below zero", () => {
  it("withholds no more than the bill asks for", async () => {
    const { database, run } = await office()
    // 4711 is raised with 5.50; the next bill charges 35.00 for ZZ3, quoted at 30.00, and credits 5.00 and 28.00: with GST
    // it asks for 2.20, and 5.50 of it is disputed.
    await run(...bill("4711", { ZZ1: 1000, ZZ2: 2500 }), paying(["4711"]))
    await run(...bill("4712", { ZZ3: 3500, ZZ2: -500, ZZ9: -2800 }))
    expect(await tell(database)).toEqual([
      "4711 asks for 38.50: paid 33.00, to pay 5.50",
      "4712 asks for 2.20: withheld 2.20",
    ])
    expect(await run(paying(["4712"]))).toEqual([])
  })
})

describe("what is refused", () => {
  it("is what is not posted, has grown since, or has something to dispute that was not raised", async () => {
    const { database, run } = await office()
    const refused = (number: string, why: string) =>
      expect(run(paying([number]))).rejects.toThrow(`bill ${number} may not be paid: ${why}`)
    await run(auditing({ number: "4711", charges: { ZZ1: 1000 } }))
    await refused("4711", "it is not in the books yet")
    await run(posting({ number: "4711", charges: { ZZ1: 1000 } }))
    await run(auditing({ number: "4711", charges: { ZZ1: 1000, ZZ3: 3000 } }))
    await refused("4711", "it was audited on")
    await run(posting({ number: "4711", charges: { ZZ1: 1000, ZZ3: 3000 } }))
    expect(await tell(database)).toEqual(["4711 asks for 44.00: to pay 44.00"])
    const over = { number: "4712", charges: { ZZ2: 2500 } }
    await run(auditing(over, false), posting(over))
    await refused("4712", "something of 1 consignment is to be disputed and was not raised")
  })

  it("is what was corrected since it was posted, until the first amount counts again", async () => {
    const { database, run } = await office()
    const first = { number: "4711", charges: { ZZ1: 1000, ZZ3: 3000 } }
    const grown = { number: "4711", charges: { ZZ1: 1000, ZZ3: 3000, ZZ2: 2000 } }
    const corrected = { number: "4711", charges: { ZZ1: 900, ZZ3: 3000 } }
    const refused = (amount: string) =>
      expect(run(paying(["4711"]))).rejects.toThrow(
        new RegExp(`^bill 4711 may not be paid: it was audited on .* with ${amount}, and posted with 40.00`),
      )
    await run(auditing(first), posting(first), auditing(corrected))
    await refused("39.00")
    await run(auditing(corrected))
    await refused("39.00")
    await run(auditing(first))
    expect(await tell(database)).toEqual(["4711 asks for 44.00: to pay 44.00"])
    await run(auditing(grown), auditing(corrected), auditing(grown))
    await refused("60.00")
  })

  it("is what contradicts itself when it is audited again after it was posted, until it is audited right", async () => {
    const { database, run } = await office()
    const right = { number: "4711", charges: { ZZ1: 1000, ZZ3: 3000 } }
    await run(auditing(right), posting(right), auditing({ ...right, contradictedBy: 100 }))
    const refused = () =>
      expect(run(paying(["4711"]))).rejects.toThrow(
        "bill 4711 may not be paid: 10.00 and GST of 1.00 are not 12.00, line 2 (audited on",
      )
    await refused()
    // Another audit that finds the same does not answer it.
    await run(auditing({ ...right, contradictedBy: 100 }))
    await refused()
    expect(
      (await readPayableBills(database)).map(({ objections }) => objections.map(({ kind }) => kind)),
    ).toEqual([["contradicted"]])
    await run(auditing(right))
    expect(await tell(database)).toEqual(["4711 asks for 44.00: to pay 44.00"])
    // Posting it again answers the contradiction.
    await run(auditing({ ...right, contradictedBy: 100 }), posting(right, true))
    await run(auditing({ ...right, contradictedBy: 100 }))
    expect(await run(paying(["4711"]))).toMatchObject([{ cents: 4400, isNew: true }])
  })

  it("is more than a bill asks for, and the same bill under another spelling of its number", async () => {
    const { database, run } = await office()
    await run(...bill("INV-1", { ZZ1: 1000, ZZ9: 500 }))
    await expect(run(paying(["INV-1"], { amountCents: 1651 }))).rejects.toThrow("still asks for: AUD 16.50")
    await run(paying(["INV-1"], { lessCents: 0 }), ...bill("inv 1", { ZZ1: 1000, ZZ9: 500 }))
    // All of it is disputed, as charged before.
    expect(await tell(database)).toEqual([
      "INV-1 asks for 16.50: paid 16.50",
      "inv 1 asks for 16.50: withheld 16.50",
    ])
  })
})

describe("credits", () => {
  it("are set off once, of the earliest bills that may be paid, and not again", async () => {
    const { database, run } = await office()
    const notRaised = { number: "4700", charges: { ZZ1: 1500 } }
    await run(auditing(notRaised, false), posting(notRaised))
    await run(...bill("4711", { ZZ2: 2000 }), ...bill("4712", { ZZ3: 3000 }), ...bill("CN-1", { ZZ8: -2500 }))
    expect(await tell(database)).toEqual([
      "4700 asks for 16.50: to pay 16.50",
      "4711 asks for 22.00: set off 22.00",
      "4712 asks for 33.00: set off 5.50, to pay 27.50",
      "CN-1 asks for -27.50: ",
    ])
    await run(paying(["4711"]))
    expect(await tell(database)).toEqual([
      "4700 asks for 16.50: to pay 16.50",
      "4711 asks for 22.00: set off before 22.00",
      "4712 asks for 33.00: set off 5.50, to pay 27.50",
      "CN-1 asks for -27.50: set off before -22.00",
    ])
  })

  it("of what is not in the books are not set off", async () => {
    const { database, run } = await office()
    await run(...bill("4711", { ZZ2: 2000 }), auditing({ number: "CN-1", charges: { ZZ8: -2500 } }))
    expect((await tell(database))[0]).toBe("4711 asks for 22.00: to pay 22.00")
  })

  it("of what was paid despite a dispute are not taken off the rest", async () => {
    const { database, run } = await office()
    const draft = { amountCents: 3500 }
    // The bill is 38.50, with 5.50 disputed, and 35.00 is paid: 3.50 too much.
    await run(...bill("4711", { ZZ1: 1000, ZZ2: 2500 }), paying(["4711"], draft))
    expect(await tell(database)).toEqual(["4711 asks for 38.50: paid 35.00, withheld 3.50"])
    await run(stepping("credited", "ZZ2", 500))
    expect(await tell(database)).toEqual(["4711 asks for 38.50: paid 35.00, credited 3.50"])
  })
})

describe("two ledgers that are copied together", () => {
  it("have one payment of a bill that both recorded, and what only one of them knows", async () => {
    const [one, other] = [await office(), await office()]
    for (const { run } of [one, other]) await run(...bill("4711", { ZZ1: 1000, ZZ2: 2500 }), paying(["4711"]))
    await other.run(...bill("4712", { ZZ3: 3000 }), paying(["4712"]))
    await copyLedger(other.database, one.database)
    expect(await tell(one.database)).toEqual([
      "4711 asks for 38.50: paid 33.00, withheld 5.50",
      "4712 asks for 33.00: paid 33.00",
    ])
    expect(await one.database.all("select id from payments")).toHaveLength(2)
    expect(await describeOtherPayments(other.database, one.database)).toEqual([])
  })

  it("say so where they have other payments of one bill", async () => {
    const [one, other] = [await office(), await office()]
    for (const { run } of [one, other]) await run(...bill("4711", { ZZ1: 1000 }))
    await one.run(paying(["4711"]))
    await other.run(paying(["4711"], { amountCents: 500 }))
    const differing = (paid: string, kept: string) => [
      `bill 4711 of Alpha Freight was paid in both ledgers: ${kept} on 2026-11-24 counts, and ${paid} on 2026-11-24 was not copied. See at the bank what was paid`,
    ]
    expect(await describeOtherPayments(other.database, one.database)).toEqual(
      differing("AUD 5.00", "AUD 11.00"),
    )
    expect(await describeOtherPayments(one.database, other.database)).toEqual(
      differing("AUD 11.00", "AUD 5.00"),
    )
  })
})
