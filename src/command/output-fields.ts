/**
 * The fields of `--fields`, by the known output of a command: checked before it does anything, and also for an empty
 * list.
 */
import { quoted } from "../base/parsed.ts"
import { readAsset } from "../base/assets.ts"
import { FreightError } from "../base/errors.ts"
import { suggest } from "../base/suggest.ts"
import { NAMES_DEPTH } from "../output/index.ts"

/** The part of JSON Schema that `scripts/outputs.mjs` writes. */
interface Schema {
  $ref?: string
  type?: string | readonly string[]
  properties?: Readonly<Record<string, Schema>>
  additionalProperties?: boolean | Schema
  items?: Schema
  anyOf?: readonly Schema[]
  [keyword: string]: unknown
}

export interface OutputSchemas {
  $schema: string
  /** By the command, without `freight`. */
  properties: Readonly<Record<string, Schema>>
  $defs: Readonly<Record<string, Schema>>
}

export function readOutputSchemas(): OutputSchemas {
  return JSON.parse(readAsset("schemas/output.schema.json"))
}

/**
 * @param columns what the command prints as a table
 * @param command without `freight`
 * @throws FreightError `usage` for a field that it never prints
 */
export function checkFields(
  fields: readonly string[],
  columns: readonly { readonly key: string }[] = [],
  command: string,
): void {
  const keys = columns.map(({ key }) => key)
  const others = fields.filter((field) => !keys.includes(field))
  if (others.length === 0) return
  const { properties, $defs } = readOutputSchemas()
  const rows = properties[command] ? listRowSchemas(properties[command], $defs) : []
  const unknown = others.find((field) => !rows.some((row) => hasField(row, field.split("."), $defs)))
  if (unknown === undefined) return
  const known = [...new Set([...keys, ...rows.flatMap(({ properties = {} }) => Object.keys(properties))])]
  if (known.length === 0)
    throw new FreightError("usage", `freight ${command} has no fields: leave out --fields`)
  const near = suggest(unknown, known)
  throw new FreightError("usage", `--fields: there is no field ${quoted(unknown)} here`, {
    hint: near ? `Did you mean ${quoted(near)}?` : `The fields are: ${known.join(", ")}.`,
  })
}

/** Schemas of a row: the printed value, or the items of a list in it. */
function listRowSchemas(schema: Schema, defs: OutputSchemas["$defs"], depth = 0): Schema[] {
  return listChoices(schema, defs).flatMap((each) => {
    if (each.items) return listRowSchemas(each.items, defs, depth)
    if (!each.properties) return depth === 0 ? [each] : []
    const parts = depth < NAMES_DEPTH ? Object.values(each.properties) : []
    return [each, ...parts.flatMap((part) => listRowSchemas(part, defs, depth + 1))]
  })
}

/** The alternatives of a schema, without references and choices. */
function listChoices(schema: Schema, defs: OutputSchemas["$defs"]): Schema[] {
  const { $ref, anyOf } = schema
  if ($ref !== undefined) return listChoices(defs[$ref.replace("#/$defs/", "")] ?? {}, defs)
  return anyOf ? anyOf.flatMap((each) => listChoices(each, defs)) : [schema]
}

/** Whether a value of the schema may have the field at the path. A schema without rules allows any. */
function hasField(schema: Schema, [name, ...rest]: readonly string[], defs: OutputSchemas["$defs"]): boolean {
  if (name === undefined) return true
  return listChoices(schema, defs).some((each) => {
    const { type, properties = {}, additionalProperties, items } = each
    const own = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (own) return hasField(own, rest, defs)
    if (items) return hasField(items, /^\d+$/.test(name) ? rest : [name, ...rest], defs)
    if (typeof additionalProperties === "object") return hasField(additionalProperties, rest, defs)
    const isBare = Object.keys(each).every((keyword) => ["type", "description"].includes(keyword))
    return isBare && (type === undefined || [type].flat().includes("object"))
  })
}
