/** What a column of a bill means beside the others: which says less, and which amounts only a person can place. */
import { findBasis } from "../../input/columns/basis.ts"
import type { ColumnInTable, Judgement, Unclear } from "../../input/columns/notation.ts"
import { saysZero } from "../../base/nothing.ts"
import { type BillField, mayBeCharge, rankWeight, saysWhole } from "./columns.ts"
import { findGstBasis } from "../understand.ts"
import { findNextTable } from "./sections.ts"
import { readLines, type UnclearAmount } from "./lines.ts"
import { type BillColumnsRead, readCents, readRow } from "./row.ts"
import { mayNotCount } from "../../input/columns/sign.ts"

type Column = ColumnInTable<BillField>

/** @param rows the first below the headings */
export function judgeBillColumns(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
): Judgement {
  const gross = listGross(columns, rows)
  const others = columns.map((each, at) => (gross.includes(at) ? { ...each, field: undefined } : each))
  return {
    yielding: [...listYielding(others), ...gross],
    unclear: findUnclear(columns, rows),
  }
}

function listYielding(columns: readonly Column[]): number[] {
  const hasGst = columns.some(({ field }) => field?.holds === "gst" && !field.isOfPart)
  const weights = columns.filter(({ field }) => field?.name === "weight")
  const best = Math.min(...weights.map(({ header, isMapped }) => (isMapped ? -1 : rankWeight(header))))
  return columns.flatMap(({ header, field, isMapped }, index) => {
    if (!field || isMapped) return []
    if (field.name === "weight") return rankWeight(header) > best ? [index] : []
    // `Charge Code` beside `Description`.
    if (field.name === "charge" && isCode(header))
      return columns.some(({ header: other, field: of }) => of?.name === "charge" && !isCode(other))
        ? [index]
        : []
    if (field.isOfPart) return hasGst ? [index] : []
    if (field.holds === "part" && field.basis === "incGst" && hasTwin(columns, header)) return [index]
    // `Charge ex GST` beside `Total ex GST`.
    const isLess = field.holds === "total" && field.basis === undefined && !saysWhole(header)
    const hasMore = columns.some(
      (other, at) => at !== index && other.field?.name === field.name && saysWhole(other.header),
    )
    return isLess && hasMore ? [index] : []
  })
}

const isCode = (header: string) => /\bcode\W*$/i.test(header)

/**
 * `Gross` beside `Net ex GST` is with GST, or before what is taken off: where it is the net amount and a rebate of the same
 * row, neither of them is charged besides.
 */
function listGross(columns: readonly Column[], rows: readonly (readonly string[])[]): number[] {
  const find = (isWanted: (column: Column) => boolean) =>
    columns.flatMap((column, index) => (isWanted(column) && !column.isMapped ? [index] : []))
  const isWhole = (name = "") => name === "amountIncGst" || name === "amountExGst"
  const [gross] = find(({ header, field }) => isWhole(field?.name) && /^\W*gross\b/i.test(header))
  const net = columns.findIndex(({ field }, at) => field?.name === "amountExGst" && at !== gross)
  const gst = columns.findIndex(({ field }) => field?.holds === "gst")
  if (gross === undefined || net < 0) return []
  const centsOf = (cells: readonly string[], at: number) => {
    const text = (cells[at] ?? "").trim()
    const cents = text === "" ? undefined : readCents(text)
    return typeof cents === "number" ? cents : undefined
  }
  const takenOff = find(() => true).find((at) => {
    if ([gross, net, gst].includes(at)) return false
    let many = 0
    const isSo = rows.every((cells) => {
      const [all, off, left] = [gross, at, net].map((each) => centsOf(cells, each))
      if (all === undefined || left === undefined) return true
      // Of a rebate that equals the GST nobody knows which of them explains the difference.
      if (off === undefined || all - Math.abs(off) !== left) return false
      if (off !== 0 && Math.abs(off) !== Math.abs(centsOf(cells, gst) ?? 0)) many++
      return true
    })
    return isSo && many > 0
  })
  return takenOff === undefined ? [] : [gross, takenOff]
}

/** Whether the same charge stands without GST in another column. */
function hasTwin(columns: readonly Column[], header: string): boolean {
  const rest = findBasis(header)?.rest.toLowerCase()
  return columns.some(
    ({ header: other, field }) => field?.basis === "exGst" && findBasis(other)?.rest.toLowerCase() === rest,
  )
}

function findUnclear(columns: readonly Column[], rows: readonly (readonly string[])[]): Unclear[] {
  const read: BillColumnsRead = {
    headers: columns.map(({ header }) => header),
    fields: columns.map(({ field }) => field),
    units: columns.map(() => undefined),
    isMapped: columns.map(({ isMapped }) => isMapped),
  }
  // Another table below has other columns.
  const next = rows.findIndex((cells) => findNextTable(cells, read, () => undefined))
  const parsed = rows.slice(0, next < 0 ? rows.length : next).flatMap((cells) => {
    const row = readRow(read, cells)
    return "error" in row ? [] : [row]
  })
  const context = { ...read, gstBasis: findGstBasis(parsed), nowMs: 0 }
  const unclear = new Map<number, Omit<Unclear, "at">>()
  for (const row of parsed)
    for (const each of readLines(row, context).unclear)
      if (!unclear.has(each.index)) unclear.set(each.index, describeUnclear(each, read))
  return Array.from(unclear, ([at, each]) => ({ at, ...each }))
}

/** A question about a column whose amounts only a person can place. */
export function describeUnclear(
  { index, as, beside }: UnclearAmount,
  { headers, fields }: Pick<BillColumnsRead, "headers" | "fields">,
): Omit<Unclear, "at"> {
  const header = headers[index] ?? ""
  if (as === "status")
    return {
      why: "says of charges that they may not be asked for; leave it out to take them as they are",
      choices: [],
      isHarmless: (text) => !mayNotCount(text),
    }
  if (as === "total")
    return { why: "may be all that a row costs", choices: ["amount", "other"], isHarmless: saysZero }
  const name = fields[index]?.name ?? "amount"
  if (as === "whole")
    return {
      why: `may include "${beside}" (${name}) or not (freight)`,
      choices: [name, "freight"],
      isHarmless: () => false,
    }
  return {
    why: beside === "" ? "seems to be charged" : `may be charged on top of "${beside}"`,
    choices: ["other"],
    isHarmless: (text) => saysZero(text) || !mayBeCharge(header, text) || /^\D*0*(?:\.0+)?\D*$/.test(text),
  }
}
