/** Workbooks and archives as sources of rows: which sheet, which rows, and what cannot be read. */
import { Buffer } from "node:buffer"
import { counted, listSome } from "../../../base/counted.ts"
import { quoted } from "../../../base/parsed.ts"
import { suggest } from "../../../base/suggest.ts"
import { FreightError } from "../../../base/errors.ts"
import { readWhole } from "../../../output/index.ts"
import type { CsvRecord } from "../csv.ts"
import { shownRows } from "../findings.ts"
import { isPacked, type TextSource } from "../source.ts"
import type { HiddenChoice, SheetChoices } from "../choices.ts"
import { type Archive, openArchive } from "./archive.ts"
import { readSheetRows, type SheetFacts, type SheetRow } from "./rows.ts"
import { findDocumentPart, readWorkbook, type SheetName, type Workbook } from "./workbook.ts"

/** @param chunks of a zip archive, or of the container of an old workbook */
export async function openPacked(
  name: string,
  chunks: AsyncIterable<Uint8Array>,
  choices: SheetChoices,
): Promise<TextSource[]> {
  const bytes = await readWhole(name, chunks)
  refuseContainer(name, bytes)
  const archive = await openArchive(name, bytes)
  const part = await findDocumentPart(archive)
  if (part !== undefined) return openWorkbook(name, archive, part, choices)
  await refuseOpenDocument(name, archive)
  const file = findOnlyFile(name, archive)
  const content = { name, chunks: () => archive.read(file) }
  const inner = await readStart(content)
  if (!isPacked(inner)) return [content]
  const packed = await readWhole(name, content.chunks())
  refuseContainer(name, packed)
  const innerArchive = await openArchive(name, packed)
  const innerPart = await findDocumentPart(innerArchive)
  if (innerPart === undefined)
    throw new FreightError("input", `${name}: ${file} in it is an archive again`, {
      hint: "Unpack it, and name the file with the rows.",
    })
  return openWorkbook(name, innerArchive, innerPart, choices)
}

async function readStart({ chunks }: TextSource): Promise<Uint8Array> {
  for await (const chunk of chunks()) return chunk
  return new Uint8Array()
}

const CONTAINER = "d0cf11e0"
/** The name of the stream that an encrypted workbook is in. */
const ENCRYPTED = Buffer.from("EncryptedPackage", "utf16le")

function refuseContainer(name: string, bytes: Uint8Array): void {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (buffer.subarray(0, 4).toString("hex") !== CONTAINER) return
  if (buffer.includes(ENCRYPTED))
    throw new FreightError("input", `${name} is protected with a password`, {
      hint: "Open it, save it without the password, and run the same command again.",
    })
  throw new FreightError("input", `${name} is an old workbook (.xls) or document`, {
    hint: "Open it, and save it as an Excel workbook (.xlsx).",
  })
}

async function refuseOpenDocument(name: string, archive: Archive): Promise<void> {
  if (!archive.has("mimetype")) return
  const type = await archive.readText("mimetype", 1000)
  if (!type.includes("opendocument")) return
  const what = type.includes("spreadsheet") ? "a spreadsheet (.ods)" : "a document"
  throw new FreightError("input", `${name} is ${what} of LibreOffice or OpenOffice`, {
    hint: type.includes("spreadsheet")
      ? "Open it, and save it as an Excel workbook (.xlsx)."
      : "Name a file with rows: CSV or an Excel workbook (.xlsx).",
  })
}

const READABLE = /\.(csv|tsv|txt|xlsx|xlsm)$/i
/** Files that archivers add. */
const ADDED = /(^|\/)(__MACOSX\/|\.|Thumbs\.db$|desktop\.ini$)|\/$/i
const MAX_NAMED = 5

function findOnlyFile(name: string, { names }: Archive): string {
  const files = names.filter((file) => READABLE.test(file) && !ADDED.test(file))
  const [file, ...others] = files
  if (file === undefined)
    throw new FreightError("input", `${name} is a zip archive without a CSV file or workbook (.xlsx) in it`, {
      hint: "Unpack it, and name the file with the rows.",
    })
  if (others.length === 0) return file
  const shown = listSome(
    files.map((each) => quoted(each)),
    MAX_NAMED,
  )
  throw new FreightError(
    "input",
    `${name} is a zip archive with ${counted(files.length, "file")} in it that could be meant: ${shown}`,
    { hint: "Unpack it, and name one of them." },
  )
}

async function openWorkbook(
  name: string,
  archive: Archive,
  part: string,
  choices: SheetChoices,
): Promise<TextSource[]> {
  if (part.endsWith(".bin"))
    throw new FreightError("input", `${name} is a binary workbook (.xlsb)`, {
      hint: "Open it, and save it as an Excel workbook (.xlsx).",
    })
  const workbook = await readWorkbook(name, archive, part)
  if (workbook.sheets.length === 0)
    throw new FreightError("input", `${name} is a document without sheets`, {
      hint: "Name a file with rows: CSV or an Excel workbook (.xlsx).",
    })
  // Nobody is asked about rows of a sheet that they have not chosen.
  const seen = { ...choices, hidden: "skip" as const }
  const toSource = async (sheet: SheetName) => ({
    ...(await openSheetOf(name, archive, workbook, sheet, seen)),
    sheetName: sheet.name,
  })
  const shown = workbook.sheets.filter(({ isHidden }) => !isHidden)
  const isOpen = choices.sheets === undefined && shown.length > 1
  const found = isOpen ? await choices.choose?.(await Promise.all(shown.map(toSource))) : undefined
  const sheets = await chooseSheets(name, workbook, found ? { ...choices, sheets: found } : choices)
  const opened: TextSource[] = []
  for (const sheet of sheets) {
    const source = await openSheetOf(name, archive, workbook, sheet, choices)
    const isOneOf = shown.length > 1 && { amongSheets: sheet.name }
    opened.push({ ...source, ...(sheets.length > 1 && { sheetName: sheet.name }), ...isOneOf })
  }
  if (choices.noteOthers) {
    const others = workbook.sheets.filter((sheet) => !sheet.isHidden && !sheets.includes(sheet))
    choices.noteOthers(await Promise.all(others.map(toSource)))
  }
  return opened
}

async function openSheetOf(
  name: string,
  archive: Archive,
  workbook: Workbook,
  sheet: SheetName,
  choices: SheetChoices,
): Promise<TextSource> {
  const facts: SheetFacts = { merged: [], isStruckByRule: false }
  const left: RowsLeftOut = { hidden: [], all: [], some: [] }
  let columns = 0
  for await (const row of readSheetRows(name, workbook, sheet.part, facts, choices.signal)) {
    if (row.cells.length === 0) continue
    columns = Math.max(columns, row.cells.length)
    if (row.isHidden) left.hidden.push(row.row)
    else if (row.struck) left[row.struck].push(row.row)
  }
  const many = left.hidden.length + left.all.length + left.some.length
  const skips = many > 0 && (await chooseHidden(name, sheet, left, choices)) === "skip"
  async function* records(): AsyncGenerator<CsvRecord> {
    for await (const row of readSheetRows(name, workbook, sheet.part, undefined, choices.signal))
      if (row.cells.length > 0 && !(skips && (row.isHidden || row.struck))) yield toRecord(row, columns)
  }
  const notes = [
    ...(skips ? [`${name}: ${describeHidden(left)}, and ${many === 1 ? "is" : "are"} not read`] : []),
    ...(facts.isStruckByRule
      ? [
          `${name}, sheet ${quoted(sheet.name)}: its conditional formatting strikes cells through; freight cannot see which, and reads all of them`,
        ]
      : []),
  ]
  return {
    name,
    chunks: async function* () {
      yield* archive.read(sheet.part)
    },
    sheet: { records, merged: facts.merged, notes },
  }
}

/** With as many cells as the widest row, which is how spreadsheets save CSV. */
function toRecord({ row, cells, unreadable, exact }: SheetRow, columns: number): CsvRecord {
  while (cells.length < columns) cells.push("")
  return {
    ...{ line: row, row, cells },
    ...(unreadable.length > 0 && { unreadable }),
    ...(exact.length > 0 && { exact }),
  }
}

async function chooseSheets(
  name: string,
  { sheets }: Workbook,
  { sheets: wanted = [], person, mayBeSeveral = false }: SheetChoices,
): Promise<SheetName[]> {
  const shown = sheets.filter(({ isHidden }) => !isHidden)
  const names = (shown.length > 0 ? shown : sheets).map((each) => each.name)
  const find = (text: string) =>
    sheets.find((each) => each.name === text) ??
    sheets.find((each) => each.name.trim().toLowerCase() === text.trim().toLowerCase())
  const listed = names.map((each) => quoted(each)).join(", ")
  const named = wanted.map((text) => {
    const found = find(text)
    if (found) return found
    const near = suggest(text, names)
    throw new FreightError("usage", `${name} has no sheet ${quoted(text)}; it has ${listed}`, {
      hint: near === undefined ? "Name one of them with --sheet." : `Did you mean --sheet ${quoted(near)}?`,
    })
  })
  if (named.length > 0) return [...new Set(named)]
  const [only = "", ...others] = names
  const question = `Which sheet of ${name}?`
  const chosen = others.length === 0 ? only : await person?.chooseSheet(question, names)
  const found = chosen === undefined ? undefined : find(chosen)
  if (found) return [found]
  throw new FreightError("usage", `${name} has ${counted(names.length, "sheet")}: ${listed}`, {
    hint: mayBeSeveral
      ? `Say which hold the rows, such as --sheet ${quoted(only)}; once for each sheet of the bill.`
      : `Say which one holds the rows: --sheet ${quoted(only)}`,
  })
}

/** Rows that a filter leaves out are hidden like any other. */
function describeHidden({ hidden, all, some }: RowsLeftOut): string {
  const are = (rows: readonly number[], what: string) => {
    if (rows.length === 0) return []
    return rows.length === 1 ? [`row ${rows[0]} is ${what}`] : [`rows ${shownRows(rows)} are ${what}`]
  }
  return [
    ...are(hidden, "hidden or filtered out"),
    ...are(all, "struck through"),
    ...are(some, "struck through in part"),
  ].join(", ")
}

/** Rows that the sheet marks, in one way or another, as possibly not counting. */
interface RowsLeftOut {
  hidden: number[]
  /** Struck through, most of their cells or some. */
  all: number[]
  some: number[]
}

async function chooseHidden(
  name: string,
  sheet: SheetName,
  rows: RowsLeftOut,
  { hidden, person }: SheetChoices,
): Promise<HiddenChoice> {
  if (hidden) return hidden
  const what = `${name}, sheet ${quoted(sheet.name)}: ${describeHidden(rows)}`
  if (person) return person.chooseHidden(what)
  throw new FreightError("usage", `${what}; nothing was done`, {
    hint: "Say whether they count: --hidden include takes them like the others, --hidden skip leaves them out.",
  })
}
