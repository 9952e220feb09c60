import { describe, expect, it } from "vitest"
import { NEIGHBOURS, readBack } from "../../src/api/read-back.ts"
import type { Page } from "../../src/api/freight.ts"
import type { ShipmentSummary } from "../../src/contract/generated/types.ts"

const DAY_MS = 86_400_000
const NEWEST = Date.parse("2026-11-20T00:00:00Z")

/** A list of a shipment a day, the newest first, of which some have other dates; and the offsets that were asked for. */
function list(count: number, dates: Readonly<Record<number, string>>) {
  const offsets: number[] = []
  const all = Array.from(
    { length: count },
    (_, at): ShipmentSummary => ({
      id: `shp_${at}`,
      carrier: "CARRIER_A_AU",
      connectorName: "A",
      orderNumber: `ORD-${at}`,
      status: "CONSIGNED",
      serviceCode: "76",
      source: "API",
      createdAt: dates[at] ?? new Date(NEWEST - at * DAY_MS).toISOString(),
    }),
  )
  return {
    offsets,
    async listShipments({ limit = 50, offset = 0 }: Page = {}) {
      offsets.push(offset)
      return { total: count, limit, offset, shipments: all.slice(offset, offset + limit) }
    },
  }
}

async function read(api: ReturnType<typeof list>, days: number): Promise<number[]> {
  for await (const _ of readBack(api, () => NEWEST - days * DAY_MS));
  return api.offsets
}

const old = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [at, "1970-01-01"]))

describe("the list back to a time", () => {
  it("is read until as many neighbours are older", async () => {
    expect(await read(list(1000, {}), 100)).toEqual([0])
    expect(await read(list(1000, {}), 200 - NEIGHBOURS)).toEqual([0, 200])
    expect(await read(list(1000, {}), 300)).toEqual([0, 200])
  })

  it("is read on past dates that are too old, ahead or none", async () => {
    for (const date of ["1970-01-01", "2020-01-01T00:00:00Z", "2099-01-01", "yesterday"])
      expect(await read(list(1000, { 0: date, 7: date, 199: date }), 300)).toEqual([0, 200])
    expect(await read(list(1000, old(NEIGHBOURS - 1)), 300)).toEqual([0, 200])
    expect(await read(list(1000, old(NEIGHBOURS)), 300)).toEqual([0])
  })
})
