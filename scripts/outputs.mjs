// Writes schemas/output.schema.json: what each command prints under --json, as JSON Schema. It is read off the program: of
// each command of the tree, the types of what its `run` hands to the functions that print. `--out FILE` writes elsewhere.
// The types of the libraries are read off the same program, and written for the bundle.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import path from "node:path"
import { parseArgs } from "node:util"
import * as is from "typescript/unstable/ast/is"
import { SymbolFlags, TypeFlags } from "typescript/unstable/sync"
import { findAll, openProgram, resolveAlias, ROOT } from "./checker.mjs"
import { emitTypes } from "./library-types.mjs"

const SOURCE = path.join(ROOT, "src")
const TREE = path.join(SOURCE, "app/tree.ts")
const DECLARED = path.join(SOURCE, "app/outputs.ts")
/** For `scripts/bundle.mjs`, which publishes them. */
const TYPES = path.join(ROOT, ".build/types")
/** The type of what goes to standard error meanwhile. */
const MESSAGES = { file: path.join(SOURCE, "base/errors.ts"), name: "MessageJson" }

/** Functions that print JSON: which argument has it, and whether that is a view, an object of freight's own, or anything as it is. */
const SINKS = new Map([
  ["print", { at: 1, isView: true }],
  ["printPages", { at: 1, isView: true }],
  ["printJson", { at: 1 }],
  ["printForPrograms", { at: 1, isOwn: true }],
])
/** The shape of every list. */
const LIST = { file: path.join(SOURCE, "output/terminal/view.ts"), name: "List" }
const SINK_FILES = ["output/terminal/view.ts", "command/saved.ts"].map((file) => path.join(SOURCE, file))

const { values } = parseArgs({ options: { out: { type: "string", default: "schemas/output.schema.json" } } })
const opened = openProgram()
const { checker, program, project } = opened
/** The JSON that declarations print, and the functions that they use, by their places. */
const read = new Map()
const PRINTING = findPrintingFiles()
try {
  writeFileSync(path.resolve(ROOT, values.out), `${JSON.stringify(describeOutputs(), null, 1)}\n`)
  mkdirSync(TYPES, { recursive: true })
  for (const [name, text] of await emitTypes(opened)) writeFileSync(path.join(TYPES, `${name}.d.ts`), text)
} finally {
  opened.close()
}

/** @returns the schemas of all commands by their names, and those that they share by the names of their types */
function describeOutputs() {
  const shared = createSchemas()
  const { types: declared, abouts } = findDeclared()
  const commands = {}
  for (const { name, symbol } of [...listCommands(), { name: "help" }]) {
    const found = declared.get(name)
    const printed = found ? [{ type: found, types: new Map() }] : symbol ? listPrinted(symbol) : []
    declared.delete(name)
    const schema = anyOf(printed.map(shared.describe))
    const about = abouts.get(name)
    if (schema) commands[name] = { ...(about && { description: about }), ...schema }
  }
  shared.describe(findMessages())
  if (declared.size > 0) throw new Error(`no command is called ${[...declared.keys()].join(", ")}`)
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: "output.schema.json",
    title: "What commands print under --json",
    description:
      "Each property is what the command of that name prints, without --fields. MessageJson is a line on standard error meanwhile, also with --format ndjson. Later versions may add properties, and values to those that have a list of them.",
    type: "object",
    properties: commands,
    $defs: Object.fromEntries([...shared.defs].sort(([one], [other]) => (one < other ? -1 : 1))),
  }
}

/** Declared outputs of commands whose JSON is written in pieces. */
function findDeclared() {
  const [declaration] = findAll(program.getSourceFile(DECLARED), is.isInterfaceDeclaration)
  const type = checker.getTypeAtLocation(declaration)
  const properties = checker.getPropertiesOfType(type)
  return {
    types: new Map(properties.map((symbol) => [symbol.name, checker.getTypeOfSymbol(symbol)])),
    abouts: new Map(properties.map((symbol) => [symbol.name, describeSymbol(symbol)])),
  }
}

function findMessages() {
  const aliases = findAll(program.getSourceFile(MESSAGES.file), is.isTypeAliasDeclaration)
  const alias = aliases.find((each) => each.name.text === MESSAGES.name)
  return { type: checker.getTypeAtLocation(alias), types: new Map() }
}

function describeSymbol(symbol) {
  return symbol.getDocumentationComment(checker).replace(/\s+/g, " ").trim()
}

// The commands of the tree

function listCommands() {
  const file = program.getSourceFile(TREE)
  const variables = new Map(findAll(file, is.isVariableDeclaration).map((each) => [each.name.text, each]))
  const found = []
  visit([], variables.get("TREE").initializer)
  return found

  function visit(above, node) {
    if (is.isCallExpression(node) && is.isIdentifier(node.expression) && isText(node.arguments[0])) {
      const [{ text: name } = {}, , load, ...more] = node.arguments
      const words = [...above, name]
      switch (node.expression.text) {
        case "command":
          found.push({ name: words.join(" "), symbol: findLoaded(load) })
          for (const each of more) visit(words, each)
          return
        case "group":
          for (const each of [load, ...more]) visit(words, each)
          return
        case "family":
          for (const { name: child } of more[0].properties)
            found.push({
              name: [...words, child.text].join(" "),
              symbol: findExport(findModule(load), child.text),
            })
          return
      }
    }
    // The commands below `freight disputes` are a list of their own.
    if (is.isIdentifier(node) && node.text === "DISPUTES")
      for (const { name: child, initializer } of variables.get("DISPUTES").initializer.properties)
        found.push({
          name: [...above, child.text].join(" "),
          symbol: findLoaded(initializer.elements[1]),
        })
    node.forEachChild((child) => void visit(above, child))
  }
}

function isText(node) {
  return node !== undefined && is.isStringLiteral(node)
}

/** The declaration that `() => import(file)` or `async () => (await import(file)).name` loads. */
function findLoaded(load) {
  if (is.isPropertyAccessExpression(load.body))
    return resolveAlias(checker, checker.getSymbolAtLocation(load.body.name))
  return findExport(findModule(load), "default")
}

function findModule(load) {
  const [specifier] = findAll(load, is.isStringLiteral)
  return checker.getSymbolAtLocation(specifier)
}

function findExport(module, name) {
  const found = [...module.getExports()].find(([each]) => each === name)
  if (!found) throw new Error(`${module.name} does not export ${name}`)
  return resolveAlias(checker, found[1])
}

// The JSON that a command prints

/** @returns the types of all that a command's `run` may print, and what their type parameters stand for */
function listPrinted(symbol) {
  const printed = []
  const seen = new Set()
  const queue = declarationsOf(symbol).map((node) => ({ node, types: new Map() }))
  for (let next = queue.pop(); next; next = queue.pop()) {
    const { node, types } = next
    const id = `${node.getSourceFile().fileName}:${node.pos} ${[...types].map(([from, { type }]) => `${from}=${type.id}`)}`
    if (seen.has(id)) continue
    seen.add(id)
    const { sinks, uses, calls } = readDeclaration(node)
    for (const each of sinks) printed.push(...each.types().map((type) => ({ type, types })))
    for (const use of uses) queue.push({ node: use, types: new Map() })
    for (const call of calls) queue.push({ node: call.node, types: call.bind(types) })
  }
  return printed
}

/** The JSON that a declaration prints, and the functions that it uses: read once. */
function readDeclaration(node) {
  const id = `${node.getSourceFile().fileName}:${node.pos}`
  const known = read.get(id)
  if (known) return known
  const names = findAll(node, is.isIdentifier)
  const symbols = names.length > 0 ? checker.getSymbolAtLocation(names) : []
  const result = { sinks: [], uses: [], calls: [] }
  for (const [at, name] of names.entries()) {
    if (
      name.parent.name === name &&
      !is.isShorthandPropertyAssignment(name.parent) &&
      !is.isPropertyAccessExpression(name.parent)
    )
      continue
    const isShorthand = is.isShorthandPropertyAssignment(name.parent)
    const symbol = resolveAlias(
      checker,
      isShorthand ? checker.getShorthandAssignmentValueSymbol(name.parent) : symbols[at],
    )
    if (!symbol) continue
    const { parent } = name
    const call = is.isCallExpression(parent) && parent.expression === name ? parent : undefined
    const nodes = declarationsOf(symbol)
    if (call && SINKS.has(symbol.name) && nodes.some((each) => SINK_FILES.includes(fileOf(each)))) {
      result.sinks.push({ types: () => typesPrinted(SINKS.get(symbol.name), call) })
      continue
    }
    for (const each of nodes) {
      if (SINK_FILES[0] === fileOf(each)) continue
      if (call && each.typeParameters?.length > 0)
        result.calls.push({ node: each, bind: (types) => bindTypes(each, call, types) })
      else result.uses.push(each)
    }
  }
  read.set(id, result)
  return result
}

/** The files that print, or load one that does: what is in others need not be looked through. */
function findPrintingFiles() {
  const importers = new Map()
  for (const name of readdirSync(SOURCE, { recursive: true })) {
    if (!name.endsWith(".ts")) continue
    const file = path.join(SOURCE, name)
    for (const [, loaded] of readFileSync(file, "utf8").matchAll(/(?:from |import\()"(\.[^"]+\.ts)"/g)) {
      const other = path.resolve(file, "..", loaded)
      importers.set(other, [...(importers.get(other) ?? []), file])
    }
  }
  const found = new Set(SINK_FILES)
  for (const file of found) for (const importer of importers.get(file) ?? []) found.add(importer)
  return found
}

function fileOf(node) {
  return node.getSourceFile().fileName
}

/** Functions and values of this program; not types, parameters, and what is only declared. */
function declarationsOf(symbol) {
  return symbol.declarations
    .filter(({ path: file }) => PRINTING.has(file))
    .map((handle) => handle.resolve(project))
    .map((node) => (node && is.isBindingElement(node) ? outermost(node) : node))
    .filter(
      (node) => node && (node.body ?? node.initializer ?? node.expression ?? node.members) !== undefined,
    )
    .filter((node) => !is.isParameterDeclaration(node) && !is.isInterfaceDeclaration(node))
}

function outermost(node) {
  let declaration = node
  while (is.isBindingElement(declaration) || is.isBindingPattern(declaration))
    declaration = declaration.parent
  return declaration
}

function typesPrinted({ at, isView, isOwn }, call) {
  const value = call.arguments[at]
  const type = checker.getTypeAtLocation(value)
  if (isOwn) return [{ single: type }]
  if (!isView) return [type]
  const property = (name) => {
    const symbol = checker.getPropertyOfType(type, name)
    const found = symbol && checker.getTypeOfSymbolAtLocation(symbol, value)
    return found && (found.flags & TypeFlags.Undefined) === 0 ? found : undefined
  }
  const reply = property("reply")
  if (reply) return [reply]
  const rows = property("rows") ?? property("pages")
  if (!property("single")) return [{ list: property("items") ?? rows, summary: property("summary") }]
  const json = property("json")
  return [json ? { single: json } : { single: rows, isFirst: true }]
}

/** The declaration of every list's shape. */
function findListType() {
  const interfaces = findAll(program.getSourceFile(LIST.file), is.isInterfaceDeclaration)
  return checker.getTypeAtLocation(interfaces.find((each) => each.name.text === LIST.name))
}

/** The types of a function's type parameters in a call of it. @param outer those of the function that calls it */
function bindTypes(declaration, call, outer) {
  const types = new Map()
  const signature = checker.getResolvedSignature(call)
  const declared = checker.getSignatureFromDeclaration(declaration)
  for (const at of declaration.parameters.keys())
    bind(checker.getParameterType(declared, at), checker.getParameterType(signature, at))
  return types

  function bind(from, to, depth = 0) {
    if (!from || !to || depth > 4 || from === to) return
    if (from.isTypeParameter()) types.set(from.id, outer.get(to.id) ?? { type: to, types: outer })
    else if (from.isTypeReference() && to.isTypeReference()) {
      const [ours, theirs] = [from, to].map((type) => checker.getTypeArguments(type))
      for (const [at, each] of ours.entries()) bind(each, theirs[at], depth + 1)
    }
  }
}

// Types as JSON Schema

function createSchemas() {
  const defs = new Map()
  const names = new Map()
  const kept = new Map()
  return { defs, describe: (printed) => describePrinted(printed) }

  function describePrinted({ type, types }) {
    if (!type.list && !type.single) return describe(type, types)
    const { type: _, ...list } = describeObject(findListType(), new Map(), 0)
    const { warnings, ...others } = list.properties
    if (type.single) {
      const found = describe(type.single, types)
      return addTo(type.isFirst ? found.items : found, { warnings })
    }
    const items = { ...describe(type.list, types), description: others.items.description }
    const empty = { type: "object", properties: { ...others, items }, required: Object.keys(others) }
    const parts = type.summary
      ? resolveSchema(describe(type.summary, types))
      : { properties: {}, required: [] }
    const whole = addTo(empty, parts.properties, parts.required)
    return addTo(whole, { warnings })
  }

  function resolveSchema(schema) {
    return schema.$ref ? resolveSchema(defs.get(schema.$ref.replace("#/$defs/", ""))) : schema
  }

  function addTo(schema, properties, required = Object.keys(properties)) {
    const { description, ...found } = resolveSchema(schema)
    if (found.anyOf) return { ...found, anyOf: found.anyOf.map((each) => addTo(each, properties, required)) }
    return {
      ...found,
      properties: { ...found.properties, ...properties },
      required: [...new Set([...(found.required ?? []), ...required])],
    }
  }

  /** @param types what type parameters stand for */
  function describe(type, types, depth = 0) {
    if (depth === 0 || types.size > 0) return describeType(type, types, depth)
    if (!kept.has(type.id)) kept.set(type.id, describeType(type, types, depth))
    return kept.get(type.id)
  }

  function describeType(type, types, depth) {
    if (depth > 30) throw new Error(`${checker.typeToString(type)} has no end`)
    const { flags } = type
    if (flags & TypeFlags.AnyOrUnknown) return {}
    if (flags & TypeFlags.StringLiteral) return { const: type.value }
    if (flags & TypeFlags.NumberLiteral) return { const: type.value }
    if (flags & TypeFlags.BooleanLiteral) return { const: checker.typeToString(type) === "true" }
    if (flags & (TypeFlags.String | TypeFlags.TemplateLiteral | TypeFlags.StringMapping))
      return { type: "string" }
    if (flags & TypeFlags.Number) return { type: "number" }
    if (flags & TypeFlags.Boolean) return { type: "boolean" }
    if (flags & TypeFlags.Null) return { type: "null" }
    if (flags & TypeFlags.NonPrimitive) return { type: "object" }
    if (flags & (TypeFlags.Undefined | TypeFlags.Void | TypeFlags.Never)) return undefined
    if (type.isTypeParameter()) {
      const bound = types.get(type.id)
      const otherwise = () => ({
        type: checker.getBaseConstraintOfType(type) ?? checker.getUnknownType(),
        types,
      })
      const { type: found, types: outer } = bound ?? otherwise()
      return describe(found, outer, depth + 1)
    }
    if (type.isUnionType())
      return named(type, types, () => anyOf(type.getTypes().map((each) => describe(each, types, depth + 1))))
    if (
      flags &
      (TypeFlags.IndexedAccess | TypeFlags.Conditional | TypeFlags.Index | TypeFlags.Substitution)
    ) {
      const base = checker.getBaseConstraintOfType(type)
      return base && base !== type ? describe(base, types, depth + 1) : {}
    }
    if (type.isTupleType() || (type.isTypeReference() && type.getTarget().isTupleType?.())) {
      const items = checker.getTypeArguments(type).map((each) => describe(each, types, depth + 1))
      return { type: "array", items: anyOf(items) ?? {} }
    }
    if (checker.isArrayType(type)) {
      const [item] = checker.getTypeArguments(type)
      return { type: "array", items: describe(item, types, depth + 1) ?? {} }
    }
    const name = type.getSymbol()?.name
    if (name === "AsyncGenerator" || name === "AsyncIterable") {
      // A list that is written page by page.
      return describe(checker.getTypeArguments(type)[0], types, depth + 1)
    }
    if (name === "Promise") return describe(checker.getTypeArguments(type)[0], types, depth + 1)
    if (name === "Date") return { type: "string", format: "date-time" }
    const written = checker.getPropertyOfType(type, "toJSON")
    if (written) {
      const [method] = checker.getSignaturesOfType(checker.getTypeOfSymbol(written), 0)
      return describe(checker.getReturnTypeOfSignature(method), types, depth + 1)
    }
    const [called] = checker.getSignaturesOfType(type, 0)
    if (called) return depth === 0 ? describe(checker.getReturnTypeOfSignature(called), types, 1) : undefined
    return named(type, types, () => describeObject(type, types, depth))
  }

  function describeObject(type, types, depth) {
    const parts = type.isIntersectionType() ? type.getTypes() : [type]
    // Properties of a type parameter are those of what it stands for.
    const known = parts.flatMap((part) => {
      const bound = part.isTypeParameter() ? types.get(part.id) : undefined
      return bound ? [bound] : []
    })
    const properties = {}
    const required = []
    const add = (each, of) => {
      for (const symbol of checker.getPropertiesOfType(each)) {
        if (symbol.name.startsWith("__")) continue
        const found = checker.getTypeOfSymbol(symbol)
        const schema = describe(found, of, depth + 1)
        if (!schema) continue
        const about = describeSymbol(symbol)
        properties[symbol.name] = { ...schema, ...(about && { description: about }) }
        const isThere = (symbol.flags & SymbolFlags.Optional) === 0 && !mayBeUndefined(found)
        if (isThere) required.push(symbol.name)
      }
    }
    add(type, types)
    for (const bound of known) add(bound.type, bound.types)
    const [index] = checker.getIndexInfosOfType(type)
    const values = index && describe(index.valueType, types, depth + 1)
    return {
      type: "object",
      ...(Object.keys(properties).length > 0 && { properties }),
      ...(required.length > 0 && { required: [...new Set(required)] }),
      ...(values && Object.keys(values).length > 0 && { additionalProperties: values }),
    }
  }

  /** A type that has a name stands once. */
  function named(type, types, make) {
    const symbol = type.getAliasSymbol() ?? (type.isClassOrInterface() ? type.getSymbol() : undefined)
    const isGeneric = (type.getAliasTypeArguments()?.length ?? 0) > 0 || types.size > 0
    if (!symbol || isGeneric || symbol.name.startsWith("__")) return make()
    // An interface that extends another type is a reference, too.
    if (type.isTypeReference?.() && !type.isClassOrInterface()) return make()
    if (type.isUnionType() && type.getTypes().every(({ flags }) => flags & TypeFlags.Unit)) return make()
    const known = names.get(type.id)
    if (known) return { $ref: `#/$defs/${known}` }
    let name = symbol.name
    for (let at = 2; defs.has(name); at++) name = `${symbol.name}${at}`
    names.set(type.id, name)
    defs.set(name, {})
    defs.set(name, make())
    return { $ref: `#/$defs/${name}` }
  }
}

function mayBeUndefined(type) {
  const parts = type.isUnionType() ? type.getTypes() : [type]
  return parts.some(({ flags }) => flags & (TypeFlags.Undefined | TypeFlags.AnyOrUnknown))
}

/** One schema for several: words together, and each once. */
function anyOf(schemas) {
  const each = new Map(schemas.filter(Boolean).map((schema) => [JSON.stringify(schema), schema]))
  const parts = [...each.values()].flatMap((schema) =>
    schema.anyOf && Object.keys(schema).length === 1 ? schema.anyOf : [schema],
  )
  if (parts.some((schema) => Object.keys(schema).length === 0)) return {}
  const constants = parts.filter((schema) => "const" in schema || "enum" in schema)
  const words = [...new Set(constants.flatMap((schema) => schema.enum ?? [schema.const]))]
  const others = parts.filter((schema) => !constants.includes(schema))
  if (words.includes(true) && words.includes(false)) {
    others.push({ type: "boolean" })
    for (const word of [true, false]) words.splice(words.indexOf(word), 1)
  }
  const plain = others.filter((schema) => Object.keys(schema).join() === "type")
  const rest = others.filter((schema) => !plain.includes(schema))
  const names = [...new Set(plain.flatMap(({ type }) => type))].sort()
  const all = [
    ...(names.length > 0 ? [{ type: names.length === 1 ? names[0] : names }] : []),
    ...(words.length === 1 ? [{ const: words[0] }] : words.length > 1 ? [{ enum: words.sort() }] : []),
    // In an order that does not depend on which type was read first.
    ...rest.sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)),
  ]
  const unique = [...new Map(all.map((schema) => [JSON.stringify(schema), schema])).values()]
  return unique.length > 1 ? { anyOf: unique } : unique[0]
}
