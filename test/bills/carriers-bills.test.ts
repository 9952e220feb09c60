/** Bills in the shapes of twelve carriers: what is planted in them is found, to the cent, and nothing else. */
import { describe, expect, it } from "vitest"
import { CARRIERS_BILLS, type CarriersBill, type Planted } from "./carriers-bills.ts"
import { type BillInput, bookedDatabase, money, taxOf, tryBill } from "./desk.ts"
import { createDraw, type Draw } from "./layouts.ts"
import { share } from "../drawn.ts"
import { findNonsense } from "../nonsense.ts"

/** The questions before a bill is read, answered as a person would who has it before them. */
const ANSWERS: Readonly<Record<string, Partial<BillInput>>> = {
  "two depots and a summary": { sheets: ["Sydney", "Melbourne"] },
}

/** Audits a bill. @returns the planted errors that were found, and all other rows that do not agree */
async function findPlanted({ bill, booked, key }: CarriersBill, answers: Partial<BillInput> = {}) {
  const tried = await tryBill(await bookedDatabase(booked), { bill, booked, ...answers })
  const planted = new Map(key.map((each) => [each.consignment, each]))
  const isFound = (each: Planted, row: (typeof tried)["rows"][number]) =>
    row.verdict === each.verdict &&
    Math.round(row.disputed * 100) ===
      (row.gstBasis === "included" ? each.cents + taxOf(each.cents) : each.cents)
  const found = tried.rows.filter((row) => {
    const each = planted.get(row.consignmentNumber ?? "")
    return each && isFound(each, row)
  })
  const others = tried.rows.filter((row) => !found.includes(row) && row.verdict !== "agrees")
  return { tried, found, others }
}

describe.each(Object.entries(CARRIERS_BILLS))("%s", (name, write) => {
  it("has nothing but what was planted", async () => {
    const written = write()
    const { tried, found, others } = await findPlanted(written, ANSWERS[name])
    expect(tried.refused?.message ?? tried.asked).toBeUndefined()
    expect(
      others.map(({ consignmentNumber: consignment, verdict, disputed, why }) => [
        consignment,
        verdict,
        disputed,
        why,
      ]),
    ).toEqual([])
    expect(found.map(({ consignmentNumber: consignment }) => consignment).sort()).toEqual(
      written.key.map(({ consignment }) => consignment).sort(),
    )
  })

  it("has its number and its day", async () => {
    const written = write()
    const { tried } = await findPlanted(written, ANSWERS[name])
    const { number, day } = written
    expect("bills" in tried && tried.bills?.map((bill) => [bill.billNumber, bill.billDate])).toEqual([
      [number, day],
    ])
  })
})

it("nine of ten mistakes are found in bills as they come", async () => {
  const bills = await Promise.all(
    Object.values(CARRIERS_BILLS).map(async (write) => await findPlanted(write())),
  )
  const planted = Object.values(CARRIERS_BILLS).flatMap((write) => write().key).length
  const found = bills.flatMap((each) => each.found).length
  expect(planted).toBe(108)
  expect(found).toBeGreaterThanOrEqual(99)
  expect(bills.flatMap(({ others }) => others.filter(({ disputed }) => disputed > 0))).toEqual([])
})

/** A bill with one of its amounts changed as slips and programs change them. */
function slip(bill: string, draw: Draw): string {
  const amounts = [...bill.matchAll(/(?<=[,\t])-?\d+\.\d\d(?=[,\t\r\n])/g)]
  const found = amounts[draw(amounts.length)]
  if (!found) return bill
  const [text] = found
  const cents = Math.round(Number(text) * 100)
  const slips = [cents + 1, cents - 1, 0 - cents, 0, cents * 100, cents + 100_000, Math.round(cents / 1.1)]
  const slipped = money(slips[draw(slips.length)] ?? 0)
  return bill.slice(0, found.index) + slipped + bill.slice(found.index + text.length)
}

it("no message about a bill with one wrong amount says that a figure is not what it is", async () => {
  const draw = createDraw(74)
  const messages = new Set<string>()
  for (const write of Object.values(CARRIERS_BILLS)) {
    const { bill, booked } = write()
    if (typeof bill !== "string") continue
    const database = await bookedDatabase(booked)
    for (let times = 0; times < share(8); times++) {
      const tried = await tryBill(database, { bill: slip(bill, draw), booked })
      const said = "notes" in tried ? [...(tried.notes ?? []), ...(tried.evidence ?? [])] : []
      for (const each of [...said, ...tried.rows.map(({ why }) => why)]) messages.add(each)
      if (tried.refused) messages.add(tried.refused.message)
    }
  }
  expect(messages.size).toBeGreaterThan(50)
  expect([...messages].filter((message) => findNonsense(message) !== undefined)).toEqual([])
})
