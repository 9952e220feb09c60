/** Findings for people: where, what is wrong, the line it stands in, the fix; and a summary at the end. */
import { counted, grouped } from "../../contract/counted.ts"
import { safeText } from "../../contract/safe-text.ts"
import { widthOf } from "../../terminal/width.ts"
import type { DocumentResult, ReportedFinding, Severity } from "../finding.ts"
import type { Reporter, Summary } from "./index.ts"
import { hanging, type Look, padded, painter, shownWords } from "./layout.ts"

const COLOURS = { error: "red", warning: "yellow" } as const satisfies Record<Severity, string>
const INDENT = "  "

export function tableReporter(look: Look): Reporter {
  const paint = painter(look)
  const arrow = look.unicode ? "→" : "->"
  /** A line of the source keeps its width, for the caret below it. */
  const shownLine = (text: string) => (look.unicode ? text : text.replaceAll("…", "~"))
  /** Names the document when it is the only one. */
  let first: DocumentResult | undefined

  const block = (result: DocumentResult, finding: ReportedFinding): string[] => {
    const { line, column, severity, rule, message, hint } = finding
    const which = result.index === undefined ? "" : ` (index ${result.index})`
    const place = `${nameOf(result.file)}:${line}:${column}`
    const named = safeText(rule)
    const fits = widthOf(`${place}${which}  ${severity}  ${named}`) <= look.columns
    const lines = [
      `${paint("bold", place)}${which}  ${paint(["bold", COLOURS[severity]], severity)}` +
        (fits ? `  ${paint("dim", named)}` : ""),
      ...(fits ? [] : [INDENT + paint("dim", named)]),
      ...hanging(INDENT, shownWords(safeText(message, 2000), look), look.columns),
    ]
    const [text, caret] = shownLine(finding.excerpt ?? "").split("\n")
    if (text?.trim() && caret !== undefined)
      lines.push(paint("dim", `${INDENT}  ${text}`), `${INDENT}  ${paint(COLOURS[severity], caret)}`)
    if (hint)
      lines.push(...hanging(`${INDENT}${arrow} `, shownWords(safeText(hint, 2000), look), look.columns))
    return lines
  }

  const verdict = (summary: Summary): string[] => {
    if (summary.documents === 0)
      return summary.unreadable.length > 0 ? [] : ["There is no invoice in the input."]
    const told = [
      summary.errors > 0 && counted(summary.errors, "error"),
      summary.warnings > 0 && counted(summary.warnings, "warning"),
    ]
    const found = told.filter(Boolean).join(", ")
    if (summary.documents === 1 && first) {
      const word = first.valid ? paint("green", "valid") : paint("red", "not valid")
      return [`${nameOf(first.file)}: ${word}${found ? `, ${found}` : ""}`]
    }
    const seconds = (summary.milliseconds / 1000).toFixed(1)
    return [
      `${counted(summary.documents, "document")} in ${seconds} s: ` +
        `${paint("green", `${grouped(summary.valid)} valid`)}, ` +
        paint(summary.invalid > 0 ? "red" : "dim", `${grouped(summary.invalid)} not valid`),
      ...(found ? [`${found}:`] : []),
      ...ruleLines(summary.byRule),
    ]
  }

  const unread = ({ unreadable }: Summary): string[] => {
    if (unreadable.length === 0) return []
    const lines = unreadable.flatMap(({ file, reason }) =>
      hanging(INDENT, `${nameOf(file)}: ${safeText(reason)}`, look.columns),
    )
    return [paint(["bold", "red"], `${counted(unreadable.length, "input")} could not be read:`), ...lines]
  }

  return {
    *document(result) {
      first ??= result
      for (const finding of result.findings) yield `${block(result, finding).join("\n")}\n\n`
    },
    end(summary) {
      return [...verdict(summary), ...unread(summary)].map((line) => `${line}\n`).join("")
    },
  }
}

/** How often each rule was broken, the most frequent first. */
function ruleLines(byRule: Record<string, number>): string[] {
  const rules = Object.entries(byRule).sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
  const numbers = rules.map(([, number]) => grouped(number))
  const width = Math.max(0, ...numbers.map((number) => number.length))
  return rules.map(
    ([rule], index) => `${INDENT}${padded(numbers[index] ?? "", width, "right")}  ${safeText(rule)}`,
  )
}

function nameOf(file: string): string {
  return file === "-" ? "standard input" : safeText(file, 1000)
}
