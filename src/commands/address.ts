import { readInput, toDetail } from "../orders/index.ts"
import { command, savedThings, toNamedRow } from "../command/index.ts"
import {
  checkNewName,
  listSaved,
  placeOrThrow,
  profileValue,
  refuseTaken,
  suggestName,
} from "../machine/index.ts"
import {
  applySets,
  checkAddress,
  inWords,
  listPlaces,
  parseAddress,
  repairPostcode,
  type SavedAddress,
} from "../contract/index.ts"
import { quoteBlanks } from "../base/command-line.ts"
import type { JsonObject } from "../base/json.ts"
import type { Asking, Ledgers } from "../session/index.ts"
import { FreightError } from "../base/errors.ts"

const NO_ADDRESS = {
  companyName: null,
  contactName: null,
  phoneAreaCode: null,
  phoneNumber: null,
  address1: null,
  address2: null,
  suburb: null,
  state: null,
  postcode: null,
  email: null,
  residential: null,
} satisfies Record<keyof SavedAddress, null>

export const addresses = savedThings({
  noun: "address",
  list: "addresses",
  read: ({ config }) =>
    listSaved(config.read().addresses).map((saved) => toNamedRow<SavedAddress>(saved, NO_ADDRESS)),
  columns: [
    { key: "name", title: "NAME", rank: 1, gives: "nothing" },
    { key: "companyName", title: "COMPANY", rank: 2 },
    { key: "contactName", title: "CONTACT", rank: 8 },
    { key: "phoneAreaCode", title: "AREA", hidden: true },
    { key: "phoneNumber", title: "PHONE", hidden: true },
    { key: "address1", title: "STREET", rank: 6 },
    { key: "address2", title: "STREET 2", hidden: true },
    { key: "suburb", title: "SUBURB", rank: 3 },
    { key: "state", title: "STATE", rank: 4 },
    { key: "postcode", title: "POSTCODE", rank: 5, gives: "nothing" },
    { key: "email", title: "EMAIL", rank: 7 },
    { key: "residential", title: "HOME", hidden: true },
  ],
  empty: "No address is saved. To save one: freight address add NAME ADDRESS",
  removeExample: "perth",
  async afterRemoval({ config, warn }, gone) {
    for (const [profile, settings] of Object.entries(config.read().profiles))
      for (const key of ["sender", "collection"] as const) {
        const named = profileValue(settings, key)
        if (named !== undefined && gone.has(named))
          await warn(
            `profile '${profile}' still names '${named}' as its ${key}: freight config unset ${key} --profile ${profile}`,
          )
      }
  },
})

export const { list, remove } = addresses

export const add = command({
  about:
    "Saves an address under a name, for --sender, --collection and --receiver. Asks on a terminal for what is missing. All profiles share it.",
  args: [
    addresses.nameArgument,
    {
      takes: "[address]",
      about: "the whole address in one line, as --receiver takes it; --set overrides it",
    },
  ],
  flags: {
    file: {
      takes: "<file>",
      about: "the address as JSON, or - for standard input; --set overrides it",
      isInput: true,
    },
    set: {
      takes: "<field=value>",
      about:
        "a field: companyName, address1, suburb, state, postcode… residential=true for a home (repeatable)",
      isRepeatable: true,
    },
    replace: addresses.replaceFlag,
  },
  examples: [
    'freight address add perth "Port Street Fittings, 8 Market Street, Fremantle WA 6160, 0491 570 156"',
    'freight address add warehouse --set companyName="Harbour Lighting" --set address1="14 Bourke Road" --set suburb=Alexandria --set state=NSW --set postcode=2015',
    "freight book --sandbox --file booking.json --receiver perth --dry-run",
  ],
  async run(deps, given, line, options) {
    const { file, set = [] } = options
    if (given !== undefined && line === undefined) refuseAddressAsName(given)
    const taken = addresses.listTaken(deps, options)
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
    const name = entered?.name ?? given ?? ""
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
    const use = `freight book --receiver ${quoteBlanks(name)}`
    return addresses.save(deps, name, address, { ...options, use })
  },
})

function refuseAddressAsName(given: string): void {
  const read = parseAddress(given)
  if (!read.ok) return
  throw new FreightError("usage", "that is an address: its name is missing, a short one of your own", {
    next: `freight address add ${suggestName(read.value.companyName ?? "", "warehouse")} ${quoteBlanks(given)}`,
  })
}

/** Whether nothing is wrong but that the name or fields are missing. */
function isIncomplete(address: JsonObject, name: string | undefined): boolean {
  const { errors } = checkAddress(address)
  return (errors.length > 0 || name === undefined) && errors.every(({ keyword }) => keyword === "required")
}

async function askForAddress(
  deps: Asking & Pick<Ledgers, "places">,
  name: string | undefined,
  known: JsonObject,
  taken: readonly string[],
) {
  const { enterAddress } = await import("../orders/wizard/enter-address.ts")
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

/** Gives a postcode back the zero that a spreadsheet took (`800` → `0800`), and says so. Changes the address. */
function repairAddress(address: JsonObject): string | undefined {
  const { postcode, state } = address
  if (typeof postcode !== "string" && typeof postcode !== "number") return undefined
  const fixed = repairPostcode(postcode, typeof state === "string" ? state : undefined)
  if (fixed === undefined || fixed === postcode) return undefined
  address.postcode = fixed
  return `The postcode ${String(postcode)} is saved as ${fixed}.`
}
