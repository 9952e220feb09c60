/** Handles bills that are mostly unknown: their numbers are probably not consignment numbers, so nothing is disputed for it. */
import { UnclearColumns } from "../../input/index.ts"
import type { Bill } from "../bill.ts"
import { BILL_COLUMNS } from "../reading/columns.ts"
import { billsOf, type Consignment, isUnknown } from "./match.ts"

/** Fewer may be the only errors of a short bill. */
const FEWEST = 3
const MAX_VALUES = 3

/**
 * Asks about the columns of consignment numbers if a bill is mostly unknown and nobody has confirmed them. A document
 * has no such column: its unknown numbers are then not reported as foreign.
 */
export function doubtUnknown(consignments: readonly Consignment[]): Consignment[] {
  const ofBill = new Map<Bill, { all: number; unknown: Consignment[] }>()
  for (const one of consignments) {
    if (one.match.is === "nameless") continue
    for (const bill of billsOf(one)) {
      const count = ofBill.get(bill) ?? { all: 0, unknown: [] }
      count.all++
      if (isUnknown(one)) count.unknown.push(one)
      ofBill.set(bill, count)
    }
  }
  const doubted = new Set<Consignment>()
  const asked: UnclearColumns[] = []
  for (const [{ file, numberColumn }, { all, unknown }] of ofBill) {
    if (unknown.length < FEWEST || unknown.length * 2 <= all || numberColumn?.isMapped) continue
    if (numberColumn) {
      const { column, field } = numberColumn
      const values = unknown.slice(0, MAX_VALUES).map(({ number }) => number)
      const why = `names ${unknown.length} of ${all} consignments that neither the ledger nor the API knows`
      const question = { column, values, why, choices: [field] }
      asked.push(new UnclearColumns(file, [question], undefined, BILL_COLUMNS.help.next, BILL_COLUMNS.fields))
    } else for (const one of unknown) doubted.add(one)
  }
  const [first, ...others] = asked
  if (first) throw UnclearColumns.join([first, ...others])
  return consignments.map((one) => (doubted.has(one) ? { ...one, match: { is: "unlike" } } : one))
}
