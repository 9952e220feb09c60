import { readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import type {
  BookingResponse,
  ConsignmentBookingRequest,
  ShipmentDetailResponse,
} from "../../src/contract/generated/types.ts"
import type { Rates, Shipment } from "../../src/app/library.ts"
import { bookingDesk } from "./bookings.ts"
import { desk } from "./freight.ts"
import { fileSandbox } from "./own-sandbox.ts"

type Rate = Rates["items"][number]

const LANE = ["--from", "Alexandria NSW 2015", "--to", "Fremantle WA 6160", "--package", "2x40x30x20@5.5"]

const sandbox = await fileSandbox()

async function quoted(freight: Awaited<ReturnType<typeof desk>>["freight"], ...more: string[]) {
  const [rate] = (await freight(["rate-shop", ...LANE, "--json", ...more])).items<Rate>()
  if (!rate?.rateId) throw new Error("no rate")
  const { quoteId, connectorId, rateId, serviceCode } = rate
  return { quoteId, connectorId, rateId, serviceCode }
}

describe("rate-shop", () => {
  it("asks every connector and lists their rates as JSON", async () => {
    const { freight } = await desk(sandbox)
    const { code, json } = await freight(["rate-shop", ...LANE, "--json"])
    expect(code).toBe(0)
    const reply = json<Rates>()
    expect([...new Set(reply.items.map(({ carrier }) => carrier))].sort()).toEqual([
      "CARRIER_A_AU",
      "CARRIER_B_AU",
      "CARRIER_C_AU",
    ])
    expect(reply.failures).toEqual([])
  })

  it("sorts the table by price, with hidden services last", async () => {
    const { freight } = await desk(sandbox)
    const { stdout } = await freight([
      "rate-shop",
      ...LANE,
      "--format",
      "csv",
      "--fields",
      "price,visibility",
    ])
    const rows = stdout
      .trim()
      .split("\n")
      .slice(1)
      .map((line) => line.split(","))
    const shown = rows.filter(([, visibility]) => visibility !== "hidden").map(([price]) => Number(price))
    expect(shown.length).toBeGreaterThan(3)
    expect(shown).toEqual([...shown].sort((a, b) => a - b))
    expect(rows.at(-1)?.[1]).toBe("hidden")
  })

  it("--cheapest leaves one rate", async () => {
    const { freight } = await desk(sandbox)
    const reply = await freight(["rate-shop", ...LANE, "--cheapest", "--json"])
    expect(reply.items()).toHaveLength(1)
  })

  it("asks one connector with --connector", async () => {
    const { freight } = await desk(sandbox)
    const { connectorId } = await quoted(freight)
    const { items } = await freight(["rate-shop", ...LANE, "--connector", connectorId, "--json"])
    expect(new Set(items<Rate>().map((rate) => rate.connectorId))).toEqual(new Set([connectorId]))
  })
})

describe("book", () => {
  it("books a kept rate by its id alone, and the shipment can be listed, shown, labelled and tracked", async () => {
    const { freight, folder } = await bookingDesk(sandbox)
    const { rateId } = await quoted(freight)
    const args = ["book", "--file", "booking.json", "--rate", rateId]
    const booked = await freight([...args, "--wait", "--json"])
    expect(booked.stderr).not.toContain("error:")
    expect(booked.code).toBe(0)
    const booking = booked.json<BookingResponse>()
    expect(booking.consignmentNumber).toBeTruthy()

    const list = (await freight(["shipments", "list", "--json"])).items<Shipment>()
    expect(list.map(({ shipmentId }) => shipmentId)).toContain(booking.shipmentId)
    const { shipment } = (
      await freight(["shipments", "show", booking.shipmentId, "--json"])
    ).json<ShipmentDetailResponse>()
    expect(shipment.receiver?.suburb).toBe("Fremantle")

    const label = await freight(["label", booking.shipmentId, "-o", "label.pdf"])
    expect(label.code).toBe(0)
    expect((await readFile(path.join(folder, "label.pdf"))).subarray(0, 5).toString()).toBe("%PDF-")
    const piped = await freight(["label", booking.shipmentId, "-o", "-"])
    expect(piped.bytes.subarray(0, 5).toString()).toBe("%PDF-")

    const tracked = await freight(["track", booking.consignmentNumber ?? "", "--json"])
    expect(tracked.items<{ supported: boolean }>()[0]?.supported).toBe(true)
  })

  it("--dry-run prints the exact request and sends nothing", async () => {
    const { freight } = await bookingDesk(sandbox)
    const { rateId, quoteId, serviceCode } = await quoted(freight)
    const before = (await freight(["shipments", "list", "--json"])).json<{ total: number }>().total
    const { code, json } = await freight(["book", "--file", "booking.json", "--rate", rateId, "--dry-run"])
    expect(code).toBe(0)
    const request = json<ConsignmentBookingRequest>()
    expect(request).toMatchObject({ rateId, quoteId, serviceCode })
    expect(request.items).toEqual({
      count: 2,
      totalWeightKg: 11,
      maxLengthCm: 40,
      maxWidthCm: 30,
      maxHeightCm: 20,
    })
    expect((await freight(["shipments", "list", "--json"])).json<{ total: number }>().total).toBe(before)
  })

  it("tells every mistake of a file with its line and column, and sends nothing", async () => {
    const { freight, folder } = await desk(sandbox)
    const text = '{\n  "sender": { "companyName": "A" },\n  "packagingCode": "ZZ",\n  "recevier": {}\n}\n'
    await writeFile(path.join(folder, "bad.json"), text)
    const { code, stderr } = await freight(["book", "--file", "bad.json", "--json"])
    expect(code).toBe(2)
    const { error } = JSON.parse(stderr.trim().split("\n").at(-1) ?? "")
    expect(error.kind).toBe("input")
    const fields = error.errors.map((each: { field: string }) => each.field)
    expect(fields).toEqual(expect.arrayContaining(["sender.suburb", "packagingCode", "recevier", "receiver"]))
    expect(error.errors.find((each: { field: string }) => each.field === "packagingCode")).toMatchObject({
      line: 3,
    })
  })

  it("lists what is missing with the flags that give it", async () => {
    const { freight } = await desk(sandbox)
    const { code, stderr } = await freight(["book", "--set", "receiver.suburb=Fremantle"])
    expect(code).toBe(2)
    for (const flag of ["--package", "--packaging", "--ready", "--close", "--sender"])
      expect(stderr).toContain(flag)
  })
})

describe("keys", () => {
  it("exits 4 without a key, and names the sandbox", async () => {
    const { freight } = await desk()
    const { code, stderr } = await freight(["connectors"])
    expect([code, stderr]).toEqual([4, expect.stringContaining("--sandbox")])
  })

  it("exits 4 for a key the server does not know, without showing it", async () => {
    const { freight } = await desk(sandbox)
    const key = `fk_${"ab".repeat(32)}`
    const { code, stderr } = await freight(["connectors", "--verbose"], { env: { FREIGHT_API_KEY: key } })
    expect(code).toBe(4)
    expect(stderr).not.toContain(key)
  })
})
