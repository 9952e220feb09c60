/** One JSON object. The counts come after the results, which are written as they come. */
import { jsonText } from "../../terminal/json-text.ts"
import type { Reporter } from "./index.ts"

export function jsonReporter(): Reporter {
  let written = 0
  return {
    begin: () => '{\n  "results": [',
    document: (result) => [`${written++ === 0 ? "" : ","}\n${indented(result, "    ")}`],
    end({ documents, valid, invalid, unreadable }) {
      const close = written === 0 ? "]" : "\n  ]"
      const counts = { documents, valid, invalid, ...(unreadable.length > 0 && { unreadable }) }
      return `${close},\n${jsonText(counts, 2).slice("{\n".length)}\n`
    },
  }
}

function indented(value: unknown, indent: string): string {
  return jsonText(value, 2).replace(/^/gm, indent)
}
