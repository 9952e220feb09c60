/** How many charges one audit takes. */
import { expect, it } from "vitest"
import { NO_MONEY } from "../../src/bills/money.ts"
import { createBillList } from "../../src/bills/reading/list.ts"
import { MAX_CHARGES } from "../../src/base/limits.ts"

it("the bills of one audit may have MAX_CHARGES charges together, and no more", () => {
  const list = createBillList()
  const bill = list.open({ file: "bill.csv", number: "1", supplier: "", date: "" })
  const other = list.open({ file: "other.csv", number: "2", supplier: "", date: "" })
  const line = {
    ...NO_MONEY,
    ...{ charge: "freight" as const, label: "", service: "", grams: null, shipped: "" },
    names: [{ text: "SBA1", field: "consignment" }],
  }
  for (let count = 0; count < MAX_CHARGES; count++) list.add(bill, line)
  expect(() => list.add(other, line)).toThrow(
    "these bills have more than 500,000 charges, the most that one audit takes",
  )
})
