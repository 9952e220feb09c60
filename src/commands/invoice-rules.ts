import { command } from "../command/index.ts"
import { ALL_RULES } from "../invoice/index.ts"
import { type Column, print } from "../output/index.ts"

const RULES = ALL_RULES.map(({ id, ...words }) => ({ rule: id, ...words }))

const columns: Column<(typeof RULES)[number]>[] = [
  { key: "id", title: "RULE", gives: "nothing", value: ({ rule }) => rule },
  { key: "severity", title: "SEVERITY", isState: true },
  { key: "title", title: "WHAT MUST HOLD", gives: "words" },
  { key: "about", title: "WHAT IT CHECKS", hidden: true },
  { key: "basis", title: "WHAT IT RESTS ON", hidden: true },
]

export default command({
  about:
    "Lists the rules that invoices are checked against. An error breaks the contract. A warning is for a person to judge: " +
    "--rule-level ID=off, --rule-level ID=error, --strict and --no-accounting of `freight invoice validate` change it.",
  columns,
  examples: ["freight invoice rules", "freight invoice rules --format csv"],
  run: async (deps) => void (await print(deps, { rows: RULES, columns })),
})
