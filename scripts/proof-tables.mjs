// The invoice schema as flat tables in one piece of memory: what src/invoice/proof/ compares bytes with, and a module
// in its language that says where everything stands.
import { readFileSync } from "node:fs"
import path from "node:path"

const schema = JSON.parse(readFileSync(path.resolve(import.meta.dirname, "../schemas/invoice.schema.json")))

/** What a property may hold. The limit of a text is in characters, that of a number in decimals. */
const KINDS = [
  "TEXT",
  "SHORT_TEXT",
  "DATE_TIME",
  "DATE",
  "UUID",
  "EMAIL",
  "WORD",
  "NUMBER",
  "BOOLEAN",
  "OBJECT",
  "LIST",
  "FREE",
]
const FORMATS = { "date-time": "DATE_TIME", date: "DATE", uuid: "UUID", "email-or-empty": "EMAIL" }

/** The parts of a document that the accounting rules read, by the names that they have there. */
const NAMED_SHAPES = {
  Data: "data",
  Line: "data.lineItems[]",
  TaxPart: "data.invoiceSummary.taxBreakdown[]",
  Order: "data.poReferences[]",
  Summary: "data.invoiceSummary",
  Shipping: "data.shipping",
  Supplier: "data.supplier",
  TaxRegistrations: "data.supplier.taxRegistrations",
  Bank: "data.remitTo.bankDetails",
  Terms: "data.paymentTerms",
  DocumentReference: "data.documentReference",
}
const NAMED_WORDS = {
  Purpose: "data.purpose",
  TaxType: "data.invoiceSummary.taxBreakdown[].taxType",
  Operation: "data.operation",
}

/** Where what stands in a shape, in a property of it, and in a set of words; in bytes. */
const SHAPE = { WORDS: 0, FILLED: 2, REQUIRED: 4, REQUIRED_OF_DRAFT: 8, NEXT: 12, PROPERTIES: 44 }
const PROPERTY = { KIND: 0, LENGTH: 1, CELL: 2, LIMIT: 4, PART: 6, NAME: 8, LATEST: 10, BYTES: 12 }
const WORDS = { MASK: 0, ENTRIES: 2, TABLE: 4 }

/** An object has a bit for each of its properties, and notes for each, and for none, which came next. */
const MOST_PROPERTIES = SHAPE.PROPERTIES - SHAPE.NEXT - 1

/** The module `./tables` of src/invoice/proof/. */
export function proofTables() {
  const shapes = []
  const sets = new Map()
  let cells = 0
  shapeOf(schema)

  let size = 0
  const take = (bytes) => {
    const at = size
    size += Math.ceil(bytes / 4) * 4
    return at
  }
  for (const shape of shapes) shape.at = take(SHAPE.PROPERTIES + shape.fields.length * PROPERTY.BYTES)
  for (const set of sets.values()) layOut(set, take)
  const memory = Buffer.alloc(size)
  for (const set of sets.values()) writeWords(memory, set)
  for (const shape of shapes) writeShape(memory, shape)
  return [
    `export const TABLES: usize = memory.data<u8>([${memory.join()}])`,
    `export const ROOT: usize = ${shapes[0].at}`,
    `export const CELLS: u32 = ${cells}`,
    ...constants("SHAPE", SHAPE),
    ...constants("PROPERTY", PROPERTY),
    ...constants("WORDS", WORDS),
    namespace(
      "Kind",
      KINDS.map((kind, number) => [kind, number]),
    ),
    ...Object.entries(NAMED_SHAPES).map(([name, place]) => {
      const { at, fields, cell } = shapeAt(place)
      const parts = fields.flatMap((field, index) => [
        [field.name, cell + index],
        [`${field.name}Bit`, 2 ** index],
      ])
      return namespace(name, [["SHAPE", at], ...parts])
    }),
    ...Object.entries(NAMED_WORDS).map(([name, place]) => {
      const at = place.lastIndexOf(".")
      const { words } = fieldOf(shapeAt(place.slice(0, at)), place.slice(at + 1))
      return namespace(
        name,
        words.map((word, number) => [word.replace(/(?<=[a-z])(?=[A-Z])/g, "_").toUpperCase(), number]),
      )
    }),
    "",
  ].join("\n")

  /** Each place of a document has its own shape, so its cells are its own too. A list is a shape with one property. */
  function shapeOf(given) {
    const properties = Object.entries(given.properties ?? { "[]": given.items })
    if (properties.length > MOST_PROPERTIES) throw new RangeError("a shape has room for 31 properties")
    const names = properties.map(([name]) => name)
    const shape = { fields: [], names: setOf(names), filled: given.minItems > 0, cell: cells }
    shape.required = maskOf(names, (name) => given.required?.includes(name))
    shape.requiredOfDraft = maskOf(
      names,
      (name) => given.required?.includes(name) && !given.properties[name]["x-managed"],
    )
    shapes.push(shape)
    cells += properties.length
    shape.fields = properties.map(([name, own]) => fieldFor(name, resolved(own)))
    return shape
  }

  function fieldFor(name, property) {
    const kind = kindOf(property)
    const words = kind === "WORD" ? (property.enum ?? [property.const]) : []
    if (words.length > 0) setOf(words)
    const part = kind === "OBJECT" || kind === "LIST" ? shapeOf(property) : undefined
    return { name, kind, words, part, limit: limitOf(property) }
  }

  /** The same names and words stand in many places, and are laid out once. */
  function setOf(words) {
    const key = words.join()
    if (!sets.has(key)) sets.set(key, { words })
    return sets.get(key)
  }

  function writeShape(memory, { at, fields, names, filled, required, requiredOfDraft, cell }) {
    memory.writeUInt16LE(names.at, at + SHAPE.WORDS)
    memory.writeUInt8(filled ? 1 : 0, at + SHAPE.FILLED)
    memory.writeUInt32LE(required, at + SHAPE.REQUIRED)
    memory.writeUInt32LE(requiredOfDraft, at + SHAPE.REQUIRED_OF_DRAFT)
    for (const [index, { kind, limit, part, words }] of fields.entries()) {
      const property = at + SHAPE.PROPERTIES + index * PROPERTY.BYTES
      memory.writeUInt8(KINDS.indexOf(kind), property + PROPERTY.KIND)
      memory.writeUInt8(names.words[index].length + 1, property + PROPERTY.LENGTH)
      memory.writeUInt16LE(cell + index, property + PROPERTY.CELL)
      memory.writeUInt16LE(limit, property + PROPERTY.LIMIT)
      memory.writeUInt16LE(part?.at ?? sets.get(words.join())?.at ?? 0, property + PROPERTY.PART)
      memory.writeUInt16LE(names.starts[index], property + PROPERTY.NAME)
    }
  }

  function shapeAt(place) {
    return place
      .replaceAll("[]", ".[]")
      .split(".")
      .reduce((shape, name) => fieldOf(shape, name).part, shapes[0])
  }
}

function fieldOf({ fields }, name) {
  const found = fields.find((field) => field.name === name)
  if (!found) throw new RangeError(`no ${name} in this part of the invoice schema`)
  return found
}

/** A set of words: a hash table, for each word where it stands and its length, then the words with a quote each. */
function layOut(set, take) {
  set.mask = 2 ** Math.ceil(Math.log2(Math.max(4, set.words.length * 3))) - 1
  set.at = take(WORDS.TABLE + set.mask + 1)
  set.entries = take(set.words.length * 4)
  set.starts = []
  let at = take(set.words.reduce((sum, word) => sum + word.length + 1, 0))
  for (const word of set.words) {
    set.starts.push(at)
    at += word.length + 1
  }
}

function writeWords(memory, { words, mask, at, entries, starts }) {
  if (words.length > 127) throw new RangeError("a set has room for 127 words")
  memory.writeUInt16LE(mask, at + WORDS.MASK)
  memory.writeUInt16LE(entries, at + WORDS.ENTRIES)
  const table = memory.subarray(at + WORDS.TABLE, at + WORDS.TABLE + mask + 1).fill(255)
  for (const [number, word] of words.entries()) {
    memory.writeUInt16LE(starts[number], entries + number * 4)
    memory.writeUInt16LE(word.length + 1, entries + number * 4 + 2)
    memory.write(`${word}"`, starts[number], "ascii")
    let cell = hashOf(word) & mask
    while (table[cell] !== 255) cell = (cell + 1) & mask
    table[cell] = number
  }
}

/** As `cellOf` in src/invoice/proof/words.ts. */
function hashOf(word) {
  const code = (at) => word.charCodeAt(at)
  const { length } = word
  if (length === 0) return code('"') + 59 * code('"')
  return code(0) + 19 * code(length - 1) + 59 * (length > 1 ? code(length >> 1) : code(0)) + 41 * length
}

function maskOf(names, isIn) {
  return names.reduce((mask, name, index) => (isIn(name) ? mask + 2 ** index : mask), 0)
}

/** A property's own keywords besides a reference tell nothing of its values. */
function resolved(own) {
  return own.$ref === undefined ? own : schema.$defs[own.$ref.replace("#/$defs/", "")]
}

function kindOf({ properties, items, type, enum: choices, const: only, maxLength, format }) {
  if (properties) return "OBJECT"
  if (items) return "LIST"
  if (type === "object") return "FREE"
  if (type === "boolean") return "BOOLEAN"
  if (type === "number" || type === "integer") return "NUMBER"
  if (choices || only !== undefined) return "WORD"
  if (maxLength !== undefined) return "SHORT_TEXT"
  if (format === undefined) return "TEXT"
  if (!FORMATS[format]) throw new RangeError(`no format ${format}`)
  return FORMATS[format]
}

function limitOf({ maxLength, multipleOf }) {
  return maxLength ?? (multipleOf === undefined ? 0 : Math.round(-Math.log10(multipleOf)))
}

function constants(prefix, values) {
  return Object.entries(values).map(([name, value]) => `export const ${prefix}_${name}: usize = ${value}`)
}

function namespace(name, values) {
  const lines = values.filter(([key]) => /^[A-Za-z]\w*$/.test(key))
  return `export namespace ${name} {\n${lines.map(([key, value]) => `  export const ${key}: u32 = ${value}`).join("\n")}\n}`
}
