/** Unfinished bookings: one file each, so that two wizards at one workstation do not collide. */
import { hash } from "node:crypto"
import { openStore } from "./store.ts"

interface DraftOwner {
  profile: string
  workstation: string
  user: string
}

export interface KeptDraft {
  id: string
  /** Milliseconds since the epoch. */
  savedAt: number
  value: unknown
}

/** Older drafts have collection times that have passed. */
const KEPT_FOR_MS = 14 * 24 * 3_600_000

export type Drafts = ReturnType<typeof openDrafts>

/** @param folder of one service: ids of others mean nothing there */
export function openDrafts(folder: string, owner: DraftOwner, now: () => number) {
  const { profile, workstation, user } = owner
  const prefix = hash("sha256", JSON.stringify([profile, workstation, user])).slice(0, 16)
  const store = openStore({ folder, parse: parseDraft })
  const nameOf = (id: string) => `${prefix}-${id.replace(/[^\w-]/g, "_")}`
  const forget = async (id: string) => {
    try {
      store.remove(nameOf(id))
    } catch {
      // A draft that cannot be removed is offered once more.
    }
  }
  return {
    /** The newest first. */
    async list(): Promise<KeptDraft[]> {
      const kept = Array.from(store.entries()).flatMap(([name, draft]) =>
        name.startsWith(`${prefix}-`) ? [draft] : [],
      )
      const isOld = ({ savedAt }: KeptDraft) => now() - savedAt > KEPT_FOR_MS
      for (const { id } of kept.filter(isOld)) await forget(id)
      return kept.filter((draft) => !isOld(draft)).sort((one, other) => other.savedAt - one.savedAt)
    },
    /** Atomic. @throws the system's error */
    keep: async (draft: KeptDraft) => store.write(nameOf(draft.id), draft),
    forget,
  }
}

function parseDraft(kept: unknown): KeptDraft | undefined {
  const { id, savedAt } = Object(kept) as Partial<KeptDraft>
  return typeof id === "string" && id !== "" && typeof savedAt === "number" ? (kept as KeptDraft) : undefined
}
