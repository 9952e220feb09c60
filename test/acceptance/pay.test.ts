/** `freight pay`: what is to be paid of audited bills, once, less what is disputed. */
import { writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { bookToBill } from "./audits.ts"
import { type Line, csvBill } from "./bills.ts"
import { order } from "./orders.ts"

const COUNT = 30

const { home, get } = await bookToBill(
  Array.from({ length: COUNT }, (_, at) => order(`PAY-${at}`, { connector: "connector-a", service: "76" })),
)

let used = 0

/** A bill of a consignment that was booked, and of one that was not: the second is disputed. */
function lines(notOurs = 2000): Line[] {
  const reference = `PAY-${used++}`
  const { consignment, cents } = get(reference)
  return [
    { consignment, reference, cents },
    { consignment: `SBA95${String(used).padStart(6, "0")}`, cents: notOurs },
  ]
}

interface ToPay {
  billNumber: string
  asked: number
  withheld: number
  toPay: number
  due: string
}

const POST = ["--for", "xero", "--account", "429", "--clearing", "650"]

async function bill(name: string, rows: readonly Line[], due = "2026-12-10"): Promise<string> {
  const file = path.join(home.folder, `${name}.csv`)
  await writeFile(file, csvBill(rows.map((line) => ({ ...line, invoice: name }))))
  await home.freight(["audit", file, "--raise"])
  const posted = await home.freight(["post", file, ...POST, "--due", due, "-o", `${file}.xero.csv`])
  expect(posted.code, posted.stderr).toBe(0)
  return file
}

const listed = async (...more: string[]) =>
  (await home.freight(["pay", "--list", "--json", ...more])).items<ToPay>()
const find = async (name: string) => (await listed()).find(({ billNumber }) => billNumber === name)

describe("a bill", () => {
  it("is listed with what it asks for, less what is disputed, and paid once", async () => {
    const rows = lines()
    await bill("P-1", rows)
    const asked = rows.reduce((sum, { cents }) => sum + cents + Math.round(cents / 10), 0)
    const before = await find("P-1")
    expect(before).toMatchObject({
      asked: asked / 100,
      withheld: 22,
      toPay: (asked - 2200) / 100,
      due: "2026-12-10",
    })
    const paid = await home.freight(["pay", "P-1", "--json"])
    expect(paid.code, paid.stderr).toBe(0)
    expect(paid.items()).toMatchObject([
      { billNumber: "P-1", paid: before?.toPay, withheld: 22, isNew: true },
    ])
    expect(await find("P-1")).toMatchObject({ toPay: 0, paidBefore: before?.toPay, withheld: 22 })
    const again = await home.freight(["pay", "P-1", "--json"])
    expect(again.code, again.stderr).toBe(0)
    expect(again.items()).toMatchObject([{ paid: before?.toPay, isNew: false }])
  })
})
