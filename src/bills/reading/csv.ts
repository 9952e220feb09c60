/** A carrier's bill as a table: one charge a row, or one consignment a row with a column for each kind of charge. */
import { counted } from "../../base/counted.ts"
import { formatCents } from "../../base/money.ts"
import { quoted } from "../../base/parsed.ts"
import { type ErrorDetail, FreightError } from "../../base/errors.ts"
import type { Meaning } from "../../input/columns/notation.ts"
import { plainHeader } from "../../input/columns/headings.ts"
import { createMapping } from "../../input/columns/mapping.ts"
import { type ColumnQuestion, listValues, UnclearColumns } from "../../input/columns/questions.ts"
import { type CsvRecord, describePlace } from "../../input/sheets/csv.ts"
import { readRecords, toRowError } from "../../input/sheets/records.ts"
import { openTable, type TableInput } from "../../input/sheets/table.ts"
import { saysPageTotal } from "../../input/sheets/totals.ts"
import { createCarrying } from "./above.ts"
import type { BasisWords, Bill } from "../bill.ts"
import type { BillDraft, BillHead, BillList } from "./list.ts"
import { BILL_COLUMNS, type BillField } from "./columns.ts"
import { mayBeMoney } from "../../input/columns/money.ts"
import { findNumbers } from "../names.ts"
import {
  findPlaces,
  type GivenHead,
  readBillDate,
  readFacts,
  readPlaces,
  refuseForeign,
  type TableFacts,
} from "./facts.ts"
import type { StatedGst } from "../money.ts"
import { describeUnclear, judgeBillColumns } from "./judge.ts"
import { type LineContext, readLines } from "./lines.ts"
import { createRepeats } from "./repeats.ts"
import { type BillColumnsRead, type BillRow, getText, readRow } from "./row.ts"
import { findBasisWords, findGstBasis, findPartWords } from "../understand.ts"
import { createSections, findNextTable } from "./sections.ts"
import { findContradictedSummary, type Summary } from "./summary.ts"
import { findSupplier, type SupplierSigns } from "../supplier.ts"
import type { Band, Places } from "../../machine/config/maps.ts"
import {
  createSums,
  findContradicted,
  haveGstRows,
  isSumOfAll,
  isTotalRow,
  type SaidTotal,
  type Sums,
} from "./totals.ts"

export interface CsvOptions {
  /** `--map COLUMN=FIELD`, as typed. */
  map: readonly string[]
  ignoreUnknown: boolean
  nowMs: number
  /** Ends the reading between two rows. */
  signal: AbortSignal
  tell(note: string): Promise<void>
  /** @param total the row of a sum that is not that of the rows above it, where the text is of one */
  warn(text: string, total?: Pick<CsvRecord, "page" | "line">): Promise<void>
  /** `--total`, in cents: what the charges come to, where that is not what the bill states. */
  total?: number | undefined
  /** The saved map of a supplier, and what else is kept with it. */
  findMap?(signs: SupplierSigns, name: string): Promise<SupplierMap | undefined>
  /** Columns that are in one of several files; `--map` may name those of any. */
  met?: Set<string>
  /** Number and day, where a person gives them; where they stand is told to `notePlaces`. */
  given?: GivenHead
  notePlaces?(places: Places): void
  /** Of what is known of the bills before they are read. */
  head?: Pick<Bill, "isPdf">
}

export interface SupplierMap {
  map: readonly string[]
  headerRow?: number | undefined
  /** Where the columns of a PDF stand. */
  bands?: readonly Band[] | undefined
  /** Where number and day stand. */
  places?: Places | undefined
}

/** Maximum number of row errors listed one by one. */
const MOST_ERRORS = 50
/** Remarks between the rows, in which words for all amounts may stand. */
const MOST_NOTES = 100
/** Rows that are read ahead: what they hold tells what a heading means. */
const SAMPLE_ROWS = 1000

interface SheetOfFile {
  /** Of the file. */
  name: string
  /** Of the sheet, where several of the file are read. */
  sheet: string | undefined
}

/** The bills of a file so far: sheets go on with those of the sheets before them. */
export interface BillsOfFile {
  /** By supplier and number. */
  byHead: Map<string, BillDraft>
  last: BillDraft | undefined
  /** Of all sheets: one of them may have the total of all. */
  sums: Sums
  /** Sums that are not those of the rows above them. */
  contradicted: (SaidTotal & { place: string; name: string })[]
  /** Sheets that sum up those that are read. */
  summaries: readonly Summary[]
}

export const createBillsOfFile = (summaries: readonly Summary[] = []): BillsOfFile => ({
  byHead: new Map(),
  last: undefined,
  sums: createSums(),
  contradicted: [],
  summaries,
})

/**
 * Reads the charges of a sheet.
 * @throws FreightError `input` when amounts cannot be read; `UnclearColumns` where a person has to say what columns are;
 * `usage` for a wrong `--map`
 */
export async function readCsvBill(
  { name: file, sheet }: SheetOfFile,
  input: TableInput,
  {
    map,
    ignoreUnknown,
    nowMs,
    signal,
    tell,
    warn,
    findMap,
    met,
    head: given,
    given: givenHead,
    notePlaces,
  }: CsvOptions,
  list: BillList,
  bills: BillsOfFile,
): Promise<void> {
  const name = sheet === undefined ? file : `${file}, sheet ${quoted(sheet)}`
  const asked = createMapping(COLUMNS, map)
  let mapping = met ? { ...asked, named: [] } : asked
  let places: Places | undefined
  const prepare = async (start: readonly CsvRecord[]) => {
    const found = await findMap?.(findSupplier(start), name)
    // What was saved for other bills of the supplier may name columns that this one does not have.
    places = found?.places
    if (found) mapping = { ...createMapping(COLUMNS, [...found.map, ...map]), named: mapping.named }
    return { mapping, headerRow: input.headerRow ?? found?.headerRow }
  }
  const open: ColumnQuestion[] = []
  const table = await openTable(name, input, mapping, {
    questions: open,
    ignoreUnknown,
    tell,
    prepare,
    signal,
    sampleRows: SAMPLE_ROWS,
    keepsHeadings: true,
  })
  const { headers, names, fields, units, above, sample } = table
  for (const header of [...headers, ...names]) met?.add(plainHeader(header) || header)
  refuseForeign(name, above)
  open.push(...checkFields(name, table, open))
  const isMapped = names.map(
    (each, index) => mapping.isMapped(each) || mapping.isMapped(headers[index] ?? ""),
  )
  let columns: BillColumnsRead = { headers, fields, units, isMapped }
  const first = sample.flatMap(({ cells }) => readRow(columns, cells)).filter((row) => !("error" in row))
  let context: LineContext = { ...columns, gstBasis: findGstBasis(first as BillRow[]), nowMs }
  const firstTable = { columns, context }
  const notes: string[][] = []
  const belowHead = new Set<BillDraft>()
  /** The bills with rows below a note that says of all amounts whether they hold GST. */
  let belowWords: Set<BillDraft> | undefined
  const differing: { record: CsvRecord; text: string }[] = []
  const said: (SaidTotal & { place: string })[] = []
  const words = findBasisWords(above.map(({ cells }) => cells))
  /** What says of the rows below it whether they hold GST; in a PDF nothing does, where words stand anywhere. */
  let partWords = sheet === undefined ? undefined : words
  /** What stands in each row, such as the number of an account, names none of them. */
  const isRepeated = (index: number) => {
    const texts = sample.map(({ cells }) => (cells[index] ?? "").trim()).filter((text) => text !== "")
    return texts.length >= 2 && new Set(texts).size === 1
  }
  const hasGstRows = haveGstRows(first as BillRow[])
  const own = readFacts(above, nowMs)
  const placed = readPlaces(above, places, nowMs)
  // What the bill itself says counts first, so its place is not needed.
  const { number, date } = givenHead ?? {}
  notePlaces?.(findPlaces(above, { ...(!own.number && { number }), ...(!own.date && { date }) }, nowMs))
  const ofAll = readFacts(
    bills.summaries.flatMap(({ records: some }) => some),
    nowMs,
  )
  const head = {
    number: own.number || placed.number || ofAll.number,
    date: own.date || placed.date || ofAll.date,
    supplier: own.supplier || ofAll.supplier,
    numberColumn: findNumberColumn(columns, names),
  }

  const { last } = bills
  // A sheet without another number belongs to the bill of the one before.
  let bill = last && [last.number, ""].includes(head.number) ? last : undefined
  const statedBefore = new Map(Array.from(bills.byHead.values(), (each) => [each, each.stated] as const))
  const errors: ErrorDetail[] = []
  const questions = new Map<number, ColumnQuestion>(
    open.map((each) => [names.indexOf(each.column), each] as const),
  )
  let failed = 0
  let without = 0
  const { sums } = bills
  sums.mark()
  const meaningOf = (heading: string) => fieldOf(mapping.meaning(heading))
  const sections = createSections({ columns: () => columns, meaningOf, name })
  let isNext = false
  const carrying = createCarrying(columns)
  const repeats = createRepeats(columns)
  const records = sections.follow(table.records)
  // What is asked about as a whole is not wrong row by row.
  const watched = new Map(
    [...table.watched].filter(([index]) => !open.some(({ column }) => column === names[index])),
  )
  const rows = readRecords<BillField, BillRow>(
    { ...table, watched, records, ...(ignoreUnknown && { unused: [] }) },
    {
      ...{ what: "a charge", isAmount: mayBeMoney, tell: (text) => warn(`${name}: ${text}`) },
      read: ({ cells }) => readRow(columns, cells),
      listLabels: (row) => row,
      onAccount: () => carrying.end(),
      onNote(cells) {
        if (notes.length < MOST_NOTES) notes.push([...cells])
        if (findBasisWords([cells])) belowWords ??= new Set()
        if (given?.isPdf !== true) partWords = findPartWords(cells) ?? partWords
      },
      async findTable(record) {
        if (sections.isEdge(record)) {
          sums.mark()
          partWords = undefined
        }
        if (record.isHeadings) {
          columns = firstTable.columns
          context = firstTable.context
          isNext = false
          return table
        }
        const next = findNextTable(record.cells, columns, meaningOf)
        if (!next) return undefined
        columns = next
        context = { ...context, ...next }
        isNext = true
        await tell(
          `${name}: ${describePlace(record)} begins another table, which is read by its own headings`,
        )
        return next
      },
    },
  )
  for await (const { record, row: read, wrong } of rows) {
    const { line, page, cells } = record
    if (!read) {
      failed++
      if (errors.length < MOST_ERRORS) errors.push(...wrong.map((each) => toRowError(record, each)))
      continue
    }
    const row = sections.sign(read, record)
    const carrier = getText(row, "carrier")
    const isNamed = carrier !== "" || row.invoice !== ""
    const key = JSON.stringify([carrier || head.supplier, row.invoice || head.number])
    const total = isTotalRow(row, sums, hasGstRows)
    if (total.is) {
      const totalled = isNamed ? (bills.byHead.get(key) ?? bill) : bill
      if (total.stated && totalled) totalled.stated = addStated(statedBefore.get(totalled), total.stated)
      if (total.said) said.push({ ...total.said, place: describePlace(record) })
      if (total.said?.openAs && totalled) totalled.mixedSum = { ...total.said, openAs: total.said.openAs }
      // A sum lacks the rows that cannot be read.
      if (total.differs !== undefined && failed === 0) differing.push({ record, text: total.differs })
      if ([...row.names, ...row.words].some(saysPageTotal)) carrying.turnPage()
      else carrying.end([...row.names, ...row.words])
      continue
    }
    // A row without the number of an invoice belongs to the bill above it.
    if (!bill || isNamed) {
      bill = bills.byHead.get(key) ?? list.open({ ...readHead(row, file, head, nowMs), ...given })
      bills.byHead.set(key, bill)
    }
    belowHead.add(bill)
    belowWords?.add(bill)
    if (partWords) extendPart(bill, partWords, sheet, line)
    if (!isNext && repeats.has(row, cells)) continue
    sums.add(row, (partWords ?? words)?.basis)
    const { lines, unclear } = readLines(row, context)
    const [first] = isNext ? unclear : []
    // A question names a column of the first table.
    if (first && failed++ < MOST_ERRORS)
      errors.push({
        message: `${describePlace(record)}, ${columns.headers[first.index]}: freight cannot tell what of this row is charged; put its table into a file of its own`,
        field: columns.headers[first.index] ?? "",
        line,
      })
    for (const each of isNext ? [] : unclear)
      if (!questions.has(each.index)) {
        const values = listValues([cells[each.index]?.trim() ?? ""])
        const { why, choices } = describeUnclear(each, columns)
        questions.set(each.index, { column: names[each.index] ?? "", values, why, choices })
      }
    const [charge] = lines
    if (charge && charge.names.length === 0 && !isNext)
      for (const { index, column, text } of row.cells)
        if (
          !fields[index] &&
          !isMapped[index] &&
          findNumbers(text).length > 0 &&
          !questions.has(index) &&
          !isRepeated(index)
        )
          questions.set(index, toNumberQuestion(names[index] ?? column, [text]))
    if (lines.length === 0) without++
    carrying.take(
      bill,
      row,
      lines.map((each) => ({
        ...each,
        line,
        ...(sheet !== undefined && { sheet }),
        ...(page !== undefined && { page }),
      })),
      list,
    )
  }
  bills.last = bill
  const texts = above.map(({ cells }) => cells)
  const basisWords = findBasisWords([...texts, ...notes])
  if (basisWords) {
    // Words below all rows are of the last bill.
    const under = findBasisWords(texts) ? belowHead : (belowWords ?? new Set())
    const own = under.size > 0 || !bill ? under : [bill]
    for (const each of own) each.basisWords ??= basisWords
  }
  // What is wrong of a column that is asked about is asked, not wrong row by row.
  const isAsked = (field: string | undefined) =>
    [...questions.values()].some(({ column }) => column === field)
  const wrong = errors.filter(({ field }) => !isAsked(field))
  if (wrong.length > 0)
    throw new FreightError("input", `${name}: ${counted(failed, "row")} cannot be read`, {
      errors: [...wrong, ...(createUnclear(name, [...questions.values()]).errors ?? [])],
      hint: given?.isPdf
        ? "freight audit FILE --show-rows prints the rows as freight reads them. Or ask the carrier for a spreadsheet."
        : "Fix them, and audit the bill again. Rows are numbered as a spreadsheet shows them.",
    })
  // Sums of a PDF are proven by all its tables.
  const contradicted = given?.isPdf ? undefined : findContradicted(said)
  if (contradicted) bills.contradicted.push({ ...contradicted, name })
  for (const { record, text } of differing) await warn(`${name}: ${describePlace(record)}: ${text}`, record)
  const unclearNames = carrying.finish(list)
  if (unclearNames)
    questions.set(unclearNames.index, { ...unclearNames, column: names[unclearNames.index] ?? "" })
  const ranks = listNumberColumns(fields, names, sample).map(({ column }) => column)
  const rank = ({ column, isOneOfSeveral }: ColumnQuestion) => (isOneOfSeveral ? ranks.indexOf(column) : -1)
  const all = [...questions.values()].toSorted((one, other) => rank(one) - rank(other))
  if (all.length > 0) throw createUnclear(name, all)
  if (repeats.count() > 0)
    await tell(
      `${name}: ${counted(repeats.count(), "row")} of items ${repeats.count() === 1 ? "repeats" : "repeat"} the total of the consignment, which counts once: ${formatCents(repeats.sum())} is not added`,
    )
  if (without > 0) await tell(`${name}: ${counted(without, "row")} without an amount left out`)
}

export const COLUMNS = { ...BILL_COLUMNS, judge: judgeBillColumns }

const fieldOf = (meaning: Meaning<BillField>) => ("field" in meaning ? meaning.field : undefined)

/**
 * @param givenTotal what a person says that the charges come to, in cents
 * @throws FreightError `input` where a stated sum is neither that of its sheet nor of all sheets
 */
export function refuseContradictions(
  name: string,
  { sums, contradicted, summaries }: BillsOfFile,
  givenTotal?: number,
): void {
  const summed = findContradictedSummary(summaries, sums)
  if (summed && !summed.sums.some((cents) => cents === givenTotal))
    throw refuseContradicted(`${name}, sheet ${quoted(summed.sheet)}`, summed, "the rows of all other sheets")
  const [wrong] = contradicted.filter(
    (each) => !isSumOfAll(each.amounts, sums) && !each.sums.some((cents) => cents === givenTotal),
  )
  if (wrong) throw refuseContradicted(wrong.name, wrong)
}

function extendPart(bill: BillDraft, words: BasisWords, sheet: string | undefined, line: number): void {
  const last = bill.parts?.at(-1)
  if (last?.words === words) last.to = line
  else bill.parts = [...(bill.parts ?? []), { words, sheet, from: line, to: line }]
}

function refuseContradicted(
  name: string,
  { place, label, cents, rowsCents }: SaidTotal & { place: string },
  rows = "the rows above it",
): FreightError {
  return new FreightError(
    "input",
    `${name}: ${place}: ${quoted(label)} is ${formatCents(cents)}, and ${rows} come to ${formatCents(rowsCents)}; nothing was judged`,
    {
      hint: `Ask the carrier which is right. If it is what the rows come to: --total ${formatCents(rowsCents).replaceAll(",", "")}`,
    },
  )
}

/**
 * @param met columns that are in one of several tables
 * @throws FreightError `input` where `--map` names one that is in none of them
 */
export function refuseUnmet(map: readonly string[], met: ReadonlySet<string>): void {
  const unmet = createMapping(COLUMNS, map).named.find((each) => !met.has(plainHeader(each) || each))
  if (unmet !== undefined)
    throw new FreightError("input", `--map: none of these bills has a column ${quoted(unmet)}`)
}

/** GST that sheets of a bill state, each for its own rows. */
function addStated(before: StatedGst | undefined, stated: StatedGst): StatedGst {
  if (!before) return stated
  return {
    gst: before.gst + stated.gst,
    exGst: before.exGst + stated.exGst,
    lines: before.lines + stated.lines,
  }
}

type NamedTable = Pick<Awaited<ReturnType<typeof openTable<BillField>>>, "fields" | "names" | "sample">

const createUnclear = (name: string, questions: readonly ColumnQuestion[]) =>
  new UnclearColumns(name, questions, undefined, BILL_COLUMNS.help.next)

/**
 * @param asked what is asked about the columns already, which may be what is missing
 * @returns questions about columns that may be what a bill needs
 * @throws FreightError `input` where a column is missing, and none may be it
 */
function checkFields(
  name: string,
  { fields, names, sample }: NamedTable,
  asked: readonly ColumnQuestion[],
): ColumnQuestion[] {
  const mayBe = (...kinds: BillField["holds"][]) =>
    asked.some(({ choices }) =>
      BILL_COLUMNS.fields.some((each) => kinds.includes(each.holds) && choices.includes(each.name)),
    )
  const has = (...kinds: BillField["holds"][]) =>
    fields.some((field) => field?.holds && kinds.includes(field.holds))
  const missing = [
    ...(has("name") || mayBe("name") || fields.some((field) => field?.name === "charge")
      ? []
      : ["a consignment number or a reference"]),
    ...(has("total", "part") || mayBe("total", "part") ? [] : ["an amount"]),
  ]
  const numbers =
    has("name") || mayBe("name") || missing.length !== 1 ? [] : listNumberColumns(fields, names, sample)
  if (missing.length > 0 && numbers.length === 0)
    throw new FreightError("input", `${name}: no column has ${missing.join(", and none ")}`, {
      ...BILL_COLUMNS.help,
      ...(asked.length > 0 && { errors: createUnclear(name, asked).errors ?? [] }),
    })
  return numbers
}

/** Unknown columns whose cells may be numbers of consignments. */
function listNumberColumns(
  fields: readonly (BillField | undefined)[],
  names: readonly string[],
  sample: readonly CsvRecord[],
): ColumnQuestion[] {
  const found = names.flatMap((column, index) => {
    const cells = sample.map(({ cells: all }) => (all[index] ?? "").trim()).filter((cell) => cell !== "")
    const numbers = cells.filter((cell) => findNumbers(cell).length > 0)
    return fields[index] || numbers.length * 2 <= cells.length ? [] : [{ column, numbers }]
  })
  // Each consignment has a number of its own, as no account has.
  const count = ({ numbers }: { numbers: readonly string[] }) => new Set(numbers).size
  return found
    .toSorted((one, other) => count(other) - count(one))
    .map(({ column, numbers }) => toNumberQuestion(column, numbers))
}

function toNumberQuestion(column: string, numbers: readonly string[]): ColumnQuestion {
  return {
    column,
    values: listValues(numbers),
    why: "may name the consignments",
    choices: ["consignment"],
    isOneOfSeveral: true,
  }
}

type TableHead = TableFacts & Pick<Bill, "numberColumn">

function findNumberColumn(
  { fields, isMapped }: BillColumnsRead,
  names: readonly string[],
): Bill["numberColumn"] {
  const index = fields.findIndex((field) => field?.holds === "name")
  const field = fields[index]
  return field && { column: names[index] ?? "", field: field.name, isMapped: isMapped[index] ?? false }
}

function readHead(row: BillRow, file: string, facts: TableHead, nowMs: number): BillHead {
  return {
    file,
    numberColumn: facts.numberColumn,
    number: row.invoice || facts.number,
    supplier: getText(row, "carrier") || facts.supplier,
    date: readBillDate(getText(row, "invoiceDate"), nowMs) || facts.date,
  }
}
