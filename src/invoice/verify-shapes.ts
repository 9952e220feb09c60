/** The invoice schema as flat tables: what `verify-scan.ts` compares bytes with. */
import schema from "../../schemas/invoice.schema.json" with { type: "json" }
import type { ExamineOptions } from "./options.ts"
import { type Words, wordsOf } from "./verify-words.ts"

export const TEXT = 0
/** A text of at most `limits` characters. */
export const SHORT_TEXT = 1
export const DATE_TIME = 2
export const DATE = 3
export const UUID = 4
export const EMAIL = 5
/** One of `words`. */
export const WORD = 6
/** A number with at most `limits` decimals; an integer has none. */
export const NUMBER = 7
export const BOOLEAN = 8
export const OBJECT = 9
export const LIST = 10
/** An object with any names and values. */
export const FREE = 11

/** An object with its properties; a list is a shape with one property, that of its items. */
export interface Shape {
  /** Number of this shape, from 0. */
  readonly id: number
  readonly names: Words
  /** For each property one of the kinds above. */
  readonly kinds: Uint8Array
  readonly limits: Int32Array
  /** For each property its words; none where it is of another kind. */
  readonly words: readonly Words[]
  /** For each property the shape of its objects or lists; this shape itself where it has none. */
  readonly parts: readonly Shape[]
  /** A bit for each property that must be there. */
  readonly required: number
  /** Whether a list has to have an item. */
  readonly filled: boolean
  /** The cell of the first property; the others follow. */
  readonly cells: number
  /** After each property (0 is the beginning) the one that came next in the last object of this shape. */
  readonly next: Uint8Array
}

export interface Shapes {
  readonly root: Shape
  readonly count: number
  readonly cells: number
  /** The shape of the object or the items at a path such as `data.lineItems`. */
  readonly shapeAt: (path: string) => Shape
  /** A property by its path, as in `data.invoiceSummary.subtotal`. */
  readonly fieldAt: (path: string) => Field
}

export interface Field {
  readonly cell: number
  /** Its bit among those of the properties of its object. */
  readonly bit: number
  /** Its words in their order; none where it is of another kind. */
  readonly words: readonly string[]
}

interface Schema {
  $ref?: string
  type?: string
  const?: string
  enum?: readonly string[]
  format?: string
  multipleOf?: number
  maxLength?: number
  minItems?: number
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  items?: Schema
  "x-managed"?: boolean
}

const DEFINITIONS: Readonly<Record<string, Schema>> = schema.$defs
const FORMATS = new Map([
  ["date-time", DATE_TIME],
  ["date", DATE],
  ["uuid", UUID],
  ["email-or-empty", EMAIL],
])
const NO_WORDS = wordsOf([])

/** Compiles the schema for a stage. Each place of a document has its own shape, so its cells are its own too. */
export function shapesOf(stage: ExamineOptions["stage"]): Shapes {
  const shapes = new Map<string, Shape>()
  const fields = new Map<string, Field>()

  function shapeOf(given: Schema, path: string): Shape {
    const properties = Object.entries(given.properties ?? { "[]": given.items ?? {} }).map(
      ([name, property]) => ({ name, path: pathOf(path, name), ...resolved(property) }),
    )
    if (properties.length > 31) throw new RangeError(`${path} has more properties than a mask has bits`)
    const parts: Shape[] = []
    const shape: Shape = {
      id: shapes.size,
      names: wordsOf(properties.map(({ name }) => name)),
      kinds: Uint8Array.from(properties, kindOf),
      limits: Int32Array.from(properties, limitOf),
      words: properties.map((property) =>
        kindOf(property) === WORD ? wordsOf(wordsIn(property)) : NO_WORDS,
      ),
      parts,
      required: properties.reduce(
        (bits, { name, "x-managed": managed }, index) =>
          given.required?.includes(name) && !(managed && stage === "draft") ? bits | (1 << index) : bits,
        0,
      ),
      filled: (given.minItems ?? 0) > 0,
      cells: fields.size,
      next: new Uint8Array(properties.length + 1),
    }
    shapes.set(path, shape)
    for (const [index, property] of properties.entries())
      fields.set(property.path, { cell: fields.size, bit: 1 << index, words: wordsIn(property) })
    for (const property of properties)
      parts.push(property.properties || property.items ? shapeOf(property, property.path) : shape)
    return shape
  }

  const root = shapeOf(schema, "")
  return {
    root,
    count: shapes.size,
    cells: fields.size,
    shapeAt: (path) => found(shapes, path),
    fieldAt: (path) => found(fields, path),
  }
}

function pathOf(parent: string, name: string): string {
  return parent === "" || name === "[]" ? parent + name : `${parent}.${name}`
}

function resolved({ $ref, ...own }: Schema): Schema {
  if ($ref === undefined) return own
  const definition = DEFINITIONS[$ref.replace("#/$defs/", "")]
  if (!definition) throw new RangeError(`no ${$ref} in the invoice schema`)
  return { ...definition, ...own }
}

function kindOf(property: Schema): number {
  if (property.properties) return OBJECT
  if (property.items) return LIST
  if (property.type === "object") return FREE
  if (property.type === "boolean") return BOOLEAN
  if (property.type === "number" || property.type === "integer") return NUMBER
  if (property.enum || property.const !== undefined) return WORD
  if (property.maxLength !== undefined) return SHORT_TEXT
  if (property.format === undefined) return TEXT
  const kind = FORMATS.get(property.format)
  if (kind === undefined) throw new RangeError(`no format ${property.format}`)
  return kind
}

/** Characters of a text, decimals of a number. */
function limitOf({ maxLength, multipleOf }: Schema): number {
  return maxLength ?? (multipleOf === undefined ? 0 : Math.round(-Math.log10(multipleOf)))
}

function wordsIn({ const: only, enum: several }: Schema): readonly string[] {
  return several ?? (only === undefined ? [] : [only])
}

function found<Value>(map: ReadonlyMap<string, Value>, path: string): Value {
  const value = map.get(path)
  if (value === undefined) throw new RangeError(`no ${path} in the invoice schema`)
  return value
}
