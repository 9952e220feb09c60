import { PDFDocument, StandardFonts } from "@cantoo/pdf-lib"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { Face, fitText } from "../../../src/output/paper/text.ts"

const pdf = await PDFDocument.create()
const face = new Face(pdf.embedStandardFont(StandardFonts.Helvetica))

describe("printable", () => {
  it.each([
    ["Zoë O’Brien – 5 €", "Zoë O’Brien – 5 €"],
    ["Ze\u0301", "Zé"],
    ["Māori ﬁsh ½", "Maori fish ½"],
    ["株式会社 Ltd", "???? Ltd"],
    ["a\u0000\r\n\tb\u00a0c", "a b c"],
    ["\u001b[31mred\u001b[0m", "red"],
    ["a\u202eb\u200b", "ab"],
    ["❤\ufe0f", "?"],
    ["a\u3164b\u{e0049}\ufff9c\u180e", "abc"],
    ["\ud800", "?"],
    ["  ", ""],
  ])("%j is printed as %j", (text, printed) => {
    expect(face.printable(text)).toBe(printed)
  })
})

describe("fitText", () => {
  it("leaves a text that fits as it is", () => {
    expect(fitText("Fremantle", face, { width: 100, size: 12, smallest: 6 })).toEqual({
      lines: ["Fremantle"],
      size: 12,
    })
  })

  it("wraps at spaces", () => {
    const { lines } = fitText("Little Creatures Homewares", face, {
      width: 90,
      lines: 3,
      size: 12,
      smallest: 12,
    })
    expect(lines).toEqual(["Little Creatures", "Homewares"])
  })

  it("breaks inside a word that is wider than a line", () => {
    const { lines } = fitText("x ABCDEFGHIJ", face, { width: 50, lines: 3, size: 12, smallest: 12 })
    expect(lines).toEqual(["x", "ABCDEF", "GHIJ"])
  })

  it("shrinks what does not fit", () => {
    const { lines, size } = fitText("Woolloomooloo", face, { width: 60, size: 12, smallest: 6 })
    expect([lines, size < 12]).toEqual([["Woolloomooloo"], true])
  })

  it("ends in an ellipsis what does not fit at the smallest size", () => {
    const { lines, size } = fitText("Woolloomooloo Bay North", face, { width: 60, size: 12, smallest: 9 })
    expect([lines, size]).toEqual([["Woolloomoo…"], 9])
  })

  it("keeps any text inside its space", () => {
    const text = fc.oneof(fc.string({ unit: "binary" }), fc.lorem({ maxCount: 60 }))
    fc.assert(
      fc.property(
        text,
        fc.integer({ min: 20, max: 250 }),
        fc.integer({ min: 1, max: 4 }),
        (any, width, most) => {
          const { lines, size } = fitText(any, face, { width, lines: most, size: 14, smallest: 6 })
          expect(lines.length).toBeLessThanOrEqual(most)
          expect(size).toBeGreaterThanOrEqual(6)
          for (const line of lines) expect(drawnWidth(line, size)).toBeLessThanOrEqual(width + 1e-6)
        },
      ),
    )
  })
})

/** Text is drawn without kerning, which the font's own measure of a whole line counts in. */
function drawnWidth(line: string, size: number): number {
  return Array.from(line).reduce(
    (width, character) => width + face.font.widthOfTextAtSize(character, size),
    0,
  )
}
