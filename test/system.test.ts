import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { makeFolder } from "../src/system.ts"

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
