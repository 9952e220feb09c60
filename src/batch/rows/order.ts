/** The order as its row has it, without what flags, the profile and defaults add. */
import type { JsonObject } from "../../booking/schema-fields.ts"
import type { ServiceWish } from "../../booking/wishes.ts"
import type { WrittenOrder } from "../../ledger/order.ts"
import type { Field } from "../columns/fields.ts"
import { PARTIES } from "../columns/words.ts"
import type { ComposedBooking } from "./booking.ts"
import type { Draft } from "./cells.ts"

export function findWritten(
  { values, failed }: Pick<Draft, "values" | "failed">,
  { booking }: Pick<ComposedBooking, "booking">,
  wish: ServiceWish | undefined,
): WrittenOrder {
  const fields: JsonObject = {}
  // What cannot be read of a party or a package leaves nothing to compare.
  const unread = new Set([...failed.values()].map(getTopName))
  for (const { field } of values.values()) {
    const name = getTopName(field)
    const value = name === undefined || unread.has(name) ? undefined : booking[name]
    if (name !== undefined && value !== undefined) fields[name] = value
  }
  // A time of day that a flag adds is not the row's.
  const day = values.get("collectionDateTime")?.value
  if (typeof day === "string" && !day.includes("T") && !values.has("readyTime"))
    fields.collectionDateTime = day
  if (wish?.kind === "code" && values.has("service")) fields.serviceCode = wish.serviceCode
  return { fields, ...(values.has("maxPrice") && { maxPriceCents: wish?.maxPriceCents }) }
}

/** Which field of the booking a column is about; undefined for freight's own. */
function getTopName({ name, path }: Field): string | undefined {
  const [first = ""] = path ?? name.split(".")
  if (first === "package") return "packages"
  return path || PARTIES.some((party) => party === first) ? first : undefined
}
