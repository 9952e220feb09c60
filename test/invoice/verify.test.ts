import { describe, expect, it } from "vitest"
import { createVerifier } from "../../src/invoice/verify.ts"
import { fullDraft, fullInvoice, minimalDraft, minimalInvoice, textOf } from "./samples.ts"
import { changed, numbersIn, passes, verify, verifyContract } from "./verified.ts"

const verifyDraft = createVerifier({ stage: "draft", accounting: true })

/** The least invoice, written compactly, with a piece of its text replaced. */
function edited(from: string, to: string): string {
  const text = JSON.stringify(minimalInvoice())
  expect(text).toContain(from)
  return text.replace(from, to)
}

describe("sound invoices", () => {
  it.each([
    ["every field, indented", textOf(fullInvoice())],
    ["every field, compact", JSON.stringify(fullInvoice())],
    ["the least fields", JSON.stringify(minimalInvoice())],
    ["tabs and CRLF", JSON.stringify(fullInvoice(), undefined, "\t").replaceAll("\n", "\r\n")],
    ["blanks around", ` \r\n\t${JSON.stringify(minimalInvoice())}\n \t\r`],
    [
      "blanks before colons and commas",
      JSON.stringify(fullInvoice()).replace(/(?<=["\d}])([,:])(?=["{])/g, " $1\t"),
    ],
    ["names in reverse", JSON.stringify(Object.fromEntries(Object.entries(fullInvoice()).reverse()))],
  ])("pass: %s", (_, text) => {
    expect(passes(text)).toBe(true)
  })

  it.each([
    ["every field", fullDraft()],
    ["the least fields", minimalDraft()],
    ["a canonical one", fullInvoice()],
  ])("pass as a draft: %s", (_, draft) => {
    expect(passes(textOf(draft), verifyDraft)).toBe(true)
  })

  it("are not canonical without the managed fields", () => {
    expect(passes(textOf(fullDraft()))).toBe(false)
  })

  it.each([
    ["simple escapes", '"Mai \\"M\\" \\\\ \\/ \\b\\f\\n\\r\\t"'],
    ["escaped code units", '"caf\\u00e9 \\u00E9"'],
    ["an escaped pair of surrogates", '"\\ud83d\\ude42"'],
    ["other scripts", '"麦 🙂 é"'],
    ["braces and brackets", '"}{][,:"'],
  ])("pass with %s in a text", (_, name) => {
    expect(passes(edited('"Wattle & Sons Hardware Pty Ltd"', name))).toBe(true)
  })

  it.each(["10.0", "10.00", "10.0000000"])("pass with an amount written %s", (amount) => {
    expect(passes(edited('"subtotal":10,', `"subtotal":${amount},`))).toBe(true)
  })

  it("pass with a line number written 1.0", () => {
    expect(passes(edited('"invoiceLineNumber":1,', '"invoiceLineNumber":1.0,'))).toBe(true)
  })

  it("pass with comments of 2000 characters, however many bytes those are", () => {
    const text = changed(({ data }) => Object.assign(data, { comments: `${"🙂".repeat(1999)}"` }))
    expect(passes(text)).toBe(true)
  })

  it("pass with extension fields of any kind", () => {
    const extrinsics = { a: [1, -0.5, 1e-7, "x", true, false, null, [], {}], 'b "c"': { a: { a: 1 } } }
    expect(passes(changed(({ data }) => Object.assign(data, { extrinsics })))).toBe(true)
  })
})

// The proof looks at sixteen bytes at once: what is longer or shorter than that, and where it ends, must not matter.
describe("lengths", () => {
  const lengths = Array.from({ length: 70 }, (_, length) => length)

  it("of texts do not matter, nor where an escape or a brace stands in them", () => {
    const named = (name: string) => edited('"Wattle & Sons Hardware Pty Ltd"', JSON.stringify(name))
    const texts = lengths.flatMap((length) => [
      "x".repeat(length + 1),
      `${"x".repeat(length)}"`,
      `${"é".repeat(length)}}`,
    ])
    expect(texts.filter((text) => !passes(named(text)))).toEqual([])
    const controls = lengths.map((length) => `"${"x".repeat(length)}\t"`)
    expect(controls.filter((text) => passes(edited('"Wattle & Sons Hardware Pty Ltd"', text)))).toEqual([])
  })

  it("of blanks do not matter", () => {
    const blanks = lengths.map((length) => "\t ".repeat(length) + "\r\n".repeat(length % 3))
    const spaced = (blank: string) => edited('"purpose":', `${blank}"purpose"${blank}:${blank}`)
    expect(blanks.filter((blank) => !passes(spaced(blank)))).toEqual([])
    const others = lengths.map((length) => `${" ".repeat(length)}\v`)
    expect(others.filter((blank) => passes(spaced(blank)))).toEqual([])
  })

  it("of names do not matter: one with a wrong character, wherever it is, is another name", () => {
    const text = textOf(fullInvoice())
    const names = new Set(Array.from(text.matchAll(/"(\w+)":/g), ([, name = ""]) => name))
    const wrong = Array.from(names).flatMap((name) =>
      Array.from(name, (_, at) => `${name.slice(0, at)}~${name.slice(at + 1)}`).map((other) =>
        text.replace(`"${name}":`, `"${other}":`),
      ),
    )
    expect(wrong.length).toBeGreaterThan(500)
    const extrinsics = text.indexOf('"extrinsics"')
    const passing = wrong.filter((each) => passes(each))
    // The fields of an extension may have any name.
    expect(passing.every((each) => each.slice(0, extrinsics) === text.slice(0, extrinsics))).toBe(true)
    expect(passing.length).toBeLessThan(wrong.length / 10)
  })
})

describe("what is left to the examiner", () => {
  it.each([
    ["an empty text", ""],
    ["blanks", " \n "],
    ["a brace", "}"],
    ["an empty object", "{}"],
    ["a list", `[${JSON.stringify(minimalInvoice())}]`],
    ["two documents", JSON.stringify(minimalInvoice()).repeat(2)],
    ["a brace too many", `${JSON.stringify(minimalInvoice())}}`],
    ["a byte order mark", `\ufeff${JSON.stringify(minimalInvoice())}`],
    ["an unknown name", edited('"poNumber"', '"ponumber"')],
    ["a repeated name", edited('"poNumber"', '"poNumber":"PO-1","poNumber"')],
    ["a name with an escape", edited('"poNumber"', '"po\\u004eumber"')],
    ["a missing name", edited('"poNumber":"PO-7782",', "")],
    ["null", edited('"PO-7782"', "null")],
    ["a number for a text", edited('"PO-7782"', "7782")],
    ["a text for a number", edited('"subtotal":10,', '"subtotal":"10",')],
    ["another country", edited('"AU"', '"NZ"')],
    ["a word's beginning", edited('"AUD"', '"AU"')],
    ["a comma at the end", edited('"AUD"}}}', '"AUD",}}}')],
    ["no lines", edited(JSON.stringify(minimalInvoice().data.lineItems), "[]")],
    ["a lone surrogate", edited('"2000"', '"\\ud83d"')],
    ["a surrogate in the wrong order", edited('"2000"', '"\\ude42\\ud83d"')],
    ["two second halves of surrogates", edited('"2000"', '"\\ude42\\ude42"')],
    ["a control character", edited('"2000"', '"20\u001f00"')],
    ["an unknown escape", edited('"2000"', '"\\x"')],
    ["a repeated extension field", changed(() => {}).replace('"costCentre"', '"any/key": 1, "costCentre"')],
    ["a comment", edited('"docType"', '/* */"docType"')],
    ["an escape in the invoice number", edited('"INV-1002"', '"INV\\u002d1002"')],
  ])("%s", (_, text) => {
    expect(passes(text)).toBe(false)
  })

  it.each([
    "10.001",
    "1e1",
    "010",
    "+10",
    "10.",
    ".1",
    "-",
    "--10",
    "NaN",
    "0x0a",
    "90071992547409.93",
    "9".repeat(400),
  ])("an amount written %s", (amount) => {
    expect(passes(edited('"subtotal":10,', `"subtotal":${amount},`), verifyContract)).toBe(false)
  })

  it.each([
    "2026-11-20",
    "2026-11-20 09:30:00Z",
    "2026-11-20t09:30:00z",
    "2026-11-20T09:30Z",
    "2026-11-20T09:30:00",
    "2026-11-20T09:30:00.Z",
    "2026-11-20T09:30:00+1000",
    "2026-11-20T09:30:00+24:00",
    "2026-11-20T24:00:00Z",
    "2026-11-20T09:60:00Z",
    "2016-12-31T23:59:60Z",
    "2026-02-29T09:30:00Z",
    "2026-11-31T09:30:00Z",
    "2026-13-01T09:30:00Z",
    "2026-00-10T09:30:00Z",
    "0000-01-01T09:30:00Z",
  ])("a time written %s", (time) => {
    expect(passes(edited("2026-11-20T09:30:00Z", time))).toBe(false)
  })

  it.each([
    "2024-02-29T23:59:59Z",
    "2000-02-29T00:00:00.123456789+14:00",
    "2026-11-20T09:30:00-09:30",
  ])("but not the time %s", (time) => {
    expect(passes(edited("2026-11-20T09:30:00Z", time))).toBe(true)
  })

  it.each([
    "mai",
    "mai@wattle",
    "mai@@wattle.example",
    ".mai@wattle.example",
    "mai.@wattle.example",
    "m@-w.example",
    "m@w.e",
    " ",
  ])("the email address %s", (email) => {
    const text = changed(({ data }) => Object.assign(data.supplier, { contact: { email } }))
    expect(passes(text)).toBe(false)
  })

  it.each([
    "7d0c9bd05c3f4a808a3c0f6f0a4f5d11",
    "7d0c9bd0-5c3f-4a80-8a3c-0f6f0a4f5d1g",
    "{7d0c9bd0-5c3f-4a80-8a3c-0f6f0a4f5d1}",
  ])("the correlation id %s", (id) => {
    expect(passes(changed((invoice) => Object.assign(invoice, { correlationId: id })))).toBe(false)
  })

  it("comments of 2001 characters", () => {
    const text = changed(({ data }) => Object.assign(data, { comments: "é".repeat(2001) }))
    expect(passes(text)).toBe(false)
  })

  it("every country of two letters but one", () => {
    const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"]
    const countries = letters.flatMap((first) => letters.map((second) => first + second))
    expect(countries.filter((country) => passes(edited('"AU"', `"${country}"`)))).toEqual(["AU"])
  })

  it("every name of an address that is not in the contract, like the others or not", () => {
    const names = Array.from({ length: 25_000 }, (_, number) => `c${number.toString(36).padStart(3, "0")}`)
    expect(names.filter((name) => passes(edited('"city"', `"${name}"`)))).toEqual(["city"])
  })

  it("extension fields nested a million deep", () => {
    const nested = `{"a":${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}}`
    expect(passes(edited('"lineItems"', `"extrinsics":${nested},"lineItems"`))).toBe(false)
  })
})

describe("a document among other bytes", () => {
  const text = JSON.stringify(fullInvoice())

  it("passes within its bounds, whatever stands around it", () => {
    const bytes = Buffer.from(`}"x${text}"{,`)
    expect(verify(bytes, 3, 3 + Buffer.byteLength(text))).toBe(true)
  })

  it("does not borrow its end from the bytes that follow", () => {
    const bytes = Buffer.from(text)
    const passing = Array.from(bytes, (_, end) => verify(bytes, 0, end)).filter(Boolean)
    expect(passing).toEqual([])
  })

  it("does not read on behind its end, where a name begins that never ends", () => {
    const metadata = JSON.stringify(fullInvoice()).slice(0, text.indexOf(',"data"'))
    const bytes = Buffer.from(`${metadata},"dat`)
    expect(verify(bytes, 0, metadata.length)).toBe(false)
  })

  it("does not pass cut short at any byte", () => {
    const bytes = Buffer.from(text)
    const passing = Array.from(bytes, (_, end) => verify(Buffer.from(bytes.subarray(0, end)), 0, end))
    expect(passing).not.toContain(true)
  })

  it("tells the supplier and the invoice number, and where that stands", () => {
    const before = text.slice(0, text.indexOf('"INV-1001"'))
    expect(passes(` \r\n\r\n\n${text}`)).toBe(true)
    verify.note(7, 10, 5)
    const found = { name: "S-204\nINV-1001", index: 7 }
    expect(numbersIn(verify.noted())).toEqual([{ ...found, line: 14, column: before.length + 1 }])
    expect(passes(text)).toBe(true)
    verify.note(8, 10, 5)
    expect(numbersIn(verify.noted())).toEqual([{ ...found, index: 8, line: 11, column: before.length + 6 }])
    expect(verify.noted()).toEqual([])
  })

  it("tells them in any script, and counts characters", () => {
    const name = changed(({ data }) => {
      Object.assign(data, { invoiceNumber: "№ 7" })
      Object.assign(data.supplier, { id: "Käse & Söhne" })
    })
    expect(passes(name)).toBe(true)
    const lines = name.split("\n")
    const line = lines.findIndex((each) => each.includes('"№ 7"'))
    const column = lines[line]?.indexOf('"№ 7"') ?? 0
    verify.note(0, 0, 5)
    const found = { name: "Käse & Söhne\n№ 7", index: 0, line: line + 1, column: column + 1 }
    expect(numbersIn(verify.noted())).toEqual([found])
  })

  it.each([
    ["very many short ones", 5000, 1],
    ["some long ones", 100, 2000],
  ])("tells the numbers of all, also of %s", (_, count, length) => {
    const numberOf = (nth: number) => `INV-${nth}-${"x".repeat(length)}`
    for (let nth = 0; nth < count; nth++) {
      expect(passes(edited('"INV-1002"', JSON.stringify(numberOf(nth))))).toBe(true)
      verify.note(nth, 0, 0)
    }
    const found = numbersIn(verify.noted())
    expect(found.map(({ index }) => index)).toEqual(Array.from({ length: count }, (_, nth) => nth))
    expect(found.map(({ name }) => name.split("\n")[1])).toEqual(found.map((_, nth) => numberOf(nth)))
  })

  it("tells the number that was noted before memory was given back", () => {
    const large = changed(({ data }) =>
      Object.assign(data, { extrinsics: { texts: Array.from({ length: 50 }, () => "x".repeat(200_000)) } }),
    )
    for (const [nth, each] of [large, text].entries()) {
      expect(passes(each)).toBe(true)
      verify.note(nth, 0, 0)
    }
    expect(numbersIn(verify.noted()).map(({ index, name }) => [index, name])).toEqual([
      [0, "S-204\nINV-1001"],
      [1, "S-204\nINV-1001"],
    ])
  })

  it("passes where it is read into the verifier's own memory", () => {
    const room = verify.room(text.length)
    const length = room.write(text)
    expect(verify(room.subarray(0, length), 0, length)).toBe(true)
    expect(verify(room.subarray(0, length), 1, length)).toBe(false)
  })

  it("passes after one that is very large, and the large one too", () => {
    const extrinsics = { texts: Array.from({ length: 100 }, () => "x".repeat(200_000)) }
    const large = changed(({ data }) => Object.assign(data, { extrinsics }))
    expect([passes(large), passes(text), passes(large), passes(text)]).toEqual([true, true, true, true])
  })

  it.each([
    ["a lone continuation byte", [0x80]],
    ["a character cut short", [0xe2, 0x82]],
    ["an overlong form", [0xc0, 0xaf]],
    ["half a pair", [0xed, 0xa0, 0x80]],
  ])("does not pass with %s in a text", (_, wrong) => {
    const at = text.indexOf("Wattle")
    const bytes = (middle: number[]) =>
      Buffer.concat([Buffer.from(text.slice(0, at)), Uint8Array.from(middle), Buffer.from(text.slice(at))])
    const passing = [[0x41], wrong].map((middle) => verify(bytes(middle), 0, bytes(middle).length))
    expect(passing).toEqual([true, false])
  })

  it.each([
    ["new", true],
    ["update", false],
    ["delete", false],
    [undefined, true],
  ])("with the operation %s makes an invoice: %s", (operation, expected) => {
    passes(changed(({ data }) => Object.assign(data, { operation: "delete" })))
    const proven = passes(changed(({ data }) => Object.assign(data, { operation })))
    verify.note(0, 0, 0)
    expect([proven, verify.noted().length]).toEqual([true, expected ? 1 : 0])
  })
})
