/** What a run of the built binary loaded. */
import { mkdtempSync, readdirSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { desk, ROOT } from "./freight.ts"

export interface Loaded {
  code: number | null
  /** The sources inside every chunk that was loaded, as V8's coverage lists the scripts. */
  sources: string[]
  /** Bytes of those chunks. */
  bytes: number
}

/** Runs a command in an empty place, and looks which chunks it loaded. */
export async function loadedBy(args: readonly string[]): Promise<Loaded> {
  const folder = mkdtempSync(path.join(tmpdir(), "freight-loaded-"))
  const { freight } = await desk()
  const { code } = await freight(args, { env: { NODE_V8_COVERAGE: folder } })
  return { code, ...chunksIn(folder) }
}

/** @param folder the run's `NODE_V8_COVERAGE` */
export function chunksIn(folder: string): Omit<Loaded, "code"> {
  const known: Record<string, string[]> = JSON.parse(
    readFileSync(path.join(ROOT, ".build/chunks.json"), "utf8"),
  )
  const urls = new Set(readdirSync(folder).flatMap((name) => scriptsIn(path.join(folder, name))))
  const chunks = Object.keys(known).filter((chunk) =>
    Array.from(urls).some((url) => url.endsWith(`/dist/${chunk}`)),
  )
  return {
    sources: chunks.flatMap((chunk) => known[chunk] ?? []),
    bytes: chunks.reduce((sum, chunk) => sum + readFileSync(path.join(ROOT, "dist", chunk)).length, 0),
  }
}

function scriptsIn(file: string): string[] {
  const { result } = JSON.parse(readFileSync(file, "utf8")) as { result: { url: string }[] }
  return result.map(({ url }) => url)
}
