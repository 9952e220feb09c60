/** What the freight of shipments cost: by audited bills, or else by their quotes. */
import { getAmount } from "../../audit/amounts.ts"
import { standingsOf, type Standing } from "../../disputes/standing.ts"
import type { FreightCost } from "../../invoice/new/on-charge.ts"
import { type BilledShipment, getNumber, getPriceBeforeGst } from "../../invoice/new/shipments.ts"
import { type BilledBefore, findBilled } from "../../ledger/records/bills.ts"
import { readDisputes } from "../../ledger/records/disputes.ts"
import type { Store } from "../../ledger/store.ts"

/**
 * @param store undefined where there is no ledger
 * @param isDisputedCharged what is disputed counts as any other cost
 */
export async function readFreightCosts(
  store: Store | undefined,
  shipments: readonly BilledShipment[],
  isDisputedCharged: boolean,
): Promise<{ costs: FreightCost[]; warnings: string[] }> {
  const billed = store
    ? await findBilled(
        store.database,
        shipments.flatMap((each) => getNumber(each) ?? []),
        shipments.map(({ shipment }) => shipment.id),
      )
    : []
  const standings = store && billed.length > 0 ? standingsOf(await readDisputes(store.database)) : []
  const costs: FreightCost[] = []
  const warnings: string[] = []
  for (const each of shipments) {
    const { shipment, facts } = each
    const [number, { id, payer }] = [getNumber(each), shipment]
    const name = number ?? id
    const isOf = (row: { consignment: string; shipmentId: string | undefined }) =>
      row.shipmentId === id || (number !== undefined && row.consignment === number)
    const own = billed.filter(isOf)
    const quoted = getPriceBeforeGst(facts)
    if (own.length > 0) {
      const disputes = standings.filter(({ dispute }) => isOf(dispute))
      costs.push({
        ...{ shipment, name, bills: [...new Set(own.map((row) => row.number || "a bill without a number"))] },
        cost: sumCost(own) - sumOf(disputes, paidOtherwise),
        disputed: isDisputedCharged ? 0 : sumOf(disputes, notCredited),
      })
    } else if (payer !== "Sender")
      warnings.push(`no freight is charged on for ${name}: the carrier does not bill the sender`)
    else if (quoted === undefined)
      warnings.push(
        `no freight is charged on for ${name}: it is on no audited bill, and no price in AUD is known; --line adds it`,
      )
    else {
      if (facts?.gstBasis === "unknown")
        warnings.push(`it is not known whether GST is in the price of ${name}: it is taken as before GST`)
      costs.push({ shipment, name, cost: quoted, disputed: 0, bills: [] })
    }
  }
  return { costs, warnings }
}

function sumCost(rows: readonly BilledBefore[]): number {
  return rows.reduce((sum, row) => sum + getAmount("excluded", row), 0)
}

function sumOf(standings: readonly Standing[], centsOf: (standing: Standing) => number): number {
  return standings.reduce((sum, standing) => sum + withoutGst(standing, centsOf(standing)), 0)
}

function withoutGst({ dispute }: Standing, cents: number): number {
  if (dispute.gstBasis !== "included") return cents
  return getAmount("excluded", { exGst: null, gst: null, incGst: cents, unsaid: null })
}

/** What is credited on a bill is on that bill already. */
function paidOtherwise({ steps }: Standing): number {
  return steps.reduce(
    (sum, { kind, creditId, amountCents }) =>
      kind === "credited" && creditId === undefined ? sum + amountCents : sum,
    0,
  )
}

function notCredited({ dispute, creditedCents }: Standing): number {
  return Math.max(0, dispute.amountCents - creditedCents)
}
