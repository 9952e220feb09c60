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

/** A place as far as it is known. */
export interface ZonedPlace {
  suburb?: string | undefined
  state?: string | undefined
}

/** Suburbs whose clocks are not their state's, as the list of places has them and as people write them. */
const OTHER_CLOCKS: readonly (readonly [zone: string, state: StateCode, suburbs: readonly string[]])[] = [
  ["Australia/Adelaide", "NSW", ["Broken Hill", "South Broken Hill", "North Broken Hill", "Silverton"]],
  ["Australia/Eucla", "WA", ["Eucla", "Mundrabilla", "Madura", "Cocklebiddy"]],
  ["Australia/Eucla", "SA", ["Border Village"]],
  ["Australia/Lord_Howe", "NSW", ["Lord Howe Island", "Lord Howe"]],
  ["Pacific/Norfolk", "NSW", ["Norfolk Island"]],
  ["Indian/Christmas", "WA", ["Christmas Island"]],
  [
    "Indian/Cocos",
    "WA",
    ["West Island", "Home Island", "Cocos Island", "Cocos Islands", "Cocos (Keeling) Islands"],
  ],
]

const OTHER_CLOCK = new Map(
  OTHER_CLOCKS.flatMap(([zone, state, suburbs]) =>
    suburbs.map((suburb) => [toSuburbKey(suburb, state), zone] as const),
  ),
)

function toSuburbKey(suburb: string, state: StateCode): string {
  return `${suburb.trim().replace(/\s+/g, " ").toUpperCase()} ${state}`
}

/** The IANA zone of a place's clocks: `WA` → `Australia/Perth`. Undefined where the state is not known. */
export function zoneOfPlace({ suburb = "", state = "" }: ZonedPlace): string | undefined {
  const code = stateCode(state)
  return code && (OTHER_CLOCK.get(toSuburbKey(suburb, code)) ?? STATES[code].zone)
}

/** The same, and the default where the state is not known. */
export function zoneOrDefault(place: ZonedPlace): string {
  return zoneOfPlace(place) ?? DEFAULT_ZONE
}

/** Whether the server knows this zone; names are case-sensitive. */
export function isContractZone(zone: string): zone is ContractZone {
  return CONTRACT_ZONES.some((known) => known === zone)
}

/** The zone of the place of collection: the sender's where no other is named, the contract's default where none is. */
export function zoneOfCollection({ collection, sender }: { collection?: unknown; sender?: unknown }): string {
  const { suburb, state } = Object(collection ?? sender) as { suburb?: unknown; state?: unknown }
  const text = (value: unknown) => (typeof value === "string" ? value : undefined)
  return zoneOrDefault({ suburb: text(suburb), state: text(state) })
}
