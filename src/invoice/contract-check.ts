/** Judges a document by the contract's schema, and puts into words what breaks it. */
import { segmentsOf, valueAt } from "../json/pointer.ts"
import type { JsonDocument } from "../json/read.ts"
import type { Said } from "./breach.ts"
import { CanonicalInvoice, DraftInvoice } from "./generated/validators.js"
import type { SchemaError } from "./judge.ts"
import type { ExamineOptions } from "./options.ts"
import { schemaAt } from "./schema.ts"
import { wordsFor } from "./words.ts"

/** One way in which a document breaks the contract. */
export interface ContractError {
  /** The JSON Schema keyword that is broken. */
  keyword: string
  /** JSON Pointer of the value; of its object, where a property is missing or unknown. */
  pointer: string
  property?: string
  /** What the keyword asks for, by the names that ajv gives it: `{limit: 500}`. */
  params: SchemaError["params"]
}

const NONE: readonly ContractError[] = []

/**
 * Everything in a document that the contract does not allow, each once and in no particular order. A value of the
 * wrong type is reported for its type alone.
 * @param document one that is JSON
 */
export function findContractErrors(
  document: JsonDocument,
  stage: ExamineOptions["stage"],
): readonly ContractError[] {
  const validate = stage === "draft" ? DraftInvoice : CanonicalInvoice
  if (validate.call(document, document.value)) return NONE
  const errors = (validate.errors ?? []).filter(({ keyword }) => keyword !== "if").map(toContractError)
  const mistyped = new Set(errors.filter(({ keyword }) => keyword === "type").map(({ pointer }) => pointer))
  const found = new Map<string, ContractError>()
  for (const error of errors) {
    const { keyword, pointer, property } = error
    if (keyword === "type" || !mistyped.has(pointer)) found.set(`${keyword} ${pointer} ${property}`, error)
  }
  return [...found.values()]
}

/** What is reported for an error: the place and what is wrong there, and the fix where it is plain. */
export function describeContractError(document: JsonDocument, error: ContractError): Said {
  return wordsFor({
    ...error,
    schema: schemaAt(error.pointer),
    value: valueAt(document.value, segmentsOf(error.pointer)),
    source: () => document.sourceOf(error.pointer) ?? "",
  })
}

/** How ajv names the property that a keyword is about. */
const PROPERTY_PARAMS = {
  required: "missingProperty",
  dependentRequired: "missingProperty",
  additionalProperties: "additionalProperty",
} as const

function toContractError({ keyword, instancePath: pointer, params }: SchemaError): ContractError {
  if (keyword === "wholeNumber") return { keyword: "type", pointer, params }
  const named = keyword in PROPERTY_PARAMS && params[PROPERTY_PARAMS[keyword as keyof typeof PROPERTY_PARAMS]]
  return { keyword, pointer, params, ...(typeof named === "string" && { property: named }) }
}
