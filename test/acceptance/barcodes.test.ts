/** The barcodes of items, which depots and bills quote: shown wherever a booking is, and names of it. */
import { readFile } from "node:fs/promises"
import path from "node:path"
import { parse } from "csv-parse/sync"
import { expect, it } from "vitest"
import { orderDesk } from "./batches.ts"
import { csvBill, saveBill } from "./bills.ts"
import { order } from "./orders.ts"
import { ownSandbox } from "./own-sandbox.ts"

it("the barcodes of items are in results, shipments show and evidence, and are names of the shipment", async () => {
  const sandbox = await ownSandbox()
  const { book, freight, folder } = await orderDesk([order("BC-1"), order("BC-2")], sandbox)
  expect((await book()).code).toBe(0)
  const rows: Record<string, string>[] = parse(await readFile(path.join(folder, "orders.results.csv")), {
    columns: true,
  })
  const [first] = rows
  const consignment = first?.["freight.consignment"] ?? ""
  const barcodes = [`${consignment}001`, `${consignment}002`]
  expect(first?.["freight.barcodes"]).toBe(barcodes.join(" "))

  const [barcode = ""] = barcodes
  const track = await freight(["track", barcode])
  expect([track.code, track.stdout.split(":")[0]]).toEqual([0, consignment])
  const shown = await freight(["shipments", "show", barcode])
  expect(shown.stdout).toMatch(new RegExp(`^Barcodes +${barcodes.join(" ")}$`, "m"))
  const json = await freight(["shipments", "show", barcode.toLowerCase(), "--json"])
  expect(json.json()).toMatchObject({ shipment: { consignmentNumber: consignment }, freight: { barcodes } })
  const evidence = await freight(["evidence", "BC-1"])
  expect(evidence.stdout).toMatch(new RegExp(`^Barcodes +${barcodes.join(" ")}$`, "m"))
  expect((await freight(["track", `${consignment}003`])).code).toBe(5)
})

it("a bill with a row for each item's barcode is audited by the consignment that they are of", async () => {
  const sandbox = await ownSandbox()
  const { book, freight, folder } = await orderDesk([order("BC-1"), order("BC-2")], sandbox)
  expect((await book()).code).toBe(0)
  const [booked] = (await freight(["history", "--kind", "shipment", "--json"])).items<{
    consignmentNumber: string
    shipmentId: string
    serviceCode: string
    price: number
    weightKg: number
  }>()
  const { consignmentNumber = "", price = 0, serviceCode = "", weightKg = 0 } = { ...booked }
  const cents = Math.round(price * 100)
  const rowOf = (item: string, charged: number) => ({
    ...{ consignment: `${consignmentNumber}${item}`, reference: "", service: serviceCode },
    ...{ weightKg: weightKg / 2, cents: charged },
  })
  const rows = [rowOf("001", 1000), rowOf("002", cents - 1000)]
  const bill = await saveBill(folder, "bill.csv", csvBill(rows))
  const audit = await freight(["audit", bill, "--offline", "--json", "--no-remember"])
  expect(audit.json()).toMatchObject({
    items: [
      {
        ...{ consignmentNumber, shipmentId: booked?.shipmentId, foundBy: "item barcode" },
        verdict: "agrees",
      },
    ],
  })
})
