/** Writes the file to fill in for a batch, and explains its columns. */
import { batchColumns } from "./columns.ts"
import {
  type ColumnHelp,
  columnHelp,
  plainTemplate,
  templateColumns,
  templateText,
  workbookTemplate,
} from "./template.ts"
import { chooseFormat } from "../../../command/index.ts"
import type { Deps } from "../../../session/index.ts"
import { nextCommand } from "../../../base/command-line.ts"
import { quoted } from "../../../base/parsed.ts"
import { FreightError } from "../../../base/errors.ts"
import { type Column, type Format, print } from "../../../output/index.ts"

export const TEMPLATE_COLUMNS: Column<ColumnHelp>[] = [
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

/**
 * Explains the columns that match some words; without words all of them, or at a terminal those that every order needs.
 */
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
    columns: isShort
      ? TEMPLATE_COLUMNS.filter(({ key }) => !["also", "needed"].includes(key))
      : TEMPLATE_COLUMNS,
  })
  if (isShort)
    await deps.note(
      `These are needed; ${all.length - rows.length} more are not. freight batch template --columns phone shows those about a word; --columns ${ALL_COLUMNS} shows all.`,
    )
}

const ALL_COLUMNS = "all"

/** Writes the file to fill in, or explains its columns. */
export async function writeTemplate(
  deps: Deps,
  {
    columns: explained,
    output: file = "-",
  }: { columns?: string | true | undefined; output?: string | undefined },
): Promise<undefined> {
  const { terminal, output, settings, clock } = deps
  if (explained !== undefined) {
    await explainColumns(deps, explained === true ? "" : explained)
    return
  }
  if (output.fields) throw new FreightError("usage", "--fields needs --columns: a template has fixed columns")
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
}
