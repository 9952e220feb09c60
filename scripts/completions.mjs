// Writes completions/ from the command tree. They are kept in git, so that they can be read and packaged.
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import path from "node:path"
import { pathToFileURL } from "node:url"
import { build } from "rolldown"

const root = path.resolve(import.meta.dirname, "..")
const out = path.join(root, "completions")
const bundled = path.join(root, ".build", `completions-${process.pid}`)

await build({
  cwd: root,
  input: "src/shells/scripts.ts",
  platform: "node",
  output: { dir: bundled, format: "esm", entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" },
})
try {
  const { completionScripts } = await import(pathToFileURL(path.join(bundled, "scripts.mjs")))
  mkdirSync(out, { recursive: true })
  for (const [name, text] of Object.entries(await completionScripts()))
    writeFileSync(path.join(out, name), text)
} finally {
  rmSync(bundled, { recursive: true, force: true })
}
