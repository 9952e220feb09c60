/** Reads a batch in CSV, NDJSON or JSON: as a stream, which holds only the references, or all rows. */
import { FreightError, toStepError } from "../../../base/errors.ts"
import type { Json, JsonObject } from "../../../base/json.ts"
import { findReturnNumberError, returnKey } from "../../../ledger/index.ts"
import { isPackages, pickReturned } from "../../booking/request.ts"
import { explainExample } from "../../booking/example.ts"
import {
  ALLOWANCE_FIELDS,
  type Allowances,
  type Moment,
  momentAt,
  pickAllowances,
  takeOwn,
} from "../../../contract/index.ts"
import { type Columns, columnsBeside } from "../columns/columns.ts"
import type { Given } from "../columns/judge.ts"
import { type CellFinding, createMapping, type TextSource } from "../../../input/index.ts"
import { type BatchRow, sourceOf } from "./row.ts"
import type { RowDefaults } from "./defaults.ts"
import { composeBooking } from "./booking.ts"
import { checkWeightOfGoods } from "./counts.ts"
import { checkRowBooking } from "./check.ts"
import { createCellReader, type Draft, errorAt } from "./cells.ts"
import {
  addToOrder,
  beginOrder,
  isReference,
  isSameOrder,
  listDiffering,
  reportHeld,
  reportRenamed,
  type RowsOfOrder,
  withReference,
} from "./repeated.ts"
import { readWrittenRows } from "./written.ts"
import type { WrittenRow } from "./written-row.ts"
import { chooseService } from "./service.ts"
import { findWritten } from "./order.ts"

/** Streams the rows of a source with all their findings; a row with errors does not end the stream. */
export async function* readRows(source: TextSource, defaults: RowDefaults): AsyncGenerator<BatchRow> {
  const columns = columnsBeside(listGiven(defaults))
  const mapping = createMapping(columns, defaults.map)
  const moment = momentAt(defaults.nowMs, defaults.allowed, defaults.knowledge)
  const reading = { columns, readCells: createCellReader(defaults), defaults, moment }
  const earlier = new Map<string, Pick<BatchRow, "row" | "line">>()
  let above: { input: WrittenRow; checked: BatchRow; ofOrder: RowsOfOrder } | undefined
  for await (const found of readWrittenRows(source, mapping, defaults)) {
    const { row } = found
    const number = defaults.numbers?.get(row)
    if (number === "") {
      await defaults.tell(`row ${row} is left out, as you said`)
      continue
    }
    const input = number === undefined ? found : withReference(found, number)
    const checked = checkRow(input, await beginReturn(input, reading))
    const first = checked.reference === "" ? undefined : earlier.get(checked.reference)
    const column = input.cells.find(isReference)?.column
    const follows = first !== undefined && above?.checked.reference === checked.reference
    if (above && !follows) yield* reportHeld(above.ofOrder)
    // Rows that are booked as they arrive do not wait for others.
    const mayWait = defaults.sampleRows !== 0
    const ofOrder =
      follows && above ? above.ofOrder : beginOrder({ isContinued: first !== undefined, mayWait })
    if (first) {
      const differing = follows && above ? listDiffering(input, above.input) : undefined
      const before = (follows && above?.input) || first
      addToOrder(ofOrder, checked, { row: checked, before, column, differing })
      if (!ofOrder.areJoinable) yield* reportHeld(ofOrder)
    } else {
      addToOrder(ofOrder, checked)
      yield number === undefined && above && isSameOrder(checked, above.checked)
        ? reportRenamed(checked, above.checked)
        : checked
    }
    if (!first && checked.reference !== "") earlier.set(checked.reference, { row, line: input.line })
    above = { input, checked, ofOrder }
  }
  if (above) yield* reportHeld(above.ofOrder)
}

function listGiven({ booking, own, skuPackages }: RowDefaults): Given {
  return { ...booking, ...own, ...(skuPackages && skuPackages.size > 0 && { packages: skuPackages }) }
}

/** Errors of a row as a whole; errors of its cells do not matter then. */
const UNREADABLE = ["json", "ragged", "long"]

interface Reading {
  columns: Columns
  readCells: ReturnType<typeof createCellReader>
  defaults: RowDefaults
  moment: Moment
  /** For a return: the order as its cell has it, its number and packages, and why it cannot be returned. */
  returned?: { written: string; number: string; packages?: Json | undefined; error?: FreightError }
}

/** A return takes from its order the values that its row does not have. */
async function beginReturn({ cells }: WrittenRow, reading: Reading): Promise<Reading> {
  const { defaults } = reading
  const cell = cells.find(({ field, value }) => field.name === "returnOf" && value)
  if (cell === undefined) return reading
  const written = String(cell.value).trim()
  try {
    const found = await defaults.findReturn?.(written)
    if (!found) return { ...reading, returned: { written, number: written } }
    const { request, own } = takeOwn(found.file)
    const { sender: _, collection: __, ...common } = defaults.booking
    const { items, ...goods } = request
    // Items go with their packages.
    const isPart = cells.some(({ field: { name }, value }) => name.startsWith("package") && value)
    const forRow: RowDefaults = {
      ...defaults,
      booking: { ...common, ...goods, ...(items !== undefined && !isPart && { items }) },
      own: { ...own, ...defaults.own },
    }
    const returned = { written, number: own.returnOf ?? written, packages: request.packages }
    return { ...reading, defaults: forRow, readCells: createCellReader(forRow), returned }
  } catch (error) {
    return { ...reading, returned: { written, number: written, error: toStepError(error) } }
  }
}

function checkRow(input: WrittenRow, { columns, readCells, defaults, moment, returned }: Reading): BatchRow {
  const { row, line, written, cells, kept, statuses, orderNumber } = input
  const place = {
    ...{ row, line, cells: written },
    ...(kept && { kept }),
    ...(statuses.length > 0 && { statuses }),
    ...(orderNumber && { orderNumber }),
  }
  const located = (list: readonly CellFinding[]) => list.map((finding) => ({ row, line, ...finding }))
  if (input.findings.some(({ rule }) => UNREADABLE.includes(rule))) {
    const findings = located(input.findings)
    const nothing = {
      source: sourceOf({ fields: {} }, defaults.allowed),
      request: undefined,
      wish: undefined,
    }
    return { ...place, reference: "", key: "", own: {}, findings, ...nothing }
  }
  const draft = readCells(cells)
  const composed = composeBooking(draft, defaults, input.items)
  const given = String(draft.values.get("reference")?.value ?? "")
  const reference = returned && given === "" ? nameReturn(composed.booking, returned, defaults) : given
  const chosen = chooseService(draft, defaults, input.shippingMethod)
  const { wish, carrier, openMethod } = chosen
  const said = readAllowances(draft)
  const checked = checkRowBooking(columns, draft, composed, {
    ...{ wish, carrier, moment: said ? { ...moment, ...said } : moment },
    fixesPlaces: defaults.fixesPlaces,
    readyTime: defaults.readyTime,
    filledIn: defaults.filledIn,
    unused: input.unused,
    ...pickReturned(returned?.packages),
  })
  const found = [
    ...draft.findings,
    ...input.findings,
    ...checkWeightOfGoods(input),
    ...referenceFindings(draft, reference, defaults),
    ...(returned ? returnNumberFindings(draft, given, returned) : []),
    // Missing values would have come from its order.
    ...(returned?.error
      ? [errorAt(draft, "returnOf", "return", returned.error.message)]
      : [...composed.findings, ...chosen.findings, ...checked.findings]),
  ]
  const findings = located(sortByColumn(found, written.columns))
  const order = findWritten(draft, composed, wish, found)
  const shared = {
    ...place,
    ...(openMethod !== undefined && { openMethod }),
    ...(composed.openPieces && { openPieces: composed.openPieces }),
    ...{ reference, key: reference },
    own: { ...composed.own, ...(returned && { returnOf: returned.number }), ...chosen.wishes },
    source: sourceOf(
      {
        ...order,
        ...(checked.places && { places: checked.places }),
        ...pickReturned(returned?.packages),
      },
      allowAlso(defaults.allowed, said),
    ),
    findings,
  }
  const good = !findings.some(({ severity }) => severity === "error")
  const late = located(checked.late)
  const { booking: request } = checked
  return good && request && wish
    ? { ...shared, request, wish, late }
    : { ...shared, request: undefined, wish }
}

/** A return under the number of its order would be taken for that order, or for a second consignment of it. */
function returnNumberFindings(
  draft: Draft,
  given: string,
  { written, number }: NonNullable<Reading["returned"]>,
): CellFinding[] {
  const error = given === "" ? undefined : findReturnNumberError(given, written, number)
  if (error === undefined) return []
  const hint = "leave the cell empty, or give the return its own number"
  return [errorAt(draft, "reference", "return", error, hint)]
}

/** Names a return without a reference of its own, in its booking too: by its order, and by the packages in its row. */
function nameReturn(
  booking: JsonObject,
  { written }: NonNullable<Reading["returned"]>,
  { booking: { packages: whole } }: RowDefaults,
): string {
  const { packages } = booking
  const name = returnKey(written, packages !== whole && isPackages(packages) ? packages : [])
  booking.customerReference ??= name
  return name
}

/** Permissions in a row; undefined if none. A `no` does not withdraw a permission of the file. */
function readAllowances({ values }: Draft): Allowances | undefined {
  const names = ALLOWANCE_FIELDS.map(({ column }) => column.name)
  return pickAllowances(Object.fromEntries(names.map((name) => [name, values.get(name)?.value])))
}

/** Adds the file's permissions to those of the row: a person may add some later. */
function allowAlso(ofFile: Allowances | undefined, said: Allowances | undefined): Allowances | undefined {
  return said ? Object.assign(Object.create(ofFile ?? null), said) : ofFile
}

function sortByColumn(found: CellFinding[], columns: readonly string[]): CellFinding[] {
  if (found.length < 2) return found
  const positions = new Map(columns.map((column, index) => [column, index]))
  const position = ({ column }: CellFinding) => positions.get(column ?? "") ?? columns.length
  return found.sort((one, other) => position(one) - position(other))
}

function referenceFindings(draft: Draft, reference: string, { sandbox }: RowDefaults): CellFinding[] {
  if (reference === "" && !draft.failed.has("reference")) {
    const hint = draft.columns.has("reference") ? "fill in the cell" : "add a column Order (or PO, reference)"
    const message = "reference is missing; it prevents a second booking of the row"
    return [errorAt(draft, "reference", "required", message, hint)]
  }
  const example = explainExample(reference, sandbox)
  return example === undefined
    ? []
    : [errorAt(draft, "reference", "example", example, "remove the row, or make it an order of your own")]
}

/** Maximum number of rows that a batch holds at once, with their outcomes: about 400 MB. */
export const MAX_ROWS = 50_000

/**
 * All rows of a source: each step of a batch takes all of them, and stores its results with each.
 * @param most rows; more are too many for one run
 */
export async function readAllRows(
  source: TextSource,
  defaults: RowDefaults,
  most = MAX_ROWS,
): Promise<BatchRow[]> {
  const rows: BatchRow[] = []
  for await (const row of readRows(source, defaults)) {
    if (rows.length === most)
      throw new FreightError(
        "input",
        `${source.name} has more than ${most.toLocaleString("en-AU")} rows; nothing was sent`,
        {
          hint: "Split it, and book the parts one after the other. Rows as NDJSON from a pipe are booked as they come, however many: --format ndjson.",
        },
      )
    rows.push(row)
  }
  return rows
}
