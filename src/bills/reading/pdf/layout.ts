/** A layout whose headings freight does not know: its rows as they are read, and what a person has to say of the columns. */
import { plainHeader } from "../../../input/columns/headings.ts"
import { listColumnNames } from "../../../input/columns/mapping.ts"
import type { Meaning } from "../../../input/columns/notation.ts"
import { type ColumnQuestion, listValues } from "../../../input/columns/questions.ts"
import type { Line } from "../../../input/pdf/lines.ts"
import { findNumbers } from "../../names.ts"
import type { BillField } from "../columns.ts"
import {
  cutAtEdges,
  findEdges,
  type Heading,
  type HeadingReader,
  isKnown,
  joinHeadings,
  LEADING,
  mayBeHeadings,
  MONEY,
} from "./headings.ts"
import { looksLikeRow } from "./tables.ts"

/** What the cells of a column look like. */
type Look = "money" | "number" | "labels" | "words" | "other"

export interface Layout {
  /** Knows the headings of this layout besides those of all. */
  reader: HeadingReader
  /** What a person has to say before it can be read. */
  questions: readonly ColumnQuestion[]
}

/** What columns may be that look so, the likeliest first. */
const CHOICES: Readonly<Record<Look, readonly string[]>> = {
  money: ["amountExGst", "amountIncGst", "amount", "gst", "freight", "fuel", "other"],
  number: ["consignment", "reference", "order", "invoiceNumber"],
  labels: ["charge", "service", "reference", "carrier"],
  words: ["reference", "charge", "service", "carrier"],
  other: [],
}

const WHY = "has a heading that freight does not know"
const FEWEST_COLUMNS = 3

/** The table with the most rows below a line that may be its headings; undefined where no line may. */
export function findLayout(lines: readonly Line[], reader: HeadingReader): Layout | undefined {
  const starts = lines.flatMap((line, at) => {
    const isStart = mayBeHeadings(line) && line.phrases.length >= FEWEST_COLUMNS && !looksLikeRow(line)
    return isStart ? [at] : []
  })
  const tables = starts.map((at, index) => {
    return { at, rows: lines.slice(at + 1, starts[index + 1]).filter(looksLikeRow) }
  })
  const [best] = tables.toSorted((one, other) => other.rows.length - one.rows.length)
  if (!best || best.rows.length === 0) return undefined
  const columns = listColumns(lines, best.at, reader)
  const edges = findEdges(columns, best.rows)
  if (!edges) return undefined
  const cells = best.rows.map((row) => cutAtEdges(row, edges))
  const looks = columns.map(({ text }, at) =>
    findLook(
      text,
      cells.map((row) => row[at] ?? "").filter((cell) => cell !== ""),
    ),
  )
  if (!looks.includes("money")) return undefined
  const keyOf = (text: string) => plainHeader(text) || text.trim()
  const own = new Map(columns.map(({ text }, at) => [keyOf(text), looks[at] ?? "other"]))
  const names = listColumnNames(columns.map(({ text }) => text))
  return {
    reader: {
      meaning(text) {
        const meaning = reader.meaning(text)
        const look = own.get(keyOf(text))
        return isKnown({ meaning }) || look === undefined ? meaning : guess(look)
      },
    },
    questions: columns.flatMap((column, at): ColumnQuestion[] => {
      const choices = CHOICES[looks[at] ?? "other"]
      if (isKnown(column) || choices.length === 0) return []
      const values = listValues(cells.map((row) => row[at] ?? "").filter((cell) => cell !== ""))
      return [{ column: names[at] ?? column.text, number: at + 1, values, why: WHY, choices }]
    }),
  }
}

/** The headings of a line, with the lines above it that stand over its words. */
function listColumns(lines: readonly Line[], at: number, reader: HeadingReader): readonly Heading[] {
  const own: Line[] = []
  for (let near = at; own.length < MOST_LINES; near--) {
    const [line, below] = [lines[near], own[0]]
    if (!line || !mayBeHeadings(line)) break
    if (below && (line.page !== below.page || below.y - line.y > LEADING * below.height)) break
    if (below && line.phrases.length < 2) break
    own.unshift(line)
  }
  const phrases = own.map((line) => line.phrases)
  const all = joinHeadings(own, phrases, reader).columns
  // A line of groups above would join headings.
  const last = joinHeadings(own.slice(-1), phrases.slice(-1), reader).columns
  return all.length === last.length ? all : last
}

const MOST_LINES = 3

/** Columns whose cells may look like amounts, and are none. */
const MEASURE = /\b(?:qty|quantity|units?|items?|pieces|pallets|hours|km|kgs?|weight|wt|cubic|m3|rate)\b|%/i

function findLook(heading: string, cells: readonly string[]): Look {
  const are = (test: (cell: string) => boolean) =>
    cells.length > 0 && cells.filter(test).length * 2 > cells.length
  if (are((cell) => MONEY.test(cell))) return MEASURE.test(heading) ? "other" : "money"
  if (are((cell) => /^\d{1,2}[-/. ](?:\d{1,2}|\p{L}{3,9})[-/. ]\d{2,4}$/u.test(cell))) return "other"
  if (are((cell) => findNumbers(cell).length > 0)) return "number"
  if (!are((cell) => /\p{L}/u.test(cell))) return "other"
  return new Set(cells).size * 2 <= cells.length ? "labels" : "words"
}

/** What such a column is while its rows are only shown. */
function guess(look: Look): Meaning<BillField> {
  const holds = look === "money" ? "total" : look === "number" ? "name" : undefined
  return { field: holds && ({ name: look, holds } as unknown as BillField) }
}
