/** The freight API: one function for each endpoint. Every reply is read as far as possible: see `shape.ts`. */
import type { ReplyShape, UnreadRow } from "../contract/index.ts"
import * as shapes from "../contract/generated/shapes.ts"
import type {
  AggregatedRateResult,
  Carrier,
  ConsignmentBookingRequest,
  PickupBookingRequest,
  PickupBookingResponse,
  PrintRequest,
  RateRequest,
  ShipmentListResponse,
  ShipmentSummary,
} from "../contract/generated/types.ts"
import { FreightError } from "../base/errors.ts"
import type { SendLease } from "../base/ports.ts"
import { type Query, route } from "./address.ts"
import type { ReadOptions } from "./outcome.ts"
import { readJson, readPdf, request } from "./reply.ts"
import { serverWords } from "./failures.ts"
import type { Transport } from "./transport.ts"
import { MAX_PAGE_SIZE } from "../base/limits.ts"
import { walkPages } from "./pages.ts"

/**
 * `recorded` false: the carrier accepted the pickup, but the API could not save it (freight behaviour 8). It exists, only
 * `orderNumber` is known, and it must never be booked again.
 */
export type PickupOutcome =
  | { recorded: true; response: PickupBookingResponse }
  | { recorded: false; orderNumber: string }

export interface Page {
  /** 1 to 200; the API's default is 50. */
  limit?: number
  /** From 0. */
  offset?: number
}

export type FreightApi = ReturnType<typeof createFreightApi>

/**
 * Every function throws FreightError: `refused` (400), `unauthenticated` (401), `forbidden` (403), `notFound` (404),
 * `rateLimited` (429), `unavailable` (500 and above); without a valid reply `unavailable`, `timeout`, `badReply`,
 * `unreadable`, `config` (the login of a proxy) or `interrupted`; and `usage` for an id that cannot be one. Creating
 * functions throw `outcomeUnknown` if something may have been created, and are never sent twice.
 */
export function createFreightApi(transport: Transport) {
  const read = async <T>(path: string, shape: ReplyShape<T>, query: Query = {}) =>
    readJson(await transport.send({ kind: "read", method: "GET", path, query }), shape)
  const get = async <T>(path: string, shape: ReplyShape<T>, query?: Query) =>
    (await read(path, shape, query)).value
  const ask = async <T>(path: string, shape: ReplyShape<T>, body: unknown, options: ReadOptions = {}) =>
    (await readJson(await transport.send({ kind: "read", method: "POST", path, body, ...options }), shape))
      .value
  const post = (path: string, body: unknown, lease: SendLease | undefined) =>
    transport.send({ kind: "create", method: "POST", path, body, lease })
  const create = async <T>(path: string, shape: ReplyShape<T>, body: unknown, lease?: SendLease) =>
    (await readJson(await post(path, body, lease), shape)).value

  return {
    /** GET /connectors: the tenant's active carrier accounts. */
    listConnectors: () => get("/connectors", shapes.ConnectorListResponse),
    /** POST /rates: every active connector; one that fails says so in its own result. */
    rates: async (body: RateRequest, options?: ReadOptions) => {
      const reply = await ask("/rates", shapes.AggregatedRateResponse, body, options)
      return { ...reply, results: reply.results.map(toResult) }
    },
    /** POST /{connectorId}/rates. @throws `unavailable` also where its carrier is (502). */
    connectorRates: async (id: string, body: RateRequest, options?: ReadOptions) =>
      ask(route`/${id}/rates`, shapes.SingleConnectorRateResponse, body, options),
    /** POST /{connectorId}/shipments: books. Creates. */
    createShipment: async (id: string, body: ConsignmentBookingRequest, lease?: SendLease) => {
      const booking = await create(route`/${id}/shipments`, shapes.BookingResponse, body, lease)
      return { ...booking, connectorId: booking.connectorId || id }
    },
    /** GET /shipments. @throws `usage` for a page that the API does not have; nothing is sent then. */
    listShipments: async ({ limit, offset }: Page = {}): Promise<ShipmentPage> => {
      checkNumber("limit", limit, 1, MAX_PAGE_SIZE)
      checkNumber("offset", offset, 0, Number.MAX_SAFE_INTEGER)
      const { value, unread } = await read("/shipments", shapes.ShipmentListResponse, { limit, offset })
      const page = toPage(value, unread.length, { limit, offset })
      return unread.length === 0 ? page : { ...page, unread }
    },
    /** GET /shipments/{id}. */
    getShipment: async (id: string) => {
      const { shipment } = await get(route`/shipments/${id}`, shapes.ShipmentDetailResponse)
      return { shipment: { ...shipment, id: shipment.id || id } }
    },
    /**
     * GET /track: with a carrier, only that one is asked (behaviour 6).
     * @throws `usage` for an empty number; nothing is sent then.
     */
    track: async ({ consignment, carrier }: { consignment: string; carrier?: Carrier | undefined }) => {
      if (consignment.trim() === "") throw new FreightError("usage", "a consignment number is empty")
      const { tracking, ...reply } = await get("/track", shapes.TrackingResponse, { consignment, carrier })
      if (!tracking) return { ...reply, ...(tracking === null && { tracking }) }
      return {
        ...reply,
        tracking: { ...tracking, currentStatus: tracking.currentStatus || tracking.events[0]?.status || "" },
      }
    },
    /** GET /shipments/{id}/label: a PDF. @throws `notReady` (LABEL_NOT_AVAILABLE). */
    getLabel: async (id: string) =>
      readPdf(await transport.send({ kind: "read", method: "GET", path: route`/shipments/${id}/label` })),
    /** POST /{connectorId}/pickups. Creates. A pickup that the carrier rejects is a `response` with status FAILED. */
    createPickup: async (
      id: string,
      body: PickupBookingRequest,
      lease?: SendLease,
    ): Promise<PickupOutcome> => {
      const reply = await post(route`/${id}/pickups`, body, lease)
      const { orderNumber } = serverWords(reply.body)
      if (reply.status === 500 && orderNumber !== undefined)
        return { recorded: false, orderNumber: reply.asked.safe(orderNumber) }
      return { recorded: true, response: (await readJson(reply, shapes.PickupBookingResponse)).value }
    },
    /** GET /pickups/{id}. */
    getPickup: async (id: string) => get(route`/pickups/${id}`, shapes.PickupBookingDetailResponse),
    /** GET /print-devices: those that are not revoked. */
    listPrintDevices: () => get("/print-devices", shapes.PrintDeviceListResponse),
    /** POST /shipments/{id}/print. Creates. @throws `notReady` (LABEL_NOT_AVAILABLE). */
    printLabel: async (id: string, body: PrintRequest, lease?: SendLease) =>
      create(route`/shipments/${id}/print`, shapes.PrintJobCreated, body, lease),
    /** How far the service's clock is ahead, in milliseconds; undefined before the first reply. */
    clockOffset: () => transport.clockOffset(),
    /** Any other request: see `request` in `reply.ts`. */
    request: (method: string, path: string, options?: { body?: unknown }) =>
      request(transport, method, path, options),
  }
}

export interface ShipmentPage extends ShipmentListResponse {
  unread?: readonly UnreadRow[]
}

const DEFAULT_PAGE = 50

/** A page with defaults for missing fields: without a total, a full page is followed by another. */
function toPage(
  value: ShipmentListResponse,
  unread: number,
  page: { [Name in keyof Page]: Page[Name] | undefined },
): ShipmentListResponse {
  const limit = value.limit || (page.limit ?? DEFAULT_PAGE)
  const offset = value.offset || (page.offset ?? 0)
  const count = value.shipments.length + unread
  const total = value.total < 0 ? offset + count + Number(count >= limit) : value.total
  return { ...value, limit, offset, total }
}

/** A carrier with unreadable rates counts as failed. */
function toResult(result: AggregatedRateResult): AggregatedRateResult {
  const { rates, error, ...rest } = result
  if (rates !== undefined && (result.success || !error)) return { ...rest, success: true, rates }
  return { ...rest, success: false, error: error ?? { message: "its rates could not be read" } }
}

function checkNumber(name: string, value: number | undefined, least: number, most: number): void {
  if (value === undefined || (Number.isInteger(value) && value >= least && value <= most)) return
  const range = most === MAX_PAGE_SIZE ? `from ${least} to ${most}` : `of ${least} or more`
  throw new FreightError("usage", `${name} must be a whole number ${range}, not ${value}`)
}

/**
 * All shipments, newest first, page by page as far as the caller reads: see `walkPages`.
 * @param onUnread gets each row that cannot be read
 */
export function shipmentPages(
  api: Pick<FreightApi, "listShipments">,
  onUnread?: (row: UnreadRow) => void,
): AsyncGenerator<ShipmentSummary[]> {
  return walkPages<ShipmentSummary>("shipments", async (page) => {
    const { shipments, unread = [], ...rest } = await api.listShipments(page)
    for (const row of unread) onUnread?.(row)
    return { ...rest, rows: shipments, unread: unread.length }
  })
}
