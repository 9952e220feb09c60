import { readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import type { Summary } from "../../src/orders/batch/summary.ts"
import { errorOf, fresh } from "./batches.ts"
import { desk } from "./freight.ts"
import { order, saveOrders } from "./orders.ts"
import { fileSandbox } from "./own-sandbox.ts"

const sandbox = await fileSandbox()

/** A desk with one order whose headers only a map explains, and without packages. */
async function mapDesk() {
  const made = await desk(sandbox)
  const { reference = "", "receiver.suburb": suburb = "", packages: _, ...rest } = order(fresh())
  await saveOrders(made.folder, [{ Auftrag: reference, Ort: suburb, ...rest }])
  const settings = path.join(made.folder, "config/config.json")
  return {
    ...made,
    settings: async () => JSON.parse(await readFile(settings, "utf8")),
    save: (text: string) => writeFile(settings, text),
    book: (...flags: string[]) => made.freight(["batch", "book", "orders.csv", "--json", ...flags]),
  }
}

const MAP = [
  "--map",
  "Auftrag=reference",
  "--map",
  "Ort=Suburb",
  "--package",
  "30x20x10@2",
  "--close",
  "17:00",
]

describe("freight batch book --save-map", () => {
  it("keeps the flags of every day, which --use-map uses", async () => {
    const { book, freight, settings } = await mapDesk()
    const first = await book(...MAP, "--ready", "10:00", "--save-map", "kunde", "--dry-run")
    expect(first.code, first.stderr).toBe(0)
    expect(first.stderr).toContain(
      'Saved as "kunde": --use-map kunde is the same as --map Auftrag=reference --map Ort=Suburb --package 30x20x10@2 --close 17:00\n',
    )
    expect((await settings()).maps).toEqual({
      kunde: { map: ["Auftrag=reference", "Ort=Suburb"], package: ["30x20x10@2"], close: "17:00" },
    })
    const booked = await book("--use-map", "kunde")
    expect([booked.code, booked.json<Summary>().booked]).toEqual([0, 1])
    const status = await freight(["batch", "status", "orders.csv", "--use-map", "kunde", "--json"])
    expect(status.json<Summary>()).toMatchObject({ rows: 1, booked: 1 })
    expect((await book("--use-map", "kunde")).json<Summary>().recorded).toBe(1)
  })

  it("keeps a map whose rows are refused, which is not a mistake of the map, and says so", async () => {
    const { book, freight, folder } = await mapDesk()
    const file = path.join(folder, "orders.csv")
    const right = await readFile(file, "utf8")
    await writeFile(file, right.replace("6160", "616"))
    const refused = await book(...MAP, "--save-map", "kunde", "--dry-run")
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('Saved as "kunde": ')])
    expect((await freight(["batch", "maps", "--json"])).items()).toMatchObject([{ name: "kunde" }])
    await writeFile(file, right)
    expect((await book("--use-map", "kunde", "--dry-run")).code).toBe(0)
  })

  it("saves nothing where the columns are not clear, and nothing without flags", async () => {
    const { book, freight } = await mapDesk()
    const unclear = await book(...MAP, "--map", "Ort=suburbs", "--save-map", "kunde", "--dry-run")
    expect(unclear.code, unclear.stderr).toBe(2)
    expect((await freight(["batch", "maps", "--json"])).items()).toEqual([])
    const none = await book("--save-map", "kunde")
    expect([none.code, errorOf(none).message]).toEqual([2, "--save-map has nothing to save"])
    expect((await book(...MAP, "--save-map", "my map")).code).toBe(2)
  })
})

describe("freight batch book --use-map", () => {
  it("goes below the flags that are given", async () => {
    const { book } = await mapDesk()
    await book(...MAP, "--save-map", "kunde", "--dry-run")
    const ran = await book("--use-map", "kunde", "--map", "Ort=", "--dry-run")
    expect(errorOf(ran).errors?.[0]?.message).toContain("the suburb of the receiver is missing")
  })

  it("names the maps there are when it is not one of them", async () => {
    const { book } = await mapDesk()
    await book(...MAP, "--save-map", "kunde", "--dry-run")
    const ran = await book("--use-map", "kunden")
    expect([ran.code, errorOf(ran)]).toMatchObject([
      2,
      { message: 'there is no saved map "kunden"', next: "freight batch maps" },
    ])
  })

  it("goes on from another map", async () => {
    const { book, freight } = await mapDesk()
    await book(...MAP, "--save-map", "kunde", "--dry-run")
    await book("--use-map", "kunde", "--ignore-unknown", "--save-map", "quiet", "--dry-run")
    expect((await freight(["batch", "maps", "--json"])).items()).toEqual([
      expect.objectContaining({ name: "kunde" }),
      { name: "quiet", flags: `${MAP.join(" ")} --ignore-unknown`, suppliers: null },
    ])
  })

  it("says which map is damaged, and how to be rid of it", async () => {
    const { book, save, freight } = await mapDesk()
    await book(...MAP, "--save-map", "kunde", "--dry-run")
    await save('{"maps":{"kunde":{"map":"Ort"}}}')
    const ran = await book("--use-map", "kunde")
    expect([ran.code, errorOf(ran).next]).toEqual([2, "freight batch maps --remove kunde"])
    expect((await freight(["batch", "maps"])).stdout).toMatch(/^NAME +FLAGS\nkunde +--map Ort\n$/)
    expect((await freight(["batch", "maps", "--remove", "kunde"])).code).toBe(0)
    expect((await freight(["batch", "maps", "--remove", "kunde"])).code).toBe(2)
    await save('{"maps":[]}')
    expect(errorOf(await book("--use-map", "kunde")).message).toContain(
      '"maps" does not hold maps by their names',
    )
  })
})
