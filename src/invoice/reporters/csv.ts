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
    document: ({ file, index, findings }) =>
      // Most documents have none.
      findings.length === 0
        ? ""
        : stringify(
            findings.map((finding) => {
              const row: Record<string, unknown> = { file, index, ...finding }
              return COLUMNS.map((column) => cell(row[column]))
            }),
          ),
    end: () => "",
  }
}
