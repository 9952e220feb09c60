import { rmSync } from "node:fs"
import path from "node:path"
import { pathToFileURL } from "node:url"
import { build } from "rolldown"
import { throughDoors } from "./doors.mjs"

const root = path.resolve(import.meta.dirname, "..")

/**
 * Uses a module of src/ in the build itself: Node 20 reads no TypeScript. What the module loads later has to be loaded by
 * the time that `use` ends.
 * @param use gets what the module exports
 */
export async function fromSource(input, use) {
  const folder = path.join(root, ".build", `${path.basename(input, ".ts")}-${process.pid}`)
  try {
    await build({
      cwd: root,
      input,
      platform: "node",
      plugins: [throughDoors],
      output: {
        dir: folder,
        format: "esm",
        entryFileNames: "entry.mjs",
        chunkFileNames: "[name]-[hash].mjs",
      },
    })
    return await use(await import(pathToFileURL(path.join(folder, "entry.mjs"))))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
