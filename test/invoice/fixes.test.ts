/** How a finding's fix changes the text. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { share } from "../drawn.ts"
import { examine } from "../../src/invoice/examine.ts"
import type { Edit, Finding } from "../../src/invoice/finding.ts"
import { joinEdits } from "../../src/invoice/fixes/edits.ts"
import { fixDocument } from "../../src/invoice/fixes/fix.ts"
import { fault, writer } from "./random-faults.ts"
import { soundInvoice } from "./random-invoices.ts"
import { fullDraft } from "./samples.ts"
import { type Layout, PLAIN, raw, withChange, written } from "./writer.ts"

type Path = readonly (string | number)[]

const OPTIONS = { stage: "auto", accounting: true, strict: false, rules: {} } as const
const LINE: Path = ["data", "lineItems", 1]
const LAYOUTS: readonly Layout[] = [
  PLAIN,
  { indent: "", newline: "\n", mark: false },
  { indent: "\t", newline: "\r\n", mark: true },
]

function applied(text: string, edits: readonly Edit[]): string {
  return edits.reduceRight(
    (before, { offset, length, text: by }) => before.slice(0, offset) + by + before.slice(offset + length),
    text,
  )
}

function fixesOf(document: unknown, layout = PLAIN): { text: string; findings: Finding[] } {
  const { text } = written(document, layout)
  return { text, findings: examine(text, OPTIONS).filter(({ fix }) => fix !== undefined) }
}

function renamed(object: object, name: string, to: string): object {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key === name ? to : key, value]))
}

/** The text, its place, and the text there after the fix. */
const SAFE: readonly (readonly [name: string, path: Path, is: unknown, becomes: unknown])[] = [
  ["a choice in another case", ["data", "purpose"], "Standard", "standard"],
  ["a choice with blanks around it", ["data", "invoiceSummary", "currency"], " aud", "AUD"],
  ["a country in words", ["data", "billTo", "country"], "Australia", "AU"],
  ["a unit in words", [...LINE, "unitOfMeasure"], "packs", "PK"],
  ["an amount in quotes", [...LINE, "subtotal"], "10.78", 10.78],
  ["an amount with a dollar sign", [...LINE, "subtotal"], "$10.78", 10.78],
  ["an amount with a decimal comma", [...LINE, "subtotal"], "10,78", 10.78],
  ["a number without quotes", ["data", "invoiceNumber"], 1001, "1001"],
  ["a postcode that lost its zero", ["data", "shipTo", "postalCode"], 800, "0800"],
  ["a yes", ["data", "isERS"], "no", false],
  ["a date-time without seconds", ["data", "dueDate"], "2026-12-20T09:00+11:00", "2026-12-20T09:00:00+11:00"],
  [
    "a date-time whose offset is a name",
    ["data", "dueDate"],
    "2026-12-20 9:00 AEDT",
    "2026-12-20T09:00:00+11:00",
  ],
  [
    "a day after its month",
    ["data", "paymentTerms", "discountTerms", 0, "discountDueDate"],
    "30/11/2026",
    "2026-11-30",
  ],
  ["what binary arithmetic adds", [...LINE, "subtotal"], raw("10.780000000000001"), 10.78],
  [
    "a list of one",
    ["data", "supplier", "taxRegistrations"],
    [{ type: "ABN", value: "51824753556" }],
    { type: "ABN", value: "51824753556" },
  ],
  [
    "one in the place of a list",
    ["data", "poReferences"],
    { poNumber: "PO-7781" },
    [{ poNumber: "PO-7781" }],
  ],
  ["a null", ["data", "comments"], null, undefined],
  ["a null at the end of its object", [...LINE, "countryOfOrigin"], null, undefined],
  ["an empty date", ["data", "dueDate"], "", undefined],
  ["an ABN with hyphens", ["data", "supplier", "taxRegistrations", "value"], "51-824-753-556", "51824753556"],
  ["a BSB with a blank", ["data", "remitTo", "bankDetails", "bsb"], "062 000", "062-000"],
  [
    "an email address with more",
    ["data", "contacts", 0, "email"],
    "mailto:mai@wattle.example",
    "mai@wattle.example",
  ],
]

describe("a safe fix", () => {
  it.each(SAFE)("writes the only right answer for %s", (_, path, is, becomes) => {
    for (const layout of LAYOUTS) {
      const { text, findings } = fixesOf(withChange(fullDraft(), path, is), layout)
      expect(findings.map(({ fix }) => fix?.safety)).toEqual(["safe"])
      const fixed = applied(text, findings[0]?.fix?.edits ?? [])
      expect(examine(fixed, OPTIONS)).toEqual([])
      expect(JSON.parse(fixed.replace("\ufeff", ""))).toEqual(withChange(fullDraft(), path, becomes))
    }
  })

  it.each([
    ["Unit_Price", "unitPrice", LINE],
    ["qty", "quantity", LINE],
    ["suburb", "city", ["data", "billTo"]],
    ["nmae", "name", ["data", "supplier"]],
  ] as const)("renames %j to %j, in both findings", (given, meant, path) => {
    const object: unknown = path.reduce<unknown>((value, key) => Object(value)[key], fullDraft())
    const { text, findings } = fixesOf(withChange(fullDraft(), path, renamed(Object(object), meant, given)))
    expect(findings.map(({ rule, fix }) => [rule, fix])).toEqual([
      ["contract/required", findings[0]?.fix],
      ["contract/additionalProperties", findings[0]?.fix],
    ])
    expect(findings[0]?.fix?.safety).toBe("safe")
    expect(JSON.parse(applied(text, findings[0]?.fix?.edits ?? []))).toEqual(fullDraft())
  })

  it("keeps everything around what goes", () => {
    const text = '{"a": [ 1 ],\r\n  "dueDate": null ,\r\n  "b": 2}'
    const [finding] = examine(`{"data": ${text}}`, OPTIONS).filter(
      ({ pointer }) => pointer === "/data/dueDate",
    )
    expect(applied(`{"data": ${text}}`, finding?.fix?.edits ?? [])).toBe(
      '{"data": {"a": [ 1 ],\r\n  "b": 2}}',
    )
  })
})

describe("a fix that a person has to agree to", () => {
  it.each<[string, Path, unknown]>([
    ["a slip of the finger in a choice", ["data", "purpose"], "creditMeno"],
    ["a word that may mean another choice", ["data", "purpose"], "credit note"],
    ["a dollar sign for a currency", ["data", "invoiceSummary", "currency"], "$"],
    ["a comma that may be a point", [...LINE, "subtotal"], "1,204"],
    ["decimals that are rounded away", [...LINE, "unitPrice"], raw("4.31255")],
    ["a year of two digits", ["data", "dueDate"], "20/12/26 09:00 AEDT"],
    ["a day that may be the month", ["data", "dueDate"], "04/12/2026 09:00 AEDT"],
    [
      "a day that a spreadsheet counts",
      ["data", "paymentTerms", "discountTerms", 0, "discountDueDate"],
      46346,
    ],
    ["a name that is lost with an address", ["data", "contacts", 0, "email"], "Mai <mai@wattle.example>"],
    ["a BSB that lost its zero", ["data", "remitTo", "bankDetails", "bsb"], 62000],
    ["an amount that the others contradict", ["data", "invoiceSummary", "dueAmount"], 151.68],
  ])("is not safe: %s", (_, path, value) => {
    const { findings } = fixesOf(withChange(fullDraft(), path, value))
    expect(findings.map(({ fix }) => fix?.safety)).toContain("suggestion")
    expect(findings.map(({ fix }) => fix?.safety)).not.toContain("safe")
  })

  it("is a name that two fields may mean, or that another name means too", () => {
    const line = { ...fullDraft().data.lineItems[1] }
    const rate = withChange(fullDraft(), LINE, { ...renamed(line, "unitPrice", "rate"), taxRate: undefined })
    expect(fixesOf(rate).findings.map(({ fix }) => fix?.safety)).not.toContain("safe")
    const both = withChange(fullDraft(), LINE, { ...renamed(line, "quantity", "qty"), Quantity: 3 })
    expect(fixesOf(both).findings.map(({ fix }) => fix?.safety)).not.toContain("safe")
  })
})

describe("no fix", () => {
  it.each<[string, Path, unknown]>([
    ["a date-time without an offset", ["data", "dueDate"], "2026-12-20T09:00:00"],
    ["a required field that is empty", ["data", "invoiceDate"], ""],
    ["a currency that there is not", ["data", "invoiceSummary", "currency"], "USD"],
  ])("is there for %s", (_, path, value) => {
    expect(fixesOf(withChange(fullDraft(), path, value)).findings).toEqual([])
  })

  it("is there in an object that has a name twice", () => {
    const text = JSON.stringify(fullDraft()).replace('"poNumber"', '"purpose":"Standard","poNumber"')
    const broken = text.replace('"isERS":false', '"isERS":"no"')
    expect(examine(broken, OPTIONS).map(({ rule, fix }) => [rule, fix])).toEqual([
      ["json/duplicate-key", undefined],
      ["contract/type", undefined],
    ])
  })
})

describe("the fix of a syntax error", () => {
  it.each([
    ['{"a":1,}', "safe"],
    ['{"a":1,,"b":[1,]}', "safe"],
    // A brace is missing, not a comma.
    ['{"a":1\n"b":2},"c":3}', "suggestion"],
  ])("of %s is a %s one", (text, safety) => {
    const [finding] = examine(text, OPTIONS)
    expect(finding).toMatchObject({ rule: "json/syntax", fix: { safety } })
  })
})

describe("any fix of any document", () => {
  it("does the same as one edit", () => {
    fc.assert(
      fc.property(soundInvoice, writer, fault, (invoice, write, breakIt) => {
        const text = breakIt(write(invoice))
        for (const { fix } of examine(text, OPTIONS)) {
          const joined = joinEdits(text, fix?.edits ?? [])
          expect(joined).toHaveLength(fix ? 1 : 0)
          expect(applied(text, joined)).toBe(applied(text, fix?.edits ?? []))
        }
      }),
    )
  })

  it("leaves JSON, and what it fixes is gone", () => {
    fc.assert(
      fc.property(soundInvoice, writer, fault, (invoice, write, breakIt) => {
        const text = breakIt(write(invoice))
        for (const { fix, rule, pointer, property } of examine(text, OPTIONS)) {
          if (!fix || (rule === "json/syntax" && fix.safety === "suggestion")) continue
          const fixed =
            rule === "json/syntax"
              ? applied(text, fixDocument(text, { examine: OPTIONS, totals: false }))
              : applied(text, fix.edits)
          const left = examine(fixed, OPTIONS)
          expect(left.map((each) => each.rule)).not.toContain("json/syntax")
          if (!rule.startsWith("contract/")) continue
          expect(left.map((each) => [each.rule, each.pointer, each.property])).not.toContainEqual([
            rule,
            pointer,
            property,
          ])
        }
      }),
      { numRuns: share(300) },
    )
  })
})
