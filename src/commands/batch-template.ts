import {
  type ColumnHelp,
  columnHelp,
  plainTemplate,
  templateColumns,
  templateText,
  workbookTemplate,
} from "../orders/batch/columns/template.ts"
import { batchColumns } from "../orders/batch/columns/columns.ts"
import { command } from "../command/command.ts"
import { FreightError } from "../base/errors.ts"
import type { Column } from "../output/terminal/columns.ts"
import { type Format, print } from "../output/terminal/view.ts"
import { FORCE_FLAG, OUTPUT } from "../command/flags.ts"
import { chooseFormat } from "../command/output-file.ts"

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

export default command({
  about:
    "Writes a file to fill in for `freight batch book`, with plain headings and one row as an example: CSV, or a workbook into FILE.xlsx. With --format csv the headings are the names of the fields, for scripts; --format ndjson and json write objects. The sender's columns are left out when the profile has a sender.",
  flags: {
    output: {
      ...OUTPUT,
      writes: "report",
      about: "write to this file, or - for standard output (-)",
      conflicts: "columns",
    },
    ...FORCE_FLAG,
    columns: { about: "explain every column of a batch, and write no file" },
  },
  columns,
  examples: [
    "freight batch template -o orders.csv",
    "freight batch template -o orders.xlsx",
    "freight batch template --format csv",
    "freight batch template --format ndjson",
    "freight batch template --columns",
  ],
  async run(deps, { columns: isExplained, output: file = "-" }) {
    const { terminal, output, settings, clock } = deps
    if (isExplained) {
      await print(deps, { rows: columnHelp(batchColumns()), columns })
      return
    }
    if (output.fields)
      throw new FreightError("usage", "--fields needs --columns: a template has fixed columns")
    const format = chooseFormat(deps, file, ["xlsx"]) as Format
    const parties = { sender: settings.value("sender") === undefined }
    const text =
      format === "xlsx"
        ? await workbookTemplate(parties, clock.now())
        : format === "table"
          ? await plainTemplate(parties, clock.now())
          : await templateText(templateColumns(parties), format, clock.now())
    if (file === "-") {
      await terminal.stdout.write(text)
      return
    }
    await deps.outputs.write(file, text)
    await deps.note(
      `Saved as ${file}. Put your rows in place of the example. All columns: freight batch template --columns`,
    )
  },
})
