import { readInput, toDetail } from "../booking/input.ts"
import { applySets } from "../contract/fields/sets.ts"
import type { JsonObject } from "../contract/fields/json.ts"
import { checkAddressName } from "../config/addresses.ts"
import { profileValue } from "../config/file.ts"
import { listSaved, saveUnderName } from "../config/saved.ts"
import { checkAddress } from "../contract/addresses.ts"
import { inWords } from "../contract/check.ts"
import { quoteBlanks } from "../contract/command-line.ts"
import type { BookingAddress } from "../contract/generated/types.ts"
import { repairPostcode } from "../contract/places.ts"
import type { Deps } from "../deps.ts"
import { FreightError } from "../errors.ts"
import type { Column } from "../terminal/columns.ts"
import { print } from "../terminal/view.ts"
import type { OldCommand } from "../command.ts"
import { repeat } from "./shared/flags.ts"
import { printSaved, removeSaved } from "./shared/saved.ts"

/** A saved address with its name; a file edited by hand may lack any field. */
type Row = { name: string } & Partial<BookingAddress>

export const list: OldCommand = {
  define: (command) => command.description("Lists the saved addresses. All profiles share them."),
  examples: ["freight address list", "freight address list --format csv"],
  run: listAddresses,
}

const columns: Column<Row>[] = [
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
]

async function listAddresses(deps: Deps): Promise<undefined> {
  await print(deps, {
    rows: listSaved(deps.config.read().addresses).map(
      ([name, address]): Row => Object.assign({}, address, { name }),
    ),
    columns,
    empty: "No address is saved. To save one: freight address add NAME",
  })
}

interface Options {
  file?: string
  set?: string[]
  replace?: boolean
}

export const add: OldCommand = {
  define: (command) =>
    command
      .description(
        "Saves an address under a name, for --sender, --collection and --receiver. Asks on a terminal for what is missing. All profiles share it.",
      )
      .argument("[name]", "a short name of your own; asked for on a terminal")
      .option("--file <file>", "the address as JSON, or - for standard input; --set overrides it")
      .option(
        "--set <field=value>",
        "a field: companyName, address1, suburb, state, postcode… (repeatable)",
        repeat,
      )
      .option("--replace", "replace the saved address of that name"),
  examples: [
    'freight address add perth --set companyName="Port Street Fittings" --set address1="8 Market Street" --set suburb=Fremantle --set state=WA --set postcode=6160',
    'freight address add warehouse --set companyName="Harbour Lighting" --set address1="14 Bourke Road" --set suburb=Alexandria --set state=NSW --set postcode=2015',
    "freight book --sandbox --file booking.json --receiver perth --dry-run",
  ],
  run: addAddress,
}

async function addAddress(deps: Deps, given: string | undefined, options: Options): Promise<undefined> {
  if (given !== undefined) checkAddressName(given)
  const asked = deps.interactive && options.file === undefined
  if (!asked && given === undefined)
    throw new FreightError("usage", "freight address add needs NAME: a short name of your own")
  if (!asked && options.file === undefined && !options.set)
    throw new FreightError(
      "usage",
      "an address is needed: as JSON with --file, or field by field with --set",
      { hint: "Needed are companyName, address1, suburb, state and postcode." },
    )
  const input = options.file === undefined ? undefined : await readInput(deps, options.file)
  const set = await applySets(input?.value ?? {}, options.set ?? [], "BookingAddress")
  const repair = repairAddress(set)
  const entered =
    asked && isIncomplete(set, given) ? await askForAddress(deps, given, set, options) : undefined
  const name = entered?.name ?? given ?? ""
  const whole = entered?.entered ?? set
  const { errors, warnings } = checkAddress(whole)
  if (errors.length > 0)
    throw new FreightError(
      "input",
      `${input ? `${input.name}: ` : ""}the address is incomplete or incorrect; nothing was saved`,
      { errors: errors.map((problem) => toDetail(problem, input)) },
    )
  const address = whole as unknown as BookingAddress
  for (const warning of warnings) await deps.warn(inWords(warning))
  await saveUnderName(deps.config, "addresses", [name, address], options)
  if (repair) await deps.note(repair)
  await deps.note(`Saved as '${name}': freight book --receiver ${quoteBlanks(name)}`)
  await printSaved(deps, { name, ...address })
}

/** Whether nothing is wrong but that the name or fields are missing. */
function isIncomplete(address: JsonObject, name: string | undefined): boolean {
  const { errors } = checkAddress(address)
  return (errors.length > 0 || name === undefined) && errors.every(({ keyword }) => keyword === "required")
}

async function askForAddress(deps: Deps, name: string | undefined, known: JsonObject, { replace }: Options) {
  const { enterAddress } = await import("./shared/enter-address.ts")
  const conversation = await deps.converse({ keepsAnswers: false })
  const taken = replace ? [] : Object.keys(deps.config.read().addresses)
  for (;;) {
    const entered = await enterAddress(conversation, { taken, suggested: "", name, known })
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

export const remove: OldCommand = {
  define: (command) =>
    command
      .description("Removes saved addresses. Nothing is removed unless all of them exist.")
      .argument("<name...>", "addresses, as freight address list shows them"),
  examples: ["freight address remove perth"],
  run: removeAddresses,
}

async function removeAddresses(deps: Deps, names: string[]): Promise<undefined> {
  const gone = await removeSaved(deps, "addresses", names)
  for (const [profile, settings] of Object.entries(deps.config.read().profiles))
    for (const key of ["sender", "collection"] as const) {
      const named = profileValue(settings, key)
      if (named !== undefined && gone.has(named))
        await deps.warn(
          `profile '${profile}' still names '${named}' as its ${key}: freight config unset ${key} --profile ${profile}`,
        )
    }
}
