/**
 * Bills with the texts that carriers print beside and below the rows, and with their ways to write amounts. Each is read
 * as the same bill without them.
 */
import { StandardFonts } from "@cantoo/pdf-lib"
import { describe, expect, it } from "vitest"
import { auditBill, BOOKED, bookedDatabase, csv, money, taxOf, tryBill } from "./desk.ts"
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
/** The same, with words that say `Total` of the account alone. */
const AGEING_TOTAL: readonly Texts[] = [
  [
    ["Not yet due", -135],
    ["1 - 30 days", -230],
    ["31 - 60 days", -330],
    ["Over 60 days", -410],
    ["TOTAL", -556],
  ],
  ...AGEING.slice(1),
]
const AGEING_LINES: readonly Texts[] = [
  [
    ["Current", 300],
    [money(INC_SUM), INC],
  ],
  [
    ["30 days", 300],
    ["412.10", INC],
  ],
  [
    ["Total", 300],
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
    ["an ageing box that says Total", [...HEAD, HEADINGS, ...ROWS, ...SUMS, GAP, ...AGEING_TOTAL]],
    ["an ageing box that says Total above", [...HEAD, ...AGEING_TOTAL, GAP, HEADINGS, ...ROWS, ...SUMS]],
    ["ages in lines, with their total", [...HEAD, HEADINGS, ...ROWS, ...SUMS, GAP, ...AGEING_LINES]],
    ["an account above its charges", [...HEAD, ...ACCOUNT, HEADINGS, ...ROWS, ...SUMS]],
    ["an account below its total", [...HEAD, HEADINGS, ...ROWS, ...SUMS, ...ACCOUNT]],
    ["an account between charges and total", [...HEAD, HEADINGS, ...ROWS, ...ACCOUNT, ...SUMS]],
    ["a remittance slip", [...HEAD, HEADINGS, ...ROWS, ...SUMS, GAP, ...SLIP]],
    ["a remittance slip with an ageing box", [...HEAD, HEADINGS, ...ROWS, ...SUMS, ...AGEING, GAP, ...SLIP]],
  ])("%s", async (_, lines) => {
    await agree(lines)
  })
})

describe("what is left out as of the account is reported with its amount", () => {
  const opening: Texts = [
    ["Opening balance", 300],
    ["812.10", INC],
  ]
  const short: Texts = [
    ["Short paid invoice 123", 130],
    ["16.50", INC],
  ]

  it("where the bill comes to its total", async () => {
    const { notes } = await auditBill(database, {
      bill: await drawLines([...HEAD, opening, HEADINGS, ...ROWS, short, ...SUMS]),
    })
    expect(notes).toContain(
      'standard input: left out, for their words are of the account, not of charges: "Opening balance" (812.10, page 1, line 5), "Short paid invoice 123" (16.50, page 1, line 12)',
    )
  })

  it("where the bill does not come to its total, as it may be a charge", async () => {
    const total: Texts = [
      ["Total inc GST", 300],
      [money(INC_SUM + 1650), INC],
    ]
    const bill = await drawLines([...HEAD, HEADINGS, ...ROWS, short, total])
    const { refused } = await tryBill(database, { bill })
    expect(refused?.message).toContain(
      'nothing was audited; left out, for their words are of the account, not of charges: "Short paid invoice 123" (16.50, page 1, line 11)',
    )
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

  it.each([
    ["Subtotal ex GST", "Total inc GST"],
    ["Net amount ex GST", "Total amount inc GST"],
  ])("below the words of their sums: %s, %s", async (exGst, incGst) => {
    const sums: readonly Texts[] = [
      [
        [exGst, 230],
        ["GST", -440],
        [incGst, INC],
      ],
      [
        [money(EX_SUM), 235],
        [money(TAX_SUM), -440],
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

  it.each([
    ...[0.05, 0.08, 0.12, 0.16, 0.2, 0.25, 0.3].map((apart) => [apart, StandardFonts.Helvetica] as const),
    ...[0.12, 0.2, 0.3].map((apart) => [apart, StandardFonts.TimesRoman] as const),
  ])("by %s of their size in words, too, in %s, leave words apart", async (apart, font) => {
    await agree([...HEAD, HEADINGS, ...ROWS, ...SUMS, GAP, ...ACCOUNT], { apart, font, isAllApart: true })
  })

  it.each([0.03, 0.05, 0.08])("by %s of their size, of a typewriter, leave words apart", async (apart) => {
    const style = { apart, font: StandardFonts.Courier }
    await agree([...HEAD, HEADINGS, ...ROWS, ...SUMS, GAP, ...ACCOUNT], style)
    await agree([...HEAD, HEADINGS, ...ROWS, ...SUMS], { ...style, isAllApart: true })
  })

  it.each([0.12, 0.2])("by %s of their size, of a typewriter, are why a bill is refused", async (apart) => {
    const style = { apart, font: StandardFonts.Courier, isAllApart: true }
    const bill = await drawLines([...HEAD, HEADINGS, ...ROWS, ...SUMS], style)
    const { refused, rows } = await tryBill(database, { bill })
    expect(rows).toEqual([])
    expect(refused?.message).toContain(
      "the letters of this PDF are set apart, so that it is not certain where its words end",
    )
  })

  it("that cannot be parted into words are why a bill is refused", async () => {
    const style = { apart: 0.12, isAllApart: true }
    const total: Texts = [
      ["All that you have to pay us", 300],
      [money(INC_SUM), INC],
    ]
    const { refused } = await tryBill(database, {
      bill: await drawLines([...HEAD, HEADINGS, ...ROWS, total], style),
    })
    expect(refused?.message).toContain(
      "the letters of this PDF are set apart, so that it is not certain where its words end",
    )
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

/** An amount whose last digits are small and raised. */
const RAISED = { raised: true }

describe("cents that are raised", () => {
  it("are those of the dollars before them", async () => {
    await agree([...HEAD, HEADINGS, ...ROWS, ...SUMS], RAISED)
  })

  it("of one charge are not left out, and are not dollars", async () => {
    const [row] = ROWS
    const [first = 0] = EXACT
    const total: Texts = [
      ["Total inc GST", 300],
      [money(first + taxOf(first)), INC],
    ]
    const bill = await drawLines([...HEAD, HEADINGS, row ?? [], total], RAISED)
    const { rows } = await auditBill(database, { bill })
    expect(rows.map(({ billed }) => billed)).toEqual([first / 100])
  })
})

describe("an amount over two lines is refused, and that is said", () => {
  it.each([
    ["1,234.", "50"],
    ["1,2", "34.50"],
    ["1234.5", "0"],
  ])("%s / %s", async (one, two) => {
    const cut: readonly Texts[] = [
      [
        ["SBC00000006", 40],
        ["SO-10006", 130],
        ["STD", 230],
        [one, INC],
      ],
      [[two, INC]],
    ]
    const bill = await drawLines([...HEAD, HEADINGS, ...ROWS, ...cut, ...SUMS])
    const { refused } = await tryBill(database, { bill })
    expect(refused?.message).toContain(`"${one}" and "${two}" below it seem to be one amount over two lines`)
  })
})

describe("columns that touch", () => {
  /** Headings and cells of a bill whose columns stand two points apart. */
  const NARROW: readonly Texts[] = [
    [
      ["Consignment", 40],
      ["Reference", 91],
      ["Service", 130],
      ["Ex GST", 159],
      ["GST", 189],
      ["Inc GST", 209],
    ],
    ...CHARGED.map(
      ({ number, reference, cents }): Texts => [
        [number, 40],
        [reference, 93],
        ["STD", 132],
        [money(cents), -186],
        [money(taxOf(cents)), -207],
        [money(cents + taxOf(cents)), -238],
      ],
    ),
  ]

  it("are found by what stands below their headings", async () => {
    await agree([...HEAD, ...NARROW, ...SUMS])
  })

  it("are read where headings have two lines and some charges stand below the first", async () => {
    const levies = CHARGED.map(({ cents }) => Math.round(cents / 77) * 10)
    const rows = CHARGED.flatMap(({ number, reference, cents }, at): Texts[] => {
      const levy = levies[at] ?? 0
      return [
        [
          [number, 40],
          [reference, 96],
          ["IPEC GEN 4 CTN 88KG", 140],
          ["4", -250],
          [money(cents - levy), -297],
        ],
        [
          ["Fuel Levy @ 6.66%", 140],
          [money(levy), -297],
        ],
      ]
    })
    const headings: readonly Texts[] = [
      [
        ["Item / Charge", 140],
        ["Charge", 257],
      ],
      [
        ["Connote", 40],
        ["Cust Ref", 96],
        ["Description", 140],
        ["Qty", 239],
        ["Amt", 257],
      ],
    ]
    await agree([...HEAD, ...headings, ...rows, ...SUMS])
  })
})

describe("what contradicts a bill that comes to its total", () => {
  const line = (label: string, cents: number): Texts => [
    [label, 300],
    [money(cents), INC],
  ]
  const due = (cents: number) => line("Amount due", cents)
  const refuse = async (lines: readonly Texts[]) => {
    const { refused, rows } = await tryBill(database, { bill: await drawLines(lines) })
    expect(rows).toEqual([])
    return refused?.message
  }

  it("is another amount due: both are named", async () => {
    const lines = [...HEAD, due(INC_SUM), HEADINGS, ...ROWS, ...SUMS, GAP, due(INC_SUM + 900)]
    expect(await refuse(lines)).toBe(
      `standard input, page 1, line 5: "Amount due" is ${money(INC_SUM)}, and page 1, line 15: "Amount due" is ${money(INC_SUM + 900)}; nothing was audited`,
    )
  })

  it("is what an account says of this bill, where no levy below the GST explains it", async () => {
    const account = (cents: number) => [
      line("Opening balance", 81_210),
      line("This invoice", cents),
      line("Total outstanding", 81_210 + cents),
    ]
    const levied = [line("Fuel levy", 900), due(INC_SUM + 900)]
    for (const lines of [
      [...HEAD, HEADINGS, ...ROWS, ...SUMS, ...levied, GAP, ...account(INC_SUM + 900)],
      [...HEAD, ...account(INC_SUM + 900), HEADINGS, ...ROWS, ...SUMS, ...levied],
    ]) {
      const { notes } = await auditBill(database, { bill: await drawLines(lines) })
      expect(notes).toContainEqual(expect.stringContaining('"Fuel levy" of 9.00 is in "Amount due"'))
    }
    const odd = [...HEAD, HEADINGS, ...ROWS, ...SUMS, GAP, ...account(INC_SUM + 900)]
    expect(await refuse(odd)).toContain(`"This invoice" is ${money(INC_SUM + 900)}`)
  })

  it("is not what one kind of charges comes to on this bill", async () => {
    const kinds = [line("Total freight this invoice", 4000), line("Total surcharges this invoice", 900)]
    await agree([...HEAD, HEADINGS, ...ROWS, ...kinds, ...SUMS])
  })

  it("is not an amount due that a fee or a payment explains", async () => {
    const before = [...HEAD, due(INC_SUM), HEADINGS, ...ROWS, ...SUMS, GAP]
    await agree([...before, line("Late fee", 900), due(INC_SUM + 900)])
    await agree([...before, line("Less paid by card", -900), due(INC_SUM - 900)])
  })

  it("are sums that say only whether they hold GST", async () => {
    const block = [line("Sub total", EX_SUM), line("Ex GST", EX_SUM + 900), line("Inc GST", INC_SUM + 990)]
    expect(await refuse([...HEAD, HEADINGS, ...ROWS, GAP, ...block])).toContain(
      `"Inc GST" is ${money(INC_SUM + 990)}`,
    )
    await agree([...HEAD, HEADINGS, ...ROWS, GAP, line("Ex GST", EX_SUM), line("Inc GST", INC_SUM)])
  })

  it("is a sub total that no rows come to", async () => {
    const levy = 1230
    const all = EX_SUM + levy
    const block = (sub: number) => [
      ...[line("Sub total", sub), line("Fuel levy 4.5%", levy), line("Total ex GST", all)],
      ...[line("GST", taxOf(all)), line("Total inc GST", all + taxOf(all))],
    ]
    const bill = (sub: number) => [...HEAD, HEADINGS, ...ROWS, GAP, ...block(sub)]
    expect(await refuse(bill(EX_SUM + 900))).toContain(`"Sub total" is ${money(EX_SUM + 900)}`)
    const { notes } = await auditBill(database, { bill: await drawLines(bill(EX_SUM)) })
    expect(notes).toContainEqual(
      expect.stringContaining(
        `"Sub total" is ${money(EX_SUM)}, and with "Fuel levy 4.5%" the rows come to "Total inc GST" of ${money(all + taxOf(all))}`,
      ),
    )
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
  const withNet = (label: string, cents: number): readonly Texts[] => {
    const [sub, rebate, ...rest] = block(label, cents)
    return [sub ?? GAP, rebate ?? GAP, sumOf("Net", EX_SUM + cents), ...rest]
  }
  const own = EX_SUM + LEVY
  const table: readonly Texts[] = [
    [
      ["Charge", 40],
      ["Rate", 230],
      ["On", 300],
      ["Amount ex GST", INC],
    ],
    [
      ["Fuel levy", 40],
      [`${((LEVY * 100) / EX_SUM).toFixed(2)}%`, 230],
      [money(EX_SUM), 300],
      [money(LEVY), INC],
    ],
    GAP,
    ...[sumOf("Total ex GST", own), sumOf("GST", taxOf(own)), sumOf("Total inc GST", own + taxOf(own))],
  ]
  const columns = (label: string, cents: number): readonly Texts[] => {
    const all = EX_SUM + cents
    return [inColumns("Sub total", EX_SUM), inColumns(label, cents), inColumns("Amount due", all)]
  }
  it.each<[what: string, lines: readonly Texts[], cents: number]>([
    ["a rebate in its columns", columns("Volume rebate", REBATE), REBATE],
    ["a levy in its columns", columns("Fuel levy 4.5%", LEVY), LEVY],
    ["a rebate in a block", block("Less volume rebate", REBATE), REBATE],
    ["a rebate above what is net", withNet("Early settlement rebate", REBATE), REBATE],
    ["a levy in a block", block("Fuel levy on sub total", LEVY), LEVY],
    ["a levy above its totals", totals("Fuel levy", LEVY), LEVY],
    ["a levy with its rate", totals("Fuel levy 4.5%", LEVY), LEVY],
    ["a levy in a table of its own", table, LEVY],
  ])("%s", async (_, lines, cents) => {
    const { rows, refused, asked } = await tryBill(database, {
      bill: await drawLines([...HEAD, HEADINGS, ...ROWS, GAP, ...lines]),
    })
    expect([refused?.message, asked]).toEqual([undefined, undefined])
    const billed = rows.map((row) => row.billed)
    expect(billed.toSorted()).toEqual([...EXACT, cents].map((each) => each / 100).toSorted())
  })

  it("a rebate above what is net without GST, which is not a charge of its own", async () => {
    const lines = withNet("Contract rebate", REBATE).map((line) =>
      line.map(([text, x]) => [text === "Net" ? "Net ex GST" : text, x] as const),
    )
    const { notes } = await auditBill(database, {
      bill: await drawLines([...HEAD, HEADINGS, ...ROWS, GAP, ...lines]),
    })
    expect(notes).toContainEqual(expect.stringContaining('and with "Contract rebate" the rows come to'))
  })

  it.each<[label: string, cents: number, told: readonly string[]]>([
    [
      "Late fee",
      1000,
      [
        `"Late fee" of 10.00 is in "Amount due" of ${money(INC_SUM + 1000)} and in no row, and is neither audited nor posted`,
      ],
    ],
    [
      "Rebate inc GST",
      -1100,
      [
        `"Rebate inc GST" of -11.00 is in "Amount due" of ${money(INC_SUM - 1100)} and in no row, and is neither audited nor posted`,
      ],
    ],
    ["Less paid by card", -1000, []],
    ["Opening balance", 81_210, []],
  ])("a %s below its GST, which is reported where it is not a payment", async (label, cents, told) => {
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

describe("what its sums include of GST a bill may say", () => {
  const due: readonly Texts[] = [
    HEADINGS.filter((_, at) => ![3, 4].includes(at)),
    ...ROWS.map((row) => row.filter((_, at) => ![3, 4].includes(at))),
    [
      ["TOTAL DUE", 300],
      [money(INC_SUM), INC],
    ],
  ]
  it.each<[line: Texts]>([
    [[[`Total due includes GST of $${money(TAX_SUM)}`, 300]]],
    [[[`Total includes GST ${money(TAX_SUM)}`, 300]]],
    [
      [
        ["Includes GST of", 300],
        [money(TAX_SUM), INC],
      ],
    ],
    [
      [
        ["GST included in total", 300],
        [money(TAX_SUM), INC],
      ],
    ],
  ])("in the words %j", async (line) => {
    const { rows, refused } = await tryBill(database, { bill: await drawLines([...HEAD, ...due, line]) })
    expect(refused?.message).toBeUndefined()
    expect(rows.map(({ billedIncGst }) => billedIncGst)).toEqual(
      EXACT.map((cents, at) => (cents + (TAX[at] ?? 0)) / 100),
    )
  })
})

/** The same bill as a PDF and in a spreadsheet. @param columns places of their texts, or of their right edges */
async function drawTwins(
  columns: readonly (readonly [heading: string, x: number])[],
  rows: readonly (readonly string[])[],
  sums: readonly (readonly [label: string, cents: number])[],
): Promise<{ bill: Uint8Array; twin: string }> {
  const right = columns.at(-1)?.[1] ?? EX
  const bill = await drawLines([
    ...[...HEAD, columns],
    ...rows.map((row) => row.map((text, at) => [text, columns[at]?.[1] ?? 0] as const)),
    GAP,
    ...sums.map(
      ([label, cents]): Texts => [
        [label, 300],
        [money(cents), right],
      ],
    ),
  ])
  const blank = columns.slice(2).map(() => "")
  const twin = csv(
    ...[["Invoice No", "CF-1001"], columns.map(([text]) => text), ...rows],
    ...sums.map(([label, cents]) => [label, ...blank, money(cents)]),
  )
  return { bill, twin }
}

describe("GST is judged as of the same bill in a spreadsheet", () => {
  const EX_ONLY = HEADINGS.slice(0, 4)
  const INC_ONLY = [...HEADINGS.slice(0, 3), ...HEADINGS.slice(5)]
  interface Paper {
    columns: Texts
    rows: readonly (readonly string[])[]
    sums: readonly (readonly [label: string, cents: number])[]
  }
  const name = ({ number, reference }: (typeof BOOKED)[number]) => [number, reference, "STD"]
  /** Rows with GST of their own. */
  const taxed = (taxFor: (cents: number, at: number) => number) => {
    const rows = CHARGED.map((each, at) => {
      const tax = taxFor(each.cents, at)
      return { tax, texts: [...name(each), money(each.cents), money(tax), money(each.cents + tax)] }
    })
    const tax = add(rows.map((row) => row.tax))
    return { columns: HEADINGS, rows: rows.map(({ texts }) => texts), sums: sumsOf(tax) }
  }
  const sumsOf = (tax: number) =>
    [
      ["Subtotal (excl GST)", EX_SUM],
      ["GST", tax],
      ["Total including GST", EX_SUM + tax],
    ] as const
  const exOnly = (tax: number) => ({
    columns: EX_ONLY,
    rows: CHARGED.map((each) => [...name(each), money(each.cents)]),
    sums: sumsOf(tax),
  })
  const incOnly = (sums: readonly (readonly [string, number])[]) => ({
    columns: INC_ONLY,
    rows: CHARGED.map((each) => [...name(each), money(each.cents + taxOf(each.cents))]),
    sums,
  })
  const withoutSums = ({ columns, rows }: ReturnType<typeof taxed>) => ({
    ...{ columns, rows },
    sums: [["Total", add(rows.map((row) => Math.round(Number(row.at(-1)) * 100)))] as const],
  })
  it.each<[what: string, paper: Paper]>([
    ["a tenth of each row", taxed(taxOf)],
    ["15 % of one row", taxed((cents, at) => (at === 1 ? Math.round(cents * 0.15) : taxOf(cents)))],
    ["15 % of each row", taxed((cents) => Math.round(cents * 0.15))],
    ["15 % of each row, stated nowhere else", withoutSums(taxed((cents) => Math.round(cents * 0.15)))],
    ["none of one row", taxed((cents, at) => (at === 1 ? 0 : taxOf(cents)))],
    ["none of each row", taxed(() => 0)],
    ["a tenth of all", exOnly(TAX_SUM)],
    ["above a tenth of all", exOnly(TAX_SUM + 517)],
    ["below a tenth of all", exOnly(TAX_SUM - 517)],
    ["none of all", exOnly(0)],
    [
      "an eleventh of all",
      incOnly([
        ["TOTAL DUE", INC_SUM],
        ["Total due includes GST of", TAX_SUM],
      ]),
    ],
    [
      "above an eleventh of all",
      incOnly([
        ["TOTAL DUE", INC_SUM],
        ["Total due includes GST of", TAX_SUM + 517],
      ]),
    ],
    [
      "below an eleventh of all",
      incOnly([
        ["TOTAL DUE", INC_SUM],
        ["Total due includes GST of", TAX_SUM - 517],
      ]),
    ],
  ])("where it is %s", async (_, { columns, rows, sums }) => {
    const { bill, twin } = await drawTwins(columns, rows, sums)
    const [drawn, written] = [await tryBill(database, { bill }), await tryBill(database, { bill: twin })]
    const judge = (said: typeof drawn) => ({
      refused: said.refused?.message,
      rows: said.rows.map(({ verdicts, billed, billedGst, disputed, disputedGst, gstCheck }) => ({
        ...{ verdicts, billed, billedGst, disputed, disputedGst, gstCheck },
      })),
      bills: "bills" in said && said.bills.map(({ gstCheck }) => gstCheck),
      wrong: "totals" in said && [said.totals.billsWithWrongGst, said.totals.withWrongGst],
    })
    expect(judge(drawn)).toEqual({ ...judge(written), refused: undefined })
  })
})

it("GST above a tenth that nothing proves is the reason for which a bill is refused", async () => {
  const taxes = EXACT.map((cents) => Math.round(cents * 0.15))
  const { bill } = await drawTwins(
    HEADINGS.slice(0, 5),
    CHARGED.map(({ number, reference, cents }, at) => [
      ...[number, reference, "STD", money(cents)],
      money(taxes[at] ?? 0),
    ]),
    [["Total", EX_SUM + add(taxes)]],
  )
  const { refused } = await tryBill(database, { bill })
  expect(refused?.message).toBe(
    `standard input, page 1, line 11: "Total" is ${money(EX_SUM + add(taxes))}, and the 5 rows that freight reads come to that, but their GST would be ${money(add(taxes))}, more than a tenth; nothing was audited`,
  )
})

describe("headings", () => {
  const TOP: Texts = [
    ["Consignment", 40],
    ["Ship", 130],
  ]
  const BOTTOM: Texts = [["number", 40], ["reference", 130], ...HEADINGS.slice(2)]
  it("below a title of their own are those of the next page, too", async () => {
    const dated = ROWS.map((row) => row.map(([text, x]) => [x === 130 ? "24/11/2026" : text, x] as const))
    const [first, second] = [dated.slice(0, 3), dated.slice(3)]
    await agree([
      ...HEAD,
      [["Charges", 40]],
      TOP,
      BOTTOM,
      ...first,
      GAP,
      GAP,
      TOP,
      BOTTOM,
      ...second,
      ...SUMS,
    ])
  })
})

it("words of a rebate that stand across columns are one cell", async () => {
  const [rebate, all] = [-1000, EX_SUM - 1000]
  const below = (label: string, cents: number): Texts => [
    [label, 215],
    ["$", 380],
    [money(cents), EX],
  ]
  const { rows, refused, asked } = await tryBill(database, {
    bill: await drawLines([
      ...HEAD,
      [...HEADINGS.slice(0, 2), ["Type", 230], ["Weight", -300], ["Ex GST", EX]],
      ...ROWS.map((row): Texts => [...row.slice(0, 3), ["4", -300], ...row.slice(3, 4)]),
      below("Sub Total", EX_SUM),
      below("Less volume rebate 5%", rebate),
      below("Total ex GST", all),
      below("GST 10%", taxOf(all)),
      below("Amount due", all + taxOf(all)),
    ]),
  })
  expect([refused?.message, asked]).toEqual([undefined, undefined])
  const billed = rows.map((row) => row.billed)
  expect(billed.toSorted()).toEqual([...EXACT, rebate].map((each) => each / 100).toSorted())
})

describe("texts that are drawn as one, with blanks between them", () => {
  it("are parted where they are facts", async () => {
    const { bills } = await auditBill(database, {
      bill: await drawLines([
        [["Coral Freight Pty Ltd", 40]],
        [["Invoice No. RT 310077   Invoice Date 24/11/2026   Customer HARB", 300]],
        HEADINGS,
        ...ROWS,
        ...SUMS,
      ]),
    })
    expect(bills.map(({ billNumber: number, billDate: date }) => [number, date])).toEqual([
      ["RT 310077", "2026-11-24"],
    ])
  })

  it("are parted where each line of the paper is one text of a typewriter", async () => {
    const columns = [14, 12, 9, 12, 12, 12]
    const type = (line: Texts): Texts => {
      const text = line
        .map(([each]) => each)
        .map((each, at) => (at < 3 ? each.padEnd(columns[at] ?? 0) : each.padStart(columns[at] ?? 0)))
      return [[text.join(" ").trimEnd(), 40]]
    }
    const sums = SUMS.map((line): Texts => {
      const [[label = ""] = [], [amount = ""] = []] = line
      return [[`${"".padEnd(37)}${label.padEnd(26)}${amount.padStart(13)}`, 40]]
    })
    await agree([...HEAD, type(HEADINGS), ...ROWS.map(type), ...sums], { isTyped: true })
  })
})

describe("credits in a table of their own are given back", () => {
  const CREDIT = 500
  const [first = HEADINGS] = CHARGED.map(
    ({ number, reference }): Texts => [
      [number, 40],
      [reference, 130],
      ["STD", 230],
      [money(CREDIT), EX],
      [money(taxOf(CREDIT)), GST],
      [money(CREDIT + taxOf(CREDIT)), INC],
    ],
  )
  const totalOf = (label: string, exGst: number, tax: number): Texts => [
    [label, 40],
    [money(exGst), EX],
    [money(tax), GST],
    [money(exGst + tax), INC],
  ]
  const ofCharges = totalOf("Total charges", EX_SUM, TAX_SUM)
  const ofCredits = totalOf("Total credits", CREDIT, taxOf(CREDIT))
  const due: Texts = [
    ["Total due", 300],
    [money(INC_SUM - CREDIT - taxOf(CREDIT)), INC],
  ]
  const title = (text: string): Texts => [[text, 40]]
  it.each<[how: string, lines: readonly Texts[]]>([
    ["below headings of their own", [title("CREDITS"), GAP, HEADINGS, first, ofCredits, due]],
    ["below the headings of the charges", [title("CREDITS"), first, ofCredits, due]],
    ["without a total of their own", [GAP, title("Credit adjustments"), HEADINGS, first, due]],
    [
      "below other headings",
      [title("CREDITS"), [...HEADINGS.slice(0, 2), ["Reason", 230], ...HEADINGS.slice(3)], first, due],
    ],
  ])("%s", async (_, lines) => {
    const { rows, refused, asked } = await tryBill(database, {
      bill: await drawLines([...HEAD, title("CHARGES"), HEADINGS, ...ROWS, ofCharges, GAP, ...lines]),
    })
    expect([refused?.message, asked]).toEqual([undefined, undefined])
    expect(rows.map(({ billed }) => billed).toSorted()).toEqual(
      EXACT.map((cents, at) => (at === 0 ? cents - CREDIT : cents) / 100).toSorted(),
    )
  })

  it("where the parts of a charge have columns of their own", async () => {
    const headings = HEADINGS.map(([text, x]) => [text === "Ex GST" ? "Freight (ex GST)" : text, x] as const)
    const { rows } = await auditBill(database, {
      bill: await drawLines([
        ...[...HEAD, title("CHARGES"), headings, ...ROWS, ofCharges],
        ...[title("CREDITS"), headings, first, ofCredits, due],
      ]),
    })
    expect(rows.reduce((sum, { billed }) => sum + Math.round(billed * 100), 0)).toBe(EX_SUM - CREDIT)
  })

  it("that stand before the charges end where the charges begin", async () => {
    const bill = await drawLines([
      ...[...HEAD, title("CREDITS"), HEADINGS, first, ofCredits, title("CHARGES"), HEADINGS, ...ROWS],
      ...[ofCharges, due],
    ])
    const { rows } = await auditBill(database, { bill })
    expect(rows.reduce((sum, { billed }) => sum + Math.round(billed * 100), 0)).toBe(EX_SUM - CREDIT)
  })
})

it("a word of a charge below its consignment stays in the column of charges", async () => {
  const at = (number: string, words: string, cents: number): Texts => [
    [number, 40],
    [words, 230],
    [money(cents), EX],
  ]
  const { rows } = await auditBill(database, {
    bill: await drawLines([
      ...HEAD,
      [
        ["Consignment", 40],
        ["Charge", 230],
        ["Amount ex GST", EX],
      ],
      ...CHARGED.flatMap(({ number, cents }, index) => [
        at(number, "Freight", cents - 100),
        at("", "Fuel levy", 100),
        ...(index === 1 ? [at("", "Redelivery", 1760)] : []),
      ]),
      at("", "Total ex GST", EX_SUM + 1760),
    ]),
  })
  expect(rows.map(({ billed }) => billed).toSorted()).toEqual(
    EXACT.map((cents, index) => (cents + (index === 1 ? 1760 : 0)) / 100).toSorted(),
  )
})

it("a levy with its share and its own GST is not a base of its GST", async () => {
  const levy = Math.round(EX_SUM / 10)
  const all = EX_SUM + levy
  const [exGst, gst] = [-414, -493]
  const row = (number: string, words: string, cents: number): Texts => [
    ...(number === "" ? [] : [[number, 40] as const]),
    ...[[words, 130] as const, [money(cents), exGst] as const, [money(taxOf(cents)), gst] as const],
  ]
  const sum = (label: string, cents: number): Texts => [
    [label, 300],
    [money(cents), gst],
  ]
  const tax = TAX_SUM + taxOf(levy)
  const { rows, refused } = await tryBill(database, {
    bill: await drawLines([
      ...HEAD,
      [
        ["Consignment", 40],
        ["Description", 130],
        ["Ex GST", exGst],
        ["GST", gst],
      ],
      ...CHARGED.map(({ number, cents }) => row(number, "Freight", cents)),
      row("", "Fuel levy 10 %", levy),
      ...[sum("Subtotal ex GST", all), sum("GST", tax), sum("Total inc GST", all + tax)],
    ]),
  })
  expect(refused?.message).toBeUndefined()
  expect(rows.map(({ billed }) => billed).toSorted()).toEqual(
    [...EXACT, levy].map((cents) => cents / 100).toSorted(),
  )
})

describe("charges below the total of a bill", () => {
  const line = (label: string, cents: number): Texts => [
    [label, 300],
    [money(cents), INC],
  ]
  const TITLE: Texts = [["Other charges", 40]]
  const OWN_HEADINGS: Texts = [["Description", 40], ...HEADINGS.slice(3)]
  const own = (label: string, cents: number): Texts => [
    [label, 40],
    [money(cents), EX],
    [money(taxOf(cents)), GST],
    [money(cents + taxOf(cents)), INC],
  ]
  const plain = (label: string, cents: number): Texts => [
    [label, 40],
    [money(cents), INC],
  ]
  const before = [...HEAD, HEADINGS, ...ROWS, ...SUMS]
  const hear = async (lines: readonly Texts[]) => {
    const { notes } = await auditBill(database, { bill: await drawLines([...before, ...lines]) })
    return notes.filter((each) => each.includes("in no row"))
  }

  it("that are in its amount due, and that nothing explains, are refused with both figures", async () => {
    const table = [TITLE, OWN_HEADINGS, own("Pallet hire", 12_000), own("Account fee", 2500)]
    const bill = await drawLines([...before, GAP, ...table, line("Amount due", INC_SUM + 15_950)])
    const { refused, rows } = await tryBill(database, { bill })
    expect(rows).toEqual([])
    expect(refused?.message).toContain(
      `"Amount due" is ${money(INC_SUM + 15_950)}, and the 5 rows that freight reads come to "Total inc GST" of ${money(INC_SUM)}`,
    )
  })

  it("are told one by one where together they are what is due more", async () => {
    const fees = [line("Late fee", 2500), line("Pallet hire", 612)]
    expect(await hear([...fees, line("Amount due", INC_SUM + 3112)])).toEqual([
      expect.stringContaining(`"Late fee" of 25.00 is in "Amount due" of ${money(INC_SUM + 3112)}`),
      expect.stringContaining(`"Pallet hire" of 6.12 is in "Amount due" of ${money(INC_SUM + 3112)}`),
    ])
  })

  it.each<[where: string, lines: readonly Texts[]]>([
    [
      "below headings",
      [
        [
          ["Description", 40],
          ["Amount", INC],
        ],
        plain("Pallet hire", 12_000),
      ],
    ],
    ["without headings", [plain("Pallet hire", 12_000)]],
    ["below the headings of the charges", [OWN_HEADINGS, own("Pallet hire", 12_000)]],
  ])("are reported where nothing is due, %s", async (_, lines) => {
    expect(await hear([GAP, TITLE, ...lines])).toEqual([
      expect.stringContaining(
        `"Pallet hire" of 120.00 is below "Other charges" and in no row, and is neither audited nor posted`,
      ),
    ])
  })

  it.each([
    "Late payment fee",
    "Interest on overdue account",
    "Credit card payment surcharge",
    "Fee for late payments",
    "Late payment fee (2 %)",
  ])("are reported where words of the account name what they are for: %s", async (label) => {
    expect(await hear([line(label, 2500), line("Amount due", INC_SUM + 2500)])).toEqual([
      expect.stringContaining(`"${label}" of 25.00 is in "Amount due" of ${money(INC_SUM + 2500)}`),
    ])
  })

  const named = (label: string, number: string): Texts => [
    [label, 40],
    [number, 130],
    ["412.10", INC],
  ]

  it.each<[what: string, lines: readonly Texts[]]>([
    ["another invoice with its number", [plain("Other invoices: CF-0998", 41_210)]],
    ["another invoice beside its number", [named("Other invoices:", "CF-0998")]],
    ["several with theirs", [named("Unpaid invoices", "CF-0998"), named("Earlier invoice", "CF-0997")]],
    [
      "other invoices before what is due",
      [plain("Other invoices: CF-0998", 41_210), line("Amount due", INC_SUM + 41_210)],
    ],
    ["a balance", [line("Opening balance incl. interest", 2500), line("Amount due", INC_SUM + 2500)]],
    ["what is due of an account", [line("Total account balance due", INC_SUM + 41_210)]],
    ["other invoices", [GAP, [["Other invoices", 40]], plain("Invoices of October", 41_210)]],
    ["fees of months before", [line("Outstanding fees", 2500), line("Amount due", INC_SUM + 2500)]],
    ["a discount", [line("Amount due if paid by 20 December", INC_SUM - 1000)]],
    ["a payment", [line("Less payment received", -2500), line("Amount due", INC_SUM - 2500)]],
    ["the year so far", [line("Total this month last year", 120_000), line("Year to date", 980_000)]],
    ["a summary", [GAP, [["Charges", 40]], plain("Road freight", EX_SUM)]],
  ])("are not %s", async (_, lines) => {
    await agree([...before, ...lines])
    expect(await hear(lines)).toEqual([])
  })
})

describe("GST below charges that stand below the sub total", () => {
  const line = (label: string, cents: number): Texts => [
    [label, 300],
    [money(cents), INC],
  ]
  it.each<[what: string, fees: readonly (readonly [label: string, cents: number])[]]>([
    ["one", [["Account fee", 2500]]],
    [
      "two",
      [
        ["Account fee", 2500],
        ["Pallet hire", 12_000],
      ],
    ],
  ])("is judged with all rows: %s", async (_, fees) => {
    const all = EX_SUM + add(fees.map(([, cents]) => cents))
    const gst = TAX_SUM + add(fees.map(([, cents]) => taxOf(cents)))
    const { bills, rows } = await auditBill(database, {
      bill: await drawLines([
        ...[...HEAD, HEADINGS, ...ROWS, line("Subtotal ex GST", EX_SUM)],
        ...[...fees.map(([label, cents]) => line(label, cents)), line("GST", gst)],
        line("Total inc GST", all + gst),
      ]),
    })
    expect(add(rows.map(({ billed }) => Math.round(billed * 100)))).toBe(all)
    expect(bills.map(({ gstCheck }) => gstCheck)).toEqual(["agrees"])
  })
})

describe("columns whose headings do not stand apart", () => {
  const WIDTHS = [11, 10, 12, 12, 12, 12] as const
  const type = (line: Texts): Texts => {
    const [number, ...rest] = line.map(([each]) => each)
    const amounts = rest.slice(-3).map((each) => each.padStart(12))
    const texts = [number ?? "", "24/11/26", rest[0] ?? "", rest[1] ?? ""]
    return [[[...texts.map((each, at) => each.padEnd(WIDTHS[at] ?? 0)), ...amounts].join(" "), 40]]
  }
  const sums = SUMS.map((line): Texts => {
    const [[label = ""] = [], [amount = ""] = []] = line
    return [[`${"".padEnd(50)}${label.padEnd(26)}${amount.padStart(11)}`, 40]]
  })
  const headings = (texts: readonly string[]): Texts => [
    [
      texts
        .map((each, at) => (at < 4 ? each.padEnd(WIDTHS[at] ?? 0) : each.padStart(12)))
        .join(" ")
        .trimEnd(),
      40,
    ],
  ]

  it("are parted where a number and its day stand below them", async () => {
    const top = headings(["CONSIGNMENT", "DATE", "REFERENCE", "SERVICE", "EX GST", "GST", "INC GST"])
    await agree([...HEAD, top, ...ROWS.map(type), ...sums], { isTyped: true })
  })
})

it("a number and a day in the words of each charge beside its consignment do not keep a bill from being read", async () => {
  const details = (line: Texts, text: string): Texts => line.map(([each, x]) => [x === 130 ? text : each, x])
  const rows = ROWS.map((line, at) => details(line, `90314550${at} 24/11/26`))
  await agree([...HEAD, details(HEADINGS, "Details"), ...rows, ...SUMS])
})

describe("what a bill says of GST only beside its sum", () => {
  /** None equals its quote, so that only words can tell. */
  const DEARER = 100
  const sum = EX_SUM + DEARER * CHARGED.length
  const place = ([text, x]: Texts[number]) => [text === "Inc GST" ? "Amount" : text, x] as const
  const headings = HEADINGS.filter((_, at) => ![3, 4].includes(at)).map(place)
  const bare = CHARGED.map(
    ({ number, reference, cents }): Texts => [
      [number, 40],
      [reference, 130],
      ["STD", 230],
      [money(cents + DEARER), INC],
    ],
  )
  it.each<[words: Texts, label: string, verdict: string]>([
    [[], "Total ex GST", "over"],
    [[], "Total inc GST", "under"],
    [[["All amounts exclude GST", 40]], "Total", "over"],
  ])("%s %s is of its amounts, if they come to it to the cent", async (words, label, verdict) => {
    const bill = await drawLines([
      ...[...HEAD, words, headings, ...bare],
      [
        [label, 300],
        [money(sum), INC],
      ],
    ])
    const { rows } = await auditBill(database, { bill })
    expect(rows.map((row) => row.verdict)).toEqual(CHARGED.map(() => verdict))
  })
})

it("a levy in a table of its own, in whose rows nothing says what they are for, is a charge", async () => {
  const levy = 1230
  const all = EX_SUM + levy
  const { rows, refused, asked } = await tryBill(database, {
    bill: await drawLines([
      ...[...HEAD, HEADINGS, ...ROWS],
      [
        ["Sub total", 300],
        [money(EX_SUM), EX],
      ],
      GAP,
      [
        ["Period", 40],
        ["Rate", 230],
        ["Charges subject to levy", 300],
        ["Levy", INC],
      ],
      [
        ["16/11/26 - 22/11/26", 40],
        [`${((levy * 100) / EX_SUM).toFixed(2)}%`, 230],
        [money(EX_SUM), 300],
        [money(levy), INC],
      ],
      GAP,
      ...[
        ["Total ex GST", all] as const,
        ["GST", taxOf(all)] as const,
        ["Amount due", all + taxOf(all)] as const,
      ].map(
        ([label, cents]): Texts => [
          [label, 300],
          [money(cents), INC],
        ],
      ),
    ]),
  })
  expect([refused?.message, asked]).toEqual([undefined, undefined])
  expect(rows.map(({ billed }) => billed).toSorted()).toEqual(
    [...EXACT, levy].map((cents) => cents / 100).toSorted(),
  )
})

it("a consignment without an amount names the charges below it, and its service and weight are theirs", async () => {
  const rows = CHARGED.flatMap(({ number, reference, cents }): Texts[] => {
    const levy = Math.round(cents / 77) * 10
    const charge = (label: string, some: number): Texts => [
      [label, 130],
      [money(some), EX],
      [money(taxOf(some)), GST],
      [money(some + taxOf(some)), INC],
    ]
    return [
      [
        [number, 40],
        [reference, 130],
        ["STD", 230],
      ],
      charge("Freight", cents - levy),
      charge("Fuel levy", levy),
    ]
  })
  const tax = CHARGED.map(({ cents }) => {
    const levy = Math.round(cents / 77) * 10
    return taxOf(cents - levy) + taxOf(levy)
  })
  const total: Texts = [
    ["Total", 40],
    [money(EX_SUM), EX],
    [money(add(tax)), GST],
    [money(EX_SUM + add(tax)), INC],
  ]
  const {
    rows: read,
    refused,
    asked,
  } = await tryBill(database, {
    bill: await drawLines([...HEAD, HEADINGS, ...rows, GAP, total]),
  })
  expect([refused?.message, asked]).toEqual([undefined, undefined])
  const expected = CHARGED.map(({ number, cents }) => [number, cents / 100])
  expect(read.map(({ consignmentNumber: consignment, billed }) => [consignment, billed]).toSorted()).toEqual(
    expected.toSorted(),
  )
})
