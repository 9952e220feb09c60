import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { share } from "../drawn.ts"
import { renderInvoice } from "../../src/invoice/show/show.ts"
import { readJson } from "../../src/input/json/read.ts"
import { widthOf } from "../../src/output/terminal/width.ts"
import { expectCases } from "../cases.ts"
import { LAYOUT } from "./reported.ts"
import { fullInvoice, minimalDraft, minimalInvoice } from "./samples.ts"
import { linesWith, type Path, page } from "./shown.ts"
import { soundInvoice } from "./random-invoices.ts"
import { raw, withChange } from "./writer.ts"

describe("an invoice on a page", () => {
  it("has every part in its place", async () => {
    await expect(page(fullInvoice())).toMatchFileSnapshot("./pages/full.txt")
  })

  it("changes with the invoice where it is about what changed", async () => {
    const whole = page(fullInvoice()).split("\n")
    await expectCases(import.meta.dirname, "show-changes.txt", (row) => {
      const [, place = "", gone, value = ""] = /^(\S+)(?: (gone)| = (.*))$/.exec(row) ?? []
      const path = place.split("/").map((name) => (/^\d+$/.test(name) ? Number(name) : name))
      const shown = linesWith(path, gone ? undefined : raw(value))
      const less = whole.filter((each) => !shown.includes(each)).map((each) => `- ${each}`)
      return [...less, ...shown.filter((each) => !whole.includes(each)).map((each) => `+ ${each}`)]
    })
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
      { numRuns: share(100) },
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
})

describe("the verdict below an invoice", () => {
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
