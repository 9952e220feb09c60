/** What `freight-cli/invoice` exports. Its types, as published, are `library-types.d.ts`. */
import { decodeJsonBytes } from "../json/read.ts"
import { RULES } from "./accounting/rules.ts"
import { examine } from "./examine.ts"
import type { Finding } from "./finding.ts"
import type * as published from "./library-types.d.ts"
import type { ExamineOptions } from "./options.ts"

/** Checks one invoice document; see the published types for input, options and errors. */
export const validateInvoice: typeof published.validateInvoice = (input, options = {}) => {
  const settings = settingsOf(options)
  const findings = input instanceof Uint8Array ? inBytes(input, settings) : examine(textOf(input), settings)
  return { valid: !findings.some(({ severity }) => severity === "error"), findings }
}

const OPTIONS = ["draft", "accounting", "strict", "rules"]
const SEVERITIES = ["off", "warning", "error"]

function settingsOf(options: published.ValidateOptions): ExamineOptions {
  for (const name of Object.keys(options))
    if (!OPTIONS.includes(name)) throw new RangeError(`there is no option '${name}'`)
  const { draft = false, accounting = true, strict = false, rules = {} } = options
  for (const [rule, severity] of Object.entries(rules)) {
    if (!RULES.some(({ id }) => id === rule))
      throw new RangeError(`rules: there is no accounting rule '${rule}'`)
    if (!SEVERITIES.includes(severity))
      throw new RangeError(`rules: ${rule} takes ${SEVERITIES.join(", ")}, not '${severity}'`)
  }
  return { stage: draft ? "draft" : "canonical", accounting, strict, rules }
}

function inBytes(bytes: Uint8Array, settings: ExamineOptions): Finding[] {
  const decoded = decodeJsonBytes(bytes)
  if ("text" in decoded) return examine(decoded.text, settings)
  const { offset: _, ...problem } = decoded.problem
  return [{ severity: "error", ...problem }]
}

function textOf(input: string | object): string {
  if (typeof input === "string") return input
  const text: string | undefined = JSON.stringify(input, null, 2)
  if (text === undefined) throw new TypeError("a document is JSON text, its bytes, or an object")
  return text
}
