import type { BookingAddress } from "./generated/types.ts"

export function addressLine(address: BookingAddress): string {
  const { companyName, contactName, address1, address2, suburb, state, postcode } = address
  return [companyName, contactName, address1, address2, `${suburb} ${state} ${postcode}`]
    .filter(Boolean)
    .join(", ")
}
