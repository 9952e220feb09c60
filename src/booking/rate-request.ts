/** From flags and a file to a RateRequest that the contract accepts. */
import type { Settings } from "../config/resolve.ts"
import { type Problem, problemsOf } from "../contract/check.ts"
import * as requests from "../contract/generated/requests.js"
import type { RateRequest } from "../contract/generated/types.ts"
import { parsePackage } from "../contract/packages.ts"
import { valueOrThrow } from "../contract/parsed.ts"
import { parsePlace } from "../contract/places.ts"
import { rateDefaults, rateProblems } from "../contract/rate-rules.ts"
import { FreightError } from "../errors.ts"
import { getValueAt, parsePointer } from "../json/pointer.ts"
import type { Clock } from "../ports.ts"
import type { Files } from "../terminal/files.ts"
import type { Terminal } from "../terminal/terminal.ts"
import { detailOf, type Input, inWords, readInput } from "./input.ts"
import { flagOf, type MissingFlag } from "./missing.ts"
import { fillBusinessUnit } from "./party.ts"
import { applySets, type JsonObject, sameJson } from "./set.ts"

export interface RateOptions {
  from?: string
  to?: string
  fromResidential?: boolean
  toResidential?: boolean
  package?: string[]
  dangerousGoods?: boolean
  date?: string
  service?: string
  file?: string
  set?: string[]
}

const FLAGS: readonly MissingFlag[] = [
  { path: "from", flag: '--from "SUBURB STATE POSTCODE"' },
  { path: "to", flag: '--to "SUBURB STATE POSTCODE"' },
  { path: "packages", flag: "--package 2x40x30x20@5.5" },
]

/**
 * The request, with date and local time reckoned at the collection place.
 * @throws FreightError `usage` or `input` with every problem; nothing is sent
 */
export async function rateRequest(
  deps: { files: Files; terminal: Terminal; clock: Clock; settings: Settings },
  options: RateOptions,
): Promise<{ request: RateRequest; warnings: string[] }> {
  const input = options.file === undefined ? undefined : await readInput(deps, options.file)
  const { from, to } = options
  const draft: JsonObject = { ...input?.value }
  if (from !== undefined)
    draft.from = {
      ...valueOrThrow(parsePlace(from), "--from"),
      residential: options.fromResidential ?? false,
    }
  else residential(draft, "from", options.fromResidential)
  if (to !== undefined)
    draft.to = { ...valueOrThrow(parsePlace(to), "--to"), residential: options.toResidential ?? false }
  else residential(draft, "to", options.toResidential)
  if (options.package)
    draft.packages = options.package.map((spec) => ({ ...valueOrThrow(parsePackage(spec), "--package") }))
  if (options.dangerousGoods) draft.dangerousGoods = true
  else if (!input) draft.dangerousGoods = false
  if (options.date !== undefined) draft.date = options.date
  if (options.service !== undefined) draft.serviceCode = options.service

  const given = await applySets(draft, options.set ?? [], "RateRequest")
  fillBusinessUnit(deps.settings, given)
  const problems = problemsOf(requests.RateRequest, given)
  if (problems.length > 0) throw rejected("rate request", given, problems, FLAGS, input)
  const request = given as unknown as RateRequest
  const { errors, warnings } = rateProblems(request)
  if (errors.length > 0) throw rejected("rate request", given, errors, FLAGS, input)
  return { request: rateDefaults(request, deps.clock.now()), warnings: warnings.map(inWords) }
}

function residential(draft: JsonObject, end: "from" | "to", given: boolean | undefined): void {
  const address = draft[end]
  if (given !== undefined && typeof address === "object" && address !== null && !Array.isArray(address))
    address.residential = given
}

/** Whether a problem is about what the file says. */
function isOf(input: Input, request: JsonObject, { pointer, property }: Problem): boolean {
  const path = parsePointer(pointer)
  return (
    property !== undefined ||
    path.length === 0 ||
    sameJson(getValueAt(request, path), getValueAt(input.value, path))
  )
}

/**
 * Every problem of a request in one error: as missing flags when there is no file, with places when there is. What a
 * flag put in the place of the file's has no place in it.
 */
export function rejected(
  what: string,
  request: JsonObject,
  problems: readonly Parameters<typeof detailOf>[0][],
  flags: readonly MissingFlag[],
  input: Input | undefined,
): FreightError {
  const errors = problems.map((problem) => {
    const detail = detailOf(problem, input && isOf(input, request, problem) ? input : undefined)
    const flag = input ? undefined : flagOf(problem, flags)
    return flag ? { ...detail, message: `${detail.message}: give ${flag}` } : detail
  })
  return new FreightError(
    input ? "input" : "usage",
    `${input ? `${input.name}: ` : ""}the ${what} is not complete and correct; nothing was sent`,
    { errors },
  )
}
