import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { makeFolder, reasonOf, retryWhileHeld, writeWholeFile } from "../../src/base/system.ts"

function folder(): string {
  const made = mkdtempSync(path.join(tmpdir(), "freight-system-"))
  onTestFinished(() => rmSync(made, { recursive: true }))
  return made
}

describe("a folder that is missing", () => {
  it("is made with those above it, for the user alone", () => {
    const top = folder()
    makeFolder(path.join(top, "a/b/c"))
    for (const made of ["a", "a/b", "a/b/c"]) expect(statSync(path.join(top, made)).mode & 0o777).toBe(0o700)
  })

  it("is left as it is when it is there", () => {
    const top = folder()
    makeFolder(path.join(top, "a"), 0o750)
    makeFolder(path.join(top, "a"))
    expect(statSync(path.join(top, "a")).mode & 0o777).toBe(0o750)
  })

  it("below a file is refused", () => {
    const file = path.join(folder(), "file")
    writeFileSync(file, "")
    expect(() => makeFolder(path.join(file, "a/b"))).toThrow("ENOTDIR")
  })

  it.runIf(process.platform === "linux")("that nobody can make is refused, and not tried for ever", () => {
    expect(() => makeFolder("/proc/freight/a/b")).toThrow("ENOENT")
  })
})

describe("a file that is written whole", () => {
  it("replaces what was there, for its owner alone, and leaves nothing else", () => {
    const top = folder()
    const file = path.join(top, "a.json")
    writeFileSync(file, "before", { mode: 0o644 })
    writeWholeFile(file, "after")
    expect(readFileSync(file, "utf8")).toBe("after")
    if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(top)).toEqual(["a.json"])
  })

  it("stays a link where it was one", () => {
    const top = folder()
    writeFileSync(path.join(top, "real"), "before")
    symlinkSync("real", path.join(top, "link"))
    writeWholeFile(path.join(top, "link"), "after", { isDurable: true })
    expect(readFileSync(path.join(top, "real"), "utf8")).toBe("after")
  })

  it("is as it was when it cannot be replaced", () => {
    const top = folder()
    makeFolder(path.join(top, "a"))
    expect(() => writeWholeFile(path.join(top, "a"), "after")).toThrow(/EISDIR|EPERM|EEXIST/)
    expect(readdirSync(top)).toEqual(["a"])
  })
})

describe("a file that another program holds on Windows", () => {
  const failure = (code: string) => Object.assign(new Error(code), { code })

  /** A system that refuses so many times. */
  function refusing(times: number, code = "EPERM", isWindows = true) {
    const seen = { tries: 0, waited: 0 }
    const act = () => {
      if (seen.tries++ < times) throw failure(code)
      return "done"
    }
    const wait = (ms: number) => {
      seen.waited += ms
    }
    return { seen, run: () => retryWhileHeld(act, { isWindows, wait }) }
  }

  it.each(["EPERM", "EACCES", "EBUSY"])("is used once it is let go (%s)", (code) => {
    const { seen, run } = refusing(3, code)
    expect(run()).toBe("done")
    expect(seen.tries).toBe(4)
  })

  it("is an error after about a second", () => {
    const { seen, run } = refusing(1_000)
    expect(run).toThrow("EPERM")
    expect(seen.waited).toBeGreaterThan(900)
    expect(seen.waited).toBeLessThan(1_500)
  })

  it("is not waited for after another error, nor on another system", () => {
    for (const { seen, run } of [refusing(1, "ENOSPC"), refusing(1, "EPERM", false)]) {
      expect(run).toThrow()
      expect(seen).toEqual({ tries: 1, waited: 0 })
    }
  })

  it.each([
    ["EBUSY", true, "another program has it open: close it there"],
    ["EPERM", true, "another program has it open (close it there), or you may not write it"],
    ["EPERM", false, "you may not read or write it"],
  ])("is reported in words (%s, Windows: %s)", (code, isWindows, words) => {
    expect(reasonOf(failure(code), isWindows)).toBe(words)
  })
})
