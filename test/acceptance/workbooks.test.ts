/** Workbooks (.xlsx) wherever a table is read: by two producers, the same as CSV in each encoding. */
import { copyFile, readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { zipSync } from "fflate"
import { describe, expect, it } from "vitest"
import type { Summary } from "../../src/batch/summary.ts"
import { desk, errorIn, ROOT } from "./freight.ts"
import { order } from "./orders.ts"

/** Friday, in the morning in Sydney. */
const NOW = Date.parse("2026-11-20T00:00:00Z")
const FOLDER = path.join(ROOT, "test/sheets/workbooks")
const PRODUCERS = ["libreoffice.xlsx", "written.xlsx"]
const SENDER = Object.entries(order("-")).flatMap(([name, text]) =>
  name.startsWith("sender.") ? [[name.slice("sender.".length), text] as const] : [],
)

/** A desk with these files, where it is the day that the orders are of. */
async function office(...names: string[]) {
  const made = await desk()
  for (const name of names) await copyFile(path.join(FOLDER, name), path.join(made.folder, name))
  await writeFile(path.join(made.folder, "sender.json"), JSON.stringify(Object.fromEntries(SENDER)))
  return { ...made, run: (...words: string[]) => made.freight([...words, "--sandbox"], { now: NOW }) }
}

const BATCH = ["--sender", "sender.json", "--ready", "10:00", "--json"]

describe("the same orders", () => {
  const FILES = [
    ...["orders.utf16.csv", "orders.windows-1252.csv", "orders.semicolons.csv"],
    ...PRODUCERS.map((name) => `orders.${name}`),
  ]

  it("give the same dry run, however they are saved", async () => {
    const { folder, run } = await office("orders.csv", ...FILES)
    const zip = zipSync({ "orders.xlsx": await readFile(path.join(FOLDER, "orders.libreoffice.xlsx")) })
    await writeFile(path.join(folder, "orders.zip"), zip)
    const dryRun = async (name: string) => {
      const { code, stdout } = await run("batch", "book", name, "--dry-run", ...BATCH)
      return { code, report: JSON.parse(stdout.replaceAll(name, "orders.csv")) }
    }
    const first = await dryRun("orders.csv")
    const references = ["SO-1", "SO-2", "SO-3", "1004"].map((reference) => ({ reference, state: "waiting" }))
    expect(first).toMatchObject({ code: 0, report: references })
    for (const name of [...FILES, "orders.zip"]) expect([name, await dryRun(name)]).toEqual([name, first])
  })

  it("are booked once: a second run with another file of them books nothing", async () => {
    const { run } = await office("orders.csv", ...FILES)
    const book = async (name: string) =>
      (await run("batch", "book", name, ...BATCH)).json<Summary & Record<string, unknown>>()
    expect(await book("orders.libreoffice.xlsx")).toMatchObject({ rows: 4, booked: 4, recorded: 0 })
    for (const name of ["orders.csv", "orders.written.xlsx", "orders.semicolons.csv"])
      expect([name, await book(name)]).toMatchObject([name, { rows: 4, booked: 4, recorded: 4, changed: 0 }])
    const { stdout } = await run("batch", "status", "orders.written.xlsx", "--json")
    expect(JSON.parse(stdout)).toMatchObject({ rows: 4, booked: 4 })
  })
})

describe("the same bill", () => {
  it("gives the same audit", async () => {
    const { run } = await office("bill.csv", ...PRODUCERS.map((name) => `bill.${name}`))
    const audit = async (name: string) => {
      const { code, stdout } = await run("audit", name, "--json", "--offline", "--no-remember")
      return { code, report: JSON.parse(stdout.replaceAll(name, "bill.csv")) }
    }
    const first = await audit("bill.csv")
    expect(first).toMatchObject({ code: 0, report: { totals: { consignments: 3 } } })
    for (const name of PRODUCERS) expect(await audit(`bill.${name}`)).toEqual(first)
  })
})

describe("the same lines of an invoice", () => {
  it("give the same draft", async () => {
    const { run } = await office("lines.csv", ...PRODUCERS.map((name) => `lines.${name}`))
    const party = ["--supplier-id", "S-1", "--supplier-name", "Harbour Lighting", "--abn", "51824753556"]
    const buyer = ["--number", "INV-1", "--po", "PO-7", "--bill-to", "1 Harbour Street, Sydney NSW 2000"]
    const draft = async (name: string) => {
      const { code, stdout, stderr } = await run("invoice", "new", "--from", name, ...party, ...buyer)
      expect([code, code === 0 ? "" : stderr]).toEqual([0, ""])
      const { correlationId: _, ...rest } = JSON.parse(stdout)
      return rest
    }
    const first = await draft("lines.csv")
    expect(first.data.lineItems).toHaveLength(3)
    for (const name of PRODUCERS) expect(await draft(`lines.${name}`)).toEqual(first)
  })
})
