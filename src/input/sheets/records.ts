/** The rows of a table, for all that read one: what each record is, what is left out and told, and what is wrong with it. */
import type { ErrorDetail } from "../../base/errors.ts"
import { quoted } from "../../base/parsed.ts"
import { type CsvRecord, describePlace } from "./csv.ts"
import type { CellFinding } from "./findings.ts"
import { checkRecord, isNote, type OpenedTable } from "./table.ts"
import { saysOfAccount, saysTotal, saysTotalOf } from "./totals.ts"

/** What a reader of tables has of its own. */
export interface Dialect<Field, Row extends object> {
  /** What a row is, for people: `a charge`. */
  what: string
  /** Takes a record apart; undefined where it holds nothing that is asked for. */
  read(record: CsvRecord): Row | { error: { column: string; message: string } } | undefined
  /** Whether a cell holds what would be misread under another heading. */
  isAmount(text: string): boolean
  /** What names a row, and what it says that it is; words of the account there make it one of the account. */
  listLabels(row: Row): { names: readonly string[]; label: string }
  /** Kinds of rows of the account that are rows here. */
  takes?: "payment"
  /** Is called for each row of the account that is left out. */
  onAccount?(): void
  /** Is called for each line that is nothing but words. */
  onNote?(cells: readonly string[]): void
  /** Takes a record that begins another table below the first. @returns its columns */
  findTable?(record: CsvRecord): Promise<Columns<Field> | undefined>
  warn(text: string): Promise<void>
}

type Columns<Field> = Pick<OpenedTable<Field>, "headers" | "fields"> &
  Partial<Pick<OpenedTable<Field>, "watched">>

export type RecordRead<Row extends object> = { record: CsvRecord } & (
  | { row: Row }
  | { wrong: readonly CellFinding[] }
)

/**
 * Reads the records of a table one by one. Notes are left out; rows of the account are left out and told with their amount.
 * @param name of the table, for people
 */
export async function* readRecords<Field, Row extends object>(
  name: string,
  table: OpenedTable<Field>,
  { what, read, isAmount, listLabels, takes, onAccount, onNote, findTable, warn }: Dialect<Field, Row>,
): AsyncGenerator<RecordRead<Row>> {
  let columns: Columns<Field> = table
  for await (const record of table.records) {
    const { cells, unreadable = [] } = record
    if (unreadable.length === 0 && isNote(cells)) {
      onNote?.(cells)
      continue
    }
    const next = await findTable?.(record)
    if (next) {
      columns = next
      continue
    }
    const wrong = checkRecord(columns, record, { isAmount, isLoose: beginsAsSum(cells) })
    if (wrong.length > 0) {
      yield { record, wrong }
      continue
    }
    const row = read(record)
    if (row === undefined) continue
    if (isError(row)) {
      yield { record, wrong: [{ ...row.error, rule: "cell", severity: "error" }] }
      continue
    }
    const kind = findAccount(listLabels(row))
    if (kind === undefined || kind.is === takes) {
      yield { record, row }
      continue
    }
    onAccount?.()
    const amounts = cells.filter((text) => isAmount(text)).map((text) => text.trim())
    await warn(
      `${name}: ${describePlace(record)}: ${quoted(kind.text)} (${amounts.join(", ")}) is of the account and not ${what}: it is left out`,
    )
  }
}

/** What is wrong with a record, for people, and where. */
export function toRowError(record: CsvRecord, { column, message, hint }: CellFinding): ErrorDetail {
  const place = column === undefined ? describePlace(record) : `${describePlace(record)}, ${column}`
  return {
    message: `${place}: ${message}${hint === undefined ? "" : `: ${hint}`}`,
    ...(column !== undefined && { field: column }),
    line: record.line,
  }
}

const isError = (row: object): row is { error: { column: string; message: string } } => "error" in row

/** Whether a record begins with words of a sum: in the cells behind them nothing but the sum is looked for. */
function beginsAsSum(cells: readonly string[]): boolean {
  const text = cells.find((cell) => cell.trim() !== "") ?? ""
  return saysTotal(text) || saysTotalOf(text) !== undefined || saysOfAccount(text) !== undefined
}

/** A payment may have a number of its own; beside the number of a consignment nothing else is of the account. */
function findAccount({ names, label }: { names: readonly string[]; label: string }) {
  const said = saysOfAccount(label)
  if (said === "payment") return { is: said, text: label }
  const [first] = [label, ...names].filter((text) => saysOfAccount(text) !== undefined)
  if (first === undefined || !names.every((text) => saysOfAccount(text) !== undefined)) return undefined
  return { is: said ?? saysOfAccount(first), text: first }
}
