/** How keys, shipments and contents become file names. */
import { createHash } from "node:crypto"
import { mkdir, readdir } from "node:fs/promises"
import path from "node:path"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { nameOf, openStore } from "../../src/ledger/store.ts"
import { entry, failure, put, slotOf, temporaryDir } from "./setup.ts"

describe("a key's file name", () => {
  it.each([
    ["key:PO-1001", /^po-1001-/],
    ["key:Order 12/34 (März)", /^order-12-34-m-rz-/],
    ["key:../../etc/passwd", /^etc-passwd-/],
    ["key:con", /^con-[0-9a-f]/],
    ["key:content:abc", /^content-abc-/],
    ["key:", /^shipment-/],
    ["key:木箱", /^shipment-/],
    [`content:${"ab".repeat(32)}`, /^shipment-/],
  ])("of %s can be read", (key, pattern) => {
    expect(nameOf("shipment", key)).toMatch(pattern)
  })

  it("suits every file system, whatever the key", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (key) => {
        expect(nameOf("shipment", `key:${key}`)).toMatch(/^[a-z0-9][a-z0-9-]{0,40}-[0-9a-f]{16}$/)
      }),
    )
  })

  it.each([
    ["case", "key:PO-1", "key:po-1"],
    ["marks", "key:PO 1", "key:PO-1"],
    ["space at the end", "key:PO-1", "key:PO-1 "],
    ["the form of an accent", "key:caf\u00e9", "key:cafe\u0301"],
    ["what comes after a long beginning", `key:${"x".repeat(90)}1`, `key:${"x".repeat(90)}2`],
    ["who gave it", "key:abc", "content:abc"],
  ])("differs with %s", (_what, one, other) => {
    expect(nameOf("shipment", one)).not.toBe(nameOf("shipment", other))
  })

  it("differs with the kind", () => {
    expect(nameOf("shipment", "key:PO-1")).not.toBe(nameOf("pickup", "key:PO-1"))
  })

  it.each([
    "../../../escape",
    "a/b\\c",
    "nul\0byte",
    "-rf",
    "x".repeat(10_000),
    "\ud800",
  ])("keeps the entry of %j in the ledger's folder", async (key) => {
    const parent = temporaryDir()
    const store = openStore(path.join(parent, "ledger"))
    const each = entry({ key: `key:${key}`, state: "done" })
    await put(store, each)
    expect((await store.latest(slotOf(each).name))?.entry?.state).toBe("done")
    expect(await readdir(parent)).toEqual(["ledger"])
  })
})

describe("the index", () => {
  it("gives what was pointed to last", async () => {
    const store = openStore(temporaryDir())
    await store.point("shipment/shp-1", "first")
    await store.point("shipment/shp-1", "second")
    expect(await store.pointed("shipment/shp-1")).toBe("second")
  })

  it("gives nothing for what was never pointed to", async () => {
    expect(await openStore(temporaryDir()).pointed("shipment/shp-1")).toBeUndefined()
  })

  it("takes whatever a server calls its shipments", async () => {
    const store = openStore(temporaryDir())
    const ids = ["../../escape", "a/b", "", "x".repeat(5000), "nul\0byte"]
    for (const id of ids) await store.point(`shipment/${id}`, id)
    expect(await Promise.all(ids.map((id) => store.pointed(`shipment/${id}`)))).toEqual(ids)
  })

  it("fails clearly where it cannot be read: it may name an entry", async () => {
    const store = openStore(temporaryDir())
    const hash = createHash("sha256").update("shipment/shp-1").digest("hex")
    await mkdir(path.join(store.folder, "index", "shipment", hash.slice(0, 32)), { recursive: true })
    expect(await failure(store.pointed("shipment/shp-1"))).toMatchObject({ kind: "config" })
  })
})
