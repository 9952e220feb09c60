/** Decides what a bill's columns mean beside each other: which are redundant, and which amounts only a person can place. */
import {
  type ColumnInTable,
  findBasis,
  type ColumnFindings,
  mayNotCount,
  saysNotAsked,
  type Unclear,
} from "../../input/index.ts"
import { saysZero } from "../../base/nothing.ts"
import { type BillField, mayBeCharge, namesCharge, rankWeight, saysWhole } from "./columns.ts"
import { findGstBasis } from "../understand.ts"
import { findNextTable } from "./sections.ts"
import { readLines, type UnclearAmount } from "./lines.ts"
import { type BillColumnsRead, readCents, readRow } from "./row.ts"

type Column = ColumnInTable<BillField>
type Heading = Pick<Column, "header" | "field" | "isMapped">

/** @param rows the first below the headings */
export function judgeBillColumns(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
): ColumnFindings {
  const explained = listExplained(columns, rows)
  const others = columns.map((each, at) => (explained.includes(at) ? { ...each, field: undefined } : each))
  return {
    fallbackColumns: [...listFallbackColumns(others), ...explained],
    unclear: findUnclear(columns, rows, explained),
  }
}

/** Columns with amounts that other columns already include: the price before a rebate, the rebate, and a repeated total. */
export function listExplained(columns: readonly Heading[], rows: readonly (readonly string[])[]): number[] {
  const repeated = columns.flatMap(({ header, field, isMapped }, at) => {
    const texts = rows.map((cells) => (cells[at] ?? "").trim()).filter((text) => text !== "")
    const isSame = texts.length > 1 && new Set(texts).size === 1
    return !field && !isMapped && OF_ALL.test(header) && isSame ? [at] : []
  })
  return [...listGross(columns, rows), ...repeated]
}

const OF_ALL = /^\W*(?:invoice|bill|document)\b.*\b(?:amount|total|value)\W*$/i

function listFallbackColumns(columns: readonly Column[]): number[] {
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
 * `Gross` beside `Net ex GST` includes GST, or is before a deduction. If it is net amount plus rebate of the same row,
 * neither of the two is an extra charge.
 */
function listGross(columns: readonly Heading[], rows: readonly (readonly string[])[]): number[] {
  const find = (isWanted: (column: Heading) => boolean) =>
    columns.flatMap((column, index) => (isWanted(column) && !column.isMapped ? [index] : []))
  const isWhole = (name: string | undefined) => name === undefined || name.startsWith("amount")
  const called = find(({ header, field }) => isWhole(field?.name) && /^\W*gross\b/i.test(header))
  const net = columns.findIndex(({ field }, at) => field?.name === "amountExGst" && !called.includes(at))
  const gst = columns.findIndex(({ field }) => field?.holds === "gst")
  if (net < 0) return []
  const centsOf = (cells: readonly string[], at: number) => {
    const text = (cells[at] ?? "").trim()
    const cents = text === "" ? undefined : readCents(text)
    return typeof cents === "number" ? cents : undefined
  }
  const isTakenOff = (gross: number, at: number) => {
    if ([gross, net, gst].includes(at)) return false
    const isNegative = rows.every((cells) => (centsOf(cells, at) ?? 0) <= 0)
    if (!isNegative && !mayTakeOff(columns[at], called.includes(gross))) return false
    let many = 0
    const isSo = rows.every((cells) => {
      const [all, left] = [gross, net].map((each) => centsOf(cells, each))
      if (all === undefined || left === undefined) return true
      const rate = readRate(columns[at]?.header ?? "", cells[at] ?? "")
      const off = rate === undefined ? centsOf(cells, at) : Math.round(all * rate)
      // If a rebate equals the GST, either may explain the difference.
      const rounded = rate === undefined ? 0 : 1
      if (off === undefined || Math.abs(all - Math.abs(off) - left) > rounded) return false
      if (off !== 0 && Math.abs(off) !== Math.abs(centsOf(cells, gst) ?? 0)) many++
      return true
    })
    return isSo && many >= (called.includes(gross) ? 1 : MIN_REBATES)
  }
  const unknown = find(({ header, field }) => !field && !/^\W*$/.test(header))
  for (const gross of [...called, ...unknown]) {
    const takenOff = find(() => true).filter((at) => isTakenOff(gross, at))
    if (takenOff.length > 0) return [gross, ...takenOff]
  }
  return []
}

/**
 * Whether amounts without a minus may be a rebate rather than an extra charge: by their heading, or beside a gross
 * amount if nothing says that they are a charge.
 */
function mayTakeOff(column: Heading | undefined, isOfGross: boolean): boolean {
  const { header = "", field } = column ?? {}
  if (field?.holds && !field.isCredit) return false
  return TAKES_OFF.test(header) || (isOfGross && !namesCharge(header) && !COSTS.test(header))
}

const TAKES_OFF =
  /\b(?:rebates?|disc(?:ounts?)?|incentives?|allowances?|reductions?|deductions?|savings?|less|off)\b/i
const COSTS = /\b(?:costs?|tolls?|levies|surcharges|fees)\b/i

/** A share of an amount: `20%`, or `20` under a heading with the sign. */
function readRate(header: string, text: string): number | undefined {
  const percent = /^-? ?(\d{1,3}(?:\.\d{1,4})?) ?(%?)$/.exec(text.trim())
  return percent && (percent[2] || header.includes("%")) ? Number(percent[1]) / 100 : undefined
}

/** In a column without such a heading, a single row may match by chance. */
const MIN_REBATES = 2

/** Whether another column has the same charge without GST. */
function hasTwin(columns: readonly Column[], header: string): boolean {
  const rest = findBasis(header)?.rest.toLowerCase()
  return columns.some(
    ({ header: other, field }) => field?.basis === "exGst" && findBasis(other)?.rest.toLowerCase() === rest,
  )
}

function findUnclear(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  explained: readonly number[],
): Unclear[] {
  const read: BillColumnsRead = {
    headers: columns.map(({ header }) => header),
    fields: columns.map(({ field }) => field),
    units: columns.map(() => undefined),
    isMapped: columns.map(({ isMapped }, at) => isMapped || explained.includes(at)),
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

/** The question about a column whose amounts only a person can place. */
export function describeUnclear(
  { index, as, beside }: UnclearAmount,
  { headers, fields }: Pick<BillColumnsRead, "headers" | "fields">,
): Omit<Unclear, "at"> {
  const header = headers[index] ?? ""
  if (as === "status")
    return {
      why: "says of charges that they may not be asked for; leave it out to take them as they are",
      choices: [],
      isHarmless: (text) => !(fields[index] ? mayNotCount(text) : saysNotAsked(text)),
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
