/** How the columns of a table write their numbers: `1.800` beside `120,5` is 1800, or 1.8, and never one of them by chance. */
import { quoted } from "../../base/parsed.ts"
import { judgeReadings, type WrittenColumn } from "./readings.ts"

/** An amount with text around its digits: a currency, a sign, a unit. */
const NUMBER = /^([^\d.,]{0,6})(\d[\d.,]*)([^\d]{0,8})$/
const AMBIGUOUS = /^[1-9]\d{0,2}[.,]\d{3}$/

const onlyWith = (decimal: string, thousands: string) =>
  new RegExp(
    String.raw`^(?:\d+${decimal}(?:\d{1,2}|\d{4,})|(?:0|\d{4,})${decimal}\d+|\d{1,3}(?:${thousands}\d{3})+${decimal}\d+|\d{1,3}(?:${thousands}\d{3}){2,})$`,
  )
const ONLY = {
  decimalPoint: onlyWith(String.raw`\.`, ","),
  decimalComma: onlyWith(",", String.raw`\.`),
} as const

const digitsOf = (text: string) => NUMBER.exec(text.trim())?.[2] ?? ""

/** Both readings of a number, for a message. */
function explain(text: string) {
  const digits = digitsOf(text)
  const [thousands, decimal] = [digits.replace(/[.,]/, ""), Number(digits.replace(",", "."))]
  return {
    message: `${quoted(text.trim())} can be ${thousands} or ${decimal}`,
    hint: `write it as ${thousands} or ${decimal}`,
  }
}

/**
 * Judges the columns of numbers. Where one decides nothing and a number of the table has a comma, a number with two
 * readings is in doubt.
 */
export function judgeDecimals(columns: ReadonlyMap<number, WrittenColumn>) {
  return judgeReadings(columns, {
    rule: "ambiguous-number",
    ways: ["decimalPoint", "decimalComma"],
    has: { decimalPoint: "a decimal point", decimalComma: "a decimal comma" },
    why: "has numbers that can be read in two ways",
    findOnly(text) {
      const digits = digitsOf(text)
      return (["decimalComma", "decimalPoint"] as const).find((way) => ONLY[way].test(digits))
    },
    read(text, way) {
      const digits = digitsOf(text)
      if (!AMBIGUOUS.test(digits)) return undefined
      const sign = way === "decimalComma" ? "," : "."
      const written = digits.replace(/[.,]/, (found) => (found === sign ? "." : ""))
      const put = (number: string) => text.replace(digits, number)
      return { text: put(written), shown: put(String(Number(written))).trim() }
    },
    asItStands: "decimalPoint",
    isDoubtful: (text, { isStrict }, seen) => seen.has("decimalComma") || (isStrict && text.includes(",")),
    explain,
  })
}
