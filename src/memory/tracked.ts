/** Which tracking events this machine has shown, so that `--new` can leave them out. */
import { readdirSync, rmSync, statSync } from "node:fs"
import path from "node:path"
import { fileName } from "../contract/file-name.ts"
import type { TrackingEvent } from "../contract/generated/types.ts"
import { keepJson, keptJson } from "./kept-file.ts"

export interface TrackedEvents {
  /** Marks of the events of a consignment that were shown. */
  shown(consignment: string): Promise<ReadonlySet<string>>
  /** Remembers that these were shown. */
  keep(consignment: string, events: readonly TrackingEvent[]): Promise<void>
}

/** Events of one consignment; a journey has some dozens. */
const EVENTS_AT_MOST = 500
/** Consignments; when there are a tenth more, the oldest are forgotten. */
const CONSIGNMENTS_AT_MOST = 5000

/** Two events are the same when all that they say is the same. */
export function markOf({ timestamp, status, location, description }: TrackingEvent): string {
  return JSON.stringify([timestamp, status, location ?? null, description ?? null])
}

/** Opens the folder: one small file for each consignment, so that concurrent commands do not collide. */
export function openTracked(folder: string): TrackedEvents {
  const fileOf = (consignment: string) => path.join(folder, `${fileName(consignment)}.json`)
  const shown = async (consignment: string) => marksIn(await keptJson(fileOf(consignment)))
  return {
    shown,
    async keep(consignment, events) {
      const before = await shown(consignment)
      const now = events.map(markOf)
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
    // What is kept only helps the next command.
  }
}
