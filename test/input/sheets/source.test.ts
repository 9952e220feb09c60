import { mkdtemp, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { fileSource, decodeText } from "../../../src/input/sheets/source.ts"
import { failure } from "../../failure.ts"

async function read(bytes: Uint8Array, size = 1 << 16, notes: string[] = []): Promise<string> {
  let text = ""
  const chunks = async function* () {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  const tell = async (note: string) => void notes.push(note)
  for await (const piece of decodeText({ name: "orders.csv", chunks }, tell)) text += piece
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

  it.each([
    1, 3, 1000,
  ])("is Windows-1252 where it is not UTF-8, which is reported with an example; in chunks of %i bytes", async (size) => {
    const notes: string[] = []
    const bytes = Buffer.from("a,b\r\nCaf\xe9,2 \x80\r\nO\x92Brien,\x96\r\n", "latin1")
    expect(await read(bytes, size, notes)).toBe("a,b\nCafé,2 €\nO’Brien,–\n")
    expect(notes).toEqual([
      expect.stringMatching(/^orders\.csv is not UTF-8: .*Windows-1252, with "(Caf)?é" on line 2\./),
    ])
  })

  it.each([
    ["utf16le", ""],
    ["utf16le", "\ufeff"],
    ["utf16be", ""],
    ["utf16be", "\ufeff"],
  ])("is %s where its first characters say so, with the mark %j", async (encoding, mark) => {
    const bytes = Buffer.from(`${mark}Order,Suburb\r\nPéréz 🚚,木\n`, "utf16le")
    if (encoding === "utf16be") bytes.swap16()
    for (const size of [1, 2, 5, 1000]) expect(await read(bytes, size)).toBe("Order,Suburb\nPéréz 🚚,木\n")
  })

  it("is one encoding: the byte and the line of another are reported", async () => {
    const bytes = Buffer.concat([Buffer.from("é,b\r\n"), Buffer.from("Caf\xe9,2\r\n", "latin1")])
    const error = await failure(read(bytes, 3))
    expect([error.kind, error.message]).toEqual([
      "input",
      "orders.csv, line 2: byte 10 of the file (0xE9) is not UTF-8",
    ])
    expect((await failure(read(Buffer.from([65, 66, 67, 68, 0xe9, 0])))).message).toContain("0xE9")
  })

  it("counts the byte order mark among the bytes", async () => {
    const bytes = Buffer.concat([Buffer.from("\ufeffé\n"), Buffer.from([0xff])])
    expect((await failure(read(bytes))).message).toContain("line 2: byte 7 of the file (0xFF)")
  })

  it("tells a character that the end of the file cuts off", async () => {
    const bytes = Buffer.from("é\n🚚").subarray(0, 5)
    expect((await failure(read(bytes, 1))).message).toContain("line 2: byte 4 of the file (0xF0)")
  })

  it.each([
    ["UTF-32", Buffer.from("fffe00004f000000", "hex"), "UTF-32, not UTF-8"],
    ["a workbook", Buffer.from("504b030414000600", "hex"), "a workbook (.xlsx) or another office document"],
    ["an old workbook", Buffer.from("d0cf11e0a1b11ae1", "hex"), "an old workbook (.xls) or document"],
    ["a PDF", Buffer.from("%PDF-1.7"), "a PDF"],
    ["a compressed file", Buffer.from("1f8b0800", "hex"), "a compressed file (.gz)"],
  ])("tells %s by its beginning", async (_, bytes, what) => {
    const error = await failure(read(bytes, 2))
    expect(error.message).toContain(what)
    expect(error.hint).toContain(what.includes("PDF") ? "as a spreadsheet" : "CSV UTF-8")
  })

  it("tells a web page, which a file behind a log-in may be", async () => {
    const { message, hint } = await failure(read(Buffer.from("<!DOCTYPE html><html>"), 2))
    expect(message).toContain("is a web page, not a text file")
    expect(hint).toBe("Save the file itself, not the page that shows it or asks you to log in.")
  })

  it.each([
    ["<?xml version='1.0'?><?mso-application progid='Excel.Sheet'?><Workbook/>", "XML"],
    ["<table><tr><td>Order</td></tr></table>", "a web page"],
    ["<html><table><tr><td>Order</td></tr></table></html>", "a web page"],
  ])("tells what programs export for Excel and is not a workbook: %s", async (text, what) => {
    const chunks = async function* () {
      yield Buffer.from(text)
    }
    const read = async () => {
      for await (const _ of decodeText({ name: "orders.xls", chunks })) break
    }
    expect(await failure(read())).toMatchObject({
      message: `orders.xls is ${what}, not a text file`,
      hint: "Open it in a spreadsheet, and save it as an Excel workbook (.xlsx).",
    })
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
