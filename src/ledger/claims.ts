/** Looks for what prevents a claim, and makes the claim. */
import type { Statements } from "./database/database.ts"
import { type Entry, idOf, type Kind, type Sender } from "./entry.ts"
import { judge, type Judgement, newestUnder, type Question } from "./judge.ts"
import { toEntry, marks } from "./database/rows.ts"

/** What is to be claimed. */
export interface Claim extends Question {
  kind: Kind
  scope: string
  account: string
  sender: Sender
  call: string
  request: unknown
  facts: Entry["facts"]
}

/** `claimed`: it is this sender's to send, until the lease of the entry runs out. */
export type Claimed = { verdict: "claimed"; entry: Entry; token: string } | Judgement

/** Names to lock: claims that share one of them run one after the other. */
export function lockNames({ scope, kind, key, content, referenceHash, collects = [] }: Claim): string[] {
  const names = [
    key,
    `content:${content}`,
    ...(referenceHash === undefined ? [] : [`reference:${referenceHash}`]),
    ...collects.map((shipment) => `collects:${shipment}`),
  ]
  return names.map((name) => `${scope}/${kind}/${name}`)
}

/** Every attempt under the keys, and all that has the contents or the references, or collects the shipments. */
export async function related(
  statements: Statements,
  questions: readonly Pick<Claim, "scope" | "key" | "content" | "referenceHash" | "collects">[],
): Promise<(Entry & { token: string })[]> {
  const found: (Entry & { token: string })[] = []
  for (const scope of new Set(questions.map((each) => each.scope))) {
    const asked = questions.filter((each) => each.scope === scope)
    const keys = distinct(
      asked.flatMap(({ key }) => (key.startsWith("key:") ? [key.slice("key:".length)] : [])),
    )
    const contents = distinct(asked.map(({ content }) => content))
    const references = distinct(asked.flatMap(({ referenceHash }) => referenceHash ?? []))
    const shipments = distinct(asked.flatMap(({ collects }) => collects ?? []))
    const common = await commonPickups(statements, scope, shipments)
    // One search for each: SQLite would look through the whole account for an OR over several indexes.
    const searches = (
      [
        ["idempotency_key", keys],
        ["content_hash", contents],
        ["reference_hash", references],
        ["kind = 'pickup' and shipment_id", shipments],
        ["id", [...common.keys()]],
      ] as const
    ).filter(([, values]) => values.length > 0)
    const rows = await statements.all(
      searches
        .map(([column, values]) => `select * from sends where scope = ? and ${column} in (${marks(values)})`)
        .join(" union "),
      searches.flatMap(([, values]) => [scope, ...values]),
    )
    for (const row of rows) {
      const collects = common.get(String(row.id))
      found.push({ ...toEntry(row), ...(collects && { collects }), token: String(row.claim_token) })
    }
  }
  return found
}

/** Which of these shipments a pickup for several collects, by the pickup's id. */
async function commonPickups(
  statements: Statements,
  scope: string,
  shipments: readonly string[],
): Promise<Map<string, string[]>> {
  if (shipments.length === 0) return new Map()
  const rows = await statements.all(
    `select send_id, shipment_id from collected where scope = ? and shipment_id in (${marks(shipments)})`,
    [scope, ...shipments],
  )
  const found = new Map<string, string[]>()
  for (const { send_id: id, shipment_id: shipment } of rows)
    found.set(String(id), [...(found.get(String(id)) ?? []), String(shipment)])
  return found
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)]
}

export function sameScope<E extends Entry>(
  entries: readonly E[],
  { scope, kind }: Pick<Claim, "scope" | "kind">,
): E[] {
  return entries.filter((entry) => entry.scope === scope && entry.kind === kind)
}

type NewClaim = Extract<Claimed, { verdict: "claimed" }> & { isNew: boolean }

export function isNew(written: unknown): written is NewClaim {
  return typeof written === "object" && written !== null && "isNew" in written && written.isNew === true
}

/** @param entries existing ones, and those that the same transaction claims */
export function claimIn(
  entries: readonly (Entry & { token?: string })[],
  { claim, token }: { claim: Claim; token: string },
  now: number,
  leaseUntil: string,
): NewClaim | Judgement {
  const mine = sameScope(entries, claim)
  // The connection broke during the commit: the claim exists, and it is this one.
  const own = mine.find((entry) => entry.token === token)
  if (own) return { verdict: "claimed", entry: own, token, isNew: false }
  const judgement = judge(mine, claim, now)
  if (judgement.verdict !== "free") return judgement
  const attempt = (newestUnder(mine, claim.key)?.attempt ?? 0) + 1
  const { scope, kind, key, keyGiven, content, referenceHash, account, sender, call, request, facts } = claim
  const { collects } = claim
  const entry: Entry = {
    id: `${idOf(scope, kind, key)}.${attempt}`,
    scope,
    kind,
    key,
    keyGiven,
    account,
    content,
    ...(referenceHash !== undefined && { referenceHash }),
    attempt,
    state: "unknown",
    sentAt: new Date(now).toISOString(),
    leaseUntil,
    sender,
    facts,
    call,
    ...(collects && { collects }),
    request,
  }
  return { verdict: "claimed", entry, token, isNew: true }
}
