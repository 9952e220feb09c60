/**
 * The ledger on disk: one small file for each claim.
 *
 *   entries/3f/po-1001-3fa9c04d51b2e877.1.json   the first claim of a key; `.2.json` the second, and so on
 *   open/po-1001-3fa9c04d51b2e877.1              a mark beside every claim that has no outcome yet
 *   index/shipment/…, index/content/…            the entry that made a shipment, or that has a content
 *
 * Marks and index are further names of the same file, made and synced with it.
 *
 * Two facts make it safe. A claim is made by linking a finished file to a name that must not exist, which the
 * operating system lets one process do, and the file is on the disk before anything is sent. And a claim is never
 * removed or reused: who may send again makes the next number, under the same rule.
 *
 * A process that claims or settles several entries at once waits for the disk once: they are lines of one file, which
 * has the names of each of them.
 */
import { createHash } from "node:crypto"
import { readFileSync, statSync } from "node:fs"
import { readdir, rm } from "node:fs/promises"
import path from "node:path"
import { FreightError } from "../errors.ts"
import { codeOf, hasCode } from "../system.ts"
import { type Name, unname, writeUnder } from "./disk.ts"
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
  at(slot: Slot): Promise<Stored | undefined>
  /** Makes a claim durable. False when another process has that number. @throws FreightError `config`. */
  claim(slot: Slot, entry: Entry, index?: Index): Promise<boolean>
  /** Replaces a claim's file by its outcome, durably; one whose state is still `unknown` stays open. @throws FreightError `config`. */
  settle(slot: Slot, entry: Entry, index?: Index): Promise<void>
  /** Claims without an outcome. */
  open(): Promise<Stored[]>
  all(): AsyncGenerator<Stored>
  /** The newest claim that was to be found by its content. @throws FreightError `config` when it cannot be read. */
  ofContent(content: string): Promise<Slot | undefined>
  /** The claim whose outcome is a shipment. @throws FreightError `config` when it cannot be read. */
  ofShipment(shipmentId: string): Promise<Slot | undefined>
}

export interface Index {
  /** The entry is to be found by its content, in the place of any other. */
  byContent?: boolean
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
  const indexOf = (index: "content" | "shipment", value: string) => {
    const hash = createHash("sha256").update(`${index}/${value}`).digest("hex").slice(0, 32)
    return path.join(folder, "index", index, hash)
  }

  const textIn = (file: string): string | undefined => {
    try {
      // Most of what is looked for is not there, and asking costs less than an error.
      return statSync(file, { throwIfNoEntry: false }) && readFileSync(file, "utf8")
    } catch (error) {
      if (hasCode(error, "ENOENT")) return undefined
      throw troubled(folder, error)
    }
  }

  const read = (slot: Slot): Stored | undefined => {
    const file = fileOf(slot)
    const text = textIn(file)
    return text === undefined ? undefined : { slot, file, entry: entryIn(text, slot) }
  }

  async function* all(): AsyncGenerator<Stored> {
    for (const each of await names(path.join(folder, "entries")))
      for (const file of await names(path.join(folder, "entries", each))) {
        const slot = file.endsWith(".json") ? slotOf(file.slice(0, -".json".length)) : undefined
        const stored = slot && read(slot)
        if (stored) yield stored
      }
  }

  const find = async (index: "content" | "shipment", value: string): Promise<Slot | undefined> => {
    const file = indexOf(index, value)
    const text = textIn(file)
    if (text === undefined) return undefined
    const isIt = ({ kind, content, facts }: Entry) =>
      index === "content" ? content === value : kind === "shipment" && facts.shipmentId === value
    const entry = entriesWith(text, value).find(isIt)
    if (entry) return { name: nameOf(entry.kind, entry.key), attempt: entry.attempt }
    // It is spoiled, and so is the claim that has the same file: only the claim's name says whose it is.
    const { ino } = statSync(file, { bigint: true })
    for await (const each of all())
      if (each.entry ? isIt(each.entry) : statSync(each.file, { bigint: true }).ino === ino) return each.slot
    return undefined
  }

  const namesOf = ({ slot, entry, isNew, byContent }: Write): Name[] => {
    const { kind, state, content, facts } = entry
    const names: Name[] = []
    // The mark comes first: a claim without a mark would be one that nobody looks for.
    if (isNew) names.push({ file: markOf(slot), how: "keep" })
    if (byContent) names.push({ file: indexOf("content", content), how: isNew ? "point" : "replace" })
    // So does the way back: a shipment that seems to be nobody's could be taken for another entry's.
    if (state === "done" && kind === "shipment" && facts.shipmentId !== undefined)
      names.push({ file: indexOf("shipment", facts.shipmentId), how: "point" })
    names.push({ file: fileOf(slot), how: isNew ? "claim" : "replace" })
    return names
  }

  /** @returns whether each has its place */
  const write = gathered(async (writes: readonly Write[]) => {
    const named = writes.map(namesOf)
    const has = await writeUnder(named.flat(), textOf(writes))
    return named.map((names) => has.splice(0, names.length).at(-1) === true)
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
    at: async (slot) => read(slot),
    async claim(slot, entry, index) {
      try {
        return await write({ slot, entry, isNew: true, ...index })
      } catch (error) {
        throw troubled(folder, error)
      }
    },
    async settle(slot, entry, index) {
      try {
        await write({ slot, entry, isNew: false, ...index })
        // What is only said of an open claim leaves it open.
        if (entry.state !== "unknown") unname(markOf(slot))
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
    all,
    ofContent: (content) => find("content", content),
    ofShipment: (shipmentId) => find("shipment", shipmentId),
  }
}

/** What is to stand in a claim's file. */
interface Write extends Index {
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

/** The entries of a file in which a text stands. */
function entriesWith(text: string, part: string): Entry[] {
  const quoted = JSON.stringify(part)
  const texts = text.startsWith('{"slot":')
    ? text.split("\n").filter((line) => line.includes(quoted))
    : [text]
  return texts.flatMap((each) => {
    try {
      const value: unknown = JSON.parse(each)
      return isEntry(value) ? value : []
    } catch {
      return []
    }
  })
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
  const reason = REASONS[codeOf(error) ?? ""] ?? (error instanceof Error ? error.message : String(error))
  return new FreightError("config", `the ledger in ${folder} cannot be kept: ${reason}`, {
    hint: "Without it a booking could be sent twice. Make room or mend the folder, or set FREIGHT_STATE_DIR to another.",
    cause: error,
  })
}
