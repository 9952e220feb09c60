import { describe, expect, it } from "vitest"
import { type Page, shipmentPages } from "../../src/api/freight.ts"
import type { ShipmentSummary } from "../../src/contract/generated/types.ts"

function shipment(id: number): ShipmentSummary {
  return {
    id: `shp_${id}`,
    carrier: "CARRIER_A_AU",
    connectorName: "A",
    orderNumber: `ORD-${id}`,
    status: "CONSIGNED",
    serviceCode: "76",
    source: "API",
    createdAt: "2026-11-20T00:00:00Z",
  }
}

/** A tenant with shipments 1 to `count`, to which one is added after every page. */
function growing(count: number) {
  let newest = count
  const asked: Page[] = []
  const listShipments = async (page: Page = {}) => {
    asked.push(page)
    const { limit = 50, offset = 0 } = page
    const all = Array.from({ length: newest }, (_, at) => shipment(newest - at))
    newest++
    return { total: all.length, limit, offset, shipments: all.slice(offset, offset + limit) }
  }
  return { listShipments, asked }
}

describe("shipmentPages", () => {
  it("gives each shipment once, although new ones shift the pages", async () => {
    const ids: string[] = []
    for await (const page of shipmentPages(growing(450))) ids.push(...page.map(({ id }) => id))
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toHaveLength(450)
  })

  it("reads no further than its caller", async () => {
    const api = growing(1000)
    for await (const page of shipmentPages(api)) if (page.length > 0) break
    expect(api.asked).toEqual([{ limit: 200, offset: 0 }])
  })

  it("ends where there are none", async () => {
    const api = { listShipments: async () => ({ total: 0, limit: 200, offset: 0, shipments: [] }) }
    const pages: ShipmentSummary[][] = []
    for await (const page of shipmentPages(api)) pages.push(page)
    expect(pages).toEqual([[]])
  })
})

describe("a list whose total is too low", () => {
  it.each([200, 400, 0, 399])("is read to its end: a total of %i", async (total) => {
    const all = Array.from({ length: 450 }, (_, at) => shipment(at))
    const listShipments = async ({ limit = 50, offset = 0 }: Page = {}) => {
      return { total, limit, offset, shipments: all.slice(offset, offset + limit) }
    }
    let count = 0
    for await (const page of shipmentPages({ listShipments })) count += page.length
    expect(count).toBe(450)
  })

  it("ends at once where a page is not full and the total is right", async () => {
    const api = growing(3)
    for await (const page of shipmentPages(api)) expect(page).toHaveLength(3)
    expect(api.asked).toHaveLength(1)
  })
})

describe("a list that does not end", () => {
  const all = async (api: Parameters<typeof shipmentPages>[0]) => {
    let count = 0
    for await (const page of shipmentPages(api)) count += page.length
    return count
  }

  it("is an error when a page brings nothing new", async () => {
    const same = [shipment(2), shipment(1)]
    const api = {
      listShipments: async () => ({ total: 1_000_000, limit: 200, offset: 0, shipments: same }),
    }
    await expect(all(api)).rejects.toMatchObject({
      // Asked again, it repeats itself again.
      kind: "unreadable",
      message: expect.stringMatching(/the page from offset 2 has nothing new/),
    })
  })

  it("is an error when it is longer than what is read at once", async () => {
    let count = 0
    const api = {
      listShipments: async () => ({
        total: 10_000_000,
        limit: 200,
        offset: 0,
        shipments: Array.from({ length: 200 }, () => shipment(count++)),
      }),
    }
    await expect(all(api)).rejects.toMatchObject({
      // Asked again, it is as long.
      kind: "unreadable",
      message: expect.stringMatching(/more than 200000 shipments/),
    })
  })

  it("ends where a page beyond the total has only rows that cannot be read", async () => {
    const pages: Page[] = []
    const api = {
      listShipments: async (page: Page = {}) => {
        pages.push(page)
        const unread = [{ path: "shipments[0]", why: "shipments[0] is null", of: 3, row: null }]
        const shipments = (page.offset ?? 0) === 0 ? [shipment(2), shipment(1)] : []
        return { total: 2, limit: 200, offset: page.offset ?? 0, shipments, unread }
      },
    }
    expect(await all(api)).toBe(2)
    expect(pages.map(({ offset }) => offset)).toEqual([0, 3])
  })
})
