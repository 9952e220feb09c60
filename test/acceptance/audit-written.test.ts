/** `freight audit`: bills as carriers write them, with totals, other spellings, headings and columns. */
import { describe, expect, it } from "vitest"
import { bookToBill, type History, type Report } from "./audits.ts"
import { invBill, invLine, saveBill } from "./bills.ts"
import { desk, errorIn } from "./freight.ts"
import { order, saveOrders } from "./orders.ts"

/** Carrier B's quotes say that they are without GST. */
const ORDERS = [
  ...["W-1", "W-2", "W-3", "W-4"].map((reference) => order(reference)),
  order("LATE-1", { specialInstructions: "sandbox:slow" }),
  order("LATE-2", { specialInstructions: "sandbox:slow" }),
  order("TWIN-1 1"),
  order("TWIN-11"),
]

const { sandbox, home, get, history } = await bookToBill(ORDERS)
const number = (reference: string) => get(reference).consignment
const cents = (reference: string) => get(reference).cents
const decimals = (amount: number) => (amount / 100).toFixed(2)
const tax = (amount: number) => Math.round(amount / 10)

async function audit(bill: string | object, ...more: string[]) {
  const file = await saveBill(home.folder, typeof bill === "string" ? "bill.csv" : "bill.json", bill)
  const ran = await home.freight(["audit", file, "--json", "--no-remember", ...more])
  const report = ran.code === 0 || ran.code === 1 ? ran.json<Report>() : undefined
  const of = (reference: string) =>
    report?.consignments.find(({ shipmentId }) => shipmentId === get(reference).shipmentId)
  return { ...ran, report, of, rows: report?.consignments ?? [] }
}

/** A bill of lines as they stand, below their headings. */
const lines = (...all: (string | number)[][]) => `${all.map((row) => row.join(",")).join("\n")}\n`
const NARROW = ["Consignment", "Receiver", "Charge", "Amount ex GST", "GST", "Amount inc GST"]
const charge = (consignment: string, label: string, amount: number, gst = tax(amount)) => [
  consignment,
  "Anybody",
  label,
  decimals(amount),
  decimals(gst),
  decimals(amount + gst),
]
const agreeing = (...references: string[]) =>
  references.map((each) => charge(number(each), "Freight", cents(each)))

describe("a consignment number that came after the booking", () => {
  it("is found in the ledger by its shipment, with its price", async () => {
    expect(history.find(({ reference }) => reference === "LATE-1")?.consignmentNumber).toBe("")
    const right = await audit(lines(NARROW, ...agreeing("LATE-1")))
    expect([right.code, right.of("LATE-1")]).toEqual([
      0,
      expect.objectContaining({ verdict: "agrees", quoted: cents("LATE-1") / 100, reference: "LATE-1" }),
    ])
    const wrong = await audit(lines(NARROW, charge(number("LATE-2"), "Freight", 3 * cents("LATE-2"))))
    expect([wrong.code, wrong.of("LATE-2")?.verdict]).toEqual([1, "over"])
  })

  it("and its reference in another row are one consignment", async () => {
    const { rows } = await audit(
      lines(
        ["Consignment", "Reference", "Amount ex GST"],
        [number("LATE-1"), "", decimals(cents("LATE-1"))],
        ["", "LATE-1", decimals(cents("LATE-1"))],
        [get("LATE-1").orderNumber, "", "1.00"],
      ),
    )
    expect(rows.map(({ verdicts, lines }) => [verdicts[0], lines.length])).toEqual([["billed-twice", 3]])
  })
})

describe("totals", () => {
  const [one, two, three] = ["W-1", "W-2", "W-3"]
  const sum = (...references: string[]) => references.reduce((all, each) => all + cents(each), 0)
  const gstOf = (...references: string[]) => references.reduce((all, each) => all + tax(cents(each)), 0)
  const total = (cell: string, column: number, ...references: string[]) => {
    const [ex, gst] = [sum(...references), gstOf(...references)]
    const row = ["", "", "", decimals(ex), decimals(gst), decimals(ex + gst)]
    row[column] = cell
    return row
  }

  it.each([
    ["Page total", 0],
    ["Sub-total", 1],
    ["Grand Total:", 2],
    ["", 0],
  ])("%s in column %i is left out where it is the sum of the rows above", async (cell, column) => {
    const { code, rows, stderr } = await audit(
      lines(NARROW, ...agreeing(one, two), total(cell, column, one, two)),
    )
    expect([code, rows.map(({ verdict }) => verdict), stderr]).toEqual([
      0,
      ["agrees", "agrees"],
      expect.anything(),
    ])
    expect(stderr).not.toContain("sum of the rows")
  })

  it("of pages, carried forward and of the whole are left out with the headings that repeat", async () => {
    const amount = (label: string, value: number) => ["", "", label, "", "", decimals(value)]
    const { code, rows, stderr } = await audit(
      lines(
        NARROW,
        ...agreeing(one, two),
        total("Page total", 0, one, two),
        total("Carried forward", 0, one, two),
        ["Page 2 of 2", "", "", "", "", ""],
        NARROW,
        total("Brought forward", 0, one, two),
        ...agreeing(three),
        total("Page total", 0, three),
        ["", "", "", "", "", "Fuel levy of 12.5 % from 1 November"],
        amount("Total ex GST", sum(one, two, three)),
        amount("GST total", gstOf(one, two, three)),
        amount("Amount payable", sum(one, two, three) + gstOf(one, two, three)),
      ),
    )
    expect([code, rows.map(({ verdict }) => verdict), stderr]).toEqual([
      0,
      ["agrees", "agrees", "agrees"],
      expect.anything(),
    ])
    expect(stderr).not.toContain("warning")
  })

  it("of a consignment, below its charges and with its number, are left out", async () => {
    const half = Math.round(cents(one) / 2)
    const { rows } = await audit(
      lines(
        NARROW,
        charge(number(one), "Freight", half),
        charge(number(one), "Fuel levy", cents(one) - half),
        [number(one), "", "Subtotal", decimals(cents(one)), decimals(tax(half) + tax(cents(one) - half)), ""],
        ...agreeing(two),
      ),
    )
    expect(rows.map(({ verdict }) => verdict)).toEqual(["agrees", "agrees"])
  })

  it("are told where their amounts are not those of the rows above, and are left out", async () => {
    const wrong = total("Page total", 0, one, two)
    wrong[3] = decimals(sum(one, two) + 1000)
    const { code, rows, stderr } = await audit(lines(NARROW, ...agreeing(one, two), wrong))
    expect([code, rows.length]).toEqual([0, 2])
    expect(stderr).toContain(
      `row 4: "Page total" is ${decimals(sum(one, two) + 1000)}, which is not the sum of the rows above it (${decimals(sum(one, two))}); the row is left out`,
    )
  })

  it("are no receivers, and no charges that all rows call total", async () => {
    const named = [number(one), "Total Tools Fremantle", "Total", decimals(cents(one)), "", ""]
    const receiver = await audit(lines(NARROW, named))
    expect([receiver.code, receiver.of(one)?.verdict]).toEqual([0, "agrees"])
    const twice = await audit(lines(NARROW, named, named))
    expect([twice.code, twice.of(one)?.verdict]).toEqual([1, "billed-twice"])
  })
})

it("a charge that all rows call total is none of the others' sum", async () => {
  const amounts = [1000, 3000, 4000]
  const { rows } = await audit(
    lines(
      NARROW,
      ...amounts.map((amount, at) => [number(`W-${at + 1}`), "", "Total", decimals(amount), "", ""]),
    ),
  )
  expect(rows).toHaveLength(3)
})

describe("other spellings of a name", () => {
  it("are ours where only the API knows the number, and count as one consignment", async () => {
    const spaced = number("LATE-1").replace(/^(\D+)/, "$1 ")
    const { rows } = await audit(
      lines(NARROW, ...agreeing("LATE-1"), charge(spaced, "Freight", cents("LATE-1"))),
    )
    expect(rows.map(({ verdict }) => verdict)).toEqual(["billed-twice"])
  })

  it("cannot tell where two bookings fit", async () => {
    const bill = lines(["Reference", "Amount ex GST"], ["TWIN 11", decimals(cents("TWIN-11"))])
    const { code, rows } = await audit(bill)
    expect([code, rows[0]?.verdict, rows[0]?.why]).toEqual([
      0,
      "cannot-tell",
      expect.stringContaining("it fits several bookings"),
    ])
    const exact = lines(["Reference", "Amount ex GST"], ["TWIN-11", decimals(cents("TWIN-11"))])
    expect((await audit(exact)).of("TWIN-11")?.verdict).toBe("agrees")
  })
})

describe("GST", () => {
  it.each<[string, string[], (ex: number, gst: number) => (string | number)[][]]>([
    ["beside an amount that does not say", ["Amount", "GST"], (ex, gst) => [[ex, gst]]],
    ["below a total with it", ["GST", "Total inc GST"], (ex, gst) => [[gst, ex + gst]]],
    ["between both", ["Nett", "GST", "Gross"], (ex, gst) => [[ex, gst, ex + gst]]],
    [
      "in a line of its own",
      ["Amount", "Charge"],
      (ex, gst) => [
        [ex, "Freight"],
        [gst, "GST"],
      ],
    ],
  ])("is judged %s", async (_, headings, rows) => {
    const ex = cents("W-1")
    const verdicts = async (gst: number) => {
      const cells = rows(ex, gst).map((row) =>
        row.map((cell) => (typeof cell === "number" ? decimals(cell) : cell)),
      )
      const bill = lines(["Consignment", ...headings], ...cells.map((row) => [number("W-1"), ...row]))
      return (await audit(bill)).of("W-1")?.verdicts
    }
    expect(await verdicts(tax(ex))).toEqual(["agrees"])
    expect(await verdicts(Math.round(ex * 0.125))).toContain("wrong-gst")
  })

  it("of 0 % is told and not disputed, for all and for a part", async () => {
    const none = await audit(lines(NARROW, charge(number("W-1"), "Freight", cents("W-1"), 0)))
    expect([none.code, none.of("W-1")]).toEqual([
      0,
      expect.objectContaining({
        verdict: "agrees",
        gstCheck: "none",
        why: expect.stringContaining("no GST is charged (0 %)"),
      }),
    ])
    expect(none.report?.totals).toMatchObject({ withoutGst: 1, toDispute: 0 })
    const part = await audit(
      lines(
        NARROW,
        charge(number("W-1"), "Freight", cents("W-1") - 500),
        charge(number("W-1"), "Insurance", 500, 0),
      ),
    )
    expect([part.code, part.of("W-1")]).toEqual([
      0,
      expect.objectContaining({
        verdict: "agrees",
        gstCheck: "agrees",
        why: expect.stringContaining("no GST (0 %) on Insurance"),
      }),
    ])
  })

  it("that the bill states for all its charges is judged, and told", async () => {
    const sum = cents("W-1") + cents("W-2")
    const bill = (gst: number) =>
      lines(
        ["Consignment", "Charge", "Amount"],
        ...["W-1", "W-2"].map((each) => [number(each), "Freight", decimals(cents(each))]),
        ["", "GST", decimals(gst)],
        ["", "Amount payable", decimals(sum + gst)],
      )
    const right = await audit(bill(tax(sum)))
    expect([right.code, right.report?.bills[0]?.gstCheck, right.rows.length]).toEqual([0, "agrees", 2])
    const wrong = await audit(bill(Math.round(sum * 0.125)))
    expect([wrong.code, wrong.report?.bills[0]?.gstCheck, wrong.report?.totals.billsWithWrongGst]).toEqual([
      1,
      "wrong",
      1,
    ])
    expect(wrong.stderr).toContain("Ask for a correct tax invoice")
    const below = await audit(bill(Math.round(sum * 0.08)))
    expect([below.code, below.report?.bills[0]?.gstCheck]).toEqual([0, "below"])
    expect((await audit(bill(0))).report?.bills[0]).not.toMatchObject({ gstCheck: "wrong" })
  })

  it("of an invoice document is judged by its lines, or by its summary", async () => {
    const of = { serialNumbers: [number("W-1")] }
    const gst = Math.round(cents("W-1") * 0.125)
    const byLine = await audit(invBill([invLine(cents("W-1"), { ...of, taxAmount: gst / 100 })]))
    expect([byLine.code, byLine.of("W-1")?.verdict]).toEqual([1, "wrong-gst"])
    const { taxAmount: _, ...bare } = invLine(cents("W-1"), of)
    const summary = (amount: number) => ({
      invoiceSummary: {
        subtotal: cents("W-1") / 100,
        taxAmount: amount / 100,
        dueAmount: (cents("W-1") + amount) / 100,
        currency: "AUD",
      },
    })
    expect((await audit(invBill([bare], summary(tax(cents("W-1")))))).code).toBe(0)
    const bySummary = await audit(invBill([bare], summary(gst)))
    expect([bySummary.code, bySummary.report?.bills[0]?.gstCheck]).toEqual([1, "wrong"])
  })
})

describe("columns that freight does not know", () => {
  const amount = () => cents("W-1")

  it("are asked about where no total is stated; what is measured is no charge", async () => {
    const bill = lines(
      ["Consignment", "Freight", "Fuel levy", "Kerb lift", "Cube", "Declared value", "Fuel levy %"],
      [number("W-1"), decimals(amount() - 500), "5.00", "35.00", "0.25", "500.00", "12.50"],
      [number("W-2"), decimals(cents("W-2") - 500), "5.00", "", "0.25", "500.00", "12.50"],
    )
    const { code, stderr } = await audit(bill)
    expect([code, errorIn(stderr).errors]).toEqual([
      2,
      [expect.objectContaining({ message: expect.stringContaining('--map "Kerb lift=other"') })],
    ])
    const mapped = await audit(bill, "--map", "Kerb lift=other")
    expect(mapped.of("W-1")).toMatchObject({ verdict: "over", why: expect.stringContaining("kerb lift") })
    expect(mapped.of("W-2")?.verdict).toBe("agrees")
    expect((await audit(bill, "--map", "Kerb lift=")).of("W-1")?.verdict).toBe("agrees")
  })

  it("name their charge where a total is stated", async () => {
    const bill = lines(
      ["Consignment", "Freight", "Futile Delivery", "Nett", "GST"],
      [number("W-1"), decimals(amount()), "40.00", decimals(amount() + 4000), decimals(tax(amount() + 4000))],
    )
    expect((await audit(bill)).of("W-1")?.why).toContain(": futile delivery")
  })
})

describe("reasons name the charge", () => {
  const why = async (...extra: [label: string, amount: number][]) => {
    const all = extra.map(([label, amount]) => charge(number("W-1"), label, amount))
    const base = charge(number("W-1"), "Freight", cents("W-1") - 900)
    const { of } = await audit(lines(NARROW, base, charge(number("W-1"), "Fuel levy", 900), ...all))
    return of("W-1")
  }
  it.each([
    ["fuel levy stands twice", "Fuel levy", 900],
    ["residential delivery, not booked", "Residential delivery", 1200],
    ["dangerous goods, not booked", "Dangerous goods", 2500],
    ["futile delivery", "Futile delivery", 4000],
  ])("%s", async (said, label, amount) => {
    const row = await why([label, amount])
    expect(row).toMatchObject({
      verdict: "over",
      disputed: amount / 100,
      why: expect.stringContaining(`: ${said}`),
    })
  })

  it("and names all that make the difference", async () => {
    const row = await why(["Fuel levy", 900], ["Futile delivery", 4000])
    expect(row?.why).toContain(": fuel levy stands twice, futile delivery")
  })
})

describe("headings and amounts as they are written", () => {
  it("Connote, Sender Ref, Inv Date, Inv No, Chg Wt and Nett are known", async () => {
    const bill = lines(
      ["Connote", "Sender Ref", "Inv Date", "Inv No", "Chg Wt", "Actual Weight", "Nett", "GST", "Total"],
      [
        number("W-1"),
        "W-1",
        "30/11/2026",
        "77",
        "11",
        "11",
        decimals(cents("W-1")),
        decimals(tax(cents("W-1"))),
        decimals(cents("W-1") + tax(cents("W-1"))),
      ],
    )
    const { code, report, of } = await audit(bill)
    expect([code, of("W-1")?.verdict, report?.bills[0]]).toEqual([
      0,
      "agrees",
      expect.objectContaining({ number: "77", date: "2026-11-30" }),
    ])
  })

  it.each([
    "−5.00",
    "–5.00",
    "5.00-",
    "5.00 CR",
    "5.00cr",
    "(5.00)",
    "-$5.00",
    "$(5.00)",
    "5.00−",
  ])("%s is a credit", async (credit) => {
    const bill = lines(
      ["Consignment", "Charge", "Nett"],
      [number("W-1"), "Freight", decimals(cents("W-1") + 500)],
      [number("W-1"), "Credit", credit],
    )
    expect((await audit(bill)).of("W-1")?.verdict).toBe("agrees")
  })
})

describe("a charge that is credited in full", () => {
  it("is not under, and stays to be billed", async () => {
    const own = await desk(sandbox)
    await own.freight(["batch", "book", await saveOrders(own.folder, [order("C-1"), order("C-2")])])
    const rows = (await own.freight(["history", "--json"])).json<History>()
    const of = (reference: string) => rows.find((row) => row.reference === reference)
    const price = (reference: string) => Math.round((of(reference)?.price ?? 0) * 100)
    const bill = (invoice: string, ...all: [reference: string, amount: number][]) =>
      lines(
        ["Invoice Number", "Reference", "Amount ex GST"],
        ...all.map(([reference, amount]) => [invoice, reference, decimals(amount)]),
      )
    const run = async (text: string) => {
      const ran = await own.freight([
        "audit",
        await saveBill(own.folder, "bill.csv", text),
        "--json",
        "--offline",
      ])
      return ran.json<Report>().consignments.map(({ verdict, why }) => [verdict, why])
    }
    const unbilled = async () =>
      (await own.freight(["audit", "--accruals", "--offline", "--json"]))
        .json<{ consignments: { reference: string }[] }>()
        .consignments.map(({ reference }) => reference)
        .sort()
    const credited = ["agrees", "charged and credited in full: nothing is asked for it"]
    expect(await run(bill("1", ["C-1", price("C-1")], ["C-1", -price("C-1")]))).toEqual([credited])
    expect(await unbilled()).toEqual(["C-1", "C-2"])
    await run(bill("2", ["C-2", price("C-2")]))
    expect(await unbilled()).toEqual(["C-1"])
    expect(await run(bill("3", ["C-2", -price("C-2")]))).toEqual([credited])
    expect(await unbilled()).toEqual(["C-1", "C-2"])
    expect(await run(bill("4", ["C-2", price("C-2") * 2]))).toEqual([["over", expect.anything()]])
  })
})
