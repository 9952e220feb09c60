/** Drafts in a folder: named by their numbers, all or none, over nothing that is there. */
import { mkdir, mkdtemp, readdir, readFile, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { FreightError } from "../../../src/base/errors.ts"
import { saveDrafts } from "../../../src/invoice/new/rows/save.ts"
import { createFiles } from "../../../src/output/terminal/files.ts"

const NEVER = new AbortController().signal

async function office() {
  const folder = await mkdtemp(path.join(tmpdir(), "freight-drafts-"))
  const outbox = path.join(folder, "outbox")
  const files = createFiles(path.join(folder, "unfinished"), NEVER)
  return {
    outbox,
    files,
    save: (drafts: Record<string, string>, { force = false, signal = NEVER, write = files.write } = {}) =>
      saveDrafts(
        { ...files, write },
        outbox,
        Object.entries(drafts).map(([number, text]) => ({ number, text })),
        force,
        signal,
      ),
    /** Text by file name. */
    async saved(): Promise<Record<string, string>> {
      const names = await readdir(outbox).catch(() => [])
      const entries = names.map(
        async (name) => [name, await readFile(path.join(outbox, name), "utf8")] as const,
      )
      return Object.fromEntries(await Promise.all(entries))
    },
  }
}

describe("drafts are saved", () => {
  it("each under its invoice's number, as far as a file can have it", async () => {
    const { save, saved, outbox } = await office()
    const files = await save({
      "INV-1": "1",
      "2026/7": "2",
      "../../etc": "3",
      CON: "4",
      "…": "5",
      inv_1: "6",
    })
    expect(files.map((file) => path.relative(outbox, file))).toEqual([
      "INV-1.json",
      "2026_7.json",
      "_.._etc.json",
      "invoice-CON.json",
      "_.json",
      "inv_1.json",
    ])
    expect(Object.values(await saved()).toSorted()).toEqual(["1", "2", "3", "4", "5", "6"])
  })

  it("each in its own file, also where two numbers make the same file name", async () => {
    const { save, saved } = await office()
    await save({ "A/1": "one", "A:1": "two", a_1: "three" })
    const names = Object.keys(await saved())
    expect([names.length, new Set(names.map((name) => name.toLowerCase())).size]).toEqual([3, 3])
    expect(Object.values(await saved()).toSorted()).toEqual(["one", "three", "two"])
  })

  it("over no other file without --force, and each file in the way is named", async () => {
    const { save, saved, outbox } = await office()
    await mkdir(outbox)
    for (const name of ["A.json", "C.json"]) await writeFile(path.join(outbox, name), "mine")
    const error = await save({ A: "a", B: "b", C: "c" }).catch((thrown: unknown) => thrown)
    if (!(error instanceof FreightError)) throw error
    expect(error.message).toBe(`${outbox} has other files of these names already; nothing was written`)
    expect(error.errors?.map(({ message }) => path.basename(message))).toEqual(["A.json", "C.json"])
    expect(await saved()).toEqual({ "A.json": "mine", "C.json": "mine" })
    await save({ A: "a", B: "b" }, { force: true })
    expect(await saved()).toEqual({ "A.json": "a", "B.json": "b", "C.json": "mine" })
  })

  it("again without a word where they are the same", async () => {
    const { save, saved } = await office()
    await save({ A: "a" })
    await save({ A: "a", B: "b" })
    expect(await saved()).toEqual({ "A.json": "a", "B.json": "b" })
  })

  it("all or none: what was written before one failed is undone", async () => {
    const { save, saved, files, outbox } = await office()
    await mkdir(outbox)
    await writeFile(path.join(outbox, "A.json"), "old")
    const full: typeof files.write = async (file, text) => {
      if (file.endsWith("C.json")) throw new FreightError("input", `cannot write ${file}: the disk is full`)
      await files.write(file, text)
    }
    await expect(save({ A: "new", B: "b", C: "c" }, { force: true, write: full })).rejects.toThrow(
      "the disk is full",
    )
    expect(await saved()).toEqual({ "A.json": "old" })
  })

  it("all or none at Ctrl-C, too", async () => {
    const { save, saved, files } = await office()
    const ctrlC = new AbortController()
    const write: typeof files.write = async (file, text) => {
      await files.write(file, text)
      ctrlC.abort(new FreightError("interrupted", "interrupted"))
    }
    await expect(save({ A: "a", B: "b" }, { write, signal: ctrlC.signal })).rejects.toThrow("interrupted")
    expect(await saved()).toEqual({})
  })
})
