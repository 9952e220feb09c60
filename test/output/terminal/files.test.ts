import { existsSync } from "node:fs"
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import { createFiles } from "../../../src/output/terminal/files.ts"

const MEMORY = "/dev/shm"
const folders: string[] = []

async function makeFolder(parent: string): Promise<string> {
  const folder = await mkdtemp(path.join(parent, "freight-files-"))
  folders.push(folder)
  return folder
}

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true })
})

describe("a file that is written", () => {
  it.skipIf(!existsSync(MEMORY))("in a folder in memory is written whole, as anywhere else", async () => {
    const folder = await makeFolder(MEMORY)
    const files = createFiles(await makeFolder(tmpdir()), new AbortController().signal)
    const file = path.join(folder, "labels", "one.pdf")
    await files.write(file, "first")
    const second = await files.create(file)
    await second.write("sec")
    expect(await readFile(file, "utf8")).toBe("first")
    await second.discard()
    expect(await readdir(path.dirname(file))).toEqual(["one.pdf"])
  })
})

describe("on Windows", () => {
  it.each([
    "CON.pdf",
    "label.pdf.",
    "label:1.pdf",
  ])("%s is refused before anything is written", async (name) => {
    const folder = await makeFolder(tmpdir())
    const files = createFiles(await makeFolder(tmpdir()), new AbortController().signal, true)
    const file = path.join(folder, name)
    expect(() => files.check(file)).toThrow(`cannot write ${file}: `)
    await expect(files.write(file, "x")).rejects.toMatchObject({ kind: "input", exitCode: 2 })
    expect(await readdir(folder)).toEqual([])
  })
})
