import path from "node:path"
import type { Clock } from "../base/ports.ts"
import { findDemoEvent, createDemoEvents } from "./demo.ts"
import type { SandboxEvent } from "./events.ts"
import { type Entry, openJournal, type JournalReader } from "./journal.ts"
import { apply, stateAfter } from "./state.ts"

export type SandboxContext = ReturnType<typeof openSandboxContext>

export const SANDBOX_SEED = 1

interface ContextOptions {
  readonly dir: string
  readonly clock: Clock
  readonly newId: () => string
  readonly seed: number
}

export function journalFile(dir: string): string {
  return path.join(dir, "journal.ndjson")
}

export function spoolDir(dir: string): string {
  return path.join(dir, "spool")
}

export function openSandboxContext({ dir, clock, newId, seed }: ContextOptions) {
  const demo = createDemoEvents(clock.now())
  let state = stateAfter(demo)
  const reader: JournalReader = {
    event: (value, entry) => {
      if (isEvent(value)) apply(state, value, entry)
    },
    reset: () => {
      state = stateAfter(demo)
    },
  }
  const journal = openJournal(journalFile(dir), reader)
  journal.catchUp()
  return {
    get state() {
      return state
    },
    /** Folder of the journal and the spool. */
    dir,
    seed,
    newId,
    /** Sandbox time: the clock's, plus what the control path added. Milliseconds since the epoch. */
    now: () => clock.now() + state.clockOffsetMs,
    catchUp: journal.catchUp,
    record: (event: SandboxEvent) => journal.append(event),
    recall: (entry: Entry) => findDemoEvent(demo, entry) ?? (journal.read(entry) as SandboxEvent),
    close: journal.close,
  }
}

const NEEDED: Record<SandboxEvent["type"], readonly string[]> = {
  quote: ["stem"],
  shipment: ["id", "at", "tenantId", "connectorId", "carrier", "request"],
  pickup: ["id", "at", "tenantId", "connectorId", "carrier", "request", "outcome"],
  print: ["id", "at", "deviceId"],
  clock: ["offsetMs"],
  revocation: ["what", "id", "revoked"],
  listing: ["delayMs"],
}

/** The journal is this program's own, so a line of another shape is damage, and is skipped. */
function isEvent(value: unknown): value is SandboxEvent {
  if (typeof value !== "object" || value === null || !("type" in value)) return false
  const { type } = value
  if (typeof type !== "string" || !Object.hasOwn(NEEDED, type)) return false
  return NEEDED[type as SandboxEvent["type"]].every((name) => name in value)
}
