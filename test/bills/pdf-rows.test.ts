/** The rows of a PDF as they are shown: each of them, with all that stands in its cells. */
import { describe, expect, it } from "vitest"
import { readPdfRows } from "../../src/bills/reading/pdf/open.ts"
import { DAY } from "./desk.ts"
import { readPagesHere } from "./pages-here.ts"
import { drawLines, type LineStyle } from "./pdfs.ts"

/** Texts of a line; a negative place is that of a right edge. */
type Texts = readonly (readonly [text: string, x: number])[]

const GAP: Texts = []
/** Lines half as far apart as usual. */
const HALF = { leading: 0.6 }

/** The rows that a PDF has of these lines. */
async function readRows(lines: readonly Texts[], style: LineStyle = {}) {
  async function* chunks() {
    yield await drawLines(lines, style)
  }
  const rows = await readPdfRows("bill.pdf", chunks(), {
    ...{ signal: new AbortController().signal, map: [], nowMs: Date.parse(DAY), readPages: readPagesHere },
  })
  return rows.map(({ cells, refusal, line }) => ({ cells: cells.map(([, text]) => text), refusal, line }))
}

const readCells = async (...drawing: Parameters<typeof readRows>): Promise<string[][]> =>
  (await readRows(...drawing)).map(({ cells }) => cells)

describe("a cell that goes over several lines, one of them wider than its heading, is whole", () => {
  const HEADINGS: Texts = [
    ["Item", 40],
    ["Consignment", 70],
    ["Particulars", 160],
    ["Weight", -360],
    ["Amount (inc GST)", -490],
  ]
  const ZONE: Texts = [["Zone", 375]]
  const ONE = ["Freight GEN, 1 carton to Derwent", "Supplies, Hobart TAS"] as const
  const TWO = ["Freight EXP, 12 cartons to Church Street", "Repairs, Parramatta NSW"] as const
  const THREE = ["Freight GEN", "to Kangaroo Traders Pty Ltd, Dubbo NSW"] as const
  const CELLS = [ONE, TWO, THREE].map(([one, two], at) => [
    ...[String(at + 1), `SBC0000000${at + 1}`, `${one} ${two}`, "5.5", "45.07"],
  ])
  const TOTAL: Texts = [
    ["TOTAL DUE", 250],
    ["135.21", -490],
  ]
  const restOf = (at: number): Texts => [
    [String(at + 1), -55],
    [`SBC0000000${at + 1}`, 70],
    ["5.5", -360],
    ["45.07", -490],
  ]
  const drawRows = (write: (one: Texts, two: Texts, rest: Texts) => readonly Texts[]) =>
    [ONE, TWO, THREE].flatMap(([one, two], at) => write([[one, 160]], [[two, 160]], restOf(at)))
  const withTop = (headings: Texts, rows: readonly Texts[]) => [
    ...[GAP, headings, GAP, GAP, ...rows, GAP, TOTAL],
  ]

  it.each<[where: string, write: Parameters<typeof drawRows>[0]]>([
    ["around its row", (one, two, rest) => [one, rest, two, GAP, GAP]],
    ["from its row on", (one, two, rest) => [[...one, ...rest], GAP, two, GAP, GAP]],
  ])("%s", async (_, write) => {
    const rows = await readCells(withTop(HEADINGS, drawRows(write)), HALF)
    expect(rows.slice(0, 3)).toEqual(CELLS)
  })

  it("around its row, beside a column without cells", async () => {
    const rows = drawRows((one, two, rest) => [one, rest, two, GAP, GAP])
    const read = await readCells(withTop([...HEADINGS, ...ZONE], rows), HALF)
    expect(read.slice(0, 3)).toEqual(CELLS.map((cells) => cells.toSpliced(4, 0, "")))
  })
})

describe("the first row is shown", () => {
  const ROWS: readonly Texts[] = [1, 2].flatMap((at): Texts[] => [
    [
      [`SBC0000000${at}`, 40],
      [`SO-1000${at}`, 110],
      ["GEN 4 CTN 88KG", 180],
      ["4", -290],
      ["97.40", -350],
    ],
    [
      ["Fuel Levy @ 6.66%", 180],
      ["6.49", -350],
    ],
  ])
  const CELLS = [1, 2].flatMap((at) => [
    [`SBC0000000${at}`, `SO-1000${at}`, "GEN 4 CTN 88KG", "4", "97.40"],
    ["", "", "Fuel Levy @ 6.66%", "", "6.49"],
  ])
  const TOTAL: Texts = [
    ["Total ex GST", 180],
    ["207.78", -350],
  ]
  it.each<[below: string, headings: readonly Texts[]]>([
    [
      "below headings of one line",
      [
        [
          ["Connote", 40],
          ["Cust Ref", 110],
          ["Item / Charge Description", 180],
          ["Qty", -290],
          ["Charge Amt", -350],
        ],
      ],
    ],
    [
      "below headings of two lines",
      [
        [
          ["Item / Charge", 180],
          ["Charge", -350],
        ],
        [
          ["Connote", 40],
          ["Cust Ref", 110],
          ["Description", 180],
          ["Qty", -290],
          ["Amt", -350],
        ],
      ],
    ],
    [
      "below headings of two lines of which the second has few",
      [
        [
          ["Connote", 40],
          ["Cust Ref", 110],
          ["Item / Charge", 180],
          ["Qty", -290],
          ["Charge Amt", -350],
        ],
        [["Description", 180]],
      ],
    ],
    [
      "below headings of which several are one text",
      [
        [
          ["Connote", 40],
          ["Cust Ref", 110],
          ["Item / Charge Description", 180],
          ["Qty Charge Amt", -350],
        ],
      ],
    ],
  ])("%s, with charges below its consignment", async (_, headings) => {
    expect((await readCells([GAP, ...headings, ...ROWS, TOTAL])).slice(0, 4)).toEqual(CELLS)
  })
})

describe("a row that cannot be read is shown in its place, with the reason", () => {
  const HEADINGS: Texts = [
    ["Consignment", 40],
    ["Reference", 130],
    ["Ex GST", -414],
    ["Inc GST", -490],
  ]
  const row = (number: string, reference: string, ...amounts: readonly string[]): Texts => [
    ...[[number, 40] as const, [reference, 130] as const].filter(([text]) => text !== ""),
    ...amounts.map((text, at) => [text, at === 0 ? -414 : -490] as const),
  ]
  const FIRST = row("SBC00000001", "SO-1", "10.00", "11.00")
  const LAST = row("SBC00000003", "SO-3", "30.00", "33.00")
  const shown = async (lines: readonly Texts[]) =>
    (await readRows([GAP, HEADINGS, ...lines])).map(({ cells, refusal }) => [...cells, refusal?.reason])

  it("where an amount goes over two lines", async () => {
    const cut: readonly Texts[] = [row("SBC00000002", "SO-2", "1,234.", "1,357.40"), [["00", -414]]]
    expect(await shown([FIRST, ...cut, LAST])).toEqual([
      ["SBC00000001", "SO-1", "10.00", "11.00", undefined],
      [
        ...["SBC00000002", "SO-2", "1,234.", "1,357.40"],
        '"1,234." and "00" below it seem to be one amount over two lines',
      ],
      ["", "", "00", "", undefined],
      ["SBC00000003", "SO-3", "30.00", "33.00", undefined],
    ])
  })

  it("where a number may name the charges below it", async () => {
    const above = [row("SBC00000002", ""), row("", "Freight", "20.00", "22.00")]
    expect(await shown([FIRST, ...above, LAST])).toEqual([
      ["SBC00000001", "SO-1", "10.00", "11.00", undefined],
      ["SBC00000002", "", "", "", '"SBC00000002" may name the charges below it, which name nothing'],
      ["", "Freight", "20.00", "22.00", undefined],
      ["SBC00000003", "SO-3", "30.00", "33.00", undefined],
    ])
  })
})
