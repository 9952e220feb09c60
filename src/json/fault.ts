/** What stops a text from being JSON, in words for people who did not learn its grammar. */
import { safeText } from "../contract/safe-text.ts"
import { inWords, placesIn } from "./place.ts"

/** Thrown inside this room only: the first fault of a text. */
export class JsonFault extends Error {
  /** Where it stands, in UTF-16 code units. */
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
const SIGNS: Record<string, string> = { ",": "comma", ":": "colon" }
const LOOK_ALIKES = new Map([
  ["undefined", "null"],
  ["none", "null"],
  ["nil", "null"],
  ["null", "null"],
  ["true", "true"],
  ["false", "false"],
])
const NO_NUMBER = /^[-+]?(nan|inf(inity)?)$/i
const QUOTES = /^['`´‘’‚“”„«»]/
/** Whitespace that JSON does not know, and characters that cannot be seen. */
const UNSEEN = /^[\p{Cc}\p{Cf}\p{Z}\ufeff]/u

/** The piece of text at an offset, short enough and safe to show. */
function glimpse(text: string, at: number): string {
  TOKEN.lastIndex = at
  return safeText(TOKEN.exec(text)?.[0] ?? text.charAt(at), 30)
}

/** What is wrong wherever it stands: comments, quotes of another kind, characters that cannot be seen. */
function strangeFault(text: string, at: number): JsonFault | undefined {
  const rest = text.slice(at, at + 2)
  if (/^(\/[/*]|#)/.test(rest)) return new JsonFault(at, "comments are not JSON", "remove the comment")
  if (QUOTES.test(rest))
    return new JsonFault(at, `${rest[0]} is not a quote in JSON`, 'use straight double quotes: "like this"')
  if (!UNSEEN.test(rest)) return undefined
  const code = (rest.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")
  return new JsonFault(at, `an unusual blank or invisible character (U+${code}) stands here`, "remove it")
}

/** A value was due, and this begins none. */
export function valueFault(text: string, at: number): JsonFault {
  const strange = strangeFault(text, at)
  if (strange) return strange
  const word = glimpse(text, at)
  if (/^[-+.\d]/.test(word) || NO_NUMBER.test(word)) return numberFault(text, at)
  if (word.startsWith("<")) return new JsonFault(at, "this looks like XML or HTML, not JSON")
  const meant = LOOK_ALIKES.get(word.toLowerCase())
  if (meant) return new JsonFault(at, `${word} is not JSON`, `write ${meant}`)
  return new JsonFault(at, `${word} is not a JSON value`, `a text needs double quotes: "${word}"`)
}

/** Something that begins like a number and is none. */
export function numberFault(text: string, at: number): JsonFault {
  NUMBER_LIKE.lastIndex = at
  const token = safeText(NUMBER_LIKE.exec(text)?.[0] ?? "", 30)
  const fault = (message: string, hint: string) => new JsonFault(at, `${token}: ${message}`, hint)
  if (NO_NUMBER.test(token)) return fault("JSON has no such number", "write null, or leave it out")
  if (/^[-+]?0x/i.test(token)) return fault("hexadecimal numbers are not JSON", "write it in decimal digits")
  if (token.startsWith("+")) return fault("a number does not start with a plus sign", "remove the plus sign")
  if (/^-?0\d+(\.\d+)?$/.test(token)) {
    const number = token.replace(/^(-?)0+(?=\d)/, "$1")
    const hint = `write ${number}, or "${token}" where it is a code such as a postcode`
    return fault("a number does not start with 0", hint)
  }
  if (/^-?\.\d+$/.test(token)) return fault("a digit is missing before the point", "write 0 before the point")
  if (/^-?\d+\.($|e)/i.test(token))
    return fault("a digit is missing after the point", "add it, or remove the point")
  if (/^-?\d+(\.\d+)?e[-+]?$/i.test(token))
    return fault("digits are missing after the e", "complete the exponent")
  return fault("this is not a number", `a text needs double quotes: "${token}"`)
}

/** A name was due after `{` or a comma, and no double quote stands here. */
export function nameFault(text: string, at: number): JsonFault {
  const strange = strangeFault(text, at)
  if (strange) return strange
  const seen = glimpse(text, at)
  if (/^\d/.test(seen) && text.charAt(at - 1) === ",")
    return new JsonFault(at, `a name is expected here, not ${seen}`, "a number has no thousands separators")
  if (/^[\p{L}\p{N}$_]/u.test(seen))
    return new JsonFault(at, `the name ${seen} needs double quotes`, `write "${seen}"`)
  if (seen === ",") return spareComma(at)
  return new JsonFault(at, `a name in double quotes is expected here, not ${seen}`)
}

/** No colon stands after the name that opens at `name`. */
export function wrongColonFault(text: string, at: number, name: number): JsonFault {
  return (
    strangeFault(text, at) ??
    new JsonFault(
      at,
      `a colon is missing after ${glimpse(text, name)}`,
      "write a name, a colon, then the value",
    )
  )
}

/** Nothing, a comma, a colon or a closing bracket stands where a value was due. */
export function missingValueFault(text: string, at: number, name: number | undefined): JsonFault {
  if (at === text.length) return new JsonFault(at, "the text is empty: a JSON value is expected")
  if (name !== undefined) return new JsonFault(at, `the value of ${glimpse(text, name)} is missing`)
  return new JsonFault(at, `a value is missing before this ${SIGNS[text.charAt(at)] ?? text.charAt(at)}`)
}

/** Neither a comma nor the container's closing bracket stands after a value. */
export function commaFault(text: string, at: number, opener: number): JsonFault {
  const strange = strangeFault(text, at)
  if (strange) return strange
  const char = text.charAt(at)
  if (/[\]}]/.test(char))
    return new JsonFault(at, `this ${char} does not close ${openerInWords(text, opener)}`)
  if (char === ":")
    return text.charAt(opener) === "["
      ? new JsonFault(at, "a list holds values without names", "names and values stand in { }")
      : new JsonFault(at, "this colon is one too many", "a comma may be missing before it")
  if (!/["{[\-\p{L}\p{N}]/u.test(char))
    return new JsonFault(at, `a comma is expected here, not ${glimpse(text, at)}`)
  const inside = text.charAt(at - 1) === '"' && char !== '"'
  return new JsonFault(
    at,
    `a comma is missing before ${glimpse(text, at)}`,
    inside ? 'a double quote inside a text is written \\"' : undefined,
  )
}

/** The text ends inside the bracket that opens at `opener`. */
export function unclosedFault(text: string, opener: number): JsonFault {
  return new JsonFault(
    text.trimEnd().length,
    `the text ends here, but ${openerInWords(text, opener)} is not closed`,
    "close it, or get the whole text again if it was cut off",
  )
}

/** More follows the value that is the whole document. */
export function surplusFault(text: string, at: number): JsonFault {
  const strange = strangeFault(text, at)
  if (strange) return strange
  if (/[\]}]/.test(text.charAt(at)))
    return new JsonFault(at, `this ${text.charAt(at)} closes nothing`, "remove it")
  if (text.charAt(at) === ",") return spareComma(at)
  return new JsonFault(
    at,
    `the JSON value has ended, but ${glimpse(text, at)} follows`,
    "one text holds one value; several stand in a list: [ ]",
  )
}

function spareComma(at: number): JsonFault {
  return new JsonFault(at, "this comma is one too many", "remove it")
}

function openerInWords(text: string, opener: number): string {
  return `the ${text.charAt(opener)} opened on ${inWords(placesIn(text)(opener))}`
}
