// npm run pictures: the README's pictures, each made from a real run of the built binary on the embedded sandbox, at a real
// terminal. `--check` makes them anew and compares. Names of scenes make only those.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import path from "node:path"
import { parseArgs } from "node:util"
import { SCENES } from "./pictures/scenes.mjs"
import { play } from "./pictures/seat.mjs"
import { drawing } from "./pictures/svg.mjs"

const root = path.resolve(import.meta.dirname, "..")
const MAX_BYTES = 40_000
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { check: { type: "boolean", default: false } },
})
const kept = path.join(root, "docs/pictures")
const target = values.check ? path.join(root, ".build/pictures") : kept
mkdirSync(target, { recursive: true })

const stale = []
for (const scene of SCENES) {
  if (positionals.length > 0 && !positionals.includes(scene.name)) continue
  const file = `${scene.name}.svg`
  const svg = drawing(await play(scene, path.join(root, "bin/freight.js")), scene)
  if (svg.length > MAX_BYTES) throw new Error(`${file} has ${svg.length} bytes, over ${MAX_BYTES}`)
  writeFileSync(path.join(target, file), svg)
  if (values.check && svg !== textOf(path.join(kept, file))) stale.push(file)
  else console.log(`${file}: ${values.check ? "fresh" : `${svg.length} bytes`}`)
}
for (const file of stale)
  console.error(`docs/pictures/${file} is not what freight shows now (.build/pictures/${file})`)
if (stale.length > 0) console.error("run npm run pictures and commit")
process.exitCode = stale.length > 0 ? 1 : 0

function textOf(file) {
  try {
    return readFileSync(file, "utf8")
  } catch {
    return undefined
  }
}
