/** Finds the columns that name a bill's consignments, and asks if there is none. */
import { FreightError } from "../../base/errors.ts"
import {
  type ColumnQuestion,
  listValues,
  type OpenedTable,
  saysTax,
  UnclearColumns,
} from "../../input/index.ts"
import type { Bill } from "../bill.ts"
import { findNumbers } from "../names.ts"
import { isOnFirstRow } from "./above.ts"
import { BILL_COLUMNS, type BillField } from "./columns.ts"
import { type BillColumnsRead, saysSum } from "./row.ts"

type NamedTable = Pick<OpenedTable<BillField>, "fields" | "names" | "sample">

export const createUnclear = (name: string, questions: readonly ColumnQuestion[]) =>
  new UnclearColumns(name, questions, undefined, BILL_COLUMNS.help.next, BILL_COLUMNS.fields)

/**
 * @param asked columns that have a question already: one of them may be the missing one
 * @returns questions about columns that may be a missing one
 */
export function checkFields(
  name: string,
  { fields, names, sample }: NamedTable,
  asked: readonly ColumnQuestion[],
): ColumnQuestion[] {
  const mayBe = (...kinds: BillField["holds"][]) =>
    asked.some(({ choices }) =>
      BILL_COLUMNS.fields.some((each) => kinds.includes(each.holds) && choices.includes(each.name)),
    )
  const has = (...kinds: BillField["holds"][]) =>
    fields.some((field) => field?.holds && kinds.includes(field.holds))
  const missing = [
    ...(has("name") || mayBe("name") || fields.some((field) => field?.name === "charge")
      ? []
      : ["a consignment number or a reference"]),
    ...(has("total", "part") || mayBe("total", "part") ? [] : ["an amount"]),
  ]
  const numbers =
    has("name") || mayBe("name") || missing.length !== 1 ? [] : listNumberColumns(fields, names, sample)
  if (missing.length > 0 && numbers.length === 0)
    throw new FreightError("input", `${name}: no column has ${missing.join(", and none ")}`, {
      ...BILL_COLUMNS.help,
      ...(asked.length > 0 && { errors: createUnclear(name, asked).errors ?? [] }),
    })
  return numbers
}

/** Unknown columns whose cells may be numbers of consignments. */
export function listNumberColumns(
  fields: readonly (BillField | undefined)[],
  names: readonly string[],
  sample: NamedTable["sample"],
): ColumnQuestion[] {
  const found = names.flatMap((column, index) => {
    const all = sample.map(({ cells: own }) => (own[index] ?? "").trim())
    // Words of sums stand wherever there is room, often among numbers.
    const hasOwn = all.map((cell) => cell !== "" && !saysSum(cell) && !saysTax(cell))
    const cells = all.filter((_, at) => hasOwn[at])
    const numbers = cells.filter((cell) => findNumbers(cell).length > 0)
    const isOnFirstOnly = isOnFirstRow(hasOwn)
    return fields[index] || numbers.length * 2 <= cells.length ? [] : [{ column, numbers, isOnFirstOnly }]
  })
  // Each consignment has its own number; an account number repeats.
  const count = ({ numbers }: { numbers: readonly string[] }) => new Set(numbers).size
  return found
    .toSorted((one, other) => count(other) - count(one))
    .map(({ column, numbers, isOnFirstOnly }) => toNumberQuestion(column, numbers, isOnFirstOnly))
}

export function toNumberQuestion(
  column: string,
  numbers: readonly string[],
  isOnFirstOnly = false,
): ColumnQuestion {
  return {
    column,
    values: listValues(numbers),
    why: "may name the consignments",
    choices: [...(isOnFirstOnly ? ["consignmentAbove"] : []), "consignment"],
    isOneOfSeveral: true,
  }
}

export function findNumberColumn(
  { fields, isMapped }: BillColumnsRead,
  names: readonly string[],
): Bill["numberColumn"] {
  const index = fields.findIndex((field) => field?.holds === "name")
  const field = fields[index]
  return field && { column: names[index] ?? "", field: field.name, isMapped: isMapped[index] ?? false }
}
