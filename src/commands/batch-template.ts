import type { Command } from "commander"
import { batchColumns } from "../batch/columns/columns.ts"
import {
  type ColumnHelp,
  columnHelp,
  plainTemplate,
  templateColumns,
  templateText,
} from "../batch/columns/template.ts"
import type { Deps } from "../deps.ts"
import { FreightError } from "../errors.ts"
import type { Column } from "../terminal/columns.ts"
import { print } from "../terminal/view.ts"

interface Options {
  columns?: boolean
  output?: string
}

export function define(command: Command): void {
  command
    .description(
      "Writes a CSV file to fill in for `freight batch book`, with plain headings and one row as an example. With --format csv the headings are the names of the fields, for scripts; --format ndjson and json write objects. The sender's columns are left out when the profile has a sender.",
    )
    .option("-o, --output <file>", "write to this file, or - for standard output (-)")
    .option("--columns", "explain every column of a batch, and write no file")
}

export const examples = [
  "freight batch template -o orders.csv",
  "freight batch template --format csv",
  "freight batch template --format ndjson",
  "freight batch template --columns",
]

const columns: Column<ColumnHelp>[] = [
  { key: "column", title: "COLUMN", rank: 1, gives: "nothing" },
  { key: "needed", title: "NEEDED", rank: 3, show: ({ needed }) => (needed ? "yes" : "") },
  { key: "about", title: "WHAT IT HOLDS", rank: 2, gives: "words" },
  { key: "example", title: "EXAMPLE", rank: 4 },
  {
    key: "also",
    title: "ALSO CALLED",
    show: ({ also }) => also.join(", "),
    value: ({ also }) => also.join(", "),
    rank: 5,
    gives: "words",
  },
]

export async function run(deps: Deps, { columns: explain, output: file = "-" }: Options): Promise<undefined> {
  const { terminal, output, files, settings, clock } = deps
  if (explain) {
    if (file !== "-") throw new FreightError("usage", "--columns writes no file: leave out -o")
    const rows = columnHelp(batchColumns())
    await print(deps, { rows, columns })
    return
  }
  if (output.fields) throw new FreightError("usage", "--fields needs --columns: a template has fixed columns")
  const { format } = output
  const parties = { sender: settings.value("sender") === undefined }
  const text =
    format === "table"
      ? await plainTemplate(parties, clock.now())
      : await templateText(templateColumns(parties), format, clock.now())
  if (file === "-") {
    await terminal.stdout.write(text)
    return
  }
  if (await files.has(file))
    throw new FreightError("input", `${file} already exists, and may be filled in; nothing was written`, {
      hint: "Name another file, or move that one away.",
    })
  await files.write(file, text)
  await deps.note(
    `Saved as ${file}. Put your rows in place of the example. All columns: freight batch template --columns`,
  )
}
