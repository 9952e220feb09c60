/**
 * Findings as an HTML page. The counts are known last and shown first: the page puts the summary before the
 * documents, so that these can be written as they come.
 */
import { counted } from "../../base/counted.ts"
import {
  createHtmlPage,
  createHtmlTable,
  html,
  SEVERITY_COLOURS,
  type TableColumn,
} from "../../output/index.ts"
import {
  type DocumentResult,
  formatFileName,
  type ReportedFinding,
  type Reporter,
  type Summary,
} from "../finding.ts"
import { getRuleWords } from "../rules.ts"
import { countByRule, countFindings, describeFixable } from "./layout.ts"

const STYLE = html`<style>
  body { display: flex; flex-direction: column } h1 { order: -2 } #summary { order: -1 }
  #documents > h2 { border-top: 1px solid #ddd; padding-top: .75rem } .valid { margin: .15rem 0 }
  .finding { break-inside: avoid; margin: .75rem 0 0 1rem } .finding p { margin: 0 } .finding pre { margin: .3rem 0 }
  .place { color: #555; font-size: .85rem } .hint { padding-left: 1rem } .hint::before { content: "→ "; margin-left: -1rem }
</style>
`
/** A page of all documents; those with findings have their places, lines and hints. */
export function createHtmlReporter(): Reporter {
  const page = createHtmlPage({ title: "Check of invoices" })
  return {
    begin: () => `${page.begin}${STYLE}${html`<main id="documents">\n`}`,
    *document(result) {
      if (result.findings.length === 0) {
        yield `${html`<p class="valid">${nameDocument(result)}: <span class="green">valid</span></p>\n`}`
        return
      }
      yield `${formatHeading(result)}`
      for (const finding of result.findings) yield `${formatFinding(finding)}`
    },
    end: (summary) => `${html`</main>\n`}${formatSummary(summary)}${page.end}`,
  }
}

function nameDocument({ file, index }: DocumentResult): string {
  return `${formatFileName(file)}${index === undefined ? "" : `, index ${index}`}`
}

function formatHeading(result: DocumentResult) {
  const { invoiceNumber, supplier } = result.overview ?? {}
  const about = [invoiceNumber, supplier].filter(Boolean).join(", ")
  const verdict = result.valid
    ? html`<span class="yellow">valid, with warnings</span>`
    : html`<span class="red">not valid</span>`
  return html`<h2>${nameDocument(result)}${about && ` (${about})`}: ${verdict}</h2>
`
}

function formatFinding({ line, column, severity, rule, message, excerpt, hint, fix }: ReportedFinding) {
  return html`<div class="finding">
<p class="place">line ${line}, column ${column}: <span class="${SEVERITY_COLOURS[severity]}">${severity}</span> ${rule}</p>
<p>${message}</p>
${excerpt?.trim() ? html`<pre>${excerpt}</pre>\n` : undefined}${hint ? html`<p class="hint">${hint}${fix?.safety === "safe" ? " (--fix does this)" : ""}</p>\n` : undefined}</div>
`
}

const RULE_COLUMNS: readonly TableColumn[] = [
  { title: "FINDINGS", align: "right" },
  { title: "WHAT IS ASKED", gives: "words" },
  { title: "WHERE", gives: "words" },
  { title: "RULE", gives: "nothing" },
]

function formatSummary(summary: Summary) {
  const { documents, valid, invalid, unreadable, drafts } = summary
  const table = createHtmlTable(RULE_COLUMNS)
  const rows = countByRule(summary).map(({ rule, count, where }) =>
    table.row({ cells: [count, getRuleWords(rule).title, where, rule] }),
  )
  const found = countFindings(summary)
  const fixable = describeFixable(summary).map((line) => html`<p>${line}</p>\n`)
  return html`<section id="summary">
<p>${counted(documents, "document")}: <span class="green">${valid} valid</span>, <span${invalid > 0 ? html` class="red"` : undefined}>${invalid} not valid</span>${found && `; ${found}`}${drafts > 0 ? `; ${drafts} checked as drafts` : ""}</p>
${unreadable.map(({ file, reason }) => html`<p class="red">cannot read ${formatFileName(file)}: ${reason}</p>\n`)}${rows.length > 0 ? html`${table.begin}${rows}${table.end}` : undefined}${fixable}</section>
`
}
