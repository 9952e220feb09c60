/** The rows of any table: the kind of each record, which ones are left out and reported, and their errors. */
import type { ErrorDetail } from "../../base/errors.ts"
import { listSome } from "../../base/counted.ts"
import { saysZero } from "../../base/nothing.ts"
import { quoted } from "../../base/parsed.ts"
import { type CsvRecord, describePlace } from "./csv.ts"
import type { CellFinding } from "./findings.ts"
import { checkRecord, isNote, type OpenedTable } from "./table.ts"
import { mayBeMoney, sumAmounts } from "../columns/money.ts"
import { saysOfAccount, saysTotal, saysTotalOf } from "./totals.ts"

/** The parts in which readers of tables differ. */
export interface Dialect<Field, Row extends object, Table extends Columns<Field> = Columns<Field>> {
  /** The name of a row, for people: `a charge`. */
  what: string
  /** Reads a record of a table; undefined if it has no data. */
  read(record: CsvRecord, table: Table): Row | { error: { column: string; message: string } } | undefined
  /**
   * Whether a cell would be misread under another heading. Without this function every cell would, and a record is read
   * whatever is wrong with it as a whole.
   */
  isAmount?(text: string): boolean
  /** Whether a record sums others, by its words alone; `onTotal` is given those. */
  isTotal?(row: Row, record: CsvRecord): boolean
  onTotal?(row: Row, record: CsvRecord): void
  isEnd?(cells: readonly string[]): boolean
  /** Whether a record is a note; if amounts count, a few words in one cell are one. */
  isNote?(row: Row, record: CsvRecord): boolean
  /** The names of a row and its label; words of the account in them make it a row of the account. */
  listLabels?(row: Row): { names: readonly string[]; label: string }
  /** Kinds of rows of the account that are rows here. */
  takes?: "payment"
  /** Is called for each row of the account that is left out. */
  onAccount?(): void
  /** Is called for each line that is nothing but words. */
  onNote?(record: CsvRecord): void
  /** Takes a record that begins another table below the current one, or the first again. @returns its columns */
  findTable?(record: CsvRecord, table: Table): Promise<Table | undefined>
  /** The unused columns are known, and their sums mean nothing. */
  isQuiet?: boolean | undefined
  /** Unreadable cells are reported by the code that reads them. */
  readsUnreadable?: true
  /** Receives a note for each omitted record that might be missed. */
  tell(text: string, isDetail?: boolean): Promise<void>
}

/** A record, with its table and its errors; its row, if it can be read despite them. */
export interface RecordRead<Row extends object, Table> {
  record: CsvRecord
  table: Table
  row?: Row
  wrong: readonly CellFinding[]
}

type Columns<Field> = Pick<OpenedTable<Field>, "headers" | "fields"> &
  Partial<Pick<OpenedTable<Field>, "watched" | "unused">>

/** Sources of records; some have to know the table that the next record is in. */
type Records<Table> =
  | AsyncIterable<CsvRecord>
  | Iterable<CsvRecord>
  | ((current: () => Table) => AsyncIterable<CsvRecord>)

/**
 * Reads the records of a table one by one: rows, sums of others, lines of the account or notes, and errors of a row as
 * a whole. Omitted records are reported.
 */
export async function* readRecords<Field, Row extends object, Table extends Columns<Field> = Columns<Field>>(
  first: Table,
  records: Records<Table>,
  dialect: Dialect<Field, Row, Table>,
): AsyncGenerator<RecordRead<Row, Table>> {
  const read = dialect.isAmount ? readAmounts : readAll
  let table = first
  const unused = createUnusedSums(first)
  let label: string | undefined
  for await (const record of typeof records === "function" ? records(() => table) : records) {
    const next = await dialect.findTable?.(record, table)
    if (next) {
      table = next
      continue
    }
    if (dialect.listLabels) {
      const above = label
      label = findAccountHeading(record.cells)
      if (label !== undefined) continue
      const amounts = above !== undefined && listOnlyAmounts(record.cells)
      if (amounts) {
        await tellAccount(record, above, amounts, dialect)
        continue
      }
    }
    const found = await read(table, record, dialect)
    if (!found) continue
    if (table === first) unused.add(record)
    yield { record, table, ...found }
  }
  const left = dialect.isQuiet ? undefined : unused.describe()
  if (left !== undefined) await dialect.tell(left)
}

/** Amounts that are never left out quietly: the sums of columns that are not used. */
function createUnusedSums<Field>({ headers, unused = [] }: Columns<Field>) {
  const amounts = new Map(
    headers.flatMap((header, index) => (unused.includes(header) ? [[index, [] as string[]] as const] : [])),
  )
  return {
    add({ cells }: CsvRecord): void {
      for (const [index, texts] of amounts) {
        const text = cells[index] ?? ""
        if (mayBeMoney(text)) texts.push(text)
      }
    },
    /** Undefined if there are none. */
    describe(): string | undefined {
      const sums = Array.from(amounts).flatMap(([index, texts]) => {
        const sum = sumAmounts(texts)
        return sum === undefined ? [] : [`${quoted(headers[index] ?? "")} (${sum})`]
      })
      return sums.length === 0 ? undefined : `amounts that are not used: ${listSome(sums)}`
    },
  }
}

type Found<Row extends object> = Omit<RecordRead<Row, unknown>, "record" | "table"> | undefined

/** Reads a record whose amounts count: nothing, if its amounts may be under another heading. */
async function readAmounts<Field, Row extends object, Table extends Columns<Field>>(
  table: Table,
  record: CsvRecord,
  dialect: Dialect<Field, Row, Table>,
): Promise<Found<Row>> {
  const { what, read, isAmount = () => true, listLabels, takes, onNote, tell } = dialect
  const { cells, unreadable = [] } = record
  if (unreadable.length === 0 && isNote(cells)) {
    onNote?.(record)
    const text = cells.find((cell) => cell.trim() !== "")?.trim() ?? ""
    if (/\d[.,]\d\d(?!\d)/.test(text))
      await tell(`${describePlace(record)}: ${quoted(text)} is a note, not ${what}, and is left out`)
    return undefined
  }
  const isLoose = beginsAsSum(cells)
  const wrong = checkRecord(table, record, { isAmount, isLoose })
  if (wrong.length > 0) return { wrong }
  const row = read(record, table)
  if (row === undefined) return undefined
  if (isError(row)) return { wrong: [{ ...row.error, rule: "cell", severity: "error" }] }
  const kind = listLabels && (findAccount(listLabels(row)) ?? findAges(cells))
  if (kind === undefined || kind.is === takes) {
    const amounts = cells.flatMap((text, index) =>
      isAmount(text) ? [[table.headers[index], text.trim()]] : [],
    )
    const nameless = amounts.flatMap(([header, text]) => (header === "" ? [text] : []))
    // The sum itself may have no heading.
    if (isLoose && nameless.length > 0 && nameless.length < amounts.length)
      await tell(`${describePlace(record)}: ${nameless.join(", ")} has no heading and is not read`)
    return { row, wrong }
  }
  const amounts = cells.filter((text) => isAmount(text)).map((text) => text.trim())
  await tellAccount(record, kind.text, amounts, dialect)
  return undefined
}

async function tellAccount<Field, Row extends object, Table extends Columns<Field>>(
  record: CsvRecord,
  label: string,
  amounts: readonly string[],
  { what, onAccount, tell }: Dialect<Field, Row, Table>,
): Promise<void> {
  onAccount?.()
  const shown = amounts.length > 0 ? ` (${amounts.join(", ")})` : ""
  await tell(
    `${describePlace(record)}: ${quoted(label)}${shown} is of the account, not ${what}, and is left out`,
  )
}

/** Reads a record whose cells all count, together with its errors. */
async function readAll<Field, Row extends object, Table extends Columns<Field>>(
  table: Table,
  record: CsvRecord,
  {
    what,
    read,
    isTotal,
    onTotal,
    isEnd,
    isNote: saysNote,
    readsUnreadable,
    tell,
  }: Dialect<Field, Row, Table>,
): Promise<Found<Row>> {
  const { cells } = record
  const row = read(record, table)
  if (row === undefined || isError(row)) return undefined
  const place = describePlace(record)
  if (isTotal?.(row, record)) {
    await tell(`${place} is a total, not ${what}, and is left out${describeFigures(cells)}`)
    onTotal?.(row, record)
    return undefined
  }
  if (isEnd?.(cells)) {
    await tell(`${place} is the end of the export, not ${what}, and is left out`, true)
    return undefined
  }
  if (saysNote?.(row, record)) {
    const text = quoted(cells.find((cell) => cell.trim() !== "")?.trim() ?? "")
    await tell(`${place}: ${text} is a note, not ${what}, and is left out`)
    return undefined
  }
  return { row, wrong: checkRecord(table, readsUnreadable ? { cells } : record) }
}

/** An error of a record, for people, with its place. */
export function toRowError(record: CsvRecord, { column, message, hint }: CellFinding): ErrorDetail {
  const place = column === undefined ? describePlace(record) : `${describePlace(record)}, ${column}`
  return {
    message: `${place}: ${message}${hint === undefined ? "" : `: ${hint}`}`,
    ...(column !== undefined && { field: column }),
    line: record.line,
  }
}

/** ` (24, 5.50)`: the values of an omitted row. */
function describeFigures(cells: readonly string[]): string {
  const figures = cells
    .map((cell) => cell.trim())
    .filter((cell) => /^\W*\d[\d,.]*(?: ?(?:kg|g))?\)?$/i.test(cell))
  return figures.length === 0 ? "" : ` (${figures.join(", ")})`
}

const isError = (row: object): row is { error: { column: string; message: string } } => "error" in row

/** Whether a record begins with words of a sum: in the cells behind them nothing but the sum is looked for. */
function beginsAsSum(cells: readonly string[]): boolean {
  const text = cells.find((cell) => cell.trim() !== "") ?? ""
  return saysTotal(text) || saysTotalOf(text) !== undefined || saysOfAccount(text) !== undefined
}

/** Several labels of the account in one line, with their amounts between them: `Current,190.67,Over 30 days,412.10`. */
function findAges(cells: readonly string[]) {
  const words = listFilled(cells).filter((text) => !mayBeMoney(text))
  const [first] = words
  const isOfAges = words.length > 1 && words.every((text) => saysOfAccount(text) === "balance")
  return first !== undefined && isOfAges ? { is: "balance" as const, text: first } : undefined
}

const listFilled = (cells: readonly string[]) =>
  cells.map((text) => text.trim()).filter((text) => text !== "")

/** Labels of the account side by side, with amounts in the line below: `Current,30 days,60 days,Total`. @returns the first */
function findAccountHeading(cells: readonly string[]): string | undefined {
  const words = listFilled(cells)
  const isOfAccount = words.every((text) => saysOfAccount(text) !== undefined || saysTotal(text))
  const [first] = words.filter((text) => saysOfAccount(text) !== undefined)
  return words.length > 1 && isOfAccount ? first : undefined
}

/** The amounts of a record that has nothing else; undefined for any other. */
function listOnlyAmounts(cells: readonly string[]): string[] | undefined {
  const filled = listFilled(cells)
  return filled.length > 0 && filled.every((text) => mayBeMoney(text) || saysZero(text)) ? filled : undefined
}

/** Who pays for a consignment: not a word of the account. */
const TERM = /^paid$/i

/** A payment may have a number of its own; beside the number of a consignment nothing else is of the account. */
function findAccount({ names, label }: { names: readonly string[]; label: string }) {
  const said = saysOfAccount(label)
  if (said === "payment" && !TERM.test(label.trim())) return { is: said, text: label }
  const [first] = [label, ...names].filter((text) => saysOfAccount(text) !== undefined)
  if (first === undefined || !names.every((text) => saysOfAccount(text) !== undefined)) return undefined
  return { is: saysOfAccount(first), text: first }
}
