/** `freight pay`: what is to be paid of audited bills, once, less what is disputed. */
import { readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { bookToBill } from "./audits.ts"
import { type Line, csvBill } from "./bills.ts"
import { order } from "./orders.ts"
import { hasTerminal, type Key, sitDown } from "./pty.ts"
import { take, told } from "./wizard.ts"
import { openSqlite } from "../../src/ledger/database/sqlite.ts"
import { addDays, formatDate, wallClockNow } from "../../src/base/wall-clock.ts"
import { systemClock } from "../../src/machine/host.ts"
import { driver } from "../ledger/setup.ts"

const COUNT = 46

const { home, get } = await bookToBill(
  Array.from({ length: COUNT }, (_, at) => order(`PAY-${at}`, { connector: "connector-a", service: "76" })),
)

let used = 0

/** A bill of a consignment that was booked, and of one that was not: the second is disputed. */
function lines(notOurs = 2000): Line[] {
  const reference = `PAY-${used++}`
  const { consignment, cents } = get(reference)
  return [
    { consignment, reference, cents },
    { consignment: `SBA95${String(used).padStart(6, "0")}`, cents: notOurs },
  ]
}

interface ToPay {
  billNumber: string
  asked: number
  withheld: number
  toPay: number
  due: string
}

/** An own party needs a code. */
const ID = ["--supplier-id", "SHOP"]

const POST = ["--for", "xero", "--account", "429", "--clearing", "650"]

async function bill(name: string, rows: readonly Line[], due = "2026-12-10"): Promise<string> {
  const file = path.join(home.folder, `${name}.csv`)
  await writeFile(file, csvBill(rows.map((line) => ({ ...line, invoice: name }))))
  await home.freight(["audit", file, "--raise"])
  const posted = await home.freight(["post", file, ...POST, "--due", due, "-o", `${file}.xero.csv`])
  expect(posted.code, posted.stderr).toBe(0)
  return file
}

const listed = async (...more: string[]) =>
  (await home.freight(["pay", "--list", "--json", ...more])).items<ToPay>()
const find = async (name: string) => (await listed()).find(({ billNumber }) => billNumber === name)

interface Paid {
  billNumber: string
  paid: number
  withheld: number
  setOff: number
  isNew: boolean
  approvedBy: string | null
}

const gross = (rows: readonly Line[]) =>
  rows.reduce((sum, { cents }) => sum + cents + Math.round(cents / 10), 0) / 100

/** AUD 20.00 without GST of each bill here is disputed. */
const DISPUTED = 22

const pay = (...words: string[]) => home.freight(["pay", ...words, "--json"])

describe("a bill", () => {
  it("is listed with what it asks for, less what is disputed, and paid once", async () => {
    const rows = lines()
    await bill("P-1", rows, "2026-01-15")
    // Who has never paid with freight is not reminded.
    expect((await home.freight(["today", "--json"])).stdout).not.toContain("bill-due")
    const before = await find("P-1")
    expect(before).toMatchObject({
      asked: gross(rows),
      withheld: DISPUTED,
      toPay: gross(rows) - DISPUTED,
      due: "2026-01-15",
    })
    const paid = await pay("P-1")
    expect(paid.code, paid.stderr).toBe(0)
    expect(paid.items()).toMatchObject([
      { billNumber: "P-1", paid: before?.toPay, withheld: DISPUTED, isNew: true },
    ])
    expect(await find("P-1")).toMatchObject({ toPay: 0, paidBefore: before?.toPay, withheld: DISPUTED })
    const again = await pay("P-1")
    expect(again.code, again.stderr).toBe(0)
    expect(again.items()).toMatchObject([{ paid: before?.toPay, isNew: false }])
    expect(again.stderr).toContain("nothing was recorded twice")
  })

  it("is paid the rest of once its dispute is denied", async () => {
    const rows = lines()
    await bill("P-2", rows)
    await pay("P-2")
    await home.freight(["disputes", "denied", "P-2"])
    expect(await find("P-2")).toMatchObject({ toPay: DISPUTED, withheld: 0 })
    expect((await pay("P-2")).items()).toMatchObject([{ paid: DISPUTED, withheld: 0, part: 2, isNew: true }])
    expect(await find("P-2")).toBeUndefined()
  })

  it("is paid in full or in part where a person says so", async () => {
    const [full, part, other] = [lines(), lines(), lines()]
    await bill("P-3", full)
    await bill("P-4", part)
    await bill("P-5", other)
    expect((await pay("P-3", "--less", "0")).items()).toMatchObject([{ paid: gross(full), withheld: 0 }])
    expect((await pay("P-4", "--less", "5.00")).items()).toMatchObject([
      { paid: expect.closeTo(gross(part) - 5, 2), withheld: 5 },
    ])
    expect((await pay("P-5", "--amount", "10.00")).items()).toMatchObject([{ paid: 10, withheld: DISPUTED }])
    // The same again is the same payment; another amount is refused.
    expect((await pay("P-5", "--amount", "10.00")).items()).toMatchObject([{ paid: 10, isNew: false }])
    const another = await pay("P-5", "--amount", "11.00")
    expect([another.code, another.stderr]).toEqual([1, expect.stringContaining("was paid on")])
    const rest = expect.closeTo(gross(other) - DISPUTED - 10, 2)
    expect(await find("P-5")).toMatchObject({ toPay: rest })
    // As much is withheld as before: the rest is paid.
    expect((await pay("P-5", "--less", "22.00")).items()).toMatchObject([{ paid: rest, isNew: true }])
    expect((await pay("P-5", "--less", "22.00")).items()).toMatchObject([{ paid: rest, isNew: false }])
  })

  it("is paid in three parts, each recorded once", async () => {
    const rows = lines()
    await bill("P-30", rows)
    const first = await pay("P-30", "--amount", "10.00", "--further")
    expect([first.code, first.stderr]).toEqual([2, expect.stringContaining("leave out --further")])
    await pay("P-30", "--amount", "10.00")
    const refused = await pay("P-30", "--amount", "20.00")
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain("If AUD 20.00 was paid besides: --further")
    expect(refused.stderr).toContain("freight pay P-30 --undo --why TEXT")
    for (const isNew of [true, false])
      expect((await pay("P-30", "--amount", "20.00", "--further")).items()).toMatchObject([
        { paid: 20, part: 2, isNew },
      ])
    const rest = expect.closeTo(gross(rows) - DISPUTED - 30, 2)
    expect((await pay("P-30")).items()).toMatchObject([{ paid: rest, part: 3, isNew: true }])
    expect(await find("P-30")).toMatchObject({ toPay: 0, withheld: DISPUTED })
  })

  it("is not paid with nothing", async () => {
    await bill("P-31", lines())
    const ran = await pay("P-31", "--amount", "0")
    expect([ran.code, ran.stderr]).toEqual([
      2,
      expect.stringContaining("--amount 0 pays nothing of bill P-31"),
    ])
  })

  it("is not paid with more than it asks for, and no more is withheld than is disputed", async () => {
    const rows = lines()
    await bill("P-6", rows)
    for (const [flag, words] of [
      ["--amount", "more than bill P-6 still asks for"],
      ["--less", "more than is disputed of bill P-6: AUD 22.00"],
    ] as const) {
      const ran = await pay("P-6", flag, "9999.00")
      expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(words)])
    }
    expect(await find("P-6")).toMatchObject({ paidBefore: 0 })
  })

  it("is paid again once its payment is undone", async () => {
    const rows = lines()
    await bill("P-7", rows)
    await pay("P-7", "--paid-elsewhere", "2026-11-02")
    const undo = () => pay("P-7", "--undo", "--why", "the transfer was refused")
    expect((await undo()).items()).toMatchObject([{ undone: "the transfer was refused", isNew: true }])
    expect((await undo()).stderr).toContain("was already undone")
    expect(await find("P-7")).toMatchObject({ toPay: expect.closeTo(gross(rows) - DISPUTED, 2) })
    expect((await pay("P-7")).items()).toMatchObject([{ isNew: true, elsewhere: false }])
  })

  it("is paid with what another bill of the supplier gives back, never below zero", async () => {
    await bill("P-8", [{ consignment: `SBA96${String(used).padStart(6, "0")}`, cents: -900_000 }])
    const rows = lines()
    await bill("P-9", rows)
    expect(await find("P-9")).toMatchObject({ toPay: 0, setOff: expect.closeTo(gross(rows) - DISPUTED, 2) })
    const ran = await pay("P-9")
    expect(ran.items<Paid>()).toMatchObject([{ paid: 0, setOffBills: [{ billNumber: "P-8" }] }])
    expect(await find("P-8")).toMatchObject({ toPay: 0, creditLeft: expect.any(Number) })
    await pay("P-9", "--undo", "--why", "another bill was meant")
    // Credit of a bill that is not in the books is not used.
    await home.freight(["post", "--not-imported", "P-8", "--why", "not imported"])
    expect(await find("P-9")).toMatchObject({ setOff: 0 })
  })
})

describe.runIf(hasTerminal)("at a terminal", () => {
  it("is recorded once a person has said yes", async () => {
    const rows = lines()
    await bill("T-1", rows)
    const answer = async (...keys: (Key | { type: string })[]) => {
      const seat = await sitDown(["pay", "T-1"], home.env)
      const sum = (gross(rows) - DISPUTED).toFixed(2)
      const question = `? Record that bill T-1 is paid, AUD ${sum}, with AUD 22.00 withheld? (y/N)`
      await take(seat, [[question, ...keys]])
      return [await seat.exit, await told(seat)]
    }
    expect(await answer("enter")).toEqual([2, expect.stringContaining("you said no: nothing was recorded")])
    expect(await find("T-1")).toMatchObject({ paidBefore: 0 })
    expect(await answer({ type: "y" }, "enter")).toEqual([0, expect.stringContaining("Recorded 1 payment")])
    expect(await find("T-1")).toMatchObject({ toPay: 0 })
  })
})

describe("what is withheld", () => {
  const ofBill = async (...words: string[]) =>
    (await home.freight([...words, "--json"]))
      .items<{ billNumber: string }>()
      .find(({ billNumber }) => billNumber === "W-1")

  it("is told of disputes, and what was paid despite one is to come back", async () => {
    await bill("W-1", lines())
    expect(await ofBill("disputes")).toMatchObject({ withheldIncGst: 0, toComeBackIncGst: 0 })
    await pay("W-1", "--less", "5.00")
    expect(await ofBill("disputes")).toMatchObject({ open: 20, withheldIncGst: 5, toComeBackIncGst: 17 })
    const words = "AUD 5.00 with GST is withheld, AUD 17.00 with GST was paid and is to come back"
    expect((await home.freight(["disputes", "--bill", "W-1"])).stderr).toContain(
      `1 dispute, AUD 20.00 open: ${words}.`,
    )
    expect((await home.freight(["disputes", "show", "W-1"])).stdout).toContain(`open AUD 20.00: ${words}`)
    const [row] = (await home.freight(["report", "disputes", "--json"])).items<Record<string, number>>()
    expect(row?.withheldIncGst).toBeGreaterThanOrEqual(5)
    expect((await home.freight(["report", "clearing"])).stderr).toMatch(
      /Of the disputed amounts on it, AUD [\d.]+ with GST is withheld, AUD [\d.]+ with GST was paid/,
    )
  })

  it("is reported where a later statement asks for it again", async () => {
    const rows = lines()
    await bill("W-2", rows)
    await pay("W-2")
    const statement = async (cents: string) => {
      const file = path.join(home.folder, "statement.csv")
      await writeFile(
        file,
        `Invoice,Invoice date,Carrier,Amount inc GST\nW-2,2026-11-24,Carrier A,${cents}\n`,
      )
      return home.freight(["audit", "--statement", file, "--json"])
    }
    const rest = await statement("22.00")
    expect(rest.items()).toMatchObject([{ state: "withheld", withheldIncGst: DISPUTED }])
    expect([rest.code, rest.stderr]).toEqual([
      0,
      expect.stringContaining("Asked for again, and withheld since it is disputed: W-2 (AUD 22.00)"),
    ])
    expect((await statement("33.00")).items()).toMatchObject([{ state: "other-amount" }])
    expect((await statement(gross(rows).toFixed(2))).items()).toMatchObject([
      { state: "in-dispute", recordedPaid: expect.closeTo(gross(rows) - DISPUTED, 2) },
    ])
  })
})

describe("a statement", () => {
  it("is reported beside each bill on the list", async () => {
    const rows = lines()
    await bill("S-1", rows)
    await bill("S-2", lines())
    await bill("S-3", lines())
    const file = path.join(home.folder, "of-carrier.csv")
    const asked = gross(rows).toFixed(2)
    await writeFile(
      file,
      `Invoice,Invoice date,Carrier,Balance to you,Paid\nS-1,2026-11-24,Carrier A,${asked},${(2 * gross(rows)).toFixed(2)}\nS-2,2026-11-24,Carrier A,9.00,0.00\nS-99,2026-11-24,Carrier A,5.00,0.00\n`,
    )
    const flags = ["--list", "--statement", file]
    const unclear = await pay(...flags)
    expect([unclear.code, unclear.stderr]).toEqual([2, expect.stringContaining("no column has an amount")])
    const mapped = [...flags, "--map", "Balance to you=amount"]
    const ran = await pay(...mapped)
    expect(ran.code, ran.stderr).toBe(0)
    const told = (name: string) => ran.items<ToPay>().find(({ billNumber }) => billNumber === name)
    expect(told("S-1")).toMatchObject({ statement: "paid-twice", statementAmount: gross(rows) })
    expect(told("S-2")).toMatchObject({ statement: "other-amount", statementAmount: 9 })
    expect(told("S-3")).toMatchObject({ statement: null, statementAmount: null })
    expect(ran.json<{ warnings: string[] }>().warnings).toEqual([
      `the statement says that bill S-1 of Carrier A was paid twice: AUD ${(2 * gross(rows)).toFixed(2)}, and it asks for AUD ${asked}`,
      expect.stringContaining(
        "the statement asks for another amount for bill S-2 of Carrier A: AUD 9.00, not AUD ",
      ),
      "on the statement, and never audited: S-99",
    ])
    const table = await home.freight(["pay", ...mapped])
    expect(table.stdout).toMatch(/S-1 .* paid twice/)
    expect(table.stdout).toMatch(/S-2 .* other amount/)
    // Without one, nothing is said of it.
    expect(await find("S-1")).toMatchObject({ statement: null })
    const alone = await pay("S-1", "--map", "Balance=amount")
    expect([alone.code, alone.stderr]).toEqual([2, expect.stringContaining("--map needs --statement")])
  })
})

describe("a statement that says what was paid", () => {
  const compare = async (name: string, paid: string, amount: string) => {
    const file = path.join(home.folder, "paid.csv")
    await writeFile(
      file,
      `Invoice,Invoice date,Carrier,Amount,Paid\n${name},2026-11-24,Carrier A,${amount},${paid}\n`,
    )
    const flags = ["--statement", file, "--json"]
    const audited = await home.freight(["audit", ...flags])
    const listed = await home.freight(["pay", "--list", ...flags])
    const [{ state } = { state: "" }] = audited.items<{ state: string }>()
    return {
      ...{ state, code: audited.code, notes: audited.stderr },
      warnings: listed.json<{ warnings: string[] }>().warnings,
    }
  }

  it("is told where a bill was paid that is not recorded as paid", async () => {
    // Where nothing was ever recorded as paid, nothing is missing.
    await bill("S-8", lines())
    await pay("S-8")
    const rows = lines()
    await bill("S-4", rows)
    const asked = gross(rows).toFixed(2)
    const paid = await compare("S-4", asked, asked)
    expect(paid).toMatchObject({
      ...{ state: "more-paid", code: 0 },
      notes: expect.stringContaining(`Paid by the statement, and not recorded here: S-4 (AUD ${asked})`),
      warnings: [
        `the statement says that AUD ${asked} of bill S-4 of Carrier A was paid, and AUD 0.00 is recorded here: if you paid it, freight pay S-4 --paid-elsewhere DAY`,
      ],
    })
    await pay("S-4", "--less", "0")
    expect(await compare("S-4", asked, asked)).toMatchObject({ state: "in-dispute", code: 0, warnings: [] })
  })

  it("is told where a payment is not on it yet, and no credit that was set off is", async () => {
    await bill("S-5", [{ consignment: `SBA96${String(used).padStart(6, "0")}`, cents: -1000 }])
    const rows = lines()
    await bill("S-6", rows, "2020-01-01")
    const paid = (await pay("S-6", "--less", "0")).items<Paid>()[0]
    expect(paid).toMatchObject({ setOff: 11, paid: expect.closeTo(gross(rows) - 11, 2) })
    const asked = gross(rows).toFixed(2)
    const before = await compare("S-6", "0.00", asked)
    expect(before).toMatchObject({
      ...{ state: "less-paid", code: 0 },
      notes: expect.stringContaining(
        `Recorded as paid, and not on the statement: S-6 (AUD ${(gross(rows) - 11).toFixed(2)})`,
      ),
    })
    expect(await compare("S-6", (gross(rows) - 11).toFixed(2), asked)).toMatchObject({ state: "in-dispute" })
  })

  it("may list only what is open of a bill that was paid in part", async () => {
    const rows = lines()
    await bill("S-7", rows)
    await pay("S-7", "--amount", "10.00")
    const file = path.join(home.folder, "open.csv")
    const state = async (open: number) => {
      await writeFile(
        file,
        `Invoice,Invoice date,Carrier,Amount outstanding\nS-7,2026-11-24,Carrier A,${open.toFixed(2)}\n`,
      )
      return (await home.freight(["audit", "--statement", file, "--json"])).items()
    }
    expect(await state(gross(rows) - 10)).toMatchObject([{ state: "in-dispute", recordedPaid: 10 }])
    expect(await state(gross(rows) - 11)).toMatchObject([{ state: "other-amount" }])
  })
})

describe("a credit whose bill is not in the books", () => {
  it("is listed apart, and told where its supplier is paid", async () => {
    const own = (rows: readonly Line[]) => csvBill(rows).replaceAll("Carrier A", "Carrier Apart")
    const save = async (name: string, rows: readonly Line[]) => {
      const file = path.join(home.folder, `${name}.csv`)
      await writeFile(file, own(rows.map((line) => ({ ...line, invoice: name }))))
      expect((await home.freight(["audit", file, "--raise"])).code).toBe(0)
      return file
    }
    const [row] = lines()
    if (!row) throw new Error("no row")
    const file = await save("C-1", [row])
    expect(
      (await home.freight(["post", file, ...POST, "--due", "2026-12-10", "-o", `${file}.x.csv`])).code,
    ).toBe(0)
    const credit = await save("C-2", [{ consignment: "SBA97000001", cents: -1000 }])
    const listed = await home.freight(["pay", "--list", "--due-by", "2026-12-10"])
    expect(listed.stderr).toContain(
      `  bill C-2 of Carrier Apart, which gives AUD 11.00 back: it is not in the books yet: freight post C-2.csv`,
    )
    const paid = await home.freight(["pay", "C-1"])
    expect(paid.stderr).toContain(
      "C-2 of Carrier Apart gives AUD 11.00 back, and is not set off: it is not in the books",
    )
    expect((await pay("C-1", "--undo", "--why", "the credit first")).code).toBe(0)
    await home.freight(["post", credit, ...POST, "--due", "2026-12-10", "-o", `${credit}.x.csv`])
    const again = await home.freight(["pay", "C-1", "--json"])
    expect(again.stderr).not.toContain("C-2")
    expect(again.items<Paid>()).toMatchObject([{ setOff: 11, isNew: true }])
  })
})

describe("what may not be paid", () => {
  interface Apart {
    mayNotBePaid: { billNumber: string | null; file: string; reasons: { reason: string; why: string }[] }[]
  }
  const apart = async (name: string) =>
    (await home.freight(["pay", "--list", "--json"]))
      .json<Apart>()
      .mayNotBePaid.find(({ billNumber, file }) => billNumber === name || file === name)

  it("is listed apart with its reason, and refused", async () => {
    const audit = async (file: string, text: string) => {
      await writeFile(path.join(home.folder, file), text)
      await home.freight(["audit", path.join(home.folder, file)])
    }
    const rows = lines()
    await audit("U-1.csv", csvBill(rows.map((line) => ({ ...line, invoice: "U-1" }))))
    await audit(
      "U-2.csv",
      csvBill(rows.map(({ cents, ...line }) => ({ ...line, cents: cents + 1, invoice: "" }))),
    )
    expect(await apart("U-1")).toMatchObject({ reasons: [{ reason: "not-posted" }] })
    expect(await apart("U-2.csv")).toMatchObject({ billNumber: null, reasons: [{ reason: "no-number" }] })
    const ran = await pay("U-1")
    expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining("it is not in the books yet")])
    const table = await home.freight(["pay", "--list"])
    expect(table.stderr).toContain("bill U-1 of Carrier A: it is not in the books yet: freight post U-1.csv")
  })

  it("names the file that was audited last where a bill was corrected after it was posted", async () => {
    const write = async (name: string, amounts: string) => {
      const file = path.join(home.folder, name)
      // Freight beside GST may hold it or not: the audit remembers the amount with GST.
      const headings = "Invoice No,Invoice Date,Carrier,Con Note,Freight,GST,Total inc GST"
      await writeFile(
        file,
        `${headings}\nU-3,2026-11-30,Carrier A,${get(`PAY-${COUNT - 1}`).consignment},${amounts}\n`,
      )
      await home.freight(["audit", file])
      return file
    }
    const file = await write("U-3.csv", "10.00,1.00,11.00")
    await home.freight(["post", file, ...POST, "--due", "2026-12-10", "-o", `${file}.xero.csv`])
    await write("U-3 corrected.csv", "9.00,0.90,9.90")
    expect((await apart("U-3"))?.reasons).toEqual([
      {
        reason: "changed",
        why: expect.stringMatching(/with 9\.90, and posted with 11\.00: freight post "U-3 corrected\.csv"$/),
      },
    ])
  })
})

describe("freight today", () => {
  interface Due {
    need: string
    about: string
    what: string
    next: string
  }
  const due = async () =>
    (await home.freight(["today", "--json"]))
      .items<Due>()
      .filter(({ need, about }) => need === "bill-due" && about.includes("D-"))

  it("says what is due within seven days, by day, once freight is used to pay", async () => {
    const day = (days: number) => formatDate(addDays(wallClockNow(Date.now()), days))
    const [first, second, later] = [lines(), lines(), lines()]
    await bill("D-1", first, day(-1))
    await bill("D-2", second, day(3))
    await bill("D-3", later, day(9))
    const toPay = (rows: readonly Line[]) => `AUD ${(gross(rows) - DISPUTED).toFixed(2)}`
    expect(await due()).toMatchObject([
      {
        about: "1 bill (D-1)",
        what: `was due on ${day(-1)}: ${toPay(first)} to pay, of AUD ${gross(first).toFixed(2)} asked for`,
        next: `freight pay --list --due-by ${day(-1)}`,
      },
      { about: "1 bill (D-2)", what: expect.stringContaining(`due on ${day(3)}: ${toPay(second)} to pay`) },
    ])
    await pay("D-1")
    await writeFile(
      path.join(home.folder, "D-2.csv"),
      csvBill(second.concat(lines()).map((line) => ({ ...line, invoice: "D-2" }))),
    )
    await home.freight(["audit", path.join(home.folder, "D-2.csv"), "--raise"])
    expect(await due()).toMatchObject([{ what: expect.stringMatching(/; 1 may not be paid yet$/) }])
  })
})

describe("a plan", () => {
  it("is recorded as it was approved, once, or says what has changed", async () => {
    await bill("A-1", lines(), "2020-01-01")
    await bill("A-2", lines(), "2020-01-02")
    const file = path.join(home.folder, "payments.json")
    const made = await home.freight(["pay", "--list", "--due-by", "2020-01-02", "-o", file])
    expect(made.code, made.stderr).toBe(0)
    await home.freight(["disputes", "written-off", "A-2"])
    const refused = await pay(file, "--approved-by", "Ann Lee")
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain("bill A-2 of Carrier A: withheld 0.00 now, 22.00 then; to pay ")
    expect(await find("A-1")).toMatchObject({ paidBefore: 0 })
    await home.freight(["pay", "--list", "--due-by", "2020-01-02", "-o", file, "--force"])
    const approved = (isNew: boolean) =>
      ["A-1", "A-2"].map((billNumber) => ({ billNumber, approvedBy: "Ann Lee", isNew }))
    expect((await pay(file, "--approved-by", "Ann Lee")).items()).toMatchObject(approved(true))
    expect((await pay(file, "--approved-by", "Ann Lee")).items()).toMatchObject(approved(false))
    await writeFile(file, (await readFile(file, "utf8")).replace('"toPay": ', '"toPay": 1'))
    const changed = await pay(file, "--approved-by", "Ann Lee")
    expect([changed.code, changed.stderr]).toEqual([
      2,
      expect.stringContaining("was changed after it was made"),
    ])
  })

  it("has no bill of which an older freight did not keep when it is due", async () => {
    await bill("A-0", lines(), "2020-01-15")
    const ledger = openSqlite(path.join(home.state, "ledger.db"), { driver, clock: systemClock })
    await ledger.run("update postings set due = null where bill_number = 'A-0'")
    await ledger.close()
    const due = (await listed("--due-by", "2020-01-15")).map(({ billNumber }) => billNumber)
    expect(due).not.toContain("A-0")
    expect(await find("A-0")).toMatchObject({ due: null })
    const { stderr } = await home.freight(["pay", "--list"])
    expect(stderr).toContain("1 bill was posted by an older freight, which kept no due day and no payments.")
    await pay("A-0", "--paid-elsewhere", "2020-01-20")
    expect((await home.freight(["pay", "--list"])).stderr).not.toContain("older freight")
  })

  it("may be all that is due by a day, without one", async () => {
    await bill("A-3", lines(), "2020-02-01")
    const ran = await pay("--due-by", "2020-02-01")
    expect(ran.items()).toMatchObject([{ billNumber: "A-3", isNew: true }])
    const none = await pay("--due-by", "2020-02-01")
    expect([none.code, none.items()]).toEqual([0, []])
  })
})

describe("a remittance advice", () => {
  const advise = (...words: string[]) => home.freight(["remittance", ...words])

  it("says what is paid, what is withheld and why, and what was set off", async () => {
    const credit: Line[] = [{ consignment: "SBA97000001", cents: -500 }]
    await bill("R-1", lines(), "2019-01-01")
    await bill("R-2", credit, "2019-01-02")
    await home.freight(["disputes", "sent", "R-1", "--claim", "CL-17"])
    await home.freight(["party", "add", "us", "--supplier-name", "Our Shop", "--abn", "51824753556", ...ID])
    await home.freight(["config", "set", "carrierAccounts", "Carrier A=10044"])
    const paid = await pay("R-1", "--for", "xero")
    expect(paid.stderr).toContain("In Xero, open the bill and add a payment:")
    expect(paid.stderr).toMatch(
      /bill R-1 of Carrier A: AUD [\d.]+ on \d{4}-\d\d-\d\d, and apply AUD 5\.50 of the credit note R-2; AUD 22\.00 stays open/,
    )
    const ran = await advise("R-1", "--offline")
    expect(ran.code, ran.stderr).toBe(0)
    const golden = ran.stdout.replaceAll(/SBA95\d+/g, "SBA95…").replaceAll(/\d{4}-\d\d-\d\d/g, "DAY")
    await expect(golden).toMatchFileSnapshot(path.join(import.meta.dirname, "screens", "pay-advice.txt"))
    const rows = (await advise("R-1", "--json")).items()
    expect(rows).toMatchObject([
      { kind: "paid", billNumber: "R-1", paidBefore: 0 },
      { kind: "withheld", amount: DISPUTED, why: "we did not book it", claim: "CL-17" },
      { kind: "set-off", name: "R-2", amount: 5.5 },
    ])
  })

  it("has one row for a bill that was paid in parts on one day", async () => {
    const rows = lines()
    await bill("R-3", rows, "2018-01-01")
    for (const words of [["--amount", "10.00"], []])
      await pay("R-3", ...words, "--paid-elsewhere", "2018-01-01")
    await home.freight(["disputes", "denied", "R-3"])
    await pay("R-3", "--paid-elsewhere", "2018-01-01")
    expect((await advise("--paid-on", "2018-01-01", "--json")).items()).toMatchObject([
      { kind: "paid", billNumber: "R-3", asked: gross(rows), paidBefore: 0, amount: gross(rows) },
    ])
    expect((await advise("--paid-on", "2018-01-01")).stdout).not.toContain("withheld")
  })

  it("adds up several bills, with numbers as they are, in every format", async () => {
    const [credit, first, second] = ["R-4-CREDIT-20180201-77", "R-5-20180201-AUSTRALIA", "R-6"] as const
    await bill(credit, [{ consignment: "SBA96900004", cents: -9000 }], "2018-02-01")
    await bill(first, lines(), "2018-02-01")
    const [row] = lines()
    if (!row) throw new Error("no row")
    await bill(second, [row], "2018-02-02")
    const paid = (await pay(first, second, "--paid-elsewhere", "2018-02-01")).items<Paid>()
    const sum = (of: (each: Paid) => number) => paid.reduce((all, each) => all + of(each), 0).toFixed(2)
    const text = (await advise("--paid-on", "2018-02-01", "--offline")).stdout
    expect(text).toContain(`\n${credit}  `)
    expect(text).toContain(`\n${first}  `)
    expect(text.replaceAll("\n", " ")).toContain(", and set off AUD 99.00 of your credits.")
    const total = [sum(({ setOff }) => setOff), sum(({ withheld }) => withheld), sum((each) => each.paid)]
    expect(text).toMatch(new RegExp(`─\n +[\\d.,]+ +${total.join(" +")}\n`))
    const file = path.join(home.folder, "several.html")
    await advise("--paid-on", "2018-02-01", "--offline", "-o", file)
    expect(await readFile(file, "utf8")).toContain(
      total.map((each) => `<td class="number">${each}</td>`).join(""),
    )
    // Where all of a bill is set off, nothing is paid.
    await bill("R-7", [{ consignment: "SBA96900005", cents: -90_000 }], "2018-02-01")
    const [other] = lines()
    if (!other) throw new Error("no row")
    await bill("R-8", [other], "2018-02-01")
    await pay("R-8", "--paid-elsewhere", "2018-02-03")
    expect((await advise("R-8", "--offline")).stdout).toMatch(
      /We set off AUD [\d.]+ of your credits against 1 bill on 2018-02-03, and paid\nnothing\./,
    )
  })

  it("is written for each supplier, as PDF with its evidence, HTML and CSV", async () => {
    const folder = path.join(home.folder, "advices")
    const all = await advise("--dir", folder)
    expect(all.code, all.stderr).toBe(0)
    expect((await readFile(path.join(folder, "Carrier A.pdf"))).subarray(0, 5).toString()).toBe("%PDF-")
    for (const [ending, text] of [
      ["html", "Our account with you:</span> 10044"],
      ["csv", "withheld"],
      ["txt", "We withheld"],
    ] as const) {
      const file = path.join(home.folder, `advice.${ending}`)
      const ran = await advise("R-1", "-o", file, "--offline")
      expect(ran.code, ran.stderr).toBe(0)
      expect([ran.code, await readFile(file, "utf8")]).toEqual([0, expect.stringContaining(text)])
    }
    const wrong = await advise("R-1", "-o", path.join(home.folder, "advice.doc"))
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      expect.stringContaining("an advice is PDF, HTML, text or CSV"),
    ])
    const none = await advise("P-1000")
    expect([none.code, none.stderr]).toEqual([5, expect.stringContaining('no bill "P-1000" was paid')])
  })
})
