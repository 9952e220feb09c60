import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { beforeEach, describe, expect, it, onTestFinished } from "vitest"
import { keepLastParties, readLastParties } from "../../src/invoice/new/parties.ts"

let file: string
beforeEach(async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "freight-parties-"))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  file = path.join(folder, "parties.json")
})

const HARBOUR = { supplierId: "S-1", supplierName: "Harbour Lighting", abn: "51824753556" }
const HOMES = { billTo: "1 Harbour Street, Sydney NSW 2000" }

describe("the parties of the last invoice", () => {
  it("are remembered, and nothing else of it", async () => {
    await keepLastParties(file, { ...HARBOUR, ...HOMES, number: "INV-1" } as typeof HARBOUR)
    expect(await readLastParties(file)).toEqual({ supplier: HARBOUR, customer: HOMES })
    expect(await readFile(file, "utf8")).not.toContain("INV-1")
  })

  it("stay where an invoice does not name them whole", async () => {
    await keepLastParties(file, { ...HARBOUR, ...HOMES })
    await keepLastParties(file, { supplierId: "S-2", supplierName: "Wattle" })
    expect(await readLastParties(file)).toEqual({
      supplier: { supplierId: "S-2", supplierName: "Wattle" },
      customer: HOMES,
    })
  })

  it.each([
    "",
    "{",
    "7",
    "null",
    '{"supplier":7}',
    '{"supplier":{"supplierId":1,"supplierName":"x"}}',
  ])("are none where the file has %j", async (text) => {
    await writeFile(file, text)
    expect(await readLastParties(file)).toEqual({})
  })
})
