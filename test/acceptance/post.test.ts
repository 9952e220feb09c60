/** `freight post`: audited bills in the books, once, with what is disputed on a clearing account. */
import { readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { bookToBill } from "./audits.ts"
import { type Line, csvBill, invBill, invLine, saveBill } from "./bills.ts"
import { desk } from "./freight.ts"
import { order } from "./orders.ts"
import { formatCents } from "../../src/base/money.ts"

/** More than there are bills here: what is billed twice is disputed. */
const PAIRS = 40

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

/** What is posted: amounts without GST, and their accounts. */
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
    expect(ran.json()).toMatchObject([
      { bill: "B-SUM", supplier: "Carrier A", rows: 2, incGst: sum / 100, clearing: 22.06, isNew: true },
    ])
    expect((await readFile(out, "utf8")).trim().split("\r\n")).toHaveLength(3)
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

it("a bill of GST alone is written with it", async () => {
  const file = path.join(home.folder, "gst.csv")
  const head = "Invoice Number,Invoice Date,Carrier,Connote,Charge,Amount"
  await writeFile(file, `${head}\nB-GST,${DATED},Carrier A,ZZGST,GST adjustment,-5.00\n`)
  await home.freight(["audit", file])
  const { stdout, stderr } = await post(file, "--for", "xero")
  expect(stdout, stderr).toMatch(/GST adjustment ZZGST,1,0\.00,429,GST on Expenses,-5\.00,/)
})

describe("a bill is posted once", () => {
  it("again gives the same bytes and says so, for other accounts too; --again writes it anew", async () => {
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
    await home.freight(["ledger", "copy", "--to", copy])
    const elsewhere = await home.freight(["post", file, ...ACCOUNTS, "--for", "xero"], {
      env: { FREIGHT_LEDGER: copy },
    })
    expect([elsewhere.code, elsewhere.stdout]).toEqual([0, anew.stdout])
    const other = await post(file, "--for", "myob")
    expect([other.code, other.stderr]).toEqual([1, expect.stringContaining("for Xero")])
  })

  it("one that has changed since is refused, with what changed", async () => {
    const bill = lines()
    const file = await audited("B-CHANGED", bill, "--raise")
    await post(file, "--for", "xero")
    await audited("B-CHANGED", [...bill, MORE])
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

  it("beside others, what was posted before is left out", async () => {
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

  it("and was credited before its bill was posted never was on the clearing account", async () => {
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

  it("and was denied has left the clearing account when it is credited after all", async () => {
    const file = await audited("B-DENIED", [{ consignment: "SBA91000002", cents: 1000 }], "--raise")
    expect(await amountsOf(file)).toEqual([["10.00", "650"]])
    await home.freight(["disputes", "denied", "SBA91000002", "--amount", "4"])
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
      ...["--abn", "51824753556", "--bill-to", "Them; 1 Harbour Street; Sydney NSW 2000"],
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

  it("by what bills say, or else the quote, without what is disputed, and with the mark-up apart", async () => {
    const [syd, mel] = lines() as [Line, Line]
    await audited("B-CHARGE", [{ ...syd, cents: syd.cents + 2000 }], "--raise")
    const invoice = (...more: string[]) => chargeOn([syd.consignment ?? "", mel.consignment ?? ""], ...more)
    const { code, stderr, json } = await invoice("--markup", "8%")
    expect(code, stderr).toBe(0)
    const { data } = json<{ data: { lineItems: { subtotal: number }[]; shipping?: unknown } }>()
    const charged = syd.cents + mel.cents
    const markup = Math.round(charged * 0.08)
    expect(data.lineItems.map(({ subtotal }) => subtotal)).toEqual([
      syd.cents / 100,
      mel.cents / 100,
      markup / 100,
    ])
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
  ])("%s", async (_, flags, says) => {
    const file = await audited("B-UNCLEAR", lines(), "--raise")
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
    const other = await post(file, "--for", "xero")
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining("audited with another amount")])
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
      expect.stringMatching(/bill B-TWINS stands in .*B-TWINS.csv and in .*twin.csv/),
    ])
  })

  it("a bill that does not say its GST, until a person does", async () => {
    const file = path.join(home.folder, "plain.csv")
    const [{ consignment = "" }] = lines() as [Line]
    await writeFile(file, `Connote,Amount ex GST\n${consignment},20.00\nYY3,30.05\n`)
    await home.freight(["audit", file])
    const named = ["--for", "myob", "--supplier", "Carrier A", "--number", "B-PLAIN", "--date", DATED]
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
