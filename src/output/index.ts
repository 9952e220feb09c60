/**
 * Output for people and programs, and questions. Begin with `print`, which writes rows in every format,
 * and `Conversation`, which asks.
 */

// Rows and formats
export {
  cell,
  type Format,
  FORMATS,
  isForPeople,
  JSON_FORMATS,
  type List,
  OBJECT_FORMATS,
  type Output,
  print,
  printJson,
  printPages,
  toObject,
  type Writing,
} from "./terminal/view.ts"
export {
  anyColumn,
  BRIEF,
  type Column,
  columnValue,
  type FieldOf,
  money,
  plainColumns,
  tableColumns,
  valueAt,
} from "./terminal/columns.ts"
export { createTable, type DrawRows, MAX_ROWS_DRAWN } from "./terminal/table.ts"
export { type Detail, details } from "./terminal/details.ts"
export { jsonText } from "./terminal/json-text.ts"
export { type SheetColumn, writeWorkbook } from "./terminal/workbook.ts"

// Questions
export {
  askEach,
  BACK,
  type Back,
  type Choice,
  type Conversation,
  insist,
  type Questions,
  withoutBack,
} from "./terminal/conversation/conversation.ts"
export { NAMES_DEPTH } from "./terminal/pick.ts"
export { createSpendGuard, type SpendGuard } from "./terminal/spend-guard.ts"

// Messages and progress
export { isForPrograms, openMessages } from "./terminal/messages.ts"
export { errorText } from "./terminal/error-text.ts"
export { createProgress } from "./terminal/progress.ts"
export { CLEAR_LINE, paint, type Style } from "./terminal/style.ts"
export { cut, fitLine, widthOf, wrap } from "./terminal/width.ts"
export { capital } from "./terminal/sanitize.ts"

// Streams and files
export {
  createFiles,
  type Draft,
  fileError,
  fileOpener,
  type Files,
  readFileOrStdin,
  UNFINISHED,
} from "./terminal/files.ts"
export { limited, openStream, readWhole } from "./terminal/open-stream.ts"
export { createSpool, type Spool } from "./terminal/spool.ts"
export {
  type InputStream,
  outlastReaders,
  type OutputStream,
  refuseKeyboard,
  type Terminal,
} from "./terminal/terminal.ts"
export { isGzip, unzipStream, unzipWhole } from "./terminal/unzip.ts"

// Pages, for a terminal and as HTML
export { createHtmlPage, createHtmlTable, html } from "./pages/html.ts"
export {
  formatHint,
  hangText,
  padText,
  type ReportLayout,
  SEVERITY_COLOURS,
  toShownWords,
} from "./pages/layout.ts"
export type { Logo } from "./pages/logo.ts"
export {
  type Fact,
  type Facts,
  type Page,
  type PlainBlock,
  type Plot,
  type Signatures,
  type Table,
  type TableColumn,
  type TableRow,
  toHeading,
  toNotes,
  toTableRow,
} from "./pages/model.ts"
export { renderTerminal } from "./pages/terminal.ts"

// Paper
export { countPlaces, type Layout, LAYOUT_NAMES, MAX_PLACES } from "./paper/layouts.ts"
export { A4, createPdf, type Faces, Sheet, WHITE } from "./paper/sheet.ts"
export { contactOf, decimal, streetOf } from "./paper/text.ts"
