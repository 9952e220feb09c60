/** A page in rows of cells, each of which knows what part of the document it shows, so that findings stand beside it. */
import { paint, type Style } from "../../terminal/style.ts"
import { widthOf, wrap } from "../../terminal/width.ts"
import { type Finding, getFullPointer, type Severity } from "../finding.ts"
import {
  COLOURS,
  formatHint,
  hangText,
  type ReportLayout,
  padText,
  toShownWords,
} from "../reporters/layout.ts"

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
const LABEL = 16

/** The width of the text in each of `columns` columns. */
export function getColumnWidth({ columns }: ReportLayout, count: number): number {
  const between = count > 1 ? 1 : 0
  return Math.max(16, Math.floor((Math.min(columns, 100) - 1) / count) - GUTTER - between)
}

export function createCell(
  text: string,
  width: number,
  shows: string | readonly string[],
  style?: Cell["style"],
): Cell {
  return { shows: [shows].flat(), lines: wrap(text, width), ...(style && { style }) }
}

/** `Due date        20 Dec 2026`; a long label has a line of its own. */
export function createLabelledCell(label: string, text: string, width: number, shows: string): Cell {
  const fits = widthOf(label) < LABEL
  const lines = hangText(padText(fits ? label : "", LABEL), text, width)
  return { shows: [shows], lines: fits ? lines : [...wrap(label, width), ...lines] }
}

/** The rows as text, a finding below the row that shows its place, and what has no place at the end. */
export function renderPage(rows: readonly Row[], findings: readonly Finding[], layout: ReportLayout): string {
  const marks = { error: layout.unicode ? "✗" : "x", warning: "!" }
  const owners = findOwners(rows.flat(2), findings)
  const lines: string[] = []
  const addLines = (more: readonly string[]): void => {
    for (const line of more) lines.push(line)
  }

  const explain = ({ severity, message, hint }: Finding): string[] => [
    ...hangText(`    ${marks[severity]} `, toShownWords(message, layout), layout.columns).map((line) =>
      paint(layout, COLOURS[severity], line),
    ),
    ...formatHint("      ", hint, layout),
  ]
  const stack = (cells: readonly Cell[], width: number): string[] =>
    cells.flatMap((each) => {
      const severity = getWorst(owners.get(each) ?? [])
      return each.lines.map((line, index) => {
        const mark = severity && index === 0 ? paint(layout, COLOURS[severity], marks[severity]) : " "
        const text = each.style && line !== "" ? paint(layout, each.style, line) : line
        return `${mark} ${text}${" ".repeat(Math.max(0, width - widthOf(line)))}`
      })
    })

  for (const row of rows) {
    const width = getColumnWidth(layout, row.length)
    const columns = row.map((cells) => stack(cells, width))
    const height = Math.max(...columns.map((column) => column.length))
    for (let at = 0; at < height; at++)
      lines.push(columns.map((column) => column[at] ?? padText("", width + GUTTER)).join(" "))
    for (const finding of row.flat().flatMap((each) => owners.get(each) ?? [])) addLines(explain(finding))
  }
  const homeless = owners.get(undefined) ?? []
  if (homeless.length > 0) addLines(["", paint(layout, "bold", "  Elsewhere in the document")])
  for (const finding of homeless) addLines(explain(finding))
  return lines.map((line) => `${line.trimEnd()}\n`).join("")
}

/** The findings of each cell; those that no cell shows are under `undefined`. */
function findOwners(cells: readonly Cell[], findings: readonly Finding[]): Map<Cell | undefined, Finding[]> {
  const showing = new Map(cells.flatMap((each) => each.shows.map((pointer) => [pointer, each] as const)))
  const owners = new Map<Cell | undefined, Finding[]>()
  for (const finding of findings) {
    let place = getFullPointer(finding)
    while (place !== "" && !showing.has(place)) place = place.slice(0, place.lastIndexOf("/"))
    const owner = showing.get(place)
    const known = owners.get(owner) ?? []
    known.push(finding)
    owners.set(owner, known)
  }
  return owners
}

function getWorst(findings: readonly Finding[]): Severity | undefined {
  return findings.find(({ severity }) => severity === "error")?.severity ?? findings[0]?.severity
}
