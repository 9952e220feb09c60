import type { Command } from "commander"
import type { Deps } from "../deps.ts"
import { RULES } from "../invoice/accounting/rules.ts"
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

interface Row {
  id: string
  /** What a finding counts for, unless a flag says otherwise. */
  severity: Severity
  title: string
  about: string
  basis: string
}

const TABLES = "The contract's field tables."
const CONVENTIONS = "The contract's conventions"

/** What the contract and JSON itself ask for; the first part of the name says which. */
const CHECKS: readonly Omit<Row, "severity">[] = [
  json("syntax", "the file is JSON", "Text that no program can read as JSON, or that is not UTF-8."),
  json("duplicate-key", "no name twice", "An object that has one name twice says two things at once."),
  contract("required", "required fields are there", "A field that must be there is missing.", TABLES),
  contract(
    "additionalProperties",
    "no unknown fields",
    "A field that the contract does not know. Fields of one's own belong in data.extrinsics.",
    `${CONVENTIONS}, 1: objects reject what is not listed.`,
  ),
  contract("type", "text, numbers, lists in their places", "A value of the wrong kind.", TABLES),
  contract("enum", "one of the allowed values", "A code that is not in the contract's list.", TABLES),
  contract("const", "the one allowed value", "docType is INV, and nothing else.", TABLES),
  contract("minItems", "at least one line", "An invoice without lines.", TABLES),
  contract("maxLength", "text is not too long", "A comment of more characters than are allowed.", TABLES),
  contract(
    "multipleOf",
    "no more decimals than allowed",
    "Amounts and quantities have at most 2 decimals, unit prices 4. The number counts as it is written.",
    `${CONVENTIONS}, 3: granularity of numbers.`,
  ),
  contract(
    "format",
    "dates, ids and email addresses are real",
    "A date or time that does not exist or lacks its offset, an id that is no UUID, an address that is no email address.",
    `${CONVENTIONS}, 4 and 5: dates and email fields.`,
  ),
]

function json(name: string, title: string, about: string): Omit<Row, "severity"> {
  return { id: `json/${name}`, title, about, basis: "RFC 8259, JSON." }
}

function contract(name: string, title: string, about: string, basis: string): Omit<Row, "severity"> {
  return { id: `contract/${name}`, title, about, basis }
}

const columns: Column<Row>[] = [
  { key: "id", title: "RULE" },
  { key: "severity", title: "SEVERITY" },
  { key: "title", title: "WHAT IT WANTS" },
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
