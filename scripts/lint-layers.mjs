// Our own: dependency-cruiser cannot read TypeScript 7, and Biome's import rules cannot say what a room may import.
// Imports run one way: main → program → {help, commands} → ROOMS → PLUMBING → contract → base. This check holds that, that no command
// imports another, and that only the named files touch the process, the network or the prompts.
import { readdirSync, readFileSync } from "node:fs"
import path from "node:path"

const SRC = path.resolve(import.meta.dirname, "../src")

/** Each room and the rooms it may import, besides itself. */
const BELOW = {
  assets: [],
  base: [],
  "command-data": [],
  system: [],
  version: [],
  carriers: ["contract"],
  contract: ["base", "carriers"],
}
const PLUMBING = [
  "ledger",
  "api",
  "config",
  "terminal",
  "json",
  "memory",
  "pages",
  "paper",
  "places",
  "input",
]
const ROOMS = [
  "booking",
  "batch",
  "bills",
  "evidence",
  "invoice",
  "lookup",
  "manifest",
  "mcp",
  "printing",
  "report",
  "sandbox",
  "today",
  "tracking",
  "wizard",
]
for (const room of PLUMBING) BELOW[room] = ["base", "carriers", "contract", "system"]
// What an API or the ledger says is remembered: their types only.
BELOW.memory = [...BELOW.memory, "api", "ledger"]
BELOW.input = [...BELOW.input, "json", "terminal"]
BELOW.ledger = [...BELOW.ledger, "api", "assets"]
for (const room of ROOMS) BELOW[room] = [...PLUMBING, "base", "carriers", "contract", "system"]
BELOW.invoice = [...BELOW.invoice, "assets"]
BELOW.pages = [...BELOW.pages, "paper", "terminal"]
BELOW.paper = [...BELOW.paper, "assets"]
BELOW.bills = [...BELOW.bills, "invoice"]
BELOW.batch = [...BELOW.batch, "booking", "printing"]
BELOW.booking = [...BELOW.booking, "printing"]
BELOW.wizard = [...BELOW.wizard, "booking", "printing"]
BELOW.tracking = [...BELOW.tracking, "lookup"]
BELOW.today = [...BELOW.today, "bills"]
BELOW.evidence = [...BELOW.evidence, "booking", "lookup", "tracking"]
BELOW.mcp = [
  ...BELOW.mcp,
  "assets",
  "command-data",
  "batch",
  "booking",
  "invoice",
  "report",
  "today",
  "version",
]
BELOW.deps = [...PLUMBING, ...ROOMS, "base", "carriers", "contract", "system", "version"]
BELOW["builtin-sqlite"] = ["ledger"]
BELOW.host = [...BELOW.deps, "builtin-sqlite"]
BELOW.deps = [...BELOW.deps, "host"]
BELOW.command = ["base", "config", "contract", "deps"]
BELOW.commands = [...BELOW.deps, "assets", "command", "deps"]
BELOW.tree = ["command", "commands"]
BELOW.help = ["command-data", "tree", ...BELOW.commands]
BELOW.program = ["command-data", "commands", "tree", "help", ...BELOW.commands]
BELOW.menu = ["help", ...BELOW.help]
BELOW.main = ["assets", "program", "help", "completion", "menu", ...BELOW.program]
BELOW.completion = ["command-data", "program", ...BELOW.program]

/**
 * Inside the ledger: the claim does not know what else is recorded, and the database knows of it only what its tables hold.
 * Inside bills: what is read is matched, audited, disputed and posted, in this order.
 * The facts of carriers know the contract's types only; and the sandbox, which judges by its own reading of the contract,
 * knows no rule of the client.
 */
const INSIDE = [
  { from: /^carriers\//, to: /^contract\/(?!generated\/)/ },
  { from: /^sandbox\//, to: /^carriers\/(?!names\.ts)/ },
  {
    from: /^sandbox\//,
    to: /^contract\/(carrier-fields|collection-times|contacts|payer|rate-link|request-rules)\.ts/,
  },
  { from: /^ledger\/(?!(open|by-hand)\.ts)[^/]+$/, to: /^ledger\/(records|maintenance)\// },
  {
    from: /^ledger\/database\/(?!tables\.ts)/,
    to: /^ledger\/(?!database\/|entry\.ts|(?:content|spelling)\.ts)/,
  },
  { from: /^bills\/reading\//, to: /^bills\/(matching|audit|accruals|disputes|books)\// },
  { from: /^bills\/matching\//, to: /^bills\/(audit|accruals|disputes|books)\// },
  { from: /^bills\/(audit|accruals)\//, to: /^bills\/(disputes|books)\// },
  { from: /^bills\/disputes\//, to: /^bills\/books\// },
  { from: /^(?!bills\/)/, to: /^bills\/reading\// },
]

/** Words of bills that every room may use: they import nothing. */
const WORDS = /^bills\/(programs|verdicts)\.ts$/

/** What only some files may use, and which. */
const GUARDED = [
  {
    what: "process",
    pattern: /(?<![\w."'`/-])process\.\w|from "node:process"/,
    allowed: /^(main|host|builtin-sqlite)\.ts$/,
  },
  {
    what: "other programs",
    pattern: /(from|import\() ?"node:child_process"/,
    allowed: /^(host|terminal\/files)\.ts$/,
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
  { what: "cli-table3", pattern: /(from|import\() ?"cli-table3"/, allowed: /^terminal\/grid\.ts$/ },
  { what: "conf", pattern: /(from|import\() ?"conf"/, allowed: /^config\/file\.ts$/ },
  {
    what: "@inquirer/prompts",
    pattern: /(from|import\() ?"@inquirer/,
    allowed: /^terminal\/conversation\/inquirer\.ts$/,
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

const problems = []
const files = readdirSync(SRC, { recursive: true })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => name.split(path.sep).join("/"))

for (const file of files) {
  const text = readFileSync(path.join(SRC, file), "utf8")
  const code = text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "$1")
  const carrier = KNOWS_CARRIERS.test(file) ? undefined : CARRIER.exec(text)?.[0]
  if (carrier) problems.push(`${file}: names '${carrier}'; ask carriers/ for what differs between carriers`)
  const room = roomOf(file)
  if (!BELOW[room]) problems.push(`${file}: '${room}' is not a room of the layout`)
  for (const [, target] of code.matchAll(/(?:from|import\(|import) ?"(\.[^"]+)"/g)) {
    const to = path.posix.normalize(path.posix.join(path.posix.dirname(file), target))
    if (to.startsWith("..")) continue
    const toRoom = roomOf(to)
    if (WORDS.test(file)) problems.push(`${file}: imports nothing, as every room may use it (${to})`)
    if (toRoom !== room && !BELOW[room]?.includes(toRoom) && !WORDS.test(to))
      problems.push(`${file}: may not import ${to} (${room} → ${toRoom})`)
    if (INSIDE.some((rule) => rule.from.test(file) && rule.to.test(to)))
      problems.push(`${file}: may not import ${to}`)
    if (
      room === "commands" &&
      toRoom === "commands" &&
      !/^commands\/(shared\/|index\.ts)/.test(to) &&
      file !== "commands/index.ts"
    )
      problems.push(`${file}: a command may not import another (${to})`)
  }
  for (const { what, pattern, allowed } of GUARDED)
    if (pattern.test(code) && !allowed.test(file)) problems.push(`${file}: may not touch ${what}`)
}

function roomOf(file) {
  return file.includes("/") ? file.slice(0, file.indexOf("/")) : file.replace(/\.ts$/, "")
}

if (files.length === 0) problems.push("no sources found")
for (const problem of problems) console.error(problem)
console.log(`layers: ${files.length} files, ${problems.length} problems`)
process.exitCode = problems.length ? 1 : 0
