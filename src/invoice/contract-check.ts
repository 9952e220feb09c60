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
    ...writtenBreaches(document),
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
function writtenBreaches(document: JsonDocument): Found[] {
  const found: Found[] = []
  const path: (string | number)[] = []
  const written = (value: number) =>
    document.plainNumbers ? String(value) : (document.sourceOf(pointerOf(path)) ?? "")
  const tell = (keyword: string) => found.push({ keyword, pointer: pointerOf(path) })

  function lookInto(step: string | number, schema: SchemaNode, value: unknown): void {
    path.push(step)
    look(schema, value)
    path.pop()
  }

  function look(schema: SchemaNode, value: unknown): void {
    const { type, multipleOf, format, items } = schema
    if (typeof value === "number") {
      if (type === "integer" && !isWhole(written(value))) tell("type")
      if (multipleOf !== undefined && !isMultiple(written(value), placesOf(schema))) tell("multipleOf")
    } else if (typeof value === "string") {
      if (format !== undefined && FORMATS[format]?.(value)) tell("format")
    } else if (Array.isArray(value)) {
      if (!items) return
      const item = resolved(items)
      for (let index = 0; index < value.length; index++) lookInto(index, item, value[index])
    } else if (typeof value === "object" && value !== null) {
      for (const [name, child] of Object.entries(value)) {
        const field = fieldOf(schema, name)
        if (field) lookInto(name, field, child)
      }
    }
  }

  look(INVOICE, document.value)
  return found
}

function valueAt(root: unknown, pointer: string): unknown {
  let value = root
  for (const segment of segmentsOf(pointer)) value = Object(value)[segment]
  return value
}
