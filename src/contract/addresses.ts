import { type Findings, findErrors, type Path, type RuleFinding } from "./check.ts"
import { emailWarnings, phoneWarnings } from "./contacts.ts"
import * as requests from "./generated/requests.js"
import type { BookingAddress } from "./generated/types.ts"
import { postcodeWarnings } from "./places.ts"

/** Errors in the order of the contract; warnings only for an address without errors. */
export function checkAddress(address: unknown): Findings {
  const errors = findErrors(requests.BookingAddress, address)
  return { errors, warnings: errors.length > 0 ? [] : addressWarnings(address as BookingAddress, []) }
}

/** What is doubtful in the address at `path` of a request. */
export function addressWarnings(address: BookingAddress, path: Path): RuleFinding[] {
  return [
    ...postcodeWarnings(address, path),
    ...phoneWarnings(address, path),
    ...emailWarnings([...path, "email"], address.email),
  ]
}
