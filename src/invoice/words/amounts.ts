/** Amounts as people write them in a text. */
import type { Fix } from "../finding.ts"
import { LONGEST_QUOTE } from "./advice.ts"

/** Signs of the money or the percent; blanks that group digits, also those that do not break lines. */
const SIGNS = /^(?:AUD|AU\$|A?\$)|(?:AUD|%)$|[\s\u00a0\u202f']/gi
const RATES = /(?:Rate|Percent)$/
const AMOUNTS = /(?:amount|price|total)$/i

/** The number in a text such as `$1,204.50`, `1.204,50`, `(19.99)` or `19,99`; undefined where it could be another. */
export function readAmount(
  text: string,
  pointer: string,
): { number: string; safety: Fix["safety"] } | undefined {
  const trimmed = text.slice(0, LONGEST_QUOTE + 1).trim()
  // A percentage is not an amount of dollars, nor the other way round.
  if (/%/.test(trimmed) && !RATES.test(pointer)) return undefined
  if (/\$|AUD/i.test(trimmed) && !AMOUNTS.test(pointer)) return undefined
  const [, bracketed, trailing] = /^\((.*)\)$|^([^-]*)-$/.exec(trimmed) ?? []
  const unsigned = bracketed ?? trailing
  const bare = (unsigned ?? trimmed.replace("-", "")).replace(SIGNS, "").replace(SIGNS, "")
  const negative =
    unsigned !== undefined || trimmed.replace(SIGNS, "").startsWith("-") || trimmed.startsWith("-")
  const forms: readonly (readonly [RegExp, string])[] = [
    [/^\d{1,3}(?:,\d{3})+(?:\.\d{1,15})?$/, bare.replaceAll(",", "")],
    [/^(?:\d{1,15})(?:\.\d{1,15})?$/, bare],
    [/^\d{1,3}(?:\.\d{3})+,\d{1,2}$|^\d{1,15},\d{1,2}$/, bare.replaceAll(".", "").replace(",", ".")],
  ]
  const number = forms.find(([form]) => form.test(bare))?.[1].replace(/^0+(?=\d)/, "")
  // In other countries 1,204 is a little more than one.
  const safety = /^\d{1,3},\d{3}$/.test(bare) ? "suggestion" : "safe"
  return number ? { number: `${negative ? "-" : ""}${number}`, safety } : undefined
}
