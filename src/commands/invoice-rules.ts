import type { Command } from "commander"
import type { Deps } from "../deps.ts"
import { RULES } from "../invoice/accounting/rules.ts"
import { CHECKS, type Check } from "../invoice/checks.ts"
import type { Severity } from "../invoice/finding.ts"
import type { Column } from "../terminal/columns.ts"
import { print } from "../terminal/view.ts"
import type { Act } from "./shared/act.ts"
import { examples } from "./shared/examples.ts"

export function define(command: Command, act: Act): void {
  command
    .description(
      "Lists the rules that invoices are checked by. An error breaks the contract. A warning is for a person to judge: " +
        "--rule ID=off, --rule ID=error, --strict and --no-accounting of `freight invoice validate` change it.",
    )
    .addHelpText("after", examples("freight invoice rules", "freight invoice rules --format csv"))
    .action(act(run))
}

interface Row extends Check {
  /** What a finding counts for, unless a flag says otherwise. */
  severity: Severity
}

const columns: Column<Row>[] = [
  { key: "id", title: "RULE", gives: "nothing" },
  { key: "severity", title: "SEVERITY", isState: true },
  { key: "title", title: "WHAT IT WANTS", gives: "words" },
  { key: "about", title: "WHAT IT CHECKS", hidden: true },
  { key: "basis", title: "WHAT IT RESTS ON", hidden: true },
]

async function run({ terminal, output }: Deps): Promise<undefined> {
  const rows: Row[] = [
    ...CHECKS.map(({ id, ...words }) => ({ id, severity: "error" as const, ...words })),
    ...RULES.map(({ id, ...words }) => ({ id, severity: "warning" as const, ...words })),
  ]
  await print(terminal, output, { json: rows, rows, columns })
  return
}
