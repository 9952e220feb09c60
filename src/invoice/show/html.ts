/** An invoice as an HTML page, to be sent and printed. */
import { createHtmlPage, type Html, html } from "../../terminal/html.ts"
import { columnsOf, type Labelled, type Paper } from "./paper.ts"

const STYLE = html`<style>
  .head, .parties { display: flex; gap: 2rem; justify-content: space-between } .head p, .parties p { margin: 0 }
  .parties { justify-content: flex-start; border-top: 2px solid #1c1c1c; padding-top: .75rem; margin-top: 1rem }
  .parties > div { min-width: 14rem } .facts { width: auto; margin: 0 } .facts td { border: 0; padding: 0 0 0 1rem }
  .label, .details { color: #555; font-size: .85rem } .totals { width: auto; margin-left: auto }
  .due td { font-size: 1.2rem; font-weight: 700; border-top: 2px solid #1c1c1c } .comments { white-space: pre-wrap }
</style>
`

export function renderInvoiceHtml(paper: Paper): string {
  const { title, number, facts, supplier, parties, lines, totals, taxes, due, payment, comments } = paper
  const columns = columnsOf(paper)
  const page = createHtmlPage(`${title} ${number}`.trim())
  const paragraphs = (texts: readonly string[]) => texts.map((text) => html`<p>${text}</p>\n`)
  return `${page.begin}${STYLE}${html`<div class="head"><div>
<p><strong>${supplier.name}</strong></p>
${paragraphs(supplier.lines)}</div>
${toTable("facts", facts)}</div>
<div class="parties">${parties.map(
    (party) => html`<div><p class="label">${party.title}</p>\n${paragraphs(party.lines)}</div>\n`,
  )}</div>
<table>
<thead><tr>${columns.map(({ title, align }) => html`<th scope="col"${toClass(align)}>${title}</th>`)}</tr></thead>
<tbody>
${lines.map(
  (line) =>
    html`<tr>${columns.map(({ title, align, read }) => html`<td${toClass(align)}>${read(line)}${title === "Description" && line.details !== "" ? html`<br><span class="details">${line.details}</span>` : ""}</td>`)}</tr>\n`,
)}</tbody>
</table>
<table class="totals">
${totals.map(([label, amount]) => html`<tr><td>${label}</td><td class="number">${amount}</td></tr>\n`)}<tr class="due"><td>${due[0]}</td><td class="number">${due[1]}</td></tr>
</table>
${taxes.map((tax) => html`<p class="details">${tax}</p>\n`)}${payment.length === 0 ? "" : html`<h2>How to pay</h2>\n${toTable("facts", payment)}`}${comments === "" ? "" : html`<h2>Comments</h2>\n<p class="comments">${comments}</p>\n`}`}${page.end}`
}

function toClass(align: "left" | "right"): Html | undefined {
  return align === "right" ? html` class="number"` : undefined
}

function toTable(name: string, rows: readonly Labelled[]): Html {
  return html`<table class="${name}">
${rows.map(([label, text]) => html`<tr><td class="label">${label}</td><td>${text}</td></tr>\n`)}</table>
`
}
