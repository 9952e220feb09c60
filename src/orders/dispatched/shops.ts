/**
 * The import files of tracking numbers that shops take, one entry each. Their exports are in
 * `src/orders/batch/columns/shops.ts`. Sources were read as stored copies on 27 and 28 November 2026; no file was imported
 * yet.
 */
import type { DispatchEvent } from "./records.ts"
import type { KeptCells } from "../batch/rows/written-row.ts"

export interface DispatchedOrder {
  /** As the shop's export had it. */
  order: string
  carrier: string
  service: string
  number: string
  /** The day of collection, `yyyy-mm-dd`. */
  day: string
  event: DispatchEvent
}

type Cell = (order: DispatchedOrder, shop: DispatchShop) => string

/** Names an item to the import: texts by their headings there. */
export type Item = Readonly<Record<string, string>>

export interface DispatchShop {
  title: string
  /** The shop's name on the reading side; absent if that has no such shop. */
  exportName?: string
  /** Headings of the export that name the order for the import, the surest first; otherwise its reference does. */
  orderHeadings: readonly string[]
  /** A cell, or the headings of the export from which it is taken for each item, the surest first. */
  columns: readonly (readonly [heading: string, cell: Cell | readonly string[]])[]
  /** A comma where there is none. */
  delimiter?: string
  /** Carriers that the import has a code for; others are named in another column. */
  carrierCodes?: readonly string[]
  /** The import can say that a shipment was cancelled. */
  canWithdraw?: true
  /** Whether carriers have to be named as the shop's customers know them. */
  needsCarrierName: boolean
  source: string
  /** Points that the source leaves open: import a single order first. */
  unchecked?: string
  how: string
  /** The effect on orders whose items no export has named. */
  withoutItems?: string
}

const order: Cell = (each) => each.order
const carrier: Cell = (each) => each.carrier
const service: Cell = (each) => each.service
const event: Cell = (each) => each.event
const day: Cell = (each) => each.day
const dayFirst: Cell = (each) => each.day.split("-").reverse().join("-")
const number: Cell = (each) => each.number
const always =
  (text: string): Cell =>
  () =>
    text
const hasCode = (each: DispatchedOrder, { carrierCodes = [] }: DispatchShop) =>
  carrierCodes.find((code) => code.toLowerCase() === each.carrier.toLowerCase())

export const DISPATCH_SHOPS = {
  woocommerce: {
    title: "WooCommerce",
    exportName: "WooCommerce",
    orderHeadings: ["Order id", "ID"],
    columns: [
      ["order_id", order],
      ["tracking_provider", carrier],
      ["tracking_number", number],
      ["date_shipped", dayFirst],
      // 1: the order is complete, and its customer is told.
      ["status_shipped", always("1")],
    ],
    needsCarrierName: true,
    source: "https://docs.zorem.com/docs/ast-pro/add-tracking-to-orders/csv-import/",
    how: "Import it with Advanced Shipment Tracking: CSV Import, dates DD-MM-YYYY, replacing what is there.",
  },
  ebay: {
    title: "eBay",
    exportName: "eBay",
    orderHeadings: ["Order number"],
    columns: [
      ["Shipping Status", always("Shipped")],
      ["Order Number", order],
      ["Item Number", ["Item number"]],
      ["Item Title", always("")],
      ["Custom Label", always("")],
      ["Transaction ID", ["Transaction ID"]],
      ["Shipping Carrier Used", carrier],
      ["Tracking Number", number],
    ],
    needsCarrierName: true,
    source: "https://pages.ebay.com/sh/reports/help/uploadable-file-feeds",
    unchecked: "the page has no list of columns, and these are headings of other sellers' files",
    how: "Upload it in Seller Hub, Reports, as order tracking and shipping info.",
    withoutItems: "fill it in before you upload the file",
  },
  "ebay-mip": {
    title: "eBay's Merchant Integration Platform",
    orderHeadings: ["Order ID", "Order number"],
    columns: [
      ["Order ID", order],
      // An empty item means the whole order.
      ["Line Item ID", always("")],
      ["Logistics Status", always("SHIPPED")],
      ["Shipment Carrier", carrier],
      ["Shipment Tracking", number],
    ],
    needsCarrierName: true,
    source:
      "https://eclipseplugin.codebase.ebay.com/api-docs/user-guides/static/mip-user-guide/mip-definitions-order-fulfillment-feed.html",
    how: "Upload it as an order fulfillment feed.",
  },
  amazon: {
    title: "Amazon",
    exportName: "Amazon",
    orderHeadings: ["order-id"],
    columns: [
      ["order-id", order],
      // Without an item, the whole order is confirmed.
      ["order-item-id", ["order-item-id"]],
      ["quantity", ["quantity-to-ship", "quantity-purchased"]],
      ["ship-date", day],
      ["carrier-code", (each, shop) => hasCode(each, shop) ?? "Other"],
      ["carrier-name", (each, shop) => (hasCode(each, shop) ? "" : each.carrier)],
      // NULL deletes what was uploaded before.
      ["tracking-number", (each) => (each.event === "cancelled" ? "NULL" : each.number)],
      ["ship-method", service],
    ],
    delimiter: "\t",
    carrierCodes: [
      ...["Australia Post-Consignment", "Australia Post-ArticleId", "4PX", "Aramex", "Couriers Please"],
      ...["China Post", "DHL", "EUB", "Fastway", "FedEx", "India Post", "Sendle", "SF Express", "TNT", "UPS"],
      ...["USPS", "YANWEN", "Yun Express"],
    ],
    canWithdraw: true,
    needsCarrierName: true,
    source:
      "https://sellercentral.amazon.com.au/gp/help/external/641?language=en_AU (NULL: help.html?itemID=201576520)",
    unchecked:
      "tracking-number and ship-method are headings of other sellers' files, and NULL is on Amazon.com's page",
    how: "Upload it as a shipping confirmation: Upload Order Related Files.",
    withoutItems: "the whole order is confirmed",
  },
  bigcommerce: {
    title: "BigCommerce",
    exportName: "BigCommerce",
    orderHeadings: ["Order id"],
    columns: [
      ["Order ID", order],
      ["Order Address ID", ["Order Address ID", "Address ID"]],
      ["Tracking Number", number],
      ["Shipping Method", service],
      ["Tracking Carrier", carrier],
      ["Comments", always("")],
    ],
    needsCarrierName: true,
    source: "https://docs.shift.hypaapps.com/docs/guides/order-shipments/template",
    how: "Import it as order shipments with Shift.",
    withoutItems: "fill it in from Address ID on the sheet Shipping Addresses of Shift's Orders export",
  },
  neto: {
    title: "Neto (Maropost)",
    exportName: "Neto",
    orderHeadings: ["Order id"],
    columns: [
      ["Order ID", order],
      ["Action", always("Ship")],
      // All products of the order.
      ["Custom Label/Code", always("*")],
      ["Shipping Service", carrier],
      ["Tracking Number", number],
      ["Date Shipped", day],
    ],
    needsCarrierName: true,
    source: "https://galaxy.maropost.com/s/article/order-tracking-status-import-wizard",
    unchecked: "the copy of the page says Ship and Dispatched of the same action",
    how: "Import it as Order Shipping Tracking / Status Update; carrierNames has to name Neto's shipping services.",
  },
  shopify: {
    title: "Shopify",
    exportName: "Shopify",
    orderHeadings: ["Name"],
    columns: [
      ["Name", order],
      ["Command", always("UPDATE")],
      ["Line: Type", always("Fulfillment Line")],
      ["Fulfillment: Status", always("success")],
      ["Fulfillment: Tracking Company", carrier],
      ["Fulfillment: Tracking Number", number],
    ],
    needsCarrierName: true,
    source: "https://matrixify.app/documentation/orders/",
    unchecked: "Line: Type and the Fulfillment columns are headings of other users' files",
    how: "Shopify has no import of its own: Matrixify takes it, in a file whose name has the word Orders.",
  },
  csv: {
    title: "your own program",
    orderHeadings: [],
    columns: [
      ["order", order],
      ["carrier", carrier],
      ["service", service],
      ["number", number],
      ["day", day],
      ["event", event],
    ],
    canWithdraw: true,
    needsCarrierName: false,
    source: "freight's own",
    how: "event is sent, changed, cancelled or again.",
  },
} as const satisfies Record<string, DispatchShop>

export type DispatchShopName = keyof typeof DISPATCH_SHOPS

export const DISPATCH_SHOP_NAMES = Object.keys(DISPATCH_SHOPS) as readonly DispatchShopName[]

export function getDispatchShop(name: DispatchShopName): DispatchShop {
  return DISPATCH_SHOPS[name]
}

/** A column of the import, and the columns that it is taken from, the surest first. */
export type ItemColumn = readonly [heading: string, from: readonly string[]]

export function listItemColumns({ columns }: DispatchShop): ItemColumn[] {
  return columns.flatMap(([heading, cell]) => (typeof cell === "function" ? [] : [[heading, cell] as const]))
}

/** Headings of exports whose cells are kept of each item: of a shop, or of all. */
export function listKeptHeadings(name?: DispatchShopName): readonly string[] {
  const names = name === undefined ? DISPATCH_SHOP_NAMES : [name]
  return names.flatMap((each) => listItemColumns(getDispatchShop(each)).flatMap(([, from]) => from))
}

/**
 * Names items to an import, by the cells of each.
 * @returns undefined if there are none, or a cell of one is missing: then the whole order is reported
 */
export function toItems(
  columns: readonly ItemColumn[],
  lines: readonly KeptCells[],
): readonly Item[] | undefined {
  const items: Item[] = []
  for (const cells of lines) {
    const item: Record<string, string> = {}
    for (const [heading, from] of columns) {
      const text = from.map((each) => cells[each] ?? "").find((each) => each !== "")
      if (text !== undefined) item[heading] = text
    }
    const found = Object.keys(item).length
    if (found > 0 && found < columns.length) return undefined
    if (found > 0) items.push(item)
  }
  return items.length > 0 ? items : undefined
}

/** The shop that an export comes from, by its name on the reading side. */
export function findDispatchShop(exportName: string | undefined): DispatchShopName {
  const isOf = (name: DispatchShopName) => getDispatchShop(name).exportName === exportName
  return (exportName === undefined ? undefined : DISPATCH_SHOP_NAMES.find(isOf)) ?? "csv"
}
