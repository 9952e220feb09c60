/** The tables of an invoice in a PDF: rows by position below the headings. */
import {
  findBasis,
  groupByPage,
  type Line,
  MONEY,
  overlaps,
  type Phrase,
  type PlacedText,
  saysOfAccount,
  saysTax,
  saysTotal,
  saysTotalOf,
} from "../../../input/index.ts"
import { FreightError } from "../../../base/errors.ts"
import { quoted } from "../../../base/parsed.ts"
import type { Band } from "../../../machine/index.ts"
import { findNumbers } from "../../names.ts"
import { readCents } from "../row.ts"
import { saysSection } from "../sections.ts"
import {
  cutAtEdges,
  findEdges,
  findHeadings,
  findLabelColumn,
  findOneEach,
  findTwin,
  type Heading,
  type HeadingReader,
  type Headings,
  holdsMoney,
  holdsName,
  keyOfHeadings,
  type PdfRow,
  type PdfTable,
  placeAt,
  type RowRefusal,
} from "./headings.ts"
import { type BandReader, isRowIn, placeBands, toBands } from "./bands.ts"
import { hasOwnNumber, isSurelyRow, looksLikeRow } from "./look.ts"
import {
  isOfAccountLabel,
  isTotalLabel,
  listAmounts,
  partAmount,
  saysBasisAlone,
  SUB_TOTAL,
} from "./stated.ts"

/** Called for each line of long work, to check signals and limits. */
export type Step = () => Promise<void> | undefined

/** The lines below a line of headings, up to the next. */
interface Region {
  headings: Headings
  lines: Line[]
}

export interface Regions {
  /** Lines that are not below any headings. */
  outside: Line[]
  regions: Region[]
}

/** Splits lines by the headings above them. @param step is called for each line */
export async function findRegions(
  lines: readonly Line[],
  reader: HeadingReader,
  step: Step,
): Promise<Regions> {
  const { bands } = reader
  if (bands) return findBandRegions(lines, { ...reader, bands }, step)
  const outside: Line[] = []
  const regions: Region[] = []
  const taken = new Set<Line>()
  for (const [at, line] of lines.entries()) {
    await step()
    if (taken.has(line)) continue
    // Words of sums above their amounts are not headings of charges.
    const headings = isAboveSums(line, lines[at + 1]) ? undefined : findHeadings(lines, at, reader)
    if (headings) {
      for (const each of headings.lines) taken.add(each)
      // A line above may have been taken for a line of the table before.
      const before = regions.at(-1)?.lines ?? outside
      for (const each of headings.lines) {
        const index = before.lastIndexOf(each)
        if (index >= 0) before.splice(index, 1)
      }
      const last = regions.at(-1)
      if (last && keyOfHeadings(last.headings) === keyOfHeadings(headings))
        outside.push(...takeLetterhead(last, line))
      // A title above headings describes the rows below them.
      const title = before.at(-1)
      const isTitled = title !== undefined && title.page === line.page && titleOf(title) !== undefined
      if (isTitled) before.pop()
      regions.push({ headings, lines: isTitled ? [title] : [] })
    } else (regions.at(-1)?.lines ?? outside).push(line)
  }
  return { outside, regions: regions.flatMap(splitTwins) }
}

/** The title if a line is one text; undefined for others. */
const titleOf = ({ phrases: [first, ...others] }: Line) =>
  first && others.length === 0 ? saysSection(first.text) : undefined

/** The lines of each page from the first row that fits the bands. */
async function findBandRegions(lines: readonly Line[], reader: BandReader, step: Step): Promise<Regions> {
  const outside: Line[] = []
  const regions: Region[] = []
  for (const own of groupByPage(lines)) {
    await step()
    const columns = placeBands(reader, own[0]?.width ?? 0)
    const start = own.findIndex((line) => isRowIn(columns, line))
    outside.push(...own.slice(0, start < 0 ? own.length : start))
    const [first] = start < 0 ? [] : own.slice(start)
    if (first) regions.push({ headings: { lines: [first], columns }, lines: own.slice(start) })
  }
  return { outside, regions }
}

/** The column positions of a table, by its rows; undefined if it has none, or they cannot be determined. */
export function measureBands(regions: readonly Region[]): Band[] | undefined {
  const all = regions.map(({ headings, lines }) => ({ headings, rows: lines.filter(isSurelyRow) }))
  const [most] = all.toSorted((one, other) => other.rows.length - one.rows.length)
  if (!most || most.rows.length === 0) return undefined
  const { headings, rows } = most
  const edges = findEdges(headings.columns, rows)
  return (
    edges &&
    toBands(
      headings.columns.map(({ text }) => text),
      rows,
      (phrase) => placeAt(phrase, edges),
    )
  )
}

/** Removes lines above the repeated headings on a later page from a table, if none of them looks like a row. */
function takeLetterhead({ headings, lines }: Region, { page }: Line): Line[] {
  const above = lines.filter((each) => each.page === page)
  const isOwnPage = headings.lines[0]?.page === page
  if (isOwnPage || above.some((each) => looksLikeRow(each) && hasOwnNumber(each))) return []
  return lines.splice(lines.length - above.length, above.length)
}

/** Reads two tables with the same headings side by side one after the other, page by page. */
function splitTwins(region: Region): Region[] {
  const { headings, lines } = region
  const half = findTwin(headings)
  if (half === undefined) return [region]
  const last = headings.columns[half - 1]
  const next = headings.columns[half]
  if (!last || !next) return [region]
  const edge = (last.x1 + next.x0) / 2
  const cut = (line: Line, isLeft: boolean): Line[] => {
    const phrases = line.phrases.filter(({ x0, x1 }) => (x0 + x1) / 2 < edge === isLeft)
    return phrases.length === 0 ? [] : [{ ...line, phrases }]
  }
  return groupByPage(lines).flatMap((own) =>
    [true, false].map((isLeft) => ({
      headings: {
        ...headings,
        columns: isLeft ? headings.columns.slice(0, half) : headings.columns.slice(half),
      },
      lines: own.flatMap((line) => cut(line, isLeft)),
    })),
  )
}

export interface TableChoices {
  /** Whether rows without a name below the first total are left out. */
  stopsAtTotal: boolean
  /** Whether a single amount below a subtotal, such as a rebate, excludes GST, whatever column it stands in. */
  addsExGst?: boolean
  /** Recognises words of lines that are not rows; by default those of a bill. */
  isNoRow?(label: string): boolean
  /** Whether an unreadable row is kept with the reason, for people to see; otherwise it is refused. */
  keepsRefused?: boolean
}

/** The error for an unreadable row of a PDF. */
export function toRefusal(
  name: string,
  { page, line }: Pick<Line, "page" | "line">,
  { reason, hint }: RowRefusal,
): FreightError {
  return new FreightError("input", `${name}, page ${page}, line ${line}: ${reason}; nothing was audited`, {
    hint,
  })
}

async function readRegion(
  name: string,
  { headings, lines }: Region,
  { stopsAtTotal, addsExGst = false, isNoRow = isOfAccountLabel, keepsRefused = false }: TableChoices,
  step: Step,
): Promise<PdfRow[]> {
  const { columns } = headings
  const refused: { line: Line; cells: string[]; refusal: RowRefusal }[] = []
  const refuse = (line: Line, cells: string[], refusal: RowRefusal | undefined) => {
    if (!refusal) return
    if (!keepsRefused) throw toRefusal(name, line, refusal)
    refused.push({ line, cells, refusal })
  }
  // Another table may follow the last row, such as one of overdue amounts.
  const like = lines.filter(
    (line) => looksLikeRow(line) && !line.phrases.some(({ text }) => isOfAccountLabel(text)),
  )
  const named = like.filter(hasOwnNumber)
  // If no row with an amount has a name, consignments stand above their charges.
  const bare = new Set(
    named.length > 0
      ? []
      : lines.filter((line) => hasOwnNumber(line) && line.phrases.length > 1 && isWords(line)),
  )
  const isNamed = new Set(named)
  const partsWithin = (below: number) =>
    lines.filter((line, at) => {
      const near = lines.slice(Math.max(0, at - NEAR), at + NEAR)
      return isWords(line) && near.some((each) => isNamed.has(each) && isPartOf(line, each, below))
    })
  const beside = partsWithin(BESIDE)
  const edges =
    findOneEach(columns, [...named, ...partsWithin(WRAPPED)]) ??
    findOneEach(columns, [...named, ...beside]) ??
    findOneEach(columns, named) ??
    findEdges(columns, [...like, ...beside, ...bare]) ??
    (named.length > 0 ? findEdges(columns, named) : undefined)
  if (!edges) {
    const [first] = headings.lines
    if (first && !keepsRefused) throw toRefusal(name, first, NO_EDGES)
    return like.map(({ page, line, phrases }) => {
      const text = phrases.map((each) => each.text).join(" ")
      const cells = columns.map((_, at) => (at === 0 ? text : ""))
      return { page, line, cells, is: "row", refusal: NO_EDGES }
    })
  }
  const rows: (PdfRow & { y: number; height: number })[] = []
  const texts: { line: Line; cells: string[]; before: number }[] = []
  let isEnded = false
  let isBelowSub = false
  for (const [at, line] of lines.entries()) {
    await step()
    const isOfCharge = !hasOwnNumber(line) && line.phrases.some(({ text }) => MONEY.test(text))
    // Typewriter words are far apart: words of a label in the column of consignment numbers are one text.
    const spaced = isOfCharge ? line.phrases.filter(({ text }) => !MONEY.test(text)) : []
    const isSpaced =
      spaced[0] !== undefined &&
      placeAt(spaced[0], edges) === findLabelColumn(columns) &&
      LABEL.test(spaced.map(({ text }) => text).join(" ")) &&
      spaced.every(({ x0 }, index) => x0 - (spaced[index - 1]?.x1 ?? x0) <= line.height)
    const cells = cutAtEdges(line, edges, (phrase) =>
      isSpaced && spaced.includes(phrase)
        ? findLabelColumn(columns)
        : isOfCharge && LABEL.test(phrase.text)
          ? placeLabel(phrase, columns, edges)
          : undefined,
    )
    const cut = findCutAmount(line, lines[at + 1], (phrase) => columns[placeAt(phrase, edges)])
    refuse(line, cells, cut)
    if (cut) continue
    const begins = (cells[0] ?? "") === "" ? undefined : titleOf(line)
    if (begins === "credits" || (begins && at === 0)) {
      const title = columns.map((_, column) => (column === 0 ? (line.phrases[0]?.text ?? "") : ""))
      rows.push({
        page: line.page,
        line: line.line,
        y: line.y,
        height: line.height,
        cells: title,
        is: "title",
      })
      continue
    }
    const kind = isBelowWords(line, lines[at - 1]) ? "other" : classify(line, cells, columns, edges, isNoRow)
    const { page, line: number, y, height } = line
    if (kind === "total") {
      // Below the total, another total's name belongs to other bills: `Total this month last year`.
      const isOther =
        stopsAtTotal && isEnded && !line.phrases.some(({ text }) => saysTotal(partAmount(text).label))
      if (isOther && !rows.some(({ is }) => is === "title")) continue
      for (const each of toTotals(line, lines[at - 1], cells, columns))
        rows.push({ page, line: number, y, height, cells: each, is: "total" })
    } else if (kind === "row") {
      if (stopsAtTotal && isEnded && !hasNumber(cells, columns)) continue
      const isAdded = addsExGst && isBelowSub && !hasNumber(cells, columns)
      const placed = isAdded ? placeCharge(line, columns, findExGst(columns)) : undefined
      rows.push({ page, line: number, y, height, cells: placed ?? withoutBase(cells, columns), is: "row" })
    } else if (kind === "other" && isBelowSub && !(stopsAtTotal && isEnded) && isChargeAlone(line, isNoRow)) {
      // Sums, and the rows between them, may stand right of the columns.
      const to = addsExGst ? findExGst(columns) : findMain(columns)
      const placed = placeCharge(line, columns, to)
      if (placed) rows.push({ page, line: number, y, height, cells: placed, is: "row" })
    } else if (kind === "text" && bare.has(line) && hasNumber(cells, columns)) {
      rows.push({ page, line: number, y, height, cells, is: "row" })
    } else if (kind === "text") texts.push({ line, cells, before: rows.length })
    isBelowSub ||= kind === "total" && line.phrases.some(({ text }) => SUB_TOTAL.test(text))
    // The amount may stand below its words.
    const isOfBalance = line.phrases.some(({ text }) => saysOfAccount(text) === "balance")
    isEnded ||= kind !== "row" && !isOfBalance && line.phrases.some(({ text }) => isSumOfAll(text))
  }
  for (const { line, cells, before } of texts)
    refuse(line, cells, addText(line, cells, columns, rows[before - 1], rows[before]))
  return withRefused(
    rows.map(({ page, line, cells, is }) => ({ page, line, cells, is })),
    refused,
  )
}

const NO_EDGES: RowRefusal = {
  reason: "freight cannot tell which amounts belong to which heading",
  hint: "Ask the carrier for a spreadsheet, or for a bill without empty columns.",
}

/** Merges readable and unreadable rows, in page order. */
function withRefused(
  rows: PdfRow[],
  refused: readonly { line: Line; cells: string[]; refusal: RowRefusal }[],
): PdfRow[] {
  for (const { line, cells, refusal } of refused) {
    const own = rows.find((row) => row.page === line.page && row.line === line.line)
    if (own) own.refusal = refusal
    else {
      const next = rows.findIndex((row) => isAfter(row, line))
      const row: PdfRow = { page: line.page, line: line.line, cells, is: "row", refusal }
      rows.splice(next < 0 ? rows.length : next, 0, row)
    }
  }
  return rows
}

const isAfter = (one: Pick<PdfRow, "page" | "line">, other: Pick<PdfRow, "page" | "line">) =>
  one.page === other.page ? one.line > other.line : one.page > other.page

/** The first part of an amount that continues below: `1,2`, `1,234.` or `1,234.5`. */
const CUT = /^[-\u2212(]?(?:A?\$)?\d[\d,]*(?:,\d{0,2}|\.\d?)$/

/** The error for a line with an amount that seems to be cut off and to continue in the next one. */
function findCutAmount(
  line: Line,
  below: Line | undefined,
  columnOf: (phrase: Phrase) => Heading | undefined,
): RowRefusal | undefined {
  if (!below || below.page !== line.page || below.y - line.y > WRAPPED * line.height) return undefined
  const rests = below.phrases.filter(({ text }) => /^\d/.test(text))
  const cuts = rests.map((rest) => {
    const cut = line.phrases.find((each) => CUT.test(each.text) && overlaps(each, rest))
    const column = cut && columnOf(cut)
    return column && holdsMoney(column) && MONEY.test(cut.text + rest.text) ? cut : undefined
  })
  const [cut, rest] = [cuts[0], rests[0]]
  // In a row of its own below, it would be a separate amount.
  if (!cut || !rest || hasOwnNumber(below) || cuts.includes(undefined)) return undefined
  return {
    reason: `${quoted(cut.text)} and ${quoted(rest.text)} below it seem to be one amount over two lines`,
    hint: "Ask the carrier for a spreadsheet, or for a PDF with wider columns.",
  }
}

/** Words of a charge, which may span several columns: `Fuel levy @ 4.5 %`. */
const LABEL = /^\p{L}[\p{L}\s/&.'-]*(?:(?:[(@]{1,2} ?)?\d{1,2}(?:\.\d{1,3})? ?%[\p{L} ]*\)?)?:?$/u

const isSumOfAll = (text: string) => saysTotal(text) && !/\b(?:page|carried|brought|sub|this)/i.test(text)

/** The cells of a row, without an amount of which another is the stated share: `4.5 %` of `1,234.00` is `55.53`. */
function withoutBase(cells: string[], columns: readonly Heading[]): string[] {
  const [share, ...others] = cells.flatMap(
    (cell) => /(?<![\d.])(\d{1,2}(?:\.\d+)?) ?%$/.exec(cell)?.[1] ?? [],
  )
  const amounts = cells.flatMap((cell, at) => {
    const cents = MONEY.test(cell) ? readCents(cell) : undefined
    return typeof cents === "number" ? [{ at, cents }] : []
  })
  const [base, charge] = amounts
  if (share === undefined || others.length > 0 || !base || !charge || amounts.length > 2) return cells
  // A tenth of a levy beside it is its GST.
  const taxed = columns[charge.at]
  if (taxed && mayHoldGst(taxed)) return cells
  // The share is rounded as it is printed.
  const slack = Math.abs(base.cents / 200) / 10 ** (share.split(".")[1]?.length ?? 0) + 1
  const isShare = Math.abs((base.cents * Number(share)) / 100 - charge.cents) <= slack
  return isShare && !hasNumber(cells, columns) ? cells.map((cell, at) => (at === base.at ? "" : cell)) : cells
}

/**
 * The column for the words of a charge: the one in which they start, but not a column of amounts, and, if they span
 * several, only one for such words.
 */
function placeLabel(phrase: Phrase, columns: readonly Heading[], edges: readonly number[]): number {
  const [first] = phrase.words
  const at = first ? placeAt(first, edges) : 0
  const column = columns[at]
  if (!column) return at
  if (isOver(phrase, edges)) return isOfCharges(column) ? at : findLabelColumn(columns)
  return holdsMoney(column) && !mayNameCharges(column) ? findLabelColumn(columns) : at
}

const mayHoldGst = ({ meaning }: Heading) =>
  "field" in meaning
    ? meaning.field?.holds === "gst"
    : "byCells" in meaning && meaning.choices?.includes("gst") === true

export const isOfCharges = ({ meaning }: Heading) => "field" in meaning && meaning.field?.name === "charge"

/** Whether its cells show that a column has words of charges or their amounts. */
export const mayNameCharges = ({ meaning }: Heading) =>
  "byCells" in meaning && meaning.choices?.includes("charge") === true

/**
 * The cells of a row without a name and with one amount, which counts in one column wherever it stands; undefined for
 * other rows.
 */
function placeCharge({ phrases }: Line, columns: readonly Heading[], to: number): string[] | undefined {
  const [amount, ...others] = phrases.filter(({ text }) => MONEY.test(text))
  const label = phrases.filter(({ text }) => !MONEY.test(text)).map(({ text }) => text)
  const words = findLabelColumn(columns)
  if (!amount || others.length > 0 || label.length === 0 || to < 0) return undefined
  return columns.map((_, at) => (at === to ? amount.text : at === words ? label.join(" ") : ""))
}

const findExGst = (columns: readonly Heading[]) =>
  columns.findIndex(({ meaning }) => "field" in meaning && meaning.field?.name === "amountExGst")

/** The column for the single amount of a sum: the last one with totals of rows. */
function findMain(columns: readonly Heading[]): number {
  const main = columns.findLastIndex(({ meaning }) => "field" in meaning && meaning.field?.holds === "total")
  return main >= 0 ? main : columns.findLastIndex(holdsMoney)
}

/** Whether a line is the words of a charge and one amount, and nothing else. */
function isChargeAlone({ phrases }: Line, isNoRow: (label: string) => boolean): boolean {
  const [words, amount, ...others] = phrases
  return (
    words !== undefined &&
    amount !== undefined &&
    others.length === 0 &&
    MONEY.test(amount.text) &&
    LABEL.test(words.text) &&
    !isTotalLabel(words.text) &&
    !saysTax(words.text) &&
    !saysBasisAlone(words.text) &&
    !isNoRow(words.text)
  )
}

/** Whether a line has only amounts, below words of sums or the account: `Current`, `30 days`, or `Total ex GST`, `GST`. */
function isBelowWords(line: Line, above: Line | undefined): boolean {
  return (
    above?.page === line.page &&
    above.phrases.filter(isOfSums).length >= MIN_WORDS &&
    line.phrases.every(({ text }) => MONEY.test(text))
  )
}

/** Whether a line is words of sums; words with only a basis, such as `Net amount ex GST`, count if amounts stand below. */
function isAboveSums(line: Line, below: Line | undefined): boolean {
  const { phrases } = line
  const saysBasis = ({ text }: Phrase) => findBasis(text) !== undefined
  return (
    phrases.every(isOfSums) ||
    (below !== undefined &&
      isBelowWords(below, line) &&
      phrases.every((each) => isOfSums(each) || saysBasis(each)))
  )
}

const MIN_WORDS = 2

const isOfSums = ({ text }: Phrase) =>
  saysOfAccount(text) === "balance" || isTotalLabel(text) || saysTax(text)

/** Whether a text stands in several columns. */
const isOver = ({ x0, x1 }: PlacedText, edges: readonly number[]) =>
  edges.some((edge) => x0 < edge - 1 && x1 > edge + 1)

type LineKind = "row" | "total" | "text" | "other"

function classify(
  line: Line,
  cells: readonly string[],
  columns: readonly Heading[],
  edges: readonly number[],
  isNoRow: (label: string) => boolean,
): LineKind {
  const labels = line.phrases
    .filter(({ text }) => /\p{L}/u.test(text) && !MONEY.test(text))
    .map(({ text }) => text)
  // A whole number may be a word of a text that spans several columns.
  const isAlone = (cell: string) =>
    MONEY.test(cell) || !line.phrases.some((each) => isOver(each, edges) && each.text.includes(cell))
  const hasMoney = cells.some((cell, at) => isAmountIn(columns[at], cell) && isAlone(cell))
  // `Account: HL-2041` beside an amount due is not a consignment number.
  const isOfSlip =
    labels.some(isTotalLabel) && line.phrases.some(({ text }) => /^\p{L}[\p{L} .#]*:/u.test(text))
  // The number in `Other invoices: CF-0998` is not one either, beside its words or in them.
  const [first] = labels
  const isOfOthers = first !== undefined && saysOfAccount(first) === "balance"
  const isNamed = !isOfSlip && !isOfOthers && hasNumber(cells, columns)
  // A single amount due belongs to the account; with its GST beside it, it is this bill's total.
  const isSplitDue =
    isNoRow === isOfAccountLabel &&
    labels.some((text) => /\b(?:due|payable)\b/i.test(text) && isTotalLabel(text)) &&
    cells.filter((cell, at) => isAmountIn(columns[at], cell)).length >= 2
  if (!isNamed && !isSplitDue && labels.some(isNoRow)) return "other"
  if (!isNamed && labels.length === 1 && labels.every(saysBasisAlone)) return "other"
  if (!isNamed && labels.some((text) => isTotalLabel(text) || isTotalLabel(partAmount(text).label)))
    return hasMoney || line.phrases.some(({ text }) => /\d\.\d\d$/.test(text)) ? "total" : "other"
  if (hasMoney) return "row"
  if (labels.some((text) => /^[^:]{2,30}:/.test(text))) return "other"
  // A text that spans several columns, or has an amount elsewhere, is not part of a row.
  return line.phrases.some((each) => MONEY.test(each.text) || isOver(each, edges)) ? "other" : "text"
}

function isAmountIn(column: Heading | undefined, cell: string): boolean {
  if (!column || cell === "") return false
  // A cell that looks like two amounts is also a row: it is reported when it is read.
  const isAmount = typeof readCents(cell) === "number" || /^[^\p{L}%]*\d\.\d\d\b[^\p{L}%]*$/u.test(cell)
  return holdsMoney(column) && /\d/.test(cell) && isAmount
}

function hasNumber(cells: readonly string[], columns: readonly Heading[]): boolean {
  return columns.some((column, at) => {
    // A rate is part of the words of a charge.
    const cell = (cells[at] ?? "").replace(/(?<![\d.])\d{1,3}(?:\.\d{1,3})? ?%/g, "")
    const isNumber = /\d/.test(cell) && !/\d\.\d\d$/.test(cell)
    return holdsName(column) && isNumber && !saysTotal(cell) && saysTotalOf(cell) === undefined
  })
}

/** The records of a line of sums: its words in one column, its amounts in their columns, or in that of the total. */
function toTotals(
  line: Line,
  above: Line | undefined,
  cells: readonly string[],
  columns: readonly Heading[],
): string[][] {
  const amounts = cells.map((cell, at) => (isAmountIn(columns[at], cell) ? cell : ""))
  const label = line.phrases
    .filter(({ text }) => /\p{L}/u.test(text) && !MONEY.test(text))
    .map(({ text }) => text)
  const words = findLabelColumn(columns)
  if (amounts.filter((cell) => cell !== "").length >= 2)
    return [amounts.map((cell, at) => (at === words ? label.join(" ") : cell))]
  const last = findMain(columns)
  return listAmounts(line, above).map((each) =>
    columns.map((_, at) => (at === words ? each.label : at === last ? each.amount.text : "")),
  )
}

/** Maximum distance of a wrapped line from its row, in letter heights. */
const WRAPPED = 1.7
/** The same for part of a cell that is taller than its row. */
const BESIDE = 0.75

/** Number of lines above and below among which the row of a wrapped line is looked for. */
const NEAR = 4

const isWords = ({ phrases }: Line) => phrases.every(({ text }) => !MONEY.test(text) && !isTotalLabel(text))

/** Whether a line is near enough to a row to continue or start its cells. */
function isPartOf({ page, y, height }: Line, row: Line, below: number): boolean {
  return page === row.page && row.y - y <= BESIDE * height && y - row.y <= below * height
}

type PlacedRow = PdfRow & { y: number; height: number }

/** Adds a line without amounts to the row that it belongs to. @returns the reason if that cannot be decided */
function addText(
  line: Line,
  cells: readonly string[],
  columns: readonly Heading[],
  above: PlacedRow | undefined,
  below: PlacedRow | undefined,
): RowRefusal | undefined {
  const far = (row: PlacedRow | undefined) =>
    row && row.page === line.page && row.is === "row" ? Math.abs(row.y - line.y) : Number.POSITIVE_INFINITY
  const near = WRAPPED * line.height
  const [up, down] = [far(above), far(below)]
  // Two rows are never so close: it is part of a cell with several lines.
  const beside = [above, below].find((row) => far(row) <= BESIDE * line.height)
  const numbers = columns.flatMap((column, at) =>
    holdsName(column) && findNumbers(cells[at] ?? "").length > 0 ? [at] : [],
  )
  const isOwn = (row: PlacedRow | undefined) => numbers.every((at) => (row?.cells[at] ?? "") !== "")
  // A number on its own may belong to the charges below it.
  if (!beside && numbers.length > 0 && below?.is === "row" && !isOwn(below))
    return {
      reason: `${quoted(line.phrases.map(({ text }) => text).join(" "))} may name the charges below it, which name nothing`,
      hint: "Ask the carrier for a spreadsheet, with the number of the consignment on each row.",
    }
  const row = beside ?? (up <= near && up <= down * 1.2 ? above : down <= near ? below : undefined)
  if (!row) return undefined
  const isBefore = row === below
  for (const [at, cell] of cells.entries()) {
    const column = columns[at]
    if (cell === "" || !column || holdsMoney(column)) continue
    const own = row.cells[at] ?? ""
    const gap = beside && holdsName(column) ? "" : " "
    row.cells[at] = own === "" ? cell : isBefore ? `${cell}${gap}${own}` : `${own}${gap}${cell}`
  }
  if (!isBefore && !beside) row.y = line.y
  return undefined
}

/** Joins regions with the same headings into one table. @param step is called for each line */
export async function joinTables(
  name: string,
  regions: readonly Region[],
  choices: TableChoices,
  step: Step,
): Promise<PdfTable[]> {
  const tables = new Map<
    string,
    { columns: readonly Heading[]; page: number; line: number; rows: PdfRow[] }
  >()
  for (const region of regions) {
    const key = keyOfHeadings(region.headings)
    const [first] = region.headings.lines
    const table = tables.get(key) ?? {
      columns: region.headings.columns,
      page: first?.page ?? 0,
      line: first?.line ?? 0,
      rows: [],
    }
    for (const row of await readRegion(name, region, choices, step)) table.rows.push(row)
    tables.set(key, table)
  }
  return [...tables.values()].filter(({ rows }) => rows.some(({ is }) => is === "row"))
}
