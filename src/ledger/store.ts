/**
 * The ledger on disk: one small file for each claim.
 *
 *   entries/3f/po-1001-3fa9c04d51b2e877.1.json   the first claim of a key; `.2.json` the second, and so on
 *   open/po-1001-3fa9c04d51b2e877.1              a mark beside every claim that has no outcome yet
 *   index/shipment/…, index/content/…            from a shipment's id, or a content, to the entry that made it
 *
 * Two facts make it safe. A claim is made by linking a finished file to a name that must not exist, which the
 * operating system lets one process do, and the file is on the disk before anything is sent. And a claim is never
 * removed or reused: who may send again makes the next number, under the same rule.
 *
 * A process that claims or settles several entries at once waits for the disk once: they are lines of one file, which
 * has a name for each of them.
 */
import { createHash } from "node:crypto"
import { readFileSync, rmSync } from "node:fs"
import { readdir, rm } from "node:fs/promises"
import path from "node:path"
import { FreightError } from "../errors.ts"
import { hasCode, keepWord, keptWord, touch, writeUnder } from "./disk.ts"
import { type Entry, isEntry } from "./entry.ts"
import { gathered } from "./gather.ts"

/** A claim's place: the key's file name and the claim's number. */
export interface Slot {
  name: string
  attempt: number
}

export interface Stored {
  slot: Slot
  /** Undefined when the file is there and cannot be read as an entry. */
  entry: Entry | undefined
  file: string
}

export interface Store {
  readonly folder: string
  /** The newest claim of a key, or undefined when there is none. */
  latest(name: string): Promise<Stored | undefined>
  /** The claim at a place as `slotText` writes it. */
  at(place: string): Promise<Stored | undefined>
  /** Makes a claim durable. False when another process has that number. @throws FreightError `config`. */
  claim(slot: Slot, entry: Entry): Promise<boolean>
  /** Replaces a claim's file by its outcome, durably. @throws FreightError `config`. */
  settle(slot: Slot, entry: Entry): Promise<void>
  /** Claims without an outcome. */
  open(): Promise<Stored[]>
  all(): AsyncGenerator<Stored>
  /** Remembers which entry made something; overwrites. Durable with the next claim or outcome. @throws FreightError `config`. */
  point(index: string, to: string): Promise<void>
  /** @throws FreightError `config` when it is there and cannot be read: it may name an entry. */
  pointed(index: string): Promise<string | undefined>
}

/** A claim's place as one word: `po-1001-3fa9c04d51b2e877.1`. */
export function slotText({ name, attempt }: Slot): string {
  return `${name}.${attempt}`
}

/** A key's file name: readable, safe on every file system, and distinct. */
export function nameOf(kind: string, key: string): string {
  const hash = createHash("sha256").update(`${kind}\n${key}`).digest("hex").slice(0, 16)
  const words = key
    .replace(/^\w+:/, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 32)
  const slug = key.startsWith("content:") ? kind : words.replace(/^-+|-+$/g, "") || kind
  return `${slug}-${hash}`
}

export function isName(text: string): boolean {
  return /^[a-z0-9-]+-[0-9a-f]{16}$/.test(text)
}

export function openStore(folder: string): Store {
  const shard = (name: string) => path.join(folder, "entries", name.slice(-16, -14))
  const fileOf = (slot: Slot) => path.join(shard(slot.name), `${slotText(slot)}.json`)
  const markOf = (slot: Slot) => path.join(folder, "open", slotText(slot))
  const indexOf = (index: string) => {
    const hash = createHash("sha256").update(index).digest("hex").slice(0, 32)
    return path.join(folder, "index", index.replace(/[^a-z].*$/s, ""), hash)
  }

  const read = (slot: Slot): Stored | undefined => {
    const file = fileOf(slot)
    try {
      return { slot, file, entry: entryIn(readFileSync(file, "utf8"), slot) }
    } catch (error) {
      if (hasCode(error, "ENOENT")) return undefined
      throw troubled(folder, error)
    }
  }

  /** Folders with names that are not on the disk yet. */
  const changed = new Set<string>()
  const write = gathered(async (writes: readonly Write[]) => {
    const folders = [...changed]
    changed.clear()
    const places = writes.map(({ slot, isNew }) => ({ file: fileOf(slot), isNew }))
    try {
      return await writeUnder(places, textOf(writes), folders)
    } catch (error) {
      for (const each of folders) changed.add(each)
      throw error
    }
  }, MOST_AT_ONCE)

  return {
    folder,
    async latest(name) {
      let newest: Stored | undefined
      for (let attempt = 1; ; attempt++) {
        const next = read({ name, attempt })
        if (!next) return newest
        newest = next
      }
    },
    async at(place) {
      const slot = slotOf(place)
      return slot && read(slot)
    },
    async claim(slot, entry) {
      try {
        // The mark comes first: a claim without a mark would be one that nobody looks for.
        touch(markOf(slot))
        changed.add(path.dirname(markOf(slot)))
        return await write({ slot, entry, isNew: true })
      } catch (error) {
        throw troubled(folder, error)
      }
    },
    async settle(slot, entry) {
      try {
        await write({ slot, entry, isNew: false })
        rmSync(markOf(slot), { force: true })
      } catch (error) {
        throw troubled(folder, error)
      }
    },
    async open() {
      const stored: Stored[] = []
      for (const mark of await names(path.join(folder, "open"))) {
        const slot = slotOf(mark)
        if (!slot) continue
        const found = read(slot)
        // Without a claim, one may be about to be made: its mark stays.
        if (!found) continue
        if (!found.entry || found.entry.state === "unknown") stored.push(found)
        // A process ended between the outcome and the mark.
        else await rm(path.join(folder, "open", mark), { force: true }).catch(() => {})
      }
      return stored
    },
    async *all() {
      for (const each of await names(path.join(folder, "entries")))
        for (const file of await names(path.join(folder, "entries", each))) {
          const slot = file.endsWith(".json") ? slotOf(file.slice(0, -".json".length)) : undefined
          const stored = slot && read(slot)
          if (stored) yield stored
        }
    },
    async point(index, to) {
      try {
        await keepWord(indexOf(index), to)
        changed.add(path.dirname(indexOf(index)))
      } catch (error) {
        throw troubled(folder, error)
      }
    },
    async pointed(index) {
      try {
        return keptWord(indexOf(index))
      } catch (error) {
        throw troubled(folder, error)
      }
    },
  }
}

/** What is to stand in a claim's file. */
interface Write {
  slot: Slot
  entry: Entry
  /** It is a claim, not an outcome. */
  isNew: boolean
}

/** Entries in one file at most, so that looking one up stays quick. */
const MOST_AT_ONCE = 32

/** One entry as people read it best; several as lines, each of which begins with its place. */
function textOf(writes: readonly Write[]): string {
  const [first, ...others] = writes
  if (first && others.length === 0) return `${JSON.stringify(first.entry, null, 2)}\n`
  return writes.map(({ slot, entry }) => `${lineStart(slot)}${JSON.stringify(entry).slice(1)}\n`).join("")
}

function lineStart(slot: Slot): string {
  return `{"slot":"${slotText(slot)}",`
}

function entryIn(text: string, slot: Slot): Entry | undefined {
  try {
    const value: unknown = JSON.parse(text.startsWith('{"slot":') ? lineOf(text, slot) : text)
    return isEntry(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The entry of a place among several. */
function lineOf(text: string, slot: Slot): string {
  const start = text.indexOf(lineStart(slot))
  return start < 0 ? "" : `{${text.slice(start + lineStart(slot).length, text.indexOf("\n", start))}`
}

function slotOf(text: string): Slot | undefined {
  const [, name, attempt] = /^(.+-[0-9a-f]{16})\.([1-9]\d{0,8})$/.exec(text) ?? []
  return name === undefined ? undefined : { name, attempt: Number(attempt) }
}

async function names(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort()
  } catch (error) {
    if (hasCode(error, "ENOENT")) return []
    throw troubled(folder, error)
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full",
  EDQUOT: "your disk quota is used up",
  EROFS: "that disk is read-only",
  EACCES: "you may not write there",
  EPERM: "you may not write there",
  ENOTDIR: "a part of that path is a file, not a folder",
  EFBIG: "no file may grow any further there",
}

function troubled(folder: string, error: unknown): FreightError {
  if (error instanceof FreightError) return error
  const code = error instanceof Error && "code" in error ? String(error.code) : ""
  const reason = REASONS[code] ?? (error instanceof Error ? error.message : String(error))
  return new FreightError("config", `the ledger in ${folder} cannot be kept: ${reason}`, {
    hint: "Without it a booking could be sent twice. Make room or mend the folder, or set FREIGHT_STATE_DIR to another.",
    cause: error,
  })
}
