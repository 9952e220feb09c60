import { mkdtemp, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { fileSource, decodeText } from "../../src/sheets/source.ts"
import { failure } from "../failure.ts"

async function read(bytes: Uint8Array, size = 1 << 16): Promise<string> {
  let text = ""
  const chunks = async function* () {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  for await (const piece of decodeText({ name: "orders.csv", chunks })) text += piece
  return text
}

describe("the text of a batch", () => {
  it("is the same however the bytes are cut", async () => {
    const texts = fc.string({
      unit: fc.constantFrom("a", "é", "木", "🚚", "\r", "\n", "\r\n", "\ufeff", ","),
    })
    await fc.assert(
      fc.asyncProperty(texts, fc.integer({ min: 1, max: 7 }), async (text, size) => {
        const plain = text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n")
        expect(await read(Buffer.from(text), size)).toBe(plain)
      }),
    )
  })

  it("loses its byte order mark, and only the first", async () => {
    expect(await read(Buffer.from("\ufeffa\ufeff"), 1)).toBe("a\ufeff")
  })

  it("is empty for an empty file", async () => {
    expect(await read(Buffer.alloc(0))).toBe("")
  })

  it("tells the byte and the line that are not UTF-8", async () => {
    const bytes = Buffer.from("a,b\r\nCaf\xe9,2\r\n", "latin1")
    const error = await failure(read(bytes, 3))
    expect(error.kind).toBe("input")
    expect(error.message).toBe("orders.csv, line 2: byte 9 of the file (0xE9) is not UTF-8")
    expect(error.hint).toContain("Windows-1252")
  })

  it("counts the byte order mark among the bytes", async () => {
    const bytes = Buffer.concat([Buffer.from("\ufeffab\n"), Buffer.from([0xff])])
    expect((await failure(read(bytes))).message).toContain("line 2: byte 7 of the file (0xFF)")
  })

  it("tells a character that the end of the file cuts off", async () => {
    const bytes = Buffer.from("a\n🚚").subarray(0, 4)
    expect((await failure(read(bytes, 1))).message).toContain("line 2: byte 3 of the file (0xF0)")
  })

  it.each([
    ["UTF-16 with a mark", Buffer.from("\ufeffOrder,Suburb", "utf16le"), "UTF-16, not UTF-8"],
    ["UTF-16 without one", Buffer.from("Order,Suburb", "utf16le"), "UTF-16, not UTF-8"],
    ["a workbook", Buffer.from("504b030414000600", "hex"), "a workbook (.xlsx) or another zip archive"],
    ["an old workbook", Buffer.from("d0cf11e0a1b11ae1", "hex"), "an old workbook (.xls) or document"],
    ["a PDF", Buffer.from("%PDF-1.7"), "a PDF"],
    ["a compressed file", Buffer.from("1f8b0800", "hex"), "a compressed file (.gz)"],
  ])("tells %s by its beginning", async (_, bytes, what) => {
    const error = await failure(read(bytes, 2))
    expect(error.message).toContain(what)
    expect(error.hint).toContain("CSV UTF-8")
  })

  it("comes from a file", async () => {
    const file = path.join(await mkdtemp(path.join(tmpdir(), "freight-rows-")), "orders.csv")
    await writeFile(file, "a,b\n")
    let text = ""
    for await (const piece of decodeText(fileSource(file))) text += piece
    expect(text).toBe("a,b\n")
  })

  it("tells that there is no such file", async () => {
    const reading = decodeText(fileSource("/nowhere/orders.csv")).next()
    expect((await failure(reading)).message).toBe("cannot read /nowhere/orders.csv: there is no such file")
  })
})
