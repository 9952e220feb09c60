/** Makes any text printable in a font and fits it into a space: it wraps, then shrinks, then ends in an ellipsis. */
import { stripVTControlCharacters } from "node:util"
import type { PDFFont } from "@cantoo/pdf-lib"
import { INVISIBLE_SIGNS } from "../../base/invisible.ts"
import { formatPhone } from "../../contract/index.ts"
import type { BookingAddress } from "../../contract/generated/types.ts"

/** No space on paper holds more characters than this. */
const MAX_LENGTH = 600
const ELLIPSIS = "…"
/** Stands for a character that cannot be drawn. */
const UNKNOWN = "?"
/** Points by which text shrinks until it fits. */
const STEP = 0.5
/** An accent that the font lacks, or an invisible character. */
const UNDRAWN = new RegExp(`^[\\p{M}${INVISIBLE_SIGNS}]$`, "u")

export class Face {
  readonly font: PDFFont
  readonly #known: ReadonlySet<number>
  readonly #widths = new Map<string, number>()

  constructor(font: PDFFont) {
    this.font = font
    this.#known = new Set(font.getCharacterSet())
  }

  /** Width of a printable text, in points at size 1. */
  widthOf(text: string): number {
    let width = 0
    for (const character of text) {
      let one = this.#widths.get(character)
      if (one === undefined) {
        one = this.font.widthOfTextAtSize(character, 1)
        this.#widths.set(character, one)
      }
      width += one
    }
    return width
  }

  /**
   * A text in the characters that the font has, on one line: runs of blanks and control characters become a space,
   * letters lose an accent that the font lacks, and anything else unknown becomes `?`.
   */
  printable(text: string): string {
    return Array.from(clean(text.slice(0, MAX_LENGTH)), (character) =>
      this.#has(character) ? character : this.#nearest(character),
    ).join("")
  }

  /** The characters of a text that the font lacks, each once. */
  findUnknown(text: string): string[] {
    return Array.from(new Set(clean(text))).filter((character) => !this.#has(character))
  }

  /** Characters drawn as `?`: a reader would miss them. */
  findUndrawn(text: string): string[] {
    return this.findUnknown(text).filter((character) => this.#nearest(character) === UNKNOWN)
  }

  #has(character: string): boolean {
    return this.#known.has(character.codePointAt(0) ?? 0)
  }

  #nearest(character: string): string {
    if (UNDRAWN.test(character)) return ""
    const base = character.normalize("NFKD").replace(/\p{M}/gu, "")
    return Array.from(base).every((part) => this.#has(part)) ? base : UNKNOWN
  }
}

/** On one line, without control characters, letters and their accents in one character each. */
function clean(text: string): string {
  return stripVTControlCharacters(text)
    .normalize("NFC")
    .replace(/[\p{Cc}\p{Z}]+/gu, " ")
    .trim()
}

/** Space for a text; sizes and width in points. */
interface Space {
  width: number
  /** Most lines; 1 when left out. */
  lines?: number
  size: number
  smallest: number
}

/** The lines of a text and the size at which they fit; the last one is cut when even the smallest size is too large. */
export function fitText(text: string, face: Face, space: Space): { lines: string[]; size: number } {
  const printable = face.printable(text)
  const most = space.lines ?? 1
  for (let size = space.size; ; size -= STEP) {
    const width = space.width / size
    const lines = wrap(printable, face, width)
    if (lines.length <= most) return { lines, size }
    if (size - STEP < space.smallest) return { lines: cut(lines, most, face, width), size }
  }
}

/** Breaks a text at spaces, and inside a word only when that is wider than a line. */
function wrap(text: string, face: Face, width: number): string[] {
  const lines: string[] = []
  let line = ""
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`
    if (face.widthOf(longer) <= width) {
      line = longer
      continue
    }
    if (line !== "") lines.push(line)
    line = ""
    for (const character of word) {
      if (line !== "" && face.widthOf(line + character) > width) {
        lines.push(line)
        line = ""
      }
      line += character
    }
  }
  return [...lines, line]
}

function cut(lines: readonly string[], most: number, face: Face, width: number): string[] {
  let last = lines[most - 1] ?? ""
  while (last !== "" && face.widthOf(last + ELLIPSIS) > width) last = last.slice(0, -1)
  return [...lines.slice(0, most - 1), last.trimEnd() + ELLIPSIS]
}

/** `Mia Tran · 02 9555 0134`; missing parts are left out. */
export function contactOf(address: BookingAddress): string {
  return [address.contactName, formatPhone(address)].filter((text) => text?.trim()).join(" · ")
}

export function streetOf({ address1, address2 = "" }: BookingAddress): string {
  return [address1, address2].filter((text) => text.trim()).join(", ")
}

/** A number to two places at most. */
export function decimal(number: number): string {
  return String(Math.round(number * 100) / 100)
}
