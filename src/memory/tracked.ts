/** Which tracking events were shown, for `--new`, and which a command was run for, for `--exec`. */
import { readdirSync, rmSync, statSync } from "node:fs"
import path from "node:path"
import { encodeFileName } from "../contract/file-names.ts"
import type { TrackingEvent, TrackingInfo } from "../contract/generated/types.ts"
import { keepJson, readKeptJson } from "./kept-file.ts"

export interface TrackedEvents {
  shown(consignment: string): Promise<ReadonlySet<string>>
  keep(consignment: string, marks: readonly string[]): Promise<void>
  /** When all of the team's open consignments were last looked at here: ISO 8601 in UTC. */
  lookedAt(): Promise<string | undefined>
  keepLookedAt(instant: string): Promise<void>
}

/** Per consignment; a journey has some dozens. */
const EVENTS_AT_MOST = 500
/** The oldest are forgotten when there are a tenth more. */
const CONSIGNMENTS_AT_MOST = 5000

/** Events are the same if all their fields are. */
export function markOf({ timestamp, status, location, description }: TrackingEvent): string {
  return JSON.stringify([timestamp, status, location ?? null, description ?? null])
}

/** Where a consignment stands, as a mark: it changes when its status, its ETA or its delivery does. */
function standingMark({ currentStatus, eta, deliveredAt }: Omit<TrackingInfo, "events">): string {
  return JSON.stringify(["stands", currentStatus, eta ?? null, deliveredAt ?? null])
}

/** No more events will come. */
export const DELIVERED_MARK = "delivered"

export function marksOf(tracking: TrackingInfo): string[] {
  const ending = tracking.deliveredAt ? [DELIVERED_MARK] : []
  return [...tracking.events.map(markOf), standingMark(tracking), ...ending]
}

/** One file per consignment, so that concurrent commands do not collide. */
export function openTracked(folder: string): TrackedEvents {
  const fileOf = (consignment: string) => path.join(folder, `${encodeFileName(consignment)}.json`)
  // Beside the folder, whose oldest files are forgotten.
  const lookFile = `${folder}.json`
  const shown = async (consignment: string) => marksIn(await readKeptJson(fileOf(consignment)))
  return {
    shown,
    async lookedAt() {
      const { lookedAt } = Object(await readKeptJson(lookFile)) as { lookedAt?: unknown }
      return typeof lookedAt === "string" ? lookedAt : undefined
    },
    keepLookedAt: (lookedAt) => keepJson(lookFile, { lookedAt }),
    async keep(consignment, now) {
      const before = await shown(consignment)
      if (now.every((each) => before.has(each))) return
      const all = [...new Set([...now, ...before])].slice(0, EVENTS_AT_MOST)
      await keepJson(fileOf(consignment), { consignment, shown: all })
      if (before.size === 0) prune(folder)
    },
  }
}

function marksIn(kept: unknown): Set<string> {
  const { shown } = Object(kept) as { shown?: unknown }
  return new Set(Array.isArray(shown) ? shown.filter((each) => typeof each === "string") : [])
}

function prune(folder: string): void {
  try {
    const names = readdirSync(folder)
    if (names.length <= CONSIGNMENTS_AT_MOST * 1.1) return
    const files = names.map((name) => {
      const file = path.join(folder, name)
      return { file, at: statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0 }
    })
    files.sort((a, b) => b.at - a.at)
    for (const { file } of files.slice(CONSIGNMENTS_AT_MOST)) rmSync(file, { force: true })
  } catch {
    // Only a convenience is lost.
  }
}
