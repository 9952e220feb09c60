/** How many files are looked at for what is named. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { DOCUMENTS, findInputs } from "../../src/invoice/sources/files.ts"

let folder = ""
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "freight-sources-"))
  for (const name of ["one", "two"]) {
    mkdirSync(path.join(folder, name))
    for (let at = 0; at < 4; at++) writeFileSync(path.join(folder, name, `${at}.json`), "{}")
  }
})
afterEach(() => rmSync(folder, { recursive: true }))

/** The names of what is found where so many files and folders may be looked at. */
const find = async (word: string, most: number) =>
  Array.from(await findInputs([path.join(folder, word)], undefined, DOCUMENTS, most), ({ file }) =>
    path.relative(folder, file ?? ""),
  )

describe("a limit of files that are looked at", () => {
  it.each(["", "**/*.json", "*/*.json"])("is one of all that %j leads to", async (word) => {
    expect(await find(word, 100)).toHaveLength(8)
    await expect(find(word, 7)).rejects.toMatchObject({
      ...{ kind: "input", exitCode: 2 },
      message: "the names given lead to more than 7 files and folders",
    })
  })

  it("comes with links to folders that are not followed", async () => {
    symlinkSync(path.join(folder, "two"), path.join(folder, "one", "link"), "junction")
    expect(await find("one/**/*.json", 100)).toHaveLength(4)
    expect(await find("one/*/*.json", 100)).toEqual([expect.stringContaining("*")])
  })
})
