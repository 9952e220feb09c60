/**
 * The tenants of the sandbox, with their carrier accounts, print devices and keys. Ids and keys never change, so that
 * scripts and tests can name them. No connector belongs to two tenants.
 */
import { createHash } from "node:crypto"
import type { Api, Scope } from "../contract/index.ts"
import type { Carrier } from "../contract/generated/types.ts"
import { carrierLetter, CARRIERS } from "../carriers/index.ts"
import { CLAUSES } from "./clauses.ts"
import type { PickupOutcome } from "./events.ts"

export interface Connector {
  readonly id: string
  readonly carrier: Carrier
  readonly name: string
  /** False: hidden, and 404 wherever it is named. */
  readonly active: boolean
  /** Set if the connector books a pickup with every shipment: the result of that. */
  readonly autoPickup?: PickupOutcome
  /** Used by carrier C where `collection` has no email. */
  readonly fallbackEmail?: string
}

export interface Device {
  readonly id: string
  readonly label: string
  readonly printerName: string | null
  readonly createdAt: string
  readonly revoked: boolean
}

export interface Tenant {
  readonly id: string
  /** Freight access is active; without it every freight call is a 403. */
  readonly freight: boolean
  /** Direct print is enabled; without it printing a label is a 403. */
  readonly directPrint: boolean
  readonly connectors: readonly Connector[]
  readonly devices: readonly Device[]
}

export interface Key {
  readonly name: string
  readonly api: Api
  readonly tenant: Tenant
  readonly scopes: readonly Scope[]
  readonly revoked: boolean
  /** Sees only the shipments that were booked with it. */
  readonly limited: boolean
  /** The key for the Authorization header: a prefix and 64 hexadecimal characters. */
  readonly secret: string
}

const CREATED = "2026-01-05T00:00:00.000Z"

function connector(id: string, carrier: Carrier, name: string, more: Partial<Connector> = {}): Connector {
  return { id, carrier, name, active: true, ...more }
}

const [A, B, C] = CARRIERS

function device(id: string, label: string, printerName: string | null, revoked = false): Device {
  return { id, label, printerName, createdAt: CREATED, revoked }
}

/** One account with each carrier: `PREFIX-a`, `PREFIX-b` and so on. */
function ordinaryConnectors(prefix: string): Connector[] {
  return CARRIERS.map((carrier) => {
    const letter = carrierLetter(carrier)
    const fallback = CLAUSES[carrier].wantsCollectionEmail && { fallbackEmail: "dispatch@sandbox.example" }
    return connector(`${prefix}-${letter.toLowerCase()}`, carrier, `Carrier ${letter} account`, {
      ...fallback,
    })
  })
}

const MAIN: Tenant = {
  id: "tenant-main",
  freight: true,
  directPrint: true,
  connectors: ordinaryConnectors("connector"),
  devices: [
    device("device-dispatch", "Dispatch desk", "Zebra ZD421"),
    device("device-bench", "Packing bench 2", null),
    device("device-retired", "Old office printer", "Brother QL-820", true),
  ],
}

/** A tenant with several connectors of one carrier, one switched off, and pickups that book themselves. */
const SECOND: Tenant = {
  id: "tenant-second",
  freight: true,
  directPrint: true,
  connectors: [
    connector("second-a-sydney", A, "Carrier A, Sydney warehouse"),
    connector("second-a-perth", A, "Carrier A, Perth warehouse"),
    connector("second-a-auto-pickup", A, "Carrier A, pickup with each booking", { autoPickup: "BOOKED" }),
    connector("second-b-pickup-fails", B, "Carrier B, pickups fail", { autoPickup: "FAILED" }),
    connector("second-b-pickup-lost", B, "Carrier B, pickups are not recorded", {
      autoPickup: "UNRECORDED",
    }),
    connector("second-b-inactive", B, "Carrier B, switched off", { active: false }),
    connector("second-c-no-email", C, "Carrier C, no fallback email"),
  ],
  devices: [device("device-second", "Second tenant's printer", "Dymo 5XL")],
}

const THIRD: Tenant = {
  id: "tenant-third",
  freight: true,
  directPrint: true,
  connectors: ordinaryConnectors("third"),
  devices: [],
}

/** A carrier whose only account is switched off: tracking with it is a 404. */
const INACTIVE: Tenant = {
  id: "tenant-inactive",
  freight: true,
  directPrint: true,
  connectors: [
    connector("inactive-a", A, "Carrier A account"),
    connector("inactive-b", B, "Carrier B, switched off", { active: false }),
  ],
  devices: [],
}

const NO_FREIGHT: Tenant = {
  ...MAIN,
  id: "tenant-no-freight",
  freight: false,
  connectors: ordinaryConnectors("no-freight"),
}
const NO_DIRECT_PRINT: Tenant = {
  id: "tenant-no-direct-print",
  freight: true,
  directPrint: false,
  connectors: ordinaryConnectors("no-direct-print"),
  devices: [],
}

const PREFIX: Record<Api, string> = { freight: "sandbox_freight_", "direct-print": "sandbox_print_" }
const ALL: readonly Scope[] = ["devices:read", "print-jobs:write"]

function key(name: string, api: Api, tenant: Tenant, more: Partial<Key> = {}): Key {
  const hex = createHash("sha256").update(`freight sandbox key ${name}`).digest("hex")
  const secret = PREFIX[api] + hex
  return { name, api, tenant, scopes: ALL, revoked: false, limited: false, secret, ...more }
}

export const MAIN_FREIGHT_KEY = key("freight", "freight", MAIN)
export const MAIN_PRINT_KEY = key("directPrint", "direct-print", MAIN)

export const KEYS: ReadonlyMap<string, Key> = new Map(
  [
    MAIN_FREIGHT_KEY,
    MAIN_PRINT_KEY,
    key("freight2", "freight", MAIN),
    key("freight3", "freight", MAIN),
    key("freightLimited", "freight", MAIN, { limited: true }),
    key("secondTenantFreight", "freight", SECOND),
    key("secondTenantFreight2", "freight", SECOND),
    key("secondTenantDirectPrint", "direct-print", SECOND),
    key("thirdTenantFreight", "freight", THIRD),
    key("inactiveCarrierFreight", "freight", INACTIVE),
    key("noFreightAccess", "freight", NO_FREIGHT),
    key("noDirectPrint", "freight", NO_DIRECT_PRINT),
    key("withoutDevicesRead", "direct-print", MAIN, { scopes: ["print-jobs:write"] }),
    key("withoutPrintJobsWrite", "direct-print", MAIN, { scopes: ["devices:read"] }),
    key("revokedFreight", "freight", MAIN, { revoked: true }),
    key("revokedDirectPrint", "direct-print", MAIN, { revoked: true }),
  ].map((one) => [one.secret, one]),
)

const CONNECTORS: ReadonlyMap<string, Connector> = new Map(
  Array.from(KEYS.values(), ({ tenant }) => tenant.connectors)
    .flat()
    .map((one) => [one.id, one]),
)

export function connectorById(id: string): Connector | undefined {
  return CONNECTORS.get(id)
}
