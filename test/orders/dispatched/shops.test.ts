/** The file of each shop: what it says, and that freight's own reader of orders reads the same from it. */
import { Buffer } from "node:buffer"
import { readFileSync } from "node:fs"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { unmarkFormula } from "../../../src/base/safe-text.ts"
import { csvRecords } from "../../../src/input/sheets/csv.ts"
import { openSheet } from "../../../src/input/sheets/open.ts"
import { decodeText } from "../../../src/input/sheets/source.ts"
import { streamRowsToLookUp } from "../../../src/orders/batch/look-up.ts"
import type { BatchRow } from "../../../src/orders/batch/rows/row.ts"
import { joinFile, readItems, renderHead, renderOrder } from "../../../src/orders/dispatched/file.ts"
import { findOrderId } from "../../../src/orders/dispatched/orders.ts"
import { tellDispatched } from "../../../src/orders/dispatched/run.ts"
import {
  DISPATCH_SHOP_NAMES,
  type DispatchedOrder,
  type DispatchShopName,
  getDispatchShop,
  type Item,
  listItemColumns,
  listKeptHeadings,
  toItems,
} from "../../../src/orders/dispatched/shops.ts"

const PAGE = readFileSync(path.resolve(import.meta.dirname, "../../../docs/shops.md"), "utf8")

/** Values that programs often change when they read tables: leading zeros, signs, quotes, separators. */
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
  ebay: ["Order Number", "Shipping Carrier Used", "Tracking Number"],
  "ebay-mip": ["Order ID", "Shipment Carrier", "Shipment Tracking"],
  amazon: ["order-id", "carrier-name", "tracking-number"],
  bigcommerce: ["Order ID", "Tracking Carrier", "Tracking Number"],
  neto: ["Order ID", "Shipping Service", "Tracking Number"],
  shopify: ["Name", "Fulfillment: Tracking Company", "Fulfillment: Tracking Number"],
  csv: ["order", "carrier", "number"],
}

/**
 * The columns that each shop's import has, as they were read on 27 and 28 November 2026: in the order of the source where
 * that says so, and those that it cannot do without. Of Amazon, eBay and Shopify a part is from files of other sellers.
 */
const LISTS: Record<DispatchShopName, { has: readonly string[]; needs: readonly string[]; inOrder?: true }> =
  {
    woocommerce: {
      has: [
        ...["order_id", "tracking_number", "tracking_provider", "date_shipped", "status_shipped"],
        ...["sku", "qty"],
      ],
      needs: ["order_id", "tracking_number", "tracking_provider", "status_shipped"],
    },
    ebay: {
      has: [
        ...["Shipping Status", "Order Number", "Item Number", "Item Title", "Custom Label", "Transaction ID"],
        ...["Shipping Carrier Used", "Tracking Number"],
      ],
      needs: ["Order Number", "Item Number", "Transaction ID", "Shipping Carrier Used", "Tracking Number"],
      inOrder: true,
    },
    "ebay-mip": {
      has: ["Order ID", "Line Item ID", "Logistics Status", "Shipment Carrier", "Shipment Tracking"],
      needs: ["Order ID", "Logistics Status", "Shipment Carrier", "Shipment Tracking"],
      inOrder: true,
    },
    amazon: {
      has: [
        ...["order-id", "order-item-id", "quantity", "ship-date", "carrier-code", "carrier-name"],
        ...["tracking-number", "ship-method"],
      ],
      needs: ["order-id", "ship-date", "carrier-code"],
      inOrder: true,
    },
    bigcommerce: {
      has: [
        ...["Mode", "ID", "Order ID", "Customer ID", "Order Address ID", "Date Created", "Tracking Number"],
        ...["Tracking Link", "Merchant Shipping Cost", "Shipping Method", "Shipping Provider"],
        ...["Tracking Carrier", "Comments", "Shipping Provider Display Name"],
      ],
      needs: ["Order ID", "Order Address ID"],
      inOrder: true,
    },
    neto: {
      has: [
        ...["Order ID", "Action", "Custom Label/Code", "Shipping Service", "Tracking Number", "Date Shipped"],
      ],
      needs: ["Order ID", "Action", "Custom Label/Code", "Shipping Service", "Tracking Number"],
    },
    shopify: {
      has: [
        ...["Name", "Command", "Line: Type", "Fulfillment: Status", "Fulfillment: Tracking Company"],
        ...["Fulfillment: Tracking Number", "Fulfillment: Send Receipt"],
      ],
      needs: ["Name", "Command", "Line: Type", "Fulfillment: Status", "Fulfillment: Tracking Number"],
    },
    csv: {
      has: ["order", "carrier", "service", "number", "day", "event"],
      needs: ["order", "number", "event"],
      inOrder: true,
    },
  }

/** Items with all that an import may ask for. */
const ITEMS: readonly Item[] = ["1", "02"].map((n) => ({
  ...{ "order-item-id": `0583563777345${n}`, quantity: n },
  ...{ "Item Number": `1765100${n}`, "Transaction ID": `10056100${n}`, "Order Address ID": "7" },
}))

describe.each(DISPATCH_SHOP_NAMES)("a file for %s", (name) => {
  const shop = getDispatchShop(name)
  const [order, carrier, number] = HEADINGS[name]

  it("is read back as its orders", async () => {
    const text = renderHead(shop) + ORDERS.map((each) => renderOrder(shop, each, undefined)).join("")
    const rows = await readBack(text)
    expect(
      rows.map((row) => [order, carrier, number].map((heading) => unmarkFormula(row[heading] ?? ""))),
    ).toEqual(ORDERS.map((each) => [each.order, each.carrier, each.number]))
  })

  it("has the columns of the shop's list, with all that it needs", async () => {
    const { has, needs, inOrder } = LISTS[name]
    const headings = shop.columns.map(([heading]) => heading)
    expect(headings).toEqual(inOrder ? has.filter((each) => headings.includes(each)) : headings)
    expect(headings.filter((each) => !has.includes(each))).toEqual([])
    const text = renderHead(shop) + ORDERS.map((each) => renderOrder(shop, each, ITEMS)).join("")
    for (const row of await readBack(text))
      for (const heading of needs) expect(row[heading], heading).not.toBe("")
    await expect(text).toMatchFileSnapshot(`./files/${name}.txt`)
  })

  it("keeps the items of an order that waits", async () => {
    const [first] = ORDERS
    if (!first) return
    const waiting: DispatchedOrder = { ...first, number: "", event: "waiting" }
    expect(renderOrder(shop, waiting, undefined)).toBe("")
    const row = { head: renderHead(shop), body: renderOrder(shop, waiting, ITEMS) }
    const columns = listItemColumns(shop)
    const items = toItems(
      columns.map(([heading]) => [heading, [heading]]),
      ITEMS,
    )
    const kept = await readItems(shop, row)
    // One address has one line.
    expect(kept).toEqual(name === "bigcommerce" ? items?.slice(0, 1) : items)
    const again = renderOrder(shop, first, kept)
    expect(again).toBe(renderOrder(shop, first, items))
    if (columns.length === 0) expect(again).toBe(renderOrder(shop, first, undefined))
  })

  it("marks what a spreadsheet would run", () => {
    const [first] = ORDERS
    const body = renderOrder(shop, { ...(first as DispatchedOrder), number: "=1+1" }, undefined)
    expect(body).toContain("'=1+1")
  })

  it("takes a number back, or says that it cannot", async () => {
    const text =
      renderHead(shop) +
      ORDERS.map((each) => renderOrder(shop, { ...each, event: "cancelled" }, undefined)).join("")
    expect(await readBack(text)).toHaveLength(shop.canWithdraw ? ORDERS.length : 0)
  })

  it("says what was not checked, as the page does", async () => {
    const [line = ""] = PAGE.split("\n").filter((each) => each.startsWith(`| \`${name}\` |`))
    expect(line.split("|").at(-2)?.trim()).toBe(shop.unchecked ?? "")
    if (name !== "csv") expect(line).toContain(shop.source.split(" ")[0])
    const notes: string[] = []
    const session = { note: async (text: string) => void notes.push(text) }
    const done = {
      rows: [],
      waiting: [],
      earlier: [],
      from: "new",
      left: 0,
      isWritten: true,
      unnamed: 0,
    } as const
    await tellDispatched(session as never, name, "a.csv", { ...done, rows: [], waiting: [], earlier: [] })
    expect(notes.filter((note) => note.startsWith("Not checked"))).toEqual(
      shop.unchecked
        ? [`Not checked: ${shop.unchecked}. Import a file with one order before the others.`]
        : [],
    )
  })
})

/** Exports of shops, and what their import wants of them. */
const EXPORTS: Partial<Record<DispatchShopName, { text: string; lines: string[] }>> = {
  amazon: {
    text: [
      "order-id\torder-item-id\tpurchase-date\tbuyer-name\tsku\tquantity-purchased\tquantity-to-ship\tship-address-1\tship-city\tship-state\tship-postal-code\tship-country",
      "250-1111111-1111111\t05835637773450\t2026-11-24\tAlex\tLAMP-1\t2\t2\t1 Test Street\tFREMANTLE\tWA\t6160\tAU",
      "250-1111111-1111111\t05835637773451\t2026-11-24\tAlex\tSHADE\t1\t1\t1 Test Street\tFREMANTLE\tWA\t6160\tAU",
      // Refunded before it was sent.
      "250-1111111-1111111\t05835637773452\t2026-11-24\tAlex\tBULB\t1\t0\t1 Test Street\tFREMANTLE\tWA\t6160\tAU",
      "250-2222222-2222222\t05835637773453\t2026-11-24\tSam\tLAMP-1\t1\t1\t2 Test Street\tPARRAMATTA\tNSW\t2150\tAU",
    ].join("\n"),
    lines: [
      "250-1111111-1111111 05835637773450 2",
      "250-1111111-1111111 05835637773451 1",
      "250-2222222-2222222 05835637773453 1",
    ],
  },
  ebay: {
    text: [
      "Sales Record Number,Order Number,Buyer Username,Ship To Name,Ship To Address 1,Ship To City,Ship To State,Ship To Zip,Ship To Country,Item Number,Item Title,Quantity,Paid On Date,Transaction ID",
      "1001,12-10001-20001,buyer_1,Nia New,71 Test Street,Fremantle,WA,6160,Australia,17651001,Lamp,1,24-Nov-26,1005610010012",
      "1005,12-10005-20005,buyer_5,Two Items,71 Test Street,Fremantle,WA,6160,Australia,17651001,Lamp,1,24-Nov-26,1005610010013",
      "1005,12-10005-20005,buyer_5,Two Items,71 Test Street,Fremantle,WA,6160,Australia,17651002,Shade,1,24-Nov-26,0",
    ].join("\n"),
    lines: [
      "12-10001-20001 17651001 1005610010012",
      "12-10005-20005 17651001 1005610010013",
      "12-10005-20005 17651002 0",
    ],
  },
  bigcommerce: {
    text: [
      "Order ID,Address ID,Order Status,Order Total (inc tax),Shipping Name,Shipping Street 1,Shipping Suburb,Shipping State,Shipping Zip,Shipping Country",
      "2001,41,Awaiting Fulfillment,28.94,Alex Example,1 Test Street,Fremantle,Western Australia,6160,Australia",
      "2002,42,Awaiting Fulfillment,28.94,Sam Sample,2 Test Street,Parramatta,New South Wales,2150,Australia",
    ].join("\n"),
    lines: ["2001 41", "2002 42"],
  },
}

/** The lines of a shop's import, each with its order and the values that name its items. */
async function importFrom(shopName: DispatchShopName, text: string): Promise<string[]> {
  const shop = getDispatchShop(shopName)
  const source = {
    name: "orders.csv",
    chunks: async function* () {
      yield Buffer.from(text)
    },
  }
  const found = streamRowsToLookUp(
    {
      ...{ config: {} as never, signal: new AbortController().signal },
      clock: { now: () => Date.parse("2026-11-24T00:00:00Z") },
    },
    ...([source, [], {}, listKeptHeadings(shopName)] as const),
  )
  const head = renderHead(shop)
  const rows: BatchRow[] = []
  for await (const row of found) rows.push(row)
  const bodies = rows.map((row, position) => {
    const [sample] = ORDERS
    if (!sample) throw new Error("no order")
    const order = { ...sample, order: findOrderId(row, shopName), number: `SBA${position}` }
    const body = renderOrder(shop, order, toItems(listItemColumns(shop), row.kept ?? []))
    return { head, body, event: "sent", position }
  })
  const file = await readBack(joinFile(bodies as never))
  const wanted = [HEADINGS[shopName][0], ...listItemColumns(shop).map(([heading]) => heading)]
  return file.map((row) => wanted.map((heading) => row[heading]).join(" "))
}

it.each(
  Object.entries(EXPORTS),
)("what %s calls an order's items goes from its export into its import", async (name, { text, lines }) => {
  expect(await importFrom(name as DispatchShopName, text)).toEqual(lines)
})

it("tells of a whole order where a spreadsheet has taken the digits from an item, or one is missing", async () => {
  const text = EXPORTS.amazon?.text ?? ""
  const whole = ["250-1111111-1111111  ", "250-2222222-2222222 05835637773453 1"]
  expect(await importFrom("amazon", text.replace("05835637773451", "5.83564E+12"))).toEqual(whole)
  expect(await importFrom("amazon", text.replace("05835637773451", ""))).toEqual(whole)
})
