/** Explains why a text is not JSON, for people who do not know its grammar. */
import { INVISIBLE_SIGNS } from "../../base/invisible.ts"
import { isNoValue } from "../../base/nothing.ts"
import { safeText } from "../../base/safe-text.ts"
import { readAccountingSuffix } from "../../base/money.ts"
import { TABLE_HINT, WEB_PAGE, WEB_PAGE_START } from "./bytes.ts"
import { createPositionFinder, formatPosition, type Repair } from "./position.ts"
import type { JsonNode } from "./node.ts"

/** The first error of a text. Thrown and caught within src/json. */
export class JsonSyntaxError extends Error {
  /** In UTF-16 code units. */
  readonly offset: number
  readonly hint: string | undefined
  readonly repair: Repair | undefined

  /** @param repair if the hint leaves no choice */
  constructor(offset: number, message: string, hint?: string, repair?: Repair) {
    super(message)
    this.offset = offset
    this.hint = hint
    this.repair = repair
  }
}

const TOKEN = /"(?:[^"\\\r\n]|\\.){0,40}"?|[^\s,:[\]{}"]{1,40}|./suy
const NUMBER_LIKE = /[-+.\w]+/y
const GROUPED = /-?\d{1,3}(?:,\d{3})+(?:\.\d{1,20})?(?![\w.]|,\d)/y
const PRICE = /(-?)(?:AUD|AU\$|A?\$|([€£]))[ \t]*(-?\d(?:[\d,]{0,20}\d)?(?:\.\d{1,20})?)/iy
/** A word with nothing behind it that could make it a name or a value of its own. */
const LAST_ON_LINE = /[^\s,:[\]{}"]+(?=[ \t]*(?:[,}\r\n]|$))/y
const SIGNS: Record<string, string> = { ",": "comma", ":": "colon" }
const BOOLEAN = /^(?:true|false)$/i
const NO_NUMBER = /^[-+]?(nan|inf(inity)?)$/i
/** A text in curly quotes, with nothing in it that would have to be escaped. */
const CURLY = /[“”„][^"“”„\\\p{Cc}]*[“”](?=\s*[:,}\]])/uy
const QUOTES = /^['`´‘’‚“”„«»]/
/** The marker that version control leaves between two versions of a file, at the start of a line. */
const MERGE_MARKER = /(?<=^|[\r\n])([<=>|])\1{6}(?=[ \r\n]|$)/y
/** Whitespace that JSON does not know, and characters that cannot be seen. */
const UNSEEN = new RegExp(`^[\\p{Cc}\\p{Z}${INVISIBLE_SIGNS}]`, "u")

/** The piece of text at an offset, short enough and safe to show. */
function readToken(text: string, at: number): string {
  return safeText(matchAt(TOKEN, text, at) ?? text.charAt(at), 30)
}

/** The text that a sticky pattern matches at an offset. */
function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}

/** Finds errors that are the same in any place: comments, quotes of another kind, invisible characters. */
function findStrangeText(text: string, at: number): JsonSyntaxError | undefined {
  const rest = text.slice(at, at + 2)
  if (matchAt(MERGE_MARKER, text, at))
    return new JsonSyntaxError(
      at,
      "a merge marker is here: two versions of the file are one below the other",
      "keep one of them, and remove the lines that start with <<<<<<<, ======= and >>>>>>>",
    )
  if (/^(\/[/*]|#)/.test(rest)) return new JsonSyntaxError(at, "comments are not JSON", "remove the comment")
  if (QUOTES.test(rest)) {
    const hint = 'use straight double quotes everywhere: "like this"'
    const quoted = matchAt(CURLY, text, at)
    const repair = quoted && { offset: at, length: quoted.length, text: `"${quoted.slice(1, -1)}"` }
    return new JsonSyntaxError(at, `${rest[0]} is not a quote in JSON`, hint, repair || undefined)
  }
  if (!UNSEEN.test(rest)) return undefined
  const code = (rest.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")
  return new JsonSyntaxError(at, `an unusual blank or invisible character (U+${code}) is here`, "remove it")
}

/** A value is expected here, and this does not start one. */
export function createValueError(text: string, at: number): JsonSyntaxError {
  const strange = findStrangeText(text, at)
  if (strange) return strange
  const error = (message: string, hint?: string, by?: string, length = 0) =>
    new JsonSyntaxError(at, message, hint, by === undefined ? undefined : { offset: at, length, text: by })
  PRICE.lastIndex = at
  const [price, minus = "", foreign, figures = ""] = PRICE.exec(text) ?? []
  if (price) {
    const message = `${price} has a currency sign, which is not part of a number`
    // An amount of another currency is not that number of dollars.
    const number = foreign ? undefined : readFigures(minus + figures)
    return number === undefined
      ? error(message, "write the number alone, in the currency of the document")
      : error(message, `write ${number}`, number, price.length)
  }
  const table = findTable(text, at)
  if (table) return table
  const word = readToken(text, at)
  if (/^[-+.\d]/.test(word) || NO_NUMBER.test(word)) return createNumberError(text, at)
  if (word.startsWith("<"))
    return WEB_PAGE_START.test(text.slice(at, at + word.length + 20))
      ? error(`this is ${WEB_PAGE.kind}, not JSON`, WEB_PAGE.hint)
      : error("this is XML, not JSON", "export it as JSON")
  if (isNoValue(word)) return error(`${word} is not JSON`, "write the value, or leave the field out")
  if (BOOLEAN.test(word))
    return error(`${word} is not JSON`, `write ${word.toLowerCase()}`, word.toLowerCase(), word.length)
  if (text.slice(0, at).trim() === "")
    return error(`this starts with ${word}, which is not JSON`, "a JSON document starts with {")
  return error(`${word} is not a JSON value`, `a text needs double quotes: "${word}"`)
}

/** Rows of cells instead of a document. @param at the position of the error; a table has nothing before its first cell */
function findTable(text: string, at: number): JsonSyntaxError | undefined {
  const start = text.search(/\S/)
  if (!/^(?:"[^"\r\n]*")?\s*$/.test(text.slice(start, at)) || /[[{]/.test(text.charAt(start)))
    return undefined
  const [first = "", second = ""] = text.slice(start, start + MAX_ROWS_LENGTH).split(/\r\n|\n|\r/)
  const countCells = (row: string, sign: string) => row.replace(/"[^"]*"/g, "").split(sign).length
  const isTable = [",", ";", "\t"].some((sign) => {
    const count = countCells(first, sign)
    return count > 1 && countCells(second, sign) === count
  })
  return isTable ? new JsonSyntaxError(start, "this is a table (CSV), not JSON", TABLE_HINT) : undefined
}

/** Rows longer than this, in characters, are not looked at. */
const MAX_ROWS_LENGTH = 20_000

/** `1,204.50` → `1204.50` and `40,15` → `40.15`; undefined for an ambiguous number. */
function readFigures(figures: string): string | undefined {
  const plain = /^-?\d+,\d{1,2}$/.test(figures) ? figures.replace(",", ".") : figures
  const isNumber = /^-?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?$/.test(plain)
  return isNumber ? plain.replaceAll(",", "").replace(/^(-?)0+(?=\d)/, "$1") : undefined
}

/** Something that starts like a number but is not one. */
export function createNumberError(text: string, at: number): JsonSyntaxError {
  const token = safeText(matchAt(NUMBER_LIKE, text, at) ?? "", 30)
  const error = (message: string, hint: string, number?: string) =>
    new JsonSyntaxError(
      at,
      `${token}: ${message}`,
      hint,
      number === undefined ? undefined : { offset: at, length: token.length, text: number },
    )
  const adviseNumber = (message: string, number: string) => error(message, `write ${number}`, number)
  if (NO_NUMBER.test(token))
    return error("JSON has no such number", "write the number, or leave the field out")
  if (/^[-+]?0x/i.test(token)) return error("hexadecimal numbers are not JSON", "write it in decimal digits")
  if (/^[-+.]+$/.test(token)) return error("this is not a number", "write the number, or leave the field out")
  if (/^\+\d+(?:\.\d+)?$/.test(token))
    return adviseNumber("a number does not start with a plus sign", token.slice(1).replace(/^0+(?=\d)/, ""))
  if (token.startsWith("+")) return error("a number does not start with a plus sign", "remove the plus sign")
  if (/^-?[1-9]\d{0,2}(?:_\d{3})+(?:\.\d+)?$/.test(token))
    return adviseNumber("a number has no underscores in it", token.replaceAll("_", ""))
  if (/^-?0\d+(\.\d+)?$/.test(token)) {
    const number = token.replace(/^(-?)0+(?=\d)/, "$1")
    const hint = `write "${token}" if it is a code such as a postcode, or ${number} if it is a number`
    return error("a number does not start with 0", hint)
  }
  if (/^-?\.\d+$/.test(token))
    return adviseNumber("a digit is missing before the point", token.replace(".", "0."))
  if (/^-?\d+\.($|e)/i.test(token))
    return error("a digit is missing after the point", "add it, or remove the point")
  if (/^-?\d+(\.\d+)?e[-+]?$/i.test(token))
    return error("digits are missing after the e", "complete the exponent")
  const [, number, letters = ""] = /^(-?\d+(?:\.\d+)?)([a-z]+)$/i.exec(token) ?? []
  return error(
    "this is not a number",
    number ? adviseFigures(number, letters, token) : `a text needs double quotes: "${token}"`,
  )
}

/** The advice for a number with a word behind it: `50 CR`. @param written both, as in the text */
function adviseFigures(number: string, word: string, written: string): string {
  const meaning = readAccountingSuffix(number, word)
  return meaning
    ? `write ${meaning.number} if ${meaning.condition}`
    : `write ${number}, or "${written}" if it is a text`
}

/** There is no double quote at the start of a name, after `{` or a comma. */
export function createNameError(text: string, at: number): JsonSyntaxError {
  const known = findStrangeText(text, at) ?? findCommaInNumber(text, at)
  if (known) return known
  const seen = readToken(text, at)
  if (/^[\p{L}\p{N}$_]/u.test(seen))
    return new JsonSyntaxError(at, `the name ${seen} needs double quotes`, `write "${seen}"`)
  if (seen === ",") return createSurplusCommaError(at)
  return new JsonSyntaxError(at, `a name in double quotes is expected here, not ${seen}`)
}

/** There are digits instead of a name, because a comma divides a number: `1,204.50` or `40,15`. */
function findCommaInNumber(text: string, at: number): JsonSyntaxError | undefined {
  const before = /-?(?:\d{1,3}(?:\.\d{3}){1,6}|\d{1,20}),$/.exec(text.slice(Math.max(0, at - 30), at))?.[0]
  if (before === undefined) return undefined
  const start = at - before.length
  const grouped = matchAt(GROUPED, text, start)
  if (grouped) {
    const number = grouped.replaceAll(",", "")
    const repair = { offset: start, length: grouped.length, text: number }
    return new JsonSyntaxError(start, `${grouped}: a number has no commas in it`, `write ${number}`, repair)
  }
  const decimals = matchAt(/\d{1,2}(?![\w.,]*\w)|\d{4,6}(?![\w.,]*\w)/y, text, at)
  if (!decimals) return undefined
  const written = before + decimals
  if (decimals.length > 2) {
    const hint = `write ${written.replace(",", ".")} or ${written.replace(",", "")}: it can be either`
    return before.includes(".")
      ? undefined
      : new JsonSyntaxError(start, `${written}: a number has no commas in it`, hint)
  }
  const message = `${written}: a number has a point before its decimals, ${before.includes(".") ? "and nothing else in it" : "not a comma"}`
  const number = `${before.replaceAll(".", "").replace(",", ".")}${decimals}`
  const repair = { offset: start, length: written.length, text: number }
  return new JsonSyntaxError(start, message, `write ${number}`, repair)
}

/** @param name offset of the name that no colon follows */
export function createMissingColonError(text: string, at: number, name: number): JsonSyntaxError {
  const message = `a colon is missing after ${readToken(text, name)}`
  return (
    findStrangeText(text, at) ?? new JsonSyntaxError(at, message, "write the name, a colon, then the value")
  )
}

/** There is nothing, a comma, a colon or a closing bracket instead of a value. */
export function createMissingValueError(text: string, at: number, name: number | undefined): JsonSyntaxError {
  if (at === text.length) return new JsonSyntaxError(at, "the text is empty: a JSON value is expected")
  if (name !== undefined) return new JsonSyntaxError(at, `the value of ${readToken(text, name)} is missing`)
  const sign = SIGNS[text.charAt(at)] ?? text.charAt(at)
  return new JsonSyntaxError(at, `a value is missing before this ${sign}`)
}

/** A value is followed neither by a comma nor by the closing bracket of its list or object. */
export function createMissingCommaError(
  text: string,
  at: number,
  opener: number,
  nodes: readonly JsonNode[],
): JsonSyntaxError {
  const strange = findStrangeText(text, at)
  if (strange) return strange
  const { missing } = guessBracketError(text, nodes, at)
  if (missing?.opener === opener) return createMissingBracketError(text, missing)
  const char = text.charAt(at)
  if (/[\]}]/.test(char))
    return new JsonSyntaxError(
      at,
      `this ${char} does not close ${describeOpener(text, opener, at)}`,
      `write ${getCloser(text, opener)} before it, or remove the ${char}`,
    )
  if (char !== ":") return explainAfterValue(text, at)
  return text.charAt(opener) === "["
    ? new JsonSyntaxError(at, "a list holds values without names", "put names and values in { }")
    : new JsonSyntaxError(at, "this colon is one too many", "a comma may be missing before it")
}

/** Something follows a value: the rest of it that is not part of JSON, or the next one without a comma. */
function explainAfterValue(text: string, at: number): JsonSyntaxError {
  const before = text.slice(Math.max(0, at - 40), at)
  const seen = readToken(text, at)
  const [, number, blanks = ""] = /(?:^|[\s:,[])(-?\d{1,20}(?:\.\d{1,20})?)([ \t]*)$/.exec(before) ?? []
  if (number && seen === "%")
    return new JsonSyntaxError(at, "a number has no percent sign", `write ${number} for ${number} percent`)
  if (number && blanks && matchAt(LAST_ON_LINE, text, at)) {
    const whole = `${number}${blanks}${seen}`
    const hint = /^\d/.test(seen) ? `write ${number}${seen}` : adviseFigures(number, seen, whole)
    if (/^(?:\d{3}(?:\.\d+)?|\p{L}+)$/u.test(seen))
      return new JsonSyntaxError(at - blanks.length - number.length, `${whole}: this is not a number`, hint)
  }
  const bare = /[^\s,:[\]{}"]{1,30}$/.exec(before)?.[0]
  if (bare && !/^[;=]/.test(seen)) {
    const word = safeText(bare + seen, 40)
    const hint = `a text needs double quotes: "${word}"`
    return new JsonSyntaxError(at - bare.length, `${word} is not JSON`, hint)
  }
  if (!/["{[\-\p{L}\p{N}]/u.test(seen.charAt(0)))
    return new JsonSyntaxError(at, `a comma is expected here, not ${seen}`)
  if (/"[ \t]*$/.test(before) && (!seen.startsWith('"') || before.endsWith('"'))) {
    const hint = 'write a double quote inside a text as \\"; if the text ends here, add a comma after it'
    return new JsonSyntaxError(at, `the quote before ${seen} ends the text`, hint)
  }
  const place = describeCommaPlace(text, at)
  const end = text.slice(0, at).trimEnd().length
  const repair = place === undefined ? undefined : { offset: end, length: 0, text: "," }
  return new JsonSyntaxError(at, `a comma is missing before ${seen}`, place, repair)
}

/** The place for a missing comma before an offset, if it is not on the same line. */
function describeCommaPlace(text: string, at: number): string | undefined {
  const findPosition = createPositionFinder(text)
  const { line } = findPosition(text.slice(0, at).trimEnd().length)
  return line < findPosition(at).line ? `write it at the end of line ${line}` : undefined
}

/** The text ends inside the bracket that opens at `opener`. */
export function createUnclosedError(
  text: string,
  opener: number,
  nodes: readonly JsonNode[],
): JsonSyntaxError {
  const { missing } = guessBracketError(text, nodes, text.length)
  if (missing) return createMissingBracketError(text, missing)
  const end = text.trimEnd().length
  return new JsonSyntaxError(
    end,
    `the text ends here, but ${describeOpener(text, opener, end)} is not closed`,
    `write ${getCloser(text, opener)} at the end, or get the whole text again if it was cut off`,
  )
}

function createMissingBracketError(
  text: string,
  { before, opener }: { before: number; opener: number },
): JsonSyntaxError {
  const closer = getCloser(text, opener)
  const seen = readToken(text, before)
  const closes = /[\]}]/.test(seen)
  const place = closes ? `this ${seen}` : seen
  return new JsonSyntaxError(
    before,
    `a ${closer} is missing before ${place}: ${describeOpener(text, opener, before)} is still open`,
    `write ${closer}${closes ? "" : ","} on a line before it`,
  )
}

/** More follows the value that is the whole document. */
export function createSurplusError(text: string, at: number, nodes: readonly JsonNode[]): JsonSyntaxError {
  const strange = findStrangeText(text, at)
  if (strange) return strange
  const char = text.charAt(at)
  if (/[\]}]/.test(char))
    return createSurplusBracketError(text, at, guessBracketError(text, nodes, at).surplus)
  const table = findTable(text, at)
  if (table) return table
  if (char === ",") return createSurplusCommaError(at)
  const message = `the JSON value has ended, but ${readToken(text, at)} follows`
  const hint =
    "put several values into a list: [ ]; or each on a line of its own, in a file that ends in .ndjson"
  return new JsonSyntaxError(at, message, hint)
}

/** @param wrong the place of the mistake, by the indents */
function createSurplusBracketError(text: string, at: number, wrong: number | undefined): JsonSyntaxError {
  const seen = text.charAt(wrong ?? at)
  if (wrong === undefined) return new JsonSyntaxError(at, `this ${seen} closes nothing`, "remove it")
  if (/[\]}]/.test(seen)) return new JsonSyntaxError(wrong, `this ${seen} is one too many`, "remove it")
  const before = text.slice(0, wrong)
  const closer = Math.max(before.lastIndexOf("}"), before.lastIndexOf("]"))
  const message = `this ${text.charAt(closer)} is one too many: by its indent, ${readToken(text, wrong)} still belongs to what it closes`
  return new JsonSyntaxError(closer, message, "remove it")
}

/** @returns the repair that removes one character */
export function removeCharacter(offset: number): Repair {
  return { offset, length: 1, text: "" }
}

function createSurplusCommaError(at: number): JsonSyntaxError {
  return new JsonSyntaxError(at, "this comma is one too many", "remove it", removeCharacter(at))
}

/** @param at the position of the error */
function describeOpener(text: string, opener: number, at: number): string {
  const find = createPositionFinder(text)
  return `the ${text.charAt(opener)} opened ${formatPosition(find(opener), find(at))}`
}

function getCloser(text: string, opener: number): string {
  return text.charAt(opener) === "[" ? "]" : "}"
}

interface Open {
  node: JsonNode
  /** How far its line is indented. */
  indent: number
  /** How far its entries are indented, once one has begun a line further in than the bracket's own. */
  inner?: number
}

interface BracketError {
  /** A bracket that should have been closed before an offset. */
  missing?: { before: number; opener: number }
  /** A surplus closing bracket, or the first entry that is outside because of one. */
  surplus?: number
}

/**
 * Guesses from the indents which bracket is missing or surplus; undefined if the text is not indented.
 * @param nodes the values before `end`, where brackets do not pair
 */
function guessBracketError(text: string, nodes: readonly JsonNode[], end: number): BracketError {
  const found: BracketError = {}
  const open: Open[] = []
  const lines = text.matchAll(/(?:^|[\r\n])([ \t]*)/g)
  let next = lines.next()
  let line = { indent: 0, first: 0 }
  const getLine = (at: number) => {
    for (; !next.done; next = lines.next()) {
      const [{ length }, { length: indent } = ""] = next.value
      const first = next.value.index + length
      if (first > at) break
      line = { indent, first }
    }
    return line
  }
  const compare = (at: number, closes: boolean) => {
    const holder = open.at(-1)
    const { indent, first } = getLine(at)
    if (first !== at || !holder) return
    if (holder.inner === undefined) {
      if (indent > holder.indent && !closes) holder.inner = indent
    } else if (indent < holder.indent || (indent === holder.indent && !closes))
      found.missing ??= { before: at, opener: holder.node.start }
    // A value may be on the line after its name, indented further.
    else if (indent > (closes ? holder.indent : holder.inner)) found.surplus ??= at
  }
  const closeUpTo = (holder: JsonNode | undefined) => {
    for (let last = open.at(-1); last && last.node !== holder && last.node.end > 0; last = open.at(-1)) {
      compare(last.node.end - 1, true)
      open.pop()
    }
  }
  for (const node of nodes) {
    closeUpTo(node.parent)
    compare(node.name ?? node.start, false)
    if (node.children) open.push({ node, indent: getLine(node.start).indent })
  }
  closeUpTo(undefined)
  if (end < text.length) compare(end, /[\]}]/.test(text.charAt(end)))
  return found
}
