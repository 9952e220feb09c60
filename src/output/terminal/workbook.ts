/** Writes a table as a workbook (.xlsx), row by row: a bold heading that stays in sight, and values by their types. */
import { Buffer } from "node:buffer"
import { Readable } from "node:stream"
import { escapeMarkup, safeText } from "../../base/safe-text.ts"
import { MAX_CELL_LENGTH } from "../../base/limits.ts"

export interface SheetColumn {
  heading: string
  /** Its numbers are amounts. */
  isMoney?: boolean | undefined
  /** Values are text, also those that look like a day. */
  isText?: boolean | undefined
}

/** The styles of cells, by their places in `STYLES`. */
const STYLE = { heading: 1, money: 2, day: 3, moment: 4, text: 5 } as const

const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
const PACKAGE = "http://schemas.openxmlformats.org/package/2006"
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

const xf = (format: number, font = 0) =>
  `<xf numFmtId="${format}" fontId="${font}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>`
/** The number of freight's own format; every spreadsheet knows 4 (#,##0.00) and 49 (text). */
const [DAY, MOMENT] = [164, 165]
const FONT = '<sz val="11"/><name val="Calibri"/><family val="2"/>'

const STYLES = `${XML}<styleSheet ${MAIN}><numFmts count="2"><numFmt numFmtId="${DAY}" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="${MOMENT}" formatCode="yyyy\\-mm\\-dd\\ hh:mm"/></numFmts><fonts count="2"><font>${FONT}</font><font><b/>${FONT}</font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="6">${xf(0)}${xf(49, 1)}${xf(4)}${xf(DAY)}${xf(MOMENT)}${xf(49)}</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`

const type = (part: string) => `application/vnd.openxmlformats-officedocument.spreadsheetml.${part}+xml`

const PARTS: Readonly<Record<string, string>> = {
  "[Content_Types].xml": `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${type("sheet.main")}"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${type("worksheet")}"/><Override PartName="/xl/styles.xml" ContentType="${type("styles")}"/></Types>`,
  "_rels/.rels": `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  "xl/_rels/workbook.xml.rels": `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
  "xl/styles.xml": STYLES,
}

/** Rows that the widths of columns go by; the first that are written. */
const MEASURED = 200
/** The same table is the same file. */
const WRITTEN_AT = new Date(Date.UTC(1980, 0, 1))

/**
 * @param rows their values in the order of the columns; an error thrown there ends the writing
 * @param sheet its name
 */
export async function* writeWorkbook(
  columns: readonly SheetColumn[],
  rows: AsyncIterable<readonly unknown[]> | Iterable<readonly unknown[]>,
  sheet = "freight",
): AsyncGenerator<Uint8Array> {
  const { ZipFile } = await import("yazl")
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  zip.on("error", (error: Error) => output.destroy(error))
  const options = { mtime: WRITTEN_AT }
  const sheets = `<sheets><sheet name="${escapeXml(sheet)}" sheetId="1" r:id="rId1"/></sheets>`
  const workbook = `${XML}<workbook ${MAIN} xmlns:r="${OFFICE}">${sheets}</workbook>`
  for (const [name, text] of Object.entries({ ...PARTS, "xl/workbook.xml": workbook }))
    zip.addBuffer(Buffer.from(text), name, options)
  const pieces = Readable.from(inPieces(sheetXml(columns, rows)))
  pieces.on("error", (error) => output.destroy(error))
  zip.addReadStream(pieces, "xl/worksheets/sheet1.xml", options)
  zip.end()
  yield* output
}

const PIECE = 1 << 16

async function* inPieces(texts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let text = ""
  for await (const each of texts) {
    text += each
    if (text.length < PIECE) continue
    yield Buffer.from(text)
    text = ""
  }
  yield Buffer.from(text)
}

async function* sheetXml(
  columns: readonly SheetColumn[],
  rows: AsyncIterable<readonly unknown[]> | Iterable<readonly unknown[]>,
): AsyncGenerator<string> {
  const measured: (readonly unknown[])[] = []
  let number = 1
  const begin = () => {
    const view =
      '<sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView>'
    const widths = columns.map((column, at) => {
      const width = measureColumn(
        column,
        measured.map((row) => row[at]),
      )
      return `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`
    })
    const headings = columns.map(({ heading }) => textCell(heading, STYLE.heading)).join("")
    const cols = widths.length > 0 ? `<cols>${widths.join("")}</cols>` : ""
    const first = `<row r="1">${headings}</row>${measured.map(toRowXml).join("")}`
    return `${XML}<worksheet ${MAIN}><sheetViews>${view}</sheetViews>${cols}<sheetData>${first}`
  }
  const toRowXml = (row: readonly unknown[]) =>
    `<row r="${++number}">${columns.map((column, at) => toCell(row[at], column)).join("")}</row>`
  let isBegun = false
  for await (const row of rows) {
    if (isBegun) yield toRowXml(row)
    else measured.push(row)
    if (isBegun || measured.length < MEASURED) continue
    yield begin()
    isBegun = true
  }
  if (!isBegun) yield begin()
  yield "</sheetData></worksheet>"
}

const DATE = /^\d{4}-\d\d-\d\d$/
/** Instants of the API, and times at a place. */
const INSTANT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?$/

function toCell(value: unknown, { isMoney, isText }: SheetColumn): string {
  if (value === undefined || value === null || value === "") return "<c/>"
  if (typeof value === "number" && Number.isFinite(value))
    return `<c${isMoney ? ` s="${STYLE.money}"` : ""}><v>${value}</v></c>`
  if (typeof value === "boolean") return `<c t="b"><v>${value ? 1 : 0}</v></c>`
  const text = typeof value === "string" ? value : JSON.stringify(value)
  const day = isText ? undefined : readDay(text)
  if (day === undefined) return textCell(text, STYLE.text)
  return `<c s="${DATE.test(text) ? STYLE.day : STYLE.moment}"><v>${day}</v></c>`
}

const DAY_MS = 86_400_000
/** Day 0 of workbooks. */
const EPOCH = Date.UTC(1899, 11, 30)
/** Before this day, workbooks count a leap day that never was. */
const FIRST_DAY = Date.UTC(1900, 2, 1)

/** Days since 1899-12-30, of an instant as clocks show it here; undefined for other text. */
function readDay(text: string): number | undefined {
  if (!DATE.test(text) && !INSTANT.test(text)) return undefined
  const isLocal = DATE.test(text) || !/Z$|[+-]\d\d:\d\d$/.test(text)
  const iso = text.replace(" ", "T")
  const at = new Date(isLocal && !DATE.test(text) ? `${iso}Z` : iso)
  const shown = isLocal ? at.getTime() : at.getTime() - at.getTimezoneOffset() * 60_000
  return shown >= FIRST_DAY ? (shown - EPOCH) / DAY_MS : undefined
}

function textCell(text: string, style: number): string {
  return `<c s="${style}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(text)}</t></is></c>`
}

/** As much as a cell holds, and nothing that a screen would obey. What looks like a workbook's own escape is escaped. */
function escapeXml(text: string): string {
  const safe = safeText(text, Number.POSITIVE_INFINITY, { lines: true })
  const held = safe.length > MAX_CELL_LENGTH ? `${safe.slice(0, MAX_CELL_LENGTH - 1)}…` : safe
  return escapeMarkup(held.replace(/_(?=x[0-9a-f]{4}_)/gi, "_x005F_"), "\n")
}

const [NARROWEST, WIDEST] = [8, 50]
const DATE_WIDTH = 12
const MOMENT_WIDTH = 17

/** In characters; longer text is cut or overflows. */
function measureColumn({ heading, isText }: SheetColumn, values: readonly unknown[]): number {
  const lengths = values.map((value) => {
    if (typeof value === "string" && !isText && DATE.test(value)) return DATE_WIDTH
    if (typeof value === "string" && !isText && INSTANT.test(value)) return MOMENT_WIDTH
    return String(value ?? "").length + 1
  })
  return Math.min(Math.max(NARROWEST, heading.length + 2, ...lengths), WIDEST)
}
