/** Invoices one a line, and those to fix first. */
import { stringify } from "csv-stringify/sync"
import { counted } from "../../contract/counted.ts"
import { safeText } from "../../contract/safe-text.ts"
import { type Column, columnValue, tableColumns } from "../../terminal/columns.ts"
import { jsonText } from "../../terminal/json-text.ts"
import { createTable } from "../../terminal/table.ts"
import { cell, type Format } from "../../terminal/view.ts"
import { formatMoney, toAmount } from "../accounting/amounts.ts"
import type { DocumentResult, Reporter } from "../finding.ts"
import type { Overview } from "../overview.ts"
import { hangText, type Look } from "./layout.ts"

interface Row extends Overview {
  file: string
  index: number | null
  verdict: "valid" | "warnings" | "not valid" | "not JSON"
  errors: number
  warnings: number
}

const NOTHING: Overview = {
  number: null,
  date: null,
  supplier: null,
  po: null,
  gst: null,
  total: null,
  due: null,
  currency: null,
}

const showMoney = (value: number | null) => formatMoney((value === null ? undefined : toAmount(value)) ?? 0)
const money = (key: "gst" | "total" | "due", rank: number): Column<Row> => ({
  key,
  title: key.toUpperCase(),
  rank,
  align: "right",
  gives: "nothing",
  show: (row) => (row[key] === null ? "" : showMoney(row[key])),
})

const COLUMNS: readonly Column<Row>[] = [
  { key: "number", title: "NUMBER", rank: 1 },
  {
    key: "date",
    title: "DATE",
    rank: 4,
    gives: "nothing",
    show: ({ date }) => (date ?? "").replace(/[Tt].*$/, ""),
  },
  { key: "supplier", title: "SUPPLIER", rank: 5 },
  { key: "po", title: "PO", rank: 6 },
  money("gst", 7),
  money("total", 8),
  money("due", 3),
  { key: "currency", title: "CURRENCY", hidden: true },
  { key: "verdict", title: "VERDICT", rank: 2, isState: true, gives: "nothing" },
  { key: "errors", title: "ERRORS", align: "right", hidden: true },
  { key: "warnings", title: "WARNINGS", align: "right", hidden: true },
  { key: "file", title: "FILE", rank: 9 },
  { key: "index", title: "INDEX", align: "right", hidden: true },
]

/** Rows that are held and laid out together: longer lists have several tables, one below the other. */
const PAGE = 1000
const FIRST_TO_FIX = 3

function toRow({ file, index, valid, findings, overview }: DocumentResult): Row {
  const errors = findings.filter(({ severity }) => severity === "error").length
  const warnings = findings.length - errors
  const isJson = overview !== undefined && findings.every(({ rule }) => rule !== "json/syntax")
  const verdict = !isJson ? "not JSON" : !valid ? "not valid" : warnings > 0 ? "warnings" : "valid"
  return { ...(overview ?? NOTHING), verdict, errors, warnings, file, index: index ?? null }
}

/** @param isTerminal whether lines are cut to the width */
export function createListReporter(format: Format, look: Look, isTerminal: boolean): Reporter {
  const stdout = { ...look, isTTY: isTerminal, write: async () => {} }
  let page: Row[] = []
  let written = 0
  /** Those with the most errors, the worst first. */
  const worst: Row[] = []

  const formatPage = (): string => {
    if (page.length === 0) return ""
    const table = createTable({ stdout, unicode: look.unicode }, tableColumns(COLUMNS), undefined)
    table.measure(page)
    const text = table.heading() + table.lines(page)
    page = []
    return text
  }

  return {
    begin: () =>
      format === "csv" ? stringify([COLUMNS.map(({ key }) => key)]) : format === "json" ? "[" : "",
    *document(result) {
      const row = toRow(result)
      if (format === "csv") yield stringify([COLUMNS.map((column) => cell(columnValue(column, row)))])
      else if (format === "ndjson") yield `${jsonText(row)}\n`
      else if (format === "json")
        yield `${written++ > 0 ? "," : ""}\n${jsonText(row, 2).replace(/^/gm, "  ")}`
      else {
        if (row.errors > 0) {
          worst.push(row)
          worst.sort((a, b) => b.errors - a.errors || b.warnings - a.warnings)
          worst.length = Math.min(worst.length, FIRST_TO_FIX)
        }
        if (page.push(row) === PAGE) yield formatPage()
      }
    },
    end({ documents, invalid, unreadable }) {
      if (format === "json") return written > 0 ? "\n]\n" : "]\n"
      if (format !== "table") return ""
      const lines = [`${counted(documents, "invoice")}, ${invalid} not valid`]
      for (const { file, reason } of unreadable)
        lines.push(`cannot read ${safeText(file)}: ${safeText(reason)}`)
      const names = worst.map(({ number, file }) => safeText(number ?? file, 60))
      if (names.length > 0) lines.push(`Fix first: ${names.join(", ")}`)
      const width = isTerminal ? look.columns : Number.POSITIVE_INFINITY
      return `${formatPage()}${lines.flatMap((line) => hangText("", line, width)).join("\n")}\n`
    },
  }
}
