/** A Shopify shop's exports of Monday and of Tuesday, when most of Monday's orders are fulfilled. */
import { readFileSync } from "node:fs"
import path from "node:path"
import { ROOT } from "./freight.ts"
import { csvOf, type Order } from "./orders.ts"

const FIXTURE = path.join(ROOT, "test/orders/batch/rows/files/shopify.csv")
const [HEADERS = ""] = readFileSync(FIXTURE, "utf8").split("\n", 1)
const EMPTY: Order = Object.fromEntries(HEADERS.split(",").map((header) => [header, ""]))

const PLACES = [
  ["Fremantle", "6160", "WA"],
  ["Melbourne", "3000", "VIC"],
  ["Brisbane", "4000", "QLD"],
  ["Darwin", "0800", "NT"],
  ["Alexandria", "2015", "NSW"],
] as const

/** Orders that are not to be shipped, three of each kind in 30. */
const NOT_SHIPPED: readonly Order[] = [
  { "Fulfillment Status": "fulfilled" },
  { "Financial Status": "refunded" },
  { "Financial Status": "voided" },
  { "Cancelled at": "2026-11-22 09:00:00 +1100" },
  { "Lineitem requires shipping": "false" },
  { "Shipping Method": "Local pickup" },
]

/** Damage by spreadsheets and customers: such an order cannot be booked until it is fixed. */
const DAMAGE: readonly Order[] = [
  { "Shipping City": "" },
  { "Shipping Zip": "61" },
  { "Shipping Zip": "#N/A" },
  {
    "Shipping Name": "",
    "Shipping Address1": "",
    "Shipping City": "",
    "Shipping Zip": "",
    "Shipping Province": "",
  },
]

interface ShopOrder {
  number: number
  isShipped: boolean
  row: Order
  damage: Order
}

function shopOrder(
  number: number,
  { damage = {}, notShipped }: { damage?: Order; notShipped?: Order | undefined },
): ShopOrder {
  const [city, zip, state] = PLACES[number % PLACES.length] ?? PLACES[0]
  const row = {
    ...EMPTY,
    ...{ Name: `#${number}`, Email: `customer-${number}@example.com`, "Financial Status": "paid" },
    ...{ "Fulfillment Status": "unfulfilled", Currency: "AUD", "Shipping Method": "Standard" },
    ...{ "Lineitem quantity": "1", "Lineitem name": "Pendant lamp", "Lineitem requires shipping": "true" },
    ...{ "Shipping Name": `Customer ${number}`, "Shipping Address1": `${number} Long Street` },
    ...{ "Shipping City": city, "Shipping Zip": zip, "Shipping Province": state, "Shipping Country": "AU" },
    ...notShipped,
  }
  return { number, isShipped: notShipped === undefined, row, damage }
}

function listOrders(from: number, count: number, damaged: number): ShopOrder[] {
  return Array.from({ length: count }, (_, n) => {
    const notShipped = n % 10 === 9 ? NOT_SHIPPED[Math.floor(n / 10) % NOT_SHIPPED.length] : undefined
    const isDamaged = n % 10 === 4 && Math.floor(n / 10) < damaged
    const damage = isDamaged ? DAMAGE[Math.floor(n / 10) % DAMAGE.length] : undefined
    return shopOrder(from + n, { ...(damage && { damage }), notShipped })
  })
}

const monday = listOrders(2001, 300, 20)
const added = listOrders(2301, 30, 0)

const names = (orders: readonly ShopOrder[]) => orders.map(({ row }) => row.Name ?? "")

/** 300 orders, of which 20 are damaged and 30 are not to be shipped. */
export const MONDAY = {
  shipped: names(monday.filter(({ isShipped }) => isShipped)),
  notShipped: names(monday.filter(({ isShipped }) => !isShipped)),
  damaged: names(monday.filter(({ damage }) => Object.keys(damage).length > 0)),
  csv: csvOf(monday.map(({ row, damage }) => ({ ...row, ...damage }))),
  /** The same, once a person has fixed what is damaged. */
  fixed: csvOf(monday.map(({ row }) => row)),
}

/** Changes to orders that were booked on Monday. */
const CHANGED: Readonly<Record<string, Order>> = {
  "#2112": { "Shipping Address1": "80 Short Lane" },
  "#2151": { "Shipping City": "Perth", "Shipping Zip": "6000", "Shipping Province": "WA" },
  "#2203": { "Financial Status": "refunded" },
}

/**
 * The last 270 orders of Monday as the shop has them now, and 30 that have come since. The shop knows nothing of what
 * was fixed in Monday's file.
 */
export const TUESDAY = {
  changed: Object.keys(CHANGED),
  shipped: names(added.filter(({ isShipped }) => isShipped)),
  notShipped: names(added.filter(({ isShipped }) => !isShipped)),
  csv: csvOf([
    ...monday.slice(30).map(({ row, damage, isShipped }) => ({
      ...row,
      ...damage,
      ...(isShipped && { "Fulfillment Status": "fulfilled" }),
      ...CHANGED[row.Name ?? ""],
    })),
    ...added.map(({ row }) => row),
  ]),
}
