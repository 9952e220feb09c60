// Every regular expression of src/ must take linear time: text of a file or a server may be of any length. Each pattern
// runs over long texts that make backtracking costly (runs of the characters that it knows, and then one that fits
// nothing); what does not end in time is a problem. `node scripts/lint-patterns.mjs [--characters N] [FILE...]`
import { readFileSync } from "node:fs"
import { parseArgs } from "node:util"
import { createContext, Script } from "node:vm"
import { parseAst } from "rolldown/parseAst"
import { globSync } from "tinyglobby"

/**
 * A quadratic pattern takes seconds for so much, and a linear one about a millisecond. A million characters would find
 * no other patterns, for time grows with the square, and would take all patterns more than half a minute.
 */
const CHARACTERS = "60000"
const MAX_MS = 400
/** A busy machine may take long for a linear one, too; not so often. */
const TRIES = 3

const { positionals: given, values } = parseArgs({
  allowPositionals: true,
  options: { characters: { type: "string", default: CHARACTERS } },
})
const files = given.length > 0 ? given : globSync("src/**/*.ts").filter((file) => !file.endsWith(".d.ts"))
const places = new Map()
for (const file of files.sort())
  for (const [line, pattern] of listPatterns(file)) addPlace(pattern, `${file}:${line}`)

const context = createContext({})
const run = new Script("text.search(pattern); text.replace(pattern, '')")
const problems = []
for (const [pattern, at] of places) {
  if (listTexts(pattern).some((text) => !endsInTime(pattern, text)))
    problems.push(
      `${at.join(", ")}: ${pattern} takes more than linear time. Let two repeats never meet the same characters, and begin one that may stand anywhere with (?<!…)`,
    )
}
if (places.size === 0) problems.push("no patterns found")
for (const problem of problems) console.error(problem)
console.log(`patterns: ${places.size}, ${problems.length} problems`)
process.exitCode = problems.length ? 1 : 0

function addPlace(pattern, place) {
  places.set(pattern, [...(places.get(pattern) ?? []), place])
}

/** @returns the line and the text of each pattern that may take longer with longer texts */
function listPatterns(file) {
  const code = readFileSync(file, "utf8")
  const found = []
  const walk = (node) => {
    if (node === null || typeof node !== "object") return
    if (node.type === "Literal" && node.regex && /[*+]|\{\d+,\}/.test(node.regex.pattern))
      found.push([code.slice(0, node.start).split("\n").length, `/${node.regex.pattern}/${node.regex.flags}`])
    for (const child of Object.values(node)) walk(child)
  }
  walk(parseAst(code, { lang: "ts" }, file))
  return found
}

function listTexts(pattern) {
  // Outside ASCII, one of each is enough.
  const own = new Set(pattern.match(/[^a-zA-Z0-9]/gu))
  const units = ["a", "A", "0", " ", "\t", "\n", "\r", "é", ...own, "a1", "a ", "a-", "0,", "0.", " ,", "a."]
  return [...new Set(units)].flatMap((unit) => {
    const long = unit.repeat(Number(values.characters) / unit.length)
    return [`${long}\u0000`, `a${long}~`]
  })
}

function endsInTime(pattern, text, tries = TRIES) {
  const [, source, flags] = /^\/(.*)\/([a-z]*)$/s.exec(pattern)
  context.pattern = new RegExp(source, flags)
  context.text = text
  try {
    run.runInContext(context, { timeout: MAX_MS })
    return true
  } catch (error) {
    if (error.code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error
    return tries > 1 && endsInTime(pattern, text, tries - 1)
  }
}
