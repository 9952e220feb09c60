/** Reports as HTML: one file that loads nothing and runs nothing, to be read in a browser, mailed and printed. */
import { escapeMarkup } from "../contract/safe-text.ts"
import type { Column } from "./columns.ts"
import { stateStyle } from "./style.ts"
import { NONE, shown, titleOf } from "./table.ts"

/** Markup that is safe as it stands: only `html` makes it. */
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
  body { max-width: 75rem; margin: 2rem auto; padding: 0 1rem }
  h1 { font-size: 1.5rem; margin: 0 0 .5rem } h2 { font-size: 1.15rem; margin: 1.5rem 0 .5rem }
  table { border-collapse: collapse; width: 100%; margin: 1rem 0 }
  thead { display: table-header-group } tr { break-inside: avoid }
  th, td { padding: .3rem .6rem; border-bottom: 1px solid #ddd; text-align: left; vertical-align: top; overflow-wrap: anywhere }
  th { border-bottom: 2px solid #888; font-size: .8rem; overflow-wrap: normal }
  .number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
  .green { color: #116329 } .yellow { color: #7d4e00 } .red { color: #b3261e; font-weight: 600 }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; background: #f5f5f5; padding: .5rem }
  @page { margin: 15mm }
  @media print { :root { font-size: 9pt } body { max-width: none; margin: 0; padding: 0 } h2 { break-after: avoid } }
`)
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"

/** A page around what is written between `begin` and `end`, so that a long report need not be held. */
export function createHtmlPage(title: string): { begin: Html; end: Html } {
  return {
    begin: html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${title}</h1>
`,
    end: html`</body>
</html>
`,
  }
}

/** A table of the same columns as on a terminal, all of them and nothing cut; written row by row. */
export function createHtmlTable<Row>(columns: readonly Column<Row>[]): {
  begin: Html
  row(row: Row): Html
  end: Html
} {
  const cell = (column: Column<Row>, row: Row): Html => {
    const text = shown(column, row)
    return html`<td${buildClass(column, text)}>${text === NONE ? "" : text}</td>`
  }
  const headings = columns.map((column) => html`<th scope="col"${buildClass(column)}>${titleOf(column)}</th>`)
  return {
    begin: html`<table>
<thead><tr>${headings}</tr></thead>
<tbody>
`,
    row: (row) => html`<tr>${columns.map((column) => cell(column, row))}</tr>
`,
    end: html`</tbody>
</table>
`,
  }
}

function buildClass<Row>({ align, isState }: Column<Row>, text = ""): Html | undefined {
  const name = align === "right" ? "number" : isState && stateStyle(text)
  return name ? html` class="${String(name)}"` : undefined
}
