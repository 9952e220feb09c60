/** One line for each document: `{file, index?, valid, findings}`. */
import { jsonText } from "../../terminal/json-text.ts"
import type { Reporter } from "./index.ts"

export function ndjsonReporter(): Reporter {
  return {
    *document({ findings, ...result }) {
      yield `${jsonText(result).slice(0, -"}".length)},"findings":[`
      for (const [at, finding] of findings.entries()) yield (at > 0 ? "," : "") + jsonText(finding)
      yield "]}\n"
    },
    end: () => "",
  }
}
