/**
 * Types of JSON output that the printing code does not state: JSON written in pieces, and lists with columns.
 * `scripts/outputs.mjs` reads it, and the types of all other output. Types only.
 */
import type { AccrualRow, AccrualTotals, HistorySpendRow } from "../reports/index.ts"
import type { AuditJson, PdfRow, ShownStatementRow } from "../bills/index.ts"
import type { CommandData, TreeData } from "../command/index.ts"
import type { addresses } from "../commands/address.ts"
import type { maps } from "../commands/batch-maps.ts"
import type { packages } from "../commands/package.ts"
import type { parties } from "../commands/party.ts"
import type { ProfileRow } from "../commands/profile.ts"
import type { NamedSummary, Own, OWN_FIELDS } from "../contract/index.ts"
import type { CorrectionReport, InvoiceDraft, InvoiceRow, JsonReport, SavedDraft } from "../invoice/index.ts"
import type { Entry, GstBasis } from "../ledger/index.ts"
import type { ColumnHelp, PricesJson, RunJson, toTrackedItem } from "../orders/index.ts"
import type { Column, List } from "../output/index.ts"

/** By the command. */
export interface DeclaredOutputs {
  /** With --rows, the rows of a PDF; with --statement, its lines; with --accruals, what `report accruals` prints. */
  audit: AuditJson | List<PdfRow> | List<ShownStatementRow> | AccrualsJson
  /** With --dry-run, the rows with their prices. */
  "batch book": RunJson | PricesJson
  "batch maps": List<RowOf<typeof maps>>
  /** An example order; with --columns, the descriptions of the columns. */
  "batch template": List<ColumnHelp> | readonly object[]
  history: List<HistoryRow> | List<Omit<HistorySpendRow, "total"> & { amount: number }>
  "invoice correct": CorrectionReport
  "invoice list": List<InvoiceRow>
  "invoice new": InvoiceDraft | readonly InvoiceDraft[] | List<SavedDraft>
  /** A JSON Schema. */
  "invoice schema": object
  /** The document as it is in its file; `freight invoice schema` has the schema of a valid one. */
  "invoice show": unknown
  "invoice validate": JsonReport
  "shipments list": List<NamedSummary>
  track: List<ReturnType<typeof toTrackedItem>>

  "address list": List<RowOf<typeof addresses>>
  "address add": Changed<RowOf<typeof addresses>>
  /** The removed ones, as they were. */
  "address remove": List<RowOf<typeof addresses>>
  "party list": List<RowOf<typeof parties>>
  "party add": Changed<RowOf<typeof parties>>
  /** The removed ones, as they were. */
  "party remove": List<RowOf<typeof parties>>
  "package list": List<RowOf<typeof packages>>
  "package add": Changed<RowOf<typeof packages>>
  /** The removed ones, as they were. */
  "package remove": List<RowOf<typeof packages>>
  "profile list": List<ProfileRow>
  /** The removed ones, as they were. */
  "profile remove": List<ProfileRow>

  /** The service's reply; `freight api --openapi` describes it. */
  api: unknown
  /** All commands, or the named one; for a topic, its page. */
  help: TreeData | CommandData | { topic: string; text: string }
}

interface AccrualsJson extends List<AccrualRow> {
  totals: AccrualTotals
}

/** One item that a command changed. */
type Changed<Row> = Row & { warnings: readonly string[] }

type RowOf<Saved> = Saved extends { columns: readonly Column<infer Row>[] } ? Row : never

/** An entry of `freight history`, by the columns of its table. */
export interface HistoryRow extends Pick<Cells<Own>, OwnPath> {
  sentAt: string
  kind: Entry["kind"]
  state: Entry["state"]
  /** The user's key; null if the content is the key. */
  key: string | null
  about: string | null
  reference: string | null
  shipmentId: string | null
  connectorId: string | null
  carrier: string | null
  serviceCode: string | null
  /** As quoted, in whole units. */
  price: number | null
  currency: string | null
  note: string | null
  /** The ledger that it is in. */
  file: string
  id: string
  workstation: string | null
  person: string | null
  consignmentNumber: string | null
  orderNumber: string | null
  priceGst: number | null
  priceIncGst: number | null
  gstBasis: GstBasis | null
  eta: string | null
  transitDays: number | null
  rateId: string | null
  quoteId: string | null
  weightKg: number | null
  receiverSuburb: string | null
  receiverState: string | null
  receiverPostcode: string | null
  /** By this machine's clock, for a spreadsheet. */
  sentLocal: string
  packages: readonly object[] | null
  cancelledAt: string | null
  cancelledBy: string | null
}

/** Freight's own fields beside a request; null where the booking has none. */
type Cells<Values> = { [Name in keyof Values]-?: NonNullable<Values[Name]> | null }
type OwnPath = (typeof OWN_FIELDS)[number]["path"]
