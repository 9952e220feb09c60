/** States and territories, and the seven zones that the freight API knows (RateRequest `timezone`). */

/** Each state and territory: its name, and the zone of its clocks. */
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

/** The zones that count. Node knows more for Australia; the server ignores those without a word. */
export const CONTRACT_ZONES: readonly ContractZone[] = [
  ...new Set(STATE_CODES.map((code) => STATES[code].zone)),
]

/** Where the contract reckons when it knows no better. */
export const DEFAULT_ZONE: ContractZone = "Australia/Sydney"

const CODE_OF = new Map<string, StateCode>(
  STATE_CODES.flatMap((code) => [[code, code] as const, [STATES[code].name.toUpperCase(), code] as const]),
)

/** The code of a state or territory written as code or name, in any case: `New South Wales`, `n.s.w.` → `NSW`. */
export function stateCode(text: string): StateCode | undefined {
  return CODE_OF.get(text.replaceAll(".", "").trim().replace(/\s+/g, " ").toUpperCase())
}

/** The zone of a state's clocks: `WA` → `Australia/Perth`. Towns that keep a neighbour's time are not known. */
export function zoneOfState(state: string): ContractZone | undefined {
  const code = stateCode(state)
  return code && STATES[code].zone
}

/** Whether the server heeds this zone; names are compared exactly. */
export function isContractZone(zone: string): zone is ContractZone {
  return CONTRACT_ZONES.some((known) => known === zone)
}
