import { existsSync, mkdtempSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { clearLeftovers } from "../../../src/machine/memory/store.ts"

const HOUR = 3_600_000

describe("what an earlier run left unfinished", () => {
  it.each([
    0,
    7 * 24 * HOUR,
    -7 * 24 * HOUR,
  ])("goes when it is old by the clock of files, %d ms from this run's", (ahead) => {
    const folder = mkdtempSync(path.join(tmpdir(), "leftovers-"))
    const [young, old] = ["young.json.1.tmp", "old.json.2.tmp"].map((name) => path.join(folder, name))
    for (const file of [young, old]) writeFileSync(String(file), "")
    const then = (Date.now() - 2 * HOUR) / 1000
    utimesSync(String(old), then, then)
    clearLeftovers([folder], Date.now() + ahead)
    expect([existsSync(String(young)), existsSync(String(old))]).toEqual([true, false])
  })
})
