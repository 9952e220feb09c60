import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import type { Entry } from "../../src/ledger/entry.ts"
import { openStore, type Stored } from "../../src/ledger/store.ts"
import { entry, failure, put, slotOf, temporaryDir } from "./setup.ts"

const made = entry()
const slot = slotOf(made)
const done = entry({ state: "done", settledAt: made.sentAt, response: { shipmentId: "shp-1" } })

async function listed(entries: AsyncIterable<Stored>): Promise<Stored[]> {
  const list: Stored[] = []
  for await (const each of entries) list.push(each)
  return list
}

/** Paths of all files below a folder. */
async function filesIn(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  return found.filter((each) => each.isFile()).map(({ name, parentPath }) => path.join(parentPath, name))
}

/** A ledger with one claim, whose file then holds something else. */
async function spoiled(contents: string | Uint8Array) {
  const store = openStore(temporaryDir())
  await store.claim(slot, made)
  const [file = ""] = (await filesIn(store.folder)).filter((each) => each.endsWith(".json"))
  await writeFile(file, contents)
  return { store, file }
}

describe("a claim", () => {
  it("is there for the next process, as it was made", async () => {
    const folder = temporaryDir()
    expect(await openStore(folder).claim(slot, made)).toBe(true)
    expect(await openStore(folder).latest(slot.name)).toMatchObject({ slot, entry: made })
  })

  it("is had by one of many at once, and holds what that one wrote", async () => {
    const store = openStore(temporaryDir())
    const claims = await Promise.all(
      Array.from({ length: 40 }, (_, pid) => store.claim(slot, { ...made, owner: { host: "desk-1", pid } })),
    )
    const winners = claims.flatMap((won, pid) => (won ? [pid] : []))
    expect(winners).toHaveLength(1)
    expect((await store.latest(slot.name))?.entry?.owner.pid).toBe(winners[0])
  })

  it("never takes the place of one that is settled", async () => {
    const store = openStore(temporaryDir())
    await put(store, done)
    expect(await store.claim(slot, made)).toBe(false)
    expect((await store.latest(slot.name))?.entry).toEqual(done)
  })

  it("leaves no draft behind, whether it was had or not", async () => {
    const store = openStore(temporaryDir())
    await store.claim(slot, made)
    await store.claim(slot, made)
    expect(await filesIn(path.join(store.folder, "entries"))).toHaveLength(1)
  })

  it("can be read by a person", async () => {
    const store = openStore(temporaryDir())
    await store.claim(slot, made)
    const file = (await store.latest(slot.name))?.file ?? ""
    expect(path.basename(file)).toMatch(/^po-1001-[0-9a-f]{16}\.1\.json$/)
    expect(await readFile(file, "utf8")).toBe(`${JSON.stringify(made, null, 2)}\n`)
  })

  it.skipIf(process.platform === "win32")("is nobody else's to read", async () => {
    const store = openStore(path.join(temporaryDir(), "ledger"))
    await store.claim(slot, made)
    const file = (await store.latest(slot.name))?.file ?? ""
    const modes = await Promise.all([file, path.dirname(file), store.folder].map((each) => stat(each)))
    expect(modes.map(({ mode }) => mode & 0o777)).toEqual([0o600, 0o700, 0o700])
  })

  it.each([
    ["the ledger", ""],
    ["its folder of marks", "open"],
    ["its folder of entries", "entries"],
    ["one of those", `entries/${slot.name.slice(-16, -14)}`],
  ])("fails clearly where a file stands in the place of %s", async (_what, place) => {
    const store = openStore(path.join(temporaryDir(), "ledger"))
    const file = path.join(store.folder, place)
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, "")
    const error = await failure(store.claim(slot, made))
    expect(error.kind).toBe("config")
    expect(error.message).toContain(
      `the ledger in ${store.folder} cannot be kept: a part of that path is a file`,
    )
  })
})

describe("a folder for the ledger", () => {
  it("is made with all above it", async () => {
    const store = openStore(path.join(temporaryDir(), "a", "b", "c"))
    expect(await store.claim(slot, made)).toBe(true)
  })

  it("is made by many at once", async () => {
    const folder = path.join(temporaryDir(), "a", "b")
    const claims = Array.from({ length: 10 }, (_, n) => {
      const each = entry({ key: `key:${n}` })
      return openStore(folder).claim(slotOf(each), each)
    })
    expect(await Promise.all(claims)).toEqual(Array(10).fill(true))
  })

  it.skipIf(process.platform !== "linux")(
    "that the system will not make is told, and not waited for",
    async () => {
      const error = await failure(openStore("/proc/freight/ledger").claim(slot, made))
      expect(error).toMatchObject({ kind: "config" })
      expect(error.message).toContain("the ledger in /proc/freight/ledger cannot be kept")
    },
  )
})

describe("an outcome", () => {
  it("takes the place of the claim", async () => {
    const store = openStore(temporaryDir())
    await store.claim(slot, made)
    await store.settle(slot, done)
    expect(await store.latest(slot.name)).toMatchObject({ slot, entry: done })
  })

  it("leaves one file, and no mark", async () => {
    const store = openStore(temporaryDir())
    await put(store, done)
    expect(await filesIn(store.folder)).toHaveLength(1)
  })

  it("that cannot be written leaves the claim open", async () => {
    const store = openStore(temporaryDir())
    await store.claim(slot, made)
    const { file } = (await store.latest(slot.name)) ?? { file: "" }
    await rm(path.dirname(file), { recursive: true })
    await writeFile(path.dirname(file), "")
    expect(await failure(store.settle(slot, done))).toMatchObject({ kind: "config" })
    expect(await filesIn(path.join(store.folder, "open"))).toHaveLength(1)
  })
})

describe("the newest claim of a key", () => {
  it("is none where there is none", async () => {
    expect(await openStore(temporaryDir()).latest(slot.name)).toBeUndefined()
  })

  it("is the one with the highest number, counted and not spelled", async () => {
    const store = openStore(temporaryDir())
    for (let attempt = 1; attempt <= 11; attempt++) await put(store, entry({ attempt, state: "refused" }))
    expect((await store.latest(slot.name))?.slot.attempt).toBe(11)
  })

  const text = `${JSON.stringify(done, null, 2)}\n`
  it.each<[string, string | Uint8Array]>([
    ["empty", ""],
    ["torn", text.slice(0, text.length / 2)],
    ["zeros, as after a power cut", new Uint8Array(text.length)],
    ["no UTF-8", new Uint8Array([0xff, 0xfe, 0x00, 0xd8])],
    ["something else", "# my notes\n"],
    ["null", "null"],
    ["a list", "[]"],
    ["another object", '{"shipments": []}'],
    ["from a later version", JSON.stringify({ ...done, version: 2 })],
    ["of a kind that is none", JSON.stringify({ ...done, kind: "invoice" })],
    ["in a state that is none", JSON.stringify({ ...done, state: "lost" })],
    ["of no time", JSON.stringify({ ...done, sentAt: "yesterday" })],
    ["settled at no time", JSON.stringify({ ...done, settledAt: "yesterday" })],
    ["settled at a number", JSON.stringify({ ...done, settledAt: 7 })],
    ["of nobody", JSON.stringify({ ...done, owner: null })],
    ["without facts", JSON.stringify({ ...done, facts: null })],
    ["a shipment without its request", JSON.stringify({ ...done, request: null })],
    ["of a key that is no text", JSON.stringify({ ...done, key: 7 })],
    ["of an attempt that is no number", JSON.stringify({ ...done, attempt: "1" })],
  ])("is there without an entry when its file is %s", async (_what, contents) => {
    const { store, file } = await spoiled(contents)
    expect(await store.latest(slot.name)).toEqual({ slot, file, entry: undefined })
  })

  it("fails clearly when it is there and cannot be read", async () => {
    const { store, file } = await spoiled("")
    await rm(file)
    await mkdir(file)
    expect(await failure(store.latest(slot.name))).toMatchObject({ kind: "config", exitCode: 2 })
  })
})

describe("a claim's place", () => {
  it("leads to the claim", async () => {
    const store = openStore(temporaryDir())
    await put(store, entry({ state: "refused" }))
    await put(store, entry({ attempt: 2 }))
    expect((await store.at({ ...slot, attempt: 1 }))?.entry?.state).toBe("refused")
    expect((await store.at({ ...slot, attempt: 2 }))?.entry?.state).toBe("unknown")
  })

  it("leads nowhere where there is no claim", async () => {
    const store = openStore(temporaryDir())
    await put(store, made)
    expect(await store.at({ ...slot, attempt: 9 })).toBeUndefined()
  })
})

describe("what is open", () => {
  it("is nothing where there is no ledger", async () => {
    expect(await openStore(path.join(temporaryDir(), "none")).open()).toEqual([])
  })

  it.each<[Entry["state"], number]>([
    ["unknown", 1],
    ["done", 0],
    ["refused", 0],
    ["released", 0],
  ])("counts an entry that is %s as %d", async (state, count) => {
    const store = openStore(temporaryDir())
    await put(store, entry({ state }))
    expect(await store.open()).toHaveLength(count)
  })

  it("counts a claim that cannot be read", async () => {
    const { store, file } = await spoiled("")
    expect(await store.open()).toEqual([{ slot, file, entry: undefined }])
  })

  it("is marked no more once it was seen to be settled", async () => {
    const store = openStore(temporaryDir())
    await put(store, done)
    const mark = path.join(store.folder, "open", `${slot.name}.1`)
    await writeFile(mark, "")
    expect(await store.open()).toEqual([])
    await expect(stat(mark)).rejects.toMatchObject({ code: "ENOENT" })
  })

  it("stays marked while its claim is only being made", async () => {
    const store = openStore(temporaryDir())
    const mark = path.join(store.folder, "open", `${slot.name}.1`)
    await mkdir(path.dirname(mark))
    await writeFile(mark, "")
    expect(await store.open()).toEqual([])
    expect((await stat(mark)).isFile()).toBe(true)
  })

  it("is not what others left in that folder", async () => {
    const store = openStore(temporaryDir())
    await mkdir(path.join(store.folder, "open"))
    for (const name of [".DS_Store", "notes.txt", `${slot.name}.0`, `${slot.name}.x`, "..1"])
      await writeFile(path.join(store.folder, "open", name), "")
    expect(await store.open()).toEqual([])
  })
})

describe("the whole ledger", () => {
  it("has every claim of every key once", async () => {
    const store = openStore(temporaryDir())
    for (const each of [
      entry({ state: "refused" }),
      entry({ attempt: 2 }),
      entry({ key: "key:PO-2" }),
      entry({ kind: "pickup", state: "done" }),
    ])
      await put(store, each)
    const found = await listed(store.all())
    expect(found.map(({ entry: each }) => `${each?.kind} ${each?.key} ${each?.attempt}`).sort()).toEqual([
      "pickup key:PO-1001 1",
      "shipment key:PO-1001 1",
      "shipment key:PO-1001 2",
      "shipment key:PO-2 1",
    ])
  })

  it("has no drafts of processes that were killed, and no foreign files", async () => {
    const store = openStore(temporaryDir())
    await put(store, made)
    const folder = path.dirname((await store.latest(slot.name))?.file ?? "")
    for (const name of [`${slot.name}.1.json.0123456789ab.tmp`, "notes.json", ".DS_Store"])
      await writeFile(path.join(folder, name), "{}")
    expect(await listed(store.all())).toHaveLength(1)
  })
})
