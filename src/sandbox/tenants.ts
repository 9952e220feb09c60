/**
 * Who exists in the sandbox: tenants with their carrier accounts and print devices, and the keys that open them.
 * Ids and keys never change, so that scripts and tests can name them.
 */
import { createHash } from "node:crypto"
import type { Api, Scope } from "../contract/endpoints.ts"
import type { Carrier } from "../contract/generated/types.ts"
import type { PickupOutcome } from "./events.ts"

export interface Connector {
  readonly id: string
  readonly carrier: Carrier
  readonly name: string
  /** False: hidden, and 404 wherever it is named. */
  readonly active: boolean
  /** Set when the connector books a pickup with every shipment: what comes of it. */
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
  /** What goes into the Authorization header: a prefix and 64 hexadecimal characters. */
  readonly secret: string
}

const CREATED = "2026-01-05T00:00:00.000Z"

function connector(
  id: string,
  letter: "A" | "B" | "C",
  name: string,
  more: Partial<Connector> = {},
): Connector {
  return { id, carrier: `CARRIER_${letter}_AU`, name, active: true, ...more }
}

function device(id: string, label: string, printerName: string | null, revoked = false): Device {
  return { id, label, printerName, createdAt: CREATED, revoked }
}

const MAIN: Tenant = {
  id: "tenant-main",
  freight: true,
  directPrint: true,
  connectors: [
    connector("connector-a", "A", "Carrier A account"),
    connector("connector-b", "B", "Carrier B account"),
    connector("connector-c", "C", "Carrier C account", { fallbackEmail: "dispatch@sandbox.example" }),
  ],
  devices: [
    device("device-dispatch", "Dispatch desk", "Zebra ZD421"),
    device("device-bench", "Packing bench 2", null),
    device("device-retired", "Old office printer", "Brother QL-820", true),
  ],
}

/** What is unusual: several connectors of one carrier, one switched off, and pickups that book themselves. */
const SECOND: Tenant = {
  id: "tenant-second",
  freight: true,
  directPrint: true,
  connectors: [
    connector("second-a-sydney", "A", "Carrier A, Sydney warehouse"),
    connector("second-a-perth", "A", "Carrier A, Perth warehouse"),
    connector("second-a-auto-pickup", "A", "Carrier A, pickup with each booking", { autoPickup: "BOOKED" }),
    connector("second-b-pickup-fails", "B", "Carrier B, pickups fail", { autoPickup: "FAILED" }),
    connector("second-b-pickup-lost", "B", "Carrier B, pickups are not recorded", {
      autoPickup: "UNRECORDED",
    }),
    connector("second-b-inactive", "B", "Carrier B, switched off", { active: false }),
    connector("second-c-no-email", "C", "Carrier C, no fallback email"),
  ],
  devices: [device("device-second", "Second tenant's printer", "Dymo 5XL")],
}

/** A carrier whose only account is switched off: tracking with it is a 404. */
const INACTIVE: Tenant = {
  id: "tenant-inactive",
  freight: true,
  directPrint: true,
  connectors: [
    connector("inactive-a", "A", "Carrier A account"),
    connector("inactive-b", "B", "Carrier B, switched off", { active: false }),
  ],
  devices: [],
}

const NO_FREIGHT: Tenant = { ...MAIN, id: "tenant-no-freight", freight: false }
const NO_DIRECT_PRINT: Tenant = { ...MAIN, id: "tenant-no-direct-print", directPrint: false, devices: [] }

const PREFIX: Record<Api, string> = { freight: "sandbox_freight_", "direct-print": "sandbox_print_" }
const ALL: readonly Scope[] = ["devices:read", "print-jobs:write"]

function key(name: string, api: Api, tenant: Tenant, scopes: readonly Scope[] = ALL, revoked = false): Key {
  const hex = createHash("sha256").update(`freight sandbox key ${name}`).digest("hex")
  return { name, api, tenant, scopes, revoked, secret: PREFIX[api] + hex }
}

export const MAIN_FREIGHT_KEY = key("freight", "freight", MAIN)
export const MAIN_PRINT_KEY = key("directPrint", "direct-print", MAIN)

export const KEYS: ReadonlyMap<string, Key> = new Map(
  [
    MAIN_FREIGHT_KEY,
    MAIN_PRINT_KEY,
    key("secondTenantFreight", "freight", SECOND),
    key("secondTenantDirectPrint", "direct-print", SECOND),
    key("inactiveCarrierFreight", "freight", INACTIVE),
    key("noFreightAccess", "freight", NO_FREIGHT),
    key("noDirectPrint", "freight", NO_DIRECT_PRINT),
    key("withoutDevicesRead", "direct-print", MAIN, ["print-jobs:write"]),
    key("withoutPrintJobsWrite", "direct-print", MAIN, ["devices:read"]),
    key("revokedFreight", "freight", MAIN, ALL, true),
    key("revokedDirectPrint", "direct-print", MAIN, ALL, true),
  ].map((one) => [one.secret, one]),
)

/** The carrier account of a shipment or pickup, active or not. */
export function connectorById(tenantId: string, connectorId: string): Connector | undefined {
  const tenant = [MAIN, SECOND, INACTIVE, NO_DIRECT_PRINT].find(({ id }) => id === tenantId)
  return tenant?.connectors.find(({ id }) => id === connectorId)
}
