/** Verdicts of the shipped command on what is hard to judge: numbers, times, encodings, broken and hostile texts. */
import { describe, expect, it } from "vitest"
import { line } from "../invoice/runs.ts"
import { invoiceDesk } from "./invoices.ts"

const { validate } = await invoiceDesk()

/** The rules that each line breaks, one document a line. */
async function rulesOf(lines: readonly string[], ...args: readonly string[]): Promise<string[]> {
  const { stdout } = await validate(["-", "--format", "ndjson", ...args], { input: lines.join("\n") })
  return stdout
    .trimEnd()
    .split("\n")
    .map((each) => {
      const { findings } = JSON.parse(each) as { findings: { rule: string }[] }
      return findings.map(({ rule }) => rule).join(" ") || "ok"
    })
}

/** A document in which one value is written as it stands here. */
function having(field: string, written: string): string {
  const pattern = new RegExp(`"${field}":("[^"]*"|[^,}]*)`)
  return line(1).replace(pattern, () => `"${field}":${written}`)
}

async function expectEach(field: string, cases: Readonly<Record<string, string>>) {
  const found = await rulesOf(
    Object.keys(cases).map((written) => having(field, written)),
    "--no-accounting",
  )
  expect(Object.fromEntries(Object.keys(cases).map((written, at) => [written, found[at]]))).toEqual(cases)
}

const TOO_FINE = "contract/multipleOf"

describe("numbers are judged as they are written", () => {
  it("amounts: two decimals, at any length and in any form", () =>
    expectEach("dueAmount", {
      "11": "ok",
      "1.10": "ok",
      "1.1000": "ok",
      "1E2": "ok",
      "-0.00": "ok",
      "0.29": "ok",
      "1.15": "ok",
      "123456789012.34": "ok",
      "99999999999999.99": "ok",
      "9007199254740993": "ok",
      "9007199254740993.01": "ok",
      "12e-2": "ok",
      "1e400": "ok",
      "0.010e1": "ok",
      "1.005": TOO_FINE,
      "0.30000000000000004": TOO_FINE,
      "1e-3": TOO_FINE,
      "99999999999999.991": TOO_FINE,
      "1e-400": TOO_FINE,
      "0e-400": "ok",
      '"11"': "contract/type",
      null: "contract/type",
    }))

  it("unit prices: four decimals", () =>
    expectEach("unitPrice", { "0.0001": "ok", "10.12345": TOO_FINE, "123456e-4": "ok", "1e-5": TOO_FINE }))

  it("line numbers: whole, whatever their form", () =>
    expectEach("invoiceLineNumber", {
      "30.0": "ok",
      "3e1": "ok",
      "30.5": "contract/type",
      "1e400": "ok",
      '"1"': "contract/type",
    }))
})

describe("times and ids are judged by the calendar and RFC 3339", () => {
  it("date-times", () =>
    expectEach("invoiceDate", {
      '"2026-11-20T09:00:00Z"': "ok",
      '"2026-11-20t09:00:00.123456789z"': "ok",
      '"2028-02-29T00:00:00+11:00"': "ok",
      '"2016-12-31T23:59:60Z"': "ok",
      '"2017-01-01T10:59:60+11:00"': "ok",
      '"2016-12-31T22:59:60Z"': "contract/format",
      '"2026-02-29T00:00:00Z"': "contract/format",
      '"2026-02-31T00:00:00Z"': "contract/format",
      '"2026-11-20 09:00:00Z"': "contract/format",
      '"2026-11-20T09:00:00"': "contract/format",
      '"2026-11-20T09:00:00+1000"': "contract/format",
      '"2026-11-20T24:00:00Z"': "contract/format",
      '"2026-11-20"': "contract/format",
      '""': "contract/format",
    }))

  it("uuids", () =>
    expectEach("correlationId", {
      '"7d0c9bd0-5c3f-4a80-8a3c-0f6f0a4f5d12"': "ok",
      '"7D0C9BD0-5C3F-4A80-8A3C-0F6F0A4F5D12"': "ok",
      '"7d0c9bd05c3f4a808a3c0f6f0a4f5d12"': "contract/format",
      '"{7d0c9bd0-5c3f-4a80-8a3c-0f6f0a4f5d12}"': "contract/format",
    }))
})
