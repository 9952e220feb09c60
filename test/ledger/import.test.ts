/** The ledger of freight 0.1, a folder of files, is taken over at the first use. */
import { existsSync } from "node:fs"
import { mkdir, writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { systemSqlite } from "../../src/builtin-sqlite.ts"
import { systemIds } from "../../src/host.ts"
import { openLedger } from "../../src/ledger/open.ts"
import { entries, failure, temporaryDir, testClock } from "./setup.ts"

/** As freight 0.1 wrote it. */
function old(changes: Record<string, unknown> = {}) {
  return {
    ...{
      version: 1,
      kind: "shipment",
      key: "key:PO-1001",
      account: "acc1",
      content: "c0ffee",
      attempt: 1,
      state: "done",
    },
    ...{
      sentAt: "2026-11-01T00:00:00.000Z",
      settledAt: "2026-11-01T00:00:01.000Z",
      owner: { host: "desk-1", pid: 7 },
    },
    ...{
      facts: { about: "Fremantle", shipmentId: "shp-1" },
      call: "POST /a/shipments",
      request: { serviceCode: "76" },
    },
    ...{ response: { shipmentId: "shp-1", orderNumber: "ORD-1" }, ...changes },
  }
}

async function oldLedger(state: string, service: string, files: Record<string, string>): Promise<string> {
  const folder = path.join(state, service, "ledger")
  await mkdir(path.join(folder, "entries", "ab"), { recursive: true })
  for (const [name, text] of Object.entries(files))
    await writeFile(path.join(folder, "entries", "ab", name), text)
  return folder
}

function opened(folder: string, notes: string[] = []) {
  const place = { address: undefined, from: "", folder, isSandbox: false, workstation: "desk-1" }
  const ports = { clock: testClock(), ids: systemIds, sqlite: systemSqlite, password: async () => undefined }
  return openLedger(place, ports, async (text) => void notes.push(text))
}

const NAME = "po-1001-3fa9c04d51b2e877"

describe("an old ledger", () => {
  it("is taken over once, and left where it is with a note", async () => {
    const state = temporaryDir()
    const folder = await oldLedger(state, "api.example%2fv0", {
      [`${NAME}.1.json`]: JSON.stringify(old({ state: "refused", response: undefined, facts: {} })),
      [`${NAME}.2.json`]: JSON.stringify(old({ attempt: 2 })),
    })
    const notes: string[] = []
    const first = await opened(state, notes)
    expect(notes.join()).toContain("2 entries were imported from the old ledger in")
    expect(await entries(first.store)).toMatchObject([
      { state: "refused", attempt: 1 },
      {
        ...{ state: "done", attempt: 2, scope: "freight:acc1", key: "key:PO-1001", keyGiven: true },
        facts: { shipmentId: "shp-1", orderNumber: "ORD-1" },
        sender: { workstation: "desk-1" },
      },
    ])
    await first.store.close()
    expect(existsSync(path.join(folder, "TAKEN-OVER.txt"))).toBe(true)
    expect(existsSync(path.join(folder, "entries", "ab", `${NAME}.1.json`))).toBe(true)
    const second = await opened(state, notes)
    expect(await entries(second.store)).toHaveLength(2)
    expect(notes).toHaveLength(1)
    await second.store.close()
  })

  it("is told of in the singular where it has one entry, as is an outcome that was recorded later", async () => {
    const state = temporaryDir()
    await oldLedger(state, "api.example", { [`${NAME}.1.json`]: JSON.stringify(old()) })
    const notes: string[] = []
    const { store, outbox } = await opened(state, notes)
    const [entry] = await entries(store)
    if (!entry) throw new Error("nothing was imported")
    await outbox.keep(entry, `import ${entry.id}`)
    await store.close()
    await (await opened(state, notes)).store.close()
    expect(notes).toEqual([
      expect.stringMatching(/^1 entry was imported from the old ledger in /),
      "1 outcome that could not be recorded earlier is now in the ledger.",
    ])
  })

  it("is read also where several entries stand in one file", async () => {
    const state = temporaryDir()
    const line = (slot: string, entry: object) => `{"slot":"${slot}",${JSON.stringify(entry).slice(1)}\n`
    const both =
      line(`${NAME}.1`, old()) +
      line(
        "po-2-3fa9c04d51b2e878.1",
        old({ key: "key:PO-2", facts: { shipmentId: "shp-2" }, response: { shipmentId: "shp-2" } }),
      )
    await oldLedger(state, "api.example", { [`${NAME}.1.json`]: both, "po-2-3fa9c04d51b2e878.1.json": both })
    const { store } = await opened(state)
    expect((await entries(store)).map(({ key }) => key).sort()).toEqual(["key:PO-1001", "key:PO-2"])
    await store.close()
  })

  it("is taken over whole or not at all: a file that cannot be read stops it", async () => {
    const state = temporaryDir()
    await oldLedger(state, "api.example", {
      [`${NAME}.1.json`]: JSON.stringify(old()),
      [`${NAME}.2.json`]: '{"version": 1, "ki',
    })
    const error = await failure(opened(state))
    expect(error).toMatchObject({ kind: "config", exitCode: 2 })
    expect(error.message).toContain(`${NAME}.2.json cannot be read; nothing was sent`)
  })

  it("with one shipment at two entries keeps it at the first, and leaves the other open", async () => {
    const state = temporaryDir()
    await oldLedger(state, "api.example", {
      [`${NAME}.1.json`]: JSON.stringify(old()),
      "po-2-3fa9c04d51b2e878.1.json": JSON.stringify(
        old({ key: "key:PO-2", sentAt: "2026-11-01T00:00:02.000Z" }),
      ),
    })
    const { store } = await opened(state)
    expect(await store.open()).toMatchObject([
      { key: "key:PO-2", note: expect.stringContaining("check whether this one was made") },
    ])
    await store.close()
  })

  it("of two spellings of one address are taken over together, a key that was booked in both included", async () => {
    const state = temporaryDir()
    await oldLedger(state, "localhost%3a4000", { [`${NAME}.1.json`]: JSON.stringify(old()) })
    const other = old({
      sentAt: "2026-11-02T00:00:00.000Z",
      facts: { shipmentId: "shp-2" },
      response: { shipmentId: "shp-2" },
    })
    await oldLedger(state, "127.0.0.1%3a4000", { [`${NAME}.1.json`]: JSON.stringify(other) })
    const { store } = await opened(state)
    expect((await entries(store)).map(({ facts }) => facts.shipmentId).sort()).toEqual(["shp-1", "shp-2"])
    await store.close()
  })

  it("of two spellings of one address is taken over also where both sent the same thing, and neither knows", async () => {
    const state = temporaryDir()
    for (const service of ["localhost%3a80", "127.0.0.1%3a80"])
      await oldLedger(state, service, {
        [`${NAME}.1.json`]: JSON.stringify(
          old({ key: "content:c0ffee", state: "unknown", response: undefined, facts: {} }),
        ),
      })
    const { store } = await opened(state)
    expect((await store.open()).map(({ content }) => content)).toEqual(["c0ffee", "c0ffee"])
  })

  it("of two spellings of one address is taken over also where both have the same shipment", async () => {
    const state = temporaryDir()
    for (const [n, service] of ["localhost%3a80", "127.0.0.1%3a80"].entries())
      await oldLedger(state, service, { [`${NAME}.1.json`]: JSON.stringify(old({ key: `key:PO-${n}` })) })
    const { store } = await opened(state)
    expect((await entries(store)).map(({ state }) => state).sort()).toEqual(["done", "unknown"])
  })

  it("is compared with what its account sends from now on, whose scope may be that of an older key", async () => {
    const state = temporaryDir()
    const first = await opened(state)
    await first.store.database.run(
      "insert into accounts (account, scope, address, first_used_at) values ('acc1', 'freight:acc0', 'api.example/v0', '')",
    )
    await first.store.close()
    await oldLedger(state, "api.example%2fv0", { [`${NAME}.1.json`]: JSON.stringify(old()) })
    const { store } = await opened(state)
    expect((await entries(store)).map(({ scope }) => scope)).toEqual(["freight:acc0"])
  })
})
