/** A plan as text for people. */
import { formatMoney } from "../../../base/money.ts"
import { formatInstant } from "../../../base/wall-clock.ts"
import { addressLine, formatPackageTotals } from "../../../contract/index.ts"
import { arrives, gstBasisText } from "../../booking/rates.ts"
import { totalText } from "../summary.ts"
import { countPlanGst, type Plan, type PlanRow } from "./plan.ts"

/** The lines of a plan: each row with its service and addresses, the total, and how long its rates hold. */
export function listPlan({ rows, totals, validUntil }: Plan): string[] {
  return [
    ...rows.flatMap(describeRow),
    ...(totals.length > 0 ? [`Total: ${totalText({ totals, gst: countPlanGst(rows), unpriced: 0 })}.`] : []),
    ...(validUntil === null ? [] : [`The rates hold until ${formatInstant(validUntil)}.`]),
  ]
}

function describeRow(row: PlanRow): string[] {
  const { reference, state, error, request } = row
  const name = `${row.row}. ${reference}`
  const choice =
    row.state === "planned"
      ? `${row.rate.carrier} ${row.serviceCode} (${row.connectorId}), ${formatMoney(row.price, row.currency)} (GST: ${gstBasisText(row.rate.rate)}), arrives: ${arrives(row.rate.rate)}; ${row.why}`
      : `${state}${error === null ? "" : `: ${error}`}`
  if (!request) return [`${name}: ${choice}`]
  const { collection, receiver, items, collectionDateTime, collectionCloseTime } = request
  return [
    `${name}: ${choice}`,
    `  From: ${addressLine(collection)}; ready ${collectionDateTime.replace("T", " ")}, closes ${collectionCloseTime}`,
    `  To: ${addressLine(receiver)}`,
    `  Goods: ${formatPackageTotals(items)}`,
  ]
}
