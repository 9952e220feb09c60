/** Tries each row of the table in docs/invoices.md of points that the contract leaves open. */
import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { examine } from "../../src/invoice/examine.ts"
import { makeInvoice } from "./practice/setup.ts"

const DRAFT = "drop docType ; drop correlationId ; drop timestamp"
const TAXES = (rate: number) =>
  `drop lineItems.0.taxAmount ; drop lineItems.0.taxRate ; gst 12.21 ; invoiceSummary.taxBreakdown = ${JSON.stringify(
    [
      { taxType: "other", taxRate: rate, taxableAmount: 100, taxAmount: 2.01 },
      { taxType: "GST", taxRate: 10, taxableAmount: 102.01, taxAmount: 10.2 },
    ],
  )}`
const EMAIL = (email: string) => `supplier.contact = ${JSON.stringify({ email })}`
const DATES = (...dates: string[]) => dates.map((date) => `invoiceDate = ${JSON.stringify(date)}`)

/** Changes of a plain invoice for each row. */
const TRIALS: Readonly<Record<string, readonly string[]>> = {
  "a rate of tax with more than two decimals": [TAXES(2.013)],
  "a date-time of ISO 8601 that is not RFC 3339": DATES(
    "2026-11-20 09:00:00+11:00",
    "2026-11-20T09:00+11:00",
    "2026-11-20T09:00:00+1100",
    "2026-11-20T09:00:00+11",
    "2026-11-20T09:00:00,5Z",
    "2026-11-20T24:00:00Z",
    "20261120T090000Z",
    "2026-W47-5T09:00:00Z",
    "2026-324T09:00:00Z",
  ),
  "a date-time with small `t` and `z`, or a fraction of a second": DATES(
    "2026-11-20t09:00:00z",
    "2026-11-20T09:00:00.5Z",
  ),
  "`purpose` left out": ["drop purpose"],
  "a field that the service fills in, in a draft": [`${DRAFT} ; lineItems.0.uniqueLineKey = "K-1"`],
  "all fields that the service fills in left out": [DRAFT],
  "an empty email": [EMAIL("")],
  "an email with a name around it, or with letters outside of ASCII": [
    EMAIL("Mia <mia@harbour.com.au>"),
    EMAIL("mia@h\u00e4fen.com.au"),
  ],
  "an email whose domain has no dot": [EMAIL("accounts@harbour")],
  "sums that do not add up": ["invoiceSummary.subtotal = 101"],
  "a required text that is empty": ['poNumber = ""'],
  "null for a field that may be left out": ["comments = null"],
  "a tax of the type VAT or salesTax": ["VAT", "salesTax"].map(
    (taxType) =>
      `invoiceSummary.taxBreakdown = ${JSON.stringify([{ taxType, taxRate: 10, taxableAmount: 100, taxAmount: 10 }])}`,
  ),
  "`$schema` in a draft": [`${DRAFT} ; $schema`],
}

function readRows(): (readonly [string, string])[] {
  const page = readFileSync(new URL("../../docs/invoices.md", import.meta.url), "utf8")
  const [, section = ""] = page.split("### What the contract leaves open")
  const [table = ""] = section.split("For bookings:")
  return [...table.matchAll(/^\| (.+?) \| .+? \| (error|warning|nothing) \|/gm)].map(
    ([, open = "", counts = ""]) => [open, counts] as const,
  )
}

function findSeverities(words: string): string[] {
  const hasSchema = words.endsWith(" ; $schema")
  const invoice = makeInvoice(`lines 4 EA @ 25 ; ${words.replace(" ; $schema", "")}`)
  const text = JSON.stringify({ ...(hasSchema && { $schema: "invoice.schema.json" }), ...invoice })
  const options = { stage: "auto", accounting: true, strict: false, rules: {} } as const
  const severities = new Set<string>(examine(text, options).map(({ severity }) => severity))
  return severities.size === 0 ? ["nothing"] : [...severities]
}

it.each(readRows())("%s counts as the page says: %s", (open, counts) => {
  const trials = TRIALS[open] ?? []
  expect(trials.length).toBeGreaterThan(0)
  expect(trials.map((words) => [words, ...findSeverities(words)])).toEqual(
    trials.map((words) => [words, counts]),
  )
})

it("has a row on the page for each", () => {
  expect(readRows().map(([open]) => open)).toEqual(Object.keys(TRIALS))
})

it("rewrites each date-time that is refused", () => {
  const dates = TRIALS["a date-time of ISO 8601 that is not RFC 3339"] ?? []
  const options = { stage: "auto", accounting: true, strict: false, rules: {} } as const
  const fixed = dates.map(
    (words) => examine(JSON.stringify(makeInvoice(`lines 4 EA @ 25 ; ${words}`)), options)[0]?.fix?.safety,
  )
  expect(new Set(fixed)).toEqual(new Set(["safe"]))
})
