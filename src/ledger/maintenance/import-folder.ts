/** Imports the ledger of freight 0.1, a folder of JSON files: once, whole or not at all. The folder stays. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import path from "node:path"
import { FreightError } from "../../errors.ts"
import { hasCode } from "../../system.ts"
import { importedScope } from "../accounts.ts"
import type { Database, Transaction } from "../database/database.ts"
import { type Entry, idOf, KINDS, STATES } from "../entry.ts"
import { toRow, insertRows } from "../database/rows.ts"

/** An entry as freight 0.1 wrote it. */
type OldEntry = Omit<Entry, "id" | "scope" | "keyGiven" | "sender"> & { version: 1; owner: { host: string } }

const NOTE = "TAKEN-OVER.txt"

/** The ledgers of freight 0.1 that were not imported yet: one for each service, and one of the sandbox. */
export function oldLedgers(folder: string, isSandbox: boolean): string[] {
  const services = isSandbox ? ["."] : listNames(folder).filter((name) => name !== "sandbox")
  return services
    .map((name) => path.join(folder, name, "ledger"))
    .filter((folder) => existsSync(path.join(folder, "entries")) && !existsSync(path.join(folder, NOTE)))
}

/**
 * Imports one, unless that was done.
 * @param source names the folder among those of all workstations
 * @returns how many entries it has; undefined when it was taken over before
 * @throws FreightError `config` when a file of it cannot be read: then nothing of it is taken over
 */
export async function importFolder(
  database: Database,
  folder: string,
  source: string,
): Promise<number | undefined> {
  const entries = readOldEntries(folder)
  const service = path.basename(path.dirname(folder))
  const imported = await database.transaction(async (transaction) => {
    await transaction.lock(["freight ledger import"])
    const [before] = await transaction.all("select source from imports where source = ?", [source])
    if (before) return false
    const now = new Date(await transaction.now()).toISOString()
    const scopes = await addAccounts(transaction, entries, service, now)
    // Oldest first: the attempts of a key are counted in the order in which they were made.
    for (const old of entries) {
      const entry = await toEntry(transaction, old, scopes.get(old.account) ?? importedScope(old), service)
      await insertRows(transaction, "sends", [toRow(entry, `import ${entry.id}`)])
    }
    await insertRows(transaction, "imports", [{ source, imported_at: now, entries: entries.length }])
    return true
  })
  leaveNote(folder, database.place)
  return imported ? entries.length : undefined
}

/** @returns the scope of each account, which may have been known by an older key */
async function addAccounts(
  transaction: Transaction,
  entries: readonly OldEntry[],
  service: string,
  now: string,
): Promise<Map<string, string>> {
  const address = service.replace(/^(127\.\d+\.\d+\.\d+|\[::1\])/, "localhost")
  const accounts = new Map(entries.map((entry) => [entry.account, importedScope(entry)]))
  accounts.delete("")
  const used = Array.from(accounts, ([account, scope]) => ({ account, scope, address, first_used_at: now }))
  await insertRows(transaction, "accounts", used, " on conflict do nothing")
  const rows = await transaction.all("select account, scope from accounts")
  return new Map(rows.map(({ account, scope }) => [String(account), String(scope)]))
}

async function toEntry(
  transaction: Transaction,
  old: OldEntry,
  scope: string,
  service: string,
): Promise<Entry> {
  const { version: _, owner, ...kept } = old
  const isLive = old.state === "done" || old.state === "unknown"
  // Two spellings of one address had a ledger each, and a key could be booked in both.
  const isTwice = isLive && (await isTaken(transaction, scope, old))
  const key = isTwice ? `key:${old.key.replace(/^key:/, "")} (${service})` : old.key
  const under = idOf(scope, old.kind, key)
  const [last] = await transaction.all(
    "select attempt from sends where id like ? order by attempt desc limit 1",
    [`${under}.%`],
  )
  const attempt = Number(last?.attempt ?? 0) + 1
  const { shipmentId, consignmentNumber, orderNumber } = Object(old.response) as Partial<
    Record<string, string>
  >
  const entry: Entry = {
    ...kept,
    id: `${under}.${attempt}`,
    scope,
    key,
    keyGiven: key.startsWith("key:"),
    attempt,
    sender: { workstation: owner.host, person: "" },
    facts: {
      ...old.facts,
      ...(old.kind === "shipment" && shipmentId !== undefined && { shipmentId }),
      ...(consignmentNumber !== undefined && { consignmentNumber }),
      ...(orderNumber !== undefined && { orderNumber }),
    },
  }
  return leaveToOwner(transaction, entry)
}

/** Whether an entry that may exist, or is open, has the key; of those without a key, the content. */
async function isTaken(
  transaction: Transaction,
  scope: string,
  { kind, key, state }: OldEntry,
): Promise<boolean> {
  const [condition, value] = key.startsWith("key:")
    ? ["idempotency_key = ? and state in ('unknown', 'done')", key.slice("key:".length)]
    : ["key_given = 0 and state = 'unknown' and content_hash = ?", key.replace(/^content:/, "")]
  if (!key.startsWith("key:") && state !== "unknown") return false
  const found = await transaction.all(`select id from sends where scope = ? and kind = ? and ${condition}`, [
    scope,
    kind,
    value,
  ])
  return found.length > 0
}

/** The old ledger could settle two entries as one shipment: which one made it is not known. */
async function leaveToOwner(transaction: Transaction, entry: Entry): Promise<Entry> {
  const { shipmentId, ...facts } = entry.facts
  if (entry.kind !== "shipment" || shipmentId === undefined) return entry
  const [owner] = await transaction.all(
    "select id from sends where scope = ? and kind = 'shipment' and shipment_id = ?",
    [entry.scope, shipmentId],
  )
  if (!owner) return entry
  const { settledAt: _, response: __, ...open } = entry
  const note = `The old ledger had shipment ${shipmentId} here and at ${owner.id}: check whether this one was made.`
  return { ...open, facts, note, ...(entry.state === "done" && { state: "unknown" }) }
}

function readOldEntries(folder: string): OldEntry[] {
  const entries: OldEntry[] = []
  for (const shard of listNames(path.join(folder, "entries")))
    for (const name of listNames(path.join(folder, "entries", shard))) {
      if (!/-[0-9a-f]{16}\.\d+\.json$/.test(name)) continue
      const file = path.join(folder, "entries", shard, name)
      const entry = parseEntry(readFileSync(file, "utf8"), name.replace(/\.json$/, ""))
      if (!entry)
        throw new FreightError(
          "config",
          `the old ledger cannot be imported: ${file} cannot be read; nothing was sent`,
          {
            hint: "It may record something that exists. Check whether it does; then move the file away and run this again.",
          },
        )
      entries.push(entry)
    }
  return entries.sort((a, b) =>
    a.sentAt === b.sentAt ? a.attempt - b.attempt : a.sentAt < b.sentAt ? -1 : 1,
  )
}

/** A file has one entry, or one on each line, beginning with its place. */
function parseEntry(text: string, slot: string): OldEntry | undefined {
  try {
    const start = `{"slot":"${slot}",`
    const one = text.startsWith('{"slot":')
      ? `{${text
          .split("\n")
          .find((line) => line.startsWith(start))
          ?.slice(start.length)}`
      : text
    const value: unknown = JSON.parse(one)
    return isOldEntry(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isOldEntry(value: unknown): value is OldEntry {
  const { version, kind, key, account, content, attempt, state, sentAt, owner, facts, call } = Object(
    value,
  ) as Partial<OldEntry>
  return (
    version === 1 &&
    KINDS.some((each) => each === kind) &&
    STATES.some((each) => each === state) &&
    [key, account, content, call].every((text) => typeof text === "string") &&
    !Number.isNaN(Date.parse(String(sentAt))) &&
    typeof attempt === "number" &&
    typeof owner?.host === "string" &&
    typeof facts === "object" &&
    facts !== null
  )
}

function leaveNote(folder: string, place: string): void {
  try {
    writeFileSync(
      path.join(folder, NOTE),
      `The ledger is now in ${place}.\nfreight does not read this folder any more; you may keep it as a copy.\n`,
    )
  } catch {
    // The database records the import; the note is for people.
  }
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder).sort()
  } catch (error) {
    if (hasCode(error, "ENOENT") || hasCode(error, "ENOTDIR")) return []
    throw error
  }
}
