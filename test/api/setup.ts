/** The client's side of these tests: a clock that does not wait, a transport to a test server, sample bodies. */
import { onTestFinished } from "vitest"
import { createFreightApi, type FreightApi } from "../../src/api/freight.ts"
import { createTransport, type Transport, type TransportOptions } from "../../src/api/transport.ts"
import type {
  BookingAddress,
  ConsignmentBookingRequest,
  PickupBookingRequest,
  RateRequest,
} from "../../src/contract/generated/types.ts"
import type { Clock } from "../../src/base/ports.ts"
import { failure } from "../failure.ts"
import { type Answer, server } from "./servers.ts"

export { failure } from "../failure.ts"

export const NOW = Date.UTC(2026, 10, 20, 1, 2, 3)
export const KEY = `frt_${"0123456789abcdef".repeat(4)}`

/** Its waits end at once, move its time on, and are kept in milliseconds. */
export function fakeClock(): Clock & { waits: number[] } {
  let time = NOW
  const waits: number[] = []
  return {
    waits,
    now: () => time,
    async sleep(ms, signal) {
      signal?.throwIfAborted()
      waits.push(ms)
      time += ms
    },
  }
}

interface Client {
  transport: Transport
  api: FreightApi
  /** Waits between tries, in milliseconds. */
  waits: number[]
}

export function client(baseUrl: string, options: Partial<TransportOptions> = {}): Client {
  const clock = fakeClock()
  const transport = createTransport({
    baseUrl,
    key: KEY,
    api: "freight",
    clock,
    ids: { uuid: () => "", random: () => 0 },
    env: {},
    timeouts: { connectMs: 2_000, headersMs: 2_000, bodyMs: 2_000 },
    userAgent: "freight-test/0",
    ...options,
  })
  onTestFinished(() => transport.close())
  return { transport, api: createFreightApi(transport), waits: clock.waits }
}

/** Makes a call that fails against a server with these answers. Returns its error, the requests and the waits. */
export async function failing(
  answers: Answer | readonly Answer[],
  call: (api: FreightApi) => Promise<unknown> = (api) => api.listConnectors(),
  options: Partial<TransportOptions> = {},
) {
  const { url, requests } = await server(...[answers].flat())
  const { api, waits } = client(url, options)
  return { error: await failure(call(api)), requests, waits }
}

/** A promise to wait for, and the function that resolves it. */
export function gate(): { passed: Promise<void>; open: () => void } {
  let open = () => {}
  const passed = new Promise<void>((resolve) => {
    open = resolve
  })
  return { passed, open }
}

export const address: BookingAddress = {
  companyName: "Example Pty Ltd",
  address1: "1 Example Street",
  suburb: "Alexandria",
  state: "NSW",
  postcode: "2015",
}

export const rateRequest: RateRequest = {
  from: { suburb: "Alexandria", postcode: "2015", state: "NSW", residential: false },
  to: { suburb: "Fremantle", postcode: "6160", state: "WA", residential: false },
  packages: [{ count: 1, lengthCm: 40, widthCm: 30, heightCm: 20, weightKg: 5.5 }],
  dangerousGoods: false,
}

export const booking: ConsignmentBookingRequest = {
  sender: address,
  collection: address,
  receiver: { ...address, suburb: "Fremantle", state: "WA", postcode: "6160" },
  packages: rateRequest.packages,
  items: { count: 1, totalWeightKg: 5.5, maxLengthCm: 40, maxWidthCm: 30, maxHeightCm: 20 },
  packagingCode: "CT",
  serviceCode: "ROAD",
  collectionDateTime: "2026-11-23T10:00:00",
  collectionCloseTime: "1700",
  payer: { type: "Sender" },
  dangerousGoods: false,
}

export const booked = {
  orderNumber: "ORD-1",
  consignmentNumber: null,
  shipmentId: "shp_1",
  connectorId: "con_1",
}

export const pickup: PickupBookingRequest = {
  shipmentId: "shp_1",
  pickupDate: "2026-11-23",
  readyTime: "10:00",
  closeTime: "17:00",
}

export const connectors = {
  connectors: [{ id: "con_1", carrier: "CARRIER_A_AU", name: "Account A", services: [] }],
}
