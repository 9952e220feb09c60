/** How the columns of a table write their days: `06/12/2026` beside `25/12/2026` has the day first, and is never a guess. */
import { quoted } from "../../base/parsed.ts"
import { formatDate, formatDay, parseDate } from "../../base/wall-clock.ts"
import { judgeReadings, type WrittenColumn } from "./readings.ts"

type Order = "dayFirst" | "monthFirst"

const ORDERS = ["dayFirst", "monthFirst"] as const

/** A numeric date with or without a year, and the text after it. */
const IN_FIGURES = /^(\d{1,2})([-/.])(\d{1,2})(?:\2(\d{4}))?(?=$|[ ,T])(.*)$/

function split(text: string) {
  const [, one, , two, year, rest = ""] = IN_FIGURES.exec(text.trim()) ?? []
  return one === undefined || two === undefined
    ? undefined
    : { one: Number(one), two: Number(two), year: year === undefined ? undefined : Number(year), rest }
}

/** The order of day and month if the text determines it; undefined if it is ambiguous or not a date. */
function findOrder(text: string): Order | undefined {
  const { one = 0, two = 0 } = split(text) ?? {}
  if (one > 12 && one <= 31 && two <= 12) return "dayFirst"
  return two > 12 && two <= 31 && one <= 12 ? "monthFirst" : undefined
}

/** It has each day that a day without its year may be. */
const A_LEAP_YEAR = 2028

/** A day with two readings as one of them has it; undefined for any other text. */
function readAs(text: string, order: Order): { text: string; shown: string } | undefined {
  const figures = split(text)
  if (!figures || figures.one === figures.two) return undefined
  const { one, two, year, rest } = figures
  const [day, month] = order === "dayFirst" ? [one, two] : [two, one]
  const date = parseDate(formatDate({ year: year ?? A_LEAP_YEAR, month, day }))
  if (!date.ok) return undefined
  const shown = formatDay(date.value)
  if (year !== undefined) return { text: `${formatDate(date.value)}${rest}`, shown }
  // Its reader finds the year.
  const named = shown.replace(/ \d+$/, "")
  return { text: `${named}${rest}`, shown: named }
}

/** Judges the columns of days. In one whose reader refuses no day with two readings, none is in doubt. */
export function judgeDays(columns: ReadonlyMap<number, WrittenColumn>) {
  return judgeReadings(columns, {
    rule: "ambiguous-date",
    ways: ORDERS,
    has: { dayFirst: "the day first", monthFirst: "the month first" },
    why: "has days that can be read in two ways",
    findOnly: findOrder,
    read: readAs,
    isDoubtful: (_, { isStrict }) => isStrict,
    explain(text) {
      const readings = ORDERS.flatMap((order) => readAs(text, order) ?? [])
      return {
        message: `${quoted(text.trim())} can be ${readings.map(({ shown }) => shown).join(" or ")}`,
        hint: `write it as ${readings.map((each) => each.text).join(" or ")}`,
      }
    },
  })
}
