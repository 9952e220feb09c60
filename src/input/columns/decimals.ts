/** How the columns of a table write their numbers: `1.800` beside `120,5` is 1800, or 1.8, and never one of them by chance. */
import { counted } from "../../base/counted.ts"
import { quoted } from "../../base/parsed.ts"
import type { CsvRecord } from "../sheets/csv.ts"

type Sign = "," | "."

/** What stands around the digits of a cell: a currency, a sign, a unit. */
const NUMBER = /^([^\d.,]{0,6})(\d[\d.,]*)([^\d]{0,8})$/
const AMBIGUOUS = /^[1-9]\d{0,2}[.,]\d{3}$/

const onlyWith = (decimal: string, thousands: string) =>
  new RegExp(
    String.raw`^(?:\d+${decimal}(?:\d{1,2}|\d{4,})|(?:0|\d{4,})${decimal}\d+|\d{1,3}(?:${thousands}\d{3})+${decimal}\d+|\d{1,3}(?:${thousands}\d{3}){2,})$`,
  )
const WITH_COMMA = onlyWith(",", String.raw`\.`)
const WITH_POINT = onlyWith(String.raw`\.`, ",")

/** The sign of decimals by a number that can be read in one way only. */
function findSign(digits: string): Sign | undefined {
  if (WITH_COMMA.test(digits)) return ","
  return WITH_POINT.test(digits) ? "." : undefined
}

const digitsOf = (text: string) => NUMBER.exec(text.trim())?.[2] ?? ""
const isAmbiguous = (text: string) => AMBIGUOUS.test(digitsOf(text))
const nameOf = (sign: Sign) => (sign === "," ? "comma" : "point")

/** Cells that decide for the rest of their column, where none is against them: one may be mistyped. */
const FEWEST = 2

/**
 * Judges columns by their first cells. What a column decides holds for it alone; where it decides nothing and a number of
 * the table has a comma, a number with two readings is one that cannot be read.
 * @param columns those of numbers, by their positions: their names, and their first cells
 */
export function judgeDecimals(columns: ReadonlyMap<number, { name: string; cells: readonly string[] }>) {
  const decided = new Map<number, Sign>()
  const notes: string[] = []
  let hasComma = false
  for (const [index, { name, cells }] of columns) {
    const signs = cells.map((text) => findSign(digitsOf(text)))
    const count = (sign: Sign) => signs.filter((each) => each === sign).length
    const [commas, points] = [count(","), count(".")]
    hasComma ||= commas > 0
    const sign = commas >= FEWEST && points === 0 ? "," : points >= FEWEST && commas === 0 ? "." : undefined
    if (sign === undefined) continue
    decided.set(index, sign)
    const example = cells.find((text) => isAmbiguous(text) && settle(text, sign) !== text)
    if (example === undefined) continue
    const many = Math.max(commas, points)
    notes.push(
      `${name}: ${counted(many, "number")} ${many === 1 ? "has" : "have"} a decimal ${nameOf(sign)}, so ${quoted(example.trim())} is read as ${settle(example, sign).trim()}`,
    )
  }
  /** A cell with two readings that was taken as it stands, or by what its column decides. */
  const taken = new Map<number, { row: number; text: string }>()
  return {
    notes,
    /** A record with its numbers in one form; those that cannot be read are told. */
    settle<Each extends CsvRecord>(record: Each): Each {
      const unreadable = [...(record.unreadable ?? [])]
      const cells = [...record.cells]
      for (const index of columns.keys()) {
        const text = cells[index] ?? ""
        const digits = digitsOf(text)
        if (digits === "") continue
        const refuse = (message: string, hint: string) =>
          unreadable.push({ index, rule: "ambiguous-number", message, hint })
        if (isAmbiguous(text)) {
          const sign = decided.get(index)
          if (sign !== undefined) cells[index] = settle(text, sign)
          else if (hasComma) {
            const [thousands, decimal] = [digits.replace(/[.,]/, ""), Number(digits.replace(",", "."))]
            refuse(
              `${quoted(text.trim())} can be ${thousands} or ${decimal}`,
              `write it as ${thousands} or ${decimal}`,
            )
            continue
          }
          if (!taken.has(index)) taken.set(index, { row: record.row, text: text.trim() })
          continue
        }
        const sign = findSign(digits)
        const against = findTaken(index, sign)
        if (sign !== undefined && against)
          refuse(
            `${quoted(text.trim())} has a decimal ${nameOf(sign)}, and ${quoted(against.text)} of row ${against.row} was read as with a ${nameOf(sign === "," ? "." : ",")}`,
            "write all numbers in one way",
          )
      }
      return { ...record, cells, ...(unreadable.length > 0 && { unreadable }) }
    },
  }

  /** What was taken above, where a later number writes decimals otherwise. */
  function findTaken(index: number, sign: Sign | undefined) {
    const own = decided.get(index)
    if (sign === undefined || own === sign) return undefined
    if (own !== undefined) return taken.get(index)
    return sign === "," ? [...taken].find(([at]) => decided.get(at) === undefined)?.[1] : undefined
  }
}

function settle(text: string, sign: Sign): string {
  return text.replace(/[.,]/, (found) => (found === sign ? "." : ""))
}
