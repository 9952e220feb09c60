/**
 * Reads bills from a PDF. Rows are read by position, so each invoice has to prove itself: its rows must add up to its
 * stated sum. Otherwise the file is refused, and nothing in it is judged.
 */
import { Buffer } from "node:buffer"
import { counted, listSome } from "../../../base/counted.ts"
import { FreightError } from "../../../base/errors.ts"
import { formatCents } from "../../../base/money.ts"
import { quoted } from "../../../base/parsed.ts"
import {
  type Basis,
  createMapping,
  createPdfStep,
  createTableQuestions,
  type CsvRecord,
  findBasis,
  joinWords,
  type Line,
  MONEY,
  type OnPage,
  overlaps,
  type Phrase,
  type PlacedText,
  readLines,
  type ReadPages,
  type SheetChoices,
  type TableInput,
  UnclearColumns,
} from "../../../input/index.ts"
import type { ReadLine } from "../../bill.ts"
import { findMismatch } from "../../gst.ts"
import type { Money } from "../../money.ts"
import { type BillDraft, type BillHead, type BillList, createBillList } from "../list.ts"
import { cut } from "../../../output/index.ts"
import { findSupplier, isAbnLabel, isCustomerLabel } from "../../supplier.ts"
import { BILL_COLUMNS } from "../columns.ts"
import { COLUMNS, type CsvOptions, readCsvBill, refuseUnmet, type SupplierMap } from "../csv.ts"
import { createBillsOfFile } from "../of-file.ts"
import type { Band } from "../../../machine/index.ts"
import { fitsBands } from "./bands.ts"
import {
  findSeveral,
  hasNumberAndDay,
  type Heading,
  type HeadingReader,
  holdsMoney,
  holdsName,
  type PdfTable,
  rememberMeanings,
  type SeveralColumns,
} from "./headings.ts"
import { listFactCells, type PdfInvoice, splitInvoices } from "./invoices.ts"
import { findLayout, isOfBareColumn, type Layout } from "./layout.ts"
import {
  addsUp,
  chooseProof,
  chooseTotals,
  describeSums,
  findDisagreement,
  findContradiction,
  findLargest,
  findLeftOut,
  findOddOfThis,
  findOddSubTotal,
  findStatedBasis,
  isBelow,
  isExactly,
  isGstPlausible,
  isProvenBy,
  listBelowTitle,
  provesEach,
  type ReadSums,
  ROUNDED_CENTS,
  type StatedTotal,
  SUB_TOTAL,
  sumLines,
} from "./stated.ts"
import { isOfCharges, mayNameCharges, type TableChoices, toRefusal } from "./tables.ts"

export interface PdfOptions extends CsvOptions {
  /** `--total`, in cents: the sum of an invoice that states none. */
  total?: number | undefined
  /** Asks a person for it; undefined if nobody can be asked. */
  askTotal?: ((question: string) => Promise<number>) | undefined
  /** The entries of `map` that were not saved before; all if omitted. */
  today?: readonly string[]
  /** Called with the column positions; undefined if they cannot be determined. */
  noteBands?(bands: readonly Band[] | undefined): void
  /** Reads the pages; in a separate process if omitted. */
  readPages?: ReadPages | undefined
  /** Called for each page. @param name of the PDF */
  showPage?(name: string, page: Parameters<OnPage>[0]): Promise<void>
}

interface Variant extends TableChoices {
  /** Whether tables without a column of consignments are left out, such as a summary. */
  isNamedOnly: boolean
}

/**
 * Ways to read an invoice, likeliest first. The first that its own sum proves counts. A row without a name below the
 * total is not a charge if the bill is proven without it: it may be GST by another name.
 */
const VARIANTS: readonly Variant[] = [
  { isNamedOnly: true, stopsAtTotal: true },
  { isNamedOnly: true, stopsAtTotal: false },
  { isNamedOnly: false, stopsAtTotal: true },
  { isNamedOnly: false, stopsAtTotal: false },
  { isNamedOnly: true, stopsAtTotal: true, addsExGst: true },
]

/** A row of a PDF as read, for people. */
export interface ShownRow {
  invoice: string
  page: number
  line: number
  /** By the headings of its table. */
  cells: readonly (readonly [heading: string, text: string])[]
  refusal?: { reason: string; error: FreightError }
}

type OpenOptions = Pick<
  PdfOptions,
  "signal" | "map" | "today" | "nowMs" | "findMap" | "readPages" | "showPage"
> &
  Pick<TableChoices, "keepsRefused">

interface Opened {
  lines: readonly Line[]
  invoices: PdfInvoice[]
  /** The supplier's saved map, without entries that do not apply to this layout. */
  found: SupplierMap | undefined
  /** If no headings are known: questions about the ones that exist. */
  layout: Layout | undefined
}

/** The invoices of a PDF with tables; if it has none, those of an unknown layout. */
async function openPdf(
  name: string,
  chunks: AsyncIterable<Uint8Array>,
  { signal, map, today = map, nowMs, findMap, keepsRefused = false, ...reading }: OpenOptions,
): Promise<Opened> {
  const lines = await readPdfLines(name, chunks, { signal, ...reading })
  const saved = await findMap?.(findSupplier(toCells(lines)), name)
  const step = createPdfStep(name, signal)
  const createReader = (kept: readonly string[]) =>
    rememberMeanings(createMapping(COLUMNS, [...kept, ...today]))
  const split = async (reader: HeadingReader) => {
    const invoices = await splitInvoices(name, lines, { reader, nowMs, step, keepsRefused })
    const withRows = await listWithRows(invoices)
    return withRows.length > 0 ? invoices : undefined
  }
  const found = saved && { ...saved, map: saved.map.filter((each) => !isOfBareColumn(each)) }
  const reader = createReader(found?.map ?? [])
  const usual = await split(reader)
  if (usual) return { lines, invoices: usual, found, layout: undefined }
  const bands = saved?.bands
  if (saved && bands && today.every((each) => !isOfBareColumn(each) || names(bands, each))) {
    const { meaning } = createReader(saved.map)
    const placed = fitsBands(lines, { meaning, bands }) ? await split({ meaning, bands }) : undefined
    if (placed) return { lines, invoices: placed, found: saved, layout: undefined }
  }
  const layout = await findLayout(lines, reader, createReader([]), bands !== undefined, step)
  const unknown = layout && (await split(rememberMeanings(layout.reader)))
  if (layout && unknown) return { lines, invoices: unknown, found, layout }
  throw new FreightError("input", `${name}: freight finds no table of charges in this PDF`, {
    hint: "It looks for a line of headings with a number and an amount, and rows below them. --map COLUMN=FIELD says what a heading means; or ask the carrier for a spreadsheet.",
  })
}

async function listWithRows(invoices: readonly PdfInvoice[]): Promise<PdfInvoice[]> {
  const found: PdfInvoice[] = []
  for (const each of invoices)
    if ((await each.readTables({ stopsAtTotal: false })).length > 0) found.push(each)
  return found
}

/** Whether one of the bands has the name in `--map`. */
const names = (bands: readonly Band[], map: string) =>
  bands.some(({ heading }) => map.trim().toLowerCase().startsWith(`${heading.toLowerCase()}=`))

/** Texts side by side, as in a sheet; an invoice's facts stand in its first lines. */
function toCells(lines: readonly Line[]): { cells: string[] }[] {
  const first = withoutCustomer(lines.slice(0, FIRST_LINES))
  return first.flatMap((line, at) => listFactCells(line, first[at + 1]).map((cells) => ({ cells })))
}

const FIRST_LINES = 40

/** Lines without the texts beside and below a label such as `Bill to:`, up to a gap. */
function withoutCustomer(lines: readonly Line[]): Line[] {
  const ofCustomer = new Set<Phrase>()
  const follow = (from: Phrase, at: number) => {
    ofCustomer.add(from)
    let [above, last] = [from, lines[at]]
    for (const line of lines.slice(at + 1)) {
      if (!last || line.page !== last.page || line.y - last.y > BLOCK_LEADING * last.height) return
      const next = line.phrases.find(
        (each) => overlaps(each, above) && Math.abs(each.x0 - above.x0) <= 2 * line.height,
      )
      // Texts in other columns may be on lines of their own.
      if (!next) continue
      ofCustomer.add(next)
      // A block has one ABN.
      if (isAbnLabel(next.text)) return
      ;[above, last] = [next, line]
    }
  }
  for (const [at, { phrases }] of lines.entries())
    for (const [index, phrase] of phrases.entries()) {
      if (!isCustomerLabel(phrase.text)) continue
      follow(phrase, at)
      const beside = phrases[index + 1]
      if (beside && !/:$/.test(beside.text) && !isCustomerLabel(beside.text)) follow(beside, at)
    }
  return lines
    .map((line) => ({ ...line, phrases: line.phrases.filter((each) => !ofCustomer.has(each)) }))
    .filter(({ phrases }) => phrases.length > 0)
}

/** Maximum distance between lines of an address, in letter heights. */
const BLOCK_LEADING = 2

export function refuseSheetFlags(name: string, { sheets = [], headerRow }: SheetChoices): void {
  const flag = headerRow !== undefined ? "--header-row" : sheets.length > 0 ? "--sheet" : undefined
  if (flag !== undefined)
    throw new FreightError("usage", `${flag} is for spreadsheets, and ${name} is a PDF`, {
      hint: `Leave ${flag} out: the headings of a PDF are found by their words, and --map COLUMN=FIELD says what they mean.`,
    })
}

export async function readPdfLines(
  name: string,
  chunks: AsyncIterable<Uint8Array>,
  { signal, readPages, showPage }: Pick<PdfOptions, "signal" | "readPages" | "showPage">,
): Promise<Line[]> {
  const pieces: Uint8Array[] = []
  for await (const piece of chunks) pieces.push(piece)
  const onPage: OnPage = async (page) => showPage?.(name, page)
  const lines = await readLines(name, Buffer.concat(pieces), signal, readPages, onPage)
  return lines.map(partAmounts)
}

/** A line of amounts, each a separate phrase, without currency signs. */
function partAmounts(line: Line): Line {
  const isSign = ({ text }: PlacedText) => /^(?:A?\$|AUD)$/i.test(text)
  if (!line.phrases.some(({ words }) => words.some(({ text }) => MONEY.test(text)))) return line
  const phrases = line.phrases.flatMap((phrase) => {
    const words = phrase.words.filter((word) => !isSign(word))
    if (words.length === 0) return []
    const whole = words.length < phrase.words.length ? joinWords(words) : phrase
    const first = words.findIndex(({ text }) => MONEY.test(text))
    const rest = words.slice(Math.max(0, first))
    const isOfAmounts = rest.every(({ text }) => MONEY.test(text) || OF_AMOUNT.test(text))
    if (!isOfAmounts || rest.filter(({ text }) => MONEY.test(text)).length < 2) return [whole]
    const amounts = rest.reduce<PlacedText[][]>((parts, word) => {
      if (MONEY.test(word.text)) parts.push([word])
      else parts.at(-1)?.push(word)
      return parts
    }, [])
    const before = words.slice(0, first)
    return [...(before.length > 0 ? [before] : []), ...amounts].map(joinWords)
  })
  return { ...line, phrases }
}

/** Suffixes of an amount, after a blank. */
const OF_AMOUNT = /^(?:-|CR|DR)$/i

export async function readPdfBills(
  name: string,
  chunks: AsyncIterable<Uint8Array>,
  options: PdfOptions,
  list: BillList,
): Promise<void> {
  const opened = await openPdf(name, chunks, options)
  try {
    await readOpened(name, opened, options, list)
  } catch (error) {
    const isSpaced = opened.lines.some((line) => line.isSpaced)
    if (!isSpaced || !(error instanceof FreightError) || error instanceof UnclearColumns) throw error
    throw new FreightError(
      error.kind,
      `${error.message}; the letters of this PDF are set apart, so that it is not certain where its words end`,
      error,
    )
  }
}

async function readOpened(
  name: string,
  { lines, invoices, found, layout }: Opened,
  options: PdfOptions,
  list: BillList,
): Promise<void> {
  if (layout && layout.questions.length > 0) {
    if (layout.several) throw refuseSeveral(name, layout.several)
    const unclear = new UnclearColumns(
      name,
      layout.questions,
      undefined,
      BILL_COLUMNS.help.next,
      COLUMNS.fields,
    )
    throw showRows(unclear, await listRows(name, invoices))
  }
  const { today = options.map } = options
  const once = { ...options, map: today, met: options.met ?? new Set<string>(), findMap: async () => found }
  const withRows = await listWithRows(invoices)
  for (const each of invoices) if (!withRows.includes(each)) refuseLost(name, each)
  const questions = createTableQuestions()
  for (const each of withRows) {
    if (withRows.length > 1 && each.number === "")
      throw new FreightError(
        "input",
        `${name}: the invoice on page ${each.page} has no number that freight finds, and this PDF has several; nothing was audited`,
        { hint: "Print each invoice as a PDF of its own." },
      )
    await questions.read(once, async (reading) => {
      const proven = await proveInvoice(name, each, reading, withRows.length)
      await proven.keep(list)
    })
  }
  questions.ask()
  if (!options.met) refuseUnmet(today, once.met)
  if (!options.noteBands) return
  const bands = withRows[0]?.measureBands()
  const { meaning } = createMapping(COLUMNS, [...(found?.map ?? []), ...today])
  // Bands that do not fit this file would not fit another.
  options.noteBands(bands && fitsBands(lines, { meaning, bands }) ? bands : undefined)
}

/** The error for columns that are so close that several were read as one. */
function refuseSeveral(name: string, { text, cell }: SeveralColumns): FreightError {
  return new FreightError(
    "input",
    `${name}: several columns below ${quoted(text)} are too close together to separate, such as in ${quoted(cell)}; nothing was audited`,
    { hint: "Ask the carrier for a spreadsheet, or for a PDF with wider columns." },
  )
}

function refuseLost(name: string, { page, number, stated, hasBalance }: PdfInvoice): void {
  const total = findLargest(chooseTotals(stated, hasBalance))
  if (!total) return
  throw new FreightError(
    "input",
    `${name}, ${describeTotal(total)}, and freight finds no rows of this invoice (${number || `page ${page}`}); nothing was audited`,
    ROWS_HINT,
  )
}

const ROWS_HINT = {
  hint: "freight audit FILE --show-rows prints the rows as freight reads them. Or ask the carrier for a spreadsheet.",
}

/** The reading that the invoice's own sum proves. */
async function proveInvoice(
  name: string,
  invoice: PdfInvoice,
  options: PdfOptions,
  invoices: number,
): Promise<Reading> {
  const { stated, hasBalance } = invoice
  const statesGst = stated.some(({ basis }) => basis === "gst")
  let failed: unknown
  let exact: { reading: Reading; largest: StatedTotal } | undefined
  let near: typeof exact
  let read: ({ reading: Reading } & Record<"contradiction" | "largest", StatedTotal | undefined>) | undefined
  const tried = new Set<string>()
  for (const variant of VARIANTS) {
    const tables = await chooseTables(invoice, variant)
    const key = JSON.stringify(tables)
    if (tables.length === 0 || tried.has(key)) continue
    tried.add(key)
    try {
      const reading = await tryTables(name, invoice, tables, options)
      const { sums, charged } = reading
      const proof = chooseProof(stated, hasBalance, sums, charged)
      const largest = findLargest(proof.totals)
      const contradiction = findContradiction(proof.totals, proof.stated, sums)
      const isProven = largest && !contradiction && (statesGst || isGstPlausible(sums) || addsUp(tables))
      if (isProven && isExactly(largest, sums)) {
        exact = { reading, largest }
        break
      }
      if (isProven) near ??= { reading, largest }
      read ??= { reading, contradiction, largest }
    } catch (error) {
      if (error instanceof UnclearColumns) throw showRows(error, await listRows(name, [invoice]))
      if (!(error instanceof FreightError)) throw error
      failed ??= error
    }
  }
  const proven = exact ?? near
  if (proven) {
    const { reading, largest } = proven
    const unread = await findSeveralIn(invoice, hasNumberAndDay, mayLackName)
    if (unread) throw refuseSeveral(name, unread)
    refuseDisagreement(name, invoice, reading, exact !== undefined)
    refuseMismatch(name, invoice, reading)
    const left = findLeft(name, invoice, reading, largest)
    if (exact) await tellSteps(name, invoice, reading, largest, options)
    else
      await options.warn(
        `${name}, ${describeTotal(largest)}, and the ${counted(countRows(reading.tables), "row")} that freight reads come to ${describeSums(reading.sums, largest)}: the difference may be rounding, or a cent of a row was read wrongly`,
      )
    for (const text of left) await options.warn(text)
    return reading
  }
  const several = await findSeveralIn(invoice)
  if (several) throw refuseSeveral(name, several)
  if (!read) throw failed
  const { reading, contradiction, largest } = read
  const { sums, tables } = reading
  const rows = countRows(tables)
  const isInRows = isRowOf(tables)
  const left = describeAccount(invoice.account.filter((each) => !isInRows(each))).map((text) => `; ${text}`)
  if (contradiction)
    throw new FreightError(
      "input",
      `${name}, ${describeTotal(contradiction)}, and the ${counted(rows, "row")} that freight reads come to ${describeSums(sums, contradiction)}; nothing was audited${left.join("")}`,
      ROWS_HINT,
    )
  if (largest)
    throw new FreightError(
      "input",
      `${name}, ${describeTotal(largest)}, and the ${counted(rows, "row")} that freight reads come to that, but their GST would be ${formatCents(sums.gst ?? 0)}, more than a tenth; nothing was audited`,
      ROWS_HINT,
    )
  const what = `${name} states no sum of its charges${invoices > 1 ? ` for invoice ${invoice.number}` : ""}`
  if (options.total !== undefined && invoices > 1)
    throw new FreightError("usage", `${what}, and --total is for a PDF with one invoice`)
  const { askTotal } = options
  const total =
    options.total ??
    (await askTotal?.(
      `${what}. freight reads ${counted(rows, "row")}. What do they come to by the carrier, in dollars?`,
    ))
  if (total === undefined)
    throw new FreightError("input", `${what}, so that nothing proves its ${counted(rows, "row")}`, {
      hint: "Say what they come to: --total 1234.56. --show-rows prints them.",
    })
  if (isProvenBy({ cents: total }, sums) && isGstPlausible(sums)) return reading
  throw new FreightError(
    "input",
    `${name}: the ${counted(rows, "row")} that freight reads come to ${describeSums(sums)}, not to ${formatCents(total)}; nothing was audited`,
    ROWS_HINT,
  )
}

function refuseDisagreement(
  name: string,
  invoice: PdfInvoice,
  { tables, sumsAbove }: Reading,
  isExact: boolean,
): void {
  const isInRows = isRowOf(tables)
  const amounts = invoice.amounts.filter((each) => !isInRows(each))
  const dues = findDisagreement({ ...invoice, amounts })
  if (dues) {
    const [one, other] = dues
    throw new FreightError(
      "input",
      `${name}, ${describeTotal(one)}, and ${describeTotal(other)}; nothing was audited`,
      { hint: "Ask the carrier which of them is owed, and for a bill that says so." },
    )
  }
  const sub = findOddSubTotal(invoice.stated, isExact, sumsAbove)
  if (sub)
    throw new FreightError(
      "input",
      `${name}, ${describeTotal(sub)}, and the rows above it come to ${sumsAbove(sub).map((each) => describeSums(each, sub))[0]}; nothing was audited`,
      ROWS_HINT,
    )
}

/**
 * The sum proves only one column: if amounts of a row contradict each other, one may have lost a digit to its
 * neighbour.
 */
function refuseMismatch(name: string, { stated }: PdfInvoice, { sums, rows }: Reading): void {
  if (provesEach(stated, sums)) return
  for (const row of rows) {
    const { why, cents = 0 } = findMismatch(row) ?? {}
    if (Math.abs(cents) > ROUNDED_CENTS)
      throw new FreightError(
        "input",
        `${name}, page ${row.page}, line ${row.line}: ${why}, and the sums of the invoice do not prove which is right; nothing was audited`,
        ROWS_HINT,
      )
  }
}

/** Notes which sums proved an invoice that has charges below its subtotal. */
async function tellSteps(
  name: string,
  { stated }: PdfInvoice,
  { tables, rows: lines }: Reading,
  proving: StatedTotal,
  { tell }: PdfOptions,
): Promise<void> {
  const sub = stated.find(({ label, basis }) => SUB_TOTAL.test(label) && basis !== "gst")
  if (!sub || sub === proving) return
  // A row that is a sum by its words, such as `Net ex GST`, is not a charge.
  const isRead = (row: Place) => lines.some(({ page, line }) => page === row.page && line === row.line)
  const charges = tables.flatMap(({ rows }) =>
    rows
      .filter((row) => row.is === "row" && isBelow(row, sub) && row.page === sub.page && isRead(row))
      .flatMap(({ cells }) => cells.find((cell) => /\p{L}/u.test(cell) && !MONEY.test(cell)) ?? []),
  )
  if (charges.length === 0) return
  await tell(
    `${name}, ${describeTotal(sub)}, and with ${charges.map(quoted).join(" and ")} the rows come to ${quoted(proving.label)} of ${formatCents(proving.cents)}, on page ${proving.page}, line ${proving.line}`,
  )
}

function isRowOf(tables: readonly PdfTable[]): (place: Place) => boolean {
  const keyOf = ({ page, line }: Place) => `${page} ${line}`
  const rows = new Set(
    tables.flatMap((table) => table.rows.filter(({ is }) => is === "row").map((row) => keyOf(row))),
  )
  return (place) => rows.has(keyOf(place))
}

/** The notes about amounts below an invoice's total that are in no row. */
function findLeft(
  name: string,
  { stated, amounts, account, hasBalance }: PdfInvoice,
  { sums, tables }: Reading,
  proving: StatedTotal,
): string[] {
  const isRow = isRowOf(tables)
  const others = amounts.filter((each) => !isRow(each))
  const { left = [], due } = findLeftOut({ stated, amounts: others }, proving, sums) ?? {}
  const odd = findOddOfThis(stated, sums, left.length > 0 ? due : undefined)
  const wrong = due && left.length === 0 && !hasBalance ? due : odd
  if (wrong)
    throw new FreightError(
      "input",
      `${name}, ${describeTotal(wrong)}, and the ${counted(countRows(tables), "row")} that freight reads come to ${quoted(proving.label)} of ${formatCents(proving.cents)}; nothing was audited`,
      ROWS_HINT,
    )
  const describe = (each: StatedTotal, where: string) =>
    `${name}, page ${each.page}, line ${each.line}: ${quoted(each.label)} of ${formatCents(each.cents)} ${where} and in no row, and is neither audited nor posted`
  return [
    ...(due
      ? left.map((each) => describe(each, `is in ${quoted(due.label)} of ${formatCents(due.cents)}`))
      : []),
    ...listBelowTitle(others, proving, sums)
      .filter((each) => !left.includes(each))
      .map((each) => describe(each, `is below ${quoted(each.title ?? "")}`)),
    // `Current` repeats the bill's total.
    ...describeAccount(account.filter((each) => !isRow(each) && each.cents !== proving.cents)).map(
      (text) => `${name}: ${text}`,
    ),
  ]
}

/** The amounts left out as belonging to the account, in one text; undefined if there are none. */
function describeAccount(account: readonly StatedTotal[]): string[] {
  if (account.length === 0) return []
  const some = account.map(
    ({ label, cents, page, line }) => `${quoted(label)} (${formatCents(cents)}, page ${page}, line ${line})`,
  )
  return [`left out, for their words are of the account, not of charges: ${listSome(some, MAX_NAMED)}`]
}

/** Enough to list an ageing box and earlier balances and payments in full. */
const MAX_NAMED = 8

/** The first columns of an invoice's tables that were read as one. */
async function findSeveralIn(
  invoice: PdfInvoice,
  isSeveral?: (words: readonly string[]) => boolean,
  isOf: (column: Heading, all: readonly Heading[]) => boolean = () => true,
): Promise<SeveralColumns | undefined> {
  for (const { columns, rows } of await invoice.readTables({ stopsAtTotal: true })) {
    const own = rows.filter(({ is }) => is === "row")
    const found = findSeveral(
      columns.flatMap((column, at) =>
        isOf(column, columns) ? [{ text: column.text, cells: own.map(({ cells }) => cells[at] ?? "") }] : [],
      ),
      isSeveral,
    )
    if (found) return found
  }
  return undefined
}

const countRows = (tables: readonly PdfTable[]) =>
  tables.reduce((count, each) => count + each.rows.filter(({ is }) => is === "row").length, 0)

function describeTotal({ label, cents, page, line }: StatedTotal): string {
  return `page ${page}, line ${line}: ${quoted(label)} is ${formatCents(cents)}`
}

async function chooseTables(
  invoice: PdfInvoice,
  { isNamedOnly, ...choices }: Variant,
): Promise<readonly PdfTable[]> {
  const tables = await invoice.readTables(choices)
  const named = tables.filter(({ columns }) => columns.some(holdsName))
  if (named.length === 0) return tables
  const [first] = named
  const isWithout = first?.columns.some(
    ({ meaning }) => "field" in meaning && meaning.field?.name === "amountExGst",
  )
  return isNamedOnly ? named : tables.map((each) => nameCharges(each, isWithout ? "exGst" : undefined))
}

/**
 * Names the charges of a table beside that of the consignments which has only amounts, such as `Period`, `Rate`,
 * `Levy`: its rows are charges named by the heading of the amount.
 * @param usual the basis of the consignments' amounts, used if the heading does not state one
 */
function nameCharges(table: PdfTable, usual: Basis | undefined): PdfTable {
  const { columns, rows } = table
  if (columns.some((each) => holdsName(each) || isOfCharges(each) || mayNameCharges(each))) return table
  const [amount, ...others] = columns.filter(holdsMoney)
  if (!amount || others.length > 0) return table
  const basis = findBasis(amount.text)?.basis ?? usual
  const whole = toHeading(amount, `Amount${basis ? (basis === "exGst" ? " ex GST" : " inc GST") : ""}`)
  return {
    ...table,
    columns: [
      toHeading(amount, "Charge description"),
      ...columns.map((each) => (each === amount ? whole : each)),
    ],
    rows: rows.map((row) => ({ ...row, cells: [row.is === "row" ? amount.text : "", ...row.cells] })),
  }
}

/**
 * Whether a number in a column should name a consignment but does not: no column of its table has names, or its heading
 * may also mean one, such as `CONSIGNMENT DATE`. Words of a charge may contain a number and a day.
 */
function mayLackName(column: Heading, all: readonly Heading[]): boolean {
  if (holdsName(column)) return false
  return !all.some(holdsName) || column.text.split(" ").some((word) => holdsName(toHeading(column, word)))
}

/** A heading that is not on the paper. */
const toHeading = (at: Heading, text: string): Heading => ({
  ...at,
  text,
  meaning: createMapping(COLUMNS, []).meaning(text),
})

type Place = Pick<CsvRecord, "page" | "line">

/** Tables read in one way, before they are added to a list. */
interface Reading {
  sums: ReadSums
  /** Without credits. */
  charged: ReadSums
  tables: readonly PdfTable[]
  rows: readonly ReadLine[]
  /** The sums of the rows above a position, and of those that name a consignment; of all rows if none are above. */
  sumsAbove(place: Place): readonly ReadSums[]
  /** Adds the bills to a list, and prints the notes. */
  keep(list: BillList): Promise<void>
}

async function tryTables(
  name: string,
  invoice: PdfInvoice,
  tables: readonly PdfTable[],
  options: PdfOptions,
): Promise<Reading> {
  const scratch = createBillList()
  const bills: { head: BillHead; draft: BillDraft }[] = []
  const lines: { draft: BillDraft; line: ReadLine }[] = []
  const told: { tell: () => Promise<void>; total?: Place | undefined }[] = []
  const recording: BillList = {
    ...scratch,
    open(head) {
      // The sums that a credit note states have no minus, as its rows.
      const draft = scratch.open({ ...head, creditNote: undefined })
      bills.push({ head, draft })
      return draft
    },
    add(draft, line) {
      lines.push({ draft, line })
      scratch.add(draft, line)
    },
  }
  const quiet = {
    tell: async (note: string) => void told.push({ tell: () => options.tell(note) }),
    warn: async (text: string, total?: Place) => void told.push({ tell: () => options.warn(text), total }),
  }
  await readTables(name, invoice, tables, { ...options, ...quiet }, recording)
  const read = scratch.close().bills.flatMap((each) => each.lines)
  const sums = sumLines(read, invoice.stated)
  const basisWords = findStatedBasis(read, invoice.stated)
  if (basisWords) for (const { draft } of bills) draft.basisWords ??= basisWords
  // The sum that proves the rows agrees with them, wherever it stands.
  const proving = invoice.stated.filter((each) => each.basis !== "gst" && isProvenBy(each, sums))
  const isProving = (total: Place) =>
    proving.some(({ page, line }) => page === total.page && line === total.line)
  const isCharged = ({ exGst, gst, incGst, unspecifiedGstCents }: Money) =>
    [exGst, gst, incGst, unspecifiedGstCents].every((cents) => (cents ?? 0) >= 0)
  const all = lines.map(({ line }) => line)
  return {
    sums,
    charged: sumLines(read.filter(isCharged), invoice.stated),
    tables,
    rows: all,
    sumsAbove: (place) => {
      const above = all.filter((each) => !isBelow(each, place))
      // A levy in a separate table is based on the rows of its subtotal.
      const some = above.length > 0 ? [above, above.filter(({ names }) => names.length > 0)] : [all]
      return some.map((each) => sumLines(each, invoice.stated))
    },
    async keep(list) {
      for (const { tell, total } of told) if (!total || !isProving(total)) await tell()
      const kept = new Map(
        bills.map(({ head, draft }) => {
          const { stated, basisWords, mixedSum } = draft
          return [draft, Object.assign(list.open(head), { stated, basisWords, mixedSum })]
        }),
      )
      for (const { draft, line } of lines) {
        const bill = kept.get(draft)
        if (bill) list.add(bill, line)
      }
    },
  }
}

async function readTables(
  name: string,
  invoice: PdfInvoice,
  tables: readonly PdfTable[],
  options: PdfOptions,
  list: BillList,
): Promise<void> {
  const sofar = createBillsOfFile()
  for (const table of tables)
    await readCsvBill(
      { name, sheet: undefined },
      toInput(invoice, table),
      { ...options, head: { isPdf: true } },
      list,
      sofar,
    )
}

/** A table of a PDF as a table of any file: facts, headings, rows. */
export function toInput(
  { facts }: Pick<PdfInvoice, "facts">,
  { columns, page, line, rows }: PdfTable,
): TableInput {
  const all = [...facts, { page, line, cells: columns.map(({ text }) => text) }, ...rows]
  const records = all.map(({ page: on, line: at, cells }, index): CsvRecord => {
    return { page: on, line: at, row: index + 1, cells: [...cells] }
  })
  return {
    headerRow: facts.length + 1,
    sheet: {
      async *records() {
        yield* records
      },
      merged: [],
      notes: [],
      isQuiet: true,
    },
  }
}

/** The rows of a PDF as freight reads them, including unreadable ones. Nothing is proved. */
export async function readPdfRows(
  name: string,
  chunks: AsyncIterable<Uint8Array>,
  options: OpenOptions,
): Promise<ShownRow[]> {
  return listRows(name, (await openPdf(name, chunks, { ...options, keepsRefused: true })).invoices)
}

async function listRows(name: string, invoices: readonly PdfInvoice[]): Promise<ShownRow[]> {
  const shown: ShownRow[] = []
  for (const invoice of invoices)
    for (const { columns, rows } of await invoice.readTables({ stopsAtTotal: false }))
      for (const { page, line, cells, refusal } of rows)
        shown.push({
          ...{ invoice: invoice.number, page, line },
          cells: columns.map(({ text }, at) => [text, cells[at] ?? ""] as const),
          ...(refusal && {
            refusal: { reason: refusal.reason, error: toRefusal(name, { page, line }, refusal) },
          }),
        })
  return shown
}

/** Adds the first rows, with numbered columns, to a question about columns. */
function showRows(error: UnclearColumns, rows: readonly ShownRow[]): UnclearColumns {
  const [first] = rows
  const headings = (first?.cells ?? []).map(([heading], at) => `${at + 1} ${heading}`)
  const shown = [headings, ...rows.slice(0, MAX_SHOWN).map(({ cells }) => cells.map(([, text]) => text))]
  const most = Math.max(NARROWEST, Math.floor(WIDTH / Math.max(1, headings.length)))
  const widths = headings.map((_, at) =>
    Math.min(most, Math.max(...shown.map((cells) => (cells[at] ?? "").length))),
  )
  error.shown = shown.map((cells) =>
    widths
      .map((width, at) => cut(cells[at] ?? "", width, "…").padEnd(width))
      .join("  ")
      .trimEnd(),
  )
  return error
}

/** Number of rows shown before the questions. */
const MAX_SHOWN = 5
/** Width of a column, and of all, in characters. */
const NARROWEST = 6
const WIDTH = 76
