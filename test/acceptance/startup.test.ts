/** The loaded modules decide how long a start takes, and do not vary from run to run as time does. */
import { readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { minimalInvoice, textOf } from "../invoice/samples.ts"
import { desk, ensureBuilt, ROOT } from "./freight.ts"
import { loadedBy } from "./loaded.ts"
import { startSandboxHere } from "./sandbox.ts"

const CHUNKS = path.join(ROOT, ".build/chunks.json")

/** Besides the parser of command lines, and the width of text, which every page and table needs. */
const LIBRARIES = /node_modules\/(?!commander\/|fast-string-(truncated-)?width\/)/
const PROTOCOL = /node_modules\/(@modelcontextprotocol|zod)\//
const UNDICI = /node_modules\/undici\/lib\//
const COMMANDS = /^src\/(commands|reports)\//

/** Node's own modules that take milliseconds to load. */
const SLOW = /^(tls|https|readline|child_process|worker_threads)$/
const PLACES = /^src\/machine\/places\//
/** Modules that create the tables, and records of bills and disputes. */
const TABLES_OF_LEDGER = /^src\/ledger\/(schema|records\/(bills|disputes|postings))\.ts$/
const OTHER_PAGES = /^src\/app\/help\/(help|pages)\.ts$/
const ADVICE = /^src\/invoice\/(explain|fixes)\//

describe("start-up", () => {
  it("looks for files that are there", async () => {
    ensureBuilt()
    const chunks: Record<string, string[]> = JSON.parse(await readFile(CHUNKS, "utf8"))
    const sources = Object.values(chunks).flat()
    for (const kept of [PROTOCOL, UNDICI, COMMANDS, PLACES, TABLES_OF_LEDGER, OTHER_PAGES, ADVICE])
      expect(sources.filter((source) => kept.test(source)).length, String(kept)).toBeGreaterThan(0)
  })

  it("freight --version loads no command and no library", async () => {
    const { code, sources, bytes } = await loadedBy(["--version"])
    expect(code).toBe(0)
    expect(sources).toContain("src/app/main.ts")
    expect(sources.filter((source) => LIBRARIES.test(source) || /commander|commands/.test(source))).toEqual(
      [],
    )
    expect(bytes).toBeLessThan(50_000)
  })

  it.each(["--help", "-h"])("freight %s loads no command, no settings and no other page", async (flag) => {
    const { code, sources, files, bytes } = await loadedBy([flag])
    expect(code).toBe(0)
    expect(sources).toContain("src/app/help/page.ts")
    expect(sources.filter((source) => LIBRARIES.test(source) || COMMANDS.test(source))).toEqual([])
    expect(sources).not.toContain("src/session/deps.ts")
    expect(sources.filter((source) => OTHER_PAGES.test(source))).toEqual([])
    expect(files).toBeLessThan(18)
    expect(bytes).toBeLessThan(121_000)
  })

  for (const args of [
    ["rate-shop", "--help"],
    ["book", "--help"],
  ])
    it(`freight ${args.join(" ")} loads no library besides the parser of command lines`, async () => {
      const { code, sources } = await loadedBy(args)
      expect(code).toBe(0)
      expect(sources.filter((source) => LIBRARIES.test(source))).toEqual([])
    })

  it("freight track --json loads undici, and no other library", async () => {
    const sandbox = await startSandboxHere()
    try {
      const { code, sources, files, bytes, builtins } = await loadedBy(
        ["track", "DEMO-A-DELIVERED", "--json"],
        sandbox,
        { isUsed: true },
      )
      expect(code).toBe(0)
      expect(sources).toContain("node_modules/undici/lib/dispatcher/client.js")
      expect(sources.filter((source) => LIBRARIES.test(source) && !UNDICI.test(source))).toEqual([])
      expect(builtins.filter((each) => SLOW.test(each) && each !== "tls")).toEqual([])
      expect(sources.filter((source) => PLACES.test(source))).toEqual([])
      expect(sources).toContain("src/ledger/store.ts")
      expect(sources.filter((source) => TABLES_OF_LEDGER.test(source))).toEqual([])
      expect(files).toBeLessThan(75)
      expect(bytes).toBeLessThan(790_000)
    } finally {
      await sandbox.stop()
    }
  })

  it("the check of an invoice loads no library", async () => {
    const { folder } = await desk()
    const file = path.join(folder, "invoice.json")
    await writeFile(file, textOf(minimalInvoice()))
    const { code, sources, files, bytes, builtins } = await loadedBy(["invoice", "validate", file])
    expect(code).toBe(0)
    expect(builtins.filter((each) => SLOW.test(each))).toEqual([])
    expect(sources.filter((source) => LIBRARIES.test(source))).toEqual([])
    expect(sources).not.toContain("schemas/invoice.schema.json")
    expect(sources.filter((source) => ADVICE.test(source))).toEqual([])
    expect(files).toBeLessThan(65)
    // 125,000 of them are the list of places.
    expect(bytes).toBeLessThan(685_000)
  })

  it("freight mcp alone loads the Model Context Protocol, and nothing of the API before a tool needs it", async () => {
    const { code, sources, bytes } = await loadedBy(["mcp"])
    expect(code).toBe(0)
    const libraries = sources.filter((source) => LIBRARIES.test(source))
    expect(libraries.filter((source) => !PROTOCOL.test(source))).toEqual([])
    expect(bytes).toBeLessThan(1_170_000)
    const chunks: Record<string, string[]> = JSON.parse(await readFile(CHUNKS, "utf8"))
    const holding = Object.values(chunks).filter((sources) => sources.some((each) => PROTOCOL.test(each)))
    expect(holding).toEqual([expect.arrayContaining(["src/mcp/serve.ts"])])
  })
})
