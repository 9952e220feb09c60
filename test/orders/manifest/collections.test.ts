import { describe, expect, it } from "vitest"
import type { Page } from "../../../src/api/freight.ts"
import { parseDate } from "../../../src/base/wall-clock.ts"
import { FreightError } from "../../../src/base/errors.ts"
import type { Carrier } from "../../../src/contract/generated/types.ts"
import {
  findCollections,
  groupByHandover,
  type ManifestShipment,
  sumShipments,
} from "../../../src/orders/manifest/collections.ts"
import { failure } from "../../api/setup.ts"
import { shipment, shipments } from "./samples.ts"

/** Friday 20 November 2026, 23:30 in Perth: Saturday 02:30 in Sydney. */
const NOW = Date.parse("2026-11-20T15:30:00Z")

interface Asked {
  date?: string
  carrier?: Carrier
  connectorName?: string
  bookedWithinDays?: number
}

/** Asks a service that has these, newest first. */
async function collected(
  booked: readonly ManifestShipment[],
  asked: Asked = {},
  broken = "",
  cancelled: readonly string[] = [],
) {
  const details: string[] = []
  const pages: Page[] = []
  const api = {
    listShipments: async (page: Page = {}) => {
      pages.push(page)
      const { limit = 50, offset = 0 } = page
      return { total: booked.length, limit, offset, shipments: booked.slice(offset, offset + limit) }
    },
    getShipment: async (id: string) => {
      details.push(id)
      const found = booked.find((one) => one.id === id)
      if (!found || id === broken) throw new FreightError("unavailable", "no answer")
      return { shipment: found }
    },
  }
  const findUncollected = async (ids: readonly string[]) =>
    new Set(ids.filter((id) => cancelled.includes(id)))
  const deps = { clock: { now: () => NOW, sleep: async () => {} }, note: async () => {}, findUncollected }
  const date = asked.date === undefined ? undefined : parseDate(asked.date)
  const found = await findCollections(deps, api, {
    date: date?.ok ? () => date.value : undefined,
    carrier: asked.carrier,
    connectorName: asked.connectorName,
    bookedWithinDays: asked.bookedWithinDays ?? 14,
  })
  return { ids: found.map(({ id }) => id), details, pages }
}

describe("findCollections", () => {
  it("takes those that are collected on the day, whenever they were booked", async () => {
    const { ids } = await collected(
      [
        shipment(1),
        shipment(2, { collectionDateTime: "2026-11-24T00:00:00" }),
        shipment(3, { createdAt: "2026-11-10T00:00:00Z", collectionDateTime: "2026-11-23T23:59:00" }),
      ],
      { date: "2026-11-23" },
    )
    expect(ids).toEqual(["shp_1", "shp_3"])
  })

  it("goes by the clock at each collection address when no day is given", async () => {
    const perth = { ...shipment(1).collection, state: "WA" }
    const { ids } = await collected([
      shipment(1, { collectionDateTime: "2026-11-20T10:00:00" }),
      shipment(2, { collectionDateTime: "2026-11-21T10:00:00" }),
      shipment(3, { collectionDateTime: "2026-11-20T10:00:00", collection: perth }),
      shipment(4, { collectionDateTime: "2026-11-21T10:00:00", collection: perth }),
    ])
    expect(ids).toEqual(["shp_2", "shp_3"])
  })

  it("leaves out cancelled ones", async () => {
    const { ids } = await collected([shipment(1, { status: "CANCELLED" })], { date: "2026-11-23" })
    expect(ids).toEqual([])
  })

  it("leaves out what carriers have cancelled on the phone, and asks for no details of it", async () => {
    const { ids, details } = await collected(shipments(3), { date: "2026-11-23" }, "", ["shp_2"])
    expect([ids, details]).toEqual([
      ["shp_1", "shp_3"],
      ["shp_1", "shp_3"],
    ])
  })

  it("asks for no details of other carriers and connectors", async () => {
    const booked = [
      shipment(1),
      shipment(2, { carrier: "CARRIER_B_AU" }),
      shipment(3, { connectorName: "Second account" }),
    ]
    const { ids, details } = await collected(booked, {
      date: "2026-11-23",
      carrier: "CARRIER_A_AU",
      connectorName: "Carrier A account",
    })
    expect([ids, details]).toEqual([["shp_1"], ["shp_1"]])
  })

  it("reads the list no further back than a shipment can have been booked", async () => {
    const old = shipments(1100, { createdAt: "2026-10-01T00:00:00Z" }).slice(200)
    const { pages, details } = await collected([...shipments(200), ...old], {
      date: "2026-11-23",
    })
    expect([pages.length, details.length]).toEqual([2, 200])
  })

  it("reads on over times of booking that it cannot read", async () => {
    const { ids } = await collected([shipment(1, { createdAt: "yesterday" })], { date: "2026-11-23" })
    expect(ids).toEqual(["shp_1"])
  })

  it("fails when one of them cannot be read, rather than leave it out", async () => {
    const error = await failure(collected(shipments(3), { date: "2026-11-23" }, "shp_2"))
    expect(error.kind).toBe("unavailable")
  })

  it("puts them in the order of carrier, place, time and number", async () => {
    const elsewhere = { ...shipment(1).collection, companyName: "Annex" }
    const { ids } = await collected(
      [
        shipment(5, { carrier: "CARRIER_B_AU" }),
        shipment(4),
        shipment(3, { collectionDateTime: "2026-11-23T09:00:00" }),
        shipment(2),
        shipment(1, { collection: elsewhere, collectionDateTime: "2026-11-23T16:00:00" }),
      ],
      { date: "2026-11-23" },
    )
    expect(ids).toEqual(["shp_1", "shp_3", "shp_2", "shp_4", "shp_5"])
  })
})

describe("groupByHandover", () => {
  it("are apart by carrier, place and day", () => {
    const elsewhere = { ...shipment(1).collection, address1: "2 Other Road" }
    const groups = groupByHandover([
      shipment(1),
      shipment(2),
      shipment(3, { collection: elsewhere }),
      shipment(4, { carrier: "CARRIER_C_AU" }),
      shipment(5, { collectionDateTime: "2026-11-24T10:00:00" }),
    ])
    expect(groups.map((group) => group.shipments.map(({ id }) => id))).toEqual([
      ["shp_1", "shp_2"],
      ["shp_3"],
      ["shp_4"],
      ["shp_5"],
    ])
  })

  it("take the same place for the same, however it is typed", () => {
    const typed = { ...shipment(1).collection, companyName: " HARBOUR lighting dock ", contactName: "Lee" }
    expect(groupByHandover([shipment(1), shipment(2, { collection: typed })])).toHaveLength(1)
  })
})

describe("sumShipments", () => {
  it("is exact", () => {
    expect(sumShipments(shipments(3))).toEqual({ pieces: 6, weightKg: 15.3 })
  })
})
