/** Words and signs that people and programs write for no value, stated once. */

const DASHES = String.raw`[-\u2010-\u2015\u2212]{1,3}`
const NOTHING = new RegExp(
  String.raw`^(?:(?:A?\$)?\s*${DASHES}|[(<[]?(?:[nN] ?\/ ?[aA]\.?|[nN]\.[aA]\.?|[nN]il|NIL|[nN]ot (?:applicable|available|given|provided|set|specified|supplied))[)>\]]?)$`,
)
/** Programs' spellings, also doubled for two names, which are not names: `Null` and `Nan` are surnames. */
const OF_PROGRAMS =
  /^(?:[(<[]?(null|NULL|[Nn]one|NONE|undefined|NaN|nan)(?:,? \1)*[)>\]]?|<NA>|\\N|\((?:blank|empty)\))$/
/** The value is not known, or not decided yet. `NA` is a surname too. */
const UNKNOWN = /^(?:na|tb[ac])$/i
const ZERO = new RegExp(String.raw`^(?:(?:A?\$)?\s*${DASHES}|n\/a|n\.a\.?|nil)$`, "i")

/**
 * Whether a text means that there is no value: `-`, `N/A`, `null`, `None`, and ` $-   ` as a spreadsheet shows a zero.
 */
export function saysNothing(text: string): boolean {
  const trimmed = text.trim()
  return NOTHING.test(trimmed) || OF_PROGRAMS.test(trimmed)
}

/** Whether a text in place of a number or a date means no value: no name is expected there, so case does not matter. */
export function isNoValue(text: string): boolean {
  return saysNothing(text) || saysNothing(text.toLowerCase()) || UNKNOWN.test(text.trim())
}

/** Whether an amount is written as a zero: `-`, `nil`, ` $-   `. A program's text for a lost value is not a zero. */
export function saysZero(text: string): boolean {
  return ZERO.test(text.trim())
}
