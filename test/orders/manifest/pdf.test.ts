import { describe, expect, it } from "vitest"
import { groupByHandover, type ManifestShipment } from "../../../src/orders/manifest/collections.ts"
import { describeHandover } from "../../../src/orders/manifest/page.ts"
import { renderPdf } from "../../../src/output/pages/pdf.ts"
import { drawnOn, shipment, shipments, textsOn } from "./samples.ts"

const HOSTILE = "\u0000\u001b[31m\u202e株式会社 😀 Zoë (\\) \ud800 ".repeat(40)
const FOOT = { text: "Made 2026-11-23 09:12" }

const rendered = async (
  shipments: readonly ManifestShipment[],
  foot: { text: string; warning?: string } = FOOT,
) => {
  const described = groupByHandover(shipments).map((handover) => describeHandover(handover, foot))
  const { pdf, sheets } = await renderPdf("Collection manifest", described)
  return { pdf, pages: sheets, texts: textsOn(pdf) }
}

describe("the manifest on paper", () => {
  it.each([
    ["the carrier", "CARRIER A"],
    ["the day", "Monday 23 November 2026"],
    ["when the goods are ready and the premises close", "ready 10:00, closes 17:00"],
    ["where they are collected", "Harbour Lighting Dock"],
    ["the street", "14 Bourke Road"],
    ["whom to ask for", "Dana Reyes"],
    ["the sender", "Harbour Lighting Pty Ltd"],
    ["the carrier account", "Carrier A account"],
    ["a consignment", "A00000001"],
    ["its order", "ORD-1"],
    ["its reference", "PO-1"],
    ["its receiver", "Port Street Fittings"],
    ["where it goes", "Fremantle WA 6160"],
    ["its service", "Road Express"],
    ["its weight", "5.1 kg"],
    ["the totals", "Total: 3 consignments"],
    ["the exact weight of all", "15.3 kg"],
    ["what the driver signs for", "Taken over by the driver: 3 consignments, 6 pieces, 15.3 kg."],
    ["where the carrier signs", "FOR THE CARRIER"],
    ["where the sender signs", "FOR THE SENDER"],
    ["when it was made", "Made 2026-11-23 09:12"],
    ["the page", "Page 1 of 1"],
  ])("shows %s", async (_, text) => {
    expect((await rendered(shipments(3))).texts.flat()).toContain(text)
  })

  it("is on A4", async () => {
    const { pdf } = await rendered(shipments(1))
    expect(Buffer.from(pdf).toString("latin1")).toMatch(/\/MediaBox \[ 0 0 595\.\d+ 841\.\d+ \]/)
  })

  it("marks and counts dangerous goods", async () => {
    const { texts } = await rendered([shipment(1), shipment(2, { dangerousGoods: true })])
    expect(texts.flat()).toEqual(expect.arrayContaining(["DG", "1, marked DG"]))
  })

  it("marks no other goods", async () => {
    const texts = (await rendered(shipments(2))).texts.flat()
    expect([texts.includes("DG"), texts.includes("none")]).toEqual([false, true])
  })

  it("says which consignments have no number yet", async () => {
    const { texts } = await rendered([shipment(1, { consignmentNumber: null })])
    expect(texts.flat()).toContain("no number yet")
  })

  it("says that nothing is real where it is not", async () => {
    const { texts } = await rendered(shipments(1), { ...FOOT, warning: "SANDBOX – not for carriage" })
    expect(texts.flat()).toContain("SANDBOX – not for carriage")
  })

  it("gives each driver pages of their own", async () => {
    const { texts } = await rendered([...shipments(30), shipment(31, { carrier: "CARRIER_B_AU" })])
    expect(texts.map((page) => [page[0], page.at(-1)])).toEqual([
      ["CARRIER A", "Page 1 of 2"],
      ["CARRIER A", "Page 2 of 2"],
      ["CARRIER B", "Page 1 of 1"],
    ])
  })

  it.each([
    1, 13, 14, 15, 19, 20, 21, 33, 34, 35, 45, 46, 47, 200,
  ])("has each of %s consignments once, and the signatures once, beside a consignment", async (count) => {
    const { texts } = await rendered(shipments(count))
    const numbers = texts.map((page) => page.filter((text) => /^A\d{8}$/.test(text)))
    expect(numbers.flat()).toEqual(shipments(count).map(({ consignmentNumber }) => consignmentNumber))
    const signed = texts.map((page) => page.includes("FOR THE CARRIER"))
    expect(signed.filter(Boolean)).toHaveLength(1)
    expect([signed.at(-1), numbers.every((page) => page.length > 0)]).toEqual([true, true])
  })

  it("keeps to the page whatever the number of rows", async () => {
    for (const count of [14, 15, 20, 21, 35]) {
      const { pdf } = await rendered(shipments(count))
      const heights = baselines(pdf)
      expect(heights.length).toBeGreaterThan(count)
      expect([Math.min(...heights) > 20, Math.max(...heights) < 822]).toEqual([true, true])
    }
  })

  it("gives the same bytes for the same consignments", async () => {
    expect((await rendered(shipments(3))).pdf).toEqual((await rendered(shipments(3))).pdf)
  })

  it("has the letters of a name within it where PDF lacks them", async () => {
    const [one] = shipments(1)
    const receiver = { ...shipment(1).receiver, companyName: `Łódź Фабрика ${HOSTILE}` }
    const { pdf, pages } = await rendered([shipment(1, { receiver })])
    expect([pages, Buffer.from(pdf).includes("/OpenSans")]).toEqual([1, true])
    expect(Buffer.from((await rendered(one ? [one] : [])).pdf).includes("/OpenSans")).toBe(false)
  })

  it("fits hostile text of any length", async () => {
    const place = {
      companyName: HOSTILE,
      contactName: HOSTILE,
      address1: "A".repeat(5000),
      address2: HOSTILE,
      suburb: HOSTILE,
      state: HOSTILE,
      postcode: HOSTILE,
    }
    const { texts, pages } = await rendered([
      shipment(1, {
        consignmentNumber: HOSTILE,
        orderNumber: HOSTILE,
        connectorName: HOSTILE,
        serviceCode: HOSTILE,
        serviceDescription: HOSTILE,
        customerReference: HOSTILE,
        sender: place,
        collection: place,
        receiver: place,
        collectionCloseTime: HOSTILE,
        collectionDateTime: `2026-11-23T${HOSTILE}`,
        items: { count: 1e21, totalWeightKg: 1e-9, maxLengthCm: 0, maxWidthCm: 0, maxHeightCm: 0 },
      }),
    ])
    expect(pages).toBe(1)
    expect(texts.flat().filter((text) => text.endsWith("…")).length).toBeGreaterThan(8)
    expect(texts.flat().join("")).not.toMatch(/\p{Cc}/u)
  })
})

/** How high the lines of text stand, in points. */
function baselines(pdf: Uint8Array): number[] {
  return drawnOn(pdf).flatMap((page) =>
    Array.from(page.matchAll(/^1 0 0 1 \S+ (\S+) Tm$/gm), ([, y]) => Number(y)),
  )
}
