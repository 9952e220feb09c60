import path from "node:path"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { createReader, cutAtLines } from "../../src/invoice/sources/reading.ts"
import { folderOf } from "./runs.ts"

const read = createReader()

function fileOf(content: string | Uint8Array, name = "x.ndjson"): string {
  return path.join(folderOf({ [name]: content }), name)
}

describe("ranges of a file of lines", () => {
  it("hold all of it, each whole lines, wherever they are cut", () => {
    const text = fc.oneof(fc.constantFrom("", "{}", "é🙂", "x".repeat(50)), fc.string({ maxLength: 12 }))
    fc.assert(
      fc.property(
        fc.array(fc.tuple(text, fc.constantFrom("\n", "\r\n")), { maxLength: 12 }),
        fc.boolean(),
        fc.integer({ min: 1, max: 9 }),
        (lines, ended, count) => {
          const all = Buffer.from(lines.map(([each, end]) => each + end).join("") + (ended ? "" : "last"))
          const ranges = cutAtLines(fileOf(all), all.length, count)
          const read = ranges.map(({ start, end }) => all.subarray(start, end))
          expect(Buffer.concat(read)).toEqual(all)
          expect(ranges.length).toBeLessThanOrEqual(count)
          for (const bytes of read.slice(0, -1)) expect(bytes.at(-1)).toBe(10)
        },
      ),
      { numRuns: 300 },
    )
  })

  it("follow a line that reaches far beyond its share", () => {
    const text = `a\n${"x".repeat(600_000)}\nb\n`
    const file = fileOf(text)
    expect(cutAtLines(file, text.length, 4)).toEqual([
      { file, start: 0, end: text.length - 2 },
      { file, start: text.length - 2, end: text.length },
    ])
  })

  it("end where a file does that has become shorter", () => {
    const file = fileOf("a\n")
    expect(cutAtLines(file, 20, 2)).toEqual([{ file, start: 0, end: 20 }])
  })
})

describe("a whole file", () => {
  it("is read, whatever was read before it", () => {
    const large = "x".repeat(3_000_000)
    expect(read(fileOf(large, "a.json"))).toHaveLength(large.length)
    expect(read(fileOf("small", "b.json")).toString()).toBe("small")
    expect(read(fileOf("", "c.json"))).toHaveLength(0)
  })

  it("that fills the reader's buffer exactly is read to its end", () => {
    for (const size of [2 ** 18 - 1, 2 ** 18, 2 ** 18 + 1])
      expect(read(fileOf("x".repeat(size), "a.json"))).toHaveLength(size)
  })

  it("of many lines is left to be read in pieces", () => {
    const text = `${`{"a":"${"x".repeat(90)}"}\n`.repeat(50_000)}`
    expect(read(fileOf(text))).toEqual({ lines: text.length })
    expect(read(fileOf(text, "by-content"))).toEqual({ lines: text.length })
  })

  it("that is one large document is read at once", () => {
    const text = `{\n"a":"${"x".repeat(5_000_000)}"}`
    expect(read(fileOf(text, "a.json"))).toHaveLength(text.length)
  })

  it("that is not there is an error of the file system", () => {
    expect(() => read("/nowhere/a.json")).toThrow("ENOENT")
  })
})
