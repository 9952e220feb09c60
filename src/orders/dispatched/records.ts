/**
 * Orders handed to their shop, with which tracking number, in which file. Rows are added; later they only get the time
 * at which their file was written, or the names of a waiting order's items. An order is claimed for a file before the
 * file is written, so that no other desk exports it too.
 */
import { groupBy } from "../../base/grouping.ts"
import {
  type Database,
  type DatabaseRow,
  describeColumns,
  inScopes,
  insertRecords,
  placeholders,
  queryInParts,
  SENDER_COLUMNS,
  type Sender,
  type Statements,
} from "../../ledger/index.ts"

/**
 * - `waiting`: the shop's order is booked, and its carrier has given no number
 * - `sent`: exported for the first time
 * - `changed`: again, with another number
 * - `cancelled`: its shipment was cancelled after it had been exported
 * - `again`: a person asked for it once more
 */
export type DispatchEvent = "waiting" | "sent" | "changed" | "cancelled" | "again"

export interface Dispatch extends Sender {
  /** Made from the shipment and the number of earlier exports. */
  id: string
  shipmentId: string
  /** The booking that had the shipment then: it may turn out to be another one's. Absent in rows of older versions. */
  sendId?: string
  shop: string
  /** As in the shop's export. */
  orderId: string
  event: DispatchEvent
  /** Absent while it waits. */
  number?: string
  /** The file with it and others of the same `batch`; absent while it waits. */
  batch?: string
  file?: string
  /** Its place in the file, from 0. */
  position?: number
  /** The headings of the file, or of `body` while it waits. */
  head?: string
  /**
   * Its own rows in the file, which name its items; empty if the shop cannot take a number back. While it waits, its
   * rows without a number, if they name items.
   */
  body?: string
  /** ISO 8601 in UTC, as is `writtenAt`. */
  at: string
  /** Absent until the file is whole on the disk. */
  writtenAt?: string
}

export const DISPATCHES = describeColumns<Dispatch>({
  id: "text",
  shipmentId: "text",
  shop: "text",
  orderId: "text",
  event: "text",
  number: "text",
  batch: "text",
  file: "text",
  position: "integer",
  head: "text",
  body: "text",
  at: ["created_at", "text"],
  writtenAt: "text",
  ...SENDER_COLUMNS,
  sendId: "text",
})

/** The rows that a claim adds to the ledger. */
interface DispatchPlan {
  added: readonly Dispatch[]
  /** The names of items of orders that wait already. */
  learned: readonly { id: string; head: string; body: string }[]
}

const LOCK = "freight dispatches"

/**
 * Claims orders for export, in one transaction, so that two desks never export the same order.
 * @param plan chooses the orders to claim, from the ledger's state then; it asks nothing else
 */
export function claimDispatches<Plan extends DispatchPlan>(
  database: Database,
  plan: (statements: Statements) => Promise<Plan>,
): Promise<Plan> {
  return database.transaction(async (transaction) => {
    await transaction.lock([LOCK])
    const planned = await plan(transaction)
    for (const { id, head, body } of planned.learned)
      await transaction.run("update dispatches set head = ?, body = ? where id = ?", [head, body, id])
    await insertRecords(transaction, "dispatches", DISPATCHES, planned.added)
    return planned
  })
}

/** Records that a file is complete on the disk. */
export async function finishDispatches(database: Database, batch: string): Promise<void> {
  await database.run("update dispatches set written_at = ? where batch = ? and written_at is null", [
    new Date(await database.now()).toISOString(),
    batch,
  ])
}

/** Exports of these shipments, oldest first. */
export async function findDispatches(
  statements: Statements,
  shipments: readonly string[],
): Promise<Dispatch[]> {
  const rows = await queryInParts([...new Set(shipments)], (part) =>
    statements.all(`select * from dispatches where shipment_id in (${placeholders(part)})`, part),
  )
  return rows.map(read).sort(byTurn)
}

/**
 * Orders of a shop, or of all shops, oldest first: those that wait for a number, are in an unfinished file, or were
 * exported from an instant on (ISO 8601 in UTC).
 */
export async function readDispatches(
  statements: Statements,
  { shop, since }: { shop?: string; since: string },
): Promise<Dispatch[]> {
  const rows = await statements.all(
    `select * from dispatches where (written_at is null or created_at >= ?)${shop === undefined ? "" : " and shop = ?"}`,
    [since, ...(shop === undefined ? [] : [shop])],
  )
  return rows.map(read).sort(byTurn)
}

/**
 * Orders that wait, by their shop: for a number, for a file, or for a file that was begun and not finished. Orders that
 * the ledger knows as cancelled do not wait.
 * @param scopes the accounts that booked them; all where none is given
 */
export async function findWaiting(statements: Statements, scopes?: readonly string[]) {
  const rows = await statements.all(
    `select d.shop, d.event, d.file, d.workstation, d.created_at, s.consignment_number from dispatches d
      left join sends s on s.shipment_id = d.shipment_id and s.kind = 'shipment' and s.state = 'done'
      left join journeys j on j.scope = s.scope and j.consignment_number = s.consignment_number
      where ((d.event <> 'waiting' and d.written_at is null)
        or (d.event = 'waiting' and coalesce(j.is_cancelled, 0) = 0 and s.cancelled_at is null and not exists (
          select 1 from dispatches o where o.shipment_id = d.shipment_id and o.event <> 'waiting')))
        ${inScopes(scopes, "s.scope")}
      order by d.created_at, d.id`,
    scopes ?? [],
  )
  return Array.from(
    groupBy(rows, ({ shop }) => String(shop)),
    ([shop, ofShop]) => {
      const waits = ofShop.filter(({ event }) => event === "waiting")
      const unfinished = ofShop.find(({ event }) => event !== "waiting")
      const ready = waits.filter(({ consignment_number: number }) => number != null).length
      return {
        shop,
        count: ofShop.length,
        ready,
        waiting: waits.length - ready,
        file: unfinished && { name: String(unfinished.file), desk: String(unfinished.workstation) },
        oldest: String(ofShop[0]?.created_at),
      }
    },
  )
}

/** The orders that a desk claimed for a file, its newest batch first, each in the order of the file. */
export async function findDispatchFile(
  statements: Statements,
  file: string,
  workstation: string,
): Promise<Dispatch[]> {
  const rows = await statements.all(
    "select * from dispatches where file = ? and workstation = ? order by created_at desc, batch, position",
    [file, workstation],
  )
  return rows.map(read)
}

function read(row: DatabaseRow): Dispatch {
  return DISPATCHES.read(row)
}

/** Compares turns as numbers: 10 comes after 9. */
function byTurn(one: Dispatch, other: Dispatch): number {
  const turn = ({ id, shipmentId }: Dispatch) => Number(id.slice(shipmentId.length)) || 0
  return turn(one) - turn(other) || (one.id < other.id ? -1 : 1)
}
