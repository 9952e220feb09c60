/** May this be sent? The rules of the ledger in one pure function. */
import type { Entry } from "./entry.ts"

/** An equal create within this time is taken for a repeated command, not for a second consignment. */
export const EQUAL_FOR_MS = 24 * 3_600_000

export type Verdict =
  /** Nothing stands in the way: claim the next number. */
  | "free"
  /** It was done under this very key: give the recorded result again. */
  | "recorded"
  /** Something equal was done within 24 hours: refuse, unless told `again`. */
  | "equal"
  /** This key was used for something else. */
  | "other-content"
  /** Another live process is sending it now. */
  | "in-flight"
  /** It was sent and nobody knows what came of it. */
  | "unknown"

interface Question {
  /** The user named the key, with `--key` or as a row's reference. */
  keyed: boolean
  content: string
  again: boolean
  /** Milliseconds since the epoch. */
  now: number
}

/**
 * @param entry the newest claim of the key; undefined when there is none
 * @param alive whether the process that made the claim still runs
 */
export function judge(entry: Entry | undefined, question: Question, alive: boolean): Verdict {
  if (!entry) return "free"
  switch (entry.state) {
    case "refused":
    case "released":
      return "free"
    case "unknown":
      return alive ? "in-flight" : "unknown"
    case "done":
      if (question.keyed) return entry.content === question.content ? "recorded" : "other-content"
      if (entry.facts.standing) return "equal"
      if (question.again) return "free"
      return question.now - Date.parse(entry.settledAt ?? entry.sentAt) < EQUAL_FOR_MS ? "equal" : "free"
  }
}
