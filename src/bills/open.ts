/** Reads bills in any format: INV documents (one, a list or lines of them), CSV or a workbook. */
import { Buffer } from "node:buffer"
import { FreightError } from "../base/errors.ts"
import { quoted } from "../base/parsed.ts"
import {
  createTableQuestions,
  decodeJsonBytes,
  decodeText,
  isPdf,
  openSheets,
  readJson,
  type SheetChoices,
  type TextSource,
} from "../input/index.ts"
import {
  cutIntoPieces,
  type ExamineOptions,
  findDocuments,
  findShapeSoFar,
  type Input,
  type InputKind,
} from "../invoice/index.ts"
import { findSource } from "./source.ts"
import { fileError } from "../output/index.ts"
import { type BillList, type BillsRead, createBillList } from "./reading/list.ts"
import { type CsvOptions, readCsvBill, refuseUnmet } from "./reading/csv.ts"
import {
  type BillsOfFile,
  createBillsOfFile,
  refuseContradictions,
  stateBasis,
  stateGst,
} from "./reading/of-file.ts"
import { hasAmounts, isSummaryOf, readSummaries } from "./reading/summary.ts"
import { readInvoice } from "./reading/invoice.ts"
import type { PdfOptions } from "./reading/pdf/open.ts"

export interface ReadOptions
  extends CsvOptions,
    Pick<PdfOptions, "total" | "askTotal" | "today" | "noteBands" | "readPages" | "showPage"> {
  stage: ExamineOptions["stage"]
  input: InputKind | undefined
  choices: SheetChoices
  stdin(signal: AbortSignal): AsyncIterable<Uint8Array>
}

/** Reads the bills of all inputs. The result is immutable. */
export async function openBills(inputs: Iterable<Input>, options: ReadOptions): Promise<BillsRead> {
  const list = createBillList()
  const all = [...inputs]
  const isOne = all.length === 1 && (options.choices.sheets ?? []).length <= 1
  const met = isOne ? undefined : new Set<string>()
  const questions = createTableQuestions()
  for (const input of all) {
    options.signal.throwIfAborted()
    await questions.read({ ...options, ...(met && { met }) }, (reading) => readBills(input, reading, list))
  }
  questions.ask()
  if (met) refuseUnmet(options.map, met)
  return list.close(options.total)
}

async function readBills(
  { file, unreadable, isEmpty }: Input,
  options: ReadOptions,
  list: BillList,
): Promise<void> {
  if (unreadable !== undefined) throw new FreightError("input", `cannot read ${file}: ${unreadable}`)
  if (isEmpty)
    throw new FreightError(
      "input",
      `${file} has no bill in it: no .json, .ndjson, .jsonl, .csv or .xlsx file`,
    )
  const { signal } = options
  const { name, chunks } = findSource(file, options)
  const bytes = chunks()[Symbol.asyncIterator]()
  const start: Uint8Array[] = []
  let first: number | undefined
  while (first === undefined) {
    const { value, done } = await bytes.next().catch((error: unknown) => {
      if (signal.aborted) throw signal.reason
      throw error instanceof FreightError ? error : fileError("read", name, error)
    })
    if (done) throw new FreightError("input", `${name} is empty`)
    start.push(value)
    first = firstCharacter(Buffer.concat(start))
  }
  async function* all() {
    yield Buffer.concat(start)
    yield* { [Symbol.asyncIterator]: () => bytes }
  }
  if (first === OPENING_BRACE || first === OPENING_BRACKET || options.input !== undefined)
    await readDocuments(name, all(), options, list)
  else if (isPdf(Buffer.concat(start))) {
    const { readPdfBills, refuseSheetFlags } = await import("./reading/pdf/open.ts")
    refuseSheetFlags(name, options.choices)
    await readPdfBills(name, all(), options, list)
  } else {
    let others: readonly TextSource[] = []
    const noteOthers = (some: readonly TextSource[]) => {
      others = some
    }
    const choose = (shown: readonly TextSource[]) => chooseSheets(name, shown, options)
    const sources = await openSheets(
      { name, chunks: all },
      { ...options.choices, signal, noteOthers, choose },
    )
    const sofar = createBillsOfFile(await readSummaries(others))
    await readSheets(name, sources, options, list, sofar)
    refuseContradictions(name, sofar, options.total)
    stateGst(sofar)
    stateBasis(sofar)
  }
}

async function readSheets(
  name: string,
  sources: readonly TextSource[],
  options: ReadOptions,
  list: BillList,
  sofar: BillsOfFile,
): Promise<void> {
  const questions = createTableQuestions()
  for (const source of sources) {
    const { sheet, sheetName, headerRow } = source
    await questions.read(options, (reading) => {
      const table = sheet ? { sheet } : { text: decodeText(source, reading.tell) }
      return readCsvBill({ name, sheet: sheetName }, { ...table, headerRow }, reading, list, sofar)
    })
  }
  questions.ask()
}

/**
 * Chooses the sheets of a bill by their content: the only one with consignments, or all such sheets if another sheet
 * states their total. If any other sheet has amounts that are not proven to belong to those, none is chosen.
 */
async function chooseSheets(
  name: string,
  shown: readonly TextSource[],
  options: ReadOptions,
): Promise<readonly string[] | undefined> {
  const kinds = await Promise.all(
    shown.map(async (source) => ({ source, summaries: await readSummaries([source]) })),
  )
  const sources = kinds.flatMap(({ source, summaries }) => (summaries ? [] : [source]))
  const names = sources.map(({ sheetName = "" }) => sheetName)
  const others = kinds.flatMap(({ summaries }) => summaries ?? [])
  const charging = others.filter(hasAmounts)
  if (names.length > 1 || charging.length > 0) {
    const sofar = createBillsOfFile(others)
    const quiet = async () => undefined
    const { notePlaces: _, ...reading } = options
    try {
      const seen = { ...reading, tell: quiet, warn: quiet, met: new Set<string>() }
      await readSheets(name, sources, seen, createBillList(), sofar)
    } catch (error) {
      if (error instanceof FreightError) return undefined
      throw error
    }
    const areOfThem = charging.every((each) => isSummaryOf(each, sofar.sums))
    if (charging.length === 0 || !areOfThem) return undefined
  }
  if (names.length === 0 || names.length === shown.length) return undefined
  const list = (all: readonly string[]) => all.map((each) => quoted(each)).join(", ")
  const [are, have] = [names.length === 1 ? "is" : "are", others.length === 1 ? "has" : "have"]
  await options.tell(
    `${name}: ${list(names)} ${are} read as the bill; ${list(others.map(({ sheet }) => sheet))} ${have} no consignments (--sheet chooses others)`,
  )
  return names
}

const OPENING_BRACE = 0x7b
const OPENING_BRACKET = 0x5b

/** Bytes skipped at the start: byte order marks, null bytes of two-byte characters, and blanks. */
const PASSED_OVER = [0xef, 0xbb, 0xbf, 0xff, 0xfe, 0, 32, 9, 10, 13]

function firstCharacter(bytes: Buffer): number | undefined {
  return bytes.find((byte) => !PASSED_OVER.includes(byte))
}

async function readDocuments(
  file: string,
  chunks: AsyncIterable<Uint8Array>,
  { stage, input, signal }: ReadOptions,
  list: BillList,
): Promise<void> {
  let index = 0
  const findShape = (bytes: Buffer) => findShapeSoFar(file, bytes, input)
  for await (const { bytes, whole } of cutIntoPieces(chunks, { findShape })) {
    signal.throwIfAborted()
    for (const { document, several } of documentsIn(file, bytes, whole)) {
      if (document.syntaxError) {
        const { line, column, message } = document.syntaxError
        throw new FreightError(
          "input",
          `${file}, ${several ? `document ${index + 1}, ` : ""}line ${line}, column ${column}: ${message}`,
          { next: `freight invoice validate ${file}` },
        )
      }
      readInvoice(document, { file, ...(several && { index }) }, stage, list)
      index++
    }
  }
  if (index === 0) throw new FreightError("input", `${file} has no bill in it`)
}

function* documentsIn(file: string, bytes: Buffer, whole: boolean) {
  if (whole) {
    const documents = findDocuments(file, bytes)
    if ("error" in documents) throw new FreightError("input", `${file}: ${documents.error.message}`)
    for (let at = 0; at < documents.count; at++)
      yield { document: documents.read(at), several: documents.several }
    return
  }
  const decoded = decodeJsonBytes(bytes)
  if ("error" in decoded) throw new FreightError("input", `${file}: ${decoded.error.message}`)
  for (const line of decoded.text.split("\n"))
    if (line.trim() !== "") yield { document: readJson(line), several: true }
}
