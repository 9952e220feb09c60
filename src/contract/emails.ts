/** Email addresses of a booking. The contract gives them no form, so nothing here is more than a warning. */
import type { Carrier, ConsignmentBookingRequest } from "./generated/types.ts"
import { type Parsed, parsed, quoted, refused } from "./parsed.ts"
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

/** Warnings for those who are to get alerts and whom no mail can reach. */
export function alertWarnings({
  alertAddresses = [],
  bexAlerts = [],
}: ConsignmentBookingRequest): RuleProblem[] {
  return [
    ...alertAddresses.flatMap(({ email }, index) => emailProblem(["alertAddresses", index, "email"], email)),
    ...bexAlerts.flatMap(({ emailAddress }, index) =>
      emailProblem(["bexAlerts", index, "emailAddress"], emailAddress),
    ),
  ]
}

/** Reads an email address that mail can reach. */
export function parseEmail(text: string): Parsed<string> {
  return PLAUSIBLE.test(text) ? parsed(text) : refused(`${quoted(text)} does not look like an email address`)
}

/** A warning where an email address is given and no mail can reach it. */
export function emailProblem(path: Path, email: string | undefined): RuleProblem[] {
  const read = email === undefined ? undefined : parseEmail(email)
  return read?.ok === false ? [problemAt(path, "email", read.reason)] : []
}
