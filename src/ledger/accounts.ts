/**
 * Whose ledger it is. Keys and contents are compared within a scope: one account at one service, however its address is
 * spelled. A key that was replaced, or another key of the same account, has the scope of the first one: it sees that
 * one's shipments.
 */
import { hash } from "node:crypto"
import type { Api } from "../contract/endpoints.ts"
import type { Database } from "./database/database.ts"
import { marks } from "./database/rows.ts"
import type { Entry, State } from "./entry.ts"

/** A fingerprint that may be stored instead of the API key. */
export function fingerprint(key: string): string {
  return hash("sha256", key).slice(0, 12)
}

/** A service's address in one normal form. */
export function serviceAddress(baseUrl: string): string {
  if (!URL.canParse(baseUrl)) return baseUrl
  const { hostname, port, pathname } = new URL(baseUrl)
  const host = /^(127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname) ? "localhost" : hostname.replace(/\.$/, "")
  return `${host}${port && `:${port}`}${pathname.replace(/\/+$/, "")}`
}

interface Account {
  account: string
  api: Api
  address: string
}

/**
 * The scope of an account. One that is seen for the first time is asked whether it sees a shipment of each of the others
 * at its address. Where that cannot be told, since nothing was booked there yet but something may have been, it shares
 * their scope: a booking that is refused can be repeated, and one that is made twice cannot be undone.
 * @param sees whether the account's key is shown a shipment
 * @throws what `sees` throws, and what the database does
 */
export async function scopeOf(
  database: Database,
  { account, api, address }: Account,
  sees: (shipmentId: string) => Promise<boolean>,
): Promise<string> {
  const own = `${api}:${account}`
  const [known] = await knownScopes(database, [account])
  // One in which nothing was sent yet is compared again: when it was first used, the others may have had no shipment.
  if (known !== undefined && (known !== own || (await hasSends(database, own)))) return known
  const scope = (api === "freight" && (await sharedScope(database, address, own, sees))) || own
  if (scope === known) return scope
  await database.run(
    `insert into accounts (account, scope, address, first_used_at) values (?, ?, ?, ?)
      on conflict (account) do update set scope = excluded.scope
      where accounts.scope = ? and not exists (select 1 from sends where sends.scope = ?)`,
    [account, scope, address, new Date(await database.now()).toISOString(), own, own],
  )
  return (await knownScopes(database, [account]))[0] ?? scope
}

/** These scopes, or every one that the ledger knows; never empty, so that a query can name them. */
export async function scopesOrAll(
  database: Database,
  wanted: readonly string[] | undefined,
): Promise<readonly string[]> {
  const rows = wanted ? [] : await database.all("select distinct scope from accounts")
  const scopes = wanted ?? rows.map(({ scope }) => String(scope))
  return scopes.length > 0 ? scopes : [""]
}

/** The scopes of those accounts that the ledger knows. */
export async function knownScopes(database: Database, accounts: readonly string[]): Promise<string[]> {
  if (accounts.length === 0) return []
  const rows = await database.all(
    `select distinct scope from accounts where account in (${marks(accounts)})`,
    accounts,
  )
  return rows.map(({ scope }) => String(scope))
}

async function sharedScope(
  database: Database,
  address: string,
  own: string,
  sees: (shipmentId: string) => Promise<boolean>,
): Promise<string | undefined> {
  const scopes = await database.all(
    "select distinct scope from accounts where address = ? and scope like 'freight:%' and scope <> ? order by scope",
    [address, own],
  )
  for (const { scope = "" } of scopes) {
    const [booked] = await database.all(
      `select shipment_id from sends where scope = ? and kind = 'shipment' and state = 'done' and shipment_id is not null
        order by created_at desc limit 1`,
      [scope],
    )
    if (booked ? await sees(String(booked.shipment_id)) : await hasSends(database, String(scope), "unknown"))
      return String(scope)
  }
  return undefined
}

async function hasSends(database: Database, scope: string, state?: State): Promise<boolean> {
  const found = await database.all(
    `select id from sends where scope = ?${state === undefined ? "" : " and state = ?"} limit 1`,
    state === undefined ? [scope] : [scope, state],
  )
  return found.length > 0
}

/** The scope of an entry of the old ledger, which had none. */
export function importedScope({ kind, account }: Pick<Entry, "kind" | "account">): string {
  return `${kind === "pdf-print" ? "direct-print" : "freight"}:${account}`
}
