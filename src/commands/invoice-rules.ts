import type { Command } from "commander"
import type { Deps } from "../deps.ts"
import { ALL_RULES } from "../invoice/rules.ts"
import type { Column } from "../terminal/columns.ts"
import { print } from "../terminal/view.ts"

export function define(command: Command): void {
  command.description(
    "Lists the rules that invoices are checked against. An error breaks the contract. A warning is for a person to judge: " +
      "--rule ID=off, --rule ID=error, --strict and --no-accounting of `freight invoice validate` change it.",
  )
}

export const examples = ["freight invoice rules", "freight invoice rules --format csv"]

const columns: Column<(typeof ALL_RULES)[number]>[] = [
  { key: "id", title: "RULE", gives: "nothing" },
  { key: "severity", title: "SEVERITY", isState: true },
  { key: "title", title: "WHAT MUST HOLD", gives: "words" },
  { key: "about", title: "WHAT IT CHECKS", hidden: true },
  { key: "basis", title: "WHAT IT RESTS ON", hidden: true },
]

export async function run(deps: Deps): Promise<undefined> {
  await print(deps, { rows: ALL_RULES, columns })
}
