/**
 * Finds the disputed consignments for which the bill charges 10 % GST, from the ledger: for disputes without a GST of
 * their own.
 */
import type { Statements } from "../../ledger/index.ts"
import { findBilled } from "../records/bills.ts"
import { isGstOf } from "../gst.ts"
import type { DisputeBalance } from "./balance.ts"

/**
 * The IDs of disputes whose bill states a GST of 10 % for their consignment (GST Act 1999, section 9-70). For all
 * others, a part may be GST-free or charged at more.
 */
export async function findTaxed(
  statements: Statements,
  balances: readonly DisputeBalance[],
): Promise<ReadonlySet<string>> {
  const disputes = balances.flatMap(({ dispute }) => (dispute.gstCents === undefined ? [dispute] : []))
  const billed = await findBilled(
    statements,
    disputes.map(({ consignment }) => consignment).filter((name) => name !== ""),
    disputes.map(({ shipmentId }) => shipmentId).filter((id) => id !== ""),
  )
  const taxed = disputes.filter(({ supplier, billNumber, file, consignment, shipmentId }) => {
    const own = billed.filter(
      (each) =>
        each.supplier === supplier &&
        each.number === billNumber &&
        (billNumber !== "" || each.file === file) &&
        (each.consignment === consignment || (shipmentId !== "" && each.shipmentId === shipmentId)),
    )
    return own.length > 0 && own.every(isTaxed)
  })
  return new Set(taxed.map(({ id }) => id))
}

function isTaxed({ exGst, gst, incGst, charges }: Awaited<ReturnType<typeof findBilled>>[number]): boolean {
  const amount = exGst ?? (incGst === null || gst === null ? null : incGst - gst)
  return amount !== null && gst !== null && isGstOf({ exGst: amount, gst, lines: charges.length })
}
