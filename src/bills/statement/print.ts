/** Prints the output of `audit --statement`: a carrier's statement compared with the audited bills. */
import { counted, listSome } from "../../base/counted.ts"
import { amountOf, formatMoney } from "../../base/money.ts"
import { STATES, type StatementRow, type StatementState } from "./compare.ts"
import { describeRow } from "./read.ts"
import { compareStatementFile } from "./run.ts"
import type { StatementLine } from "./columns.ts"
import { BILL_CURRENCY, formatVerdict } from "../verdicts.ts"
import type { Deps } from "../../session/index.ts"
import { EXIT } from "../../base/errors.ts"
import { type Column, money, print } from "../../output/index.ts"
import type { BillOptions } from "../ask-columns.ts"
import { writeOutput } from "../../command/index.ts"

export type ShownStatementRow = ReturnType<typeof toShown>

function toShown({ line, bill, asked, paidCents, disputedCents, postedAt, state, ...paid }: StatementRow) {
  return {
    state,
    billNumber: line.number || null,
    billDate: line.date || null,
    supplier: (bill?.supplier ?? line.supplier) || null,
    /** From the statement; a credit is negative. */
    amount: amountOf(line.cents),
    /** From the audited bill: with GST if known. */
    audited: asked ? amountOf(asked.cents) : null,
    gst: bill?.gstCents == null ? null : amountOf(bill.gstCents),
    gstBasis: asked?.basis ?? null,
    paid: paidCents === undefined ? null : amountOf(paidCents),
    disputed: amountOf(disputedCents),
    /** Paid or set off, as `freight pay` recorded it, with GST. */
    recordedPaid: amountOf(paid.recordedCents),
    /** Withheld then and now, with GST. */
    withheldIncGst: amountOf(paid.withheldCents),
    currency: BILL_CURRENCY,
    postedAt: postedAt ?? null,
    auditedAt: bill?.auditedAt ?? null,
    file: bill?.file ?? null,
    page: line.page ?? null,
    row: line.row,
  }
}

const COLUMNS: readonly Column<ShownStatementRow>[] = [
  { key: "state", title: "STATE", rank: 1, show: ({ state }) => formatVerdict(state) },
  { key: "number", title: "NUMBER", rank: 1, value: ({ billNumber }) => billNumber },
  { key: "date", title: "DATE", rank: 7, value: ({ billDate }) => billDate },
  { key: "supplier", title: "SUPPLIER", rank: 8 },
  { ...money("amount"), title: "STATEMENT", rank: 2 },
  { ...money("audited"), title: "AUDITED", rank: 3 },
  { ...money("gst"), title: "GST", rank: 6 },
  { ...money("paid"), title: "PAID", rank: 4 },
  { ...money("disputed"), title: "DISPUTED", rank: 5 },
  { key: "gstBasis", title: "GST BASIS", hidden: true },
  { key: "recordedPaid", title: "RECORDED AS PAID", hidden: true },
  { key: "withheldIncGst", title: "WITHHELD INC GST", hidden: true },
  { key: "postedAt", title: "POSTED AT", hidden: true },
  { key: "auditedAt", title: "AUDITED AT", hidden: true },
  { key: "file", title: "FILE", hidden: true },
  { key: "page", title: "PAGE", hidden: true },
  { key: "row", title: "ROW", hidden: true },
]

/** Maximum number of bills or payments named one by one. */
const MAX_NAMED = 10

/**
 * Prints a statement compared with the audited bills. Nothing is written to the ledger.
 * @returns the exit code: 1 if something is wrong or was never audited
 */
export async function printStatement(
  deps: Deps,
  file: string,
  options: BillOptions & { output?: string },
): Promise<number> {
  const { rows, payments, others } = await compareStatementFile(deps, file, options, ["audit"])
  const order = Object.keys(STATES)
  const shown = rows
    .toSorted((one, other) => order.indexOf(one.state) - order.indexOf(other.state))
    .map(toShown)
  await writeOutput(deps, options.output, ({ stdout, output }) =>
    print(
      { terminal: { ...deps.terminal, stdout }, output, warnings: deps.warnings },
      { rows: shown, columns: COLUMNS, empty: "There is no invoice on the statement." },
    ),
  )
  for (const payment of payments.slice(0, MAX_NAMED)) await deps.warn(describePayment(payment))
  if (payments.length > MAX_NAMED)
    await deps.warn(
      `${counted(payments.length - MAX_NAMED, "payment")} more name no invoice of the statement`,
    )
  if (others.length > 0) {
    const named = others.map(({ supplier, number }) => `${supplier} ${number}`)
    await deps.note(`Audited, from its days, and not on it: ${listSome(named, MAX_NAMED)}.`)
  }
  const describeAll = (state: StatementState, getCents: (row: StatementRow) => number) =>
    listSome(
      rows
        .filter((row) => row.state === state)
        .map((row) => `${row.line.number} (${formatMoney(amountOf(getCents(row)), BILL_CURRENCY)})`),
      MAX_NAMED,
    )
  const again = describeAll("withheld", ({ withheldCents }) => withheldCents)
  if (again !== "")
    await deps.note(`Asked for again, and withheld since it is disputed: ${again}. freight disputes`)
  const more = describeAll("more-paid", ({ paidCents = 0, recordedCents }) => paidCents - recordedCents)
  if (more !== "")
    await deps.note(
      `Paid by the statement, and not recorded here: ${more}. If you paid it: freight pay BILL --paid-elsewhere DAY`,
    )
  const less = describeAll(
    "less-paid",
    ({ paidCents = 0, recordedPaidCents }) => recordedPaidCents - paidCents,
  )
  if (less !== "")
    await deps.note(
      `Recorded as paid, and not on the statement: ${less}. If its day is after the payment, ask the carrier.`,
    )
  const wrong = rows.filter(({ state }) => STATES[state] === "told").length
  await deps.note(
    `${counted(rows.length, "invoice")} on the statement: ${wrong === 0 ? "all were audited with these amounts" : `${wrong} not as audited, or paid too often`}.`,
  )
  return wrong > 0 ? EXIT.no : EXIT.done
}

function describePayment({ number, cents, ...line }: StatementLine): string {
  const what = `${describeRow(line)}: a payment of ${formatMoney(amountOf(Math.abs(cents)), BILL_CURRENCY)}`
  return `${what} names no invoice of the statement${number === "" ? "" : ` (${number})`}: it is not counted`
}
