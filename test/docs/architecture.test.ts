/** The page on how freight is built names files: they are there. */
import { existsSync, readFileSync } from "node:fs"
import path from "node:path"
import { describe, expect, it } from "vitest"

const ROOT = path.resolve(import.meta.dirname, "../..")

describe.each(["docs/architecture.md", "docs/changing.md"])("%s", (page) => {
  const prose = readFileSync(path.join(ROOT, page), "utf8").replace(/^```[\s\S]*?^```/gm, "")
  const named = Array.from(prose.matchAll(/`((?:bin|src|scripts|test)\/[\w./-]+)`/g), ([, file = ""]) => file)

  it.each([...new Set(named)])("names %s, which is there", (file) => {
    expect(existsSync(path.join(ROOT, file))).toBe(true)
  })
})
