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
  return CODE_OF.get(text) ?? CODE_OF.get(text.replaceAll(".", "").trim().replace(/\s+/g, " ").toUpperCase())
}

/** `WA` → `Australia/Perth` */
export function zoneOfState(code: StateCode): ContractZone {
  return STATES[code].zone
}

/** Whether the server knows this zone; names are case-sensitive. */
export function isContractZone(zone: string): zone is ContractZone {
  return CONTRACT_ZONES.some((known) => known === zone)
}
