import { mkdtemp, readdir, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { openDrafts } from "../../../src/machine/memory/drafts.ts"

const OWNER = { profile: "default", workstation: "desk-1", user: "dana" }
const DAY = 86_400_000

async function opened(now = () => 1000) {
  const folder = path.join(await mkdtemp(path.join(tmpdir(), "freight-drafts-")), "drafts")
  return { folder, drafts: openDrafts(folder, OWNER, now) }
}
const draft = (id: string, savedAt = 1000) => ({ id, savedAt, value: { answer: id } })

describe("drafts", () => {
  it("are none where nothing was kept", async () => {
    expect(await (await opened()).drafts.list()).toEqual([])
  })

  it("come back, the newest first", async () => {
    const { drafts } = await opened()
    await drafts.keep(draft("a", 1))
    await drafts.keep(draft("b", 2))
    expect(await drafts.list()).toEqual([draft("b", 2), draft("a", 1)])
  })

  it("are replaced whole", async () => {
    const { drafts, folder } = await opened()
    await drafts.keep(draft("a", 1))
    await drafts.keep(draft("a", 2))
    expect(await drafts.list()).toEqual([draft("a", 2)])
    expect(await readdir(folder)).toHaveLength(1)
  })

  it("are forgotten one by one", async () => {
    const { drafts } = await opened()
    await drafts.keep(draft("a"))
    await drafts.keep(draft("b"))
    await drafts.forget("a")
    expect((await drafts.list()).map(({ id }) => id)).toEqual(["b"])
  })

  it("belong to one person at one workstation in one profile", async () => {
    const { drafts, folder } = await opened()
    await drafts.keep(draft("a"))
    for (const change of [{ user: "lee" }, { workstation: "desk-2" }, { profile: "other" }])
      expect(await openDrafts(folder, { ...OWNER, ...change }, () => 1000).list()).toEqual([])
  })

  it("of two weeks ago are dropped", async () => {
    const { drafts, folder } = await opened(() => 15 * DAY)
    await drafts.keep(draft("old", 0))
    await drafts.keep(draft("new", 2 * DAY))
    expect((await drafts.list()).map(({ id }) => id)).toEqual(["new"])
    expect(await readdir(folder)).toHaveLength(1)
  })

  it("that cannot be read are passed over", async () => {
    const { drafts, folder } = await opened()
    await drafts.keep(draft("a"))
    const [name = ""] = await readdir(folder)
    await writeFile(path.join(folder, name.replace("-a.json", "-torn.json")), '{"id":"torn')
    expect((await drafts.list()).map(({ id }) => id)).toEqual(["a"])
  })

  it("cannot be led out of their folder by an id", async () => {
    const { drafts, folder } = await opened()
    await drafts.keep(draft("../../x"))
    expect(await readdir(folder)).toHaveLength(1)
  })
})
