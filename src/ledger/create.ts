/**
 * The one way to create anything: make the intent durable, send, write the outcome. Whatever is killed when:
 *
 *   killed before the claim        nothing was sent, and nothing stands
 *   killed from the claim on       the claim stands without an outcome: `unknown`, never sent again by itself
 *   killed after the outcome       `done` or `refused`, as it was
 */
import { FreightError, withOptions } from "../errors.ts"
import type { Clock } from "../ports.ts"
import { contentHash } from "./content.ts"
import type { Entry, Facts, Kind } from "./entry.ts"
import { judge } from "./judge.ts"
import { refusal, UNKNOWN_HINT, unrecorded, unrecordedRefusal } from "./refusals.ts"
import { type Index, nameOf, type Slot, type Store, type Stored } from "./store.ts"
import { keepWhy } from "./why.ts"

export interface Intent {
  kind: Kind
  /** The user's own name for it; the same key is never sent twice. */
  key?: string
  /** The key is freight's own and no person's: something equal under another key counts as well. */
  madeUp?: boolean
  /** Make it although something equal was made within 24 hours. */
  again?: boolean
  /** What makes two creates the same; quote fields in it do not count. */
  content: Readonly<Record<string, unknown>>
  /** Method and path, for people. */
  call: string
  /** What the entry keeps of the request. */
  request: unknown
  facts: Facts
}

export interface Created<T> {
  response: T
  /** The result is an earlier one, given again: nothing was sent now. */
  recorded: boolean
  entry: Entry
}

/** This process, and whether another one of this host still runs. */
export interface Owner {
  host: string
  pid: number
  isAlive(pid: number): boolean
}

export interface LedgerDeps {
  store: Store
  /** Fingerprint of the API key in use. */
  account: string
  clock: Clock
  owner: Owner
  signal: AbortSignal
  /** Told of what was made, once its outcome is on the disk. Never throws. */
  made?: (entry: Entry) => void
  /** Moments at which a test may end the process; absent outside tests. */
  at?: (moment: Moment) => void
}

export type Moment = "before-intent" | "after-intent" | "before-outcome" | "after-outcome"

/** How long to wait for another live process that is sending the same thing. */
const OTHERS_MS = 120_000
const PAUSE_MS = 100
/** Longest time limit, tries and waits together; after that the number of a dead process may be another's. */
const LONGEST_SEND_MS = 4 * 3_600_000

/**
 * Creates something at most once.
 * @param send does the POST; what it throws says whether something can exist (`outcomeUnknown`) or not
 * @param learn adds to the facts what the reply says
 * @throws FreightError `refused` for an equal create within 24 hours; `outcomeUnknown` when an earlier one has no
 * known outcome, or this one's is not known; `config` when the ledger cannot be kept: then nothing was sent;
 * `stepFailed` when it was made and the ledger could not be written after that
 */
export async function createOnce<T>(
  deps: LedgerDeps,
  intent: Intent,
  send: () => Promise<T>,
  learn: (response: T) => Partial<Facts> = () => ({}),
): Promise<Created<T>> {
  const { store, clock } = deps
  const content = contentHash(intent.kind, intent.content)
  const key = intent.key === undefined ? `content:${content}` : `key:${intent.key}`
  const name = nameOf(intent.kind, key)
  const first = await refuseEqualOfOtherKey(deps, intent, content)

  deps.at?.("before-intent")
  const end = clock.now() + OTHERS_MS
  for (let equal = first; ; equal = await store.ofContent(content)) {
    const latest = await store.latest(name)
    const before = latest && readable(latest)
    const question = {
      keyed: intent.key !== undefined,
      content,
      again: intent.again === true,
      now: clock.now(),
    }
    const alive = before !== undefined && isInFlight(before, deps)
    const verdict = judge(before, question, alive)
    if (before && verdict !== "free") {
      if (verdict === "recorded") return { response: before.response as T, recorded: true, entry: before }
      if (verdict !== "in-flight" || clock.now() >= end) throw refusal(before, verdict)
      await clock.sleep(PAUSE_MS, deps.signal)
      continue
    }

    const slot: Slot = { name, attempt: (before?.attempt ?? 0) + 1 }
    const entry: Entry = {
      version: 1,
      kind: intent.kind,
      key,
      account: deps.account,
      content,
      attempt: slot.attempt,
      state: "unknown",
      sentAt: new Date(clock.now()).toISOString(),
      owner: { host: deps.owner.host, pid: deps.owner.pid },
      facts: intent.facts,
      call: intent.call,
      request: intent.request,
    }
    const index = { byContent: intent.key !== undefined && (await leadsTo(deps, content, name, equal)) }
    if (!(await store.claim(slot, entry, index))) continue
    deps.at?.("after-intent")
    return { ...(await sendClaimed(deps, slot, entry, index, send, learn)), recorded: false }
  }
}

/**
 * Whether a content is to lead to this key. The index holds one: one that stands for something made, or perhaps made, is
 * not pushed out by one that may yet be refused.
 * @param other what it leads to now
 */
async function leadsTo(
  { store, clock }: LedgerDeps,
  content: string,
  name: string,
  other: Slot | undefined,
): Promise<boolean> {
  const latest = other && other.name !== name ? await store.latest(other.name) : undefined
  const question = { keyed: false, content, again: false, now: clock.now() }
  return !latest?.entry || judge(latest.entry, question, false) === "free"
}

async function sendClaimed<T>(
  deps: LedgerDeps,
  slot: Slot,
  entry: Entry,
  index: Index,
  send: () => Promise<T>,
  learn: (response: T) => Partial<Facts>,
): Promise<{ response: T; entry: Entry }> {
  const { store, clock } = deps
  const settledAt = () => new Date(clock.now()).toISOString()
  let response: T
  try {
    response = await send()
  } catch (error) {
    // Only a failure that is certain to have created nothing frees the key; a bug in the middle is no such thing.
    if (!(error instanceof FreightError)) throw error
    if (error.kind === "outcomeUnknown") {
      await keepWhy(store, slot, entry, error)
      throw withOptions(error, { next: "freight reconcile", hint: UNKNOWN_HINT })
    }
    deps.at?.("before-outcome")
    try {
      const refused: Entry = { ...entry, state: "refused", settledAt: settledAt(), error: told(error) }
      await store.settle(slot, refused, index)
    } catch (trouble) {
      throw unrecordedRefusal(error, slot, trouble)
    }
    throw error
  }
  const facts = { ...entry.facts, ...learn(response) }
  const done: Entry = { ...entry, state: "done", settledAt: settledAt(), facts, response }
  deps.at?.("before-outcome")
  try {
    await store.settle(slot, done, index)
  } catch (trouble) {
    throw unrecorded(done, trouble)
  }
  deps.at?.("after-outcome")
  deps.made?.(done)
  return { response, entry: done }
}

function told({ kind, message, status, errors }: FreightError): NonNullable<Entry["error"]> {
  return { kind, message, ...(status !== undefined && { status }), ...(errors && { errors }) }
}

/**
 * Without a key of the person's, an equal create under any key within 24 hours counts as well. What stands at the carrier, unknown to
 * the API, counts for every key: it must never be made again.
 * @returns what the content leads to
 */
async function refuseEqualOfOtherKey(
  deps: LedgerDeps,
  intent: Intent,
  content: string,
): Promise<Slot | undefined> {
  const keyed = intent.key !== undefined
  const equal = await deps.store.ofContent(content)
  for (const name of [equal?.name, ...(keyed ? [nameOf(intent.kind, `content:${content}`)] : [])]) {
    const latest = name === undefined ? undefined : await deps.store.latest(name)
    const entry = latest && readable(latest)
    if (!entry || entry.content !== content || entry.key === `key:${intent.key}`) continue
    if (keyed && !intent.madeUp && !entry.facts.standing) continue
    const question = { keyed: false, content, again: intent.again === true, now: deps.clock.now() }
    const verdict = judge(entry, question, isInFlight(entry, deps))
    if (verdict !== "free" && verdict !== "recorded") throw refusal(entry, verdict)
  }
  return equal
}

/** @throws FreightError `config` for a torn or foreign file: it may stand for something that was sent. */
function readable({ entry, file, slot }: Stored): Entry {
  if (entry) return entry
  throw new FreightError("config", `the ledger's file ${file} cannot be read; nothing was sent`, {
    hint: "It may stand for something that exists. Look whether it does; if it does not, release it.",
    next: `freight reconcile --release ${slot.name}`,
  })
}

/** Whether the claim's own process still runs: it will write the outcome. */
export function isInFlight(
  { owner, sentAt }: Entry,
  { owner: own, clock }: Pick<LedgerDeps, "owner" | "clock">,
): boolean {
  const age = clock.now() - Date.parse(sentAt)
  // Another host's process cannot be asked: give it the time that a send takes.
  if (owner.host !== own.host) return age < OTHERS_MS / 2
  return age < LONGEST_SEND_MS && owner.pid !== own.pid && own.isAlive(owner.pid)
}
