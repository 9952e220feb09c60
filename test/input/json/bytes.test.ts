import { Buffer, constants } from "node:buffer"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { fromRedirection } from "../../../src/input/json/bytes.ts"
import { decodeJsonBytes } from "../../../src/input/json/read.ts"

describe("decodeJsonBytes", () => {
  it("reads UTF-8", () => {
    expect(decodeJsonBytes(Buffer.from('{"a":"Zoë 😀"}'))).toEqual({ text: '{"a":"Zoë 😀"}' })
  })

  it("reads any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        expect(decodeJsonBytes(Buffer.from(`"${text}`))).toEqual({ text: `"${text}` })
      }),
    )
  })

  it("takes a byte order mark off", () => {
    expect(decodeJsonBytes(Buffer.from("\ufeff{}"))).toEqual({ text: "{}" })
  })

  it("reads nothing as empty text", () => {
    expect(decodeJsonBytes(new Uint8Array())).toEqual({ text: "" })
  })

  it("reads a part of a larger buffer", () => {
    expect(decodeJsonBytes(Buffer.from("xx{}xx").subarray(2, 4))).toEqual({ text: "{}" })
  })

  it.each([
    ["UTF-16", "with a mark, little end first", Buffer.from("\ufeff{}", "utf16le")],
    ["UTF-16", "with a mark, big end first", Buffer.from("\ufeff{}", "utf16le").swap16()],
    ["UTF-16", "without a mark, little end first", Buffer.from("{}", "utf16le")],
    ["UTF-16", "without a mark, big end first", Buffer.from("{}", "utf16le").swap16()],
    ["UTF-32", "with a mark, little end first", Buffer.from([0xff, 0xfe, 0, 0, 0x7b, 0, 0, 0])],
    ["UTF-32", "with a mark, big end first", Buffer.from([0, 0, 0xfe, 0xff, 0, 0, 0, 0x7b])],
    ["UTF-32", "without a mark", Buffer.from([0x7b, 0, 0, 0, 0x7d, 0, 0, 0])],
  ])("names %s %s", (name, _, bytes) => {
    expect(decodeJsonBytes(bytes)).toEqual({
      error: {
        rule: "json/syntax",
        message: `this is ${name}, not UTF-8`,
        hint: "save it as UTF-8",
        line: 1,
        column: 1,
        offset: 0,
        pointer: "",
      },
    })
  })

  it.each([
    ["a byte of Windows-1252", [0xeb, 0x22], 0],
    ["a continuation without a start", [0x80], 0],
    ["an overlong form", [0xc0, 0xaf], 0],
    ["half a surrogate pair", [0xed, 0xa0, 0x80], 0],
    ["a character beyond Unicode", [0xf4, 0x90, 0x80, 0x80], 0],
    ["a character that is cut off", [0xe2, 0x82], 0],
    ["a bad byte after an emoji", [0xf0, 0x9f, 0x98, 0x80, 0xff], 4],
  ])("says where %s stands", (_, bytes, after) => {
    const decoded = decodeJsonBytes(Buffer.concat([Buffer.from('{\r\n "Zoë'), Buffer.from(bytes)]))
    expect(decoded).toMatchObject({ error: { line: 2, column: after ? 7 : 6, offset: 9 + after } })
  })

  it("names the byte and the likely cause", () => {
    expect(decodeJsonBytes(Buffer.from('["Zo\xeb"]', "latin1"))).toMatchObject({
      error: {
        message: "byte 5 (0xEB) is not UTF-8",
        hint: "save the file as UTF-8; it may have been saved as Windows-1252 (ANSI)",
      },
    })
  })

  it("refuses more bytes than a text can hold", () => {
    expect(decodeJsonBytes(new Uint8Array(constants.MAX_STRING_LENGTH + 1))).toMatchObject({
      error: { message: expect.stringContaining("too large to read at once"), line: 1, column: 1 },
    })
  })
})

describe("fromRedirection", () => {
  const text = '\ufeff{ "name": "Zoë 😀" }\r\n'
  it.each([
    ["UTF-16 with its mark, as Windows PowerShell writes it", Buffer.from(text, "utf16le")],
    ["UTF-8, as others do", Buffer.from(text)],
  ])("makes UTF-8 of %s", (_, bytes) => {
    expect(decodeJsonBytes(fromRedirection(bytes))).toEqual({ text: text.slice(1) })
  })

  it.each([
    ["without a mark", Buffer.from("{}", "utf16le")],
    ["that is UTF-32", Buffer.from([0xff, 0xfe, 0, 0, 0x7b, 0, 0, 0])],
    ["that is empty", new Uint8Array()],
  ])("leaves a text %s", (_, bytes) => {
    expect(fromRedirection(bytes)).toBe(bytes)
  })
})
