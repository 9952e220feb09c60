/** How keys, shipments and contents become file names. */
import { createHash } from "node:crypto"
import { mkdir, readdir, rm, writeFile } from "node:fs/promises"
import path from "node:path"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Entry } from "../../src/ledger/entry.ts"
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
  const booked = (shipmentId: string, changes: Partial<Entry> = {}) =>
    entry({ state: "done", facts: { shipmentId }, ...changes })

  it("leads from a content to the newest claim that is to be found by it", async () => {
    const store = openStore(temporaryDir())
    const [first, second, third] = [entry(), entry({ key: "key:PO-2" }), entry({ key: "key:PO-3" })]
    await store.claim(slotOf(first), first, { byContent: true })
    await store.claim(slotOf(second), second, { byContent: true })
    await store.claim(slotOf(third), third)
    expect(await store.ofContent(first.content)).toEqual(slotOf(second))
  })

  it("leads from a content to the same claim once it has an outcome", async () => {
    const store = openStore(temporaryDir())
    const made = entry()
    await store.claim(slotOf(made), made, { byContent: true })
    await store.settle(slotOf(made), { ...made, state: "refused" }, { byContent: true })
    expect(await store.ofContent(made.content)).toEqual(slotOf(made))
  })

  it("leads from a shipment to the entry that made it, and not to a print of its label", async () => {
    const store = openStore(temporaryDir())
    const made = booked("shp-1")
    await put(store, made)
    await put(store, booked("shp-1", { kind: "label-print", key: "key:print" }))
    expect(await store.ofShipment("shp-1")).toEqual(slotOf(made))
  })

  it("leads to each of those that were written at once, those of one content included", async () => {
    const store = openStore(temporaryDir())
    const many = Array.from({ length: 20 }, (_, n) =>
      booked(`shp-${n}`, { key: `key:${n}`, content: `c${n % 7}` }),
    )
    await Promise.all(many.map((each) => store.claim(slotOf(each), each, { byContent: true })))
    await Promise.all(many.map((each) => store.settle(slotOf(each), each, { byContent: true })))
    const found = await Promise.all(many.map((_, n) => store.ofShipment(`shp-${n}`)))
    expect(found).toEqual(many.map(slotOf))
    const [latest] = await Promise.all(many.map(({ content }) => store.ofContent(content)))
    expect(many.map(slotOf)).toContainEqual(latest)
  })

  it("leads nowhere from what was never made", async () => {
    const store = openStore(temporaryDir())
    expect([await store.ofShipment("shp-1"), await store.ofContent("c1")]).toEqual([undefined, undefined])
  })

  it("takes whatever a server calls its shipments", async () => {
    const store = openStore(temporaryDir())
    const ids = ["../../escape", "a/b", "", "x".repeat(5000), "nul\0byte"]
    for (const id of ids) await put(store, booked(id, { key: `key:${id}` }))
    const names = (await Promise.all(ids.map((id) => store.ofShipment(id)))).map((slot) => slot?.name)
    expect(names).toEqual(ids.map((id) => nameOf("shipment", `key:${id}`)))
  })

  it("is made up for by looking through the entries where it is spoiled", async () => {
    const store = openStore(temporaryDir())
    for (const id of ["shp-1", "shp-2"]) await put(store, booked(id, { key: `key:${id}` }))
    await writeFile(shipmentIndex(store.folder, "shp-2"), "{")
    // It has that one's file: both are spoiled, and the claim's name says whose it is.
    expect((await store.ofShipment("shp-2"))?.name).toBe(nameOf("shipment", "key:shp-2"))
    await put(store, booked("shp-3", { key: "key:shp-3" }))
    await rm(shipmentIndex(store.folder, "shp-3"))
    await writeFile(shipmentIndex(store.folder, "shp-3"), "")
    expect((await store.ofShipment("shp-3"))?.name).toBe(nameOf("shipment", "key:shp-3"))
    await writeFile(shipmentIndex(store.folder, "shp-4"), "")
    expect(await store.ofShipment("shp-4")).toBeUndefined()
  })

  it("fails clearly where it cannot be read: it may name an entry", async () => {
    const store = openStore(temporaryDir())
    await mkdir(shipmentIndex(store.folder, "shp-1"), { recursive: true })
    expect(await failure(store.ofShipment("shp-1"))).toMatchObject({ kind: "config" })
  })
})

function shipmentIndex(folder: string, id: string): string {
  const hash = createHash("sha256").update(`shipment/${id}`).digest("hex")
  return path.join(folder, "index", "shipment", hash.slice(0, 32))
}
