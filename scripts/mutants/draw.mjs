// Draws mutants of TypeScript source by a seed: small changes, each of which some test should notice.
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import path from "node:path"
import { parseAst } from "rolldown/parseAst"
import { globSync } from "tinyglobby"

const COMPARISONS = { "<": "<=", "<=": "<", ">": ">=", ">=": ">", "===": "!==", "!==": "===" }
const OPERATORS = { ...COMPARISONS, "+": "-", "-": "+", "*": "/", "/": "*", "%": "*", "&&": "||", "||": "&&" }
const ASSIGNMENTS = { "+=": "-=", "-=": "+=" }
const METHODS = { some: "every", every: "some", min: "max", max: "min", startsWith: "endsWith" }
/** Calls whose result is like what they are called on. */
const DROPPED = new Set(
  "concat filter flat normalize replace replaceAll reverse slice sort toLowerCase toReversed toSorted toUpperCase trim trimEnd trimStart".split(
    " ",
  ),
)
const STATEMENTS = new Set([
  "BreakStatement",
  "ContinueStatement",
  "ExpressionStatement",
  "ForInStatement",
  "ForOfStatement",
  "ThrowStatement",
])
/** TypeScript's own expressions, of which `expression` runs; all its other nodes are types. */
const TYPED = new Set([
  "TSAsExpression",
  "TSInstantiationExpression",
  "TSNonNullExpression",
  "TSSatisfiesExpression",
])

/**
 * @param room a folder or file of src/, as `orders`, `invoice/accounting` or `orders/booking/rates.ts`
 * @returns `{ file, source }` of what is written by hand there
 */
export function readRoom(root, room) {
  return globSync([`src/${room}/**/*.ts`, `src/${room}`, `src/${room}.ts`], {
    cwd: root,
    ignore: ["**/generated/**", "**/*.d.ts"],
  }).map((file) => ({ file, source: readFileSync(path.join(root, file), "utf8") }))
}

/**
 * @param sources `{ file, source }` of each file
 * @param seed the same one draws the same mutants; changes elsewhere in a file keep most of them
 * @returns at most `count` mutants `{ file, line, start, end, text, change }`, in the order of the source: `text` replaces
 * what is between the offsets
 */
export function drawMutants(sources, { seed, count }) {
  const drawn = sources
    .flatMap(({ file, source }) => listMutants(file, source))
    .map((mutant) => ({ mutant, rank: hash(`${seed} ${mutant.file} ${mutant.change} ${mutant.lineText}`) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : 0))
  const sourceByFile = new Map(sources.map(({ file, source }) => [file, source]))
  const chosen = []
  for (const { mutant } of drawn) {
    if (chosen.length === count) break
    if (canParse(mutate(sourceByFile.get(mutant.file), mutant))) chosen.push(mutant)
  }
  return chosen.sort((a, b) => (a.file === b.file ? a.start - b.start : a.file < b.file ? -1 : 1))
}

/** @returns the source with the change */
export function mutate(source, { start, end, text }) {
  return source.slice(0, start) + text + source.slice(end)
}

/** @returns every change that a file offers */
function listMutants(file, source) {
  const lines = source.split("\n")
  const mutants = []
  walk(parseAst(source, { lang: "ts" }), undefined, (node, parent) => {
    for (const [start, end, text] of listChanges(node, parent, source)) {
      const line = source.slice(0, start).split("\n").length
      // A text as short as an operator says little without its surroundings.
      const isShort = end - start < 10 && text.length < 10
      const around = isShort ? excerpt(source.slice(Math.max(0, start - 25), end + 25)) : ""
      const change = `${excerpt(source.slice(start, end))} → ${excerpt(text) || "(nothing)"}${around && ` in ${around}`}`
      mutants.push({ file, line, start, end, text, change, lineText: lines[line - 1] })
    }
  })
  return mutants
}

/** @returns `[start, end, text]` of each change at a node */
function listChanges(node, parent, source) {
  const textOf = ({ start, end }) => source.slice(start, end)
  const changeOperator = (left, right, to) => {
    const between = source.slice(left.end, right.start)
    const at = left.end + between.indexOf(node.operator)
    return [at, at + node.operator.length, to]
  }
  const changes = []
  if (STATEMENTS.has(node.type) && !node.directive) changes.push([node.start, node.end, "{}"])
  switch (node.type) {
    case "IfStatement":
    case "ConditionalExpression":
    case "WhileStatement":
      // A change that a changed operator makes already is not made twice.
      if (!(node.test.operator in COMPARISONS) && node.test.operator !== "!")
        changes.push([node.test.start, node.test.end, `!(${textOf(node.test)})`])
      break
    case "BinaryExpression":
    case "LogicalExpression":
      if (node.operator === "??") changes.push([node.left.end, node.right.end, ""])
      else if (node.operator in OPERATORS && !(node.operator === "+" && joinsText(node)))
        changes.push(changeOperator(node.left, node.right, OPERATORS[node.operator]))
      break
    case "AssignmentExpression":
      if (node.operator in ASSIGNMENTS && !isText(node.right))
        changes.push(changeOperator(node.left, node.right, ASSIGNMENTS[node.operator]))
      break
    case "UnaryExpression":
      if (node.operator === "!") changes.push([node.start, node.argument.start, ""])
      break
    case "Literal":
      changes.push(...listLiterals(node, parent))
      break
    case "ReturnStatement":
      if (node.argument && textOf(node.argument) !== "undefined")
        changes.push([node.argument.start, node.argument.end, "undefined"])
      break
    case "ArrowFunctionExpression":
      if (node.expression && !isText(node.body) && textOf(node.body) !== "undefined")
        changes.push([node.body.start, node.body.end, "undefined"])
      break
    case "SpreadElement":
      changes.push([node.argument.start, node.argument.end, parent.type === "ObjectExpression" ? "{}" : "[]"])
      break
    case "ArrayExpression":
      for (const [n, element] of node.elements.entries()) {
        if (!element || element.type === "SpreadElement" || isText(element)) continue
        const next = node.elements[n + 1]
        const before = node.elements[n - 1]
        if (next) changes.push([element.start, next.start, ""])
        else changes.push([before?.end ?? element.start, element.end, ""])
      }
      break
    case "CallExpression": {
      const { object, property } = node.callee
      if (node.callee.type !== "MemberExpression" || node.callee.computed) break
      if (DROPPED.has(property.name)) changes.push([object.end, node.end, ""])
      if (Object.hasOwn(METHODS, property.name))
        changes.push([property.start, property.end, METHODS[property.name]])
      break
    }
  }
  return changes
}

function listLiterals({ start, end, value, raw, bigint }, parent) {
  const isName =
    (parent.type === "Property" || parent.type === "PropertyDefinition") && parent.key.start === start
  if (isName) return []
  if (bigint !== undefined) return [[start, end, `${BigInt(bigint) + 1n}n`]]
  if (typeof value === "number") return [[start, end, String(value + 1)]]
  if (typeof value === "boolean") return [[start, end, String(!value)]]
  // A text with a space is a message: golden files hold it.
  if (typeof value === "string" && value !== "" && !/\s/.test(value) && raw) return [[start, end, '""']]
  return []
}

/** Is it text that a person reads, or may be? */
function isText({ type, value }) {
  return type === "TemplateLiteral" || (type === "Literal" && typeof value === "string" && /\s/.test(value))
}

function joinsText(node) {
  if (node.type === "BinaryExpression") return joinsText(node.left) || joinsText(node.right)
  return isText(node) || typeof node.value === "string"
}

/** Goes through what runs: no types, and no imports. */
function walk(node, parent, visit) {
  if (node.type.startsWith("Import") && node.type !== "ImportExpression") return
  if (node.type === "ExportAllDeclaration" || (node.type === "ExportNamedDeclaration" && node.source)) return
  if (TYPED.has(node.type)) return walk(node.expression, parent, visit)
  if (node.type.startsWith("TS")) return
  visit(node, parent)
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value])
      if (typeof child?.type === "string") walk(child, node, visit)
}

function canParse(source) {
  try {
    parseAst(source, { lang: "ts" })
    return true
  } catch {
    return false
  }
}

/** One line, not too long. */
function excerpt(text) {
  const line = text.replaceAll(/\s+/g, " ").trim()
  return line.length > 60 ? `${line.slice(0, 59)}…` : line
}

function hash(text) {
  return createHash("sha256").update(text).digest("hex")
}
