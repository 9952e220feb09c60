/** Reads shipments from an earlier run's results that the ledger lacks, because another ledger booked them. */
import { type FreightApi, workThrough } from "../../api/index.ts"
import { counted } from "../../base/counted.ts"
import { FreightError } from "../../base/errors.ts"
import { type AccountLedger, findKnownShipments, keepReadShipments } from "../../ledger/index.ts"
import type { EarlierResults } from "./results.ts"
import type { BatchRow } from "./rows/row.ts"
import type { ShipmentDetail } from "../../contract/generated/types.ts"

export interface Evidence {
  file: string
  shipments: readonly string[]
}

/**
 * The shipments of this account that an earlier results file names and the ledger lacks. They count as booked elsewhere,
 * like those of the API's list.
 * @param atOnce requests at once; 0: none is read, and each counts as the account's
 */
export async function readEvidence(
  {
    api,
    ledger,
  }: {
    api: Pick<FreightApi, "getShipment">
    ledger: AccountLedger
  },
  file: string | undefined,
  { shipments: named }: Pick<EarlierResults, "shipments">,
  atOnce: number,
): Promise<Evidence | undefined> {
  if (file === undefined) return undefined
  const { store, owner } = ledger
  const { own, elsewhere } = await findKnownShipments(store.database, [owner.scope], named)
  const missing = named.filter((id) => !own.has(id) && !elsewhere.has(id))
  const read: ShipmentDetail[] = []
  await workThrough(missing, Math.max(atOnce, 1), async (id) => {
    if (atOnce === 0) return
    try {
      read.push((await api.getShipment(id)).shipment)
    } catch (error) {
      // It is another account's, or the sandbox's.
      if (!(error instanceof FreightError) || error.kind !== "notFound") throw error
    }
  })
  const standing = await keepReadShipments(ledger, read)
  const shipments = [...elsewhere, ...(atOnce === 0 ? missing : standing)]
  return shipments.length > 0 ? { file, shipments } : undefined
}

/** Refuses to overwrite the only file on this workstation that names a shipment. */
export function refuseLosing(evidence: Evidence | undefined, rows: readonly BatchRow[]): void {
  if (evidence === undefined) return
  const { file, shipments } = evidence
  const kept = new Set(rows.map(({ outcome }) => outcome?.shipmentId))
  const lost = shipments.filter((id) => !kept.has(id))
  if (lost.length === 0) return
  throw new FreightError(
    "input",
    `${file} names ${counted(lost.length, "shipment")} that are in neither the ledger nor a row here (${lost.slice(0, 3).join(", ")}${lost.length > 3 ? ", …" : ""}); nothing was sent`,
    {
      hint: "They were booked with another ledger or with other orders. Keep that file, and name another one for the results: --results FILE.",
    },
  )
}
