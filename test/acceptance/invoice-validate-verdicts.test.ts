/** Verdicts of the shipped command on what is hard to judge: numbers, times, encodings, broken and hostile texts. */
import { describe, expect, it } from "vitest"
import { line } from "../invoice/runs.ts"
import { invoiceDesk } from "./invoices.ts"

const { validate, verdicts } = await invoiceDesk()

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

describe("texts", () => {
  it("have their length in characters, an emoji being one", async () => {
    const comments = (length: number) => line(length, { comments: "🙂".repeat(length) })
    expect(await rulesOf([comments(2000), comments(2001)])).toEqual(["ok", "contract/maxLength"])
  })

  it("may hold half a character when it is written as an escape, and not as bytes", async () => {
    const half = line(1).replace('"Sydney"', '"\\ud800"')
    const bytes = Buffer.from(line(1)).toString("latin1").replace('"Sydney"', '"\xed\xa0\x80"')
    expect(await verdicts(["-"], { input: half })).toEqual([0, "- ok"])
    expect(await verdicts(["-"], { input: Buffer.from(bytes, "latin1") })).toEqual([
      1,
      `- json/syntax 1:${bytes.indexOf("\xed") + 1}`,
    ])
  })
})

describe("what is no JSON is told by line and column", () => {
  it.each([
    ["a name twice", '{\n"a":1,\n"a":2}', "json/duplicate-key 3:1"],
    ["NaN", '{\n"a":NaN}', "json/syntax 2:5"],
    ["a trailing comma", '{\n"a":1,\n}', "json/syntax 2:6"],
    ["a comment", '{\n// no\n"a":1}', "json/syntax 2:1"],
    ["a control character", '{\n"a":"\u0000"}', "json/syntax 2:6"],
    ["nothing but NUL", "\0\0\0\0\0\0", "json/syntax 1:1"],
    ["arrays nested a million deep", "[".repeat(1e6), "json/syntax 1:1001"],
    ["objects nested a million deep", '{"a":'.repeat(1e6), "json/syntax 1:5001"],
    ["and closed again", `${"[".repeat(1e6)}${"]".repeat(1e6)}`, "json/syntax 1:1001"],
  ])("%s", async (_what, input, expected) => {
    const [code, first] = await verdicts(["-"], { input })
    expect(code).toBe(1)
    expect(first).toContain(expected)
  })

  it.each([
    ["UTF-16, little end first", Buffer.from(`\ufeff${line(1)}`, "utf16le")],
    ["UTF-16, big end first", Buffer.from(`\ufeff${line(1)}`, "utf16le").swap16()],
    ["UTF-16 without a mark", Buffer.from(line(1), "utf16le")],
  ])("%s, which is named", async (_what, input) => {
    const { code, stdout } = await validate(["-"], { input })
    expect(code).toBe(1)
    expect(stdout).toContain("this is UTF-16, not UTF-8")
  })

  it("Latin-1, whose first byte beyond ASCII is named", async () => {
    const { code, stdout } = await validate(["-"], { input: Buffer.from('{\n"a": "\xe9"}', "latin1") })
    expect(code).toBe(1)
    expect(stdout).toMatch(/^standard input:2:7 {2}error {2}json\/syntax\n {2}byte 9 \(0xE9\) is not UTF-8$/m)
  })

  it("a byte order mark, CRLF and blanks around a document are fine", async () => {
    const pretty = JSON.stringify(JSON.parse(line(1)), null, 2).replaceAll("\n", "\r\n")
    expect(await verdicts(["-"], { input: `\ufeff \r\n${pretty}\r\n\t ` })).toEqual([0, "- ok"])
  })
})

describe("findings", () => {
  it("are told once each, in the document's order, and none hides another", async () => {
    const input = JSON.stringify({
      ...JSON.parse(line(1)),
      docType: "X",
      extra: 1,
      timestamp: null,
      metadata: 1,
    })
    const [code, found] = await verdicts(["-"], { input })
    const rules = String(found).match(/(contract|json)\/\w+/g)
    expect(code).toBe(1)
    expect(rules).toEqual([
      "contract/const",
      "contract/type",
      "contract/type",
      "contract/additionalProperties",
    ])
  })
})
