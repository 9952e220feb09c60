/** States and territories, and the seven zones of the freight API (RateRequest `timezone`). */

const STATES = {
  NSW: { name: "New South Wales", zone: "Australia/Sydney" },
  VIC: { name: "Victoria", zone: "Australia/Melbourne" },
  QLD: { name: "Queensland", zone: "Australia/Brisbane" },
  SA: { name: "South Australia", zone: "Australia/Adelaide" },
  WA: { name: "Western Australia", zone: "Australia/Perth" },
  TAS: { name: "Tasmania", zone: "Australia/Hobart" },
  NT: { name: "Northern Territory", zone: "Australia/Darwin" },
  ACT: { name: "Australian Capital Territory", zone: "Australia/Sydney" },
} as const

export type StateCode = keyof typeof STATES
export type ContractZone = (typeof STATES)[StateCode]["zone"]

export const STATE_CODES = Object.keys(STATES) as readonly StateCode[]

/** The server silently ignores other Australian zones. */
export const CONTRACT_ZONES: readonly ContractZone[] = [
  ...new Set(STATE_CODES.map((code) => STATES[code].zone)),
]

export const DEFAULT_ZONE: ContractZone = "Australia/Sydney"

const CODE_OF = new Map<string, StateCode>(
  STATE_CODES.flatMap((code) => [[code, code] as const, [STATES[code].name.toUpperCase(), code] as const]),
)

/** `New South Wales`, `n.s.w.` → `NSW`, in any case. */
export function stateCode(text: string): StateCode | undefined {
  return CODE_OF.get(text.replaceAll(".", "").trim().replace(/\s+/g, " ").toUpperCase())
}

/** `WA` → `Australia/Perth`. Towns with another state's time are not known. */
export function zoneOfState(state: string): ContractZone | undefined {
  const code = stateCode(state)
  return code && STATES[code].zone
}

/** The same, and the default where the state is not known. */
export function zoneOrDefault(state: string | undefined): ContractZone {
  return zoneOfState(state ?? "") ?? DEFAULT_ZONE
}

/** Whether the server knows this zone; names are case-sensitive. */
export function isContractZone(zone: string): zone is ContractZone {
  return CONTRACT_ZONES.some((known) => known === zone)
}

/** The zone of the place of collection: the sender's where no other is named, the contract's default where none is. */
export function zoneOfCollection({
  collection,
  sender,
}: {
  collection?: unknown
  sender?: unknown
}): ContractZone {
  const { state } = Object(collection ?? sender) as { state?: unknown }
  return zoneOrDefault(typeof state === "string" ? state : undefined)
}
