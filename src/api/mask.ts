/** Keeps keys and passwords out of everything that is shown or kept of a reply, in case a server repeats them. */
import type { Answer } from "./outcome.ts"

/** Shorter ones could be part of any word; they are only masked in errors that are shown. */
const MIN_LENGTH_IN_DATA = 8
const SHOWN_END = /[\w-]{4}$/
/** The secret part of a key (Authentication 1 and 2). */
const KEY_END = /[0-9a-f]{64}$/i
/** Minimum number of consecutive letters of a key that are masked. */
const MIN_PIECE_LENGTH = 12
/** The same in base64. */
const MIN_ENCODED_LENGTH = (MIN_PIECE_LENGTH * 4) / 3

/** @param secrets each in printable ASCII */
export function createMask(secrets: readonly string[]) {
  // A longer one may contain a shorter one.
  const sorted = [...new Set(secrets)].filter((each) => each !== "").sort((a, b) => b.length - a.length)
  // Created once: every header and body of each reply is searched for them.
  const known = sorted.map((secret) => ({ secret, pattern: toPattern(secret) }))
  const inData = known.filter(({ secret }) => secret.length >= MIN_LENGTH_IN_DATA)
  const maskPieces = createPieceMask(sorted.flatMap((secret) => KEY_END.exec(secret)?.[0] ?? []))
  const replaceIn = (text: string, list: typeof known, toShown: (secret: string) => string) => {
    const whole = (masked: string, { secret, pattern }: (typeof known)[number]) =>
      masked.replace(pattern, () => toShown(secret))
    return maskPieces(list.reduce(whole, text), toShown(""))
  }
  const data = (text: string) => replaceIn(text, inData, toLatin1Mask)

  return {
    /** For text that is shown. */
    text: (text: string) => replaceIn(text, known, toMask),
    /** For data that may be kept: headers, and a body that is text. Bytes of a PDF stay as they are. */
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

/** Shows the last four characters, which identify the key. */
function toMask(secret: string): string {
  return `…${secret.length < MIN_LENGTH_IN_DATA ? "" : (SHOWN_END.exec(secret)?.[0] ?? "")}`
}

/** The bytes of its UTF-8. */
function toLatin1Mask(secret: string): string {
  return Buffer.from(toMask(secret)).toString("latin1")
}

/** The secret itself, or with any of its characters as JSON escapes. */
function toPattern(secret: string): RegExp {
  const characters = Array.from(secret, (character) => {
    const hex = character.charCodeAt(0).toString(16).padStart(4, "0")
    const plain = character.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")
    const anyCase = hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)
    return `(?:\\\\u${anyCase}|\\\\?${plain})`
  })
  return new RegExp(characters.join(""), "g")
}

/**
 * A pattern that masks pieces of keys, in any case, and of their base64.
 * @param keys each the 64 hexadecimal characters of one
 */
function createPieceMask(keys: readonly string[]): (text: string, mask: string) => string {
  if (keys.length === 0) return (text) => text
  const maskHex = createWordMask(
    keys.map((key) => key.toLowerCase()),
    MIN_PIECE_LENGTH,
  )
  const maskEncoded = createWordMask(keys.flatMap(encodeInThree), MIN_ENCODED_LENGTH)
  return (text, mask) => {
    const plain = text.includes("\\u00") ? decodeWords(text) : text
    const masked = maskWords(plain, (word) => maskEncoded(maskHex(word, mask, word.toLowerCase()), mask))
    return masked === plain ? text : masked
  }
}

/** Decodes letters and digits that JSON gives by their number. */
function decodeWords(text: string): string {
  return text.replace(/\\\\|\\u00(3\d|[46][1-9a-f]|[57][0-9a])/gi, (written, hex?: string) =>
    hex === undefined ? written : String.fromCharCode(Number.parseInt(hex, 16)),
  )
}

/** A key's base64 after 3n, 3n+1 and 3n+2 other bytes: letters and digits only. */
function encodeInThree(key: string): string[] {
  return ["", "-", "--"].map((before) => {
    const whole = Math.floor((before.length + key.length) / 3) * 4
    return Buffer.from(before + key)
      .toString("base64")
      .slice(before === "" ? 0 : 4, whole)
  })
}

/** Changes consecutive letters and digits. Looks at every twelfth character first: replies are large. */
function maskWords(text: string, maskWord: (word: string) => string): string {
  let masked = ""
  let done = 0
  for (let at = MIN_PIECE_LENGTH - 1; at < text.length; at += MIN_PIECE_LENGTH) {
    if (!isWordAt(text, at)) continue
    let begin = at
    while (isWordAt(text, begin - 1)) begin--
    while (isWordAt(text, at)) at++
    if (at - begin < MIN_PIECE_LENGTH) continue
    const word = text.slice(begin, at)
    const changed = maskWord(word)
    if (changed === word) continue
    masked += text.slice(done, begin) + changed
    done = at
  }
  return masked + text.slice(done)
}

function isWordAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  const letter = code | 0x20
  return (letter >= 0x61 && letter <= 0x7a) || (code >= 0x30 && code <= 0x39)
}

/** @param sources no piece of `shortest` characters of them is kept */
function createWordMask(sources: readonly string[], shortest: number) {
  const size = shortest / 2
  const parts = new Set(
    sources.flatMap((source) =>
      Array.from({ length: source.length - size + 1 }, (_, at) => source.slice(at, at + size)),
    ),
  )
  /** Every piece has a part at one of these places, wherever it begins. */
  const mayHavePiece = (word: string) => {
    for (let at = 0; at + size <= word.length; at += size + 1)
      if (parts.has(word.slice(at, at + size))) return true
    return false
  }
  const measurePiece = (word: string, at: number) => {
    const isPiece = (length: number) =>
      at + length <= word.length && sources.some((source) => source.includes(word.slice(at, at + length)))
    let length = shortest
    if (!isPiece(length)) return 0
    while (isPiece(length + 1)) length++
    return length
  }
  /** @param comparable the word, written as the sources are */
  return (word: string, mask: string, comparable = word): string => {
    if (!mayHavePiece(comparable)) return word
    let masked = ""
    for (let at = 0; at < word.length; ) {
      const length = measurePiece(comparable, at)
      masked += length > 0 ? mask : word[at]
      at += Math.max(length, 1)
    }
    return masked
  }
}
