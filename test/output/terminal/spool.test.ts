import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { createSpool, type Spool } from "../../../src/output/terminal/spool.ts"
import { failure } from "../../failure.ts"

function makeFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "freight-spool-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** Pages of 1,000 rows: more than are kept in memory where there are more than ten. */
async function fill(spool: Spool<{ name: string }>, pages: number): Promise<string[]> {
  const names = Array.from({ length: pages * 1_000 }, (_, n) => `é\n${n}`)
  for (let page = 0; page < pages; page++)
    await spool.add(names.slice(page * 1_000, (page + 1) * 1_000).map((name) => ({ name })))
  return names
}

async function read(spool: Spool<{ name: string }>): Promise<string[]> {
  const names: string[] = []
  for await (const rows of spool.pages()) names.push(...rows.map(({ name }) => name))
  return names
}

it.each([
  0, 1, 10, 12,
])("a long list gives %i,000 rows in their order, as often as they are asked for", async (pages) => {
  const folder = path.join(makeFolder(), "unfinished")
  const spool = createSpool<{ name: string }>(folder, new AbortController().signal)
  const names = await fill(spool, pages)
  await spool.add([])
  expect(await read(spool)).toEqual(names)
  expect(await Promise.all([read(spool), read(spool)])).toEqual([names, names])
  await spool.close()
  expect(readdirSync(path.dirname(folder), { recursive: true })).toEqual(pages > 10 ? ["unfinished"] : [])
})

it.skipIf(path.sep === "\\")("a long list leaves no file behind, even where it is not closed", async () => {
  const folder = makeFolder()
  const spool = createSpool<{ name: string }>(folder, new AbortController().signal)
  onTestFinished(() => spool.close())
  await fill(spool, 12)
  expect(readdirSync(folder)).toEqual([])
})

it("a long list ends at a signal", async () => {
  const interrupt = new AbortController()
  const spool = createSpool<{ name: string }>(makeFolder(), interrupt.signal)
  await fill(spool, 2)
  interrupt.abort(new Error("interrupted"))
  await expect(read(spool)).rejects.toThrow("interrupted")
})

it("an error says where a long list cannot be kept", async () => {
  const file = path.join(makeFolder(), "file")
  writeFileSync(file, "")
  const spool = createSpool<{ name: string }>(file, new AbortController().signal)
  expect(await failure(fill(spool, 11))).toMatchObject({
    kind: "input",
    message: expect.stringContaining(file),
  })
  await spool.close()
})
