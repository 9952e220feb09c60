/** Reads a carrier's bill from a table: one charge a row, or one consignment a row with a column for each kind of charge. */
import { counted } from "../../base/counted.ts"
import { formatCents } from "../../base/money.ts"
import { quoted } from "../../base/parsed.ts"
import { type ErrorDetail, FreightError } from "../../base/errors.ts"
import {
  type ColumnQuestion,
  createMapping,
  type CsvRecord,
  describePlace,
  isOpenLabel,
  listValues,
  mayBeMoney,
  type Meaning,
  type OpenedTable,
  openTable,
  plainHeader,
  readRecords,
  saysPageTotal,
  type TableInput,
  toRowError,
} from "../../input/index.ts"
import { createCarrying } from "./above.ts"
import type { BasisWords, Bill } from "../bill.ts"
import type { BillDraft, BillHead, BillList } from "./list.ts"
import { BILL_COLUMNS, type BillField } from "./columns.ts"
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
import { describeUnclear, judgeBillColumns, listExplained } from "./judge.ts"
import { findLoneGst, type LineContext, readLines } from "./lines.ts"
import {
  checkFields,
  createUnclear,
  findNumberColumn,
  listNumberColumns,
  toNumberQuestion,
} from "./number-columns.ts"
import { addStated, type BillsOfFile } from "./of-file.ts"
import { createRepeats } from "./repeats.ts"
import { type BillColumnsRead, type BillRow, getText, readRow } from "./row.ts"
import { findBasisWords, findGstBasis, findPartWords } from "../understand.ts"
import { createSections, findNextTable } from "./sections.ts"
import { findContradictedAbove } from "./summary.ts"
import { findSupplier, type SupplierSigns } from "../supplier.ts"
import type { Band, FactPlaces } from "../../machine/index.ts"
import {
  findContradicted,
  haveGstRows,
  isOfAllRows,
  isTotalRow,
  type SaidTotal,
  sumAllRows,
} from "./totals.ts"
import { getChargedCents } from "../money.ts"

export interface CsvOptions {
  /** `--map COLUMN=FIELD`, as typed. */
  map: readonly string[]
  ignoreUnknown: boolean
  nowMs: number
  /** Aborts reading between two rows. */
  signal: AbortSignal
  tell(note: string): Promise<void>
  /** @param total the row of a sum that differs from the rows above it, if the text is about one */
  warn(text: string, total?: Pick<CsvRecord, "page" | "line">): Promise<void>
  /** `--total`, in cents: the sum of the charges, if the bill states another. */
  total?: number | undefined
  /** The saved map of a supplier, and the data kept with it. */
  findMap?(signs: SupplierSigns, name: string): Promise<SupplierMap | undefined>
  /** Columns of any of several files; `--map` may name each of them. */
  met?: Set<string>
  /** Number and day, if a person gives them; their places are passed to `notePlaces`. */
  given?: GivenHead
  notePlaces?(places: FactPlaces): void
  /** Data of the bills that is known before reading. */
  head?: Pick<Bill, "isPdf">
}

export interface SupplierMap {
  map: readonly string[]
  headerRow?: number | undefined
  /** The column positions of a PDF. */
  bands?: readonly Band[] | undefined
  /** The positions of number and day. */
  places?: FactPlaces | undefined
}

/** Maximum number of row errors listed one by one. */
const MAX_ERRORS = 50
/** Notes between the rows, which may contain basis words for all amounts. */
const MAX_NOTES = 100
/** Rows read ahead, because their cells decide the meaning of headings. */
const SAMPLE_ROWS = 1000

interface SheetOfFile {
  name: string
  /** Set if several sheets of the file are read. */
  sheet: string | undefined
}

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
  let places: FactPlaces | undefined
  const prepare = async (start: readonly CsvRecord[]) => {
    const found = await findMap?.(findSupplier(start), name)
    // The map was saved for other bills of the supplier and may name columns that this one lacks.
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
  const isGiven = names.map((each, index) => mapping.isMapped(each) || mapping.isMapped(headers[index] ?? ""))
  const explained = listExplained(
    headers.map((header, index) => ({ header, field: fields[index], isMapped: isGiven[index] ?? false })),
    sample.map(({ cells }) => cells),
  )
  const isMapped = isGiven.map((each, index) => each || explained.includes(index))
  const columns: BillColumnsRead = { headers, fields, units, isMapped }
  const first = sample.flatMap(({ cells }) => readRow(columns, cells)).filter((row) => !("error" in row))
  const notes: string[][] = []
  const belowHead = new Set<BillDraft>()
  /** Bills with rows below a note that states the GST basis of all amounts. */
  let belowWords: Set<BillDraft> | undefined
  const differing: { record: CsvRecord; text: string }[] = []
  const said: (SaidTotal & { place: string })[] = []
  const words = findBasisWords(above.map(({ cells }) => cells))
  /** The basis words for the rows below them; not in a PDF, whose words stand anywhere. */
  let partWords = sheet === undefined ? undefined : words
  /** A value on every row, such as an account number, names none of them. */
  const isRepeated = (index: number) => {
    const texts = sample.map(({ cells }) => (cells[index] ?? "").trim()).filter((text) => text !== "")
    return texts.length >= 2 && new Set(texts).size === 1
  }
  const hasGstRows = haveGstRows(first as BillRow[])
  const own = readFacts(above, nowMs)
  const placed = readPlaces(above, places, nowMs)
  // The bill's own facts count first, so their saved positions are not needed.
  const { number, date } = givenHead ?? {}
  notePlaces?.(findPlaces(above, { ...(!own.number && { number }), ...(!own.date && { date }) }, nowMs))
  const ofAll = readFacts(
    bills.summaries.flatMap(({ records: some }) => some),
    nowMs,
  )
  const saysSign = fields.some((field) => field?.name === "sign" || field?.name === "debit")
  const head = {
    number: own.number || placed.number || ofAll.number,
    date: own.date || placed.date || ofAll.date,
    supplier: own.supplier || ofAll.supplier,
    period: own.period ?? ofAll.period,
    creditNote: saysSign ? undefined : (own.creditNote ?? ofAll.creditNote),
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
  const sections = createSections({ meaningOf, name })
  let weighed: { own: string; grams: number | null } = { own: "", grams: null }
  const carrying = createCarrying(columns)
  let hasAccount = false
  const repeats = createRepeats(columns, (index) => questions.has(index))
  // Columns with a question are not reported as errors of single rows.
  const watched = new Map(
    [...table.watched].filter(([index]) => !open.some(({ column }) => column === names[index])),
  )
  const firstTable: BillTable = {
    ...{ ...columns, gstBasis: findGstBasis(first as BillRow[]), nowMs, watched },
    unused: ignoreUnknown ? [] : table.unused,
  }
  const rows = readRecords<BillField, BillRow, BillTable>(
    firstTable,
    (current) => sections.follow(table.records, current),
    {
      ...{ what: "a charge", isAmount: mayBeMoney, tell: (text) => warn(`${name}: ${text}`) },
      read: ({ cells }, of) => readRow(of, cells),
      listLabels: (row) => row,
      onAccount() {
        hasAccount = true
        carrying.end()
      },
      onNote(record) {
        const { cells } = record
        if (given?.isPdf !== true) refuseForeign(name, [record])
        if (notes.length < MAX_NOTES) notes.push([...cells])
        if (findBasisWords([cells])) belowWords ??= new Set()
        if (given?.isPdf !== true) partWords = findPartWords(cells) ?? partWords
      },
      async findTable(record, current) {
        if (sections.isEdge(record)) {
          sums.mark()
          partWords = undefined
        }
        if (record.isHeadings) return firstTable
        const next = findNextTable(record.cells, current, meaningOf)
        if (!next) return undefined
        await tell(
          `${name}: ${describePlace(record)} begins another table, which is read by its own headings`,
        )
        const { gstBasis } = firstTable
        return { ...next, gstBasis, nowMs }
      },
    },
  )
  let whole: (SaidTotal & { place: string; from?: string }) | undefined
  for await (const { record, table: of, row: read, wrong } of rows) {
    const { line, page, cells } = record
    const isNext = of !== firstTable
    if (!read) {
      failed++
      if (errors.length < MAX_ERRORS) errors.push(...wrong.map((each) => toRowError(record, each)))
      continue
    }
    const row = sections.sign(read, record)
    const carrier = getText(row, "carrier")
    const isNamed = carrier !== "" || row.invoice !== ""
    const key = JSON.stringify([carrier || head.supplier, numberOf(row, head)])
    const total = isTotalRow(row, sums, hasGstRows)
    if (total.is) {
      const totalled = isNamed ? (bills.byHead.get(key) ?? bill) : bill
      if (total.stated && totalled) totalled.stated = addStated(statedBefore.get(totalled), total.stated)
      if (whole?.from !== undefined) whole = undefined
      if (total.said) {
        whole = isOfAllRows(total.said, sums) ? { ...total.said, place: describePlace(record) } : undefined
        said.push({ ...total.said, place: describePlace(record) })
        bills.said.push(total.said)
      }
      if (total.said?.openAs && totalled) totalled.mixedSum = { ...total.said, openAs: total.said.openAs }
      // With unreadable rows, a sum cannot be checked.
      if (total.differs !== undefined && failed === 0) differing.push({ record, text: total.differs })
      if ([...row.names, ...row.words].some(saysPageTotal)) carrying.turnPage()
      else carrying.end([...row.names, ...row.words], row.amounts.values())
      continue
    }
    // A row without an invoice number belongs to the bill above it.
    if (!bill || isNamed) {
      bill = bills.byHead.get(key) ?? list.open({ ...readHead(row, file, head, nowMs), ...given })
      bills.byHead.set(key, bill)
    }
    belowHead.add(bill)
    belowWords?.add(bill)
    if (partWords) extendPart(bill, partWords, sheet, line)
    if (!isNext && repeats.has(row, cells)) continue
    sums.add(row, (partWords ?? words)?.basis)
    const { common, lines, unclear } = readLines(row, of)
    const lone = lines.length === 0 && unclear.length === 0 ? findLoneGst(row) : undefined
    if (lone) {
      failed++
      const message = `${quoted(lone.text)} is the GST of an amount that is missing: fill in the amount, or empty this cell`
      if (errors.length < MAX_ERRORS)
        errors.push(toRowError(record, { column: lone.column, message, rule: "cell", severity: "error" }))
      continue
    }
    const isOpen = isOpenLabel(row.label) && lines.some((each) => getChargedCents(each) > 0)
    if (isOpen && !saysSign && head.creditNote === undefined && given?.isPdf !== true) {
      failed++
      const message = `${describePlace(record)}: ${quoted(row.label)} does not say whether its amount is charged or given back: write a credit with a minus, and a charge by its own name`
      if (errors.length < MAX_ERRORS) errors.push({ message, line })
      continue
    }
    // Another table or section has its own sums.
    if (whole && (isNext || row !== read)) whole = undefined
    if (whole && lines.some((each) => getChargedCents(each) !== 0)) whole.from ??= describePlace(record)
    const [first] = isNext ? unclear : []
    // A question names a column of the first table.
    if (first && failed++ < MAX_ERRORS)
      errors.push({
        message: `${describePlace(record)}, ${of.headers[first.index]}: freight cannot tell what of this row is charged; put its table into a file of its own`,
        field: of.headers[first.index] ?? "",
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
    // An item without an amount stands above its consignment's charges, which have no weight.
    const own = row.names.join("\n")
    const above = own === weighed.own ? weighed.grams : null
    const grams = Math.max(above ?? 0, row.grams ?? 0)
    if (lines.length === 0 || own !== weighed.own)
      weighed = { own, grams: lines.length === 0 && own !== "" && grams > 0 ? grams : null }
    const isUsed = carrying.take(
      bill,
      row,
      {
        common,
        lines: lines.map((each) => ({
          ...each,
          grams: each.grams ?? above,
          line,
          ...(sheet !== undefined && { sheet }),
          ...(page !== undefined && { page }),
        })),
      },
      list,
    )
    if (!isUsed) without++
  }
  for (const each of open) {
    const index = names.indexOf(each.column)
    if (!questions.has(index)) questions.set(index, each)
  }
  bills.last = bill
  const texts = above.map(({ cells }) => cells)
  const basisWords = findBasisWords([...texts, ...notes])
  if (basisWords) {
    // Words below all rows belong to the last bill.
    const under = findBasisWords(texts) ? belowHead : (belowWords ?? new Set())
    const own = under.size > 0 || !bill ? under : [bill]
    for (const each of own) each.basisWords ??= basisWords
  }
  // Errors in a column with a question are part of the question.
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
  // In a PDF all tables together prove its sums.
  const contradicted = given?.isPdf ? undefined : findContradicted(said)
  if (contradicted) bills.contradicted.push({ ...contradicted, name })
  const contradictedAbove = given?.isPdf ? undefined : findContradictedAbove(above, sums, hasAccount)
  if (contradictedAbove) bills.contradicted.push({ ...contradictedAbove, name, isAbove: true })
  if (whole?.from !== undefined && !given?.isPdf && failed === 0)
    bills.outgrown.push({ ...whole, from: whole.from, name, rowsCents: sumAllRows(whole, sums) })
  for (const { record, text } of differing) await warn(`${name}: ${describePlace(record)}: ${text}`, record)
  const { carriedIn, question: unclearNames } = carrying.finish(list)
  // The question about the column has to offer the answer that reads the bill in this way.
  for (const each of carriedIn)
    if (each.numberColumn?.field === "consignment")
      each.numberColumn = { ...each.numberColumn, field: "consignmentAbove" }
  const repeated = repeats.findQuestion()
  if (repeated && !questions.has(repeated.index)) {
    const { index, ...question } = repeated
    questions.set(index, { ...question, column: names[index] ?? "" })
  }
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
  without += carrying.countUncharged()
  if (without > 0) await tell(`${name}: ${counted(without, "row")} without an amount left out`)
}

export const COLUMNS = { ...BILL_COLUMNS, judge: judgeBillColumns }

const fieldOf = (meaning: Meaning<BillField>) => ("field" in meaning ? meaning.field : undefined)

function extendPart(bill: BillDraft, words: BasisWords, sheet: string | undefined, line: number): void {
  const last = bill.parts?.at(-1)
  if (last?.words === words) last.to = line
  else bill.parts = [...(bill.parts ?? []), { words, sheet, from: line, to: line }]
}

/** @param met columns of any of several tables */
export function refuseUnmet(map: readonly string[], met: ReadonlySet<string>): void {
  const unmet = createMapping(COLUMNS, map).named.find((each) => !met.has(plainHeader(each) || each))
  if (unmet !== undefined)
    throw new FreightError("input", `--map: none of these bills has a column ${quoted(unmet)}`)
}

/** A table of a bill; the data about its unused columns comes from the first table. */
type BillTable = LineContext & Partial<Pick<OpenedTable<BillField>, "watched" | "unused">>

type TableHead = TableFacts & Pick<Bill, "numberColumn">

/** A column of invoice numbers in a credit note has those that it credits. */
const numberOf = ({ invoice }: BillRow, { number, creditNote }: TableFacts) =>
  creditNote !== undefined && number !== "" ? number : invoice || number

function readHead(row: BillRow, file: string, facts: TableHead, nowMs: number): BillHead {
  return {
    file,
    numberColumn: facts.numberColumn,
    number: numberOf(row, facts),
    supplier: getText(row, "carrier") || facts.supplier,
    date: readBillDate(getText(row, "invoiceDate"), nowMs) || facts.date,
    period: facts.period,
    creditNote: facts.creditNote,
  }
}
