/** The rows of one sheet of a workbook, read as they are unpacked. */
import { grouped } from "../../../base/counted.ts"
import { FreightError } from "../../../base/errors.ts"
import { MAX_ROW_LENGTH, MAX_MERGED_RANGES } from "../../../base/limits.ts"
import { quoted } from "../../../base/parsed.ts"
import type { UnreadableCell } from "../csv.ts"
import { createDamagedError } from "./archive.ts"
import { showIsoDay, showNumber } from "./numbers.ts"
import { createStrikes, type Struck, unescapeText, type Workbook } from "./workbook.ts"
import { type Attributes, createXmlReader, isTrue } from "./xml.ts"

export interface SheetRow {
  /** As the sheet numbers it. */
  row: number
  isHidden: boolean
  struck: Struck | undefined
  /** Up to the last that is not empty; none of a row without any text. */
  cells: string[]
  unreadable: UnreadableCell[]
  exact: number[]
}

export interface MergedRange {
  /** `B3:B5` */
  name: string
  first: number
  last: number
}

/** Facts that are known after the whole sheet was read. */
export interface SheetFacts {
  merged: MergedRange[]
  /** The format of a condition strikes some cells through. */
  isStruckByRule: boolean
}

/** The most that a sheet can have (ECMA-376). */
const LAST_ROW = 1_048_576
const LAST_COLUMN = 16_384

interface Cell {
  at: number
  type: string
  style: number
  hasFormula: boolean
  value: string | undefined
}

/**
 * @param part of the archive
 * @param facts filled with findings besides the rows
 * @param signal aborts between two pieces of the part
 */
export async function* readSheetRows(
  name: string,
  workbook: Workbook,
  part: string,
  facts: SheetFacts = { merged: [], isStruckByRule: false },
  signal?: AbortSignal,
): AsyncGenerator<SheetRow> {
  let rows: SheetRow[] = []
  let row: SheetRow | undefined
  let cell: Cell | undefined
  let last = 0
  let next = 0
  let areHidden = false
  let isText = false
  let isPhonetic = false
  let [filled, struck] = [0, 0]
  const strikes = createStrikes()
  let length = 0
  /** Characters of all cells. A text that many cells share is in the archive once, and in each of them here. */
  let all = 0
  const reader = createXmlReader({
    open(element, attributes) {
      strikes.open(element, attributes)
      switch (element) {
        case "c":
          next = readColumn(attributes.r) ?? next + 1
          if (next > LAST_COLUMN) throw new Error(`a cell is beyond column ${LAST_COLUMN}`)
          cell = toCell(next, attributes)
          return
        case "v":
        case "t":
          isText = !isPhonetic && cell !== undefined
          if (isText && cell) cell.value ??= ""
          return
        case "f":
          if (cell) cell.hasFormula = true
          return
        case "rPh":
          isPhonetic = true
          return
        case "row":
          last = Number(attributes.r ?? last + 1)
          if (!(last >= 1 && last <= LAST_ROW)) throw new Error(`row ${attributes.r} cannot be`)
          next = 0
          length = 0
          filled = 0
          struck = 0
          row = {
            ...{ row: last, isHidden: isHiddenRow(attributes, areHidden), struck: undefined },
            ...{ cells: [], unreadable: [], exact: [] },
          }
          return
        case "sheetFormatPr":
          areHidden = isTrue(attributes.zeroHeight)
          return
        case "cfRule":
          facts.isStruckByRule ||= workbook.struckFormats.has(Number(attributes.dxfId))
          return
        case "mergeCell":
          if (facts.merged.length < MAX_MERGED_RANGES) facts.merged.push(...readRange(attributes.ref))
      }
    },
    text(piece) {
      if (!isText || !cell) return
      cell.value += piece
      strikes.text(piece)
      length += piece.length
      if (length > MAX_ROW_LENGTH)
        throw new FreightError(
          "input",
          `${name}: row ${last} has more than ${grouped(MAX_ROW_LENGTH)} characters, the most that freight reads`,
        )
    },
    close(element) {
      if (element === "v" || element === "t") isText = false
      else if (element === "rPh") isPhonetic = false
      else if (element === "c" && row && cell) {
        const struckPart = strikes.end() ?? findStruck(cell, workbook)
        const text = addCell(row, cell, struckPart, workbook)
        if (text.trim() !== "") filled++
        if (text.trim() !== "" && struckPart === "all") struck++
        all += text.length
        workbook.archive.refuseMore(all)
        cell = undefined
      } else if (element === "row" && row) {
        if (struck > 0) row.struck = struck * 2 >= filled ? "all" : "some"
        rows.push(row)
        row = undefined
      }
    },
  })
  try {
    for await (const chunk of workbook.archive.read(part)) {
      signal?.throwIfAborted()
      reader.write(chunk)
      yield* rows
      rows = []
    }
    reader.end()
  } catch (error) {
    signal?.throwIfAborted()
    throw error instanceof FreightError ? error : createDamagedError(name, error)
  }
}

function isHiddenRow({ hidden, ht }: Attributes, areHidden: boolean): boolean {
  return isTrue(hidden) || (hidden === undefined && areHidden) || (ht !== undefined && Number(ht) === 0)
}

function toCell(at: number, { t: type = "n", s: style = "0" }: Attributes): Cell {
  return { at, type, style: Number(style), hasFormula: false, value: undefined }
}

function findStruck(
  { type, style, value = "" }: Cell,
  { struckStyles, struckTexts }: Workbook,
): Struck | undefined {
  if (struckStyles.has(style)) return "all"
  return type === "s" && value !== "" ? struckTexts.get(Number(value)) : undefined
}

const THREE_DECIMALS = /\.\d{3}$/

/** @returns the text of the cell */
function addCell(row: SheetRow, cell: Cell, struck: Struck | undefined, workbook: Workbook): string {
  const { at, type, hasFormula, value = "" } = cell
  const place = `${columnLetters(at)}${row.row}`
  let text = ""
  if (type === "e")
    row.unreadable.push({
      ...{ index: at - 1, rule: "formula-error", message: `${place} shows ${value || "an error"}` },
      hint: "fix its formula, and save the file again",
    })
  // A formula may well give an empty text; any other result has a value.
  else if (hasFormula && value === "" && !(type === "str" && cell.value !== undefined))
    row.unreadable.push({
      ...{
        index: at - 1,
        rule: "formula",
        message: `${place} has a formula whose result is not in the file`,
      },
      hint: "open the file in a spreadsheet, let it calculate, and save it",
    })
  // Without the struck characters a text may lack a letter; with them it may be 1012 although a person sees 12.
  else if (struck === "some")
    row.unreadable.push({
      ...{
        index: at - 1,
        rule: "struck",
        message: `${place} has letters that are struck through: ${quoted(toText(cell, workbook))}`,
      },
      hint: "delete them, and save the file again",
    })
  else text = toText(cell, workbook)
  if (text.trim() === "" && row.unreadable.at(-1)?.index !== at - 1) return text
  while (row.cells.length < at - 1) row.cells.push("")
  row.cells[at - 1] = text
  if (type === "n" && THREE_DECIMALS.test(text)) row.exact.push(at - 1)
  return text
}

function toText({ type, style, value = "" }: Cell, { texts, forms, is1904 }: Workbook): string {
  switch (type) {
    case "s": {
      // Some programs write an empty cell as one without an index.
      if (value.trim() === "") return ""
      const text = texts[Number(value)]
      if (text === undefined) throw new Error(`text ${value} is missing`)
      return text
    }
    case "inlineStr":
    case "str":
      return unescapeText(value)
    case "b":
      return value === "" ? "" : isTrue(value) ? "TRUE" : "FALSE"
    case "d":
      return showIsoDay(value)
    default:
      return value.trim() === "" ? "" : showNumber(value, forms[style] ?? { kind: "number" }, is1904)
  }
}

const LETTERS = 26
const BEFORE_A = 64

/** `B7` → 2 */
function readColumn(place: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}(?=\d)/.exec(place ?? "")?.[0]
  if (letters === undefined) return undefined
  let column = 0
  for (let at = 0; at < letters.length; at++) column = column * LETTERS + letters.charCodeAt(at) - BEFORE_A
  return column
}

/** 28 → `AB` */
function columnLetters(column: number): string {
  const before = Math.floor((column - 1) / LETTERS)
  return (
    (before > 0 ? columnLetters(before) : "") + String.fromCharCode(BEFORE_A + ((column - 1) % LETTERS) + 1)
  )
}

function readRange(name = ""): MergedRange[] {
  const [, first, last] = /^\$?[A-Z]+\$?(\d+):\$?[A-Z]+\$?(\d+)$/.exec(name) ?? []
  return first === undefined || last === undefined ? [] : [{ name, first: Number(first), last: Number(last) }]
}
