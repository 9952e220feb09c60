/** Finds the errors of one invoice document. `examine.ts` adds words and lines, if there are any. */
import { listErrors } from "../contract/index.ts"
import type { JsonDocument, JsonError } from "../input/index.ts"
import { collectBroken } from "./accounting/books.ts"
import type { AccountingFinding } from "./accounting/rule.ts"
import { checkAccounting } from "./accounting/rules.ts"
import type { ExamineOptions } from "./finding.ts"
import { CanonicalInvoice, DraftInvoice, MANAGED_FIELDS } from "./generated/validators.js"

export interface ContractError {
  keyword: string
  /** JSON Pointer of the value; of its object if a property is missing or unknown. */
  pointer: string
  property?: string
  /** The limits of the keyword, by the names that ajv gives them: `{limit: 500}`. */
  params: Readonly<Record<string, unknown>>
}

/** Everything that is wrong with a document, in no particular order. */
export interface Violations {
  stage: Stage
  jsonErrors: readonly JsonError[]
  contractErrors: readonly ContractError[]
  warnings: readonly AccountingFinding[]
}

type Stage = "canonical" | "draft"

const NO_ERRORS: readonly ContractError[] = []

/** The violations of a document; undefined if there are none. For a text that is not JSON, only that is found. */
export function findViolations(document: JsonDocument, options: ExamineOptions): Violations | undefined {
  const stage = isDraft(document, options.stage) ? "draft" : "canonical"
  const jsonErrors = document.findErrors()
  if (document.syntaxError) return { stage, jsonErrors, contractErrors: [], warnings: [] }
  const contractErrors = findContractErrors(document, stage)
  const wrong = jsonErrors.length === 0 ? contractErrors : [...contractErrors, ...jsonErrors]
  const warnings = options.accounting
    ? checkAccounting(document, collectBroken(wrong), { ...options, isDraft: stage === "draft" })
    : []
  return wrong.length + warnings.length > 0 ? { stage, jsonErrors, contractErrors, warnings } : undefined
}

/** Whether a document is checked as a draft. */
export function isDraft({ value }: Pick<JsonDocument, "value">, stage: ExamineOptions["stage"]): boolean {
  if (stage !== "auto") return stage === "draft"
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false
  return !MANAGED_FIELDS.some((name) => Object.hasOwn(value, name))
}

/**
 * Everything in a document that the contract does not allow, each once. A value of the wrong type is reported for its
 * type alone.
 * @param document one that is JSON
 */
export function findContractErrors(document: JsonDocument, stage: Stage): readonly ContractError[] {
  const validate = stage === "draft" ? DraftInvoice : CanonicalInvoice
  if (validate.call(document, document.value)) return NO_ERRORS
  const errors = (validate.errors ?? []).map((error) =>
    error.keyword === "wholeNumber" ? { ...error, keyword: "type" } : error,
  )
  return listErrors(errors).map(({ keyword, instancePath: pointer, params, property }) => ({
    ...{ keyword, pointer, params },
    ...(property !== undefined && { property }),
  }))
}
