/** Holds what commands print under `--json` against the schemas that they print of it. */
import { existsSync, readFileSync } from "node:fs"
import path from "node:path"
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import { type Entry, HELP, TREE } from "../../src/app/tree.ts"

const FILE = path.resolve(import.meta.dirname, "../../schemas/output.schema.json")
const ENTRIES: readonly Entry[] = [...TREE.flatMap(({ entries }) => entries), HELP]
/** What they print is no answer, or only some fields of it. */
const OTHER_OUTPUT = ["--fields", "--schema", "--output", "-o"]

let ajv: Ajv2020 | undefined
let commands: string[] = []
const validators = new Map<string, ValidateFunction>()

/** The command that words call, without `freight`. */
function findCommand(words: readonly string[]): string {
  const found: string[] = []
  let entries = ENTRIES
  for (const word of words) {
    const entry = entries.find(({ name, alias }) => name === word || alias === word)
    if (!entry) continue
    found.push(entry.name)
    entries = entry.children ?? []
  }
  if (entries.some(({ name }) => name === "list") && found.length === 1) found.push("list")
  return found.join(" ")
}

/** @throws where standard output is not what `--json-schema` says */
export function checkOutput(words: readonly string[], stdout: string): void {
  const at = words.indexOf("--format")
  if (!words.includes("--json") && words[at + 1] !== "json") return
  if (!/^[[{]/.test(stdout) || words.some((word) => OTHER_OUTPUT.includes(word.split("=")[0] ?? ""))) return
  // A copy of the tree that was never built has none.
  if (!ajv && !existsSync(FILE)) return
  if (!ajv) {
    // Compiled in each worker: where neither inlined nor optimized, it takes half the time.
    const quickly = { inlineRefs: false, code: { optimize: false } }
    ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false, ...quickly })
    const schemas = JSON.parse(readFileSync(FILE, "utf8"))
    ajv.addSchema(schemas)
    commands = Object.keys(schemas.properties)
  }
  const command = words.includes("--help") ? HELP.name : findCommand(words)
  if (!commands.includes(command)) throw new Error(`freight ${command} printed JSON, and has no schema`)
  const validate =
    validators.get(command) ??
    ajv.compile({ $ref: `output.schema.json#/properties/${encodeURIComponent(command)}` })
  validators.set(command, validate)
  if (!validate(JSON.parse(stdout)))
    throw new Error(
      `freight ${command}: JSON is not what its schema says; npm run build makes the schemas anew.\n${ajv.errorsText(validate.errors, { separator: "\n" })}`,
    )
}
