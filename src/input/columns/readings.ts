/** Ambiguous cells, such as `1.800` and `06/12/2026`: the notation of the column's other cells decides, or a person. */
import { counted } from "../../base/counted.ts"
import { quoted } from "../../base/parsed.ts"
import type { CsvRecord, UnreadableCell } from "../sheets/csv.ts"
import type { Writing } from "./mapping.ts"
import { type ColumnQuestion, listValues } from "./questions.ts"

/** Values that can be written in two ways. */
export interface Ways<Way extends Writing> {
  readonly rule: string
  /** The usual one first. */
  readonly ways: readonly [Way, Way]
  /** A cell's notation, by each way: `a decimal comma`. */
  readonly has: Readonly<Record<Way, string>>
  /** The doubt, as a sentence without its subject. */
  readonly why: string
  /** The only possible reading of a cell; undefined if there are two, or none. */
  findOnly(text: string): Way | undefined
  /** A cell with two readings, in a form with one, and for people; undefined for any other. */
  read(text: string, way: Way): { text: string; shown: string } | undefined
  /** How an ambiguous cell is read if nothing is in doubt; undefined if its reader accepts no reading. */
  readonly asItStands?: Way
  /** Whether a cell with two readings is in doubt in a column that decides nothing. @param seen in other cells of the table */
  isDoubtful(text: string, column: WrittenColumn, seen: ReadonlySet<Way>): boolean
  explain(text: string): Pick<UnreadableCell, "message" | "hint">
}

export interface WrittenColumn {
  /** As `--map` names it. */
  readonly name: string
  /** The first ones. */
  readonly cells: readonly string[]
  /** The notations of `--map`. */
  readonly writings: readonly Writing[]
  /** Its reader refuses each cell with two readings. */
  readonly isStrict: boolean
}

export type WrittenRecord = Pick<CsvRecord, "row" | "cells" | "unreadable" | "exact">

/** Number of cells that decide for the rest of their column, without a contradicting cell: a single one may be mistyped. */
const FEWEST = 2
/** Cells that are shown of a column. */
const MAX_SHOWN = 3

/**
 * Judges columns by their first cells, and again by each that comes. What a column decides holds for it alone.
 * @param columns by their positions
 */
export function judgeReadings<Way extends Writing>(
  columns: ReadonlyMap<number, WrittenColumn>,
  { rule, ways, has, why, findOnly, read, asItStands, isDoubtful, explain }: Ways<Way>,
) {
  const decided = new Map<number, { way: Way; isGiven: boolean }>()
  /** Cells that were read in one of two ways. */
  const taken = new Map<number, { row: number; text: string; way: Way }>()
  const doubted = new Map<number, string[]>()
  const contradicted = new Set<number>()
  const seen = new Set<Way>()
  const notes: string[] = []
  const isOpen = (text: string) => findOnly(text) === undefined && read(text, ways[0]) !== undefined
  const doubt = (index: number, text: string) => {
    const texts = doubted.get(index) ?? []
    if (texts.length < MAX_SHOWN) doubted.set(index, [...new Set([...texts, text.trim()])])
  }
  const countOnly = ({ cells }: WrittenColumn, way: Way) =>
    cells.filter((text) => findOnly(text) === way).length

  for (const column of columns.values()) for (const way of ways) if (countOnly(column, way) > 0) seen.add(way)
  for (const [index, column] of columns) {
    const given = column.writings.flatMap((each) => ways.find((way) => way === each) ?? [])[0]
    const way = given ?? ways.find((each) => isDecidedBy(column, each))
    if (way !== undefined) decided.set(index, { way, isGiven: given !== undefined })
    const open = column.cells.filter(isOpen)
    if (way === undefined) {
      for (const text of open) if (isDoubtful(text, column, seen)) doubt(index, text)
      continue
    }
    const example = open.find((text) => read(text, way)?.text !== text)
    if (given !== undefined || example === undefined) continue
    notes.push(
      `${column.name}: ${counted(countOnly(column, way), "cell")} can only have ${has[way]}, so ${quoted(example.trim())} is read as ${read(example, way)?.shown}`,
    )
  }

  function isDecidedBy(column: WrittenColumn, way: Way): boolean {
    const others = ways.filter((each) => each !== way)
    return countOnly(column, way) >= FEWEST && others.every((other) => countOnly(column, other) === 0)
  }

  /** The evidence from the column, or from one that decides nothing, that this cell contradicts. */
  function findAgainst(index: number, only: Way) {
    const own = decided.get(index)
    if (own?.isGiven || own?.way === only) return undefined
    const before = taken.get(index)
    if (before && before.way !== only) return { at: index, ...before }
    if (own || asItStands === undefined || asItStands === only) return undefined
    const [other] = [...taken].filter(([at]) => !decided.has(at))
    return other && { at: other[0], ...other[1] }
  }

  return {
    notes,
    /** Questions that only a person can answer, by all records so far. */
    listQuestions: (): ColumnQuestion[] =>
      Array.from(doubted, ([index, texts]) => {
        const column = columns.get(index)
        const count = (way: Way) => (column ? countOnly(column, way) : 0)
        const [usual, other] = ways
        const isOther = count(other) > count(usual)
        const choices = isOther ? [other, usual] : [usual, other]
        const [text = ""] = texts
        const meanings = choices.map((way) => [way, `${quoted(text)} is ${read(text, way)?.shown}`] as const)
        return {
          ...{ column: column?.name ?? "", values: listValues(texts), why, choices },
          meanings: Object.fromEntries(meanings),
        }
      }),
    /** A record with its cells in one form; unreadable ones are reported. */
    settle<Each extends WrittenRecord>(record: Each): Each {
      if (columns.size === 0) return record
      const unreadable = [...(record.unreadable ?? [])]
      const cells = [...record.cells]
      for (const [index, column] of columns) {
        if (record.exact?.includes(index)) continue
        const text = cells[index] ?? ""
        const only = findOnly(text)
        if (only !== undefined) {
          seen.add(only)
          const own = decided.get(index)
          if (own && !own.isGiven && own.way !== only) contradicted.add(index)
          const against = findAgainst(index, only)
          if (!against) continue
          doubt(against.at, against.text)
          const message = `${quoted(text.trim())} has ${has[only]}, and ${quoted(against.text)} of row ${against.row} was read with ${has[against.way]}`
          unreadable.push({ index, rule, message, hint: "write all cells in one way" })
        } else if (isOpen(text)) {
          const own = decided.get(index)
          const way = contradicted.has(index) ? undefined : own?.way
          if (way === undefined && (own || isDoubtful(text, column, seen))) {
            doubt(index, text)
            unreadable.push({ index, rule, ...explain(text) })
            continue
          }
          const stands = way ?? asItStands
          if (stands === undefined) continue
          if (way !== undefined) cells[index] = read(text, way)?.text ?? text
          if (!taken.has(index)) taken.set(index, { row: record.row, text: text.trim(), way: stands })
        }
      }
      return { ...record, cells, ...(unreadable.length > 0 && { unreadable }) }
    },
  }
}
