// Things that some machines lack are named where a test is declared, so that the test is skipped without it: `it.runIf(SERVER)`,
// or `isThere: SERVER !== undefined` in the row of a table. Finds what a test file reaches for outside of that; CI
// runs what was skipped on a machine that has it. `node scripts/lint-needs.mjs [FILE...]`
import { readFileSync } from "node:fs"
import { parseAst } from "rolldown/parseAst"
import { globSync } from "tinyglobby"

/** Words that say that it is there, and words that need it. */
const NEEDS = [
  {
    gate: "SERVER",
    what: "a PostgreSQL server",
    names: ["newDatabase", "cutConnections", "loadIntoPostgres", "pg"],
  },
  { gate: "POSTGRES_BIN", what: "PostgreSQL's programs", names: ["startPostgres"] },
  { gate: "TINYPROXY", what: "a proxy", names: ["startTinyproxy"] },
  { gate: "hasScanner", what: "a barcode reader", names: ["scan"] },
  { gate: "hasBrowser", what: "a browser", names: ["measurePages", "printPage"] },
]

const files = process.argv.length > 2 ? process.argv.slice(2) : globSync("test/**/*.test.ts")
const problems = files.sort().flatMap(listProblems)
for (const problem of problems) console.error(problem)
console.log(`needs of tests: ${files.length} files, ${problems.length} problems`)
process.exitCode = problems.length ? 1 : 0

function listProblems(file) {
  const code = readFileSync(file, "utf8")
  const needs = NEEDS.filter(({ names }) => names.some((name) => new RegExp(`\\b${name}\\b`).test(code)))
  if (needs.length === 0) return []
  const program = parseAst(code, { lang: "ts" }, file)
  return needs.flatMap(({ gate, what, names }) =>
    listReaches(program, gate, new Set(names.filter((name) => isImported(program, name)))).map(
      ({ start, name }) =>
        `${file}:${code.slice(0, start).split("\n").length}: ${name} needs ${what}, which not every machine has: put it in a test of runIf(${gate}), or beside isThere: ${gate} !== undefined`,
    ),
  )
}

function isImported(program, name) {
  return program.body.some(
    (node) => node.type === "ImportDeclaration" && node.specifiers.some(({ local }) => local.name === name),
  )
}

/** The uses of some names that no gate surrounds. A function that uses one is such a name itself where it is used. */
function listReaches(program, gate, names) {
  const gates = new Set([gate])
  // The name of what is declared around a use, which answers for it; undefined in a test.
  const reached = new Set()
  const found = []
  const walk = (node, around) => {
    if (Array.isArray(node)) for (const each of node) walk(each, around)
    if (typeof node?.type !== "string" || /^(Import|TS)/.test(node.type) || isGate(node, gates)) return
    const declared = getDeclared(node)
    // `const on = it.runIf(SERVER)` is a gate by another name.
    if (
      node.type === "VariableDeclarator" &&
      node.init?.type === "CallExpression" &&
      mentions(node.init, gates)
    ) {
      gates.add(node.id.name)
      return
    }
    if (node.type === "Identifier" && names.has(node.name) && node.name !== around) {
      if (around !== undefined) reached.add(around)
      else found.push({ start: node.start, name: node.name })
      return
    }
    for (const [key, child] of Object.entries(node)) {
      const isName = (key === "property" || key === "key" || key === "id") && !node.computed
      if (!isName && typeof child === "object") walk(child, around ?? declared)
    }
  }
  walk(program.body, undefined)
  const more = [...reached].filter((name) => !names.has(name))
  return more.length === 0 ? found : listReaches(program, gate, new Set([...names, ...more]))
}

/** A call that the gate is in what is called of, or a row or list of which it is a part. */
function isGate(node, gates) {
  if (node.type === "CallExpression") return mentions(node.callee, gates)
  if (node.type === "ObjectExpression") return node.properties.some(({ value }) => isTest(value, gates))
  if (node.type === "ArrayExpression") return node.elements.some((each) => isTest(each, gates))
  return false
}

function isTest(node, gates) {
  return node?.type === "BinaryExpression" && mentions(node, gates)
}

function mentions(node, gates) {
  if (node === null || typeof node !== "object") return false
  if (node.type === "Identifier") return gates.has(node.name)
  // Tests that are declared inside belong to no gate.
  if (/Function/.test(node.type ?? "")) return false
  return Object.values(node).some((child) => mentions(child, gates))
}

/** The name of a function that is declared here. */
function getDeclared(node) {
  const isFunction =
    node.type === "FunctionDeclaration" ||
    (node.type === "VariableDeclarator" && /Function/.test(node.init?.type ?? ""))
  return isFunction ? node.id.name : undefined
}
