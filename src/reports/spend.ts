/** Spending as quoted at the time of booking, compared with the charges on bills. */
import { counted, grouped } from "../base/counted.ts"
import { amountOf, formatCents, formatMoney } from "../base/money.ts"
import { type GroupOfBookings, type GstBasis, type Store, sumBookings } from "../ledger/index.ts"
import type { Column } from "../output/index.ts"
import { formatAud, formatGst, GST, toPriceBasis } from "./basis.ts"
import { addUpPages } from "./groups.ts"
import { report, sheet, type Span } from "./report.ts"
import { listSlices } from "./slices.ts"
import { addGroup, isTime, NOTHING, SPEND_BY, type SpendBy } from "./spend-by.ts"

/** Money is in whole units, on the row's own basis. */
export interface SpendRow {
  /** Null for bookings without one, such as those without a cost centre. */
  group: string | null
  bookings: number
  /** Bookings without a known price: they have separate rows. */
  unpriced: number
  /** As quoted, on the row's own basis. */
  amount: number
  /** Both are null if nothing is priced. */
  currency: string | null
  gstBasis: GstBasis | null
  weightKg: number
  /** Number of bookings on audited bills. */
  billed: number
  /** Charges less credits on those bills, without GST. */
  billedAmount: number
  /** The GST of that amount. */
  billedGst: number
  /** Amounts on bills that do not state their GST basis: excluded from both. */
  billedUnsaid: number
  /** Bookings that are on no audited bill yet, and the amount quoted for them, on the row's own basis. */
  unbilled: number
  unbilledAmount: number
}

export interface SpendKnown {
  bookings: number
  priced: number
  /** Left out. */
  cancelled: number
}

const NOT_BILLED = { billed: 0, exGst: 0, gst: 0, unspecifiedGstCents: 0 }

/** Number of billed bookings, and cents. */
export type BilledOf = typeof NOT_BILLED

function addToGroup(
  sums: typeof NOTHING & BilledOf & { unbilledCents: number },
  group: GroupOfBookings,
): void {
  addGroup(sums, group)
  addBilled(sums, group)
  sums.unbilledCents += group.billed.quotedUnbilled
}

function addBilled(sums: BilledOf, { billed }: GroupOfBookings): void {
  sums.billed += billed.bookings
  sums.exGst += billed.exGst
  sums.gst += billed.gst
  sums.unspecifiedGstCents += billed.unspecifiedGstCents
}

/**
 * Prices on different GST bases, or in different currencies, are separate rows.
 * @returns also the charges for cancelled bookings, which are in no row
 */
export async function reportSpend(
  { database }: Pick<Store, "database">,
  { scopes, ...span }: Span,
  by: SpendBy,
): Promise<{ rows: SpendRow[]; known: SpendKnown; billedCancelled: BilledOf }> {
  let cancelled = 0
  const billedCancelled = { ...NOT_BILLED }
  const { columns, toGroup } = SPEND_BY[by]
  const slices = await listSlices(database, span, isTime(by) ? by : undefined)
  const groups = await addUpPages(
    sumBookings(database, { scopes }, { slices, by: columns, findCancelled: true, findBilled: true }),
    (bookings) => {
      if (!bookings.isCancelled) return { group: toGroup(bookings), ...toPriceBasis(bookings) }
      cancelled += bookings.bookings
      addBilled(billedCancelled, bookings)
      return undefined
    },
    () => ({ ...NOTHING, ...NOT_BILLED, unbilledCents: 0 }),
    addToGroup,
  )
  const rows = groups.map(
    ({ cents, grams, group, bookings, unpriced, currency, gstBasis, billed, ...sums }) => ({
      ...{ group: group || null, bookings, unpriced, amount: amountOf(cents), currency, gstBasis },
      weightKg: grams / 1000,
      ...{ billed, billedAmount: amountOf(sums.exGst), billedGst: amountOf(sums.gst) },
      billedUnsaid: amountOf(sums.unspecifiedGstCents),
      ...{ unbilled: bookings - billed, unbilledAmount: amountOf(sums.unbilledCents) },
    }),
  )
  const byGroup = (a: SpendRow, b: SpendRow) =>
    (a.group ?? "") < (b.group ?? "") ? -1 : (a.group ?? "") > (b.group ?? "") ? 1 : b.amount - a.amount
  const bookings = rows.reduce((sum, row) => sum + row.bookings, 0)
  const unpriced = rows.reduce((sum, row) => sum + row.unpriced, 0)
  return {
    rows: rows.sort(isTime(by) ? byGroup : (a, b) => b.amount - a.amount || byGroup(a, b)),
    known: { bookings, priced: bookings - unpriced, cancelled },
    billedCancelled,
  }
}

export default report({
  about:
    "Adds up what was booked, as quoted when it was booked, beside what audited bills charge for it, in exact cents. A week begins on Monday, and a reference's prefix is its first letters: PO of PO-1001. It reads the ledger and asks no server.",
  flags: {
    by: {
      takes: "<what>",
      about: "what to group by",
      choices: Object.keys(SPEND_BY) as SpendBy[],
      default: "month",
    },
  },
  examples: [
    "freight report spend --sandbox",
    "freight report spend --sandbox --by reference-prefix --since 4w --format csv",
    "freight report spend --sandbox --by week -o spend.html",
  ],
  async read({ store, span }, { by }) {
    const { rows, known, billedCancelled } = await reportSpend(store, span, by)
    const most = new Map<string, number>()
    for (const row of rows) most.set(formatBasis(row), Math.max(most.get(formatBasis(row)) ?? 0, row.amount))
    return sheet({
      title: `Spending by ${by.replace("-", " ")}`,
      details: { by },
      ...{ rows, known, columns: describeColumns(by) },
      bar: {
        ...{ rank: 4, longest: 20 },
        getPart: (row) => row.amount / (most.get(formatBasis(row)) || 1),
      },
      notes: [
        `In total ${formatTotals(rows)}.`,
        ...(most.size > 1 ? ["Totals on different GST bases cannot be added; each has its own bars."] : []),
        ...describeBilled(rows),
        `Prices as quoted for ${grouped(known.priced)} of ${grouped(known.bookings)} bookings.`,
        ...(known.cancelled > 0 ? [`${grouped(known.cancelled)} cancelled are left out.`] : []),
        ...describeBilledCancelled(billedCancelled),
      ],
      plots: [...most.keys()]
        .filter((basis) => basis !== "")
        .map((basis) => ({
          title: basis,
          bars: rows
            .filter((row) => formatBasis(row) === basis)
            .map((row) => ({
              label: formatGroup(row),
              value: row.amount,
              text: formatMoney(row.amount, row.currency ?? ""),
            })),
        })),
    })
  },
})

/** `AUD, GST included`; empty if nothing is priced. */
function formatBasis({ currency, gstBasis }: SpendRow): string {
  return gstBasis === null ? "" : `${currency}, ${formatGst(gstBasis)}`
}

function formatGroup({ group }: SpendRow): string {
  return group ?? "(none)"
}

type BilledSum = "billedAmount" | "billedGst" | "billedUnsaid"

const billedMoney = (field: BilledSum, key: string = field) =>
  ({
    key,
    align: "right",
    isMoney: true,
    value: ({ [field]: value }: SpendRow) => value,
    show: ({ [field]: value, billed }: SpendRow) => (billed === 0 ? "" : formatAud(value)),
  }) as const

/** The total charges on bills without GST, the GST, and the unbilled amount. */
function describeBilled(rows: readonly SpendRow[]): string[] {
  const sum = (key: "billed" | "unbilled") => rows.reduce((all, row) => all + row[key], 0)
  const add = (key: BilledSum) => amountOf(rows.reduce((cents, row) => cents + Math.round(row[key] * 100), 0))
  const unspecified = add("billedUnsaid")
  return [
    `On audited bills, ${counted(sum("billed"), "booking")}: ${formatAud(add("billedAmount"))} without GST, and GST of ${formatAud(add("billedGst"))}. ${grouped(sum("unbilled"))} ${sum("unbilled") === 1 ? "is" : "are"} on none yet: NOT BILLED is what was quoted for those.`,
    ...(unspecified === 0
      ? []
      : [`${formatAud(unspecified)} more is on bills that do not say whether GST is in it.`]),
  ]
}

/** The charges for cancelled bookings, which are in no row. */
function describeBilledCancelled({ billed, exGst, gst, unspecifiedGstCents }: BilledOf): string[] {
  if (billed === 0) return []
  const more =
    unspecifiedGstCents === 0
      ? ""
      : `, and ${formatAud(amountOf(unspecifiedGstCents))} on bills that do not say whether GST is in it`
  return [
    `Audited bills charge ${counted(billed, "cancelled booking")}, left out above: ${formatAud(amountOf(exGst))} without GST, and GST of ${formatAud(amountOf(gst))}${more}.`,
  ]
}

function describeColumns(by: SpendBy): Column<SpendRow>[] {
  return [
    {
      key: "group",
      title: SPEND_BY[by].title,
      rank: 1,
      show: formatGroup,
      ...(isTime(by) && { gives: "nothing" as const }),
    },
    {
      key: "total",
      title: "QUOTED",
      rank: 2,
      align: "right",
      isMoney: true,
      value: ({ amount }) => amount,
      show: ({ amount, currency, gstBasis }) =>
        gstBasis === null ? "no price" : formatMoney(amount, currency ?? ""),
    },
    { key: "gstBasis", title: "GST", rank: 3, ...GST },
    { key: "bookings", title: "BOOKINGS", rank: 8, align: "right" },
    { key: "weightKg", title: "KG", rank: 9, align: "right" },
    { key: "unpriced", title: "WITHOUT PRICE", align: "right", hidden: true },
    { key: "currency", title: "CURRENCY", hidden: true },
    { ...billedMoney("billedAmount", "billedTotal"), title: "BILLED", rank: 5 },
    { ...billedMoney("billedGst"), title: "ITS GST", rank: 7 },
    {
      key: "unbilledTotal",
      title: "NOT BILLED",
      rank: 6,
      align: "right",
      isMoney: true,
      value: ({ unbilledAmount }) => unbilledAmount,
      show: ({ unbilled, unbilledAmount, currency, gstBasis }) =>
        unbilled === 0 ? "" : gstBasis === null ? "no price" : formatMoney(unbilledAmount, currency ?? ""),
    },
    { key: "billed", title: "ON BILLS", align: "right", hidden: true },
    { key: "unbilled", title: "ON NO BILL", align: "right", hidden: true },
    { ...billedMoney("billedUnsaid"), title: "BILLED, GST NOT STATED", hidden: true },
  ]
}

/** Totals of each basis and currency, which must not be added to each other. */
function formatTotals(rows: readonly SpendRow[]): string {
  const totals = new Map<string, { row: SpendRow; cents: number; count: number }>()
  for (const row of rows) {
    if (row.gstBasis === null) continue
    const { cents, count } = totals.get(formatBasis(row)) ?? { cents: 0, count: 0 }
    totals.set(formatBasis(row), {
      row,
      cents: cents + Math.round(row.amount * 100),
      count: count + row.bookings,
    })
  }
  return Array.from(totals.values(), ({ row: { currency, gstBasis }, cents, count }) => {
    const basis = formatGst(gstBasis)
    return `${currency} ${formatCents(cents)}${gstBasis === "excluded" ? "" : ","} ${basis} (${count})`
  }).join("; ")
}
