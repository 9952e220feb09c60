/** From the parts of a run to what is written about it: document by document, in order. */
import type { Part } from "./documents.ts"
import type { DocumentResult, Finding, ReportedFinding, Severity } from "./finding.ts"
import type { Progress } from "./progress.ts"
import type { Reporter, Summary } from "./reporters/index.ts"
import { type Repeats, repeatedNumbers } from "./run-repeats.ts"

interface ReportOptions {
  reporter: Reporter
  write: (text: string) => Promise<void>
  /** Milliseconds, of any clock. */
  now: () => number
  progress?: Progress | undefined
  /** What an invoice number that was there before is; absent where that is not looked at. */
  repeated?: Severity | undefined
  /** Whether an input without any document is fine; otherwise it counts as one that could not be read. */
  allowEmpty?: boolean
}

const NO_FINDINGS: readonly ReportedFinding[] = []
/** Characters that are written at once. */
const CHUNK = 2 ** 16

/** Writes a report as the parts come. @returns the counts of the whole run */
export async function report(runs: AsyncIterable<readonly Part[]>, options: ReportOptions): Promise<Summary> {
  const { reporter, progress, now } = options
  const began = now()
  const repeats = options.repeated && repeatedNumbers(options.repeated)
  const summary: Summary = {
    documents: 0,
    valid: 0,
    invalid: 0,
    errors: 0,
    warnings: 0,
    byRule: {},
    unreadable: [],
    milliseconds: 0,
  }
  let bytes = 0
  let text = ""
  /** The file that the last part belongs to, and whether anything was found in it. */
  let last: { file: string; isEmpty: boolean } | undefined

  async function write(chunk: string, least = CHUNK): Promise<void> {
    text += chunk
    if (text.length < least || text === "") return
    await progress?.clear()
    await options.write(text)
    text = ""
  }

  function count({ file, documents, unreadable }: Part): void {
    const isEmpty = documents === 0 && unreadable === undefined
    if (last?.file !== file) {
      noteEmpty()
      last = { file, isEmpty }
    } else if (!isEmpty) last.isEmpty = false
    // Each piece of a file that went away says so.
    if (unreadable !== undefined && summary.unreadable.at(-1)?.file !== file)
      summary.unreadable.push({ file, reason: unreadable })
  }

  function noteEmpty(): void {
    if (last?.isEmpty && !options.allowEmpty)
      summary.unreadable.push({ file: last.file, reason: "there is no invoice in it" })
  }

  await write(reporter.begin?.() ?? "")
  for await (const parts of runs) {
    const repeatsIn = repeats?.in(parts)
    for (const part of parts) {
      count(part)
      bytes += part.bytes
      for (const result of resultsOf(part, repeatsIn?.(part))) {
        countResult(result, summary)
        for (const chunk of reporter.document(result)) await write(chunk)
      }
    }
    await write("", 0)
    await progress?.show({ documents: summary.documents, bytes, findings: summary.errors + summary.warnings })
  }
  noteEmpty()
  summary.milliseconds = now() - began
  if (repeats?.full) summary.uncompared = true
  await write(reporter.end(summary), 0)
  await progress?.clear()
  return summary
}

/** Each document of a part. */
function* resultsOf(part: Part, repeated: Repeats | undefined): Generator<DocumentResult> {
  const { file, several } = part
  let next = 0
  for (let index = part.first; index < part.first + part.documents; index++) {
    const judged = part.judged[next]?.index === index ? part.judged[next++] : undefined
    const repeat = repeated?.get(index)
    const found = judged?.findings ?? NO_FINDINGS
    const findings = repeat ? merged(found, repeat) : found
    const valid = !findings.some(({ severity }) => severity === "error")
    yield several ? { file, index, valid, findings } : { file, valid, findings }
  }
}

function countResult({ valid, findings }: DocumentResult, summary: Summary): void {
  for (const { severity, rule } of findings) {
    summary[severity === "error" ? "errors" : "warnings"]++
    summary.byRule[rule] = (summary.byRule[rule] ?? 0) + 1
  }
  summary.documents++
  summary[valid ? "valid" : "invalid"]++
}

/** In the order of the document. */
function merged(findings: readonly ReportedFinding[], more: Finding): readonly ReportedFinding[] {
  const at = findings.findIndex(
    ({ line, column }) => line > more.line || (line === more.line && column > more.column),
  )
  return at < 0 ? [...findings, more] : [...findings.slice(0, at), more, ...findings.slice(at)]
}
