/** The services as they truly are: whose key is whose, what was made for whom, and what each key is shown of it. */
import type { FreightApi } from "../../src/api/freight.ts"
import type { ShipmentDetail } from "../../src/contract/generated/types.ts"
import { FreightError } from "../../src/base/errors.ts"
import { parseCreatedAt } from "../../src/ledger/possible.ts"
import type { Order } from "./orders.ts"
import type { Chance, SimulatedTime } from "./time.ts"
import { HOUR, SECOND } from "./time.ts"

export interface Service {
  name: string
  /** Where it answers; those who are told use the last one. */
  addresses: string[]
  isDown: boolean
  tenants: Tenant[]
  /** Oldest first. */
  shipments: Shipment[]
  /** Its list is in the order of the dates that shipments have, otherwise in that in which they were made. */
  sortsByDate: boolean
  /** In front of the ids of its connectors and shipments: two sandboxes on one machine give the same ones. */
  prefix: string
}

/** Whose orders are compared: one account at a service, whatever its keys. */
export interface Tenant {
  name: string
  service: Service
  connectors: Connector[]
  keys: ApiKey[]
  /** The printing service's. */
  printAddress: string
  /** Nobody else prints there: a desk may do without a freight key. */
  printsAlone: boolean
  /** Companies whose goods one warehouse sends have the same sender. */
  sender: string
  orders: { count: number; recent: { n: number; variant: number; number?: string }[] }
}

export interface Connector {
  id: string
  isActive: boolean
}

export interface ApiKey {
  fingerprint: string
  printFingerprint: string
  tenant: Tenant
  /** It is shown only what it booked itself. */
  isBlind: boolean
  /** It is not shown its tenant's main connector. */
  isNarrow: boolean
  isRevoked: boolean
}

export interface Shipment {
  id: string
  tenant: Tenant
  key: ApiKey
  order: Order
  /** By true time. */
  at: number
  /** The wrong date that its service gives instead. */
  dated?: string
  /** Lists show it late. */
  visibleFrom: number
  hasPickup: boolean
  /** Its carrier has given it no number yet, or another one since. */
  waits: boolean
  isRenumbered: boolean
  /** As people were told on the phone. */
  isCancelled: boolean
}

const MAX_LAG = 50 * SECOND
/** As many as a list has: with more of them each step would take longer. */
const MAX_LISTED = 400

/** Local time without its zone, an hour ahead, and what no clock says. */
const WRONG_DATES: readonly ((now: number) => string)[] = [
  (now) => new Date(now + 11 * HOUR).toISOString().slice(0, 19),
  (now) => new Date(now + HOUR).toISOString(),
  () => "2099-01-01T00:00:00Z",
  () => "1970-01-01T10:00:00Z",
]

export function makeShipment(
  order: Order,
  key: ApiKey,
  { time, chance }: { time: SimulatedTime; chance: Chance },
): Shipment {
  const { service } = key.tenant
  const lag = chance.of(0.7) ? 0 : chance.next() ** 2 * MAX_LAG
  const shipment: Shipment = {
    id: `${service.prefix}shp-${service.shipments.length + 1}`,
    ...{
      tenant: key.tenant,
      key,
      order,
      at: time.now(),
      visibleFrom: time.now() + lag,
      hasPickup: false,
      isCancelled: false,
      isRenumbered: false,
      waits: chance.of(0.2),
    },
    ...(chance.of(0.05) && { dated: chance.pick(WRONG_DATES)(time.now()) }),
  }
  service.shipments.push(shipment)
  return shipment
}

export function findShipment({ shipments, prefix }: Service, id: string): Shipment | undefined {
  return id.startsWith(`${prefix}shp-`) ? shipments[Number(id.slice(prefix.length + 4)) - 1] : undefined
}

interface ApiOptions {
  time: SimulatedTime
  chance: Chance
  /** How much the clock of the machine is ahead. */
  ahead: number
  /** Called when a shipment of the key's own tenant is not shown to it. */
  missed?: (shipment: Shipment) => void
}

/** The API of a service, as a key sees it at an address. */
export function openApi(key: ApiKey, address: string, { time, chance, ahead, missed }: ApiOptions) {
  const { tenant } = key
  const { service } = tenant
  const reach = async () => {
    if (chance.of(0.15)) await time.sleep(chance.next() * 3 * SECOND)
    checkReach(key, address)
  }
  const isShown = (shipment: Shipment) =>
    shipment.tenant === tenant && shipment.visibleFrom <= time.now() && (!key.isBlind || shipment.key === key)
  const listed = () => service.shipments.slice(-MAX_LISTED).filter(isShown)
  const api = {
    async listConnectors(): Promise<string[]> {
      await reach()
      return listConnectors(key).map(({ id }) => id)
    },
    async getShipment(id: string) {
      await reach()
      const shipment = findShipment(service, id)
      if (shipment && isShown(shipment)) return { shipment: toDetail(shipment) }
      if (shipment?.tenant === tenant) missed?.(shipment)
      throw new FreightError("notFound", "no such shipment")
    },
    async listShipments({ limit = 50, offset = 0 } = {}) {
      await reach()
      const all = listed().reverse()
      if (service.sortsByDate) all.sort((one, other) => dateOf(other) - dateOf(one))
      return { shipments: all.slice(offset, offset + limit).map(toDetail), total: all.length, limit, offset }
    },
    clockOffset: () => -ahead,
  }
  return {
    freight: api as unknown as FreightApi,
    listConnectors: api.listConnectors,
    /** The list now. */
    listed,
    async sees(id: string): Promise<boolean> {
      try {
        await api.getShipment(id)
        return true
      } catch (error) {
        if (error instanceof FreightError && error.kind === "notFound") return false
        throw error
      }
    },
  }
}

/** @throws FreightError where nothing answers, or the key is not valid any more: then nothing is made */
export function checkReach({ tenant, isRevoked }: ApiKey, address: string): void {
  const { addresses, isDown } = tenant.service
  if (isDown || !addresses.includes(address)) throw new FreightError("unavailable", "nobody answers")
  if (isRevoked) throw new FreightError("unauthenticated", "the key is not valid", { status: 401 })
}

/** The active connectors that a key is shown. */
export function listConnectors({ tenant, isNarrow }: ApiKey): Connector[] {
  return tenant.connectors.filter(({ isActive }, n) => isActive && (n > 0 || !isNarrow))
}

export function dateOf(shipment: Shipment): number {
  return parseCreatedAt(toDetail(shipment)).at
}

export function toDetail({ id, at, dated, hasPickup, order }: Shipment): ShipmentDetail {
  const request = order.intent.request as ShipmentDetail
  return {
    ...request,
    id,
    orderNumber: `ORD-${id}`,
    carrier: "CARRIER_C_AU",
    source: "API",
    toSuburb: request.receiver?.suburb,
    createdAt: dated ?? new Date(at).toISOString(),
    pickupStatus: hasPickup ? "BOOKED" : "NOT_BOOKED",
  } as unknown as ShipmentDetail
}
