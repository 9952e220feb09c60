/** Draws a page as text, each remark below its value. */
import { safeText } from "../../base/safe-text.ts"
import { paint, type Style } from "../terminal/style.ts"
import { givesWay } from "../terminal/table.ts"
import { cut, widthOf, wrap } from "../terminal/width.ts"
import {
  type Beside,
  cellBelow,
  cellText,
  type Fact,
  type Facts,
  type Page,
  type PlainBlock,
  type Table,
} from "./model.ts"
import {
  formatHint,
  hangText,
  padText,
  type ReportLayout,
  SEVERITY_COLOURS,
  type Severity,
  toShownWords,
} from "./layout.ts"

interface Remark {
  /** JSON pointer of the value. */
  pointer: string
  severity: Severity
  text: string
  hint?: string | undefined
}

/** Lines that show some values. */
interface Piece {
  lines: readonly string[]
  shows?: readonly string[] | undefined
  style?: Style | undefined
}

/** Pieces next to each other; each column is a stack of them. */
type LaidRow = readonly (readonly Piece[])[]

const BLANK: LaidRow = [[{ lines: [""] }]]
const GUTTER = 2
const MIN_NAME_WIDTH = 16
const STYLES = { strong: "bold", small: "dim" } as const
const MAX_RULE_LENGTH = 100

/** The area that a page is drawn on; `gutter` is the room for marks before each piece. */
interface Canvas extends ReportLayout {
  gutter: number
}

/**
 * The page, at most as wide as the layout says.
 * @param remarks findings on its values, if it is checked; those that no part shows come at the end
 */
export function renderTerminal(
  written: Page<PlainBlock>,
  layout: ReportLayout,
  remarks?: readonly Remark[],
): string {
  const page = sanitizeTexts(written)
  const canvas = { ...layout, gutter: remarks ? GUTTER : 0 }
  const width = getColumnWidth(canvas, 1)
  const line = (layout.unicode ? "─" : "-").repeat(Math.min(width, MAX_RULE_LENGTH))
  const rule: LaidRow = [[{ lines: [line], style: "dim" }]]
  const head: Piece = {
    lines: wrap([page.title, page.about].filter(Boolean).join("  "), width),
    shows: page.shows,
    style: "bold",
  }
  const blocks = [...page.blocks, ...(page.aside?.facts ?? [])].map((block) => {
    if (block.kind === "table") return layTable(block, canvas, rule)
    if (block.kind === "beside") return layBeside(block, canvas)
    return layFacts(block, width).map((piece): LaidRow => [[piece]])
  })
  const rows: LaidRow[] = [
    [[head, ...layFacts({ facts: page.notes ?? [] }, width)]],
    rule,
    ...blocks.flatMap((block, index) => (index === 0 ? block : [BLANK, ...block])),
  ]
  return renderRows(rows, remarks ?? [], canvas)
}

/** The same with each text safe for a terminal: it may be a server's or a file's. Pointers stay as they are. */
function sanitizeTexts<Value>(value: Value): Value {
  if (typeof value === "string") return safeText(value, Number.POSITIVE_INFINITY, { lines: true }) as Value
  if (Array.isArray(value)) return value.map(sanitizeTexts) as Value
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value
  const entries = Object.entries(value).map(([key, each]) => [
    key,
    key === "shows" ? each : sanitizeTexts(each),
  ])
  return Object.fromEntries(entries) as Value
}

/** The width of the text in each of `count` columns. */
function getColumnWidth({ columns, gutter }: Canvas, count: number): number {
  const between = count > 1 ? 1 : 0
  return Math.max(16, Math.floor((columns - 1) / count) - gutter - between)
}

function layFacts({ title, facts, layout, shows }: Omit<Facts, "kind">, width: number): Piece[] {
  const nameWidth = facts
    .flatMap(({ name, text }) => (name && text !== "" ? [widthOf(name) + 2] : []))
    .reduce((widest, each) => (each <= width / 2 ? Math.max(widest, each) : widest), MIN_NAME_WIDTH)
  const heading: Piece = { lines: title ? wrap(title.toUpperCase(), width) : [], shows, style: "bold" }
  return [
    heading,
    ...facts.map((fact): Piece => {
      const lines = layout === "sums" ? laySum(fact, width) : layFact(fact, nameWidth, width)
      return { lines, shows: fact.shows, style: fact.style && STYLES[fact.style] }
    }),
  ]
}

/** `Due date        20 Dec 2026`; a long name has a line of its own. */
function layFact({ name, text }: Fact, nameWidth: number, width: number): string[] {
  if (text === "") return []
  const texts = text.split("\n")
  if (!name) return texts.flatMap((each) => wrap(each, width))
  const fits = widthOf(name) < nameWidth
  const lead = padText(fits ? name : "", nameWidth)
  // A link is copied whole.
  const lines = texts.flatMap((each, at) =>
    /^https?:\/\/\S+$/.test(each)
      ? [lead + each]
      : hangText(at === 0 ? lead : " ".repeat(nameWidth), each, width),
  )
  return fits ? lines : [...wrap(name, width), ...lines]
}

const AMOUNT_WIDTH = 18

function laySum({ name = "", text }: Fact, width: number): string[] {
  return [padText(name + padText(text, AMOUNT_WIDTH, "right"), width, "right")]
}

/** Two columns next to each other; more of them below. */
function layBeside({ columns }: Beside, canvas: Canvas): LaidRow[] {
  const width = getColumnWidth(canvas, 2)
  const pieces = columns.map((blocks) => blocks.flatMap((block) => layFacts(block, width)))
  const rows: LaidRow[] = []
  for (let at = 0; at < pieces.length; at += 2) {
    if (at > 0) rows.push(BLANK)
    rows.push([pieces[at] ?? [], pieces[at + 1] ?? []])
  }
  return rows
}

const GAP = 2
/** Numbers that are longer than this are cut. */
const MAX_LENGTH = 40
/** Numbers up to this length are cut only if the words would have no room. */
const KEPT_LENGTH = 16
const SHORTEST = 6
/** Room for the words beside long numbers, and beside short ones. */
const WIDE = 24
const NARROWEST = 12
const MAX_WORDS_LENGTH = 400

function layTable(table: Table, canvas: Canvas, rule: LaidRow): LaidRow[] {
  const width = getColumnWidth(canvas, 1)
  const { cells, widths } = fitTable(table, width, canvas.unicode ? "…" : ".")
  const totals: LaidRow[] = table.totals
    ? [[[{ lines: layRow(table, cells[table.rows.length] ?? [], widths), style: "bold" }]]]
    : []
  const titles = table.columns.map(({ title }) => title)
  const head: Piece = { shows: table.shows, lines: layRow(table, titles, widths), style: "bold" }
  const rows = table.rows.map((row, index): LaidRow => {
    const at = row.cells.findIndex((cell) => cellBelow(cell) !== "")
    const indent = widths.slice(0, Math.max(at, 0)).reduce((sum, each) => sum + each + GAP, 0)
    const below = cellBelow(row.cells[at])
      .split("\n")
      .flatMap((each) => wrap(each, width - indent))
    const detail: Piece = {
      lines: at < 0 ? [] : below.map((each) => " ".repeat(indent) + each),
      style: "dim",
    }
    return [[{ shows: row.shows, lines: layRow(table, cells[index] ?? [], widths) }, detail]]
  })
  const none: LaidRow[] = table.rows.length > 0 ? [] : [[[{ lines: [table.empty ?? ""] }]]]
  return [[[head]], rule, ...rows, ...none, rule, ...totals]
}

/** The cells, those of the totals last, cut so that the numbers leave room for the words; the width of each column. */
function fitTable({ columns, rows, totals }: Table, width: number, ellipsis: string) {
  const texts = [...rows.map(({ cells }) => cells.map(cellText)), ...(totals ? [totals] : [])]
  const hasWords = columns.some(({ gives }) => gives === "words")
  for (let longest = MAX_LENGTH; ; longest--) {
    const cells = texts.map((row) =>
      columns.map((column, at) => {
        const most = givesWay(column) ? longest : Math.max(longest, KEPT_LENGTH)
        return cut(row[at] ?? "", column.gives === "words" ? MAX_WORDS_LENGTH : most, ellipsis)
      }),
    )
    const widths = columns.map(({ title, gives }, at) =>
      gives === "words"
        ? 0
        : cells.reduce((widest, row) => Math.max(widest, widthOf(row[at] ?? "")), widthOf(title)),
    )
    const room = width - widths.reduce((sum, each) => sum + each + GAP, -GAP)
    const least = !hasWords ? 0 : longest > KEPT_LENGTH ? WIDE : NARROWEST
    if (room < least && longest > SHORTEST) continue
    return { cells, widths: widths.map((each) => each || Math.max(NARROWEST, room)) }
  }
}

/** A row of the table: its cells next to each other, words over as many lines as they take. */
function layRow({ columns }: Table, cells: readonly string[], widths: readonly number[]): string[] {
  const lines = columns.map((_, at) => wrap(cells[at] ?? "", widths[at] ?? NARROWEST))
  return Array.from({ length: Math.max(...lines.map(({ length }) => length)) }, (_, line) =>
    columns
      .map(({ align }, at) => padText(lines[at]?.[line] ?? "", widths[at] ?? 0, align))
      .join(" ".repeat(GAP))
      .trimEnd(),
  )
}

/** The rows as text, each remark below its row, and remarks without a row at the end. */
function renderRows(rows: readonly LaidRow[], remarks: readonly Remark[], canvas: Canvas): string {
  const marks = { error: canvas.unicode ? "✗" : "x", warning: "!" }
  const owners = findOwners(rows.flat(2), remarks)
  const explain = ({ severity, text, hint }: Remark): string[] => [
    ...hangText(`    ${marks[severity]} `, toShownWords(text, canvas), canvas.columns).map((line) =>
      paint(canvas, SEVERITY_COLOURS[severity], line),
    ),
    ...formatHint("      ", hint, canvas),
  ]
  const stack = (pieces: readonly Piece[]): string[] =>
    pieces.flatMap((piece) => {
      const severity = findWorst(owners.get(piece) ?? [])
      const mark = severity && paint(canvas, SEVERITY_COLOURS[severity], marks[severity])
      return piece.lines.map((line, index) => {
        const lead = index === 0 && mark ? `${mark} ` : " ".repeat(canvas.gutter)
        return lead + (piece.style && line !== "" ? paint(canvas, piece.style, line) : line)
      })
    })
  const lines: string[] = []
  for (const row of rows) {
    const [first = [], second = []] = row.map(stack)
    const width = row.length > 1 ? getColumnWidth(canvas, row.length) + canvas.gutter + 1 : 0
    for (let at = 0; at < Math.max(first.length, second.length); at++)
      lines.push(padText(first[at] ?? "", width) + (second[at] ?? ""))
    for (const piece of row.flat())
      for (const remark of owners.get(piece) ?? []) lines.push(...explain(remark))
  }
  const others = owners.get(undefined) ?? []
  if (others.length > 0) lines.push("", paint(canvas, "bold", "  Elsewhere in the document"))
  for (const remark of others) lines.push(...explain(remark))
  return lines.map((line) => `${line.trimEnd()}\n`).join("")
}

/** The remarks of each piece; those that no piece shows are under `undefined`. */
function findOwners(pieces: readonly Piece[], remarks: readonly Remark[]): Map<Piece | undefined, Remark[]> {
  const showing = new Map(pieces.flatMap((piece) => (piece.shows ?? []).map((pointer) => [pointer, piece])))
  const owners = new Map<Piece | undefined, Remark[]>()
  for (const remark of remarks) {
    let { pointer } = remark
    while (pointer !== "" && !showing.has(pointer)) pointer = pointer.slice(0, pointer.lastIndexOf("/"))
    const owner = showing.get(pointer)
    const known = owners.get(owner) ?? []
    known.push(remark)
    owners.set(owner, known)
  }
  return owners
}

function findWorst(remarks: readonly Remark[]): Severity | undefined {
  return remarks.find(({ severity }) => severity === "error")?.severity ?? remarks[0]?.severity
}
