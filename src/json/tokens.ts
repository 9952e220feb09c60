/** The ends of JSON's tokens: each function takes where a token starts and says where it ends, or what is wrong. */
import { JsonFault, numberFault, valueFault } from "./fault.ts"
import { endOfQuoted } from "./survey.ts"

export const QUOTE = 0x22
const BACKSLASH = 0x5c

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?(?![-+.\w])/y
const WORD = /(?:true|false|null)(?![-+.\w])/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

/** The first offset from `at` on that is not JSON whitespace. */
export function skipSpace(text: string, at: number): number {
  for (; ; at++) {
    const code = text.charCodeAt(at)
    if (code > 0x20 || (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09)) return at
  }
}

/** The end of a string that opens at `start`. */
export function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) return at + 1
    if (code === BACKSLASH) at = endOfEscape(text, at, start) - 1
    else if (code === 0x0a || code === 0x0d) break
    else if (code < 0x20) throw controlFault(at, code)
  }
  throw unclosedQuote(text, start)
}

function unclosedQuote(text: string, start: number): JsonFault {
  const [, curly] = /^[^\r\n]{0,1000}?([“”„])/.exec(text.slice(start, start + 1001)) ?? []
  return new JsonFault(
    start,
    "this quote is not closed",
    curly
      ? `${curly} does not close it: use straight double quotes everywhere, "like this"`
      : "close the text on its line with a double quote; a line break inside it is written \\n",
  )
}

/** The end of a number, `true`, `false` or `null`. */
export function endOfScalar(text: string, at: number): number {
  const first = text.charCodeAt(at)
  const numeric = first === 0x2d || (first >= 0x30 && first <= 0x39)
  const pattern = numeric ? NUMBER : WORD
  pattern.lastIndex = at
  if (pattern.test(text)) return pattern.lastIndex
  throw numeric ? numberFault(text, at) : valueFault(text, at)
}

/** The text of a string that opens at `start` in a text that is known to be JSON, without its quotes and escapes. */
export function stringAt(text: string, start: number): string {
  const source = text.slice(start, endOfQuoted(text, start))
  return source.includes("\\") ? String(JSON.parse(source)) : source.slice(1, -1)
}

function endOfEscape(text: string, at: number, start: number): number {
  ESCAPE.lastIndex = at
  if (ESCAPE.test(text)) return ESCAPE.lastIndex
  const next = text.charAt(at + 1)
  if (next === "u") throw new JsonFault(at, "\\u is not followed by four hexadecimal digits")
  if (next > " ")
    throw new JsonFault(at, `\\${next} means nothing in JSON`, "a backslash itself is written \\\\")
  throw new JsonFault(start, "this quote is not closed", "the text breaks off after a backslash")
}

function controlFault(at: number, code: number): JsonFault {
  const written = code === 0x09 ? "\\t" : `\\u${code.toString(16).padStart(4, "0")}`
  const name = code === 0x09 ? "a tab" : "a control character"
  return new JsonFault(at, `${name} stands inside a text`, `remove it, or write it as ${written}`)
}
