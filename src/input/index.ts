/**
 * Files and columns, as people and programs write them. Begin with `openTable` for a spreadsheet, `readJson` for JSON,
 * and `readLines` for a PDF.
 */

// Sheets and tables
export { HIDDEN_CHOICES, type SheetChoices } from "./sheets/choices.ts"
export { type CsvRecord, describePlace, type UnreadableCell } from "./sheets/csv.ts"
export {
  type CellFinding,
  createRowsReport,
  digestFindings,
  errorFinding,
  errorsIn,
  listConversions,
  placeOf,
  type RowFinding,
  type RowsReport,
  shownRows,
} from "./sheets/findings.ts"
export { repeatsHeadings } from "./sheets/heading-lines.ts"
export { openSheet, openSheets } from "./sheets/open.ts"
export { readRecords, toRowError } from "./sheets/records.ts"
export { decodeText, fileSource, type OpenedInput, openInput, type TextSource } from "./sheets/source.ts"
export {
  checkWatched,
  isNote,
  type OpenedTable,
  openTable,
  readAhead,
  type TableInput,
  tooLong,
} from "./sheets/table.ts"
export {
  findIncludedTax,
  isCountOfRecords,
  isTotalWord,
  namesAccount,
  saysClosing,
  saysOfAccount,
  saysOpening,
  saysPageTotal,
  saysTax,
  saysTaxOfTotal,
  saysTotal,
  saysTotalOf,
} from "./sheets/totals.ts"

// The meaning of columns
export { type Basis, findBasis, readBasis, saysFree } from "./columns/basis.ts"
export { findBearing, isForeignAmount } from "./columns/bearings.ts"
export { checkWidth, type Header, type JudgedHeader, judgeHeader, unusedNote } from "./columns/header.ts"
export {
  ambiguous,
  argument,
  isNamed,
  measureOf,
  plainHeader,
  readQualified,
  toWords,
} from "./columns/headings.ts"
export { createMapping, listColumnNames, mapFlags, type Mapping } from "./columns/mapping.ts"
export { isMoneyText, mayBeMoney, MONEY } from "./columns/money.ts"
export type {
  Bearing,
  ByCells,
  ColumnField,
  ColumnInTable,
  ColumnFindings,
  Meaning,
  SheetColumns,
  Shop,
  StatusMeaning,
  StatusSign,
  StatusWords,
  Unclear,
} from "./columns/notation.ts"
export { type ColumnQuestion, createTableQuestions, listValues, UnclearColumns } from "./columns/questions.ts"
export { findShop, findStatusShop, hasStatus } from "./columns/shops.ts"
export {
  CREDIT_NOTE,
  findCreditNote,
  isOpenLabel,
  isCreditLabel,
  mayNotCount,
  namesCreditNote,
  readSign,
  readSignOfGoods,
  readSignOrLetter,
  saysNotAsked,
} from "./columns/sign.ts"
export { judgeWritings } from "./columns/writings.ts"

// JSON, with its places
export { countMarkBytes, decodeJsonBytes, fromRedirection, MARK_BYTES } from "./json/bytes.ts"
export { findWrittenNumber, mayHaveInexactNumbers, type WrittenNumbers } from "./json/losses.ts"
export { getValueAt, isIn, parsePointer, toPointer } from "./json/pointer.ts"
export { type ColumnUnit, createPositionFinder, formatExcerpt } from "./json/position.ts"
export { type JsonDocument, type JsonError, readJson } from "./json/read.ts"
export { COMMA, findElements, skipSpace, skipValue, type Span } from "./json/skip.ts"

// PDF
export { groupByPage, joinWords, type Line, overlaps, type Phrase, type PlacedText } from "./pdf/lines.ts"
export type { OnPage, ReadPages } from "./pdf/messages.ts"
export { createPdfStep, isPdf, readLines } from "./pdf/text.ts"
