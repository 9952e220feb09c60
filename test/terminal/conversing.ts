/** A small program that holds a conversation, bundled so that it runs in a process of its own at a terminal. */
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { buildSync } from "esbuild"

/** @returns the file to run with Node; its first word names a conversation of `conversing-program.ts` */
export function conversingProgram(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "freight-conversing-"))
  const outfile = path.join(folder, "program.mjs")
  buildSync({
    entryPoints: [path.join(import.meta.dirname, "conversing-program.ts")],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    define: { __VERSION__: '"test"' },
    banner: { js: 'import{createRequire as $r}from"node:module";const require=$r(import.meta.url);' },
    logLevel: "error",
  })
  return outfile
}
