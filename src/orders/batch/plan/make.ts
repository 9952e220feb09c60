/** Plans a batch: rates every unsent row, and chooses its service. Also reports changes since a plan was made. */
import { getHomes, pickAllowances } from "../../../contract/index.ts"
import { requestOf } from "../../booking/order.ts"
import { keepComparedRates } from "../../booking/price.ts"
import { carrierLetter } from "../../../carriers/index.ts"
import { nextCommand } from "../../../base/command-line.ts"
import { counted } from "../../../base/counted.ts"
import { centsOf, formatCents, formatMoney } from "../../../base/money.ts"
import { FreightError } from "../../../base/errors.ts"
import { type Batch, type BatchDeps, priceBatch } from "../book.ts"
import type { Checked } from "../check.ts"
import type { Priced, PricedRow } from "../price.ts"
import { listReferences, type Renamed } from "../renamed.ts"
import { HELD_STATES } from "../shipping.ts"
import { listCells, listColumns } from "../rows/row.ts"
import { sumPrices } from "../summary.ts"
import { isPlanned, type Plan, type PlanAccount, type PlannedRow, type PlanRow, sealPlan } from "./plan.ts"

/**
 * Sends nothing.
 * @param renamed rows that are planned as separate orders
 */
export async function makePlan(
  deps: BatchDeps,
  batch: Batch,
  checked: Checked,
  account: PlanAccount,
  renamed: readonly Renamed[] = [],
): Promise<Plan> {
  const rows: PlanRow[] = []
  await priceBatch(deps, batch, checked.spentCents, (priced) => rows.push(toPlanRow(priced)))
  rows.sort((one, other) => one.row - other.row)
  return sealPlan({
    file: batch.name,
    madeAt: new Date(deps.clock.now()).toISOString(),
    account,
    totals: sumPrices(rows.filter(isPlanned)),
    columns: listColumns(batch.rows),
    ...(renamed.length > 0 && { separateFrom: listReferences(renamed) }),
    rows,
  })
}

function toPlanRow({ row: order, outcome }: Priced): PlanRow {
  const { row, line, reference, key, own, cells, wish, request, source, selected } = order
  const input = Object.fromEntries(listCells(cells))
  const all = {
    ...{
      row,
      line,
      reference,
      ...(key !== reference && { key }),
      own,
      // Earlier versions of freight, and scripts, read this.
      residential: getHomes(own),
      input,
      written: source.written,
    },
  }
  const price = selected?.rate?.rate.price
  if (selected?.rate && price !== undefined && request !== undefined && wish !== undefined)
    return {
      ...all,
      state: "planned",
      connectorId: selected.connectorId,
      serviceCode: selected.serviceCode,
      price,
      currency: selected.rate.rate.currency ?? "AUD",
      why: selected.why ?? "",
      error: null,
      allowed: pickAllowances(source.allowed),
      wish,
      request: requestOf({ request }, selected),
      rate: selected.rate,
    }
  const { state, error } = outcome
  const isHeld = order.held && (state === HELD_STATES[order.held.means] || state === "changed")
  const held = isHeld ? order.held : undefined
  return {
    ...all,
    state: (state === "waiting" && !held) || state === "too-late" ? "failed" : state,
    ...(held && { held }),
    error: error || null,
    wish: wish ?? null,
    request: request ?? null,
  }
}

export interface Change {
  row: number
  reference: string
  /** `C/STD was 62.52 and is 65.00 (+2.48, 4.0%)`; why it has no rate. */
  text: string
  isAllowed: boolean
}

/** Rates every unsent row again, with its approved service. */
export async function recheckPlan(
  deps: BatchDeps,
  batch: Batch,
  checked: Checked,
  plan: Plan,
  percent: number,
) {
  const { priced } = await priceBatch(deps, batch, checked.spentCents)
  const planned = new Map(plan.rows.filter(isPlanned).map((row) => [row.row, row]))
  const changes = priced.flatMap((row) => {
    const before = planned.get(row.row)
    return before ? findChange(before, row, percent) : []
  })
  for (const row of batch.rows) {
    if (!row.selected) continue
    const before = planned.get(row.row)
    const selected = before ? keepComparedRates(row.selected, before.rate) : row.selected
    row.selected = { ...selected, why: before?.why ?? row.selected.why ?? "" }
  }
  return { priced, changes }
}

function findChange(before: PlannedRow, now: PricedRow, percent: number): Change[] {
  const { row, reference } = before
  const name = `${carrierLetter(before.rate.carrier)}/${before.serviceCode}`
  const was = centsOf(before.price)
  if (now.state === "failed" || now.state === "too-late")
    return [
      {
        row,
        reference,
        text: `${name} was ${formatCents(was)}: ${now.error}`,
        isAllowed: false,
      },
    ]
  if (now.state !== "waiting" || now.price === null) return []
  const is = centsOf(now.price)
  if (now.currency !== before.currency)
    return [
      {
        row,
        reference,
        text: `${name} was ${formatMoney(before.price, before.currency)} and is ${formatMoney(now.price, now.currency)}`,
        isAllowed: false,
      },
    ]
  const by = is - was
  if (by === 0) return []
  const share = was === 0 ? Number.POSITIVE_INFINITY : (Math.abs(by) / was) * 100
  const sign = by > 0 ? "+" : ""
  return [
    {
      row,
      reference,
      text: `${name} was ${formatCents(was)} and is ${formatCents(is)} (${sign}${formatCents(by)}, ${share.toFixed(1)}%)`,
      isAllowed: Math.abs(by) * 10_000 <= was * Math.round(percent * 100),
    },
  ]
}

/** The prices for a dry run, with what has changed as their reason; a change that is not allowed is a failure. */
export function withChanges({ priced, changes }: Awaited<ReturnType<typeof recheckPlan>>): PricedRow[] {
  const changed = new Map(changes.map((change) => [change.row, change]))
  return priced.map((row) => {
    const change = changed.get(row.row)
    if (!change) return row
    return change.isAllowed ? { ...row, why: change.text } : { ...row, state: "failed", error: change.text }
  })
}

export function refuseChanges(name: string, { file }: Plan, changes: readonly Change[]): void {
  const refused = changes.filter(({ isAllowed }) => !isAllowed)
  if (refused.length === 0) return
  throw new FreightError(
    "refused",
    `${name}: ${counted(refused.length, "row has", "rows have")} changed since it was made; nothing was sent`,
    {
      errors: changes.map((change) => ({ message: changeText(change) })),
      hint: "Make a new plan and have it approved, or allow such changes with --max-change 2%.",
      ...nextCommand("freight", "batch", "plan", file),
    },
  )
}

/** `row 4 (PO-3): C/STD was 62.52 and is 65.00 (+2.48, 4.0%)` */
export function changeText({ row, reference, text }: Change): string {
  return `row ${row} (${reference}): ${text}`
}
