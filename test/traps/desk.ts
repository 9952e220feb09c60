/** A desk whose requests go to a server of literal replies: nothing of freight's own reads them or answers them. */
import { writeFile } from "node:fs/promises"
import path from "node:path"
import { desk, type RunOptions } from "../acceptance/freight.ts"
import { type Answer, json, server } from "../api/servers.ts"

export const HEX = "0123456789abcdef".repeat(4)
/** Nothing was booked elsewhere. */
const NO_SHIPMENTS = json({ total: 0, limit: 200, offset: 0, shipments: [] })
const NAME = /^\/(?:own\/freight|own\/print)(?=\/)/

/** Answers by method and path below the base (`GET /connectors`); of a list each is given once, and the last again. */
export type Replies = Record<string, Answer | readonly Answer[]>

/** When it is at every desk: 01:30 on Wednesday in Sydney, and 22:30 on Tuesday in Perth. */
const NOW = Date.UTC(2026, 10, 24, 14, 30)

/** A desk with an example booking in its folder, as `booking.json`. */
export async function literalDesk(replies: Replies) {
  const left = new Map(
    Object.entries({ "GET /connectors": CONNECTORS, "GET /shipments": NO_SHIPMENTS, ...replies }).map(
      ([name, answers]) => [name, [answers].flat()],
    ),
  )
  const { url, requests } = await server((res, seen) => {
    const answers = left.get(nameOf(seen)) ?? [json({ message: `no ${nameOf(seen)}` }, 404)]
    const answer = answers.length > 1 ? answers.shift() : answers[0]
    return answer?.(res, seen)
  })
  const { folder, freight } = await desk()
  let now = NOW
  /** Milliseconds, in order. */
  const waits: number[] = []
  const clock = {
    now: () => now,
    async sleep(ms: number) {
      waits.push(ms)
      now += ms
    },
  }
  const base = {
    FREIGHT_BASE_URL: `${url}/own/freight`,
    FREIGHT_API_KEY: `any_${HEX}`,
    DIRECT_PRINT_BASE_URL: `${url}/own/print`,
    DIRECT_PRINT_API_KEY: `other_${HEX}`,
  }
  const save = (booking: object) => writeFile(path.join(folder, "booking.json"), JSON.stringify(booking))
  await save(BOOKING)
  const run = (args: readonly string[], options: RunOptions = {}) =>
    freight(args, { ...options, host: { clock, ...options.host }, env: { ...base, ...options.env } })
  return {
    folder,
    url,
    requests,
    waits,
    freight: run,
    /** Books the example as it is, on the connector and the service that it is for. */
    book: (...more: string[]) => run([...BOOK, "--connector", "con-b", ...more]),
    save,
    pass(ms: number) {
      now += ms
    },
    /** Bodies of the requests with this method and path, parsed; a request without one is undefined. */
    sent: (name: string) =>
      requests
        .filter((seen) => nameOf(seen) === name)
        .map(({ body }) => (body === "" ? undefined : JSON.parse(body))),
  }
}

function nameOf({ method, url }: { method: string; url: string }): string {
  return `${method} ${new URL(url, "http://own").pathname.replace(NAME, "")}`
}

export const BOOK = ["book", "--file", "booking.json", "--no-rate", "--json"]

const PARTY = {
  companyName: "Harbour Tools Pty Ltd",
  address1: "12 Bourke Road",
  suburb: "Alexandria",
  state: "NSW",
  postcode: "2015",
  email: "dispatch@example.com",
}

export const BOOKING = {
  sender: PARTY,
  collection: PARTY,
  receiver: { ...PARTY, companyName: "West Pumps", suburb: "Fremantle", state: "WA", postcode: "6160" },
  packages: [{ count: 2, lengthCm: 40, widthCm: 30, heightCm: 20, weightKg: 5.5 }],
  packagingCode: "CT",
  serviceCode: "GEN",
  collectionDateTime: "2026-11-25T10:00:00",
  collectionCloseTime: "1700",
  payer: { type: "Sender" },
  dangerousGoods: false,
  customerReference: "PO-7001",
}

export const CONNECTORS = json({
  connectors: [
    connector("con-a", "CARRIER_A_AU", "76"),
    connector("con-b", "CARRIER_B_AU", "GEN"),
    connector("con-c", "CARRIER_C_AU", "STD"),
  ],
})

export function connector(id: string, carrier: string, serviceCode: string) {
  return { id, carrier, name: `Account ${id}`, services: [{ serviceCode, description: "Road" }] }
}

/** A 201 to a booking. */
export function booked(more: object = {}): Answer {
  return json({ orderNumber: "ORD-1", shipmentId: "shp-1", connectorId: "con-b", ...more }, 201)
}

export const SUMMARY = {
  id: "shp-1",
  carrier: "CARRIER_B_AU",
  connectorName: "Account con-b",
  orderNumber: "ORD-1",
  status: "CONSIGNED",
  serviceCode: "GEN",
  source: "API",
  createdAt: "2026-11-24T14:30:00.000Z",
}

/** A shipment as `GET /shipments/{id}` has it. */
export function shipment(more: object = {}): Answer {
  const { sender, collection, receiver, collectionDateTime, collectionCloseTime, dangerousGoods } = BOOKING
  const items = { count: 2, totalWeightKg: 11, maxLengthCm: 40, maxWidthCm: 30, maxHeightCm: 20 }
  return json({
    shipment: {
      ...SUMMARY,
      ...{ payer: "Sender", sender, collection, receiver, items, dangerousGoods },
      ...{ collectionDateTime, collectionCloseTime, ...more },
    },
  })
}
