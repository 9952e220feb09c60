import { readFileSync } from "node:fs"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { createListReporter } from "../../src/invoice/reporters/list.ts"
import { widthOf } from "../../src/output/terminal/width.ts"
import { LAYOUT, NOTHING } from "../invoice/reported.ts"
import { minimalDraft, minimalInvoice } from "../invoice/samples.ts"
import { withChange } from "../invoice/writer.ts"
import { desk } from "./freight.ts"
import { invoiceDesk } from "./invoices.ts"

const numbered = (number: string) => withChange(minimalInvoice(), ["data", "invoiceNumber"], number)
const good = (number: string) => JSON.stringify(numbered(number))
const bad = (number: string, errors: number) =>
  ["purpose", "poNumber", "invoiceDate"]
    .slice(0, errors)
    .reduce((text, name) => text.replace(new RegExp(`"${name}":"[^"]*"`), `"${name}":0`), good(number))

const inbox = await invoiceDesk({
  "in/a.json": good("INV-1"),
  "in/b.json": bad("INV-7", 1),
  "in/c.ndjson": `${bad("INV-19", 3)}\n${bad("INV-25", 2)}\n${bad("INV-30", 1)}\n`,
  "in/d.json": '{"data": oops}',
  "good/a.json": good("INV-1"),
  "draft/a.json": JSON.stringify(minimalDraft()),
})
const { freight } = await desk()
const list = (...args: string[]) => freight(["invoice", "list", ...args], { cwd: inbox.folder })

describe("freight invoice list", () => {
  it("lists each invoice with its verdict, and names those to fix first", async () => {
    const { code, stdout } = await list("in")
    expect(code).toBe(1)
    expect(stdout.split("\n", 1)[0]).toMatch(/^NUMBER +VERDICT +DUE +DATE +SUPPLIER +PO +GST +TOTAL +FILE$/)
    expect(stdout).toMatch(/^INV-1 +valid .* in\/a\.json$/m)
    expect(stdout).toMatch(/^INV-7 +not valid .* in\/b\.json$/m)
    expect(stdout).toMatch(/^d\.json +not JSON .* in\/d\.json$/m)
    expect(stdout).toMatch(/\n6 invoices, 5 not valid\nFix first: INV-19, INV-25, INV-7\n$/)
  })

  it("ends with 0 when all are valid, and says nothing to fix", async () => {
    const { code, stdout } = await list("good")
    expect([code, stdout.split("\n").at(-2)]).toEqual([0, "1 invoice, 0 not valid"])
  })

  it("gives rows as JSON, NDJSON and CSV", async () => {
    const { json } = await list("in", "--json")
    const rows = json<{ number: string | null; index: number | null; errors: number; verdict: string }[]>()
    expect(rows.map(({ number, index, errors }) => [number, index, errors])).toEqual([
      ["INV-1", null, 0],
      ["INV-7", null, 1],
      ["INV-19", 0, 3],
      ["INV-25", 1, 2],
      ["INV-30", 2, 1],
      [null, null, 1],
    ])
    const lines = (await list("in", "--format", "ndjson")).stdout.trimEnd().split("\n")
    expect(lines.map((line) => JSON.parse(line))).toEqual(rows)
    const csv = (await list("in", "--format", "csv")).stdout.split("\n")
    expect(csv[0]).toBe("number,date,supplier,po,gst,total,due,currency,verdict,errors,warnings,file,index")
    expect(csv).toHaveLength(8)
  })

  it("writes what the ending of -o says, and --format decides where it is given", async () => {
    const read = (name: string) => readFileSync(path.join(inbox.folder, name), "utf8")
    await list("in", "-o", "report.csv")
    expect(read("report.csv")).toMatch(/^number,date,/)
    await list("in", "-o", "table.csv", "--format", "table")
    expect(read("table.csv")).toMatch(/^NUMBER /)
    await inbox.validate(["in", "-o", "report.xml"])
    expect(read("report.xml")).toMatch(/^<\?xml /)
    await inbox.validate(["in", "-o", "report.sarif"])
    expect(JSON.parse(read("report.sarif"))).toMatchObject({ version: "2.1.0" })
    await inbox.validate(["in", "-o", "report.txt"])
    expect(read("report.txt")).toContain("in/b.json:1:")
  })

  it("writes a page that needs nothing from elsewhere, with everything escaped", async () => {
    await list("in", "-o", "list.html")
    const page = readFileSync(path.join(inbox.folder, "list.html"), "utf8")
    expect(page).toMatch(/^<!doctype html>\n/)
    expect(page).toMatch(/<td class="whole">INV-1<\/td><td class="whole green">valid<\/td>/)
    expect(page).toMatch(/<td class="whole">INV-7<\/td><td class="whole red">not valid<\/td>/)
    expect(page).toContain("<p>6 invoices, 5 not valid</p>\n<p>Fix first: INV-19, INV-25, INV-7</p>")
    expect(page).not.toMatch(/<(script|link|img)|\b(src|href)=|url\(|@import/i)
    const hostile = "<script>alert(1)</script>&\"'\u001b[31m"
    const { stdout } = await freight(["invoice", "list", "-", "--format", "html"], {
      input: JSON.stringify(withChange(minimalInvoice(), ["data", "supplier", "name"], hostile)),
    })
    expect(stdout).toContain("&lt;script&gt;alert(1)&lt;/script&gt;&amp;&quot;&apos;")
    expect(stdout).not.toContain("<script")
    expect(stdout).not.toContain("\u001b")
  })

  it("checks drafts as drafts", async () => {
    const { code, stderr } = await list("draft")
    expect([code, stderr.startsWith("The invoice was checked as a draft: ")]).toEqual([0, true])
    expect((await list("draft", "--complete")).code).toBe(1)
  })

  it("fits 80 columns of a terminal without wrapped lines", async () => {
    const reporter = createListReporter("table", LAYOUT, true)
    const overview = {
      number: "INV-2026-000123",
      date: "2026-11-20T09:00:00+11:00",
      supplier: "A supplier with a long name Pty Ltd",
      po: "PO-2026-000456",
      gst: 123_456.78,
      total: 1_358_024.58,
      due: 1_358_024.58,
      currency: "AUD",
    }
    const results = Array.from({ length: 31 }, () => ({
      file: "in/a.json",
      valid: true,
      findings: [],
      overview,
    }))
    const lines = results.flatMap((result) => [...reporter.document(result)])
    lines.push(reporter.end({ ...NOTHING, documents: 31, valid: 31 }))
    const text = lines.join("")
    expect(text.split("\n")).toHaveLength(34)
    for (const line of text.split("\n")) expect(widthOf(line)).toBeLessThanOrEqual(80)
  })
})
