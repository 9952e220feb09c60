/** Rows that were priced and not booked: kept by batches and plans, and found again on the day of their collection. */
import { groupBy } from "../../base/grouping.ts"
import { instantOf, wallClockNow } from "../../base/wall-clock.ts"
import { type PlaceClock, toPlaceClock, zoneOfCollection } from "../../contract/index.ts"
import type { CutoffStanding } from "../booking/cutoffs.ts"
import type { LedgerDeps } from "../../ledger/index.ts"
import type { Waiting, WaitingBatch, WaitingGroup } from "../../machine/index.ts"
import { createJudge } from "../booking/in-time.ts"
import { requestOf } from "../booking/order.ts"
import { findStanding, type LedgerReader } from "../booking/standings.ts"
import { type BatchRow, isSecond, isToSend } from "./rows/row.ts"

export type RowsSource = Pick<WaitingBatch, "file" | "isPlan" | "words">

/** Keeps the unbooked rows of a file that have a selected rate, in place of those kept before. */
export async function keepWaiting(
  { waiting }: { waiting(): Promise<Waiting> },
  { ledger: { owner, clock } }: { ledger: LedgerDeps },
  source: RowsSource,
  rows: readonly BatchRow[],
): Promise<void> {
  const { scope, fingerprint: account } = owner
  const groups = toGroups(rows)
  ;(await waiting()).keep({ ...source, scope, account, keptAt: clock.now(), groups })
}

function toGroups(rows: readonly BatchRow[]): WaitingGroup[] {
  const found = rows.flatMap((row) => {
    const { selected, outcome, key } = row
    if (!isToSend(row) || !selected || outcome?.state === "booked") return []
    const { collectionDateTime, collection, sender } = row.request
    const { suburb, state } = collection ?? sender
    const { bookingCutoff, collectionCutoff } = selected.rate?.rate ?? requestOf(row, selected)
    if (!bookingCutoff && !collectionCutoff) return []
    const group = { collectionDateTime, place: { suburb, state }, isSecond: isSecond(row) }
    return [{ key, group: { ...group, bookingCutoff, collectionCutoff } }]
  })
  const groups = groupBy(found, ({ group }) => JSON.stringify(group))
  return Array.from(groups.values(), (each) => {
    const [{ group }] = each as [(typeof found)[number]]
    return { ...group, keys: each.map(({ key }) => key) }
  })
}

/** Rows of one file that wait, and have one cutoff today. */
export interface WaitingRows extends RowsSource {
  count: number
  standing: Exclude<CutoffStanding, { kind: "in time" }>
  /** Clock at the collection; undefined if its state is not known. */
  clock: PlaceClock | undefined
  /** Time of the cutoff: milliseconds since the epoch. */
  at: number
}

/**
 * Rows that are collected today, have a cutoff, and are not booked in the ledger, by whichever run. A row in several files
 * counts in the one that was priced last.
 * @param batches the newest first
 * @param now milliseconds since the epoch
 * @throws FreightError when the ledger cannot be read
 */
export async function findWaitingRows(
  ledger: LedgerReader & { scope: string | undefined; account: string },
  batches: readonly WaitingBatch[],
  now: number,
): Promise<WaitingRows[]> {
  const found = new Map<string, WaitingRows>()
  const known = new Set<string>()
  for (const { scope, account, groups, ...source } of batches) {
    const isOwn = ledger.owner === undefined || scope === ledger.scope || account === ledger.account
    if (!isOwn) continue
    for (const { collectionDateTime, place, isSecond: again, keys, ...cutoffs } of groups) {
      const fresh = keys.filter((key) => !known.has(key))
      for (const key of fresh) known.add(key)
      const standing = createJudge({ collectionDateTime, collection: place }, now)(cutoffs)
      if (standing.kind === "in time") continue
      const count = await countFree(ledger, fresh, again)
      if (count === 0) continue
      const zone = zoneOfCollection({ collection: place })
      const cutoff = standing.kind === "until" ? standing.until : standing.cutoff
      const at = instantOf({ ...wallClockNow(now, zone), ...cutoff }, zone)
      const name = JSON.stringify([source.file, zone, standing])
      const before = found.get(name)?.count ?? 0
      const { file, isPlan, words } = source
      const clock = toPlaceClock(place)
      found.set(name, { ...{ file, isPlan, words, standing, clock, at }, count: before + count })
    }
  }
  return [...found.values()]
}

const KEYS_AT_ONCE = 64

async function countFree(ledger: LedgerReader, keys: readonly string[], again: boolean): Promise<number> {
  let count = 0
  for (let at = 0; at < keys.length; at += KEYS_AT_ONCE) {
    const some = keys.slice(at, at + KEYS_AT_ONCE)
    // Asks only whether it may still be sent: its content does not matter.
    const look = (key: string) => findStanding(ledger, { key, written: { fields: {} }, again })
    const standings = await Promise.all(some.map(look))
    count += standings.filter(({ kind }) => kind === "free").length
  }
  return count
}
