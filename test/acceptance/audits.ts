/** A desk that has booked what carriers bill it for, when all of it is delivered. */
import type { AuditRow } from "../../src/bills/audit/audit.ts"
import type { AuditJson } from "../../src/bills/audit/report.ts"
import type { HistoryRow } from "../../src/app/outputs.ts"
import { desk } from "./freight.ts"
import { type Order, saveOrders } from "./orders.ts"
import { fileSandbox } from "./own-sandbox.ts"

/** A consignment as it was booked: what a carrier would bill it by. */
export interface Booked {
  consignment: string
  reference: string
  orderNumber: string
  shipmentId: string
  service: string
  cents: number
  weightKg: number
}

export type WrittenRow = Omit<AuditRow, "lines"> & { lines: ReturnType<AuditRow["lines"]["toJSON"]> }

export type Report = Omit<AuditJson, "items"> & { items: WrittenRow[] }

export type History = HistoryRow[] & Record<string, unknown>

/** More than the year until the collection of what is booked, and its journey. */
export const UNTIL_DELIVERED = { advanceMs: 700 * 86_400_000 }

/** Books orders at a desk for all tests of a file, and moves the sandbox's clock to when all is delivered. */
export async function bookToBill(orders: readonly Order[]) {
  const sandbox = await fileSandbox()
  const home = await desk(sandbox)
  const ran = await home.freight(["batch", "book", await saveOrders(home.folder, orders)])
  if (ran.code !== 0) throw new Error(ran.stderr)
  await sandbox.control("clock", UNTIL_DELIVERED)
  const history = (await home.freight(["history", "--kind", "shipment", "--json"])).json<{ items: History }>()
    .items
  const list = await home.freight(["shipments", "list", "--all", "--json"])
  const shipments = list.items<{ shipmentId: string; consignmentNumber: string | null }>()
  /** @throws where nothing was booked by that reference */
  const get = (reference: string): Booked => {
    const row = history.find((each) => each.reference === reference)
    if (!row) throw new Error(`no ${reference}`)
    const { orderNumber, shipmentId, serviceCode: service, price, weightKg } = row
    return {
      consignment: shipments.find((each) => each.shipmentId === shipmentId)?.consignmentNumber ?? "",
      ...{ reference, orderNumber: orderNumber ?? "", shipmentId: shipmentId ?? "", service: service ?? "" },
      cents: Math.round((price ?? 0) * 100),
      weightKg: weightKg ?? 0,
    }
  }
  return { sandbox, home, history, get }
}
