import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { encodeFileName, findWindowsNameError, toFileName } from "../../src/base/file-names.ts"

describe("a file name for a text", () => {
  it("is safe and not too long, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
        expect(encodeFileName(text)).toMatch(/^(?!\.)[\w.%+-]{0,120}$/)
      }),
    )
  })

  it("differs for texts that differ", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (one, other) => {
        expect(encodeFileName(one) === encodeFileName(other)).toBe(one === other)
      }),
    )
  })

  it("differs where only the end of a long text does", () => {
    expect(encodeFileName(`${"x".repeat(500)}1`)).not.toBe(encodeFileName(`${"x".repeat(500)}2`))
  })
})

describe("a name that Windows does not take", () => {
  const dot = (name: string) => `on Windows no name may end in a dot or a blank, as "${name}" does`
  const kept = (name: string) => `Windows keeps the name ${name} for itself: choose another`
  const letters = 'on Windows no name may contain < > : " | ? *'

  it.each([
    ["CON.pdf", kept("CON.pdf")],
    ["con", kept("con")],
    [String.raw`C:\labels\nul.pdf`, kept("nul.pdf")],
    [String.raw`aux\label.pdf`, kept("aux")],
    ["out/lpt1/label.pdf", kept("lpt1")],
    ["COM¹.pdf", kept("COM¹.pdf")],
    ["prn .pdf", kept("prn .pdf")],
    ["CONOUT$", kept("CONOUT$")],
    ["label.pdf.", dot("label.pdf.")],
    ["label.pdf ", dot("label.pdf ")],
    [String.raw`labels.\one.pdf`, dot("labels.")],
    [String.raw`\\server\share\labels \one.pdf`, dot("labels ")],
    ["label:1.pdf", letters],
    [String.raw`C:\labels\a?.pdf`, letters],
    ["a|b.pdf", letters],
    [String.raw`\\?\C:\labels\a<b.pdf`, letters],
  ])("%s is reported", (file, error) => {
    expect(findWindowsNameError(file)).toBe(error)
  })

  it.each([
    "label.pdf",
    "C:label.pdf",
    String.raw`C:\users\Jörg Müller\label.pdf`,
    String.raw`c:\labels\..\.\one.pdf`,
    String.raw`\\server\share\one.pdf`,
    String.raw`\\?\C:\labels\one.pdf`,
    String.raw`\\.\NUL`,
    "nul",
    "console.pdf",
    "com10.pdf",
    ".hidden",
  ])("%s is none", (file) => {
    expect(findWindowsNameError(file)).toBeUndefined()
  })

  it.each([
    "con",
    "COM³",
    "aux.2026",
    "lpt9",
    "A-1.",
    "A-1 ",
    "A:1",
    "nul ",
    "conin$",
  ])("%s as a reference makes a label's name that it takes", (reference) => {
    expect(findWindowsNameError(`${toFileName(reference, "label-")}.pdf`)).toBeUndefined()
  })
})
