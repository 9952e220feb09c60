/** One line for each document: `{file, index?, valid, findings}`. */
import { jsonText } from "../../terminal/json-text.ts"
import type { Reporter } from "./index.ts"

export function ndjsonReporter(): Reporter {
  return { document: (result) => [`${jsonText(result)}\n`], end: () => "" }
}
