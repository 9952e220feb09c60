import { createHash } from "node:crypto"
import { describe, expect, it } from "vitest"
import { FreightError } from "../../../src/base/errors.ts"
import { MAX_BASE64_LENGTH, preparePdf, readPdfs } from "../../../src/orders/printing/pdf.ts"
import type { Files } from "../../../src/output/terminal/files.ts"
import { encryptedPdf, DRAWN, NOT_DRAWN, soundPdf, UNREADABLE } from "../../output/paper/odd-pdfs.ts"

const PDF = soundPdf("hello")

function padPdf(bytes: number): Buffer {
  const made = Buffer.alloc(bytes)
  PDF.copy(made)
  return made
}

/** Files and a standard input that hold what the test says. */
function deps(contents: Record<string, Uint8Array>, { isTTY = false } = {}) {
  const files: Files = {
    create: async () => {
      throw new Error("nothing is written here")
    },
    async read(file) {
      const found = contents[file]
      if (!found) throw new FreightError("input", `cannot read ${file}: there is no such file`)
      return found
    },
    write: () => Promise.reject(new Error("nothing is written")),
    change: () => Promise.reject(new Error("nothing is written")),
    has: async (file) => contents[file] !== undefined,
    check() {},
  }
  const stdin = {
    isTTY,
    readAll: async () => contents["-"] ?? new Uint8Array(),
    chunks: async function* () {},
  }
  return { files, terminal: { stdin } }
}

describe("a PDF", () => {
  it("is known by its hash and size, and goes out as base64 without line breaks", async () => {
    const pdf = await preparePdf("a.pdf", PDF)
    expect(pdf).toMatchObject({
      sha256: createHash("sha256").update(PDF).digest("hex"),
      size: PDF.length,
    })
    expect(Buffer.from(pdf.base64(), "base64")).toEqual(PDF)
    expect(pdf.base64()).not.toMatch(/\s/)
  })

  it("may be a view of a larger buffer", async () => {
    const padded = Buffer.concat([Buffer.from("...."), PDF])
    const { sha256 } = await preparePdf("a.pdf", new Uint8Array(padded).subarray(4))
    expect(sha256).toBe((await preparePdf("a.pdf", PDF)).sha256)
  })

  it.each([
    ["nothing", "", "is empty"],
    ["HTML", "<!doctype html>", "is not a PDF"],
    ["a PDF after something else", `x${PDF}`, "is not a PDF"],
    ["half a mark", "%PD", "is not a PDF"],
  ])("is not %s", async (_name, text, words) => {
    await expect(preparePdf("a.pdf", Buffer.from(text))).rejects.toThrow(`a.pdf ${words}`)
  })

  it.each([
    ["blanks", "\n\r\n \t"],
    ["a byte order mark", "\uFEFF"],
    ["NUL", "\0\0"],
  ])("may begin with %s, and is sent as it is", async (_, lead) => {
    const bytes = Buffer.concat([Buffer.from(lead), PDF])
    expect(Buffer.from((await preparePdf("a.pdf", bytes)).base64(), "base64")).toEqual(bytes)
  })

  it.each(Object.entries({ ...DRAWN, ...NOT_DRAWN }))("is printed with %s", async (_, bytes) => {
    expect((await preparePdf("a.pdf", bytes)).size).toBe(bytes.length)
  })

  it.each(Object.entries(UNREADABLE))("is not printed with %s", async (_, bytes) => {
    await expect(preparePdf("a.pdf", bytes)).rejects.toThrow("a.pdf cannot be printed: it ")
  })

  it.each([0.2, 0.5, 0.8, 0.95])("is not printed when it is cut off after %d of it", async (share) => {
    const half = PDF.subarray(0, Math.floor(PDF.length * share))
    const words = "a.pdf cannot be printed: it is not complete, its end is missing"
    await expect(preparePdf("a.pdf", half)).rejects.toThrow(words)
  })

  it("is not printed when it is encrypted", async () => {
    const words = "a.pdf cannot be printed: it is encrypted"
    await expect(preparePdf("a.pdf", await encryptedPdf())).rejects.toThrow(words)
  })

  it("has at most 9,000,000 base64 characters", async () => {
    expect((await preparePdf("a.pdf", padPdf((MAX_BASE64_LENGTH / 4) * 3))).base64()).toHaveLength(
      MAX_BASE64_LENGTH,
    )
  })

  it("says how large it is when it has one byte more", async () => {
    const words = "6.75 MB make 9,000,004 base64 characters, and the limit is 9,000,000"
    await expect(preparePdf("a.pdf", padPdf((MAX_BASE64_LENGTH / 4) * 3 + 1))).rejects.toThrow(words)
  })
})

describe("the files of a command", () => {
  it("are read in order, each once", async () => {
    const pdfs = await readPdfs(deps({ a: PDF, b: PDF }), ["b", "a", "b"])
    expect(pdfs.map(({ name }) => name)).toEqual(["b", "a"])
  })

  it("may be standard input", async () => {
    expect((await readPdfs(deps({ "-": PDF }), ["-"]))[0]?.name).toBe("standard input")
  })

  it("are not typed on the keyboard", async () => {
    await expect(readPdfs(deps({}, { isTTY: true }), ["-"])).rejects.toMatchObject({ kind: "usage" })
  })

  it("are all told of when some cannot be printed", async () => {
    const some = deps({ a: PDF, b: Buffer.from("no"), c: Buffer.alloc(0) })
    await expect(readPdfs(some, ["a", "b", "c", "d"])).rejects.toMatchObject({
      kind: "input",
      message: "3 of 4 files cannot be printed; nothing was sent",
      errors: [
        { message: expect.stringContaining("b is not a PDF") },
        { message: expect.stringContaining("c is empty") },
        { message: expect.stringContaining("cannot read d") },
      ],
    })
  })

  it("keep their own error when there is one", async () => {
    await expect(readPdfs(deps({}), ["d"])).rejects.toThrow("cannot read d")
  })
})
