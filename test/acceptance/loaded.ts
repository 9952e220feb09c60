/** The files that a run of the built binary loaded. */
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { pathToFileURL } from "node:url"
import { desk, ROOT } from "./freight.ts"
import type { SandboxReach } from "./sandbox.ts"

interface Loaded {
  code: number | null
  /** The sources inside every chunk that was loaded, as V8's coverage lists the scripts. */
  sources: string[]
  /** How many chunks they are in. */
  files: number
  /** Bytes of those chunks. */
  bytes: number
  /** Node's own modules, as it names them: `crypto`, `internal/fs/promises`. */
  builtins: string[]
}

const TELLS_BUILTINS = `process.on("exit", () => require("node:fs").writeFileSync(
  __filename + ".json", JSON.stringify(process.moduleLoadList)))`

/**
 * Runs a command, and looks what it loaded.
 * @param isUsed it was run before, and has a ledger; otherwise its place is empty
 */
export async function loadedBy(
  args: readonly string[],
  reach?: SandboxReach,
  { isUsed = false } = {},
): Promise<Loaded> {
  const folder = mkdtempSync(path.join(tmpdir(), "freight-loaded-"))
  const tells = path.join(mkdtempSync(path.join(tmpdir(), "freight-loaded-")), "tells.cjs")
  writeFileSync(tells, TELLS_BUILTINS)
  const { freight } = await desk(reach)
  if (isUsed) await freight(args)
  const env = { NODE_V8_COVERAGE: folder, NODE_OPTIONS: `--require ${tells}` }
  const { code } = await freight(args, { env })
  const loaded: string[] = JSON.parse(readFileSync(`${tells}.json`, "utf8"))
  const builtins = loaded.flatMap((each) => /^NativeModule (.+)$/.exec(each)?.[1] ?? [])
  return { code, builtins, ...chunksIn(folder) }
}

/** @param folder the run's `NODE_V8_COVERAGE` */
export function chunksIn(folder: string): Pick<Loaded, "sources" | "files" | "bytes"> {
  const known: Record<string, string[]> = JSON.parse(
    readFileSync(path.join(ROOT, ".build/chunks.json"), "utf8"),
  )
  const urls = new Set(readdirSync(folder).flatMap((name) => scriptsIn(path.join(folder, name))))
  const chunks = Object.keys(known).filter((chunk) =>
    urls.has(pathToFileURL(path.join(ROOT, "dist", chunk)).href),
  )
  return {
    sources: chunks.flatMap((chunk) => known[chunk] ?? []),
    files: chunks.length,
    bytes: chunks.reduce((sum, chunk) => sum + readFileSync(path.join(ROOT, "dist", chunk)).length, 0),
  }
}

function scriptsIn(file: string): string[] {
  const { result } = JSON.parse(readFileSync(file, "utf8")) as { result: { url: string }[] }
  return result.map(({ url }) => url)
}
