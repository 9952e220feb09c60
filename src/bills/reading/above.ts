/**
 * Assigns charges that name no consignment: to the consignment above them, if the bill writes a consignment on its
 * first row only, or to the whole bill.
 */
import { type ColumnQuestion, saysTotalOf } from "../../input/index.ts"
import type { ReadLine } from "../bill.ts"
import { getChargedCents } from "../money.ts"
import type { BillDraft, BillList } from "./list.ts"
import type { BillColumnsRead, BillRow } from "./row.ts"

type Line = ReadLine & { line: number }

/** The consignment data of a row, for the rows below it. */
type Above = Pick<ReadLine, "names" | "damaged" | "service" | "grams"> & {
  /** It has no amount of its own: all its charges stand below it. */
  isBare?: true
}

interface Nameless {
  bill: BillDraft
  label: string
  lines: readonly Line[]
  /** Undefined if no consignment stands above it, or a total stands between. */
  above: Above | undefined
  isOverPage: boolean
  /** Another consignment follows, with no total between. */
  isBetween: boolean
  /** Below it stands a total that names the consignment above it. */
  isTotalled: boolean
  /** A total stands below it that is the sum of the consignment above and the rows between. */
  isInSum: boolean
}

type UnclearNames = Pick<ColumnQuestion, "values" | "why" | "choices"> & { index: number }

/** Rows without a name wait until all are read: how often they occur tells whose they are. */
export function createCarrying({ fields, isMapped }: Pick<BillColumnsRead, "fields" | "isMapped">) {
  const index = fields.findIndex(
    (field) => field?.name === "consignmentAbove" || field?.name === "consignment",
  )
  const isAlways = fields[index]?.name === "consignmentAbove"
  const isNever = !isAlways && (isMapped[index] ?? false)
  const nameless: Nameless[] = []
  let above: Above | undefined
  let below: Nameless[] = []
  let isOverPage = false
  let consignments = 0
  /** The total in cents of the consignment above and the rows below it. */
  let sum = 0
  /** Consignments with a total below that is their sum. */
  const summed = new Set<string>()
  /** Consignments with rows below that have neither a name nor an amount, such as their items. */
  const withItems = new Set<string>()
  /** Consignments without an amount on their row or below it. */
  let uncharged = 0
  /** Rows without a name from here on may belong to another consignment. */
  const begin = (next: Above) => {
    if (isUncounted() && nameOf(next) !== nameOf(above)) uncharged++
    if (next.isBare) sum = 0
    for (const each of below) each.isBetween = true
    below = []
    above = next
    isOverPage = false
  }
  /** A consignment without an amount counts with the first amount below it, wherever its number is repeated. */
  const isUncounted = () => above?.isBare === true && below.length === 0
  return {
    /**
     * A total ends the rows that can be carried down.
     * @param texts if they name the consignment, the rows up to the total belong to it
     * @param amounts in cents: if one is the sum of the consignment and all rows below it, those rows belong to it
     */
    end(texts: readonly string[] = [], amounts: Iterable<number> = []) {
      if (above && sum !== 0 && [...amounts].includes(sum)) {
        summed.add(nameOf(above))
        for (const each of below) each.isInSum = true
      }
      if (above?.names.some(({ text }) => texts.some((each) => saysOnly(each, text))))
        for (const each of below) each.isTotalled = true
      if (isUncounted()) uncharged++
      above = undefined
      below = []
    },
    /** The total of a page does not end them, but rows below it are carried down only if other pages have similar rows. */
    turnPage() {
      isOverPage = true
    },
    /** @returns whether the row has an amount, or names the rows below it */
    take(
      bill: BillDraft,
      { label, names }: Pick<BillRow, "label" | "names">,
      { common, lines }: { common: Omit<Above, "isBare">; lines: readonly Line[] },
      list: BillList,
    ): boolean {
      const [first] = lines
      if (!first) {
        if (names.length === 0 && common.damaged === undefined && above) withItems.add(nameOf(above))
        // The rows below it do not belong to the consignment before.
        const isOther =
          common.damaged !== undefined ||
          (common.names.some(({ text, isNumber }) => isNumber && !isWords(text)) &&
            !isSameNumberAs(common, above))
        if (isOther) begin({ ...common, isBare: true })
        return isOther
      }
      if (first.names.length === 0 && first.damaged === undefined) {
        const one = {
          bill,
          label,
          lines,
          above,
          isOverPage,
          isBetween: false,
          isTotalled: false,
          isInSum: false,
        }
        nameless.push(one)
        sum += sumAsked(lines)
        if (isUncounted()) consignments++
        if (above) below.push(one)
        return true
      }
      const isOther = nameOf(first) !== nameOf(above)
      if (isOther || isUncounted()) consignments++
      if (isOther) sum = 0
      sum += sumAsked(lines)
      begin(first)
      for (const line of lines) list.add(bill, line)
      return true
    },
    /** Consignments of which nothing is charged. Call it once all rows are read. */
    countUncharged: () => uncharged + (isUncounted() ? 1 : 0),
    /** Adds the waiting rows. @returns the bills with carried-down rows, and a question if both readings fit */
    finish(list: BillList): { carriedIn: ReadonlySet<BillDraft>; question?: UnclearNames } {
      // A single one may be the total of a bill with one consignment.
      if (summed.size >= 2) for (const each of nameless) each.isTotalled ||= each.isInSum
      const labels = new Map<string, Set<string>>()
      const followed = new Set<string>()
      for (const { label, above: one, isOverPage } of nameless) {
        if (!one || isOverPage) continue
        followed.add(nameOf(one))
        const key = plain(label)
        labels.set(key, (labels.get(key) ?? new Set()).add(nameOf(one)))
      }
      const recurs = ({ label }: Nameless) => (labels.get(plain(label))?.size ?? 0) >= 2
      const mayBeCarried = (each: Nameless) =>
        each.above !== undefined &&
        !isNever &&
        (isAlways || each.isTotalled || (followed.size >= 2 && recurs(each)))
      // Rows between a consignment and its carried-down rows belong to it too.
      const carried = new Set<Nameless>()
      let below: Nameless | undefined
      for (const each of nameless.toReversed()) {
        if (mayBeCarried(each)) below = each
        if (below && each.above === below.above) carried.add(each)
      }
      // If each consignment has charges below it, rows between two belong to the one above.
      const withCarried = new Set(
        nameless.filter((each) => carried.has(each)).map(({ above: one }) => nameOf(one)),
      )
      if (withCarried.size > 2 && withCarried.size >= consignments * NEARLY_ALL)
        for (const each of nameless) if (each.isBetween && !each.isOverPage && !isNever) carried.add(each)
      const isCarried = (each: Nameless) => carried.has(each)
      for (const each of nameless)
        for (const line of each.lines) {
          const from = isCarried(each) ? each.above : undefined
          const { names, damaged } = from ?? line
          const said = from?.isBare && {
            service: line.service || from.service,
            grams: line.grams ?? from.grams,
          }
          list.add(each.bill, { ...line, names, damaged, ...said })
        }
      const carriedIn = new Set(Array.from(carried, ({ bill }) => bill))
      if (isAlways || isNever || index < 0) return { carriedIn }
      const hasItems = withItems.size * 2 >= consignments
      const open = nameless.filter(
        (each) =>
          (isCarried(each) && !each.isTotalled && followed.size * 2 < consignments) ||
          (!isCarried(each) && each.above && !each.isOverPage && (each.isBetween || hasItems)),
      )
      if (open.length === 0) return { carriedIn }
      const belows = new Set(open.map((each) => nameOf(each.above)))
      const question = {
        index,
        values: [...new Set(open.map(({ label }) => label))]
          .filter((label) => label !== "")
          .slice(0, MAX_VALUES),
        why: `is empty below ${belows.size} of ${consignments} consignments: these charges may be for the one above, or for all`,
        choices: ["consignment", "consignmentAbove"],
      }
      return { carriedIn, question }
    },
  }
}

/** Whether a number stands on the first row of most consignments alone. @param rows whether each row has it */
export function isOnFirstRow(rows: readonly boolean[]): boolean {
  const between = rows.filter((has, at) => !has && rows[at - 1] === true && rows[at + 1] === true).length
  return between > 0 && between * 2 >= rows.filter((has) => has).length - 1
}

const MAX_VALUES = 3

/** Less than all, because a consignment that is billed twice occurs twice. */
const NEARLY_ALL = 0.9

const OF_ONE = /^(?:consignment|con(?:[ -]?note)?|docket|shipment|job)\b(?: ?(?:no|number|#))?[ .:#]*/i

const saysOnly = (text: string, name: string) => (saysTotalOf(text) ?? text).replace(OF_ONE, "") === name

const sumAsked = (lines: readonly Line[]) => lines.reduce((all, line) => all + getChargedCents(line), 0)

/** Whether a row without an amount repeats the consignment above it, for example for an item. */
const isSameNumberAs = ({ names }: Pick<Above, "names">, above: Above | undefined) =>
  names.some(({ text, isNumber }) => isNumber && above?.names.some((each) => each.text === text))

/** Whether it is a section heading in the column of numbers, such as `CREDITS` and `CHARGES FOR NOVEMBER 2026`. */
const isWords = (text: string) => !/\d/.test(text) || /\p{L}\s+\p{L}/u.test(text)

const nameOf = (line: Above | undefined) => (line ? JSON.stringify(line.names.map(({ text }) => text)) : "")

/** Rates differ from row to row. */
const plain = (label: string) =>
  label
    .toLowerCase()
    .replace(/[\d.,%@$]+/g, "")
    .trim()
