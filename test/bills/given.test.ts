/** A bill that is audited by what a program says of its bookings has the verdicts of `freight audit`. */
import { describe, expect, it } from "vitest"
import { auditBill as auditGiven } from "../../src/bills/audit/given.ts"
import type { AuditBooking } from "../../src/bills/audit/library.ts"
import { auditBill, BOOKED, bookedDatabase, csv, DAY, money, taxOf } from "./desk.ts"

const BOOKINGS = BOOKED.map(
  ({ number, reference, cents, grams }, at): AuditBooking => ({
    ...{
      shipmentId: `shp-${at}`,
      carrier: "CARRIER_C_AU",
      serviceCode: "STD",
      bookedAt: `${DAY}T00:00:00.000Z`,
    },
    ...{ consignmentNumber: number, orderNumber: `ORD-${at}`, reference, hasPickup: true },
    ...{ quote: { amount: cents / 100, gstBasis: "excluded" }, weightKg: grams / 1000 },
  }),
)

type Row = [name: string, cents: number, grams: number, service?: string]
const HEAD = ["Consignment", "Reference", "Service", "Weight kg", "Amount ex GST", "GST", "Amount inc GST"]
const billOf = (rows: readonly Row[], head = HEAD) =>
  csv(
    head,
    ...rows.map(([name, cents, grams, service = "STD"]) => [
      ...[name, "", service, grams / 1000, money(cents), money(taxOf(cents)), money(cents + taxOf(cents))],
    ]),
  )
const right = BOOKED.map(({ number, cents, grams }): Row => [number, cents, grams])
const changed = (at: number, change: Readonly<Record<number, string | number>>) =>
  right.map((row, n) => (n === at ? (Object.assign([...row], change) as Row) : row))

describe("auditBill", () => {
  it.each<[what: string, rows: readonly Row[]]>([
    ["a right bill", right],
    ["a price above the quote", changed(2, { 1: 9_999 })],
    ["a price below it", changed(2, { 1: 100 })],
    ["another weight", changed(3, { 1: 9_999, 2: 90_000 })],
    ["a consignment twice", [...right, ...right.slice(0, 1)]],
    ["one that is not ours", [...right, ["SBC99999999", 1000, 1000]]],
    ["numbers with something around them", changed(1, { 0: `CN ${BOOKED[1]?.number}` })],
  ])("says of %s what the command says", async (_, rows) => {
    const bill = billOf(rows)
    const desk = await auditBill(await bookedDatabase(), { bill })
    const given = await auditGiven(bill, { bookings: BOOKINGS }, { now: Date.parse(DAY) })
    // Those of one verdict and amount may come in another order.
    const byNumber = (all: readonly { consignmentNumber: string | null }[]) =>
      [...all].sort((one, other) =>
        (one.consignmentNumber ?? "") < (other.consignmentNumber ?? "") ? -1 : 1,
      )
    const plain = (all: object) =>
      JSON.parse(
        JSON.stringify(all, (key, value) => (key === "bookedAt" || key === "foundBy" ? undefined : value)),
      )
    expect(plain(byNumber(given.items))).toEqual(plain(byNumber(desk.rows)))
    expect(given.items.map(({ verdict }) => verdict)).toEqual(desk.rows.map(({ verdict }) => verdict))
    expect(given.totals).toEqual(JSON.parse(JSON.stringify(desk.totals)))
  })

  it("finds by reference, and knows what is cancelled, paid by another or was never collected", async () => {
    const changes: Partial<AuditBooking>[] = [
      { status: "CANCELLED" },
      { payer: "Receiver" },
      { hasPickup: false, isCollected: false },
    ]
    const bookings = BOOKINGS.map((each, at) => ({ ...each, ...changes[at] }))
    const { items: consignments } = await auditGiven(billOf(right), { bookings })
    expect(consignments.slice(0, 3).map(({ verdict, shipmentId }) => [verdict, shipmentId])).toEqual([
      ["cancelled", "shp-0"],
      ["payer-is-another", "shp-1"],
      ["not-collected", "shp-2"],
    ])
    const byReference = csv(
      ["Reference", "Amount ex GST"],
      ...BOOKED.map(({ reference, cents }) => [reference, money(cents)]),
    )
    const found = await auditGiven(byReference, { bookings: BOOKINGS })
    expect(found.items.map(({ foundBy }) => foundBy)).toEqual(BOOKED.map(() => "reference"))
  })

  it("takes more where it is told so, and refuses what it cannot read", async () => {
    const bill = billOf(changed(2, { 1: (BOOKED[2]?.cents ?? 0) + 400 }))
    const evidence = { bookings: BOOKINGS }
    expect((await auditGiven(bill, evidence)).totals).toMatchObject({ toDispute: 1, disputed: 4 })
    expect((await auditGiven(bill, evidence, { tolerance: { amount: 5 } })).totals.toDispute).toBe(0)
    await expect(auditGiven("", evidence)).rejects.toMatchObject({ kind: "input" })
    await expect(auditGiven(bill, evidence, { tolerence: 1 } as object)).rejects.toMatchObject({
      kind: "usage",
    })
  })
})
