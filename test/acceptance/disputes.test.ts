/** A clerk's disputes: raised once, sent, answered, and paid by later bills. */
import { mkdir, readFile, rename, writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { desk } from "./freight.ts"
import { newDatabase, SERVER } from "../ledger/postgres.ts"
import { bookToBill } from "./audits.ts"
import { order } from "./orders.ts"
import { hasTerminal, type Key, sitDown } from "./pty.ts"
import { take, told } from "./wizard.ts"
import { type Line, csvBill, invBill, invLine, saveBill } from "./bills.ts"

type Desk = Awaited<ReturnType<typeof desk>>
type Row = Record<string, unknown>
type Run = Desk["freight"] extends (words: string[]) => infer Ran ? (...words: string[]) => Ran : never

/** A desk without bookings: neither ledger nor API knows the billed consignments, so they are disputed in full. */
async function sit() {
  const made = await desk()
  const run = (...args: string[]) => made.freight([...args, "--sandbox"])
  return {
    ...made,
    run,
    async audit(name: string, lines: readonly Line[], ...flags: string[]) {
      const file = path.join(made.folder, `${name}.csv`)
      await writeFile(file, csvBill(lines.map((line) => ({ ...line, invoice: name }))))
      return run("audit", file, ...flags)
    },
    rows: async (...args: string[]) => (await run("disputes", ...args, "--json")).items<Row>(),
  }
}

/** The same, of a consignment that was booked and delivered. */
async function sitBooked() {
  const { home, get } = await bookToBill([order("R-1", { connector: "connector-a", service: "76" })])
  const run = (...args: string[]) => home.freight(args)
  return {
    ...{ folder: home.folder, run, booked: get("R-1") },
    async audit(name: string, lines: readonly Line[], ...flags: string[]) {
      await saveBill(home.folder, `${name}.csv`, csvBill(lines.map((line) => ({ ...line, invoice: name }))))
      return run("audit", `${name}.csv`, ...flags)
    },
    rows: async (...args: string[]) => (await run("disputes", ...args, "--json")).items<Row>(),
  }
}

describe("disputes", () => {
  it("are raised once for each consignment and bill, however often, and listed by what is open", async () => {
    const { audit, rows, run } = await sit()
    const lines = [
      { consignment: "DEMO-A-BILLED", cents: 1000 },
      { consignment: "DEMO-A-SECOND", cents: 2000 },
    ]
    expect((await audit("B1", lines, "--raise")).stderr).toContain("Raised: 2 disputes, AUD 30.00.")
    const again = await audit("B1", lines, "--raise")
    expect(again.stderr).toContain("Already raised: 2 disputes, AUD 30.00 (30.00 open).")
    expect((await rows()).map(({ consignmentNumber, open }) => [consignmentNumber, open]).sort()).toEqual([
      ["DEMO-A-BILLED", 10],
      ["DEMO-A-SECOND", 20],
    ])
    expect((await run("disputes")).stderr).toContain("2 disputes, AUD 30.00 open.")
  })

  it("go from raised to sent, answered and paid in part, and what is denied is paid by a late credit", async () => {
    const { audit, rows, run } = await sit()
    await audit("B1", [{ consignment: "DEMO-A-BILLED", cents: 1000 }], "--raise")
    const [sent] = (
      await run("disputes", "sent", "B1", "--claim", "CL-1", "--date", "2026-11-01", "--json")
    ).items<Row>()
    expect(sent).toMatchObject({ state: "sent", claim: "CL-1", sentOn: "2026-11-01" })
    await run("disputes", "answered", "DEMO-A-BILLED", "--why", "asks for a photo")
    const credited = await audit("B2", [{ consignment: "DEMO-A-BILLED", cents: -400 }])
    expect(credited.stderr).toContain("Credited: AUD 4.00 of 1 dispute.")
    expect(await rows()).toMatchObject([{ state: "part-credited", credited: 4, open: 6 }])
    await run("disputes", "denied", "DEMO-A-BILLED", "--why", "weighed again")
    expect(await rows()).toEqual([])
    const late = await audit("B3", [{ consignment: "DEMO-A-BILLED", cents: -700 }])
    expect(late.stderr).toContain(
      "AUD 1.00 of the credit for DEMO-A-BILLED on bill B3 is more than was disputed",
    )
    expect(await rows("--all")).toMatchObject([{ state: "credited", credited: 10, denied: 0, open: 0 }])
    const { stdout } = await run("disputes", "show", "DEMO-A-BILLED")
    await expect(
      stdout.replaceAll(/\d{4}-\d\d-\d\d/g, "DAY").replaceAll(/, by .*$/gm, ""),
    ).toMatchFileSnapshot(path.join(import.meta.dirname, "screens", "dispute.txt"))
  })

  it("take no step twice, and no more than is open", async () => {
    const { audit, rows, run } = await sit()
    await audit("B1", [{ consignment: "DEMO-A-BILLED", cents: 1000 }], "--raise")
    const credit = ["disputes", "credited", "DEMO-A-BILLED", "--amount", "3.00"]
    await run(...credit)
    const again = await run(...credit)
    expect(again.stderr).toContain("nothing was recorded there")
    expect(await rows()).toMatchObject([{ credited: 3, open: 7 }])
    await run(...credit, "--again")
    expect(await rows()).toMatchObject([{ credited: 6, open: 4 }])
    const more = await run("disputes", "written-off", "DEMO-A-BILLED", "--amount", "5")
    expect([more.code, more.stderr]).toEqual([
      2,
      expect.stringContaining("5.00 is more than is open of the dispute of DEMO-A-BILLED on bill B1: 4.00"),
    ])
    const early = await run("disputes", "written-off", "DEMO-A-BILLED", "--date", "2099-01-01")
    expect([early.code, early.stderr]).toEqual([2, expect.stringContaining("2099-01-01 has not come yet")])
    await run("disputes", "written-off", "DEMO-A-BILLED")
    expect(await rows("--all")).toMatchObject([{ state: "written-off", credited: 6, writtenOff: 4, open: 0 }])
  })

  it("are reopened by a step that takes the last one back, once, and what comes later pays them", async () => {
    const { audit, rows, run } = await sit()
    await audit("B1", [{ consignment: "DEMO-A-BILLED", cents: 1000 }], "--raise")
    const reopen = (...more: string[]) =>
      run("disputes", "reopen", "DEMO-A-BILLED", "--why", "not for this one", ...more)
    const nothing = await reopen()
    expect([nothing.code, nothing.stderr]).toEqual([
      0,
      expect.stringContaining(
        "Nothing was recorded for 1 dispute: there is no step to undo, or it is undone already",
      ),
    ])
    await run("disputes", "denied", "DEMO-A-BILLED", "--amount", "4")
    await run("disputes", "written-off", "DEMO-A-BILLED")
    const reopened = (await reopen("--json")).items<Row>()
    expect(reopened).toMatchObject([{ state: "raised", denied: 4, writtenOff: 0, open: 6 }])
    expect(reopened[0]?.steps).toMatchObject([
      { step: "denied", amount: 4 },
      { step: "written-off", amount: 6 },
      { step: "written-off", amount: -6, why: "not for this one" },
    ])
    expect((await reopen()).stderr).toContain("Nothing was recorded for 1 dispute: there is no step to undo")
    expect(await rows()).toMatchObject([{ denied: 4, open: 6 }])
    // The next day: what was taken back may be written down again.
    expect((await run("disputes", "written-off", "DEMO-A-BILLED")).stderr).not.toContain("already")
    await reopen()
    await reopen("--earlier")
    expect(await rows()).toMatchObject([{ denied: 0, open: 10 }])
    await audit("B2", [{ consignment: "DEMO-A-BILLED", cents: -1000 }])
    expect(await rows("--all")).toMatchObject([{ state: "credited", credited: 10, open: 0 }])
    expect(await rows("credits")).toEqual([])
    const { items: sums } = (await run("report", "disputes", "--json")).json<{ items: Row[] }>()
    expect(sums).toMatchObject([{ raised: 10, credited: 10, open: 0, denied: 0, writtenOff: 0 }])
    const unknown = await run("disputes", "reopen", "NOBODY", "--why", "x")
    expect([unknown.code, unknown.stderr]).toEqual([
      expect.any(Number),
      expect.stringContaining('there is no dispute "NOBODY"'),
    ])
  })

  it("whose bill is posted say what to move in the books, until a person says that it was, or the file was not imported", async () => {
    const { audit, folder, run } = await sit()
    await audit("B1", [{ consignment: "DEMO-A-BILLED", cents: 1000 }], "--raise")
    const accounts = ["--account", "429", "--clearing", "650", "--due", "30 days"]
    const file = path.join(folder, "B1.csv")
    const post = (...more: string[]) =>
      run("post", file, "--for", "xero", "--gst", "1.00", ...accounts, ...more)
    const clearing = async () => (await run("report", "clearing", "--json")).items<Row>()
    expect(await clearing()).toEqual([])
    expect((await post()).code).toBe(0)
    expect(await clearing()).toMatchObject([
      { billNumber: "B1", consignmentNumber: "DEMO-A-BILLED", stands: 10, toMove: 0 },
    ])
    expect((await run("disputes", "denied", "DEMO-A-BILLED")).stderr).toContain(
      "In the books, move AUD 10.00 without GST from 650 to 429: DEMO-A-BILLED on bill B1 is denied.",
    )
    expect(await clearing()).toMatchObject([{ stands: 10, toMove: 10, from: "650", to: "429" }])
    expect((await run("disputes", "moved", "DEMO-A-BILLED", "--json")).items<Row>()).toMatchObject([
      {
        billNumber: "B1",
        consignmentNumber: "DEMO-A-BILLED",
        moved: 10,
        moves: [{ amount: 10, from: "650", to: "429" }],
      },
    ])
    expect((await run("disputes", "moved", "DEMO-A-BILLED")).stderr).toContain(
      "Nothing is to be moved for these: nothing was written.",
    )
    expect(await clearing()).toEqual([])
    expect((await run("disputes", "reopen", "DEMO-A-BILLED", "--why", "x")).stderr).toContain(
      "from 429 to 650",
    )
    const undone = await run("post", "--not-imported", "B1", "--why", "wrong month")
    expect([undone.code, undone.stderr]).toEqual([
      0,
      expect.stringContaining("Bill B1 is not in the books any more"),
    ])
    expect((await run("post", "--not-imported", "B1.csv", "--why", "again")).stderr).toContain(
      "was already undone (wrong month)",
    )
    // The transfer stays in the books, although the bill is not there until it is posted again.
    expect(await clearing()).toMatchObject([{ stands: -10, coming: -10, toMove: 0 }])
    expect((await post("--json", "-o", path.join(folder, "anew.csv"))).items<Row>()).toMatchObject([
      { billNumber: "B1", isNew: true, undone: null, clearing: 11 },
    ])
    expect(await clearing()).toMatchObject([{ stands: 0, open: 10, toMove: -10, from: "429", to: "650" }])
    await run("disputes", "moved", "DEMO-A-BILLED")
    expect(await clearing()).toMatchObject([{ stands: 10, toMove: 0 }])
    for (const [words, code, says] of [
      [["post", "--not-imported", "B9", "--why", "x"], 5, 'no bill "B9" was posted'],
      [["post", "--not-imported", "B1"], 2, "--why"],
      [["post", file, "--not-imported", "B1", "--why", "x"], 2, "give no files with it"],
      [["post", "--for", "xero"], 2, "there is no bill to post"],
    ] as const) {
      const refused = await run(...words)
      expect([refused.code, refused.stderr]).toEqual([code, expect.stringContaining(says)])
    }
  })

  it("that a person closed by mistake are reopened, and a surplus pays them at once", async () => {
    const { audit, rows, run } = await sit()
    await audit("B1", [{ consignment: "DEMO-A-BILLED", cents: 1000 }], "--raise")
    await run("disputes", "credited", "DEMO-A-BILLED", "--why", "paid by transfer")
    await audit("B2", [{ consignment: "DEMO-A-BILLED", cents: -1000 }])
    expect(await rows("credits")).toMatchObject([{ surplus: 10 }])
    const why = ["--why", "that transfer was for another"]
    const paid = (await run("disputes", "reopen", "DEMO-A-BILLED", ...why, "--json")).items<Row>()
    expect(paid).toMatchObject([{ state: "credited", credited: 10, open: 0 }])
    expect(await rows("credits")).toEqual([])
  })

  it("that are reopened are not paid again by a credit that paid several, but by a person's word", async () => {
    const { audit, rows, run } = await sit()
    const line = { consignment: "DEMO-A-BILLED", cents: 1000 }
    await audit("B1", [line], "--raise")
    await audit("B2", [line], "--raise")
    await audit("B3", [{ consignment: "DEMO-A-BILLED", cents: -2000 }])
    const both = await rows("--all")
    expect(both.map(({ state }) => state)).toEqual(["credited", "credited"])
    await run("disputes", "reopen", "B1", "--why", "the credit is for B2 alone")
    await audit("B3", [{ consignment: "DEMO-A-BILLED", cents: -2000 }])
    expect((await rows("--all")).map(({ billNumber, open }) => [billNumber, open]).sort()).toEqual([
      ["B1", 10],
      ["B2", 0],
    ])
    expect(await rows("credits")).toMatchObject([{ credited: 20, used: 10, surplus: 10 }])
    expect((await run("disputes", "confirm", "B3", "B1")).code).toBe(0)
    expect(await rows()).toEqual([])
    expect(await rows("credits")).toEqual([])
    for (const flag of ["--all", "--used"])
      expect(await rows("credits", flag)).toMatchObject([{ credited: 20, used: 20, surplus: 0 }])
  })

  it("a credit of another consignment is used once a person says so, and only once", async () => {
    const { audit, rows, run } = await sit()
    await audit("B1", [{ consignment: "DEMO-A-BILLED", cents: 1000 }], "--raise")
    const { stderr } = await audit("B2", [{ consignment: "YY9", cents: -1000 }])
    const [, creditId = "", disputeId = ""] =
      /freight disputes confirm --sandbox (\w+) (\w+)/.exec(stderr) ?? []
    expect(await rows()).toMatchObject([{ open: 10 }])
    expect((await run("disputes", "confirm", creditId, disputeId)).code).toBe(0)
    expect(await rows("--all")).toMatchObject([{ state: "credited" }])
    const twice = await run("disputes", "confirm", creditId, disputeId)
    expect([twice.code, twice.stderr]).toEqual([1, expect.stringContaining("is used")])
    expect(await rows("credits")).toEqual([])
  })

  it("what was denied is paid by a late credit that spells the consignment otherwise", async () => {
    const { audit, rows, run } = await sit()
    await audit("B1", [{ consignment: "DEMO-A-BILLED", cents: 1000 }], "--raise")
    await run("disputes", "denied", "DEMO-A-BILLED")
    await audit("B2", [{ consignment: "demo a billed", cents: -1000 }])
    expect(await rows("--all")).toMatchObject([{ state: "credited", credited: 10, denied: 0, open: 0 }])
  })

  it("a credit that is confirmed after it was denied is reported as it stands", async () => {
    const { audit, run } = await sit()
    await audit("B1", [{ consignment: "DEMO-A-BILLED", cents: 1000 }], "--raise")
    await audit("B2", [{ consignment: "YY9", cents: -1000 }])
    await run("disputes", "denied", "DEMO-A-BILLED")
    const { stdout } = await run("disputes", "confirm", "YY9", "DEMO-A-BILLED", "--json")
    expect(JSON.parse(stdout)).toMatchObject({ state: "credited", credited: 10, denied: 0, open: 0 })
  })

  it("of two suppliers that gave their bills one number are written down apart", async () => {
    const { folder, rows, run } = await sit()
    for (const supplier of ["Alpha", "Beta"]) {
      const bill = csvBill([
        { consignment: `DEMO-A-${supplier.padEnd(6, "X")}`, cents: 1000, invoice: "1001" },
      ])
      await saveBill(folder, `${supplier}.csv`, bill.replaceAll("Carrier A", supplier))
      await run("audit", `${supplier}.csv`, "--raise")
    }
    const both = await run("disputes", "sent", "1001")
    expect([both.code, both.stderr]).toEqual([
      2,
      expect.stringMatching(/"1001" is the number of 2 bills[\s\S]*"Alpha 1001", "Beta 1001"/),
    ])
    expect((await run("disputes", "letter", "1001")).stderr).toContain('"Alpha 1001", "Beta 1001"')
    const letter = await run("disputes", "letter", "Alpha 1001", "-o", "letter.txt", "--offline")
    expect(letter.stderr).toContain('freight disputes sent --sandbox "Alpha 1001"')
    expect((await run("disputes", "sent", "Alpha 1001")).code).toBe(0)
    expect((await rows()).map(({ supplier, state }) => [supplier, state])).toEqual([
      ["Alpha", "sent"],
      ["Beta", "raised"],
    ])
  })

  it("are reported with what became of them when their bill is audited again", async () => {
    const { audit, run } = await sit()
    const lines = [{ consignment: "DEMO-A-BILLED", cents: 2953 }]
    const first = await audit("B1", lines, "--raise")
    expect(first.stdout).toMatch(/^Billed AUD 29\.53 for quotes of AUD 0\.00 \(.+\): AUD 29\.53 more\.$/m)
    const credited = await audit("B2", [{ consignment: "DEMO-A-BILLED", cents: -2453 }])
    expect(credited.stdout).toMatch(/^Credits exceed charges by AUD 24\.53 \(.+\)\.$/m)
    await run("disputes", "denied", "DEMO-A-BILLED", "--amount", "2")
    await run("disputes", "written-off", "DEMO-A-BILLED", "--amount", "1")
    expect((await audit("B1", lines, "--raise")).stderr).toContain(
      "Already raised: 1 dispute, AUD 29.53 (24.53 credited, 2.00 denied, 1.00 written off, 2.00 open).",
    )
  })

  it("a credit that is confirmed pays what is open, and then what was denied, also in equal parts", async () => {
    const { audit, rows, run } = await sit()
    await audit("B1", [{ consignment: "DEMO-A-BILLED", cents: 1000 }], "--raise")
    await run("disputes", "denied", "DEMO-A-BILLED", "--amount", "5")
    await audit("B2", [{ consignment: "YY9", cents: -1000 }])
    await run("disputes", "confirm", "YY9", "DEMO-A-BILLED")
    expect(await rows("--all")).toMatchObject([{ state: "credited", credited: 10, denied: 0, open: 0 }])
    expect(await rows("credits")).toEqual([])
  })

  it("a bill that comes in another format, and names its supplier otherwise, is the same bill", async () => {
    const { audit, folder, freight, rows, run } = await sit()
    const asDocument = async (number: string, cents: number) =>
      saveBill(
        folder,
        `${number}.json`,
        invBill([invLine(cents, { description: "Freight DEMO-ABILLED" })], { invoiceNumber: number }),
      )
    await audit("B1", [{ consignment: "DEMO-ABILLED", cents: 1000 }], "--raise")
    const raised = await run("audit", await asDocument("B1", 1000), "--raise")
    expect(raised.stderr).toContain("Already raised: 1 dispute, AUD 10.00 (10.00 open).")
    await audit("B2", [{ consignment: "DEMO-ABILLED", cents: -400 }])
    for (const _ of [1, 2]) await run("audit", await asDocument("B2", -400))
    expect(await rows()).toMatchObject([{ consignmentNumber: "DEMO-ABILLED", credited: 4, open: 6 }])
    const books = ["--for", "xero", "--account", "429", "--clearing", "650", "--due", "3d"]
    const posted = await freight(["post", await asDocument("B1", 1000), ...books, "--sandbox"])
    expect(posted.stdout, posted.stderr).toMatch(/,1,6\.00,650,/)
  })

  it("a credit for no consignment is one credit wherever its file is, and so is each of a damaged number", async () => {
    const { audit, folder, rows, run } = await sit()
    const lines = [
      { cents: -5000, charge: "Goodwill" },
      { consignment: "1.23457E+11", cents: -500, charge: "Freight" },
      { consignment: "1.23457E+11", cents: -300, charge: "Fuel" },
    ]
    await audit("B1", lines)
    await mkdir(path.join(folder, "later"))
    await rename(path.join(folder, "B1.csv"), path.join(folder, "later", "B1.csv"))
    const { stderr } = await run("audit", path.join(folder, "later", "B1.csv"))
    expect(stderr).not.toContain("fault in freight")
    const credits = (await rows("credits")).map(({ consignmentNumber, surplus }) => [
      consignmentNumber,
      surplus,
    ])
    expect(credits.sort()).toEqual([
      [null, 50],
      ["1.23457E+11", 3],
      ["1.23457E+11", 5],
    ])
  })

  it("a bill that is corrected credits what it says last", async () => {
    const { audit, rows } = await sit()
    await audit("B1", [{ consignment: "DEMO-A-BILLED", cents: 1000 }], "--raise")
    await audit("B2", [{ consignment: "DEMO-A-BILLED", cents: -1000 }])
    await audit("B2", [{ consignment: "DEMO-A-BILLED", cents: -600 }])
    expect(await rows()).toMatchObject([{ state: "part-credited", credited: 6, open: 4 }])
    await audit("B2", [{ consignment: "DEMO-A-BILLED", cents: -1000 }])
    expect(await rows("--all")).toMatchObject([{ state: "credited", open: 0 }])
  })

  it("a bill that is corrected to credit nothing takes back what it paid, or says that it still counts", async () => {
    const { audit, rows } = await sit()
    await audit("B1", [{ consignment: "DEMO-A-BILLED", cents: 1000 }], "--raise")
    await audit("B2", [{ consignment: "DEMO-A-BILLED", cents: -1000 }])
    const without = await audit("B2", [{ consignment: "DEMO-A-SECOND", cents: -100 }], "--corrected")
    expect(without.stderr).toContain(
      "warning: bill B2 credited AUD 10.00 for DEMO-A-BILLED when it was audited before, and does not name it now: that still counts.",
    )
    expect(await rows("--all")).toMatchObject([{ credited: 10, open: 0 }])
    const withdrawn = await audit("B2", [{ consignment: "DEMO-A-BILLED", cents: 0 }])
    expect(withdrawn.stderr).toContain("Reopened, because a bill was corrected: AUD 10.00 of 1 dispute.")
    expect(await rows()).toMatchObject([{ credited: 0, open: 10 }])
  })

  it("that are open are reported where the corrected bill no longer overcharges", async () => {
    const { audit, rows } = await sit()
    const other = { consignment: "DEMO-A-SECOND", cents: 500 }
    await audit("B1", [{ consignment: "DEMO-A-BILLED", cents: 1000 }, other], "--raise")
    for (const lines of [[{ consignment: "DEMO-A-BILLED", cents: 0 }, other], [other]]) {
      const { stderr } = await audit("B1", lines, "--raise")
      expect(stderr).toContain(
        "DEMO-A-BILLED on bill B1 still has AUD 10.00 open, but the bill as it is now does not overcharge it",
      )
      expect(stderr).not.toContain("DEMO-A-SECOND on bill B1 is open")
    }
    expect((await rows()).map(({ consignmentNumber }) => consignmentNumber).sort()).toEqual([
      "DEMO-A-BILLED",
      "DEMO-A-SECOND",
    ])
  })

  describe.each([
    { where: "a file", isThere: true, newLedger: async (folder: string) => path.join(folder, "copy.db") },
    { where: "a server", isThere: SERVER !== undefined, newLedger: async () => newDatabase() },
  ])("when the ledger is copied to $where", ({ isThere, newLedger }) => {
    it.runIf(isThere)("go along, and once", async () => {
      const { folder, audit, run, freight } = await sit()
      await audit("B1", [{ consignment: "DEMO-A-BILLED", cents: 1000 }], "--raise")
      await audit("B2", [{ consignment: "DEMO-A-BILLED", cents: -400 }])
      const copy = await newLedger(folder)
      for (const _ of [1, 2]) expect((await run("ledger", "copy", "--to-ledger", copy)).code).toBe(0)
      const copied = async () =>
        (await freight(["disputes", "--json"], { env: { FREIGHT_LEDGER: copy } })).items<Row>()
      expect(await copied()).toMatchObject([{ consignmentNumber: "DEMO-A-BILLED", credited: 4, open: 6 }])
      // A bill that was corrected since credits what it says last.
      await audit("B2", [{ consignment: "DEMO-A-BILLED", cents: -100 }])
      await run("ledger", "copy", "--to-ledger", copy)
      expect(await copied()).toMatchObject([{ credited: 1, open: 9 }])
    })
  })

  it.each([
    ["denied", "written-off", { state: "denied", denied: 10, writtenOff: 0 }],
    ["denied", "denied", { state: "denied", denied: 10 }],
    ["credited", "denied", { state: "credited", credited: 10, denied: 0 }],
    ["credited", "credited", { state: "credited", credited: 10 }],
    ["denied", "bill", { state: "credited", credited: 10, denied: 0 }],
    ["credited", "bill", { state: "credited", credited: 10 }],
  ])("closed as %s in one ledger and as %s in another are closed once when the two are copied together", async (here, there, stands) => {
    const { folder, audit, run, freight } = await sit()
    await audit("B1", [{ consignment: "DEMO-A-BILLED", cents: 1000 }], "--raise")
    const copy = path.join(folder, "copy.db")
    const other = (...args: string[]) => freight(args, { env: { FREIGHT_LEDGER: copy } })
    await run("ledger", "copy", "--to-ledger", copy)
    await run("disputes", here, "DEMO-A-BILLED")
    if (there === "bill") {
      const bill = path.join(folder, "B2.csv")
      await writeFile(bill, csvBill([{ consignment: "DEMO-A-BILLED", cents: -1000, invoice: "B2" }]))
      await other("audit", bill, "--offline")
    } else await other("disputes", there, "DEMO-A-BILLED", "--date", "2026-11-20")
    for (const _ of [1, 2]) await run("ledger", "copy", "--to-ledger", copy)
    const { stdout } = await other("disputes", "--all", "--json")
    expect(JSON.parse(stdout)).toMatchObject({ items: [{ ...stands, open: 0 }], total: 1 })
  })

  it("a report says by carrier and month what became of them, and the surplus apart", async () => {
    const { audit, run } = await sit()
    await audit(
      "B1",
      [
        { consignment: "DEMO-A-BILLED", cents: 1000 },
        { consignment: "DEMO-A-SECOND", cents: 500 },
      ],
      "--raise",
    )
    await audit("B2", [{ consignment: "DEMO-A-BILLED", cents: -1300 }])
    await run("disputes", "written-off", "DEMO-A-SECOND", "--amount", "2.00")
    const { items: rows, known } = (await run("report", "disputes", "--json")).json<{
      items: Row[]
      known: Row
    }>()
    expect(rows).toMatchObject([
      { carrier: "Carrier A", disputes: 2, raised: 15, credited: 10, open: 3, denied: 0, writtenOff: 2 },
    ])
    expect(known).toEqual({ disputes: 2, surplus: [{ gstBasis: "excluded", credits: 1, amount: 3 }] })
  })

  it("are due before the carrier's last day, where that is set", async () => {
    const { folder, run, freight } = await sit()
    const today = new Date().toISOString().slice(0, "yyyy-mm-dd".length)
    const bill = csvBill([{ consignment: "DEMO-A-BILLED", cents: 1000, invoice: "B1" }])
    const [, billed = ""] = /^B1,(\d{4}-\d\d-\d\d)/m.exec(bill) ?? []
    await writeFile(path.join(folder, "B1.csv"), bill.replaceAll(billed, today))
    await run("audit", path.join(folder, "B1.csv"), "--raise")
    const needs = async () =>
      (await run("today", "--json")).items<Row>().filter(({ need }) => need === "dispute-due")
    expect(await needs()).toEqual([])
    const refused = await freight(["config", "set", "disputeDays", "soon"])
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("CARRIER_A_AU=30")])
    await run("config", "set", "disputeDays", "Carrier A=20")
    expect(await needs()).toEqual([])
    await run("config", "set", "disputeDays", "carrier a=3, Other=1")
    expect(await needs()).toMatchObject([
      { about: "bill B1, 1 dispute, AUD 10.00", next: "freight disputes letter B1 --sandbox" },
    ])
    await run("disputes", "sent", "B1")
    expect(await needs()).toEqual([])
  })
})

describe("what a bill charges that was booked", () => {
  it("a second charge for it is disputed on the second bill only, in whatever order the bills are audited", async () => {
    const { audit, rows, run, booked } = await sitBooked()
    const { consignment, cents } = booked
    const line = { consignment, cents }
    await audit("OCT", [line])
    expect((await audit("AGAIN", [line], "--raise")).stderr).toContain("Raised: 1 dispute")
    for (const files of [["OCT"], ["AGAIN"], ["OCT", "AGAIN"], ["AGAIN", "OCT"]]) {
      const { stderr } = await run("audit", ...files.map((name) => `${name}.csv`), "--raise")
      expect(stderr, files.join()).not.toContain("Raised")
    }
    expect(await rows()).toMatchObject([
      { billNumber: "AGAIN", consignmentNumber: consignment, open: cents / 100 },
    ])
    const report = (await run("report", "carriers", "--json")).json<{ items: Row[] }>()
    expect(report.items).toMatchObject([{ overbilled: cents / 100 }])
  })

  it.each([
    ["both bills at once", (run: Run) => run("audit", "B1.csv", "B2.csv", "--raise")],
    [
      "the credit before it is raised",
      async (run: Run) => {
        await run("audit", "B1.csv")
        await run("audit", "B2.csv")
        await run("audit", "B1.csv", "--raise")
      },
    ],
    [
      "the credit first",
      async (run: Run) => {
        await run("audit", "B2.csv")
        await run("audit", "B1.csv", "--raise")
      },
    ],
    [
      "one after the other",
      async (run: Run) => {
        await run("audit", "B1.csv", "--raise")
        await run("audit", "B2.csv")
        await run("audit", "B1.csv", "B2.csv", "--raise")
      },
    ],
  ])("more than quoted is disputed in full, and a credit counts once: %s", async (_, auditAll) => {
    const { folder, rows, run, booked } = await sitBooked()
    const { consignment, cents } = booked
    for (const [invoice, amount] of [
      ["B1", cents + 1000],
      ["B2", -400],
    ] as const)
      await saveBill(folder, `${invoice}.csv`, csvBill([{ consignment, cents: amount, invoice }]))
    await auditAll(run)
    expect(await rows("--all")).toMatchObject([{ billNumber: "B1", raised: 10, credited: 4, open: 6 }])
    expect(await rows("credits")).toEqual([])
  })

  it("has the carrier's last day also where it is not ours, if the rest of the bill says which carrier it is", async () => {
    const { audit, rows, run, booked } = await sitBooked()
    await run("config", "set", "disputeDays", "CARRIER_A_AU=20")
    await audit("B1", [booked, { consignment: "DEMO-A-BILLED", cents: 1000 }], "--raise")
    expect(await rows()).toMatchObject([
      {
        consignmentNumber: "DEMO-A-BILLED",
        carrier: "CARRIER_A_AU",
        deadline: expect.stringMatching(/^\d{4}-/),
      },
    ])
  })

  it("too much GST on it is reported, disputed with what else is wrong, and paid by a credit of GST alone", async () => {
    const { folder, rows, run, booked } = await sitBooked()
    const { consignment, cents } = booked
    const bill = async (name: string, exGst: number, gst: number) => {
      const head = "Invoice Number,Invoice Date,Carrier,Consignment,Amount ex GST,GST,Amount inc GST"
      const amounts = [exGst, gst, exGst + gst].map((each) => (each / 100).toFixed(2))
      const row = [name, "2026-11-20", "Carrier A", consignment, ...amounts].join(",")
      return saveBill(folder, `${name}.csv`, `${head}\n${row}\n`)
    }
    const [excess, over] = [500, 2000]
    const gst = Math.round(cents / 10) + excess
    const told = await run("audit", await bill("B0", cents, gst), "--no-remember")
    expect([told.code, told.stdout]).toEqual([1, expect.stringContaining("wrong GST")])
    expect(await rows()).toEqual([])
    const file = await bill("B1", cents + over, gst + over / 10)
    await run("audit", file, "--raise")
    expect(await rows()).toMatchObject([{ verdict: "over", gstBasis: "included", open: 27 }])
    const posted = await run(
      "post",
      file,
      "--for",
      "xero",
      ..."--account 429 --clearing 880 --due 3d".split(" "),
    )
    expect(posted.code, posted.stderr).toBe(0)
    await run("audit", await bill("B2", 0, -excess))
    expect(await rows("--all")).toMatchObject([{ credited: 5, open: 22 }])
  })
})

describe("a letter", () => {
  it.each([
    ["pdf", /^%PDF-/],
    ["html", /<h1>Dispute of bill B1/],
    ["txt", /^Dispute of bill B1/],
  ])("is written as %s", async (ending, begins) => {
    const made: Desk & Awaited<ReturnType<typeof sit>> = await sit()
    await made.audit("B1", [{ consignment: "DEMO-A-BILLED", cents: 1000 }], "--raise")
    const file = path.join(made.folder, `letter.${ending}`)
    const { code, stderr, items } = await made.run("disputes", "letter", "B1", "-o", file, "--json")
    expect(code, stderr).toBe(0)
    expect(items<Row>()).toMatchObject([{ billNumber: "B1", file, disputes: 1, open: 10, currency: "AUD" }])
    expect(stderr).toContain("no evidence for DEMO-A-BILLED")
    expect(stderr).toContain("When it is sent: freight disputes sent --sandbox B1")
    expect(await readFile(file, "latin1")).toMatch(begins)
  })

  it("is from the saved party, for the saved account, and without either says how they are saved", async () => {
    const { audit, run } = await sit()
    await audit("B1", [{ consignment: "DEMO-A-BILLED", cents: 1000 }], "--raise")
    const write = () => run("disputes", "letter", "B1", "--offline")
    const before = await write()
    expect(before.stderr).toContain("the letter does not say who writes it: freight party add us")
    expect(before.stderr).toContain('freight config set carrierAccounts "Carrier A=NUMBER"')
    const party = ["--supplier-id", "S-1", "--supplier-name", "Harbour Lighting", "--abn", "51824753556"]
    await run("party", "add", "us", ...party, "--supplier-address", "1 Harbour Street, Sydney NSW 2000")
    await run("config", "set", "carrierAccounts", "Carrier A=10044")
    const { stdout, stderr } = await write()
    for (const words of ["Harbour Lighting", "51 824 753 556", "1 Harbour Street, Sydney NSW 2000", "10044"])
      expect(stdout).toContain(words)
    expect(stderr).toBe("")
    const named = await run("disputes", "letter", "B1", "--offline", "--as", "nobody")
    expect([named.code, named.stderr]).toEqual([2, expect.stringContaining("there is no saved supplier")])
  })

  it.runIf(hasTerminal)("asks a person once for name, ABN and address of who writes it", async () => {
    const { audit, env, folder } = await sit()
    await audit("B1", [{ consignment: "DEMO-A-BILLED", cents: 1000 }], "--raise")
    const write = (name: string) =>
      sitDown(["disputes", "letter", "B1", "--offline", "--sandbox", "-o", path.join(folder, name)], env)
    const seat = await write("first.txt")
    await take(seat, [
      ["? Your company's name, for the head of the letter", { type: "Harbour Lighting" }, "enter"],
      ["? Your ABN", { type: "51824753557" }, "enter"],
      [/is not a valid\s+ABN/, ...Array<Key>(11).fill("backspace")],
      ["? Your ABN", { type: "51824753556" }, "enter"],
      ["? Your address", { type: "1 Harbour Street, Sydney NSW 2000" }, "enter"],
    ])
    expect(await seat.exit).toBe(0)
    expect(await told(seat)).toContain(
      'Saved as "us" for the next letter: freight party remove us forgets it.',
    )
    const again = await write("second.txt")
    expect(await again.exit).toBe(0)
    expect(await told(again)).not.toContain("Your company's name")
    for (const name of ["first.txt", "second.txt"]) {
      const letter = await readFile(path.join(folder, name), "utf8")
      for (const words of ["Harbour Lighting", "51 824 753 556", "1 Harbour Street, Sydney NSW 2000"])
        expect(letter).toContain(words)
    }
  })

  it("adds no GST to what the bill charges without it", async () => {
    const { folder, run } = await sit()
    const rows = [
      "Invoice Number,Invoice Date,Carrier,Consignment,Charge,Amount ex GST,GST,Amount inc GST",
      "B1,2026-11-27,Carrier A,DEMO-A-BILLED,Storage,15.75,0.00,15.75",
    ]
    await saveBill(folder, "B1.csv", `${rows.join("\n")}\n`)
    await run("audit", path.join(folder, "B1.csv"), "--raise")
    const { stdout } = await run("disputes", "letter", "B1", "--offline")
    expect(stdout).toContain("We dispute AUD 15.75 without GST, AUD 15.75 with GST,")
    expect(stdout).not.toContain("17.33")
  })

  it("is about what is open, and says what is not", async () => {
    const { audit, run } = await sit()
    await audit("B1", [{ consignment: "DEMO-A-BILLED", cents: 1000 }], "--raise")
    const { stdout } = await run("disputes", "letter", "B1", "--offline")
    expect(stdout.replaceAll(/\s+/g, " ")).toContain(
      "We dispute AUD 10.00 without GST, AUD 11.00 with GST, of this bill, for 1 consignment.",
    )
    expect(stdout).toContain("we did not book it")
    const none = await run("disputes", "letter", "B7")
    expect([none.code, none.stderr]).toEqual([5, expect.stringContaining('there is no dispute "B7"')])
  })
})
