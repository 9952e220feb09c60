import { quoted } from "../base/parsed.ts"
import { command, savedThings, toNamedRow } from "../command/index.ts"
import { listSaved, profileValue } from "../machine/index.ts"
import type { SavedAddress } from "../contract/index.ts"
import { quoteBlanks } from "../base/command-line.ts"

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
            `profile ${quoted(profile)} still names ${quoted(named)} as its ${key}: freight config unset ${key} --profile ${profile}`,
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
    const { gatherAddress } = await import("../orders/wizard/gather-address.ts")
    const words = { ...options, name: given, line }
    const { name, address } = await gatherAddress(deps, words, addresses.listTaken(deps, options))
    const use = `freight book --receiver ${quoteBlanks(name)}`
    return addresses.save(deps, name, address, { ...options, use })
  },
})
