/** The file of each shop: what it says, and that freight's own reader of orders reads the same from it. */
import { Buffer } from "node:buffer"
import { readFileSync } from "node:fs"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { csvRecords } from "../../../src/input/sheets/csv.ts"
import { openSheet } from "../../../src/input/sheets/open.ts"
import { decodeText } from "../../../src/input/sheets/source.ts"
import { renderHead, renderOrder } from "../../../src/orders/dispatched/file.ts"
import { tellDispatched } from "../../../src/orders/dispatched/run.ts"
import {
  DISPATCH_SHOP_NAMES,
  type DispatchedOrder,
  type DispatchShopName,
  getDispatchShop,
} from "../../../src/orders/dispatched/shops.ts"

const PAGE = readFileSync(path.resolve(import.meta.dirname, "../../../docs/shops.md"), "utf8")

/** What programs that read tables like to change: zeros in front, signs, quotes, separators. */
const ORDERS: DispatchedOrder[] = [
  ["#1001", "StarTrack", "000123456789"],
  ["00123-4", 'Toll "Priority", Sydney', "SBA1"],
  ["=1+1", "Zeß; Kurier|Täglich", "12E4"],
].map(([order = "", carrier = "", number = ""], at) => ({
  ...{ order, carrier, number, service: "GEN", day: `2026-11-2${at}`, event: "sent" },
}))

/** Its rows as freight reads any table, by their headings. */
async function readBack(text: string): Promise<Record<string, string>[]> {
  const [head = "", delimiter] = [text.slice(0, text.indexOf("\n")), text.includes("\t") ? "\t" : ","]
  const headings = head.split(delimiter)
  const name = "tracking.csv"
  const source = await openSheet(
    {
      name,
      chunks: async function* () {
        yield Buffer.from(text)
      },
    },
    {},
  )
  const rows: Record<string, string>[] = []
  for await (const { row, cells } of csvRecords(name, decodeText(source), (cell) => headings.includes(cell)))
    if (row > 1) rows.push(Object.fromEntries(cells.map((cell, at) => [headings[at] ?? at, cell])))
  return rows
}

/** Where a file has them; Amazon has the names of carriers without a code in another column. */
const HEADINGS: Record<DispatchShopName, readonly [order: string, carrier: string, number: string]> = {
  woocommerce: ["order_id", "tracking_provider", "tracking_number"],
  ebay: ["Order ID", "Shipment Carrier", "Shipment Tracking"],
  amazon: ["order-id", "carrier-name", "tracking-number"],
  bigcommerce: ["Order ID", "Tracking Carrier", "Tracking Number"],
  neto: ["Order ID", "Shipping Service", "Tracking Number"],
  shopify: ["Name", "Fulfillment: Tracking Company", "Fulfillment: Tracking Number"],
  csv: ["order", "carrier", "number"],
}

describe.each(DISPATCH_SHOP_NAMES)("a file for %s", (name) => {
  const shop = getDispatchShop(name)
  const [order, carrier, number] = HEADINGS[name]

  it("is read back as its orders", async () => {
    const text = renderHead(shop) + ORDERS.map((each) => renderOrder(shop, each)).join("")
    const rows = await readBack(text)
    expect(rows.map((row) => [row[order], row[carrier], row[number]])).toEqual(
      ORDERS.map((each) => [each.order, each.carrier, each.number]),
    )
  })

  it("takes a number back, or says that it cannot", async () => {
    const text =
      renderHead(shop) + ORDERS.map((each) => renderOrder(shop, { ...each, event: "cancelled" })).join("")
    expect(await readBack(text)).toHaveLength(shop.canWithdraw ? ORDERS.length : 0)
  })

  it("says what was not checked, as the page does", async () => {
    const [line = ""] = PAGE.split("\n").filter((each) => each.startsWith(`| \`${name}\` |`))
    expect(line.split("|").at(-2)?.trim()).toBe(shop.unchecked ?? "")
    if (name !== "csv") expect(line).toContain(shop.source.split(" ")[0])
    const notes: string[] = []
    const session = { note: async (text: string) => void notes.push(text) }
    const done = { rows: [], waiting: [], earlier: [], from: "new", left: 0, isWritten: true } as const
    await tellDispatched(session as never, name, "a.csv", { ...done, rows: [], waiting: [], earlier: [] })
    expect(notes.filter((note) => note.startsWith("Not checked"))).toEqual(
      shop.unchecked
        ? [`Not checked: ${shop.unchecked}. Import a file with one order before the others.`]
        : [],
    )
  })
})

it("tells eBay's columns and Neto's as their pages have them", () => {
  expect(renderHead(getDispatchShop("ebay"))).toBe(
    "Order ID,Logistics Status,Shipment Carrier,Shipment Tracking\n",
  )
  const neto = getDispatchShop("neto")
  const [first] = ORDERS
  expect(renderHead(neto) + (first ? renderOrder(neto, first) : "")).toBe(
    "Order ID,Action,Custom Label/Code,Shipping Service,Tracking Number,Date Shipped\n" +
      "#1001,Ship,*,StarTrack,000123456789,2026-11-20\n",
  )
})
