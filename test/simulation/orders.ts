/** The orders that people give, with their meaning. */
import type { ConsignmentBookingRequest } from "../../src/contract/generated/types.ts"
import { referenceHash } from "../../src/ledger/content.ts"
import type { Intent } from "../../src/ledger/create.ts"
import type { Kind } from "../../src/ledger/entry.ts"
import { returnKey } from "../../src/ledger/returns.ts"
import { type ApiKey, type Connector, listConnectors, type Shipment, type Tenant } from "./services.ts"
import type { Chance } from "./time.ts"

export interface Order {
  tenant: Tenant
  kind: Kind
  /** The order's number as people give it, or a key that freight generates. */
  number?: string
  isNumberGenerated: boolean
  /** The same for all spellings of a number that people give. */
  numberMeant?: string
  /** A person means a second one. */
  again: boolean
  /** It takes the place of what its carrier has cancelled. */
  replaces: boolean
  /** Which booking it is, and with how many items. */
  booking?: { n: number; variant: number }
  /** It brings an order back: which, whatever the spelling of its number, and what of it. */
  brings?: { order: string; part: Part }
  /** The same for all that is equal, or has one reference. */
  goods: string
  /** The same for what is equal to the last detail. */
  content: string
  /** The same for what a service shows alike: it does not say with which connector it was booked. */
  details: string
  /** Shipments that a pickup collects, or whose label is printed. */
  shipments: readonly Shipment[]
  connector?: Connector
  intent: Pick<Intent, "content" | "referenceHash" | "call" | "request" | "facts" | "written">
}

/** Which of an order's two packages. */
export type Part = "both" | "small" | "large"

/** So many orders of a tenant are asked for again and again, by all its keys. */
const RECENT = 8
/** Shipments of a tenant that people still pick up and print labels of. */
const NEWEST = 10

/** A booking: of an order that was asked for before, or of a new one. */
export function createBooking(key: ApiKey, chance: Chance): Order | undefined {
  const { orders } = key.tenant
  const isOld = orders.recent.length > 0 && chance.of(0.6)
  const base = isOld ? chance.pick(orders.recent) : { n: ++orders.count, variant: 0 }
  const variant = base.variant + (chance.of(0.03) ? 1 : 0)
  const how = chance.next()
  const other = Math.floor(chance.next() * 3)
  const spelling = chance.of(0.2) ? chance.pick(SPELLINGS) : undefined
  const number =
    how < 0.4
      ? (spelling?.(base.n) ?? base.number ?? `PO-${base.n}`)
      : how < 0.5
        ? `PO-${base.n}-${other}`
        : how < 0.7
          ? `w-${base.n}-${other}`
          : undefined
  orders.recent.push({ n: base.n, variant, ...(number !== undefined && { number }) })
  if (orders.recent.length > RECENT) orders.recent.shift()
  return toBooking(key, base.n, {
    variant,
    again: chance.of(0.05),
    isNumberGenerated: how >= 0.5 && how < 0.7,
    ...(number !== undefined && { number }),
  })
}

/** `PO-7`, as people and programs write it too. */
const SPELLINGS: readonly ((n: number) => string)[] = [
  (n) => `po ${n}`,
  (n) => `PO00${n}`,
  (n) => `PO/${n}`,
  (n) => `PO-${n}`,
]

/** The same text for all spellings of a number. Other numbers in this file do not have the form of PO-7. */
function findMeaning(number: string): string {
  const [, n] = /^PO\D?0*(\d+)$/i.exec(number) ?? []
  return n === undefined ? number : `PO-${n}`
}

/** @returns undefined where the key is shown no connector */
export function toBooking(
  key: ApiKey,
  n: number,
  {
    variant = 0,
    again = false,
    replaces = false,
    isNumberGenerated = false,
    number,
  }: Partial<Pick<Order, "again" | "replaces" | "isNumberGenerated" | "number">> & { variant?: number } = {},
): Order | undefined {
  const { tenant } = key
  const connectors = listConnectors(key)
  const connector = connectors[n % connectors.length]
  if (!connector) return undefined
  const request = createRequest(n, variant, tenant.sender)
  const details = `booking ${n}/${variant}`
  const content = `${details} on ${connector.id}`
  return {
    ...{
      tenant,
      kind: "shipment",
      again,
      replaces,
      isNumberGenerated,
      shipments: [],
      connector,
      content,
      details,
    },
    booking: { n, variant },
    ...(number !== undefined && { number, numberMeant: findMeaning(number) }),
    goods: request.customerReference === undefined ? content : `reference ${n}`,
    intent: {
      content: { connectorId: connector.id, ...request },
      referenceHash: referenceHash(request.customerReference, request.receiver),
      call: `POST /${connector.id}/shipments`,
      request,
      facts: { connectorId: connector.id, carrier: "CARRIER_C_AU", about: request.receiver.companyName },
    },
  }
}

/**
 * A return of an order or of one of its packages, under the key that freight generates from its number, or under one that
 * a person gives.
 */
export function createReturn(key: ApiKey, chance: Chance): Order | undefined {
  const { tenant } = key
  const [connector] = listConnectors(key)
  if (!connector || tenant.orders.recent.length === 0) return undefined
  const { n } = chance.pick(tenant.orders.recent)
  const written = chance.pick(SPELLINGS)(n)
  const part = chance.pick<Part>(["both", "small", "large"])
  const packages = PACKAGES[part]
  const again = chance.of(0.1)
  const isNumberGenerated = chance.of(0.7)
  const named = isNumberGenerated
    ? `${returnKey(written, part === "both" ? [] : packages)}${again ? "#2" : ""}`
    : `RMA-${n}-${part}`
  const there = createRequest(n, 0, tenant.sender)
  const request = {
    ...there,
    ...{ sender: there.receiver, receiver: { ...there.sender }, collection: there.receiver, packages },
    items: { ...there.items, count: packages.length },
    customerReference: named,
  }
  const details = `return ${n} ${part}`
  return {
    ...{ tenant, kind: "shipment", again, replaces: false, isNumberGenerated, shipments: [], connector },
    ...{ number: named, content: `${details} as ${named}`, goods: `${details} as ${named}`, details },
    brings: { order: `PO-${n}`, part },
    intent: {
      content: { connectorId: connector.id, ...request },
      referenceHash: referenceHash(request.customerReference, request.receiver),
      call: `POST /${connector.id}/shipments`,
      request,
      written: { fields: { packages }, returned: PACKAGES.both },
      facts: {
        ...{ connectorId: connector.id, carrier: "CARRIER_C_AU", about: request.receiver.companyName },
        own: { returnOf: written },
      },
    },
  }
}

const SMALL = { count: 1, lengthCm: 30, widthCm: 20, heightCm: 10, weightKg: 2 }
const LARGE = { count: 1, lengthCm: 60, widthCm: 40, heightCm: 30, weightKg: 9 }
const PACKAGES: Readonly<Record<Part, readonly (typeof SMALL)[]>> = {
  both: [SMALL, LARGE],
  small: [SMALL],
  large: [LARGE],
}

/** A pickup of one or two shipments, or of goods on their own. */
export function createPickup({ tenant }: ApiKey, chance: Chance): Order | undefined {
  const newest = findNewest(tenant)
  const isAlone = chance.of(0.1)
  if (newest.length === 0 && !isAlone) return undefined
  const shipments = isAlone ? [] : [chance.pick(newest)]
  const second = chance.of(0.2) ? chance.pick(newest) : undefined
  if (second && !isAlone && !shipments.includes(second)) shipments.push(second)
  const ids = shipments.map(({ id }) => id)
  const what = isAlone ? `goods ${Math.floor(chance.next() * 5)}` : ids.join(" and ")
  const [connector] = tenant.connectors
  if (!connector) return undefined
  const how = chance.next()
  const again = chance.of(0.06)
  const isCommon = shipments.length > 1
  return {
    ...{
      tenant,
      kind: "pickup",
      again,
      replaces: false,
      shipments,
      connector,
      goods: what,
      content: what,
      details: what,
    },
    isNumberGenerated: isCommon || how < 0.2,
    ...((isCommon || (how < 0.4 && !again)) && { number: `PU-${what}` }),
    intent: {
      content: {
        connectorId: connector.id,
        ...(ids.length === 1 ? { shipmentId: ids[0] } : { goods: what }),
      },
      call: `POST /${connector.id}/pickups`,
      request: ids.length === 1 ? { shipmentId: ids[0] } : {},
      facts: { connectorId: connector.id, ...(ids.length === 1 && { shipmentId: ids[0] }) },
    },
  }
}

/** A label, through the freight API; or any PDF, through that of the printers. */
export function createPrint({ tenant }: ApiKey, kind: "label-print" | "pdf-print", chance: Chance): Order {
  const newest = findNewest(tenant)
  const shipments = kind === "label-print" && newest.length > 0 ? [chance.pick(newest)] : []
  const deviceId = `device-${tenant.name}`
  const name = shipments[0]?.id ?? `page-${Math.floor(chance.next() * 6)}`
  const how = chance.next()
  return {
    ...{
      tenant,
      kind,
      shipments,
      again: chance.of(0.08),
      replaces: false,
      goods: name,
      content: name,
      details: name,
    },
    isNumberGenerated: how < 0.2,
    ...(how < 0.5 && { number: `PR-${name}` }),
    intent: {
      content: { name, deviceId, copy: 1 },
      call: kind === "label-print" ? `POST /shipments/${name}/print` : "POST /print-jobs",
      request: { deviceId },
      facts: { deviceId, ...(kind === "label-print" && { shipmentId: name }) },
    },
  }
}

function findNewest(tenant: Tenant): Shipment[] {
  return tenant.service.shipments.filter((each) => each.tenant === tenant).slice(-NEWEST)
}

function createRequest(n: number, variant: number, sender: string): ConsignmentBookingRequest {
  const place = {
    companyName: `Company ${n % 50}`,
    contactName: "Ann",
    phoneAreaCode: "02",
    phoneNumber: "55501234",
    address1: "1 Long Street",
    suburb: `Suburb ${n % 500}`,
    state: "WA" as const,
    postcode: "6160",
  }
  return {
    sender: { ...place, companyName: sender },
    collection: place,
    receiver: place,
    items: { count: 1 + variant, totalWeightKg: 5, maxLengthCm: 10, maxWidthCm: 10, maxHeightCm: 10 },
    packages: [],
    serviceCode: "STD",
    dangerousGoods: false,
    ...(n % 10 !== 0 && { customerReference: `REF-${n}` }),
    collectionDateTime: "2026-11-23T10:00:00",
    collectionCloseTime: "1700",
    payer: { type: "Sender" },
  } as unknown as ConsignmentBookingRequest
}
