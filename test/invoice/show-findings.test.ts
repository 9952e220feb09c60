import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { share } from "../drawn.ts"
import { widthOf } from "../../src/output/terminal/width.ts"
import { mutationsOf } from "./mutations.ts"
import { fullInvoice } from "./samples.ts"
import { from, linesWith, page, pageOf } from "./shown.ts"
import { raw, withChange } from "./writer.ts"

/** Colours a terminal, rings its bell, goes up a line, turns what follows around. */
const HOSTILE = "\u001b[31mred\u0007\u001b[1A\u202e\r\n\u009b2J"

describe("a finding on the page", () => {
  it("has its mark in ASCII where the terminal has no more", () => {
    const lines = linesWith(["data", "operation"], "x", { unicode: false })
    expect(lines.some((line) => line.startsWith("    x operation: "))).toBe(true)
  })

  it("is in ASCII too, where the terminal has no more", () => {
    const shown = linesWith(["data", "lineItems", 1, "quantity"], 3, { unicode: false })
    expect(from(shown, "    ! line item 2", 1)).toEqual([
      "    ! line item 2, subtotal: 3 x 4.3125 is 12.94 rounded, subtotal says 10.78:",
    ])
  })

  it("is there for every fault that an invoice can have, within 80 columns", () => {
    fc.assert(
      fc.property(fc.constantFrom(...mutationsOf(fullInvoice())), ({ path, property, value }) => {
        const shown = page(
          withChange(fullInvoice(), property === undefined ? path : [...path, property], value),
        )
        expect(shown).toMatch(/^ {4}✗ /m)
        expect(shown).toContain("  Not valid: 1 error")
        expect(Math.max(...shown.split("\n").map(widthOf))).toBeLessThanOrEqual(80)
      }),
    )
  })
})

describe("a broken invoice", () => {
  it("is shown as far as it can be read", async () => {
    const invoice = fullInvoice()
    const { unitPrice: _price, ...line } = invoice.data.lineItems[0] ?? {}
    const broken = {
      ...invoice,
      timestamp: undefined,
      data: {
        ...invoice.data,
        invoiceDate: "20/11/2026",
        supplier: { id: 204, nmae: "Wattle", taxRegistrations: [{ type: "ABN", value: "51 824 753 556" }] },
        billTo: "1 Harbour Street, Sydney",
        lineItems: [{ ...line, quantity: "10" }, "Washer, M10"],
        invoiceSummary: { ...invoice.data.invoiceSummary, subtotal: "$135.78", dueAmount: undefined },
        paymentTerms: "30 days",
        contacts: null,
      },
    }
    await expect(page(JSON.parse(JSON.stringify(broken)))).toMatchFileSnapshot("./pages/broken.txt")
  })

  it.each([
    "null",
    "[]",
    '"INV"',
    "0",
    "{}",
    '{"data":null}',
    '{"data":{"lineItems":{},"invoiceSummary":[],"supplier":[],"billTo":1,"contacts":{},"extrinsics":[1]}}',
    '{"data":{"lineItems":[1,null,"x",[],{}]}}',
    '{"__proto__":{"data":1},"constructor":1}',
  ])("is a page still: %s", (text) => {
    expect(pageOf(text)).toMatch(/\(missing\)[\s\S]*Not valid: \d+ errors?(?:, \d+ warnings?)?\.\n$/)
  })

  it("is a page still when any value of a good one is another", () => {
    const keys = Object.keys(fullInvoice().data)
    fc.assert(
      fc.property(fc.constantFrom(...keys), fc.jsonValue(), (key, value) => {
        const shown = page(withChange(fullInvoice(), ["data", key], value))
        expect(shown).not.toContain("undefined")
        expect(Math.max(...shown.split("\n").map(widthOf))).toBeLessThanOrEqual(80)
      }),
      { numRuns: share(300) },
    )
  })
})

describe("hostile text", () => {
  const every = (value: unknown): unknown =>
    typeof value === "string"
      ? HOSTILE
      : Array.isArray(value)
        ? value.map(every)
        : typeof value === "object" && value !== null
          ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, every(inner)]))
          : value

  it("does nothing to the terminal, wherever it stands", () => {
    const document = every(fullInvoice())
    const named = withChange(document, ["data", "extrinsics"], { [HOSTILE]: { [HOSTILE]: HOSTILE } })
    expect(page(withChange(named, ["data", HOSTILE], 1))).not.toMatch(/[^\P{Cc}\n]|\p{Cs}|\u202e/u)
  })

  it("takes no more of the page than it needs", () => {
    const shown = linesWith(["data", "lineItems", 0, "description"], "x".repeat(1_000_000))
    expect(shown.length).toBeLessThan(150)
  })

  it("is cut where it is a number of a million digits", () => {
    const shown = linesWith(["data", "lineItems", 0, "quantity"], raw("1".repeat(1_000_000)))
    expect(Math.max(...shown.map(widthOf))).toBeLessThanOrEqual(80)
  })

  it("keeps the columns of the page where characters are wide", () => {
    const shown = linesWith(["data", "lineItems", 0, "description"], "\u6f22\u5b57\u{1f600}".repeat(30))
    expect(Math.max(...shown.map(widthOf))).toBeLessThanOrEqual(80)
  })
})
