/** A document that says above its rows that it is a credit note gives back what its rows have, also without a minus. */
import { expect, it } from "vitest"
import { auditBill, BOOKED, bookedDatabase, csv, postBill } from "./desk.ts"
import { drawLines } from "./pdfs.ts"

const database = await bookedDatabase()
const NUMBER = BOOKED[0]?.number ?? ""
const HEADINGS = ["Con Note", "Details", "Amount ex GST", "GST", "Amount inc GST"]

const write = (head: readonly string[][], amounts = "10.00,1.00,11.00", headings = HEADINGS) =>
  csv(
    ...head,
    headings,
    [NUMBER, "Overcharge", ...amounts.split(",")],
    ["Total", "", ...amounts.replaceAll(/\bA-1001,/g, ",").split(",")],
  )

async function read(bill: string | Uint8Array) {
  const { rows } = await auditBill(database, { bill })
  return {
    number: rows.flatMap(({ billNumbers }) => billNumbers).join(),
    billed: rows.map(({ billed }) => billed),
  }
}

it.each<[head: readonly string[][], number: string]>([
  [[["CREDIT NOTE"], ["Credit Note No", "CR-77", "Original invoice no", "A-1001"]], "CR-77"],
  [[["ADJUSTMENT NOTE"], ["Invoice No", "A-1001", "Adjustment Note No: CR-77"]], "CR-77"],
  [[["Tax Credit / Adjustment Note"], ["Credit note number CR-77"]], "CR-77"],
  [[["Coral Freight", "CREDIT NOTE CR-1077"]], "CR-1077"],
  [[["CREDIT NOTE 7"]], ""],
  [[["Credit memo", "CR-77"]], "CR-77"],
  // Which of the two it is, nothing says.
  [[["Credit note"], ["Invoice No", "A-1001"]], ""],
])("%j is a credit note", async (head, number) => {
  expect(await read(write(head))).toEqual({ number, billed: [-10] })
  // With a minus it says so itself.
  expect(await read(write(head, "-10.00,-1.00,-11.00"))).toEqual({ number, billed: [-10] })
})

it.each<readonly string[][]>([
  [["TAX INVOICE"], ["Invoice No", "A-1001", "Credit note no", "CR-77"]],
  [
    ["Invoice No", "A-1001"],
    ["Credit note", "-22.00"],
  ],
  [
    ["Invoice No", "A-1001"],
    ["Credit notes", "CR-77"],
  ],
  [["Invoice No", "A-1001"], ["Ask for a credit note"]],
])("%j and what follows is an invoice", async (...head) => {
  expect(await read(write(head))).toEqual({ number: "A-1001", billed: [10] })
})

it("a credit note says itself what its rows are where a column does, and has its own number where a column has those of its invoices", async () => {
  const head = [["CREDIT NOTE"], ["Credit note no", "CR-77"]]
  const signed = [
    ["Con Note", "Details", "Type", "Amount ex GST"],
    [NUMBER, "Charged", "Invoice", "10.00"],
  ]
  expect((await read(csv(...head, ...signed))).billed).toEqual([10])
  const headings = ["Con Note", "Invoice No", "Amount ex GST", "GST", "Amount inc GST"]
  const row = [NUMBER, "A-1001", "10.00", "1.00", "11.00"]
  expect(await read(csv(...head, headings, row))).toEqual({ number: "CR-77", billed: [-10] })
})

it("a credit note is posted as it is audited, with the GST that stands below its rows", async () => {
  const head = [["CREDIT NOTE"], ["Credit note no", "CR-77"]]
  const rows = [
    [NUMBER, "Overcharge", "10.00"],
    ["", "GST total", "1.00"],
    ["", "Total inc GST", "11.00"],
  ]
  const bill = csv(...head, ["Con Note", "Details", "Amount ex GST"], ...rows)
  expect(await postBill(database, { bill })).toEqual(new Map([[NUMBER, [-1000, -100]]]))
})

it.each<[head: readonly string[][], amount: string]>([
  [[["CREDIT NOTE", "CR-1077"]], "10.00"],
  [[["Tax Invoice", "CR-1077"]], "-10.00"],
])("%j has the GST that a person gives, with the sign of its amounts", async (head, amount) => {
  const bill = csv(...head, ["Con Note", "Details", "Amount ex GST"], [NUMBER, "Overcharge", amount])
  expect(await postBill(database, { bill }, 100)).toEqual(new Map([[NUMBER, [-1000, -100]]]))
})

it("a credit note in a PDF is read, with a note, though its sums have no minus", async () => {
  const line = (...texts: string[]) =>
    texts.map((text, at) => [text, [40, 130, -414, -493, -561][at] ?? 0] as const)
  const bill = await drawLines([
    [["Coral Freight Pty Ltd", 40]],
    [["Adjustment Note", 40]],
    [
      ["Adjustment note no: CR-77", 40],
      ["Original invoice no: A-1001", 300],
    ],
    line(...HEADINGS),
    line(NUMBER, "Overcharge", "10.00", "1.00", "11.00"),
    [],
    [
      ["Total ex GST", 300],
      ["10.00", -561],
    ],
    [
      ["GST", 300],
      ["1.00", -561],
    ],
    [
      ["Total credit inc GST", 300],
      ["11.00", -561],
    ],
  ])
  expect(await read(bill)).toEqual({ number: "CR-77", billed: [-10] })
  expect((await auditBill(database, { bill })).evidence).toContain(
    'bill CR-77: it says "Adjustment Note": its amounts are credits.',
  )
})
