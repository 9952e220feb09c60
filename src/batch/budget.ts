/** What a batch may spend in all, in cents. */
import { formatCents } from "../contract/money.ts"
import { FreightError } from "../errors.ts"

export interface Budget {
  /** Takes a price before it is spent. @throws FreightError `refused` when it is not known, or too much */
  take(cents: number | undefined): void
  /** What was taken was not spent. */
  giveBack(cents: number | undefined): void
}

/** @param spentCents what the batch's rows cost that were booked before */
export function createBudget(maxCents: number, spentCents: number): Budget {
  let spent = spentCents
  return {
    take(cents) {
      if (cents === undefined)
        throw new FreightError("refused", "its price is not known, and --max-total allows no such row")
      if (spent + cents > maxCents)
        throw new FreightError(
          "refused",
          `${formatCents(cents)} more would bring the batch over --max-total ${formatCents(maxCents)}`,
        )
      spent += cents
    },
    giveBack(cents = 0) {
      spent -= cents
    },
  }
}
