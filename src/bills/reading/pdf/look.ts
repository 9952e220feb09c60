/** Classifies lines of a PDF before its columns are known. */
import { type Line, MONEY } from "../../../input/index.ts"
import { findNumbers } from "../../names.ts"
import { isTotalLabel } from "./stated.ts"

export function looksLikeRow({ phrases }: Line): boolean {
  return (
    phrases.length >= 2 &&
    phrases.some(({ text }) => /\d\.\d\d\b/.test(text)) &&
    !phrases.some(({ text }) => isTotalLabel(text))
  )
}

export const hasOwnNumber = ({ phrases }: Line) => phrases.some(({ text }) => findNumbers(text).length > 0)

/** Whether a line is almost certainly a charge for a consignment: it has a number and an amount. */
export const isSurelyRow = (line: Line) =>
  looksLikeRow(line) && hasOwnNumber(line) && line.phrases.some(({ text }) => MONEY.test(text))
