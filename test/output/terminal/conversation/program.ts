/** A small program that holds a conversation, bundled so that it runs in a process of its own at a terminal. */
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { build } from "rolldown"

/** @returns the file to run with Node; its first word names a conversation of `conversing-program.ts` */
export async function conversingProgram(): Promise<string> {
  const file = path.join(mkdtempSync(path.join(tmpdir(), "freight-conversing-")), "program.mjs")
  await build({
    input: path.join(import.meta.dirname, "conversing-program.ts"),
    platform: "node",
    transform: { define: { __VERSION__: '"test"' } },
    output: { file, format: "esm", codeSplitting: false },
  })
  return file
}
