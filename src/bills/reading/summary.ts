/** Sheets of a workbook that have no consignments, and sum up those of other sheets. */
import { type CsvRecord, describePlace } from "../../input/sheets/csv.ts"
import type { TextSource } from "../../input/sheets/source.ts"
import { saysTotal } from "../../input/sheets/totals.ts"
import { isMoneyText } from "../../input/columns/money.ts"
import { BILL_COLUMNS } from "./columns.ts"
import { readCents } from "./row.ts"
import { findContradicted, readSaidTotal, type SaidTotal, type Sums } from "./totals.ts"

export interface Summary {
  sheet: string
  records: readonly CsvRecord[]
}

/** A summary has a line for each sheet, and some more. */
const MOST_ROWS = 200

/** The sheets that are not read; undefined where one of them may have consignments of its own. */
export async function readSummaries(others: readonly TextSource[]): Promise<Summary[] | undefined> {
  const summaries: Summary[] = []
  for (const { sheet, sheetName = "" } of others) {
    const records: CsvRecord[] = []
    let naming: readonly number[] = []
    for await (const record of sheet?.records() ?? []) {
      const isNamed = naming.some((at) => !/^[\d,]{0,5}$/.test((record.cells[at] ?? "").trim()))
      if (records.length === MOST_ROWS || (isNamed && !record.cells.some(saysTotal))) return undefined
      naming = naming.length > 0 ? naming : findNaming(record.cells)
      records.push(record)
    }
    summaries.push({ sheet: sheetName, records })
  }
  return summaries
}

/** The columns of consignments, where cells are headings with one: below it stand their names, or how many there are. */
function findNaming(cells: readonly string[]): number[] {
  const holds = cells.map((cell) => {
    const meaning = cell.trim() === "" ? undefined : BILL_COLUMNS.meaning(cell)
    return meaning && "field" in meaning ? meaning.field?.holds : undefined
  })
  const isTable = holds.includes("total") || holds.includes("part")
  return isTable ? holds.flatMap((each, at) => (each === "name" ? [at] : [])) : []
}

/** The total of a summary that the rows of all other sheets contradict. */
export function findContradictedSummary(
  summaries: readonly Summary[],
  sums: Sums,
): (SaidTotal & { place: string; sheet: string }) | undefined {
  const said = summaries.flatMap(({ sheet, records }) =>
    records.flatMap((record) => {
      const cells = record.cells.map((cell) => cell.trim()).filter((cell) => cell !== "")
      const cents = cells.filter(isMoneyText).map(readCents)
      const words = cells.filter((cell) => !isMoneyText(cell))
      const total = readSaidTotal(
        words,
        cents.filter((each) => typeof each === "number"),
        sums,
      )
      return total ? [{ ...total, place: describePlace(record), sheet }] : []
    }),
  )
  return findContradicted(said)
}
