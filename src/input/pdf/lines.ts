/** The lines of a page: pieces of text on one baseline, as phrases with a gap between them, and their words. */
import { dropHidden } from "../../base/invisible.ts"
import { partSumWords } from "../sheets/totals.ts"

/** Places are in points from the left edge. */
export interface PlacedText {
  text: string
  x0: number
  x1: number
}

export interface Phrase extends PlacedText {
  words: readonly PlacedText[]
}

/** A piece of text with its position: the start of its baseline, in points from the top left corner of the visible page. */
export interface TextItem {
  text: string
  x: number
  y: number
  width: number
  height: number
  /** Degrees clockwise by which it is turned. */
  turn: number
}

export interface PageText {
  /** From 1. */
  page: number
  width: number
  height: number
  items: readonly TextItem[]
}

export interface Line {
  /** From 1. */
  page: number
  /** The width of its page, as it is read. */
  width: number
  /** On its page, from 1: lines of text from the top. */
  line: number
  /** Its baseline, from the top. */
  y: number
  /** The height of its tallest letters. */
  height: number
  phrases: readonly Phrase[]
  /** The letters of its words are spaced, so that the ends of words are uncertain. */
  isSpaced?: true
}

/** Part of the height of letters: baselines that differ by less are one. */
const SAME_BASELINE = 0.3
/** Part of the height: a wider gap between two pieces of text separates phrases. */
const GAP = 0.42
/** The same of a font whose letters are all as wide, of their width: a blank is one of them. */
const TYPEWRITER_GAP = 1.25
/** Degrees by which text may be turned and is read with the rest. */
const MAX_TURN = 2

interface Piece extends TextItem {
  words: readonly PlacedText[]
}

/** The lines of a page from the top. Text that is turned against the rest, such as a watermark, is left out. */
export function toLines({ page, width, height, items }: PageText): Line[] {
  const turn = findTurn(items)
  const isSideways = Math.abs(turn) === 90
  const upright = items
    .filter((item) => Math.abs(normalTurn(item.turn - turn)) <= MAX_TURN)
    .map((item) => (turn === 0 ? item : rotate(item, turn)))
    .filter(({ x, y }) => turn !== 0 || (x >= -1 && x <= width && y >= -1 && y <= height + 1))
  const pieces = joinRaisedCents(upright)
    .flatMap(splitAtBlanks)
    .map((item): Piece => ({ ...item, words: splitItem(item) }))
    .filter(({ words }) => words.length > 0)
    .sort((one, other) => one.y - other.y)
  const pitches = findPitches(pieces)
  const rows: Row[] = []
  for (const piece of pieces) {
    const row = rows.at(-1)
    const near = row && SAME_BASELINE * Math.min(piece.height, row.lowest)
    if (row && near !== undefined && piece.y - row.sum / row.pieces.length <= Math.max(1, near)) {
      row.pieces.push(piece)
      row.sum += piece.y
      row.lowest = Math.min(row.lowest, piece.height)
      row.height = Math.max(row.height, piece.height)
    } else {
      const { y, height: tall } = piece
      rows.push({ pieces: [piece], y, sum: y, lowest: tall, height: tall })
    }
  }
  return rows.map((row, at) => ({
    ...{ page, width: isSideways ? height : width, line: at + 1, y: row.y, height: row.height },
    phrases: toPhrases(row.pieces, pitches),
    ...(row.pieces.some(({ text }) => isSpacedWord(text)) && { isSpaced: true as const }),
  }))
}

interface Row {
  pieces: Piece[]
  /** The top of the highest of them. */
  y: number
  /** The sum of all `y`. */
  sum: number
  /** The lowest letters, and the tallest. */
  lowest: number
  height: number
}

/** The dollars of an amount before its raised cents. */
const DOLLARS = /(?:^|\s)[-\u2212\u2013(]?(?:A?\$|AUD)?[-\u2212\u2013]?\d[\d,]*\.?$/
/** Parts of the height of the dollars: the tallest cents, how far they are raised, and how near they are. */
const CENTS = { tallest: 0.85, lowest: -0.05, highest: 0.75, overlap: 0.15, gap: 0.3 }

/**
 * Size in points of the squares in which dollars are looked for: the one with their cents and its neighbours. Each
 * keeps a limited number of texts.
 */
const SQUARE = 16
const MAX_IN_SQUARE = 40

/** Two small raised digits right of dollars are their cents: 12⁵⁰ is 12.50. */
function joinRaisedCents(items: readonly TextItem[]): readonly TextItem[] {
  const small = items.filter(({ text }) => /^\d\d\)?$/.test(text.trim()))
  if (small.length === 0) return items
  const squareOf = (x: number, y: number) => `${Math.floor(x / SQUARE)} ${Math.floor(y / SQUARE)}`
  const squares = new Map<string, TextItem[]>()
  for (const item of items) {
    if (!DOLLARS.test(item.text.trimEnd())) continue
    const key = squareOf(item.x + item.width, item.y)
    const own = squares.get(key) ?? []
    if (own.length < MAX_IN_SQUARE) own.push(item)
    squares.set(key, own)
  }
  const joined = new Map<TextItem, TextItem | undefined>()
  for (const cents of small) {
    const near = NEIGHBOURS.flatMap(
      ([x, y]) => squares.get(squareOf(cents.x + x * SQUARE, cents.y + y * SQUARE)) ?? [],
    )
    const found = near.find((item) => !joined.has(item) && areCentsOf(item, cents))
    if (!found) continue
    const text = `${found.text.trimEnd().replace(/\.$/, "")}.${cents.text.trim()}`
    joined.set(found, { ...found, text, width: cents.x + cents.width - found.x })
    joined.set(cents, undefined)
  }
  return items.flatMap((item) => (joined.has(item) ? (joined.get(item) ?? []) : [item]))
}

const NEIGHBOURS = [-1, 0, 1].flatMap((x) => [-1, 0, 1].map((y) => [x, y] as const))

function areCentsOf(dollars: TextItem, cents: TextItem): boolean {
  const { height } = dollars
  const [gap, raised] = [cents.x - dollars.x - dollars.width, dollars.y - cents.y]
  const isWithin = (value: number, least: number, most: number) =>
    value >= least * height && value <= most * height
  return (
    cents.height <= CENTS.tallest * height &&
    isWithin(gap, -CENTS.overlap, CENTS.gap) &&
    isWithin(raised, CENTS.lowest, CENTS.highest)
  )
}

/**
 * The distance of letters in points, for monospaced text, by its height in tenths of points. Words count once, whatever
 * their digits. Texts with blanks count only if there are none without, because they may join several columns.
 */
function findPitches(pieces: readonly Piece[]): ReadonlyMap<number, number> {
  const texts = new Map<number, Map<string, Measured>>()
  for (const { text, width, height } of pieces) {
    if (text.length < MIN_LETTERS || !/\p{L}/u.test(text)) continue
    const key = Math.round(height * 10)
    const own = texts.get(key) ?? new Map<string, Measured>()
    own.set(text.trim().replace(/\d/g, "0"), { width, letters: text.length })
    texts.set(key, own)
  }
  return new Map(
    [...texts].flatMap(([key, own]) => {
      const alone = [...own].filter(([text]) => !/\s/.test(text))
      const pitch = findPitch((alone.length >= MIN_LETTERS ? alone : [...own]).map(([, each]) => each))
      return pitch === undefined ? [] : [[key, pitch] as const]
    }),
  )
}

interface Measured {
  width: number
  letters: number
}

/** The distance of letters in monospaced texts, some of which may be letter-spaced by the same amount. */
function findPitch(texts: readonly Measured[]): number | undefined {
  const usual = medianOf(texts.map(({ width, letters }) => width / letters))
  const isNear = (one: number, other: number) => Math.abs(one - other) <= usual / 50
  const others = texts.filter(({ width, letters }) => !isNear(width / letters, usual))
  const aparts = others.map(({ width, letters }) => (width - letters * usual) / (letters - 1))
  const apart = medianOf(aparts)
  const isApart = aparts.length >= MIN_LETTERS && Math.abs(apart) <= usual / 3
  const odd = isApart ? aparts.filter((each) => !isNear(each, apart)).length : aparts.length
  if (texts.length < MIN_LETTERS || texts.length - odd < texts.length * MOSTLY) return undefined
  return usual + (isApart ? Math.max(0, apart) : 0)
}

const MIN_LETTERS = 3
const MOSTLY = 0.8

const normalTurn = (turn: number) => ((turn + 540) % 360) - 180

/** By how much most of the text is turned. */
function findTurn(items: readonly TextItem[]): number {
  const counts = new Map<number, number>()
  for (const { turn, text } of items) {
    const quarter = normalTurn(Math.round(turn / 90) * 90)
    if (Math.abs(normalTurn(turn - quarter)) <= MAX_TURN)
      counts.set(quarter, (counts.get(quarter) ?? 0) + text.length)
  }
  const [first] = [...counts].sort(([, one], [, other]) => other - one)
  return first?.[0] ?? 0
}

function rotate(item: TextItem, turn: number): TextItem {
  const angle = (turn * Math.PI) / 180
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  return { ...item, x: item.x * cos + item.y * sin, y: item.y * cos - item.x * sin }
}

/** Texts that a program drew as one, with blanks between them: `Invoice No. 311   Date 30/11/2026`. */
function splitAtBlanks(item: TextItem): TextItem[] {
  if (!WIDE_BLANK.test(item.text)) return [item]
  const scale = item.width / weighAll(item.text)
  let x = item.x
  return item.text.split(WIDE_BLANK).map((text) => {
    const width = weighAll(text) * scale
    const part = { ...item, text, x, width }
    x += width
    return part
  })
}

/** As wide as a gap that parts phrases. The blanks go with the text before them, which keeps its place. */
const WIDE_BLANK = /(?<=[ \u00a0]{3})(?=[^ \u00a0])/

/** The words of a piece of text; their places within it are by the usual widths of letters. */
function splitItem({ text: written, x, width }: TextItem): PlacedText[] {
  const text = dropHidden(written.replace(/[\u00a0\u2000-\u200b\u202f]/g, " "))
  const weights = [...text].map(weigh)
  const all = weighAll(text)
  const scale = all === 0 ? 0 : width / all
  const words: PlacedText[] = []
  let at = x
  let word: PlacedText | undefined
  for (const [index, letter] of [...text].entries()) {
    const end = at + (weights[index] ?? 0) * scale
    if (letter.trim() === "") word = undefined
    else if (word) Object.assign(word, { text: word.text + letter, x1: end })
    else {
      word = { text: letter, x0: at, x1: end }
      words.push(word)
    }
    at = end
  }
  return words
}

const weighAll = (text: string) => [...text].reduce((sum, each) => sum + weigh(each), 0)

/** Approximate width of a letter, as a share of its height. */
function weigh(letter: string): number {
  if (/[il.,:;'|!jI ]/.test(letter)) return 0.27
  if (/[ftr()[\]/-]/.test(letter)) return 0.32
  if (/[mwMW%@]/.test(letter)) return 0.86
  return /\p{Lu}/u.test(letter) ? 0.69 : 0.55
}

function toPhrases(row: readonly Piece[], pitches: ReadonlyMap<number, number>): Phrase[] {
  const pieces = row.toSorted((one, other) => one.x - other.x)
  const phrases: { words: PlacedText[]; end: number }[] = []
  const drawn = new Map<string, number>()
  for (const piece of pieces) {
    // Bold text is sometimes the same text twice.
    if (piece.x - (drawn.get(piece.text) ?? Number.NEGATIVE_INFINITY) < 1) continue
    drawn.set(piece.text, piece.x)
    const last = phrases.at(-1)
    const gap = piece.x - (last?.end ?? 0)
    const end = piece.x + piece.width
    const pitch = pitches.get(Math.round(piece.height * 10))
    const most = pitch === undefined ? GAP * piece.height : TYPEWRITER_GAP * pitch
    // A blank between letters that are set apart has their space on each side of it.
    const apart = 2 * measureApart(piece)
    if (!last || gap > most + apart) {
      phrases.push({ words: [...piece.words], end })
      continue
    }
    const [first, ...others] = piece.words
    const before = last.words.at(-1)
    // Letters that touch are one word.
    const touches =
      first && before && first.x0 - before.x1 < TOUCHING * piece.height && !/\s$/.test(piece.text)
    if (touches && gap < TOUCHING * piece.height)
      Object.assign(before, { text: before.text + first.text, x1: first.x1 })
    else if (first) last.words.push(first)
    last.words.push(...others)
    last.end = Math.max(last.end, end)
  }
  return phrases.map(({ words }) => joinWords(joinRuns(words)))
}

/** `T o t a l`: each letter of a piece of text is set apart. */
const SPACED = /^\s*\S(?: \S)+\s*$/u

const isSpacedWord = (text: string) => SPACED.test(text) && (text.match(/\p{L}/gu)?.length ?? 0) > MIN_LETTERS

/** By about how many points the letters of a piece of text are set apart. */
function measureApart({ text, width, height }: TextItem): number {
  if (!SPACED.test(text) || !/\p{L}/u.test(text)) return 0
  const letters = [...text].filter((each) => each.trim() !== "")
  return Math.max(0, (width - weighAll(letters.join("")) * NARROW * height) / (letters.length - 1))
}

/** How wide letters of a narrow font are beside those of a usual one. */
const NARROW = 0.85

const isLetter = ({ text }: PlacedText) => [...text].length === 1

/** Joins spaced letters, which may be beside words. */
function joinRuns(words: readonly PlacedText[]): readonly PlacedText[] {
  const runs: PlacedText[][] = []
  for (const word of words) {
    const last = runs.at(-1)?.at(-1)
    if (last && isLetter(last) && isLetter(word)) runs.at(-1)?.push(word)
    else runs.push([word])
  }
  return runs.flatMap(joinSpaced)
}

/** Part of the height: the gap between letters of one word. */
const TOUCHING = 0.12

/** `T O T A L` is one word, and `1 3 . 9 0` one number; a gap that is wider than most parts two of them. */
function joinSpaced(words: readonly PlacedText[]): readonly PlacedText[] {
  if (words.length < MIN_LETTERS) return words
  const gapBefore = (at: number) => (words[at]?.x0 ?? 0) - (words[at - 1]?.x1 ?? 0)
  const gaps = words.slice(1).map((_, at) => gapBefore(at + 1))
  const most = medianOf(gaps) * MAX_WIDER + 1
  const joined: PlacedText[] = []
  for (const [at, word] of words.entries()) {
    const last = joined.at(-1)
    if (last && gapBefore(at) <= most) Object.assign(last, { text: last.text + word.text, x1: word.x1 })
    else joined.push({ ...word })
  }
  const isJoined = joined.every(({ text }) => /\p{L}|^\p{Sc}$/u.test(text) || /\d\.\d\d\b/.test(text))
  return isJoined ? joined.flatMap(partJoined) : words
}

/** Splits words of a sum whose gaps are no wider than those between letters: `TotalexGST` is `Total ex GST`. */
function partJoined(word: PlacedText): readonly PlacedText[] {
  const parts = partSumWords(word.text)
  const scale = (word.x1 - word.x0) / word.text.length
  let at = word.x0
  return parts.map((text) => {
    const x0 = at
    at += text.length * scale
    return { text, x0, x1: at }
  })
}

/** A gap between words, as a share of those between letters that are set apart. */
const MAX_WIDER = 1.5

const medianOf = (some: readonly number[]) =>
  some.toSorted((one, other) => one - other)[Math.floor(some.length / 2)] ?? 0

export function joinWords(words: readonly PlacedText[]): Phrase {
  return {
    text: words.map(({ text }) => text).join(" "),
    x0: words[0]?.x0 ?? 0,
    x1: words.at(-1)?.x1 ?? 0,
    words,
  }
}

/** The lines of each page. */
export function groupByPage(lines: readonly Line[]): Line[][] {
  const pages = new Map<number, Line[]>()
  for (const line of lines) {
    const own = pages.get(line.page) ?? []
    own.push(line)
    pages.set(line.page, own)
  }
  return [...pages.values()]
}

/** Whether two spans overlap horizontally. */
export function overlaps(one: Pick<PlacedText, "x0" | "x1">, other: Pick<PlacedText, "x0" | "x1">): boolean {
  return one.x0 < other.x1 && other.x0 < one.x1
}
