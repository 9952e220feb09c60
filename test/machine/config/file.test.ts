import { access, chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import {
  openConfig,
  profileNamed,
  profileValue,
  withLock,
  withProfile,
} from "../../../src/machine/config/file.ts"
import { checkNewName } from "../../../src/machine/config/saved.ts"
import { failureOf, folder, HEX, ports } from "./setup.ts"

async function store(text?: string) {
  const dir = folder()
  const file = path.join(dir, "config.json")
  if (text !== undefined) {
    await mkdir(dir, { mode: 0o700 })
    await writeFile(file, text, { mode: 0o600 })
  }
  return { dir, file, config: openConfig(dir, ports()), text: () => readFile(file, "utf8") }
}

const onPosix = process.platform !== "win32"

describe("the settings file", () => {
  it("is empty when there is none, and reading makes none", async () => {
    const { config, dir } = await store()
    expect(config.read()).toEqual({ profiles: {}, addresses: {}, packages: {} })
    await expect(stat(dir)).rejects.toThrow("ENOENT")
  })

  it.runIf(onPosix)(
    "is made for its owner alone, in a folder of its owner's, with nothing else in it",
    async () => {
      const { config, dir, file } = await store()
      await config.update((before) => withProfile(before, "default", { timeout: "9" }))
      expect((await stat(file)).mode & 0o777).toBe(0o600)
      expect((await stat(dir)).mode & 0o777).toBe(0o700)
      expect(await readdir(dir)).toEqual(["config.json"])
      await chmod(file, 0o644)
      await config.update((before) => withProfile(before, "default", { timeout: "8" }))
      expect((await stat(file)).mode & 0o777).toBe(0o600)
    },
  )

  it("leaves signals to the program when it changes", async () => {
    const { config } = await store()
    const before = process.listenerCount("SIGINT")
    await config.update((before) => withProfile(before, "default", { timeout: "9" }))
    expect(process.listenerCount("SIGXCPU")).toBe(0)
    expect(process.listenerCount("SIGINT")).toBe(before)
  })

  it("keeps what this version does not know", async () => {
    const { config, text } = await store(
      '{"later":[1],"profiles":{"a":{"shade":"blue","timeout":"1"},"b":{"timeout":"2"}}}',
    )
    await config.update((before) => withProfile(before, "a", { timeout: "3" }))
    expect(JSON.parse(await text())).toEqual({
      later: [1],
      profiles: { a: { shade: "blue", timeout: "3" }, b: { timeout: "2" } },
      addresses: {},
      packages: {},
    })
  })

  it("may begin with a byte order mark", async () => {
    const { config, text } = await store('\ufeff{"profiles":{"a":{}}}')
    expect(Object.keys(config.read().profiles)).toEqual(["a"])
    await config.update((before) => withProfile(before, "a", { timeout: "3" }))
    expect(JSON.parse(await text()).profiles).toEqual({ a: { timeout: "3" } })
  })

  it.runIf(onPosix)("that is a link stays one", async () => {
    const { config, dir, file } = await store()
    const real = `${dir}-real.json`
    await writeFile(real, '{"profiles":{}}', { mode: 0o600 })
    await mkdir(dir)
    await symlink(real, file)
    await config.update((before) => withProfile(before, "a", { timeout: "3" }))
    expect(await readFile(real, "utf8")).toContain('"timeout": "3"')
  })

  it("is as it was when the change fails", async () => {
    const { config, text } = await store('{"profiles":{"a":{}}}')
    await expect(
      config.update(() => {
        throw new Error("no")
      }),
    ).rejects.toThrow("no")
    expect(await text()).toBe('{"profiles":{"a":{}}}')
  })
})

describe("a damaged settings file", () => {
  const damages = [
    ["cut off", `{"profiles":{"a":{"freightApiKey":"p_${HEX}`, "not JSON"],
    ["empty", "", "not JSON"],
    ["a list", "[]", "not a JSON object"],
    ["with profiles that are none", '{"profiles":[]}', '"profiles"'],
    ["with a profile that is none", '{"profiles":{"a":3}}', '"profiles"'],
    ["with addresses that are none", '{"addresses":"x"}', '"addresses"'],
    ["with a current profile that is no name", '{"current":{}}', '"current"'],
    ["with a setting that is an object", '{"profiles":{"a":{"timeout":{}}}}', '"timeout" of profile "a"'],
  ] as const

  it.each(
    damages,
  )("%s is reported with its name and what is wrong, and is never written over", async (_, text, words) => {
    const { config, file } = await store(text)
    const change = () => config.update((before) => withProfile(before, "b", { timeout: "1" }))
    for (const act of [() => config.read(), change]) {
      const error = await failureOf(act)
      expect(error.kind).toBe("config")
      expect(error.message).toContain(file)
      expect(error.message).toContain(words)
    }
    expect(await readFile(file, "utf8")).toBe(text)
  })

  it("never shows what is in it", async () => {
    const { config } = await store(`{"profiles":{"a":{"freightApiKey":"p_${HEX}" oops`)
    const error = await failureOf(() => config.read())
    expect(`${error.message} ${error.hint} ${JSON.stringify(error)}`).not.toContain(HEX.slice(0, 8))
  })

  it("that is a folder is an error", async () => {
    const { config, file } = await store()
    await mkdir(file, { recursive: true })
    const error = await failureOf(() => config.read())
    expect(error).toMatchObject({ kind: "config" })
    expect(error.message).toContain("EISDIR")
  })
})

it("a folder that cannot be made is reported with the file's name", async () => {
  const { dir } = await store("{}")
  const config = openConfig(path.join(dir, "config.json", "below"), ports())
  const error = await failureOf(() => config.update((before) => before))
  expect(error).toMatchObject({ kind: "config" })
  expect(error.message).toContain("cannot be written: a part of that path is a file, not a folder")
})

describe("profiles", () => {
  const none = { addresses: {}, packages: {} }
  const two = { ...none, current: "a", profiles: { a: { timeout: "1" }, b: { timeout: "2" } } }

  it("change one by one, and lose a setting that becomes undefined", () => {
    expect(withProfile(two, "b", { timeout: "3", sender: "x" }).profiles).toEqual({
      a: { timeout: "1" },
      b: { timeout: "3", sender: "x" },
    })
    expect(withProfile(two, "a", { timeout: undefined }).profiles.a).toEqual({})
  })

  it("that are new leave the current one; the first becomes it", () => {
    expect(withProfile(two, "c", {}).current).toBe("a")
    expect(withProfile({ ...none, profiles: {} }, "c", {}).current).toBe("c")
  })

  it("are found by own names only, and have no setting where it is empty", () => {
    expect(profileNamed(two, "toString")).toBeUndefined()
    expect(profileValue({ sender: "" }, "sender")).toBeUndefined()
  })

  it.each([
    "__proto__",
    "",
    "a b",
    "-a",
    "a/b",
    "é",
    "x".repeat(65),
  ])("cannot be called '%s'", async (name) => {
    expect((await failureOf(() => checkNewName("profiles", name))).kind).toBe("usage")
  })

  it.each(["default", "wholesale-2", "a.b_c", "7"])("can be called '%s'", (name) => {
    expect(() => checkNewName("profiles", name)).not.toThrow()
  })
})

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

  it("of a dead process is removed by one of many, and one at a time is let in", async () => {
    const { file, isLocked } = await place()
    await writeFile(`${file}.lock`, "dead")
    const shared = ports()
    let inside = 0
    const counts: number[] = []
    const visit = (number: number) =>
      withLock(file, { ...shared, ids: { ...shared.ids, uuid: () => `visitor-${number}` } }, async () => {
        inside += 1
        counts.push(inside)
        await shared.clock.sleep(40)
        inside -= 1
      })
    await Promise.all(Array.from({ length: 20 }, (_, number) => visit(number)))
    expect(counts).toEqual(Array(20).fill(1))
    expect(await isLocked()).toBe(false)
  })

  it("of a process that died while it removed a dead one's is removed too", async () => {
    const { file, isLocked } = await place()
    await writeFile(`${file}.lock`, "dead")
    await writeFile(`${file}.lock.lock`, "dead too")
    await withLock(file, ports(), () => Promise.resolve())
    expect(await isLocked()).toBe(false)
    expect(await readdir(path.dirname(file))).toEqual([])
  })

  it("is not waited for after an interrupt", async () => {
    const { file } = await place()
    await writeFile(`${file}.lock`, "alive")
    const own = ports()
    const waiting = withLock(file, own, () => Promise.resolve())
    own.interrupt.abort(new Error("interrupted"))
    await expect(waiting).rejects.toThrow("interrupted")
    expect(await readFile(`${file}.lock`, "utf8")).toBe("alive")
  })

  it("is waited for without a limit while living processes hand it on", async () => {
    const { file } = await place()
    const lock = `${file}.lock`
    await writeFile(lock, "holder-0")
    const { clock, ...others } = ports()
    let turns = 0
    const sleep = async (ms: number) => {
      turns += 1
      if (turns <= 300) await writeFile(lock, `holder-${turns}`)
      await clock.sleep(ms)
    }
    await withLock(file, { ...others, clock: { ...clock, sleep } }, () => Promise.resolve())
    // Six seconds of changing holders, twice the patience; then the last one stays, and is taken for dead.
    expect(clock.now()).toBeGreaterThanOrEqual(6000 + 3000)
  })
})
