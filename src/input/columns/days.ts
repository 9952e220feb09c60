/** How the columns of a table write their days: `06/12/2026` beside `25/12/2026` has the day first, and is never a guess. */
import { counted } from "../../base/counted.ts"
import { quoted } from "../../base/parsed.ts"
import { formatDate, formatDay, parseDate } from "../../base/wall-clock.ts"
import type { CsvRecord } from "../sheets/csv.ts"

type Order = "day" | "month"

/** A day in figures with its year, and what stands behind it. */
const IN_FIGURES = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?=$|[ ,T])(.*)$/

function split(text: string) {
  const [, one, , two, year = "", rest = ""] = IN_FIGURES.exec(text.trim()) ?? []
  return one === undefined || two === undefined
    ? undefined
    : { one: Number(one), two: Number(two), year: Number(year), rest }
}

/** The order that a day shows by itself; undefined where it has two readings, or none. */
function findOrder(text: string): Order | undefined {
  const { one = 0, two = 0 } = split(text) ?? {}
  if (one > 12 && one <= 31 && two <= 12) return "day"
  return two > 12 && two <= 31 && one <= 12 ? "month" : undefined
}

/** Cells that decide for the rest of their column, where none is against them: one may be mistyped. */
const FEWEST = 2

/**
 * Judges columns of days by their first cells. A day with two readings in a column that decides nothing stays as it is:
 * who reads it asks.
 * @param columns those of days, by their positions: their names, and their first cells
 */
export function judgeDays(columns: ReadonlyMap<number, { name: string; cells: readonly string[] }>) {
  const decided = new Map<number, Order>()
  const notes: string[] = []
  for (const [index, { name, cells }] of columns) {
    const orders = cells.map(findOrder)
    const count = (order: Order) => orders.filter((each) => each === order).length
    const [days, months] = [count("day"), count("month")]
    const order =
      days >= FEWEST && months === 0 ? "day" : months >= FEWEST && days === 0 ? "month" : undefined
    if (order === undefined) continue
    decided.set(index, order)
    const example = cells.find((text) => findReading(text, order) !== undefined)
    if (example === undefined) continue
    notes.push(
      `${name}: ${counted(Math.max(days, months), "cell")} can only have the ${order} first, so ${quoted(example.trim())} is read as ${findReading(example, order)?.shown}`,
    )
  }
  return {
    notes,
    /** A record with its days in one form; one that is against its column is told as unreadable. */
    settle<Each extends CsvRecord>(record: Each): Each {
      if (decided.size === 0) return record
      const unreadable = [...(record.unreadable ?? [])]
      const cells = [...record.cells]
      for (const [index, order] of decided) {
        const text = cells[index] ?? ""
        const own = findOrder(text)
        if (own !== undefined && own !== order)
          unreadable.push({
            index,
            rule: "ambiguous-date",
            message: `${quoted(text.trim())} has the ${own} first, and the days above it have the ${order} first`,
            hint: "write all days in one way, such as 2026-11-23",
          })
        const read = findReading(text, order)
        if (read) cells[index] = read.text
      }
      return { ...record, cells, ...(unreadable.length > 0 && { unreadable }) }
    },
  }
}

/** A day with two readings as the order of its column has it; undefined for any other text. */
function findReading(text: string, order: Order): { text: string; shown: string } | undefined {
  const figures = split(text)
  if (!figures || findOrder(text) !== undefined || figures.one === figures.two) return undefined
  const { one, two, year, rest } = figures
  const [day, month] = order === "day" ? [one, two] : [two, one]
  const date = parseDate(formatDate({ year, month, day }))
  return date.ok ? { text: `${formatDate(date.value)}${rest}`, shown: formatDay(date.value) } : undefined
}
