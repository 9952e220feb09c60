import { access, mkdir, writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { withLock } from "../../src/config/file.ts"
import { folder, ports } from "./setup.ts"

async function place() {
  const dir = folder()
  await mkdir(dir)
  const file = path.join(dir, "config.json")
  const isLocked = () =>
    access(`${file}.lock`).then(
      () => true,
      () => false,
    )
  return { file, isLocked }
}

describe("the lock", () => {
  it("is there while something is done, and gone after", async () => {
    const { file, isLocked } = await place()
    expect(await withLock(file, ports(), isLocked)).toBe(true)
    expect(await isLocked()).toBe(false)
  })

  it("is gone after a failure", async () => {
    const { file, isLocked } = await place()
    await expect(withLock(file, ports(), () => Promise.reject(new Error("no")))).rejects.toThrow("no")
    expect(await isLocked()).toBe(false)
  })

  it("lets one at a time in", async () => {
    const { file } = await place()
    const both = ports()
    let inside = 0
    let most = 0
    const visit = () =>
      withLock(file, both, async () => {
        inside += 1
        most = Math.max(most, inside)
        await new Promise(setImmediate)
        inside -= 1
      })
    await Promise.all([visit(), visit(), visit(), visit()])
    expect(most).toBe(1)
  })

  it("of a dead process is taken after three seconds", async () => {
    const { file, isLocked } = await place()
    await writeFile(`${file}.lock`, "dead")
    const own = ports()
    await withLock(file, own, () => Promise.resolve())
    expect(own.clock.now()).toBeGreaterThanOrEqual(3000)
    expect(await isLocked()).toBe(false)
  })

  it("that changes hands is of the living, and is waited for however long", async () => {
    const { file } = await place()
    const lock = `${file}.lock`
    await writeFile(lock, "holder-0")
    const { clock, ids } = ports()
    let turns = 0
    const sleep = async (ms: number) => {
      turns += 1
      if (turns <= 300) await writeFile(lock, `holder-${turns}`)
      await clock.sleep(ms)
    }
    await withLock(file, { ids, clock: { ...clock, sleep } }, () => Promise.resolve())
    // Six seconds of changing holders, twice the patience; then the last one stays, and is taken for dead.
    expect(clock.now()).toBeGreaterThanOrEqual(6000 + 3000)
  })
})
