/** Amounts as people write them in a text. */
import { readAccountingSuffix } from "../../base/money.ts"
import { MAX_QUOTE_LENGTH, type Safety } from "./advice.ts"

/** Signs of money or percent, and blanks that group digits, non-breaking ones included. */
const SIGNS = /^(?:AUD|AU\$|A?\$)|(?:AUD|%)$|[\s\u00a0\u202f']/gi
const RATES = /(?:Rate|Percent)$/
const AMOUNTS = /(?:amount|price|total)$/i

/** Units that people write beside a number whose field already names the unit. */
const UNITS: Readonly<Record<string, RegExp>> = {
  Days: /^net\s+|(?:(?<!\s)\s+)?(?:calendar\s+)?days?(?:\s+net)?$/gi,
  Kg: /(?<!\s)\s*kgs?\.?$/i,
  Cm: /(?<!\s)\s*cms?\.?$/i,
}

interface ReadAmount {
  number: string
  safety: Safety
  /** The condition under which it is that number. */
  condition?: string
}

/**
 * The number in a text such as `$1,204.50`, `1.204,50`, `(19.99)`, `19,99` or `50 CR`, and `30 days` or `5 kg` if the
 * field's name ends with that unit; undefined if it is ambiguous.
 */
export function readAmount(text: string, pointer: string): ReadAmount | undefined {
  const whole = text.slice(0, MAX_QUOTE_LENGTH + 1).trim()
  const unit = UNITS[/(?:Days|Kg|Cm)$/.exec(pointer)?.[0] ?? ""]
  const trimmed = unit ? whole.replace(unit, "") : whole
  const [, figures = "", word = ""] = /^(.*\d)\s*(\p{L}+|¢)$/u.exec(trimmed) ?? []
  const plain = figures === "" ? undefined : readAmount(figures, pointer)
  const meaning = plain && readAccountingSuffix(plain.number, word)
  if (meaning) return { ...meaning, safety: "suggestion" }
  // A percentage is not an amount of dollars, and an amount is not a percentage.
  if (/%/.test(trimmed) && !RATES.test(pointer)) return undefined
  if (/\$|AUD/i.test(trimmed) && !AMOUNTS.test(pointer)) return undefined
  const [, bracketed, trailing] = /^\((.*)\)$|^([^-]*)-$/.exec(trimmed) ?? []
  const unsigned = bracketed ?? trailing
  const bare = (unsigned ?? trimmed.replace(/^\+|-/, "")).replace(SIGNS, "").replace(SIGNS, "")
  const negative =
    unsigned !== undefined || trimmed.replace(SIGNS, "").startsWith("-") || trimmed.startsWith("-")
  const forms: readonly (readonly [RegExp, string])[] = [
    [/^\d{1,3}(?:,\d{3})+(?:\.\d{1,15})?$/, bare.replaceAll(",", "")],
    [/^\d{1,15}(?:\.\d{1,15})?$/, bare],
    [/^\.\d{1,15}$/, `0${bare}`],
    [/^\d{1,3}(?:_\d{3})+(?:\.\d{1,15})?$/, bare.replaceAll("_", "")],
    [/^\d{1,3}(?:\.\d{3})+,\d{1,2}$|^\d{1,15},\d{1,2}$/, bare.replaceAll(".", "").replace(",", ".")],
  ]
  const number = forms.find(([form]) => form.test(bare))?.[1].replace(/^0+(?=\d)/, "")
  // In other countries 1,204 is a little more than one.
  const safety = /^\d{1,3},\d{3}$/.test(bare) ? "suggestion" : "safe"
  return number ? { number: `${negative ? "-" : ""}${number}`, safety } : undefined
}

/** Both readings of a text such as `1,2345`; the one with a point first. */
export function readTwoWays(text: string): readonly [string, string] | undefined {
  const trimmed = text.slice(0, MAX_QUOTE_LENGTH + 1).trim()
  return /^-?\d{1,9},\d{4,6}$/.test(trimmed)
    ? [trimmed.replace(",", "."), trimmed.replace(",", "")]
    : undefined
}
