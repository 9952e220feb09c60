/** Time zones of places: of their states, and of the places that keep another time. */
import { DEFAULT_ZONE, stateCode, type StateCode, zoneOfState } from "./zones.ts"

/** A place as far as it is known. */
export interface ZonedPlace {
  suburb?: string | undefined
  state?: string | undefined
}

/** Suburbs with other clocks than their state's, as in the list of places and in people's spelling. */
export const OTHER_CLOCKS: readonly (readonly [
  zone: string,
  state: StateCode,
  suburbs: readonly string[],
])[] = [
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

/** The IANA zone of a place: `WA` → `Australia/Perth`. Undefined if the state is unknown. */
export function zoneOfPlace({ suburb = "", state = "" }: ZonedPlace): string | undefined {
  const code = stateCode(state)
  return code && (OTHER_CLOCK.get(toSuburbKey(suburb, code)) ?? zoneOfState(code))
}

/** The same, with the default if the state is unknown. */
export function zoneOrDefault(place: ZonedPlace): string {
  return zoneOfPlace(place) ?? DEFAULT_ZONE
}

/** The zone of the place of collection: the sender's if no other is given, otherwise the contract's default. */
export function zoneOfCollection({ collection, sender }: { collection?: unknown; sender?: unknown }): string {
  const { suburb, state } = Object(collection ?? sender) as { suburb?: unknown; state?: unknown }
  const text = (value: unknown) => (typeof value === "string" ? value : undefined)
  return zoneOrDefault({ suburb: text(suburb), state: text(state) })
}
