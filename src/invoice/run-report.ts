/** From the parts of a run to what is written about it: document by document, in order. */
import { fileOf, type Judged, type Part } from "./documents.ts"
import type { Finding, Severity } from "./finding.ts"
import type { Progress } from "./progress.ts"
import type { Reporter, Source, Summary } from "./reporters/index.ts"
import { type Repeats, repeatedNumbers } from "./run-repeats.ts"

interface ReportOptions {
  reporter: Reporter
  write: (text: string) => Promise<void>
  /** Milliseconds, of any clock. */
  now: () => number
  progress?: Progress | undefined
  /** What an invoice number that was there before is; absent where that is not looked at. */
  repeated?: Severity | undefined
}

const NO_FINDINGS: Finding[] = []
const NO_TEXT: Source = { excerpt: () => undefined }

/** Writes a report as the parts come. @returns what came of it all */
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

  async function write(text: string): Promise<void> {
    if (text === "") return
    await progress?.clear()
    await options.write(text)
  }

  await write(reporter.begin?.() ?? "")
  for await (const parts of runs) {
    const repeatsIn = await repeats?.in(parts)
    let text = ""
    for (const part of parts) {
      const { file, trouble } = part
      // Each piece of a file that went away says so.
      if (trouble !== undefined && summary.unreadable.at(-1)?.file !== file)
        summary.unreadable.push({ file, reason: trouble })
      text += written(part, repeatsIn?.(part), reporter, summary)
      bytes += part.bytes
    }
    await write(text)
    await progress?.show({ documents: summary.documents, bytes, findings: summary.errors + summary.warnings })
  }
  summary.milliseconds = now() - began
  if (repeats?.full) summary.uncompared = true
  await write(reporter.end(summary))
  await progress?.clear()
  return summary
}

/** What the reporter says of each document of a part; counted in the summary. */
function written(part: Part, repeated: Repeats | undefined, reporter: Reporter, summary: Summary): string {
  let text = ""
  let next = 0
  for (let index = part.first; index < part.first + part.documents; index++) {
    const judged = part.judged[next]?.index === index ? part.judged[next++] : undefined
    const again = repeated?.get(index)
    const findings = again ? merged(judged?.findings, again) : (judged?.findings ?? NO_FINDINGS)
    const valid = count(findings, summary)
    const file = fileOf(part, index)
    const result = part.several ? { file, index, valid, findings } : { file, valid, findings }
    text += reporter.document(result, judged ? sourceOf(judged) : NO_TEXT)
  }
  return text
}

function count(findings: readonly Finding[], summary: Summary): boolean {
  let valid = true
  for (const { severity, rule } of findings) {
    if (severity === "error") valid = false
    summary[severity === "error" ? "errors" : "warnings"]++
    summary.byRule[rule] = (summary.byRule[rule] ?? 0) + 1
  }
  summary.documents++
  summary[valid ? "valid" : "invalid"]++
  return valid
}

/** In the order of the document. */
function merged(findings: readonly Finding[] = NO_FINDINGS, more: Finding): Finding[] {
  const at = findings.findIndex(
    ({ line, column }) => line > more.line || (line === more.line && column > more.column),
  )
  return at < 0 ? [...findings, more] : [...findings.slice(0, at), more, ...findings.slice(at)]
}

function sourceOf({ findings, excerpts }: Judged): Source {
  return {
    excerpt: (line, column) =>
      excerpts[findings.findIndex((finding) => finding.line === line && finding.column === column)],
  }
}
