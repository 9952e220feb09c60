/** A layout with unknown headings: its rows as they are read, and the questions about its columns. */
import {
  type ColumnQuestion,
  type Line,
  listColumnNames,
  listValues,
  type Meaning,
  MONEY,
  overlaps,
  plainHeader,
} from "../../../input/index.ts"
import { findNumbers } from "../../names.ts"
import { isOnFirstRow } from "../above.ts"
import type { BillField } from "../columns.ts"
import { toBands } from "./bands.ts"
import {
  cutAtEdges,
  findEdges,
  findSeveral,
  type Heading,
  type HeadingReader,
  isKnown,
  joinHeadings,
  LEADING,
  mayBeHeadings,
  partHeadings,
  placeAt,
  type SeveralColumns,
  toClusters,
} from "./headings.ts"
import { hasOwnNumber, isSurelyRow, looksLikeRow } from "./look.ts"
import { isTotalLabel, partAmount } from "./stated.ts"
import type { Step } from "./tables.ts"

type CellKind = "money" | "number" | "labels" | "words" | "other"

export interface Layout {
  /** Knows the headings of this layout, besides the general ones. */
  reader: HeadingReader
  /** Questions that have to be answered before it can be read. */
  questions: readonly ColumnQuestion[]
  /** Headings above several columns that are so close that they are read as one. */
  several: SeveralColumns | undefined
}

/** Possible meanings of columns by their kind, likeliest first. */
const CHOICES: Readonly<Record<CellKind, readonly string[]>> = {
  money: ["amountExGst", "amountIncGst", "amount", "gst", "freight", "fuel", "other"],
  number: ["consignment", "reference", "order", "invoiceNumber"],
  labels: ["charge", "service", "reference", "carrier"],
  words: ["reference", "charge", "service", "carrier"],
  other: [],
}

const WHY = "has a heading that freight does not know"
const WHY_BARE = "has no heading that freight finds"
const WHY_ELSEWHERE = "is not where the saved map has it"
const USUAL_COLUMNS = 3
const MIN_COLUMNS = 2

/**
 * The table with the most rows below a line that may be its headings; without such a line, the rows with a number and
 * an amount, by position. Undefined if there are none.
 * @param today answers about columns of this file; a saved map's `Column 2` belongs to another
 * @param isElsewhere a saved map has columns in other positions
 * @param step is called for each line
 */
export async function findLayout(
  lines: readonly Line[],
  reader: HeadingReader,
  today: HeadingReader,
  isElsewhere: boolean,
  step: Step,
): Promise<Layout | undefined> {
  const many = await findTable(lines, reader, USUAL_COLUMNS, step)
  const found = many ?? (await findTable(lines, reader, MIN_COLUMNS, step))
  if (!found) return findBareLayout(lines, today, isElsewhere)
  const { columns, rows, below, edges } = found
  const cells = rows.map((row) => cutAtEdges(row, edges))
  const looks = columns.map(({ text }, at) => findLook(text, listCells(cells, at)))
  const keyOf = (text: string) => plainHeader(text) || text.trim()
  const own = new Map(columns.map(({ text }, at) => [keyOf(text), looks[at] ?? "other"]))
  const names = listColumnNames(columns.map(({ text }) => text))
  // If few headings are found, the rows are read by position.
  const bands = many ? undefined : toBands(names, rows, (phrase) => placeAt(phrase, edges))
  return {
    reader: {
      meaning: toMeaning(reader, (text) => own.get(keyOf(text))),
      ...(bands && { bands }),
    },
    questions: columns.flatMap((column, at) =>
      isKnown(column)
        ? []
        : ask(
            names[at] ?? column.text,
            at,
            looks[at] ?? "other",
            listCells(cells, at),
            WHY,
            hasChargesBelow(below),
          ),
    ),
    several: findSeveral(columns.map(({ text }, at) => ({ text, cells: listCells(cells, at) }))),
  }
}

interface FoundTable {
  columns: readonly Heading[]
  rows: readonly Line[]
  below: readonly Line[]
  edges: readonly number[]
}

async function findTable(
  lines: readonly Line[],
  reader: HeadingReader,
  fewest: number,
  step: Step,
): Promise<FoundTable | undefined> {
  const starts: number[] = []
  for (const [at, line] of lines.entries()) {
    await step()
    if (mayBeHeadings(line) && !looksLikeRow(line) && partHeadings(lines, at, reader).length >= fewest)
      starts.push(at)
  }
  const tables = starts.map((at, index) => {
    const below = lines.slice(at + 1, starts[index + 1])
    return { at, below, rows: below.filter(looksLikeRow) }
  })
  const [best] = tables.toSorted((one, other) => other.rows.length - one.rows.length)
  if (!best || best.rows.length === 0) return undefined
  const columns = listColumns(lines, best.at, reader)
  const edges = findEdges(columns, best.rows)
  if (!edges) return undefined
  const cells = best.rows.map((row) => cutAtEdges(row, edges))
  const hasMoney = columns.some(({ text }, at) => findLook(text, listCells(cells, at)) === "money")
  return hasMoney ? { columns, rows: best.rows, below: best.below, edges } : undefined
}

/** Rows without readable headings: their columns are numbered. */
function findBareLayout(
  lines: readonly Line[],
  reader: HeadingReader,
  isElsewhere: boolean,
): Layout | undefined {
  const spans = lines
    .filter(isSurelyRow)
    .flatMap(({ phrases, width }) =>
      phrases.map(({ text, x0, x1 }) => ({ text, x0: x0 / width, x1: x1 / width })),
    )
  const columns = toClusters(spans).map(({ x0, x1 }, at) => {
    const texts = spans.filter((span) => overlaps(span, { x0, x1 })).map(({ text }) => text)
    const amounts = texts.every((text) => MONEY.test(text))
    return { heading: nameColumn(at), from: x0, to: x1, amounts, texts, look: findLook("", texts) }
  })
  const looks = columns.map(({ look }) => look)
  if (!looks.includes("money") || !looks.includes("number")) return undefined
  const meaning = toMeaning(reader, (text) => columns.find(({ heading }) => heading === text)?.look)
  const isSaid = (text: string) => isKnown({ meaning: reader.meaning(text) })
  return {
    reader: {
      meaning,
      bands: columns.map(({ heading, from, to, amounts }) => ({ heading, from, to, amounts })),
    },
    questions: columns.flatMap(({ heading, look, texts }, at) =>
      isSaid(heading)
        ? []
        : ask(heading, at, look, texts, isElsewhere ? WHY_ELSEWHERE : WHY_BARE, hasChargesBelow(lines)),
    ),
    several: findSeveral(columns.map(({ heading, texts }) => ({ text: heading, cells: texts }))),
  }
}

/** The name of a column without a readable heading. @param at from 0 */
const nameColumn = (at: number) => `Column ${at + 1}`

/** Whether a `--map` names such a column. */
export const isOfBareColumn = (map: string) => /^column \d+=/i.test(map.trim())

const listCells = (cells: readonly (readonly string[])[], at: number) =>
  cells.map((row) => row[at] ?? "").filter((cell) => cell !== "")

/** The meaning of a heading, or else the kind of its cells. */
function toMeaning(reader: HeadingReader, lookOf: (text: string) => CellKind | undefined) {
  return (text: string): Meaning<BillField> => {
    const meaning = reader.meaning(text)
    const look = lookOf(text)
    return isKnown({ meaning }) || look === undefined ? meaning : guess(look)
  }
}

function ask(
  column: string,
  at: number,
  look: CellKind,
  cells: readonly string[],
  why: string,
  isAbove: boolean,
): ColumnQuestion[] {
  const choices = isAbove && look === "number" ? ["consignmentAbove", ...CHOICES[look]] : CHOICES[look]
  return choices.length === 0 ? [] : [{ column, number: at + 1, values: listValues(cells), why, choices }]
}

const isChargeText = ({ phrases: [only, ...others] }: Line) =>
  only !== undefined &&
  others.length === 0 &&
  partAmount(only.text).cents !== "" &&
  !isTotalLabel(partAmount(only.text).label)

/** Whether charges without a name stand below several consignments: only the first row has the number. */
function hasChargesBelow(lines: readonly Line[]): boolean {
  // Words and amount of a charge may be one text.
  const rows = lines.filter((line) => looksLikeRow(line) || isChargeText(line))
  return isOnFirstRow(rows.map(hasOwnNumber))
}

/** The headings of a line, with the lines above its words. */
function listColumns(lines: readonly Line[], at: number, reader: HeadingReader): readonly Heading[] {
  const own: Line[] = []
  for (let near = at; own.length < MAX_LINES; near--) {
    const [line, below] = [lines[near], own[0]]
    if (!line || !mayBeHeadings(line)) break
    if (below && (line.page !== below.page || below.y - line.y > LEADING * below.height)) break
    if (below && line.phrases.length < 2) break
    own.unshift(line)
  }
  const phrases = own.map((line) => partHeadings(lines, lines.indexOf(line), reader))
  const all = joinHeadings(own, phrases, reader).columns
  // A line of group titles above would join headings.
  const last = joinHeadings(own.slice(-1), phrases.slice(-1), reader).columns
  return all.length === last.length ? all : last
}

const MAX_LINES = 3

/** Columns whose cells look like amounts, but are not. */
const MEASURE = /\b(?:qty|quantity|units?|items?|pieces|pallets|hours|km|kgs?|weight|wt|cubic|m3|rate)\b|%/i

function findLook(heading: string, cells: readonly string[]): CellKind {
  const are = (test: (cell: string) => boolean) =>
    cells.length > 0 && cells.filter(test).length * 2 > cells.length
  if (are((cell) => MONEY.test(cell))) return MEASURE.test(heading) ? "other" : "money"
  if (are((cell) => /^\d{1,2}[-/. ](?:\d{1,2}|\p{L}{3,9})[-/. ]\d{2,4}$/u.test(cell))) return "other"
  if (are((cell) => findNumbers(cell).length > 0)) return "number"
  if (!are((cell) => /\p{L}/u.test(cell))) return "other"
  return new Set(cells).size * 2 <= cells.length ? "labels" : "words"
}

/** The meaning of such a column while its rows are only shown. */
function guess(look: CellKind): Meaning<BillField> {
  const holds = look === "money" ? "total" : look === "number" ? "name" : undefined
  return { field: holds && ({ name: look, holds } as unknown as BillField) }
}
