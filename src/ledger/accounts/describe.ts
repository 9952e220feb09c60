import type { Statements } from "../database/database.ts"
import { readKeys, type ServiceKey } from "./keys.ts"
import { relate } from "./relation.ts"

export interface AccountRow {
  /** Counts from 1, the account that was used first in front. */
  account: number
  /** Its fingerprint: the ledger never has the key itself. */
  apiKey: string
  api: ServiceKey["api"]
  baseUrl: string
  /** The desk that used it last. */
  workstation: string
  /** The setting `account` of its profile. */
  name: string | null
  firstUsedAt: string
  /** Why it belongs to the account; on its first key, how the account relates to the others. */
  why: string
  /** Whether this may be one account with another. */
  isUnclear: boolean
}

/** The keys that the ledger knows, by account. */
export async function listAccounts(statements: Pick<Statements, "all">): Promise<AccountRow[]> {
  return describeAccounts(await readKeys(statements))
}

export function describeAccounts(keys: readonly ServiceKey[]): AccountRow[] {
  const scopes = [...new Set(keys.map(({ scope }) => scope))]
  return scopes.flatMap((scope, n) => {
    const own = keys.filter((key) => key.scope === scope)
    const [first] = own
    return own.map((key) => ({
      account: n + 1,
      apiKey: key.fingerprint,
      api: key.api,
      baseUrl: key.address,
      workstation: key.workstation,
      name: key.name ?? null,
      firstUsedAt: key.firstUsedAt,
      ...(key === first ? describeOthers(keys, scopes, scope) : describeSame(own, key)),
    }))
  })
}

type Why = Pick<AccountRow, "why" | "isUnclear">

function describeSame(own: readonly ServiceKey[], key: ServiceKey): Why {
  const relations = own.filter(({ id }) => id !== key.id).map((other) => relate([key], [other]))
  const joined = relations.find(({ is }) => is === "one")?.why ?? "it was joined through another key"
  return { why: key.api === "freight" ? joined : "it prints for that account", isUnclear: false }
}

function describeOthers(keys: readonly ServiceKey[], scopes: readonly string[], scope: string): Why {
  const listKeys = (of: string) => keys.filter((key) => key.scope === of && key.api === "freight")
  const own = listKeys(scope)
  const others = scopes.flatMap((other, n) => {
    const theirs = listKeys(other)
    if (other === scope || own.length === 0 || theirs.length === 0) return []
    return [{ account: n + 1, ...relate(own, theirs) }]
  })
  const texts = others.map(
    ({ account, is, why }) =>
      `${is === "apart" ? "apart from" : "not known whether one with"} account ${account}: ${why}`,
  )
  return { why: texts.join("; "), isUnclear: others.some(({ is }) => is !== "apart") }
}
