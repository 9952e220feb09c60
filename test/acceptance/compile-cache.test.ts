/** Node 20 has no compile cache of its own: ours makes starts quicker, and nothing else. */
import { mkdir, mkdtemp, readdir, readFile, stat, utimes, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { desk } from "./freight.ts"

const HAS_ITS_OWN = Number.parseInt(process.versions.node, 10) >= 22

async function place() {
  const { binary } = await desk()
  const caches = await mkdtemp(path.join(tmpdir(), "freight-caches-"))
  const kept = async () => {
    const folder = path.join(caches, "freight-cli")
    const [build = ""] = await readdir(folder).catch(() => [])
    return { build: path.join(folder, build), files: await readdir(path.join(folder, build)).catch(() => []) }
  }
  const help = (env: Record<string, string> = {}) =>
    binary(["--help"], { env: { XDG_CACHE_HOME: caches, ...env } })
  return { caches, kept, help }
}

describe.skipIf(HAS_ITS_OWN)("what is kept compiled", () => {
  it("is of each file that was loaded, for its owner alone", async () => {
    const { kept, help } = await place()
    expect((await help()).code).toBe(0)
    const { build, files } = await kept()
    expect(files).toContain("main.cjs")
    expect(files.some((name) => name.startsWith("root-page-"))).toBe(true)
    expect((await stat(build)).mode & 0o777).toBe(0o700)
  })

  it("is used as it is, and changes nothing of what is said", async () => {
    const { kept, help } = await place()
    const first = await help()
    const { build } = await kept()
    const before = await stat(path.join(build, "main.cjs"))
    const second = await help()
    expect(second).toMatchObject({ code: 0, stdout: first.stdout, stderr: "" })
    expect((await stat(path.join(build, "main.cjs"))).mtimeMs).toBe(before.mtimeMs)
  })

  it.each([
    ["empty", ""],
    ["torn", "\u0000\u0001"],
    ["foreign", "x".repeat(20_000)],
  ])("is made anew when it is %s", async (_what, contents) => {
    const { kept, help } = await place()
    const { stdout } = await help()
    const file = path.join((await kept()).build, "main.cjs")
    const whole = await readFile(file)
    await writeFile(file, contents)
    expect(await help()).toMatchObject({ code: 0, stdout, stderr: "" })
    expect((await readFile(file)).length).toBeGreaterThan(whole.length / 2)
  })

  it("is nothing where it cannot be kept, or is not wanted", async () => {
    const { caches, kept, help } = await place()
    await writeFile(path.join(caches, "file"), "")
    const { stdout } = await help({ NODE_DISABLE_COMPILE_CACHE: "1" })
    expect((await kept()).files).toEqual([])
    const XDG_CACHE_HOME = path.join(caches, "file")
    expect(await help({ XDG_CACHE_HOME })).toMatchObject({ code: 0, stdout, stderr: "" })
  })

  it("goes when another build has taken its place for a week", async () => {
    const { caches, help } = await place()
    const builds = path.join(caches, "freight-cli")
    for (const [name, days] of [
      ["older", 8],
      ["newer", 6],
    ] as const) {
      await mkdir(path.join(builds, name), { recursive: true })
      const at = Date.now() / 1000 - days * 86_400
      await utimes(path.join(builds, name), at, at)
    }
    await help()
    const names = await readdir(builds)
    expect([names.includes("older"), names.includes("newer"), names.length]).toEqual([false, true, 2])
  })
})
