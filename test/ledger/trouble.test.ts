/** What a create does when the ledger itself is in trouble. */
import { readdir, rename, rm, writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { FreightError } from "../../src/errors.ts"
import type { Intent } from "../../src/ledger/create.ts"
import { release } from "../../src/ledger/by-hand.ts"
import { nameOf } from "../../src/ledger/store.ts"
import { create, entry, failure, PO, put, server, type TestLedger, testLedger } from "./setup.ts"

describe("a ledger that cannot be kept", () => {
  /** Puts a file in the place of the folder of entries, which stops every write; gives what undoes it. */
  async function block({ store }: TestLedger): Promise<() => Promise<void>> {
    const folder = path.join(store.folder, "entries")
    await rename(folder, `${folder}.away`).catch(() => {})
    await writeFile(folder, "")
    return async () => {
      await rm(folder)
      await rename(`${folder}.away`, folder)
    }
  }

  it("lets nothing be sent", async () => {
    const ledger = testLedger()
    await block(ledger)
    const { made, send } = server()
    const error = await failure(create(ledger, send, PO))
    expect(error).toMatchObject({ kind: "config", exitCode: 2 })
    expect(error.message).toContain("a part of that path is a file, not a folder")
    expect(made).toEqual([])
  })

  it("leaves nothing open where only its index cannot be written", async () => {
    const ledger = testLedger()
    await writeFile(path.join(ledger.store.folder, "index"), "")
    const { made, send } = server()
    expect(await failure(create(ledger, send, PO))).toMatchObject({ kind: "config" })
    await rm(path.join(ledger.store.folder, "index"))
    await create(ledger, send, PO)
    expect(made).toHaveLength(1)
  })

  it("after the send, tells what was made, with the whole reply, and a step that is left", async () => {
    const ledger = testLedger()
    const error = await failure(
      create(ledger, async () => {
        await block(ledger)
        return { shipmentId: "shp-1", orderNumber: "ORD-1" }
      }),
    )
    expect(error).toMatchObject({
      kind: "stepFailed",
      exitCode: 8,
      retry: "never",
      next: "freight reconcile",
    })
    expect(error.message).toContain(
      "the booking was made: shipment shp-1, Harbour Supplies, Fremantle; but the ledger in",
    )
    expect(error.message).toContain('The reply was {"shipmentId":"shp-1","orderNumber":"ORD-1"}')
    expect(error.hint).toContain("Do not run this again")
  })

  it("after the send, leaves it unknown: it is not sent again", async () => {
    const ledger = testLedger()
    let mend = async () => {}
    await failure(
      create(
        ledger,
        async () => {
          mend = await block(ledger)
          return { shipmentId: "shp-1", orderNumber: "ORD-1" }
        },
        PO,
      ),
    )
    await mend()
    const { made, send } = server()
    expect(await failure(create(ledger, send, PO))).toMatchObject({ kind: "outcomeUnknown" })
    expect(made).toEqual([])
    expect(await ledger.store.open()).toHaveLength(1)
  })

  it("after a refusal, tells the refusal, and that it must be released", async () => {
    const ledger = testLedger()
    const name = nameOf("shipment", "key:PO-1001")
    const error = await failure(
      create(
        ledger,
        async () => {
          await block(ledger)
          throw new FreightError("refused", "bad postcode", { status: 400 })
        },
        PO,
      ),
    )
    expect(error).toMatchObject({
      kind: "refused",
      status: 400,
      message: "bad postcode",
      next: `freight reconcile --release ${name}`,
    })
    expect(error.hint).toContain("Nothing was created; but the ledger in")
  })
})

describe("an entry that cannot be read", () => {
  async function torn(changes: Partial<Intent> = {}) {
    const ledger = testLedger()
    await create(ledger, server().send, changes)
    const [shard = ""] = await readdir(path.join(ledger.store.folder, "entries"))
    const [file = ""] = await readdir(path.join(ledger.store.folder, "entries", shard))
    const torn = path.join(ledger.store.folder, "entries", shard, file)
    await writeFile(torn, '{\n  "version": 1,\n  "ki')
    return { ledger, file: torn, name: file.replace(".1.json", "") }
  }

  it.each<[string, Partial<Intent>, Partial<Intent>]>([
    ["under the same key", PO, PO],
    ["without a key", {}, {}],
    ["under another key, of the same content", PO, {}],
    ["told again", {}, { again: true }],
  ])("lets nothing be sent %s: it may stand for something", async (_how, first, second) => {
    const { ledger, file, name } = await torn(first)
    const { made, send } = server()
    const error = await failure(create(ledger, send, second))
    expect(error).toMatchObject({ kind: "config", exitCode: 2, next: `freight reconcile --release ${name}` })
    expect(error.message).toBe(`the ledger's file ${file} cannot be read; nothing was sent`)
    expect(made).toEqual([])
  })

  it("stands in the way no more once it is released by its name", async () => {
    const { ledger, name } = await torn(PO)
    await release(ledger, name)
    const { made, send } = server()
    await create(ledger, send, PO)
    expect(made).toHaveLength(1)
  })

  it("of an earlier attempt does not matter", async () => {
    const ledger = testLedger()
    await put(ledger.store, entry({ state: "refused" }))
    await put(ledger.store, entry({ state: "refused", attempt: 2 }))
    const file = ((await ledger.store.latest(nameOf("shipment", "key:PO-1001")))?.file ?? "").replace(
      ".2.",
      ".1.",
    )
    await writeFile(file, "")
    const { made, send } = server()
    await create(ledger, send, PO)
    expect(made).toHaveLength(1)
  })
})
