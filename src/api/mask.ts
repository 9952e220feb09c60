/** Keeps keys and passwords out of whatever is shown or kept of a reply, should a server repeat them. */
import type { Answer } from "./outcome.ts"

export type Mask = ReturnType<typeof createMask>

/** Shorter ones could be part of any word; they are masked only in what is shown of an error. */
const SHORTEST_IN_DATA = 8
const SHOWN_END = /[\w-]{4}$/

/** @param secrets each in printable ASCII */
export function createMask(secrets: readonly string[]) {
  // A longer one may have a shorter one in it.
  const sorted = [...new Set(secrets)].filter((each) => each !== "").sort((a, b) => b.length - a.length)
  // Made once: every header and body of each reply is searched for them.
  const known = sorted.map((secret) => ({ secret, pattern: toPattern(secret) }))
  const inData = known.filter(({ secret }) => secret.length >= SHORTEST_IN_DATA)
  const replaceIn = (text: string, list: typeof known, toShown: (secret: string) => string) =>
    list.reduce((masked, { secret, pattern }) => masked.replace(pattern, () => toShown(secret)), text)
  const data = (text: string) => replaceIn(text, inData, toLatin1Mask)

  return {
    /** For what is shown. */
    text: (text: string) => replaceIn(text, known, toMask),
    /** For what may be kept: headers, and a body that is text. Bytes of a PDF stay as they are. */
    answer({ status, headers, body }: Answer): Answer {
      const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
      const text = bytes.toString("latin1")
      const masked = text.startsWith("%PDF-") ? text : data(text)
      return {
        status,
        headers: Object.fromEntries(
          Object.entries(headers).map(([name, value]) => [name, replaceIn(value, inData, toMask)]),
        ),
        body: masked === text ? body : Buffer.from(masked, "latin1"),
      }
    },
  }
}

/** The last four characters tell which key it is. */
function toMask(secret: string): string {
  return `…${secret.length < SHORTEST_IN_DATA ? "" : (SHOWN_END.exec(secret)?.[0] ?? "")}`
}

/** The bytes of its UTF-8. */
function toLatin1Mask(secret: string): string {
  return Buffer.from(toMask(secret)).toString("latin1")
}

/** The secret as it is, or with any of its characters as JSON escapes them. */
function toPattern(secret: string): RegExp {
  const characters = Array.from(secret, (character) => {
    const hex = character.charCodeAt(0).toString(16).padStart(4, "0")
    const plain = character.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")
    const anyCase = hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)
    return `(?:\\\\u${anyCase}|\\\\?${plain})`
  })
  return new RegExp(characters.join(""), "g")
}
