/** What carriers print beside and below their rows, and how they set their figures: each is read as the same bill without it. */
import { describe, expect, it } from "vitest"
import { auditBill, BOOKED, bookedDatabase, money, taxOf, tryBill } from "./desk.ts"
import { drawLines, type LineStyle } from "./pdfs.ts"

const database = await bookedDatabase()

/** Texts of a line; a negative place is that of a right edge. */
type Texts = readonly (readonly [text: string, x: number])[]

const [EX, GST, INC] = [-414, -493, -561] as const
const HEAD: readonly Texts[] = [
  [["Coral Freight Pty Ltd", 40]],
  [["Tax Invoice", 40]],
  [["Invoice No: CF-1001", 40]],
  [["Invoice Date: 24/11/2026", 40]],
]
const HEADINGS: Texts = [
  ["Consignment", 40],
  ["Reference", 130],
  ["Service", 230],
  ["Ex GST", EX],
  ["GST", GST],
  ["Inc GST", INC],
]
const CHARGED = BOOKED.slice(0, 5)
const EXACT = CHARGED.map(({ cents }) => cents)
const TAX = EXACT.map(taxOf)
const add = (all: readonly number[]) => all.reduce((sum, each) => sum + each, 0)
const [EX_SUM, TAX_SUM] = [add(EXACT), add(TAX)]
const INC_SUM = EX_SUM + TAX_SUM

const toRow = ({ number, reference, cents }: (typeof BOOKED)[number]): Texts => [
  [number, 40],
  [reference, 130],
  ["STD", 230],
  [money(cents), EX],
  [money(taxOf(cents)), GST],
  [money(cents + taxOf(cents)), INC],
]
const ROWS = CHARGED.map(toRow)
const SUMS: readonly Texts[] = [
  [
    ["Subtotal ex GST", 300],
    [money(EX_SUM), INC],
  ],
  [
    ["GST", 300],
    [money(TAX_SUM), INC],
  ],
  [
    ["Total inc GST", 300],
    [money(INC_SUM), INC],
  ],
]

const AGEING: readonly Texts[] = [
  [
    ["Current", -135],
    ["30 Days", -230],
    ["60 Days", -330],
    ["90 Days", -410],
    ["Total Due", -556],
  ],
  [
    [money(INC_SUM), -140],
    ["412.10", -230],
    ["0.00", -330],
    ["0.00", -410],
    [money(INC_SUM + 41_210), -560],
  ],
]
/** The same, as lines of an account. */
const ACCOUNT: readonly Texts[] = [
  [
    ["Opening balance", 300],
    ["812.10", INC],
  ],
  [
    ["Payment received 18/11/2026", 300],
    ["-400.00", INC],
  ],
  [
    ["Current", 300],
    [money(INC_SUM), INC],
  ],
  [
    ["30 days", 300],
    ["412.10", INC],
  ],
  [
    ["Total outstanding", 300],
    [money(INC_SUM + 41_210), INC],
  ],
]
const SLIP: readonly Texts[] = [
  [["Remittance slip: please detach and return with your payment", 40]],
  [
    ["Account", 40],
    ["Invoice", 130],
    ["Due", 230],
    ["Amount due", -414],
    ["Amount paid", INC],
  ],
  [
    ["HL-2041", 40],
    ["CF-1001", 130],
    ["08/12/2026", 230],
    [money(INC_SUM + 41_210), -414],
    ["$", -500],
  ],
]
const GAP: Texts = []

const agree = async (lines: readonly Texts[], style: LineStyle = {}) => {
  const { rows, refused, asked } = await tryBill(database, { bill: await drawLines(lines, style) })
  const why = [refused?.message, refused?.hint, asked].filter((each) => each !== undefined)
  expect(why).toEqual([])
  expect(rows.map(({ verdict }) => verdict)).toEqual(CHARGED.map(() => "agrees"))
  expect(rows.map(({ billed }) => billed)).toEqual(EXACT.map((cents) => cents / 100))
}

describe("beside its charges a bill may have", () => {
  it.each<[what: string, lines: readonly Texts[]]>([
    ["an ageing box at its foot", [...HEAD, HEADINGS, ...ROWS, ...SUMS, GAP, GAP, ...AGEING]],
    ["an ageing box right below its total", [...HEAD, HEADINGS, ...ROWS, ...SUMS, ...AGEING]],
    ["an ageing box above its charges", [...HEAD, ...AGEING, HEADINGS, ...ROWS, ...SUMS]],
    ["an ageing box between charges and total", [...HEAD, HEADINGS, ...ROWS, ...AGEING, ...SUMS]],
    ["an account above its charges", [...HEAD, ...ACCOUNT, HEADINGS, ...ROWS, ...SUMS]],
    ["an account below its total", [...HEAD, HEADINGS, ...ROWS, ...SUMS, ...ACCOUNT]],
    ["an account between charges and total", [...HEAD, HEADINGS, ...ROWS, ...ACCOUNT, ...SUMS]],
    ["a remittance slip", [...HEAD, HEADINGS, ...ROWS, ...SUMS, GAP, ...SLIP]],
    ["a remittance slip with an ageing box", [...HEAD, HEADINGS, ...ROWS, ...SUMS, ...AGEING, GAP, ...SLIP]],
  ])("%s", async (_, lines) => {
    await agree(lines)
  })
})

/** Rows and sums with each amount written otherwise. @param write an amount as the texts that stand for it */
function rewrite(lines: readonly Texts[], write: (amount: string, right: number) => Texts): readonly Texts[] {
  return lines.map((line) =>
    line.flatMap(([text, x]) => (/^-?\d+\.\d\d$/.test(text) ? write(text, x) : [[text, x] as const])),
  )
}

describe("amounts may stand", () => {
  it.each<[how: string, write: (amount: string, right: number) => Texts]>([
    [
      "with a $ at the left of their cells",
      (amount, right) => [
        ["$", -right - 55],
        [amount, right],
      ],
    ],
    ["with a $ before them", (amount, right) => [[`$${amount}`, right]]],
    ["with a $ and a blank before them", (amount, right) => [[`$ ${amount}`, right]]],
    ["with AUD before them", (amount, right) => [[`AUD ${amount}`, right]]],
    ["with AUD after them", (amount, right) => [[`${amount} AUD`, right]]],
  ])("%s", async (_, write) => {
    await agree([...HEAD, HEADINGS, ...rewrite([...ROWS, ...SUMS], write)])
  })

  it.each<[how: string, write: (amount: string, right: number) => Texts]>([
    [
      "with AUD at the left of their cells",
      (amount, right) => [
        ["AUD", -right - 60],
        [amount, right],
      ],
    ],
    [
      "with A$ at the left of their cells",
      (amount, right) => [
        ["A$", -right - 55],
        [amount, right],
      ],
    ],
    [
      "with AUD at the right of their cells",
      (amount, right) => [
        [amount, right],
        ["AUD", -right + 3.6],
      ],
    ],
    [
      "with a $ alone right of its words",
      (amount, right) => [
        ["$", 380],
        [amount, right],
      ],
    ],
  ])("in sums, %s", async (_, write) => {
    await agree([...HEAD, HEADINGS, ...ROWS, ...rewrite(SUMS, write)])
  })

  it("below the words of their sums", async () => {
    const sums: readonly Texts[] = [
      [
        ["Subtotal ex GST", 230],
        ["GST", -493],
        ["Total inc GST", INC],
      ],
      [
        [money(EX_SUM), 235],
        [money(TAX_SUM), -493],
        [money(INC_SUM), INC],
      ],
    ]
    await agree([...HEAD, HEADINGS, ...ROWS, GAP, ...sums])
  })
})

/** Texts a letter at a time, each set apart by a share of the size. */
describe("letters that are set apart", () => {
  it.each([0.05, 0.12, 0.16, 0.2])("by %s of their size are read as one word", async (apart) => {
    const all = [...HEAD, HEADINGS, ...ROWS, ...SUMS]
    await agree(all, { apart })
  })
})

describe("a number over two lines", () => {
  /** Each line is half as high as letters, and `lines` of them are one row. */
  const spread = (lines: readonly Texts[], most: number) =>
    lines.flatMap((line) => [line, ...Array.from({ length: most - 1 }, () => GAP)])
  const HALF = { leading: 0.5 }

  it.each<[where: string, order: (one: Texts, rest: Texts, two: Texts) => readonly Texts[]]>([
    ["in the middle of which its charges stand", (one, rest, two) => [one, rest, two, GAP]],
    ["beside whose first its charges stand", (one, rest, two) => [[...one, ...rest], GAP, two, GAP, GAP]],
  ])("%s, is one number", async (_, order) => {
    const rows = ROWS.flatMap(([number = ["", 0], ...rest]) => {
      const [text, x] = number
      return order([[text.slice(0, 8), x]], rest, [[text.slice(8), x]])
    })
    await agree([...spread([...HEAD, HEADINGS], 4), ...rows, GAP, GAP, ...spread(SUMS, 4)], HALF)
  })
})

describe("between its charges and what is due a bill may have", () => {
  const REBATE = -1000
  const LEVY = 1230
  const sumOf = (label: string, cents: number): Texts => [
    [label, 300],
    [money(cents), INC],
  ]
  const inColumns = (label: string, cents: number): Texts => [
    [label, 130],
    [money(cents), EX],
    [money(taxOf(cents)), GST],
    [money(cents + taxOf(cents)), INC],
  ]
  const block = (label: string, cents: number): readonly Texts[] => {
    const all = EX_SUM + cents
    return [
      sumOf("Sub total", EX_SUM),
      sumOf(label, cents),
      sumOf("GST", taxOf(all)),
      sumOf("Amount due", all + taxOf(all)),
    ]
  }
  const totals = (label: string, cents: number): readonly Texts[] => {
    const all = EX_SUM + cents
    return [
      sumOf("Sub total", EX_SUM),
      sumOf(label, cents),
      sumOf("Total ex GST", all),
      sumOf("GST", taxOf(all)),
      sumOf("Total inc GST", all + taxOf(all)),
    ]
  }
  const columns = (label: string, cents: number): readonly Texts[] => {
    const all = EX_SUM + cents
    return [inColumns("Sub total", EX_SUM), inColumns(label, cents), inColumns("Amount due", all)]
  }
  it.each<[what: string, lines: readonly Texts[], cents: number]>([
    ["a rebate in its columns", columns("Volume rebate", REBATE), REBATE],
    ["a levy in its columns", columns("Fuel levy 4.5%", LEVY), LEVY],
    ["a rebate in a block", block("Less volume rebate", REBATE), REBATE],
    ["a levy in a block", block("Fuel levy on sub total", LEVY), LEVY],
    ["a levy above its totals", totals("Fuel levy", LEVY), LEVY],
  ])("%s", async (_, lines, cents) => {
    const { rows, refused, asked } = await tryBill(database, {
      bill: await drawLines([...HEAD, HEADINGS, ...ROWS, GAP, ...lines]),
    })
    expect([refused?.message, asked]).toEqual([undefined, undefined])
    const billed = rows.map((row) => row.billed)
    expect(billed.toSorted()).toEqual([...EXACT, cents].map((each) => each / 100).toSorted())
  })

  it.each<[label: string, cents: number, told: readonly string[]]>([
    [
      "Late fee",
      1000,
      [
        `"Late fee" of 10.00 is in "Amount due" of ${money(INC_SUM + 1000)} and in no row: it is neither judged nor posted`,
      ],
    ],
    [
      "Rebate inc GST",
      -1100,
      [
        `"Rebate inc GST" of -11.00 is in "Amount due" of ${money(INC_SUM - 1100)} and in no row: it is neither judged nor posted`,
      ],
    ],
    ["Less paid by card", -1000, []],
    ["Opening balance", 81_210, []],
  ])("a %s below its GST, which is told where it is no payment", async (label, cents, told) => {
    const bill = await drawLines([
      ...[...HEAD, HEADINGS, ...ROWS, GAP, sumOf("Sub total", EX_SUM), sumOf("GST", TAX_SUM)],
      ...[sumOf(label, cents), sumOf("Amount due", INC_SUM + cents)],
    ])
    const { notes } = await auditBill(database, { bill })
    const ofIt = notes.filter((each) => each.includes("in no row"))
    expect(ofIt).toEqual(told.map((each) => expect.stringContaining(each)))
  })

  it("a levy, of which no total is told to differ that proves it", async () => {
    const bill = await drawLines([...HEAD, HEADINGS, ...ROWS, GAP, ...totals("Fuel levy", LEVY)])
    const { notes } = await auditBill(database, { bill })
    expect(notes.filter((each) => each.includes("not the sum"))).toEqual([])
  })
})
