import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import fc from "fast-check"
import { describe, expect, it, onTestFinished } from "vitest"
import { createLabelSaver, type LabelSubject } from "../../../src/orders/booking/label-files.ts"
import { createFiles } from "../../../src/output/terminal/files.ts"

const ID = "a48da18d-0000-4000-8000-000000000001"
const OTHER = "b48da18d-0000-4000-8000-000000000002"
const pdf = (text: string) => Buffer.from(`%PDF-${text}`)

function folder() {
  const dir = mkdtempSync(path.join(tmpdir(), "freight-labels-"))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const files = createFiles(
    path.join(dir, "..", `${path.basename(dir)}-unfinished`),
    new AbortController().signal,
  )
  onTestFinished(() => rmSync(`${dir}-unfinished`, { recursive: true, force: true }))
  const saver = (pattern?: string) => {
    const save = createLabelSaver(files, dir, pattern)
    return async (subject: LabelSubject, text: string) => path.basename(await save(subject, pdf(text)))
  }
  return { dir, saver, list: () => readdirSync(dir).sort() }
}

describe("the name of a label's file", () => {
  it("is safe for any id and reference, and no two shipments share one", async () => {
    const NASTY = ["..", ".", "CON", "nul.x", "a/../../b", "C:\\x", "日本", "x".repeat(5000), "-rf", "\u0000"]
    const nasty = fc.constantFrom(...NASTY)
    const text = fc.oneof(nasty, fc.string({ unit: "binary", minLength: 1 }))
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(text, { maxLength: 6 }), text, async (ids, reference) => {
        const written: string[] = []
        const files = {
          has: async () => false,
          read: async () => new Uint8Array(),
          write: async (file: string) => void written.push(file),
        }
        const save = createLabelSaver(files as never, "out")
        for (const shipmentId of ids) await save({ shipmentId, reference }, pdf(""))
        expect(new Set(written.map((name) => name.toLowerCase())).size).toBe(ids.length)
        for (const name of written)
          expect(name).toMatch(/^out[\\/][\p{L}\p{N} _-][\p{L}\p{N} ._-]{0,230}\.pdf$/u)
      }),
      { numRuns: 50 },
    )
  })
})

describe("a label", () => {
  const mine = { shipmentId: ID, reference: "SO-17" }
  const theirs = { shipmentId: OTHER, reference: "SO-17" }

  it("never takes the place of another shipment's, in one run or in two", async () => {
    const { saver, list } = folder()
    const save = saver()
    expect([await save(mine, "mine"), await save(theirs, "theirs")]).toEqual([
      "SO-17.pdf",
      "SO-17-b48da18d.pdf",
    ])
    expect(await saver()(theirs, "theirs")).toBe("SO-17-b48da18d.pdf")
    expect(list()).toEqual(["SO-17-b48da18d.pdf", "SO-17.pdf"])
  })

  it("never takes the place of a file that a person made", async () => {
    const { dir, saver } = folder()
    writeFileSync(path.join(dir, "SO-17.pdf"), "an invoice")
    expect(await saver()(mine, "mine")).toBe("SO-17-a48da18d.pdf")
    expect(readFileSync(path.join(dir, "SO-17.pdf"), "utf8")).toBe("an invoice")
  })

  it("that was saved before is saved under the same name", async () => {
    const { saver, list } = folder()
    for (let run = 0; run < 3; run++) expect(await saver()(mine, "mine")).toBe("SO-17.pdf")
    expect(list()).toEqual(["SO-17.pdf"])
  })

  it("without a reference is overwritten, as its name is its shipment's own", async () => {
    const { dir, saver } = folder()
    await saver()({ shipmentId: ID }, "old")
    expect(await saver()({ shipmentId: ID }, "new")).toBe(`label-${ID}.pdf`)
    expect(readFileSync(path.join(dir, `label-${ID}.pdf`), "utf8")).toBe("%PDF-new")
  })
})
