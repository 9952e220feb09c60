/** A bill is judged as a whole: what its parts are is decided by all of it. */
import { describe, expect, it } from "vitest"
import {
  auditBill,
  BOOKED,
  type Booked,
  bookedDatabase,
  csv,
  money,
  postBill,
  taxOf,
  tryBill,
  workbookOf,
} from "./desk.ts"
import { LAYOUTS } from "./layouts.ts"
import { drawPdf, REBATE } from "./pdfs.ts"

const inc = (cents: number) => cents + taxOf(cents)

describe("the basis of a bill", () => {
  it("is that of the consignments that equal their quotes only so, for all of its sheets", async () => {
    const dearer = (cents: number, at: number) => (at < 2 ? cents : cents + 1000 + at)
    const sheet = (from: number, to: number) => [
      ["Docket #", "Total $"],
      ...BOOKED.slice(from, to).map((each, at) => [each.number, money(dearer(each.cents, from + at))]),
    ]
    const bill = workbookOf([
      ["SYD-ADL", sheet(0, 5)],
      ["SYD-OTHER", sheet(5, 9)],
    ])
    const given = { bill, sheets: ["SYD-ADL", "SYD-OTHER"] }
    const { rows, totals } = await auditBill(await bookedDatabase(), given)
    expect(totals.gstBasis).toBe("excluded")
    expect(rows.map(({ verdict }) => verdict)).toEqual([
      ...Array.from({ length: 7 }, () => "over"),
      "agrees",
      "agrees",
    ])
    const over = [2, 3, 4, 5, 6, 7, 8].reduce((sum, at) => sum + 1000 + at, 0)
    expect(totals.disputed).toBe(over / 100)
  })
})

describe("another table below the first", () => {
  const FOUR = BOOKED.slice(0, 4)
  const [first] = FOUR
  const sum = FOUR.reduce((all, { cents }) => all + cents, 0)
  const taxes = FOUR.reduce((all, { cents }) => all + taxOf(cents), 0)
  const write = (
    due: number,
    headings = ["Original invoice", "Consignment", "Reason", "Net", "GST", "Gross"],
  ) =>
    csv(
      ["Consignment", "Order", "Despatched", "Receiver", "Postcode", "Description", "Net", "GST", "Gross"],
      ...FOUR.map(({ number, cents }) => [
        ...[number, "", "2026-11-24", "Barwon Electrical", "3220", "Freight"],
        ...[cents, taxOf(cents), inc(cents)].map(money),
      ]),
      ["", "", "", "", "", "Sub total", ...[sum, taxes, sum + taxes].map(money)],
      ["Adjustments from earlier periods"],
      headings,
      ["BEX-770011", first?.number ?? "", "Re-weigh adjustment", "18.00", "1.80", "19.80"],
      ["", "", "Adjustments total", "18.00", "1.80", "19.80"],
      ["", "", "TOTAL PAYABLE", ...[sum + due, taxes + 180, sum + due + taxes + 180].map(money)],
    )

  it("is read by its own headings, and audited and posted with it", async () => {
    const { rows, bills } = await auditBill(await bookedDatabase(), { bill: write(1800) })
    expect(bills.map(({ amount }) => amount)).toEqual([(sum + 1800) / 100])
    expect(rows.map(({ verdict, disputed }) => [verdict, disputed])).toEqual([
      ["over", 18],
      ["agrees", 0],
      ["agrees", 0],
      ["agrees", 0],
    ])
    expect(rows[0]?.why).toContain("re-weigh adjustment")
    const posted = await postBill(await bookedDatabase(), { bill: write(1800) })
    expect([...posted.values()].reduce((all, [exGst, gst]) => all + exGst + gst, 0)).toBe(sum + taxes + 1980)
  })

  it("counts for the total of the bill", async () => {
    const { refused } = await tryBill(await bookedDatabase(), { bill: write(0) })
    expect(refused?.message).toContain('"TOTAL PAYABLE" is ')
  })

  it("is not left out in silence where its amounts stand under no heading that is known", async () => {
    const bill = write(1800, ["Original invoice", "Consignment", "Reason", "Betrag", "Steuer", "Summe"])
    const { rows, refused } = await tryBill(await bookedDatabase(), { bill })
    expect([rows, refused?.errors?.map(({ line, field }) => field ?? line)]).toEqual([[], [9, "Receiver"]])
  })
})

describe("a rebate below the subtotal of a PDF", () => {
  const sheet = LAYOUTS["parts, total, GST"]

  it("is a charge of the bill where its rows come to what is due", async () => {
    const { bills, rows } = await auditBill(await bookedDatabase(), {
      bill: await drawPdf([[sheet, { totals: "rebate" }]]),
    })
    const cents = sheet.rows.reduce((all, row) => all + row.cents, 0)
    expect(bills.map(({ amount }) => amount)).toEqual([inc(cents + REBATE) / 100])
    expect(rows.filter(({ billed }) => billed === REBATE / 100)).toHaveLength(1)
  })

  it("is refused where they come to something else", async () => {
    const bill = await drawPdf([[sheet, { totals: "rebate", wrongBy: 5 }]])
    expect((await tryBill(await bookedDatabase(), { bill })).refused?.message).toContain("Sub total")
  })
})

it("an audit totals what is over within the tolerance on each of many consignments", async () => {
  const more = ({ cents }: { cents: number }) => Math.round(cents * 1.0095)
  const bill = csv(
    ["Consignment", "Amount ex GST"],
    ...BOOKED.map((each) => [each.number, money(more(each))]),
  )
  const { totals } = await auditBill(await bookedDatabase(), { bill })
  const amount = BOOKED.reduce((all, each) => all + more(each) - each.cents, 0) / 100
  expect(totals.withinTolerance).toEqual({ consignments: BOOKED.length, amount, percent: 0.94 })
})

it("an audit reads the weight of a consignment from its item above, which has no amount", async () => {
  const [one, two] = BOOKED.slice(0, 2) as [Booked, Booked]
  const bill = csv(
    ["Housebill", "Line", "Description", "Kg", "Charge ex GST"],
    [one.number, "ITEM", "3 CTN", "90", ""],
    [one.number, "FRT", "Freight", "", "999.00"],
    [one.number, "FAF", "Fuel levy", "", "1.00"],
    [two.number, "FRT", "Freight", "", money(two.cents)],
  )
  const { rows } = await auditBill(await bookedDatabase(), { bill })
  expect(rows.map(({ verdict, billedWeightKg }) => [verdict, billedWeightKg])).toEqual([
    ["wrong-weight", 90],
    ["agrees", null],
  ])
})

it("an audit reads abbreviated weights with their unit", async () => {
  const [booked] = BOOKED
  const rows = ["Wgt", "Dead Wgt"].map(async (heading) => {
    const bill = csv(["Consignment", "Amount ex GST", heading], [booked?.number ?? "", "999.00", "90kg"])
    return (await auditBill(await bookedDatabase(), { bill })).rows[0]?.billedWeightKg
  })
  expect(await Promise.all(rows)).toEqual([90, 90])
})

const TWO = BOOKED.slice(0, 2)
const FOUR = BOOKED.slice(0, 4)
const sumOf = (some: readonly Booked[]) => some.reduce((all, { cents }) => all + cents, 0)
const sumPosted = (posted: ReadonlyMap<string, [number, number]>) =>
  [...posted.values()].reduce((all, [cents, tax]) => [all[0] + cents, all[1] + tax], [0, 0])
const verdictsIn = ({ rows }: { rows: readonly { verdict: string; disputed: number }[] }) =>
  rows.map(({ verdict, disputed }) => [verdict, disputed])

describe("a bill of which some amounts hold GST and some do not", () => {
  const [first, second, third, fourth] = FOUR as [Booked, Booked, Booked, Booked]
  const exGst = sumOf(FOUR) + 1000
  const total = inc(first.cents + second.cents) + inc(third.cents) + inc(fourth.cents + 1000)
  const DEARER = [
    ["over", 10],
    ["agrees", 0],
    ["agrees", 0],
    ["agrees", 0],
  ]
  const row = (each: Booked, cents: number, label = "Freight") => [each.number, label, money(cents)]
  const inSections = (sections: readonly [string, string], sum: readonly (string | number)[] | undefined) =>
    csv(
      ["Consignment", "Description", "Amount"],
      [sections[0]],
      row(first, first.cents),
      row(second, second.cents),
      [sections[1]],
      row(third, inc(third.cents)),
      row(fourth, inc(fourth.cents + 1000)),
      ...(sum ? [sum] : []),
    )

  it.each<readonly [string, string]>([
    ["Charges (excl. GST)", "Charges (incl. GST)"],
    ["Freight (ex GST)", "Extras and returns (inc GST)"],
    ["Local deliveries, GST exclusive", "Interstate, GST inclusive"],
    ["Local deliveries", "Interstate (incl. GST)"],
  ])("is read by the words of its sections %s and %s where its sum proves them", async (...sections) => {
    const bill = inSections(sections, ["Total inc GST", "", money(total)])
    const audit = await auditBill(await bookedDatabase(), { bill })
    expect(verdictsIn(audit)).toEqual(DEARER)
    expect(audit.bills.map(({ amount, gstBasis: gst }) => [amount, gst])).toEqual([[exGst / 100, "excluded"]])
  })

  it("is posted as it is audited", async () => {
    const [words, sum] = [
      ["Charges (excl. GST)", "Charges (incl. GST)"],
      ["Total inc GST", "", money(total)],
    ] as const
    const gst = `GST,,${money(total - exGst)}\n`
    const bill = `${inSections(words, undefined)}${gst}${csv(sum)}`
    expect(verdictsIn(await auditBill(await bookedDatabase(), { bill }))).toEqual(DEARER)
    expect(sumPosted(await postBill(await bookedDatabase(), { bill }))).toEqual([exGst, total - exGst])
  })

  it("is posted to the cent, whichever of its rows hold GST", async () => {
    const database = await bookedDatabase()
    const differing: string[] = []
    for (const cut of [2, 5, 8, 10])
      for (const more of [0, 37, 74]) {
        const rows = BOOKED.map((each) => ({ ...each, cents: each.cents + more }))
        const [ex, all] = [sumOf(rows), rows.reduce((sum, each) => sum + inc(each.cents), 0)]
        const bill = csv(
          ["Consignment", "Amount"],
          ["Charges (excl. GST)", ""],
          ...rows.slice(0, cut).map((each) => [each.number, money(each.cents)]),
          ["Charges (incl. GST)", ""],
          ...rows.slice(cut).map((each) => [each.number, money(inc(each.cents))]),
          ["Total ex GST", money(ex)],
          ["GST", money(all - ex)],
          ["Total incl GST", money(all)],
        )
        const posted = sumPosted(await postBill(database, { bill }))
        if (`${posted}` !== `${[ex, all - ex]}`) differing.push(`${cut} ${more}: ${posted}`)
      }
    expect(differing).toEqual([])
  })

  it("says which sum proves it", async () => {
    const bill = inSections(
      ["Charges (excl. GST)", "Charges (incl. GST)"],
      ["Total inc GST", "", money(total)],
    )
    const { evidence } = await auditBill(await bookedDatabase(), { bill })
    expect(evidence).toEqual([
      `standard input: some of its amounts are with GST and some without, as it says "Charges (excl. GST)" and "Charges (incl. GST)": "Total inc GST" of ${money(total)} is their sum only so.`,
    ])
  })

  it("stays open where no sum proves it, and says so", async () => {
    const bill = inSections(["Charges (excl. GST)", "Charges (incl. GST)"], undefined)
    const { bills, evidence } = await auditBill(await bookedDatabase(), { bill })
    expect(bills.map(({ gstBasis: gst }) => gst)).toEqual(["unknown"])
    expect(evidence.join()).toContain("no sum of it proves either: both readings are tried")
  })

  it("is refused where its sum is neither that nor that of all as they stand", async () => {
    const bill = inSections(["Charges (excl. GST)", "Charges (incl. GST)"], ["Total", "", money(total + 500)])
    expect((await tryBill(await bookedDatabase(), { bill })).refused?.message).toContain(
      "nothing was audited",
    )
  })

  it("is read by the words of its columns", async () => {
    const bill = csv(
      ["Consignment", "Freight (ex GST)", "Extras (inc GST)"],
      [first.number, money(first.cents), "11.00"],
      [second.number, money(second.cents), ""],
      ["Total inc GST", money(inc(sumOf(TWO)) + 1100), ""],
    )
    expect(verdictsIn(await auditBill(await bookedDatabase(), { bill }))).toEqual(DEARER.slice(0, 2))
  })

  it("is read by the words of its rows", async () => {
    const bill = csv(
      ["Consignment", "Description", "Amount"],
      row(first, first.cents, "Freight (ex GST)"),
      row(second, inc(second.cents + 1000), "Freight (inc GST)"),
      ["", "Total inc GST", money(inc(first.cents) + inc(second.cents + 1000))],
    )
    expect(verdictsIn(await auditBill(await bookedDatabase(), { bill }))).toEqual(DEARER.slice(0, 2))
  })

  it("is read by the words above its sheets", async () => {
    const HEADINGS = ["Consignment", "Amount"]
    const bill = workbookOf([
      [
        "Metro",
        [["All prices exclude GST"], HEADINGS, ...TWO.map((each) => [each.number, money(each.cents)])],
      ],
      [
        "Country",
        [
          ["All prices include GST"],
          HEADINGS,
          [third.number, money(inc(third.cents))],
          [fourth.number, money(inc(fourth.cents + 1000))],
          ["Invoice total inc GST", money(total)],
        ],
      ],
    ])
    const audit = await auditBill(await bookedDatabase(), { bill, sheets: ["Metro", "Country"] })
    expect(verdictsIn(audit)).toEqual(DEARER)
  })
})

describe("a section of charges that are free of GST", () => {
  const [taxed, free] = [BOOKED.slice(0, 3), BOOKED.slice(3, 6)]
  const [all, gst] = [sumOf(BOOKED.slice(0, 6)), taxOf(sumOf(taxed))]
  const toRow = (each: Booked) => [each.number, money(each.cents)]
  const write = (words: string, tax: number) =>
    csv(
      ["Consignment", "Amount"],
      ["Charges (excl. GST)", ""],
      ...taxed.map(toRow),
      [words, ""],
      ...free.map(toRow),
      ["Total ex GST", money(all)],
      ["GST", money(tax)],
      ["Total", money(all + tax)],
    )

  it.each([
    "GST free charges",
    "Non-taxable charges",
    "Charges without supply tax (GST exempt)",
  ])("has none of the GST of the bill under %s", async (words) => {
    const bill = write(words, gst)
    expect(verdictsIn(await auditBill(await bookedDatabase(), { bill }))).toEqual(
      BOOKED.slice(0, 6).map(() => ["agrees", 0]),
    )
    const posted = await postBill(await bookedDatabase(), { bill })
    expect(free.map(({ number }) => posted.get(number))).toEqual(free.map(({ cents }) => [cents, 0]))
    expect(sumPosted(posted)).toEqual([all, gst])
  })

  describe("beside charges with GST", () => {
    const [total, gstOf] = [taxed.reduce((sum, { cents }) => sum + inc(cents), 0), taxOf(sumOf(taxed))]
    const due = total + sumOf(free)
    const sections = (...end: readonly (readonly string[])[]) =>
      csv(
        ["Consignment", "Amount"],
        ["Domestic (incl. GST)", ""],
        ...taxed.map((each) => [each.number, money(inc(each.cents))]),
        ["Overseas (GST free)", ""],
        ...free.map((each, at) => [each.number, money(each.cents + (at === 0 ? 1800 : 0))]),
        ...end,
      )

    it.each([
      [[["Total", money(due + 1800)]]],
      [[[`Total payable (includes GST of $${money(gstOf)})`, money(due + 1800)]]],
      [[]],
    ])("has none, and is over by what it costs: %j", async (end) => {
      const audit = await auditBill(await bookedDatabase(), { bill: sections(...end) })
      expect(verdictsIn(audit)).toEqual([["over", 18], ...Array.from({ length: 5 }, () => ["agrees", 0])])
    })

    it("has nothing of the GST that is stated, which is a tenth of the others", async () => {
      const words = `Total payable (includes GST of $${money(gstOf)})`
      const bill = sections([words, money(due + 1800)])
      const { bills } = await auditBill(await bookedDatabase(), { bill })
      expect(bills.map(({ amount, gstCheck }) => [amount, gstCheck])).toEqual([
        [(all + 1800) / 100, "agrees"],
      ])
      const posted = await postBill(await bookedDatabase(), { bill })
      expect(sumPosted(posted)).toEqual([all + 1800, gstOf])
      expect(free.map(({ number }) => posted.get(number)?.[1])).toEqual([0, 0, 0])
    })

    it("does not contradict the words or the quotes of the others", async () => {
      const { evidence } = await auditBill(await bookedDatabase(), { bill: sections() })
      expect(evidence).toEqual([
        'standard input: its amounts are with GST: it says "Domestic (incl. GST)"; 3 of 3 consignments equal their quotes only so.',
      ])
    })

    it.each([
      "Storage (GST free)",
      "Storage, no GST",
    ])("has none where its row says so: %s", async (label) => {
      const [one, two, three] = taxed as [Booked, Booked, Booked]
      const bill = csv(
        ["Consignment", "Description", "Amount inc GST"],
        ...[one, two, three].map((each) => [each.number, "Freight", money(inc(each.cents))]),
        [three.number, label, "20.00"],
        ["", `Total (includes GST of $${money(gstOf)})`, money(total + 2000)],
      )
      const { rows } = await auditBill(await bookedDatabase(), { bill })
      expect(rows.map(({ verdict, disputed }) => [verdict, disputed])).toEqual([
        ["over", 20],
        ["agrees", 0],
        ["agrees", 0],
      ])
      const posted = await postBill(await bookedDatabase(), { bill })
      expect(sumPosted(posted)).toEqual([sumOf(taxed) + 2000, gstOf])
    })
  })

  it("has its share where the GST is a tenth of all", async () => {
    const posted = await postBill(await bookedDatabase(), { bill: write("GST free charges", taxOf(all)) })
    expect(sumPosted(posted)).toEqual([all, taxOf(all)])
    expect(free.map(({ number }) => Number(posted.get(number)?.[1]) > 0)).toEqual(free.map(() => true))
  })
})

describe("a stated sum that the rows contradict", () => {
  const HEADINGS = ["Consignment", "Amount ex GST"]
  const rowsOf = (some: readonly Booked[]) => some.map((each) => [each.number, money(each.cents)])
  const [left, right] = [FOUR.slice(0, 2), FOUR.slice(2)]
  const sheets = ["A", "B"]
  const refusalOf = async (bill: string | Uint8Array, given: object = {}) =>
    (await tryBill(await bookedDatabase(), { bill, ...given })).refused?.message

  it.each([
    "Total",
    "Amount payable",
    "Invoice total",
    "TOTAL DUE",
  ])("is told of %s in CSV and in a workbook, and --total answers it", async (label) => {
    const rows = (cents: number) => [HEADINGS, ...rowsOf(FOUR), [label, money(cents)]]
    const wrong = sumOf(FOUR) + 500
    for (const write of [
      (some: string[][]) => csv(...some),
      (some: string[][]) => workbookOf([["A", some]]),
    ]) {
      expect(await refusalOf(write(rows(sumOf(FOUR))))).toBeUndefined()
      expect(await refusalOf(write(rows(wrong)))).toContain(`"${label}" is ${money(wrong)}`)
      expect(await refusalOf(write(rows(wrong)), { total: sumOf(FOUR) })).toBeUndefined()
    }
  })

  it.each<[string, readonly string[][]]>([
    ["Amount due", [["Amount due", "{}"]]],
    ["Amount due", [["Amount due: $".concat("{}")]]],
    [
      "Invoice total",
      [
        ["Invoice no", "77"],
        ["Invoice total", "{}"],
      ],
    ],
    [
      "Total this invoice (ex GST)",
      [
        ["Total this invoice (ex GST)", "{}"],
        ["Due date", "1 Dec 2026"],
      ],
    ],
  ])("is told of %s above the headings, and --total answers it", async (label, above) => {
    const write = (cents: number) =>
      csv(
        ...above.map((cells) => cells.map((cell) => cell.replace("{}", money(cents)))),
        ...[HEADINGS, ...rowsOf(FOUR)],
      )
    const wrong = sumOf(FOUR) + 500
    expect(await refusalOf(write(sumOf(FOUR)))).toBeUndefined()
    expect(await refusalOf(write(wrong))).toContain(
      `"${label}" is ${money(wrong)}, and the rows below it come to ${money(sumOf(FOUR))}`,
    )
    expect(await refusalOf(write(wrong), { total: sumOf(FOUR) })).toBeUndefined()
  })

  it.each<[string, readonly string[][]]>([
    ["a balance", [["Balance due", "999.00"]]],
    [
      "what is due with what was owed before",
      [
        ["Opening balance", "99.00"],
        ["Amount due", "999.00"],
      ],
    ],
    [
      "kinds of charges",
      [
        ["Total freight", "99.00"],
        ["Total surcharges", "9.00"],
      ],
    ],
    ["GST", [["Total GST", "9.00"]]],
    ["no amount", [["Total consignments", "4"]]],
  ])("is not %s above the headings", async (_, above) => {
    expect(await refusalOf(csv(...above, HEADINGS, ...rowsOf(FOUR)))).toBeUndefined()
  })

  it("is not what is due above the headings where what was owed before stands below the rows", async () => {
    const write = (...below: readonly string[][]) =>
      csv(["Total amount due", money(sumOf(FOUR) + 47_000)], HEADINGS, ...rowsOf(FOUR), ...below)
    expect(await refusalOf(write(["Opening balance", "470.00"]))).toBeUndefined()
    expect(await refusalOf(write())).toContain('"Total amount due" is ')
  })

  it.each<[string, number, number, number | undefined, string | undefined]>([
    ["agree", 0, 0, 0, undefined],
    ["agree, and none is of all", 0, 0, undefined, undefined],
    ["are wrong on the first sheet", 500, 0, undefined, 'sheet "A": row 4: "Total"'],
    ["are wrong on the last sheet", 0, 500, undefined, 'sheet "B": row 4: "Total"'],
    ["are wrong for all", 0, 0, 500, 'sheet "B": row 5: "Invoice total"'],
  ])("sums of several sheets %s", async (_, one, other, all, told) => {
    const bill = workbookOf([
      ["A", [HEADINGS, ...rowsOf(left), ["Total", money(sumOf(left) + one)]]],
      [
        "B",
        [
          HEADINGS,
          ...rowsOf(right),
          ["Total", money(sumOf(right) + other)],
          ...(all === undefined ? [] : [["Invoice total", money(sumOf(FOUR) + all)]]),
        ],
      ],
    ])
    const message = await refusalOf(bill, { sheets })
    if (told === undefined) expect(message).toBeUndefined()
    else expect(message).toContain(told)
  })

  it("may stand on a sheet before those that it sums", async () => {
    const write = (cents: number) =>
      workbookOf([
        ["A", [HEADINGS, ...rowsOf(left), ["Invoice total", money(cents)]]],
        ["B", [HEADINGS, ...rowsOf(right)]],
      ])
    expect(await refusalOf(write(sumOf(FOUR)), { sheets })).toBeUndefined()
    expect(await refusalOf(write(sumOf(FOUR) + 500), { sheets })).toContain('"Invoice total"')
  })

  it("is told of a summary that is not read, which also has number and day", async () => {
    const write = (cents: number) =>
      workbookOf([
        [
          "Summary",
          [
            ["Tax invoice no", "BM-1187", "Invoice date", "30 November 2026"],
            ["Depot", "Consignments", "Amount ex GST"],
            ["A", 2, money(sumOf(left))],
            ["B", 2, money(sumOf(right))],
            ["Amount payable", 4, money(cents)],
          ],
        ],
        ["A", [HEADINGS, ...rowsOf(left)]],
        ["B", [HEADINGS, ...rowsOf(right)]],
      ])
    const { bills } = await auditBill(await bookedDatabase(), { bill: write(sumOf(FOUR)), sheets })
    expect(bills.map(({ billNumber: number, billDate: date }) => [number, date])).toEqual([
      ["BM-1187", "2026-11-30"],
    ])
    const wrong = write(sumOf(FOUR) + 500)
    expect(await refusalOf(wrong, { sheets })).toContain('sheet "Summary": row 5: "Amount payable"')
    expect(await refusalOf(wrong, { sheets, total: sumOf(FOUR) })).toBeUndefined()
    // Where it is read, it is no charge either.
    const read = await auditBill(await bookedDatabase(), {
      bill: write(sumOf(FOUR)),
      sheets: ["Summary", ...sheets],
    })
    expect(verdictsIn(read)).toEqual(FOUR.map(() => ["agrees", 0]))
    expect(read.evidence.join()).toContain('sheet "Summary" is the sum of the 4 charges of all other sheets')
    // The total includes the charges of sheets that were not chosen.
    expect(await refusalOf(write(sumOf(FOUR)), { sheets: ["A"] })).toBeUndefined()
  })

  describe("on a sheet that sums up others", () => {
    const taxes = FOUR.reduce((sum, { cents }) => sum + taxOf(cents), 0)
    const write = (
      off: number,
      headings = ["", "Ex GST", "GST", "Inc GST"],
      total = ["Total", ...[sumOf(FOUR) + off, taxes, sumOf(FOUR) + off + taxes].map(money)],
      ...more: readonly [string, readonly string[][]][]
    ) =>
      workbookOf([
        ["Summary", [["Invoice number", "BM-1188"], headings, total]],
        ["A", [HEADINGS, ...rowsOf(left)]],
        [
          "B",
          [["Consignment", "Amount inc GST"], ...right.map((each) => [each.number, money(inc(each.cents))])],
        ],
        ...more,
      ])

    it("chooses them without --sheet, and says so", async () => {
      const audit = await auditBill(await bookedDatabase(), { bill: write(0) })
      expect(verdictsIn(audit)).toEqual(FOUR.map(() => ["agrees", 0]))
      expect(audit.notes).toContain(
        'standard input: "A", "B" are read as the bill; "Summary" has no consignments (--sheet chooses others)',
      )
    })

    it.each([
      [
        ["", "Ex GST", "GST", "Inc GST"],
        [sumOf(FOUR), taxes, sumOf(FOUR) + taxes],
      ],
      [
        ["", "GST", "Inc GST"],
        [taxes, sumOf(FOUR) + taxes],
      ],
      [
        ["", "Consignments", "Ex GST", "GST"],
        [400, sumOf(FOUR), taxes],
      ],
    ])("states their GST: %j", async (headings, cents) => {
      // As programs write numbers: 12.50 is 12.5, and 4.00 is 4.
      const bill = write(0, headings, ["Total", ...cents.map((each) => String(each / 100))])
      expect(sumPosted(await postBill(await bookedDatabase(), { bill }))).toEqual([sumOf(FOUR), taxes])
    })

    it("tells that their GST is not a tenth, also where their total with GST has no cents", async () => {
      const sum = sumOf(FOUR)
      const gst = Math.ceil((sum * 1.15) / 100) * 100 - sum
      const cents = [sum, gst, sum + gst]
      const bill = workbookOf([
        [
          "Summary",
          [
            ["", "Ex GST", "GST", "Inc GST"],
            ["Freight", ...cents.map((each) => String(each / 100))],
            ["Total", ...cents.map((each) => String(each / 100))],
          ],
        ],
        ["A", [HEADINGS, ...rowsOf(FOUR)]],
      ])
      const { bills, totals } = await auditBill(await bookedDatabase(), { bill })
      expect(bills.map(({ gstCheck, statedGst }) => [gstCheck, statedGst])).toEqual([["wrong", gst / 100]])
      expect(totals.billsWithWrongGst).toBe(1)
    })

    it("are contradicted by a total with GST that is neither their sum nor a tenth more", async () => {
      const write = (cents: number) =>
        workbookOf([
          [
            "Summary",
            [
              ["Invoice total ex GST", money(sumOf(FOUR))],
              ["Invoice total inc GST", String(cents / 100)],
            ],
          ],
          ["A", [HEADINGS, ...rowsOf(FOUR)]],
        ])
      const bill = write(Math.ceil((sumOf(FOUR) * 1.15) / 100) * 100)
      expect(await refusalOf(bill, { sheets: ["A"] })).toContain('"Invoice total inc GST" is ')
      expect(await refusalOf(write(sumOf(FOUR) + taxes), { sheets: ["A"] })).toBeUndefined()
    })

    it.each<[string, () => Uint8Array]>([
      ["its sum is another", () => write(500)],
      [
        "another sheet has consignments, too",
        () => write(0, undefined, undefined, ["Last month", [HEADINGS, ...rowsOf(FOUR)]]),
      ],
      [
        "there is none",
        () =>
          workbookOf([
            ["A", [HEADINGS, ...rowsOf(left)]],
            ["B", [HEADINGS, ...rowsOf(right)]],
          ]),
      ],
    ])("asks for them where %s", async (_, bill) => {
      expect(await refusalOf(bill())).toMatch(/has [23456] sheets: /)
    })

    it("chooses the only one with consignments", async () => {
      const bill = workbookOf([
        ["Read me", [["How to read this invoice"], ["Call us with questions"]]],
        ["Details", [HEADINGS, ...rowsOf(FOUR)]],
      ])
      const audit = await auditBill(await bookedDatabase(), { bill })
      expect(verdictsIn(audit)).toEqual(FOUR.map(() => ["agrees", 0]))
    })
  })

  describe("on another sheet, is asked about where no total proves that it is of the first", () => {
    const total = ["Total", money(sumOf(FOUR))]
    it.each<[string, readonly (readonly (string | number)[])[]]>([
      [
        "fees",
        [
          ["Description", "Amount ex GST"],
          ["Account keeping fee", "55.00"],
          ["Pallet hire", "120.00"],
        ],
      ],
      [
        "fees of whole dollars",
        [
          ["Description", "Amount ex GST"],
          ["Pallets", 120],
        ],
      ],
      ["fees without headings", [["Pallet hire charge", 120]]],
      [
        "fees below a total of the first",
        [["Freight total", money(sumOf(FOUR))], ["Account keeping fee", "55.00"], total],
      ],
      [
        "a credit",
        [
          ["Description", "Amount ex GST"],
          ["Credit for damage", "-54.20"],
        ],
      ],
      ["consignments under Charge", [["Consignment", "Charge"], ...rowsOf(BOOKED.slice(4, 6))]],
      ["consignments without headings", rowsOf(BOOKED.slice(4, 6))],
      [
        "jobs with a total of their own",
        [
          ["Job", "Charge"],
          ["Run 3", "64.36"],
          ["Total", "64.36"],
        ],
      ],
    ])("%s", async (_, rows) => {
      const bill = workbookOf([
        ["A", [HEADINGS, ...rowsOf(FOUR)]],
        ["More", rows],
      ])
      expect(await refusalOf(bill)).toMatch(/has 2 sheets: /)
    })

    it("also where a summary beside it is proved to be of the first", async () => {
      const bill = workbookOf([
        ["Summary", [["", "Ex GST"], ["A", money(sumOf(FOUR))], total]],
        ["A", [HEADINGS, ...rowsOf(FOUR)]],
        ["Fees", [["Pallet hire", "120.00"]]],
      ])
      expect(await refusalOf(bill)).toMatch(/has 3 sheets: /)
    })

    it("unless it has no amounts, or its total is of the first", async () => {
      const bill = workbookOf([
        ["Summary", [["Invoice no", 77_001], ["Freight", money(sumOf(FOUR))], total]],
        ["A", [HEADINGS, ...rowsOf(FOUR)]],
        ["Read me", [["Call us on", 1_300_123_456]]],
      ])
      const audit = await auditBill(await bookedDatabase(), { bill })
      expect(verdictsIn(audit)).toEqual(FOUR.map(() => ["agrees", 0]))
    })
  })

  it("is not a summary where it has as many rows as all others: two weeks at one rate", async () => {
    const week = (from: number) => Array.from({ length: 3 }, (_, at) => [String(from + at), "12.00"])
    const { bills } = await auditBill(await bookedDatabase(), {
      bill: workbookOf([
        ["Week 1", [["Docket", "Amount ex GST"], ...week(1001)]],
        ["Week 2", [["Docket", "Amount ex GST"], ...week(2001)]],
      ]),
      sheets: ["Week 1", "Week 2"],
      map: ["Docket=consignment"],
    })
    expect(bills.map(({ amount }) => amount)).toEqual([72])
  })

  describe("by a line of the invoice above its shipments", () => {
    const write = (cents: number, kind = "I") =>
      csv(
        ["Line Type", "Invoice Number", "Billing Account", "Shipment Number", "Total amount (excl. VAT)"],
        [kind, "D1", "990011223", "", money(cents)],
        ...FOUR.map((each) => ["S", "D1", "990011223", each.number, money(each.cents)]),
      )

    it("the line is not a charge where it is the sum of the shipments", async () => {
      const audit = await auditBill(await bookedDatabase(), { bill: write(sumOf(FOUR)) })
      expect(verdictsIn(audit)).toEqual(FOUR.map(() => ["agrees", 0]))
      expect(audit.evidence.join()).toContain("row 2 is the sum of the 4 charges of all other rows")
      expect(audit.bills.map(({ amount }) => amount)).toEqual([sumOf(FOUR) / 100])
    })

    it("the line is refused where it is not their sum", async () => {
      const bill = write(sumOf(FOUR) + 500)
      expect(await refusalOf(bill)).toContain("row 2 names no consignment and is ")
      expect(await refusalOf(bill, { total: sumOf(FOUR) })).toBeUndefined()
    })

    it("a line is a charge where it is far from their sum, or says what it is for", async () => {
      expect(await refusalOf(write(2500))).toBeUndefined()
      const { bills } = await auditBill(await bookedDatabase(), { bill: write(sumOf(FOUR), "Account fee") })
      expect(bills.map(({ amount }) => amount)).toEqual([(2 * sumOf(FOUR)) / 100])
    })

    it("a line is a charge where it equals a single other one", async () => {
      const [first] = FOUR
      const bill = csv(
        ["Consignment", "Kind", "Amount ex GST"],
        [first?.number ?? "", "S", money(first?.cents ?? 0)],
        ["", "X", money(first?.cents ?? 0)],
      )
      const { bills } = await auditBill(await bookedDatabase(), { bill })
      expect(bills.map(({ amount }) => amount)).toEqual([(2 * (first?.cents ?? 0)) / 100])
    })

    it.each([
      [0, "rows 2 and 7 are the sum of the 4 charges"],
      [500, undefined],
    ])("the line may stand at both ends: %i cents from their sum", async (off, told) => {
      const own = (kind: string) => [kind, "D1", "", money(sumOf(FOUR) + off)]
      const bill = csv(
        ["Record Type", "Invoice Number", "Connote", "Total Excl GST"],
        own("H"),
        ...FOUR.map((each) => ["D", "D1", each.number, money(each.cents)]),
        own("T"),
      )
      const tried = await tryBill(await bookedDatabase(), { bill })
      if (told === undefined) expect(tried.refused?.message).toContain("row 2 names no consignment and is ")
      else expect(tried.rows.map(({ verdict }) => verdict)).toEqual(FOUR.map(() => "agrees"))
      if (told !== undefined && "evidence" in tried) expect(tried.evidence?.join()).toContain(told)
    })

    it("the line is refused where its GST is not theirs", async () => {
      const bill = csv(
        ["Line Type", "Invoice Number", "Shipment Number", "Amount ex GST", "GST"],
        ["I", "D1", "", money(sumOf(FOUR)), "99.00"],
        ...FOUR.map((each) => ["S", "D1", each.number, money(each.cents), money(taxOf(each.cents))]),
      )
      expect(await refusalOf(bill)).toContain("row 2 names no consignment and is ")
    })
  })
})

describe("numbers that lost what they begin with", () => {
  const short = ({ number }: Booked) => String(Number(number.slice(3)))

  it.each([
    "Your PO",
    "Customer Reference",
    "Your Order #",
  ])("are found by %s, and it says so", async (column) => {
    const bill = csv(
      ["Docket", column, "Amount ex GST"],
      ...FOUR.map((each) => [short(each), each.reference, money(each.cents)]),
    )
    const audit = await auditBill(await bookedDatabase(), { bill })
    expect(audit.rows.map(({ consignmentNumber: consignment, verdict }) => [consignment, verdict])).toEqual(
      FOUR.map(({ number }) => [number, "agrees"]),
    )
    expect(audit.evidence).toEqual([
      `standard input: 4 consignments are found by "${column}": the numbers lack what was booked before them, such as 1 of SBC00000001.`,
    ])
  })

  it("are not found by a reference of another number", async () => {
    const bill = csv(
      ["Docket", "Your PO", "Amount ex GST"],
      ...FOUR.map((each, at) => [`${9 - at}`, each.reference, money(each.cents)]),
    )
    const { rows } = await auditBill(await bookedDatabase(), { bill })
    expect(rows.map(({ verdict }) => verdict)).toEqual(FOUR.map(() => "cannot-tell"))
  })
})

describe("votes of quotes", () => {
  const write = (exGst: number, incGst: number, of: number, words?: string) =>
    csv(
      ...(words === undefined ? [] : [[words]]),
      ["Consignment", "Amount"],
      ...BOOKED.slice(0, of).map((each, at) => [
        each.number,
        money(at < exGst ? each.cents : at < exGst + incGst ? inc(each.cents) : each.cents + 5000 + at),
      ]),
    )
  const decide = async (bill: string) => {
    const { bills } = await auditBill(await bookedDatabase(), { bill })
    return bills[0]?.gstBasis
  }

  it.each([
    [2, 0, 4, "excluded"],
    [0, 2, 4, "included"],
    [1, 0, 4, "unknown"],
    [2, 1, 4, "unknown"],
    [3, 1, 5, "excluded"],
    [2, 0, 10, "excluded"],
    [2, 0, 11, "unknown"],
  ])("%i without GST and %i with it, of %i, say that it is %s", async (exGst, incGst, of, basis) => {
    expect(await decide(write(exGst, incGst, of))).toBe(basis)
  })

  it("leave words as they are where they cannot tell", async () => {
    expect(await decide(write(0, 0, 4, "All amounts exclude GST"))).toBe("excluded")
    expect(await decide(write(0, 1, 4, "All amounts exclude GST"))).toBe("excluded")
  })

  it("are a contradiction where words say something else", async () => {
    const bill = write(0, 3, 4, "All amounts exclude GST")
    expect((await tryBill(await bookedDatabase(), { bill })).refused?.message).toContain(
      'says "All amounts exclude GST", and 3 of 4 consignments equal their quotes only if its amounts are with GST',
    )
  })
})

it.each([
  ["equal them", (cents: number) => cents],
  ["equal them with GST", inc],
  ["equal them without GST", (cents: number) => Math.round(cents / 1.1)],
])("votes of quotes whose basis is unknown prove nothing where amounts %s", async (_, amountOf) => {
  const database = await bookedDatabase(BOOKED, "unknown")
  const bill = csv(
    ["Consignment", "Amount"],
    ...FOUR.map((each) => [each.number, money(amountOf(each.cents))]),
  )
  const { bills, evidence } = await auditBill(database, { bill })
  expect([bills.map(({ gstBasis: gst }) => gst), evidence]).toEqual([["unknown"], []])
})

it("charges between two consignments are of the one above where each has some below it", async () => {
  const bill = csv(
    ["Consignment", "Description", "Amount ex GST"],
    ...FOUR.flatMap((each, at) => [
      [each.number, "Freight", money(each.cents - 100)],
      ["", "Fuel levy", "1.00"],
      ...(at === 1 ? [["", "Tailgate", "38.50"]] : []),
    ]),
  )
  const { rows } = await auditBill(await bookedDatabase(), { bill })
  expect(rows.map(({ consignmentNumber: consignment, disputed }) => [consignment, disputed])).toEqual([
    [FOUR[1]?.number, 38.5],
    ...[0, 2, 3].map((at) => [FOUR[at]?.number, 0]),
  ])
})

describe("a charge below the last consignment", () => {
  const [last] = FOUR.slice(-1) as [Booked]
  const write = (label: string, cents: number) =>
    csv(
      ["Consignment", "Description", "Amount ex GST"],
      ...FOUR.map((each) => [each.number, "Freight", money(each.cents)]),
      ["", "Monthly fee", "25.00"],
      ["", label, money(cents)],
    )

  it.each([
    `Total for 4 consignments ${FOUR[0]?.number} to ${last.number}`,
    `Total of all up to ${last.number}`,
    `Total ${FOUR.map(({ number }) => number).join(", ")}`,
  ])("is of the whole bill above %s", async (label) => {
    const { rows } = await auditBill(await bookedDatabase(), { bill: write(label, sumOf(FOUR) + 2500) })
    expect(
      rows.filter(({ disputed }) => disputed > 0).map(({ consignmentNumber: consignment }) => consignment),
    ).toEqual([null])
  })

  it.each([
    ["Total SBC00000001", (number: string) => `Total ${number}`],
    ["Total for consignment SBC00000001", (number: string) => `Total for consignment ${number}`],
  ])("is its own where each has a total such as %s", async (_, labelOf) => {
    const bill = csv(
      ["Consignment", "Description", "Amount ex GST"],
      ...FOUR.flatMap((each) => [
        [each.number, "Freight", money(each.cents)],
        ...(each === last ? [["", "Tailgate", "25.00"]] : []),
        ["", labelOf(each.number), money(each.cents + (each === last ? 2500 : 0))],
      ]),
    )
    const { rows } = await auditBill(await bookedDatabase(), { bill })
    expect(
      rows.filter(({ disputed }) => disputed > 0).map(({ consignmentNumber: consignment }) => consignment),
    ).toEqual([last.number])
  })
})

describe("a charge below a consignment whose total names nothing", () => {
  const [, second] = FOUR as [Booked, Booked]
  const write = (some: readonly Booked[]) =>
    csv(
      ["Con Note", "Description", "Amount ex GST"],
      ...some.flatMap((each) => [
        [each.number, "FREIGHT", money(each.cents)],
        ...(each === second ? [["", "MANUAL HANDLING", "25.00"]] : []),
        ["", "CON NOTE TOTAL", money(each.cents + (each === second ? 2500 : 0))],
      ]),
      ["", "INVOICE TOTAL", money(sumOf(some) + 2500)],
    )

  it("is its own where each has a total that is the sum of its rows", async () => {
    const { rows } = await auditBill(await bookedDatabase(), { bill: write(FOUR) })
    expect(
      rows
        .filter(({ disputed }) => disputed > 0)
        .map(({ consignmentNumber: consignment, disputed }) => [consignment, disputed]),
    ).toEqual([[second.number, 25]])
  })

  it("may be of the whole bill where that has one consignment", async () => {
    const { rows } = await auditBill(await bookedDatabase(), { bill: write([second]) })
    expect(
      rows.filter(({ disputed }) => disputed > 0).map(({ consignmentNumber: consignment }) => consignment),
    ).toEqual([null])
  })
})

describe("amounts before a rebate, and the total of the invoice beside each row", () => {
  const write = (off: number) =>
    csv(
      ["Invoice Amount", "Tracking Number", "Basis Amount", "Incentive Amount", "Net Amount", "Tax Amount"],
      ...FOUR.map((each, at) => [
        ...[money(inc(sumOf(FOUR))), each.number, money(each.cents + at * 1000 + (at === 3 ? off : 0))],
        ...[money(0 - at * 1000), money(each.cents), money(Math.round(each.cents * (at === 0 ? 0.15 : 0.1)))],
      ]),
    )

  it("are charged in none of their rows where the net amount is what is left", async () => {
    const { rows, asked } = await tryBill(await bookedDatabase(), { bill: write(0) })
    expect(asked).toBeUndefined()
    expect(rows.map(({ verdict }) => verdict)).toEqual(["wrong-gst", "agrees", "agrees", "agrees"])
  })

  it("are asked about where one row says otherwise", async () => {
    const { asked } = await tryBill(await bookedDatabase(), { bill: write(100) })
    expect(asked?.map(({ column }) => column)).toEqual(["Basis Amount"])
  })
})

describe("types of rows that say what is charged for and what is given back", () => {
  const [first, second] = FOUR as [Booked, Booked]
  const write = (...rows: readonly [Booked, string, number][]) =>
    csv(
      ["Type", "Tracking Number", "Total (inc. GST)", "GST Component"],
      ...rows.map(([each, type, cents]) => [type, each.number, ...[inc(cents), taxOf(cents)].map(money)]),
    )

  it("are charges, and a refund is a credit", async () => {
    const bill = write(
      ...FOUR.map((each): [Booked, string, number] => [each, "Order", each.cents]),
      [first, "Surcharge", 2420],
      [first, "Refund", -2420],
    )
    const { rows, asked } = await tryBill(await bookedDatabase(), { bill })
    expect([asked, rows.map(({ verdict }) => verdict)]).toEqual([undefined, FOUR.map(() => "agrees")])
  })

  it("are freight where the shipment itself is charged, which is billed once", async () => {
    const bill = write([first, "Order", first.cents], [first, "Order", first.cents], [second, "Refund", -100])
    const { rows } = await auditBill(await bookedDatabase(), { bill })
    expect(rows[0]?.verdict).toBe("billed-twice")
  })
})

it.each([
  "XC2 Code",
  "Charge Code 2",
  "Surcharge 2 Type",
])("takes %s for no sign of all amounts of a row", async (code) => {
  const [first, second] = FOUR as [Booked, Booked]
  const bill = csv(
    ["Shipment Number", "Total amount (excl. VAT)", "Weight Charge", code, "XC2 Name", "XC2 Charge"],
    [first.number, money(first.cents), money(first.cents + 1000), "CR", "Credit redelivery", "-10.00"],
    [second.number, money(second.cents), money(second.cents), "", "", ""],
  )
  const { rows, asked } = await tryBill(await bookedDatabase(), { bill })
  expect([asked, rows.map(({ verdict }) => verdict)]).toEqual([undefined, ["agrees", "agrees"]])
})

describe("a fee without GST of its own among rows that have it", () => {
  const FEE = 2500
  const ex = sumOf(FOUR) + FEE
  const own = FOUR.reduce((all, { cents }) => all + taxOf(cents), 0)
  const write = (gst: number, hasSubtotal: boolean) =>
    csv(
      ["Consignment", "Description", "Ex GST", "GST", "Inc GST"],
      ...FOUR.map(({ number, cents }) => [
        number,
        "Freight",
        ...[cents, taxOf(cents), inc(cents)].map(money),
      ]),
      ...(hasSubtotal ? [["", "Subtotal ex GST", money(sumOf(FOUR)), "", ""]] : []),
      ["", "Account fee", money(FEE), "", ""],
      ["", "GST", "", money(gst), ""],
      ["", "Total inc GST", "", "", money(ex + gst)],
    )

  it.each([
    true,
    false,
  ])("has its share of the GST that the bill states (below a sub total: %s)", async (has) => {
    const bill = write(own + taxOf(FEE), has)
    const { bills, notes } = await auditBill(await bookedDatabase(), { bill })
    expect(bills.map(({ amount, gstCheck, statedGstOf }) => [amount, gstCheck, statedGstOf])).toEqual([
      [ex / 100, "agrees", ex / 100],
    ])
    expect(notes.join()).not.toContain("not the sum")
    const posted = await postBill(await bookedDatabase(), { bill })
    expect(sumPosted(posted)).toEqual([ex, own + taxOf(FEE)])
    expect(FOUR.map(({ number }) => posted.get(number))).toEqual(
      FOUR.map(({ cents }) => [cents, taxOf(cents)]),
    )
  })

  it.each([true, false])("has none where the rows have all of that (below a sub total: %s)", async (has) => {
    const bill = write(own, has)
    const { bills } = await auditBill(await bookedDatabase(), { bill })
    expect(bills.map(({ amount, gstCheck }) => [amount, gstCheck])).toEqual([[ex / 100, null]])
  })

  it("is reported where all of the GST is above a tenth", async () => {
    const { bills } = await auditBill(await bookedDatabase(), { bill: write(own + FEE, true) })
    expect(bills.map(({ gstCheck, statedGstOf }) => [gstCheck, statedGstOf])).toEqual([["wrong", ex / 100]])
  })

  it("is no reason to take a wrong total for right", async () => {
    const bill = write(own + taxOf(FEE), true).replace(money(ex + own + taxOf(FEE)), money(ex + own + 900))
    expect((await tryBill(await bookedDatabase(), { bill })).refused?.message).toContain("Total inc GST")
  })
})

it.each([
  [0, 100, '"Page total" is {gst+}, which is not the sum of the rows above it ({gst})'],
  [
    700,
    100,
    '"Page total" has {ex+} and {gst+}, which are not the sums of the rows above it ({ex} and {gst})',
  ],
])("an audit tells of a total each amount that differs: by %i and %i", async (more, moreGst, told) => {
  const [ex, gst] = [sumOf(FOUR), FOUR.reduce((all, { cents }) => all + taxOf(cents), 0)]
  const bill = csv(
    ["Consignment", "Amount ex GST", "GST"],
    ...FOUR.map(({ number, cents }) => [number, money(cents), money(taxOf(cents))]),
    ["Page total", money(ex + more), money(gst + moreGst)],
  )
  const { notes } = await auditBill(await bookedDatabase(), { bill })
  const figures = { "{ex}": ex, "{ex+}": ex + more, "{gst}": gst, "{gst+}": gst + moreGst }
  const text = Object.entries(figures).reduce((all, [name, cents]) => all.replace(name, money(cents)), told)
  expect(notes.join()).toContain(text)
})

it("an audit says what is charged for by its description, beside a code", async () => {
  const bill = csv(
    ["Consignment", "Charge Code", "Description", "Amount ex GST"],
    ...FOUR.map((each) => [each.number, "FRT", "Road freight", money(each.cents)]),
  )
  expect(verdictsIn(await auditBill(await bookedDatabase(), { bill }))).toEqual(FOUR.map(() => ["agrees", 0]))
})

describe("what stands below the total of all rows", () => {
  const FOUR = BOOKED.slice(0, 4)
  const sum = FOUR.reduce((all, { cents }) => all + cents, 0)
  const rows = FOUR.map(({ number, cents }) => [number, "Freight", money(cents)])
  const write = (...below: string[][]) =>
    csv(["Consignment", "Details", "Amount ex GST"], ...rows, ["Total", "", money(sum)], ...below)

  it.each([
    ["Please pay by 31/12/2026", money(sum)],
    ["Instalment 1 of 2 due 15/12/2026", "20.00"],
    ["75", money(sum)],
  ])("is not a charge in silence: %s", async (label, amount) => {
    const all = money(sum + Math.round(Number(amount) * 100))
    const bill = write([label, "", amount])
    const { refused } = await tryBill(await bookedDatabase(), { bill })
    expect(refused?.message).toBe(
      `standard input: row 6: "Total" is ${money(sum)}, the sum of the rows above it, and with the rows below it, from row 7 on, all come to ${all}; nothing was audited`,
    )
    const given = await tryBill(await bookedDatabase(), {
      bill,
      total: sum + Math.round(Number(amount) * 100),
    })
    expect([given.refused, given.rows.length]).toEqual([undefined, 5])
  })

  it("is a charge where another total has it", async () => {
    const bill = write(["", "Card surcharge", "3.20"], ["Amount payable", "", money(sum + 320)])
    const { rows: read, refused } = await tryBill(await bookedDatabase(), { bill })
    expect([refused, read.length]).toEqual([undefined, 5])
  })
})
