/** Addresses whose suburb and postcode cannot both be right. */
import {
  type AddressJudge,
  checkPostcode,
  formatPlaces,
  isPostBox,
  type PlaceDoubt,
  stateCode,
  statesOfPostcode,
} from "../../contract/index.ts"
import type { Books, Part } from "./books.ts"
import type { Glance } from "./glance.ts"
import { type DocumentRule, NO_FINDINGS, type RuleFinding } from "./rule.ts"

const ADDRESSES = ["billTo", "soldTo", "shipTo", "remitTo"] as const

export const ADDRESS_RULES: readonly DocumentRule[] = [
  {
    id: "accounting/address-postcode",
    title: "suburb and postcode belong together",
    about:
      "A suburb that exists, with a postcode of another place: one of the two is wrong. A suburb that freight does not know is not reported, nor is anything outside Australia. The library freight-cli/invoice checks it with the places of its loadPlaces.",
    basis: "The localities of Australia (G-NAF).",
    judges: "parties",
    passes: (glance) => listAddresses(glance).every((each) => findDoubt(each, glance.places) === undefined),
    check: checkAddresses,
  },
  {
    id: "accounting/address-state",
    title: "state and postcode belong together",
    about:
      "Each Australian address has one of the eight states and territories, as a code or in full, and a postcode of four digits that is used there. Bookings refuse others.",
    basis: "Australia Post: postcodes are given out by state; some serve places across a border.",
    judges: "parties",
    passes: (glance) => listAddresses(glance).every((each) => findStateError(each) === undefined),
    check: ({ data }) => listParts(data).flatMap(checkState),
  },
]

/** States with postcodes that are sound: a run has the same few again and again. */
const soundPairs = new Set<string>()
const MAX_PAIRS = 1000

/** Undefined for an address whose state and postcode are sound, or that has none. */
function findStateError(address: unknown): { field: string; message: string; hint?: string } | undefined {
  const { postalCode, country, state } = Object(address) as Readonly<Record<string, unknown>>
  if (typeof state !== "string" || typeof postalCode !== "string") return undefined
  if (country !== undefined && country !== "AU") return undefined
  // Jervis Bay is a territory of its own on paper, and has the postcode of its neighbours.
  if (state.trim().toUpperCase() === "JBT" && postalCode === "2540") return undefined
  const pair = `${state} ${postalCode}`
  if (soundPairs.has(pair)) return undefined
  const [error] = checkPostcode({ state, postcode: postalCode }, [])
  if (!error) {
    if (soundPairs.size < MAX_PAIRS) soundPairs.add(pair)
    return undefined
  }
  const { message, hint } = error
  // Where a state has no such postcode, the state is named: the suburb has a rule for its postcode.
  const isPostcode = stateCode(state) !== undefined && statesOfPostcode(postalCode).length === 0
  return { field: isPostcode ? "postalCode" : "state", message, ...(hint !== undefined && { hint }) }
}

function checkState(part: Part): readonly RuleFinding[] {
  const error = findStateError(part.fields)
  if (!error || part.isBroken(error.field)) return NO_FINDINGS
  const { field, ...words } = error
  return [{ pointer: part.at(field), ...words }]
}

function checkAddresses({ data, places }: Books): readonly RuleFinding[] {
  if (!places) return NO_FINDINGS
  return listParts(data).flatMap((part) => {
    const doubt = findDoubt(part.fields, places)
    if (!doubt) return []
    const near = formatPlaces(doubt.near)
    return [
      {
        pointer: part.at("postalCode"),
        message: `${part.text("postalCode")} is not a postcode of ${part.text("city")}`,
        ...(near !== "" && { hint: `did you mean ${near}?` }),
      },
    ]
  })
}

const DESERT_POSTCODE = "0872"

/** Undefined for an address that is sound, or cannot be judged. */
function findDoubt(address: unknown, places: AddressJudge | undefined): PlaceDoubt | undefined {
  const { city, postalCode, country, state, street1 } = Object(address) as Readonly<Record<string, unknown>>
  if (typeof city !== "string" || typeof postalCode !== "string") return undefined
  if (typeof country === "string" && country !== "AU") return undefined
  const place = { suburb: city, postcode: postalCode, ...(typeof state === "string" && { state }) }
  const doubt = places?.findContradiction(place)
  // Boxes have postcodes of their own, and so have communities of the deserts of three states.
  if (postalCode === DESERT_POSTCODE) return undefined
  return doubt && typeof street1 === "string" && isPostBox(street1) ? undefined : doubt
}

function listAddresses({ data, supplier }: Pick<Glance, "data" | "supplier">): readonly unknown[] {
  return [data.billTo, data.soldTo, data.shipTo, data.remitTo, supplier.address].filter(
    (each) => each !== undefined,
  )
}

function listParts(data: Part): Part[] {
  return [...ADDRESSES.map((name) => data.part(name)), data.part("supplier").part("address")]
}

/** Whether a document has an address that may be judged. */
export function hasAddress(value: unknown): boolean {
  const { data } = Object(value) as { data?: unknown }
  const known = Object(data) as Record<string, unknown>
  const { address } = Object(known.supplier) as { address?: unknown }
  return [...ADDRESSES.map((name) => known[name]), address].some((each) => {
    const { city, postalCode } = Object(each) as { city?: unknown; postalCode?: unknown }
    return typeof city === "string" && typeof postalCode === "string"
  })
}
