/** Findings of each rule, and invoices without any. */
import { describe, expect, it } from "vitest"
import { examine } from "../../../src/invoice/examine.ts"
import { expectCases } from "../../cases.ts"
import { fullDraft, fullInvoice, minimalInvoice } from "../samples.ts"
import { withChange } from "../writer.ts"
import { invoiceText, raw, said } from "./setup.ts"

/**
 * The changes of a line of findings.txt: `"gone"` takes a field out, `"#1.50"` is a number as it is to be written, and
 * a line item is one lamp, unless it says more.
 */
function parseChanges(text: string): Record<string, unknown> {
  const changes = JSON.parse(text, (_, value) => {
    if (typeof value !== "string") return value
    return value === "gone" ? undefined : value.startsWith("#") ? raw(value.slice(1)) : value
  })
  for (const [pointer, value] of Object.entries(JSON.parse(text)))
    if (value === "gone") changes[pointer] = undefined
  if (Array.isArray(changes["/lineItems"]))
    changes["/lineItems"] = changes["/lineItems"].map((line, index) => ({
      ...{ invoiceLineNumber: index + 1, description: "Lamp", quantity: 1, subtotal: line.unitPrice },
      ...line,
    }))
  return changes
}

it("a finding says what is wrong, where, and what to write", () =>
  expectCases(import.meta.dirname, "findings.txt", (line) => {
    const [, changes = ""] = /^.*?: (\{(?:"\/.*)?\})$/.exec(line) ?? []
    return said(parseChanges(changes))
  }))

const rulesOf = (text: string, stage: "draft" | "canonical" | "auto" = "draft") =>
  examine(text, { stage, accounting: true, strict: false, rules: {} }).map(
    ({ rule, pointer }) => `${rule} ${pointer}`,
  )

it("no finding rests on a field that is repeated", () => {
  const text = invoiceText({ "/lineItems/0/grossAmount": 65.97 })
  for (const field of ['"taxAmount":6,', '"subtotal":59.97,']) {
    const rules = rulesOf(text.replace(field, `${field}${field.replace(/:.*/, ":7")},`))
    expect(rules.filter((rule) => rule.startsWith("accounting/"))).toEqual([])
  }
})

describe("what the service fills in", () => {
  it("is left out of a draft", () => {
    const keyed = withChange(fullDraft(), ["data", "lineItems", 1, "uniqueLineKey"], "PO-7781-2")
    expect(rulesOf(JSON.stringify(keyed), "auto")).toEqual([
      "accounting/managed-field /data/lineItems/1/uniqueLineKey",
    ])
    expect(rulesOf(JSON.stringify(minimalInvoice()))).toEqual([
      "accounting/managed-field /docType",
      "accounting/managed-field /correlationId",
      "accounting/managed-field /timestamp",
    ])
    expect(rulesOf(JSON.stringify(fullInvoice()), "canonical")).toEqual([])
  })

  it.each([
    ["2026-11-20T09:30:00+11:00", "2026-11-19T22:30:00Z"],
    ["2026-11-20T09:30:00.250-03:30", "2026-11-20T13:00:00.250Z"],
    ["2026-11-20T09:30:00Z", undefined],
    ["2026-11-20t09:30:00z", undefined],
    ["2026-11-20T09:30:00-00:00", undefined],
  ])("has its timestamp in UTC: %s", (timestamp, utc) => {
    const options = { stage: "canonical", accounting: true, strict: false, rules: {} } as const
    const findings = examine(JSON.stringify({ ...minimalInvoice(), timestamp }), options)
    const message = `timestamp: ${timestamp} is not in UTC`
    expect(findings.map((finding) => [finding.rule, finding.message, finding.hint])).toEqual(
      utc === undefined ? [] : [["accounting/timestamp-utc", message, `write "${utc}"`]],
    )
  })
})
