/** The headings of tables in a PDF, and the bands below them that are its columns. */
import {
  joinWords,
  type Line,
  type Mapping,
  type Meaning,
  MONEY,
  overlaps,
  type Phrase,
  type PlacedText,
  plainHeader,
} from "../../../input/index.ts"
import type { Band } from "../../../machine/index.ts"
import { findNumbers, isDay } from "../../names.ts"
import type { BillField } from "../columns.ts"

/** One line of headings, or several lines above each other. */
export interface Headings {
  lines: readonly Line[]
  columns: readonly Heading[]
}

export interface Heading extends PlacedText {
  meaning: Meaning<BillField>
}

/** Distance between lines of one heading, in letter heights. */
export const LEADING = 1.5
/** Maximum number of heading lines above, and below, the main one. */
const MAX_LINES = 2

/** No table has more columns. */
const MAX_COLUMNS = 60
/** Maximum length of a heading, or of several headings that are so close that they are one text. */
const MAX_PHRASE_LENGTH = 300

export const isKnown = ({ meaning }: Pick<Heading, "meaning">) => "byCells" in meaning || "field" in meaning

export function holdsMoney({ meaning }: Pick<Heading, "meaning">): boolean {
  if ("field" in meaning) return ["total", "part", "gst"].includes(meaning.field?.holds ?? "")
  return "byCells" in meaning && (meaning.choices ?? []).some((name) => MONEY_FIELDS.has(name))
}

const MONEY_FIELDS: ReadonlySet<string> = new Set([
  ...["amountExGst", "gst", "amountIncGst", "amount", "debit", "credit", "freight", "fuel", "residential"],
  ...["dangerousGoods", "other", "discount"],
])

export function holdsName({ meaning }: Pick<Heading, "meaning">): boolean {
  return "field" in meaning && meaning.field?.holds === "name"
}

export interface HeadingReader extends Pick<Mapping<BillField>, "meaning"> {
  /** The positions of the columns, whatever is above them; if omitted, they are found by their headings. */
  bands?: readonly Band[]
}

/** A reader that looks each heading up once: those of a table repeat on each of its pages. */
export function rememberMeanings(reader: HeadingReader): HeadingReader {
  const known = new Map<string, Meaning<BillField>>()
  return {
    ...reader,
    meaning(heading) {
      const before = known.get(heading)
      if (before) return before
      const meaning = reader.meaning(heading)
      known.set(heading, meaning)
      return meaning
    },
  }
}

/** Finds the headings that start at or include a line; undefined if there are none. */
export function findHeadings(
  lines: readonly Line[],
  at: number,
  reader: HeadingReader,
): Headings | undefined {
  const line = lines[at]
  if (!line || !mayBeHeadings(line)) return undefined
  const below = listRowsBelow(lines, at)
  const own = line.phrases.flatMap((one) => splitKnown(one, reader, below))
  // Words above may belong to a letterhead: together they have to mean more than the line alone.
  const isDoubtful = ({ lines: [top] }: Headings) => top !== line && top?.phrases.length === 1
  const stacks = listStacks(lines, at).map((stack) => {
    // Words that are close are not separated in the first line of one heading: `Item / Charge`, `Description`.
    const plain = stack.map(({ phrases }) => phrases)
    const whole = joinHeadings(stack, plain, reader).columns.filter(
      (each) => isKnown(each) && countColumns(each, below) <= 1,
    )
    const part = (phrase: Phrase) =>
      whole.some((each) => overlaps(each, phrase)) ? [phrase] : splitKnown(phrase, reader, below)
    return joinHeadings(
      stack,
      plain.map((phrases) => phrases.flatMap(part)),
      reader,
    )
  })
  const best = [joinHeadings([line], [own], reader), ...stacks].reduce((one, other) =>
    rank(other) - (isDoubtful(other) ? 1 : 0) >= rank(one) ? other : one,
  )
  // The title of a table may be a heading elsewhere, such as `Charges`: without it, the lines below mean more.
  const next =
    best.lines[0] === line && line.phrases.length === 1 ? findHeadings(lines, at + 1, reader) : undefined
  if (next && rank(next) > rank(best)) return undefined
  const known = best.columns.filter(isKnown)
  return known.length >= 2 && known.some(holdsMoney) && best.columns.length >= 3 ? best : undefined
}

const rank = ({ columns }: Headings) =>
  columns.filter(isKnown).length - columns.filter((each) => !isKnown(each)).length

export function mayBeHeadings({ phrases }: Line): boolean {
  return (
    phrases.length > 0 &&
    phrases.length <= MAX_COLUMNS &&
    phrases.every(
      ({ text }) =>
        text.length <= MAX_PHRASE_LENGTH &&
        /\p{L}|[#$]/u.test(text) &&
        !/\d{2}(?! ?%)|\d[./-]\d|:\s*\S/.test(text),
    )
  )
}

/** Lines above and below that may contain more words of the same headings. */
function listStacks(lines: readonly Line[], at: number): Line[][] {
  const take = (step: 1 | -1) => {
    const taken: Line[] = []
    for (let near = at + step; taken.length < MAX_LINES; near += step) {
      const [from, line] = [lines[near - step], lines[near]]
      if (!from || !line || line.page !== from.page || !mayBeHeadings(line)) break
      if (Math.abs(line.y - from.y) > LEADING * Math.max(line.height, from.height)) break
      taken.push(line)
    }
    return taken
  }
  const [above, below] = [take(-1), take(1)]
  const stacks: Line[][] = []
  for (let up = 0; up <= above.length; up++)
    for (let down = 0; down <= below.length; down++)
      if (up + down > 0)
        stacks.push([...above.slice(0, up).reverse(), ...lines.slice(at, at + 1), ...below.slice(0, down)])
  return stacks
}

export function joinHeadings(
  lines: readonly Line[],
  rows: readonly (readonly Phrase[])[],
  reader: HeadingReader,
): Headings {
  const columns: { x0: number; x1: number; texts: string[] }[] = []
  for (const phrases of rows)
    for (const phrase of phrases) {
      const first = columns.find((each) => overlaps(each, phrase))
      if (!first) {
        columns.push({ x0: phrase.x0, x1: phrase.x1, texts: [phrase.text] })
        continue
      }
      first.texts.push(phrase.text)
      first.x0 = Math.min(first.x0, phrase.x0)
      first.x1 = Math.max(first.x1, phrase.x1)
    }
  const found = columns
    .map(({ texts, ...span }): Heading => {
      const text = texts.join(" ").replace(/-\s+(?=\p{Ll})/u, "")
      return { ...span, text, meaning: reader.meaning(text) }
    })
    .sort((one, other) => one.x0 - other.x0)
  return { lines, columns: found }
}

/** Number of lines below headings that are read to count columns. */
const MAX_SEARCHED = 12

/** Splits a line's headings, some of which may be as close as words. */
export function partHeadings(lines: readonly Line[], at: number, reader: HeadingReader): Phrase[] {
  const below = listRowsBelow(lines, at)
  return (lines[at]?.phrases ?? []).flatMap((phrase) => splitKnown(phrase, reader, below))
}

function listRowsBelow(lines: readonly Line[], at: number): PlacedText[][] {
  const page = lines[at]?.page
  return lines.slice(at + 1, at + 1 + MAX_SEARCHED).flatMap((line) => {
    const hasAmount = line.page === page && line.phrases.some(({ text }) => MONEY.test(text))
    return hasAmount ? [line.phrases.flatMap((each) => (MONEY.test(each.text) ? [each] : each.words))] : []
  })
}

/**
 * The number of columns below words: each amount is one, and the other texts are one, or two if most rows have a number
 * and its day.
 */
function countColumns(words: PlacedText, rows: readonly (readonly PlacedText[])[]): number {
  const counts = rows.map((row) => {
    const own = row.filter((each) => overlaps(each, words))
    const others = own.filter(({ text }) => !MONEY.test(text)).map(({ text }) => text)
    const kinds = hasNumberAndDay(others) ? 2 : Math.min(1, others.length)
    return own.length - others.length + kinds
  })
  return counts.sort()[Math.floor(counts.length / 2)] ?? 0
}

/** Splits a phrase of several headings, by the words with a meaning and by the number of columns below it. */
function splitKnown(
  phrase: Phrase,
  reader: HeadingReader,
  below: readonly (readonly PlacedText[])[],
): Phrase[] {
  const { words } = phrase
  const isKnownText = (some: readonly PlacedText[]) => {
    const meaning = reader.meaning(some.map(({ text }) => text).join(" "))
    const isPlain = some.length === 1 && PLAIN.test(some[0]?.text ?? "")
    const field = "field" in meaning ? meaning.field : undefined
    // `Charge Amt Tax` among others is an amount and its tax.
    const isTwo =
      (field?.isOfPart === true && some.length < words.length) ||
      (some.length > 1 && countColumns(joinWords(some), below) > 1)
    return isPlain || (("byCells" in meaning || field !== undefined) && !isTwo)
  }
  if (words.length < 2 || isKnownText(words) || words.length > MAX_WORDS) return [phrase]
  // The fewest parts that all have a meaning.
  const best: (PlacedText[][] | undefined)[] = [[]]
  for (let end = 1; end <= words.length; end++)
    for (let start = end - 1; start >= Math.max(0, end - MAX_HEADING_WORDS); start--) {
      const before = best[start]
      const part = words.slice(start, end)
      if (before && isKnownText(part) && before.length + 1 < (best[end]?.length ?? Number.POSITIVE_INFINITY))
        best[end] = [...before, part]
    }
  return (best[words.length] ?? splitOver(words, below, isKnownText)).map(joinWords)
}

/**
 * Splits headings that are as close as words, by the columns of texts below them: each word belongs to the column below
 * it, so that the most words have a meaning. Only if those texts are of several kinds.
 */
function splitOver(
  words: readonly PlacedText[],
  below: readonly (readonly PlacedText[])[],
  isKnownText: (some: readonly PlacedText[]) => boolean,
): PlacedText[][] {
  const whole = joinWords(words)
  const rows = below.map((row) => row.filter((each) => overlaps(each, whole))).filter(isOfSeveral)
  const columns = toClusters(rows.flat())
  if (rows.length < MIN_ROWS) return [[...words]]
  let best: ({ parts: PlacedText[][]; known: number } | undefined)[] = words.map(() => undefined)
  best = [{ parts: [], known: 0 }, ...best]
  for (const column of columns) {
    const next: typeof best = best.map(() => undefined)
    const isOver = (part: readonly PlacedText[]) =>
      part.some((word) => overlaps(word, column)) &&
      !part.some((word) => columns.some((each) => each !== column && overlaps(word, each)))
    for (let end = 1; end <= words.length; end++)
      for (let start = 0; start < end; start++) {
        const before = best[start]
        const part = words.slice(start, end)
        if (!before || !isOver(part)) continue
        const known = before.known + (isKnownText(part) ? part.length : 0)
        if (known > (next[end]?.known ?? -1)) next[end] = { parts: [...before.parts, part], known }
      }
    best = next
  }
  return best[words.length]?.parts ?? [[...words]]
}

const MIN_ROWS = 2

/** Whether texts of a row probably belong to several columns: a number or an amount, and another text. */
const isOfSeveral = (row: readonly PlacedText[]) =>
  row.length > 1 && row.some(({ text }) => MONEY.test(text) || findNumbers(text).length > 0)

/** Whether words belong to two columns: a number and its day. */
export const hasNumberAndDay = (words: readonly string[]) =>
  words.some(isDay) && words.some((word) => findNumbers(word).length > 0)

/** Headings of several columns, and a cell below them. */
export interface SeveralColumns {
  text: string
  cell: string
}

const hasAmountBeside = (words: readonly string[]) =>
  words.length > 1 && words.some((each) => MONEY.test(each))

/** The first column whose cells belong to several: two amounts, or an amount beside another text. */
export function findSeveral(
  columns: readonly { text: string; cells: readonly string[] }[],
  isSeveral: (words: readonly string[]) => boolean = hasAmountBeside,
): SeveralColumns | undefined {
  for (const { text, cells } of columns) {
    const filled = cells.filter((cell) => cell !== "")
    const several = filled.filter((cell) => !MONEY.test(cell) && isSeveral(cell.split(" ")))
    const [cell] = several
    if (cell !== undefined && several.length > filled.length / 2) return { text, cell }
  }
  return undefined
}

/** Headings without a meaning for freight that may be close to others. */
const PLAIN =
  /^(?:from|to|qty|quantity|rate|items?|pcs|pieces|cartons|zone|origin|destination|m3|cubic|suburb|state)$/i

const MAX_WORDS = 24
/** Maximum number of words in a heading that is close to others. */
const MAX_HEADING_WORDS = 8

/** The column for the words of a sum: not one that qualifies the amounts. */
export function findLabelColumn(columns: readonly Heading[]): number {
  const isWords = (column: Heading) =>
    !holdsMoney(column) && !("field" in column.meaning && column.meaning.field?.bearing)
  const named = columns.findIndex(holdsName)
  return named >= 0 ? named : Math.max(0, columns.findIndex(isWords))
}

/** Identifies headings, wherever they stand on the page. */
export function keyOfHeadings({ columns }: Pick<Headings, "columns">): string {
  return columns.map(({ text }) => plainHeader(text) || text.trim()).join("|")
}

/** For two tables with the same headings side by side: the number of columns of each. */
export function findTwin({ columns }: Headings): number | undefined {
  const half = columns.length / 2
  if (!Number.isInteger(half) || half < 2) return undefined
  const plain = columns.map(({ text }) => plainHeader(text) || text.trim())
  return plain.slice(0, half).every((text, at) => text === plain[at + half]) ? half : undefined
}

/**
 * The edges between columns. A text that overlaps a heading is in its column; between two headings it is in either
 * one's.
 * @param rows lines that look like rows of the table
 * @returns undefined if the column cannot be decided
 */
export function findEdges(columns: readonly PlacedText[], rows: readonly Line[]): number[] | undefined {
  const each = findOneEach(columns, rows)
  if (each) return each
  const phrases = rows.flatMap((row) => row.phrases.filter(({ text }) => /[\p{L}\p{N}]/u.test(text)))
  const clusters = toClusters(phrases)
  const overOf = (cluster: PlacedText) => columns.filter((each) => overlaps(each, cluster))
  const isFloating = clusters.some((each) => overOf(each).length === 0)
  const isPlain = clusters.every((each) => overOf(each).length <= 1)
  if (!isFloating || !isPlain) return findLeftEdges(columns, rows, isFloating) ?? findGaps(columns, rows)
  return findLeftEdges(columns, rows, true) ?? placeClusters(columns, clusters)
}

/**
 * The edges if as many columns of texts stand below the headings as there are headings: each belongs to its heading if
 * it stands between the neighbours. Headings may then be wider than their texts, or beside them.
 * @param rows of charges only
 */
export function findOneEach(columns: readonly PlacedText[], rows: readonly Line[]): number[] | undefined {
  const spans = rows.flatMap((row) =>
    row.phrases
      .filter(({ text }) => /[\p{L}\p{N}]/u.test(text))
      .flatMap((phrase) => partOverHeadings(columns, phrase)),
  )
  const clusters = toClusters(spans)
  const isNear = (cluster: PlacedText, at: number) => {
    const [own, middle] = [columns[at], (cluster.x0 + cluster.x1) / 2]
    const [from, to] = [columns[at - 1]?.x1 ?? middle, columns[at + 1]?.x0 ?? middle]
    return own !== undefined && (overlaps(cluster, own) || (from <= middle && middle <= to))
  }
  if (clusters.length !== columns.length || !clusters.every(isNear)) return undefined
  return clusters.slice(0, -1).map(({ x1 }, at) => {
    const [column, next, right] = [columns[at], columns[at + 1], clusters[at + 1]?.x0 ?? x1]
    const [from, to] = [Math.max(x1, column?.x1 ?? x1), Math.min(right, next?.x0 ?? right)]
    // The width of a heading is not part of the gap, unless it stands beside its column.
    return from <= to ? (from + to) / 2 : (x1 + right) / 2
  })
}

/** Splits a text that spans several headings, by the words below each: columns may be as close as words. */
function partOverHeadings(columns: readonly PlacedText[], phrase: Phrase): PlacedText[] {
  const headingOf = (span: PlacedText) => columns.findIndex((each) => overlaps(each, span))
  if (columns.filter((each) => overlaps(each, phrase)).length < 2) return [phrase]
  const parts: PlacedText[][] = []
  let last: number | undefined
  for (const word of phrase.words) {
    const own = headingOf(word)
    if (last !== undefined && (own === last || own < 0)) parts.at(-1)?.push(word)
    else parts.push([word])
    last = own < 0 ? last : own
  }
  return parts.map(joinWords)
}

/** Merges spans that overlap. */
export function toClusters(spans: readonly PlacedText[]): PlacedText[] {
  const clusters: PlacedText[] = []
  for (const span of spans.toSorted((one, other) => one.x0 - other.x0)) {
    const last = clusters.at(-1)
    if (last && span.x0 < last.x1) last.x1 = Math.max(last.x1, span.x1)
    else clusters.push({ ...span })
  }
  return clusters
}

/** Maximum distance from a left-aligned heading to the start of its text, in letter heights. */
const ALIGNED = 0.7

/** The edges if all headings and the texts below them are left-aligned. */
function findLeftEdges(
  columns: readonly PlacedText[],
  rows: readonly Line[],
  isFloating: boolean,
): number[] | undefined {
  if (!isFloating) return undefined
  const edges = columns.slice(1).map(({ x0 }) => x0 - 1)
  let aligned = 0
  for (const { phrases, height } of rows)
    for (const { text, x0, x1 } of phrases) {
      const found = edges.findIndex((edge) => (x0 + x1) / 2 < edge)
      const at = found < 0 ? edges.length : found
      const [from = 0, to = Number.POSITIVE_INFINITY] = [columns[at]?.x0, edges[at]]
      if (x0 < from - 1 || x1 > to + 1) return undefined
      if (!/\p{L}{2}/u.test(text)) continue
      if (x0 - from > ALIGNED * height) return undefined
      aligned++
    }
  return aligned > 0 ? edges : undefined
}

const MAX_FLOATING = 12

/** Gives each cluster a column, so that the fewest columns have none or several; undefined if that is ambiguous. */
function placeClusters(
  columns: readonly PlacedText[],
  clusters: readonly PlacedText[],
): number[] | undefined {
  const choices = clusters.map((cluster) => {
    const over = columns.findIndex((each) => overlaps(each, cluster))
    if (over >= 0) return [over]
    const right = columns.findIndex(({ x0 }) => x0 >= cluster.x1)
    const left = right < 0 ? columns.length - 1 : right - 1
    return [left, right].filter((at) => at >= 0)
  })
  if (choices.filter((each) => each.length > 1).length > MAX_FLOATING) return undefined
  let best = Number.POSITIVE_INFINITY
  let found: number[][] = []
  const walk = (placed: readonly number[]) => {
    const next = choices[placed.length]
    if (next) {
      for (const at of next) if (at >= (placed.at(-1) ?? 0)) walk([...placed, at])
      return
    }
    const counts = columns.map((_, at) => placed.filter((each) => each === at).length)
    const cost = counts.filter((count) => count !== 1).length
    if (cost < best) [best, found] = [cost, []]
    if (cost === best) found.push([...placed])
  }
  walk([])
  const [placed, ...others] = found
  if (!placed || others.length > 0) return undefined
  return columns.slice(0, -1).map((column, at) => {
    const ends = clusters.flatMap(({ x1 }, index) => ((placed[index] ?? 0) <= at ? [x1] : []))
    const starts = clusters.flatMap(({ x0 }, index) => ((placed[index] ?? 0) > at ? [x0] : []))
    return (Math.max(column.x1, ...ends) + Math.min(columns[at + 1]?.x0 ?? column.x1, ...starts)) / 2
  })
}

/** The edges that cross the fewest words, in the widest gap. */
function findGaps(columns: readonly PlacedText[], rows: readonly Line[]): number[] {
  return columns.slice(0, -1).map((column, at) => {
    const next = columns[at + 1] ?? column
    const range = { x0: column.x1, x1: Math.max(next.x0, column.x1) }
    const near = (spans: readonly PlacedText[]) => spans.filter((each) => overlaps(each, range))
    const phrases = rows.flatMap((row) => near(row.phrases))
    const words = rows.flatMap((row) => near(row.phrases.flatMap((each) => each.words)))
    return findGap(range, phrases) ?? findGap(range, words) ?? (range.x0 + range.x1) / 2
  })
}

/** The middle of the widest gap between spans in a range; undefined if there is none. */
function findGap(range: { x0: number; x1: number }, spans: readonly PlacedText[]): number | undefined {
  let [from, best, at] = [range.x0, 0, undefined as number | undefined]
  const sorted = [...spans].sort((one, other) => one.x0 - other.x0)
  for (const { x0, x1 } of [...sorted, { x0: range.x1, x1: range.x1 }]) {
    const end = Math.min(x0, range.x1)
    if (end - from > best) [best, at] = [end - from, (from + end) / 2]
    from = Math.max(from, x1)
  }
  return at
}

/** The column of a text, by its middle. */
export function placeAt({ x0, x1 }: Pick<PlacedText, "x0" | "x1">, edges: readonly number[]): number {
  const at = edges.findIndex((edge) => (x0 + x1) / 2 < edge)
  return at < 0 ? edges.length : at
}

/**
 * The texts of a line by column, by the middle of each word.
 * @param placeOf the column of a phrase that belongs to one, however wide it is
 */
export function cutAtEdges(
  { phrases }: Pick<Line, "phrases">,
  edges: readonly number[],
  placeOf: (phrase: Phrase) => number | undefined = () => undefined,
): string[] {
  const cells: string[][] = [...edges.map((): string[] => []), []]
  for (const phrase of phrases) {
    const place = placeOf(phrase)
    for (const word of phrase.words) cells[place ?? placeAt(word, edges)]?.push(word.text)
  }
  return cells.map((texts) => texts.join(" "))
}

/** A row of a table, a sum in it, or the title of the rows below. */
export interface PdfRow {
  page: number
  line: number
  cells: string[]
  is: "row" | "total" | "title"
  /** Set if it cannot be read. */
  refusal?: RowRefusal
}

export interface RowRefusal {
  reason: string
  hint: string
}

export interface PdfTable {
  columns: readonly Heading[]
  page: number
  line: number
  rows: readonly PdfRow[]
}
