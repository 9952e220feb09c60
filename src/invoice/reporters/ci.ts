/** Reports for build servers and review bots: JUnit XML, SARIF, rdjson, and annotations of GitHub Actions. */
import path from "node:path"
import { pathToFileURL } from "node:url"
import { counted } from "../../base/counted.ts"
import { escapeMarkup, safeText } from "../../base/safe-text.ts"
import { jsonText, type ReportLayout } from "../../output/index.ts"
import type { DocumentResult, Edit, Finding, Region, ReportedFinding, Reporter } from "../finding.ts"
import { getRuleWords } from "../rules.ts"

/** The message with the hint, for formats that have one text for a finding. */
function joinHint({ message, hint }: Finding): string {
  return hint ? `${message} (${hint})` : message
}

/** The name of the program in reports. */
const TOOL = "freight invoice validate"
const MAX_TESTS = 1000

/**
 * A suite for each file, a test for each document. A suite is written when its last document is known, since its
 * counts come first; a file of very many documents is several suites of the same name, so that memory stays small.
 */
export function createJunitReporter(): Reporter {
  let open: { file: string; tests: string[]; failures: number } | undefined
  const close = (): string => {
    if (!open) return ""
    const { file, tests, failures } = open
    const counts = `tests="${tests.length}" failures="${failures}" errors="0"`
    return `  <testsuite name="${escapeMarkup(file)}" ${counts}>\n${tests.join("")}  </testsuite>\n`
  }

  return {
    begin: () => `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="${TOOL}">\n`,
    document(result) {
      const goesOn = open?.file === result.file && open.tests.length < MAX_TESTS
      const before = goesOn ? "" : close()
      if (!open || !goesOn) open = { file: result.file, tests: [], failures: 0 }
      open.tests.push(toTestCase(result))
      if (!result.valid) open.failures++
      return [before]
    },
    end({ unreadable }) {
      const unread = unreadable.map(
        ({ file, reason }) =>
          `  <testsuite name="${escapeMarkup(file)}" tests="1" failures="0" errors="1">\n` +
          `    <testcase classname="${escapeMarkup(file)}" name="read">\n` +
          `      <error message="${escapeMarkup(reason)}" type="not-read"/>\n    </testcase>\n  </testsuite>\n`,
      )
      return `${close()}${unread.join("")}</testsuites>\n`
    },
  }
}

function toTestCase({ file, index, valid, findings }: DocumentResult): string {
  const name = index === undefined ? "document" : `index ${index}`
  const opening = `    <testcase classname="${escapeMarkup(file)}" name="${name}"`
  if (findings.length === 0) return `${opening}/>\n`
  const texts = findings.map((finding) => {
    const { line, column, severity, rule } = finding
    return `${file}:${line}:${column}: ${severity}: ${joinHint(finding)} [${rule}]`.replaceAll(/\s+/g, " ")
  })
  const lines = escapeMarkup(texts.join("\n"), "\n")
  if (valid) return `${opening}>\n      <system-out>${lines}</system-out>\n    </testcase>\n`
  const errors = findings.filter(({ severity }) => severity === "error")
  const about = `message="${counted(errors.length, "error")}" type="${escapeMarkup(errors[0]?.rule ?? "")}"`
  return `${opening}>\n      <failure ${about}>${lines}</failure>\n    </testcase>\n`
}

const SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"

/** SARIF 2.1.0 for code scanning services. The broken rules come after the results. */
export function createSarifReporter(): Reporter {
  /** Rules in the order of their first finding. */
  const rules = new Map<string, number>()
  let written = 0
  const locate = (file: string, region?: object) => {
    const artifactLocation = { uri: toUri(file) }
    return [{ physicalLocation: { artifactLocation, ...(region && { region }) } }]
  }
  /** All lines and columns, because a region in bytes could not be replaced by text. */
  const toFix = (file: string, { fix, hint = "" }: ReportedFinding) => ({
    description: { text: hint },
    artifactChanges: [
      {
        artifactLocation: { uri: toUri(file) },
        replacements: fix?.edits.map(({ region, text }) => ({
          deletedRegion: region,
          insertedContent: { text },
        })),
      },
    ],
    properties: { safety: fix?.safety },
  })
  const toResult = ({ file, index, draft }: DocumentResult, finding: ReportedFinding): string => {
    const { rule, severity, line, column, pointer, property } = finding
    if (!rules.has(rule)) rules.set(rule, rules.size)
    const result = {
      ruleId: rule,
      ruleIndex: rules.get(rule),
      level: severity,
      message: { text: joinHint(finding) },
      locations: locate(file, { startLine: line, startColumn: column }),
      ...(finding.fix && { fixes: [toFix(file, finding)] }),
      properties: {
        pointer,
        ...(property !== undefined && { property }),
        ...(index !== undefined && { index }),
        ...(draft && { draft }),
      },
    }
    return `${written++ === 0 ? "" : ","}\n${jsonText(result)}`
  }

  return {
    begin: () =>
      `{"$schema":"${SARIF_SCHEMA}","version":"2.1.0","runs":[{"columnKind":"unicodeCodePoints","results":[`,
    *document(result) {
      for (const finding of result.findings) yield toResult(result, finding)
    },
    end({ unreadable }) {
      const driver = { name: TOOL, rules: [...rules.keys()].map(describeRule) }
      const invocation = {
        executionSuccessful: unreadable.length === 0,
        toolExecutionNotifications: unreadable.map(({ file, reason }) => ({
          level: "error",
          message: { text: `${file}: ${reason}` },
          locations: locate(file),
        })),
      }
      return `\n],\n"tool":${jsonText({ driver })},\n"invocations":${jsonText([invocation])}}]}\n`
    },
  }
}

function describeRule(id: string): object {
  const { title, about } = getRuleWords(id)
  return { id, shortDescription: { text: title }, fullDescription: { text: about }, help: { text: about } }
}

/** The file as a URI reference: relative as named, or a `file:` URL for an absolute path. */
function toUri(file: string): string {
  if (/^([/\\]|[a-z]:[/\\])/i.test(file)) return pathToFileURL(file).href
  return file
    .replaceAll("\\", "/")
    .split("/")
    .map((segment) => encodeURIComponent(segment.replace(/\p{Cs}/gu, "\ufffd")))
    .join("/")
    .replace(/^(\.\/)+/, "")
}

/**
 * The Reviewdog Diagnostic Format. Columns count bytes of UTF-8 there, and each suggestion is one replacement, so the
 * findings have to come with such columns and such fixes.
 */
export function createRdjsonReporter(): Reporter {
  let written = 0
  const add = (diagnostic: object) => `${written++ === 0 ? "" : ","}\n${jsonText(diagnostic)}`
  return {
    begin: () => `{"source":${jsonText({ name: TOOL })},"diagnostics":[`,
    *document({ file, index, findings }) {
      for (const finding of findings) {
        const { line, column, severity, rule, fix } = finding
        yield add({
          message: nameIndex(index) + joinHint(finding),
          location: { path: file, range: { start: { line, column } } },
          severity: severity.toUpperCase(),
          code: { value: rule },
          ...(fix && { suggestions: fix.edits.flatMap(toSuggestion) }),
        })
      }
    },
    end({ unreadable }) {
      const unread = unreadable.map(({ file, reason }) =>
        add({ message: `cannot be read: ${reason}`, location: { path: file }, severity: "ERROR" }),
      )
      return `${unread.join("")}\n]}\n`
    },
  }
}

function toSuggestion({ region, text }: Edit & { region?: Region }): object[] {
  if (!region) return []
  const { startLine, startColumn, endLine, endColumn } = region
  const range = {
    start: { line: startLine, column: startColumn },
    end: { line: endLine, column: endColumn },
  }
  return [{ range, text }]
}

/** The document's position in a file of several, at the start of a message. */
function nameIndex(index: number | undefined): string {
  return index === undefined ? "" : `index ${index}: `
}

/** Workflow commands, which show beside the lines of a pull request: files are named from the checkout, wherever a step runs. */
export function createGithubReporter({ checkout }: Pick<ReportLayout, "checkout">): Reporter {
  const nameFile = (file: string) => {
    if (checkout === undefined) return file
    const within = path.relative(checkout, path.resolve(file))
    return within.startsWith("..") || path.isAbsolute(within) ? file : within.replaceAll(path.sep, "/")
  }
  return {
    *document({ file, index, findings }) {
      for (const finding of findings) {
        const { severity, line, column, rule } = finding
        const properties = `file=${escapeProperty(nameFile(file))},line=${line},col=${column},title=${escapeProperty(rule)}`
        yield `::${severity} ${properties}::${escapeData(nameIndex(index) + joinHint(finding))}\n`
      }
    },
    end({ documents, valid, invalid, unreadable }) {
      const unread = unreadable.map(
        ({ file, reason }) =>
          `::error file=${escapeProperty(nameFile(file))},title=not read::${escapeData(reason)}\n`,
      )
      return `${unread.join("")}${counted(documents, "document")}: ${valid} valid, ${invalid} not valid\n`
    },
  }
}

/** The text of a command: characters that would end it, or start an escape, are escaped. */
function escapeData(text: string): string {
  return safeText(text, 4000).replace(/[%\r\n]/g, toHex)
}

/** The value of a property, in which colons and commas have a meaning too. */
function escapeProperty(text: string): string {
  return safeText(text, 4000).replace(/[%\r\n:,]/g, toHex)
}

function toHex(mark: string): string {
  return `%${mark.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`
}
