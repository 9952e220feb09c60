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
  const services = isSandbox ? ["."] : namesIn(folder).filter((name) => name !== "sandbox")
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
  const entries = readOld(folder)
  const address = path.basename(path.dirname(folder)).replace(/^(127\.\d+\.\d+\.\d+|\[::1\])/, "localhost")
  const imported = await database.transaction(async (transaction) => {
    await transaction.lock(["freight ledger import"])
    const [before] = await transaction.all("select source from imports where source = ?", [source])
    if (before) return false
    const now = new Date(await transaction.now()).toISOString()
    await insertOld(transaction, entries, path.basename(path.dirname(folder)))
    for (const entry of new Map(
      entries.map((each) => [`${each.account} ${importedScope(each)}`, each]),
    ).values())
      if (entry.account !== "")
        await transaction.run(
          "insert into accounts (account, scope, address, first_used_at) values (?, ?, ?, ?) on conflict (account) do nothing",
          [entry.account, importedScope(entry), address, now],
        )
    const counts = [source, now, entries.length]
    await transaction.run("insert into imports (source, imported_at, entries) values (?, ?, ?)", counts)
    return true
  })
  leaveNote(folder, database.place)
  return imported ? entries.length : undefined
}

/** Oldest first: the attempts of a key are counted in the order in which they were made. */
async function insertOld(
  transaction: Transaction,
  entries: readonly OldEntry[],
  service: string,
): Promise<void> {
  const rows: ReturnType<typeof toRow>[] = []
  const shipments = new Map<string, string>()
  for (const old of entries) {
    const made = await newEntry(transaction, old, service)
    const { shipmentId } = made.facts
    const owner = shipmentId === undefined ? undefined : shipments.get(`${made.scope} ${shipmentId}`)
    if (made.kind === "shipment" && made.state === "done" && shipmentId !== undefined) {
      if (owner === undefined) shipments.set(`${made.scope} ${shipmentId}`, made.id)
      else {
        // The old ledger could settle two entries as one shipment: which one made it is not known.
        const { shipmentId: _, ...facts } = made.facts
        made.state = "unknown"
        made.facts = facts
        made.note = `The old ledger had shipment ${shipmentId} here and at ${owner}: check whether this one was made.`
        delete made.settledAt
        delete made.response
      }
    }
    rows.push(toRow(made, `import ${made.id}`))
    await insertRows(transaction, rows.splice(0))
  }
}

async function newEntry(transaction: Transaction, old: OldEntry, service: string): Promise<Entry> {
  const { version: _, owner, key: oldKey, ...kept } = old
  const scope = importedScope(old)
  let key = oldKey
  const under = (name: string) => idOf(scope, old.kind, name)
  const live = async (name: string) =>
    name.startsWith("key:") &&
    (
      await transaction.all(
        "select id from sends where scope = ? and kind = ? and idempotency_key = ? and state in ('unknown', 'done')",
        [scope, old.kind, name.replace(/^key:/, "")],
      )
    ).length > 0
  // Two spellings of one address had a ledger each, and a key could be booked in both.
  if ((old.state === "done" || old.state === "unknown") && (await live(key))) key = `${key} (${service})`
  const last = await transaction.all(
    "select attempt from sends where id like ? order by attempt desc limit 1",
    [`${under(key)}.%`],
  )
  const attempt = Number(last[0]?.attempt ?? 0) + 1
  const { shipmentId, consignmentNumber, orderNumber } = Object(old.response) as Partial<
    Record<string, string>
  >
  return {
    ...kept,
    id: `${under(key)}.${attempt}`,
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
}

function readOld(folder: string): OldEntry[] {
  const entries: OldEntry[] = []
  for (const shard of namesIn(path.join(folder, "entries")))
    for (const name of namesIn(path.join(folder, "entries", shard))) {
      if (!/-[0-9a-f]{16}\.\d+\.json$/.test(name)) continue
      const file = path.join(folder, "entries", shard, name)
      const entry = entryIn(readFileSync(file, "utf8"), name.replace(/\.json$/, ""))
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
function entryIn(text: string, slot: string): OldEntry | undefined {
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

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort()
  } catch (error) {
    if (hasCode(error, "ENOENT") || hasCode(error, "ENOTDIR")) return []
    throw error
  }
}
