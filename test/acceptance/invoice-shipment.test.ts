/** An invoice of what was shipped: filled in from the shipment and from what the ledger recorded of it. */
import { readdir, readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import type { InvoiceData } from "../../src/contract/generated/types.ts"
import { bookingDesk } from "./bookings.ts"
import { errorIn } from "./freight.ts"
import { fileSandbox } from "./own-sandbox.ts"

const PARTIES = [
  ...["--number", "INV-1", "--supplier-id", "S-1", "--supplier-name", "Harbour Lighting"],
  ...["--abn", "51824753556", "--bill-to", "Wattle Homes, 1 Harbour Street, Sydney NSW 2000"],
]
const LINES = ["--line", "2 x Lamp @ 19.99 EA", "--line", "1 x Handbook @ 30 tax 0"]

const sandbox = await fileSandbox()
let home: Awaited<ReturnType<typeof bookingDesk>>
let shipmentId: string
beforeAll(async () => {
  home = await bookingDesk(sandbox)
  const b = ["--connector", "connector-b", "--service", "GEN"]
  shipmentId = String((await home.book(...b, "--reference", "PO-1001")).json().shipmentId)
  await home.book(
    ...b,
    "--reference",
    "PO-1002",
    "--set",
    "receiver.suburb=Perth",
    "--set",
    "receiver.postcode=6000",
  )
  await home.book("--connector", "connector-a", "--service", "76", "--reference", "SO-3")
})

const make = (...args: string[]) => home.freight(["invoice", "new", ...PARTIES, ...LINES, ...args])
const dataOf = (ran: Awaited<ReturnType<typeof make>>) => {
  expect(ran.code, ran.stderr).toBe(0)
  return ran.json<{ data: InvoiceData }>().data
}
async function collectionOf(name: string) {
  const { json } = await home.freight(["shipments", "show", name, "--json"])
  return json<{ shipment: { collectionDateTime: string } }>().shipment.collectionDateTime
}

describe("freight invoice new --shipment", () => {
  it("fills in carrier, number, date, receiver, price and order, and validates", async () => {
    const file = "INV-1.json"
    const { code, stderr } = await home.binary([
      ...["invoice", "new", ...PARTIES, ...LINES, "--shipment", "PO-1001", "-o", file],
    ])
    expect([code, stderr]).toEqual([
      0,
      `PO-1001 is shipment ${shipmentId.slice(0, 8)}, SBB00000001.\nSaved as INV-1.json: freight invoice show INV-1.json\nIt does not say where to pay: --bsb and --account-number do, or a saved supplier.\n`,
    ])
    const checked = await home.freight(["invoice", "validate", "--draft", "--strict", file])
    expect([checked.code, checked.stdout]).toEqual([0, "INV-1.json: valid\n"])
    const { data } = JSON.parse(await readFile(path.join(home.folder, file), "utf8"))
    expect(data).toMatchObject({
      poNumber: "PO-1001",
      poReferences: [{ poNumber: "PO-1001" }],
      asnReference: { shipmentId },
      shipTo: {
        addressee: "Port Street Fittings",
        street1: expect.stringMatching(/^\d+ Market Street$/),
        city: "Fremantle",
        state: "WA",
        postalCode: "6160",
        country: "AU",
      },
      shipmentDetails: {
        carrier: "CARRIER_B_AU",
        trackingNumber: "SBB00000001",
        shippingDate: expect.stringMatching(`^${await collectionOf("PO-1001")}\\+1[01]:00$`),
      },
      shipping: { amount: 63.9, currency: "AUD" },
      invoiceSummary: {
        subtotal: 69.98,
        shippingAmount: 63.9,
        taxAmount: 10.39,
        grossAmount: 144.27,
        dueAmount: 144.27,
      },
    })
    expect((await home.freight(["invoice", "show", file])).stdout).toMatch(/Shipping +63\.90/)
  })

  it("takes any of its names, once", async () => {
    const names = [shipmentId, "SBB00000001", "ORD-B-000001", "PO-1001"].flatMap((name) => [
      "--shipment",
      name,
    ])
    expect(dataOf(await make(...names))).toMatchObject({
      asnReference: { shipmentId },
      shipmentDetails: { trackingNumber: "SBB00000001" },
      shipping: { amount: 63.9 },
    })
  })

  it("needs the order that is billed where the shipments have several", async () => {
    const { code, stderr } = await make("--shipment", "PO-1001", "--shipment", "PO-1002", "--ship-to", "none")
    expect([code, stderr]).toEqual([2, expect.stringContaining('--ship-to: "none" is not an address')])
    const lacking = await make("--shipment", "PO-1001", "--shipment", "PO-1002", "--json")
    expect(errorIn(lacking.stderr)).toMatchObject({
      kind: "usage",
      errors: [{ message: "--po: Purchase order that is billed" }],
    })
  })

  it("names an unknown shipment, and writes nothing", async () => {
    const { code, stderr } = await make("--shipment", "PO-1003", "-o", "none.json")
    expect([code, stderr]).toEqual([5, expect.stringContaining('there is no shipment "PO-1003"')])
    expect(await readdir(home.folder)).not.toContain("none.json")
  })

  it("asks the service nothing where a flag is wrong", async () => {
    const env = { FREIGHT_BASE_URL: "http://127.0.0.1:9" }
    const args = ["invoice", "new", ...PARTIES, "--line", "Lamp", "--shipment", shipmentId]
    const { code, stderr } = await home.freight(args, { env })
    expect([code, stderr]).toEqual([2, expect.stringContaining('--line: "Lamp" is not a line')])
  })

  it("takes the lines from a file, for one invoice", async () => {
    await writeFile(path.join(home.folder, "lines.csv"), "Description,Qty,Price\nLamp,2,19.99\n")
    const args = ["invoice", "new", ...PARTIES, "--lines-from", "lines.csv", "--shipment", "PO-1001"]
    expect(dataOf(await home.freight(args))).toMatchObject({
      poNumber: "PO-1001",
      lineItems: [{ description: "Lamp" }],
      shipping: { amount: 63.9 },
      invoiceSummary: { dueAmount: 114.27 },
    })
    const several = await home.freight([...args, "--per", "Description"])
    expect([several.code, several.stderr]).toEqual([
      2,
      expect.stringContaining("--per and --shipment contradict each other: choose one"),
    ])
  })

  it("goes where the shipment went, not where the customer's goods go otherwise", async () => {
    const add = ["party", "add", "wattle", "--bill-to", "1 Harbour Street, Sydney NSW 2000"]
    await home.freight([...add, "--ship-to", "9 Depot Road, Darwin NT 0800"])
    const args = ["--shipment", "PO-1001", "--customer", "wattle"]
    expect(dataOf(await make(...args)).shipTo).toMatchObject({ city: "Fremantle" })
  })
})
