/** Headings of a PDF that stand so close to each other that several are one text. */
import { expect, it } from "vitest"
import {
  findEdges,
  findHeadings,
  findOneEach,
  findSeveral,
  findTwin,
  joinHeadings,
} from "../../src/bills/reading/pdf/headings.ts"
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

it("headings are parted beside those that mean nothing", () => {
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

it("headings stay one where they are one", () => {
  expect(headingsOf(phrase("Connote", 215), phrase("Freight ex GST", 265), phrase("Total GST", 350))).toEqual(
    ["Connote", "Freight ex GST", "Total GST"],
  )
})

const reader = createMapping(COLUMNS, [])
const lineAt = (y: number, ...phrases: readonly Phrase[]): Line => ({
  ...{ page: 1, width: 842, line: y / 10, y, height: 8, phrases },
})
const columnsOf = (...texts: readonly string[]) =>
  texts.map((text, at) => ({ text, x0: at * 100, x1: at * 100 + 50, meaning: reader.meaning(text) }))

it("headings are the line below a title that is a heading elsewhere, and not both", () => {
  const title = lineAt(100, phrase("Charges", 40))
  const headings = lineAt(110, phrase("Connote", 40), phrase("Service", 150), phrase("Total ex GST", 300))
  expect(findHeadings([title, headings], 0, reader)).toBeUndefined()
  expect(findHeadings([title, headings], 1, reader)?.columns.map(({ text }) => text)).toEqual([
    ...["Connote", "Service", "Total ex GST"],
  ])
})

it("headings are at least three columns, one of amounts", () => {
  const find = (...texts: readonly string[]) =>
    headingsOf(...texts.map((text, at) => phrase(text, 40 + at * 120)))
  expect([find("Connote", "Total"), find("Connote", "Service", "Weight")]).toEqual([undefined, undefined])
  expect(find("Connote", "Zone", "Total")).toEqual(["Connote", "Zone", "Total"])
})

it.each([
  [["Consign-", "ment"], "Consignment"],
  [["Total ex", "GST"], "Total ex GST"],
  [["Non-", "GST"], "Non- GST"],
])("headings over two lines are one: %j", ([above = "", below = ""], text) => {
  const lines = [lineAt(100, phrase(above, 40)), lineAt(110, phrase(below, 42))]
  const { columns } = joinHeadings(
    lines,
    lines.map(({ phrases }) => phrases),
    reader,
  )
  expect(columns.map((each) => each.text)).toEqual([text])
})

it.each([
  [["Connote", "Total", "Connote", "Total"], 2],
  [["Connote", "Total", "Connote", "GST"], undefined],
  [["Total", "Total"], undefined],
  [["Total", "Total", "Total"], undefined],
])("headings of two tables side by side are recognized by their words: %j", (texts, half) => {
  expect(findTwin({ lines: [], columns: columnsOf(...texts) })).toBe(half)
})

it.each([
  ["most cells have it", ["1.00 2.00", "3.00 4.00", "5.00"], "1.00 2.00"],
  ["half of them have", ["1.00 2.00", "3.00", ""], undefined],
  ["none has", ["1.00", "Freight 2"], undefined],
])("headings stand over what belongs to several columns where %s", (_, cells, cell) => {
  expect(findSeveral([{ text: "Total", cells }])?.cell).toBe(cell)
})

it("headings have their edges between the texts below them, as far as those leave room", () => {
  const columns = [
    { text: "A", x0: 0, x1: 20 },
    { text: "B", x0: 100, x1: 120 },
  ]
  const row = lineAt(120, phrase("AAAAA", 0), phrase("BB", 110))
  expect(findOneEach(columns, [row])).toEqual([60])
  // A heading that goes over the gap stands beside its column.
  const wide = [
    { text: "A", x0: 0, x1: 115 },
    { text: "B", x0: 118, x1: 140 },
  ]
  expect(findOneEach(wide, [row])).toBeUndefined()
  expect(findEdges(columns, [row])).toEqual([60])
})

it("headings have no edge where a text stands between two of them and may be of either", () => {
  const columns = [
    { text: "A", x0: 0, x1: 20 },
    { text: "B", x0: 100, x1: 120 },
  ]
  expect(findEdges(columns, [lineAt(120, phrase("Text", 30))])).toBeUndefined()
})

it.each([
  ["Invoice", 260, ["Connote", "Service", "Total ex GST"]],
  ["Invoice", 150, ["Number", "Date", "Amount"]],
  ["Charges", 150, ["Consignment", "Zone", "Total"]],
  ["Freight", 40, ["Connote", "Service", "Total ex GST"]],
])("headings have no word of a letterhead above them: %s at %d", (word, at, texts) => {
  const headings = lineAt(110, ...texts.map((text, column) => phrase(text, 40 + column * 110)))
  const found = findHeadings([lineAt(100, phrase(word, at)), headings], 1, reader)
  expect(found?.columns.map(({ text }) => text)).toEqual(texts)
})

/** Headings, the second of which are words that stand close, and a row for each list of texts below those. */
function closeHeadings(close: string, ...rows: readonly (readonly string[])[]): string[] | undefined {
  const whole = phrase(close, 200)
  const headings = lineAt(100, phrase("Zone", 40), whole, phrase("Total ex GST", 500))
  const below = rows.map((texts, at) => {
    const width = (whole.x1 - whole.x0) / texts.length
    const words = texts.map((text, index) => {
      const x0 = whole.x0 + index * width
      return { text, x0, x1: x0 + width - 3 }
    })
    const texted = { text: texts.join(" "), x0: whole.x0, x1: whole.x1, words }
    return lineAt(110 + at * 10, phrase("X1", 40), texted, phrase("10.00", 500))
  })
  return findHeadings([headings, ...below], 0, reader)?.columns.map(({ text }) => text)
}

it("headings stay one over the words of one text, and are parted over a number and its day", () => {
  const isParted = (...texts: readonly string[]) =>
    closeHeadings("Connote Date", texts, texts)?.includes("Connote Date") === false
  expect(isParted("Perth", "Sydney")).toBe(false)
  expect(isParted("SBB00000001", "12/10/2026")).toBe(true)
})

it("headings that mean nothing together are parted by two rows, and not by one", () => {
  const row = ["AB-10023", "Perth"]
  expect(closeHeadings("Our Ref Your Ref", row)).toBeUndefined()
  expect(closeHeadings("Our Ref Your Ref", row, row)).toEqual(["Zone", "Our Ref", "Your Ref", "Total ex GST"])
})

it("headings over three lines are one, as far apart as lines are", () => {
  const lines = [
    lineAt(100, phrase("Connote", 40), phrase("Service", 150), phrase("Amount", 300)),
    lineAt(111, phrase("ex", 302)),
    lineAt(122, phrase("GST", 302)),
  ]
  expect(findHeadings(lines, 0, reader)?.columns.map(({ text }) => text)).toEqual([
    ...["Connote", "Service", "Amount ex GST"],
  ])
})

it("headings may begin with one word of one of them, above the others", () => {
  const lines = [
    lineAt(100, phrase("Amount", 300)),
    lineAt(110, phrase("Connote", 40), phrase("Zone", 150), phrase("ex GST", 298)),
  ]
  expect(findHeadings(lines, 0, reader)?.columns.map(({ text }) => text)).toEqual([
    ...["Connote", "Zone", "Amount ex GST"],
  ])
})

it("headings are parted over a number and its day beside one that goes on below", () => {
  const whole = phrase("Connote Date", 200)
  const half = (whole.x1 - whole.x0) / 2
  const words = ["SBB00000001", "12/10/2026"].map((text, at) => {
    const x0 = whole.x0 + at * half
    return { text, x0, x1: x0 + half - 2 }
  })
  const row = { text: "SBB00000001 12/10/2026", x0: whole.x0, x1: whole.x1, words }
  const lines = [
    lineAt(100, phrase("Zone", 40), whole, phrase("Total", 500)),
    lineAt(110, phrase("ex GST", 500)),
    ...[120, 130].map((y) => lineAt(y, phrase("X1", 40), row, phrase("10.00", 500))),
  ]
  expect(findHeadings(lines, 0, reader)?.columns.map(({ text }) => text)).toEqual([
    ...["Zone", "Connote", "Date", "Total ex GST"],
  ])
})

it("headings are parted by what most of the first rows have, and below lines without an amount", () => {
  const row = ["SBB00000001", "12/10/2026"]
  expect(closeHeadings("Connote Date", row, row, ["Perth"])).toContain("Date")
  const { x0, x1, words } = phrase("Our Ref Your Ref", 200)
  const own = [x0, x0 + (x1 - x0) / 2].map((from, at) => ({
    ...{ text: ["AB-10023", "Perth"][at] ?? "", x0: from, x1: from + 25 },
  }))
  const texted = { text: "AB-10023 Perth", x0, x1, words: own }
  const lines = [
    lineAt(100, phrase("Zone", 40), { text: "Our Ref Your Ref", x0, x1, words }, phrase("Total ex GST", 500)),
    ...[130, 150, 170].map((y) => lineAt(y, phrase("Week 44", 40))),
    ...[190, 200].map((y) => lineAt(y, phrase("X1", 40), texted, phrase("10.00", 500))),
  ]
  expect(findHeadings(lines, 0, reader)?.columns.map(({ text }) => text)).toEqual([
    ...["Zone", "Our Ref", "Your Ref", "Total ex GST"],
  ])
})

it.each([
  ...["From", "To", "Qty", "Quantity", "Rate", "Item", "Items", "Pcs", "Pieces", "Cartons", "Zone", "Origin"],
  ...["Destination", "M3", "Cubic", "Suburb", "State"],
])("headings are parted from one that means nothing: %s", (word) => {
  const close = headingsOf(phrase(`Connote ${word}`, 40), phrase("Service", 300), phrase("Total ex GST", 450))
  expect(close).toEqual(["Connote", word, "Service", "Total ex GST"])
})

const span = (text: string, x0: number, x1: number) => ({ text, x0, x1 })

it("headings have their edges between texts, and not between the words of one", () => {
  const one = { ...span("X", 0, 5), words: [span("X", 0, 5)] }
  const two = { ...span("AA BB", 8, 60), words: [span("AA", 8, 12), span("BB", 40, 60)] }
  const three = { ...span("CC", 75, 110), words: [span("CC", 75, 110)] }
  expect(findEdges([span("A", 0, 20), span("B", 100, 120)], [lineAt(120, one, two, three)])).toEqual([67.5])
})

it("headings have no word left out that stands before the first of them", () => {
  const words = [span("No", 0, 6), span("AA", 12, 20), span("BB", 50, 60)]
  const row = lineAt(120, { ...span("No AA BB", 0, 60), words })
  expect(findOneEach([span("A", 10, 20), span("B", 50, 60)], [row])).toBeUndefined()
})
