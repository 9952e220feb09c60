/** What people's hands and programs do to JSON, and what is said of it. */
import { describe, expect, it } from "vitest"
import { readJson } from "../../src/json/read.ts"

function problemOf(text: string): string | undefined {
  const [problem] = readJson(text).findErrors()
  if (!problem) return undefined
  return `${problem.line}:${problem.column} ${problem.message}${problem.hint ? ` — ${problem.hint}` : ""}`
}

const lines = (...parts: string[]) => parts.join("\n")
const INSIDE = 'write a double quote inside a text as \\"; if the text ends here, add a comma after it'

describe("numbers as people write them", () => {
  it.each([
    ['{"a":1,204.50,"b":2}', "1:6 1,204.50: a number has no commas in it — write 1204.50"],
    ['{"a":-1,204,500}', "1:6 -1,204,500: a number has no commas in it — write -1204500"],
    ['{"a":40,15}', "1:6 40,15: a number has a point before its decimals, not a comma — write 40.15"],
    ['{"a":1,1234}', "1:6 1,1234: a number has no commas in it — write 1.1234 or 11234: it can be either"],
    ['{"a":$40.15}', "1:6 $40.15 has a currency sign, which is not part of a number — write 40.15"],
    ['{"a":$1,204.50}', "1:6 $1,204.50 has a currency sign, which is not part of a number — write 1204.50"],
    ['{"a":AUD -5}', "1:6 AUD -5 has a currency sign, which is not part of a number — write -5"],
    ['{"a":40.15AUD}', '1:6 40.15AUD: this is not a number — write 40.15, or "40.15AUD" if it is a text'],
    ['{"a":10%}', "1:8 a number has no percent sign — write 10 for 10 percent"],
    ['{"a":20/11/2026}', '1:6 20/11/2026 is not JSON — a text needs double quotes: "20/11/2026"'],
    ['{"a":1 204.50}', "1:6 1 204.50: this is not a number — write 1204.50"],
    ['{"a":5 AUD,"b":6}', '1:6 5 AUD: this is not a number — write 5, or "5 AUD" if it is a text'],
    ['{"a":5 b:6}', "1:8 a comma is missing before b"],
    ['{"a":$5,"b":6}', "1:6 $5 has a currency sign, which is not part of a number — write 5"],
    ['{"a":$40,15}', "1:6 $40,15 has a currency sign, which is not part of a number — write 40.15"],
    ['{"a":$05}', "1:6 $05 has a currency sign, which is not part of a number — write 5"],
    [
      '{"a":€5}',
      "1:6 €5 has a currency sign, which is not part of a number — write the number alone, in the currency of the document",
    ],
  ])("%j", (text, expected) => {
    expect(problemOf(text)).toBe(expected)
  })
})

describe("quotes as people write them", () => {
  it.each([
    [
      '{"a": "Harbour”}',
      '1:7 this quote is not closed — ” does not close it: use straight double quotes everywhere, "like this"',
    ],
    ['{"a": "Lamp 12" brass"}', `1:17 the quote before brass ends the text — ${INSIDE}`],
    ['{"a": "Lamp 12"", "b": 1}', `1:16 the quote before ", " ends the text — ${INSIDE}`],
    ['{"a": "x" "b": 1}', '1:11 a comma is missing before "b"'],
    ["invoice,order", "1:1 this starts with invoice, which is not JSON — a JSON document starts with {"],
  ])("%j", (text, expected) => {
    expect(problemOf(text)).toBe(expected)
  })
})

describe("a bracket that is missing, in a text that is indented", () => {
  it("is missed before the next name", () => {
    const text = lines("{", '  "a": {', '    "b": 1', '  "c": 2', "}")
    expect(problemOf(text)).toBe(
      '4:3 a } is missing before "c": the { opened on line 2, column 8 is still open — write }, on a line before it',
    )
  })

  it("is missed before the next name where the comma is there", () => {
    const text = lines("{", '  "a": {', '    "b": 1,', '  "c": 2', "}")
    expect(problemOf(text)).toMatch(/^4:3 a } is missing before "c": /)
  })

  it("is missed before a bracket further out", () => {
    const text = lines("{", '  "a": [', "    {", '      "b": 1', "  ]", "}")
    expect(problemOf(text)).toBe(
      "5:3 a } is missing before this ]: the { opened on line 3, column 5 is still open — write } on a line before it",
    )
  })

  it("is missed after a list", () => {
    const text = lines("{", '  "a": [', "    1,", "    2,", '  "c": {', '    "d": 1', "  }", "}")
    expect(problemOf(text)).toMatch(/^5:3 a ] is missing before "c": the \[ opened on line 2, column 8 /)
  })

  it("is the last one", () => {
    expect(problemOf(lines("{", '  "a": {', '    "b": 1', "  }"))).toBe(
      "4:4 the text ends here, but the { opened on line 1, column 1 is not closed — write } at the end, or get the whole text again if it was cut off",
    )
  })

  it("is missed where tabs indent", () => {
    expect(problemOf(lines("{", '\t"a": {', '\t\t"b": 1', '\t"c": 2', "}"))).toMatch(/^4:2 a } is missing/)
  })

  it("is the one at the end where nothing is indented", () => {
    expect(problemOf(lines("{", '"a": {', '"b": 1', "}"))).toMatch(/^4:2 the text ends here/)
  })
})

describe("a bracket too many, in a text that is indented", () => {
  it("is found where the indents go wrong", () => {
    const text = lines("{", '  "a": {', '    "b": {', '      "c": 1', "    }},", '    "d": 2', "  }", "}")
    expect(problemOf(text)).toBe(
      '5:6 this } is one too many: by its indent, "d" still belongs to what it closes — remove it',
    )
  })

  it("is found on a line of its own", () => {
    const text = lines("{", '  "a": {', '    "b": 1', "    }", "  }", "}")
    expect(problemOf(text)).toBe("4:5 this } is one too many — remove it")
  })

  it("is the last where nothing is indented", () => {
    expect(problemOf(lines("{", '"a": 1', "}", "}"))).toBe("4:1 this } closes nothing — remove it")
  })

  it("may be a long text without any place for it", () => {
    const text = `{"a":"${"x".repeat(1_000_000)}"}}`
    expect(problemOf(text)).toMatch(/^1:1000009 this } closes nothing/)
  })
})
