import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { readJson } from "../../../src/input/json/read.ts"
import { expectCases } from "../../cases.ts"
import { share } from "../../drawn.ts"

/** `line:column message — hint` of the one syntax problem of a text. */
function problemOf(text: string): string | undefined {
  const [problem, ...others] = readJson(text).findErrors()
  expect(others).toEqual([])
  if (!problem) return undefined
  return `${problem.line}:${problem.column} ${problem.message}${problem.hint ? ` — ${problem.hint}` : ""}`
}

describe("text that is not JSON", () => {
  it("has one error, with its place and what to do", async () => {
    await expectCases(import.meta.dirname, "syntax.txt", (line) => {
      const control = (picture: string) => String.fromCharCode(picture.charCodeAt(0) - 0x2400)
      return problemOf(line.replace(/[\u2400-\u241f]/g, control).replaceAll("\u237d", "\u00a0")) ?? []
    })
    expect(problemOf("")).toBe("1:1 the text is empty: a JSON value is expected")
    expect(problemOf(`{"a":"${"x".repeat(1_000_000)}"}}`)).toMatch(/^1:1000009 this } closes nothing/)
  })

  it("has no value", () => {
    expect(readJson("{").value).toBeUndefined()
  })

  it("has no places and no repeated names", () => {
    const document = readJson('{"a":1,"a":2')
    expect([document.locate(""), document.sourceOf("")]).toEqual([undefined, undefined])
    expect(document.findErrors()).toEqual([document.syntaxError])
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
      { numRuns: share(3000) },
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
