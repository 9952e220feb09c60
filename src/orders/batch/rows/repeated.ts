/** One reference in several rows: the differences, the advice, and a person's answer. */
import { quoted } from "../../../base/parsed.ts"
import { writtenDay } from "../../../base/wall-clock.ts"
import { type CellFinding, errorFinding, mapFlags, shownRows } from "../../../input/index.ts"
import { isOfItem } from "../columns/items.ts"
import type { Package } from "../../../contract/generated/types.ts"
import { formatPackage } from "../../../contract/index.ts"
import type { Cell, WrittenRow } from "./written-row.ts"
import { type BatchRow, listCells } from "./row.ts"

export const isReference = ({ field }: Pick<Cell, "field">) => field.name === "reference"

/** The row under the number that a person gave it; its results have it, too. */
export function withReference(row: WrittenRow, reference: string): WrittenRow {
  const column = row.cells.find(isReference)?.column
  return {
    ...row,
    written: {
      ...row.written,
      texts: listCells(row.written).map(([name, text]) => (name === column ? reference : text)),
    },
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
  const texts = new Map(listCells(above.written))
  return listCells(row.written).flatMap(([column, text]) => {
    if (text.trim() === (texts.get(column) ?? "").trim()) return []
    return [{ column, field: row.cells.find((cell) => cell.column === column)?.field.name }]
  })
}

interface RepeatedRow {
  row: BatchRow
  before: Pick<BatchRow, "row" | "line">
  column: string | undefined
  /** Differences from the row above; undefined if that is another order's. */
  differing: ReturnType<typeof listDiffering> | undefined
}

/** Rows of one order that follow each other. */
export interface RowsOfOrder {
  readonly rows: number[]
  readonly packages: Package[]
  readonly isContinued: boolean
  /** Whether each has packages that can be read, and they differ in nothing else. */
  areJoinable: boolean
  /** Rows that wait for the last one: only then are the order's packages known. */
  readonly held: RepeatedRow[]
}

/**
 * @param isContinued whether an earlier row has its reference
 * @param mayWait whether rows may wait for the next one
 */
export function beginOrder({
  isContinued,
  mayWait,
}: Pick<RowsOfOrder, "isContinued"> & { mayWait: boolean }): RowsOfOrder {
  return { rows: [], packages: [], isContinued, areJoinable: mayWait && !isContinued, held: [] }
}

/** @param repeated undefined for the first of them */
export function addToOrder(ofOrder: RowsOfOrder, row: BatchRow, repeated?: RepeatedRow): void {
  const packages = row.request?.packages ?? []
  ofOrder.rows.push(row.row)
  ofOrder.packages.push(...packages)
  ofOrder.areJoinable &&=
    packages.length > 0 &&
    ofOrder.rows.length <= MAX_JOINED &&
    (!repeated || differsInPackages(repeated.differing ?? []) || differsInItems(repeated.differing ?? []))
  if (repeated) ofOrder.held.push(repeated)
}

export function reportHeld(ofOrder: RowsOfOrder): BatchRow[] {
  return ofOrder.held.splice(0).map((repeated) => reportRepeated(repeated, ofOrder))
}

function differsInPackages(differing: ReturnType<typeof listDiffering>): boolean {
  const fields = differing.flatMap(({ field }) => field ?? [])
  return (
    fields.length > 0 && fields.every((field) => /^(?:packages?\b|unit$|weightUnit$|sizeUnit$)/.test(field))
  )
}

function differsInItems(differing: ReturnType<typeof listDiffering>): boolean {
  return (
    differing.length > 0 && differing.every(({ column, field }) => field === undefined && isOfItem(column))
  )
}

/** `row 3`, `rows 3-4` */
function nameRows(rows: readonly number[]): string {
  return `${rows.length === 1 ? "row" : "rows"} ${shownRows(rows)}`
}

function adviseOneRow({ rows, packages, areJoinable }: RowsOfOrder, isInOneColumn = false): string {
  if (!areJoinable)
    return 'write all packages of the order into one row, in a column Packages: "1x40x30x20@5; 2x30x20x10@2"'
  const all = packages.map(formatPackage).join("; ")
  const [first = 0, ...others] = rows
  const which = nameRows(others)
  if (isInOneColumn) return `write "${all}" as the packages of row ${first}, and remove ${which}`
  return `write the packages of ${which} into row ${first} too, in a column Packages, "${all}", leave its other columns of packages empty, and remove ${which}`
}

/** Advice for repeated rows. None of it can book an order twice. */
function adviseRepeated(
  differing: ReturnType<typeof listDiffering> | undefined,
  ofOrder: RowsOfOrder,
): string {
  if (!differing || ofOrder.isContinued)
    return "of one order, keep one row; rows of its items go one below the other, so sort the file by reference"
  if (differing.length === 0) return "if it is the same order, remove one of the rows"
  const fields = differing.flatMap(({ field }) => field ?? [])
  if (fields.some((field) => /^(?:receiver\b|collectionDateTime$)/.test(field)))
    return "an order goes to one receiver on one day: remove the row that is wrong, or say at a terminal which is meant"
  if (differsInPackages(differing))
    return adviseOneRow(
      ofOrder,
      fields.every((field) => field === "packages"),
    )
  if (differsInPackages(differing.filter(({ field }) => field !== "packagingCode")))
    return "a booking has one packaging for all its packages: give each row a reference of its own, and each is a booking"
  if (fields.length > 0) return "of one order, keep one row"
  if (differsInItems(differing)) {
    const [first = 0, ...others] = ofOrder.rows
    const [repeat, cells] = others.length === 1 ? ["repeats", "its cells"] : ["repeat", "their cells"]
    return `if ${nameRows(others)} ${repeat} the packages of row ${first}, empty ${cells} of packages; if not, ${adviseOneRow(ofOrder)}`
  }
  const others = differing.filter(({ column }) => !isOfItem(column))
  if (others.length === differing.length) return "of one order, keep one row"
  const flags = mapFlags(others.map(({ column }) => [column, ""]))
  return `if they are items of one order, leave out what differs besides: ${flags}`
}

/** The difference that makes rows with one number several orders; undefined if there is none. */
export function findDivided(
  rows: readonly BatchRow[],
): "references" | "receivers" | "collection days" | undefined {
  const hasSeveral = (toText: (row: BatchRow) => string | undefined) => new Set(rows.map(toText)).size > 1
  if (hasSeveral(({ reference }) => reference)) return "references"
  if (hasSeveral(({ source }) => JSON.stringify(source.written.fields.receiver))) return "receivers"
  return hasSeveral(getDay) ? "collection days" : undefined
}

export function getDay({
  source: {
    written: { fields },
  },
}: Pick<BatchRow, "source">): string | undefined {
  const { collectionDateTime } = fields
  return typeof collectionDateTime === "string" ? writtenDay(collectionDateTime) : undefined
}

/** A repeated reference makes both rows untrustworthy. */
function reportRepeated({ row, before, column, differing }: RepeatedRow, ofOrder: RowsOfOrder): BatchRow {
  const name = quoted(row.reference)
  const columns = (differing ?? []).slice(0, MAX_NAMED).map((each) => quoted(each.column))
  const more = (differing ?? []).length > MAX_NAMED ? ` and ${(differing ?? []).length - MAX_NAMED} more` : ""
  const differ = columns.length > 0 ? `, with another ${columns.join(", ")}${more}` : ""
  const alsoIn = (other: Pick<BatchRow, "row">) =>
    errorFinding("unique", `the reference ${name} is also in row ${other.row}${differ}`, {
      ...(column !== undefined && { column }),
      hint: adviseRepeated(differing, ofOrder),
    })
  return withBoth(row, before, alsoIn)
}

/** Whether two rows are one order by its shop's number, although a person gave them different references. */
export function isSameOrder(row: BatchRow, above: BatchRow): boolean {
  return (
    row.orderNumber !== undefined &&
    row.orderNumber.text === above.orderNumber?.text &&
    row.reference !== above.reference &&
    findDivided([
      { ...row, reference: "" },
      { ...above, reference: "" },
    ]) === undefined
  )
}

/** One order under two references makes both rows untrustworthy as well. */
export function reportRenamed(row: BatchRow, above: BatchRow): BatchRow {
  const { column = "", text = "" } = row.orderNumber ?? {}
  const hint = "keep one of the rows, that which was booked if one was, or say at a terminal which is meant"
  return withBoth(row, above, (other) => {
    const message = `${quoted(text)} is also in row ${other.row}, under the reference ${quoted(other.reference)}: they seem to be one order`
    return errorFinding("unique", message, { column, hint })
  })
}

/** @param report the error of a row, from the other one */
function withBoth<Before extends Pick<BatchRow, "row" | "line">>(
  row: BatchRow,
  before: Before,
  report: (other: Before | BatchRow) => CellFinding,
): BatchRow {
  const findings = [
    ...row.findings,
    { ...report(before), row: row.row, line: row.line },
    { ...report(row), row: before.row, line: before.line },
  ]
  return { ...row, findings, request: undefined }
}

/** Maximum number of rows whose packages are written out for a person. */
const MAX_JOINED = 20
/** Maximum number of columns in a message. */
const MAX_NAMED = 3
