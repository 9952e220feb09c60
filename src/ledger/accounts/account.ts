/**
 * Finds the account that a ledger entry belongs to. All freight keys at one address count as one account, unless they
 * are proven apart: a refused booking can be repeated, and a double booking cannot be undone.
 */
import type { FreightApi } from "../../api/index.ts"
import { FreightError } from "../../base/errors.ts"
import type { Database, Statements, Transaction } from "../database/database.ts"
import { joinScopes, leaveScope, moveScope } from "./join.ts"
import { isLocal, keyId, type Look, readKeys, SANDBOX_ADDRESS, type ServiceKey, writeKey } from "./keys.ts"
import { ASKED_AGAIN_MS, relate } from "./relation.ts"

/** A key as its command knows it. */
export type OwnKey = Pick<ServiceKey, "fingerprint" | "address" | "api" | "name" | "workstation">

export interface Account {
  /** The key: its fingerprint and address. */
  readonly id: string
  readonly fingerprint: string
  /** As of the last look into the ledger: accounts are joined. */
  scope: string
  /** As of then, this scope and those of all that may be the same account. */
  compared?: readonly string[]
  /** The printing key's own id and address. */
  readonly printing?: Pick<ServiceKey, "id" | "address">
}

/** The service's answers to a key. */
export interface AccountService {
  /** Ids of the connectors that `GET /connectors` lists: those of the tenant that are active. */
  listConnectors(): Promise<readonly string[]>
  /** Whether the key is shown a shipment. */
  sees(shipmentId: string): Promise<boolean>
}

/** Connectors change, and keys are added and removed: a key's connectors are listed again after this time. */
const LISTED_FOR_MS = 24 * 3_600_000

/**
 * The account of a freight key. Lists its connectors before its first claim and once a day, asks whether it sees the
 * newest shipments of other accounts, and joins those that turn out to be one with it.
 */
export async function openAccount(
  database: Database,
  own: OwnKey,
  service: AccountService,
): Promise<Account> {
  const id = keyId(own)
  const now = await database.now()
  const keys = await readKeys(database)
  const known = keys.find((key) => key.id === id)
  const hasNewName = own.name !== undefined && own.name !== known?.name
  const isDue = hasNewName || !(now - Date.parse(known?.checkedAt ?? "") < LISTED_FOR_MS)
  const connectors = isDue ? await listConnectors(service, known !== undefined) : undefined
  const looks = await lookAtOthers(database, keys, { ...own, id }, service, { now, isDue })
  if (known && !isDue && looks.size === 0) return { id, fingerprint: own.fingerprint, scope: known.scope }
  return database.transaction(async (transaction) => {
    await transaction.lock([ACCOUNTS])
    const scope = await updateKey(transaction, { ...own, id }, connectors, looks)
    return { id, fingerprint: own.fingerprint, scope }
  })
}

/** The lock that a claim's transaction shares, and that a change of accounts takes alone. */
export const ACCOUNTS = "freight accounts"

/** @returns undefined if they cannot be listed now and the key is known: then the recorded ones count */
async function listConnectors(
  service: AccountService,
  isKnown: boolean,
): Promise<readonly string[] | undefined> {
  try {
    return await service.listConnectors()
  } catch (error) {
    if (!isKnown || !(error instanceof FreightError) || error.kind === "interrupted") throw error
    return undefined
  }
}

/**
 * Asks for the newest shipment of every account that is not known to be this key's: where there is one, for
 * one that is not so new that it may be shown late.
 */
async function lookAtOthers(
  database: Database,
  keys: readonly ServiceKey[],
  own: OwnKey & { id: string },
  service: AccountService,
  { now, isDue }: { now: number; isDue: boolean },
): Promise<Map<string, Look>> {
  const found = new Map<string, Look>()
  const known = keys.find(({ id }) => id === own.id)
  for (const [scope, others] of groupByScope(keys)) {
    if (scope === known?.scope) continue
    const isNear = others.some(({ address }) => address === own.address)
    if (!isNear && (isLocal(own.address) || others.every(({ address }) => isLocal(address)))) continue
    const mine = known ? keys.filter((key) => key.scope === known.scope) : []
    if (mine.length > 0 && !isDue && relate(mine, others).is !== "unknown") continue
    const minuteAgo = new Date(now - ASKED_AGAIN_MS).toISOString()
    const newest =
      (await findNewestShipment(database, scope, minuteAgo)) ?? (await findNewestShipment(database, scope))
    if (!newest) continue
    const other = others.find(({ fingerprint }) => fingerprint === newest.account) ?? others[0]
    if (!other) continue
    const before = known?.looks[other.id]
    const last = before?.missedAgainAt ?? before?.missedAt
    if (last !== undefined && now - Date.parse(last) < ASKED_AGAIN_MS) continue
    const look = await lookAt(service, newest.shipmentId, before, new Date(now).toISOString())
    if (look) found.set(other.id, look)
  }
  return found
}

/** @returns undefined where the service does not say: that proves nothing */
async function lookAt(
  service: AccountService,
  shipmentId: string,
  before: Look | undefined,
  at: string,
): Promise<Look | undefined> {
  try {
    if (await service.sees(shipmentId)) return { ...before, seenAt: at }
    return before?.missedAt === undefined ? { ...before, missedAt: at } : { ...before, missedAgainAt: at }
  } catch (error) {
    if (error instanceof FreightError && error.kind !== "interrupted") return undefined
    throw error
  }
}

async function findNewestShipment(
  database: Statements,
  scope: string,
  settledBy?: string,
): Promise<{ shipmentId: string; account: string } | undefined> {
  const isSettled = settledBy === undefined ? "" : " and settled_at <= ?"
  const [row] = await database.all(
    `select shipment_id, account from sends where scope = ? and kind = 'shipment' and state = 'done'
      and shipment_id is not null${isSettled} order by created_at desc limit 1`,
    [scope, ...(settledBy === undefined ? [] : [settledBy])],
  )
  return row && { shipmentId: String(row.shipment_id), account: String(row.account) }
}

/** Records new facts about a key, and decides which accounts are one. @returns its scope */
async function updateKey(
  transaction: Transaction,
  own: OwnKey & { id: string },
  connectors: readonly string[] | undefined,
  looks: ReadonlyMap<string, Look>,
): Promise<string> {
  const now = new Date(await transaction.now()).toISOString()
  const keys = await readKeys(transaction)
  const known = keys.find(({ id }) => id === own.id)
  const name = own.name ?? known?.name
  let scope = known?.scope ?? newScope(own, keys)
  if (known && name !== undefined && hasOtherName(keys, known, name)) {
    scope = `${own.api}:${own.id}/${name}`
    await leaveScope(transaction, known, scope)
  }
  await writeKey(transaction, {
    firstUsedAt: now,
    ...known,
    ...own,
    ...(name !== undefined && { name }),
    scope,
    ...(connectors && { checkedAt: now }),
    connectors: [...new Set([...(known?.connectors ?? []), ...(connectors ?? [])])],
    looks: { ...known?.looks, ...Object.fromEntries(looks) },
    hasShipment: (await findNewestShipment(transaction, scope)) !== undefined,
  })
  return settleAccounts(transaction, own.id)
}

/**
 * Joins the accounts that are one with a key's account, and notes those that are proven apart. @returns the key's scope
 */
export async function settleAccounts(transaction: Transaction, id: string): Promise<string> {
  for (;;) {
    const keys = await readKeys(transaction)
    const own = keys.find((key) => key.id === id)
    if (!own) throw new TypeError(`the key ${id} is not in the ledger`)
    const groups = groupByScope(keys)
    const mine = groups.get(own.scope) ?? []
    groups.delete(own.scope)
    const one = [...groups].find(([, others]) => relate(mine, others).is === "one")
    if (!one) {
      await noteApart(transaction, own, mine, groups)
      return own.scope
    }
    await joinScopes(transaction, keys, own.scope, one[0])
  }
}

/** A proof holds for good: their later bookings need not be asked about. */
async function noteApart(
  transaction: Transaction,
  own: ServiceKey,
  mine: readonly ServiceKey[],
  groups: ReadonlyMap<string, readonly ServiceKey[]>,
): Promise<void> {
  const at = new Date(await transaction.now()).toISOString()
  const looks = { ...own.looks }
  for (const others of groups.values()) {
    const seen = others.filter(({ id }) => looks[id] !== undefined && looks[id].apartAt === undefined)
    if (seen.length === 0 || relate(mine, others).is !== "apart") continue
    for (const { id } of seen) looks[id] = { ...looks[id], apartAt: at }
  }
  if (JSON.stringify(looks) !== JSON.stringify(own.looks)) await writeKey(transaction, { ...own, looks })
}

/**
 * A person names the account of a key.
 * @returns the name that it had
 * @throws FreightError `notFound` when the ledger knows no key with the fingerprint
 */
export function setAccountName(
  database: Database,
  fingerprint: string,
  name: string,
): Promise<string | undefined> {
  return database.transaction(async (transaction) => {
    await transaction.lock([ACCOUNTS])
    const named = (await readKeys(transaction)).filter((key) => key.fingerprint === fingerprint)
    if (named.length === 0)
      throw new FreightError("notFound", `the ledger knows no API key ${fingerprint}`, {
        next: "freight ledger status",
      })
    for (const key of named) await writeKey(transaction, { ...key, name })
    for (const { id, api } of named) if (api === "freight") await settleAccounts(transaction, id)
    return named[0]?.name
  })
}

/** A person says that a key of the account is another account's. */
function hasOtherName(keys: readonly ServiceKey[], known: ServiceKey, name: string): boolean {
  return keys.some(
    (key) => key.scope === known.scope && key.id !== known.id && key.name !== undefined && key.name !== name,
  )
}

function newScope({ api, fingerprint, address }: OwnKey, keys: readonly ServiceKey[]): string {
  const scope = `${api}:${fingerprint}`
  const isTaken = address !== SANDBOX_ADDRESS && keys.some((key) => key.scope === scope)
  return isTaken ? `${scope}@${address}` : scope
}

/** The freight accounts that the ledger knows. */
function groupByScope(keys: readonly ServiceKey[]): Map<string, ServiceKey[]> {
  const groups = new Map<string, ServiceKey[]>()
  for (const key of keys)
    if (key.api === "freight") groups.set(key.scope, [...(groups.get(key.scope) ?? []), key])
  return groups
}

/**
 * The account of a key that prints. Its freight key decides it; without one, all keys that print at an address share
 * one account.
 * @param owner the account of the freight key of the same profile
 */
export function openPrintAccount(
  database: Database,
  own: OwnKey,
  owner: Account | undefined,
): Promise<Account> {
  const id = keyId(own)
  const shared = printScope(own.address)
  return database.transaction(async (transaction) => {
    await transaction.lock([ACCOUNTS])
    // Earlier versions gave each key that prints an account of its own.
    const earlier = `${own.api}:${own.fingerprint}`
    if ((await readKeys(transaction)).some((key) => key.scope === earlier))
      await moveScope(transaction, earlier, shared)
    const keys = await readKeys(transaction)
    const known = keys.find((key) => key.id === id)
    const scope = owner?.scope ?? shared
    if (known?.scope !== scope || known.workstation !== own.workstation)
      await writeKey(transaction, {
        firstUsedAt: new Date(await transaction.now()).toISOString(),
        looks: {},
        hasShipment: false,
        ...known,
        ...own,
        id,
        connectors: [...new Set([...(known?.connectors ?? []), ...(known ? [known.scope] : [])])],
        scope: known && !owner ? known.scope : scope,
      })
    const printing = { id, address: own.address }
    return { id: owner?.id ?? id, fingerprint: own.fingerprint, scope, printing }
  })
}

/** The scope of prints at an address without a freight key. */
export function printScope(address: string): string {
  return `direct-print:${address}`
}

/**
 * A key's earlier prints are in the account of its address, or of another profile with the same key. Without a freight
 * key they share one scope with all that print at the address.
 */
function listPrintScopes(keys: readonly ServiceKey[], { id, printing, scope }: Account): string[] {
  if (!printing) return []
  const isAlone = id === printing.id
  const there = keys.filter(({ api, address }) => api === "direct-print" && address === printing.address)
  const own = there.filter((key) => isAlone || key.id === printing.id)
  const used = own.flatMap((key) => [key.scope, ...key.connectors])
  const scopes = new Set([printScope(printing.address), ...used])
  scopes.delete(scope)
  return [...scopes]
}

/** The scopes that a claim of an account searches. */
export interface Compared {
  scope: string
  /** Entries of these scopes count as the claim's own. */
  own: readonly string[]
  /** Scopes of accounts that may be the same one: their entries prevent the claim. */
  unknown: readonly string[]
  /** Scopes of all other accounts that are not on this machine: two keys of one account may have nothing in common. */
  apart: readonly string[]
}

/** Reads the scopes that a claim has to search now; keeps the account's scope up to date. */
export async function findCompared(statements: Pick<Statements, "all">, account: Account): Promise<Compared> {
  const keys = await readKeys(statements)
  const known = keys.find(({ id }) => id === account.id)
  if (known?.api === "freight") account.scope = known.scope
  const { scope } = account
  const own = [scope, ...listPrintScopes(keys, account)]
  const groups = groupByScope(keys)
  const mine = own.flatMap((each) => groups.get(each) ?? [])
  const unknown = [...groups]
    .filter(
      ([other, others]) => mine.length > 0 && !own.includes(other) && relate(mine, others).is !== "apart",
    )
    .map(([other]) => other)
  account.compared = [...own, ...unknown]
  const distant = isLocal(account.printing?.address ?? known?.address ?? SANDBOX_ADDRESS)
    ? []
    : keys.filter(({ address }) => !isLocal(address))
  const apart = new Set(distant.map((key) => key.scope))
  for (const each of account.compared) apart.delete(each)
  return { scope, own, unknown, apart: [...apart] }
}

/** Asks the service whose key it is. */
export function askingService(freight: () => Promise<FreightApi>): AccountService {
  return {
    listConnectors: async () => (await (await freight()).listConnectors()).connectors.map(({ id }) => id),
    async sees(shipmentId: string) {
      try {
        await (await freight()).getShipment(shipmentId)
        return true
      } catch (error) {
        if (error instanceof FreightError && error.kind === "notFound") return false
        throw error
      }
    },
  }
}
