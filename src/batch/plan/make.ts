/** Makes a plan of a batch: rates every row that would be sent, and chooses by its wishes. */
import { requestOf } from "../../booking/offer.ts"
import { amountOf, centsOf } from "../../contract/money.ts"
import { type Batch, type BatchDeps, priceBatch } from "../book.ts"
import type { Checked } from "../check.ts"
import type { Priced } from "../price.ts"
import { isPlanned, type Plan, type PlanAccount, type PlannedRow, type PlanRow, sealPlan } from "./plan.ts"

/** Sends nothing. @throws FreightError as `priceBatch` does */
export async function makePlan(
  deps: BatchDeps,
  batch: Batch,
  checked: Checked,
  account: PlanAccount,
): Promise<Plan> {
  const rows: PlanRow[] = []
  await priceBatch(deps, batch, checked, (priced) => rows.push(toPlanRow(priced)))
  rows.sort((one, other) => one.row - other.row)
  return sealPlan({
    file: batch.name,
    madeAt: new Date(deps.clock.now()).toISOString(),
    account,
    totals: totalsOf(rows.filter(isPlanned)),
    columns: checked.columns,
    rows,
  })
}

function toPlanRow({ row: order, offer, outcome }: Priced): PlanRow {
  const { row, line, reference, residential, cells, wish, booking } = order
  const input = Object.fromEntries(cells)
  const all = { row, line, reference, residential, input }
  if (offer?.rate && booking !== undefined && wish !== undefined)
    return {
      ...all,
      state: "planned",
      connectorId: offer.connectorId,
      serviceCode: offer.serviceCode,
      price: offer.rate.rate.price,
      currency: offer.rate.rate.currency,
      why: offer.why ?? "",
      error: null,
      wish,
      request: requestOf({ booking, wish, residential }, offer),
      rate: offer.rate,
    }
  const { state, error } = outcome
  return {
    ...all,
    state: state === "waiting" ? "failed" : state,
    error: error || null,
    wish: wish ?? null,
    request: booking ?? null,
  }
}

/** What is to be booked costs, by currency. */
export function totalsOf(rows: readonly Pick<PlannedRow, "price" | "currency">[]): Plan["totals"] {
  const cents = new Map<string, number>()
  for (const { price, currency } of rows) cents.set(currency, (cents.get(currency) ?? 0) + centsOf(price))
  return [...cents].map(([currency, sum]) => ({ currency, amount: amountOf(sum) }))
}
