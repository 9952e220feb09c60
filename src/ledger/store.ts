/**
 * The ledger on disk: one small file for each claim.
 *
 *   entries/3f/po-1001-3fa9c04d51b2e877.1.json   the first claim of a key; `.2.json` the second, and so on
 *   open/po-1001-3fa9c04d51b2e877.1              a mark beside every claim that has no outcome yet
 *   index/…                                      from a shipment's id, or a content, to the entry that made it
 *
 * Two facts make it safe. A claim is made by linking a finished file to a name that must not exist, which the
 * operating system lets one process do, and the file is on the disk before anything is sent. And a claim is never
 * removed or reused: who may send again makes the next number, under the same rule.
 */
import { createHash, randomBytes } from "node:crypto"
import { link, mkdir, open, readdir, readFile, rename, rm, unlink, writeFile } from "node:fs/promises"
import path from "node:path"
import { FreightError } from "../errors.ts"
import { type Entry, isEntry } from "./entry.ts"

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
  /** Remembers which entry made something; overwrites. @throws FreightError `config`. */
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
    const hash = createHash("sha256").update(index).digest("hex")
    return path.join(folder, "index", hash.slice(0, 2), hash.slice(2, 34))
  }

  /** The text in a file of its own beside the target, on the disk. */
  const written = async (target: string, text: string): Promise<string> => {
    await makeFolder(path.dirname(target))
    const draft = `${target}.${randomBytes(6).toString("hex")}.tmp`
    const handle = await open(draft, "wx", 0o600)
    try {
      await handle.writeFile(text)
      await handle.sync()
    } catch (error) {
      await rm(draft, { force: true }).catch(() => {})
      throw error
    } finally {
      await handle.close()
    }
    return draft
  }

  const read = async (slot: Slot): Promise<Stored | undefined> => {
    const file = fileOf(slot)
    let text: string
    try {
      text = await readFile(file, "utf8")
    } catch (error) {
      if (hasCode(error, "ENOENT")) return undefined
      throw troubled(folder, error)
    }
    return { slot, file, entry: parsed(text) }
  }

  return {
    folder,
    async latest(name) {
      let newest: Stored | undefined
      for (let attempt = 1; ; attempt++) {
        const next = await read({ name, attempt })
        if (!next) return newest
        newest = next
      }
    },
    async at(place) {
      const slot = slotOf(place)
      return slot && read(slot)
    },
    async claim(slot, entry) {
      const file = fileOf(slot)
      try {
        // The mark comes first: a claim without a mark would be one that nobody looks for.
        await makeFolder(path.join(folder, "open"))
        await writeFile(markOf(slot), "", { mode: 0o600 })
        await syncFolder(path.join(folder, "open"))
        const draft = await written(file, textOf(entry))
        try {
          await link(draft, file)
        } catch (error) {
          if (hasCode(error, "EEXIST")) return false
          throw error
        } finally {
          await unlink(draft).catch(() => {})
        }
        await syncFolder(path.dirname(file))
        return true
      } catch (error) {
        throw troubled(folder, error)
      }
    },
    async settle(slot, entry) {
      const file = fileOf(slot)
      try {
        await rename(await written(file, textOf(entry)), file)
        await syncFolder(path.dirname(file))
        await rm(markOf(slot), { force: true })
      } catch (error) {
        throw troubled(folder, error)
      }
    },
    async open() {
      const stored: Stored[] = []
      for (const mark of await names(path.join(folder, "open"))) {
        const slot = slotOf(mark)
        if (!slot) continue
        const found = await read(slot)
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
          const stored = slot && (await read(slot))
          if (stored) yield stored
        }
    },
    async point(index, to) {
      const file = indexOf(index)
      try {
        await rename(await written(file, to), file)
        await syncFolder(path.dirname(file))
      } catch (error) {
        throw troubled(folder, error)
      }
    },
    async pointed(index) {
      try {
        return await readFile(indexOf(index), "utf8")
      } catch (error) {
        if (hasCode(error, "ENOENT")) return undefined
        throw troubled(folder, error)
      }
    },
  }
}

function textOf(entry: Entry): string {
  return `${JSON.stringify(entry, null, 2)}\n`
}

function parsed(text: string): Entry | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isEntry(value) ? value : undefined
  } catch {
    return undefined
  }
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

/** A folder and those above it, each durable. Node's own recursive mkdir hides why a read-only disk says no. */
async function makeFolder(folder: string): Promise<void> {
  const make = async () => {
    await mkdir(folder, { mode: 0o700 })
    await syncFolder(path.dirname(folder))
  }
  try {
    await make().catch(async (error: unknown) => {
      if (!hasCode(error, "ENOENT") || path.dirname(folder) === folder) throw error
      await makeFolder(path.dirname(folder))
      await make()
    })
  } catch (error) {
    // A file in its place is found out by whoever writes there.
    if (!hasCode(error, "EEXIST")) throw error
  }
}

/** A new name survives a power cut once its folder is on the disk. Windows has no such call, and needs none. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r").catch((error: unknown) => {
    if (hasCode(error, "EISDIR") || hasCode(error, "EPERM") || hasCode(error, "EACCES")) return undefined
    throw error
  })
  if (!handle) return
  try {
    await handle.sync()
  } catch (error) {
    if (!hasCode(error, "EPERM") && !hasCode(error, "EINVAL")) throw error
  } finally {
    await handle.close()
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code
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
