/** Several columns of a row that count its packages. */
import { quoted } from "../../../base/parsed.ts"
import { type CellFinding, errorFinding } from "../../../input/sheets/findings.ts"
import type { Cell } from "./written-row.ts"

/** Of several columns that count a row's packages, the one that is filled in; an error where two say something else. */
export function mergeCounts(cells: readonly Cell[]): { cells: readonly Cell[]; findings: CellFinding[] } {
  const counts = cells.filter(({ field }) => field.bearing?.as === "count")
  if (counts.length < 2) return { cells, findings: [] }
  const textOf = ({ value }: Cell) => (value === null ? "" : String(value).trim())
  const filled = counts.filter((cell) => !/^(?:0*|-)$/.test(textOf(cell)))
  const [first = counts[0], ...others] = filled
  const other = others.find((cell) => first && textOf(cell) !== textOf(first))
  const merged = cells.filter((cell) => cell === first || !counts.includes(cell))
  if (!first || !other) return { cells: merged, findings: [] }
  const message = `is ${textOf(other)}, and ${quoted(first.column)} is ${textOf(first)}: both count the packages`
  const hint = `leave the one that counts goods out with --map COLUMN=, or write packages of several kinds in a column Packages: 2x40x30x20@5; 1x120x100x150@300`
  return { cells: merged, findings: [errorFinding("twice", message, { column: other.column, hint })] }
}
