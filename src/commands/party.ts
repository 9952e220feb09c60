import { listSaved, parseNewName } from "../config/saved.ts"
import { quoteBlanks } from "../contract/command-line.ts"
import type { Deps } from "../deps.ts"
import { FreightError } from "../errors.ts"
import { askParty, checkParty, type Party, pickParty, type Role, saveParty } from "../invoice/new/parties.ts"
import { CONTACT_FORM } from "../invoice/new/payment.ts"
import { ADDRESS_FORM } from "../invoice/new/texts.ts"
import type { Column } from "../terminal/columns.ts"
import { print } from "../terminal/view.ts"
import type { OldCommand } from "../command.ts"
import { printSaved, removeSaved } from "./shared/saved.ts"

/** A file that was edited by hand may lack any field. */
type Row = { name: string } & Party

export const list: OldCommand = {
  define: (command) =>
    command.description("Lists the saved suppliers and customers. All profiles share them."),
  examples: ["freight party list", "freight party list --format csv"],
  run: listParties,
}

const columns: Column<Row>[] = [
  { key: "name", title: "NAME", rank: 1, gives: "nothing" },
  { key: "supplierName", title: "SUPPLIER", rank: 2 },
  { key: "supplierId", title: "CODE", rank: 4 },
  { key: "abn", title: "ABN", rank: 5 },
  { key: "billTo", title: "BILL TO", rank: 3 },
  { key: "shipTo", title: "SHIP TO", hidden: true },
  { key: "bsb", title: "BSB", hidden: true },
  { key: "accountNumber", title: "ACCOUNT", hidden: true },
  { key: "accountName", title: "ACCOUNT NAME", hidden: true },
  { key: "contact", title: "CONTACT", hidden: true },
  { key: "terms", title: "TERMS", hidden: true },
]

async function listParties(deps: Deps): Promise<undefined> {
  await print(deps, {
    rows: listSaved(deps.config.read().parties).map(([name, party]) =>
      Object.assign({ name }, party, { name }),
    ),
    columns,
    empty: "No party is saved: freight party add NAME saves a supplier or a customer.",
  })
}

interface Options extends Party {
  replace?: boolean
}

export const add: OldCommand = {
  define: (command) =>
    command
      .description(
        "Saves a supplier or a customer of invoices under a name, for --supplier and --customer of freight invoice new. Asks on a terminal for what is missing. All profiles share it.",
      )
      .argument("[name]", "a short name of your own; asked for on a terminal")
      .option("--supplier-id <text>", "of a supplier: the buyer's code for it")
      .option("--supplier-name <text>", "of a supplier: its name")
      .option("--abn <digits>", "of a supplier: its ABN")
      .option("--bsb <digits>", "of a supplier: BSB of the bank account to pay into: 062-000")
      .option("--account-number <digits>", "of a supplier: number of that account")
      .option("--account-name <text>", "of a supplier: name of that account, if it is not the supplier's")
      .option("--contact <text>", `of a supplier: who answers questions: "${CONTACT_FORM}", or some of it`)
      .option(
        "--bill-to <address>",
        `of a customer: "${ADDRESS_FORM}", or "NAME, STREET, CITY STATE POSTCODE"`,
      )
      .option("--ship-to <address>", "of a customer: where goods go, where it differs")
      .option("--terms <text>", 'of a customer: payment terms: "30 days"')
      .option("--replace", "replace the saved party of that name"),
  examples: [
    'freight party add harbour --supplier-id S-1 --supplier-name "Harbour Lighting" --abn 51824753556',
    'freight party add wattle --bill-to "Wattle Homes, 1 Harbour Street, Sydney NSW 2000"',
    'freight invoice new --supplier harbour --customer wattle --number INV-3 --po PO-9 --line "2 x Lamp @ 19.99 EA"',
  ],
  run: addParty,
}

async function addParty(deps: Deps, given: string | undefined, options: Options): Promise<undefined> {
  const { replace = false } = options
  const taken = replace ? [] : Object.keys(deps.config.read().parties ?? {})
  const readName = (name: string) => parseNewName("a party", name, taken)
  const named = given === undefined ? undefined : readName(given)
  if (named?.ok === false) throw new FreightError("usage", named.reason)
  if (given === undefined && !deps.interactive)
    throw new FreightError("usage", "freight party add needs NAME: a short name of your own")
  const flags = pickParty(options)
  const party = deps.interactive ? await askParty(await deps.prompt(), flags) : flags
  checkParty(party)
  const name = given ?? (await (await deps.prompt()).text("Save it as", { check: readName }))
  await saveParty(deps.config, name, party, replace)
  const role: Role = party.supplierId === undefined ? "customer" : "supplier"
  await deps.note(`Saved as '${name}': freight invoice new --${role} ${quoteBlanks(name)}`)
  await printSaved(deps, { name, ...party })
}

export const remove: OldCommand = {
  define: (command) =>
    command
      .description("Removes saved suppliers and customers. Nothing is removed unless all of them are there.")
      .argument("<name...>", "parties, as freight party list has them"),
  examples: ["freight party remove harbour"],
  run: removeParties,
}

async function removeParties(deps: Deps, names: string[]): Promise<undefined> {
  await removeSaved(deps, "parties", names)
}
