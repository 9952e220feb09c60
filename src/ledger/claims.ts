/** Looks for what prevents a claim, and makes it. */
import type { Statements, Transaction } from "./database/database.ts"
import { type Entry, idOf, type Kind, type Sender } from "./entry.ts"
import { judge, type Judgement, newestUnder, type Question } from "./judge.ts"
import { insertCollected, insertRows, marks, toEntry, toRow } from "./database/rows.ts"

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
export type Claimed =
  | ({ verdict: "claimed"; entry: Entry; token: string } & Pick<Judgement, "earlier">)
  | Judgement

type ClaimedEntry = Entry & { token: string }

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
async function findRelated(
  statements: Statements,
  questions: readonly Pick<Claim, "scope" | "key" | "content" | "referenceHash" | "collects">[],
): Promise<ClaimedEntry[]> {
  const found: ClaimedEntry[] = []
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

/** What a claim of each would find now. */
export async function judgeAll(
  statements: Statements,
  questions: readonly (Question & Pick<Claim, "kind" | "scope">)[],
  now: number,
): Promise<Judgement[]> {
  const entries = await findRelated(statements, questions)
  return questions.map((question) => judge(ofSameKind(entries, question), question, now))
}

/** Looks, decides and inserts, in a transaction that holds the names of `lockNames`. */
export async function claimAll(
  transaction: Transaction,
  asked: readonly { claim: Claim; token: string }[],
  now: number,
  leaseUntil: string,
): Promise<Claimed[]> {
  // Also what this transaction claims: the next one may be equal to it.
  const entries = await findRelated(
    transaction,
    asked.map(({ claim }) => claim),
  )
  const made: ClaimedEntry[] = []
  const results = asked.map(({ claim, token }): Claimed => {
    const existing = ofSameKind(entries, claim)
    // The connection broke during the commit: the claim exists, and it is this one.
    const own = existing.find((entry) => entry.token === token)
    if (own) return { verdict: "claimed", entry: own, token }
    const judgement = judge(existing, claim, now)
    if (judgement.verdict !== "free") return judgement
    const attempt = (newestUnder(existing, claim.key)?.attempt ?? 0) + 1
    const entry = toAttempt(claim, attempt, now, leaseUntil)
    entries.push({ ...entry, token })
    made.push({ ...entry, token })
    const { earlier } = judgement
    return { verdict: "claimed", entry, token, ...(earlier && { earlier }) }
  })
  await insertRows(
    transaction,
    "sends",
    made.map((entry) => toRow(entry, entry.token)),
  )
  for (const { scope, id, collects = [], facts } of made)
    if (facts.shipmentId === undefined) await insertCollected(transaction, scope, id, collects)
  return results
}

function ofSameKind<E extends Entry>(
  entries: readonly E[],
  { scope, kind }: Pick<Claim, "scope" | "kind">,
): E[] {
  return entries.filter((entry) => entry.scope === scope && entry.kind === kind)
}

function toAttempt(claim: Claim, attempt: number, now: number, leaseUntil: string): Entry {
  const { again: _, referenceHash, collects, ...kept } = claim
  return {
    ...kept,
    ...(referenceHash !== undefined && { referenceHash }),
    ...(collects && { collects }),
    id: `${idOf(claim.scope, claim.kind, claim.key)}.${attempt}`,
    attempt,
    state: "unknown",
    sentAt: new Date(now).toISOString(),
    leaseUntil,
  }
}
