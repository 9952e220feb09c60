/** Reports for programs and spreadsheets: JSON, NDJSON, CSV and workbooks. */
import { stringify } from "csv-stringify/sync"
import { jsonText } from "../../output/terminal/json-text.ts"
import { cell } from "../../output/terminal/view.ts"
import type { DocumentResult, Reporter, Summary } from "../finding.ts"
import { createSheetReporter } from "./sheet.ts"

/** The whole report as programs get it. */
export interface JsonReport extends Pick<Summary, "documents" | "valid" | "invalid"> {
  results: readonly DocumentResult[]
  drafts?: number
  unreadable?: Summary["unreadable"]
}

/** One JSON object. The counts come after the results, which are written as they come. */
export function createJsonReporter(): Reporter {
  let written = 0
  return {
    begin: () => '{\n  "results": [',
    *document({ findings, ...result }) {
      yield `${written++ === 0 ? "" : ","}\n${toIndentedJson(result, "    ").slice(0, -"\n    }".length)},\n      "findings": [`
      for (const [at, finding] of findings.entries())
        yield `${at > 0 ? "," : ""}\n${toIndentedJson(finding, "        ")}`
      yield findings.length > 0 ? "\n      ]\n    }" : "]\n    }"
    },
    end({ documents, valid, invalid, drafts, unreadable }) {
      const close = written === 0 ? "]" : "\n  ]"
      const counts: Omit<JsonReport, "results"> = {
        documents,
        valid,
        invalid,
        ...(drafts > 0 && { drafts }),
        ...(unreadable.length > 0 && { unreadable }),
      }
      return `${close},\n${jsonText(counts, 2).slice("{\n".length)}\n`
    },
  }
}

function toIndentedJson(value: unknown, indent: string): string {
  return jsonText(value, 2).replace(/^/gm, indent)
}

/** One line for each document: `{file, index?, valid, findings}`. */
export function createNdjsonReporter(): Reporter {
  return {
    *document({ findings, ...result }) {
      yield `${jsonText(result).slice(0, -"}".length)},"findings":[`
      for (const [at, finding] of findings.entries()) yield (at > 0 ? "," : "") + jsonText(finding)
      yield "]}\n"
    },
    end: () => "",
  }
}

const COLUMNS = "file index line column severity rule pointer property message hint".split(" ")

/** One row for each finding. */
export function createCsvReporter(): Reporter {
  return {
    begin: () => stringify([COLUMNS]),
    *document(result) {
      for (const row of toRows(result)) yield stringify([row.map(cell)])
    },
    end: () => "",
  }
}

/** The same rows as a workbook. */
export function createWorkbookReporter(): Reporter {
  return createSheetReporter(
    COLUMNS.map((heading) => ({ heading })),
    toRows,
  )
}

function* toRows({ file, index, findings }: DocumentResult): Generator<unknown[]> {
  for (const finding of findings) {
    const row: Record<string, unknown> = { file, index, ...finding }
    yield COLUMNS.map((column) => row[column])
  }
}
