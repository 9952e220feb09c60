/** One reference in several rows: what differs in them, what to do about it, and what a person has said. */
import { quoted } from "../../contract/parsed.ts"
import { writtenDay } from "../../contract/wall-clock.ts"
import { mapFlags } from "../../input/columns/mapping.ts"
import { errorFinding } from "../../input/sheets/findings.ts"
import { isOfItem } from "../columns/items.ts"
import type { Cell } from "./cells.ts"
import type { BatchRow } from "./row.ts"
import type { WrittenRow } from "./written.ts"

export const isReference = ({ field }: Pick<Cell, "field">) => field.name === "reference"

/** The row under the number that a person has given it; its results have it, too. */
export function withReference(row: WrittenRow, reference: string): WrittenRow {
  const column = row.cells.find(isReference)?.column
  return {
    ...row,
    written: row.written.map(([name, text]) => [name, name === column ? reference : text] as const),
    cells: row.cells.map((cell) =>
      isReference(cell) ? { ...cell, value: reference, source: () => reference } : cell,
    ),
  }
}

/** The columns in which a row differs from the one above it, with the field of each. */
export function listDiffering(
  row: WrittenRow,
  above: WrittenRow,
): { column: string; field: string | undefined }[] {
  const texts = new Map(above.written)
  return row.written.flatMap(([column, text]) => {
    if (text.trim() === (texts.get(column) ?? "").trim()) return []
    return [{ column, field: row.cells.find((cell) => cell.column === column)?.field.name }]
  })
}

/** What to do about it. None of these has an order booked twice. */
function adviseRepeated(differing: ReturnType<typeof listDiffering> | undefined): string {
  if (!differing)
    return "of one order, keep one row; rows of its items go one below the other, so sort the file by reference"
  if (differing.length === 0) return "if it is the same order, remove one of the rows"
  const fields = differing.flatMap(({ field }) => field ?? [])
  const isOfPackage = (field: string) => /^(?:packages?\b|unit$|weightUnit$|sizeUnit$)/.test(field)
  if (fields.some((field) => /^(?:receiver\b|collectionDateTime$)/.test(field)))
    return "an order goes to one receiver on one day: remove the row that is wrong, or say at a terminal which is meant"
  if (fields.length > 0 && fields.every(isOfPackage))
    return 'write all packages of the order into one row, in a column Packages: "1x40x30x20@5; 2x30x20x10@2"'
  if (fields.length > 0) return "of one order, keep one row"
  const others = differing.filter(({ column }) => !isOfItem(column))
  if (others.length === differing.length) return "of one order, keep one row"
  const flags = mapFlags(others.map(({ column }) => [column, ""]))
  return `if they are items of one order, leave out what differs besides: ${flags}`
}

/** Whether rows with one reference go to several receivers, or are collected on several days; undefined for neither. */
export function findDivided(rows: readonly BatchRow[]): "receivers" | "collection days" | undefined {
  const hasSeveral = (toText: (row: BatchRow) => string | undefined) => new Set(rows.map(toText)).size > 1
  if (hasSeveral(({ written }) => JSON.stringify(written.fields.receiver))) return "receivers"
  return hasSeveral(({ written }) => getDay(written)) ? "collection days" : undefined
}

/** The collection day as its row has it. */
export function getDay({ fields }: BatchRow["written"]): string | undefined {
  const { collectionDateTime } = fields
  return typeof collectionDateTime === "string" ? writtenDay(collectionDateTime) : undefined
}

/** A repeated reference makes both rows untrustworthy. */
export function reportRepeated(
  row: BatchRow,
  before: Pick<BatchRow, "row" | "line">,
  column: string | undefined,
  differing: ReturnType<typeof listDiffering> | undefined,
): BatchRow {
  const name = quoted(row.reference)
  const columns = (differing ?? []).slice(0, MOST_NAMED).map((each) => quoted(each.column))
  const more =
    (differing ?? []).length > MOST_NAMED ? ` and ${(differing ?? []).length - MOST_NAMED} more` : ""
  const differ = columns.length > 0 ? `, with another ${columns.join(", ")}${more}` : ""
  const alsoIn = (other: Pick<BatchRow, "row">) =>
    errorFinding("unique", `the reference ${name} is also in row ${other.row}${differ}`, {
      ...(column !== undefined && { column }),
      hint: adviseRepeated(differing),
    })
  const findings = [
    ...row.findings,
    { ...alsoIn(before), row: row.row, line: row.line },
    { ...alsoIn(row), ...before },
  ]
  return { ...row, findings, booking: undefined }
}

/** Columns of a message. */
const MOST_NAMED = 3
