/**
 * Bills in a PDF. Rows are read by their places, so each invoice proves itself: its rows must come to the sum that it states.
 * What does not is refused, and nothing of the file is judged.
 */
import { Buffer } from "node:buffer"
import { counted } from "../../../base/counted.ts"
import { FreightError } from "../../../base/errors.ts"
import { formatCents } from "../../../base/money.ts"
import { quoted } from "../../../base/parsed.ts"
import { createStep } from "../../../base/turns.ts"
import { type Line, overlaps, type Phrase } from "../../../input/pdf/lines.ts"
import type { ReadPages } from "../../../input/pdf/messages.ts"
import { readLines } from "../../../input/pdf/text.ts"
import { createMapping } from "../../../input/columns/mapping.ts"
import { UnclearColumns } from "../../../input/columns/questions.ts"
import type { SheetChoices } from "../../../input/sheets/choices.ts"
import type { CsvRecord } from "../../../input/sheets/csv.ts"
import type { TableInput } from "../../../input/sheets/table.ts"
import type { ReadLine } from "../../bill.ts"
import { type BillDraft, type BillHead, type BillList, createBillList } from "../list.ts"
import { cut } from "../../../output/terminal/width.ts"
import { findSupplier, isAbnLabel, isCustomerLabel } from "../../supplier.ts"
import { BILL_COLUMNS } from "../columns.ts"
import {
  createBillsOfFile,
  COLUMNS,
  type CsvOptions,
  readCsvBill,
  refuseUnmet,
  type SupplierMap,
} from "../csv.ts"
import type { Band } from "../../../machine/config/maps.ts"
import { fitsBands } from "./bands.ts"
import { type HeadingReader, holdsName, MONEY, type PdfTable, rememberMeanings } from "./headings.ts"
import { listFactCells, type PdfInvoice, splitInvoices } from "./invoices.ts"
import { findLayout, isOfBareColumn, type Layout } from "./layout.ts"
import {
  chooseProof,
  chooseTotals,
  describeSums,
  findContradiction,
  findLargest,
  findLeftOut,
  isExactly,
  isGstPlausible,
  isProvenBy,
  type ReadSums,
  type StatedTotal,
  sumLines,
} from "./stated.ts"
import type { TableChoices } from "./tables.ts"

export interface PdfOptions extends CsvOptions {
  /** `--total`, in cents: what an invoice that states no sum comes to. */
  total?: number | undefined
  /** Asks a person for it; undefined where nobody can be asked. */
  askTotal?: ((question: string) => Promise<number>) | undefined
  /** What of `map` was not saved before; all of it where this is left out. */
  today?: readonly string[]
  /** Is told where the columns stand; undefined where that cannot be told. */
  noteBands?(bands: readonly Band[] | undefined): void
  /** How its pages are read: by a process of its own where this is left out. */
  readPages?: ReadPages | undefined
}

interface Variant extends TableChoices {
  /** Whether tables without a column that names consignments are left out, such as a summary. */
  isNamedOnly: boolean
}

/**
 * How an invoice may be read, the likeliest first. The first that its own sum proves counts. What stands below the sum of
 * all, and names nothing, is no charge where the bill is proven without it: it may be GST by another name.
 */
const VARIANTS: readonly Variant[] = [
  { isNamedOnly: true, stopsAtTotal: true },
  { isNamedOnly: true, stopsAtTotal: false },
  { isNamedOnly: false, stopsAtTotal: true },
  { isNamedOnly: false, stopsAtTotal: false },
  { isNamedOnly: true, stopsAtTotal: true, addsExGst: true },
]

/** A row of a PDF as it was read, for people. */
export interface ShownRow {
  invoice: string
  page: number
  line: number
  /** By the headings of its table. */
  cells: readonly (readonly [heading: string, text: string])[]
}

type OpenOptions = Pick<PdfOptions, "signal" | "map" | "today" | "nowMs" | "findMap" | "readPages">

interface Opened {
  lines: readonly Line[]
  invoices: PdfInvoice[]
  /** The saved map of the supplier, without what does not hold for this layout. */
  found: SupplierMap | undefined
  /** Where no headings are known: what a person has to say of those that there are. */
  layout: Layout | undefined
}

/**
 * The invoices of a PDF, with tables; those of a layout that freight does not know where it knows none.
 * @throws FreightError `input` where it cannot be read, or has no table
 */
async function openPdf(
  name: string,
  chunks: AsyncIterable<Uint8Array>,
  { signal, map, today = map, nowMs, findMap, readPages }: OpenOptions,
): Promise<Opened> {
  const lines = await readPdfLines(name, chunks, { signal, readPages })
  const saved = await findMap?.(findSupplier(toCells(lines)), name)
  const step = createStep(signal)
  const createReader = (kept: readonly string[]) =>
    rememberMeanings(createMapping(COLUMNS, [...kept, ...today]))
  const split = async (reader: HeadingReader) => {
    const invoices = await splitInvoices(name, lines, { reader, nowMs, step })
    const hasTable = invoices.some((each) => each.readTables({ stopsAtTotal: false }).length > 0)
    return hasTable ? invoices : undefined
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
  const layout = findLayout(lines, reader, createReader([]), bands !== undefined)
  const unknown = layout && (await split(rememberMeanings(layout.reader)))
  if (layout && unknown) return { lines, invoices: unknown, found, layout }
  throw new FreightError("input", `${name}: freight finds no table of charges in this PDF`, {
    hint: "It looks for a line of headings with a number and an amount, and rows below them. --map COLUMN=FIELD says what a heading means; or ask the carrier for a spreadsheet.",
  })
}

/** Whether one of the bands is called as `--map` has it. */
const names = (bands: readonly Band[], map: string) =>
  bands.some(({ heading }) => map.trim().toLowerCase().startsWith(`${heading.toLowerCase()}=`))

/** Texts side by side, as a sheet has them; the facts of an invoice stand in its first lines. */
function toCells(lines: readonly Line[]): { cells: string[] }[] {
  const first = withoutCustomer(lines.slice(0, FIRST_LINES))
  return first.flatMap((line, at) => listFactCells(line, first[at + 1]).map((cells) => ({ cells })))
}

const FIRST_LINES = 40

/** Lines without what stands beside and below a label such as `Bill to:`, up to a gap. */
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
      // What stands in other columns may be on lines of its own.
      if (!next) continue
      ofCustomer.add(next)
      // One block has one ABN.
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

/** Of the height of letters: how far apart the lines of an address stand. */
const BLOCK_LEADING = 2

/** @throws FreightError `usage` for flags that say where in a spreadsheet to look */
export function refuseSheetFlags(name: string, { sheets = [], headerRow }: SheetChoices): void {
  const flag = headerRow !== undefined ? "--header-row" : sheets.length > 0 ? "--sheet" : undefined
  if (flag !== undefined)
    throw new FreightError("usage", `${flag} is for spreadsheets, and ${name} is a PDF`, {
      hint: `Leave ${flag} out: the headings of a PDF are found by their words, and --map COLUMN=FIELD says what they mean.`,
    })
}

/** The lines of all pages, as a bill is read. @throws FreightError `input` where it cannot be read, or has no text */
export async function readPdfLines(
  name: string,
  chunks: AsyncIterable<Uint8Array>,
  { signal, readPages }: Pick<PdfOptions, "signal" | "readPages">,
): Promise<Line[]> {
  const pieces: Uint8Array[] = []
  for await (const piece of chunks) pieces.push(piece)
  const lines = await readLines(name, Buffer.concat(pieces), signal, readPages)
  return lines.map(withoutSigns)
}

/** A line of amounts without what stands apart from them, and is only the sign of their currency. */
function withoutSigns(line: Line): Line {
  if (!line.phrases.some(({ text }) => MONEY.test(text))) return line
  return { ...line, phrases: line.phrases.filter(({ text }) => !/^(?:A?\$|AUD)$/i.test(text)) }
}

/**
 * Adds the bills of a PDF to the list.
 * @throws FreightError `input` for what cannot be read, or is not proven by its own sum; `UnclearColumns` where a person has
 * to say what columns are
 */
export async function readPdfBills(
  name: string,
  chunks: AsyncIterable<Uint8Array>,
  options: PdfOptions,
  list: BillList,
): Promise<void> {
  const { lines, invoices, found, layout } = await openPdf(name, chunks, options)
  if (layout && layout.questions.length > 0) {
    const unclear = new UnclearColumns(
      name,
      layout.questions,
      undefined,
      BILL_COLUMNS.help.next,
      COLUMNS.fields,
    )
    throw showRows(unclear, listRows(invoices))
  }
  const { today = options.map } = options
  const once = { ...options, map: today, met: options.met ?? new Set<string>(), findMap: async () => found }
  const withRows = invoices.filter((each) => each.readTables({ stopsAtTotal: false }).length > 0)
  for (const each of invoices) if (!withRows.includes(each)) refuseLost(name, each)
  for (const each of withRows) {
    if (withRows.length > 1 && each.number === "")
      throw new FreightError(
        "input",
        `${name}: the invoice on page ${each.page} has no number that freight finds, and this PDF has several; nothing was judged`,
        { hint: "Print each invoice as a PDF of its own." },
      )
    const proven = await proveInvoice(name, each, once, withRows.length)
    await proven.keep(list)
  }
  if (!options.met) refuseUnmet(today, once.met)
  if (!options.noteBands) return
  const bands = withRows[0]?.measureBands()
  const { meaning } = createMapping(COLUMNS, [...(found?.map ?? []), ...today])
  // What does not even fit this file would fit no other.
  options.noteBands(bands && fitsBands(lines, { meaning, bands }) ? bands : undefined)
}

/** @throws FreightError `input` where an invoice states a sum, and has no rows that freight finds */
function refuseLost(name: string, { page, number, stated, hasBalance }: PdfInvoice): void {
  const total = findLargest(chooseTotals(stated, hasBalance))
  if (!total) return
  throw new FreightError(
    "input",
    `${name}, ${describeTotal(total)}, and freight finds no rows of this invoice (${number || `page ${page}`}); nothing was judged`,
    ROWS_HINT,
  )
}

const ROWS_HINT = {
  hint: "freight audit FILE --show-rows prints the rows as freight reads them. Or ask the carrier for a spreadsheet.",
}

/** The reading that the invoice's own sum proves. @throws FreightError `input` where none are */
async function proveInvoice(
  name: string,
  invoice: PdfInvoice,
  options: PdfOptions,
  invoices: number,
): Promise<Reading> {
  const { stated, hasBalance } = invoice
  const gst = stated.filter(({ basis }) => basis === "gst").map(({ cents }) => cents)
  let failed: unknown
  let near: { reading: Reading; largest: StatedTotal } | undefined
  let read: { reading: Reading; contradiction: StatedTotal | undefined } | undefined
  for (const variant of VARIANTS) {
    const tables = chooseTables(invoice, variant)
    if (tables.length === 0) continue
    try {
      const reading = await tryTables(name, invoice, tables, options, gst)
      const { sums } = reading
      const proof = chooseProof(stated, hasBalance, sums)
      const largest = findLargest(proof.totals)
      const contradiction = findContradiction(proof.totals, proof.stated, sums)
      const isProven = largest && !contradiction && (gst.length > 0 || isGstPlausible(sums))
      if (isProven && isExactly(largest, sums)) {
        await warnOfLeftOut(name, invoice, reading, largest, options)
        return reading
      }
      if (isProven) near ??= { reading, largest }
      read ??= { reading, contradiction: contradiction ?? largest }
    } catch (error) {
      if (error instanceof UnclearColumns) throw showRows(error, listRows([invoice]))
      if (!(error instanceof FreightError)) throw error
      failed ??= error
    }
  }
  if (near) {
    const { reading, largest } = near
    const all = describeSums(reading.sums, largest)
    await options.warn(
      `${name}, ${describeTotal(largest)}, and the ${counted(countRows(reading.tables), "row")} that freight reads come to ${all}: so much may be rounding, or a cent of a row was read wrongly`,
    )
    await warnOfLeftOut(name, invoice, reading, largest, options)
    return reading
  }
  if (!read) throw failed
  const { reading, contradiction } = read
  const { sums, tables } = reading
  const rows = countRows(tables)
  if (contradiction)
    throw new FreightError(
      "input",
      `${name}, ${describeTotal(contradiction)}, and the ${counted(rows, "row")} that freight reads come to ${describeSums(sums, contradiction)}; nothing was judged`,
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
    `${name}: the ${counted(rows, "row")} that freight reads come to ${describeSums(sums)}, not to ${formatCents(total)}; nothing was judged`,
    ROWS_HINT,
  )
}

/** Warns of an amount that is due and in no row. */
async function warnOfLeftOut(
  name: string,
  { stated, amounts }: PdfInvoice,
  { sums, tables }: Reading,
  proving: StatedTotal,
  { warn }: PdfOptions,
): Promise<void> {
  const isRow = ({ page, line }: StatedTotal) =>
    tables.some(({ rows }) => rows.some((row) => row.is === "row" && row.page === page && row.line === line))
  const others = amounts.filter((each) => !isRow(each))
  const { left, due } = findLeftOut({ stated, amounts: others }, proving, sums) ?? {}
  if (left && due)
    await warn(
      `${name}, page ${left.page}, line ${left.line}: ${quoted(left.label)} of ${formatCents(left.cents)} is in ${quoted(due.label)} of ${formatCents(due.cents)} and in no row: it is neither judged nor posted`,
    )
}

const countRows = (tables: readonly PdfTable[]) =>
  tables.reduce((count, each) => count + each.rows.filter(({ is }) => is === "row").length, 0)

function describeTotal({ label, cents, page, line }: StatedTotal): string {
  return `page ${page}, line ${line}: ${quoted(label)} is ${formatCents(cents)}`
}

function chooseTables(invoice: PdfInvoice, { isNamedOnly, ...choices }: Variant): PdfTable[] {
  const tables = invoice.readTables(choices)
  const named = tables.filter(({ columns }) => columns.some(holdsName))
  return isNamedOnly && named.length > 0 ? named : tables
}

type Place = Pick<CsvRecord, "page" | "line">

/** Tables that were read into no list yet. */
interface Reading {
  sums: ReadSums
  tables: readonly PdfTable[]
  /** Adds the bills to a list, and tells what was to be told of them. */
  keep(list: BillList): Promise<void>
}

async function tryTables(
  name: string,
  invoice: PdfInvoice,
  tables: readonly PdfTable[],
  options: PdfOptions,
  gst: readonly number[],
): Promise<Reading> {
  const scratch = createBillList()
  const bills: { head: BillHead; draft: BillDraft }[] = []
  const lines: { draft: BillDraft; line: ReadLine }[] = []
  const told: { tell: () => Promise<void>; total?: Place | undefined }[] = []
  const recording: BillList = {
    ...scratch,
    open(head) {
      const draft = scratch.open(head)
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
  const sums = sumLines(read, gst)
  // What proves the rows does not differ from them, wherever it stands.
  const proving = invoice.stated.filter((each) => each.basis !== "gst" && isProvenBy(each, sums))
  const isProving = (total: Place) =>
    proving.some(({ page, line }) => page === total.page && line === total.line)
  return {
    sums,
    tables,
    async keep(list) {
      for (const { tell, total } of told) if (!total || !isProving(total)) await tell()
      const kept = new Map(
        bills.map(({ head, draft: { stated }, draft }) => [
          draft,
          Object.assign(list.open(head), stated && { stated }),
        ]),
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

/** A table of a PDF as any other: facts, headings, rows. */
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

/** The rows of a PDF as freight reads them. @throws FreightError `input` as `readPdfBills`, but proves nothing */
export async function readPdfRows(
  name: string,
  chunks: AsyncIterable<Uint8Array>,
  options: OpenOptions,
): Promise<ShownRow[]> {
  return listRows((await openPdf(name, chunks, options)).invoices)
}

function listRows(invoices: readonly PdfInvoice[]): ShownRow[] {
  return invoices.flatMap((invoice) =>
    invoice.readTables({ stopsAtTotal: false }).flatMap(({ columns, rows }) =>
      rows.map(({ page, line, cells }) => ({
        invoice: invoice.number,
        page,
        line,
        cells: columns.map(({ text }, at) => [text, cells[at] ?? ""] as const),
      })),
    ),
  )
}

/** Gives a question about columns the first rows, with their columns numbered. */
function showRows(error: UnclearColumns, rows: readonly ShownRow[]): UnclearColumns {
  const [first] = rows
  const headings = (first?.cells ?? []).map(([heading], at) => `${at + 1} ${heading}`)
  const shown = [headings, ...rows.slice(0, MOST_SHOWN).map(({ cells }) => cells.map(([, text]) => text))]
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

/** Rows that a person sees before the questions. */
const MOST_SHOWN = 5
/** Letters of a column, and of all. */
const NARROWEST = 6
const WIDTH = 76
