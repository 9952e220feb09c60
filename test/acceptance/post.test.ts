/** `freight post`: audited bills in the books, once, with what is disputed on a clearing account. */
import { readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { bookToBill } from "./audits.ts"
import { type Line, csvBill, invBill, invLine, saveBill } from "./bills.ts"
import { desk } from "./freight.ts"
import { order, ORDER_DAY } from "./orders.ts"
import { hasTerminal, type Key, sitDown } from "./pty.ts"
import { take, told } from "./wizard.ts"
import { formatCents } from "../../src/base/money.ts"

/** More than there are bills here: what is billed twice is disputed. */
const PAIRS = 48

const { home, get, sandbox } = await bookToBill(
  Array.from({ length: PAIRS }, (_, at) => [
    order(`SYD-${at}`, { connector: "connector-a", service: "76" }),
    order(`MEL-${at}`, {
      connector: "connector-a",
      service: "76",
      "receiver.companyName": "Bourke Fittings",
    }),
  ]).flat(),
)

const DATED = "2026-11-20"

let pairs = 0

/** A bill of two consignments that were booked and one that was not. */
function lines(): Line[] {
  const at = pairs++
  const booked = (reference: string, charge: string) => {
    const { consignment, cents } = get(reference)
    return { consignment, reference, cents, charge }
  }
  return [
    booked(`SYD-${at}`, "Freight"),
    booked(`MEL-${at}`, "=cmd|' /C calc'!A0 freight"),
    { consignment: `SBA93${String(at).padStart(6, "0")}`, cents: 2005, charge: "@SUM(A1)" },
  ]
}

const MORE: Line = { consignment: "YY1", cents: 1000 }

async function save(name: string, bill: readonly Line[]): Promise<string> {
  const file = path.join(home.folder, `${name}.csv`)
  const text = csvBill(bill.map((line) => ({ ...line, invoice: name })))
  await writeFile(file, text.replaceAll(/\d{4}-\d\d-\d\d(?=,Carrier A)/g, DATED))
  return file
}

async function audited(name: string, bill: readonly Line[], ...flags: string[]): Promise<string> {
  const file = await save(name, bill)
  await home.freight(["audit", file, ...flags])
  return file
}

const ACCOUNTS = ["--account", "429", "--clearing", "650", "--due", "30 days"]
const post = (file: string, ...more: string[]) => home.freight(["post", file, ...ACCOUNTS, ...more])

/** The clearing account's entries of a bill. */
async function standing(name: string): Promise<Record<string, unknown>[]> {
  const rows = (await home.freight(["report", "clearing", "--json"])).items<Record<string, unknown>>()
  return rows.filter(({ billNumber }) => billNumber === name)
}

/** The posting: amounts without GST, and their accounts. */
async function amountsOf(file: string): Promise<(string | undefined)[][]> {
  const { stdout } = await post(file, "--for", "xero")
  return [...stdout.matchAll(/,1,(-?[\d.]+),(\d+),/g)].map(([, amount, account]) => [amount, account])
}

const PROGRAMS = ["xero", "myob", "quickbooks"]

describe("a bill is written", () => {
  it.each(PROGRAMS)("for %s", async (program) => {
    const bill = lines()
    const file = await audited(`B-${program}`, bill, "--raise")
    const rule = ["--rule", "reference,syd-,430,Sydney", "--rule", "receiver,bourke*,431,Melbourne"]
    const { code, stdout, stderr } = await post(file, "--for", program, ...rule)
    expect(code, stderr).toBe(0)
    const text = bill.reduce(
      (all, { consignment = "" }, at) => all.replaceAll(consignment, `CON${at + 1}`),
      stdout,
    )
    const golden = text.replaceAll("\r\n", "\n").replaceAll(/(SYD|MEL)-\d+/g, "$1-1")
    await expect(golden).toMatchFileSnapshot(path.join(import.meta.dirname, "screens", `post-${program}.txt`))
    expect(stderr).toContain("Posted 1 bill, AUD ")
  })

  it("into a file, with a table of what was posted, in one row for each account with --sum", async () => {
    const bill = lines()
    const file = await audited("B-SUM", bill, "--raise")
    const out = path.join(home.folder, "sum.csv")
    const ran = await post(file, "--for", "xero", "--sum", "-o", out, "--json")
    const sum = bill.reduce((all, { cents }) => all + cents + Math.round(cents / 10), 0)
    expect(ran.items()).toMatchObject([
      {
        billNumber: "B-SUM",
        supplier: "Carrier A",
        rows: 2,
        amountIncGst: sum / 100,
        clearing: 22.06,
        isNew: true,
      },
    ])
    expect((await readFile(out, "utf8")).trim().split("\r\n")).toHaveLength(3)
  })

  it("--dry-run writes no file, and shows what would be posted", async () => {
    const file = await audited("B-DRY", lines(), "--raise")
    const out = path.join(home.folder, "dry.csv")
    const dry = async (...more: string[]) => {
      const ran = await post(file, "--for", "xero", "--dry-run", "--json", ...more)
      expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining("Nothing was posted")])
      return ran.items<Record<string, unknown>>()
    }
    const [row] = await dry()
    expect(row).toMatchObject({ billNumber: "B-DRY", isNew: true, clearing: 22.06 })
    expect(await dry("-o", out)).toMatchObject([{ isNew: true }])
    await expect(readFile(out)).rejects.toThrow("ENOENT")
    expect(await standing("B-DRY")).toEqual([])

    const posted = await post(file, "--for", "xero", "-o", out, "--json")
    const { postedAt: _, ...before } = row ?? {}
    expect(posted.items()).toMatchObject([before])
    expect(await dry()).toMatchObject([{ isNew: false }])
    const other = await save("B-DRY-2", [MORE])
    expect((await post(other, "--for", "xero", "--dry-run")).code).toBe(2)
  })

  it("as an INV document, with what only its summary asks for, and by its own due date", async () => {
    const [{ consignment = "", cents }] = lines() as [Line]
    const document = invBill([invLine(cents, { description: `Freight ${consignment}` })], {
      invoiceNumber: "B-INV",
      dueDate: `${DATED}T00:00:00Z`,
      invoiceDate: `${DATED}T00:00:00Z`,
      invoiceSummary: {
        subtotal: cents / 100,
        shippingAmount: 5,
        taxAmount: (Math.round(cents / 10) + 50) / 100,
        dueAmount: (cents + Math.round(cents / 10) + 550) / 100,
        currency: "AUD",
      },
    })
    const file = path.join(home.folder, "inv.json")
    await writeFile(file, JSON.stringify(document))
    await home.freight(["audit", file])
    const { stdout, stderr } = await home.freight(["post", file, "--for", "quickbooks", "--account", "429"])
    const rows = stdout.trim().split("\r\n")
    expect(rows.slice(1), stderr).toEqual([
      expect.stringContaining("Carrier A,20/11/2026,20/11/2026"),
      expect.stringMatching(
        /Shipping, discount and rounding of the whole bill",5\.00,GST on non-capital,0\.50,AUD$/,
      ),
    ])
  })
})

describe("a bill that gives money back", () => {
  const credited = async (name: string) => {
    const [syd] = lines() as [Line]
    return audited(name, [
      { ...syd, cents: -1000 },
      { consignment: "YY9", cents: -505 },
    ])
  }

  it.each([
    ["xero", "a credit note", /,-10\.00,429,.*,-1\.00,/],
    ["myob", "a supplier debit", /\t429\t-10\.00\t/],
  ])("is %s's %s", async (program, what, row) => {
    const { stdout, stderr } = await post(await credited(`B-BACK-${program}`), "--for", program)
    expect(stdout, stderr).toMatch(row)
    expect(stderr).toMatch(
      new RegExp(`Bill B-BACK-${program} gives AUD 16\\.55 back: .* imports it as ${what}\\.`),
    )
  })

  it("is reported as an entry to type, where the import takes bills only, and no file is written", async () => {
    const file = await credited("B-BACK")
    const out = path.join(home.folder, "back.csv")
    const run = () => post(file, "--for", "quickbooks", "--account", "Freight", "-o", out, "--json")
    const first = await run()
    expect([first.code, first.items()]).toMatchObject([0, [{ amountIncGst: -16.55, isNew: true }]])
    const entry = first.stderr.slice(first.stderr.indexOf("Bill B-BACK gives")).split("\n").slice(0, 4)
    expect(entry).toEqual([
      "Bill B-BACK gives AUD 16.55 back, and the import of QuickBooks Online takes bills only. Enter it there as a supplier credit:",
      "Supplier Carrier A, number B-BACK, date 20/11/2026, amounts exclusive of tax:",
      "  Freight: 15.05, GST on non-capital 1.50, Freight of 2 consignments",
      "  In all 15.05 and GST of 1.50: AUD 16.55",
    ])
    expect(first.stderr).toContain("and there is no file to import")
    await expect(readFile(out)).rejects.toThrow("ENOENT")
    const again = await run()
    expect([again.code, again.items()]).toMatchObject([0, [{ isNew: false }]])
    expect(again.stderr).toContain(entry.join("\n"))
    const beside = await audited("B-BESIDE", lines())
    const both = await home.freight(["post", file, beside, ...ACCOUNTS, "--for", "quickbooks", "--again"])
    expect(both.stdout).toMatch(/^\*BillNo[^\n]*\r\nB-BESIDE,/)
    expect(both.stdout).not.toContain("B-BACK")
  })
})

describe("what the import may refuse is said before anything is recorded as posted", () => {
  const many = () =>
    audited(
      "B-MANY",
      Array.from({ length: 501 }, () => ({ consignment: "YY8", cents: 100 })),
    )

  it("accounts that are numbers where it wants names, and more rows than it takes", async () => {
    const named = await audited("B-NAMES", lines())
    const numbers = await post(named, "--for", "quickbooks")
    expect(numbers.stderr).toContain(
      "QuickBooks Online finds an account by its name, and 429, 650 are numbers: give the names that its chart of accounts has",
    )
    const names = ["--account", "Freight", "--clearing", "Clearing"]
    expect((await post(named, "--for", "quickbooks", "--again", ...names)).stderr).not.toContain(
      "by its name",
    )
    expect((await post(await many(), "--for", "xero")).stderr).toContain(
      "Xero takes 500 rows at once, and these bills have 501: --sum writes fewer",
    )
    expect((await post(await many(), "--for", "xero", "--again", "--sum")).stderr).not.toContain("at once")
  })

  it.runIf(hasTerminal)("and asked about at a terminal", async () => {
    const file = await audited("B-ASKED", lines())
    const answer = async (...keys: (Key | { type: string })[]) => {
      const args = [
        "post",
        file,
        ...ACCOUNTS,
        "--for",
        "quickbooks",
        "-o",
        path.join(home.folder, "asked.csv"),
      ]
      const seat = await sitDown(args, home.env)
      await take(seat, [["? Post it anyway? (y/N)", ...keys]])
      return [await seat.exit, await told(seat)]
    }
    expect(await answer("enter")).toEqual([2, expect.stringContaining("you said no: nothing was posted")])
    expect(await answer({ type: "y" }, "enter")).toEqual([0, expect.stringContaining("Posted 1 bill")])
  })
})

it("a bill of GST alone is written with it", async () => {
  const file = path.join(home.folder, "gst.csv")
  const head = "Invoice Number,Invoice Date,Carrier,Connote,Charge,Amount"
  await writeFile(file, `${head}\nB-GST,${DATED},Carrier A,ZZGST,GST adjustment,-5.00\n`)
  await home.freight(["audit", file])
  const { stdout, stderr } = await post(file, "--for", "xero")
  expect(stdout, stderr).toMatch(/GST adjustment ZZGST,1,0\.00,429,GST on Expenses,-5\.00,/)
})

describe("a bill is posted once", () => {
  it("posting it again gives the same bytes and says so, for other accounts too; --again writes a new file", async () => {
    const file = await audited("B-ONCE", lines(), "--raise")
    const first = await post(file, "--for", "xero")
    const again = await home.freight(["post", file, "--for", "xero", "--due", "30 days"])
    expect([again.code, again.stdout]).toEqual([0, first.stdout])
    expect(again.stderr).toMatch(/Bill B-ONCE was posted on .*: this is the same file again/)
    const anew = await post(file, "--for", "xero", "--account", "500", "--again")
    expect(anew.stdout).toBe(first.stdout.replaceAll(",429,", ",500,"))
    const last = await post(file, "--for", "xero")
    expect(last.stdout).toBe(anew.stdout)
    const copy = path.join(home.folder, "copy.db")
    await home.freight(["ledger", "copy", "--to-ledger", copy])
    const elsewhere = await home.freight(["post", file, ...ACCOUNTS, "--for", "xero"], {
      env: { FREIGHT_LEDGER: copy },
    })
    expect([elsewhere.code, elsewhere.stdout]).toEqual([0, anew.stdout])
    const other = await post(file, "--for", "myob")
    expect([other.code, other.stderr]).toEqual([1, expect.stringContaining("for Xero")])
  })

  it("posting it again needs no --due, and posting it with --again does", async () => {
    const file = await audited("B-DUE", lines(), "--raise")
    const first = await post(file, "--for", "xero")
    expect(first.code, first.stderr).toBe(0)
    const again = await home.freight(["post", file, "--for", "xero"])
    expect([again.code, again.stdout]).toEqual([0, first.stdout])
    const anew = await home.freight(["post", file, "--for", "xero", "--again"])
    expect([anew.code, anew.stderr]).toEqual([2, expect.stringContaining("give it with --due")])
  })

  it("one that has changed since is refused, with what changed", async () => {
    const bill = lines()
    const file = await audited("B-CHANGED", bill, "--raise")
    await post(file, "--for", "xero")
    await audited("B-CHANGED", [...bill.slice(1), MORE])
    const { code, stderr } = await post(file, "--for", "xero")
    expect(code).toBe(1)
    expect(stderr).toContain("YY1: 10.00 and GST of 1.00 now, nothing then")
    expect((await post(file, "--for", "xero", "--again")).code).toBe(0)
  })

  it("one of the same number is another bill, if another supplier sent it", async () => {
    const one = await audited("B-SAME", lines(), "--raise")
    const other = path.join(home.folder, "other.csv")
    await writeFile(
      other,
      (await readFile(await save("B-SAME2", lines()), "utf8"))
        .replaceAll("B-SAME2", "B-SAME")
        .replaceAll("Carrier A", "Carrier B")
        .replaceAll("20.05", "30.05")
        .replaceAll("22.06", "32.06"),
    )
    await home.freight(["audit", other, "--raise"])
    const both = await home.freight(["post", one, other, ...ACCOUNTS, "--for", "xero"])
    expect(both.stderr).toContain("Posted 2 bills")
    const again = await post(other, "--for", "xero")
    expect(again.stderr).toContain("nothing was posted twice")
    expect([again.stdout.includes("Carrier A"), again.stdout.includes("Carrier B")]).toEqual([false, true])
  })

  it("a file of several bills leaves out one that was posted before", async () => {
    const [one, other] = [
      await audited("B-ONE", lines(), "--raise"),
      await audited("B-TWO", lines(), "--raise"),
    ]
    await post(one, "--for", "xero")
    const both = await home.freight(["post", one, other, ...ACCOUNTS, "--for", "xero"])
    expect(both.stderr).toContain("it is left out of this file")
    expect([both.stdout.includes("B-ONE"), both.stdout.includes("B-TWO")]).toEqual([false, true])
  })
})

describe("a bill that was not imported", () => {
  it("is undone once, at whatever desk, and may be posted again", async () => {
    const file = await audited("B-UNDO", lines())
    const undo = (...more: string[]) =>
      home.freight(["post", "--not-imported", "B-UNDO", "--why", "the import was cancelled", ...more])
    const none = await undo()
    expect([none.code, none.stderr]).toEqual([5, expect.stringContaining('no bill "B-UNDO" was posted')])
    const first = await post(file, "--for", "xero")
    const without = await home.freight(["post", "--not-imported", "B-UNDO"])
    expect([without.code, without.stderr]).toEqual([2, expect.stringContaining("--why")])
    const undone = await undo()
    expect([undone.code, undone.stdout]).toEqual([0, expect.stringContaining("undone")])
    expect(undone.stderr).toContain(
      "is not in the books any more, and can be posted again with freight post.",
    )
    expect((await undo()).stderr).toContain("was already undone (the import was cancelled)")
    const again = await post(file, "--for", "myob")
    expect(again.stderr).toContain("Posted 1 bill")
    expect(again.stderr).not.toContain("before")
    expect((await undo()).stderr).toContain("can be posted again with freight post")
    expect((await post(file, "--for", "xero")).stdout).toBe(first.stdout)
  })

  it("has nothing on the clearing account, and what its credit brought back comes again with it", async () => {
    const [consignment, name] = ["SBA94000001", "B-UNDO-CLEAR"]
    const file = await audited(name, [{ consignment, cents: 1000 }], "--raise")
    expect(await amountsOf(file)).toEqual([["10.00", "650"]])
    expect(await standing(name)).toMatchObject([{ stands: 10, open: 10, toMove: 0 }])
    await home.freight(["post", "--not-imported", name, "--why", "no"])
    expect(await standing(name)).toEqual([])
    expect(await amountsOf(file)).toEqual([["10.00", "650"]])
    const credit = await audited(`${name}-C`, [{ consignment, cents: -1000 }])
    expect(await standing(name)).toMatchObject([{ stands: 10, open: 0, coming: 10, toMove: 0 }])
    expect(await amountsOf(credit)).toEqual([["-10.00", "650"]])
    expect(await standing(name)).toEqual([])
    await home.freight(["post", "--not-imported", `${name}.csv`, "--why", "no"])
    expect(await standing(name)).toMatchObject([{ stands: -10, coming: -10, toMove: 0 }])
    expect(await amountsOf(file)).toEqual([["10.00", "650"]])
    expect(await standing(name)).toEqual([])
  })
})

describe("the clearing account", () => {
  it("says what to move when a dispute is settled after its bill was posted, until somebody says that it was", async () => {
    const [consignment, name] = ["SBA94000002", "B-MOVE"]
    const file = await audited(name, [{ consignment, cents: 1000 }], "--raise")
    await post(file, "--for", "xero", "--cost-centre", "Sydney")
    const said = await home.freight(["disputes", "denied", consignment])
    expect(said.stderr).toContain(
      "In the books, move AUD 10.00 without GST from 650 to 429, Sydney: SBA94000002 on bill B-MOVE is denied.",
    )
    expect(said.stderr).toContain("When that is done: freight disputes moved SBA94000002\n")
    const report = await home.freight(["report", "clearing"])
    expect(report.stderr).toContain("When that is done: freight disputes moved SBA94000002\n")
    expect(await standing(name)).toMatchObject([
      {
        stands: 10,
        open: 0,
        toMove: 10,
        moves: [{ amount: 10, from: "650", to: "429, Sydney", why: "denied" }],
      },
    ])
    const moved = () => home.freight(["disputes", "moved", consignment, "--why", "journal 17"])
    expect((await moved()).stderr).toContain("moved AUD 10.00 without GST from 650 to 429, Sydney")
    expect(await standing(name)).toEqual([])
    expect((await moved()).stderr).toContain("nothing was written")
    const reopened = await home.freight(["disputes", "reopen", consignment, "--why", "it was not meant"])
    expect(reopened.stderr).toContain(
      "move AUD 10.00 without GST from 429, Sydney to 650: SBA94000002 on bill B-MOVE is open again.",
    )
    // The credit finds nothing there, and goes to expense: all is settled.
    const credit = await audited("B-MOVE-C", [{ consignment, cents: -1000 }])
    expect(await amountsOf(credit)).toEqual([["-10.00", "429"]])
    expect(await standing(name)).toEqual([])
    const unknown = await home.freight(["disputes", "moved", "NOBODY"])
    expect(unknown.code).toBe(5)
  })

  it("gets what is charged for the whole bill by a move too, where it is raised after its bill was posted", async () => {
    const name = "B-FUTILE"
    const file = await audited(name, [...lines().slice(0, 2), { cents: 2500, charge: "Futile pickup" }])
    const posted = await post(file, "--for", "xero")
    expect(posted.stderr).toContain(
      "bill B-FUTILE: AUD 25.00 is to be disputed for 1 charge without a consignment, and was not raised",
    )
    expect((await post(file, "--for", "xero")).stderr).not.toContain("was not raised")
    const raised = await home.freight(["audit", file, "--raise"])
    expect(raised.stderr).toContain("move AUD 25.00 without GST from 429 to 650")
  })

  it("gets what is raised after its bill was posted by a move that is reported, and posting warned of it", async () => {
    const [consignment, name] = ["SBA94000052", "B-RAISED"]
    const file = await audited(name, [{ consignment, cents: 1000 }])
    const posted = await post(file, "--for", "xero", "--cost-centre", "Sydney")
    expect(posted.stderr).toContain(
      `bill B-RAISED: AUD 10.00 is to be disputed for 1 consignment, and was not raised, so nothing of it goes to the clearing account. Raise it first: freight audit ${file} --raise`,
    )
    expect(await standing(name)).toEqual([])
    // A second posting does not warn again.
    expect((await post(file, "--for", "xero")).stderr).not.toContain("was not raised")
    const raised = await home.freight(["audit", file, "--raise"])
    expect(raised.stderr).toContain(
      "In the books, move AUD 10.00 without GST from 429, Sydney to 650: SBA94000052 on bill B-RAISED is raised after its bill was posted.",
    )
    const moved = () => home.freight(["disputes", "moved", consignment])
    expect((await moved()).stderr).toContain("moved AUD 10.00 without GST from 429, Sydney to 650")
    expect((await moved()).stderr).toContain("nothing was written")
    expect(await standing(name)).toMatchObject([
      { stands: 10, open: 10, toMove: 0, account: "650", standsExGst: 10 },
    ])
    const all = (await home.freight(["report", "clearing", "--json"])).items<{ standsExGst: number }>()
    const cents = all.reduce((sum, row) => sum + Math.round(row.standsExGst * 100), 0)
    expect((await home.freight(["report", "clearing"])).stderr).toContain(
      `In the books, without GST, there should be AUD ${formatCents(cents)} on 650, for ${all.length} dispute`,
    )
    // Its credit takes it away from there, as if it had been raised in time.
    const credit = await audited("B-RAISED-C", [{ consignment, cents: -1000 }])
    expect(await amountsOf(credit)).toEqual([["-10.00", "650"]])
    expect(await standing(name)).toEqual([])
  })

  it("gets what only a smaller tolerance disputes, after its bill was posted, by a move that is reported", async () => {
    const name = "B-TOLERANCE"
    const { consignment, cents } = get(`SYD-${pairs++}`)
    // 0.40 above its quote, and 0.50 is allowed.
    const file = await audited(name, [{ consignment, cents: cents + 40 }], "--raise")
    const posted = await post(file, "--for", "xero")
    expect(posted.stderr).not.toContain("was not raised")
    expect(await standing(name)).toEqual([])
    const raised = await home.freight(["audit", file, "--raise", "--tolerance", "0.10"])
    expect(raised.stderr).toContain(
      `In the books, move AUD 0.40 without GST from the account of its freight to 650: ${consignment} on bill ${name} is raised after its bill was posted.`,
    )
    const moved = () => home.freight(["disputes", "moved", consignment])
    expect((await moved()).stderr).toContain("moved AUD 0.40")
    expect((await moved()).stderr).toContain("nothing was written")
    expect(await standing(name)).toMatchObject([{ stands: 0.4, open: 0.4, toMove: 0, account: "650" }])
    // Denied, it goes back.
    const denied = await home.freight(["disputes", "denied", consignment])
    expect(denied.stderr).toContain("move AUD 0.40 without GST from 650 to the account of its freight")
  })

  it.runIf(hasTerminal)("asks at a terminal before what is to be disputed is posted as expense", async () => {
    const file = await audited("B-UNRAISED", [{ consignment: "SBA94000053", cents: 1000 }])
    const out = path.join(home.folder, "unraised.csv")
    const seat = await sitDown(["post", file, ...ACCOUNTS, "--for", "xero", "-o", out], home.env)
    await take(seat, [["? Post it anyway? (y/N)", "enter"]])
    expect(await seat.exit).toBe(2)
    expect(await told(seat)).toContain("is to be disputed for 1 consignment, and was not raised")
  })

  it("says where a credit went that was confirmed after its bill was posted", async () => {
    const name = "B-CONFIRM"
    const file = await audited(name, [{ consignment: "SBA94000003", cents: 1234 }], "--raise")
    await post(file, "--for", "xero")
    const credit = await audited("B-CONFIRM-C", [{ consignment: "XX94000003", cents: -1234 }])
    await post(credit, "--for", "xero", "--account", "431")
    const { stderr } = await home.freight(["disputes", "confirm", "XX94000003", "SBA94000003"])
    expect(stderr).toContain("move AUD 12.34 without GST from 650 to 431")
    expect(await standing(name)).toMatchObject([{ stands: 12.34, open: 0, toMove: 12.34 }])
    await home.freight(["disputes", "moved", name])
    expect(await standing(name)).toEqual([])
  })
})

const MEANT = ["--map", "Consignment=consignment"]

describe("a bill that has grown since it was posted", () => {
  it("has its own new rows posted beside another bill that charges for the same consignment", async () => {
    const [shared] = lines() as [Line]
    const one = await audited("B-BESIDE-1", [shared])
    const other = await audited("B-BESIDE-2", [{ ...shared, charge: "Waiting time" }, ...lines().slice(0, 1)])
    const both = await home.freight(["post", one, other, ...ACCOUNTS, "--for", "xero"])
    expect(both.code, both.stderr).toBe(0)
    await audited("B-BESIDE-1", [shared, ...lines().slice(0, 1)], ...MEANT)
    const grown = await post(one, "--for", "xero")
    expect([grown.code, grown.stderr]).toEqual([
      0,
      expect.stringContaining("only its new rows are written, as bill B-BESIDE-1/2."),
    ])
  })

  it("has its new rows posted under its number with /2, once", async () => {
    const bill = lines()
    const file = await audited("B-GROWS", bill, "--raise")
    const first = await amountsOf(file)
    const grown = [MORE, ...bill.toReversed(), { consignment: "SBA94000004", cents: 500 }]
    const { stderr } = await home.freight(["audit", await save("B-GROWS", grown), "--raise", ...MEANT])
    expect(stderr).toContain("it has grown from")
    expect(stderr).not.toContain("another amount")
    const second = await post(file, "--for", "xero")
    expect(second.stderr).toContain("only its new rows are written, as bill B-GROWS/2.")
    expect(second.stdout).toContain("B-GROWS/2")
    expect([first.length, await amountsOf(file)]).toEqual([
      3,
      expect.arrayContaining([
        ["10.00", "650"],
        ["5.00", "650"],
      ]),
    ])
    const again = await post(file, "--for", "xero")
    expect([again.stdout, again.stderr]).toEqual([
      second.stdout,
      expect.stringContaining("Bill B-GROWS/2 was posted on"),
    ])
    // An earlier state of the bill counts neither as another bill nor as a correction.
    const before = await home.freight(["audit", await save("B-GROWS", bill), "--raise", ...MEANT])
    expect(before.stderr).toContain("this is what it was before, and nothing of it is remembered or raised")
    const refused = await post(file, "--for", "xero")
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("has grown since")])
    await save("B-GROWS", grown)
    // Undone one by one, the last first.
    const undo = (...more: string[]) =>
      home.freight(["post", "--not-imported", "B-GROWS", "--why", "no", ...more])
    expect((await undo()).stderr).toContain("Bill B-GROWS/2 is not in the books")
    expect((await undo()).stderr).toContain("was already undone")
    expect((await post(file, "--for", "xero")).stdout).toBe(second.stdout)
    await undo()
    expect((await undo("--earlier")).stderr).toContain("Bill B-GROWS is not in the books")
    expect(await amountsOf(file)).toHaveLength(5)
  })

  it.each([
    ["--not-imported", "--earlier"],
    ["--undo", "--again"],
  ])("is undone part by part with %s and %s: lines of before mean the same", async (flag, earlier) => {
    const name = `B-PART${flag.toUpperCase()}`
    const bill = lines()
    const file = await audited(name, bill)
    await post(file, "--for", "xero")
    await audited(name, [...bill, MORE])
    await post(file, "--for", "xero")
    const undo = (...more: string[]) => home.freight(["post", flag, name, "--why", "no", ...more])
    expect((await undo()).stderr).toContain(`Bill ${name}/2 is not in the books`)
    expect((await undo()).stderr).toContain("was already undone")
    expect((await undo(earlier)).stderr).toContain(`Bill ${name} is not in the books`)
  })

  it("is not written again as a whole where only its last part may be", async () => {
    const bill = lines()
    const file = await audited("B-PARTS", bill)
    await post(file, "--for", "xero")
    await audited("B-PARTS", [...bill, MORE])
    const second = await post(file, "--for", "xero")
    expect((await post(file, "--for", "xero", "--again")).stdout).toBe(second.stdout)
    await audited("B-PARTS", [...bill.slice(1), MORE])
    const changed = await post(file, "--for", "xero", "--again")
    expect([changed.code, changed.stdout, changed.stderr]).toEqual([
      1,
      "",
      expect.stringContaining("was posted in 2 parts, and has changed since"),
    ])
  })

  it("is known by its rows where it has no number, whatever its file is called; without all of them it is another bill", async () => {
    const write = async (name: string, rows: readonly string[]) => {
      const file = path.join(home.folder, name)
      await writeFile(file, `Carrier,Consignment,Amount ex GST,GST\n${rows.join("\n")}\n`)
      return file
    }
    const ROWS = ["Carrier A,SBA94000011,10.00,1.00", "Carrier A,SBA94000012,20.00,2.00"]
    const week = await write("week-1.csv", ROWS)
    await home.freight(["audit", week, "--raise", ...MEANT])
    const posted = ["--number", "NOV", "--date", "2026-11-20"]
    await post(week, "--for", "xero", ...posted)
    const more = await write("week-2.csv", ["Carrier A,SBA94000013,30.00,3.00", ...ROWS.toReversed()])
    const grown = await home.freight(["audit", more, "--raise", ...MEANT])
    expect(grown.stderr).toContain("has grown from 30.00 to 60.00, and is not a second bill")
    expect(grown.stdout).not.toContain("billed twice")
    expect(grown.stderr).toContain("Raised: 1 dispute, AUD 30.00.")
    const { stdout, stderr } = await post(more, "--for", "xero", ...posted)
    expect(stderr).toContain("as bill NOV/2")
    expect([stdout.includes("SBA94000013"), stdout.includes("SBA94000011")]).toEqual([true, false])
    // A row that comes a second time is billed twice.
    const twice = await write("week-3.csv", [...ROWS, "Carrier A,SBA94000013,30.00,3.00", ROWS[0] as string])
    expect((await home.freight(["audit", twice, ...MEANT])).stdout).toContain("charged twice in this bill")
    const less = await write("week-4.csv", [...ROWS, "Carrier A,SBA94000013,30.00,3.00"])
    const other = await home.freight(["audit", less, "--no-remember", ...MEANT])
    expect(other.stderr).toContain("this is what it was before")
    const missing = await home.freight([
      "audit",
      await write("week-5.csv", [...ROWS, ROWS[0] as string]),
      "--no-remember",
      ...MEANT,
    ])
    expect(missing.stderr).toContain("has 3 of the 4 rows of week-1.csv")
    expect(missing.stderr).toContain("1 is missing or changed: it is another bill")
  })
})

describe("what is disputed", () => {
  it("needs a clearing account, and what a later bill credits of it comes back there", async () => {
    const bill = lines()
    const [, , { consignment: disputed = "" }] = bill as [Line, Line, Line]
    const file = await audited("B-DISPUTE", bill, "--raise")
    const none = await home.freight(["post", file, "--for", "xero", "--account", "429", "--due", "30 days"])
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining("--clearing")])
    const { stdout } = await post(file, "--for", "xero")
    expect(stdout).toMatch(/,1,20\.05,650,/)
    const credit = await audited("B-CREDIT", [{ consignment: disputed, cents: -2500 }])
    expect(await amountsOf(credit)).toEqual([
      ["-4.95", "429"],
      ["-20.05", "650"],
    ])
  })

  it("is closed by a credit among the new rows of its own bill, and comes back on that bill", async () => {
    const disputed = "SBA95000001"
    const bill = [
      { consignment: disputed, cents: 2005 },
      { consignment: "SBA95000002", cents: 700 },
    ]
    const file = await audited("B-OWN", bill, "--raise")
    expect((await post(file, "--for", "xero")).stdout).toMatch(/,1,20\.05,650,/)
    const grown = await save("B-OWN", [...bill, { consignment: disputed, cents: -2005 }])
    const { stderr } = await home.freight(["audit", grown, "--raise", ...MEANT])
    expect(stderr).toContain("Credited: AUD 20.05 of 1 dispute")
    expect(stderr).not.toMatch(/ still has .* open/)
    expect(await amountsOf(grown)).toEqual([["-20.05", "650"]])
    const open = (await home.freight(["disputes", "--json"])).items<{
      billNumber: string
      consignmentNumber: string
    }>()
    const own = open.filter((each) => each.billNumber === "B-OWN")
    expect(own).toMatchObject([{ consignmentNumber: "SBA95000002", open: 7 }])
    // Audited again it is the same, and another row does not make the credit missing.
    const again = await home.freight(["audit", grown, "--raise", ...MEANT])
    expect(again.stderr).not.toMatch(/Credited|warning/)
    await save("B-OWN", [...bill, { consignment: disputed, cents: -2005 }, MORE])
    const more = await home.freight(["audit", grown, "--raise", ...MEANT])
    expect(more.stderr).toContain("it has grown from")
    expect(more.stderr).not.toMatch(/Credited|does not name/)
  })

  it("never enters the clearing account where it was credited before its bill was posted", async () => {
    const file = await audited("B-LATE", [{ consignment: "SBA91000001", cents: 1000 }], "--raise")
    const part = await audited("B-LATE-PART", [{ consignment: "SBA91000001", cents: -400 }])
    expect([await amountsOf(file), await amountsOf(part)]).toEqual([
      [
        ["4.00", "429"],
        ["6.00", "650"],
      ],
      [["-4.00", "429"]],
    ])
    const rest = await audited("B-LATE-REST", [{ consignment: "SBA91000001", cents: -600 }])
    expect(await amountsOf(rest)).toEqual([["-6.00", "650"]])
  })

  it("is off the clearing account once it was denied, also when it is credited after all", async () => {
    const file = await audited("B-DENIED", [{ consignment: "SBA91000002", cents: 1000 }], "--raise")
    expect(await amountsOf(file)).toEqual([["10.00", "650"]])
    const denied = await home.freight(["disputes", "denied", "SBA91000002", "--amount", "4"])
    expect(denied.stderr).toContain(
      "In the books, move AUD 4.00 without GST from 650 to 429: SBA91000002 on bill B-DENIED is denied.",
    )
    await home.freight(["disputes", "moved", "SBA91000002"])
    const late = await audited("B-DENIED-LATE", [{ consignment: "SBA91000002", cents: -1000 }])
    expect(await amountsOf(late)).toEqual([
      ["-4.00", "429"],
      ["-6.00", "650"],
    ])
  })

  it("comes back for a consignment that only the API knows, in another spelling", async () => {
    const other = await desk(sandbox)
    const [{ consignment = "", cents }] = lines() as [Line]
    const audit = async (invoice: string, line: Line, ...flags: string[]) => {
      const file = await saveBill(other.folder, `${invoice}.csv`, csvBill([{ ...line, invoice }]))
      await other.freight(["audit", file, ...flags])
      return (await other.freight(["post", file, ...ACCOUNTS, "--for", "xero"])).stdout
    }
    await audit("OCT", { consignment, cents })
    expect(await audit("NOV", { consignment, cents }, "--raise")).toContain(`,${cents / 100},650,`)
    const spelled = consignment.replace(/\d/, " $&")
    expect(await audit("DEC", { consignment: spelled, cents: -cents })).toContain(`,-${cents / 100},650,`)
  })

  it("comes back to the clearing account of a bill that was posted under another number", async () => {
    const file = await audited(
      "B-A-NUMBER-TOO-LONG-FOR-MYOB",
      [{ consignment: "SBA91000003", cents: 1000 }],
      "--raise",
    )
    expect((await post(file, "--for", "myob", "--number", "B-SHORT")).stdout).toContain("\t650\t10.00\t")
    const credit = await audited("B-LONG-BACK", [{ consignment: "SBA91000003", cents: -1000 }])
    expect((await post(credit, "--for", "myob")).stdout).toContain("\t650\t-10.00\t")
  })
})

function chargeOn(shipments: readonly string[], ...more: string[]) {
  return home.freight(
    [
      ...[
        "invoice",
        "new",
        "--number",
        "I-1",
        "--po",
        "P-1",
        "--supplier-id",
        "S-1",
        "--supplier-name",
        "Us",
      ],
      ...[
        "--date",
        ORDER_DAY,
        "--abn",
        "51824753556",
        "--bill-to",
        "Them; 1 Harbour Street; Sydney NSW 2000",
      ],
      ...shipments.flatMap((shipment) => ["--shipment", shipment]),
      ...more,
    ],
    { clock: false },
  )
}

describe("freight is charged on", () => {
  it("as its bill has it, with a warning where the bill does not say whether GST is in it", async () => {
    const [{ consignment = "", cents }] = lines() as [Line]
    const file = path.join(home.folder, "unsaid.csv")
    await writeFile(file, `Invoice Number,Connote,Total\nB-UNSAID,${consignment},${cents / 100}\n`)
    await home.freight(["audit", file])
    expect((await chargeOn([consignment], "--markup", "0%")).stderr).toContain(
      `it is not known whether GST is in what bills ask for ${consignment}: it is taken as before GST`,
    )
  })

  it("as a corrected bill has it, whether or not somebody has closed what was disputed before", async () => {
    const [syd] = lines() as [Line]
    await audited("B-CORRECTED", [{ ...syd, cents: syd.cents + 2000 }], "--raise")
    await audited("B-CORRECTED", [syd])
    const cost = async () => (await chargeOn([syd.consignment ?? ""], "--markup", "0%")).stderr
    const right = `cost ${formatCents(syd.cents)} = ${formatCents(syd.cents)} charged on + 0.00 absorbed`
    expect(await cost()).toContain(right)
    await home.freight(["disputes", "credited", syd.consignment ?? "", "--why", "corrected"])
    expect(await cost()).toContain(right)
  })

  it("less what was credited for it on another consignment, and that one bears no credit of others", async () => {
    const [syd, mel] = lines() as [Line, Line]
    const [disputed, other] = [syd, mel].map(({ consignment = "" }) => consignment) as [string, string]
    await audited("B-OVER", [{ ...syd, cents: syd.cents + 2000 }, mel], "--raise")
    await audited("B-OTHER", [{ ...mel, cents: -1500 }])
    expect((await home.freight(["disputes", "confirm", other, disputed])).code).toBe(0)
    const charged = formatCents(syd.cents)
    const costs = [disputed, other].map(async (name) => (await chargeOn([name], "--markup", "0%")).stderr)
    expect(await Promise.all(costs)).toEqual([
      expect.stringContaining(`cost ${formatCents(syd.cents + 500)} = ${charged} charged on + 5.00 absorbed`),
      expect.stringContaining(`cost ${formatCents(mel.cents)} = ${formatCents(mel.cents)} charged on`),
    ])
  })

  it("by what bills say, or else the quote, without what is disputed, with the mark-up in the lines or apart", async () => {
    const [syd, mel] = lines() as [Line, Line]
    await audited("B-CHARGE", [{ ...syd, cents: syd.cents + 2000 }], "--raise")
    const invoice = (...more: string[]) => chargeOn([syd.consignment ?? "", mel.consignment ?? ""], ...more)
    const { code, stderr, json } = await invoice("--markup", "8%")
    expect(code, stderr).toBe(0)
    interface Draft {
      lineItems: { subtotal: number; description: string }[]
      invoiceSummary: { dueAmount: number }
      shipping?: unknown
    }
    const { data } = json<{ data: Draft }>()
    const charged = syd.cents + mel.cents
    const markup = Math.round(charged * 0.08)
    const apart = (await invoice("--markup", "8%", "--show-markup")).json<{ data: Draft }>().data
    expect(apart.lineItems.map(({ subtotal }) => subtotal)).toEqual([
      syd.cents / 100,
      mel.cents / 100,
      markup / 100,
    ])
    expect(data.lineItems).toHaveLength(2)
    expect(data.invoiceSummary.dueAmount).toBe(apart.invoiceSummary.dueAmount)
    for (const seen of [data, apart]) {
      expect(JSON.stringify(seen)).not.toMatch(/[\da-f]{8}-[\da-f]{4}-|CARRIER_/)
      expect(JSON.stringify(seen)).toContain('"carrier":"Carrier A"')
    }
    expect(data.shipping).toBeUndefined()
    expect(stderr).toContain("as billed on B-CHARGE.")
    expect(stderr).toContain("as quoted: it is on no audited bill.")
    expect(stderr).toContain("charged on + 20.00 absorbed")
    const all = await invoice("--markup", "0%", "--charge-disputed")
    expect(all.stderr).toContain("charged on + 0.00 absorbed; mark-up of 0 %: 0.00.")
    const both = await invoice("--markup", "8%", "--shipping-amount", "5")
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining("contradict")])
  })
})

describe("what is not clear stops it", () => {
  it.each<[string, string[], RegExp]>([
    ["no program", [], /--for says which program/],
    ["no account", ["--for", "xero", "--due", "3d"], /no account is given[\s\S]*--account/],
    [
      "no rule that fits",
      ["--for", "xero", "--due", "3d", "--rule", "sender,nobody,1"],
      /no rule fits 3 consignments[\s\S]*reference SYD-[\s\S]*sender Harbour Lighting Pty Ltd, carrier/,
    ],
    [
      "no day to pay",
      ["--for", "xero", "--account", "1"],
      /does not say when it is to be paid: give it with --due/,
    ],
    ["a rule of nothing", ["--for", "xero", "--rule", "colour,red,1"], /"colour" is none of reference/],
    ["JSON without a file", ["--for", "xero", "--json"], /name a file with -o/],
  ])("%s", async (what, flags, says) => {
    const file = await audited(`B-UNCLEAR-${what.replaceAll(" ", "-")}`, lines(), "--raise")
    const { code, stderr, stdout } = await home.freight(["post", file, ...flags])
    expect([code, stderr, stdout]).toEqual([2, expect.stringMatching(says), ""])
  })

  it("a bill that was not audited, or that was with another amount", async () => {
    const bill = lines()
    const file = await save("B-NEVER", bill)
    const never = await post(file, "--for", "xero")
    expect([never.code, never.stderr]).toEqual([2, expect.stringContaining("bill B-NEVER was not audited")])
    await home.freight(["audit", file])
    await save("B-NEVER", [...bill, MORE])
    const grown = await post(file, "--for", "xero")
    expect([grown.code, grown.stderr]).toEqual([2, expect.stringContaining("has grown since it was audited")])
    await save("B-NEVER", bill.slice(1))
    const other = await post(file, "--for", "xero")
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining("audited with another amount")])
  })

  it("a bill that comes to the amount that was audited, for other consignments", async () => {
    const [first, second, ...others] = lines() as [Line, Line, ...Line[]]
    const [one, two] = [String(first.consignment), String(second.consignment)]
    const dearer = { ...second, cents: second.cents + 100 }
    const file = await audited("B-SWAPPED", [first, dearer, ...others])
    const changes: readonly (readonly [readonly Line[], string])[] = [
      [[{ ...first, consignment: two }, { ...dearer, consignment: one }, ...others], one],
      [[{ ...first, consignment: "SBA00000999", reference: "" }, dearer, ...others], "SBA00000999"],
    ]
    for (const [changed, told] of changes) {
      await save("B-SWAPPED", changed)
      const { code, stderr, stdout } = await post(file, "--for", "xero")
      expect([code, stdout]).toEqual([2, ""])
      expect(stderr).toContain("was audited with the same amount for other consignments: ")
      expect(stderr).toContain(told)
    }
    // Audited as it is now, it is posted.
    await home.freight(["audit", file])
    expect((await post(file, "--for", "xero")).code).toBe(0)
  })

  it("two bills of one number", async () => {
    const bill = lines()
    const file = await audited("B-TWINS", bill, "--raise")
    const twin = path.join(home.folder, "twin.csv")
    await writeFile(
      twin,
      (await readFile(file, "utf8")).replaceAll("20.05", "20.06").replaceAll("22.06", "22.07"),
    )
    await home.freight(["audit", twin])
    const { code, stderr } = await home.freight(["post", file, twin, ...ACCOUNTS, "--for", "xero"])
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/bill B-TWINS is in both .*B-TWINS.csv and .*twin.csv/),
    ])
  })

  it("a bill that does not say its GST, until a person does", async () => {
    const file = path.join(home.folder, "plain.csv")
    const [{ consignment = "" }] = lines() as [Line]
    await writeFile(file, `Connote,Amount ex GST\n${consignment},20.00\nYY3,30.05\n`)
    await home.freight(["audit", file])
    const named = ["--for", "myob", "--supplier-name", "Carrier A", "--number", "B-PLAIN", "--date", DATED]
    const none = await post(file, ...named)
    expect([none.code, none.stderr]).toEqual([
      2,
      expect.stringContaining("does not say how much GST is in it"),
    ])
    const { stdout } = await post(file, ...named, "--gst", "5.01")
    expect(stdout).toMatch(/\t20\.00\t.*\tGST\t2\.00\t[\s\S]*\t30\.05\t.*\tGST\t3\.01\t/)
  })

  it("a row of the file of rules", async () => {
    const file = await audited("B-RULES", lines(), "--raise")
    const rules = path.join(home.folder, "rules.csv")
    await writeFile(rules, "When,Matches,Account,Cost centre\nreference,SYD-,430,\nreference,,431,\n")
    const wrong = await post(file, "--for", "xero", "--rules", rules)
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("row 3: it matches nothing")])
    await writeFile(
      rules,
      "When,Matches,Account,Cost centre\nreference,SYD-,430,Sydney\ncarrier,CARRIER A,431,\n",
    )
    const { stdout, stderr } = await post(file, "--for", "xero", "--rules", rules)
    expect(stdout, stderr).toMatch(/,430,GST on Expenses,[\d.]+,Cost Centre,Sydney,[\s\S]*,431,/)
  })
})

describe("a bill that does not say its number", () => {
  it("is audited and posted under the number and the day that a person gives", async () => {
    const { consignment, cents } = get(`SYD-${PAIRS - 1}`)
    const file = await saveBill(
      home.folder,
      "unnumbered.csv",
      `TAX INVOICE,ABN 44 733 312 190\nConsignment,Amount ex GST,GST\n${consignment},${formatCents(cents)},${formatCents(Math.round(cents / 10))}\n`,
    )
    const named = ["--number", "8000123457", "--date", DATED]
    const { code, json } = await home.freight(["audit", file, ...named, "--json"])
    expect([code, json<{ bills: object[] }>().bills]).toMatchObject([
      0,
      [{ billNumber: "8000123457", billDate: DATED }],
    ])
    const again = await home.freight(["audit", file, ...named])
    expect(again.stderr).toContain("bill 8000123457 was audited before")
    const posted = await home.freight([
      "post",
      file,
      ...named,
      "--supplier-name",
      "A",
      ...ACCOUNTS,
      "--for",
      "xero",
    ])
    expect([posted.code, posted.stderr]).toEqual([0, expect.not.stringContaining("was not audited")])
    const two = await home.freight(["audit", file, await save("OTHER-1", lines()), ...named])
    expect([two.code, two.stderr]).toEqual([
      2,
      expect.stringContaining("--number is for one bill, and these are 2"),
    ])
  })
})
