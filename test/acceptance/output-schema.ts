/** Holds what commands print under `--json`, and beside it on standard error, against the schemas that they print of it. */
import { existsSync, readFileSync } from "node:fs"
import path from "node:path"
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import { type Entry, HELP, TREE } from "../../src/app/tree.ts"
import { CODES, type ErrorCode, type ErrorJson } from "../../src/base/errors.ts"

const FILE = path.resolve(import.meta.dirname, "../../schemas/output.schema.json")
const ENTRIES: readonly Entry[] = [...TREE.flatMap(({ entries }) => entries), HELP]
/** With these flags, a command prints something else, or only some fields of its answer. */
const OTHER_OUTPUT = ["--fields", "--schema", "--output", "-o"]

/** The report of what is fixed on its way through standard output goes to standard error. */
const REPORTS_THERE = ["-", "--fix"]

let ajv: Ajv2020 | undefined
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

function getFormat(words: readonly string[]): string | undefined {
  if (words.includes("--json")) return "json"
  const at = words.indexOf("--format")
  return at < 0 ? undefined : words[at + 1]
}

/** @throws where standard error has what is not a line of JSON as `--json-schema` says, with an error last */
export function checkMessages(
  words: readonly string[],
  { code, stderr }: { code: number | null; stderr: string },
): void {
  if (!["json", "ndjson"].includes(getFormat(words) ?? "")) return
  if (REPORTS_THERE.every((word) => words.includes(word))) return
  const told = `freight ${words.join(" ")}\n${stderr}`
  const lines = stderr.split("\n").slice(0, -1)
  for (const [at, line] of lines.entries()) {
    const message = readJson(line)
    if (!message) throw new Error(`a line on standard error is not JSON: ${told}`)
    validate("MessageJson", "#/$defs/MessageJson", message)
    const { error } = message as Partial<ErrorJson>
    if (error === undefined) continue
    if (at < lines.length - 1 || code === 0)
      throw new Error(`an error is not the end of the command: ${told}`)
    for (const each of [error, ...(error.errors ?? [])]) {
      if (each.kind && CODES[each.code as ErrorCode] !== each.kind)
        throw new Error(`${each.code} is not a code of the kind ${each.kind}: ${told}`)
      if (each.nextArgs && !each.next) throw new Error(`nextArgs stand alone: ${told}`)
    }
  }
}

function readJson(line: string): object | undefined {
  try {
    return Object(JSON.parse(line))
  } catch {
    return undefined
  }
}

/** @throws where standard output is not what `--json-schema` says */
export function checkOutput(words: readonly string[], stdout: string): void {
  if (getFormat(words) !== "json") return
  if (!/^[[{]/.test(stdout) || words.some((word) => OTHER_OUTPUT.includes(word.split("=")[0] ?? ""))) return
  const command = words.includes("--help") ? HELP.name : findCommand(words)
  validate(`freight ${command}`, `#/properties/${encodeURIComponent(command)}`, JSON.parse(stdout))
}

/** @throws where a value is not what a part of the schemas says */
function validate(name: string, part: string, value: unknown): void {
  // A copy of the tree that was never built has none.
  if (!ajv && !existsSync(FILE)) return
  if (!ajv) {
    // Compiled in each worker: where neither inlined nor optimized, it takes half the time.
    const quickly = { inlineRefs: false, code: { optimize: false } }
    ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false, ...quickly })
    ajv.addSchema(JSON.parse(readFileSync(FILE, "utf8")))
  }
  const known = validators.get(part) ?? ajv.getSchema(`output.schema.json${part}`)
  if (!known) throw new Error(`${name} printed JSON, and has no schema`)
  validators.set(part, known)
  if (!known(value))
    throw new Error(
      `${name}: JSON is not what its schema says; npm run build makes the schemas anew.\n${ajv.errorsText(known.errors, { separator: "\n" })}`,
    )
}
