/** Draws a page as HTML: one file that loads nothing and runs nothing, to be read in a browser, mailed and printed. */
import { Buffer } from "node:buffer"
import { escapeMarkup } from "../../base/safe-text.ts"
import { stateStyle } from "../terminal/style.ts"
import { cut } from "../terminal/width.ts"
import type { Logo } from "./logo.ts"
import {
  type Block,
  cellBelow,
  cellText,
  type Fact,
  type Facts,
  isGiven,
  type Page,
  type PlainBlock,
  type Plot,
  type Signatures,
  type Table,
  type TableCell,
  type TableColumn,
  type TableRow,
} from "./model.ts"

/** Safe markup: only `html` creates it. */
class Html {
  readonly #markup: string
  constructor(markup: string) {
    this.#markup = markup
  }
  toString(): string {
    return this.#markup
  }
}

export type { Html }

type Value = string | number | Html | undefined | readonly Value[]

/**
 * Markup from a template: html`<p>${text}</p>`. Text is escaped, markup and lists of it are put in as they are, and
 * undefined is nothing. Attributes that hold a value need quotes around it.
 */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(strings.reduce((before, next, at) => before + toMarkup(values[at - 1]) + next))
}

function toMarkup(value: Value): string {
  if (value === undefined) return ""
  if (value instanceof Html) return value.toString()
  return Array.isArray(value) ? value.map(toMarkup).join("") : escapeMarkup(String(value), "\n")
}

/** Widths and sizes for A4 as well as for a screen. A table's heading is repeated on each printed page. */
const STYLE = new Html(`
  :root { color-scheme: light; font: 15px/1.45 system-ui, sans-serif; color: #1c1c1c; background: #fff }
  body { max-width: 75rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere }
  h1 { font-size: 1.5rem; margin: 0 0 .5rem } h2 { font-size: 1.15rem; margin: 1.5rem 0 .5rem }
  p { margin: 0 0 .4rem; white-space: pre-line }
  table { border-collapse: collapse; width: 100%; margin: 1rem 0; font-size: .93rem }
  thead { display: table-header-group } tr { break-inside: avoid }
  th, td { padding: .3rem .45rem; border-bottom: 1px solid #ddd; text-align: left; vertical-align: top; overflow-wrap: normal }
  th { border-bottom: 2px solid #888; font-size: .8rem }
  .number { text-align: right; font-variant-numeric: tabular-nums } .number, .whole { white-space: nowrap }
  .long { overflow-wrap: anywhere } .long, .words { min-width: 9rem }
  .green { color: #116329 } .yellow { color: #7d4e00 } .red { color: #b3261e; font-weight: 600 }
  .small { color: #555; font-size: .85rem; white-space: pre-line }
  .beside { display: flex; flex-wrap: wrap; gap: 1rem 2rem; border-top: 2px solid #1c1c1c; padding-top: .75rem; margin-top: 1rem }
  .beside > div { flex: 1 1 13rem } .beside p { margin: 0 }
  .facts, .sums { width: auto } .facts { margin: 0 } .facts td { border: 0; padding: 0 1rem 0 0; overflow-wrap: anywhere }
  .facts td:first-child { color: #555; white-space: nowrap } .sums { margin-left: auto; min-width: 20rem }
  .totals td { font-weight: 700; border-top: 2px solid #888 }
  .strong td { font-size: 1.2rem; font-weight: 700; border-top: 2px solid #1c1c1c }
  .logo { float: right; max-width: 16rem; max-height: 6rem; margin: 0 0 1rem 1rem }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; background: #f5f5f5; padding: .5rem } svg { break-inside: avoid }
  @page { size: A4; margin: 15mm }
  @media print { :root { font-size: 9pt } body { max-width: none; margin: 0; padding: 0 } h2 { break-after: avoid } }
`)
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"

/** A page around the text written between `begin` and `end`, so that a long report need not fit in memory. */
export function createHtmlPage({ title, about = "", notes = [], logo }: Omit<Page, "blocks">): {
  begin: Html
  end: Html
} {
  const heading = `${title} ${about}`.trim()
  return {
    begin: html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>${heading}</title>
<style>${STYLE}</style>
</head>
<body>
${logo && drawLogo(logo)}<h1>${heading}</h1>
${drawParagraphs(notes)}`,
    end: html`</body>
</html>
`,
  }
}

function drawLogo({ kind, bytes }: Logo): Html {
  const data = `data:image/${kind};base64,${Buffer.from(bytes).toString("base64")}`
  return html`<img class="logo" alt="" src="${data}">\n`
}

export function renderHtml(page: Page<Exclude<Block, Signatures>>): string {
  const { begin, end } = createHtmlPage(page)
  return `${begin}${html`${page.blocks.map(drawBlock)}`}${end}`
}

function drawBlock(block: PlainBlock | Plot): Html {
  switch (block.kind) {
    case "facts":
      return drawFacts(block, html`<h2>${block.title ?? ""}</h2>\n`)
    case "beside":
      return html`<div class="beside">${block.columns.map(
        (blocks) =>
          html`<div>${blocks.map((each) => drawFacts(each, html`<p class="small">${each.title ?? ""}</p>\n`))}</div>\n`,
      )}</div>
`
    case "table":
      return drawTable(block)
    case "plot":
      return drawPlot(block)
  }
}

function drawFacts({ title, facts, layout }: Facts, heading: Html): Html {
  const given = facts.filter(isGiven)
  const rows = given.every(({ name }) => !name)
    ? drawParagraphs(given)
    : html`<table class="${layout ?? "facts"}">
${given.map((fact) => drawFact(fact, layout))}</table>
`
  return given.length === 0 ? html`` : html`${title ? heading : undefined}${rows}`
}

function drawFact({ name = "", text, style }: Fact, layout: Facts["layout"]): Html {
  if (text === "") return html`<tr><td colspan="2" class="small">${name}</td></tr>\n`
  const kind = style === "strong" ? html` class="strong"` : undefined
  return html`<tr${kind}><td>${name}</td><td${layout === "sums" ? html` class="number"` : undefined}>${text}</td></tr>\n`
}

function drawParagraphs(facts: readonly Fact[]): Html {
  return html`${facts
    .filter(({ text }) => text !== "")
    .map(({ name, text, style }) => {
      if (style === "strong") return html`<p><strong>${text}</strong></p>\n`
      const label = name ? html`<span class="small">${name}:</span> ` : undefined
      return html`<p${style ? html` class="small"` : undefined}>${label}${keepNumbers(text)}</p>\n`
    })}`
}

function drawTable({ columns, rows, totals, empty = "" }: Table): Html {
  const table = createHtmlTable(columns)
  const total =
    totals && html`<tr class="totals">${columns.map((column, at) => drawCell(column, totals[at]))}</tr>\n`
  const none = rows.length === 0 && empty !== "" ? html`<p>${empty}</p>\n` : undefined
  return html`${table.begin}${rows.map(table.row)}${total}${table.end}${none}`
}

/** A table of the same columns as on a terminal, nothing cut; written row by row. */
export function createHtmlTable(columns: readonly TableColumn[]): {
  begin: Html
  row(row: TableRow): Html
  end: Html
} {
  const headings = columns.map(
    ({ align, title }) =>
      html`<th scope="col"${align === "right" ? html` class="number"` : undefined}>${title}</th>`,
  )
  return {
    begin: html`<table>
<thead><tr>${headings}</tr></thead>
<tbody>
`,
    row: ({ cells }) => html`<tr>${columns.map((column, at) => drawCell(column, cells[at]))}</tr>
`,
    end: html`</tbody>
</table>
`,
  }
}

/** A longer word may be broken anywhere: it would make the table wider than the page. */
const MAX_WORD_LENGTH = 36

function drawCell({ align, gives, isState }: TableColumn, cell: TableCell | undefined): Html {
  const text = cellText(cell)
  const kind = align === "right" ? "number" : gives === "nothing" ? "whole" : gives
  const names = [hasLongWord(text) ? "long" : kind, isState ? String(stateStyle(text) ?? "") : ""]
    .filter(Boolean)
    .join(" ")
  const below = cellBelow(cell)
  return html`<td${names ? html` class="${names}"` : undefined}>${kind === "number" || kind === "whole" ? text : keepNumbers(text)}${below && html`<br><span class="small">${below}</span>`}</td>`
}

/** A browser breaks a line at a hyphen or a slash, also within a number of a bill: `SBA-2026|1124`. */
const BROKEN_NUMBER = new RegExp(`((?<!\\S)(?=\\S*\\d)(?=\\S*[-/?])\\S{1,${MAX_WORD_LENGTH}}(?!\\S))`)

function keepNumbers(text: string): Value {
  return text
    .split(BROKEN_NUMBER)
    .map((part, at) => (at % 2 === 0 ? allowBreaks(part) : html`<span class="whole">${part}</span>`))
}

function hasLongWord(text: string): boolean {
  return text.split(/\s+/).some((word) => word.length > MAX_WORD_LENGTH)
}

/** A long path is broken after a slash. */
function allowBreaks(text: string): Value {
  if (!hasLongWord(text)) return text
  return text.split(/(?<=\/)/).map((part, at) => html`${at > 0 ? html`<wbr>` : undefined}${part}`)
}

const ROW = 24
/** Characters. */
const MAX_LABEL_LENGTH = 34
const LABEL = 260
const MAX_LENGTH = 420
const TEXT = 180

function drawPlot({ title, bars, most }: Plot): Html {
  const largest = most ?? Math.max(...bars.map(({ value }) => value), 0)
  const rows = bars.map(({ label, value, text }, at) => {
    const middle = at * ROW + ROW / 2
    const length = largest > 0 ? Math.round((Math.min(value, largest) / largest) * MAX_LENGTH) : 0
    return html`<text x="${LABEL - 8}" y="${middle}" text-anchor="end" dominant-baseline="middle">${cut(label, MAX_LABEL_LENGTH, "…")}</text>
<rect x="${LABEL}" y="${at * ROW + 4}" width="${length}" height="${ROW - 8}" fill="#35618f"/>
<text x="${LABEL + length + 6}" y="${middle}" dominant-baseline="middle">${text}</text>
`
  })
  return html`<h2>${title}</h2>
<svg role="img" aria-label="${title}" viewBox="0 0 ${LABEL + MAX_LENGTH + TEXT} ${bars.length * ROW}" width="100%" font-size="13" font-family="system-ui, sans-serif">
${rows}</svg>
`
}
