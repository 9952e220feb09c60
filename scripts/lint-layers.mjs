// Our own: dependency-cruiser cannot read TypeScript 7, and Biome's import rules cannot say what a room may import.
// Imports run one way, down the list of rooms, and in no circle inside a room, types included. This check holds that, that
// no command imports another, and that only the named files touch the process, the network or the prompts. A folder given as
// the argument is checked instead of src/. With --tests it also lists the files inside rooms that tests open, as they may.
import { readdirSync, readFileSync } from "node:fs"
import path from "node:path"
import { hasDoor, listUntaken, passDoors } from "./doors.mjs"

const given = process.argv.slice(2).find((word) => !word.startsWith("--"))
const SRC = given ? path.resolve(given) : path.resolve(import.meta.dirname, "../src")

/** The folders of src/. Each may import those below it. */
const ORDER = [
  "app",
  "commands",
  "mcp",
  "reports",
  "bills",
  "orders",
  "invoice",
  "command",
  "session",
  "sandbox",
  "machine",
  "ledger",
  "api",
  "input",
  "output",
  "contract",
  "carriers",
  "base",
]

/**
 * Where the list allows more than is meant.
 * Inside the ledger: the claim does not know what else is recorded, drivers know no table, and the schema stands above the
 * records, each of which describes its own columns.
 * Inside bills: what is read is matched, audited, disputed and posted, in this order; what is kept in the ledger knows none of
 * that.
 * Inside orders: a booking knows nothing of the ways in which orders come.
 * The sandbox judges by its own reading of the contract, and knows no rule of the client, nor its ledger.
 */
const INSIDE = [
  { from: /^sandbox\//, to: /^(machine\/config|ledger)\// },
  { from: /^sandbox\//, to: /^carriers\/(?!names\.ts)/ },
  {
    from: /^sandbox\//,
    to: /^contract\/(carrier-fields|collection-times|contacts|payer|rate-link|request-rules)\.ts/,
  },
  { from: /^ledger\/(?!(open|by-hand|schema)\.ts)[^/]+$/, to: /^ledger\/(records|maintenance)\// },
  { from: /^ledger\/(?!(open|schema)\.ts|maintenance\/)/, to: /^ledger\/schema\.ts/ },
  { from: /^ledger\/database\//, to: /^ledger\/(?!database\/)/ },
  { from: /^orders\/(booking|lookup|printing|tracking)\//, to: /^orders\/(batch|wizard|manifest)\// },
  { from: /^bills\/records\//, to: /^bills\/(?!records\/|money\.ts|verdicts\.ts)/ },
  { from: /^bills\/reading\//, to: /^bills\/(matching|audit|disputes|books)\// },
  { from: /^bills\/matching\//, to: /^bills\/(audit|disputes|books)\// },
  { from: /^bills\/audit\//, to: /^bills\/(disputes|books)\// },
  { from: /^bills\/disputes\//, to: /^bills\/books\// },
  { from: /^(?!bills\/)/, to: /^bills\/reading\// },
]

/** Words and types that every room may use: they import no room. */
const WORDS = /^(bills\/(programs|verdicts)\.ts|contract\/generated\/(types|carrier-fields)\.ts)$/

/** Modules that only some files may use, and those files. */
const GUARDED = [
  {
    what: "the sending of a booking: bookOne does",
    pattern: /\bbookOrder\b/,
    allowed: /^orders\/booking\/(book-one|send)\.ts$/,
  },
  {
    what: "the request of a booking: bookOne does",
    pattern: /\bcreateShipment\(/,
    allowed: /^(api\/freight|orders\/booking\/send|orders\/batch\/book-row|sandbox\/.*)\.ts$/,
  },
  {
    what: "process",
    pattern: /(?<![\w."'`/-])process\.\w|from "node:process"/,
    allowed: /^(app\/main|input\/pdf\/(program|text)|machine\/(host|builtin-sqlite))\.ts$/,
  },
  {
    what: "other programs",
    pattern: /(from|import\() ?"node:child_process"/,
    allowed: /^(input\/pdf\/text|machine\/host|output\/terminal\/files)\.ts$/,
  },
  { what: "console", pattern: /(?<![\w."'`/-])console\.\w/, allowed: /^$/ },
  {
    what: "HTTP",
    pattern: /(?<!type .*)(from|import\() ?"(undici|undici\/.*|node:(http|https|tls))"/,
    allowed: /^(api\/(dispatcher|undici\.d)|sandbox\/server)\.ts$/,
  },
  {
    what: "the database drivers",
    pattern: /(from|import\() ?"(pg|pgpass|libsql|libsql\/promise|node:sqlite)"/,
    allowed: /^ledger\/database\/(sqlite|postgres)\.ts$/,
  },
  { what: "cli-table3", pattern: /(from|import\() ?"cli-table3"/, allowed: /^output\/terminal\/grid\.ts$/ },
  { what: "conf", pattern: /(from|import\() ?"conf"/, allowed: /^machine\/config\/file\.ts$/ },
  {
    what: "@inquirer/prompts",
    pattern: /(from|import\() ?"@inquirer/,
    allowed: /^output\/terminal\/conversation\/inquirer\.ts$/,
  },
  {
    what: "the Model Context Protocol",
    pattern: /(from|import\() ?"(@modelcontextprotocol|zod)/,
    allowed: /^mcp\//,
  },
]

/** A carrier, by its name or its letter: what differs between them is asked of `carriers/`. */
const CARRIER = /CARRIER_[A-Z]\w*_AU|(?<![\w-])[cC]arrier [A-Z](?!\w)/
const KNOWS_CARRIERS = /^(carriers|sandbox|contract\/generated)\//

/** Imports by name from the start. Later imports load from the file that has the name. */
const STATIC = /^(?:import|export) (?:type )?\{[^}]*\} from "(\.[^"]+)"/gm
/** Files that every room may use, and generated ones. */
const OUTSIDE_DOORS = /^(bills\/(programs|verdicts)\.ts|contract\/generated\/)/
const doors = new Set(ORDER.filter((room) => hasDoor(SRC, room)))

const problems = []
/** The files that each file imports, types included. */
const imports = new Map()
const files = readdirSync(SRC, { recursive: true })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => name.split(path.sep).join("/"))

for (const file of files) {
  const text = readFileSync(path.join(SRC, file), "utf8")
  const code = text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "$1")
  const carrier = KNOWS_CARRIERS.test(file) ? undefined : CARRIER.exec(text)?.[0]
  if (carrier) problems.push(`${file}: names '${carrier}'; ask carriers/ for what differs between carriers`)
  const room = roomOf(file)
  const imported = new Set()
  imports.set(file, imported)
  if (!ORDER.includes(room)) problems.push(`${file}: '${room}' is not a room of the layout`)
  for (const [, target] of code.matchAll(STATIC)) {
    const to = path.posix.normalize(path.posix.join(path.posix.dirname(file), target))
    const toRoom = roomOf(to)
    if (toRoom !== room && doors.has(toRoom) && to !== `${toRoom}/index.ts` && !OUTSIDE_DOORS.test(to))
      problems.push(`${file}: takes what ${toRoom}/ offers from ${toRoom}/index.ts, and not from ${to}`)
  }
  for (const [, target] of takeThrough(code, file).matchAll(/\b(?:from|import\(|import)\s*"(\.[^"]+)"/g)) {
    const to = path.posix.normalize(path.posix.join(path.posix.dirname(file), target))
    if (to.startsWith("..")) continue
    // The types of what is generated as JavaScript stand beside it.
    imported.add(to.replace(/\.js$/, ".d.ts"))
    const toRoom = roomOf(to)
    if (WORDS.test(file) && toRoom !== room)
      problems.push(`${file}: imports no other room, as every room may use it (${to})`)
    if (ORDER.indexOf(toRoom) < ORDER.indexOf(room) && !WORDS.test(to))
      problems.push(`${file}: may not import ${to} (${room} → ${toRoom})`)
    if (file !== `${room}/index.ts` && INSIDE.some((rule) => rule.from.test(file) && rule.to.test(to)))
      problems.push(`${file}: may not import ${to}`)
    if (room === "commands" && toRoom === "commands")
      problems.push(`${file}: a command may not import another (${to})`)
  }
  for (const { what, pattern, allowed } of GUARDED)
    if (pattern.test(code) && !allowed.test(file)) problems.push(`${file}: may not touch ${what}`)
}

for (const room of doors)
  for (const name of listUntaken(SRC, room))
    problems.push(`${room}/index.ts: offers ${name}, which no other room takes`)

for (const circle of findCircles(imports))
  problems.push(`a circle of imports: ${circle.join(", ")}; move what both need into a file below them`)

/** Files that import each other, over others or themselves: Tarjan's strongly connected components. */
function findCircles(graph) {
  const [order, lowest, stack, circles] = [new Map(), new Map(), [], []]
  const visit = (file) => {
    order.set(file, order.size)
    lowest.set(file, order.get(file))
    stack.push(file)
    for (const next of graph.get(file) ?? []) {
      if (!graph.has(next)) continue
      if (!order.has(next)) visit(next)
      if (stack.includes(next)) lowest.set(file, Math.min(lowest.get(file), lowest.get(next)))
    }
    if (lowest.get(file) !== order.get(file)) return
    const circle = stack.splice(stack.indexOf(file))
    if (circle.length > 1) circles.push(circle.sort())
  }
  for (const file of graph.keys()) if (!order.has(file)) visit(file)
  return circles
}

/** The text of a file as if there were no doors: what a room may import is said of the files behind them. */
function takeThrough(code, file) {
  try {
    return passDoors(code, path.join(SRC, file), SRC)
  } catch (error) {
    problems.push(`${file}: ${error.message}`)
    return code
  }
}

function roomOf(file) {
  return file.slice(0, file.indexOf("/"))
}

/** The files behind doors that tests open, each with the number of tests. */
function countOpenedByTests(folder) {
  const counts = new Map()
  for (const name of readdirSync(folder, { recursive: true }).filter((each) => each.endsWith(".ts"))) {
    const code = readFileSync(path.join(folder, name), "utf8")
    for (const [, to] of code.matchAll(/\b(?:from|import\()\s*"(?:\.\.\/)+src\/([^"]+)"/g))
      if (doors.has(roomOf(to)) && !to.endsWith("/index.ts")) counts.set(to, (counts.get(to) ?? 0) + 1)
  }
  return counts
}

if (process.argv.includes("--tests"))
  for (const [file, count] of [...countOpenedByTests(path.resolve(SRC, "../test"))].sort())
    console.log(`${file}: opened by ${count === 1 ? "1 test" : `${count} tests`}`)

if (files.length === 0) problems.push("no sources found")
for (const problem of problems) console.error(problem)
console.log(`layers: ${files.length} files, ${problems.length} problems`)
process.exitCode = problems.length ? 1 : 0
