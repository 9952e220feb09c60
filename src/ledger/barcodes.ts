/**
 * The barcodes of items, which depots and bills quote, with their bookings. Only one carrier gives them, in its reply
 * to a booking.
 */
import { inParts, insertRows } from "./database/sql.ts"
import type { Transaction } from "./database/database.ts"
import type { Entry } from "./entry.ts"

/** As version 22 made it. */
export const CREATE_BARCODES = `create table barcodes (
    barcode text not null,
    send_id text not null,
    primary key (barcode, send_id)
  )`

/** The barcodes in the reply to a booking, one for each item; empty where it has no such list. */
export function listBarcodes(response: unknown): string[] {
  const { barcodes } = Object(response) as { barcodes?: unknown }
  if (!Array.isArray(barcodes)) return []
  return [...new Set(barcodes.filter((each) => typeof each === "string" && each !== ""))]
}

/** Keeps the barcodes of bookings as names of them. */
export async function keepBarcodes(
  transaction: Pick<Transaction, "run">,
  entries: readonly Pick<Entry, "id" | "kind" | "response">[],
): Promise<void> {
  const rows = entries
    .filter(({ kind }) => kind === "shipment")
    .flatMap(({ id, response }) => listBarcodes(response).map((barcode) => ({ barcode, send_id: id })))
  for (const some of inParts(rows)) await insertRows(transaction, "barcodes", some, " on conflict do nothing")
}
