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
const of = (number: string, fields: object) => {
  const invoice = minimalInvoice()
  return JSON.stringify({ ...invoice, data: { ...invoice.data, invoiceNumber: number, ...fields } })
}
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
  "kinds/a.ndjson": [
    of("INV-1", { operation: "delete" }),
    of("INV-2", { isInformationOnly: true }),
    of("INV-3", { operation: "update" }),
    of("INV-4", { purpose: "creditMemo" }),
  ].join("\n"),
  "updated/1.json": of("INV-1", {}),
  "updated/1-update.json": of("inv 1", { operation: "update", poNumber: "PO-NEW" }),
  "updated/2.json": of("INV-2", {}),
  "updated/2-cancel.json": of("INV-2", { operation: "delete" }),
  "updated/3.json": of("INV-3", {}),
  "updated/3-update.json": bad("INV-3", 1).replace('"poNumber"', '"operation":"update","poNumber"'),
  "updated/4.ndjson": [
    of("INV-4", {}),
    of("INV-4", { operation: "update" }),
    of("INV-4", { operation: "update", poNumber: "PO-NEW" }),
  ].join("\n"),
  "draft/a.json": JSON.stringify(minimalDraft()),
})
const { freight } = await desk()
const list = (...args: string[]) => freight(["invoice", "list", ...args], { cwd: inbox.folder })

describe("freight invoice list", () => {
  it("lists each invoice with its verdict, and names those to fix first", async () => {
    const { code, stdout } = await list("in")
    expect(code).toBe(1)
    expect(stdout.split("\n", 1)[0]).toMatch(
      /^NUMBER +VERDICT +DUE +DATE +SUPPLIER +PO +TYPE +GST +TOTAL +FILE$/,
    )
    expect(stdout).toMatch(/^INV-1 +valid .* in\/a\.json$/m)
    expect(stdout).toMatch(/^INV-7 +not valid .* in\/b\.json$/m)
    expect(stdout).toMatch(/^d\.json +not JSON .* in\/d\.json$/m)
    expect(stdout).toMatch(/\n6 invoices, 5 not valid\nFix first: INV-19, INV-25, INV-7\n$/)
  })

  it("ends with 0 when all are valid, and says nothing to fix", async () => {
    const { code, stdout } = await list("good")
    expect([code, stdout.split("\n").at(-2)]).toEqual([0, "1 invoice, 0 not valid"])
  })

  it("says what each document does, and asks for nothing where it cancels or informs", async () => {
    const { json } = await list("kinds", "--json")
    const rows = json<{ items: { invoiceNumber: string; type: string; dueAmount: number }[] }>().items
    expect(rows.map(({ invoiceNumber, type, dueAmount }) => [invoiceNumber, type, dueAmount])).toEqual([
      ["INV-1", "cancellation", 0],
      ["INV-2", "information", 0],
      ["INV-3", "update", 11],
      ["INV-4", "credit", 11],
    ])
    const [heading = "", ...lines] = (await list("kinds", "--format", "csv")).stdout.split("\n")
    const at = heading.split(",").indexOf("due")
    expect(lines.slice(0, 4).map((line) => line.split(",")[at])).toEqual(["0", "0", "11", "11"])
    const table = (await list("kinds")).stdout.split("\n").slice(1, 5)
    expect(table.map((row) => row.match(/11\.00/g)?.length)).toEqual([1, 1, 2, 2])
  })

  it("lists an update in the place of its number, and not what is cancelled", async () => {
    const { json, stderr } = await list("updated", "--json")
    const rows = json<{ items: { invoiceNumber: string; type: string; file: string }[] }>().items
    expect(rows.map(({ invoiceNumber, type }) => [invoiceNumber, type])).toEqual([
      ["inv 1", "update"],
      ["INV-2", "cancellation"],
      // Its update is not valid, and replaces nothing.
      ["INV-3", "update"],
      ["INV-3", "invoice"],
      // Nothing says which of the two updates is the last.
      ["INV-4", "update"],
      ["INV-4", "update"],
    ])
    const notes = [
      "INV-1 is updated by updated/1-update.json: updated/1.json is left out",
      "INV-2 is cancelled by updated/2-cancel.json: updated/2.json is left out",
      "INV-4 is updated by updated/4.ndjson, index 1: updated/4.ndjson, index 0 is left out",
      "INV-4 has 2 updates, and nothing says which is the last: all are listed",
    ]
    expect(stderr).toBe(`${notes.join("\n")}\n`)
    const { stdout } = await list("updated")
    expect(stdout).toContain(`\n6 invoices, 1 not valid\n${notes.join("\n")}\nFix first: INV-3\n`)
    expect((await list("updated/2.json")).stdout).toMatch(/^INV-2 /m)
  })

  it("gives rows as JSON, NDJSON and CSV", async () => {
    const { json } = await list("in", "--json")
    const rows = json<{
      items: { invoiceNumber: string | null; index: number | null; errors: number; verdict: string }[]
    }>().items
    expect(rows.map(({ invoiceNumber, index, errors }) => [invoiceNumber, index, errors])).toEqual([
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
    expect((await list("in", "--format", "csv", "--no-header")).stdout.split("\n")).toEqual(csv.slice(1))
    expect(csv[0]).toBe(
      "number,date,supplier,po,gst,total,due,currency,verdict,errors,warnings,file,index,type",
    )
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
    const reporter = createListReporter("table", LAYOUT, true, [])
    const overview = {
      invoiceNumber: "INV-2026-000123",
      invoiceDate: "2026-11-20T09:00:00+11:00",
      supplier: "A supplier with a long name Pty Ltd",
      poNumber: "PO-2026-000456",
      type: "invoice" as const,
      gst: 123_456.78,
      amount: 1_358_024.58,
      dueAmount: 1_358_024.58,
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
