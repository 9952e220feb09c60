/** The freight cost of shipments: from audited bills, or else from their quotes. */
import { getAmount, getChargedCents, withoutGst } from "./money.ts"
import { splitGst, toDisputeBalances, type DisputeBalance } from "./disputes/balance.ts"
import { type BilledShipment, type FreightCost, getNumber, getPriceBeforeGst } from "../invoice/index.ts"
import type { Store } from "../ledger/index.ts"
import { type BilledBefore, findBilled } from "./records/bills.ts"
import { type Credit, readDisputes, type Step } from "./records/disputes.ts"

/**
 * @param store undefined if there is no ledger
 * @param isDisputedCharged disputed amounts count as cost
 */
export async function readFreightCosts(
  store: Store | undefined,
  shipments: readonly BilledShipment[],
  isDisputedCharged: boolean,
): Promise<{ costs: FreightCost[]; warnings: string[] }> {
  const consignments = shipments.flatMap((each) => getNumber(each) ?? [])
  const shipmentIds = shipments.map(({ shipment }) => shipment.id)
  const billed = store ? await findBilled(store.database, consignments, shipmentIds) : []
  const book =
    store && billed.length > 0 ? await readDisputes(store.database, { consignments, shipmentIds }) : undefined
  const balances = book ? toDisputeBalances(book) : []
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
      if (own.some(({ unspecifiedGstCents }) => unspecifiedGstCents !== null))
        warnings.push(
          `it is not known whether GST is in what bills ask for ${name}: it is taken as before GST`,
        )
      const disputes = balances.filter(({ dispute }) => isOf(dispute))
      const credits = new Map(book?.credits.filter(isOf).map((credit) => [credit.id, credit]))
      costs.push({
        ...{
          shipment,
          number,
          name,
          bills: [...new Set(own.map((row) => row.number || "a bill without a number"))],
        },
        cost:
          sumCost(own) -
          sumOf(disputes, (each) => Math.max(0, sumPaidOtherwise(each, credits) - sumCorrected(each, own))) +
          sumPaidToOthers(book?.steps ?? [], credits, new Set(disputes.map(({ dispute }) => dispute.id))),
        disputed: isDisputedCharged
          ? 0
          : sumOf(disputes, (each) => Math.max(0, notCredited(each) - sumCorrected(each, own))),
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
      costs.push({ shipment, number, name, cost: quoted, disputed: 0, bills: [] })
    }
  }
  return { costs, warnings }
}

function sumCost(rows: readonly BilledBefore[]): number {
  return rows.reduce((sum, row) => sum + getAmount("excluded", row), 0)
}

function sumOf(balances: readonly DisputeBalance[], centsOf: (balance: DisputeBalance) => number): number {
  // Wrong GST is not a cost.
  const own = balances.filter(({ dispute }) => dispute.verdict !== "wrong-gst")
  return own.reduce((sum, each) => sum + findExGst(each, centsOf(each)), 0)
}

function findExGst({ dispute }: DisputeBalance, cents: number): number {
  const own = dispute.gstBasis === "included" ? splitGst(dispute, cents) : undefined
  return own?.exGst ?? withoutGst(cents, dispute.gstBasis)
}

type Credits = ReadonlyMap<string, Credit>

/** Excludes credits on the consignment itself: they are already part of what their bill charges for it. */
function sumPaidOtherwise({ steps }: DisputeBalance, own: Credits): number {
  return steps.reduce(
    (sum, { kind, creditId, amountCents }) =>
      kind === "credited" && !own.has(creditId ?? "") ? sum + amountCents : sum,
    0,
  )
}

/** Amounts that this consignment's credits paid for others, without GST. */
function sumPaidToOthers(steps: readonly Step[], own: Credits, disputes: ReadonlySet<string>): number {
  return steps.reduce((sum, { creditId = "", creditCents = 0, disputeId }) => {
    const credit = own.get(creditId)
    const all = credit ? getChargedCents(credit) : 0
    if (!credit || all === 0 || disputes.has(disputeId)) return sum
    return sum + Math.round((creditCents * getAmount("excluded", credit)) / all)
  }, 0)
}

function notCredited({ dispute, creditedCents }: DisputeBalance): number {
  return Math.max(0, dispute.amountCents - creditedCents)
}

/** The part of a dispute that its corrected bill does not charge any more. */
function sumCorrected({ dispute }: DisputeBalance, billed: readonly BilledBefore[]): number {
  const corrected = billed.find(
    ({ number, supplier, isChanged }) =>
      isChanged && number === dispute.billNumber && supplier === dispute.supplier,
  )
  return corrected ? Math.max(0, dispute.amountCents - corrected.disputedCents) : 0
}
