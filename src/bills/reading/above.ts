/**
 * Charges that name no consignment: those of the consignment above them, where the bill writes a consignment on its first
 * row only, and those of the whole bill.
 */
import { saysTotalOf } from "../../input/sheets/totals.ts"
import type { ReadLine } from "../bill.ts"
import type { BillDraft, BillList } from "./list.ts"
import type { BillColumnsRead, BillRow } from "./row.ts"

type Line = ReadLine & { line: number }

interface Nameless {
  bill: BillDraft
  label: string
  lines: readonly Line[]
  /** Undefined where no consignment stands above it, or a total between. */
  above: Line | undefined
  /** The total of a page stands between. */
  isOverPage: boolean
  /** Another consignment follows, with no total between. */
  isBetween: boolean
  /** Below it stands a total that names the consignment above it. */
  isTotalled: boolean
}

export type Carrying = ReturnType<typeof createCarrying>

/** Rows that name nothing wait until all are read: how often they come tells whose they are. */
export function createCarrying({ fields, isMapped }: Pick<BillColumnsRead, "fields" | "isMapped">) {
  const index = fields.findIndex(
    (field) => field?.name === "consignmentAbove" || field?.name === "consignment",
  )
  const isAlways = fields[index]?.name === "consignmentAbove"
  const isNever = !isAlways && (isMapped[index] ?? false)
  const nameless: Nameless[] = []
  let above: Line | undefined
  /** Those since the consignment above. */
  let below: Nameless[] = []
  let isOverPage = false
  let consignments = 0
  /** Consignments with rows below that name nothing and ask for nothing, such as their items. */
  const withItems = new Set<string>()
  return {
    /** A total ends what can be carried down. @param texts where it names the consignment, all until it is of that */
    end(texts: readonly string[] = []) {
      if (above?.names.some(({ text }) => texts.some((each) => saysOnly(each, text))))
        for (const each of below) each.isTotalled = true
      above = undefined
      below = []
    },
    /** The total of a page does not: but what stands below it is carried down only where its like is on other pages. */
    turnPage() {
      isOverPage = true
    },
    take(
      bill: BillDraft,
      { label, names }: Pick<BillRow, "label" | "names">,
      lines: readonly Line[],
      list: BillList,
    ) {
      const [first] = lines
      if (!first) {
        if (names.length === 0 && above) withItems.add(nameOf(above))
        return
      }
      if (first.names.length === 0 && first.damaged === undefined) {
        const one = { bill, label, lines, above, isOverPage, isBetween: false, isTotalled: false }
        nameless.push(one)
        if (above) below.push(one)
        return
      }
      if (nameOf(first) !== nameOf(above)) consignments++
      for (const each of below) each.isBetween = true
      below = []
      above = first
      isOverPage = false
      for (const line of lines) list.add(bill, line)
    },
    /** Adds what waits. @returns a question where both readings fit */
    finish(list: BillList) {
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
          const { names, damaged } = (isCarried(each) && each.above) || line
          list.add(each.bill, { ...line, names, damaged })
        }
      if (isAlways || isNever || index < 0) return undefined
      const hasItems = withItems.size * 2 >= consignments
      const open = nameless.filter(
        (each) =>
          (isCarried(each) && !each.isTotalled && followed.size * 2 < consignments) ||
          (!isCarried(each) && each.above && !each.isOverPage && (each.isBetween || hasItems)),
      )
      if (open.length === 0) return undefined
      const belows = new Set(open.map((each) => nameOf(each.above)))
      return {
        index,
        values: [...new Set(open.map(({ label }) => label))]
          .filter((label) => label !== "")
          .slice(0, MOST_VALUES),
        why: `is empty below ${belows.size} of ${consignments} consignments: these charges may be for the one above, or for all`,
        choices: ["consignment", "consignmentAbove"],
      }
    },
  }
}

const MOST_VALUES = 3

/** One that is billed twice is met twice. */
const NEARLY_ALL = 0.9

/** Before the number of one consignment. */
const OF_ONE = /^(?:consignment|con(?:[ -]?note)?|docket|shipment|job)\b(?: ?(?:no|number|#))?[ .:#]*/i

/** Whether the words of a total name that consignment and no others. */
const saysOnly = (text: string, name: string) => (saysTotalOf(text) ?? text).replace(OF_ONE, "") === name

const nameOf = (line: Line | undefined) => (line ? JSON.stringify(line.names.map(({ text }) => text)) : "")

/** Rates differ from row to row. */
const plain = (label: string) =>
  label
    .toLowerCase()
    .replace(/[\d.,%@$]+/g, "")
    .trim()
