import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { renderInvoice } from "../../src/invoice/show/show.ts"
import { readJson } from "../../src/json/read.ts"
import { widthOf } from "../../src/terminal/width.ts"
import { LAYOUT } from "./reported.ts"
import { fullInvoice, minimalDraft, minimalInvoice } from "./samples.ts"
import { from, linesWith, type Path, page } from "./shown.ts"
import { soundInvoice } from "./random-invoices.ts"
import { raw, withChange } from "./writer.ts"

describe("an invoice on a page", () => {
  it("has every part in its place", async () => {
    await expect(page(fullInvoice())).toMatchFileSnapshot("./pages/full.txt")
  })

  it("has what there is of a small draft", async () => {
    await expect(page(minimalDraft(), {}, "draft")).toMatchFileSnapshot("./pages/draft.txt")
  })

  it("needs no colour and no character beyond ASCII", async () => {
    const plain = page(minimalInvoice(), { unicode: false })
    expect(plain).toMatch(/^[\n -~]*$/)
    await expect(plain).toMatchFileSnapshot("./pages/plain.txt")
  })

  it.each([80, 100, 200])("keeps to 100 columns at most on a terminal of %d", (columns) => {
    const widths = page(fullInvoice(), { columns }).split("\n").map(widthOf)
    expect(Math.max(...widths)).toBeLessThanOrEqual(Math.min(columns, 100))
  })

  it("keeps to 80 columns, whatever is in it", () => {
    fc.assert(
      fc.property(soundInvoice, (invoice) => {
        const widths = page(invoice).split("\n").map(widthOf)
        expect(Math.max(...widths)).toBeLessThanOrEqual(80)
      }),
      { numRuns: 100 },
    )
  })

  it("has any number of lines, and of findings without a place", () => {
    const invoice = minimalInvoice()
    const lineItems = Array.from({ length: 130_000 }, () => ({}))
    const text = JSON.stringify({ ...invoice, data: { ...invoice.data, lineItems } })
    const json = readJson(text)
    const finding = {
      rule: "x",
      severity: "warning",
      pointer: "/x",
      line: 1,
      column: 1,
      message: "x",
    } as const
    const findings = Array.from({ length: 130_000 }, () => finding)
    expect(renderInvoice(json, findings, LAYOUT).match(/\n {4}! x/g)).toHaveLength(130_000)
  })

  it("has no blanks at the end of a line", () => {
    expect(page(fullInvoice())).not.toMatch(/ \n/)
  })

  it.each<[string, Path, unknown, string]>([
    ["a standard invoice with tax", ["data", "purpose"], "standard", "TAX INVOICE  INV-1001"],
    ["one without tax", ["data", "invoiceSummary", "taxAmount"], 0, "INVOICE  INV-1001"],
    ["a credit memo", ["data", "purpose"], "creditMemo", "ADJUSTMENT NOTE  INV-1001"],
    ["a debit memo", ["data", "purpose"], "debitMemo", "ADJUSTMENT NOTE  INV-1001"],
    ["a credit of lines", ["data", "purpose"], "lineLevelCreditMemo", "ADJUSTMENT NOTE  INV-1001"],
    ["one without a number", ["data", "invoiceNumber"], "", "TAX INVOICE  (no number)"],
  ])("is called what it is: %s", (_, path, value, title) => {
    expect(linesWith(path, value)[0]?.slice(2)).toBe(title)
  })

  it.each<[string, string, Path, unknown, string]>([
    ["a credit of no earlier invoice", "creditMemo", ["data", "documentReference"], undefined, "CREDIT NOTE"],
    [
      "a credit of a document without its number",
      "creditMemo",
      ["data", "documentReference"],
      { payloadId: "1@x.example" },
      "CREDIT NOTE",
    ],
    ["a credit without tax", "creditMemo", ["data", "invoiceSummary", "taxAmount"], 0, "CREDIT NOTE"],
    ["a debit without tax", "debitMemo", ["data", "invoiceSummary", "taxAmount"], 0, "DEBIT NOTE"],
    ["a debit of lines", "lineLevelDebitMemo", ["data", "documentReference"], undefined, "DEBIT NOTE"],
    [
      "an adjustment by document",
      "debitMemo",
      ["data", "documentReference"],
      { documentId: "D-1" },
      "ADJUSTMENT NOTE",
    ],
  ])("is an adjustment note only where it adjusts the tax of an invoice: %s", (_, purpose, path, value, title) => {
    const memo = withChange(withChange(fullInvoice(), ["data", "purpose"], purpose), path, value)
    expect(page(memo).split("\n")[0]?.slice(2)).toBe(`${title}  INV-1001`)
  })

  it("says GST, unless there is another tax", () => {
    const plain = page(fullInvoice())
    expect(plain).toMatch(/Unit price +GST +Amount/)
    expect(plain).toMatch(/^ +GST +16\.08$/m)
    expect(plain).toContain("GST at 10%")
    const other = page(
      withChange(fullInvoice(), ["data", "invoiceSummary", "taxBreakdown", 0, "taxType"], "excise"),
    )
    expect(other).toMatch(/Unit price +Tax +Amount/)
    expect(other).toMatch(/^ +Tax +16\.08$/m)
  })

  it("has the digits of an ABN in groups", () => {
    const abn = (value: string) =>
      page(withChange(fullInvoice(), ["data", "supplier", "taxRegistrations", "value"], value))
    expect(abn("51824753556")).toContain("ABN 51 824 753 556")
    expect(abn("51-824-753-556")).toContain("ABN 51 824 753 556")
    expect(abn("5182475355")).toContain("ABN 5182475355")
  })

  it.each<[object, string]>([
    [{ description: "30 days net", netDays: 30 }, "30 days net"],
    [{ description: "Net 30", netDays: 30 }, "Net 30"],
    [{ description: "as agreed", netDays: 30 }, "as agreed, net 30 days"],
    [{ description: "130 days", netDays: 30 }, "130 days, net 30 days"],
    [{ netDays: 30 }, "net 30 days"],
  ])("says the days of payment once: %j", (terms, shown) => {
    const lines = linesWith(["data", "paymentTerms"], terms)
    expect(from(lines, "  Terms ", 1)[0]?.trimEnd()).toBe(`  Terms           ${shown}`)
  })

  it.each<[string, unknown, string]>([
    ["operation", "update", "Changes an invoice that was sent before."],
    ["operation", "delete", "Cancels an invoice that was sent before."],
    ["isInformationOnly", true, "For information only."],
    ["isERS", true, "Evaluated receipt settlement."],
    ["invoiceOrigin", "buyer", "Made by the buyer."],
  ])("says under the title what is out of the ordinary: %s %j", (name, value, note) => {
    expect(linesWith(["data", name], value)[1]?.trim()).toBe(note)
  })

  it.each([
    ["2026-11-20T23:30:00-08:00", "20 Nov 2026"],
    ["2026-02-01T00:00:00Z", "1 Feb 2026"],
    ["20/11/2026", "20/11/2026"],
    ["2026-13-20T09:00:00Z", "2026-13-20T09:00:00Z"],
  ])("has the date %j as %s", (date, shown) => {
    expect(from(linesWith(["data", "invoiceDate"], date), "Invoice date", 1)[0]).toContain(
      `Invoice date    ${shown}`,
    )
  })

  it.each([
    ["1204.5", "1,204.50"],
    ["1e3", "1,000.00"],
    ["-0.00", "0.00"],
    ["12.50000", "12.50"],
    ["1.00005", "1.00005"],
    ["1e400", "1e400"],
  ])("has the amount %s as %s", (written, shown) => {
    const line = from(linesWith(["data", "invoiceSummary", "depositAmount"], raw(written)), "deposit", 1)[0]
    expect(line?.trimEnd().endsWith(` ${shown}`)).toBe(true)
  })

  it("cuts numbers only as far as the page needs", () => {
    const many = { quantity: 10000.25, unitPrice: 12345.6789, taxAmount: 123456.78, subtotal: 1234567.8 }
    const line = { ...fullInvoice().data.lineItems[0], ...many }
    const shown = page(withChange(fullInvoice(), ["data", "lineItems"], [line]))
    for (const amount of ["10,000.25", "12,345.6789", "123,456.78", "1,234,567.80"])
      expect(shown).toContain(amount)
  })

  it("names a country other than Australia, and not Australia", () => {
    expect(linesWith(["data", "billTo", "country"], "NZ").filter((line) => line.trim() === "NZ")).toEqual([
      expect.any(String),
    ])
    expect(page(fullInvoice())).not.toMatch(/^ *AU$/m)
  })

  it("shows an item by its code where it has no description", () => {
    expect(from(linesWith(["data", "lineItems", 0, "description"], undefined), "1  W-100", 1)).toHaveLength(1)
  })

  it("gives the tax of a line by its rate where no amount is stated", () => {
    const line = from(linesWith(["data", "lineItems", 0, "taxAmount"], undefined), "Hex bolt", 1)[0]
    expect(line).toMatch(/12\.50 +10% +125\.00$/)
  })

  it("makes room for the names of extension fields, and gives a long one a line of its own", () => {
    const lines = linesWith(["data", "extrinsics"], { partnerCostCentreCode: "4400", short: 1 })
    expect(from(lines, "partnerCost", 2)).toEqual([
      "  partnerCostCentreCode  4400",
      "  short                  1",
    ])
    const long = linesWith(["data", "extrinsics"], { ["partnerCode".repeat(4)]: "4400", short: 1 })
    expect(from(long, "partnerCode", 3)).toEqual([
      `  ${"partnerCode".repeat(4)}`,
      `  ${" ".repeat(16)}4400`,
      "  short           1",
    ])
  })
})

describe("the verdict below an invoice", () => {
  it.each<[string, Path, unknown, string]>([
    ["nothing was found", ["data", "comments"], "x", "  Valid."],
    ["there is a warning", ["data", "invoiceSummary", "dueAmount"], 151, "  Valid, with 1 warning."],
    ["there is an error", ["data", "operation"], "newer", "  Not valid: 1 error."],
    [
      "there are both",
      ["data", "lineItems", 0],
      { ...fullInvoice().data.lineItems[0], invoiceLineNumber: 2, currency: "USD" },
      "  Not valid: 1 error, 1 warning.",
    ],
  ])("says so when %s", (_, path, value, verdict) => {
    expect(linesWith(path, value).at(-2)).toBe(verdict)
  })

  it("is red, yellow or green where there is colour", () => {
    const last = (path: Path, value: unknown) => linesWith(path, value, { colour: true }).at(-2)
    expect([
      last(["data", "operation"], "x"),
      last(["data", "invoiceSummary", "dueAmount"], 1),
      last(["data", "operation"], "new"),
    ]).toEqual([
      "\u001b[31m  Not valid: 1 error.\u001b[39m",
      "\u001b[33m  Valid, with 1 warning.\u001b[39m",
      "\u001b[32m  Valid.\u001b[39m",
    ])
  })
})
