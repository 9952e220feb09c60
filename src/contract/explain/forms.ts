/** Corrects texts that do not match a pattern, with the usual corrections. */
import { type Advice, MAX_QUOTE_LENGTH } from "./advice.ts"

type Correction = readonly [found: RegExp, becomes: string]

const CORRECTIONS: readonly Correction[] = [
  [/^UN ?/i, ""],
  [/^class ?/i, ""],
  // The label of lithium batteries, which are of class 9.
  [/^9A$/i, "9"],
  [/^(\d\d)[/.-](\d\d)[/.-](\d{4})/, "$3-$2-$1"],
  [/^http:/, "https:"],
]

const TIMES = /(?:time|cutoff|eta)$/i
const TIME_CORRECTIONS: readonly Correction[] = [
  [/^(.{10}) /, "$1T"],
  [/^(\d):/, "0$1:"],
  [/:/g, ""],
  [/$/, ":00"],
  [/^(?=\d{3}$)/, "0"],
  [/^(\d\d)(\d\d)$/, "$1:$2"],
]
/** Zeros that a spreadsheet removed. */
const POSTCODE_CORRECTIONS: readonly Correction[] = [
  [/^(?=\d{3}$)/, "0"],
  [/^(?=\d{2}$)/, "00"],
  [/^(?=\d$)/, "000"],
]

/** The first correction, or pair of corrections, that makes the text match. */
export function correctForm(
  pattern: string,
  { pointer, value }: { pointer: string; value: unknown },
): Advice | undefined {
  if (typeof value !== "string" || value.length > MAX_QUOTE_LENGTH) return undefined
  const right = new RegExp(pattern, "u")
  const isPostcode = pointer.endsWith("/postcode")
  const own = TIMES.test(pointer) ? TIME_CORRECTIONS : isPostcode ? POSTCODE_CORRECTIONS : []
  const corrections = [...own, ...CORRECTIONS]
  const once = corrections.map(([found, becomes]) => value.trim().replace(found, becomes))
  const twice = once.flatMap((text) => corrections.map(([found, becomes]) => text.replace(found, becomes)))
  const good = [value.trim(), ...once, ...twice].find((text) => right.test(text))
  return good === undefined ? undefined : { hint: `write "${good}"` }
}
