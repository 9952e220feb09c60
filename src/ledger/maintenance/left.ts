/** The ledger that a desk used before: the ledger that replaced it does not know its bookings. */
import { existsSync } from "node:fs"
import { nextCommand } from "../../base/command-line.ts"
import { counted } from "../../base/counted.ts"
import { FreightError } from "../../base/errors.ts"
import { knownScopes } from "../accounts/keys.ts"
import type { Database, Statements } from "../database/database.ts"
import { placeholders } from "../database/sql.ts"
import { readVersion } from "../schema.ts"
import { type LedgerPorts, ledgerFile, openDatabase } from "../open.ts"
import type { Store } from "../store.ts"

interface LeftLedger {
  file: string
  /** Recent bookings of the account that the ledger in use lacks. */
  bookings: number
}

/** Older bookings no longer matter to any file that is run again. */
const TOLD_FOR_MS = 30 * 86_400_000

/**
 * Searches files that this desk may have used for its ledger.
 * @param files in any order; missing and unreadable ones are left out
 * @param current the ledger in use
 * @param keys ids of the API keys in use
 */
async function findLeftLedger(
  files: readonly string[],
  current: Pick<Database, "place" | "all" | "now"> | undefined,
  keys: readonly string[],
  open: (file: string) => Promise<Database>,
): Promise<LeftLedger | undefined> {
  for (const file of new Set(files)) {
    if (file === current?.place || !existsSync(file)) continue
    let before: Database | undefined
    try {
      before = await open(file)
      if ((await readVersion(before)) === 0) continue
      const bookings = await listBookings(before, keys)
      const known = current ? await findAmong(current, bookings) : new Set<string>()
      const missing = bookings.filter((id) => !known.has(id))
      if (missing.length > 0) return { file, bookings: missing.length }
    } catch (error) {
      // It is not in use, so its errors do not matter.
      if (error instanceof FreightError && error.kind === "interrupted") throw error
    } finally {
      await before?.close().catch(() => {})
    }
  }
  return undefined
}

/** Shipments that are compared: one missing is enough. */
const MAX_ROWS = 500

async function listBookings(before: Database, keys: readonly string[]): Promise<string[]> {
  const scopes = await knownScopes(before, keys)
  if (scopes.length === 0) return []
  const since = new Date((await before.now()) - TOLD_FOR_MS).toISOString()
  const rows = await before.all(
    `select shipment_id from sends where scope in (${placeholders(scopes)}) and kind = 'shipment' and state = 'done'
      and shipment_id is not null and created_at > ? order by created_at desc limit ${MAX_ROWS}`,
    [...scopes, since],
  )
  return rows.map((row) => String(row.shipment_id))
}

async function findAmong(current: Pick<Statements, "all">, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await current.all(
    `select shipment_id from sends where kind = 'shipment' and shipment_id in (${placeholders(ids)})`,
    ids,
  )
  return new Set(rows.map((row) => String(row.shipment_id)))
}

/**
 * Finds entries of the default file in one of these state folders that the ledger in use lacks.
 * @param key id of the API key in use
 */
export async function findLeftBeside(
  folders: readonly string[],
  { store, place }: { store: Pick<Store, "database"> | undefined; place: string },
  key: string,
  ports: LedgerPorts,
) {
  const files = folders.map(ledgerFile).filter((file) => file !== place)
  const open = (file: string) => openDatabase(file, "ledger", ports, true)
  const left = await findLeftLedger(files, store?.database, [key], open)
  return left && describeLeft(left, place)
}

/** @param place where the ledger in use is */
function describeLeft({ file, bookings }: LeftLedger, place: string) {
  const copy = nextCommand("freight", "ledger", "copy", "--from-ledger", file, "--to-ledger", place)
  return {
    message: `the ledger in ${file}, which this workstation used before, has ${counted(bookings, "booking")} of this account that the ledger in ${place} does not have: they could be booked again`,
    /** How to copy them, as a sentence, because no command line is right for every shell. */
    how: `To have them there: ${copy.next ?? "freight ledger copy --from-ledger FILE --to-ledger FILE"}`,
    ...copy,
  }
}
