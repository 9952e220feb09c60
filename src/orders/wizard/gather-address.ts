/** Gathers an address to be saved: from one line, a file and fields, or from a person. */
import { quoteBlanks } from "../../base/command-line.ts"
import { FreightError } from "../../base/errors.ts"
import type { JsonObject } from "../../base/json.ts"
import {
  applySets,
  checkAddress,
  inWords,
  listPlaces,
  parseAddress,
  repairPostcode,
  type SavedAddress,
} from "../../contract/index.ts"
import { checkNewName, placeOrThrow, refuseTaken, suggestName } from "../../machine/index.ts"
import type { Deps } from "../../session/index.ts"
import { readInput, toDetail } from "../booking/input.ts"
import { enterAddress } from "./enter-address.ts"

interface GivenAddress {
  name: string | undefined
  line: string | undefined
  /** The address as a JSON file. */
  file?: string
  /** Fields, which go over the rest. */
  set?: readonly string[]
}

/**
 * The address from a command line, whole and checked; a person is asked for missing fields.
 * @param taken names that it may not have
 * @throws FreightError `usage` and `input` for errors in it; nothing is saved then
 */
export async function gatherAddress(
  deps: Deps,
  { name: given, line, file, set = [] }: GivenAddress,
  taken: readonly string[],
): Promise<{ name: string; address: SavedAddress | JsonObject }> {
  if (given !== undefined && line === undefined) refuseAddressAsName(given)
  if (given !== undefined) checkNewName("addresses", given)
  // Before anything is asked.
  if (given !== undefined) refuseTaken("addresses", given, taken)
  if (line !== undefined && file !== undefined)
    throw new FreightError("usage", "give the address in one line or with --file, not both")
  if (!deps.interactive && line === undefined && file === undefined && set.length === 0)
    throw new FreightError(
      "usage",
      "an address is needed: in one line, as JSON with --file, or field by field with --set",
      { hint: "Needed are companyName, address1, suburb, state and postcode." },
    )
  const input = file === undefined ? undefined : await readInput(deps, file)
  const whole = line === undefined ? {} : await placeOrThrow(parseAddress(line), line, "", deps.places)
  const known = applySets({ ...input?.value, ...whole }, set, "BookingAddress")
  const repair = repairAddress(known)
  const entered =
    deps.interactive && isIncomplete(known, given)
      ? await askForAddress(deps, given, known, taken)
      : undefined
  const address = entered?.entered ?? known
  const places = await deps.places(listPlaces({ whole: address }, ["whole"]))
  const { errors, warnings } = checkAddress(address, places)
  if (errors.length > 0)
    throw new FreightError(
      "input",
      `${input ? `${input.name}: ` : ""}the address is incomplete or incorrect; nothing was saved`,
      { errors: errors.map((problem) => toDetail(problem, input)) },
    )
  for (const warning of warnings) await deps.warn(inWords(warning))
  if (repair) await deps.note(repair)
  return { name: entered?.name ?? given ?? "", address }
}

function refuseAddressAsName(given: string): void {
  const read = parseAddress(given)
  if (!read.ok) return
  throw new FreightError("usage", "that is an address: its name is missing, a short one of your own", {
    next: `freight address add ${suggestName(read.value.companyName ?? "", "warehouse")} ${quoteBlanks(given)}`,
  })
}

function isIncomplete(address: JsonObject, name: string | undefined): boolean {
  const { errors } = checkAddress(address)
  return (errors.length > 0 || name === undefined) && errors.every(({ keyword }) => keyword === "required")
}

async function askForAddress(
  deps: Pick<Deps, "converse" | "places">,
  name: string | undefined,
  known: JsonObject,
  taken: readonly string[],
) {
  const conversation = await deps.converse({ keepsAnswers: false })
  for (;;) {
    const entered = await enterAddress(conversation, {
      taken,
      suggested: "",
      name,
      known,
      places: deps.places,
    })
    if (entered) return entered
    await conversation.say("There is no question before this one. Ctrl-C stops.")
  }
}

/**
 * Restores the leading zero of a postcode that a spreadsheet removed (`800` → `0800`), and reports it. Changes the
 * address.
 */
function repairAddress(address: JsonObject): string | undefined {
  const { postcode, state } = address
  if (typeof postcode !== "string" && typeof postcode !== "number") return undefined
  const fixed = repairPostcode(postcode, typeof state === "string" ? state : undefined)
  if (fixed === undefined || fixed === postcode) return undefined
  address.postcode = fixed
  return `The postcode ${String(postcode)} is saved as ${fixed}.`
}
