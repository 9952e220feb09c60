/** Addresses whose suburb and postcode cannot both be right. */
import { formatPlaces } from "../../contract/place-doubts.ts"
import { isPostBox } from "../../contract/post-boxes.ts"
import type { Books, Part } from "./books.ts"
import { type DocumentRule, NO_FINDINGS, type RuleFinding } from "./rule.ts"

const ADDRESSES = ["billTo", "soldTo", "shipTo", "remitTo"] as const

export const ADDRESS_RULES: readonly DocumentRule[] = [
  {
    id: "accounting/address-postcode",
    title: "suburb and postcode belong together",
    about:
      "A suburb that exists, with a postcode of another place: one of the two is wrong. A suburb that freight does not know is not reported, nor is anything outside Australia. The library freight-cli/invoice does not check this.",
    basis: "The localities of Australia (G-NAF).",
    check: checkAddresses,
  },
]

function checkAddresses({ data, places }: Books): readonly RuleFinding[] {
  if (!places) return NO_FINDINGS
  const found: RuleFinding[] = []
  for (const part of listAddresses(data)) {
    const [suburb, postcode] = [part.text("city"), part.text("postalCode")]
    const country = part.text("country")
    if (suburb === undefined || postcode === undefined || (country !== undefined && country !== "AU"))
      continue
    const state = part.text("state")
    // Boxes have postcodes of their own.
    if (isPostBox(part.text("street1") ?? "")) continue
    const doubt = places.findContradiction({ suburb, postcode, ...(state !== undefined && { state }) })
    if (!doubt) continue
    const [pointer, near] = [part.at("postalCode"), formatPlaces(doubt.near)]
    found.push({
      pointer,
      message: `${postcode} is not a postcode of ${suburb}`,
      ...(near !== "" && { hint: `did you mean ${near}?` }),
    })
  }
  return found
}

function* listAddresses(data: Part): Generator<Part> {
  for (const name of ADDRESSES) if (data.has(name)) yield data.part(name)
  const supplier = data.part("supplier")
  if (supplier.has("address")) yield supplier.part("address")
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
