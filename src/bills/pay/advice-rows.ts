/** Remittance advices for CSV and JSON. */
import { amountOf } from "../../base/money.ts"
import { type Column, money } from "../../output/index.ts"
import { describeForCarrier } from "../audit/carrier-words.ts"
import { nameDispute } from "../disputes/balance.ts"
import { BILL_CURRENCY } from "../verdicts.ts"
import type { Advice } from "./advice.ts"

export type AdviceRow = ReturnType<typeof listAdviceRows>[number]

/** A row for each bill, and below it one for each amount that is withheld or set off. */
export function listAdviceRows({ supplier, payments }: Advice) {
  return payments.flatMap(({ payment, billDate, beforeCents, balances }) => {
    const own = {
      supplier,
      billNumber: payment.billNumber,
      billDate: billDate || null,
      paidOn: payment.day,
      currency: BILL_CURRENCY,
    }
    const nothing = { asked: null, paidBefore: null, name: null, why: null, claim: null } as const
    return [
      {
        ...own,
        ...nothing,
        kind: "paid" as const,
        asked: amountOf(payment.asked),
        paidBefore: amountOf(beforeCents),
        amount: amountOf(payment.paid),
      },
      ...(["withheld", "credited"] as const).flatMap((kind) =>
        balances
          .filter(({ dispute: { id } }) => payment[kind][id] !== undefined)
          .map(({ dispute, claim }) => ({
            ...own,
            ...nothing,
            kind,
            amount: amountOf(payment[kind][dispute.id] ?? 0),
            /** The disputed consignment. */
            name: nameDispute(dispute),
            why: describeForCarrier(dispute),
            /** The carrier's claim number. */
            claim: claim || null,
          })),
      ),
      ...Object.entries(payment.setOff).map(([number, cents]) => ({
        ...own,
        ...nothing,
        kind: "set-off" as const,
        amount: amountOf(cents),
        /** The bill with the credit. */
        name: number,
      })),
    ].map((row): Row => row)
  })
}

interface Row {
  supplier: string
  billNumber: string
  billDate: string | null
  paidOn: string
  kind: "paid" | "withheld" | "credited" | "set-off"
  /** The bill's amount with GST; null for rows below a bill. */
  asked: number | null
  paidBefore: number | null
  amount: number
  currency: string
  name: string | null
  why: string | null
  claim: string | null
}

export const ADVICE_COLUMNS: readonly Column<AdviceRow>[] = [
  { key: "supplier", title: "SUPPLIER" },
  { key: "bill", title: "BILL", value: ({ billNumber }) => billNumber },
  { key: "billDate", title: "BILL DATE" },
  { key: "kind", title: "WHAT" },
  { ...money("asked"), title: "ASKED FOR" },
  { ...money("paidBefore"), title: "PAID BEFORE" },
  { ...money("amount"), title: "AMOUNT" },
  { key: "name", title: "FOR" },
  { key: "why", title: "WHY", gives: "words" },
  { key: "claim", title: "YOUR NUMBER" },
  { key: "paidOn", title: "PAID ON" },
  { key: "currency", title: "CURRENCY" },
]
