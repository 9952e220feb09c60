/** The invoice schema as flat tables: what `verify-scan.ts` compares bytes with. */
import schema from "../../schemas/invoice.schema.json" with { type: "json" }
import type { ExamineOptions } from "./options.ts"
import type { SchemaNode } from "./schema.ts"
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
const FREE = 11

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
  /** As the schema has them. */
  readonly properties: Readonly<Record<string, SchemaNode>>
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

const NO_WORDS: readonly string[] = []
const DEFINITIONS: Readonly<Record<string, SchemaNode>> = schema.$defs
const FORMATS = new Map([
  ["date-time", DATE_TIME],
  ["date", DATE],
  ["uuid", UUID],
  ["email-or-empty", EMAIL],
])
/**
 * Compiles the schema for a stage. Each place of a document has its own shape, so its cells are its own too. One small
 * invoice pays for all of it: this is written in the way that costs least when it runs once.
 */
export function shapesOf(stage: ExamineOptions["stage"]): Shapes {
  const words = createWords()
  const shapes: Shape[] = []
  let cells = 0

  function shapeOf(given: SchemaNode): Shape {
    const properties = given.properties ?? { "[]": given.items ?? {} }
    const names = Object.keys(properties)
    const { length } = names
    if (length > 31) throw new RangeError("an object of the schema has more properties than a mask has bits")
    const kinds = new Uint8Array(length)
    const limits = new Int32Array(length)
    const lists: Words[] = []
    const parts: Shape[] = []
    let required = 0
    const shape: Shape = {
      id: shapes.length,
      names: words(names),
      kinds,
      limits,
      words: lists,
      parts,
      required: 0,
      filled: (given.minItems ?? 0) > 0,
      cells,
      next: new Uint8Array(length + 1),
      properties,
    }
    shapes.push(shape)
    cells += length
    for (let index = 0; index < length; index++) {
      const name = names[index] as string
      const own = properties[name] as SchemaNode
      const property = resolved(own)
      const kind = kindOf(property)
      kinds[index] = kind
      limits[index] = limitOf(property)
      lists.push(words(kind === WORD ? wordsIn(property) : NO_WORDS))
      const isLeftToService = own["x-managed"] === true && stage === "draft"
      if (given.required?.includes(name) && !isLeftToService) required |= 1 << index
      parts.push(kind === OBJECT || kind === LIST ? shapeOf(property) : shape)
    }
    return Object.assign(shape, { required })
  }

  const root = shapeOf(schema)

  /** The shape of an object, or of the list's items where the path ends with `[]`, as in `data.lineItems[]`. */
  function shapeAt(path: string): Shape {
    let shape = root
    for (const name of namesIn(path)) shape = shape.parts[indexOf(shape, name)] as Shape
    return shape
  }

  function fieldAt(path: string): Field {
    const names = namesIn(path)
    const name = names.pop() ?? ""
    let shape = root
    for (const each of names) shape = shape.parts[indexOf(shape, each)] as Shape
    const index = indexOf(shape, name)
    return {
      cell: shape.cells + index,
      bit: 1 << index,
      words: wordsIn(resolved(shape.properties[name] ?? {})),
    }
  }

  return { root, count: shapes.length, cells, shapeAt, fieldAt }
}

/** `data.lineItems[].quantity` is data, lineItems, [] and quantity. */
function namesIn(path: string): string[] {
  return path.replaceAll("[]", ".[]").split(".")
}

/** @throws RangeError when the schema has no such property */
function indexOf({ properties }: Shape, name: string): number {
  const index = Object.keys(properties).indexOf(name)
  if (index < 0) throw new RangeError(`no ${name} in this part of the invoice schema`)
  return index
}

/** The same names and words stand in many places, and are laid out once. */
function createWords(): (words: readonly string[]) => Words {
  const known = new Map<string, Words>()
  return (words) => {
    const key = words.join()
    let found = known.get(key)
    if (!found) {
      found = wordsOf(words)
      known.set(key, found)
    }
    return found
  }
}

/** A property's own keywords besides a reference tell nothing of its values. */
function resolved(own: SchemaNode): SchemaNode {
  if (own.$ref === undefined) return own
  const definition = DEFINITIONS[own.$ref.replace("#/$defs/", "")]
  if (!definition) throw new RangeError(`no ${own.$ref} in the invoice schema`)
  return definition
}

function kindOf(property: SchemaNode): number {
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
function limitOf({ maxLength, multipleOf }: SchemaNode): number {
  return maxLength ?? (multipleOf === undefined ? 0 : Math.round(-Math.log10(multipleOf)))
}

function wordsIn({ const: only, enum: several }: SchemaNode): readonly string[] {
  return several ?? (only === undefined ? NO_WORDS : [only])
}
