/** Rows of bills and statements that are no charges, or have their cells in the wrong columns. */
import { Buffer } from "node:buffer"
import { describe, expect, it } from "vitest"
import { FreightError } from "../../src/base/errors.ts"
import { readStatement } from "../../src/bills/statement/read.ts"
import { UnclearColumns } from "../../src/input/columns/questions.ts"
import {
  auditBill,
  BOOKED,
  bookedDatabase,
  csv,
  DAY,
  money,
  postBill,
  taxOf,
  tryBill,
  workbookOf,
} from "./desk.ts"
import { failure } from "../failure.ts"
import { readPagesHere } from "./pages-here.ts"
import { drawLines } from "./pdfs.ts"

const FOUR = BOOKED.slice(0, 4)
const database = await bookedDatabase()
const HEAD = ["Consignment", "Reference", "Amount ex GST", "GST"]
const ROWS = FOUR.map(({ number, reference, cents }) => [
  number,
  reference,
  money(cents),
  money(taxOf(cents)),
])
const SUM = FOUR.reduce((sum, { cents }) => sum + cents, 0)

async function errorsOf(text: string): Promise<string[]> {
  const { refused } = await tryBill(database, { bill: text })
  return refused?.errors?.map(({ message }) => message) ?? []
}

async function statement(text: string | Uint8Array, map: readonly string[] = []) {
  const notes: string[] = []
  const keep = async (note: string) => void notes.push(note)
  const lines = await readStatement("-", {
    ...{ map, ignoreUnknown: false, nowMs: Date.parse(DAY), tell: keep, warn: keep, stage: "draft" },
    ...{ input: undefined, choices: {}, total: undefined, readPages: readPagesHere },
    signal: new AbortController().signal,
    async *stdin() {
      yield Buffer.from(text)
    },
  })
  return { lines, notes }
}

async function statementErrors(text: string): Promise<string[]> {
  try {
    await statement(text)
    return []
  } catch (error) {
    if (error instanceof FreightError) return (error.errors ?? []).map(({ message }) => message)
    throw error
  }
}

describe("a row with other cells than its headings", () => {
  it.each<[what: string, bill: string, error: string]>([
    [
      "a comma in an amount without quotes",
      "Consignment,GST,Total ex GST\nSBC00000001,107.27,1,072.70\nSBC00000002,2.99,29.90\n",
      "row 2: has 4 cells, and the first line has 3 columns",
    ],
    [
      "a comma in whole dollars without quotes",
      "Consignment,Total ex GST\nSBC00000001,1,250\n",
      "row 2: has 3 cells, and the first line has 2 columns",
    ],
    [
      "a comma without quotes before an empty cell",
      "Consignment,Total ex GST,Notes\nSBC00000001,1,072.70,\n",
      "row 2: has 4 cells, and the first line has 3 columns",
    ],
    [
      "a comma in the last amount of all without quotes",
      "Consignment,Total ex GST\nSBC00000001,1,072.70\n",
      "row 2: has 3 cells, and the first line has 2 columns",
    ],
    [
      "a cell that is missing before its amount",
      "Consignment,Reference,Amount ex GST\nSBC00000001,SO-10001,22.59\nSBC00000002,29.90\n",
      "row 3: has 2 cells, and the first line has 3 columns",
    ],
    [
      "an amount under no heading",
      "Consignment,Amount ex GST,\nSBC00000001,22.59,\nSBC00000002,29.90,4.50\n",
      'row 3: cell 3 holds "4.50", and its column has no name',
    ],
  ])("is refused in a bill: %s", async (_, bill, error) => {
    const errors = await errorsOf(bill)
    expect(errors).toHaveLength(1)
    expect(errors[0]).toContain(error)
  })

  it("asks nothing about the columns into which its cells have moved", async () => {
    const [first = [], second = []] = ROWS.map(([name, , cents, tax]) => [name, "Freight", tax, cents].join())
    const bill = [
      "Consignment,Description,GST,Total ex GST",
      first,
      String(second).replace("Freight", "Freight, remote"),
    ]
    expect(await errorsOf(`${bill.join("\n")}\n`)).toEqual([
      expect.stringContaining("row 3: has 5 cells, and the first line has 4 columns"),
    ])
  })

  it.each<[what: string, text: string, error: string]>([
    [
      "a comma in an amount without quotes",
      "Invoice,Paid,Amount\nINV-1,0.00,1,072.70\nINV-2,0.00,29.90\n",
      "row 2: has 4 cells, and the first line has 3 columns",
    ],
    [
      "an amount under no heading",
      "Invoice,Amount,\nINV-1,22.59,\nINV-2,29.90,4.50\n",
      'row 3: cell 3 holds "4.50", and its column has no name',
    ],
  ])("is refused in a statement: %s", async (_, text, error) => {
    const errors = await statementErrors(text)
    expect(errors).toHaveLength(1)
    expect(errors[0]).toContain(error)
  })

  it.each<[what: string, more: string]>([
    ["a total in its first cells", `Total,${money(SUM)}\n`],
    ["what to pay it by", "BSB,062-000\nAccount name,Carrier Pty Ltd\n"],
    ["a mark under no heading", "SBC00000005,SO-10005,51.83,5.18,*\n"],
  ])("is not a fault where nothing can be misread: %s", async (_, more) => {
    const bill = csv([...HEAD, ""], ...ROWS.map((row) => [...row, ""])) + more
    const { rows } = await auditBill(database, { bill })
    expect(new Set(rows.map(({ verdict }) => verdict))).toEqual(new Set(["agrees"]))
  })
})

it("a bill is refused where an amount stands in the place of a number, and not below the headings of an account's ages", async () => {
  const amounts = ["190.67", "412.10", "602.77", ""]
  const ages = [["Current", "30 Days", "Total due", ""], amounts]
  expect(await errorsOf(csv(HEAD, ...ROWS, ...ages))).toEqual([])
  expect(await errorsOf(csv(HEAD, ...ROWS, ["Now", "Later", "", ""], amounts))).toEqual([
    'row 7, Consignment: "190.67" is an amount, and names nothing',
  ])
  const { rows } = await auditBill(database, { bill: csv(HEAD, ...ROWS, ["Total", money(SUM), "", ""]) })
  expect(rows.map(({ verdict }) => verdict)).toEqual(FOUR.map(() => "agrees"))
})

describe("a gross amount beside a net one", () => {
  const rebate = (cents: number, at: number) => cents + 300 + at
  it.each<[what: string, heading: string, sign: number]>([
    ["a rebate is taken off", "Less rebate", 1],
    ["a discount is taken off", "Discount", 1],
    ["what is taken off is written with a minus", "Volume rebate", -1],
    ["what is taken off has a name of the carrier's own", "Loyalty", 1],
  ])("is before it, where %s: a right bill agrees", async (_, heading, sign) => {
    const rows = FOUR.map(({ number, cents }, at) =>
      [rebate(cents, at), sign * (300 + at), cents, taxOf(cents)].map(money).toSpliced(0, 0, number),
    )
    const bill = csv(["Consignment", "Gross", heading, "Net ex GST", "GST"], ...rows)
    const { rows: audited } = await auditBill(database, { bill })
    expect(audited.map(({ verdict, gstCheck }) => [verdict, gstCheck])).toEqual(
      FOUR.map(() => ["agrees", "agrees"]),
    )
  })

  it.each([
    ["Discount %", "20"],
    ["Discount", "20%"],
    ["Rebate %", "-20 %"],
  ])("is before it, where a rate is taken off: %s of %s", async (heading, rate) => {
    const rows = FOUR.map(({ number, cents }) => [
      number,
      ...[money(Math.round(cents / 0.8)), rate, money(cents), money(taxOf(cents))],
    ])
    const bill = csv(["Consignment", "Gross", heading, "Net ex GST", "GST"], ...rows)
    const { rows: audited } = await auditBill(database, { bill })
    expect(audited.map(({ verdict, gstCheck }) => [verdict, gstCheck])).toEqual(
      FOUR.map(() => ["agrees", "agrees"]),
    )
    const other = await tryBill(database, { bill: bill.replaceAll(rate, rate.replace("20", "10")) })
    expect(other.rows.map(({ gstCheck }) => gstCheck)).not.toContain("agrees")
  })

  it("is with GST where the GST explains it", async () => {
    const rows = FOUR.map(({ number, cents }) => [
      number,
      ...[cents + taxOf(cents), cents, taxOf(cents)].map(money),
    ])
    const wrong = FOUR.map(({ number, cents }) => [number, ...[cents + 999, cents, taxOf(cents)].map(money)])
    const head = ["Consignment", "Gross", "Net ex GST", "GST"]
    const right = await auditBill(database, { bill: csv(head, ...rows) })
    expect(right.rows.map(({ gstCheck }) => gstCheck)).toEqual(FOUR.map(() => "agrees"))
    const other = await auditBill(database, { bill: csv(head, ...wrong) })
    expect(other.rows.map(({ gstCheck }) => gstCheck)).toEqual(FOUR.map(() => "wrong"))
  })
})

describe("a charge beside an amount without it, and an amount with both", () => {
  const write = (headings: readonly string[]) =>
    csv(
      ["Consignment", ...headings],
      ...FOUR.map(({ number, cents }, at) => {
        const levy = 1200 + at * 7
        return [number, ...[cents - levy, levy, cents].map(money)]
      }),
    )

  it.each([
    [["Amount ex GST", "Fuel levy", "Line value"], "Amount ex GST"],
    [["Net", "Fuel surcharge", "Line value"], "Net"],
    [["Net ex GST", "Wharf", "Line value"], "Wharf"],
  ])("is not a rebate: of %j, %s is asked about", async (headings, column) => {
    const { asked } = await tryBill(database, { bill: write(headings) })
    expect(asked?.map((each) => each.column)).toEqual([column])
  })

  it.each(["Fuel levy", "Wharf cost"])("is not a rebate of a gross amount: %s", async (heading) => {
    const bill = write(["Net ex GST", heading, "Gross"])
    const { rows } = await auditBill(database, { bill })
    expect(rows.map(({ verdict }) => verdict)).toEqual(FOUR.map(() => "wrong-gst"))
  })
})

describe("the total of a consignment on each of its items", () => {
  const items = (amounts: (cents: number) => number[]) =>
    FOUR.flatMap(({ number, cents }) =>
      amounts(cents).map((each, at) => [number, at + 1, money(each), money(taxOf(each))]),
    )
  const verdicts = async (heading: string, rows: readonly (readonly (string | number)[])[]) => {
    const bill = csv(["Consignment", "Item", heading, "GST"], ...rows)
    const { rows: audited, notes } = await auditBill(database, { bill })
    return { verdicts: audited.map(({ verdict }) => verdict), notes: notes.join("\n") }
  }
  const AGREE = FOUR.map(() => "agrees")

  it.each([
    "Consignment total ex GST",
    "Total per consignment ex GST",
    "Shipment total ex GST",
    "Con total ex GST",
    "Job total ex GST",
  ])("counts once below %s, and is reported", async (heading) => {
    const read = await verdicts(
      heading,
      items((cents) => [cents, cents, cents]),
    )
    expect(read.verdicts).toEqual(AGREE)
    expect(read.notes).toContain("8 rows of items repeat the total of the consignment, which counts once")
  })

  it.each([
    "Shipment cost ex GST",
    "Consignment charge ex GST",
    "Con note price ex GST",
  ])("is asked about below %s, and read by each answer", async (heading) => {
    const bill = csv(["Consignment", "Item", heading, "GST"], ...items((cents) => [cents, cents]))
    const { asked } = await tryBill(database, { bill })
    expect(asked).toMatchObject([{ column: heading, choices: ["consignmentTotal", "amountExGst"] }])
    const audit = async (field: string) => {
      const { rows } = await auditBill(database, { bill, map: [`${heading}=${field}`] })
      return rows.map(({ verdict }) => verdict)
    }
    expect(await audit("consignmentTotal")).toEqual(AGREE)
    expect(await audit("amountExGst")).not.toContain("agrees")
    const parts = items((cents) => [Math.floor(cents / 3), cents - Math.floor(cents / 3)])
    expect((await verdicts(heading, parts)).verdicts).toEqual(AGREE)
    const mixed = [...items((cents) => [cents, cents]).slice(0, 2), ...parts.slice(2)]
    const one = csv(["Consignment", "Item", heading, "GST"], ...mixed)
    expect((await tryBill(database, { bill: one })).asked).toBeUndefined()
  })

  it("is asked about together with what each item costs", async () => {
    const rows = FOUR.flatMap(({ number, cents }) =>
      [Math.floor(cents / 2) - 100, Math.ceil(cents / 2) + 100].map((each, at) => [
        ...[number, at + 1, money(each), money(cents), money(taxOf(each))],
      ]),
    )
    const head = ["Consignment", "Item", "Item charge ex GST", "Consignment charge ex GST", "GST"]
    const { asked } = await tryBill(database, { bill: csv(head, ...rows) })
    expect(asked?.map(({ column }) => column)).toEqual(["Item charge ex GST", "Consignment charge ex GST"])
  })

  it("is added up where the rows have their own amounts, and asked for twice where rows are alike or the heading does not say it", async () => {
    const parts = items((cents) => [Math.floor(cents / 3), cents - Math.floor(cents / 3)])
    expect((await verdicts("Consignment total ex GST", parts)).verdicts).toEqual(AGREE)
    const twice = items((cents) => [cents]).flatMap((row) => [row, row])
    expect((await verdicts("Consignment total ex GST", twice)).verdicts).not.toContain("agrees")
    const plain = items((cents) => [cents, cents])
    expect((await verdicts("Total ex GST", plain)).verdicts).not.toContain("agrees")
  })
})

describe("rows that count the items of their consignment", () => {
  const audit = async (heading: string, texts: readonly string[], cents = FOUR.map((each) => each.cents)) => {
    const rows = FOUR.flatMap(({ number }, at) =>
      texts.map((text) => [number, text, money(cents[at] ?? 0), money(taxOf(cents[at] ?? 0))]),
    )
    const bill = csv(["Consignment", heading, "Total ex GST", "GST"], ...rows)
    return (await auditBill(database, { bill })).rows.map(({ verdict }) => verdict)
  }

  it.each([
    ["Carton", ["1 of 2", "2 of 2"]],
    ["Item", ["1/2", "2/2"]],
    ["Label of", ["1/2", "2/2"]],
    ["Details", ["Ctn 1/2", "Ctn 2/2"]],
    ["Details", ["1 of 2", "2 of 2"]],
    ["Details", ["Carton 1 of 2", "Carton 2 of 2"]],
  ])("are what each item costs, and nothing that is billed twice: below %s", async (heading, texts) => {
    expect(await audit(heading, texts)).toEqual(FOUR.map(() => "over"))
    const half = FOUR.map(({ cents }) => Math.floor(cents / 2))
    expect(await audit(heading, texts, half)).toEqual(FOUR.map(() => "agrees"))
  })

  it.each([
    ["Carton", ["1 of 2", "1 of 2"]],
    ["Page", ["1 of 2", "2 of 2"]],
    ["Carton", ["3 of 2", "4 of 2"]],
    ["Consigned", ["01/12", "02/12"]],
    ["Run", ["3/11", "4/11"]],
  ])("are billed twice where they name one item or none: below %s %j", async (heading, texts) => {
    expect(await audit(heading, texts)).toEqual(FOUR.map(() => "billed-twice"))
  })
})

describe("an amount that is not a number", () => {
  it.each([
    "null",
    "None",
    "undefined",
    "NaN",
    "TBA",
  ])("is refused, and never read as zero: %s", async (text) => {
    const errors = await errorsOf(csv(HEAD, ...ROWS, ["SBC00000005", "SO-10005", text, "5.18"]))
    expect(errors).toEqual([`row 6, Amount ex GST: "${text}" is not a number`])
  })
})

const OF_ACCOUNT = [
  "Opening balance",
  "Previous balance",
  "Last statement",
  "Amount outstanding",
  "Closing balance",
  "Account balance",
  "Balance forward from October",
  "Balance of last month",
  "Balance",
  "Balance as at 31/10/2026",
  "Current",
  "Over 30 days",
  "30 days",
  "31-60 days",
  "60+ days",
  "90 days and over",
  "Overdue",
  "Total outstanding",
  "Total overdue",
  "Arrears",
  "Payment received",
  "Payments received - thank you",
  "Payment 12/11/2026",
  "Less payments",
  "Last payment",
  "Payment - thank you",
  "Amount due if paid by 15/12/2026",
  "Less prompt discount of 2.5% if paid within 7 days",
  "Less credit note CN-9",
  "Credit note CN-9 applied",
]

describe("a row of the account", () => {
  it.each(OF_ACCOUNT)("%s is not a charge of a bill, wherever it stands, and is reported", async (label) => {
    for (const [at, place] of [
      [0, 0],
      [2, 1],
      [ROWS.length, 0],
      [ROWS.length, 1],
    ] as const) {
      const row = [place === 0 ? label : "", place === 1 ? label : "", "412.10", ""]
      const bill = csv(HEAD, ...ROWS.slice(0, at), row, ...ROWS.slice(at))
      const { rows, notes } = await auditBill(database, { bill })
      expect(rows.map(({ verdict }) => verdict)).toEqual(FOUR.map(() => "agrees"))
      expect(notes.filter((note) => note.includes(label) && note.includes("412.10"))).toHaveLength(1)
      const posted = await postBill(database, { bill })
      expect([...posted.values()].reduce((sum, [cents]) => sum + cents, 0)).toBe(SUM)
    }
  })

  it("stays a charge where a fee is asked for, or a consignment is named", async () => {
    for (const [name, label] of [
      ["", "Late payment fee"],
      ["", "Overdue account fee"],
      ["", "Card payment surcharge"],
      ["", "Storage over 30 days"],
      ["", "Credit note fee"],
      ["SBC00000005", "Current"],
    ]) {
      const bill = csv(
        ["Consignment", "Charge", "Amount ex GST", "GST"],
        ...FOUR.map(({ number, cents }) => [number, "Freight", money(cents), money(taxOf(cents))]),
        [name ?? "", label ?? "", "41.10", "4.11"],
      )
      const posted = await postBill(database, { bill })
      expect(
        [...posted.values()].reduce((sum, [cents]) => sum + cents, 0),
        label,
      ).toBe(SUM + 4110)
    }
  })

  it("is not an invoice of a statement, but a payment is one of its rows", async () => {
    for (const label of OF_ACCOUNT) {
      const { lines, notes } = await statement(
        csv(["Invoice", "Date", "Amount"], ["INV-1", "2026-10-05", "110.00"], [label, "", "412.10"]),
      )
      const isPayment = /payment/i.test(label)
      expect(
        lines.map(({ type }) => type),
        label,
      ).toEqual(isPayment ? ["invoice", "payment"] : ["invoice"])
      expect(
        notes.some((note) => note.includes(label)),
        label,
      ).toBe(!isPayment)
    }
  })
})

it("a row that names a consignment and has no amount names the charges below it, and not the row before it", async () => {
  const bill = csv(
    ["Consignment", "Service", "Charge", "Amount ex GST", "GST"],
    ...FOUR.flatMap(({ number, cents }, at) => [
      at === 0
        ? [number, "STD", "Freight", money(cents - 100), money(taxOf(cents - 100))]
        : [number, "STD", "", "", ""],
      ...(at === 0 ? [] : [["", "", "Freight", money(cents - 100), money(taxOf(cents - 100))]]),
      ["", "", "Fuel levy", money(100), money(10)],
    ]),
  )
  const { rows } = await auditBill(database, { bill })
  expect(rows.map(({ consignmentNumber: consignment, billed }) => [consignment, billed]).toSorted()).toEqual(
    FOUR.map(({ number, cents }) => [number, cents / 100]).toSorted(),
  )
})

it("a levy between consignments is asked about, also where each has a row for its items first", async () => {
  const many = BOOKED.slice(0, 10)
  const rows = many.flatMap(({ number, reference, cents }, at) => [
    [number, reference, "2 cartons", ""],
    [number, reference, "Freight", money(cents)],
    ...([1, 4, 8].includes(at) ? [["", "", "Tail lift", "10.00"]] : []),
    ...(at === 5 ? [["", "", "Fuel levy", "15.00"]] : []),
  ])
  const { asked } = await tryBill(database, {
    bill: csv(["Connote", "Reference", "Charge", "Amount ex GST"], ...rows),
  })
  expect(asked?.map(({ column, why }) => [column, why])).toEqual([
    ["Connote", expect.stringContaining("is empty below 4 of 10 consignments")],
  ])
})

it("a number that lost its digits, in a row without an amount, does not give the charges below it to the row before it", async () => {
  const bill = csv(
    ["Consignment", "Charge", "Amount ex GST", "GST"],
    ...FOUR.flatMap(({ number, cents }, at) => [
      [at === 2 ? "5.12346E+12" : number, "", "", ""],
      ["", "Freight", money(cents - 100), money(taxOf(cents - 100))],
      ["", "Fuel levy", money(100), money(10)],
    ]),
  )
  const { rows } = await auditBill(database, { bill })
  const billed = rows.filter(({ consignmentNumber: consignment }) =>
    FOUR.some(({ number }) => number === consignment),
  )
  const expected = FOUR.filter((_, at) => at !== 2).map(({ number, cents }) => [number, cents / 100])
  expect(billed.map((row) => [row.consignmentNumber, row.billed]).toSorted()).toEqual(expected.toSorted())
})

it.each([
  ["Total ex GST", "over"],
  ["Total inc GST", "under"],
])("amounts that come to %s to the cent are read so", async (label, verdict) => {
  // None equals its quote, so that only words can tell.
  const bill = csv(
    ["Consignment", "Charge", "Amount"],
    ...FOUR.map(({ number, cents }) => [number, "Freight", money(cents + 100)]),
    [label, "", money(SUM + 100 * FOUR.length)],
  )
  const { rows } = await auditBill(database, { bill })
  expect(rows.map((row) => row.verdict)).toEqual(FOUR.map(() => verdict))
})

describe("what a sum says of GST", () => {
  const dearer = FOUR.map(({ number, cents }) => ({ number, cents: cents + 100 }))
  const sumOf = (some: typeof dearer) => some.reduce((sum, { cents }) => sum + cents, 0)
  const verdictsOf = async (bill: string | Uint8Array, sheets?: readonly string[]) => {
    const { rows } = await auditBill(database, { bill, ...(sheets && { sheets }) })
    return Object.fromEntries(
      rows.map(({ consignmentNumber: consignment, verdict }) => [consignment, verdict]),
    )
  }
  const numbers = FOUR.map(({ number }) => number)

  it("of its sheet is not said of another", async () => {
    const toSheet = (some: typeof dearer, label: string) => [
      ["Consignment", "Charge", "Amount"],
      ...some.map(({ number, cents }) => [number, "Freight", money(cents)]),
      [label, "", money(sumOf(some))],
    ]
    const withGst = dearer.slice(2).map((each) => ({ ...each, cents: each.cents + taxOf(each.cents) }))
    const bill = workbookOf([
      ["Road", toSheet(dearer.slice(0, 2), "Total ex GST")],
      ["Air", toSheet(withGst, "Total inc GST")],
    ])
    const verdicts = await verdictsOf(bill, ["Road", "Air"])
    expect(numbers.map((each) => verdicts[each])).toEqual(["cannot-tell", "cannot-tell", "over", "over"])
  })

  it.each<[what: string, rows: readonly (readonly string[])[], total: readonly string[]]>([
    [
      "beside which GST stands, for one without it",
      dearer.map(({ number, cents }, at) => [
        number,
        "Freight",
        money(cents),
        at < 3 ? money(taxOf(cents)) : "",
      ]),
      ["", money(dearer.slice(0, 3).reduce((sum, { cents }) => sum + taxOf(cents), 0))],
    ],
    [
      "of which one says the other",
      [
        ...dearer.map(({ number, cents }) => [number, "Freight", money(cents), ""]),
        [numbers[0] ?? "", "Tail lift (ex GST)", "11.00", ""],
      ],
      ["11.00", ""],
    ],
  ])("is not said of amounts %s", async (_, rows, [more, gst]) => {
    const sum = sumOf(dearer) + Math.round(Number(more) * 100)
    const bill = csv(["Consignment", "Charge", "Amount", "GST"], ...rows, [
      "Total (incl GST)",
      "",
      money(sum),
      gst ?? "",
    ])
    const verdicts = await verdictsOf(bill)
    expect(verdicts[numbers[3] ?? ""]).toBe("cannot-tell")
  })
})

/** One charge that can be 1072 or 1.07, beside one other with a comma. */
const IN_DOUBT = "Consignment;Amount ex GST\nSBC99999998;24,50\nSBC99999999;1.072\n"

describe("an amount with two readings", () => {
  it("is asked about once in a bill, and read by the answer", async () => {
    const { asked } = await tryBill(database, { bill: IN_DOUBT })
    expect(asked).toMatchObject([
      { column: "Amount ex GST", values: ["1.072"], choices: ["decimalComma", "decimalPoint"] },
    ])
    const { rows } = await auditBill(database, {
      bill: IN_DOUBT,
      map: ["Amount ex GST=decimalComma"],
      isOffline: true,
    })
    expect(rows.map(({ billed }) => billed).toSorted((one, other) => (one ?? 0) - (other ?? 0))).toEqual([
      24.5, 1072,
    ])
  })

  it("is asked about with all else of a bill, wherever its doubt comes up", async () => {
    const plain = Array.from({ length: 1100 }, (_, at) => `SBC9${at};5,00;X`)
    const bill = ["Consignment;Amount ex GST;Reversal", ...plain, "SBC8;7.00;X", "SBC7;1.072;X"].join("\n")
    const { asked } = await tryBill(database, { bill })
    expect(asked?.map(({ column }) => column).toSorted()).toEqual(["Amount ex GST", "Reversal"])
  })

  it("is asked about once in a statement, and read by the answer", async () => {
    const text = "Invoice number;Amount\nINV-1;24,50\nINV-2;1.072\n"
    expect(await failure(statement(text))).toMatchObject({
      questions: [{ column: "Amount", choices: ["decimalComma", "decimalPoint"] }],
    })
    const { lines } = await statement(text, ["Amount=decimalComma"])
    expect(lines.map(({ cents }) => cents)).toEqual([2450, 107200])
  })
})

describe("what is struck through in a workbook", () => {
  const amount = (row: number) => ({ struck: ROWS[row]?.[2] ?? "" })
  const struckRow = ROWS.map((row, at) => (at === 1 ? row.map((text) => ({ struck: text })) : row))
  const struckAmount = ROWS.map((row, at) =>
    at === 1 ? [row[0] ?? "", row[1] ?? "", amount(1), row[3] ?? ""] : row,
  )

  it.each([
    ["a row", HEAD, struckRow, "row 3 is struck through"],
    ["an amount", HEAD, struckAmount, "row 3 is struck through in part"],
    [
      "a heading",
      HEAD.map((text, at) => (at === 3 ? { struck: text } : text)),
      ROWS,
      "row 1 is struck through in part",
    ],
  ])("is asked about in a bill and in a statement as what is hidden: %s", async (_, head, rows, message) => {
    const bill = workbookOf([["Charges", [head, ...rows]]])
    const refused = { kind: "usage", message: expect.stringContaining(message) }
    expect((await tryBill(database, { bill })).refused).toMatchObject(refused)
    expect(await failure(statement(bill))).toMatchObject(refused)
  })

  it("has no value where it is a part of a cell, and its row or its headings are refused", async () => {
    const head = HEAD.map((text, at) => (at === 1 ? { struck: "Old", rest: text } : text))
    const bill = workbookOf([["Charges", [head, ...ROWS]]])
    const { refused } = await tryBill(database, { bill })
    expect([refused?.message, refused?.errors?.map(({ message }) => message)]).toEqual([
      "standard input: the headings in row 1 cannot be read",
      ['B1 has letters that are struck through: "OldReference"'],
    ])
    const part = ROWS.map(([name = "", reference = "", cents = "", tax = ""], at) => [
      ...[name, reference],
      at === 1 ? { struck: "1", rest: cents } : cents,
      tax,
    ])
    expect(
      (await tryBill(database, { bill: workbookOf([["Charges", [HEAD, ...part]]]) })).refused?.errors,
    ).toMatchObject([{ message: expect.stringContaining("C3 has letters that are struck through"), line: 3 }])
  })
})

it("an audit asks about all sheets of a bill at once, whatever is asked about each", async () => {
  const sheets = [
    [
      "Week 1",
      [
        ["Consignment", "Amount ex GST", "Reversal"],
        ["SBC99999990", "24.50", "X"],
      ],
    ],
    [
      "Week 2",
      [
        ["Consignment", "Amount ex GST"],
        ["SBC99999991", "24,50"],
        ["SBC99999992", "1.072"],
      ],
    ],
    [
      "Week 3",
      [
        ["Consignment", "Item", "Shipment cost ex GST"],
        ["SBC99999993", "1", "5.00"],
        ["SBC99999993", "2", "5.00"],
      ],
    ],
  ] as const
  const { asked } = await tryBill(database, {
    bill: workbookOf(sheets),
    sheets: sheets.map(([name]) => name),
  })
  expect(asked?.map(({ column }) => column)).toEqual(["Reversal", "Amount ex GST", "Shipment cost ex GST"])
})

it("an audit asks about all tables of a statement in a PDF at once", async () => {
  const row = (...texts: readonly string[]) => texts.map((text, at) => [text, 40 + at * 110] as const)
  const pdf = await drawLines([
    row("Date", "Invoice No", "Amount", "Debit or credit"),
    row("05/10/2026", "INV-1001", "110.00", "credit"),
    row("06/10/2026", "INV-1002", "220.00", "debit"),
    row("Total", "", "330.00"),
    row("Credits and debits of depots"),
    row("Date", "Invoice No", "Amount", "Credited"),
    row("07/10/2026", "INV-1003", "55.00", "CR"),
    row("08/10/2026", "INV-1004", "66.00", "CR"),
    row("Total", "", "121.00"),
  ])
  const error = await failure(statement(pdf))
  if (!(error instanceof UnclearColumns)) throw error
  expect(error.questions.map(({ column }) => column)).toEqual(["Debit or credit", "Credited"])
})

it("an audit takes a count beside a weight of three figures as they are, and not for an amount whose comma parted it", async () => {
  const head = ["Consignment", "Items", "Weight", "Amount ex GST", "GST"]
  const bill = csv(head, ...ROWS.map(([name = "", , cents = "", tax = ""]) => [name, "2", "150", cents, tax]))
  const { refused, rows } = await tryBill(database, { bill })
  expect([refused, rows.length]).toEqual([undefined, FOUR.length])
})

describe("a row whose amounts are not all filled in", () => {
  const [one, two, three] = ROWS as [string[], string[], string[]]
  const [number = "", reference = "", , gst = ""] = three
  const SUM_OF_TWO = FOUR.slice(0, 2).reduce((sum, { cents }) => sum + cents, 0)

  it.each<[what: string, head: readonly string[], row: readonly string[]]>([
    ["beside an amount without GST", HEAD, [number, reference, "", gst]],
    [
      "beside an amount with GST",
      ["Consignment", "Reference", "Total inc GST", "GST"],
      [number, "", "", gst],
    ],
    ["beside a charge", ["Consignment", "Reference", "Freight", "GST"], [number, "", "", gst]],
    ["without a number", HEAD, ["", "", "", gst]],
  ])("is refused where its GST stands alone: %s", async (_, head, row) => {
    expect(await errorsOf(csv(head, one, row, two))).toEqual([
      `row 3, GST: "${gst}" is the GST of an amount that is missing: fill in the amount, or empty this cell`,
    ])
  })

  it("keeps GST that has a row of its own", async () => {
    const head = ["Consignment", "Charge", "Amount ex GST", "GST"]
    const bill = csv(
      head,
      ...ROWS.flatMap(([name = "", , cents = "", tax = ""]) => [
        [name, "Freight", cents, ""],
        [name, "GST", "", tax],
      ]),
    )
    expect([...(await postBill(database, { bill })).values()]).toEqual(
      FOUR.map(({ cents }) => [cents, taxOf(cents)]),
    )
  })

  it.each<[what: string, rows: readonly (readonly string[])[]]>([
    ["between others", [one, [number, reference, "", ""], two]],
    ["that is cut short", [one, [number, reference], two]],
    ["at the end", [one, two, [number, reference, "", ""]]],
    [
      "above a total",
      [one, two, [number, reference, "", ""], ["Total", "", money(SUM_OF_TWO), money(taxOf(SUM_OF_TWO))]],
    ],
  ])("is told where nothing below it is charged for its consignment: %s", async (_, rows) => {
    const { notes } = await auditBill(database, { bill: csv(HEAD, ...rows) })
    expect(notes).toContain("standard input: 1 row without an amount left out")
  })

  it("is not told where its charges stand below it", async () => {
    const head = ["Consignment", "Description", "Amount ex GST", "GST"]
    const rows = ROWS.flatMap(([name = "", , cents = "", tax = ""]) => [
      [name, "", "", ""],
      ["", "Freight", cents, tax],
    ])
    const { notes, rows: read } = await auditBill(database, {
      bill: csv(head, ...rows),
      map: ["Consignment=consignmentAbove"],
    })
    expect([notes, read.length]).toEqual([[], FOUR.length])
  })
})

describe("words that a charge is not asked for", () => {
  const withWords = (heading: string, words: string) =>
    csv(
      ["Consignment", heading, "Amount ex GST"],
      ...FOUR.map(({ number, cents }, at) => [number, at === 2 ? words : "", money(cents)]),
    )

  it.each([
    "VOID",
    "Cancelled.",
    "not charged",
    "Written off",
    "(void)",
    "Do not pay",
  ])("are asked about under any heading, and the charge is taken by the answer: %s", async (words) => {
    for (const heading of ["Comments", "Column X"]) {
      const bill = withWords(heading, words)
      expect((await tryBill(database, { bill })).asked).toMatchObject([{ column: heading, choices: [] }])
      const { rows } = await auditBill(database, { bill, map: [`${heading}=`] })
      expect(rows).toHaveLength(FOUR.length)
    }
  })

  it("are asked about far below the first rows", async () => {
    const plain = Array.from({ length: 1100 }, (_, at) => `SBC9${at},,5.00`)
    const bill = ["Consignment,Comments,Amount ex GST", ...plain, "SBC8,VOID,7.00"].join("\n")
    expect((await tryBill(database, { bill })).asked).toMatchObject([{ column: "Comments" }])
  })

  it.each([
    "Void fill used",
    "Disputed last month, paid since",
    "Avoid Friday",
  ])("are not seen in a remark: %s", async (words) => {
    expect((await auditBill(database, { bill: withWords("Comments", words) })).rows).toHaveLength(FOUR.length)
  })
})

describe("an adjustment note or a discount among the rows of a bill", () => {
  const withNote = (label: string, amount: string, head: readonly string[][] = []) =>
    csv(...head, HEAD, ...ROWS, [label, "", amount, ""])

  it.each([
    "Adjustment note",
    "Adjustment note 55",
    "Tax adjustment memo no 7",
    "Discount",
    "Less volume discount 10%",
  ])("is refused where its amount has no sign: %s", async (label) => {
    expect(await errorsOf(withNote(label, "12.10"))).toEqual([
      `row 6: "${label}" does not say whether its amount is charged or given back: write a credit with a minus, and a charge by its own name`,
    ])
  })

  it.each<[amount: string, label: string, billed: number]>([
    ["-12.10", "Adjustment note 55", -12.1],
    ["(12.10)", "Adjustment note 55", -12.1],
    ["12.10", "Credit note 55", -12.1],
    ["12.10", "Re-weigh adjustment", 12.1],
    ["-12.10", "Volume discount", -12.1],
    ["12.10", "Freight after discount", 12.1],
  ])("is read where it says so: %s, %s", async (amount, label, billed) => {
    const { rows } = await auditBill(database, { bill: withNote(label, amount) })
    expect(rows.map((each) => each.billed)).toContain(billed)
  })

  it("is a credit among credits", async () => {
    const bill = csv(HEAD, ...ROWS, ["CREDITS", "", "", ""], ["Adjustment note 55", "", "12.10", ""])
    const { rows } = await auditBill(database, { bill })
    expect(rows.map(({ billed }) => billed)).toContain(-12.1)
  })
})
