/** Reads a JSON object that a person wrote, and says where in the file a problem stands. */
import type { Problem } from "../contract/check.ts"
import { type ErrorDetail, FreightError } from "../errors.ts"
import { decodeJsonBytes, type JsonDocument, type JsonError, readJson } from "../json/read.ts"
import type { Files } from "../terminal/files.ts"
import type { Terminal } from "../terminal/terminal.ts"
import type { JsonObject } from "./set.ts"

export interface Input {
  value: JsonObject
  /** The file's name as it was given; `standard input` for `-`. */
  name: string
  /** The place of a problem in the file, as far as the file holds it. */
  place(problem: Problem): { line: number; column: number } | undefined
}

/**
 * Reads a file, or standard input for `-`. A top-level `$schema`, which editors want, is taken off.
 * @throws FreightError `input`, with every syntax error and duplicate key and its line and column
 */
export async function readInput(deps: { files: Files; terminal: Terminal }, file: string): Promise<Input> {
  const name = file === "-" ? "standard input" : file
  if (file === "-" && deps.terminal.stdin.isTTY)
    throw new FreightError("usage", "standard input is the keyboard: pipe the JSON in, or name a file")
  const bytes = file === "-" ? await deps.terminal.stdin.readAll() : await deps.files.read(file)
  const decoded = decodeJsonBytes(bytes)
  if ("error" in decoded) throw notJson(name, [decoded.error])
  const document: JsonDocument = readJson(decoded.text)
  const problems = document.findErrors()
  if (problems.length > 0) throw notJson(name, problems)
  const { value } = document
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new FreightError(
      "input",
      `${name}: one JSON object is needed, not ${Array.isArray(value) ? "a list" : "a single value"}`,
    )
  const { $schema: _, ...rest } = value as JsonObject
  return { value: rest, name, place: (problem) => document.locate(problem.pointer, problem.property) }
}

function notJson(name: string, problems: readonly JsonError[]): FreightError {
  return new FreightError("input", `${name} is not good JSON; nothing was sent`, {
    errors: problems.map((problem) => ({
      message: inWords(problem),
      line: problem.line,
      column: problem.column,
    })),
  })
}

/** A problem as an error's detail, with its place when the file holds it. */
export function detailOf(problem: Problem & { code?: string }, input?: Input): ErrorDetail {
  const place = input?.place(problem)
  return {
    message: inWords(problem),
    field: problem.path,
    ...(problem.code && { code: problem.code }),
    ...(place && { line: place.line, column: place.column }),
  }
}

/** A problem in a line: what is wrong with which field, and the mend. */
export function inWords({ message, hint }: Pick<Problem, "message" | "hint">): string {
  return hint ? `${message}: ${hint}` : message
}
