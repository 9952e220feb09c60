import {
  batchColumns,
  type ColumnHelp,
  columnHelp,
  plainTemplate,
  templateColumns,
  templateText,
  workbookTemplate,
} from "../orders/index.ts"
import { chooseFormat, command, FORCE_FLAG, OUTPUT } from "../command/index.ts"
import type { Deps } from "../session/index.ts"
import { nextCommand } from "../base/command-line.ts"
import { quoted } from "../base/parsed.ts"
import { FreightError } from "../base/errors.ts"
import { type Column, type Format, FORMATS, print } from "../output/index.ts"

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

/** All columns: those about some words, or at a terminal those that every order needs. */
async function explainColumns(deps: Deps, words: string): Promise<void> {
  const all = columnHelp(batchColumns())
  const isShort = words === "" && deps.terminal.stdout.isTTY && deps.output.format === "table"
  const wanted = words.toLowerCase()
  const isWanted = ({ column, about, also, needed }: ColumnHelp) =>
    isShort ? needed : `${column} ${about} ${also.join(" ")}`.toLowerCase().includes(wanted)
  const rows = wanted === ALL_COLUMNS ? all : all.filter(isWanted)
  if (rows.length === 0)
    throw new FreightError("usage", `no column is about ${quoted(words)}`, {
      ...nextCommand("freight", "batch", "template", "--columns", ALL_COLUMNS),
    })
  await print(deps, {
    rows,
    columns: isShort ? columns.filter(({ key }) => !["also", "needed"].includes(key)) : columns,
  })
  if (isShort)
    await deps.note(
      `These are needed; ${all.length - rows.length} more are not. freight batch template --columns phone shows those about a word; --columns ${ALL_COLUMNS} shows all.`,
    )
}

const ALL_COLUMNS = "all"

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
    columns: {
      takes: "[text]",
      about: "explain the columns of a batch, or those about some words; write no file",
      formats: FORMATS,
    },
  },
  columns,
  formats: FORMATS.filter((format) => format !== "value"),
  examples: [
    "freight batch template -o orders.csv",
    "freight batch template -o orders.xlsx",
    "freight batch template --format csv",
    "freight batch template --format ndjson",
    "freight batch template --columns",
    "freight batch template --columns phone",
  ],
  async run(deps, { columns: explained, output: file = "-" }) {
    const { terminal, output, settings, clock } = deps
    if (explained !== undefined) {
      await explainColumns(deps, explained === true ? "" : explained)
      return
    }
    if (output.fields)
      throw new FreightError("usage", "--fields needs --columns: a template has fixed columns")
    if (output.isHeadless)
      throw new FreightError("usage", "--no-header needs --columns: a template is its line of names")
    const format = chooseFormat(deps, file, ["xlsx", "table"], { csv: "table" }) as Exclude<Format, "value">
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
      `Saved as ${file}. Put your rows in place of the example. All columns: freight batch template --columns all`,
    )
  },
})
