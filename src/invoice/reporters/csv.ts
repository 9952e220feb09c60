/** One row for each finding, for spreadsheets. */
import { stringify } from "csv-stringify/sync"
import { cell } from "../../terminal/view.ts"
import type { Reporter } from "./index.ts"

const COLUMNS = [
  "file",
  "index",
  "line",
  "column",
  "severity",
  "rule",
  "pointer",
  "property",
  "message",
  "hint",
]

export function csvReporter(): Reporter {
  return {
    begin: () => stringify([COLUMNS]),
    *document({ file, index, findings }) {
      for (const finding of findings) {
        const row: Record<string, unknown> = { file, index, ...finding }
        yield stringify([COLUMNS.map((column) => cell(row[column]))])
      }
    },
    end: () => "",
  }
}
