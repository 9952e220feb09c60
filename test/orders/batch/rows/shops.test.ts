/** Exports of shops, as the shops write them. */
import { readFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import type { BatchRow } from "../../../../src/orders/batch/rows/row.ts"
import type { RowDefaults } from "../../../../src/orders/batch/rows/defaults.ts"
import { readRows } from "../../../../src/orders/batch/rows/rows.ts"
import { defaults, rowsOf, said } from "../batches.ts"

const PACKAGES = [{ count: 1, lengthCm: 30, widthCm: 20, heightCm: 10, weightKg: 2 }]

async function read(name: string, change = (text: string) => text, more: Partial<RowDefaults> = {}) {
  const text = await readFile(path.join(import.meta.dirname, "files", name), "utf8")
  const notes: string[] = []
  const booking = defaults().booking
  const rows = await rowsOf(change(text), {
    booking: { ...booking, packages: PACKAGES },
    tell: async (note) => void notes.push(note),
    ...more,
  })
  return { rows, notes }
}

const LEE = {
  companyName: "Port Street Fittings",
  contactName: "Lee Watson",
  address1: "8 Market Street",
  suburb: "Fremantle",
  state: "WA",
  postcode: "6160",
}
const ZOE = {
  companyName: "Zoë Fauré",
  address1: "27 Rue Street",
  address2: "Unit 4",
  suburb: "Alexandria",
  state: "NSW",
  postcode: "2015",
}

describe("Shopify's orders", () => {
  it.each([
    ["shopify.csv", [2, 4, 5, 6]],
    ["shopify-spreadsheet.csv", [4, 6, 7, 8]],
  ])("are read from %s as they are", async (name, numbers) => {
    const { rows } = await read(name)
    expect(rows.map(({ row, reference }) => [row, reference])).toEqual(
      ["#1001", "#1002", "#1003", "#1004"].map((reference, index) => [numbers[index], reference]),
    )
    const [first, second, gift, last] = rows
    expect(first?.request?.receiver).toEqual({
      ...LEE,
      phoneNumber: "0491 570 156",
      email: "goods-in@port-street.example",
    })
    expect(second?.request).toMatchObject({
      receiver: { ...ZOE, phoneNumber: "+61 491 570 157", email: "zoe@faure.example" },
      specialInstructions: "Ring the bell, then wait",
      packages: PACKAGES,
    })
    expect(last?.request?.receiver).toMatchObject({
      companyName: "Café Müller",
      contactName: "Mia O'Connor",
      suburb: "Brisbane",
      postcode: "4000",
    })
    expect(gift?.request).toBeUndefined()
    expect(gift?.findings).toMatchObject([
      {
        message: "the row has no delivery address",
        hint: "remove the row, or book the others with --skip-invalid",
        severity: "error",
      },
    ])
  })

  it("give one note on the columns that are not used, and one on further items", async () => {
    const { notes } = await read("shopify.csv")
    expect(notes).toEqual([
      expect.stringMatching(
        /^orders\.csv: 59 columns are not used: "Paid at", .+ and 56 more\. --map COLUMN=FIELD uses one\.$/,
      ),
      "row 3 of orders.csv is a further item of the order above it",
    ])
    expect((await read("shopify.csv", undefined, { ignoreUnknown: true })).notes).toHaveLength(1)
  })

  it("do not take a billing address for the receiver's", async () => {
    const { rows } = await read("shopify.csv")
    expect(JSON.stringify(rows.map(({ request }) => request ?? {}))).not.toMatch(
      /Head Office|Accounts Payable|5550 9999/,
    )
  })

  it("have no second item that says something else: it would be another order", async () => {
    const { rows } = await read("shopify.csv", (text) =>
      text.replace(/^(#1001,[^\n]*Bulb[^\n]*)$/m, (line) =>
        line.replace(/,{20,}/, (commas) => `${commas.slice(0, 13)}9 Other Street${commas.slice(13)}`),
      ),
    )
    const second = rows[1]
    expect(second?.request).toBeUndefined()
    expect(said(second)).toContain("Name unique")
  })

  it("are mapped by --map where that is given", async () => {
    const { rows } = await read("shopify.csv", undefined, {
      map: ["Phone=receiver.phoneNumber", "Shipping Phone="],
    })
    expect(rows[1]?.request?.receiver.phoneNumber).toBe("+61491570157")
  })
})

describe("WooCommerce's orders", () => {
  it.each(["woocommerce.csv", "woocommerce-database.csv"])("are read from %s as they are", async (name) => {
    const { rows } = await read(name)
    expect(rows.slice(0, 2).map(({ reference, findings }) => [reference, findings])).toEqual([
      ["5012", []],
      ["5013", []],
    ])
    expect(rows[0]?.request).toMatchObject({ receiver: LEE, packages: PACKAGES })
    expect(rows[1]?.request?.receiver).toMatchObject({ companyName: "Zoë Fauré", suburb: "Alexandria" })
    expect(JSON.stringify(rows[1]?.request)).not.toMatch(/Head Office|Accounts/)
  })

  it("join their items, and take an item's quantity for no number of packages", async () => {
    const { rows, notes } = await read("woocommerce.csv")
    expect(rows.map(({ row }) => row)).toEqual([2, 4, 5])
    expect(rows[0]?.request?.specialInstructions).toBe("Leave it with the café")
    expect(notes[1]).toBe("row 3 of orders.csv is a further item of the order above it")
  })
})

describe("a shop's orders in a workbook", () => {
  it("are not sent, and not joined, where the cell of a status or an item has no value", async () => {
    const headers = ["Name", "Financial Status", "Shipping Name", "Shipping Street", "Shipping City"]
    const lines = [
      headers,
      ["#1", "paid", "Lee Watson", "8 Market Street", "Fremantle"],
      ["#2", "", "Kim Doe", "9 Market Street", "Fremantle"],
      ["#2", "", "", "", ""],
    ]
    const broken = { rule: "formula-error", message: "shows #N/A", hint: "fix its formula" }
    async function* records() {
      for (const [at, cells] of lines.entries()) {
        const row = at + 1
        if (row === 3) yield { line: row, row, cells, unreadable: [{ ...broken, index: 1 }] }
        else if (row === 4) yield { line: row, row, cells, unreadable: [{ ...broken, index: 4 }] }
        else yield { line: row, row, cells }
      }
    }
    const source = { name: "orders.xlsx", async *chunks() {}, sheet: { records, merged: [], notes: [] } }
    const rows: BatchRow[] = []
    for await (const row of readRows(source, defaults())) rows.push(row)
    const [paid, failed, item] = rows
    expect(rows).toHaveLength(3)
    expect(said(paid)).not.toContain("Financial Status formula-error")
    expect(said(failed)).toContain("Financial Status formula-error")
    expect(said(item)).toEqual(expect.arrayContaining(["Name unique", "Shipping City formula-error"]))
  })
})
