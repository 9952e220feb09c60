/** How addresses and numbers stand on paper. */
import type { BookingAddress } from "../contract/generated/types.ts"

/** `Mia Tran · 02 9555 0134`; what is absent is left out. */
export function contactOf({
  contactName = "",
  phoneAreaCode = "",
  phoneNumber = "",
}: BookingAddress): string {
  const phone = `${phoneAreaCode} ${phoneNumber}`.trim()
  return [contactName, phone].filter((text) => text.trim()).join(" · ")
}

export function streetOf({ address1, address2 = "" }: BookingAddress): string {
  return [address1, address2].filter((text) => text.trim()).join(", ")
}

export function townOf({ suburb, state, postcode }: BookingAddress): string {
  return `${suburb} ${state} ${postcode}`
}

/** A number to two places at most. */
export function decimal(number: number): string {
  return String(Math.round(number * 100) / 100)
}
