/** Runs over many documents, as the command makes them, with a clock and a standard input of the test's own. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { pathToFileURL } from "node:url"
import { onTestFinished } from "vitest"
import type { PartOfFile } from "../../src/invoice/check.ts"
import type { InputKind } from "../../src/invoice/documents.ts"
import type { DocumentResult, ExamineOptions, Severity, Summary } from "../../src/invoice/finding.ts"
import { checkInputs } from "../../src/invoice/run/run.ts"
import { writeReport } from "../../src/invoice/run/report.ts"
import { findInputs } from "../../src/invoice/sources/files.ts"
import type { Clock } from "../../src/base/ports.ts"
import { ensureBuilt } from "../acceptance/freight.ts"
import { minimalInvoice } from "./samples.ts"

ensureBuilt()
/** The program of a thread, as it is shipped. */
export const PROGRAM = pathToFileURL(path.resolve(import.meta.dirname, "../../dist/invoice-worker.cjs"))

export const EXAMINE: ExamineOptions = { stage: "canonical", accounting: true, strict: false, rules: {} }

/** A folder of the test's own, with these files. */
export function folderOf(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const folder = mkdtempSync(path.join(tmpdir(), "freight-run-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), content)
  }
  return folder
}

/** A valid invoice on one line. */
export function line(number: number | string, more: object = {}): string {
  const invoice = minimalInvoice()
  return JSON.stringify({
    ...invoice,
    data: { ...invoice.data, invoiceNumber: `INV-${number}`, ...more },
  })
}

/** An invoice on one line that has one error, `"purpose"` being where it is. */
export function brokenLine(number: number | string): string {
  return line(number, { purpose: "gift" })
}

/** Time stands still, and a wait is over when `late` says so. */
export function clockOf(late: () => Promise<void> = () => new Promise(() => {})): Clock {
  return { now: () => 0, sleep: late }
}

export async function* chunksOf(...chunks: readonly (string | Uint8Array | Error)[]) {
  for (const chunk of chunks) {
    if (chunk instanceof Error) throw chunk
    yield Buffer.from(chunk)
  }
}

export interface RunSettings {
  jobs?: number
  stdin?: AsyncIterable<Uint8Array> | ((until: AbortSignal) => AsyncIterable<Uint8Array>)
  clock?: Clock
  signal?: AbortSignal
  examine?: Partial<ExamineOptions>
  repeated?: Severity
  input?: InputKind
  fixes?: "edits" | "regions"
  allowEmpty?: boolean
}

export async function* partsOf(
  words: readonly string[],
  settings: RunSettings = {},
): AsyncGenerator<PartOfFile[]> {
  const {
    jobs = 1,
    stdin = chunksOf(),
    clock = clockOf(),
    signal,
    examine,
    repeated,
    input,
    fixes,
  } = settings
  yield* checkInputs(await findInputs(words), {
    check: {
      examine: { ...EXAMINE, ...examine },
      excerpts: true,
      numbers: repeated !== undefined,
      input,
      fixes,
    },
    jobs,
    stdin: (until) => (typeof stdin === "function" ? stdin(until) : stdin),
    clock,
    signal: signal ?? new AbortController().signal,
    program: PROGRAM,
    rangeBytes: 2 ** 20,
  })
}

interface Told {
  results: DocumentResult[]
  summary: Summary
}

/** The report of the inputs, document by document. */
export async function toldOf(words: readonly string[], settings: RunSettings = {}): Promise<Told> {
  const results: DocumentResult[] = []
  const summary = await writeReport(partsOf(words, settings), {
    reporter: {
      document: (result) => {
        results.push(result)
        return []
      },
      end: () => "",
    },
    write: async () => {},
    now: () => 0,
    ...(settings.repeated && { repeated: settings.repeated }),
    allowEmpty: settings.allowEmpty === true,
  })
  return { results, summary }
}

/** Each document in short: `3 ok`, `4 contract/enum 5:160`; without an index where it is the only one of its file. */
export function short(results: readonly DocumentResult[]): string[] {
  return results.map(({ index = "", findings }) => {
    const found = findings.map(({ rule, line, column }) => `${rule} ${line}:${column}`).join(", ")
    return `${index} ${found || "ok"}`.trim()
  })
}
