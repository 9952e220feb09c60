/**
 * `--fields` selects a projection of the JSON. Names, types, nesting and lists stay the same; a requested field that is
 * missing is null. A field is a path from the top, a name of the rows, or the heading of a column.
 */
import { getOwn } from "../../base/json.ts"
import { type Column, columnValue, splitName, valueAt } from "./columns.ts"

/** The property with the items of a list. */
export const ITEMS = "items"

/** Names that every list has beside its items: a heading of the same name is the rows'. */
const LIST_NAMES: readonly string[] = [ITEMS, "total", "nextOffset", "warnings"]

/** The value that is printed as JSON, and the rows of its table. */
export interface Printed<Row> {
  json: unknown
  /** The answer is one thing, not a list. */
  single?: boolean | undefined
  /** The path of the rows in it, or in each object if it is a list: `items`, `tracking.events`. */
  rowsAt?: string | undefined
  /** The objects that contain the rows, if the answer is one or several of them. */
  objects?: readonly object[] | undefined
  /** A row in JSON, if it has other names there. */
  itemOf?: ((row: Row) => unknown) | undefined
  rows: readonly Row[]
  columns: readonly Column<Row>[]
}

type Path = readonly string[]
type Columns<Row> = readonly Column<Row>[]

/** Number of rows examined for their fields. */
const LOOKED_AT = 1_000

/** The fields of the whole answer. The list's own fields (`total`) are kept if all names belong to rows. */
export function pickJson<Row>(printed: Printed<Row>, fields: readonly string[]): unknown {
  const { json, single, rows, columns, rowsAt } = printed
  const toRows = () => rows.map((row) => pickRow(row, row, columns, fields))
  if (single && rowsAt === undefined) return pickRow(json, rows[0] as Row, columns, fields)
  if (Array.isArray(json) && rowsAt === undefined)
    return json.map((item, at) => pickRow(item, rows[at] as Row, columns, fields))
  const listed = listRows(printed)
  const paths = fields.map((field) => findPath(printed, field))
  const onlyTable = fields.filter((_, at) => paths[at] === undefined)
  // Fields that only the table has fit nowhere else: the answer is its rows.
  const isOneList =
    rowsAt !== undefined && listed.length === rows.length && !isInList(json, rowsAt.split("."))
  if (onlyTable.length > 0 && !isOneList)
    return Array.isArray(json) ? toRows() : { items: toRows(), total: rows.length, nextOffset: null }
  const [listAt = ""] = rowsAt?.split(".") ?? []
  const isOfRows = (path: Path | undefined) => path === undefined || path[0] === listAt
  const isShort = (field: string) => field.split(".", 1)[0] !== listAt
  const keepsRest =
    Array.isArray(getOwn(Object(json), listAt)) && paths.every(isOfRows) && fields.every(isShort)
  let picked: unknown = Array.isArray(json) ? [] : keepsRest ? dropLists(json, listAt) : {}
  for (const path of paths) if (path) picked = addPath(picked, json, path)
  if (rowsAt === undefined || onlyTable.length === 0) return picked
  const before = [valueAt(picked, rowsAt)].flat()
  const filled = rows.map((row, at) => addColumns(before[at], row, columns, onlyTable))
  return putAt(picked, rowsAt.split("."), Array.isArray(valueAt(json, rowsAt)) ? filled : filled[0])
}

/** The fields of one row as JSON. @param item the row as JSON has it */
export function pickRow<Row>(
  item: unknown,
  row: Row,
  columns: Columns<Row>,
  fields: readonly string[],
): unknown {
  let picked: unknown = {}
  for (const field of fields)
    if (owns(item, field)) picked = addPath(picked, item, field.split("."))
    else picked = addColumns(picked, row, columns, [field])
  return picked
}

/** A field of the lines that a table, CSV and NDJSON have. */
interface Name {
  field: string
  /** Its name in a row; undefined if it belongs to the object around the rows. */
  inRow: string | undefined
}

/** Separates the fields of rows from those around them. Rows in pages are not examined. */
export function splitFields<Row>(printed: Printed<Row>, fields: readonly string[]): Name[] {
  const { rowsAt } = printed
  const places = rowsAt === undefined ? [] : [rowsAt, ...listPlacesAbove(rowsAt)]
  const hasField = createRowTest(printed)
  return fields.map((field) => {
    const place = places.find((each) => field.startsWith(`${each}.`))
    const inRow = place === undefined ? field : field.slice(place.length + 1)
    // A row that is named by its place is one thing of the answer, not a field of each row.
    const isOfRows = place === undefined ? hasField(field) : place === rowsAt && !/^\d+(\.|$)/.test(inRow)
    return { field, inRow: isOfRows ? inRow : undefined }
  })
}

/**
 * The rows of a table, CSV or bare values under `--fields`. Without a field of rows, the lines are the objects around
 * them, so that each value is shown as often as it occurs.
 */
export function chooseLines<Row>(
  printed: Printed<Row>,
  fields: readonly string[],
): { rows: readonly unknown[]; columns: Column<unknown>[] } {
  const { json, rows, columns, itemOf } = printed
  const names = splitFields(printed, fields)
  const readRow = (row: unknown, name: string) => valueAt(row, name) ?? valueAt(itemOf?.(row as Row), name)
  if (names.every(({ inRow }) => inRow === undefined))
    return { rows: listAround(printed), columns: fields.map((field) => toColumn(field, field)) }
  return {
    rows,
    columns: names.map(({ field, inRow }): Column<unknown> => {
      const known = columns.find(({ key }) => key === field || key === inRow)
      if (known)
        return {
          ...(known as Column<unknown>),
          key: field,
          value: (row) => columnValue(known, row as Row),
        }
      return inRow === undefined
        ? { ...toColumn(field, field), value: () => valueAt(json, field) }
        : { ...toColumn(field, inRow), value: (row) => readRow(row, inRow) }
    }),
  }
}

function toColumn(key: string, path: string): Column<unknown> {
  return { key, title: key.toUpperCase(), value: (row) => valueAt(row, path) }
}

/** Adds fields from around the rows to one of their lines. */
export function addAround(line: unknown, json: unknown, names: readonly Name[]): unknown {
  let whole = line
  for (const { field, inRow } of names)
    if (inRow === undefined) whole = addPath(whole, json, field.split("."))
  return whole
}

/** Values that describe a list and are not a list: `total`. @param listAt the name of the list, which stays in its place, empty */
export function dropLists(json: unknown, listAt?: string): object {
  const isList = (part: unknown) => Array.isArray(part) || isPaged(part)
  return Object.fromEntries(
    Object.entries(Object(json)).flatMap(([name, part]) =>
      name === listAt ? [[name, []]] : isList(part) ? [] : [[name, part]],
    ),
  )
}

/** Whether it is a list that comes page by page. */
export function isPaged(value: unknown): value is AsyncIterable<readonly unknown[]> {
  return Symbol.asyncIterator in Object(value)
}

/** How deep a name is looked for that is not a path from the top. */
export const NAMES_DEPTH = 2

/** A field's path in the whole answer; undefined if only the table has it. */
function findPath<Row>(printed: Printed<Row>, field: string): Path | undefined {
  const { rowsAt, columns } = printed
  const [items, listed, path] = [listAround(printed), listRows(printed), field.split(".")]
  const isColumn = columns.some(({ key }) => key === field)
  const inRows = rowsAt === undefined ? undefined : [...rowsAt.split("."), ...path]
  const isAround = isOfRest(items, field, isColumn)
  // An object without rows would lose its own fields.
  const isOfRows = isColumn && !printed.objects
  if (printed.objects?.some((each) => owns(each, field)) && !Array.isArray(printed.json))
    return [ITEMS, ...path]
  if (inRows && listed.some((row) => owns(row, field)) && (isOfRows || !isAround)) return inRows
  if (isAround) return path
  const place = findPlace(items, field)
  if (place) return [...place, ...path]
  if (inRows && listed.length === 0) return inRows
  return isColumn ? undefined : path
}

/** Tells names of rows from names around them. A heading belongs to the rows, unless only the rest has it. */
function createRowTest<Row>(printed: Printed<Row>): (field: string) => boolean {
  const items = listAround(printed)
  const rows = [...listRows(printed).slice(0, LOOKED_AT), ...printed.rows.slice(0, LOOKED_AT)]
  return (field) => {
    const isColumn = printed.columns.some(({ key }) => key === field)
    const isAround = isOfRest(items, field, isColumn)
    if (rows.some((row) => owns(row, field))) return isColumn || !isAround
    return !isAround && (isColumn || items.length === 0 || rows.length === 0 || rows.some(isPaged))
  }
}

function isOfRest(items: readonly unknown[], field: string, isColumn: boolean): boolean {
  return !(isColumn && LIST_NAMES.includes(field)) && items.some((item) => owns(item, field))
}

/** The object around the rows: empty if the answer is a list of rows. */
function listAround<Row>({ json, rowsAt }: Printed<Row>): readonly unknown[] {
  return json === undefined || (rowsAt === undefined && Array.isArray(json)) ? [] : [json].flat()
}

/** The rows in JSON, inside the objects around them. */
function listRows<Row>(printed: Printed<Row>): readonly unknown[] {
  const { rowsAt } = printed
  return rowsAt === undefined ? [] : listAround(printed).flatMap((item) => listAt(item, rowsAt))
}

/** The highest place of a field that is neither at the top nor of rows. */
function findPlace(items: readonly unknown[], field: string, depth = NAMES_DEPTH): Path | undefined {
  if (depth === 0) return undefined
  const parts = new Map<string, unknown[]>()
  for (const item of items.slice(0, LOOKED_AT))
    for (const [name, part] of Object.entries(Object(item))) {
      const held = [part].flat().filter((each) => typeof each === "object" && each !== null)
      if (held.length > 0) parts.set(name, [...(parts.get(name) ?? []), ...held.slice(0, LOOKED_AT)])
    }
  for (const [name, held] of parts) if (held.some((each) => owns(each, field))) return [name]
  for (const [name, held] of parts) {
    const below = findPlace(held, field, depth - 1)
    if (below) return [name, ...below]
  }
  return undefined
}

/** `results.rates` is in `results`. The deepest first. */
function listPlacesAbove(place: string): string[] {
  const parts = place.split(".")
  return parts.slice(1).map((_, at) => parts.slice(0, parts.length - 1 - at).join("."))
}

/** Whether there is a list on the path, so that it may have several values. */
function isInList(value: unknown, [name, ...rest]: Path): boolean {
  return name !== undefined && (Array.isArray(value) || isInList(getOwn(Object(value), name), rest))
}

/** The values at a path, as a list; without null and missing ones. */
function listAt(value: unknown, path: string): readonly unknown[] {
  return [valueAt(value, path)].flat(8).filter((each) => each !== undefined && each !== null)
}

/** Whether a value has a field, or at least its parent. */
function owns(value: unknown, field: string): boolean {
  const object = Object(value)
  const { name } = splitName(object, field.split("."))
  return Object.hasOwn(object, name)
}

function addColumns<Row>(item: unknown, row: Row, columns: Columns<Row>, fields: readonly string[]): unknown {
  let filled: unknown = item ?? {}
  for (const field of fields) {
    const column = columns.find(({ key }) => key === field)
    const value = column && row !== undefined ? columnValue(column, row) : valueAt(row, field)
    filled = putAt(filled, field.split("."), value ?? null)
  }
  return filled
}

/** Adds a value's field to the fields selected before. */
function addPath(picked: unknown, value: unknown, path: Path): unknown {
  const [first] = path
  if (first === undefined) return value ?? null
  if (typeof value !== "object" || value === null) return null
  if (Array.isArray(value)) {
    const before: readonly unknown[] = Array.isArray(picked) ? picked : []
    if (!/^\d+$/.test(first)) return value.map((item, at) => addPath(before[at], item, path))
    const place = Number(first)
    if (place >= value.length) return before
    // An item keeps its position, so that fields selected from other items do not mix with it.
    return Array.from({ length: Math.max(before.length, place + 1) }, (_, at) =>
      at === place ? addPath(before[at], value[at], path.slice(1)) : (before[at] ?? null),
    )
  }
  const { name, rest } = splitName(value, path)
  return {
    ...Object(picked),
    [name]: addPath(getOwn(Object(picked), name), getOwn(Object(value), name), rest),
  }
}

function putAt(target: unknown, [name, ...rest]: Path, value: unknown): unknown {
  if (name === undefined) return value
  return { ...Object(target), [name]: putAt(getOwn(Object(target), name), rest, value) }
}
