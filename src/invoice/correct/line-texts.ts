/** Parses texts that a person types to change a line of an invoice, or to credit one. */
import { type Parsed, parsed, quoted, refused } from "../../base/parsed.ts"
import { type Amount, toAmount } from "../accounting/amounts.ts"
import { type NewLine, parseLine, parseUnit } from "../new/texts.ts"

export const CHANGE_FORM = "2=3 x Lamp @ 18.50"

/** The changed parts of a line; the rest stays as it is. */
export interface LineChange
  extends Partial<Pick<NewLine, "quantity" | "description" | "unitPrice" | "taxRate">> {
  /** `invoiceLineNumber` of the line. */
  line: number
  unitOfMeasure?: string
}

export interface LineCredit {
  /** `invoiceLineNumber` of the line. */
  line: number
  /** The whole line if omitted. */
  quantity?: Amount
}

/** The number of the line, then its new content. */
const NUMBERED = /^(\d{1,9})\s*=(.*)$/s
const COUNT = /^(\d[\d.,]{0,18})\s?[x×](?:\s|$)/i
const PRICE = /^\$?\s?(\S+)(.*)$/
/** Without a price, tax comes last, except for a unit after it. */
const TAX_BEHIND = /(?<!\S)tax \d[\d.,]*%?(?: \S+)?$/i

/** Reads `2=3 x Lamp @ 18.50 tax 10 EA`, where any part may be omitted: `2=3 x`, `2=@ 18.50`, `2=tax 0`. */
export function parseLineChange(text: string): Parsed<LineChange> {
  const [, number = "", typed = ""] = NUMBERED.exec(text.trim()) ?? []
  const [before = "", after] = typed.trim().split(/@(.*)/s)
  const [counted = "", count] = COUNT.exec(before.trim()) ?? []
  const words = before.trim().slice(counted.length).split(/\s+/).join(" ").trim()
  const [, price, rest = ""] = PRICE.exec((after ?? "").trim()) ?? []
  const [tax = ""] = (price === undefined && TAX_BEHIND.exec(words)) || []
  const description = words.slice(0, words.length - tax.length).trim()
  const saysNothing = count === undefined && price === undefined && tax === ""
  if (number === "" || saysNothing || (after !== undefined && price === undefined))
    return refused(
      `${quoted(text)} is not a change of a line: write it as ${quoted(CHANGE_FORM)}, or only a part of it: "2=3 x", "2=@ 18.50", "2=tax 0"`,
    )
  const code = parseUnit(words)
  if (price === undefined && words !== "" && code.ok && code.value === words)
    return refused(
      `${quoted(text)} may mean a unit or a description: a unit follows a price or tax, as in "2=3 x tax 10 EA"`,
    )
  const whole = `${count ?? 1} x ${description || "-"} @ ${price ?? 1}${rest} ${tax}`
  const read = parseLine(whole)
  if (!read.ok) return read
  const { quantity, unitPrice, taxRate, unitOfMeasure } = read.value
  const isTaxed = tax !== "" || /\btax\b/i.test(rest)
  return parsed({
    line: Number(number),
    ...(count !== undefined && { quantity }),
    ...(description !== "" && { description }),
    ...(price !== undefined && { unitPrice }),
    ...(isTaxed && { taxRate }),
    ...(unitOfMeasure !== undefined && { unitOfMeasure }),
  })
}

/** Reads `2`, or `2=1` for one piece of line 2. */
export function parseLineCredit(text: string): Parsed<LineCredit> {
  const [, number, quantity] = /^\s*(\d{1,9})\s*(?:=\s*(\d{1,12}(?:\.\d{1,2})?))?\s*$/.exec(text) ?? []
  const amount = quantity === undefined ? undefined : toAmount(Number(quantity), quantity)
  if (number === undefined || amount === 0)
    return refused(
      `${quoted(text)} is not a line to credit: write its number, or 2=1 for one piece of line 2`,
    )
  return parsed({ line: Number(number), ...(amount !== undefined && { quantity: amount }) })
}

export function parseLineNumber(text: string): Parsed<number> {
  return /^\s*\d{1,9}\s*$/.test(text)
    ? parsed(Number(text))
    : refused(`${quoted(text)} is not the number of a line`)
}
