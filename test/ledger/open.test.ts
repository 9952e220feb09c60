/** A ledger's file that is not as freight left it: gone, emptied, an older copy of itself, or another one. */
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs"
import path from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { systemSqlite } from "../../src/machine/builtin-sqlite.ts"
import { systemIds } from "../../src/machine/host.ts"
import { LedgerLost } from "../../src/ledger/lost.ts"
import { pruneLedger } from "../../src/ledger/maintenance/admin.ts"
import { hasLedger, ledgerFile, openLedger } from "../../src/ledger/open.ts"
import { OLDEST_VERSION } from "../../src/ledger/schema.ts"
import { openOutbox } from "../../src/ledger/outbox.ts"
import { openReserve } from "../../src/ledger/reserve.ts"
import {
  create,
  entry,
  failure,
  ledgerFileIn,
  openFile,
  put,
  temporaryDir,
  testClock,
  testLedger,
} from "./setup.ts"
import { loadIntoFile, readFixture } from "./versions.ts"

const place = (folder: string, address?: string) => ({
  address,
  from: "",
  folder,
})

function opened(folder: string, address?: string, isRead = false, notes: string[] = []) {
  const ports = { clock: testClock(), ids: systemIds, sqlite: systemSqlite, password: async () => undefined }
  return openLedger(place(folder, address), ports, async (text) => void notes.push(text), isRead)
}

async function close(opening: ReturnType<typeof opened>): Promise<void> {
  await (await opening).store.close()
}

/** Books under each key, as one command. */
async function book(folder: string, keys: readonly string[], address?: string) {
  const { store, outbox } = await opened(folder, address)
  // Each shipment is named once, whichever command books it.
  for (const key of keys)
    await create(
      testLedger({ store, outbox }),
      async () => ({ shipmentId: `shp-${key}`, orderNumber: key }),
      {
        key,
      },
    )
  await store.close()
}

/** Takes the files of a ledger away, as `rm ledger.db*` does. */
function remove(file: string): void {
  for (const end of ["", "-wal", "-shm"]) rmSync(`${file}${end}`, { force: true })
}

async function refused(folder: string, address?: string): Promise<LedgerLost> {
  const error = await failure(opened(folder, address))
  expect(error).toBeInstanceOf(LedgerLost)
  expect(error).toMatchObject({ kind: "config", exitCode: 2, next: "freight ledger accept" })
  expect(await failure(opened(folder, address, true))).toMatchObject({ message: error.message })
  return error as LedgerLost
}

describe.each([
  ["in the state folder", () => undefined],
  ["named by the setting", (): string | undefined => path.join(temporaryDir(), "named.db")],
])("a ledger %s", (_, nameFile) => {
  const setUp = () => {
    const folder = temporaryDir()
    const address = nameFile()
    return { folder, address, file: address ?? ledgerFile(folder) }
  }

  it("that is gone is refused, and not made again", async () => {
    const { folder, address, file } = setUp()
    await book(folder, ["PO-1"], address)
    remove(file)
    const error = await refused(folder, address)
    expect(error.message).toContain(`${file} is gone`)
    expect(existsSync(file)).toBe(false)
    expect(hasLedger(place(folder, address))).toBe(true)
  })

  it("that was emptied is refused", async () => {
    const { folder, address, file } = setUp()
    await book(folder, ["PO-1"], address)
    truncateSync(file, 0)
    expect((await refused(folder, address)).message).toContain("the file is empty")
    expect(statSync(file).size).toBe(0)
  })

  it("that is an older copy of itself is refused, and not changed", async () => {
    const { folder, address, file } = setUp()
    await book(folder, ["PO-1"], address)
    const copy = path.join(temporaryDir(), "copy.db")
    copyFileSync(file, copy)
    await book(folder, ["PO-2"], address)
    remove(file)
    copyFileSync(copy, file)
    expect((await refused(folder, address)).message).toContain("is an older copy of itself")
    expect(readFileSync(file)).toEqual(readFileSync(copy))
  })

  it("of which the newest claim alone is missing is refused: it may have been sent", async () => {
    const { folder, address, file } = setUp()
    await close(opened(folder, address))
    const copy = path.join(temporaryDir(), "copy.db")
    copyFileSync(file, copy)
    // As after a kill: claimed, and no outcome.
    const { store } = await opened(folder, address)
    await put(store, entry({ state: "unknown" }))
    await store.close()
    remove(file)
    copyFileSync(copy, file)
    await refused(folder, address)
  })

  it("of which the newest outcome alone is missing is refused", async () => {
    const { folder, address, file } = setUp()
    const sent = entry({ state: "unknown" })
    const before = await opened(folder, address)
    await put(before.store, sent)
    await before.store.close()
    const copy = path.join(temporaryDir(), "copy.db")
    copyFileSync(file, copy)
    const { store } = await opened(folder, address)
    await store.settle({ ...sent, state: "released" })
    await store.close()
    remove(file)
    copyFileSync(copy, file)
    await refused(folder, address)
  })

  it("that another one has replaced is refused, however much is in it", async () => {
    const { folder, address, file } = setUp()
    await book(folder, ["PO-1"], address)
    const other = temporaryDir()
    await book(other, ["PO-2", "PO-3", "PO-4"])
    remove(file)
    copyFileSync(ledgerFile(other), file)
    expect((await refused(folder, address)).message).toContain("is not the one that was there before")
  })

  it("that was put back is used again", async () => {
    const { folder, address, file } = setUp()
    await book(folder, ["PO-1"], address)
    const copy = path.join(temporaryDir(), "copy.db")
    copyFileSync(file, copy)
    remove(file)
    await refused(folder, address)
    copyFileSync(copy, file)
    await close(opened(folder, address))
  })

  it.each([
    ["gone", (file: string) => remove(file)],
    ["empty", (file: string) => writeFileSync(file, "")],
    ["other", (file: string) => void copyFileSync(ledgerFileIn(temporaryDir()), file)],
  ])("that is %s is used once a person has accepted that, and is watched over again", async (loss, lose) => {
    const { folder, address, file } = setUp()
    await book(folder, ["PO-1"], address)
    remove(file)
    lose(file)
    const error = await refused(folder, address)
    expect(error.loss).toBe(loss)
    error.accept()
    await book(folder, ["PO-1"], address)
    remove(file)
    await refused(folder, address)
  })
})

it("an older copy that was accepted is used, and is watched over again", async () => {
  const folder = temporaryDir()
  await book(folder, ["PO-1"])
  const copy = path.join(temporaryDir(), "copy.db")
  copyFileSync(ledgerFile(folder), copy)
  await book(folder, ["PO-2"])
  remove(ledgerFile(folder))
  copyFileSync(copy, ledgerFile(folder))
  ;(await refused(folder)).accept()
  await close(opened(folder))
  remove(ledgerFile(folder))
  await refused(folder)
})

describe("nothing is refused", () => {
  it("where nothing was ever booked", async () => {
    const folder = temporaryDir()
    await close(opened(folder))
    remove(ledgerFile(folder))
    expect(hasLedger(place(folder))).toBe(false)
    await close(opened(folder))
    const named = path.join(folder, "named.db")
    writeFileSync(named, "")
    await close(opened(folder, named))
  })

  it("where old entries were pruned", async () => {
    const folder = temporaryDir()
    await book(folder, ["PO-1", "PO-2"])
    const { store } = await opened(folder)
    expect(await pruneLedger(store.database, "2999-01-01")).toBe(2)
    await store.close()
    await close(opened(folder))
  })

  it("where the setting names another file, and the first one again", async () => {
    const folder = temporaryDir()
    const named = path.join(temporaryDir(), "named.db")
    await book(folder, ["PO-1"])
    await book(folder, ["PO-2"], named)
    await expect(close(opened(folder))).resolves.toBeUndefined()
    await expect(close(opened(folder, named))).resolves.toBeUndefined()
  })

  it("where the whole folder was moved", async () => {
    const folder = temporaryDir()
    await book(folder, ["PO-1"])
    const moved = temporaryDir()
    for (const name of readdirSync(folder)) copyFileSync(path.join(folder, name), path.join(moved, name))
    remove(ledgerFile(moved))
    await refused(moved)
    copyFileSync(ledgerFile(folder), ledgerFile(moved))
    await close(opened(moved))
  })

  it("where several have it open and write in turn, each keeping how far it is", async () => {
    const folder = temporaryDir()
    const stores = [await opened(folder), await opened(folder)]
    for (let n = 0; n < 6; n++) {
      const { store } = stores[n % 2] ?? (await opened(folder))
      await put(store, entry({ id: `po.${n}`, key: `key:PO-${n}` }))
      await close(opened(folder))
    }
    for (const { store } of stores) await store.close()
    const { store } = await opened(folder)
    expect((await store.history({})).length).toBe(6)
    await store.close()
  })
})

it("a ledger of an older freight is watched over from the first time that it is opened", async () => {
  const folder = temporaryDir()
  const copy = await loadIntoFile(readFixture(OLDEST_VERSION))
  copyFileSync(copy, ledgerFile(folder))
  await close(opened(folder))
  remove(ledgerFile(folder))
  await refused(folder)
  copyFileSync(copy, ledgerFile(folder))
  expect((await refused(folder)).message).toContain("older copy")
})

describe("the reserve", () => {
  it("keeps its marks where the disk needs its room, and is filled up again", async () => {
    const folder = temporaryDir()
    const file = path.join(folder, "unrecorded.reserve")
    await book(folder, ["PO-1"])
    const full = statSync(file).size
    openReserve(path.join(folder, "unrecorded")).free()
    expect(full - statSync(file).size).toBe(65_536)
    await close(opened(folder))
    expect(statSync(file).size).toBe(full)
    remove(ledgerFile(folder))
    await refused(folder)
  })

  it("of an older freight, which has no marks, is used", async () => {
    const folder = temporaryDir()
    writeFileSync(path.join(folder, "unrecorded.reserve"), new Uint8Array(65_536))
    await book(folder, ["PO-1"])
    remove(ledgerFile(folder))
    await refused(folder)
  })

  it("has room for many ledgers: the last one counts, and the first ones are not forgotten", async () => {
    const reserve = openReserve(path.join(temporaryDir(), "unrecorded"))
    reserve.setAside()
    const mark = { ledger: "0123456789abcdef", count: 7 }
    for (let n = 0; n < 100; n++) reserve.write(`ledger-${n}`, mark)
    expect([reserve.read("ledger-0"), reserve.read("ledger-99")]).toEqual([mark, mark])
    reserve.write("ledger-0", undefined)
    expect(reserve.read("ledger-0")).toBeUndefined()
  })
})

it("a reader of a ledger that nobody has made makes none", async () => {
  const folder = temporaryDir()
  await close(opened(folder, undefined, true))
  expect(readdirSync(folder)).toEqual([])
  const file = openFile(ledgerFileIn(temporaryDir()))
  expect(await file.all("select count from ledger_mark")).toEqual([{ count: 0 }])
})

it("an outcome that could not be recorded is recorded when the ledger is opened, and reported", async () => {
  const folder = temporaryDir()
  const { store } = await opened(folder)
  const sent = entry()
  await put(store, sent)
  await openOutbox(path.join(folder, "unrecorded"), store.place).keep(
    { ...sent, state: "done" },
    `put ${sent.id}`,
  )
  await store.close()
  const notes: string[] = []
  const again = await opened(folder, undefined, false, notes)
  expect(await again.store.byId(sent.id)).toMatchObject({ state: "done" })
  expect(notes).toEqual(["1 outcome that could not be recorded earlier is now in the ledger."])
  await again.store.close()
})

it("a ledger that is only read ends at a signal between two reads, also where SQLite reads in one go", async () => {
  const folder = temporaryDir()
  ledgerFileIn(folder)
  const { default: DatabaseSync } = (await import("libsql")) as unknown as {
    default: new (file: string) => unknown
  }
  const interrupted = new Error("interrupted")
  const readAll = async (isRead: boolean) => {
    const interrupt = new AbortController()
    const ports = {
      ...{ clock: testClock(), ids: systemIds, password: async () => undefined, signal: interrupt.signal },
      sqlite: () => ({ DatabaseSync }),
    }
    const { store } = await openLedger(place(folder), ports, async () => {}, isRead)
    onTestFinished(() => store.close())
    setImmediate(() => interrupt.abort(interrupted))
    for (let reads = 0; reads < 2_000; reads++) await store.database.all("select count(*) from sends")
  }
  await expect(readAll(true)).rejects.toBe(interrupted)
  // A ledger that may be written ignores the signal: it stops by itself when nothing can be lost.
  await readAll(false)
})
