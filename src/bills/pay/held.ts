/** Amounts withheld or paid for open disputes when their bills were paid. Cents with GST. */
import { amountOf, formatMoney } from "../../base/money.ts"
import type { Statements } from "../../ledger/index.ts"
import { hasPayments } from "../records/payments.ts"
import { BILL_CURRENCY } from "../verdicts.ts"
import { type Decision, sumByName } from "./decide.ts"
import { readDecisions, readPaidDecisions } from "./record.ts"

/** For an open dispute whose bill was paid. */
export interface HeldBack {
  withheldCents: number
  /** Paid despite the dispute: it has to be returned. */
  toComeBackCents: number
}

/** By the ids of disputes. */
export type HeldByDispute = ReadonlyMap<string, HeldBack>

/** Leaves out unpaid bills, and disputes whose GST basis is unknown. */
export async function readHeld(statements: Statements): Promise<HeldByDispute> {
  return findHeld(await readPaidDecisions(statements))
}

export function findHeld(decisions: readonly Decision[]): HeldByDispute {
  const held = new Map<string, HeldBack>()
  for (const { bill, withheld } of decisions)
    for (const { id, openCents = 0 } of bill.payments.length === 0 ? [] : bill.disputes) {
      const withheldCents = withheld[id] ?? 0
      const toComeBackCents = Math.max(0, openCents - withheldCents)
      if (withheldCents + toComeBackCents > 0) held.set(id, { withheldCents, toComeBackCents })
    }
  return held
}

/**
 * By the ids of disputes: what the carrier credited without a bill while it was withheld, so that it is not owed. Cents
 * with GST. Empty if no payments are recorded.
 */
export async function readOffBill(
  statements: Statements,
): Promise<ReadonlyMap<string, { offBillCents: number; isPart: boolean }>> {
  if (!(await hasPayments(statements))) return new Map()
  return new Map(
    (await readDecisions(statements)).flatMap(({ bill, credited }) => {
      const recorded = sumByName([...bill.payments.map((each) => each.credited), credited])
      return bill.disputes.flatMap(({ id, creditedCents }) => {
        const offBillCents = Math.min(recorded[id] ?? 0, creditedCents)
        return offBillCents > 0 ? [[id, { offBillCents, isPart: offBillCents < creditedCents }] as const] : []
      })
    }),
  )
}

export function sumHeld(held: HeldByDispute, ids: Iterable<string>): HeldBack {
  const sum = { withheldCents: 0, toComeBackCents: 0 }
  for (const id of ids) {
    sum.withheldCents += held.get(id)?.withheldCents ?? 0
    sum.toComeBackCents += held.get(id)?.toComeBackCents ?? 0
  }
  return sum
}

/** {@link describeHeld} of rows that have both amounts in dollars. */
export function describeHeldOf(
  rows: readonly { withheldIncGst: number; toComeBackIncGst: number }[],
): string {
  const sum = (key: "withheldIncGst" | "toComeBackIncGst") =>
    rows.reduce((cents, row) => cents + Math.round(row[key] * 100), 0)
  return describeHeld({ withheldCents: sum("withheldIncGst"), toComeBackCents: sum("toComeBackIncGst") })
}

/** `AUD 22.00 with GST is withheld, AUD 11.00 was paid and is to come back`; empty where nothing was paid. */
export function describeHeld({ withheldCents, toComeBackCents }: HeldBack): string {
  const sum = (cents: number) => formatMoney(amountOf(cents), BILL_CURRENCY)
  return [
    ...(withheldCents > 0 ? [`${sum(withheldCents)} with GST is withheld`] : []),
    ...(toComeBackCents > 0 ? [`${sum(toComeBackCents)} with GST was paid and is to come back`] : []),
  ].join(", ")
}
