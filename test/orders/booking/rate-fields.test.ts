/** Each field of a rate that the contract has is shown, and docs/choosing.md says what it is used for. */
import { readFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import type { RatedService } from "../../../src/contract/generated/types.ts"
import { columnValue } from "../../../src/output/terminal/columns.ts"
import { rateColumns } from "../../../src/orders/booking/rate-columns.ts"
import { arrivalOrder, arrivalText, rateRows } from "../../../src/orders/booking/rates.ts"

const ROOT = path.resolve(import.meta.dirname, "../../..")
const readText = (file: string) => readFile(path.join(ROOT, file), "utf8")
const schema = JSON.parse(await readText("schemas/freight.schema.json"))
const FIELDS = Object.keys(schema.$defs.RatedService.properties) as (keyof RatedService)[]

const RATE: RatedService = {
  serviceCode: "EXP",
  description: "Express",
  price: 20,
  currency: "AUD",
  eta: "2026-11-25T17:00:00",
  transitDays: 3,
  bookingCutoff: "15:00:00",
  collectionCutoff: "17:00:00",
  priceGst: 2,
  priceIncGst: 22,
  visibility: "shown",
  rateId: "rate-1",
}
const OTHER: Required<RatedService> = {
  serviceCode: "STD",
  description: "Standard",
  price: 30,
  currency: "NZD",
  eta: "2026-11-26T17:00:00",
  transitDays: 4,
  bookingCutoff: "14:00:00",
  collectionCutoff: "16:00:00",
  priceGst: 3,
  priceIncGst: 33,
  visibility: "hidden",
  rateId: "rate-2",
}

/** All that rate-shop prints of a rate, by its columns. */
function print(rate: RatedService): string[] {
  const results = [{ connectorId: "connector-a", carrier: "CARRIER_A_AU", success: true, rates: [rate] }]
  const rows = rateRows({ quoteId: "q", results })
  const to = { suburb: "Fremantle", state: "WA", postcode: "6160", residential: false }
  const columns = rateColumns(rows, { date: "2026-11-23", to }, false)
  return rows.flatMap((row) => columns.map((column) => String(columnValue(column, row))))
}

describe("the fields of a rate", () => {
  it.each(FIELDS)("%s is shown", (field) => {
    expect(print({ ...RATE, [field]: OTHER[field] })).not.toEqual(print(RATE))
  })

  it("are those that docs/choosing.md has, each with its use", async () => {
    const [, section = ""] = (await readText("docs/choosing.md")).split("## What of a rate is used\n")
    const [table = ""] = section.split("\n## ")
    const rows = [...table.matchAll(/^\| (`.*?) \| (.+) \|$/gm)]
    const named = rows.flatMap(([, names = ""]) => [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name))
    expect(named.sort()).toEqual([...FIELDS].sort())
  })

  it.each([
    ["2026-11-25T17:00:00", "Wed 25 Nov 17:00 (2 days)"],
    ["2026-11-25", "Wed 25 Nov (2 days)"],
  ])("an eta of %s is %s", (eta, text) => {
    expect(arrivalText({ eta, transitDays: null }, "2026-11-23")).toBe(text)
  })

  it("an eta without a time arrives before any later day, and after an earlier one", () => {
    const order = (eta: string) => arrivalOrder({ eta, transitDays: null }, "2026-11-23")
    const days = ["2026-11-26T09:00:00", "2026-11-25", "2026-11-24T17:00:00", "2026-11-25T12:00:00"]
    expect(days.map(order).sort()).toEqual([
      "2026-11-24T17:00:00",
      "2026-11-25T12:00:00",
      "2026-11-25T23:59:59",
      "2026-11-26T09:00:00",
    ])
  })
})
