import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { decimalOf, unitsAt } from "../../../src/base/money.ts"
import { toPointer } from "../../../src/input/json/pointer.ts"
import { readJson } from "../../../src/input/json/read.ts"
import { share } from "../../drawn.ts"

const BOOKING = `{
  "packages": [
    { "count": 1, "weightKg": 5.50 },
    { "count": 2, "weightKg": 1e2 }
  ],
  "a/b": { "": null, "\\u006eame": "Zoë 😀", "m~n": true }
}`

/** Every pointer into a value, with what it points at. */
function* pointersInto(value: unknown): Generator<[string, unknown]> {
  const todo: [(string | number)[], unknown][] = [[[], value]]
  for (let next = todo.pop(); next; next = todo.pop()) {
    const [segments, inner] = next
    yield [toPointer(segments), inner]
    if (Array.isArray(inner))
      for (const [index, element] of inner.entries()) todo.push([[...segments, index], element])
    else if (typeof inner === "object" && inner !== null)
      for (const [name, member] of Object.entries(inner)) todo.push([[...segments, name], member])
  }
}

describe("the value", () => {
  it.each([
    "null",
    "0",
    '"x"',
    "[]",
    "{}",
    " [1]\r\n",
    "-0.5e-7",
    '"\\ud83d\\ude00"',
  ])("of %s is as JSON.parse gives it", (text) => {
    expect(readJson(text).value).toEqual(JSON.parse(text))
  })

  it("does not come after a byte order mark, which belongs to bytes", () => {
    expect(readJson('\ufeff{"a":1}').syntaxError?.message).toContain("U+FEFF")
  })

  it("has __proto__ as an ordinary property", () => {
    const { value } = readJson('{"__proto__": {"admin": true}}')
    expect(Object.keys(value as object)).toEqual(["__proto__"])
    expect((value as { admin?: boolean }).admin).toBeUndefined()
  })

  it("keeps half a surrogate pair as it is written", () => {
    expect(readJson('"\\ud800"').value).toBe("\ud800")
  })
})

describe("locate", () => {
  const document = readJson(BOOKING)

  it.each([
    ["", undefined, 1, 1],
    ["/packages", undefined, 2, 15],
    ["/packages/1", undefined, 4, 5],
    ["/packages/0/weightKg", undefined, 3, 31],
    ["/a~1b/", undefined, 6, 16],
    ["/a~1b/name", undefined, 6, 35],
    ["/a~1b/m~0n", undefined, 6, 51],
    ["", "packages", 2, 3],
    ["/packages/1", "weightKg", 4, 19],
    ["/a~1b", "name", 6, 22],
    ["/packages/1", "lengthCm", 4, 5],
    ["/packages", "0", 2, 15],
  ])("finds %j %j on line %i, column %i", (pointer, property, line, column) => {
    expect(document.locate(pointer, property)).toMatchObject({ line, column })
  })

  it.each([
    "/x",
    "/packages/2",
    "/packages/-1",
    "/packages/00",
    "/packages/length",
    "/packages/0/count/x",
    "/toString",
  ])("finds nothing at %s", (pointer) => {
    expect(document.locate(pointer)).toBeUndefined()
  })

  it("refuses what is not a pointer", () => {
    expect(() => document.locate("packages")).toThrow(RangeError)
  })

  it("points at the text of each value, for any value in any layout", () => {
    const layout = fc.constantFrom(undefined, 2, "\t")
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: "binary" }), layout, fc.boolean(), (value, indent, crlf) => {
        const lines = JSON.stringify(value, null, indent)
        const text = crlf ? lines.replaceAll("\n", "\r\n") : lines
        const read = readJson(text)
        expect(read.value).toEqual(JSON.parse(text))
        for (const [pointer, inner] of pointersInto(JSON.parse(text))) {
          const source = read.sourceOf(pointer) ?? ""
          expect(JSON.parse(source)).toEqual(inner)
          const place = read.locate(pointer)
          const line = Array.from(text.split(/\r\n|\n/)[(place?.line ?? 0) - 1] ?? "")
          const rest = line.slice((place?.column ?? 0) - 1).join("")
          expect(source.startsWith(rest) || rest.startsWith(source)).toBe(true)
          expect(text.startsWith(source, place?.offset)).toBe(true)
        }
      }),
    )
  })
})

describe("sourceOf", () => {
  it.each([
    ["/packages/0/weightKg", "5.50"],
    ["/packages/1/weightKg", "1e2"],
    ["/packages/0", '{ "count": 1, "weightKg": 5.50 }'],
    ["/a~1b/name", '"Zoë 😀"'],
    ["/x", undefined],
  ])("of %s is %j", (pointer, source) => {
    expect(readJson(BOOKING).sourceOf(pointer)).toBe(source)
  })

  it("keeps digits that a number cannot hold", () => {
    expect(readJson('{"a": 19.990000000000000001}').sourceOf("/a")).toBe("19.990000000000000001")
  })
})

describe("numbers that may have lost something", () => {
  const textsIn = (text: string) => {
    const numbers = readJson(text).numbers ?? new Map<object, Map<string, string>>()
    return [...numbers.values()].map((members) => Object.fromEntries(members))
  }

  it("are known by what they are in, as they are written", () => {
    expect(textsIn('{"a": [1, 1e2, {"b": 0.10000000000000000000}], "c": 12345678901234567}')).toEqual([
      { 1: "1e2" },
      { b: "0.10000000000000000000" },
      { c: "12345678901234567" },
    ])
  })

  it("are those that count, of repeated names", () => {
    expect(textsIn('{"a": 1e2, "a": 1e3, "b": {"c": 1e2}, "b": 1}')).toEqual([{ a: "1e3" }])
    expect(textsIn('{"a": 1e2, "a": 1, "b": {"c": 1e2}, "b": {"c": 2}}')).toEqual([])
  })

  it("are all numbers where every number is asked for", () => {
    const { numbers } = readJson("[1, -2.50]", { exhaustive: true })
    expect([...(numbers?.values() ?? [])].map((each) => [...each.values()])).toEqual([["1", "-2.50"]])
  })

  it.each([
    ["1.10", true],
    ["-0.00", true],
    ["123456789012.345", true],
    ["123456789012345", true],
    ["1234567890123456", false],
    ["9007199254740993", false],
    ["0.30000000000000004", false],
    ["1.000000000000000000001", false],
    ["1e2", false],
    ["1E400", false],
    ["5e-324", false],
    ['["1e5", "12345678901234567890"]', true],
    ['{"12345678901234567890": true, "a": [false, null]}', true],
    ["[12345678, 12345678, 12345678]", true],
  ])("of %s is %s", (text, plain) => {
    expect(readJson(`[${text}]`).numbers === undefined).toBe(plain)
  })

  it("holds only where each number is what its value says, digit by digit", () => {
    const digits = (most: number) => fc.stringMatching(new RegExp(`^\\d{1,${most}}$`))
    const number = fc
      .tuple(
        fc.constantFrom("", "-"),
        fc.stringMatching(/^(0|[1-9]\d{0,16})$/),
        fc.option(digits(12), { nil: undefined }),
        fc.option(fc.integer({ min: -400, max: 400 }), { nil: undefined, freq: 8 }),
      )
      .map(([sign, whole, fraction, power]) =>
        [sign, whole, fraction && `.${fraction}`, power !== undefined && `e${power}`]
          .filter(Boolean)
          .join(""),
      )
    fc.assert(
      fc.property(number, (text) => {
        const { value, numbers } = readJson(`{"a": [${text}, 1]}`)
        fc.pre(numbers === undefined)
        const [found] = (value as { a: number[] }).a
        const [one, other] = [decimalOf(String(found)), decimalOf(text)]
        const places = Math.max(one.places, other.places)
        expect(unitsAt(one, places)).toBe(unitsAt(other, places))
      }),
      { numRuns: share(2000) },
    )
  })
})

describe("duplicateKeys", () => {
  const keysOf = (text: string) =>
    readJson(text)
      .findErrors()
      .map(({ pointer, property, line, column }) => `${line}:${column} ${pointer} ${property}`)

  it("names the second and mentions the first", () => {
    expect(readJson('{\n"a": 1,\n  "a": 2}').findErrors()).toEqual([
      {
        rule: "json/duplicate-key",
        message: 'the name "a" is repeated in this object; the first is on line 2, column 1',
        hint: "keep one of the two",
        line: 3,
        column: 3,
        offset: 12,
        pointer: "",
        property: "a",
      },
    ])
  })

  it("finds every repetition, in the text's order", () => {
    expect(keysOf('[{"x":{"b":1,"b":2,"b":3},"x":1},{"/":[{"c":1,"c":1}]}]')).toEqual([
      "1:14 /0/x b",
      "1:20 /0/x b",
      "1:27 /0 x",
      "1:47 /1/~1/0 c",
    ])
  })

  it("knows a name by what it says, not how it is written", () => {
    expect(keysOf('{"name":1,"\\u006eame":2}')).toEqual(["1:11  name"])
  })

  it("finds a repeated __proto__", () => {
    expect(keysOf('{"__proto__":1,"__proto__":{"a":1}}')).toEqual(["1:16  __proto__"])
  })

  it("lets the last one count in the value, its place and its source", () => {
    const document = readJson('{"a":1,"a":2}')
    expect([document.value, document.locate("/a")?.column, document.sourceOf("/a")]).toEqual([
      { a: 2 },
      12,
      "2",
    ])
  })

  it.each([
    '[{"a":1},{"a":1}]',
    '{"a":{"a":{"a":[{"a":1}]}}}',
    '{"1":1,"01":1,"a:b":":","\\"":"\\\\","c":"\\\\\\":"}',
    '"{:"',
  ])("finds none in %s", (text) => {
    expect(keysOf(text)).toEqual([])
  })

  it("finds none in any value", () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: "binary" }), (value) => {
        expect(readJson(JSON.stringify(value)).findErrors()).toEqual([])
      }),
    )
  })

  it("finds one that is put into any object", () => {
    const members = fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 })
    fc.assert(
      fc.property(members, fc.jsonValue(), fc.nat(), (object, value, pick) => {
        const names = Object.keys(object)
        const name = names[pick % names.length] ?? ""
        const text = `${JSON.stringify(object).slice(0, -1)},${JSON.stringify(name)}:${JSON.stringify(value)}}`
        expect(readJson(`[${text}]`).findErrors()).toMatchObject([{ pointer: "/0", property: name }])
      }),
    )
  })
})
