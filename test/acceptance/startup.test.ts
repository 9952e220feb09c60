import { mkdtempSync, readdirSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { desk, ROOT } from "./freight.ts"

interface Meta {
  outputs: Record<string, { inputs: Record<string, unknown> }>
}

/** The sources inside every chunk that a run loaded, as V8's coverage lists the scripts. */
async function loadedSources(args: readonly string[]): Promise<{ code: number | null; sources: string[] }> {
  const folder = mkdtempSync(path.join(tmpdir(), "freight-loaded-"))
  const { freight } = await desk()
  const { code } = await freight(args, { env: { NODE_V8_COVERAGE: folder } })
  const { outputs } = JSON.parse(readFileSync(path.join(ROOT, ".build/meta.json"), "utf8")) as Meta
  const urls = readdirSync(folder).flatMap((name) => {
    const { result } = JSON.parse(readFileSync(path.join(folder, name), "utf8")) as {
      result: { url: string }[]
    }
    return result.map(({ url }) => url)
  })
  const chunks = Object.entries(outputs).filter(([file]) =>
    urls.some((url) => url.endsWith(`/dist/${path.basename(file)}`)),
  )
  return { code, sources: chunks.flatMap(([, { inputs }]) => Object.keys(inputs)) }
}

const HEAVY = /node_modules\/(undici|ajv|conf|@inquirer|hono|@hono|@cantoo|cli-table3|csv-[a-z]+)\//

describe("start-up", () => {
  for (const args of [["--version"], ["--help"], ["rate-shop", "--help"], ["book", "--help"]]) {
    it(`freight ${args.join(" ")} loads no HTTP client, validator compiler, settings store or prompts`, async () => {
      const { code, sources } = await loadedSources(args)
      expect(code).toBe(0)
      expect(sources).toContain("src/main.ts")
      expect(sources.filter((source) => HEAVY.test(source))).toEqual([])
    })
  }

  it("the main entry holds no command", async () => {
    const { sources } = await loadedSources(["--version"])
    expect(sources.filter((source) => source.startsWith("src/commands/"))).toEqual([])
  })
})
