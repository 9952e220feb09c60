/** Builds the report from the parts of a run: document by document, in order. */
import { grouped } from "../../base/counted.ts"
import { CLEAR_LINE, type OutputStream } from "../../output/index.ts"
import { createDuplicateFinder, UPDATE_REFERENCE } from "../accounting/duplicates.ts"
import type { PartOfFile } from "../check.ts"
import type { CheckedDocument } from "../checked.ts"
import type { DocumentResult, Finding, Reporter, RulePlaces, Severity, Summary } from "../finding.ts"
import type { Register } from "./register.ts"

interface ReportOptions {
  reporter: Reporter
  write: (text: string) => Promise<void>
  /** Milliseconds, of any clock. */
  now: () => number
  progress?: Progress | undefined
  /** The severity of an invoice number that was there before; absent if that is not looked at. */
  repeated?: Severity | undefined
  /** Invoices of earlier runs, with which these are compared and to which they are added. */
  register?: Register | undefined
  /**
   * Whether an input without any document is fine. Otherwise an empty file is one that is not JSON, and any other
   * counts as one that could not be read.
   */
  allowEmpty?: boolean
  /** The counts, which are right whenever `write` is called. */
  summary?: Summary
}

/** Characters that are written at once. */
const CHUNK = 2 ** 16

export function createSummary(): Summary {
  return {
    documents: 0,
    empty: 0,
    valid: 0,
    invalid: 0,
    drafts: 0,
    errors: 0,
    warnings: 0,
    byRule: {},
    unreadable: [],
    milliseconds: 0,
  }
}

/** Writes a report as the parts come. @returns the counts of the whole run */
export async function writeReport(
  runs: AsyncIterable<readonly PartOfFile[]>,
  options: ReportOptions,
): Promise<Summary> {
  const { reporter, progress, now, register } = options
  const began = now()
  const duplicates = options.repeated && createDuplicateFinder(options.repeated)
  const counter = createPlaceCounter()
  const { summary = createSummary() } = options
  summary.places = counter.places
  let bytes = 0
  let fixable = 0
  let text = ""
  /** The file that the last part belongs to, and whether anything was found in it. */
  let last: { file: string; isEmpty: boolean; isBlank: boolean } | undefined

  async function write(chunk: string, least = CHUNK): Promise<void> {
    text += chunk
    if (text.length < least || text === "") return
    await progress?.clear()
    await options.write(text)
    text = ""
  }

  async function noteFile({ file, documents, unreadable, isBlank }: PartOfFile): Promise<void> {
    const isEmpty = documents === 0 && unreadable === undefined
    if (last?.file !== file) {
      await noteEmpty()
      last = { file, isEmpty, isBlank: isBlank === true }
    } else if (!isEmpty) last.isEmpty = false
    // Each piece of a file that was deleted has the same reason.
    if (unreadable !== undefined && summary.unreadable.at(-1)?.file !== file)
      summary.unreadable.push({ file, reason: unreadable })
  }

  async function noteEmpty(): Promise<void> {
    if (!last?.isEmpty || options.allowEmpty) return
    if (!last.isBlank) {
      summary.unreadable.push({ file: last.file, reason: "there is no invoice in it" })
      return
    }
    summary.empty++
    const { examine } = await import("../examine.ts")
    const findings = examine("", { stage: "auto", accounting: false, strict: false, rules: {} })
    await report({ file: last.file, valid: false, findings })
  }

  async function report(result: DocumentResult): Promise<void> {
    countResult(result, summary)
    counter.add(result)
    for (const chunk of reporter.document(result)) await write(chunk)
  }

  await write(reporter.begin?.() ?? "")
  for await (const parts of runs) {
    for (const part of parts) {
      await noteFile(part)
      bytes += part.bytes
      fixable += part.fixable
      await register?.load(part.checked.flatMap(({ number }) => number ?? []))
      for (const checked of listDocuments(part)) {
        const { index, number } = checked
        const nth = part.several ? index : undefined
        const registered = number ? (register?.find(number) ?? []) : []
        const isKnown = number?.isUpdate && (duplicates?.has(number) || register?.has(number))
        // An invoice that repeats one of the run is reported for that, also when it was registered before.
        const repeated =
          number && !number.isUpdate && !number.isDeletion
            ? duplicates?.find(part.file, nth, number)
            : undefined
        const others = repeated ? registered.filter(({ rule }) => rule !== repeated.rule) : registered
        const known = isKnown ? withoutReference(checked) : checked
        const result = toResult(part, known, repeated ? [repeated, ...others] : others)
        if (number && result.valid) register?.add(part.file, number)
        await report(result)
      }
    }
    await write("", 0)
    await progress?.show({ documents: summary.documents, bytes, findings: summary.errors + summary.warnings })
  }
  await noteEmpty()
  summary.milliseconds = now() - began
  summary.fixable = fixable
  if (duplicates?.isFull) summary.uncompared = true
  await write(reporter.end(summary), 0)
  await progress?.clear()
  return summary
}

/** Each document of a part, including those that are only known to be valid. */
function* listDocuments({ first, documents, checked }: PartOfFile): Generator<CheckedDocument> {
  let next = 0
  for (let index = first; index < first + documents; index++) {
    const known = checked[next]?.index === index ? checked[next++] : undefined
    yield known ?? { index }
  }
}

/** Leaves out findings about an update of an invoice that is known: it need not be named. */
function withoutReference(checked: CheckedDocument): CheckedDocument {
  return { ...checked, findings: checked.findings?.filter(({ rule }) => rule !== UPDATE_REFERENCE) ?? [] }
}

/** @param known findings about earlier steps */
function toResult(
  { file, several }: PartOfFile,
  { index, findings = [], draft, overview, number }: CheckedDocument,
  known: readonly Finding[],
): DocumentResult {
  const all = known.reduceRight<DocumentResult["findings"]>(insertInOrder, findings)
  return {
    file,
    ...(several && { index }),
    valid: !all.some(({ severity }) => severity === "error"),
    ...(draft && { draft }),
    findings: all,
    ...(overview && { overview }),
    ...(overview && number && { identity: number }),
  }
}

function countResult({ valid, draft, findings }: DocumentResult, summary: Summary): void {
  if (draft) summary.drafts++
  for (const { severity, rule } of findings) {
    summary[severity === "error" ? "errors" : "warnings"]++
    summary.byRule[rule] = (summary.byRule[rule] ?? 0) + 1
  }
  summary.documents++
  summary[valid ? "valid" : "invalid"]++
}

function insertInOrder(findings: DocumentResult["findings"], more: Finding): DocumentResult["findings"] {
  const at = findings.findIndex(
    ({ line, column }) => line > more.line || (line === more.line && column > more.column),
  )
  return at < 0 ? [...findings, more] : [...findings.slice(0, at), more, ...findings.slice(at)]
}

/** Maximum number of files or documents named. */
const MAX_NAMED = 3

interface Counted extends RulePlaces {
  firstFiles: string[]
  firstIndexes: number[]
  lastFile: string
  lastDocument: object
}

/** Counts the places of each rule's findings, in memory proportional to the rules. Documents must come file by file. */
function createPlaceCounter(): {
  add(result: DocumentResult): void
  readonly places: Readonly<Record<string, RulePlaces>>
} {
  const counted: Record<string, Counted> = {}
  return {
    places: counted,
    add(result) {
      const { file, index, findings } = result
      for (const { rule } of findings) {
        const place = counted[rule] ?? createCount()
        counted[rule] = place
        if (place.lastDocument === result) continue
        place.lastDocument = result
        place.documents++
        if (index !== undefined && place.firstIndexes.length < MAX_NAMED) place.firstIndexes.push(index)
        if (place.lastFile === file) continue
        place.lastFile = file
        place.files++
        if (place.firstFiles.length < MAX_NAMED) place.firstFiles.push(file)
      }
    },
  }
}

const NOTHING = {}

function createCount(): Counted {
  return { files: 0, documents: 0, firstFiles: [], firstIndexes: [], lastFile: "", lastDocument: NOTHING }
}

/** How far a long run is, on one line of a terminal that is written over. */
interface Progress {
  /** Shows how far the run is, when it is time to. */
  show(done: { documents: number; bytes: number; findings: number }): Promise<void>
  /** Takes the line away, before something else is written. */
  clear(): Promise<void>
}

const FIRST_MS = 1000
const EVERY_MS = 200

/** @param now milliseconds, of any clock */
export function createProgress(stderr: OutputStream, now: () => number): Progress {
  let next = now() + FIRST_MS
  let isShown = false
  return {
    async show({ documents, bytes, findings }) {
      if (now() < next) return
      next = now() + EVERY_MS
      isShown = true
      const megabytes = (bytes / 1e6).toFixed(0)
      await stderr.write(
        `${CLEAR_LINE}${grouped(documents)} documents, ${megabytes} MB, ${grouped(findings)} findings`,
      )
    },
    async clear() {
      if (isShown) await stderr.write(CLEAR_LINE)
      isShown = false
    },
  }
}
