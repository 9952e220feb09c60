/** Desks of one account with a ledger each, and the service between them, in the process and on one clock. */
import type { FreightApi } from "../../src/api/freight.ts"
import { ofCommand, toOrder } from "../../src/orders/booking/order.ts"
import { bookOrder } from "../../src/orders/booking/send.ts"
import type { ConsignmentBookingRequest, ShipmentDetail } from "../../src/contract/generated/types.ts"
import { FreightError } from "../../src/base/errors.ts"
import type { Database } from "../../src/ledger/database/database.ts"
import { lookForElsewhere } from "../../src/ledger/look.ts"
import { parseCreatedAt } from "../../src/ledger/possible.ts"
import { pickIdentity } from "../../src/ledger/order.ts"
import { NotSent } from "../../src/ledger/refusals.ts"
import { address, booking } from "../sandbox/requests.ts"
import { type TestClock, testLedger } from "./setup.ts"

export type Service = ReturnType<typeof startService>

interface ServiceOptions {
  /** The list is in the order of `createdAt`, otherwise in that in which shipments were made. */
  sortsByDate?: boolean
  /** The total that the list reports. */
  total?: (count: number) => number
  clockOffset?: number
}

/** The list of an account, newest first, with offset paging: what is booked while it is read shifts the pages. */
export function startService(
  clock: TestClock,
  { sortsByDate = false, total = (count) => count, clockOffset = 0 }: ServiceOptions = {},
) {
  const shipments: ShipmentDetail[] = []
  /** Listed, and not shown yet. */
  const hidden = new Set<string>()
  const asked = { lists: 0, details: 0 }
  const hooks = { beforePage: async () => {}, beforeDetail: async () => {} }
  const book = (request: ConsignmentBookingRequest, changes: Partial<ShipmentDetail> = {}) => {
    const n = shipments.length + 1
    const { customerReference, specialInstructions, payer, packages: _, ...kept } = request
    const shipment: ShipmentDetail = {
      ...kept,
      id: `shp-${n}`,
      carrier: "CARRIER_A_AU",
      connectorName: "A",
      orderNumber: `ORD-${n}`,
      consignmentNumber: `CON-${n}`,
      status: "CONSIGNED",
      source: "API",
      createdAt: new Date(clock.now()).toISOString(),
      payer: payer.type,
      customerReference: customerReference ?? null,
      specialInstructions: specialInstructions ?? null,
      dangerousGoods: false,
      ...changes,
    }
    shipments.push(shipment)
    return shipment
  }
  const api = {
    clockOffset: () => clockOffset,
    async listShipments({ limit = 50, offset = 0 }: { limit?: number; offset?: number } = {}) {
      await hooks.beforePage()
      asked.lists++
      const listed = sortsByDate
        ? shipments.toSorted((one, other) => parseCreatedAt(one).at - parseCreatedAt(other).at)
        : shipments
      const page = listed
        .slice(0, Math.max(shipments.length - offset, 0))
        .slice(-limit)
        .reverse()
      return { total: total(shipments.length), limit, offset, shipments: page }
    },
    async getShipment(id: string) {
      await hooks.beforeDetail()
      asked.details++
      const shipment = shipments[Number(id.slice("shp-".length)) - 1]
      if (!shipment || hidden.has(id)) throw new FreightError("notFound", "Shipment not found")
      return { shipment }
    },
    async createShipment(connectorId: string, request: ConsignmentBookingRequest) {
      const { id, orderNumber, consignmentNumber } = book(request)
      return { shipmentId: id, connectorId, orderNumber, consignmentNumber: consignmentNumber ?? "" }
    },
  }
  return {
    shipments,
    asked,
    hooks,
    book,
    api: api as unknown as Pick<
      FreightApi,
      "clockOffset" | "listShipments" | "getShipment" | "createShipment"
    >,
    hide: (id: string) => hidden.add(id),
    show: (id: string) => hidden.delete(id),
    cancel(id: string) {
      const at = shipments.findIndex((each) => each.id === id)
      const shipment = shipments[at]
      if (shipment) shipments[at] = { ...shipment, status: "CANCELLED" }
    },
    /** How often each receiver was sent something that stands: one receiver is one order. */
    countByReceiver() {
      const counts = new Map<string, number>()
      for (const { status, receiver } of shipments)
        if (status === "CONSIGNED" && receiver)
          counts.set(receiver.address1, (counts.get(receiver.address1) ?? 0) + 1)
      return counts
    },
  }
}

/** An order of a file; each goes to a receiver of its own. @param n which order */
export function orderOf(n: number, reference = `SO-${n}`): ConsignmentBookingRequest {
  const receiver = address({ companyName: `Receiver ${n}`, address1: `${n} Market Street` })
  return booking({ customerReference: reference, receiver })
}

export type Came = "booked" | "recorded" | "elsewhere" | "twin" | "changed"

/** A desk with a ledger of its own, or on `database`. */
export function openDesk(service: Service, clock: TestClock, name: string, database?: Database) {
  const ledger = testLedger({
    clock,
    sender: { workstation: name, person: name },
    ...(database !== undefined && { database }),
  })
  return {
    ledger,
    look: (atOnce = 8) => lookForElsewhere(ledger, service.api, { atOnce, settles: true }, async () => {}),
    /** Books an order as a row of a batch, or alone. @param again as `--again` */
    async book(
      request: ConsignmentBookingRequest,
      { isAlone = true, again = false, key = request.customerReference } = {},
    ): Promise<Came> {
      const draft = {
        ...{ own: undefined, key, wish: {} },
        source: { ...ofCommand(pickIdentity(request), { allowPast: true, again }), isRow: !isAlone },
      }
      const order = toOrder(draft, request)
      const offer = {
        connectorId: "connector-a",
        carrier: "CARRIER_A_AU",
        serviceCode: "76",
        rate: undefined,
      } as const
      try {
        const { recorded } = await bookOrder(ledger, service.api, order, offer)
        return recorded ? "recorded" : "booked"
      } catch (error) {
        if (!(error instanceof NotSent)) throw error
        const { kind } = error.standing
        if (kind === "changed" || kind === "elsewhere") return kind
        if (kind === "equal" && error.standing.entry.elsewhere) return "twin"
        throw error
      }
    },
  }
}
