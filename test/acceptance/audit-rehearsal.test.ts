/** A rehearsal as a person makes it: book, let the sandbox bill, audit; and with every kind of mistake in the bill. */
import { readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type BillKey, MISTAKES } from "../../src/bills/verdicts.ts"
import { LAYOUTS } from "../bills/layouts.ts"
import { drawPdf } from "../bills/pdfs.ts"
import { proveAudit } from "./audit-proof.ts"
import { desk } from "./freight.ts"
import { type Rehearsal, rehearse } from "./rehearsals.ts"

describe("with every kind of mistake", () => {
  let rehearsal: Rehearsal
  beforeAll(async () => {
    rehearsal = await rehearse(150)
  })
  afterAll(() => rehearsal.stop())

  it.each(["wrong.csv", "wrong.json"])("an audit of %s finds each, and nothing else", async (file) => {
    const { code, key, consignments, kinds, errors } = await proveAudit(rehearsal, file, 25)
    expect(errors).toEqual([])
    for (const kind of MISTAKES) expect(kinds[kind]).toMatchObject({ found: kinds[kind]?.made, wrong: 0 })
    expect(Math.min(...Object.values(kinds).map(({ made }) => made))).toBeGreaterThan(1)
    expect([code, consignments]).toEqual([1, key.consignments])
  })

  it("a right bill has nothing to dispute", async () => {
    const ran = await rehearsal.home.freight(["audit", "right.csv", "--json", "--no-remember"])
    expect(ran.json()).toMatchObject({
      totals: { toDispute: 0, over: 0, under: 0, byVerdict: { agrees: 138 } },
    })
    expect(ran.code).toBe(0)
  })
})

describe("on the built-in sandbox, in a minute", () => {
  it("what was just booked, billed and audited agrees", async () => {
    const home = await desk()
    const { stdout } = await home.freight(["book", "--example"])
    const book = (...words: string[]) =>
      home.freight(["book", "--sandbox", "--file", "-", ...words], { input: stdout })
    for (const [connector, service] of [
      ["connector-a", "76"],
      ["connector-b", "GEN"],
      ["connector-c", "STD"],
    ]) {
      const which = [
        "--connector",
        connector ?? "",
        "--service",
        service ?? "",
        "--reference",
        `${connector}`,
      ]
      expect((await book(...which)).code).toBe(0)
    }
    const billed = await home.freight(["sandbox", "bill", "--delivered", "-o", "bill.csv"])
    expect(billed.stderr).toContain("The sandbox's clock is set to")
    const audited = await home.freight(["audit", "--sandbox", "bill.csv", "--json"])
    expect(audited.json()).toMatchObject({ totals: { byVerdict: { agrees: 3 } } })
    expect(audited.code).toBe(0)
    await home.freight(["sandbox", "bill", "-o", "bill.pdf"])
    const asPdf = await home.freight(["audit", "--sandbox", "bill.pdf", "--json"])
    expect(asPdf.json()).toMatchObject({ totals: { byVerdict: { agrees: 3 } }, bills: [{}, {}, {}] })
    // The same bills as those of the CSV file.
    expect([asPdf.code, asPdf.stderr.split("was audited before").length]).toEqual([0, 4])
    const rows = await home.freight(["audit", "bill.pdf", "--show-rows", "--format", "csv"])
    // A number holds the day of the bill.
    const masked = rows.stdout.split("\r\n")[0]?.replaceAll(/(SB[ABC])-\d{8}-[0-9A-F]{6}/g, "$1-NUMBER")
    expect(masked).toMatchInlineSnapshot(`
      "file,invoice,page,line,Consignment,Reference,Service,Charge type,Weight kg,Amount ex GST,GST,Amount inc GST,Description,Connote no,Your ref,Actual kg,Net amount,Con note,Customer ref,Charge description,Dead kg,GST amount,Total inc GST
      bill.pdf,SBA-NUMBER,1,8,SBA00000001,connector-a,76,Freight,11,65.33,6.53,71.86,,,,,,,,,,,
      bill.pdf,SBA-NUMBER,1,9,SBA00000001,connector-a,76,Fuel levy,11,9.10,0.91,10.01,,,,,,,,,,,
      bill.pdf,SBA-NUMBER,1,10,Total ex GST,,,,,,,$74.43,,,,,,,,,,,
      bill.pdf,SBA-NUMBER,1,11,GST,,,,,,,$7.44,,,,,,,,,,,
      bill.pdf,SBA-NUMBER,1,12,Total inc GST,,,,,,,$81.87,,,,,,,,,,,
      bill.pdf,SBB-NUMBER,2,8,,,GEN,,,,5.71,,Freight,SBB00000002,connector-b,11,57.10,,,,,,
      bill.pdf,SBB-NUMBER,2,9,,,GEN,,,,0.68,,Fuel levy,SBB00000002,connector-b,11,6.80,,,,,,
      bill.pdf,SBB-NUMBER,2,10,,,,,,,,,,Invoice total excluding GST,,,$63.90,,,,,,
      bill.pdf,SBB-NUMBER,2,11,,,,,,,,,,Plus GST,,,$6.39,,,,,,
      bill.pdf,SBB-NUMBER,2,12,,,,,,,,,,Invoice total including GST,,,$70.29,,,,,,
      bill.pdf,SBC-NUMBER,3,8,,,STD,,,,,,,,,,,SBC00000003,connector-c,Freight,11,5.44,59.86
      bill.pdf,SBC-NUMBER,3,9,,,STD,,,,,,,,,,,SBC00000003,connector-c,Fuel levy,11,0.81,8.91
      bill.pdf,SBC-NUMBER,3,10,,,,,,,,,,,,,,Total (excl. GST),,,,,$62.52
      bill.pdf,SBC-NUMBER,3,11,,,,,,,,,,,,,,Total GST,,,,,$6.25
      bill.pdf,SBC-NUMBER,3,12,,,,,,,,,,,,,,Total (incl. GST),,,,,$68.77
      "
    `)
    const reported = await home.freight(["report", "carriers", "--sandbox", "--json"])
    expect(reported.json<{ known: { tracked: number } }>().known.tracked).toBeGreaterThanOrEqual(2)
  })

  it("a PDF of many pages says at a terminal which page is read, and nothing of it elsewhere", async () => {
    const home = await desk()
    const bill = await drawPdf([[LAYOUTS["parts, total, GST"], { rowsOnPage: 2 }]])
    await writeFile(path.join(home.folder, "long.pdf"), bill)
    const words = ["audit", "--sandbox", "--offline", "--no-remember", "long.pdf"]
    const shown = await home.freight(words, { columns: 100 })
    expect(shown.stderr).toMatch(/long\.pdf: page 1 of [5-9]/)
    const quiet = await home.freight(words)
    expect([quiet.code, quiet.stderr.includes("page 1 of")]).toEqual([shown.code, false])
  })

  it("a bill that agrees tells whether GST is in its carrier's prices, until a setting says it", async () => {
    const home = await desk()
    const { stdout } = await home.freight(["book", "--example"])
    const book = (reference: string, ...words: string[]) =>
      home.freight(["book", "--sandbox", "--file", "-", "--reference", reference, ...words], {
        input: stdout,
      })
    const rates = async () => {
      const ran = await home.freight([
        ...["rate-shop", "--sandbox", "--json", "--connector", "connector-a", "--package", "30x20x10@2"],
        ...["--from", "Alexandria NSW 2015", "--to", "Carlton VIC 3053"],
      ])
      const [rate] = ran.items<{ price: number; priceIncGst: number | null }>()
      return {
        ...rate,
        told: ran.stderr.includes(
          "Carrier A's prices are without GST, as 3 consignments on audited bills show.",
        ),
      }
    }
    for (const reference of ["one", "two", "three"])
      expect((await book(reference, "--connector", "connector-a", "--service", "76")).code).toBe(0)
    const before = await rates()
    expect([before.priceIncGst, before.told]).toEqual([null, false])
    await home.freight(["sandbox", "bill", "--delivered", "-o", "bill.csv"])
    await home.freight(["audit", "--sandbox", "bill.csv"])
    const { price = 0, ...known } = await rates()
    expect(known).toMatchObject({ priceIncGst: Math.round(price * 110) / 100, told: true })
    const limit = ["--service", "cheapest", "--connector", "connector-a", "--dry-run", "--max-price"]
    const dry = await book("four", ...limit, "10")
    expect([dry.code, dry.stderr]).toEqual([1, expect.stringContaining("over the limit with GST")])
    await home.freight(["config", "set", "gst", "A=included"])
    expect(await rates()).toMatchObject({ priceIncGst: price, told: false })
  })

  it("an audit with the sandbox's clock days ahead finds every mistake, and what nobody collected", async () => {
    const home = await desk()
    const { stdout } = await home.freight(["book", "--example"])
    const book = (reference: string, ...words: string[]) =>
      home.freight(
        ["book", "--sandbox", "--file", "-", "--connector", "connector-a", "--service", "76"].concat(
          ["--reference", reference],
          words,
        ),
        { input: stdout },
      )
    await book("first")
    await home.freight(["sandbox", "bill", "--delivered", "-o", "first.csv"])
    await book("second")
    await book("never", "--set", "specialInstructions=sandbox:not-collected")
    await home.freight("sandbox bill --delivered --errors 100% --seed 3 -o second.csv".split(" "))
    const key: BillKey = JSON.parse(await readFile(path.join(home.folder, "second.csv.key"), "utf8"))
    const audited = await home.freight(["audit", "--sandbox", "second.csv", "--json"])
    const told = audited.items<{ consignmentNumber: string; verdict: string }>()
    expect(
      key.mistakes.map(
        ({ consignment }) => told.find((one) => one.consignmentNumber === consignment)?.verdict,
      ),
    ).toEqual(key.mistakes.map(({ mistake }) => mistake))
    expect(key.mistakes).toContainEqual({ consignment: "SBA00000003", mistake: "not-collected" })
  })
})
