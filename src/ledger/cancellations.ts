/**
 * Cancellations, and their reversals, that a carrier gives on the phone. Neither API reports them, so a person does.
 * They are kept with the entry and do not change its outcome: its key stays taken.
 */
import { FreightError } from "../base/errors.ts"
import type { Database, Statements, Transaction } from "./database/database.ts"
import { inScopes, placeholders, queryInParts } from "./database/sql.ts"
import type { Cancellation, Entry, Sender } from "./entry.ts"
import { readOwn } from "../contract/index.ts"
import { CANCELLED, toEntry } from "./entry-rows.ts"
import { getFirstKey } from "./order.ts"

export interface Noted {
  entry: Entry
  /** False if another command had recorded it before, and that record stays. */
  isNew: boolean
}

/**
 * Records that a carrier has cancelled a booking.
 * @param confirmedBy the person at the carrier: a name or a number
 * @throws FreightError `refused` if it is not booked now
 */
export function noteCancelled(
  database: Database,
  id: string,
  { confirmedBy, by }: Pick<Cancellation, "confirmedBy" | "by">,
): Promise<Noted> {
  return change(database, id, (entry, at) =>
    entry.cancelledAt === undefined
      ? { cancelledAt: at, cancellations: [...(entry.cancellations ?? []), { confirmedBy, at, by }] }
      : undefined,
  )
}

/** Reverses the cancellation: the booking is valid again. @throws FreightError as `noteCancelled` does */
export function takeBackCancelled(
  database: Database,
  id: string,
  { why, by }: { why: string; by: Sender },
): Promise<Noted> {
  return change(database, id, ({ cancelledAt, cancellations = [] }, at) => {
    const last = cancellations.at(-1)
    if (cancelledAt === undefined || !last) return undefined
    return { cancellations: [...cancellations.slice(0, -1), { ...last, takenBack: { why, at, by } }] }
  })
}

/** @param decide the row to write; undefined if it exists */
function change(
  database: Database,
  id: string,
  decide: (entry: Entry, at: string) => Pick<Entry, "cancelledAt" | "cancellations"> | undefined,
): Promise<Noted> {
  return database.transaction(async (transaction) => {
    const { kind = "shipment", key = "" } = (await read(transaction, id)) ?? {}
    // The names by which a claim in its place waits: see `lockNames`. Its key may be that of a later consignment.
    await transaction.lock([key, getFirstKey(key) ?? key].map((name) => `${kind}/${name}`))
    const entry = await read(transaction, id)
    if (entry?.state !== "done" || entry.kind !== "shipment")
      throw new FreightError("refused", `${id} is not a booking that can be cancelled: nothing was written`, {
        next: "freight reconcile",
      })
    const { cancelledAt: _, ...rest } = entry
    const changed = decide(entry, new Date(await transaction.now()).toISOString())
    if (changed === undefined) return { entry, isNew: false }
    const row = CANCELLED.write(changed)
    await transaction.run("update sends set cancelled_at = ?, cancellations = ? where id = ?", [
      row.cancelled_at ?? null,
      row.cancellations ?? null,
      id,
    ])
    return { entry: { ...rest, ...changed }, isNew: true }
  })
}

async function read(transaction: Transaction, id: string): Promise<Entry | undefined> {
  const [row] = await transaction.all("select * from sends where id = ?", [id])
  return row && toEntry(row)
}

/**
 * The bookings of those shipments that no driver collects: their carrier has cancelled them on the phone, or the goods
 * are brought.
 */
export async function findUncollected(
  statements: Statements,
  scopes: readonly string[] | undefined,
  shipments: readonly string[],
): Promise<Entry[]> {
  const rows = await queryInParts(shipments, (part) =>
    statements.all(
      `select * from sends where kind = 'shipment' and shipment_id in (${placeholders(part)})${inScopes(scopes)}`,
      [...part, ...(scopes ?? [])],
    ),
  )
  const isBrought = ({ facts: { own } }: Entry) => readOwn(own).dropOff === true
  return rows.map(toEntry).filter((entry) => entry.cancelledAt !== undefined || isBrought(entry))
}
