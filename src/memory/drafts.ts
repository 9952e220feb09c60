/** Unfinished bookings: one file each, so that two wizards at one desk do not collide. */
import { hash } from "node:crypto"
import { readdir, rm } from "node:fs/promises"
import path from "node:path"
import { readKeptJson, writeJson } from "./kept-file.ts"

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

export interface Drafts {
  list(): Promise<KeptDraft[]>
  /** Atomic. @throws the system's error */
  keep(draft: KeptDraft): Promise<void>
  forget(id: string): Promise<void>
}

/** Older drafts have collection times that have passed. */
const KEPT_FOR_MS = 14 * 24 * 3_600_000

/** @param folder of one service: ids of others mean nothing there */
export function openDrafts(folder: string, owner: DraftOwner, now: () => number): Drafts {
  const { profile, workstation, user } = owner
  const mark = hash("sha256", JSON.stringify([profile, workstation, user])).slice(0, 16)
  const fileOf = (id: string) => path.join(folder, `${mark}-${id.replace(/[^\w-]/g, "_")}.json`)

  return {
    async list() {
      const names = await readdir(folder).catch((): string[] => [])
      const kept: KeptDraft[] = []
      for (const name of names.filter((each) => each.startsWith(`${mark}-`) && each.endsWith(".json"))) {
        const draft = await readKeptJson(path.join(folder, name))
        if (!isKept(draft)) continue
        if (now() - draft.savedAt <= KEPT_FOR_MS) kept.push(draft)
        else await rm(path.join(folder, name), { force: true }).catch(() => {})
      }
      return kept.sort((one, other) => other.savedAt - one.savedAt)
    },
    keep: (draft) => writeJson(fileOf(draft.id), draft),
    async forget(id) {
      await rm(fileOf(id), { force: true }).catch(() => {})
    },
  }
}

function isKept(value: unknown): value is KeptDraft {
  const { id, savedAt } = Object(value) as Partial<KeptDraft>
  return typeof id === "string" && id !== "" && typeof savedAt === "number"
}
