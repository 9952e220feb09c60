/** Shipments to put on a manifest, and what is drawn on its pages. */
import { inflateSync } from "node:zlib"
import type { ManifestShipment } from "../../../src/orders/manifest/collections.ts"

export function shipment(number: number, changes: Partial<ManifestShipment> = {}): ManifestShipment {
  const place = { address1: "14 Bourke Road", suburb: "Alexandria", state: "NSW", postcode: "2015" }
  return {
    id: `shp_${number}`,
    carrier: "CARRIER_A_AU",
    connectorName: "Carrier A account",
    orderNumber: `ORD-${number}`,
    consignmentNumber: `A${String(number).padStart(8, "0")}`,
    status: "CONSIGNED",
    serviceCode: "76",
    serviceDescription: "Road Express",
    source: "API",
    createdAt: "2026-11-20T00:00:00.000Z",
    payer: "Sender",
    sender: { ...place, companyName: "Harbour Lighting Pty Ltd" },
    collection: { ...place, companyName: "Harbour Lighting Dock", contactName: "Dana Reyes" },
    receiver: {
      companyName: "Port Street Fittings",
      address1: "8 Market Street",
      suburb: "Fremantle",
      state: "WA",
      postcode: "6160",
    },
    items: { count: 2, totalWeightKg: 5.1, maxLengthCm: 40, maxWidthCm: 30, maxHeightCm: 20 },
    dangerousGoods: false,
    collectionDateTime: "2026-11-23T10:00:00",
    collectionCloseTime: "1700",
    customerReference: `PO-${number}`,
    ...changes,
  }
}

export function shipments(count: number, changes: Partial<ManifestShipment> = {}): ManifestShipment[] {
  return Array.from({ length: count }, (_, at) => shipment(at + 1, changes))
}

/** How each page of a PDF of ours is drawn. */
export function drawnOn(pdf: Uint8Array): string[] {
  const file = Buffer.from(pdf).toString("latin1")
  return Array.from(file.matchAll(/stream\n([\s\S]*?)\nendstream/g), ([, body = ""]) =>
    inflateSync(Buffer.from(body, "latin1")).toString("latin1"),
  )
}

/** The texts on each page, in the order in which they are drawn. */
export function textsOn(pdf: Uint8Array): string[][] {
  return drawnOn(pdf).map((page) =>
    Array.from(page.matchAll(/<([0-9A-F]+)> Tj/g), ([, hex = ""]) =>
      Buffer.from(hex, "hex").toString("latin1").replaceAll("\x96", "–").replaceAll("\x85", "…"),
    ),
  )
}
