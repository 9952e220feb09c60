/** One description of a resource's columns feeds its table, its CSV and `--fields`. */
import { carrierLetter } from "../../carriers/index.ts"
import { formatMoney } from "../../base/money.ts"
import { shortId } from "../../base/names.ts"

interface ColumnStyle<Row> {
  title: string
  /** The text in the table, if it is not the bare value. */
  show?: (row: Row) => string
  align?: "left" | "right"
  /** Only in CSV and on request: left out of the table by default. */
  hidden?: boolean
  /** Its place in a table, by use: the lowest first, then those without in the order of CSV. The last give way first. */
  rank?: number
  /** The same in fewer characters, for a narrow terminal. */
  brief?: (shown: string) => string
  /** How it becomes narrower: broken between words, or not at all. By default it is cut with `…`. */
  gives?: "words" | "nothing"
  isMoney?: boolean
  /** It holds a state: green for good, yellow for open, red for bad. */
  isState?: boolean
}

/**
 * A field of a row, by its dotted name as `--fields` and the CSV header have it: `receiver.suburb`. One that the row has
 * not, with the `value` that CSV holds.
 */
export type Column<Row> = ColumnStyle<Row> &
  ({ key: FieldOf<Row>; value?: (row: Row) => unknown } | { key: string; value: (row: Row) => unknown })

/** The dotted names of a row's fields. */
export type FieldOf<Row> = Row extends readonly unknown[]
  ? string
  : Row extends object
    ? { [Key in keyof Row & string]: Key | `${Key}.${FieldOf<NonNullable<Row[Key]>>}` }[keyof Row & string]
    : never

/** Columns that are headed by the names of their fields. */
export function plainColumns<Key extends string>(keys: readonly Key[]): Column<Record<Key, unknown>>[] {
  return keys.map((key) => ({ key, title: key.toUpperCase() }) as Column<Record<Key, unknown>>)
}

/** A field that only the row itself tells. */
export function anyColumn<Row>(key: string, title: string): Column<Row> {
  return { key, title, value: (row) => valueAt(row, key) }
}

/** The columns that a table has by default, most used first. */
export function tableColumns<Row>(columns: readonly Column<Row>[]): Column<Row>[] {
  const rankOf = ({ rank = Number.POSITIVE_INFINITY }: Column<Row>) => rank
  return columns
    .filter(({ hidden }) => !hidden)
    .sort((a, b) => (rankOf(a) === rankOf(b) ? 0 : rankOf(a) - rankOf(b)))
}

/** Short forms for tables. */
export const BRIEF = {
  /** A UUID's first characters, which every command takes for it. */
  id: shortId,
  /** `Mon 23 Nov 2026, 19:00` as `23 Nov 19:00`. */
  time: (text: string) => text.replace(/^\w{3} (\d+ \w{3}) \d{4}, /, "$1 "),
  carrier: carrierLetter,
} as const

/** A column of amounts, each in its row's currency. */
export function money<Key extends string>(key: Key) {
  type Row = { [K in Key]: number | null } & { currency: string | null }
  const show = ({ [key]: amount, currency }: Row) =>
    amount === null ? "" : formatMoney(amount, currency ?? "")
  return { key, align: "right", isMoney: true, show } as const
}

/**
 * The value at a dotted path, or undefined: `a.b`, `packages.0.count`. A name on a list gives the list of its items'
 * values. Own properties only.
 */
export function valueAt(row: unknown, path: string): unknown {
  return valueOn(row, path.split("."))
}

function valueOn(value: unknown, path: readonly string[]): unknown {
  const [first] = path
  if (first === undefined) return value
  if (Array.isArray(value) && !/^\d+$/.test(first)) return value.map((item) => valueOn(item, path))
  if (typeof value !== "object" || value === null) return undefined
  const { name, rest } = splitName(value, path)
  return Object.hasOwn(value, name) ? valueOn((value as Record<string, unknown>)[name], rest) : undefined
}

/** The first name of a path, which is more than its first part if the property's name contains dots. */
export function splitName(value: object, path: readonly string[]): { name: string; rest: readonly string[] } {
  const lengths = path.map((_, at) => at + 1)
  const length = lengths.find((each) => Object.hasOwn(value, path.slice(0, each).join("."))) ?? 1
  return { name: path.slice(0, length).join("."), rest: path.slice(length) }
}

export function columnValue<Row>(column: Column<Row>, row: Row): unknown {
  return column.value ? column.value(row) : valueAt(row, column.key)
}
