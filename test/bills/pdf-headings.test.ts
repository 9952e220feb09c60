/** Headings of a PDF that stand so close to each other that several are one text. */
import { expect, it } from "vitest"
import { findHeadings } from "../../src/bills/reading/pdf/headings.ts"
import { COLUMNS } from "../../src/bills/reading/csv.ts"
import { createMapping } from "../../src/input/columns/mapping.ts"
import type { Line, Phrase } from "../../src/input/pdf/lines.ts"

/** Words with a blank between them, from a place on. */
function phrase(text: string, from: number): Phrase {
  let x0 = from
  const words = text.split(" ").map((word) => {
    const span = { text: word, x0, x1: x0 + word.length * 4 }
    x0 = span.x1 + 2
    return span
  })
  return { text, x0: from, x1: x0 - 2, words }
}

function headingsOf(...phrases: readonly Phrase[]): string[] | undefined {
  const line: Line = { page: 1, width: 842, line: 1, y: 100, height: 8, phrases }
  return findHeadings([line], 0, createMapping(COLUMNS, []))?.columns.map(({ text }) => text)
}

it("are parted beside those that mean nothing", () => {
  expect(
    headingsOf(
      phrase("Connote", 215),
      phrase("Consigned Cust Ref", 265),
      phrase("From", 350),
      phrase("To", 390),
      phrase("Item / Charge Description Qty", 441),
      phrase("Rate Charge Amt Tax", 570),
    ),
  ).toEqual([
    ...["Connote", "Consigned", "Cust Ref", "From", "To", "Item / Charge Description", "Qty"],
    ...["Rate", "Charge Amt", "Tax"],
  ])
})

it("stay one where they are one", () => {
  expect(headingsOf(phrase("Connote", 215), phrase("Freight ex GST", 265), phrase("Total GST", 350))).toEqual(
    ["Connote", "Freight ex GST", "Total GST"],
  )
})
