/** Checks a document against the contract: its structure, its numbers as they are written, and the forms of its texts. */
import type { Validator } from "../contract/check.ts"
import { CanonicalInvoice, DraftInvoice } from "../contract/generated/invoice.js"
import { pointerOf, segmentsOf } from "../json/pointer.ts"
import type { JsonDocument } from "../json/read.ts"
import type { Breach, Said } from "./breach.ts"
import { FORMATS } from "./formats.ts"
import { isMultiple, isWhole } from "./numbers.ts"
import type { ExamineOptions } from "./options.ts"
import { fieldOf, INVOICE, placesOf, resolved, type SchemaNode, schemaAt } from "./schema.ts"
import { wordsFor } from "./words.ts"

/** One way in which a document breaks the contract. */
interface ContractProblem extends Said {
  /** The JSON Schema keyword that is broken. */
  keyword: string
  /** JSON Pointer of the value; of its object, where a property is missing or unknown. */
  pointer: string
  property?: string
}

/**
 * Everything in a document that the contract does not allow, each once and in no particular order. A value of the
 * wrong type is reported for its type alone.
 * @param document one that is JSON
 */
export function contractProblems(document: JsonDocument, stage: ExamineOptions["stage"]): ContractProblem[] {
  const { value } = document
  const breaches = [
    ...structureBreaches(stage === "draft" ? DraftInvoice : CanonicalInvoice, value),
    ...writtenBreaches(INVOICE, value, "", (pointer) => document.sourceOf(pointer) ?? ""),
  ]
  return breaches.map(({ keyword, pointer, property }) => {
    const breach: Breach = {
      keyword,
      pointer,
      schema: schemaAt(pointer),
      value: valueAt(value, pointer),
      source: () => document.sourceOf(pointer) ?? "",
      ...(property !== undefined && { property }),
    }
    return { keyword, pointer, ...(property !== undefined && { property }), ...wordsFor(breach) }
  })
}

type Found = Pick<ContractProblem, "keyword" | "pointer" | "property">

function structureBreaches(validate: Validator, value: unknown): Found[] {
  if (validate(value)) return []
  const faults = validate.errors ?? []
  const mistyped = new Set(
    faults.filter(({ keyword }) => keyword === "type").map((fault) => fault.instancePath),
  )
  return faults
    .filter(({ keyword, instancePath }) => keyword === "type" || !mistyped.has(instancePath))
    .map((fault): Found => {
      const { keyword, instancePath: pointer } = fault
      if (keyword === "required") return { keyword, pointer, property: fault.params.missingProperty }
      if (keyword === "additionalProperties")
        return { keyword, pointer, property: fault.params.additionalProperty }
      return { keyword, pointer }
    })
}

/** What can only be judged on the text, or by rules that no JSON Schema keyword states exactly. */
function* writtenBreaches(
  schema: SchemaNode,
  value: unknown,
  pointer: string,
  sourceOf: (pointer: string) => string,
): Generator<Found> {
  const { type, multipleOf, format, items } = schema
  if (typeof value === "number") {
    if (type === "integer" && !isWhole(sourceOf(pointer))) yield { keyword: "type", pointer }
    if (multipleOf !== undefined && !isMultiple(sourceOf(pointer), placesOf(schema)))
      yield { keyword: "multipleOf", pointer }
  } else if (typeof value === "string") {
    if (format !== undefined && FORMATS[format]?.(value)) yield { keyword: "format", pointer }
  } else if (Array.isArray(value)) {
    if (!items) return
    const item = resolved(items)
    for (const [index, element] of value.entries())
      yield* writtenBreaches(item, element, `${pointer}/${index}`, sourceOf)
  } else if (typeof value === "object" && value !== null) {
    for (const [name, child] of Object.entries(value)) {
      const field = fieldOf(schema, name)
      if (field) yield* writtenBreaches(field, child, pointer + pointerOf([name]), sourceOf)
    }
  }
}

function valueAt(root: unknown, pointer: string): unknown {
  let value = root
  for (const segment of segmentsOf(pointer)) value = Object(value)[segment]
  return value
}
