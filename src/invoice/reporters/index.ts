/** How the results of a run are written down: one reporter for each format. Reporters make text and print nothing. */
import { FreightError } from "../../errors.ts"
import type { DocumentResult } from "../finding.ts"
import type { Look } from "./layout.ts"

/** The counts of a whole run. */
export interface Summary {
  documents: number
  valid: number
  invalid: number
  errors: number
  warnings: number
  /** How many findings each rule has. */
  byRule: Record<string, number>
  /** Inputs that could not be read, and why. */
  unreadable: { file: string; reason: string }[]
  /** There were more invoices than whose numbers can be compared. */
  uncompared?: true
  milliseconds: number
}

/** Called once for each document, in order; what is returned is written as it comes. */
export interface Reporter {
  begin?(): string
  /** In chunks, so that a document with very many findings need not be put together in memory. */
  document(result: DocumentResult): Iterable<string>
  end(summary: Summary): string
}

const LOADERS = {
  table: async () => (await import("./table.ts")).tableReporter,
  json: async () => (await import("./json.ts")).jsonReporter,
  ndjson: async () => (await import("./ndjson.ts")).ndjsonReporter,
  csv: async () => (await import("./csv.ts")).csvReporter,
  sarif: async () => (await import("./sarif.ts")).sarifReporter,
  junit: async () => (await import("./junit.ts")).junitReporter,
  github: async () => (await import("./github.ts")).githubReporter,
} satisfies Record<string, () => Promise<(look: Look) => Reporter>>

type ReportFormat = keyof typeof LOADERS

export const REPORT_FORMATS = Object.keys(LOADERS) as readonly ReportFormat[]

/** @throws FreightError `usage` for a format that there is none of */
export async function createReporter(format: string, look: Look): Promise<Reporter> {
  if (!isReportFormat(format))
    throw new FreightError("usage", `--format takes ${REPORT_FORMATS.join(", ")}, not '${format}'`)
  const make = await LOADERS[format]()
  return make(look)
}

function isReportFormat(format: string): format is ReportFormat {
  return Object.hasOwn(LOADERS, format)
}
