/** API keys as the ledger knows them. Each belongs to a scope: the account within which keys and contents are compared. */
import { hash } from "node:crypto"
import type { Api } from "../../contract/index.ts"
import { describeColumns } from "../database/columns.ts"
import type { Statements, Transaction } from "../database/database.ts"
import { insertRows, placeholders } from "../database/sql.ts"

/** The answer to a key that asked for another key's shipment. Times are ISO 8601 in UTC. */
export interface Look {
  /** It was shown the shipment: both belong to one account. */
  seenAt?: string
  /** The first and the last time that the shipment was not there. */
  missedAt?: string
  missedAgainAt?: string
  /** When the two were proven to belong to two accounts. */
  apartAt?: string
}

export interface ServiceKey {
  /** Fingerprint and address: the same key at another address may be another account's. */
  id: string
  fingerprint: string
  address: string
  api: Api
  scope: string
  /** The setting `account` of the profile that used it last. */
  name?: string
  workstation: string
  firstUsedAt: string
  /** When its connectors were listed last. */
  checkedAt?: string
  /**
   * Every connector that it was ever shown: switched-off ones are not listed. For a key that prints: the accounts in
   * which it has printed.
   */
  connectors: readonly string[]
  /** By the id of the other key. */
  looks: Readonly<Record<string, Look>>
  hasShipment: boolean
}

/** The account that a key belongs to, and why: see `accounts/`. */
export const API_KEYS = describeColumns<Omit<ServiceKey, "id">>({
  fingerprint: "text not null",
  address: "text not null",
  api: "text not null check (api in ('freight', 'direct-print'))",
  scope: "text not null",
  name: ["account_name", "text"],
  workstation: "text not null",
  firstUsedAt: "text not null",
  checkedAt: "text",
  connectors: "json not null",
  looks: "json not null",
  hasShipment: "flag not null",
})

/** The address of the embedded sandbox, whatever its port. */
export const SANDBOX_ADDRESS = "sandbox"

/** A fingerprint that may be stored instead of the API key. */
export function fingerprint(key: string): string {
  return hash("sha256", key).slice(0, 12)
}

export function keyId(key: Pick<ServiceKey, "fingerprint" | "address">): string {
  return `${key.fingerprint}@${key.address}`
}

/** A service's address in one normal form. */
export function serviceAddress(baseUrl: string): string {
  if (!URL.canParse(baseUrl)) return baseUrl
  const { hostname, port, pathname } = new URL(baseUrl)
  const host = /^(127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname) ? "localhost" : hostname.replace(/\.$/, "")
  return `${host}${port && `:${port}`}${pathname.replace(/(?<!\/)\/+$/, "")}`
}

/** Whether an address is on this machine: another service may run there each day. */
export function isLocal(address: string): boolean {
  return address === SANDBOX_ADDRESS || /^localhost(?![\w.-])/.test(address)
}

/** All keys, those that were used first in front. */
export async function readKeys(statements: Pick<Statements, "all">): Promise<ServiceKey[]> {
  const rows = await statements.all("select * from api_keys order by first_used_at, fingerprint, address")
  return rows.map((row) => {
    const key = API_KEYS.read(row)
    return { ...key, id: keyId(key) }
  })
}

export async function writeKey(transaction: Transaction, key: ServiceKey): Promise<void> {
  await transaction.run("delete from api_keys where fingerprint = ? and address = ?", [
    key.fingerprint,
    key.address,
  ])
  await insertRows(transaction, "api_keys", [API_KEYS.write(key)])
}

/** The scopes of those keys that the ledger knows, by their ids. */
export async function knownScopes(
  database: Pick<Statements, "all">,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await database.all(
    `select distinct scope from api_keys where fingerprint || '@' || address in (${placeholders(ids)}) order by scope desc`,
    ids,
  )
  return rows.map(({ scope }) => String(scope))
}
