/** What stops a text from being JSON, in words for people who did not learn its grammar. */
import { safeText } from "../contract/safe-text.ts"
import { slipsIn } from "./indents.ts"
import { inWords, placesIn } from "./place.ts"

/** The first error of a text. Thrown and caught within src/json. */
export class JsonFault extends Error {
  /** In UTF-16 code units. */
  readonly offset: number
  /** What to do about it. */
  readonly hint: string | undefined

  constructor(offset: number, message: string, hint?: string) {
    super(message)
    this.offset = offset
    this.hint = hint
  }
}

const TOKEN = /"(?:[^"\\\r\n]|\\.){0,40}"?|[^\s,:[\]{}"]{1,40}|./suy
const NUMBER_LIKE = /[-+.\w]+/y
const GROUPED = /-?\d{1,3}(?:,\d{3})+(?:\.\d{1,20})?(?![\w.]|,\d)/y
const PRICE = /-?(?:AUD|AU\$|A?\$|[€£])[ \t]*-?\d[\d,]{0,20}(?:\.\d{1,20})?/iy
const SIGNS: Record<string, string> = { ",": "comma", ":": "colon" }
/** How other languages write that there is no value. */
const NO_VALUE = /^(?:undefined|none|nil|null)$/i
const BOOLEAN = /^(?:true|false)$/i
const NO_NUMBER = /^[-+]?(nan|inf(inity)?)$/i
const QUOTES = /^['`´‘’‚“”„«»]/
/** Whitespace that JSON does not know, and characters that cannot be seen. */
const UNSEEN = /^[\p{Cc}\p{Cf}\p{Z}\ufeff]/u

/** The piece of text at an offset, short enough and safe to show. */
function glimpse(text: string, at: number): string {
  TOKEN.lastIndex = at
  return safeText(TOKEN.exec(text)?.[0] ?? text.charAt(at), 30)
}

/** What is wrong in any place: comments, quotes of another kind, characters that cannot be seen. */
function strangeFault(text: string, at: number): JsonFault | undefined {
  const rest = text.slice(at, at + 2)
  if (/^(\/[/*]|#)/.test(rest)) return new JsonFault(at, "comments are not JSON", "remove the comment")
  if (QUOTES.test(rest))
    return new JsonFault(
      at,
      `${rest[0]} is not a quote in JSON`,
      'use straight double quotes everywhere: "like this"',
    )
  if (!UNSEEN.test(rest)) return undefined
  const code = (rest.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")
  return new JsonFault(at, `an unusual blank or invisible character (U+${code}) is here`, "remove it")
}

/** A value is expected here, and this does not start one. */
export function valueFault(text: string, at: number): JsonFault {
  const strange = strangeFault(text, at)
  if (strange) return strange
  const price = matchAt(PRICE, text, at)
  if (price)
    return new JsonFault(
      at,
      `${price} has a currency sign, which is not part of a number`,
      `write ${price.replace(/[^\d.-]/g, "")}`,
    )
  const word = glimpse(text, at)
  if (/^[-+.\d]/.test(word) || NO_NUMBER.test(word)) return numberFault(text, at)
  if (word.startsWith("<")) return new JsonFault(at, "this looks like XML or HTML, not JSON")
  if (NO_VALUE.test(word))
    return new JsonFault(at, `${word} is not JSON`, "write the value, or leave the field out")
  if (BOOLEAN.test(word)) return new JsonFault(at, `${word} is not JSON`, `write ${word.toLowerCase()}`)
  if (text.slice(0, at).trim() === "")
    return new JsonFault(at, `this starts with ${word}, which is not JSON`, "a JSON document starts with {")
  return new JsonFault(at, `${word} is not a JSON value`, `a text needs double quotes: "${word}"`)
}

/** Something that starts like a number but is not one. */
export function numberFault(text: string, at: number): JsonFault {
  NUMBER_LIKE.lastIndex = at
  const token = safeText(NUMBER_LIKE.exec(text)?.[0] ?? "", 30)
  const fault = (message: string, hint: string) => new JsonFault(at, `${token}: ${message}`, hint)
  if (NO_NUMBER.test(token))
    return fault("JSON has no such number", "write the number, or leave the field out")
  if (/^[-+]?0x/i.test(token)) return fault("hexadecimal numbers are not JSON", "write it in decimal digits")
  if (token.startsWith("+")) return fault("a number does not start with a plus sign", "remove the plus sign")
  if (/^-?0\d+(\.\d+)?$/.test(token)) {
    const number = token.replace(/^(-?)0+(?=\d)/, "$1")
    const hint = `write "${token}" if it is a code such as a postcode, or ${number} if it is a number`
    return fault("a number does not start with 0", hint)
  }
  if (/^-?\.\d+$/.test(token)) return fault("a digit is missing before the point", "write 0 before the point")
  if (/^-?\d+\.($|e)/i.test(token))
    return fault("a digit is missing after the point", "add it, or remove the point")
  if (/^-?\d+(\.\d+)?e[-+]?$/i.test(token))
    return fault("digits are missing after the e", "complete the exponent")
  const [, number] = /^(-?\d+(?:\.\d+)?)[a-z]+$/i.exec(token) ?? []
  return fault(
    "this is not a number",
    number ? `write ${number}, or "${token}" if it is a text` : `a text needs double quotes: "${token}"`,
  )
}

/** The text that a sticky pattern matches at an offset. */
function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}

/** A name is expected after `{` or a comma, and there is no double quote. */
export function nameFault(text: string, at: number): JsonFault {
  const strange = strangeFault(text, at)
  if (strange) return strange
  const seen = glimpse(text, at)
  const number = commaInNumber(text, at)
  if (number) return number
  if (/^[\p{L}\p{N}$_]/u.test(seen))
    return new JsonFault(at, `the name ${seen} needs double quotes`, `write "${seen}"`)
  if (seen === ",") return spareComma(at)
  return new JsonFault(at, `a name in double quotes is expected here, not ${seen}`)
}

/** There are digits where a name is expected, because a comma divides a number: `1,204.50` or `40,15`. */
function commaInNumber(text: string, at: number): JsonFault | undefined {
  const before = /-?\d{1,20},$/.exec(text.slice(Math.max(0, at - 22), at))?.[0] ?? ""
  const start = at - before.length
  const grouped = before && matchAt(GROUPED, text, start)
  if (grouped)
    return new JsonFault(
      start,
      `${grouped}: a number has no commas in it`,
      `write ${grouped.replaceAll(",", "")}`,
    )
  const cents = before && matchAt(/\d{1,2}(?![\w.,]*\w)/y, text, at)
  if (!cents) return undefined
  const written = `${before}${cents}`
  return new JsonFault(
    start,
    `${written}: a number has a point before its decimals, not a comma`,
    `write ${written.replace(",", ".")}`,
  )
}

/** There is no colon after the name that opens at `name`. */
export function wrongColonFault(text: string, at: number, name: number): JsonFault {
  return (
    strangeFault(text, at) ??
    new JsonFault(
      at,
      `a colon is missing after ${glimpse(text, name)}`,
      "write the name, a colon, then the value",
    )
  )
}

/** There is nothing, a comma, a colon or a closing bracket where a value is expected. */
export function missingValueFault(text: string, at: number, name: number | undefined): JsonFault {
  if (at === text.length) return new JsonFault(at, "the text is empty: a JSON value is expected")
  if (name !== undefined) return new JsonFault(at, `the value of ${glimpse(text, name)} is missing`)
  return new JsonFault(at, `a value is missing before this ${SIGNS[text.charAt(at)] ?? text.charAt(at)}`)
}

/** A value is followed neither by a comma nor by the container's closing bracket. */
export function commaFault(text: string, at: number, opener: number): JsonFault {
  const strange = strangeFault(text, at)
  if (strange) return strange
  const { forgotten } = slipsIn(text, at)
  if (forgotten?.opener === opener) return forgottenFault(text, forgotten)
  const char = text.charAt(at)
  if (/[\]}]/.test(char))
    return new JsonFault(
      at,
      `this ${char} does not close ${openerInWords(text, opener)}`,
      `write ${closerOf(text, opener)} before it, or remove the ${char}`,
    )
  if (char === ":")
    return text.charAt(opener) === "["
      ? new JsonFault(at, "a list holds values without names", "put names and values in { }")
      : new JsonFault(at, "this colon is one too many", "a comma may be missing before it")
  return afterValue(text, at)
}

/** Something follows a value: the rest of it that is not part of JSON, or the next one without a comma. */
function afterValue(text: string, at: number): JsonFault {
  const before = text.slice(Math.max(0, at - 40), at)
  const seen = glimpse(text, at)
  const [, number] = /(?:^|[\s:,[])(-?\d{1,20}(?:\.\d{1,20})?)$/.exec(before) ?? []
  if (number && seen === "%")
    return new JsonFault(at, "a number has no percent sign", `write ${number} for ${number} percent`)
  const bare = /[^\s,:[\]{}"]{1,30}$/.exec(before)?.[0]
  if (bare && !/^[;=]/.test(seen)) {
    const word = safeText(bare + seen, 40)
    return new JsonFault(at - bare.length, `${word} is not JSON`, `a text needs double quotes: "${word}"`)
  }
  if (!/["{[\-\p{L}\p{N}]/u.test(seen.charAt(0)))
    return new JsonFault(at, `a comma is expected here, not ${seen}`)
  if (/"[ \t]*$/.test(before) && (!seen.startsWith('"') || before.endsWith('"')))
    return new JsonFault(
      at,
      `the quote before ${seen} ends the text`,
      'write a double quote inside a text as \\"; if the text ends here, add a comma after it',
    )
  return new JsonFault(at, `a comma is missing before ${seen}`, commaPlace(text, at))
}

/** Where to write a comma that is missing before an offset, if that is not on the same line. */
function commaPlace(text: string, at: number): string | undefined {
  const placeOf = placesIn(text)
  const { line } = placeOf(text.slice(0, at).trimEnd().length)
  return line < placeOf(at).line ? `write it at the end of line ${line}` : undefined
}

/** The text ends inside the bracket that opens at `opener`. */
export function unclosedFault(text: string, opener: number): JsonFault {
  const { forgotten } = slipsIn(text, text.length)
  if (forgotten) return forgottenFault(text, forgotten)
  return new JsonFault(
    text.trimEnd().length,
    `the text ends here, but ${openerInWords(text, opener)} is not closed`,
    `write ${closerOf(text, opener)} at the end, or get the whole text again if it was cut off`,
  )
}

/** By its indent, something is outside a bracket that is still open. */
function forgottenFault(text: string, { before, opener }: { before: number; opener: number }): JsonFault {
  const closer = closerOf(text, opener)
  const seen = glimpse(text, before)
  const closes = /[\]}]/.test(seen)
  return new JsonFault(
    before,
    `a ${closer} is missing before ${closes ? `this ${seen}` : seen}: ${openerInWords(text, opener)} is still open`,
    `write ${closer}${closes ? "" : ","} on a line before it`,
  )
}

/** More follows the value that is the whole document. */
export function surplusFault(text: string, at: number): JsonFault {
  const strange = strangeFault(text, at)
  if (strange) return strange
  const char = text.charAt(at)
  if (/[\]}]/.test(char)) return surplusCloserFault(text, at, slipsIn(text, at).surplus)
  if (char === ",") return spareComma(at)
  return new JsonFault(
    at,
    `the JSON value has ended, but ${glimpse(text, at)} follows`,
    "a file holds one value; put several into a list: [ ]",
  )
}

/** @param slip where the indents say that it went wrong */
function surplusCloserFault(text: string, at: number, slip: number | undefined): JsonFault {
  const seen = text.charAt(slip ?? at)
  if (slip === undefined) return new JsonFault(at, `this ${seen} closes nothing`, "remove it")
  if (/[\]}]/.test(seen)) return new JsonFault(slip, `this ${seen} is one too many`, "remove it")
  const before = text.slice(0, slip)
  const closer = Math.max(before.lastIndexOf("}"), before.lastIndexOf("]"))
  return new JsonFault(
    closer,
    `this ${text.charAt(closer)} is one too many: by its indent, ${glimpse(text, slip)} still belongs to what it closes`,
    "remove it",
  )
}

function spareComma(at: number): JsonFault {
  return new JsonFault(at, "this comma is one too many", "remove it")
}

function openerInWords(text: string, opener: number): string {
  return `the ${text.charAt(opener)} opened on ${inWords(placesIn(text)(opener))}`
}

function closerOf(text: string, opener: number): string {
  return text.charAt(opener) === "[" ? "]" : "}"
}
