/**
 * Reading, checking, fixing and writing invoices. Begin with `checkFiles`, which checks existing documents, and
 * `createDraft`, which makes a new one.
 */

// Documents and where they come from
export {
  findInputs,
  getFileId,
  type Input,
  isPattern,
  isStdin,
  splitPattern,
  STDIN,
} from "./sources/files.ts"
export { cutIntoPieces } from "./sources/reading.ts"
export { findDocuments, findShapeSoFar, type InputKind } from "./documents.ts"
export { EDITOR_SCHEMA } from "./schema.ts"
export { chooseStage, DRAFT_FLAGS } from "./draft-flags.ts"

// Checking
export { checkFiles, MAX_THREADS } from "./run/check-files.ts"
export { examineDocument } from "./examine.ts"
export type { ExamineOptions } from "./finding.ts"
export { ALL_RULES } from "./rules.ts"
export { isAbn } from "./accounting/identifiers.ts"
export type { JsonReport } from "./reporters/data.ts"
export { createReporter, REPORT_FORMATS } from "./reporters/index.ts"
export type { InvoiceRow } from "./reporters/list.ts"

// A new invoice, and its parties
export type { KnownParts } from "./new/ask.ts"
export { type InvoiceDraft, NEW_PURPOSES } from "./new/draft.ts"
export type { FreightCost } from "./new/on-charge.ts"
export {
  askField,
  askParty,
  checkParty,
  explainSavedParty,
  findEarlier,
  findParty,
  keepAccountChanges,
  keepFormerSuppliers,
  listParties,
  type Party,
  pickParty,
  type SavedParty,
} from "./new/parties.ts"
export { CONTACT_FORM } from "./new/payment.ts"
export { FIELD_NAMES } from "./new/rows/fields.ts"
export type { SavedDraft } from "./new/rows/from-file.ts"
export { type BilledShipment, fillFromShipments, getNumber, getPriceBeforeGst } from "./new/shipments.ts"
export { ADDRESS_FORM, LINE_FORM } from "./new/texts.ts"

// Correcting one that was sent
export type { CorrectionReport } from "./correct/report.ts"
export { correctInvoice, CORRECTION_FLAGS } from "./correct/run.ts"

// Showing one
export { Reading } from "./show/reading.ts"
export { showInvoice } from "./show/run.ts"
