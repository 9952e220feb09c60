/** Which rule a consignment's charges follow: a row each. Lines of a bill, and their GST: a row each. */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { NO_MONEY } from "../../../src/bills/money.ts"
import type { Bill, BillLine } from "../../../src/bills/bill.ts"
import { listEntries, splitOff } from "../../../src/bills/entries.ts"
import { findRule, readRule, readRules, type Subject } from "../../../src/bills/books/rules.ts"
import { FreightError } from "../../../src/base/errors.ts"
import { failure } from "../../failure.ts"

const SUBJECT: Subject = {
  references: ["SYD-1001", "PO 7"],
  receiver: { companyName: "Bourke Fittings (WA)", suburb: "Fremantle", state: "WA", postcode: "6160" },
  sender: { companyName: "Harbour Lighting", suburb: "Alexandria", state: "NSW", postcode: "2015" },
  carriers: ["CARRIER_A_AU", "Carrier A"],
  costCentre: undefined,
}

describe("a rule", () => {
  it.each<[rule: string, fits: boolean]>([
    ["reference,SYD-,1", true],
    ["reference,syd-,1", true],
    ["reference,po,1", true],
    ["reference,1001,1", false],
    ["reference,*1001,1", true],
    ["receiver,Bourke Fittings (WA),1", true],
    ["receiver,bourke*,1", true],
    ["receiver,Bourke,1", false],
    ["receiver,6160,1", true],
    ["receiver,wa,1", true],
    ["receiver,NSW,1", false],
    ["sender,NSW,1", true],
    ["sender,.*,1", false],
    ["carrier,carrier a,1", true],
    ["carrier,CARRIER_A_AU,1", true],
    ["carrier,*,1", true],
  ])("%s: %s", (rule, fits) => {
    expect(findRule([readRule(rule, "--rule")], SUBJECT) !== undefined).toBe(fits)
  })

  it("counts before those below it, with its account and cost centre", () => {
    const rules = ["receiver,SA,1", "carrier,*,2,West", "reference,SYD-,3"].map((text) =>
      readRule(text, "--rule"),
    )
    expect(findRule(rules, SUBJECT)).toMatchObject({ account: "2", costCentre: "West" })
  })

  it.each([
    ["colour,red,1", /"colour" is none of reference, receiver, sender, carrier/],
    ["reference,,1", /it matches nothing: write \* for all/],
    ["reference,SYD-", /it has no account/],
    ["reference,SYD-,1,West,more", /it has more than four parts/],
  ])("%s is refused", (rule, why) => {
    expect(() => readRule(rule, "--rule")).toThrow(why)
  })
})

interface Billed {
  charge?: BillLine["charge"]
  exGst?: number
  gst?: number
  incGst?: number
  unspecifiedGstCents?: number
}

/** @param consignments the lines of each */
function entriesOf(consignments: readonly (readonly Billed[])[], more: Partial<Bill> = {}, given?: number) {
  const all: BillLine[] = []
  const bill: Bill = {
    ...{ file: "b.csv", number: "B1", supplier: "A", date: "", lines: all },
    ...{ statesGst: false, isGstRight: false },
    ...more,
  }
  const lines = consignments.map((some) =>
    some.map((each): BillLine => {
      const line = { ...NO_MONEY, charge: "freight" as const, label: "", service: "", grams: null, ...each }
      return { ...line, bill, at: bill.lines.length }
    }),
  )
  all.push(...lines.flat())
  try {
    return listEntries(bill, lines, given).map(({ exGst, gst }) => [exGst, gst])
  } catch (error) {
    if (error instanceof FreightError) return error.message
    throw error
  }
}

const NO_GST = "bill B1 does not say how much GST is in it"

describe("the amounts of a bill's lines", () => {
  it.each<[string, ReturnType<typeof entriesOf>, unknown]>([
    ["with GST beside them", entriesOf([[{ exGst: 1000, gst: 100 }]]), [[1000, 100]]],
    ["with GST in them", entriesOf([[{ incGst: 1100, gst: 100 }]]), [[1000, 100]]],
    ["GST as the bill has it, right or wrong", entriesOf([[{ exGst: 1000, gst: 130 }]]), [[1000, 130]]],
    ["free of GST", entriesOf([[{ unspecifiedGstCents: 1000, gst: 0 }]]), [[1000, 0]]],
    [
      "that do not say, and fit without GST",
      entriesOf([[{ unspecifiedGstCents: 1000, gst: 100 }]]),
      [[1000, 100]],
    ],
    [
      "that do not say, and fit with GST",
      entriesOf([[{ unspecifiedGstCents: 1100, gst: 100 }]]),
      [[1000, 100]],
    ],
    [
      "that do not say, and fit neither",
      entriesOf([[{ unspecifiedGstCents: 900, gst: 200 }]]),
      "bill B1 does not say whether GST of 2.00 is in 9.00",
    ],
    [
      "that contradict each other",
      entriesOf([[{ exGst: 1000, gst: 100, incGst: 1200 }]]),
      "bill B1: 10.00 and GST of 1.00 are not 12.00",
    ],
    ["without any GST", entriesOf([[{ exGst: 1000 }]]), NO_GST],
    [
      "without GST, where other lines have it",
      entriesOf([[{ exGst: 1000, gst: 100 }], [{ exGst: 500 }]], { statesGst: true }),
      [
        [1000, 100],
        [500, 0],
      ],
    ],
    [
      "with a line of GST for the consignment",
      entriesOf([
        [{ exGst: 1000 }, { exGst: 333 }, { charge: "tax", unspecifiedGstCents: 133 }],
        [{ exGst: 500, gst: 50 }],
      ]),
      [
        [1000, 100],
        [333, 33],
        [500, 50],
      ],
    ],
    [
      "with a line of GST for all",
      entriesOf([[{ exGst: 1000 }], [{ exGst: 500 }], [{ charge: "tax", unspecifiedGstCents: 150 }]]),
      [
        [1000, 100],
        [500, 50],
      ],
    ],
    [
      "with GST of the whole bill",
      entriesOf([[{ exGst: 333 }], [{ exGst: 333 }], [{ exGst: 334 }]], {
        stated: { gst: 100, exGst: 1000, lines: 3 },
      }),
      [
        [333, 33],
        [333, 34],
        [334, 33],
      ],
    ],
    ["with GST that a person gives", entriesOf([[{ incGst: 1100 }]], {}, 100), [[1000, 100]]],
    ["with none, as a person says", entriesOf([[{ unspecifiedGstCents: 1100 }]], {}, 0), [[1100, 0]]],
    [
      "whose GST is a cent off that of the whole bill",
      entriesOf([[{ exGst: 1004, gst: 100 }], [{ exGst: 1004, gst: 100 }]], {
        summary: { lines: 2008, exGst: 2008, gst: 201 },
      }),
      [
        [1004, 101],
        [1004, 100],
      ],
    ],
    [
      "whose GST is not that of the whole bill",
      entriesOf([[{ exGst: 1000, gst: 100 }]], { summary: { lines: 1000, exGst: 1000, gst: 150 } }),
      "the GST of the lines of bill B1 comes to 1.00, and the bill says 1.50",
    ],
    [
      "that are not what the summary says",
      entriesOf([[{ exGst: 1000, gst: 100 }]], { summary: { lines: 1100, exGst: 1100, gst: 100 } }),
      "the lines of bill B1 come to 10.00, and its summary says 11.00",
    ],
    [
      "beside shipping of the whole bill",
      entriesOf([[{ exGst: 1000, gst: 100 }]], { summary: { lines: 1000, exGst: 1500, gst: 150 } }),
      [
        [1000, 100],
        [500, 50],
      ],
    ],
    [
      "free of GST, beside shipping that has it",
      entriesOf([[{ exGst: 1000 }]], { summary: { lines: 1000, exGst: 1500, gst: 50 } }),
      [
        [1000, 0],
        [500, 50],
      ],
    ],
  ])("%s", (_, entries, expected) => {
    expect(entries).toEqual(expected)
  })

  it.each<[string, number, "excluded" | "included", [cleared: number[][], rest: number[][]]]>([
    [
      "nothing of it",
      0,
      "excluded",
      [
        [],
        [
          [1000, 100],
          [500, 50],
        ],
      ],
    ],
    ["the last", 500, "excluded", [[[500, 50]], [[1000, 100]]]],
    [
      "a part of the last",
      200,
      "excluded",
      [
        [[200, 20]],
        [
          [1000, 100],
          [300, 30],
        ],
      ],
    ],
    [
      "more than the last",
      700,
      "excluded",
      [
        [
          [200, 20],
          [500, 50],
        ],
        [[800, 80]],
      ],
    ],
    [
      "with GST in it",
      660,
      "included",
      [
        [
          [100, 10],
          [500, 50],
        ],
        [[900, 90]],
      ],
    ],
    [
      "more than there is",
      9999,
      "included",
      [
        [
          [1000, 100],
          [500, 50],
        ],
        [],
      ],
    ],
  ])("of which some is disputed: %s", (_, cents, basis, [cleared, rest]) => {
    const entries = [
      { exGst: 1000, gst: 100 },
      { exGst: 500, gst: 50 },
    ]
    const toPairs = (some: readonly { exGst: number; gst: number }[]) =>
      some.map(({ exGst, gst }) => [exGst, gst])
    const split = splitOff(entries, cents, basis)
    expect([toPairs(split.cleared), toPairs(split.rest)]).toEqual([cleared, rest])
  })
})

describe("a file of rules", () => {
  async function read(text: string) {
    const folder = await mkdtemp(path.join(tmpdir(), "freight-rules-"))
    onTestFinished(() => rm(folder, { recursive: true }))
    const file = path.join(folder, "rules.csv")
    await writeFile(file, text)
    return readRules(file, new AbortController().signal, async () => {})
  }

  it("is read by its headings", async () => {
    expect(await read("Account,When,Matches\n429,receiver,WA\n430,carrier,*\n")).toEqual([
      { when: "receiver", matches: "WA", account: "429", costCentre: "" },
      { when: "carrier", matches: "*", account: "430", costCentre: "" },
    ])
  })

  it.each([
    [
      "a comma without quotes",
      "receiver,Bourke Fittings, Sydney,429,West\n",
      "row 2: has 5 cells, and the first line has 4 columns",
    ],
    ["a cell that is missing", "receiver,429,West\n", "row 2: has 3 cells, and the first line has 4 columns"],
    ["a cell under no heading", "receiver,WA,429,West,9\n", "row 2: has 5 cells"],
  ])("is refused where a row has other cells than its headings: %s", async (_, row, error) => {
    const refused = await failure(read(`When,Matches,Account,Cost centre\n${row}`))
    expect(refused).toMatchObject({ errors: [{ message: expect.stringContaining(error) }] })
  })
})
