/** Reports for programs and spreadsheets: JSON, NDJSON, CSV and workbooks. */
import { stringify } from "csv-stringify/sync"
import { cell, jsonText } from "../../output/index.ts"
import type { DocumentResult, Fix, ReportedFinding, Reporter, Summary } from "../finding.ts"
import { createSheetReporter } from "./sheet.ts"

/** A document and its findings, for programs. */
export interface JsonResult extends Pick<DocumentResult, "file" | "valid"> {
  /** Its position, from 0, in a file that holds several; else null. */
  index: number | null
  /** It was checked as a draft. */
  draft: boolean
  findings: readonly JsonFinding[]
}

interface JsonFinding extends Omit<ReportedFinding, "property" | "hint" | "fix" | "excerpt"> {
  /** The property that is missing, unknown or repeated; null for other findings. */
  property: string | null
  /** How to fix it; null if that is not known. */
  hint: string | null
  /** The fix of the hint, for a program. */
  fix: Fix | null
}

/** The whole report as programs get it. */
export interface JsonReport extends Pick<Summary, "valid" | "invalid" | "drafts" | "unreadable"> {
  items: readonly JsonResult[]
  total: number
  nextOffset: null
  warnings: readonly string[]
}

function toJsonResult({ file, index, valid, draft }: DocumentResult): Omit<JsonResult, "findings"> {
  return { file, index: index ?? null, valid, draft: draft === true }
}

function toJsonFinding({
  message,
  hint,
  fix,
  rule,
  severity,
  pointer,
  property,
  line,
  column,
}: ReportedFinding) {
  const place = { pointer, property: property ?? null, line, column }
  return { message, hint: hint ?? null, fix: fix ?? null, rule, severity, ...place } satisfies JsonFinding
}

/**
 * One JSON object. The counts come after the items, which are written one by one.
 * @param warnings all warnings until the end
 */
export function createJsonReporter(
  _layout: unknown,
  _areSeveral: unknown,
  warnings: readonly string[],
): Reporter {
  let total = 0
  return {
    begin: () => '{\n  "items": [',
    *document({ findings, ...result }) {
      const head = toJsonResult({ findings, ...result })
      yield `${total++ === 0 ? "" : ","}\n${toIndentedJson(head, "    ").slice(0, -"\n    }".length)},\n      "findings": [`
      for (const [at, finding] of findings.entries())
        yield `${at > 0 ? "," : ""}\n${toIndentedJson(toJsonFinding(finding), "        ")}`
      yield findings.length > 0 ? "\n      ]\n    }" : "]\n    }"
    },
    end({ valid, invalid, drafts, unreadable }) {
      const close = total === 0 ? "]" : "\n  ]"
      const counts: Omit<JsonReport, "items"> = {
        total,
        nextOffset: null,
        valid,
        invalid,
        drafts,
        unreadable,
        warnings,
      }
      return `${close},\n${jsonText(counts, 2).slice("{\n".length)}\n`
    },
  }
}

function toIndentedJson(value: unknown, indent: string): string {
  return jsonText(value, 2).replace(/^/gm, indent)
}

/** One line for each document, as JSON has it. */
export function createNdjsonReporter(): Reporter {
  return {
    *document({ findings, ...result }) {
      yield `${jsonText(toJsonResult({ findings, ...result })).slice(0, -"}".length)},"findings":[`
      for (const [at, finding] of findings.entries())
        yield (at > 0 ? "," : "") + jsonText(toJsonFinding(finding))
      yield "]}\n"
    },
    end: () => "",
  }
}

const COLUMNS = "file index line column severity rule pointer property message hint".split(" ")

export function createCsvReporter(): Reporter {
  return {
    begin: () => stringify([COLUMNS]),
    *document(result) {
      for (const row of toRows(result)) yield stringify([row.map(cell)])
    },
    end: () => "",
  }
}

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
