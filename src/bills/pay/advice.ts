/** Remittance advices: which bills were paid, how much of each, and what is withheld and why. */
import { counted } from "../../base/counted.ts"
import { groupBy } from "../../base/grouping.ts"
import { amountOf, formatCents, formatMoney } from "../../base/money.ts"
import { quoted } from "../../base/parsed.ts"
import { FreightError } from "../../base/errors.ts"
import type { Statements } from "../../ledger/index.ts"
import { type Payment, readPayments } from "../records/payments.ts"
import type { Page, PlainBlock, TableRow } from "../../output/index.ts"
import { describeForCarrier } from "../audit/carrier-words.ts"
import { listActive } from "../books/clearing.ts"
import { readStandings } from "../disputes/act.ts"
import { describeSender, type LetterHead } from "../disputes/letter.ts"
import { nameDispute, type DisputeBalance } from "../disputes/balance.ts"
import { BILL_CURRENCY } from "../verdicts.ts"
import { sumByName, type PayableBill, sumCents, toSupplierKey } from "./decide.ts"
import { readPayableBills } from "./read.ts"

export interface AdvisedPayment {
  payment: Payment
  /** `yyyy-mm-dd`; empty if unknown. */
  billDate: string
  /** Paid, set off and credited on the bill before, in cents with GST. */
  beforeCents: number
  /** The disputes for which an amount is withheld, or was credited without a bill. */
  balances: readonly DisputeBalance[]
}

export interface Advice {
  supplier: string
  payments: readonly AdvisedPayment[]
}

/**
 * The payments of bills, or all of one day, by supplier.
 * @param names numbers of bills, or `Supplier 1001`; empty for those of the day
 * @param day `yyyy-mm-dd`; undefined for the last day with a payment
 * @throws FreightError `notFound` if nothing was paid; `usage` for a number of two suppliers
 */
export async function readAdvices(
  statements: Statements,
  names: readonly string[],
  day: string | undefined,
): Promise<Advice[]> {
  const all = listActive(await readPayments(statements))
  const chosen = names.length > 0 ? choosePayments(all, names) : joinPayments(choosePaidOn(all, day))
  const bills = await readPayableBills(statements)
  const ids = chosen.flatMap(({ withheld, credited }) => Object.keys({ ...withheld, ...credited }))
  const balances = new Map((await readStandings(statements, ids)).map((each) => [each.dispute.id, each]))
  const isOf = (one: Payment, other: { supplier: string; billNumber: string }) =>
    one.billNumber === other.billNumber && toSupplierKey(one.supplier) === toSupplierKey(other.supplier)
  const advised = chosen.map((each): AdvisedPayment => {
    const bill = bills.find((one) => isOf(each, one))
    const before = all
      .filter((one) => isOf(one, each) && one.part < each.part)
      .reduce((sum, one) => sum + getSettledCents(one), 0)
    const payment = withoutTakenBack(each, bill)
    return {
      payment,
      billDate: bill?.billDate ?? "",
      // A credit that the carrier took back since was paid later.
      beforeCents: Math.min(before, payment.asked - getSettledCents(payment) - sumCents(payment.withheld)),
      balances: Object.keys({ ...payment.withheld, ...payment.credited }).flatMap(
        (id) => balances.get(id) ?? [],
      ),
    }
  })
  return Array.from(
    groupBy(advised, ({ payment }) => toSupplierKey(payment.supplier)).values(),
    (payments) => ({
      supplier: payments[0]?.payment.supplier ?? "",
      payments,
    }),
  )
}

/** Joins a bill's partial payments into one: the last one's withheld amount counts. */
function joinPayments(payments: readonly Payment[]): Payment[] {
  const byBill = groupBy(payments, ({ supplier, billNumber }) =>
    JSON.stringify([toSupplierKey(supplier), billNumber]),
  )
  return Array.from(byBill.values(), (parts) =>
    parts.reduce((one, other) => ({
      ...other,
      part: one.part,
      paid: one.paid + other.paid,
      setOff: sumByName([one.setOff, other.setOff]),
      credited: sumByName([one.credited, other.credited]),
    })),
  )
}

/** Leaves out credits that the carrier took back, if they were paid since: a bill is settled with no more than it asks for. */
function withoutTakenBack(payment: Payment, bill: PayableBill | undefined): Payment {
  if (getSettledCents(payment) + sumCents(payment.withheld) <= payment.asked) return payment
  const mostById = new Map((bill?.disputes ?? []).map(({ id, creditedCents }) => [id, creditedCents]))
  const credited = Object.entries(payment.credited).flatMap(([id, cents]) => {
    const left = Math.min(cents, mostById.get(id) ?? cents)
    return left > 0 ? [[id, left] as const] : []
  })
  return { ...payment, credited: Object.fromEntries(credited) }
}

function getSettledCents({ paid, setOff, credited }: Payment): number {
  return paid + sumCents(setOff) + sumCents(credited)
}

function choosePayments(all: readonly Payment[], names: readonly string[]): Payment[] {
  const chosen = names.flatMap((name) => {
    const found = all.filter(({ supplier, billNumber }) =>
      [billNumber, `${supplier} ${billNumber}`].includes(name),
    )
    if (found.length === 0)
      throw new FreightError("notFound", `no bill ${quoted(name)} was paid`, { next: "freight pay --list" })
    const suppliers = [...new Set(found.map(({ supplier }) => supplier))]
    if (new Set(suppliers.map(toSupplierKey)).size > 1)
      throw new FreightError(
        "usage",
        `${quoted(name)} is the number of bills of ${suppliers.length} suppliers`,
        {
          hint: `Name one of them: ${suppliers.map((supplier) => quoted(`${supplier} ${name}`)).join(", ")}.`,
        },
      )
    // The last payment of it.
    return found.slice(-1)
  })
  return [...new Set(chosen)]
}

function choosePaidOn(all: readonly Payment[], day: string | undefined): Payment[] {
  const last =
    day ??
    all
      .map((each) => each.day)
      .toSorted()
      .at(-1)
  const found = all.filter((each) => each.day === last)
  if (found.length > 0) return found
  throw new FreightError(
    "notFound",
    last === undefined ? "nothing was paid yet" : `nothing was paid on ${last}`,
    {
      next: "freight pay --list",
    },
  )
}

const sum = (cents: number) => formatMoney(amountOf(cents), BILL_CURRENCY)

/** `We paid you AUD 80.00 for 2 bills on 2026-11-24, and set off AUD 20.00 of your credits.` */
function describeSum({
  paid,
  setOff,
  bills,
  days,
}: {
  paid: number
  setOff: number
  bills: number
  days: readonly string[]
}): string {
  const when = `${counted(bills, "bill")} on ${days.join(", ")}`
  if (setOff === 0) return `We paid you ${sum(paid)} for ${when}.`
  if (paid === 0) return `We set off ${sum(setOff)} of your credits against ${when}, and paid nothing.`
  return `We paid you ${sum(paid)} for ${when}, and set off ${sum(setOff)} of your credits.`
}

/** @param head its day is that of writing */
export function describeAdvice(
  { supplier, payments }: Advice,
  { day, from, account }: LetterHead,
): Page<PlainBlock> {
  const paid = payments.reduce((all, { payment }) => all + payment.paid, 0)
  const withheld = payments.reduce((all, { payment }) => all + sumCents(payment.withheld), 0)
  const setOff = payments.reduce((all, { payment }) => all + sumCents(payment.setOff), 0)
  const days = [...new Set(payments.map(({ payment }) => payment.day))].toSorted()
  const fact = (name: string, text: string | undefined) => (text ? [{ name, text }] : [])
  return {
    title: "Remittance advice",
    about: supplier,
    corner: [day],
    notes: [
      ...fact("From", describeSender(from)),
      ...fact("Our account with you", account),
      {
        text: `${describeSum({ paid, setOff, bills: payments.length, days })}${withheld > 0 ? ` We withheld ${sum(withheld)} that we dispute: please send us an adjustment note (a credit note) for it, or write to us why not.` : ""} All amounts are with GST${withheld > 0 ? "; those under Why are as on your bill" : ""}.`,
      },
    ],
    blocks: [toBillTable(payments), ...toDisputeTable(payments), ...toCreditTable(payments)],
  }
}

function toBillTable(payments: readonly AdvisedPayment[]): PlainBlock {
  const amounts = payments.map(({ payment, beforeCents }) => [
    payment.asked,
    beforeCents,
    sumCents(payment.setOff) + sumCents(payment.credited),
    sumCents(payment.withheld),
    payment.paid,
  ])
  const titles = ["You asked for", "Paid before", "Set off", "Withheld", "Paid"]
  // Columns that are empty for all bills are left out.
  const isShown = titles.map((_, at) => at === 0 || at === 4 || amounts.some((own) => own[at] !== 0))
  const keep = <T>(all: readonly T[]) => all.filter((_, at) => isShown[at])
  return {
    kind: "table",
    columns: [
      { title: "Bill", gives: "words" },
      { title: "Date", gives: "nothing" },
      ...keep(titles).map((title) => ({ title, align: "right" as const })),
    ],
    rows: payments.map(({ payment, billDate }, at) => ({
      cells: [payment.billNumber, billDate, ...keep(amounts[at] ?? []).map(formatCents)],
    })),
    ...(payments.length > 1 && {
      totals: [
        "",
        "",
        ...keep(titles.map((_, at) => formatCents(amounts.reduce((all, own) => all + (own[at] ?? 0), 0)))),
      ],
    }),
  }
}

export function listWithheld({
  payment,
  balances,
}: Pick<AdvisedPayment, "payment" | "balances">): DisputeBalance[] {
  return balances.filter(({ dispute: { id } }) => (payment.withheld[id] ?? 0) > 0)
}

function toDisputeTable(payments: readonly AdvisedPayment[]): PlainBlock[] {
  const rows = payments.flatMap(({ payment, balances }) =>
    listWithheld({ payment, balances }).map(
      ({ dispute, claim }): TableRow => ({
        cells: [
          {
            text: nameDispute(dispute),
            below: `Bill ${payment.billNumber}${claim && `, your number ${claim}`}`,
          },
          describeForCarrier(dispute),
          formatCents(payment.withheld[dispute.id] ?? 0),
        ],
      }),
    ),
  )
  if (rows.length === 0) return []
  return [
    {
      kind: "table",
      columns: [
        { title: "Withheld for" },
        { title: "Why", gives: "words" },
        { title: "Withheld", align: "right" },
      ],
      rows,
    },
  ]
}

function toCreditTable(payments: readonly AdvisedPayment[]): PlainBlock[] {
  const rows = payments.flatMap(({ payment }) =>
    Object.entries(payment.setOff).map(
      ([number, cents]): TableRow => ({ cells: [number, payment.billNumber, formatCents(cents)] }),
    ),
  )
  if (rows.length === 0) return []
  return [
    {
      kind: "table",
      columns: [
        { title: "Your credit", gives: "nothing" },
        { title: "Set off against", gives: "words" },
        { title: "Set off", align: "right" },
      ],
      rows,
    },
  ]
}
