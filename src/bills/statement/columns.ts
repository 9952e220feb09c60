/** The columns of a carrier's statement of account: a row for each invoice, credit note or payment. */
import { type KindName, SHARED_HEADINGS as SHARED, splitHeadings } from "../../contract/index.ts"
import {
  type Basis,
  type ColumnField,
  findBasis,
  type Meaning,
  plainHeader,
  readBasis,
  readQualified,
  type SheetColumns,
} from "../../input/index.ts"

export interface StatementField extends ColumnField {
  readonly kind: KindName
  readonly headings: string
  /** Headings that say less: not used beside another heading of the same field. */
  readonly fallbackHeadings?: string
  /** Whether its amounts include GST, if its heading says so. */
  readonly basis?: Basis
}

const MONEY = { kind: "money" } as const

const FIELDS = {
  number: {
    kind: "reference",
    headings: `${SHARED.invoiceNumber}, Bill number, Bill no, Document number, Document no, Document, Doc no, Doc #`,
    fallbackHeadings: `${SHARED.reference}, Number, No, Transaction number, Transaction no, Transaction #, Transaction id`,
  },
  date: {
    kind: "day",
    headings: `${SHARED.invoiceDate}, Bill date, Document date, Transaction date, Trans date`,
    fallbackHeadings: "Date",
  },
  /** `Invoice`, `Credit note`, `Payment`. */
  type: {
    kind: "text",
    bearing: { as: "sign", knows: (text) => readType(text) !== undefined },
    headings: `${SHARED.documentType}, Type, Entry type, Transaction, Kind`,
    fallbackHeadings: SHARED.description,
  },
  amount: {
    ...MONEY,
    headings: `Invoice amount, Invoice total, Original amount, Amount invoiced, Document amount, Bill amount, Invoiced, Billed,
      ${SHARED.total}, ${SHARED.gross}`,
    fallbackHeadings: `${SHARED.amount}, Charges, Price, AUD`,
  },
  debit: { ...MONEY, headings: "Debit, Debits, Debit amount, DR" },
  credit: { ...MONEY, headings: "Credit, Credits, Credit amount, CR" },
  paid: {
    ...MONEY,
    headings: `Paid, Amount paid, Paid amount, Payment, Payments, Payment amount, Payments received, Amount received, Received,
      Amount settled, Settled, Applied, Amount applied, Paid to date`,
  },
  outstanding: {
    ...MONEY,
    headings: `Outstanding, Outstanding amount, Amount outstanding, Outstanding balance, Open amount, Open balance, Amount due,
      Balance due, Amount owing, Owing, Unpaid, Unpaid amount, Remaining, Remaining amount, Amount remaining`,
  },
  basis: {
    kind: "text",
    bearing: { as: "basis", knows: (text) => readBasis(text) !== undefined },
    headings: SHARED.basis,
  },
  currency: { kind: "currency", bearing: { as: "currency" }, headings: SHARED.currency },
  carrier: { kind: "text", headings: `Carrier, ${SHARED.supplier}, Carrier name` },
} as const satisfies Record<string, Omit<StatementField, "name">>

export type StatementFieldName = keyof typeof FIELDS

const fields: ReadonlyMap<string, StatementField> = new Map(
  Object.entries(FIELDS).map(([name, field]) => [name, { name, ...field }]),
)

const keyOf = (heading: string) => plainHeader(heading) || heading.trim()

const words: ReadonlyMap<string, StatementField> = new Map(
  [...fields.values()].flatMap((field) =>
    [...splitHeadings(field.headings), ...splitHeadings(field.fallbackHeadings)].map((each) => [
      keyOf(each),
      field,
    ]),
  ),
)

/** Sums over rows, and notes on when to pay: they say nothing about one invoice. */
const NOT_ASKED =
  /^(?:running )?balance$|^(?:running|cumulative) total$|^(?:due date|date due|terms|days|days overdue|age)$/i

function meaningOf(header: string): Meaning<StatementField> {
  const exact = fields.get(header.trim())
  if (exact) return { field: exact }
  const word = words.get(keyOf(header))
  if (word) return { field: word }
  if (NOT_ASKED.test(header.trim())) return { field: undefined }
  const said = findBasis(header)
  const money = said && words.get(keyOf(said.rest))
  if (said && money?.kind === "money") return { field: { ...money, basis: said.basis } }
  return readQualified(header, meaningOf, "in AUD") ?? { likely: () => undefined }
}

export const STATEMENT_COLUMNS: SheetColumns<StatementField> = {
  fields: [...fields.values()],
  shops: [],
  bearings: ["currency", "sign", "basis"],
  fallbackHeadings: [...fields.values()].flatMap(({ fallbackHeadings }) => splitHeadings(fallbackHeadings)),
  facts: ["carrier"],
  help: {
    hint: `A statement needs headings: the number of each invoice and its amount. Use --map COLUMN=FIELD to name the field of a column, and --header-row N for the row of the headings; the fields are ${[...fields.keys()].join(", ")}.`,
    next: "freight help audit --all",
  },
  meaning: meaningOf,
}

export type StatementType = "invoice" | "credit" | "payment"

/** The kind of a row by the words of its type; undefined if they do not say it. */
export function readType(text: string): StatementType | undefined {
  const plain = text.trim().toLowerCase()
  if (/\b(?:payments?|paid|receipts?|received|eft|remittance|direct debit|bpay|pmt|rec|rcpt)\b/.test(plain))
    return "payment"
  if (/\b(?:credits?|cr|crn|cn|adjustment note|refund|rebate)\b/.test(plain)) return "credit"
  if (/\b(?:invoices?|inv|tax invoice|bill|charge|debit|dr|freight)\b/.test(plain)) return "invoice"
  return undefined
}

/** A row of a statement. Amounts are in cents; credits are negative. */
export interface StatementLine {
  type: StatementType
  number: string
  /** `yyyy-mm-dd`; as written if it is ambiguous, and empty if there is none. */
  date: string
  /** Empty if the statement does not say it. */
  supplier: string
  cents: number
  /** Whether the amount includes GST, if the statement says so. */
  basis: Basis | undefined
  /** Undefined if the statement does not say it. */
  paidCents: number | undefined
  /** The number that a spreadsheet shows; in a PDF, the line of its page. */
  row: number
  page?: number
}
