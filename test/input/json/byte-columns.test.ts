/** Columns that count bytes of UTF-8. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { createPositionFinder } from "../../../src/input/json/position.ts"

const PIECES = ["a", '"', " ", "\t", "é", "€", "😀", "\n", "\r\n", "\r"]
const pieces = fc.array(fc.constantFrom(...PIECES), { maxLength: 30 })

function createByteColumnFinder(text: string, mark: number): (offset: number) => number {
  const find = createPositionFinder(text, { columns: "bytes", mark })
  return (offset) => find(offset).column
}

/** Counted anew for each place. */
function toColumn(before: string, mark: number): number {
  const lines = before.split(/\r\n?|\n/)
  return Buffer.byteLength(lines.at(-1) ?? "") + 1 + (lines.length === 1 ? mark : 0)
}

describe("a column in bytes", () => {
  it("is that of a count from the start of the line, whatever was asked before", () => {
    fc.assert(
      fc.property(
        pieces,
        fc.array(fc.nat(30), { maxLength: 8 }),
        fc.constantFrom(0, 3),
        (all, asked, mark) => {
          const find = createByteColumnFinder(all.join(""), mark)
          for (const count of asked) {
            const before = all.slice(0, count).join("")
            // Between the two halves of a line's end nothing begins.
            const splits = before.endsWith("\r") && all[count]?.startsWith("\n")
            if (!splits) expect(find(before.length)).toBe(toColumn(before, mark))
          }
        },
      ),
    )
  })

  it.each([
    ["a", 1],
    ["😀", 2],
    ["b", 6],
  ])("of %s in a😀b is %d, as the format's own example has it", (character, column) => {
    expect(createByteColumnFinder("a😀b", 0)("a😀b".indexOf(character))).toBe(column)
  })

  it("keeps to the line of a carriage return and a line feed between the two", () => {
    const text = "ab\r\ncd"
    expect(createPositionFinder(text)(3)).toMatchObject({ line: 1, column: 4 })
    expect([3, 5, 3].map(createByteColumnFinder(text, 0))).toEqual([4, 2, 4])
  })
})
