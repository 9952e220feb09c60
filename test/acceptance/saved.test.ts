/** Things saved by name, by commands that are alike: addresses, parties, packages. */
import { describe, expect, it } from "vitest"
import { desk, errorIn } from "./freight.ts"

const ADDRESS = {
  companyName: "Port Street Fittings",
  address1: "8 Market Street",
  suburb: "Fremantle",
  state: "WA",
  postcode: "6160",
}
const SUPPLIER = ["--supplier-id", "S-1", "--supplier-name", "Harbour Lighting"]
const PACKAGE = { lengthCm: 30, widthCm: 20, heightCm: 10, weightKg: 2, skus: [] }

describe.each<[kind: string, words: string[], saved: object, others: string[], replaced: object]>([
  [
    "address",
    Object.entries(ADDRESS).flatMap(([field, value]) => ["--set", `${field}=${value}`]),
    ADDRESS,
    ["--set", "contactName=Kim"],
    { ...ADDRESS, contactName: "Kim" },
  ],
  [
    "party",
    SUPPLIER,
    { supplierId: "S-1", supplierName: "Harbour Lighting" },
    ["--abn", "53004085616"],
    { supplierId: "S-1", supplierName: "Harbour Lighting", abn: "53004085616" },
  ],
  ["package", ["30x20x10@2"], PACKAGE, [], PACKAGE],
])("freight %s", (kind, words, saved, others, replaced) => {
  it("saves under a name, replaces on request only, and removes all that are named or none", async () => {
    const { freight } = await desk()
    const list = async () => (await freight([kind, "list", "--json"])).items()
    const added = await freight([kind, "add", "dock", ...words, "--json"])
    expect([added.code, added.json(), await list()]).toMatchObject([
      ...[0, { name: "dock", ...saved }],
      [{ name: "dock", ...saved }],
    ])
    const again = [kind, "add", "dock", ...words, ...others]
    const refused = await freight(again)
    expect([refused.code, refused.stderr, await list()]).toMatchObject([
      ...[2, expect.stringContaining("already exists")],
      [{ name: "dock", ...saved }],
    ])
    expect((await freight([...again, "--replace"])).code).toBe(0)
    expect(await list()).toMatchObject([{ name: "dock", ...replaced }])
    const wrong = await freight([kind, "remove", "dock", "dcok"])
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('Did you mean "dock"?')])
    expect(await list()).toHaveLength(1)
    const removed = await freight([kind, "remove", "dock", "--json"])
    expect([removed.code, removed.items()]).toMatchObject([0, [{ name: "dock", ...replaced }]])
    expect(await list()).toEqual([])
  })
})

it("freight package add --sku gives a SKU to one package, and takes it away with that", async () => {
  const { freight } = await desk()
  const add = (...words: string[]) => freight(["package", "add", ...words, "--json"])
  expect((await add("lamp", "40x30x30@2", "--sku", "L-40", "--sku", "L-41")).json()).toMatchObject({
    skus: ["L-40", "L-41"],
  })
  const taken = await add("box", "30x20x10@2", "--sku", "l-40")
  expect([taken.code, errorIn(taken.stderr).message]).toEqual([
    2,
    'the SKU "L-40" is already of the package "lamp"',
  ])
  expect((await add("box", "30x20x10@2", "--sku", "l-40", "--replace")).code).toBe(0)
  const list = async () => (await freight(["package", "list", "--json"])).items<object>()
  expect(await list()).toMatchObject([{ skus: ["l-40"] }, { skus: ["L-41"] }])
  await freight(["package", "remove", "lamp"])
  expect((await add("lamp", "40x30x30@2")).json()).toMatchObject({ skus: [] })
})
