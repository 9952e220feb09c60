/** Sheets of a workbook without consignments that sum up other sheets. */
import {
  type CsvRecord,
  describePlace,
  findBasis,
  isMoneyText,
  mayBeMoney,
  saysOfAccount,
  saysTax,
  saysTotal,
  type TextSource,
} from "../../input/index.ts"
import { saysZero } from "../../base/nothing.ts"
import { BILL_COLUMNS, namesCharge } from "./columns.ts"
import { isGstOf } from "../gst.ts"
import type { StatedGst } from "../money.ts"
import { readCents } from "./row.ts"
import { findContradicted, isSumOfEvery, readSaidTotal, type SaidTotal, type Sums } from "./totals.ts"

export interface Summary {
  sheet: string
  records: readonly CsvRecord[]
}

/** A summary has a line for each sheet, and a few more. */
const MAX_ROWS = 200

/** The sheets that are not read; undefined if one of them may have consignments of its own. */
export async function readSummaries(others: readonly TextSource[]): Promise<Summary[] | undefined> {
  const summaries: Summary[] = []
  for (const { sheet, sheetName = "" } of others) {
    const records: CsvRecord[] = []
    let naming: readonly number[] = []
    for await (const record of sheet?.records() ?? []) {
      const isNamed = naming.some((at) => !/^[\d,]{0,5}$/.test((record.cells[at] ?? "").trim()))
      if (records.length === MAX_ROWS || (isNamed && !record.cells.some(saysTotal))) return undefined
      naming = naming.length > 0 ? naming : findNaming(record.cells)
      records.push(record)
    }
    summaries.push({ sheet: sheetName, records })
  }
  return summaries
}

/** The consignment columns, if the cells are headings with one: below it are names, or the number of consignments. */
function findNaming(cells: readonly string[]): number[] {
  const holds = cells.map((cell) => {
    const meaning = cell.trim() === "" ? undefined : BILL_COLUMNS.meaning(cell)
    return meaning && "field" in meaning ? meaning.field?.holds : undefined
  })
  const isTable = holds.includes("total") || holds.includes("part")
  return isTable ? holds.flatMap((each, at) => (each === "name" ? [at] : [])) : []
}

export function hasAmounts({ records }: Summary): boolean {
  const headed = new Set<number>()
  return records.some(({ cells: written }) => {
    const cells = written.flatMap(splitLabel)
    const isNamed = cells.some(namesCharge)
    const has = cells.some(
      (cell, at) =>
        !saysZero(cell) &&
        (mayBeMoney(cell) ||
          DECIMAL.test(cell) ||
          (WHOLE.test(cell) && (isNamed || headed.has(at) || cell.includes("$")))),
    )
    for (const [at, cell] of cells.entries()) if (isHeadingOfAmounts(cell)) headed.add(at)
    return has
  })
}

const DECIMAL = /^[-\u2212\u2013(]?\s*(?:A?\$ ?)?-?[\d,]*\.\d+\)?$/
/** Longer ones are numbers of a company, or phone numbers. */
const WHOLE = /^[-\u2212\u2013(]?\s*(?:A?\$ ?)?-?\d[\d,]{0,8}\)?$/

function isHeadingOfAmounts(cell: string): boolean {
  const meaning = cell === "" ? undefined : BILL_COLUMNS.meaning(cell)
  const field =
    meaning && "byCells" in meaning
      ? meaning.byCells?.(["12.00", "13.00"])
      : meaning && "field" in meaning
        ? meaning.field
        : undefined
  return typeof field === "object" && (field.holds === "total" || field.holds === "part")
}

/** Whether a sheet sums up others: its total and the list in each column equal the sum of their rows. */
export function isSummaryOf(summary: Summary, sums: Sums): boolean {
  const right = findRightSummary([summary], sums)
  if (!right) return false
  const lines = summary.records
    .filter((record) => !readTotal(record, sums) && !record.cells.some(isBesideCharges))
    .map(({ cells }) => cells.flatMap(splitLabel))
  const isTheirs = (cents: number) =>
    cents === 0 || [...right.amounts.values()].includes(cents) || isSumOfEvery(new Map([["", cents]]), sums)
  const columns = Array.from({ length: Math.max(0, ...lines.map((cells) => cells.length)) }, (_, at) =>
    lines.map((cells) => cells[at] ?? ""),
  )
  return columns.every((cells) => {
    const amounts = cells.filter(isAmount)
    // An amount without cents may be a number or a count.
    const all = cells.filter((cell) => isAmount(cell) || WHOLE.test(cell))
    return amounts.length === 0 || [amounts, all].some((some) => isTheirs(sumCents(some)))
  })
}

const isBesideCharges = (cell: string) => saysTax(cell) || saysOfAccount(cell) !== undefined

function sumCents(cells: readonly string[]): number {
  return cells.map(readCents).reduce<number>((sum, each) => sum + (typeof each === "number" ? each : 0), 0)
}

/** The total of a summary that the rows of all other sheets contradict. */
export function findContradictedSummary(summaries: readonly Summary[], sums: Sums): SummaryTotal | undefined {
  return findContradicted(listTotals(summaries, sums))
}

/** The total of a summary that equals the rows of all other sheets, if none of its totals differs. */
export function findRightSummary(summaries: readonly Summary[], sums: Sums): SummaryTotal | undefined {
  const totals = listTotals(summaries, sums)
  return findContradicted(totals) ? undefined : totals.find(({ amounts }) => isSumOfEvery(amounts, sums))
}

/** The GST that a total states, beside the total without it, with it, or both. */
export function findStatedGst({ amounts, rows: lines }: SummaryTotal): StatedGst | undefined {
  const all = [...amounts.values()].toSorted((one, other) => Math.abs(one) - Math.abs(other))
  const readings = all.flatMap((gst, at) =>
    all.slice(at + 1).flatMap((cents) => [cents, cents - gst].map((exGst) => ({ gst, exGst, lines }))),
  )
  // Three amounts prove each other; of two, one has to be a tenth of the other.
  return (
    readings.find(({ gst, exGst }) => all.includes(exGst) && all.includes(exGst + gst)) ??
    readings.find(isGstOf)
  )
}

/** A program writes 2646.40 as 2646.4; a whole number may be a count. */
const isAmount = (cell: string) => isMoneyText(cell) || /^-?\d+\.\d$/.test(cell)

type SummaryTotal = SaidTotal & { place: string; sheet: string }

function listTotals(summaries: readonly Summary[], sums: Sums): SummaryTotal[] {
  return summaries.flatMap(({ sheet, records }) =>
    records.flatMap((record) => {
      const total = readTotal(record, sums)
      if (!total) return []
      const off = isSumOfEvery(total.amounts, sums) ? 0 : total.off
      return [{ ...total, off, place: describePlace(record), sheet }]
    }),
  )
}

function readTotal(record: CsvRecord, sums: Sums): SaidTotal | undefined {
  const cells = record.cells.flatMap(splitLabel).filter((cell) => cell !== "")
  return readSaidTotal(
    cells.filter((cell) => !isAmount(cell)),
    listAmounts(cells),
    sums,
  )
}

/** A whole number counts as an amount if it is the sum or the difference of two others, or stands alone beside words of GST. */
function listAmounts(cells: readonly string[]): number[] {
  const read = (some: readonly string[]) => some.map(readCents).filter((each) => typeof each === "number")
  const amounts = read(cells.filter(isAmount))
  const wholes = read(cells.filter((cell) => WHOLE.test(cell) && !isAmount(cell)))
  const isOfOthers = (cents: number) =>
    amounts.some((one, at) =>
      amounts.slice(at + 1).some((other) => [one + other, one - other, other - one].includes(cents)),
    )
  const saysBasis = amounts.length === 0 && wholes.length === 1 && cells.some((cell) => findBasis(cell))
  return [...amounts, ...wholes.filter((cents) => saysBasis || isOfOthers(cents))]
}

/** `Amount due: $12.50` is a label and its amount. */
function splitLabel(cell: string): string[] {
  const [, label, amount = ""] = /^([^:]+):\s*(\S+)$/.exec(cell.trim()) ?? []
  return label !== undefined && isAmount(amount) ? [label, amount] : [cell.trim()]
}

/** Totals of one kind of charge, beside which there may be others. */
const OF_KIND = /\b(?:freight|surcharges|credits?|refunds?|notes|jobs?|items|lines)\b/i
/** The amount due may include earlier debts. */
const DUE = /\b(?:due|payable|owing|pay)\b/i

/**
 * The total above the headings that all rows below them contradict.
 * @param hasAccountBelow whether rows of the account stand below the headings
 */
export function findContradictedAbove(
  above: readonly CsvRecord[],
  sums: Sums,
  hasAccountBelow: boolean,
): (SaidTotal & { place: string }) | undefined {
  const hasAccount =
    hasAccountBelow || above.some(({ cells }) => cells.some((cell) => saysOfAccount(cell) !== undefined))
  const said = above.flatMap((record) => {
    const total = readTotal(record, sums)
    const isOther = total && (OF_KIND.test(total.label) || (hasAccount && DUE.test(total.label)))
    return total && !isOther ? [{ ...total, place: describePlace(record) }] : []
  })
  return findContradicted(said)
}
