/** Invoices that are packed with gzip: read by each command, as they come and no further than may be. */
import { gzipSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import { unzipStream } from "../../src/output/terminal/unzip.ts"
import { brokenLine, chunksOf, line } from "../invoice/runs.ts"
import { minimalInvoice, textOf } from "../invoice/samples.ts"
import { desk } from "./freight.ts"
import { invoiceDesk } from "./invoices.ts"

const LINES = Array.from({ length: 3000 }, (_, at) => (at === 2500 ? brokenLine(at) : line(at))).join("\n")
const PURPOSE = `contract/enum 2501:${brokenLine(2500).indexOf('"gift"') + 1}`
const PACKED = gzipSync(textOf(minimalInvoice()))
const GREAT = gzipSync(Buffer.alloc(100_000_001, " "))

const { validate, verdicts, folder } = await invoiceDesk({
  "in/one.json.gz": PACKED,
  "in/many.ndjson.gz": gzipSync(LINES),
  "in/list.json.gz": gzipSync(`[${line(7001)},${line(7002)}]`),
  "in/other.txt.gz": PACKED,
  "unnamed.ndjson": gzipSync(LINES),
  "cut.json.gz": PACKED.subarray(0, 300),
  "damaged.json.gz": PACKED.map((byte, at) => (at === 200 ? byte ^ 0xff : byte)),
  "great.json.gz": GREAT,
  "broken.json.gz": gzipSync(brokenLine(1)),
})

describe("packed invoices", () => {
  it("are found in folders and checked, lines with their numbers", async () => {
    const told = await verdicts(["in", "--no-accounting"])
    expect(told[0]).toBe(1)
    expect(told.filter((each) => !String(each).endsWith(" ok"))).toEqual([
      1,
      `in/many.ndjson.gz 2500 ${PURPOSE}`,
    ])
    expect(told.filter((each) => !String(each).startsWith("in/many"))).toEqual([
      1,
      "in/list.json.gz 0 ok",
      "in/list.json.gz 1 ok",
      "in/one.json.gz ok",
    ])
  })

  it("are told by their bytes, whatever their name is, also on standard input", async () => {
    expect(await verdicts(["unnamed.ndjson"])).toContain(`unnamed.ndjson 2500 ${PURPOSE}`)
    expect(await verdicts(["-"], { input: PACKED })).toEqual([0, "- ok"])
  })

  it.each([
    ["cut.json.gz", "it is packed with gzip, and its end is missing: get it again"],
    ["damaged.json.gz", "it is packed with gzip, and damaged: get it again, or pack it again"],
    ["great.json.gz", "it unpacks to more than 100,000,000 bytes: split it"],
  ])("say what is wrong with %s", async (file, why) => {
    expect(await verdicts([file])).toEqual([2, `${file}: ${why}`])
  })

  it("are listed and shown", async () => {
    const { freight } = await desk()
    const list = await freight(["invoice", "list", "in/one.json.gz", "--json"], { cwd: folder })
    expect(list.items()).toMatchObject([{ invoiceNumber: "INV-1002" }])
    const show = await freight(["invoice", "show", "in/one.json.gz"], { cwd: folder })
    expect(show.stdout).toContain("INV-1002")
  })

  it("are not fixed in place", async () => {
    const { stderr } = await validate(["broken.json.gz", "--fix", "--yes"])
    expect(stderr).toContain("warning: not fixed: broken.json.gz is packed with gzip; unpack it first\n")
  })
})

describe("a stream", () => {
  it("is unpacked as it comes, however its chunks are cut", async () => {
    const packed = gzipSync("hello")
    const chunks = chunksOf(...Array.from(packed, (byte) => Uint8Array.of(byte)))
    const parts: Uint8Array[] = []
    for await (const part of unzipStream(chunks)) parts.push(part)
    expect(Buffer.concat(parts).toString()).toBe("hello")
  })

  it.each(["", "x", "plain"])("that is not packed stays as it is: %j", async (text) => {
    const parts: Uint8Array[] = []
    for await (const part of unzipStream(chunksOf(...text))) parts.push(part)
    expect(Buffer.concat(parts).toString()).toBe(text)
  })
})
