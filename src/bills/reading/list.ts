/** Collects bills and their lines during reading. The finished result is immutable. */
import { grouped } from "../../base/counted.ts"
import { formatCents } from "../../base/money.ts"
import { groupBy } from "../../base/grouping.ts"
import { FreightError } from "../../base/errors.ts"
import { quoted } from "../../base/parsed.ts"
import { MAX_CHARGES } from "../../base/limits.ts"
import type { Bill, BillLine, NamedLines, ReadLine } from "../bill.ts"
import { compareLines, hashLines, listHashes } from "../growth.ts"
import { isGstOf } from "../gst.ts"
import { applyStatedGst, findSumSheet, findTotalRow, nameBill } from "../understand.ts"
import { getChargedCents, sumOf, sumTaxLines } from "../money.ts"
import { sumBill } from "../bill.ts"

type Draft<T> = { -readonly [Name in keyof T]: T[Name] }

export interface BillDraft extends Omit<Draft<Bill>, "lines"> {
  lines: Draft<BillLine>[]
}

/** The data of a bill that is known before its lines. */
export type BillHead = Omit<Bill, "lines" | "statesGst" | "isGstRight">

/** The bills, and the lines of those that charge something, grouped by their names. */
export interface BillsRead {
  readonly bills: readonly Bill[]
  readonly named: readonly NamedLines[]
}

export type BillList = ReturnType<typeof createBillList>

export function createBillList() {
  const bills: BillDraft[] = []
  const byNames = new Map<string, Omit<NamedLines, "lines"> & { lines: BillLine[] }>()
  const texts = new Map<string, string>()
  let count = 0
  return {
    open(head: BillHead): BillDraft {
      const bill: BillDraft = { ...head, lines: [], statesGst: false, isGstRight: false }
      bills.push(bill)
      return bill
    },
    add(bill: BillDraft, read: ReadLine): void {
      if (++count > MAX_CHARGES)
        throw new FreightError(
          "input",
          `these bills have more than ${grouped(MAX_CHARGES)} charges, the most that one audit takes`,
          {
            hint: "Audit them in parts, each with all lines of its consignments. Audited bills are remembered, so nothing can be billed twice.",
          },
        )
      const { names, damaged, shipped } = read
      const line = createLine(read, bill, count, texts)
      bill.lines.push(line)
      // Charges without a name form a consignment of their own, for each bill and wording.
      const key = JSON.stringify(
        names.length === 0
          ? [bill.file, bill.index ?? bill.number, bill.supplier, line.label, damaged ?? ""]
          : names.map(({ text, field }) => [text, field]),
      )
      const same = byNames.get(key)
      if (same) same.lines.push(line)
      else byNames.set(key, { key, names, damaged, day: shipped || bill.date, lines: [line] })
    },
    /** @param total the sum of the charges that a person gives, in cents */
    close(total?: number): BillsRead {
      for (const bill of bills) leaveOutSumSheet(bill, byNames.values())
      for (const bill of bills) leaveOutTotal(bill, byNames.values(), total)
      leaveOutRepeated(bills)
      leaveOutOutgrown(bills, [...byNames.values()])
      for (const bill of bills) {
        giveBack(bill)
        applyStatedGst(bill)
        noteGst(bill)
      }
      const named = [...byNames.values()].flatMap((each) => {
        // A copy has no spare capacity.
        const lines = each.lines.filter(({ bill }) => bill.skipped === undefined).slice()
        return lines.length === 0 ? [] : [{ ...each, lines }]
      })
      return { bills, named }
    },
  }
}

/**
 * Builds all lines with the same fields in the same order, and shares equal texts: this halves the memory of half a
 * million lines.
 */
function createLine(read: ReadLine, bill: Bill, at: number, texts: Map<string, string>): BillLine {
  const { exGst, gst, incGst, unspecifiedGstCents, line, sheet, page, pointer, charge } = read
  const [label, service] = [keepText(read.label, texts), keepText(read.service, texts)]
  const { grams, item } = read
  const money = { exGst, gst, incGst, unspecifiedGstCents }
  return { ...money, line, sheet, page, pointer, charge, label, service, grams, item, bill, at }
}

/** Maximum number of distinct texts that are shared. */
const MAX_TEXTS = 10_000

function keepText(text: string, texts: Map<string, string>): string {
  const same = texts.get(text)
  if (same !== undefined || texts.size >= MAX_TEXTS) return same ?? text
  texts.set(text, text)
  return text
}

/** The amounts of a credit note are credits, also where they have no minus. */
function giveBack(bill: BillDraft): void {
  const { creditNote, stated, lines } = bill
  if (creditNote === undefined || getChargedCents(sumBill(bill)) <= 0) return
  const negate = (cents: number | null) => (cents === null ? null : 0 - cents)
  for (const line of lines) {
    line.exGst = negate(line.exGst)
    line.gst = negate(line.gst)
    line.incGst = negate(line.incGst)
    line.unspecifiedGstCents = negate(line.unspecifiedGstCents)
  }
  if (stated) bill.stated = { ...stated, gst: 0 - stated.gst, exGst: 0 - stated.exGst }
  bill.evidence = [
    ...(bill.evidence ?? []),
    `${nameBill(bill)}: it says ${quoted(creditNote)}: its amounts are credits.`,
  ]
}

function leaveOutSumSheet(
  bill: BillDraft,
  named: Iterable<{ names: NamedLines["names"]; lines: BillLine[] }>,
): void {
  if (bill.lines.every(({ sheet }) => sheet === bill.lines[0]?.sheet)) return
  const groups = [...named].filter(({ names }) => names.every(({ text }) => /^\d{1,5}$/.test(text)))
  const counts = new Set(groups.flatMap(({ lines }) => lines))
  const sheet = findSumSheet(bill, (line) => counts.has(line))
  if (sheet === undefined) return
  const isLeft = (line: BillLine) => line.bill !== bill || line.sheet !== sheet
  bill.lines = bill.lines.filter(isLeft)
  for (const each of groups) each.lines = each.lines.filter(isLeft)
  bill.evidence = [
    ...(bill.evidence ?? []),
    `${nameBill(bill)}: sheet ${quoted(sheet)} is the sum of the ${bill.lines.length} charges of all other sheets, and not a charge.`,
  ]
}

/**
 * Leaves out a row that is the sum of all others.
 * @param given the sum of the charges that a person gives, in cents
 */
function leaveOutTotal(
  bill: BillDraft,
  named: Iterable<{ names: readonly unknown[]; lines: BillLine[] }>,
  given: number | undefined,
): void {
  const groups = [...named].filter(({ names }) => names.length === 0)
  if (groups.length === 0) return
  const nameless = new Set<BillLine>()
  for (const { lines } of groups) for (const line of lines) if (line.bill === bill) nameless.add(line)
  const total = findTotalRow(bill, (line) => nameless.has(line))
  const [first] = total?.lines ?? []
  if (!total || !first) return
  const { lines, cents, rowsCents, isRight } = total
  const name = nameBill(bill)
  if (!isRight && given !== rowsCents)
    throw new FreightError(
      "input",
      `${name}: row ${first.line} names no consignment and is ${formatCents(cents)}, and all other rows come to ${formatCents(rowsCents)}; nothing was audited`,
      {
        hint: `Ask the carrier which is right. If it is what the rows come to: --total ${formatCents(rowsCents).replaceAll(",", "")}. If it is a charge of its own, write what it is for.`,
      },
    )
  const isLeft = (line: BillLine) => !lines.includes(line)
  bill.lines = bill.lines.filter(isLeft)
  for (const each of groups) each.lines = each.lines.filter(isLeft)
  bill.evidence = [...(bill.evidence ?? []), `${name}: ${describeRows(lines, isRight, bill.lines.length)}.`]
}

function describeRows(lines: readonly BillLine[], isSum: boolean, charges: number): string {
  const rows = [...new Set(lines.map(({ line }) => line))]
  const others = `the ${charges} charges of all other rows`
  return rows.length === 1
    ? `row ${rows[0]} is ${isSum ? "" : "meant as "}the sum of ${others}, and not a charge`
    : `rows ${rows.join(" and ")} are ${isSum ? "" : "meant as "}the sum of ${others}, and not charges`
}

/** Leaves out a bill that is given twice, for example as a file and in a folder in another format. */
function leaveOutRepeated(bills: readonly BillDraft[]): void {
  const fileOf = new Map<string, string>()
  for (const bill of bills) {
    if (bill.number === "" || bill.skipped !== undefined || bill.lines.length === 0) continue
    const key = JSON.stringify([bill.number, bill.lines.length, getChargedCents(sumBill(bill))])
    const file = fileOf.get(key)
    if (file === undefined) fileOf.set(key, bill.file)
    else Object.assign(bill, { lines: [], skipped: `it is the same bill as in ${file}` })
  }
}

/** Leaves out a bill whose lines are all in another file, in which it has grown. */
function leaveOutOutgrown(bills: readonly BillDraft[], named: readonly NamedLines[]): void {
  const live = bills.filter(({ skipped, lines }) => skipped === undefined && lines.length > 0)
  const alike = [...groupBy(live, ({ number, supplier }) => JSON.stringify([number, supplier])).values()]
  const several = alike.filter((some) => new Set(some.map(({ file }) => file)).size > 1)
  if (several.length === 0) return
  const hashes = hashLines(named)
  for (const some of several)
    for (const bill of some) {
      const growth = [{ at: "", lines: listHashes(bill.lines, hashes) }]
      const grown = some.find(
        (other) =>
          other.file !== bill.file &&
          other.lines.length > bill.lines.length &&
          compareLines(listHashes(other.lines, hashes), growth).is === "grown",
      )
      if (grown)
        Object.assign(bill, { lines: [], skipped: `all of it is in ${grown.file}, in which it has grown` })
    }
}

/** Notes whether a bill states GST, and whether it is right for all its lines together. */
function noteGst(bill: BillDraft): void {
  const lines = bill.lines.filter(({ charge }) => charge !== "tax")
  const gst = sumOf(lines, "gst") + sumTaxLines(bill.lines)
  bill.statesGst = lines.length < bill.lines.length || lines.some((line) => line.gst !== null)
  bill.isGstRight = isGstOf({ exGst: sumOf(lines, "exGst"), gst, lines: lines.length })
}
