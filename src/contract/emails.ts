/** Email addresses of a booking. The contract gives them no form, so nothing here is more than a warning. */
import type { Carrier, ConsignmentBookingRequest } from "./generated/types.ts"
import { quoted } from "./parsed.ts"
import { missingAt, type Path, problemAt, type RuleProblem } from "./rule.ts"

const PLAUSIBLE = /^[^\s@,;<>]+@[^\s@,;<>.]+(?:\.[^\s@,;<>.]+)+$/

/** Carrier C wants an email on `collection`, or one on the connector, which a client cannot see (BookingAddress). */
export function collectionEmailWarnings(
  collection: ConsignmentBookingRequest["collection"],
  carrier: Carrier | undefined,
): RuleProblem[] {
  if (carrier !== "CARRIER_C_AU" || collection.email !== undefined) return []
  return [
    missingAt(
      ["collection", "email"],
      "collectionEmail",
      "is missing: carrier C refuses the booking unless the connector has an address to fall back to",
    ),
  ]
}

/** Warnings for addresses that no mail can reach. */
export function emailWarnings(booking: ConsignmentBookingRequest): RuleProblem[] {
  const { alertAddresses = [], bexAlerts = [] } = booking
  return [
    ...(["sender", "collection", "receiver"] as const).flatMap((party) =>
      implausible([party, "email"], booking[party].email),
    ),
    ...alertAddresses.flatMap(({ email }, index) => implausible(["alertAddresses", index, "email"], email)),
    ...bexAlerts.flatMap(({ emailAddress }, index) =>
      implausible(["bexAlerts", index, "emailAddress"], emailAddress),
    ),
  ]
}

function implausible(path: Path, email: string | undefined): RuleProblem[] {
  if (email === undefined || PLAUSIBLE.test(email)) return []
  return [problemAt(path, "email", `${quoted(email)} does not look like an email address`)]
}
