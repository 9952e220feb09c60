import { chmod, mkdtemp, readdir, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { type Desk, openDevices } from "../../../src/machine/memory/devices.ts"

const DESK: Desk = { profile: "default", api: "freight", workstation: "Dispatch / 1" }
const BENCH = { id: "device-bench", label: "Packing bench 2" }

async function folder(): Promise<string> {
  const made = await mkdtemp(path.join(tmpdir(), "freight-devices-"))
  onTestFinished(() => rm(made, { recursive: true, force: true }))
  return path.join(made, "devices")
}

describe("the device of a workstation", () => {
  it("is none at first, kept for the next command, replaced by the next choice, and forgotten", async () => {
    const place = await folder()
    const memory = openDevices(place, DESK)
    await memory.forget()
    expect(await memory.chosen()).toBeUndefined()
    await openDevices(place, DESK).choose(BENCH)
    expect(await memory.chosen()).toEqual(BENCH)
    await memory.choose({ id: "device-dispatch", label: "Dispatch desk" })
    expect((await openDevices(place, DESK).chosen())?.id).toBe("device-dispatch")
    await memory.forget()
    expect(await memory.chosen()).toBeUndefined()
  })

  it.each([
    ["workstation", { workstation: "Dispatch - 1" }],
    ["profile", { profile: "perth" }],
    ["API", { api: "direct-print" }],
  ])("is another's for another %s", async (_name, changes) => {
    const place = await folder()
    await openDevices(place, DESK).choose(BENCH)
    expect(await openDevices(place, { ...DESK, ...changes }).chosen()).toBeUndefined()
  })

  it.each([
    "",
    "{",
    "null",
    "[]",
    '{"id":7}',
    '{"id":""}',
  ])("is none where the file holds %j", async (text) => {
    const place = await folder()
    const memory = openDevices(place, DESK)
    await memory.choose(BENCH)
    const [file = ""] = await readdir(place)
    await writeFile(path.join(place, file), text)
    expect(await memory.chosen()).toBeUndefined()
  })

  it("leaves no drafts behind when eight choose at once", async () => {
    const place = await folder()
    const memory = openDevices(place, DESK)
    await Promise.all(Array.from({ length: 8 }, (_, n) => memory.choose({ id: `d${n}`, label: "" })))
    expect(await readdir(place)).toHaveLength(1)
  })

  it("says so when it cannot be kept", async () => {
    const place = await folder()
    await writeFile(place, "a file where the folder should be")
    await chmod(place, 0o600)
    await expect(openDevices(place, DESK).choose(BENCH)).rejects.toMatchObject({
      kind: "config",
      message: expect.stringContaining(place),
    })
  })
})
