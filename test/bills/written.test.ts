/** Bills in layouts that nobody here wrote: what their columns, labels and rows mean. */
import { describe, expect, it } from "vitest"
import {
  auditBill,
  type BillInput,
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

const FOUR = BOOKED.slice(0, 4)
const inc = (cents: number) => cents + taxOf(cents)
const fuelOf = ({ cents }: Booked) => Math.round(cents * 0.13)
const freightOf = (booked: Booked) => booked.cents - fuelOf(booked)

async function verdictsOf(input: BillInput): Promise<string[]> {
  const { rows } = await auditBill(await bookedDatabase(), input)
  return rows.map(({ verdict }) => verdict).sort()
}

const AGREES = FOUR.map(() => "agrees")

/** Kinds of what is charged. */
const listCharged = (charges: Readonly<Record<string, number | null>>) =>
  Object.keys(charges).filter((each) => charges[each] !== null)

describe("the basis of amounts", () => {
  it.each<[string, string[], (booked: Booked) => number[]]>([
    [
      "parts and a total with GST",
      ["Base Charge (inc GST)", "Fuel (inc GST)", "Total (inc GST)"],
      partsInc(true),
    ],
    ["parts with GST", ["Freight (inc GST)", "Fuel levy incl. GST"], partsInc(false)],
    ["a total with GST", ["Total (inc GST)"], ({ cents }) => [inc(cents)]],
    ["a charge with GST", ["Charge (incl. GST)"], ({ cents }) => [inc(cents)]],
    [
      "parts without GST",
      ["Road freight ex GST", "Fuel levy (excl. GST)"],
      (each) => [freightOf(each), fuelOf(each)],
    ],
    [
      "parts beside GST",
      ["Freight", "Fuel", "GST"],
      (each) => [freightOf(each), fuelOf(each), taxOf(each.cents)],
    ],
    ["an amount and its GST", ["Nett $", "GST $"], ({ cents }) => [cents, taxOf(cents)]],
    ["GST of each part", ["Freight", "Freight GST", "Fuel", "GST on fuel"], gstEach],
    [
      "program's names",
      ["AmountExGST", "GSTAmount", "AmountIncGST"],
      ({ cents }) => [cents, taxOf(cents), inc(cents)],
    ],
  ])("%s", async (_, headings, amounts) => {
    const bill = csv(
      ["Consignment", ...headings],
      ...FOUR.map((each) => [each.number, ...amounts(each).map(money)]),
    )
    expect(await verdictsOf({ bill })).toEqual(AGREES)
    const doubled = FOUR.map((each, at) => (at === 0 ? { ...each, cents: each.cents * 2 } : each))
    const more = csv(
      ["Consignment", ...headings],
      ...doubled.map((each) => [each.number, ...amounts(each).map(money)]),
    )
    const { rows } = await auditBill(await bookedDatabase(), { bill: more })
    const [first] = rows
    expect(rows.map(({ verdict }) => verdict)).toEqual(["over", "agrees", "agrees", "agrees"])
    expect(Math.abs((first?.disputed ?? 0) * 100 - (FOUR[0]?.cents ?? 0))).toBeLessThanOrEqual(1)
  })

  it.each([
    "Freight ex GST",
    "GST-free freight",
    "Base charge (excl GST)",
  ])("the label %s is not tax", async (label) => {
    const bill = csv(
      ["Consignment", "Description", "Amount"],
      ...FOUR.map(({ number, cents }) => [number, label, money(cents)]),
    )
    const { rows } = await auditBill(await bookedDatabase(), { bill })
    expect(rows.map(({ verdict, charges, gstBasis: gst }) => [verdict, listCharged(charges), gst])).toEqual(
      FOUR.map(() => ["agrees", ["freight"], "excluded"]),
    )
  })

  it("a label says that the amount holds GST", async () => {
    const bill = csv(
      ["Consignment", "Description", "Amount"],
      ...FOUR.map(({ number, cents }) => [number, "Base charge (inc GST)", money(inc(cents))]),
    )
    expect(await verdictsOf({ bill })).toEqual(AGREES)
  })

  it.each([
    "GST",
    "Total GST",
    "GST 10%",
    "GST @ 10%",
  ])("a row whose whole label is %s is tax", async (label) => {
    const bill = csv(
      ["Consignment", "Description", "Amount"],
      ...FOUR.flatMap(({ number, cents }) => [
        [number, "Freight", money(cents)],
        [number, label, money(taxOf(cents))],
      ]),
    )
    const { rows } = await auditBill(await bookedDatabase(), { bill })
    expect(rows.map(({ verdict, gstCheck }) => [verdict, gstCheck])).toEqual(
      FOUR.map(() => ["agrees", "agrees"]),
    )
  })

  it("GST of 15 % without a total column is reported", async () => {
    const bill = csv(
      ["Consignment", "Freight", "Fuel", "GST"],
      ...FOUR.map((each) => [
        each.number,
        ...[freightOf(each), fuelOf(each), Math.round(each.cents * 0.15)].map(money),
      ]),
    )
    expect(await verdictsOf({ bill })).toEqual(FOUR.map(() => "wrong-gst"))
  })

  it("is posted as the bill has it", async () => {
    const [one] = FOUR as [Booked]
    const [freight, fuel] = [freightOf(one), fuelOf(one)]
    const row = (label: string, cents: number) => [
      one.number,
      label,
      ...[cents, taxOf(cents), inc(cents)].map(money),
    ]
    const bill = csv(
      ["Consignment", "Description", "Amount ex GST", "GST", "Amount inc GST"],
      row("Road freight ex GST", freight),
      row("Fuel levy ex GST", fuel),
    )
    const posted = await postBill(await bookedDatabase(), { bill })
    expect([...posted]).toEqual([[one.number, [one.cents, taxOf(freight) + taxOf(fuel)]]])
  })

  it("of a document's line is the contract's, whatever its words", async () => {
    const [one] = FOUR as [Booked]
    const line = {
      ...{ invoiceLineNumber: 1, description: `${one.number} Road freight ex GST`, quantity: 1 },
      ...{
        unitPrice: one.cents / 100,
        subtotal: one.cents / 100,
        taxAmount: taxOf(one.cents) / 100,
        currency: "AUD",
      },
    }
    const bill = JSON.stringify({
      data: { invoiceNumber: "LB-2", invoiceDate: "2026-11-20", lineItems: [line] },
    })
    const { rows } = await auditBill(await bookedDatabase(), { bill })
    expect(rows).toMatchObject([
      { verdict: "agrees", billed: one.cents / 100, charges: { freight: one.cents / 100 } },
    ])
  })
})

function partsInc(hasTotal: boolean) {
  return (each: Booked) => {
    const [all, fuel] = [inc(each.cents), Math.round(fuelOf(each) * 1.1)]
    return hasTotal ? [all - fuel, fuel, all] : [all - fuel, fuel]
  }
}

function gstEach(each: Booked): number[] {
  const [freight, fuel] = [freightOf(each), fuelOf(each)]
  const gst = taxOf(each.cents)
  return [freight, gst - taxOf(fuel), fuel, taxOf(fuel)]
}

describe("totals", () => {
  const [one, two, three] = FOUR as [Booked, Booked, Booked]
  const row = (each: Booked, name: string) => [each.number, name, money(each.cents), money(taxOf(each.cents))]
  const total = (label: string, column: number, ...some: Booked[]) => {
    const sum = (of: (each: Booked) => number) => money(some.reduce((all, each) => all + of(each), 0))
    const cells = ["", "", sum(({ cents }) => cents), sum(({ cents }) => taxOf(cents))]
    cells[column] = label
    return cells
  }
  const bill = (...rows: (string | number)[][]) => csv(["Con No", "Consignee", "Nett", "GST"], ...rows)

  it.each([
    ["Total Coral Pumps", 0],
    ["Coral Pumps Total", 0],
    ["Coral Pumps Total", 1],
    ["Subtotal for Coral Pumps", 1],
    ["Total: Coral Pumps", 0],
  ])("%s in column %i is left out", async (label, column) => {
    const text = bill(
      row(one, "Coral Pumps"),
      row(two, "Coral Pumps"),
      total(label, column, one, two),
      row(three, "Port Fittings"),
      total("Port Fittings Total", column, three),
      total("Grand Total", 0, one, two, three),
    )
    expect(await verdictsOf({ bill: text })).toEqual(["agrees", "agrees", "agrees"])
  })

  it("that are wrong, of somebody who is named above, are reported and left out", async () => {
    const wrong = total("Total Coral Pumps", 0, one, two, three)
    const { rows, notes } = await auditBill(await bookedDatabase(), {
      bill: bill(row(one, "Coral Pumps"), row(two, "Coral Pumps"), wrong),
    })
    expect(rows).toHaveLength(2)
    expect(notes.join("\n")).toContain('"Total Coral Pumps" has')
  })

  it.each([
    ["with", (cents: number) => inc(cents), "included"],
    ["without", (cents: number) => cents, "excluded"],
  ])("tell by their GST that the amounts are %s it", async (_, asked, basis) => {
    const all = FOUR.reduce((sum, { cents }) => sum + cents, 0)
    const gst = FOUR.reduce((sum, { cents }) => sum + taxOf(cents), 0)
    const write = (label: string) =>
      csv(
        ["Consignment", "Details", "Amount"],
        ...FOUR.map(({ number, cents }) => [number, "Freight", money(asked(cents))]),
        ["", label, `$${money(all + gst)}`],
      )
    for (const label of [
      `Total due (includes GST of $${money(gst)})`,
      `Invoice total, incl. GST ${money(gst)}`,
      `TOTAL PAYABLE including GST of AUD ${money(gst)}`,
    ]) {
      const { rows, bills, notes } = await auditBill(await bookedDatabase(), { bill: write(label) })
      expect(rows.map(({ verdict }) => verdict)).toEqual(AGREES)
      expect(bills).toMatchObject([{ gstBasis: basis, statedGst: gst / 100, gstCheck: "agrees" }])
      expect(notes.filter((note) => note.includes("left out"))).toEqual([])
    }
  })

  it.each([
    ["Invoice total (GST inclusive)", 15],
    ["GST included", -1],
  ])("%s is one, and its bill is not judged where it is wrong", async (label, more) => {
    const cents = FOUR.reduce((sum, each) => sum + inc(each.cents), 0)
    const bill = csv(
      ["Consignment", "Details", "Price (GST inclusive)"],
      ...FOUR.map((each) => [each.number, "Freight", money(inc(each.cents))]),
      ["", label, money(more < 0 ? Math.round(cents / 11) : cents + more)],
    )
    const { rows, refused } = await tryBill(await bookedDatabase(), { bill })
    expect(rows.map(({ verdict }) => verdict)).toEqual(more > 0 ? [] : AGREES)
    expect(refused?.message ?? "").toContain(more > 0 ? `"${label}" is ${money(cents + more)}` : "")
  })

  it("of somebody who is named nowhere else are reported where they are nearly right, and are charges otherwise", async () => {
    const write = (more: number) =>
      bill(row(one, "Coral Pumps"), row(two, "Port Fittings"), [
        ...["Total North", ""],
        ...[money(one.cents + two.cents + more), ""],
      ])
    const near = await auditBill(await bookedDatabase(), { bill: write(500) })
    expect(near.rows.map(({ verdict }) => verdict)).toEqual(["agrees", "agrees"])
    expect(near.notes.join("\n")).toContain('"Total North" is')
    const far = await auditBill(await bookedDatabase(), { bill: write(-one.cents - two.cents + 900) })
    expect(far.rows.find(({ consignmentNumber }) => consignmentNumber === null)).toMatchObject({
      billed: 9,
    })
  })

  it("are no charge for a receiver who is called so", async () => {
    const text = bill(row(one, "Total Tools Fremantle"), row(two, "Total Tools Fremantle"))
    expect(await verdictsOf({ bill: text })).toEqual(["agrees", "agrees"])
  })
})

describe("charges that name no consignment", () => {
  it("belong to the one above where their label recurs below others", async () => {
    const bill = csv(
      ["Connote", "Description", "Nett", "GST"],
      ...FOUR.flatMap((each) => [
        [each.number, "Freight", money(freightOf(each)), money(taxOf(freightOf(each)))],
        ["", "Fuel levy", money(fuelOf(each)), money(taxOf(fuelOf(each)))],
      ]),
    )
    expect(await verdictsOf({ bill })).toEqual(AGREES)
  })

  it.each([
    ["in the column of numbers", (label: string, cents: number) => [label, "", money(cents)]],
    ["beside it", (label: string, cents: number) => ["", label, money(cents)]],
  ])("are once for the bill where the label stands once, %s", async (_, write) => {
    const lack = FOUR.reduce((sum, each) => sum + fuelOf(each), 0)
    const bill = (cents: number) =>
      csv(
        ["Consignment", "Description", "Nett"],
        ...FOUR.map((each) => [each.number, "Freight", money(freightOf(each))]),
        write("Fuel levy @ 13%", cents),
      )
    const database = await bookedDatabase()
    const right = await auditBill(database, { bill: bill(lack) })
    expect(right.rows.map(({ verdict }) => verdict).sort()).toEqual(["agrees", ...FOUR.map(() => "under")])
    expect(right.totals).toMatchObject({ toDispute: 0 })
    const wrong = await auditBill(database, { bill: bill(lack + 1500) })
    expect(wrong.rows.filter(({ verdict }) => verdict === "over")).toMatchObject([
      { consignmentNumber: null, disputed: 15 },
    ])
    const withGst = bill(lack).replace("Nett", "Amount ex GST")
    const posted = await postBill(database, { bill: withGst.replace(/\n$/, "\n"), map: [] }).catch(
      (error) => error.message,
    )
    expect(posted).toContain("does not say how much GST")
  })

  it("are judged after the levy by what is then lacking", async () => {
    const lack = FOUR.reduce((sum, each) => sum + fuelOf(each), 0)
    const bill = csv(
      ["Consignment", "Description", "Nett"],
      ...FOUR.map((each) => [each.number, "Freight", money(freightOf(each))]),
      ["", "Monthly account fee", "15.00"],
      ["", "Fuel levy @ 13%", money(lack)],
    )
    const { rows } = await auditBill(await bookedDatabase(), { bill })
    expect(rows.filter(({ consignmentNumber }) => consignmentNumber === null)).toMatchObject([
      { verdict: "over", disputed: 15, why: expect.stringContaining("Monthly account fee") },
      { verdict: "agrees", why: expect.stringContaining("Fuel levy") },
    ])
  })

  it("are posted on a line of their own", async () => {
    const bill = csv(
      ["Consignment", "Description", "Nett", "GST"],
      ...FOUR.map(({ number, cents }) => [number, "Freight", money(cents), money(taxOf(cents))]),
      ["", "Fuel levy", "10.00", "1.00"],
    )
    const posted = await postBill(await bookedDatabase(), { bill })
    expect(posted.get("Fuel levy")).toEqual([1000, 100])
    expect(posted.get(FOUR[0]?.number ?? "")).toEqual([FOUR[0]?.cents, taxOf(FOUR[0]?.cents ?? 0)])
  })

  it("are answered for as they were read where most numbers are unknown", async () => {
    const write = (numberOf: (booked: Booked) => string) =>
      csv(
        ["Connote", "Description", "Nett"],
        ...FOUR.flatMap((each) => [
          [numberOf(each), "Freight", money(freightOf(each))],
          ["", "Fuel levy", money(fuelOf(each))],
        ]),
      )
    const database = await bookedDatabase()
    const { asked } = await tryBill(database, { bill: write(({ number }) => `9${number}`) })
    expect(asked).toMatchObject([{ column: "Connote", choices: ["consignmentAbove"] }])
    const bill = write(({ number }) => number)
    const answered = await auditBill(database, { bill, map: ["Connote=consignmentAbove"] })
    expect(answered.rows.map(({ verdict }) => verdict)).toEqual(AGREES)
  })

  describe("of rows with items below their consignment", () => {
    const write = (...fees: [at: number, label: string, cents: number][]) =>
      csv(
        ["Consignment", "Article", "Town", "Nett"],
        ...FOUR.flatMap((each, at) => [
          [each.number, "", "Perth", money(each.cents)],
          ...["001", "002"].map((item) => ["", `${each.number}${item}`, "", ""]),
          ...fees
            .filter(([of]) => of === at)
            .map(([, label, cents]) =>
              label === "" ? ["", "", "", money(cents)] : ["", label, "", money(cents)],
            ),
        ]),
        [
          "",
          "Total",
          "",
          money(
            [...FOUR.map(({ cents }) => cents), ...fees.map(([, , cents]) => cents)].reduce(
              (sum, cents) => sum + cents,
              0,
            ),
          ),
        ],
      )

    it.each([
      ["between them", 1],
      ["below the last", 3],
    ])("are asked about, by the words of whatever column, %s", async (_, at) => {
      const database = await bookedDatabase()
      const bill = write([at, "Second delivery attempt", 1650])
      const { asked } = await tryBill(database, { bill })
      expect(asked).toMatchObject([
        {
          column: "Consignment",
          values: ["Second delivery attempt"],
          choices: ["consignment", "consignmentAbove"],
        },
      ])
      const above = await auditBill(database, { bill, map: ["Consignment=consignmentAbove"] })
      expect(above.rows[0]).toMatchObject({
        consignmentNumber: FOUR[at]?.number,
        verdict: "over",
        disputed: 16.5,
      })
      expect(above.rows.slice(1).map(({ verdict }) => verdict)).toEqual(AGREES.slice(1))
      const whole = await auditBill(database, { bill, map: ["Consignment=consignment"] })
      expect(whole.rows.find(({ consignmentNumber }) => consignmentNumber === null)).toMatchObject({
        billed: 16.5,
        why: expect.stringContaining("Second delivery attempt"),
      })
    })

    it("are carried down where their label recurs", async () => {
      const bill = write([0, "Card left", 700], [2, "Card left", 700])
      const { rows } = await auditBill(await bookedDatabase(), {
        bill,
        map: ["Consignment=consignmentAbove"],
      })
      expect(rows.filter(({ verdict }) => verdict === "over")).toHaveLength(2)
    })

    it.each([
      ["go on over the total of a page where their like is on it", true, "over"],
      ["are no consignment's where they stand below totals of pages alone", false, "agrees"],
    ])("%s", async (_, isEverywhere, verdict) => {
      const [third] = BOOKED.slice(2)
      let sum = 0
      const add = (number: string, label: string, cents: number) => {
        sum += cents
        return [number, label, money(cents)]
      }
      const endPage = () => {
        const row = ["Page total", "", money(sum)]
        sum = 0
        return row
      }
      const rows = BOOKED.flatMap(({ number, cents }, at) => {
        const isLast = at === 2 || at === 3
        return [
          add(number, "Freight", cents),
          ...(isLast ? [endPage()] : []),
          ...(isLast || isEverywhere ? [add("", "Card left", 700)] : []),
        ]
      })
      const bill = csv(["Consignment", "Description", "Nett"], ...rows)
      const found = (await auditBill(await bookedDatabase(), { bill })).rows
      expect(found.find(({ consignmentNumber: consignment }) => consignment === third?.number)?.verdict).toBe(
        verdict,
      )
    })

    it("are never without a name", async () => {
      const bill = write([1, "", 700])
      const { rows } = await auditBill(await bookedDatabase(), { bill, map: ["Consignment=consignment"] })
      expect(rows.find(({ consignmentNumber }) => consignmentNumber === null)?.why).toContain(
        "7.00 without a label",
      )
    })
  })

  it("are asked about where both fit", async () => {
    const bill = csv(
      ["Consignment", "Description", "Nett"],
      ...BOOKED.flatMap((each, at) => [
        [each.number, "Freight", money(each.cents)],
        ...(at % 6 === 5 ? [["", "Depot levy", "30.00"]] : []),
      ]),
    )
    const database = await bookedDatabase()
    const { asked } = await tryBill(database, { bill })
    expect(asked).toMatchObject([{ column: "Consignment", choices: ["consignment", "consignmentAbove"] }])
    const above = await auditBill(database, { bill, map: ["Consignment=consignmentAbove"] })
    expect(above.rows.filter(({ verdict }) => verdict === "over")).toHaveLength(2)
    const whole = await auditBill(database, { bill, map: ["Consignment=consignment"] })
    expect(whole.rows.filter(({ consignmentNumber }) => consignmentNumber === null)).toHaveLength(1)
  })
})

describe("credits", () => {
  const [one] = FOUR as [Booked]
  const rows = (said: (kind: "charge" | "credit") => (string | number)[]) => [
    ...FOUR.map(({ number, cents }) => [...said("charge"), number, money(cents)]),
    [...said("charge"), one.number, "30.00"],
    [...said("credit"), one.number, "30.00"],
  ]
  it.each([
    ["DR/CR", "DR", "CR"],
    ["Transaction Type", "INV", "CRN"],
    ["Document type", "Tax invoice", "Credit note"],
    ["Doc Type", "Invoice", "Adjustment note"],
    ["Sign", "+", "-"],
    ["D/C", "D", "C"],
    ["Type", "Invoice", "Credit"],
    ["Paid", "paid", "refunded"],
    ["Status", "Delivered", "Refunded"],
  ])("%s: %s and %s", async (heading, charge, credit) => {
    const bill = csv(
      [heading, "Consignment", "Nett"],
      ...rows((kind) => [kind === "charge" ? charge : credit]),
    )
    expect(await verdictsOf({ bill })).toEqual(AGREES)
  })

  it.each(["Credit note", "Refund of fuel levy", "Credit"])("are rows that are called %s", async (label) => {
    const write = (amount: string) =>
      csv(
        ["Consignment", "Description", "Nett"],
        ...FOUR.map(({ number, cents }) => [number, "Freight", money(cents)]),
        [one.number, "Redelivery", "33.00"],
        [one.number, label, amount],
      )
    for (const amount of ["33.00", "-33.00"])
      expect(await verdictsOf({ bill: write(amount) })).toEqual(AGREES)
  })

  it("have a column of their own", async () => {
    const bill = csv(
      ["Consignment", "Description", "Debit", "Credit"],
      ...FOUR.map(({ number, cents }) => [number, "Freight", money(cents), ""]),
      [one.number, "Adjustment", "33.00", ""],
      [one.number, "Credit", "", "33.00"],
      ["Total", "", money(FOUR.reduce((sum, { cents }) => sum + cents, 3300)), "33.00"],
    )
    expect(await verdictsOf({ bill })).toEqual(AGREES)
  })

  it("are refused where a word is not known, and asked about where none is", async () => {
    const database = await bookedDatabase()
    const write = (...words: string[]) =>
      csv(
        ["Transaction type", "Consignment", "Nett"],
        ...FOUR.map(({ number, cents }, at) => [words[at] ?? "", number, money(cents)]),
      )
    const one = await tryBill(database, { bill: write("INV", "INV", "XYZ", "INV") })
    expect(one.refused?.errors).toMatchObject([
      { message: expect.stringContaining("row 4, Transaction type") },
    ])
    const all = await tryBill(database, { bill: write("X1", "X2", "X3", "X4") })
    expect(all.asked).toMatchObject([{ column: "Transaction type", choices: [] }])
  })

  it("are not guessed of what is cancelled", async () => {
    const bill = csv(
      ["Status", "Consignment", "Nett"],
      ...FOUR.map(({ number, cents }, at) => [at === 2 ? "Cancelled" : "Billed", number, money(cents)]),
    )
    const database = await bookedDatabase()
    expect((await tryBill(database, { bill })).asked).toMatchObject([{ column: "Status", choices: [] }])
    expect((await auditBill(database, { bill, map: ["Status="] })).rows).toHaveLength(4)
  })
})

describe("numbers with something around them", () => {
  it.each([
    ["an apostrophe", (number: string) => `'${number}`],
    ["a hash", (number: string) => `#${number}`],
    ["stars", (number: string) => `*${number}*`],
    ["a word", (number: string) => `Con ${number}`],
    ["a word with a colon", (number: string) => `Connote: ${number}`],
    ["the number of an item", (number: string) => `${number}-01`],
    ["items of how many", (number: string) => `${number} (1 of 1)`],
    ["an order", (number: string) => `${number}/PO`],
    ["zeros", (number: string) => `00${number}`],
    ["blanks within", (number: string) => number.replace(/^(\D+)/, "$1 ")],
  ])("%s", async (_, write) => {
    const bill = csv(
      ["Consignment", "Nett"],
      ...FOUR.map(({ number, cents }) => [write(number), money(cents)]),
    )
    expect(await verdictsOf({ bill })).toEqual(AGREES)
  })

  it.each([
    ["a document and a slash", (number: string) => `77105/${number}`],
    ["words of a document", (number: string) => `INV 7 - ${number}`],
    ["an order in brackets", (number: string) => `${number} (PO 4411)`],
  ])("%s: not ours is said of the number alone", async (_, write) => {
    const rowsOf = async (heading: string) => {
      const bill = csv(
        [heading, "Description", "Nett"],
        ...FOUR.map(({ number, cents }) => [write(number), "Freight", money(cents)]),
        [write("SBC90000001"), "Freight", "40.00"],
        ["SBC90000001", "Fuel levy", "5.00"],
      )
      return (await auditBill(await bookedDatabase(), { bill })).rows
    }
    for (const heading of ["Consignment", "Reference"]) {
      const [first, ...others] = await rowsOf(heading)
      expect(first).toMatchObject({ consignmentNumber: "SBC90000001", verdict: "not-ours", disputed: 45 })
      expect(others.map(({ verdict }) => verdict)).toEqual(AGREES)
    }
  })

  it("are never found by a number that differs in a digit", async () => {
    const [one] = FOUR as [Booked]
    const bill = csv(["Consignment", "Nett"], [`${one.number.slice(0, -2)}99`, money(one.cents)])
    expect(await verdictsOf({ bill })).toEqual(["not-ours"])
  })

  it("are found in what a row charges for, where no column has them", async () => {
    const bill = csv(
      ["Date", "Description", "Amount", "GST"],
      ...FOUR.map(({ number, cents }) => [
        "24/11/2026",
        `Freight ${number}, Sydney to Perth 24/11/2026`,
        money(cents),
        money(taxOf(cents)),
      ]),
    )
    expect(await verdictsOf({ bill })).toEqual(AGREES)
  })

  it("that name two bookings get the verdict cannot-tell", async () => {
    const [one, two] = FOUR as [Booked, Booked]
    const bill = csv(["Consignment", "Nett"], [`${one.number} / ${two.number}`, "50.00"])
    const { rows } = await auditBill(await bookedDatabase(), { bill })
    expect(rows).toMatchObject([{ verdict: "cannot-tell", why: expect.stringContaining("several bookings") }])
  })
})

describe("what is not ours", () => {
  const foreign = (number: string) =>
    csv(["Consignment", "Nett"], ...BOOKED.map((each) => [each.number, money(each.cents)]), [number, "40.00"])

  it.each([
    ["SBC90000001", "not-ours"],
    ["XQ-17", "cannot-tell"],
    ["COURIER RUN 2211", "cannot-tell"],
    ["123456789012", "cannot-tell"],
  ])("%s is %s", async (number, verdict) => {
    const { rows } = await auditBill(await bookedDatabase(), { bill: foreign(number) })
    expect(rows[0]?.verdict).toBe(verdict)
  })

  it("is never said offline", async () => {
    const { rows } = await auditBill(await bookedDatabase(), {
      bill: foreign("SBC90000001"),
      isOffline: true,
    })
    expect(rows[0]).toMatchObject({
      verdict: "cannot-tell",
      why: "the ledger does not know it, and the API was not asked",
    })
  })

  it("is one question about the column where most is unknown", async () => {
    const bill = csv(
      ["Consignment", "Nett"],
      ...BOOKED.map(({ cents }, at) => [`SBC7700000${at % 10}`, money(cents)]),
    )
    const database = await bookedDatabase()
    const { asked } = await tryBill(database, { bill })
    expect(asked).toMatchObject([{ column: "Consignment", choices: ["consignment"] }])
    const { rows } = await auditBill(database, { bill, map: ["Consignment=consignment"] })
    expect(new Set(rows.map(({ verdict }) => verdict))).toEqual(new Set(["not-ours"]))
  })
})

describe("columns of amounts", () => {
  const [one] = FOUR as [Booked]

  it("that were quoted are not billed", async () => {
    const bill = csv(
      ["Tracking Number", "Price Quoted", "Estimated total", "Invoiced Price"],
      ...FOUR.map(({ number, cents }) => [
        number,
        money(cents),
        money(cents),
        money(Math.round(cents * 1.5)),
      ]),
    )
    expect(await verdictsOf({ bill })).toEqual(FOUR.map(() => "over"))
  })

  it("may hold what others have, and are asked about once", async () => {
    const bill = csv(
      ["Tracking Number", "Invoiced Price", "Surcharges"],
      ...FOUR.map(({ number, cents }) => [number, money(cents), ""]),
      [one.number, "40.00", "5.00"],
    )
    const database = await bookedDatabase()
    const { asked } = await tryBill(database, { bill })
    expect(asked).toMatchObject([{ column: "Invoiced Price", choices: ["amount", "freight"] }])
    const billed = async (map: string) => (await auditBill(database, { bill, map: [map] })).rows[0]?.billed
    expect(await billed("Invoiced Price=amount")).toBeCloseTo((one.cents + 4000) / 100 / 1, 2)
    expect(await billed("Invoiced Price=freight")).toBeCloseTo((one.cents + 4500) / 100, 2)
  })

  it("are called as the column of the same number says", async () => {
    const bill = csv(
      ["Consignment", "Charge 1", "Amount 1", "Charge 2", "Amount 2", "GST"],
      ...FOUR.map((each) => [
        each.number,
        ...["Freight", money(freightOf(each)), "Fuel levy", money(fuelOf(each)), money(taxOf(each.cents))],
      ]),
    )
    const { rows } = await auditBill(await bookedDatabase(), { bill })
    expect(rows.map(({ verdict, charges }) => [verdict, listCharged(charges)])).toEqual(
      FOUR.map(() => ["agrees", ["freight", "fuel", "tax"]]),
    )
  })

  it("may be a total of a name that freight does not know", async () => {
    const bill = csv(
      ["Consignment", "Fuel", "Total of carriage and fuel"],
      ...FOUR.map((each) => [each.number, money(fuelOf(each)), money(each.cents)]),
    )
    const database = await bookedDatabase()
    expect((await tryBill(database, { bill })).asked).toMatchObject([{ choices: ["amount", "other"] }])
    expect(await verdictsOf({ bill, map: ["Total of carriage and fuel=amount"] })).toEqual(AGREES)
  })

  it("that freight does not know are never left out", async () => {
    const bill = csv(
      ["Consignment", "Freight", "Kerb drop"],
      ...FOUR.map(({ number, cents }, at) => [number, money(cents), at === 3 ? "12.00" : ""]),
    )
    const { asked } = await tryBill(await bookedDatabase(), { bill })
    expect(asked).toMatchObject([{ column: "Kerb drop", choices: ["other"] }])
  })

  it.each(["NZD", "USD"])("in %s are refused, in a column and in a cell", async (currency) => {
    const database = await bookedDatabase()
    const column = csv(["Currency", "Consignment", "Nett"], [currency, one.number, money(one.cents)])
    const cell = csv(["Consignment", "Nett"], [one.number, `${currency} ${money(one.cents)}`])
    const heading = csv(["Consignment", `Nett (${currency})`, "GST"], [one.number, money(one.cents), "1.00"])
    expect((await tryBill(database, { bill: column })).refused?.kind).toBe("input")
    expect((await tryBill(database, { bill: cell })).refused).toMatchObject({
      kind: "input",
      errors: [
        { message: `row 2, Nett: "${currency} ${money(one.cents)}" is not AUD, in which bills are compared` },
      ],
    })
    expect((await tryBill(database, { bill: heading })).asked).toHaveLength(1)
  })

  it.each([
    ["Weight,Weight Unit", (grams: number) => [grams, "g"]],
    ["Weight (g)", (grams: number) => [grams]],
    ["Charge weight kg", (grams: number) => [grams / 1000]],
    ["Weight,UOM", (grams: number) => [(grams / 453.59237).toFixed(4), "lb"]],
  ])("of weights are converted: %s", async (headings, cells) => {
    const bill = csv(
      ["Consignment", "Nett", ...headings.split(",")],
      ...FOUR.map(({ number, cents, grams }) => [number, money(cents), ...cells(grams)]),
    )
    expect(await verdictsOf({ bill })).toEqual(AGREES)
  })

  it.each<[string[], (kg: number) => (string | number)[]]>([
    [
      ["Actual Weight (kg)", "Cubic Weight (kg)", "Charged Weight (kg)"],
      (kg: number) => [kg, kg * 80, kg * 80],
    ],
    [["Dead Wt (g)", "Cubic kg", "Chargeable kg"], (kg: number) => [kg * 1000, kg * 80, kg * 80]],
    [["Billed weight", "Cubic", "Actual kgs"], (kg: number) => [kg * 80, kg * 80, kg]],
    [["Declared kg", "Measured kg"], (kg: number) => [kg / 80, kg]],
    [["Volumetric weight", "Weight"], (kg: number) => [kg * 80, kg]],
  ])("of several weights: the actual one is compared: %o", async (headings, cells) => {
    const write = (heavier: number) =>
      csv(
        ["Consignment", ...headings, "Nett"],
        ...FOUR.map(({ number, cents, grams }) => [number, ...cells((grams / 1000) * heavier), money(cents)]),
      )
    expect(await verdictsOf({ bill: write(1) })).toEqual(AGREES)
    expect(await verdictsOf({ bill: write(100) })).toEqual(FOUR.map(() => "wrong-weight"))
  })

  it.each([
    ["Charge", "GST", ({ cents }: Booked) => [money(cents), money(taxOf(cents))]],
    ["Fee", "Tax applicable", ({ cents }: Booked) => [money(cents), "Y"]],
    ["Nett", "GST", ({ cents }: Booked) => [money(cents), "Yes"]],
  ])("are told by their cells: %s, %s", async (one, other, cells) => {
    const bill = csv(["Shipment", one, other], ...FOUR.map((each) => [each.number, ...cells(each)]))
    expect(await verdictsOf({ bill })).toEqual(AGREES)
  })

  it("may hold yes and no instead", async () => {
    const bill = csv(
      ["Consignment", "Nett", "Residential", "Dangerous Goods", "Signature", "Tail lift"],
      ...FOUR.map(({ number, cents }) => [number, money(cents), "Y", "N", "yes", ""]),
    )
    expect(await verdictsOf({ bill })).toEqual(AGREES)
  })

  it.each(["-", "–", " $-   ", "N/A"])("may hold a spreadsheet's zero: %s", async (zero) => {
    const bill = csv(
      ["Consignment", "Freight", "Residential charge", "Total"],
      ...FOUR.map(({ number, cents }) => [number, money(cents), zero, `+${money(cents)}`]),
    )
    expect(await verdictsOf({ bill })).toEqual(AGREES)
  })
})

describe("facts above the headings", () => {
  const body = [
    ["Con No", "Your Ref", "Nett"],
    ...FOUR.map(({ number, reference, cents }) => [number, reference, money(cents)]),
  ]

  it.each([
    [[["Freight statement"], ["Invoice", "NL-20881", "Date", "30/11/2026"]], "NL-20881"],
    [[["Invoice No: N0098812"], ["Invoice date: 30/11/2026"]], "N0098812"],
    [[["Tax invoice", "7788"], ["Date of invoice", "30/11/2026"], [""]], "7788"],
  ])("%o are the bill's number and day", async (above, number) => {
    const { rows, bills } = await auditBill(await bookedDatabase(), { bill: csv(...above, ...body) })
    expect(rows.map(({ verdict }) => verdict)).toEqual(AGREES)
    expect(bills).toMatchObject([{ billNumber: number, billDate: "2026-11-30" }])
  })

  it.each<[string, string[][]]>([
    [
      "groups above",
      [
        ["", "Delivery", "", "Charges", "", "Tax"],
        ["No", "Con Note", "Cust Ref", "Freight", "Fuel Levy", "GST"],
      ],
    ],
    [
      "groups that are headings themselves",
      [
        ["", "Consignment", "", "Amount", "", "GST"],
        ["No", "Connote no", "Your ref", "Base freight", "Fuel levy", "GST"],
      ],
    ],
    [
      "units below",
      [
        ["#", "Consignment", "Ref", "Freight", "Fuel", "GST"],
        ["", "/ docket", "", "$", "$", "(AUD)"],
      ],
    ],
    [
      "second halves below",
      [
        ["", "Con", "Cust", "Freight", "Fuel", "GST"],
        ["", "Note", "Ref", "Charge", "Levy", "Amount"],
      ],
    ],
  ])("are read with %s", async (_, headings) => {
    const rows = (more: number) =>
      FOUR.map((each, at) => [
        ...[at + 1, each.number, each.reference],
        ...[freightOf(each) + more, fuelOf(each), taxOf(each.cents + more)].map(money),
      ])
    const bill = (more: number) => csv(["Delivery statement"], ...headings, ...rows(more))
    expect(await verdictsOf({ bill: bill(0) })).toEqual(AGREES)
    expect(await verdictsOf({ bill: bill(900) })).toEqual(FOUR.map(() => "over"))
  })

  it("say by their second line what amounts and weights are in", async () => {
    const database = await bookedDatabase()
    const write = (weight: string, nett: string, factor: number) =>
      csv(
        ["Consignment", "Weight", "Amount"],
        ["", weight, nett],
        ...FOUR.map(({ number, cents, grams }) => [number, grams * factor, money(inc(cents))]),
      )
    const { rows } = await auditBill(database, { bill: write("(g)", "inc GST", 1) })
    expect(rows.map(({ verdict, billedIncGst }) => [verdict, billedIncGst]).sort()).toEqual(
      FOUR.map(({ cents }) => ["agrees", inc(cents) / 100]).sort(),
    )
    const heavier = await auditBill(database, { bill: write("(kg)", "inc GST", 1) })
    expect(heavier.rows.map(({ verdict }) => verdict)).toEqual(FOUR.map(() => "wrong-weight"))
    expect((await tryBill(database, { bill: write("kg", "NZ$", 0.001) })).asked).toHaveLength(1)
  })

  it("are asked for where two rows may be them, and where none is known", async () => {
    const database = await bookedDatabase()
    const rows = FOUR.map(({ number, cents }) => [number, "Freight", money(cents)])
    const two = csv(["Consignment", "Description", "Nett"], ["Con No", "Details", "Net amount"], ...rows)
    expect((await tryBill(database, { bill: two })).refused).toMatchObject({
      kind: "usage",
      message: expect.stringContaining("row 1 and row 2 may both be the headings"),
      hint: expect.stringContaining("--header-row 2"),
    })
    expect(await verdictsOf({ bill: two, headerRow: 2 })).toEqual(AGREES)
    const none = csv(["Summary"], ["Wer", "Was", "Wieviel"], ...rows)
    expect((await tryBill(database, { bill: none })).refused?.hint).toContain("--header-row 2")
  })

  it.each([
    [["Currency", "NZD"]],
    [["All amounts in NZD."]],
    [["", "Charges (NZ$)"]],
  ])("%o are refused, for bills are compared in AUD", async (line) => {
    const { refused } = await tryBill(await bookedDatabase(), { bill: csv(["Statement"], line, ...body) })
    expect(refused).toMatchObject({ kind: "input", message: expect.stringContaining("row 2 says") })
    const ours = csv(["All amounts in AUD"], ["Charges (A$)"], ...body)
    expect(await verdictsOf({ bill: ours })).toEqual(AGREES)
  })

  it("a line below the rows is refused as one above them is", async () => {
    const { refused } = await tryBill(await bookedDatabase(), { bill: csv(...body, ["All amounts in NZD"]) })
    expect(refused?.message).toContain(`row ${body.length + 1} says "All amounts in NZD"`)
    expect(await verdictsOf({ bill: csv(...body, ["All amounts in AUD"]) })).toEqual(AGREES)
  })

  it("the row of the headings can be said", async () => {
    const bill = csv(["What", "Whatever", "How much"], ["Con", "Ref", "Amount"], ...body.slice(1))
    const { rows } = await auditBill(await bookedDatabase(), { bill, headerRow: 2 })
    expect(rows.map(({ verdict }) => verdict)).toEqual(AGREES)
    expect((await tryBill(await bookedDatabase(), { bill, headerRow: 40 })).refused?.kind).toBe("usage")
  })
})

describe("a column of numbers that freight does not know", () => {
  it.each([
    [
      "where no column has them",
      ["Item to bill", "Nett"],
      (each: Booked) => [each.number, money(each.cents)],
    ],
    [
      "where a row has no other name",
      ["Item to bill", "Your ref", "Nett"],
      (each: Booked, at: number) => [each.number, at === 2 ? "" : each.reference, money(each.cents)],
    ],
  ])("is asked about %s", async (_, headings, cells) => {
    const bill = csv(headings, ...FOUR.map(cells))
    const database = await bookedDatabase()
    expect((await tryBill(database, { bill })).asked).toMatchObject([
      { column: "Item to bill", choices: ["consignment"] },
    ])
    const { rows } = await auditBill(database, { bill, map: ["Item to bill=consignment"] })
    expect(rows.map(({ verdict }) => verdict)).toEqual(AGREES)
  })
})

describe("several sheets of a workbook", () => {
  const sheet = (name: string, ...some: Booked[]) => {
    const sum = some.reduce((all, { cents }) => all + cents, 0)
    const rows = [
      [`Deliveries ${name}`, "", "Invoice No: DL-778", ""],
      ["Connote", "Your ref", "Details", "Total"],
      ...some.map((each) => [each.number, each.reference, "Freight", money(each.cents)]),
      ["", "", `Total ${name}`, money(sum)],
      ["", "", "GST 10%", money(taxOf(sum))],
    ]
    return [name, rows] as const
  }
  const [one, two, three, four] = FOUR as [Booked, Booked, Booked, Booked]
  const bill = workbookOf([
    [
      "Summary",
      [
        ["Sheet", "Total"],
        ["North", "100.00"],
      ],
    ],
    sheet("North", one, two),
    sheet("South", three, one),
    sheet("West", four),
  ])
  const sheets = ["North", "south", "West", "North"]

  it("are one bill", async () => {
    const { rows, bills, notes } = await auditBill(await bookedDatabase(), { bill, sheets })
    const cents = [...FOUR, one].reduce((sum, each) => sum + each.cents, 0)
    expect(bills).toMatchObject([
      { billNumber: "DL-778", lines: 5, amount: cents / 100, gstBasis: "excluded", gstCheck: "agrees" },
    ])
    expect(rows.map(({ verdict }) => verdict)).toEqual(["billed-twice", ...AGREES.slice(1)])
    expect(rows[0]).toMatchObject({ consignmentNumber: one.number, disputed: one.cents / 100 })
    expect(rows[0]?.lines.toJSON()).toMatchObject([
      { sheet: "North", line: 3 },
      { sheet: "South", line: 4 },
    ])
    expect(notes.filter((note) => note.includes("warning") || note.includes("which is not"))).toEqual([])
  })

  it("are asked for where none is named", async () => {
    const { refused } = await tryBill(await bookedDatabase(), { bill })
    expect(refused).toMatchObject({
      kind: "usage",
      message: expect.stringContaining('"North", "South", "West"'),
      hint: expect.stringContaining("once for each sheet of the bill"),
    })
  })

  it("are posted together", async () => {
    const posted = await postBill(await bookedDatabase(), { bill, sheets: ["North", "West"] })
    expect([...posted.keys()].sort()).toEqual([one, two, four].map(({ number }) => number))
  })

  it("say in which of them something is wrong", async () => {
    const wrong = workbookOf([
      sheet("North", one),
      [
        "South",
        [
          ["Connote", "Total"],
          [two.number, "x"],
        ],
      ],
    ])
    const { refused } = await tryBill(await bookedDatabase(), { bill: wrong, sheets: ["North", "South"] })
    expect(refused?.message).toBe('standard input, sheet "South": 1 row cannot be read')
  })

  const asking = (one: readonly [string, string], two: readonly [string, string]) => ({
    bill: workbookOf([
      [
        "North",
        [
          ["Con", "Amount ex GST", one[0]],
          [FOUR[0]?.number ?? "", "20.00", one[1]],
        ],
      ],
      [
        "South",
        [
          ["Con", "Amount ex GST", two[0]],
          [FOUR[1]?.number ?? "", "30.00", two[1]],
        ],
      ],
    ]),
    sheets: ["North", "South"],
  })
  const [north = "", south = ""] = ["North", "South"].map((name) => `standard input, sheet "${name}"`)

  it("are asked about all at once, and their answers are taken together", async () => {
    const input = asking(["Kerb drop", "1.50"], ["Roof drop", "2.50"])
    const { asked = [] } = await tryBill(await bookedDatabase(), input)
    expect(asked.map(({ column, tables }) => [column, tables])).toEqual([
      ["Kerb drop", [north]],
      ["Roof drop", [south]],
    ])
    const map = asked.map(({ column, choices: [field = ""] }) => `${column}=${field}`)
    const { rows } = await auditBill(await bookedDatabase(), { ...input, map })
    expect(rows).toHaveLength(2)
  })

  it("are asked about a column of both once", async () => {
    const { asked } = await tryBill(
      await bookedDatabase(),
      asking(["Kerb drop", "1.50"], ["Kerb drop", "2.50"]),
    )
    expect(asked).toMatchObject([{ column: "Kerb drop", tables: [north, south], values: ["1.50", "2.50"] }])
  })

  it("are asked about before it is said what is wrong in a later one", async () => {
    const input = asking(["Kerb drop", "1.50"], ["Fuel", "x"])
    const { asked } = await tryBill(await bookedDatabase(), input)
    expect(asked).toMatchObject([{ column: "Kerb drop" }])
    const { refused } = await tryBill(await bookedDatabase(), { ...input, map: ["Kerb drop="] })
    expect(refused?.message).toBe(`${south}: 1 row cannot be read`)
  })

  it("are asked at once which of their columns names consignments, where most of each bill is unknown", async () => {
    const unknown = (heading: string, invoice: string) => [
      [`Invoice No: ${invoice}`],
      [heading, "Amount ex GST"],
      ...["1", "2", "3"].map((digit) => [`${invoice}${digit}`, "20.00"]),
    ]
    const input = {
      bill: workbookOf([
        ["North", unknown("Connote", "QQ1001")],
        ["South", unknown("Waybill", "QQ2002")],
      ]),
      sheets: ["North", "South"],
    }
    const { asked } = await tryBill(await bookedDatabase(), input)
    expect(asked?.map(({ column }) => column)).toEqual(["Connote", "Waybill"])
  })

  it("are read by a column of any of them", async () => {
    const other = workbookOf([
      sheet("North", one),
      [
        "South",
        [
          ["Con", "Kerb drop"],
          [two.number, money(two.cents)],
        ],
      ],
    ])
    const map = ["Kerb drop=amount"]
    const { rows } = await auditBill(await bookedDatabase(), { bill: other, map, sheets: ["North", "South"] })
    expect(rows.map(({ verdict }) => verdict)).toEqual(["agrees", "agrees"])
  })
})
