/** One JSON object. The counts come after the results, which are written as they come. */
import { jsonText } from "../../terminal/json-text.ts"
import type { Reporter } from "./index.ts"

export function jsonReporter(): Reporter {
  let written = 0
  return {
    begin: () => '{\n  "results": [',
    *document({ findings, ...result }) {
      yield `${written++ === 0 ? "" : ","}\n${indented(result, "    ").slice(0, -"\n    }".length)},\n      "findings": [`
      for (const [at, finding] of findings.entries())
        yield `${at > 0 ? "," : ""}\n${indented(finding, "        ")}`
      yield findings.length > 0 ? "\n      ]\n    }" : "]\n    }"
    },
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
