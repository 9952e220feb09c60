import { quoted } from "../base/parsed.ts"
import { command, type Flags, savedThings, toNamedRow } from "../command/index.ts"
import { checkNewName, type Config, listSaved, parseNewName } from "../machine/index.ts"
import { quoteBlanks } from "../base/command-line.ts"
import { formatDate, wallClockNow } from "../base/wall-clock.ts"
import {
  ADDRESS_FORM,
  askParty,
  checkParty,
  CONTACT_FORM,
  findEarlier,
  keepAccountChanges,
  keepFormerSuppliers,
  type Party,
  pickParty,
  type SavedParty,
} from "../invoice/index.ts"

const NO_PARTY = {
  supplierId: null,
  supplierName: null,
  abn: null,
  supplierAddress: null,
  bsb: null,
  accountNumber: null,
  accountName: null,
  accountChanges: null,
  contact: null,
  billTo: null,
  shipTo: null,
  terms: null,
} satisfies Record<keyof SavedParty, null>

export const parties = savedThings({
  noun: "party",
  plural: "suppliers and customers",
  list: "parties",
  read: ({ config }) =>
    listSaved(config.read().parties).map((saved) => toNamedRow<SavedParty>(saved, NO_PARTY)),
  columns: [
    { key: "name", title: "NAME", rank: 1, gives: "nothing" },
    { key: "supplierName", title: "SUPPLIER", rank: 2 },
    { key: "supplierId", title: "CODE", rank: 4 },
    { key: "abn", title: "ABN", rank: 5 },
    { key: "billTo", title: "BILL TO", rank: 3 },
    { key: "shipTo", title: "SHIP TO", hidden: true },
    { key: "bsb", title: "BSB", hidden: true },
    { key: "accountNumber", title: "ACCOUNT", hidden: true },
    { key: "accountName", title: "ACCOUNT NAME", hidden: true },
    { key: "accountChanges", title: "ACCOUNT CHANGES", hidden: true },
    { key: "contact", title: "CONTACT", hidden: true },
    { key: "terms", title: "TERMS", hidden: true },
  ],
  empty: "No party is saved: freight party add NAME saves a supplier or a customer.",
  removeExample: "harbour",
  about: {
    remove:
      "Removes saved suppliers and customers. Nothing is removed unless all of them exist. The bank account of a supplier is remembered: saving the supplier again with another account gives a warning.",
  },
  keepOfRemoved: keepFormerSuppliers,
})

export const { list, remove } = parties

const FIELDS = {
  supplierId: { takes: "<text>", about: "of a supplier: the buyer's code for it" },
  supplierName: { takes: "<text>", about: "of a supplier: its name" },
  abn: { takes: "<digits>", about: "of a supplier: its ABN" },
  supplierAddress: { takes: "<address>", about: "of a supplier: its address" },
  bsb: { takes: "<digits>", about: "of a supplier: BSB of the bank account to pay into: 062-000" },
  accountNumber: { takes: "<digits>", about: "of a supplier: number of that account" },
  accountName: {
    takes: "<text>",
    about: "of a supplier: name of that account, if it is not the supplier's",
  },
  contact: {
    takes: "<text>",
    about: `of a supplier: who answers questions: "${CONTACT_FORM}", or some of it`,
  },
  billTo: {
    takes: "<address>",
    about: `of a customer: "${ADDRESS_FORM}", or "NAME, STREET, CITY STATE POSTCODE"`,
  },
  shipTo: { takes: "<address>", about: "of a customer: where goods go, where it differs" },
  terms: { takes: "<text>", about: 'of a customer: payment terms: "30 days"' },
} as const satisfies Flags & Record<keyof Party, unknown>

export const add = command({
  about:
    "Saves a supplier or a customer of invoices under a name, for --supplier and --customer of freight invoice new. Asks on a terminal for what is missing. All profiles share it.",
  args: [parties.nameArgument],
  flags: { ...FIELDS, replace: parties.replaceFlag },
  examples: [
    'freight party add harbour --supplier-id S-1 --supplier-name "Harbour Lighting" --abn 51824753556',
    'freight party add wattle --bill-to "Wattle Homes, 1 Harbour Street, Sydney NSW 2000"',
    'freight invoice new --supplier harbour --customer wattle --number INV-3 --po PO-9 --line "2 x Lamp @ 19.99 EA"',
  ],
  async run(deps, given, options) {
    const taken = parties.listTaken(deps, options)
    if (given !== undefined) checkNewName("parties", given, taken)
    const flags = pickParty(options)
    const party = deps.interactive ? await askParty(await deps.prompt(), flags) : flags
    checkParty(party)
    const check = (name: string) => parseNewName("parties", name, taken)
    const name = given ?? (await (await deps.prompt()).text("Save it as", { check }))
    const role = party.supplierId === undefined ? "customer" : "supplier"
    const use = `freight invoice new --${role} ${quoteBlanks(name)}`
    const today = formatDate(wallClockNow(deps.clock.now()))
    let replaced: string | undefined
    const keep = (before: unknown, config: Config) => {
      const kept = keepAccountChanges(before ?? findEarlier(config, party), party, today)
      replaced = kept.accountChange?.before
      return { ...kept.party }
    }
    await parties.save(deps, name, keep, { ...options, use })
    if (replaced !== undefined)
      await deps.warn(
        `the bank account of ${quoted(name)} changed: before it was ${replaced}. Invoices with the new one are reported for 30 days.`,
      )
  },
})
