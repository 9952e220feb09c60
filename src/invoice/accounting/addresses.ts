/** Addresses whose suburb and postcode cannot both be right. */
import { formatPlaces, type PlaceDoubt } from "../../contract/place-doubts.ts"
import { isPostBox } from "../../contract/post-boxes.ts"
import type { AddressJudge, Books, Part } from "./books.ts"
import type { Glance } from "./glance.ts"
import { type DocumentRule, NO_FINDINGS, type RuleFinding } from "./rule.ts"

const ADDRESSES = ["billTo", "soldTo", "shipTo", "remitTo"] as const

export const ADDRESS_RULES: readonly DocumentRule[] = [
  {
    id: "accounting/address-postcode",
    title: "suburb and postcode belong together",
    about:
      "A suburb that exists, with a postcode of another place: one of the two is wrong. A suburb that freight does not know is not reported, nor is anything outside Australia. The library freight-cli/invoice does not check this.",
    basis: "The localities of Australia (G-NAF).",
    judges: "parties",
    passes: (glance) => listAddresses(glance).every((each) => findDoubt(each, glance.places) === undefined),
    check: checkAddresses,
  },
]

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

/** Undefined for an address that is sound, or cannot be judged. */
function findDoubt(address: unknown, places: AddressJudge | undefined): PlaceDoubt | undefined {
  const { city, postalCode, country, state, street1 } = Object(address) as Readonly<Record<string, unknown>>
  if (typeof city !== "string" || typeof postalCode !== "string") return undefined
  if (typeof country === "string" && country !== "AU") return undefined
  const place = { suburb: city, postcode: postalCode, ...(typeof state === "string" && { state }) }
  const doubt = places?.findContradiction(place)
  // Boxes have postcodes of their own.
  return doubt && typeof street1 === "string" && isPostBox(street1) ? undefined : doubt
}

function listAddresses({ data, supplier }: Pick<Glance, "data" | "supplier">): readonly unknown[] {
  return [data.billTo, data.soldTo, data.shipTo, data.remitTo, supplier.address]
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
