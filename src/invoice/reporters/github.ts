/** Annotations for GitHub Actions: workflow commands, which show beside the lines of a pull request. */
import { counted } from "../../contract/counted.ts"
import { safeText } from "../../contract/safe-text.ts"
import type { Finding } from "../finding.ts"
import type { Reporter } from "./index.ts"

export function githubReporter(): Reporter {
  return {
    *document({ file, index, findings }) {
      for (const finding of findings) yield annotation(file, index, finding)
    },
    end({ documents, valid, invalid, unreadable }) {
      const unread = unreadable.map(
        ({ file, reason }) => `::error file=${property(file)},title=not read::${data(reason)}\n`,
      )
      return `${unread.join("")}${counted(documents, "document")}: ${valid} valid, ${invalid} not valid\n`
    },
  }
}

function annotation(file: string, index: number | undefined, finding: Finding): string {
  const { severity, line, column, rule, message, hint } = finding
  const which = index === undefined ? "" : `index ${index}: `
  const properties = `file=${property(file)},line=${line},col=${column},title=${property(rule)}`
  return `::${severity} ${properties}::${data(`${which}${message}${hint ? ` (${hint})` : ""}`)}\n`
}

/** The text of a command: what would end it, or begin an escape, is escaped. */
function data(text: string): string {
  return safeText(text, 4000).replace(/[%\r\n]/g, escaped)
}

/** The value of a property, in which colons and commas have a meaning too. */
function property(text: string): string {
  return safeText(text, 4000).replace(/[%\r\n:,]/g, escaped)
}

function escaped(mark: string): string {
  return `%${mark.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`
}
