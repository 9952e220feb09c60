import type { Command } from "commander"
import { parseNewName } from "../config/saved.ts"
import { quoteBlanks } from "../contract/command-line.ts"
import type { Deps } from "../deps.ts"
import { FreightError } from "../errors.ts"
import { askParty, checkParty, type Party, pickParty, type Role, saveParty } from "../invoice/new/parties.ts"
import { ADDRESS_FORM } from "../invoice/new/texts.ts"
import { print } from "../terminal/view.ts"

interface Options extends Party {
  replace?: boolean
}

export function define(command: Command): void {
  command
    .description(
      "Saves a supplier or a customer of invoices under a name, for --supplier and --customer of freight invoice new. Asks on a terminal for what is missing. All profiles share it.",
    )
    .argument("[name]", "a short name of your own; asked for on a terminal")
    .option("--supplier-id <text>", "of a supplier: the buyer's code for it")
    .option("--supplier-name <text>", "of a supplier: its name")
    .option("--abn <digits>", "of a supplier: its ABN")
    .option("--bill-to <address>", `of a customer: "${ADDRESS_FORM}", or "NAME, STREET, CITY STATE POSTCODE"`)
    .option("--ship-to <address>", "of a customer: where goods go, where it differs")
    .option("--replace", "replace the saved party of that name")
}

export const examples = [
  'freight party add harbour --supplier-id S-1 --supplier-name "Harbour Lighting" --abn 51824753556',
  'freight party add wattle --bill-to "Wattle Homes, 1 Harbour Street, Sydney NSW 2000"',
  'freight invoice new --supplier harbour --customer wattle --number INV-3 --po PO-9 --line "2 x Lamp @ 19.99 EA"',
]

export async function run(deps: Deps, given: string | undefined, options: Options): Promise<undefined> {
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
  if (deps.output.format !== "table" || deps.output.fields) {
    const row = { name, ...party }
    const columns = Object.keys(row).map((key) => ({ key, title: key }))
    await print(deps, { rows: [row], columns, single: true })
  }
}
