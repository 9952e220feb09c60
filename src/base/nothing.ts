/** By which words and signs people and programs say that there is no value, stated once. */

const DASHES = String.raw`[-\u2010-\u2015\u2212]{1,3}`
const NOTHING = new RegExp(
  String.raw`^(?:(?:A?\$)?\s*${DASHES}|[(<[]?(?:n\/?a|n\.a\.?|nil|none|null|undefined|nan|tb[ac])[)>\]]?)$`,
  "i",
)
const ZERO = new RegExp(String.raw`^(?:(?:A?\$)?\s*${DASHES}|n\/a|n\.a\.?|nil)$`, "i")

/** Whether a text says that there is no value: `-`, `N/A`, `null`, `None`, `TBA`, and ` $-   ` as a spreadsheet shows a zero. */
export function saysNothing(text: string): boolean {
  return NOTHING.test(text.trim())
}

/** Whether an amount is written as a zero: `-`, `nil`, ` $-   `. What a program writes where it lost one is none. */
export function saysZero(text: string): boolean {
  return ZERO.test(text.trim())
}
