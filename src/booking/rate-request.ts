/** From flags and a file to a RateRequest that the contract accepts. */
import type { Settings } from "../config/resolve.ts"
import { problemsOf } from "../contract/check.ts"
import * as requests from "../contract/generated/requests.js"
import type { RateRequest } from "../contract/generated/types.ts"
import { parsePackage } from "../contract/packages.ts"
import { valueOrThrow } from "../contract/parsed.ts"
import { parsePlace } from "../contract/places.ts"
import { rateDefaults, rateProblems } from "../contract/rate-rules.ts"
import type { Clock } from "../ports.ts"
import type { Files } from "../terminal/files.ts"
import type { Terminal } from "../terminal/terminal.ts"
import { isObject } from "./field.ts"
import { inWords, type MissingFlag, readInput, rejected } from "./input.ts"
import { fillBusinessUnit } from "./request.ts"
import { applySets, type JsonObject } from "./schema-fields.ts"

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
  const draft: JsonObject = { ...input?.value }
  for (const end of ["from", "to"] as const) {
    const residential = options[`${end}Residential`]
    const place = options[end]
    if (place !== undefined)
      draft[end] = { ...valueOrThrow(parsePlace(place), `--${end}`), residential: residential ?? false }
    else if (residential !== undefined && isObject(draft[end])) draft[end] = { ...draft[end], residential }
  }
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
