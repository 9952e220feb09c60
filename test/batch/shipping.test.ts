/** What shops say of an order, and whether it is to be shipped. */
import { readFile } from "node:fs/promises"
import path from "node:path"
import { parse } from "csv-parse/sync"
import { stringify } from "csv-stringify/sync"
import { describe, expect, it } from "vitest"
import type { BatchRow } from "../../src/batch/rows/row.ts"
import { decideShipping, describeHeld, plainStatus, type ShippingChoices } from "../../src/batch/shipping.ts"
import { rowsOf } from "./batches.ts"

type Cells = Readonly<Record<string, string>>

/** The orders of a shop's export, some cells of the first order's lines changed. */
async function read(name: string, ...lines: Cells[]): Promise<BatchRow[]> {
  const text = await readFile(path.join(import.meta.dirname, "rows/files", name), "utf8")
  const [head = [], ...records] = parse(text) as string[][]
  const changed = records.map((record, at) =>
    record.map((cell, column) => lines[at]?.[head[column] ?? ""] ?? cell),
  )
  return rowsOf(stringify([head, ...changed]))
}

/** What becomes of the first order: `ship`, or why it is held. */
async function decided(name: string, lines: Cells[], choices: ShippingChoices = {}): Promise<string> {
  const [row] = await read(name, ...lines)
  const held = decideShipping(row?.statuses ?? [], choices)
  return held ? `${held.means} ${held.status}` : "ship"
}

describe("an order of Shopify", () => {
  it.each([
    ["paid", "ship"],
    ["pending", "waits pending"],
    ["authorized", "waits authorized"],
    ["partially_paid", "waits partially-paid"],
    ["overdue", "waits overdue"],
    ["expired", "waits expired"],
    ["refunded", "leftOut refunded"],
    ["voided", "leftOut voided"],
    ["partially_refunded", "partly partially-refunded"],
    ["", "ship"],
    ["Refunded", "leftOut refunded"],
    ["charged back", "unknown charged-back"],
  ])("with the financial status '%s': %s", async (status, expected) => {
    expect(await decided("shopify.csv", [{ "Financial Status": status }])).toBe(expected)
  })

  it.each([
    ["unfulfilled", "ship"],
    ["", "ship"],
    ["fulfilled", "leftOut fulfilled"],
    ["restocked", "leftOut restocked"],
    ["not required", "leftOut not-required"],
    ["partial", "partly partial"],
    ["partially_fulfilled", "partly partially-fulfilled"],
    ["on_hold", "unknown on-hold"],
    ["scheduled", "unknown scheduled"],
    ["in_progress", "unknown in-progress"],
  ])("with the fulfillment status '%s': %s", async (status, expected) => {
    expect(await decided("shopify.csv", [{ "Fulfillment Status": status }])).toBe(expected)
  })

  it.each([
    [["false", "false"], "leftOut no-shipping"],
    [["FALSE", "FALSE"], "leftOut no-shipping"],
    [["true", "false"], "ship"],
    [["false", "true"], "ship"],
    [["false", ""], "ship"],
  ])("whose lines require shipping: %j, is: %s", async (lines, expected) => {
    const cells = lines.map((text) => ({ "Lineitem requires shipping": text }))
    expect(await decided("shopify.csv", cells)).toBe(expected)
  })

  it.each([
    ["Pickup from Alexandria", "leftOut pickup"],
    ["Local Pickup", "leftOut pickup"],
    ["In-store pick-up", "leftOut pickup"],
    ["Click & Collect", "leftOut pickup"],
    ["Collect in store", "leftOut pickup"],
    ["Standard", "ship"],
    ["Parcel locker or pickup point", "ship"],
    ["Courier pickup and delivery", "ship"],
    ["", "ship"],
  ])("by the shipping method '%s': %s", async (method, expected) => {
    expect(await decided("shopify.csv", [{ "Shipping Method": method }])).toBe(expected)
  })

  it("that was cancelled is left out", async () => {
    const cancelled = [{ "Cancelled at": "2026-11-22 09:00:00 +1100" }]
    expect(await decided("shopify.csv", cancelled)).toBe("leftOut cancelled")
  })

  it("keeps its status on the first line where the others have none, and joins them", async () => {
    const rows = await read("shopify.csv", { "Financial Status": "pending" })
    expect(rows.map(({ reference }) => reference)).toEqual(["#1001", "#1002", "#1003", "#1004"])
    expect(rows.map(({ statuses = [] }) => decideShipping(statuses, {})?.status)).toEqual([
      "pending",
      undefined,
      undefined,
      undefined,
    ])
  })
})

describe("an order of WooCommerce", () => {
  const STATUSES = [
    ["processing", "ship"],
    ["Pending payment", "waits pending"],
    ["pending", "waits pending"],
    ["On hold", "waits on-hold"],
    ["wc-on-hold", "waits on-hold"],
    ["completed", "leftOut completed"],
    ["Cancelled", "leftOut cancelled"],
    ["canceled", "leftOut cancelled"],
    ["refunded", "leftOut refunded"],
    ["failed", "leftOut failed"],
    ["trash", "leftOut trash"],
    ["checkout-draft", "leftOut checkout-draft"],
    ["Awaiting shipment", "unknown awaiting-shipment"],
    ["packed", "unknown packed"],
    ["", "ship"],
  ] as const

  it.each(STATUSES)("with the order status '%s': %s", async (status, expected) => {
    expect(await decided("woocommerce.csv", [{ "Order Status": status }, { "Order Status": status }])).toBe(
      expected,
    )
    expect(await decided("woocommerce-database.csv", [{ status }])).toBe(expected)
  })

  it("whose lines have two statuses is told by the worse", async () => {
    const lines = [{ "Order Status": "Processing" }, { "Order Status": "Refunded" }]
    expect(await decided("woocommerce.csv", lines)).toBe("leftOut refunded")
  })

  it("that is fetched is left out", async () => {
    const pickup = "Local pickup"
    expect(await decided("woocommerce.csv", [{ "Shipping Method Title": pickup }])).toBe("leftOut pickup")
    expect(await decided("woocommerce-database.csv", [{ shipping_method: pickup }])).toBe("leftOut pickup")
  })

  it.each([
    ["0", "ship"],
    ["0.00", "ship"],
    ["", "ship"],
    ["20.00", "partly partially-refunded"],
  ])("of which %s was refunded: %s", async (amount, expected) => {
    expect(await decided("woocommerce.csv", [{ "Order Refund Amount": amount }])).toBe(expected)
  })
})

describe("a person's choice", () => {
  const FULFILLED = { "Fulfillment Status": "fulfilled" }

  it.each([
    [{ include: ["fulfilled"] }, "ship"],
    [{ include: ["refunded"] }, "leftOut fulfilled"],
    [{ include: ["fulfilled"], leaveOut: ["fulfilled"] }, "leftOut fulfilled"],
    [{ leaveOut: ["standard"] }, "leftOut fulfilled"],
  ])("%j of a fulfilled order: %s", async (choices, expected) => {
    expect(await decided("shopify.csv", [FULFILLED], choices)).toBe(expected)
  })

  it("of one reason leaves the other", async () => {
    const both = [{ ...FULFILLED, "Financial Status": "refunded" }]
    expect(await decided("shopify.csv", both, { include: ["fulfilled"] })).toBe("leftOut refunded")
    expect(await decided("shopify.csv", both, { include: ["refunded", "fulfilled"] })).toBe("ship")
  })

  it("names what would be shipped, such as the shop's own way to fetch it", async () => {
    const showroom = [{ "Shipping Method": "Alexandria Showroom" }]
    expect(await decided("shopify.csv", showroom)).toBe("ship")
    expect(await decided("shopify.csv", showroom, { leaveOut: ["alexandria-showroom"] })).toBe(
      "leftOut alexandria-showroom",
    )
  })

  it("comes after --map, which ignores a column", async () => {
    const text = await readFile(path.join(import.meta.dirname, "rows/files/shopify.csv"), "utf8")
    const rows = await rowsOf(text.replaceAll("unfulfilled", "fulfilled"), { map: ["Fulfillment Status="] })
    expect(rows.flatMap(({ statuses = [] }) => decideShipping(statuses, {}) ?? [])).toEqual([])
  })
})

describe("rows of JSON", () => {
  const ROW = { reference: "SO-1", "Shipping city": "Fremantle", "Shipping postcode": "6160" }

  it.each([
    "refunded",
    "processing",
  ])("with a shop's names and the status %s are read alike", async (status) => {
    const notes: string[] = []
    const [row] = await rowsOf(JSON.stringify([{ ...ROW, "Order status": status }]), {
      tell: async (note) => void notes.push(note),
    })
    expect(decideShipping(row?.statuses ?? [], {})?.status).toBe(status === "refunded" ? status : undefined)
    expect(notes).toEqual([])
  })
})

describe("a file that no shop wrote", () => {
  it("says what Shopify's own columns say in it", async () => {
    const [row] = await rowsOf("Order,Suburb,Fulfillment Status\nSO-1,Perth,fulfilled\n")
    expect(decideShipping(row?.statuses ?? [], {})?.status).toBe("fulfilled")
  })

  it("says nothing about shipping by other columns", async () => {
    const [row] = await rowsOf("Order,Suburb,Order status\nSO-1,Perth,refunded\n")
    expect(row?.statuses).toBeUndefined()
  })
})

describe("a status", () => {
  it.each([
    ["wc-on-hold", "on-hold"],
    ["On hold", "on-hold"],
    [" partially_refunded ", "partially-refunded"],
    ["Versandt / Zürich", "versandt-zürich"],
    ["?", "?"],
    ["\u001b[2Jpacked", "2jpacked"],
  ])("%j is written %j", (text, expected) => {
    expect(plainStatus(text)).toBe(expected)
  })

  it.each([
    [{ means: "leftOut", status: "refunded" }, "the shop says refunded (Status)"],
    [
      { means: "waits", status: "pending" },
      "the shop says pending (Status): it waits until that changes, or for --include pending",
    ],
    [
      { means: "partly", status: "partial" },
      "the shop says partial (Status), but not which items are left to ship: --include partial books it whole, --leave-out partial leaves it out",
    ],
    [
      { means: "unknown", status: "packed" },
      "the shop says packed (Status), which freight does not know: --include packed books it, --leave-out packed leaves it out",
    ],
  ] as const)("%j is told with what to do", (held, text) => {
    expect(describeHeld({ ...held, column: "Status" })).toBe(text)
  })
})
