/** Reads a request that a person wrote as JSON, checks it with the flags over it, and locates errors in the file. */
import {
  findErrors,
  type Finding,
  type Findings,
  inWords,
  type RuleFinding,
  type Validator,
} from "../../contract/index.ts"
import { nextCommand } from "../../base/command-line.ts"
import { type ErrorDetail, FreightError } from "../../base/errors.ts"
import {
  decodeJsonBytes,
  fromRedirection,
  getValueAt,
  type JsonDocument,
  type JsonError,
  parsePointer,
  readJson,
} from "../../input/index.ts"
import { type Files, readFileOrStdin, type Terminal } from "../../output/index.ts"
import { type JsonObject, sameJson } from "../../base/json.ts"

export interface Input {
  value: JsonObject
  /** The file's name as it was given; `standard input` for `-`. */
  name: string
  place(problem: Finding): { line: number; column: number } | undefined
}

const INVOICE_FIELDS = ["invoiceNumber", "docType", "correlationId"]

/**
 * Reads a file, or standard input for `-`. A top-level `$schema`, which editors want, is taken off.
 * @throws FreightError `input`, with every syntax error and duplicate key and its line and column
 */
export async function readInput(deps: { files: Files; terminal: Terminal }, file: string): Promise<Input> {
  const { name, bytes } = await readFileOrStdin(deps, file, "JSON")
  const decoded = decodeJsonBytes(fromRedirection(bytes))
  if ("error" in decoded) throw createJsonError(name, [decoded.error])
  const document: JsonDocument = readJson(decoded.text)
  const problems = document.findErrors()
  if (problems.length > 0) throw createJsonError(name, problems)
  const { value } = document
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new FreightError(
      "input",
      `${name}: one JSON object is needed, not ${Array.isArray(value) ? "a list" : "a single value"}`,
    )
  if (INVOICE_FIELDS.some((field) => field in value) && !("receiver" in value))
    throw new FreightError("input", `${name} is an invoice, which this command does not take`, {
      hint: "freight invoice validate checks invoices.",
      ...nextCommand("freight", "invoice", "validate", file),
    })
  const { $schema: _, ...rest } = value as JsonObject
  return { value: rest, name, place: (problem) => document.locate(problem.pointer, problem.property) }
}

function createJsonError(name: string, problems: readonly JsonError[]): FreightError {
  return new FreightError("input", `${name} is not valid JSON; nothing was sent`, {
    errors: problems.map((problem) => ({
      message: inWords(problem),
      line: problem.line,
      column: problem.column,
    })),
  })
}

/** A finding as an error's detail, with its place when the file holds it. */
export function toDetail(problem: RuleFinding, input?: Input): ErrorDetail {
  const { line, column } = input?.place(problem) ?? {}
  return { message: inWords(problem), field: problem.path, code: problem.code, line, column }
}

export interface MissingFlag {
  path: string
  flag: string
}

/** The flag for a problem's field, or `--set` with its path when it has no flag of its own. */
function findFlag(problem: Finding, flags: readonly MissingFlag[]): string | undefined {
  if (problem.keyword !== "required") return undefined
  return flags.find(({ path }) => path === problem.path)?.flag ?? `--set ${problem.path}=VALUE`
}

/** Whether the erroneous value is the file's own: a value from a flag has no place there. */
function isOf(input: Input, request: JsonObject, { pointer }: Finding): boolean {
  const path = parsePointer(pointer)
  return path.length === 0 || sameJson(getValueAt(request, path), getValueAt(input.value, path))
}

export interface Gathered {
  request: JsonObject
  input: Input | undefined
}

/** The name of a request in messages, such as `booking`, and the flags for fields that it may lack. */
export interface RequestKind {
  what: string
  flags: readonly MissingFlag[]
}

export function checkRequest<T>(
  gathered: Gathered,
  kind: RequestKind,
  validate: Validator<T>,
  checkRules: (request: T) => Findings,
): { request: T; warnings: string[] } {
  const problems = findErrors(validate, gathered.request)
  if (problems.length > 0) throw createRequestError(gathered, kind, problems)
  const request = gathered.request as T
  const { errors, warnings } = checkRules(request)
  if (errors.length > 0) throw createRequestError(gathered, kind, errors)
  return { request, warnings: warnings.map(inWords) }
}

/**
 * All errors of a request in one: as missing flags without a file, with places if there is one. Values from flags have no
 * place in the file.
 */
export function createRequestError(
  { request, input }: Gathered,
  { what, flags }: RequestKind,
  problems: readonly RuleFinding[],
): FreightError {
  const errors = problems.map((problem) => {
    const holder = input && isOf(input, request, problem) ? input : undefined
    const detail = toDetail(problem, holder)
    const flag = holder && problem.pointer !== "" ? undefined : findFlag(problem, flags)
    return flag ? { ...detail, message: `${detail.message}: give ${flag}` } : detail
  })
  return new FreightError(
    input ? "input" : "usage",
    `${input ? `${input.name}: ` : ""}the ${what} is incomplete or incorrect; nothing was sent`,
    { errors },
  )
}
