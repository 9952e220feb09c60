/**
 * Charges that name no consignment: those of the consignment above them, where the bill writes a consignment on its first
 * row only, and those of the whole bill.
 */
import { type ColumnQuestion, saysTotalOf } from "../../input/index.ts"
import type { ReadLine } from "../bill.ts"
import { getChargedCents } from "../money.ts"
import type { BillDraft, BillList } from "./list.ts"
import type { BillColumnsRead, BillRow } from "./row.ts"

type Line = ReadLine & { line: number }

/** What a row says of its consignment. */
type Above = Pick<ReadLine, "names" | "damaged" | "service" | "grams"> & {
  /** It has no amount of its own: all that is charged stands below it. */
  isBare?: true
}

interface Nameless {
  bill: BillDraft
  label: string
  lines: readonly Line[]
  /** Undefined where no consignment stands above it, or a total between. */
  above: Above | undefined
  /** The total of a page stands between. */
  isOverPage: boolean
  /** Another consignment follows, with no total between. */
  isBetween: boolean
  /** Below it stands a total that names the consignment above it. */
  isTotalled: boolean
  /** Below it stands a total that is the sum of the consignment above it and of what stands between. */
  isInSum: boolean
}

/** A question about the column that names consignments. */
type UnclearNames = Pick<ColumnQuestion, "values" | "why" | "choices"> & { index: number }

/** Rows that name nothing wait until all are read: how often they come tells whose they are. */
export function createCarrying({ fields, isMapped }: Pick<BillColumnsRead, "fields" | "isMapped">) {
  const index = fields.findIndex(
    (field) => field?.name === "consignmentAbove" || field?.name === "consignment",
  )
  const isAlways = fields[index]?.name === "consignmentAbove"
  const isNever = !isAlways && (isMapped[index] ?? false)
  const nameless: Nameless[] = []
  let above: Above | undefined
  /** Those since the consignment above. */
  let below: Nameless[] = []
  let isOverPage = false
  let consignments = 0
  /** What the consignment above and those below it come to, in cents. */
  let sum = 0
  /** Consignments below which a total stands that is their sum. */
  const summed = new Set<string>()
  /** Consignments with rows below that name nothing and ask for nothing, such as their items. */
  const withItems = new Set<string>()
  /** What names nothing from here on may be of another consignment. */
  const begin = (next: Above) => {
    if (next.isBare) sum = 0
    for (const each of below) each.isBetween = true
    below = []
    above = next
    isOverPage = false
  }
  /** What has no amount of its own counts with the first amount below it, wherever its number stands again. */
  const isUncounted = () => above?.isBare === true && below.length === 0
  return {
    /**
     * A total ends what can be carried down.
     * @param texts where it names the consignment, all until it is of that
     * @param amounts in cents: where one is what the consignment comes to with all below it, that is of it, too
     */
    end(texts: readonly string[] = [], amounts: Iterable<number> = []) {
      if (above && sum !== 0 && [...amounts].includes(sum)) {
        summed.add(nameOf(above))
        for (const each of below) each.isInSum = true
      }
      if (above?.names.some(({ text }) => texts.some((each) => saysOnly(each, text))))
        for (const each of below) each.isTotalled = true
      above = undefined
      below = []
    },
    /** The total of a page does not: but what stands below it is carried down only where its like is on other pages. */
    turnPage() {
      isOverPage = true
    },
    /** @returns whether the row says anything: it has an amount, or names what stands below it */
    take(
      bill: BillDraft,
      { label, names }: Pick<BillRow, "label" | "names">,
      { common, lines }: { common: Omit<Above, "isBare">; lines: readonly Line[] },
      list: BillList,
    ): boolean {
      const [first] = lines
      if (!first) {
        if (names.length === 0 && common.damaged === undefined && above) withItems.add(nameOf(above))
        // What stands below it is not of the consignment before.
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
    /** Adds what waits. @returns the bills of what was carried down, and a question where both readings fit */
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
      // What stands between a consignment and what is carried down from it is its own, too.
      const carried = new Set<Nameless>()
      let below: Nameless | undefined
      for (const each of nameless.toReversed()) {
        if (mayBeCarried(each)) below = each
        if (below && each.above === below.above) carried.add(each)
      }
      // Where each consignment has charges below it, what stands between two is of the one above.
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

/** One that is billed twice is met twice. */
const NEARLY_ALL = 0.9

/** Before the number of one consignment. */
const OF_ONE = /^(?:consignment|con(?:[ -]?note)?|docket|shipment|job)\b(?: ?(?:no|number|#))?[ .:#]*/i

/** Whether the words of a total name that consignment and no others. */
const saysOnly = (text: string, name: string) => (saysTotalOf(text) ?? text).replace(OF_ONE, "") === name

const sumAsked = (lines: readonly Line[]) => lines.reduce((all, line) => all + getChargedCents(line), 0)

/** Whether a row without an amount names the consignment above it again, such as for an item. */
const isSameNumberAs = ({ names }: Pick<Above, "names">, above: Above | undefined) =>
  names.some(({ text, isNumber }) => isNumber && above?.names.some((each) => each.text === text))

/** Whether it heads a section, such as `CREDITS` and `CHARGES FOR NOVEMBER 2026`, in the column of numbers. */
const isWords = (text: string) => !/\d/.test(text) || /\p{L}\s+\p{L}/u.test(text)

const nameOf = (line: Above | undefined) => (line ? JSON.stringify(line.names.map(({ text }) => text)) : "")

/** Rates differ from row to row. */
const plain = (label: string) =>
  label
    .toLowerCase()
    .replace(/[\d.,%@$]+/g, "")
    .trim()
