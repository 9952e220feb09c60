import { plainText } from "../base/plain-text.ts"
import type { BookingAddress } from "./generated/types.ts"
import { formatPlace } from "./places.ts"

export function addressLine(address: BookingAddress): string {
  const { companyName, contactName, address1, address2 } = address
  return [companyName, contactName, address1, address2, formatPlace(address)].filter(Boolean).join(", ")
}

/** Company and place of an address, the same in every notation. */
export function placeParts(address: BookingAddress): string[] {
  const { companyName, address1, address2 = "", suburb, state, postcode } = address
  return [companyName, address1, address2, suburb, state, postcode].map(plainText)
}
