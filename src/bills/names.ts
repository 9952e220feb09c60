/** Consignment numbers as bills write them: with punctuation, words and item numbers around them. */
import { plainName } from "../ledger/index.ts"

const MIN_NAME_LENGTH = 4

/** Words that may name a consignment: long enough, with a digit or a hyphen, and not a day, year, rate or amount. */
export function splitWords(text: string): string[] {
  const parts = text
    .split(/[\s,;:()[\]{}<>"'|]+/)
    .flatMap((part) => [part, ...part.split(/[/#]/)])
    .map((part) => part.replace(/^[.!?*=+-]+|(?<![.!?*=+-])[.!?*=+-]+$/g, ""))
    .filter(
      (part) =>
        part.length >= MIN_NAME_LENGTH &&
        /[\d-]/.test(part) &&
        !/^\d{4}-\d\d-\d\d$|^(?:19|20)\d\d$|%$|^\$?[\d,]*\.\d+$/.test(part),
    )
  return [...new Set(parts)]
}

/** Words of a charge's text that are almost certainly consignment numbers. */
export function findNumbers(text: string): string[] {
  return splitWords(text).filter(
    (word) =>
      !isDay(word) &&
      ((word.length >= 6 && /\p{L}/u.test(word) && /\d{4}/.test(word)) || /^\d{8,}$/.test(word)),
  )
}

export const isDay = (word: string): boolean => DATE.test(word)

const DATE = /^\d{1,4}[/.-](?:\d{1,2}|\p{L}{3})[/.-]\d{2,4}$|^(?:19|20)\d{6}$/u

const SUFFIX = /^(.{4,}?)(?:[-_/. ]\d{1,3}|\s?\(?\d{1,3} ?(?:of|\/) ?\d{1,3}\)?)$/i

/**
 * The possible name within a text: without surrounding punctuation, words, item numbers and leading zeros. It is always
 * a whole word, and never the text itself.
 */
export function stripName(text: string): string[] {
  const found = new Set<string>()
  for (const part of [text.trim(), ...splitWords(text)]) {
    const bare = part.replace(/^[^\p{L}\p{N}]+|(?<![^\p{L}\p{N}])[^\p{L}\p{N}]+$/gu, "")
    const whole = SUFFIX.exec(bare)?.[1] ?? bare
    for (const each of [bare, whole]) for (const one of [each, each.replace(/^0+(?=.)/, "")]) found.add(one)
  }
  return [...found].filter((each) => each !== text && each.length >= MIN_NAME_LENGTH && /\d/.test(each))
}

/** Whether two texts are the same number, ignoring blanks, hyphens, case and surrounding text. */
export function isSameNumber(one: string, other: string): boolean {
  const plain = plainName(other)
  return plainName(one) === plain || stripName(one).some((each) => plainName(each) === plain)
}

/** The form of a number: the positions of its letters and digits, and its length. */
export function shapeOf(number: string): string {
  return plainName(number).replace(/\p{L}/gu, "A").replace(/\d/g, "9")
}

/** Whether a number is another without its beginning, which spreadsheets remove: zeros, or a prefix before its digits. */
export function isShortened(text: string, whole: string): boolean {
  const [short, full] = [plainName(text), plainName(whole)]
  if (!/^\d+$/.test(short) || short.length >= full.length || !full.endsWith(short)) return false
  const lost = full.slice(0, full.length - short.length)
  return /^\p{L}*0*$/u.test(lost) || short.length >= MIN_ENDING_LENGTH
}

/** Fewer last digits may match several numbers. */
const MIN_ENDING_LENGTH = 5
