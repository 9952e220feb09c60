import { readdirSync, readFileSync } from "node:fs"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { OWN_VARIABLES, SHARED_VARIABLES } from "../../../src/machine/config/known.ts"

const SRC = path.resolve(import.meta.dirname, "../../../src")
const sources = readdirSync(SRC, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => readFileSync(path.join(SRC, name), "utf8"))

const names = [...OWN_VARIABLES, ...SHARED_VARIABLES].flatMap((each) => each.names)

describe("the list of environment variables", () => {
  it("holds every variable of freight that the code names", () => {
    const named = sources.flatMap((text) => text.match(/\b(FREIGHT|DIRECT_PRINT)_[A-Z_]*[A-Z]\b/g) ?? [])
    const variables = [...new Set(named)].filter((name) => sources.some((text) => text.includes(`"${name}"`)))
    expect(variables.length).toBeGreaterThan(5)
    expect(variables.filter((name) => !names.includes(name))).toEqual([])
  })

  it("holds every other variable that is read", () => {
    const read = sources.flatMap((text) => [
      ...Array.from(text.matchAll(/\benv\.([A-Z][A-Z_]+)\b/g), ([, name = ""]) => name),
      ...Array.from(text.matchAll(/(?:variable|either)\(\w+, "([A-Za-z_]+)"\)/g), ([, name = ""]) =>
        name.toUpperCase(),
      ),
    ])
    expect(read).toContain("NO_PROXY")
    expect([...new Set(read)].filter((name) => !names.includes(name))).toEqual([])
  })

  it("names each once", () => {
    expect(new Set(names).size).toBe(names.length)
  })
})
