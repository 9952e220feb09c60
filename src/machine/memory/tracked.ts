/** Tracking events that were shown, for `--new`, and those that a command was run for, for `--exec`. */
import path from "node:path"
import { encodeFileName } from "../../base/file-names.ts"
import type { TrackingEvent, TrackingInfo } from "../../contract/generated/types.ts"
import { openStore } from "./store.ts"

/** Per consignment; a journey has some dozens. */
const MAX_EVENTS = 500
const MAX_CONSIGNMENTS = 5000

/** Events are the same if all their fields are. */
export function markOf({ timestamp, status, location, description }: TrackingEvent): string {
  return JSON.stringify([timestamp, status, location ?? null, description ?? null])
}

/** A mark of a consignment's state: it changes with its status, its ETA or its delivery. */
function standingMark({ currentStatus, eta, deliveredAt }: Omit<TrackingInfo, "events">): string {
  return JSON.stringify(["stands", currentStatus, eta ?? null, deliveredAt ?? null])
}

/** No more events will come. */
export const DELIVERED_MARK = "delivered"

export function marksOf(tracking: TrackingInfo): string[] {
  const ending = tracking.deliveredAt ? [DELIVERED_MARK] : []
  return [...tracking.events.map(markOf), standingMark(tracking), ...ending]
}

export type TrackedEvents = ReturnType<typeof openTracked>

/** One file per consignment, so that concurrent commands do not collide. */
export function openTracked(folder: string) {
  const store = openStore({ folder, parse: parseShown, limit: MAX_CONSIGNMENTS })
  // Beside the folder, whose oldest files are removed.
  const looks = openStore({ folder: path.dirname(folder), parse: parseLook })
  const shown = (consignment: string) => new Set(store.read(encodeFileName(consignment))?.shown)
  return {
    shown: async (consignment: string): Promise<ReadonlySet<string>> => shown(consignment),
    /** When all open consignments of the team were last looked at here: ISO 8601 in UTC. */
    lookedAt: async () => looks.read(path.basename(folder))?.lookedAt,
    keepLookedAt: async (lookedAt: string) => looks.keep(path.basename(folder), { lookedAt }),
    async keep(consignment: string, now: readonly string[]) {
      const before = shown(consignment)
      if (now.every((each) => before.has(each))) return
      const all = [...new Set([...now, ...before])].slice(0, MAX_EVENTS)
      store.keep(encodeFileName(consignment), { consignment, shown: all })
    },
  }
}

function parseShown(kept: unknown): { consignment?: string; shown: string[] } | undefined {
  const { shown } = Object(kept) as { shown?: unknown }
  return Array.isArray(shown) ? { shown: shown.filter((each) => typeof each === "string") } : undefined
}

function parseLook(kept: unknown): { lookedAt: string } | undefined {
  const { lookedAt } = Object(kept) as { lookedAt?: unknown }
  return typeof lookedAt === "string" ? { lookedAt } : undefined
}
