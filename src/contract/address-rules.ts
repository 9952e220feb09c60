/** What no schema can say about an address: one rule for each of its parts, wherever it is typed or sent. */
import { emailProblem } from "./emails.ts"
import type { BookingAddress } from "./generated/types.ts"
import { phoneWarnings } from "./phones.ts"
import { postcodeWarnings } from "./postcodes.ts"
import type { Path, RuleProblem } from "./rule.ts"

/** Warnings for the address at `path`. */
export function addressWarnings(address: BookingAddress, path: Path): RuleProblem[] {
  return [
    ...postcodeWarnings(address, path),
    ...phoneWarnings(address, path),
    ...emailProblem([...path, "email"], address.email),
  ]
}
