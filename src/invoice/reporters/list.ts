/** Invoices one a line, and those to fix first. */
import path from "node:path"
import { stringify } from "csv-stringify/sync"
import { counted } from "../../base/counted.ts"
import { safeText } from "../../base/safe-text.ts"
import {
  cell,
  type Column,
  columnValue,
  createHtmlPage,
  createHtmlTable,
  createTable,
  type DrawRows,
  type Format,
  hangText,
  html,
  jsonText,
  MAX_ROWS_DRAWN,
  type ReportLayout,
  tableColumns,
  toHeading,
  toTableRow,
} from "../../output/index.ts"
import { formatMoney, toAmount } from "../accounting/amounts.ts"
import type { DocumentResult, Reporter, Summary } from "../finding.ts"
import { asksNothing } from "../kind.ts"
import type { Overview } from "../overview.ts"
import { createSheetReporter } from "./sheet.ts"

export interface InvoiceRow extends Overview {
  file: string
  index: number | null
  verdict: "valid" | "warnings" | "not valid" | "not JSON"
  errors: number
  warnings: number
}

const NOTHING: Overview = {
  invoiceNumber: null,
  invoiceDate: null,
  supplier: null,
  poNumber: null,
  type: null,
  gst: null,
  amount: null,
  dueAmount: null,
  currency: null,
}

const showMoney = (value: number | null) => formatMoney((value === null ? undefined : toAmount(value)) ?? 0)
const money = (
  key: "gst" | "total" | "due",
  field: "gst" | "amount" | "dueAmount",
  rank: number,
): Column<InvoiceRow> => ({
  key,
  title: key.toUpperCase(),
  rank,
  align: "right",
  isMoney: true,
  gives: "nothing",
  value: (row) => row[field],
  show: (row) => (row[field] === null ? "" : showMoney(row[field])),
})

const COLUMNS: readonly Column<InvoiceRow>[] = [
  // A document without a number is known by its file.
  {
    key: "number",
    title: "NUMBER",
    rank: 1,
    gives: "nothing",
    value: ({ invoiceNumber }) => invoiceNumber,
    show: ({ invoiceNumber, file }) => invoiceNumber ?? path.basename(file),
  },
  {
    key: "date",
    title: "DATE",
    rank: 4,
    gives: "nothing",
    value: ({ invoiceDate }) => invoiceDate,
    show: ({ invoiceDate }) => (invoiceDate ?? "").replace(/[Tt].*$/, ""),
  },
  { key: "supplier", title: "SUPPLIER", rank: 5 },
  { key: "po", title: "PO", rank: 6, value: ({ poNumber }) => poNumber },
  money("gst", "gst", 7),
  money("total", "amount", 8),
  {
    ...money("due", "dueAmount", 3),
    // A document that cancels or informs asks for no money, and its amount is not shown among the others.
    show: ({ dueAmount, type }) =>
      dueAmount === null || (type && asksNothing(type)) ? "" : showMoney(dueAmount),
  },
  { key: "currency", title: "CURRENCY", hidden: true },
  { key: "verdict", title: "VERDICT", rank: 2, isState: true, gives: "nothing" },
  { key: "errors", title: "ERRORS", align: "right", hidden: true },
  { key: "warnings", title: "WARNINGS", align: "right", hidden: true },
  { key: "file", title: "FILE", rank: 9 },
  { key: "index", title: "INDEX", align: "right", hidden: true },
  { key: "type", title: "TYPE", rank: 6, gives: "nothing", show: ({ type }) => type ?? "" },
]

/** Rows that are held and laid out together: longer lists have several tables, one below the other. */
const PAGE = 1000
const FIRST_TO_FIX = 3

function toInvoiceRow({ file, index, valid, findings, overview }: DocumentResult): InvoiceRow {
  const errors = findings.filter(({ severity }) => severity === "error").length
  const warnings = findings.length - errors
  const isJson = overview !== undefined && findings.every(({ rule }) => rule !== "json/syntax")
  const verdict = !isJson ? "not JSON" : !valid ? "not valid" : warnings > 0 ? "warnings" : "valid"
  return { ...(overview ?? NOTHING), verdict, errors, warnings, file, index: index ?? null }
}

/**
 * @param isTerminal whether lines are cut to the width
 * @param warnings all warnings until the end
 * @param draw draws tables that are not too long
 */
export function createListReporter(
  format: Exclude<Format, "value"> | "html",
  layout: ReportLayout,
  isTerminal: boolean,
  warnings: readonly string[],
  draw?: DrawRows,
): Reporter {
  switch (format) {
    case "csv":
      return createRowReporter({
        begin: stringify([COLUMNS.map(({ key }) => key)]),
        format: (row) => stringify([COLUMNS.map((column) => cell(columnValue(column, row)))]),
      })
    case "xlsx":
      return createSheetReporter(
        COLUMNS.map(({ key, isMoney }) => ({
          heading: key,
          isMoney,
          isText: key === "number" || key === "po",
        })),
        (result) => {
          const row = toInvoiceRow(result)
          return [COLUMNS.map((column) => columnValue(column, row))]
        },
      )
    case "json":
      return createRowReporter({
        begin: '{\n  "items": [',
        format: (row, at) => `${at > 0 ? "," : ""}\n${jsonText(row, 2).replace(/^/gm, "    ")}`,
        end: (count) =>
          `${count > 0 ? "\n  ]" : "]"},\n${jsonText({ total: count, nextOffset: null, warnings }, 2).slice("{\n".length)}\n`,
      })
    case "ndjson":
      return createRowReporter({ format: (row) => `${jsonText(row)}\n` })
    case "html":
      return createHtmlReporter()
    case "table":
      return createTableReporter(layout, isTerminal, draw)
  }
}

function createRowReporter({
  begin = "",
  format,
  end = () => "",
}: {
  begin?: string
  format: (row: InvoiceRow, at: number) => string
  end?: (count: number) => string
}): Reporter {
  let count = 0
  return {
    begin: () => begin,
    document: (result) => [format(toInvoiceRow(result), count++)],
    end: () => end(count),
  }
}

function createHtmlReporter(): Reporter {
  const page = createHtmlPage({ title: "Invoices" })
  const table = createHtmlTable(toHeading(COLUMNS))
  const worst = createWorstList()
  return {
    begin: () => `${page.begin}${table.begin}`,
    document(result) {
      const row = toInvoiceRow(result)
      worst.add(row)
      return [`${table.row(toTableRow(COLUMNS, row))}`]
    },
    end: (summary) =>
      `${table.end}${html`${describeRun(summary, worst).map((line) => html`<p>${line}</p>\n`)}`}${page.end}`,
  }
}

function createTableReporter(layout: ReportLayout, isTerminal: boolean, draw?: DrawRows): Reporter {
  const stdout = { ...layout, isTTY: isTerminal, write: async () => {} }
  let page: InvoiceRow[] = []
  const worst = createWorstList()

  const formatPage = (): string => {
    if (page.length === 0) return ""
    const table = createTable({ stdout, unicode: layout.unicode }, tableColumns(COLUMNS), undefined)
    const measured = table.measure(page)
    const drawPage = page.length <= MAX_ROWS_DRAWN ? draw : undefined
    const text = table.heading(drawPage) + table.lines(measured, drawPage)
    page = []
    return text
  }

  return {
    *document(result) {
      const row = toInvoiceRow(result)
      worst.add(row)
      if (page.push(row) === PAGE) yield formatPage()
    },
    end(summary) {
      const width = isTerminal ? layout.columns : Number.POSITIVE_INFINITY
      const lines = describeRun(summary, worst).flatMap((line) => hangText("", line, width))
      return `${formatPage()}${lines.join("\n")}\n`
    },
  }
}

/** Keeps those with the most errors, the worst first. */
function createWorstList(): { add(row: InvoiceRow): void; names(): string[] } {
  const worst: InvoiceRow[] = []
  return {
    add(row) {
      if (row.errors === 0) return
      worst.push(row)
      worst.sort((a, b) => b.errors - a.errors || b.warnings - a.warnings)
      worst.length = Math.min(worst.length, FIRST_TO_FIX)
    },
    names: () => worst.map(({ invoiceNumber, file }) => safeText(invoiceNumber ?? file, 60)),
  }
}

/** The lines below a list: counts, unreadable files, and what to fix first. */
function describeRun(
  { documents, invalid, unreadable, replaced }: Summary,
  worst: ReturnType<typeof createWorstList>,
): string[] {
  const lines = [
    `${counted(documents - (replaced?.documents ?? 0), "invoice")}, ${invalid} not valid`,
    ...(replaced?.notes ?? []),
  ]
  for (const { file, reason } of unreadable) lines.push(`cannot read ${safeText(file)}: ${safeText(reason)}`)
  const names = worst.names()
  if (names.length > 0) lines.push(`Fix first: ${names.join(", ")}`)
  return lines
}
