/** A page in rows of cells, each of which knows what part of the document it shows, so that findings stand beside it. */
import { safeText } from "../contract/safe-text.ts"
import { pointerOf } from "../json/pointer.ts"
import { widthOf, wrap } from "../terminal/width.ts"
import type { Finding, Severity } from "./finding.ts"
import { hanging, type Look, type Paint, padded, painter, shownWords } from "./reporters/layout.ts"

type Style = Parameters<Paint>[0]

export interface Cell {
  /** JSON pointers of the values that it shows, with all that is in them. */
  shows: readonly string[]
  lines: readonly string[]
  style?: Style
}

/** Cells side by side; each column is a stack of them. */
export type Row = readonly (readonly Cell[])[]

export const BLANK: Row = [[{ shows: [], lines: [""] }]]

/** Beside each cell is room for a mark. */
const GUTTER = 2
const COLOURS = { error: "red", warning: "yellow" } as const satisfies Record<Severity, string>

/** The width of the text in each of `columns` columns. */
export function columnWidth({ columns }: Look, count: number): number {
  const between = count > 1 ? 1 : 0
  return Math.max(16, Math.floor((Math.min(columns, 100) - 1) / count) - GUTTER - between)
}

export function cell(text: string, width: number, shows: string | readonly string[], style?: Style): Cell {
  return { shows: [shows].flat(), lines: wrap(text, width), ...(style && { style }) }
}

const LABEL = 16

/** `Due date        20 Dec 2026`; a long label has a line of its own. */
export function labelled(
  label: string,
  text: string,
  width: number,
  shows: string | readonly string[],
): Cell {
  const fits = widthOf(label) < LABEL
  const lines = hanging(padded(fits ? label : "", LABEL), text, width)
  return { shows: [shows].flat(), lines: fits ? lines : [...wrap(label, width), ...lines] }
}

/** The rows as text, a finding below the row that shows its place, and what has no place at the end. */
export function renderPage(rows: readonly Row[], findings: readonly Finding[], look: Look): string {
  const paint = painter(look)
  const marks = look.unicode ? { error: "✗", warning: "!" } : { error: "x", warning: "!" }
  const arrow = look.unicode ? "→" : "->"
  const owners = ownersOf(rows.flat(2), findings)
  const lines: string[] = []
  const words = (text: string) => shownWords(safeText(text, 2000), look)

  const message = ({ severity, message, hint }: Finding): string[] => [
    ...hanging(`    ${marks[severity]} `, words(message), look.columns).map((line) =>
      paint(COLOURS[severity], line),
    ),
    ...(hint ? hanging(`      ${arrow} `, words(hint), look.columns) : []),
  ]
  const stacked = (cells: readonly Cell[], width: number): string[] =>
    cells.flatMap((each) => {
      const severity = worst(owners.get(each) ?? [])
      return each.lines.map((line, index) => {
        const mark = severity && index === 0 ? paint(COLOURS[severity], marks[severity]) : " "
        const text = each.style && line !== "" ? paint(each.style, line) : line
        return `${mark} ${text}${" ".repeat(Math.max(0, width - widthOf(line)))}`
      })
    })

  for (const row of rows) {
    const width = columnWidth(look, row.length)
    const columns = row.map((cells) => stacked(cells, width))
    const height = Math.max(...columns.map((column) => column.length))
    for (let at = 0; at < height; at++)
      lines.push(
        columns
          .map((column) => column[at] ?? padded("", width + GUTTER))
          .join(" ")
          .trimEnd(),
      )
    lines.push(...row.flat().flatMap((each) => (owners.get(each) ?? []).flatMap(message)))
  }
  const homeless = owners.get(undefined) ?? []
  if (homeless.length > 0)
    lines.push("", paint("bold", "  Elsewhere in the document"), ...homeless.flatMap(message))
  return lines.map((line) => `${line.trimEnd()}\n`).join("")
}

/** The findings of each cell; those that no cell shows are under `undefined`. */
function ownersOf(cells: readonly Cell[], findings: readonly Finding[]): Map<Cell | undefined, Finding[]> {
  const showing = new Map(cells.flatMap((each) => each.shows.map((pointer) => [pointer, each] as const)))
  const owners = new Map<Cell | undefined, Finding[]>()
  for (const finding of findings) {
    const { pointer, property } = finding
    let place = pointer + (property === undefined ? "" : pointerOf([property]))
    while (place !== "" && !showing.has(place)) place = place.slice(0, place.lastIndexOf("/"))
    const owner = showing.get(place)
    owners.set(owner, [...(owners.get(owner) ?? []), finding])
  }
  return owners
}

function worst(findings: readonly Finding[]): Severity | undefined {
  return findings.find(({ severity }) => severity === "error")?.severity ?? findings[0]?.severity
}
