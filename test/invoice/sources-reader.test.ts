import path from "node:path"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { Reader } from "../../src/invoice/sources/reading.ts"
import { folderOf } from "./runs.ts"

const reader = new Reader()

function fileOf(content: string | Uint8Array, name = "x.ndjson"): string {
  return path.join(folderOf({ [name]: content }), name)
}

function lineFeeds(bytes: Uint8Array): number {
  return bytes.filter((byte) => byte === 10).length
}

describe("ranges of a file of lines", () => {
  it("hold each line once, at its number, wherever they are cut", () => {
    const text = fc.oneof(
      fc.constantFrom("", "{}", "é🙂", "x".repeat(50)),
      fc.string({ unit: "grapheme", maxLength: 12 }).map((each) => each.replaceAll("\n", "")),
    )
    fc.assert(
      fc.property(
        fc.array(fc.tuple(text, fc.constantFrom("\n", "\r\n")), { maxLength: 12 }),
        fc.boolean(),
        fc.integer({ min: 1, max: 40 }),
        (lines, ended, step) => {
          const all = Buffer.from(lines.map(([each, end]) => each + end).join("") + (ended ? "" : "last"))
          const file = fileOf(all)
          let read = Buffer.alloc(0)
          let passed = 0
          for (let start = 0; start < all.length; start += step) {
            const range = reader.range(file, start, Math.min(all.length, start + step))
            const bytes = Buffer.from(range.bytes)
            if (bytes.length > 0) expect(passed + range.before).toBe(lineFeeds(read))
            read = Buffer.concat([read, bytes])
            passed += range.lines(lineFeeds(bytes))
          }
          expect(read).toEqual(all)
          expect(passed).toBe(lineFeeds(all))
        },
      ),
      { numRuns: 300 },
    )
  })

  it("follow a line that reaches far beyond its range", () => {
    const long = `${"x".repeat(200_000)}\n`
    const file = fileOf(`a\n${long}b\n`)
    expect(reader.range(file, 0, 10).bytes.toString()).toBe(`a\n${long}`)
    expect(reader.range(file, 10, 150_000).bytes).toHaveLength(0)
    expect(reader.range(file, 150_000, 200_004).bytes.toString()).toBe("b\n")
  })

  it("are empty behind the end of a file that has become shorter", () => {
    expect(reader.range(fileOf("a\n"), 10, 20).bytes).toHaveLength(0)
  })
})

describe("a whole file", () => {
  it("is read, whatever was read before it", () => {
    const large = "x".repeat(3_000_000)
    expect(reader.whole(fileOf(large, "a.json"))).toHaveLength(large.length)
    expect(reader.whole(fileOf("small", "b.json")).toString()).toBe("small")
    expect(reader.whole(fileOf("", "c.json"))).toHaveLength(0)
  })

  it("that fills the reader's buffer exactly is read to its end", () => {
    for (const size of [2 ** 18 - 1, 2 ** 18, 2 ** 18 + 1])
      expect(reader.whole(fileOf("x".repeat(size), "a.json"))).toHaveLength(size)
  })

  it("of many lines is left to ranges", () => {
    const text = `${`{"a":"${"x".repeat(90)}"}\n`.repeat(50_000)}`
    expect(reader.whole(fileOf(text))).toEqual({ lines: text.length })
    expect(reader.whole(fileOf(text, "by-content"))).toEqual({ lines: text.length })
  })

  it("that is one large document is not", () => {
    const text = `{\n"a":"${"x".repeat(5_000_000)}"}`
    expect(reader.whole(fileOf(text, "a.json"))).toHaveLength(text.length)
  })

  it("that is not there is an error of the file system", () => {
    expect(() => reader.whole("/nowhere/a.json")).toThrow("ENOENT")
  })
})
