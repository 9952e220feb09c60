import { findErrors } from "./check.ts"
import type { Findings, Path } from "./findings.ts"
import { emailWarnings, phoneWarnings } from "./contacts.ts"
import { takePlaceOwn } from "./fields/own.ts"
import * as requests from "./generated/requests.js"
import type { BookingAddress } from "./generated/types.ts"
import { type PlaceJudge, placeWarnings } from "./place-doubts.ts"
import { checkPostcode } from "./places.ts"
import { isOnlyPostBox } from "./post-boxes.ts"

/** Errors of a saved address, in the order of the contract; warnings only for one without errors. */
export function checkAddress(saved: unknown, places?: PlaceJudge): Findings {
  const { address, errors: ofPlace } = takePlaceOwn(saved)
  const errors = [...findErrors(requests.BookingAddress, address), ...ofPlace]
  return errors.length > 0
    ? { errors, warnings: [] }
    : checkAddressRules(address as BookingAddress, [], places)
}

/** Checks a schema-valid address at `path` of a request. */
export function checkAddressRules(
  address: BookingAddress,
  path: Path,
  places: PlaceJudge | undefined,
): Findings {
  return {
    errors: checkPostcode(address, path),
    warnings: [
      // The list has no postcodes of PO boxes.
      ...placeWarnings(address, path, places).filter(() => !isOnlyPostBox(address)),
      ...phoneWarnings(address, path),
      ...emailWarnings([...path, "email"], address.email),
    ],
  }
}
