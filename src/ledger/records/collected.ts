/**
 * The shipments that a pickup collects: those it was booked for, and those added later. No API adds goods to a pickup:
 * an added shipment waits until a person says that the carrier was told, and belongs to the pickup only then.
 */
import type { Database, Statements } from "../database/database.ts"
import { inScopes, insertRows, placeholders, queryInParts } from "../database/sql.ts"
import type { Entry, Sender } from "../entry.ts"
import { IS_CANCELLED, JOURNEYED } from "./journeys.ts"

/** Condition for a shipment that was added before the carrier was told. */
export const IS_UNTOLD = "noted_at is not null and told_at is null"

/** As version 22 made them: when a shipment was added, and when, to whom and by whom the carrier was told. */
export const ADDED_COLUMNS = [
  "alter table collected add column noted_at text",
  "alter table collected add column told_at text",
  "alter table collected add column told_to text",
  "alter table collected add column told_by text",
  `create index collected_untold on collected (send_id) where ${IS_UNTOLD}`,
]

/** A shipment that waits for a pickup, before the carrier was told. */
export interface NotYetReported {
  shipmentId: string
  pickupId: string
  /** ISO 8601 in UTC. */
  notedAt: string
}

/** The shipments that a pickup collects, and those that wait for it. */
export async function findCollectedBy(
  statements: Statements,
  pickup: Pick<Entry, "id" | "facts">,
): Promise<string[]> {
  const rows = await statements.all("select shipment_id from collected where send_id = ?", [pickup.id])
  const added = rows.map(({ shipment_id: id }) => String(id))
  return pickup.facts.shipmentId === undefined ? added : [pickup.facts.shipmentId, ...added]
}

const LIVE = "kind = 'pickup' and state in ('done', 'unknown')"

/**
 * Notes that shipments wait for a booked pickup. A shipment that has a pickup, or waits for one, stays as it is: if two
 * desks note it, it is written once.
 */
export async function addToPickup(
  database: Database,
  { id, scope }: Pick<Entry, "id" | "scope">,
  shipments: readonly string[],
): Promise<void> {
  await database.transaction(async (transaction) => {
    // The names by which a claim of a pickup for them waits: see `lockNames`.
    await transaction.lock(shipments.map((shipment) => `pickup/collects:${shipment}`))
    const taken = await queryInParts(shipments, (part) =>
      transaction.all(
        `select shipment_id from sends where ${LIVE} and scope = ? and shipment_id in (${placeholders(part)})
          union select c.shipment_id from collected c join sends s on s.id = c.send_id
            where c.scope = ? and c.shipment_id in (${placeholders(part)}) and ${LIVE}`,
        [scope, ...part, scope, ...part],
      ),
    )
    const known = new Set(taken.map(({ shipment_id: shipment }) => String(shipment)))
    const now = new Date(await transaction.now()).toISOString()
    const added = shipments.filter((shipment) => !known.has(shipment))
    await insertRows(
      transaction,
      "collected",
      added.map((shipment) => ({ scope, shipment_id: shipment, send_id: id, noted_at: now })),
      " on conflict do nothing",
    )
  })
}

/**
 * Shipments that wait before the carrier was told, oldest first. Shipments that the ledger knows as cancelled, or that
 * have a pickup of their own by now, do not wait.
 * @param within the accounts, or one pickup by its id in the ledger; all accounts where none is given
 */
export async function findNotYetReported(
  statements: Statements,
  { scopes, pickupId }: { scopes?: readonly string[] | undefined; pickupId?: string },
): Promise<NotYetReported[]> {
  const rows = await statements.all(
    `select c.shipment_id, c.send_id, c.noted_at from collected c
      join sends p on p.id = c.send_id and p.state = 'done'
      left join sends on sends.shipment_id = c.shipment_id and sends.kind = 'shipment' and sends.scope = c.scope
      ${JOURNEYED}
      where c.noted_at is not null and c.told_at is null and ${IS_CANCELLED} = 0
        and not exists (select 1 from sends o where o.kind = 'pickup' and o.scope = c.scope
          and o.shipment_id = c.shipment_id and o.state in ('done', 'unknown') and o.id <> c.send_id)
        ${pickupId === undefined ? "" : "and c.send_id = ?"}${inScopes(scopes, "c.scope")}
      order by c.noted_at, c.shipment_id`,
    [...(pickupId === undefined ? [] : [pickupId]), ...(scopes ?? [])],
  )
  return rows.map((row) => ({
    shipmentId: String(row.shipment_id),
    pickupId: String(row.send_id),
    notedAt: String(row.noted_at),
  }))
}

/** Whether a shipment waits for a pickup and is not in it yet. */
export async function isWaitingFor(
  statements: Statements,
  { id }: Pick<Entry, "id">,
  shipmentId: string,
): Promise<boolean> {
  const rows = await statements.all(
    `select 1 from collected where send_id = ? and shipment_id = ? and ${IS_UNTOLD}`,
    [id, shipmentId],
  )
  return rows.length > 0
}

/**
 * Records that the carrier was told of shipments that wait for a pickup: from now on they belong to it.
 * @param who the person who was told
 * @returns how many of them were not recorded as told before
 */
export async function tellOfAdded(
  database: Database,
  pickupId: string,
  shipments: readonly string[],
  { who, workstation, person }: Sender & { who: string },
): Promise<number> {
  return database.transaction(async (transaction) => {
    const now = new Date(await transaction.now()).toISOString()
    const by = [person, workstation].filter(Boolean).join(" at ")
    return transaction.run(
      `update collected set told_at = ?, told_to = ?, told_by = ?
        where send_id = ? and shipment_id in (${placeholders(shipments)}) and ${IS_UNTOLD}`,
      [now, who, by, pickupId, ...shipments],
    )
  })
}

/** When the carrier was last told of shipments for a pickup, and who was told; undefined if never. */
export async function findLastTold(
  statements: Statements,
  pickupId: string,
): Promise<{ at: string; to: string; by: string } | undefined> {
  const [row] = await statements.all(
    "select told_at, told_to, told_by from collected where send_id = ? and told_at is not null order by told_at desc limit 1",
    [pickupId],
  )
  return row && { at: String(row.told_at), to: String(row.told_to), by: String(row.told_by) }
}
