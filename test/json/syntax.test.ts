import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { readJson } from "../../src/json/read.ts"

/** `line:column message — hint` of the one syntax problem of a text. */
function problemOf(text: string): string | undefined {
  const [problem, ...others] = readJson(text).findErrors()
  expect(others).toEqual([])
  if (!problem) return undefined
  return `${problem.line}:${problem.column} ${problem.message}${problem.hint ? ` — ${problem.hint}` : ""}`
}

const QUOTE_HINT = "close the text on its line with a double quote; a line break inside it is written \\n"
const cut = (closer: string) => `write ${closer} at the end, or get the whole text again if it was cut off`

describe("text that is not JSON", () => {
  it.each([
    // Nothing, or too much
    ["", "1:1 the text is empty: a JSON value is expected"],
    [" \n\t", "2:2 the text is empty: a JSON value is expected"],
    [
      "{} {}",
      "1:4 the JSON value has ended, but { follows — put several values into a list: [ ]; or each on a line of its own, in a file that ends in .ndjson",
    ],
    ["{}\n}", "2:1 this } closes nothing — remove it"],
    ["[1]]", "1:4 this ] closes nothing — remove it"],
    ['{"a":1},', "1:8 this comma is one too many — remove it"],
    [
      "<html>",
      "1:1 this is a web page, not JSON — save the file itself, not the page that shows it or asks you to log in",
    ],
    // Brackets
    ["{", `1:2 the text ends here, but the { opened in column 1 is not closed — ${cut("}")}`],
    [
      '{\n  "a": [1, 2\n\n',
      `2:13 the text ends here, but the [ opened in column 8 is not closed — ${cut("]")}`,
    ],
    ['{"a"', `1:5 the text ends here, but the { opened in column 1 is not closed — ${cut("}")}`],
    ['{"a":', `1:6 the text ends here, but the { opened in column 1 is not closed — ${cut("}")}`],
    ['{"a":1,', `1:8 the text ends here, but the { opened in column 1 is not closed — ${cut("}")}`],
    ['{"a":\n[1}', "2:3 this } does not close the [ opened in column 1 — write ] before it, or remove the }"],
    ["{]", "1:2 a name in double quotes is expected here, not ]"],
    // Commas and colons
    ['{"a":1,}', "1:7 trailing comma: nothing follows it before the } — remove the comma"],
    ["[1,2,\n]", "1:5 trailing comma: nothing follows it before the ] — remove the comma"],
    ["[1,,2]", "1:4 a value is missing before this comma"],
    ["[,1]", "1:2 a value is missing before this comma"],
    ["{,}", "1:2 this comma is one too many — remove it"],
    ['{"a":1,,"b":2}', "1:8 this comma is one too many — remove it"],
    ['{"a":1\n "b":2}', '2:2 a comma is missing before "b" — write it at the end of line 1'],
    ["[1 2]", "1:4 a comma is missing before 2"],
    ['{"a":1;"b":2}', "1:7 a comma is expected here, not ;"],
    ['{"a" 1}', '1:6 a colon is missing after "a" — write the name, a colon, then the value'],
    ['{"a"=1}', '1:5 a colon is missing after "a" — write the name, a colon, then the value'],
    ['{"a":}', '1:6 the value of "a" is missing'],
    ['["a":1]', "1:5 a list holds values without names — put names and values in { }"],
    ['{"a":"b":2}', "1:9 this colon is one too many — a comma may be missing before it"],
    // Names
    ["{receiver:1}", '1:2 the name receiver needs double quotes — write "receiver"'],
    ["{1:2}", '1:2 the name 1 needs double quotes — write "1"'],
    ['{"weightKg":1,000}', "1:13 1,000: a number has no commas in it — write 1000"],
    // Quotes
    ['{"a": "x\n}', `1:7 this quote is not closed — ${QUOTE_HINT}`],
    ['{"a": "x', `1:7 this quote is not closed — ${QUOTE_HINT}`],
    ['["x\\', "1:2 this quote is not closed — the text breaks off after a backslash"],
    ["{'a':1}", '1:2 \' is not a quote in JSON — use straight double quotes everywhere: "like this"'],
    ['{"a":“b”}', '1:6 “ is not a quote in JSON — use straight double quotes everywhere: "like this"'],
    [
      '["say "hi""]',
      '1:8 the quote before hi ends the text — write a double quote inside a text as \\"; if the text ends here, add a comma after it',
    ],
    // Inside texts
    ['["C:\\dir"]', "1:5 \\d means nothing in JSON — a backslash itself is written \\\\"],
    ['["\\u12G4"]', "1:3 \\u is not followed by four hexadecimal digits"],
    ['["a\tb"]', "1:4 a tab stands inside a text — remove it, or write it as \\t"],
    ['["a\u0001b"]', "1:4 a control character stands inside a text — remove it, or write it as \\u0001"],
    // Words
    ["[NaN]", "1:2 NaN: JSON has no such number — write the number, or leave the field out"],
    ["[-Infinity]", "1:2 -Infinity: JSON has no such number — write the number, or leave the field out"],
    ["[undefined]", "1:2 undefined is not JSON — write the value, or leave the field out"],
    ["[None]", "1:2 None is not JSON — write the value, or leave the field out"],
    ['{"a":NULL}', "1:6 NULL is not JSON — write the value, or leave the field out"],
    ["[True]", "1:2 True is not JSON — write true"],
    ["[Nancy]", '1:2 Nancy is not a JSON value — a text needs double quotes: "Nancy"'],
    ["[constructor]", '1:2 constructor is not a JSON value — a text needs double quotes: "constructor"'],
    // Numbers
    [
      "[0800]",
      '1:2 0800: a number does not start with 0 — write "0800" if it is a code such as a postcode, or 800 if it is a number',
    ],
    ["[.5]", "1:2 .5: a digit is missing before the point — write 0.5"],
    ["[5.]", "1:2 5.: a digit is missing after the point — add it, or remove the point"],
    ["[1e+]", "1:2 1e+: digits are missing after the e — complete the exponent"],
    ["[+1]", "1:2 +1: a number does not start with a plus sign — write 1"],
    ["[0x1F]", "1:2 0x1F: hexadecimal numbers are not JSON — write it in decimal digits"],
    ["[2026-11-20]", '1:2 2026-11-20: this is not a number — a text needs double quotes: "2026-11-20"'],
    // Comments and blanks
    ["// x\n{}", "1:1 comments are not JSON — remove the comment"],
    ['{"a":1 /* x */}', "1:8 comments are not JSON — remove the comment"],
    ['{\n# x\n"a":1}', "2:1 comments are not JSON — remove the comment"],
    ['{"a":\u00a01}', "1:6 an unusual blank or invisible character (U+00A0) is here — remove it"],
    ["[1]\u0000", "1:4 an unusual blank or invisible character (U+0000) is here — remove it"],
  ])("%j", (text, expected) => {
    expect(problemOf(text)).toBe(expected)
  })

  it("has no value", () => {
    expect(readJson("{").value).toBeUndefined()
  })

  it("has no places and no repeated names", () => {
    const document = readJson('{"a":1,"a":2')
    expect([document.locate(""), document.sourceOf("")]).toEqual([undefined, undefined])
    expect(document.findErrors()).toEqual([document.syntaxError])
  })

  it("counts columns in characters and lines by CRLF, LF and CR", () => {
    expect(problemOf('{"😀":\r\n"a",\r"b":\n "😀é" x}')).toMatch(/^4:7 /)
  })

  it("gives the offset in code units", () => {
    expect(readJson('["😀" x]').syntaxError?.offset).toBe(6)
  })

  it("shows no control characters of the text, and only the beginning of a long piece", () => {
    const message = problemOf(`[\u001b[31m${"x".repeat(100)}]`)
    expect(message).toBe("1:2 an unusual blank or invisible character (U+001B) is here — remove it")
    expect(problemOf(`[${"x".repeat(100)}]`)).toContain(`1:2 ${"x".repeat(29)}… is not a JSON value`)
  })
})

describe("nesting", () => {
  it("may be 1,000 deep", () => {
    expect(readJson("[".repeat(1000) + "]".repeat(1000)).syntaxError).toBeUndefined()
  })

  it.each([
    ["closed arrays", "[".repeat(1_000_000) + "]".repeat(1_000_000), 1001],
    ["arrays left open", "[".repeat(1_000_000), 1001],
    ["objects", '{"a":'.repeat(1_000_000), 5001],
  ])("is refused beyond that: a million %s", (_, text, column) => {
    expect(problemOf(text)).toBe(
      `1:${column} arrays and objects are nested more than 1,000 deep here, more than is read`,
    )
  })

  it("of ten million levels takes little memory", () => {
    const before = process.resourceUsage().maxRSS
    problemOf("[".repeat(10_000_000))
    expect(process.resourceUsage().maxRSS - before).toBeLessThan(150_000)
  })

  it("does not count brackets inside texts", () => {
    const value = `${"[".repeat(5000)}"\\`.repeat(2)
    expect(readJson(JSON.stringify(value)).value).toBe(value)
  })

  it("counts what is open, not what was", () => {
    const value = Array.from({ length: 5000 }, () => [{}])
    expect(readJson(JSON.stringify(value)).value).toEqual(value)
  })
})

describe("agreement with JSON.parse", () => {
  it("refuses exactly what JSON.parse refuses, for JSON with a few characters changed", () => {
    const edit = fc.record({
      at: fc.nat(),
      remove: fc.nat(2),
      insert: fc.constantFrom(...'[]{},:"\\0-1.eEtn \n\t\u00a0/x'),
    })
    fc.assert(
      fc.property(fc.json(), fc.array(edit, { minLength: 1, maxLength: 3 }), (json, edits) => {
        const text = edits.reduce((before, { at, remove, insert }) => {
          const place = at % (before.length + 1)
          return before.slice(0, place) + insert + before.slice(place + remove)
        }, json)
        const { value, syntaxError } = readJson(text)
        expect([syntaxError === undefined, value]).toEqual(parsed(text))
      }),
      { numRuns: 3000 },
    )
  })
})

function parsed(text: string): [boolean, unknown] {
  try {
    return [true, JSON.parse(text)]
  } catch {
    return [false, undefined]
  }
}
