/**
 * Broken invoices as they come from people and their programs, and what a clerk who has never seen JSON is told of
 * each. What is done to fix one is what the report beside it says, word by word, and no more.
 */
import { readFileSync } from "node:fs"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { examine, examineDocument } from "../../src/invoice/examine.ts"
import type { Finding } from "../../src/invoice/finding.ts"
import { createReporter } from "../../src/invoice/reporters/index.ts"
import { formatExcerpt } from "../../src/input/json/position.ts"
import { readJson } from "../../src/input/json/read.ts"
import { LAYOUT, NOTHING } from "./reported.ts"

/** Pieces of the file, each with what takes its place. */
type Fix = readonly (readonly [piece: string, fixed: string])[]

interface Case {
  name: string
  /** The essential sentence. */
  says: string
  fix: Fix
}

const CASES: readonly Case[] = [
  {
    name: "missing-comma",
    says: "→ write it at the end of line 15",
    fix: [['"Sydney"\n', '"Sydney",\n']],
  },
  {
    name: "curly-quotes",
    says: '→ use straight double quotes everywhere: "like this"',
    fix: [["“name”: “Harbour Lighting”", '"name": "Harbour Lighting"']],
  },
  { name: "trailing-comma", says: "→ remove the comma", fix: [['"currency": "AUD",', '"currency": "AUD"']] },
  {
    name: "missing-brace",
    says: "→ write }, on a line before it",
    fix: [['    "lineItems"', '    },\n    "lineItems"']],
  },
  { name: "dollar-sign", says: "→ write 40.15 without quotes", fix: [['"$40.15"', "40.15"]] },
  {
    name: "slashed-date",
    says: 'such as\n    "2026-11-20T09:30:00+10:00"',
    fix: [["20/11/2026", "2026-11-20T09:30:00+10:00"]],
  },
  { name: "currency-in-small-letters", says: '→ did you mean "AUD"?', fix: [["AUd", "AUD"]] },
  {
    name: "small-letter-in-a-name",
    says: '→ rename "unitprice" to "unitPrice"',
    fix: [["unitprice", "unitPrice"]],
  },
  {
    name: "swapped-digits",
    says: "→ write 1204.50 if the other amounts are right",
    fix: [["1240.50", "1204.50"]],
  },
  {
    name: "list-of-one-abn",
    says: "→ there is only one: remove the [ and ] around it",
    fix: [
      ["[{", "{"],
      ["}]", "}"],
    ],
  },
  { name: "comment", says: "→ remove the comment", fix: [["    // totals, checked by Kim\n", ""]] },
  { name: "tab-in-a-text", says: "→ remove it, or write it as \\t", fix: [["\t", ""]] },
  {
    name: "quote-in-a-text",
    says: '→ write a double quote inside a text as \\"',
    fix: [['12" brass', '12\\" brass']],
  },
  { name: "amount-with-comma", says: "→ write 1324.95", fix: [["1,324.95", "1324.95"]] },
  {
    name: "spreadsheet",
    says: '→ in a spreadsheet this number is 2026-11-20: write it with a time and its\n    offset, such as "2026-11-20T09:30:00+10:00"',
    fix: [
      ["2041", '"2041"'],
      ["46346", '"2026-11-20T09:30:00+10:00"'],
      ["800,", '"0800",'],
      ['"1"', "1"],
      ['"30"', "30"],
      ['"$40.15"', "40.15"],
      ['"1,204.50"', "1204.50"],
      ['"120,45"', "120.45"],
      ["0.1,", "10,"],
    ],
  },
  {
    name: "address-as-on-paper",
    says: '→ rename "suburb" to "city"',
    fix: [
      ["suburb", "city"],
      ["postcode", "postalCode"],
      ["Australia", "AU"],
    ],
  },
  {
    name: "without-data",
    says: '→ write "data": { before the fields that belong inside it, and } after them',
    fix: [
      ['  "invoiceNumber"', '  "data": {\n  "invoiceNumber"'],
      ["\n}\n", "\n}}\n"],
    ],
  },
]

function textOf(name: string): string {
  return readFileSync(path.join(import.meta.dirname, "clerk", `${name}.json`), "utf8")
}

const OPTIONS = { accounting: true, strict: false, rules: {} }

function found(text: string, stage: "draft" | "canonical" = "draft"): Finding[] {
  return examine(text, { stage, ...OPTIONS })
}

/** The output of `freight invoice validate`. */
async function reportOf(name: string, stage: "draft" | "canonical"): Promise<string> {
  const text = textOf(name)
  const findings = found(text, stage)
  const errors = findings.filter(({ severity }) => severity === "error").length
  const reporter = await createReporter("table", LAYOUT)
  const located = examineDocument(readJson(text), { stage, ...OPTIONS })
  const shown = located.map(({ offset, ...finding }) => ({
    ...finding,
    excerpt: formatExcerpt(text, offset),
  }))
  const result = { file: `${name}.json`, valid: errors === 0, findings: shown }
  return (
    [...reporter.document(result)].join("") +
    reporter.end({ ...NOTHING, documents: 1, errors, warnings: findings.length - errors })
  )
}

describe("a clerk", () => {
  it.each(CASES)("is told of $name, with place and fix", async ({ name, says }) => {
    const report = await reportOf(name, "draft")
    expect(report).toContain(says)
    await expect(report).toMatchFileSnapshot(`./clerk/${name}.txt`)
  })

  it.each(CASES)("fixes $name by doing what is said", ({ name, fix }) => {
    const fixed = fix.reduce((text, [piece, by]) => {
      expect(text).toContain(piece)
      return text.replace(piece, () => by)
    }, textOf(name))
    expect(found(fixed)).toEqual([])
  })

  it("learns that the service has not completed a document yet", async () => {
    const report = await reportOf("not-yet-completed", "canonical")
    expect(report).toContain("→ use --draft to check a document before the service completes it")
    await expect(report).toMatchFileSnapshot("./clerk/not-yet-completed.txt")
  })

  it("checks such a document with --draft", () => {
    expect(found(textOf("not-yet-completed"))).toEqual([])
  })
})
