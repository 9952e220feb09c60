/** How results are written; what stands in them is in texts/results.txt. */
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { writeLines } from "../../../src/orders/batch/results.ts"
import { createFiles } from "../../../src/output/terminal/files.ts"

describe("the results' file", () => {
  it("is whole or as it was", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "freight-results-"))
    onTestFinished(() => rm(folder, { recursive: true }))
    const file = path.join(folder, "r.csv")
    await writeFile(file, "before")
    async function* broken() {
      yield "x".repeat(100_000)
      throw new Error("in the middle")
    }
    await expect(
      writeLines(
        createFiles(path.join(tmpdir(), "freight-results-unfinished"), new AbortController().signal),
        file,
        broken(),
      ),
    ).rejects.toThrow("in the middle")
    expect(await readFile(file, "utf8")).toBe("before")
    expect(await readdir(folder)).toEqual(["r.csv"])
  })
})
