/** SARIF 2.1.0, as code scanning services read it. The rules that were broken stand after the results. */
import { pathToFileURL } from "node:url"
import { jsonText } from "../../terminal/json-text.ts"
import type { DocumentResult, Finding } from "../finding.ts"
import type { Reporter } from "./index.ts"
import { helpFor } from "./rule-help.ts"

const SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"

export function sarifReporter(): Reporter {
  /** Rules in the order of their first finding. */
  const rules = new Map<string, number>()
  let written = 0

  const resultOf = ({ file, index }: DocumentResult, finding: Finding): string => {
    const { rule, severity, message, hint, line, column, pointer, property } = finding
    if (!rules.has(rule)) rules.set(rule, rules.size)
    const result = {
      ruleId: rule,
      ruleIndex: rules.get(rule),
      level: severity,
      message: { text: hint ? `${message} (${hint})` : message },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: uriOf(file) },
            region: { startLine: line, startColumn: column },
          },
        },
      ],
      properties: {
        pointer,
        ...(property !== undefined && { property }),
        ...(index !== undefined && { index }),
      },
    }
    return `${written++ === 0 ? "" : ","}\n${jsonText(result)}`
  }

  return {
    begin: () =>
      `{"$schema":"${SCHEMA}","version":"2.1.0","runs":[{"columnKind":"unicodeCodePoints","results":[`,
    *document(result) {
      for (const finding of result.findings) yield resultOf(result, finding)
    },
    end({ unreadable }) {
      const driver = { name: "freight invoice validate", rules: [...rules.keys()].map(ruleOf) }
      const invocation = {
        executionSuccessful: unreadable.length === 0,
        toolExecutionNotifications: unreadable.map(({ file, reason }) => ({
          level: "error",
          message: { text: `${file}: ${reason}` },
          locations: [{ physicalLocation: { artifactLocation: { uri: uriOf(file) } } }],
        })),
      }
      return `\n],\n"tool":${jsonText({ driver })},\n"invocations":${jsonText([invocation])}}]}\n`
    },
  }
}

function ruleOf(id: string): object {
  const { title, about } = helpFor(id)
  return { id, shortDescription: { text: title }, fullDescription: { text: about }, help: { text: about } }
}

/** The file as a URI reference: relative as it was named, or a `file:` URL where it was named from the root. */
function uriOf(file: string): string {
  if (/^([/\\]|[a-z]:[/\\])/i.test(file)) return pathToFileURL(file).href
  return file
    .replaceAll("\\", "/")
    .split("/")
    .map((segment) => encodeURIComponent(segment.replace(/\p{Cs}/gu, "\ufffd")))
    .join("/")
    .replace(/^(\.\/)+/, "")
}
