/** A party of a booking: a saved address by its name, or a file. */
import { isFileName, savedAddress } from "../config/addresses.ts"
import type { ConfigStore } from "../config/file.ts"
import type { Settings } from "../config/resolve.ts"
import type { Files } from "../terminal/files.ts"
import type { Terminal } from "../terminal/terminal.ts"
import { readInput } from "./input.ts"
import type { JsonObject } from "./set.ts"

type PartyDeps = { files: Files; terminal: Terminal; config: ConfigStore }

/**
 * What `--sender`, `--collection` or `--receiver` names: a file when it ends in .json, has a path in it or is `-`;
 * otherwise a saved address.
 * @throws FreightError `input` when there is no such file or address, `config` when what is saved is not good
 */
export async function readParty(deps: PartyDeps, given: string): Promise<JsonObject> {
  if (isFileName(given)) return (await readInput(deps, given)).value
  return { ...savedAddress(deps.config, given) }
}

/**
 * Fills in what the profile holds for bookings that do not say: the sender, the collection, the business unit.
 * @returns a note for each that was filled in
 * @throws FreightError `input` or `config` when the profile names an address that is not there or not good
 */
export function fillFromProfile(
  { config, settings }: { config: ConfigStore; settings: Settings },
  request: JsonObject,
): string[] {
  const notes: string[] = []
  for (const end of ["sender", "collection"] as const) {
    if (request[end] !== undefined) continue
    const { value: name, from } = settings.resolve(end)
    if (name === undefined) continue
    request[end] = { ...savedAddress(config, name) }
    notes.push(`The ${end} is the saved address '${name}', from profile '${from}'.`)
  }
  const unit = fillBusinessUnit(settings, request)
  if (unit !== undefined) notes.push(`The business unit is ${unit}, from the profile.`)
  return notes
}

/** Fills in the profile's business unit where a request names none; only carrier C heeds it. @returns what it filled in */
export function fillBusinessUnit(settings: Settings, request: JsonObject): string | undefined {
  const unit = request.businessUnit === undefined ? settings.value("businessUnit") : undefined
  if (unit !== undefined) request.businessUnit = unit
  return unit
}
