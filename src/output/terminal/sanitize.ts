/** Makes text safe for a terminal: program output, names of choices in sentences, our own symbols in ASCII. */
import { safeText } from "../../base/safe-text.ts"

/** Weights, and the sixteen text colours: the output of `paint`. */
const STYLE = /(\p{Cc}\[(?:[0-4]|2[2-47]|3[0-79]|7|9[0-7])m)/u
const ESCAPE = "\u001b"
const RESET = `${ESCAPE}[0m`

/** The text made safe, its line breaks kept, with the styles in it or without. */
export function sanitizeText(text: string, colour: boolean): string {
  const parts = text.split(STYLE).map((part, at) => {
    if (at % 2 === 0) return safeText(part, Number.POSITIVE_INFINITY, { lines: true })
    return colour && part.startsWith(ESCAPE) ? part : ""
  })
  return colour && parts.length > 1 ? `${parts.join("")}${RESET}` : parts.join("")
}

const IN_ASCII: readonly (readonly [mark: string, plain: string])[] = [
  ["…", "..."],
  ["→", "->"],
  ["×", "x"],
  ["³", "3"],
  ["·", "-"],
]

/** Our own marks as a terminal shows them that knows ASCII alone; names of people and places stay. */
export function inAscii(text: string): string {
  return IN_ASCII.reduce((plain, [mark, instead]) => plain.replaceAll(mark, instead), text)
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** A name that is laid out in columns, as it is read in a line. */
export function inLine(name: string): string {
  return safeText(name, 200).trim().replace(/ {2,}/g, ", ")
}

export function asking(question: string): string {
  const text = safeText(question, 200).trimEnd()
  return /[?:!.…]$/.test(text) ? text : `${text}:`
}
