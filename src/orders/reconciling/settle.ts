/** Settles entries without a known outcome: from the API's data, or as a person says. */
import type { FreightApi } from "../../api/index.ts"
import { shellLine } from "../../base/command-line.ts"
import { counted, listSome } from "../../base/counted.ts"
import { FreightError } from "../../base/errors.ts"
import { groupBy } from "../../base/grouping.ts"
import { mayAsk } from "../../command/index.ts"
import {
  type Account,
  clockWarning,
  fingerprint,
  isOpen,
  reconcile,
  reconcileUntilKnown,
  release,
  settleByHand,
  type Settled,
  settleDuplicate,
} from "../../ledger/index.ts"
import type { Deps } from "../../session/index.ts"
import { findShipment } from "../lookup/find.ts"

interface SettleOptions {
  /** Looks again until all is known, or only the carrier can say. */
  untilKnown?: boolean
  /** Keys under which nothing was created, as a person says. */
  release?: readonly string[]
  /** Keys, with the shipment of each. */
  settle?: readonly { key: string; name: string | undefined }[]
  /** A name of an order that was booked twice, and is settled with the carrier. */
  duplicate?: string
  dryRun?: boolean
}

interface Reconciled {
  settled: readonly Settled[]
  warnings: readonly string[]
  /** Why it stopped after these. */
  error: FreightError | undefined
}

/** Settles what a person says, or else everything open. Creates nothing. */
export async function settleUnknown(deps: Deps, options: SettleOptions): Promise<Reconciled> {
  const { settled, error } = await settle(deps, options)
  return { settled, warnings: error ? [] : joinWarnings(settled), error }
}

/**
 * Says what a person has to do about entries that stay open.
 * @throws FreightError `outcomeUnknown` while there are any, so that a script does not go on as if all were known; and the
 * error that stopped settling
 */
export async function tellUnsettled(
  deps: Pick<Deps, "note" | "warn" | "output" | "runtime" | "clock"> & Parameters<typeof mayAsk>[0],
  { settled, warnings, error }: Reconciled,
): Promise<void> {
  if (error) throw error
  for (const warning of warnings) await deps.warn(warning)
  const open = settled.filter(isOpen)
  if (open.length === 0) return
  if (deps.output.format === "table")
    for (const { ask } of open.slice(0, MAX_NAMED)) if (ask !== undefined) await deps.note(ask)
  if (open.some(({ outcome }) => outcome === "several"))
    await deps.note("If you know which shipment it is: freight reconcile --settle KEY=SHIPMENT")
  if (open.some(({ kind, outcome }) => kind === "pickup" && outcome === "cannot-tell"))
    await deps.note(
      "If the carrier has the pickup: freight reconcile --settle KEY=REFERENCE, or --settle KEY without its reference",
    )
  if (open.some(isPrint)) await deps.note("If it was printed: freight reconcile --settle KEY")
  // Not for a program, which would run it: the person who releases has asked the carrier.
  const toRelease = open.filter(mayBeReleased)
  if (mayAsk(deps) && toRelease.length > 0)
    await deps.note(
      `Only once ${toRelease.every(isPrint) ? "you have seen that nothing was printed" : "the carrier has said that nothing was created"}: ${describeRelease(toRelease, deps.runtime.platform)}`,
    )
  throw createOpenError(open, deps.clock.now())
}

/** The result of looking for one unknown outcome, under `--json`. */
export type SettledJson = ReturnType<typeof toSettledJson>

export function toSettledJson({ error, warning, lookAgainAt, ask, needsKey, ...settled }: Settled) {
  return {
    ...settled,
    /** The error that sending it ended with. */
    error: error ?? null,
    warning: warning ?? null,
    /** If it stays open: when to look again. ISO 8601, UTC. Null once only the carrier can say. */
    lookAgainAt: lookAgainAt ?? null,
    /** The question for the carrier, if it is time to ask. */
    ask: ask ?? null,
    /** Fingerprint of the API key that it was sent with, if only that key can find it. */
    needsKey: needsKey ?? null,
  }
}

function isPrint({ kind }: Settled): boolean {
  return kind === "label-print" || kind === "pdf-print"
}

/** One warning for all entries whose warnings differ only in the ids of their shipments. */
function joinWarnings(settled: readonly Settled[]): string[] {
  const warned = settled.flatMap((each) =>
    each.warning === undefined ? [] : [{ ...each, warning: each.warning }],
  )
  const groups = groupBy(warned, ({ warning, matches }) =>
    matches.reduce((text, id) => text.replaceAll(id, ""), warning),
  )
  return Array.from(groups.values(), ([first, ...others]) => {
    const names = listSome(others.map(nameSettled), MAX_NAMED)
    return names === "" ? (first?.warning ?? "") : `${first?.warning}; so it is with ${names}`
  })
}

/** A key that a person gave, otherwise the reference: the hash of the content means nothing to people. */
export function nameSettled({ key, reference }: Pick<Settled, "key" | "reference">): string {
  return key.startsWith("content:") && reference !== null ? reference : key
}

/** Not entries that are still being made, or that another API key has to look for. */
function mayBeReleased({ outcome, ask }: Settled): boolean {
  return ask !== undefined && outcome !== "several"
}

/**
 * A command, ready to paste, that releases everything the API does not have; with `KEY` if freight cannot tell, or for
 * more than a person would check.
 */
function describeRelease(open: readonly Settled[], platform: string): string {
  const missing = open.filter(({ outcome }) => outcome === "none")
  const names = missing.length === 0 || missing.length > MAX_NAMED ? ["KEY"] : missing.map(nameSettled)
  return shellLine(["freight", "reconcile", ...names.flatMap((name) => ["--release", name])], platform)
}

const MAX_NAMED = 10

/** @param now milliseconds since the epoch, by this machine's clock */
function createOpenError(open: readonly Settled[], now: number): FreightError {
  const times = open.flatMap(({ lookAgainAt }) => lookAgainAt ?? []).sort()
  const [soonest] = times
  return new FreightError(
    "outcomeUnknown",
    `the outcome of ${counted(open.length, "request")} is not known`,
    {
      errors: open.map(({ note, ask, error, ...settled }) => ({
        message: [`${nameSettled(settled)}: ${note}`, ask, error && `Sending it failed with: ${error}`]
          .filter(Boolean)
          .join(" "),
      })),
      ...(soonest !== undefined && {
        next: "freight reconcile --until-known",
        retry: "after",
        retryAfter: Math.max(Math.ceil((Date.parse(soonest) - now) / 1000), 1),
      }),
    },
  )
}

type Settling = { settled: Settled[]; error?: FreightError }

async function settle(
  deps: Deps,
  { untilKnown, release: keys, settle: settlements, duplicate, dryRun }: SettleOptions,
): Promise<Settling> {
  if (duplicate !== undefined) return { settled: [await settleDuplicate(await deps.readLedger(), duplicate)] }
  if (keys) return settleEach(keys, async (key) => release(await deps.readLedger(), key, dryRun))
  if (!settlements) return { settled: await settleAll(deps, untilKnown === true) }
  const byName = { getShipment: (name: string) => findShipment(deps, name) }
  return settleEach(settlements, async ({ key, name }) =>
    settleByHand(await deps.readLedger(), key, name, byName),
  )
}

async function settleEach<Item>(
  items: readonly Item[],
  settleOne: (item: Item) => Promise<Settled>,
): Promise<Settling> {
  const settled: Settled[] = []
  for (const item of items)
    try {
      settled.push(await settleOne(item))
    } catch (error) {
      if (error instanceof FreightError) return { settled, error }
      throw error
    }
  return { settled }
}

async function settleAll(deps: Deps, waits: boolean): Promise<Settled[]> {
  const reader = await deps.readLedger()
  if ((await reader.store.open(reader.scopes)).length === 0) return []
  let asked: FreightApi | undefined
  const owner = reader.owner ?? (await openOwner(deps))
  const whose = { ...reader, owner, account: await ownAccount(deps) }
  const open = async () => {
    asked = await deps.freight()
    return asked
  }
  const settled = waits ? await reconcileUntilKnown(whose, open, deps.note) : await reconcile(whose, open)
  const clockWrong = asked && clockWarning(deps, asked)
  if (clockWrong !== undefined) await deps.warn(clockWrong)
  return settled
}

/** The account of a key that was new to the ledger: it may have replaced another one. */
async function openOwner(deps: Deps): Promise<Account | undefined> {
  try {
    return (await deps.ledger("freight")).owner
  } catch (error) {
    if (error instanceof FreightError && error.kind !== "interrupted") return undefined
    throw error
  }
}

/** Print jobs can be told apart without a freight key; looking up a booking then says that one is needed. */
async function ownAccount(deps: Deps): Promise<string> {
  try {
    return fingerprint((await deps.endpoint("freight")).key)
  } catch (error) {
    if (error instanceof FreightError && error.kind === "unauthenticated") return ""
    throw error
  }
}
