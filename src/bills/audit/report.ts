/** Renders an audit: as a table, JSON, NDJSON, CSV or HTML, and as the disputes for a carrier. */
import { BILL_CURRENCY, CHARGES, formatVerdict, isDisputed, isToDispute, VERDICT_ORDER } from "../verdicts.ts"
import { counted, grouped } from "../../base/counted.ts"
import { amountOf, centsOf, formatMoney } from "../../base/money.ts"
import { formatInstant } from "../../base/wall-clock.ts"
import {
  cell,
  type Column,
  createHtmlPage,
  createHtmlTable,
  type FieldOf,
  FORMATS,
  jsonText,
  type List,
  toHeading,
  toNotes,
  toTableRow,
} from "../../output/index.ts"
import type { Audit, AuditedBill, AuditRow, Totals } from "./audit.ts"
import { describeForCarrier } from "./carrier-words.ts"
import { describeRate } from "../gst.ts"
import type { Tolerance } from "./price.ts"

/** Formats of every list, and a page. */
export const AUDIT_FORMATS = [...FORMATS, "html"] as const

const amount = (value: number | null) => (value === null ? "" : formatMoney(value, "").trim())

type Money = "quoted" | "billed" | "difference" | "disputed"
const money = (key: Money, rank: number): Column<AuditRow> => ({
  key,
  title: key.toUpperCase(),
  rank,
  align: "right",
  isMoney: true,
  show: (row) => amount(row[key]),
})

const hidden = (key: FieldOf<AuditRow>, title: string): Column<AuditRow> => ({ key, title, hidden: true })

export const AUDIT_COLUMNS: readonly Column<AuditRow>[] = [
  {
    key: "consignment",
    title: "CONSIGNMENT",
    rank: 1,
    gives: "nothing",
    value: ({ consignmentNumber }) => consignmentNumber,
  },
  { key: "reference", title: "REFERENCE", rank: 7 },
  {
    key: "verdict",
    title: "VERDICT",
    rank: 2,
    gives: "nothing",
    isState: true,
    show: ({ verdict }) => formatVerdict(verdict),
  },
  { key: "verdicts", title: "ALL VERDICTS", hidden: true, value: ({ verdicts }) => verdicts.join(" ") },
  money("quoted", 5),
  money("billed", 4),
  { ...money("difference", 8), hidden: false },
  {
    ...money("disputed", 3),
    title: "TO DISPUTE",
    show: ({ disputed }) => (disputed === 0 ? "" : amount(disputed)),
  },
  { key: "gst", title: "GST", hidden: true, value: ({ gstBasis }) => gstBasis },
  hidden("currency", "CURRENCY"),
  { key: "why", title: "WHY", rank: 6, gives: "words" },
  { key: "bills", title: "BILL", hidden: true, value: ({ billNumbers }) => billNumbers.join(" ") },
  hidden("carrier", "CARRIER"),
  { key: "service", title: "SERVICE", hidden: true, value: ({ serviceCode }) => serviceCode },
  hidden("billedService", "SERVICE BILLED"),
  hidden("bookedWeightKg", "WEIGHT KG"),
  hidden("billedWeightKg", "WEIGHT BILLED"),
  { ...hidden("billedExGst", "BILLED WITHOUT GST"), isMoney: true },
  { ...hidden("billedGst", "GST BILLED"), isMoney: true },
  { ...hidden("billedIncGst", "BILLED WITH GST"), isMoney: true },
  hidden("billedBefore", "BILLED BEFORE"),
  ...CHARGES.map((charge) => ({
    key: `charges.${charge}`,
    title: charge.toUpperCase(),
    hidden: true,
    isMoney: true,
    value: ({ charges }: AuditRow) => charges[charge],
  })),
  hidden("shipmentId", "SHIPMENT"),
  hidden("bookedAt", "BOOKED"),
  hidden("foundBy", "FOUND BY"),
  { key: "foundIn", title: "FOUND IN", hidden: true, value: ({ foundIn }) => foundIn.join(" ") },
  hidden("gstCheck", "GST CHECK"),
  { ...hidden("disputedGst", "GST TO DISPUTE"), isMoney: true },
]

export const BASIS: Readonly<Record<Totals["gstBasis"], string>> = {
  excluded: "without GST",
  included: "with GST",
  unknown: "GST not stated",
  mixed: "each as it was compared, with or without GST",
}

/** In words: `1 % or 0.50, whichever is more`. */
function formatTolerance({ percent, cents }: Tolerance): string {
  const share = percent > 0 ? [`${percent} %`] : []
  const fixed = cents > 0 ? [formatMoney(cents / 100, "").trim()] : []
  if (share.length + fixed.length === 2) return `${share[0]} or ${fixed[0]}, whichever is more`
  return share[0] ?? fixed[0] ?? "nothing"
}

/** @param isAll also rows that agree */
export function chooseRows({ rows }: Pick<Audit, "rows">, isAll: boolean): readonly AuditRow[] {
  return isAll ? rows : rows.filter(({ verdict }) => verdict !== "agrees")
}

const NOT_LOOKED_AT = "Not checked (--offline): what was cancelled, booked elsewhere or never collected."

/** Fewer may be rounding. */
const MANY_WITHIN = 5

export function summaryLines(
  { totals, asked }: Pick<Audit, "totals" | "asked">,
  tolerance: Tolerance,
): string[] {
  const { consignments, byVerdict, byGstBasis, toDispute, withoutGst, withWrongGst, disputedGst } = totals
  const counts = VERDICT_ORDER.flatMap((verdict) => {
    const count = byVerdict[verdict]
    return count
      ? [`${grouped(count)} ${verdict === "agrees" && count > 1 ? "agree" : formatVerdict(verdict)}`]
      : []
  })
  const money = (value: number) => formatMoney(value, BILL_CURRENCY)
  const bases = (Object.keys(BASIS) as Totals["gstBasis"][]).flatMap((basis) => {
    const sums = basis === "mixed" ? null : byGstBasis[basis]
    return sums ? [{ ...sums, basis: BASIS[basis] }] : []
  })
  const toPay = bases
    .filter(({ disputed }) => disputed > 0)
    .map(({ disputed, basis }) => `${money(disputed)} ${basis}`)
  const { withinTolerance: within, undercharged } = totals
  const isTold = within.consignments >= MANY_WITHIN && within.amount * 100 > tolerance.cents
  return [
    `${counted(consignments, "consignment")}: ${counts.join(", ")}.`,
    ...bases.map(({ billed, quoted, basis }) =>
      billed < 0
        ? `Credits exceed charges by ${money(-billed)} (${basis}).`
        : `Billed ${money(billed)} for quotes of ${money(quoted)} (${basis}): ${compareSums(billed, quoted)}.`,
    ),
    `Tolerance: ${formatTolerance(tolerance)}.`,
    ...(isTold
      ? [
          `${grouped(within.consignments)} are over by less than the tolerance: ${money(within.amount)} in all${within.percent === null ? "" : `, each by ${within.percent} % (is that a rate?)`}. A smaller --tolerance disputes them.`,
        ]
      : []),
    ...(undercharged > 0
      ? [
          `${counted(undercharged, "consignment")} ${undercharged === 1 ? "has" : "have"} a mistake, and ${undercharged === 1 ? "was" : "were"} charged less: nothing of it is to be disputed.`,
        ]
      : []),
    ...(withoutGst > 0 ? [`No GST (0 %) is charged for ${counted(withoutGst, "consignment")}.`] : []),
    ...(withWrongGst > 0
      ? [`GST is not 10 % for ${counted(withWrongGst, "consignment")}: ask for a correct tax invoice.`]
      : []),
    toDispute === 0
      ? "There is nothing to dispute."
      : `To dispute: ${[counted(toDispute, "consignment"), ...toPay].join(", ")}.${disputedGst > 0 ? ` ${money(disputedGst)} of it is GST above 10 %.` : ""}`,
    ...(asked ? listLookups(asked) : [NOT_LOOKED_AT]),
  ]
}

/** `AUD 29.53 more`. Does not use "over" and "under", which are verdicts on single consignments. */
function compareSums(billed: number, quoted: number): string {
  const cents = centsOf(billed) - centsOf(quoted)
  if (cents === 0) return "no difference"
  return `${formatMoney(amountOf(Math.abs(cents)), BILL_CURRENCY)} ${cents > 0 ? "more" : "less"}`
}

function listLookups({ listed, since, tracked }: NonNullable<Audit["asked"]>): string[] {
  const back = since ? `, back to ${formatInstant(since)}` : ""
  const looked = [
    ...(listed > 0 ? [`${counted(listed, "shipment")} of the API's list${back}`] : []),
    ...(tracked > 0 ? [`the tracking of ${counted(tracked, "consignment")}`] : []),
  ]
  return looked.length > 0 ? [`Looked at ${looked.join(" and ")}.`] : []
}

export function billLines(bill: AuditedBill): string[] {
  const name = bill.billNumber === null ? bill.file : `${bill.file}, bill ${bill.billNumber}`
  const { firstError, skipped, gstCheck, statedGst, statedGstOf } = bill
  const errors = bill.errors ?? 0
  const rate = () => describeRate(Math.round((statedGstOf ?? 0) * 100), Math.round((statedGst ?? 0) * 100))
  return [
    ...(skipped === null ? [] : [`${name} was left out: ${skipped}`]),
    ...(gstCheck === "wrong" ? [`${name}: ${rate()}. Ask for a correct tax invoice.`] : []),
    ...(gstCheck === "below" ? [`${name}: ${rate()}. Some of its charges may be free of GST.`] : []),
    ...(gstCheck === "none" ? [`${name} charges no GST (0 %).`] : []),
    ...(errors > 0
      ? [
          `${name} breaks the contract ${errors === 1 ? "once" : `${errors} times`} (${firstError}); it was audited as far as it can be read. freight invoice validate ${bill.file}`,
        ]
      : []),
  ]
}

/** An audit in JSON. */
export interface AuditJson extends List<AuditRow> {
  bills: readonly AuditedBill[]
  totals: Totals & {
    /** Allowed difference of a consignment: percent, or whole currency units, whichever is more. */
    tolerance: { percent: number; amount: number }
    /** The API look-ups; null with `--offline`. */
    asked: ReturnType<typeof toAsked> | null
  }
}

function toAsked({ listed, since, tracked, failed, failure }: NonNullable<Audit["asked"]>) {
  return { listed, since: since ?? null, tracked, failed, failure: failure ?? null }
}

export function describeWhole(
  { totals, asked, bills }: Audit,
  { percent, cents }: Tolerance,
): Pick<AuditJson, "bills" | "totals"> {
  const tolerance = { percent, amount: cents / 100 }
  return { bills, totals: { ...totals, tolerance, asked: asked ? toAsked(asked) : null } }
}

export function withLines(row: AuditRow): AuditRow {
  return { ...row, lines: row.lines.toJSON() as never }
}

export function* auditJson(
  audit: Audit,
  tolerance: Tolerance,
  warnings: readonly string[],
): Generator<string> {
  const { bills, totals } = describeWhole(audit, tolerance)
  yield `{\n  "items": [`
  yield* listJson(audit.rows)
  yield `],\n  "total": ${audit.rows.length},\n  "nextOffset": null,\n  "bills": [`
  yield* listJson(bills)
  yield `],\n  "totals": ${indent(totals)},\n  "warnings": ${indent(warnings)}\n}\n`
}

function* listJson(items: readonly unknown[]): Generator<string> {
  for (const [at, item] of items.entries()) yield `${at === 0 ? "" : ","}\n    ${indent(item, 2)}`
  if (items.length > 0) yield "\n  "
}

function indent(value: unknown, level = 1): string {
  return jsonText(value, 2).replaceAll("\n", `\n${"  ".repeat(level)}`)
}

export function* auditHtml(
  audit: Audit,
  tolerance: Tolerance,
  isAll: boolean,
  title: string,
): Generator<string> {
  const columns = [...AUDIT_COLUMNS.filter(({ key }) => key !== "bills" && key !== "difference"), BILLS]
  const page = createHtmlPage({ title, notes: toNotes(summaryLines(audit, tolerance)) })
  const table = createHtmlTable(toHeading(columns))
  yield `${page.begin}${table.begin}`
  for (const row of chooseRows(audit, isAll)) yield `${table.row(toTableRow(columns, row))}`
  yield `${table.end}${page.end}`
}

/** Shown instead of the difference: overcharges are described in words beside it. */
const BILLS: Column<AuditRow> = {
  key: "bills",
  title: "BILL",
  rank: 9,
  value: ({ billNumbers }) => billNumbers.join(" "),
  show: ({ billNumbers }) => billNumbers.join(", "),
}

interface DisputeColumn {
  heading: string
  read(row: AuditRow): unknown
  isMoney?: true
}

const DISPUTE_COLUMNS: readonly DisputeColumn[] = [
  { heading: "Invoice Number", read: ({ billNumbers }) => billNumbers.join(" ") },
  { heading: "Consignment", read: ({ consignmentNumber }) => consignmentNumber },
  { heading: "Reference", read: ({ reference }) => reference },
  { heading: "Dispute", read: ({ verdicts }) => verdicts.filter(isDisputed).map(formatVerdict).join(", ") },
  { heading: "Why", read: describeForCarrier },
  { heading: "Billed", read: ({ billed }) => billed, isMoney: true },
  { heading: "Quoted", read: ({ quoted }) => quoted, isMoney: true },
  { heading: "Disputed", read: ({ disputed }) => disputed, isMoney: true },
  { heading: "GST", read: ({ gstBasis }) => gstBasis },
  { heading: "Service billed", read: ({ billedService }) => billedService },
  { heading: "Service booked", read: ({ serviceCode }) => serviceCode },
  { heading: "Weight billed kg", read: ({ billedWeightKg }) => billedWeightKg },
  { heading: "Weight booked kg", read: ({ bookedWeightKg }) => bookedWeightKg },
  { heading: "Booked", read: ({ bookedAt }) => bookedAt },
]

/** For the carrier: one line for each disputed consignment, worst first. */
export async function* disputesSheet(
  { rows }: Pick<Audit, "rows">,
  format: "csv" | "xlsx",
): AsyncGenerator<string | Uint8Array> {
  const disputes = rows.filter(isToDispute).map((row) => DISPUTE_COLUMNS.map(({ read }) => read(row)))
  if (format === "xlsx") {
    const { writeWorkbook } = await import("../../output/terminal/workbook.ts")
    return yield* writeWorkbook(DISPUTE_COLUMNS, disputes)
  }
  const { stringify } = await import("csv-stringify/sync")
  yield stringify([DISPUTE_COLUMNS.map(({ heading }) => heading)])
  const toText = (value: unknown, at: number) =>
    typeof value === "number" && DISPUTE_COLUMNS[at]?.isMoney ? value.toFixed(2) : cell(value)
  yield stringify(disputes.map((row) => row.map(toText)))
}
