/** Invoices that are compressed with gzip. */
import { writeFile } from "node:fs/promises"
import path from "node:path"
import { gzipSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import { minimalInvoice } from "../invoice/samples.ts"
import { withChange } from "../invoice/writer.ts"
import { desk } from "./freight.ts"

const one = (number: string) =>
  JSON.stringify(withChange(minimalInvoice(), ["data", "invoiceNumber"], number))
const bad = one("INV-9").replace(/"purpose":"[^"]*"/, '"purpose":0')

async function outbox() {
  const made = await desk()
  const write = (name: string, content: string | Uint8Array) =>
    writeFile(path.join(made.folder, name), content)
  await write("a.json.gz", gzipSync(one("INV-1")))
  await write("b.ndjson.gz", gzipSync(`${one("INV-2")}\n${bad}\n${one("INV-4")}\n`))
  return { ...made, write }
}
type Row = { number: string | null; verdict: string; file: string; index: number | null }

describe("a compressed file of invoices", () => {
  it("is read by its name, in a folder and beside plain files", async () => {
    const { freight, write } = await outbox()
    await write("c.json", one("INV-5"))
    const { code, json } = await freight(["invoice", "list", ".", "--json"])
    expect(code).toBe(1)
    expect(json<Row[]>().map(({ number, verdict, file, index }) => [number, verdict, file, index])).toEqual([
      ["INV-1", "valid", "a.json.gz", null],
      ["INV-2", "valid", "b.ndjson.gz", 0],
      ["INV-9", "not valid", "b.ndjson.gz", 1],
      ["INV-4", "valid", "b.ndjson.gz", 2],
      ["INV-5", "valid", "c.json", null],
    ])
  })

  it("has the places of what was unpacked, and comes from standard input too", async () => {
    const { freight } = await outbox()
    const named = await freight(["invoice", "validate", "b.ndjson.gz"])
    expect([named.code, named.stdout]).toEqual([
      1,
      expect.stringMatching(/^b\.ndjson\.gz:2:\d+ \(index 1, INV-9\)/),
    ])
    const piped = await freight(["invoice", "validate", "-", "--json"], { input: gzipSync(one("INV-1")) })
    expect([piped.code, piped.json<{ valid: number }>().valid]).toEqual([0, 1])
  })

  it("is shown", async () => {
    const { freight } = await outbox()
    expect((await freight(["invoice", "show", "a.json.gz"])).stdout).toContain("INV-1")
    expect((await freight(["invoice", "show", "b.ndjson.gz", "--index", "2"])).stdout).toContain("INV-4")
  })

  it("of many lines is read in pieces", async () => {
    const { freight, write } = await outbox()
    const lines = Array.from({ length: 3000 }, (_, at) => one(`INV-${at}`)).join("\n")
    await write("many.ndjson.gz", gzipSync(lines))
    const { code, json } = await freight(["invoice", "validate", "many.ndjson.gz", "--json"])
    expect([code, json<{ valid: number }>().valid]).toEqual([0, 3000])
  })

  it("that is cut short or no gzip file is told as such, and what came whole before is checked", async () => {
    const { freight, write } = await outbox()
    await write("short.json.gz", gzipSync(one("INV-1")).subarray(0, 60))
    const short = await freight(["invoice", "validate", "short.json.gz"])
    expect(short.code).toBe(2)
    expect(short.stdout).toContain("short.json.gz: it is compressed (gzip), and damaged or cut short")
    const shown = await freight(["invoice", "show", "short.json.gz"])
    expect([shown.code, shown.stderr]).toEqual([2, expect.stringContaining("damaged or cut short")])
    await write("plain.json.gz", one("INV-1"))
    expect((await freight(["invoice", "validate", "plain.json.gz"])).code).toBe(0)
    await write("hidden.json", gzipSync(one("INV-1")))
    const hidden = await freight(["invoice", "validate", "hidden.json"])
    expect(hidden.code).toBe(1)
    expect(hidden.stdout).toContain("this is compressed (gzip)")
    expect(hidden.stdout).toContain("let its name end in .gz")
    expect(hidden.stdout).not.toContain("1252")
  })
})
